//! From a pair of pixels to its difference, exactly.

use std::fmt;

use crate::color::Primaries;
use crate::metric::hue_difference;
use crate::pixel::Pixel;
use crate::{DeltaE, Lab, MetricKind};

/// Everything that is known about one pair of pixels of different value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PairDelta {
    /// Difference under the metric; 0 only if the pixels are equal.
    pub(crate) delta: DeltaE,
    /// Signed differences in CIELAB, actual minus expected, in 1/65 536.
    pub(crate) signed: SignedDelta,
    /// Largest difference of one sample over black, or of alpha, in 16-bit steps.
    pub(crate) step: u16,
}

/// Signed differences in CIELAB in 1/65 536.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SignedDelta {
    /// ΔL\*, Δa\*, Δb\*.
    pub(crate) lab: [i32; 3],
    /// ΔC\*ab and ΔH\*ab, the polar form of Δa\* and Δb\*.
    pub(crate) chroma_hue: [i32; 2],
}

/// Where a colour went, roughly: along which axis of CIELAB most, and which way.
///
/// Differences of one direction add up over an area; those of different directions cancel out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Direction {
    #[default]
    Lighter,
    Darker,
    Redder,
    Greener,
    Yellower,
    Bluer,
}

impl SignedDelta {
    pub(crate) fn direction(&self) -> Direction {
        let [l, a, b] = self.lab;
        let (al, aa, ab) = (l.unsigned_abs(), a.unsigned_abs(), b.unsigned_abs());
        // Ties go by magnitude alone, so that swapping the images turns the direction round and nothing else.
        if al >= aa && al >= ab {
            if l >= 0 { Direction::Lighter } else { Direction::Darker }
        } else if aa >= ab {
            if a >= 0 { Direction::Redder } else { Direction::Greener }
        } else if b >= 0 {
            Direction::Yellower
        } else {
            Direction::Bluer
        }
    }
}

/// Judges pairs of one pair of layouts under one metric, with the scalar reference in double precision.
pub(crate) struct Judge {
    metric: MetricKind,
    expected: Primaries,
    actual: Primaries,
    previous: Entry,
    memo: Box<[Entry]>,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    expected: Pixel,
    actual: Pixel,
    delta: PairDelta,
}

/// Direct-mapped entries. Interfaces repeat few colour pairs, so a table that stays in the second-level cache answers
/// most of them; it never changes an answer, because an entry is used only for exactly its own pair.
const MEMO_ENTRIES: usize = 4096;

impl Judge {
    pub(crate) fn new(metric: MetricKind, expected: Primaries, actual: Primaries) -> Self {
        // The default entry is the pair of two transparent pixels with no difference, which is the right answer.
        let memo = vec![Entry::default(); MEMO_ENTRIES].into_boxed_slice();
        Self { metric, expected, actual, previous: Entry::default(), memo }
    }

    /// Readies a used judge for another pair of images; remembered pairs stay valid only under the same rules.
    pub(crate) fn reset(&mut self, metric: MetricKind, expected: Primaries, actual: Primaries) {
        if (self.metric, self.expected, self.actual) != (metric, expected, actual) {
            (self.metric, self.expected, self.actual) = (metric, expected, actual);
            self.previous = Entry::default();
            self.memo.fill(Entry::default());
        }
    }

    /// The difference of a pair; `delta` is 0 if and only if the two look the same on every backdrop.
    pub(crate) fn judge(&mut self, expected: Pixel, actual: Pixel) -> PairDelta {
        if self.previous.expected == expected && self.previous.actual == actual {
            return self.previous.delta;
        }
        let slot = slot(expected, actual);
        let known = self.memo[slot];
        self.previous = if known.expected == expected && known.actual == actual {
            known
        } else {
            let fresh = Entry { expected, actual, delta: self.compute(expected, actual) };
            self.memo[slot] = fresh;
            fresh
        };
        self.previous.delta
    }

    fn compute(&self, expected: Pixel, actual: Pixel) -> PairDelta {
        let same_space = self.expected == self.actual;
        if same_space && expected == actual {
            return PairDelta::default();
        }
        let (mut difference, mut signed) =
            self.over(expected.encoded_over_black(), actual.encoded_over_black());
        if !(expected.is_opaque() && actual.is_opaque()) {
            // Compositing is affine in the backdrop, so the difference is extreme over black or over white.
            let (white, white_signed) = self.over(expected.encoded_over_white(), actual.encoded_over_white());
            if white > difference {
                (difference, signed) = (white, white_signed);
            }
        }
        let mut delta = DeltaE::from_f64(difference);
        if same_space && delta == DeltaE::ZERO {
            // Different values stay different, even the last bits of 16-bit samples.
            delta = DeltaE::from_raw(1);
        }
        PairDelta { delta, signed, step: step(expected, actual) }
    }

    fn over(&self, expected: [f64; 3], actual: [f64; 3]) -> (f64, SignedDelta) {
        let (x, y) = (self.expected.lab(expected), self.actual.lab(actual));
        (self.metric.difference(x, y), signed(x, y))
    }
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judge").field("metric", &self.metric).finish_non_exhaustive()
    }
}

fn signed(x: Lab, y: Lab) -> SignedDelta {
    let (cx, cy) = (x.chroma(), y.chroma());
    let hue = hue_difference(cx * cy, x.a * y.a + x.b * y.b, x.a * y.b - y.a * x.b);
    SignedDelta {
        lab: [fixed(y.l - x.l), fixed(y.a - x.a), fixed(y.b - x.b)],
        chroma_hue: [fixed(cy - cx), fixed(hue)],
    }
}

/// Signed fixed point in 1/65 536, to nearest; CIELAB coordinates of display colours are far inside the range.
fn fixed(value: f64) -> i32 {
    (value * f64::from(DeltaE::SCALE)).round() as i32
}

fn step(expected: Pixel, actual: Pixel) -> u16 {
    let mut step = expected.alpha.abs_diff(actual.alpha);
    for (e, a) in expected.over_black.into_iter().zip(actual.over_black) {
        // Over black at 16 bits, rounded up so that no difference counts as none; at most 65 535.
        step = step.max(e.abs_diff(a).div_ceil(65_535) as u16);
    }
    step
}

fn slot(expected: Pixel, actual: Pixel) -> usize {
    // Multiply-mix of all samples; only the spread matters, not the bits.
    let mut hash = u64::from(expected.alpha) << 16 | u64::from(actual.alpha);
    for sample in expected.over_black.into_iter().chain(actual.over_black) {
        hash = (hash.rotate_left(23) ^ u64::from(sample)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    (hash >> 52) as usize % MEMO_ENTRIES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn srgb(rgb: [u32; 3], alpha: u16) -> Pixel {
        let over_black = rgb.map(|c| c * 257 * u32::from(alpha) * 257);
        Pixel { over_black, alpha: alpha * 257 }
    }

    fn judge() -> Judge {
        Judge::new(MetricKind::Ciede2000, Primaries::Srgb, Primaries::Srgb)
    }

    #[test]
    fn alpha_is_seen_over_black_or_over_white() {
        let mut judge = judge();
        let clear = Pixel::default();
        // White on nothing shows over black, black on nothing over white; each is a whole 100.
        assert_eq!(judge.judge(srgb([255; 3], 255), clear).delta.to_f64(), 100.0);
        assert_eq!(judge.judge(srgb([0; 3], 255), clear).delta.to_f64(), 100.0);
        // Equal over white (127), different over black.
        assert!(judge.judge(srgb([0; 3], 128), srgb([127; 3], 255)).delta.to_f64() > 30.0);
    }

    #[test]
    fn memo_never_changes_an_answer() {
        let mut warm = judge();
        let mut state = 1_u32;
        for _ in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let b = state.to_be_bytes();
            let (e, a) = (srgb([u32::from(b[0]); 3], 255), srgb([u32::from(b[1]) / 16, 3, 4], 255));
            assert_eq!(warm.judge(e, a), judge().compute(e, a));
        }
    }

    #[test]
    fn signs_are_actual_minus_expected() {
        let mut judge = judge();
        let lighter = judge.judge(srgb([100; 3], 255), srgb([120; 3], 255)).signed;
        assert!(lighter.lab[0] > 0 && lighter.lab[1..] == [0, 0] && lighter.chroma_hue == [0, 0]);
        assert_eq!(lighter.direction(), Direction::Lighter);
        let duller = judge.judge(srgb([200, 0, 0], 255), srgb([180, 40, 40], 255)).signed;
        assert!(duller.chroma_hue[0] < 0);
        assert_eq!(duller.direction(), Direction::Bluer);
        // From red towards yellow the hue angle grows.
        assert!(judge.judge(srgb([200, 0, 0], 255), srgb([200, 60, 0], 255)).signed.chroma_hue[1] > 0);
    }

    #[test]
    fn the_last_bit_of_sixteen_is_a_difference() {
        let (e, a) = (
            Pixel { over_black: [30_000 * 65_535; 3], alpha: u16::MAX },
            Pixel { over_black: [30_001 * 65_535, 30_000 * 65_535, 30_000 * 65_535], alpha: u16::MAX },
        );
        let delta = judge().judge(e, a);
        assert!(delta.delta > DeltaE::ZERO && delta.delta.to_f64() < 0.01);
        assert_eq!(delta.step, 1);
    }
}
