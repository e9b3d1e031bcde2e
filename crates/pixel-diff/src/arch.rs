//! Which instructions to use: the only place with `unsafe`.

/// A set of vector instructions.
///
/// The results are the same bits with every one of them; only the speed differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Level {
    /// What every processor of the target has: SSE2 on x86-64, NEON on AArch64.
    Baseline,
    /// AVX2, 256 bits (x86-64).
    Avx2,
    /// AVX-512 F, BW, DQ and VL, 512 bits (x86-64).
    Avx512,
}

impl Level {
    /// All levels, from the narrowest.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::Avx2, Self::Avx512];

    /// The widest level that this processor has.
    #[must_use]
    pub fn detect() -> Self {
        Self::ALL.into_iter().rev().find(|level| level.is_supported()).unwrap_or(Self::Baseline)
    }

    /// Whether this processor has the instructions. Asked once; the answer is kept by the standard library.
    #[must_use]
    pub fn is_supported(self) -> bool {
        match self {
            Self::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => std::arch::is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                std::arch::is_x86_feature_detected!("avx512f")
                    && std::arch::is_x86_feature_detected!("avx512bw")
                    && std::arch::is_x86_feature_detected!("avx512dq")
                    && std::arch::is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }
}

/// A level that the processor has been found to have. Cannot be made otherwise, which is what makes the calls sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Supported(Level);

impl Supported {
    pub(crate) fn new(level: Level) -> Option<Self> {
        level.is_supported().then_some(Self(level))
    }

    pub(crate) fn detect() -> Self {
        Self(Level::detect())
    }

    /// Runs loops with these instructions.
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "calls of functions whose instructions were found to be there")
    )]
    pub(crate) fn run<L: Loops>(self, loops: L) -> L::Output {
        match self.0 {
            // SAFETY: a value of this type exists only if the processor has the features of its level.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { run_avx2(loops) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { run_avx512(loops) },
            _ => loops.run(),
        }
    }
}

/// Plain loops that are worth compiling for every level.
pub(crate) trait Loops {
    type Output;

    /// Runs them. To be `#[inline(always)]`, and all that it calls: so it takes on the instruction set of its caller.
    fn run(self) -> Self::Output;
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<L: Loops>(loops: L) -> L::Output {
    loops.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn run_avx512<L: Loops>(loops: L) -> L::Output {
    loops.run()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MetricKind;
    use crate::color::Primaries;
    use crate::exact::Exact;
    use crate::kernel::{Differences, LANES, Pairs, Plan, Work, differences};

    /// Few pairs, so that an interpreter that looks at every step gets through them: `just miri`.
    #[test]
    fn every_level_can_be_called() {
        let exact = Exact {
            metric: MetricKind::Ciede2000,
            tolerance: crate::Tolerance::default(),
            expected: Primaries::Srgb,
            actual: Primaries::Srgb,
        };
        let mut pairs = Pairs::default();
        for lane in 0..LANES {
            pairs.expected[lane] = 0xFF00_0000 | (lane as u32 * 0x0003_0201);
            pairs.actual[lane] = 0xFF00_0000 | (lane as u32 * 0x0001_0203);
        }
        let mut seen = Vec::new();
        for level in Level::ALL.into_iter().filter_map(Supported::new) {
            let mut out = Differences::default();
            differences(level, &Plan::new(exact), &pairs, &mut Work::default(), &mut out);
            seen.push((out.delta, out.class));
        }
        assert!(seen.iter().all(|other| *other == seen[0]) && seen[0].0[0] == 0 && seen[0].0[LANES - 1] > 0);
    }
}
