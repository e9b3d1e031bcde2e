//! Integer statistics of a set of pixels.

use trueup_frame::Rect;

use super::Bins;
use super::open::{LEVELS, OpenRule};
use crate::DeltaE;
use crate::judge::PairDelta;

/// Sums over a set of differing pixels. Adding is associative and commutative, so any order gives the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) rect: Rect,
    pub(crate) pixels: u64,
    pub(crate) delta_sum: u64,
    pub(crate) max: DeltaE,
    /// Sums of ΔL\*, Δa\*, Δb\* in 1/65 536.
    pub(crate) lab: [i64; 3],
    /// Sums of ΔC\*ab and ΔH\*ab in 1/65 536.
    pub(crate) chroma_hue: [i64; 2],
    /// Sum of ΔL² + Δa² + Δb² in 1/65 536.
    pub(crate) squares: u64,
    /// Largest sample difference in 16-bit steps.
    pub(crate) max_step: u16,
    values: Values,
}

/// The distribution: plain values while they take less memory than counts.
#[derive(Clone, Debug)]
enum Values {
    Few(Vec<u32>),
    Many(Box<Counts>),
}

#[derive(Clone, Debug)]
struct Counts {
    bins: Bins,
    /// Pixels whose highest level is *k*, at index *k*.
    levels: [u64; LEVELS + 1],
}

/// Values that take about as much memory as the counts do.
const FEW: usize = 1024;

impl Default for Values {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl Values {
    fn add(&mut self, delta: DeltaE, rule: OpenRule) {
        match self {
            Self::Few(values) if values.len() < FEW => values.push(delta.raw()),
            Self::Few(_) => {
                self.count(rule);
                self.add(delta, rule);
            }
            Self::Many(counts) => counts.add(delta, rule),
        }
    }

    /// Turns values into counts.
    fn count(&mut self, rule: OpenRule) {
        if let Self::Few(values) = self {
            let mut counts = Box::new(Counts { bins: Bins::default(), levels: [0; LEVELS + 1] });
            for &raw in values.iter() {
                counts.add(DeltaE::from_raw(raw), rule);
            }
            *self = Self::Many(counts);
        }
    }
}

impl Counts {
    fn add(&mut self, delta: DeltaE, rule: OpenRule) {
        self.bins.add(delta, 1);
        self.levels[rule.level(delta)] += 1;
    }

    fn absorb(&mut self, other: &Self) {
        self.bins.absorb(&other.bins);
        for (mine, theirs) in self.levels.iter_mut().zip(other.levels) {
            *mine += theirs;
        }
    }
}

impl Tally {
    pub(crate) fn add(&mut self, x: u32, y: u32, pair: &PairDelta, rule: OpenRule) {
        self.rect = self.rect.union(Rect::new(x, y, 1, 1));
        self.pixels += 1;
        self.delta_sum += u64::from(pair.delta.raw());
        self.max = self.max.max(pair.delta);
        self.max_step = self.max_step.max(pair.step);
        for (sum, component) in self.chroma_hue.iter_mut().zip(pair.signed.chroma_hue) {
            *sum += i64::from(component);
        }
        for (sum, component) in self.lab.iter_mut().zip(pair.signed.lab) {
            *sum += i64::from(component);
            // Half of the fraction's bits before squaring, so that the sum of squares has the same unit.
            let coarse = u64::from(component.unsigned_abs() >> 8);
            self.squares = self.squares.saturating_add(coarse * coarse);
        }
        self.values.add(pair.delta, rule);
    }

    /// Takes all pixels of another set, which is left empty, ready for use.
    pub(crate) fn absorb(&mut self, other: &mut Self, rule: OpenRule) {
        if self.pixels < other.pixels {
            // The smaller set is the one whose values move.
            std::mem::swap(self, other);
        }
        self.rect = self.rect.union(other.rect);
        self.pixels += other.pixels;
        self.delta_sum += other.delta_sum;
        self.max = self.max.max(other.max);
        self.max_step = self.max_step.max(other.max_step);
        self.squares = self.squares.saturating_add(other.squares);
        for (sum, more) in self.lab.iter_mut().zip(other.lab) {
            *sum += more;
        }
        for (sum, more) in self.chroma_hue.iter_mut().zip(other.chroma_hue) {
            *sum += more;
        }
        if matches!(other.values, Values::Many(_)) {
            self.values.count(rule);
        }
        match (&mut self.values, &other.values) {
            (Values::Many(mine), Values::Many(theirs)) => mine.absorb(theirs),
            (values, Values::Few(more)) => {
                for &raw in more {
                    values.add(DeltaE::from_raw(raw), rule);
                }
            }
            (Values::Few(_), Values::Many(_)) => unreachable!("just turned into counts"),
        }
        other.clear();
    }

    pub(crate) fn clear(&mut self) {
        let mut values = match std::mem::take(&mut self.values) {
            Values::Few(values) => values,
            Values::Many(_) => Vec::new(),
        };
        values.clear();
        *self = Self { values: Values::Few(values), ..Self::default() };
    }

    /// Whether these pixels, as one piece, are open.
    pub(crate) fn is_open(&self, rule: OpenRule) -> bool {
        let mut at = [0_u64; LEVELS + 1];
        match &self.values {
            Values::Few(values) => {
                for &raw in values {
                    at[rule.level(DeltaE::from_raw(raw))] += 1;
                }
            }
            Values::Many(counts) => at = counts.levels,
        }
        let mut at_or_above = [0; LEVELS];
        let mut sum = 0;
        for k in (1..=LEVELS).rev() {
            sum += at[k];
            at_or_above[k - 1] = sum;
        }
        OpenRule::is_open(&at_or_above)
    }

    /// A tolerance under which these pixels, as one piece, would be closed.
    pub(crate) fn closes_at(&self) -> DeltaE {
        match &self.values {
            Values::Few(values) => {
                let mut sorted = values.clone();
                sorted.sort_unstable_by(|a, b| b.cmp(a));
                OpenRule::closes_at(sorted.into_iter().map(|raw| (DeltaE::from_raw(raw), 1)))
            }
            Values::Many(counts) => OpenRule::closes_at(counts.bins.descending()),
        }
    }

    pub(crate) fn add_to(&self, bins: &mut Bins) {
        match &self.values {
            Values::Few(values) => values.iter().for_each(|&raw| bins.add(DeltaE::from_raw(raw), 1)),
            Values::Many(counts) => bins.absorb(&counts.bins),
        }
    }
}
