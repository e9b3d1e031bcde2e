//! Who decides about a pair of pixels, and how fast.
//!
//! The scalar reference in double precision defines every decision: whether a pixel is significant, visible, strong,
//! which level of the rule it reaches, and in which direction it changed. Most pairs never get there. The previous pair
//! and a small table answer what repeats; opaque 8-bit pairs that do not repeat go through the kernel in single
//! precision, sixty-four at a time, and only those that land near a decision go on to the reference.
//!
//! The value of a pair depends on nothing but the pair and the options: not on its neighbours, the batch it came in, the
//! table or the instruction set.

use std::fmt;

use crate::arch::Supported;
use crate::color::LINEAR_F32;
use crate::exact::{Direction, Exact, SignedDelta};
use crate::kernel::{BAND, Coefficients, Differences, Formula, LANES, Linear};
use crate::pixel::Pixel;
use crate::region::OpenRule;
use crate::{DeltaE, MetricKind};

/// Everything that is known about one pair of pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PairDelta {
    /// Difference under the metric; 0 only if the pixels are equal.
    pub(crate) delta: DeltaE,
    pub(crate) signed: SignedDelta,
    /// Largest difference of one sample over black, or of alpha, in 16-bit steps.
    pub(crate) step: u16,
    /// Level of the rule of area and difference.
    pub(crate) level: u8,
    pub(crate) significant: bool,
    pub(crate) visible: bool,
    pub(crate) direction: Direction,
}

/// Entries of the table. Interfaces repeat few colour pairs: 4096 answer most of them and stay in the cache.
const MEMO_ENTRIES: usize = 4096;

/// Values after which the scan should take them and call [`Judge::forget`].
pub(crate) const ENOUGH_VALUES: usize = 4096;

/// Judges pairs of one pair of layouts under one set of options.
pub(crate) struct Judge {
    exact: Exact,
    rule: OpenRule,
    level: Supported,
    formula: Formula,
    coefficients: [Coefficients; 2],
    /// Values of this round; spans of pixels refer to them by index.
    values: Vec<PairDelta>,
    round: u32,
    packed: Box<[Known<u64>]>,
    other: Box<[Known<(Pixel, Pixel)>]>,
    batch: Batch,
}

/// What the table knows of a pair.
#[derive(Clone, Copy, Default)]
struct Known<K> {
    key: K,
    /// The round in which `index` is valid; 0 for a free entry.
    round: u32,
    index: u32,
    value: PairDelta,
}

/// Pairs that wait for the kernel.
#[derive(Default)]
struct Batch {
    keys: Vec<u64>,
    indices: Vec<u32>,
    expected: Linear,
    actual: Linear,
    out: Differences,
}

impl Judge {
    pub(crate) fn new(exact: Exact, rule: OpenRule, level: Supported) -> Self {
        Self {
            exact,
            rule,
            level,
            formula: formula(exact.metric),
            coefficients: [Coefficients::new(exact.expected), Coefficients::new(exact.actual)],
            values: Vec::new(),
            round: 1,
            packed: vec![Known::default(); MEMO_ENTRIES].into_boxed_slice(),
            other: Box::default(),
            batch: Batch::default(),
        }
    }

    /// Readies a used judge for another pair of images; what it knows stays valid only under the same rules.
    pub(crate) fn reset(&mut self, exact: Exact, rule: OpenRule, level: Supported) {
        self.forget();
        self.level = level;
        if (self.exact, self.rule) != (exact, rule) {
            (self.exact, self.rule) = (exact, rule);
            self.formula = formula(exact.metric);
            self.coefficients = [Coefficients::new(exact.expected), Coefficients::new(exact.actual)];
            self.packed.fill(Known::default());
            self.other.fill(Known::default());
        }
    }

    /// The values of this round. Those of pairs that still wait are not filled in before [`settle`](Self::settle).
    pub(crate) fn values(&self) -> &[PairDelta] {
        &self.values
    }

    /// Begins another round: all indices are void.
    pub(crate) fn forget(&mut self) {
        // The table must not keep a pair whose value was never filled in.
        self.settle();
        self.values.clear();
        self.round = match self.round.checked_add(1) {
            Some(round) => round,
            None => {
                self.packed.fill(Known::default());
                self.other.fill(Known::default());
                1
            }
        };
    }

    /// Index of the value of a pair of opaque 8-bit pixels, packed as red, green, blue, 255 from the low byte up.
    pub(crate) fn opaque8(&mut self, expected: u32, actual: u32) -> u32 {
        let key = u64::from(expected) | u64::from(actual) << 32;
        let slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize % MEMO_ENTRIES;
        let known = &mut self.packed[slot];
        if known.key == key && known.round != 0 {
            if known.round != self.round {
                (known.round, known.index) = (self.round, self.values.len() as u32);
                self.values.push(known.value);
            }
            return known.index;
        }
        let index = self.values.len() as u32;
        self.values.push(PairDelta::default());
        *known = Known { key, round: self.round, index, value: PairDelta::default() };
        self.batch.keys.push(key);
        self.batch.indices.push(index);
        if self.batch.keys.len() == LANES {
            self.settle();
        }
        index
    }

    /// Index of the value of any pair.
    pub(crate) fn pair(&mut self, expected: Pixel, actual: Pixel) -> u32 {
        if let (Some(e), Some(a)) = (expected.opaque8(), actual.opaque8()) {
            let pack = |[r, g, b]: [u8; 3]| u32::from_le_bytes([r, g, b, 0xFF]);
            return self.opaque8(pack(e), pack(a));
        }
        if self.other.is_empty() {
            self.other = vec![Known::default(); MEMO_ENTRIES].into_boxed_slice();
        }
        let known = &mut self.other[slot(expected, actual)];
        if known.key != (expected, actual) || known.round == 0 {
            let (delta, signed) = self.exact.pair(expected, actual);
            let value = decided(self.rule, delta, signed, step(expected, actual));
            *known = Known { key: (expected, actual), round: 0, index: 0, value };
        }
        if known.round != self.round {
            (known.round, known.index) = (self.round, self.values.len() as u32);
            self.values.push(known.value);
        }
        known.index
    }

    /// Fills in the values of all pairs that wait.
    pub(crate) fn settle(&mut self) {
        let batch = &mut self.batch;
        let count = batch.keys.len();
        if count == 0 {
            return;
        }
        for (i, &key) in batch.keys.iter().enumerate() {
            let [r, g, b, _, r2, g2, b2, _] = key.to_le_bytes().map(usize::from);
            (batch.expected.r[i], batch.expected.g[i], batch.expected.b[i]) =
                (LINEAR_F32[r], LINEAR_F32[g], LINEAR_F32[b]);
            (batch.actual.r[i], batch.actual.g[i], batch.actual.b[i]) =
                (LINEAR_F32[r2], LINEAR_F32[g2], LINEAR_F32[b2]);
        }
        self.level.differences(
            self.formula,
            (&batch.expected, &self.coefficients[0]),
            (&batch.actual, &self.coefficients[1]),
            &mut batch.out,
        );
        for i in 0..count {
            let key = batch.keys[i];
            let value = propose(&self.exact, self.rule, &batch.out, i, key);
            self.values[batch.indices[i] as usize] = value;
            let known =
                &mut self.packed[(key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize % MEMO_ENTRIES];
            if known.key == key {
                known.value = value;
            }
        }
        batch.keys.clear();
        batch.indices.clear();
    }
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judge")
            .field("exact", &self.exact)
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}

fn formula(metric: MetricKind) -> Formula {
    match metric {
        MetricKind::Ciede2000 => Formula::Ciede2000,
        MetricKind::Cie76 => Formula::Cie76,
    }
}

/// The value of a pair from the kernel, or from the reference where the kernel cannot tell.
fn propose(exact: &Exact, rule: OpenRule, out: &Differences, i: usize, key: u64) -> PairDelta {
    let [r, g, b, _, r2, g2, b2, _] = key.to_le_bytes();
    let (expected, actual) = ([r, g, b], [r2, g2, b2]);
    let same_space = exact.expected == exact.actual;
    if same_space && expected == actual {
        return PairDelta::default();
    }
    let mut delta = DeltaE::from_raw(out.delta[i].unsigned_abs());
    if same_space {
        delta = delta.max(DeltaE::from_raw(1));
        if out.unstable[i] == 0 && rule.is_far_below(delta, BAND) {
            // It will be counted, and that is all.
            return PairDelta { delta, ..PairDelta::default() };
        }
    }
    let step = u16::from(r.abs_diff(r2).max(g.abs_diff(g2)).max(b.abs_diff(b2))) * 257;
    let signed = SignedDelta {
        lab: [out.lab[0][i], out.lab[1][i], out.lab[2][i]],
        chroma_hue: [out.chroma[i], out.hue[i]],
    };
    let unsure = out.unstable[i] != 0
        || rule.is_near_decision(delta, BAND)
        || (!same_space && delta.raw() <= BAND)
        || (rule.needs_direction(delta) && signed.is_near_other_direction(BAND));
    if unsure {
        let (delta, signed) = exact.opaque8(expected, actual);
        return decided(rule, delta, signed, step);
    }
    decided(rule, delta, signed, step)
}

fn decided(rule: OpenRule, delta: DeltaE, signed: SignedDelta, step: u16) -> PairDelta {
    PairDelta {
        delta,
        signed,
        step,
        level: rule.level(delta) as u8,
        significant: rule.is_significant(delta),
        visible: rule.is_visible(delta),
        direction: signed.direction(),
    }
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
    use crate::color::Primaries;
    use crate::{Level, Tolerance};

    const SRGB: Exact =
        Exact { metric: MetricKind::Ciede2000, expected: Primaries::Srgb, actual: Primaries::Srgb };

    /// Pairs of the kinds that images are made of, the same on every run: unlike, near, near-neutral, dark, opposite.
    fn pairs(count: usize) -> impl Iterator<Item = ([u8; 3], [u8; 3])> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 8).to_le_bytes()
        };
        (0..count).map(move |i| {
            let r = next();
            let e = [r[0], r[1], r[2]];
            let near =
                |by: u8| std::array::from_fn(|c| e[c].wrapping_add(r[3 + c] % (2 * by + 1)).wrapping_sub(by));
            match i % 6 {
                0 => (e, [r[3], r[4], r[5]]),
                1 => (e, near(4)),
                2 => (e, near(32)),
                3 => ([r[0]; 3], std::array::from_fn(|c| r[0].wrapping_add(r[3 + c] % 7).wrapping_sub(3))),
                4 => (e.map(|c| c % 40), [r[3] % 40, r[4] % 40, r[5] % 40]),
                // Complements turned a little: near the hues where CIEDE2000 jumps.
                _ => (e, std::array::from_fn(|c| (255 - e[c]).wrapping_add(r[3 + c] % 5))),
            }
        })
    }

    fn values(judge: &mut Judge, pairs: &[([u8; 3], [u8; 3])]) -> Vec<PairDelta> {
        judge.forget();
        let pack = |[r, g, b]: [u8; 3]| u32::from_le_bytes([r, g, b, 255]);
        let indices: Vec<u32> = pairs.iter().map(|&(e, a)| judge.opaque8(pack(e), pack(a))).collect();
        judge.settle();
        indices.into_iter().map(|index| judge.values()[index as usize]).collect()
    }

    #[test]
    fn every_decision_is_that_of_the_reference() {
        let all: Vec<_> = pairs(60_000).collect();
        let tolerances = [0.0, 0.3, 1.0, 2.0, 2.3, 5.0, 30.0].map(|t| Tolerance::new(t).unwrap());
        for tolerance in tolerances.into_iter().chain([Tolerance::strict()]) {
            let rule = OpenRule::new(tolerance);
            let mut judge = Judge::new(SRGB, rule, Supported::detect());
            for (pair, got) in all.iter().zip(values(&mut judge, &all)) {
                let (delta, signed) = SRGB.opaque8(pair.0, pair.1);
                let want = decided(rule, delta, signed, 0);
                assert_eq!(
                    (got.level, got.significant, got.visible, got.delta == DeltaE::ZERO),
                    (want.level, want.significant, want.visible, want.delta == DeltaE::ZERO),
                    "{pair:?} at {tolerance:?}"
                );
                if want.significant && rule.needs_direction(delta) {
                    assert_eq!(got.direction, want.direction, "{pair:?} at {tolerance:?}");
                }
            }
        }
    }

    #[test]
    fn the_kernel_keeps_within_half_its_band() {
        for exact in [
            SRGB,
            Exact { metric: MetricKind::Cie76, ..SRGB },
            Exact { expected: Primaries::DisplayP3, actual: Primaries::DisplayP3, ..SRGB },
            Exact { actual: Primaries::DisplayP3, ..SRGB },
        ] {
            // Tolerances that few differences come near, so that the kernel's own values are seen.
            for tolerance in [0.001, 1000.0] {
                let rule = OpenRule::new(Tolerance::new(tolerance).unwrap());
                let mut judge = Judge::new(exact, rule, Supported::detect());
                let all: Vec<_> = pairs(120_000).collect();
                let mut worst = [0_u32; 2];
                for (pair, got) in all.iter().zip(values(&mut judge, &all)) {
                    let (delta, signed) = exact.opaque8(pair.0, pair.1);
                    if got.significant {
                        for (g, w) in got.signed.lab.iter().zip(signed.lab) {
                            worst[1] = worst[1].max(g.abs_diff(w));
                        }
                    }
                    worst[0] = worst[0].max(got.delta.raw().abs_diff(delta.raw()));
                }
                assert!(worst[0] <= BAND / 2, "{exact:?}: ΔE off by {} steps", worst[0]);
                // ΔL, Δa, Δb decide nothing but the direction.
                assert!(worst[1] <= BAND / 2, "{exact:?}: ΔLab off by {} steps", worst[1]);
            }
        }
    }

    #[test]
    fn the_table_never_changes_an_answer() {
        let rule = OpenRule::new(Tolerance::default());
        let mut judge = Judge::new(SRGB, rule, Supported::detect());
        // Few colours, so that most pairs repeat, in two rounds.
        let few: Vec<_> = pairs(30_000).map(|(e, a)| (e.map(|c| c & 0xE0), a.map(|c| c & 0xC0))).collect();
        let first = values(&mut judge, &few);
        assert_eq!(first, values(&mut judge, &few));
        for (pair, got) in few.iter().zip(first).step_by(7) {
            let alone = values(&mut Judge::new(SRGB, rule, Supported::detect()), &[*pair]);
            assert_eq!([got][..], alone[..], "{pair:?}");
        }
    }

    #[test]
    fn every_level_gives_the_same_bits() {
        let rule = OpenRule::new(Tolerance::default());
        let all: Vec<_> = pairs(20_000).collect();
        let baseline = values(&mut Judge::new(SRGB, rule, Supported::new(Level::Baseline).unwrap()), &all);
        for level in Level::ALL.into_iter().filter_map(Supported::new) {
            assert_eq!(values(&mut Judge::new(SRGB, rule, level), &all), baseline, "{level:?}");
        }
    }

    /// Every pair of colours one step apart in any channels: 0.2 thousand million. `cargo test --release -- --ignored`.
    #[test]
    #[ignore = "minutes"]
    fn one_step_differs_by_at_most_2_4534() {
        let rule = OpenRule::new(Tolerance::default());
        let mut judge = Judge::new(SRGB, rule, Supported::detect());
        let mut worst = DeltaE::ZERO;
        for red in 0..=255_u8 {
            for green in 0..=255_u8 {
                let mut block = Vec::new();
                for blue in 0..=255_u8 {
                    // In base three with digits 0, 1, −1: one of each two opposite steps, the one that leads with 1.
                    for d in [1, 3, 4, 5].into_iter().chain(9..18_u8) {
                        let step = |i: u8| [0_i8, 1, -1][usize::from(d / i % 3)];
                        let moved = [(red, step(1)), (green, step(3)), (blue, step(9))]
                            .map(|(sample, step)| sample.checked_add_signed(step));
                        if let [Some(r), Some(g), Some(b)] = moved {
                            block.push(([red, green, blue], [r, g, b]));
                        }
                    }
                }
                worst = values(&mut judge, &block).iter().fold(worst, |worst, value| worst.max(value.delta));
            }
        }
        assert_eq!(worst.to_string(), "2.4534");
    }
}
