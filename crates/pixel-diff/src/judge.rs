//! Who decides about a pair of pixels, and how fast.
//!
//! The scalar reference in double precision defines every decision: whether a pixel is significant, visible, strong,
//! which level of the rule it reaches, and in which direction it changed. Most pairs never get there. The previous pair
//! and a small table answer what repeats; opaque 8-bit pairs that do not repeat go through the kernel in single
//! precision, sixty-four at a time, and only those that land near a decision go on to the reference. Where little
//! repeats, as in photographs, the table is left alone and whole stretches of pixels go to the kernel.
//!
//! The value of a pair depends on nothing but the pair and the options: not on its neighbours, the batch it came in, the
//! table or the instruction set.

use std::fmt;

use crate::DeltaE;
use crate::arch::Supported;
use crate::exact::{Exact, SignedDelta};
use crate::kernel::{BAND, LANES, Plan, Work, differences, totals};
use crate::pixel::Pixel;
use crate::region::OpenRule;
use crate::values::{Block, Class, PairDelta, Values};

/// Entries of the table. Interfaces repeat few colour pairs: 4096 answer most of them and stay in the cache.
const MEMO_ENTRIES: usize = 4096;

/// Values after which the scan should take them and call [`Judge::forget`].
pub(crate) const ENOUGH_VALUES: usize = 4096;

/// Questions to the table after which it is seen whether it answers any.
const TRIAL: u32 = 1024;
/// Pixels for which it is then left alone, if it answered fewer than one of eight.
const PAUSE: u32 = 32 * TRIAL;

/// Judges pairs of one pair of layouts under one set of options.
pub(crate) struct Judge {
    exact: Exact,
    rule: OpenRule,
    level: Supported,
    plan: Plan,
    work: Box<Work>,
    values: Values,
    /// Values at the front that are filled in.
    settled: usize,
    /// Values in the last block that are known without the kernel: lane and value.
    known: Vec<(usize, PairDelta)>,
    round: u32,
    packed: Box<[Entry<u64, ()>]>,
    /// The reference is slow, so what it said outlives a round.
    other: Box<[Entry<(Pixel, Pixel), PairDelta>]>,
    asked: u32,
    answered: u32,
    pause: u32,
}

/// What a table knows of a pair.
#[derive(Clone, Copy, Default)]
struct Entry<K, V> {
    key: K,
    /// The round in which `index` is valid; 0 for a free entry.
    round: u32,
    index: u32,
    value: V,
}

impl Judge {
    pub(crate) fn new(exact: Exact, level: Supported) -> Self {
        Self {
            exact,
            rule: OpenRule::new(exact.tolerance),
            level,
            plan: Plan::new(exact),
            work: Box::default(),
            values: Values::default(),
            settled: 0,
            known: Vec::new(),
            round: 1,
            packed: vec![Entry::default(); MEMO_ENTRIES].into_boxed_slice(),
            other: Box::default(),
            asked: 0,
            answered: 0,
            pause: 0,
        }
    }

    /// Readies a used judge for another pair of images; what it knows stays valid only under the same rules.
    pub(crate) fn reset(&mut self, exact: Exact, level: Supported) {
        self.forget();
        self.level = level;
        (self.asked, self.answered, self.pause) = (0, 0, 0);
        if self.exact != exact {
            self.exact = exact;
            self.rule = OpenRule::new(exact.tolerance);
            self.plan = Plan::new(exact);
            self.other.fill(Entry::default());
        }
    }

    /// The values of this round. Those of pairs that still wait are not filled in before [`settle`](Self::settle).
    pub(crate) const fn values(&self) -> &Values {
        &self.values
    }

    /// Begins another round: all indices are void.
    pub(crate) fn forget(&mut self) {
        self.values.clear();
        self.known.clear();
        self.settled = 0;
        self.round = match self.round.checked_add(1) {
            Some(round) => round,
            None => {
                self.packed.fill(Entry::default());
                self.other.iter_mut().for_each(|entry| entry.round = 0);
                1
            }
        };
    }

    /// Index of the value of a pair of opaque 8-bit pixels, packed as red, green, blue, 255 from the low byte up.
    pub(crate) fn opaque8(&mut self, expected: u32, actual: u32) -> u32 {
        let key = u64::from(expected) | u64::from(actual) << 32;
        let slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize % MEMO_ENTRIES;
        let entry = &mut self.packed[slot];
        self.asked += 1;
        if entry.key == key && entry.round == self.round {
            self.answered += 1;
            return entry.index;
        }
        let (block, lane) = self.values.free();
        (block.pairs.expected[lane], block.pairs.actual[lane]) = (expected, actual);
        let index = self.values.take(1);
        *entry = Entry { key, round: self.round, index, value: () };
        if lane + 1 == LANES {
            self.settle();
        }
        index
    }

    /// Whether so many opaque pairs that do not repeat had better go to [`row_of_opaque8`](Self::row_of_opaque8).
    pub(crate) fn is_paused(&mut self, pixels: u32) -> bool {
        if self.asked >= TRIAL {
            if 8 * self.answered < self.asked {
                self.pause = PAUSE;
            }
            (self.asked, self.answered) = (0, 0);
        }
        let paused = self.pause > 0;
        self.pause = self.pause.saturating_sub(pixels);
        paused
    }

    /// Index of the first of the values of pairs side by side, each a value of its own, as in
    /// [`opaque8`](Self::opaque8).
    pub(crate) fn row_of_opaque8(&mut self, mut expected: &[u32], mut actual: &[u32]) -> u32 {
        let first = self.values.len() as u32;
        while !expected.is_empty() {
            let (block, lane) = self.values.free();
            let count = expected.len().min(LANES - lane);
            let (e, a) = (expected.split_at(count), actual.split_at(count));
            block.pairs.expected[lane..lane + count].copy_from_slice(e.0);
            block.pairs.actual[lane..lane + count].copy_from_slice(a.0);
            (expected, actual) = (e.1, a.1);
            self.values.take(count);
            if lane + count == LANES {
                self.settle();
            }
        }
        first
    }

    /// Index of the value of any pair.
    pub(crate) fn pair(&mut self, expected: Pixel, actual: Pixel) -> u32 {
        if let (Some(e), Some(a)) = (expected.opaque8(), actual.opaque8()) {
            let pack = |[r, g, b]: [u8; 3]| u32::from_le_bytes([r, g, b, 0xFF]);
            return self.opaque8(pack(e), pack(a));
        }
        if self.other.is_empty() {
            self.other = vec![Entry::default(); MEMO_ENTRIES].into_boxed_slice();
        }
        let entry = &mut self.other[slot(expected, actual)];
        // A pair that was never asked about has round 0, and so has the default, which is a pair of equal pixels.
        if entry.key != (expected, actual) || entry.round == 0 {
            let (delta, signed) = self.exact.pair(expected, actual);
            let value = decided(self.rule, delta, signed, step(expected, actual));
            *entry = Entry { key: (expected, actual), round: 0, index: 0, value };
        }
        if entry.round != self.round {
            let (block, lane) = self.values.free();
            (block.pairs.expected[lane], block.pairs.actual[lane]) = (0, 0);
            self.known.push((lane, entry.value));
            (entry.round, entry.index) = (self.round, self.values.take(1));
            if lane + 1 == LANES {
                let index = entry.index;
                self.settle();
                return index;
            }
        }
        entry.index
    }

    /// Fills in the values of all pairs that wait.
    pub(crate) fn settle(&mut self) {
        if self.settled == self.values.len() {
            return;
        }
        self.settled = self.values.len();
        let Some((block, count)) = self.values.last() else { return };
        if self.known.len() < count {
            differences(self.level, &self.plan, &block.pairs, &mut self.work, &mut block.out);
            // Lane by lane only where something is to be looked at again.
            if block.out.suspicious[..count].iter().fold(0, |any, lane| any | lane) != 0 {
                for lane in 0..count {
                    if block.out.suspicious[lane] != 0 {
                        let value = propose(&self.exact, self.rule, block, lane);
                        block.set(lane, value);
                    }
                }
            }
        }
        for &(lane, value) in &self.known {
            block.set(lane, value);
        }
        if count == LANES {
            block.totals = totals(self.level, &block.out);
            self.known.clear();
        }
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

/// The value of a pair from the kernel, or from the reference where the kernel cannot tell.
///
/// The kernel's own classes are those that this would give, except for suspicious pairs.
fn propose(exact: &Exact, rule: OpenRule, block: &Block, lane: usize) -> PairDelta {
    let PairDelta { delta, signed, step, .. } = block.get(lane);
    let same_space = exact.expected == exact.actual;
    let unsure = block.out.unstable[lane] != 0
        || rule.is_near_decision(delta, BAND)
        || (!same_space && delta.raw() <= BAND)
        || (rule.needs_direction(delta) && signed.is_near_other_direction(BAND));
    if unsure {
        let colour = |packed: u32| {
            let [r, g, b, _] = packed.to_le_bytes();
            [r, g, b]
        };
        let (e, a) = (colour(block.pairs.expected[lane]), colour(block.pairs.actual[lane]));
        let (delta, signed) = exact.opaque8(e, a);
        return decided(rule, delta, signed, step);
    }
    decided(rule, delta, signed, step)
}

fn decided(rule: OpenRule, delta: DeltaE, signed: SignedDelta, step: u16) -> PairDelta {
    PairDelta { delta, signed, step, class: Class::new(rule, delta, signed.direction()) }
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
    use crate::{Level, MetricKind, Tolerance};

    const SRGB: Exact = Exact {
        metric: MetricKind::Ciede2000,
        tolerance: Tolerance::DEFAULT,
        expected: Primaries::Srgb,
        actual: Primaries::Srgb,
    };

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
        indices.into_iter().map(|index| judge.values().get(index)).collect()
    }

    #[test]
    fn every_decision_is_that_of_the_reference() {
        let all: Vec<_> = pairs(60_000).collect();
        let tolerances = [0.0, 0.3, 1.0, 2.0, 2.3, 5.0, 30.0].map(|t| Tolerance::new(t).unwrap());
        let tolerances: Vec<_> = tolerances.into_iter().chain([Tolerance::strict()]).collect();
        for (metric, &tolerance) in
            MetricKind::ALL.iter().flat_map(|m| tolerances.iter().map(move |t| (*m, t)))
        {
            let exact = Exact { metric, tolerance, ..SRGB };
            let rule = OpenRule::new(tolerance);
            let mut judge = Judge::new(exact, Supported::detect());
            for (pair, got) in all.iter().zip(values(&mut judge, &all)) {
                let (delta, signed) = exact.opaque8(pair.0, pair.1);
                let want = decided(rule, delta, signed, 0);
                assert_eq!(
                    (got.class.level(), got.class.is_visible(), got.class.group(), got.delta == DeltaE::ZERO),
                    (
                        want.class.level(),
                        want.class.is_visible(),
                        want.class.group(),
                        want.delta == DeltaE::ZERO
                    ),
                    "{pair:?} by {metric} at {tolerance:?}"
                );
            }
        }
    }

    #[test]
    fn the_kernel_keeps_within_half_its_band() {
        let metrics = MetricKind::ALL.map(|metric| Exact { metric, ..SRGB });
        for exact in metrics.into_iter().chain([
            Exact { expected: Primaries::DisplayP3, actual: Primaries::DisplayP3, ..SRGB },
            Exact { actual: Primaries::DisplayP3, ..SRGB },
        ]) {
            // Tolerances that few differences come near, so that the kernel's own values are seen.
            for tolerance in [0.001, 1000.0] {
                let exact = Exact { tolerance: Tolerance::new(tolerance).unwrap(), ..exact };
                let mut judge = Judge::new(exact, Supported::detect());
                let all: Vec<_> = pairs(120_000).collect();
                let mut worst = [0_u32; 2];
                for (pair, got) in all.iter().zip(values(&mut judge, &all)) {
                    let (delta, signed) = exact.opaque8(pair.0, pair.1);
                    if got.class.is_significant() {
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
        let mut judge = Judge::new(SRGB, Supported::detect());
        // Few colours, so that most pairs repeat, in two rounds.
        let few: Vec<_> = pairs(30_000).map(|(e, a)| (e.map(|c| c & 0xE0), a.map(|c| c & 0xC0))).collect();
        let first = values(&mut judge, &few);
        assert_eq!(first, values(&mut judge, &few));
        for (pair, got) in few.iter().zip(first).step_by(7) {
            let alone = values(&mut Judge::new(SRGB, Supported::detect()), &[*pair]);
            assert_eq!([got][..], alone[..], "{pair:?}");
        }
    }

    #[test]
    fn a_row_is_as_if_asked_one_by_one() {
        let all: Vec<_> = pairs(10_000).collect();
        let pack = |[r, g, b]: [u8; 3]| u32::from_le_bytes([r, g, b, 255]);
        let (e, a): (Vec<u32>, Vec<u32>) = all.iter().map(|&(e, a)| (pack(e), pack(a))).unzip();
        for tolerance in [Tolerance::default(), Tolerance::strict(), Tolerance::new(0.0).unwrap()] {
            let exact = Exact { tolerance, ..SRGB };
            let want = values(&mut Judge::new(exact, Supported::detect()), &all);
            let mut judge = Judge::new(exact, Supported::detect());
            // In parts of any length, with other pairs between them, settled now and then.
            let (mut at, mut got) = (0, Vec::new());
            for length in (1..200).cycle() {
                let end = all.len().min(at + length);
                let first = judge.row_of_opaque8(&e[at..end], &a[at..end]);
                judge.pair(Pixel::default(), Pixel { alpha: length as u16, ..Pixel::default() });
                if length % 7 == 0 {
                    judge.settle();
                }
                got.push((at..end, first));
                at = end;
                if at == all.len() {
                    break;
                }
            }
            judge.settle();
            for (range, first) in got {
                for (index, at) in (first..).zip(range) {
                    assert_eq!(judge.values().get(index), want[at], "{:?}", all[at]);
                }
            }
        }
    }

    #[test]
    fn every_level_gives_the_same_bits() {
        let all: Vec<_> = pairs(20_000).collect();
        for exact in MetricKind::ALL.map(|metric| Exact { metric, ..SRGB }) {
            let baseline = values(&mut Judge::new(exact, Supported::new(Level::Baseline).unwrap()), &all);
            for level in Level::ALL.into_iter().filter_map(Supported::new) {
                assert_eq!(values(&mut Judge::new(exact, level), &all), baseline, "{exact:?} {level:?}");
            }
        }
    }

    /// Every change of up to two steps in each channel, from every colour of a grid that has each channel's ends, its
    /// middle and what lies around the knee of the transfer function: all decisions are those of the reference.
    #[test]
    #[ignore = "minutes without optimisation: just exhaustive"]
    fn two_steps_around_a_grid_are_decided_as_by_the_reference() {
        let samples: Vec<u8> = [0, 1, 2, 3, 9, 10, 11, 12, 40, 127, 128, 200, 253, 254, 255].to_vec();
        for metric in MetricKind::ALL {
            for tolerance in [0.3, 1.0, 2.0, 2.3].map(|t| Tolerance::new(t).unwrap()) {
                let exact = Exact { metric, tolerance, ..SRGB };
                let (rule, mut judge) = (OpenRule::new(tolerance), Judge::new(exact, Supported::detect()));
                for &red in &samples {
                    let mut block = Vec::new();
                    for (&green, &blue) in samples.iter().flat_map(|g| samples.iter().map(move |b| (g, b))) {
                        for d in 1..125_u8 {
                            let step = |i: u8| (d / i % 5).cast_signed() - 2;
                            let moved = [(red, step(1)), (green, step(5)), (blue, step(25))]
                                .map(|(sample, step)| sample.checked_add_signed(step));
                            if let [Some(r), Some(g), Some(b)] = moved {
                                block.push(([red, green, blue], [r, g, b]));
                            }
                        }
                    }
                    for (pair, got) in block.iter().zip(values(&mut judge, &block)) {
                        let (delta, signed) = exact.opaque8(pair.0, pair.1);
                        let want = Class::new(rule, delta, signed.direction());
                        assert_eq!(
                            (got.class.level(), got.class.is_visible(), got.class.group()),
                            (want.level(), want.is_visible(), want.group()),
                            "{pair:?} by {metric} at {tolerance:?}"
                        );
                    }
                }
            }
        }
    }

    /// Every pair of colours one step apart in any channels: 0.2 thousand million. `cargo test --release -- --ignored`.
    #[test]
    #[ignore = "minutes without optimisation: just exhaustive"]
    fn one_step_differs_by_at_most_2_4534() {
        let mut judge = Judge::new(SRGB, Supported::detect());
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
