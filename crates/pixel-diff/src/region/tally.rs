//! Integer statistics of a set of pixels.

use trueup_frame::Rect;

use super::Bins;
use super::label::{End, Stretch};
use super::open::{LEVELS, OpenRule};
use crate::DeltaE;
use crate::judge::PairDelta;

/// Sums over a set of differing pixels. Adding is associative and commutative, so any order gives the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Upper left corner and, if there are pixels, the lower right one.
    corners: [u32; 4],
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
    /// Left and right ends of runs whose neighbour lies in the image, and at how many of them there is an edge in the
    /// reference and in the other image.
    pub(crate) ends: u64,
    pub(crate) expected_edges: u64,
    pub(crate) actual_edges: u64,
    /// Highest level of the rule.
    max_level: u8,
    values: Values,
}

/// The distribution: plain values while they take less memory than counts. Most pieces are tiny, so the first few
/// values need no memory of their own.
#[derive(Clone, Debug)]
enum Values {
    Tiny { len: u8, raw: [u32; TINY] },
    Few(Vec<u32>),
    Many(Box<Counts>),
}

#[derive(Clone, Debug)]
struct Counts {
    bins: Bins,
    /// Pixels whose highest level is *k*, at index *k*.
    levels: [u64; LEVELS + 1],
}

/// Values that fit where a vector's header would be.
const TINY: usize = 7;
/// Values that take about as much memory as the counts do.
const FEW: usize = 1024;

impl Default for Values {
    fn default() -> Self {
        Self::Tiny { len: 0, raw: [0; TINY] }
    }
}

impl Values {
    fn add(&mut self, delta: DeltaE, pixels: u64, rule: OpenRule) {
        match self {
            Self::Tiny { len, raw } => {
                if let Some(free) = usize::try_from(pixels)
                    .ok()
                    .and_then(|pixels| raw.get_mut(usize::from(*len)..usize::from(*len) + pixels))
                {
                    free.fill(delta.raw());
                    *len += pixels as u8;
                } else {
                    *self = Self::Few(raw[..usize::from(*len)].to_vec());
                    self.add(delta, pixels, rule);
                }
            }
            Self::Few(values) if values.len() as u64 + pixels <= FEW as u64 => {
                values.extend(std::iter::repeat_n(delta.raw(), pixels as usize));
            }
            Self::Few(_) => {
                self.count(rule);
                self.add(delta, pixels, rule);
            }
            Self::Many(counts) => counts.add(delta, rule.level(delta), pixels),
        }
    }

    /// Single values, unless there are counts.
    fn plain(&self) -> Option<&[u32]> {
        match self {
            Self::Tiny { len, raw } => Some(&raw[..usize::from(*len)]),
            Self::Few(values) => Some(values),
            Self::Many(_) => None,
        }
    }

    /// Turns values into counts.
    fn count(&mut self, rule: OpenRule) {
        if let Some(values) = self.plain() {
            let mut counts = Box::new(Counts { bins: Bins::default(), levels: [0; LEVELS + 1] });
            for &raw in values {
                let delta = DeltaE::from_raw(raw);
                counts.add(delta, rule.level(delta), 1);
            }
            *self = Self::Many(counts);
        }
    }
}

impl Counts {
    fn add(&mut self, delta: DeltaE, level: usize, pixels: u64) {
        self.bins.add(delta, pixels);
        self.levels[level] += pixels;
    }

    fn absorb(&mut self, other: &Self) {
        self.bins.absorb(&other.bins);
        for (mine, theirs) in self.levels.iter_mut().zip(other.levels) {
            *mine += theirs;
        }
    }
}

impl Tally {
    /// The smallest box that holds all pixels.
    pub(crate) const fn rect(&self) -> Rect {
        let [left, top, right, bottom] = self.corners;
        Rect::new(left, top, right - left, bottom - top)
    }

    fn cover(&mut self, [left, top, right, bottom]: [u32; 4]) {
        let [l, t, r, b] = self.corners;
        self.corners = if self.pixels == 0 {
            [left, top, right, bottom]
        } else {
            [l.min(left), t.min(top), r.max(right), b.max(bottom)]
        };
    }

    /// Adds stretches side by side in row `y`.
    pub(crate) fn add(&mut self, y: u32, stretches: &[Stretch], values: &[PairDelta], rule: OpenRule) {
        let (Some(first), Some(last)) = (stretches.first(), stretches.last()) else { return };
        self.cover([first.x, y, last.x + last.width, y + 1]);
        for stretch in stretches {
            let (pair, width) = (&values[stretch.value as usize], stretch.width);
            let pixels = u64::from(width);
            self.pixels += pixels;
            self.delta_sum += u64::from(pair.delta.raw()) * pixels;
            self.max = self.max.max(pair.delta);
            self.max_step = self.max_step.max(pair.step);
            self.max_level = self.max_level.max(pair.level);
            for (sum, component) in self.chroma_hue.iter_mut().zip(pair.signed.chroma_hue) {
                *sum += i64::from(component) * i64::from(width);
            }
            let mut square = 0;
            for (sum, component) in self.lab.iter_mut().zip(pair.signed.lab) {
                *sum += i64::from(component) * i64::from(width);
                // Half of the fraction's bits before squaring, so that the sum of squares has the same unit.
                let coarse = u64::from(component.unsigned_abs() >> 8);
                square += coarse * coarse;
            }
            self.squares = self.squares.saturating_add(square * pixels);
            match &mut self.values {
                // The usual case of a large piece, with the level at hand.
                Values::Many(counts) => counts.add(pair.delta, usize::from(pair.level), pixels),
                values => values.add(pair.delta, pixels, rule),
            }
        }
    }

    /// Adds what is seen at the end of a run.
    pub(crate) fn add_end(&mut self, end: End) {
        self.ends += u64::from(end.known);
        self.expected_edges += u64::from(end.known && end.expected);
        self.actual_edges += u64::from(end.known && end.actual);
    }

    /// Takes all pixels of another set, which is left empty, ready for use.
    pub(crate) fn absorb(&mut self, other: &mut Self, rule: OpenRule) {
        if self.pixels < other.pixels {
            // The smaller set is the one whose values move.
            std::mem::swap(self, other);
        }
        if other.pixels > 0 {
            self.cover(other.corners);
        }
        self.max_level = self.max_level.max(other.max_level);
        self.ends += other.ends;
        self.expected_edges += other.expected_edges;
        self.actual_edges += other.actual_edges;
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
        if let Values::Many(theirs) = &other.values {
            self.values.count(rule);
            if let Values::Many(mine) = &mut self.values {
                mine.absorb(theirs);
            }
        } else {
            for &raw in other.values.plain().unwrap_or_default() {
                self.values.add(DeltaE::from_raw(raw), 1, rule);
            }
        }
        *other = Self::default();
    }

    /// Whether these pixels, as one piece, are open.
    pub(crate) fn is_open(&self, rule: OpenRule) -> bool {
        // No level above that of the largest difference has pixels, and no level has more than all: most pieces end here.
        if !OpenRule::could_open(self.max_level, self.pixels) {
            return false;
        }
        let mut at = [0_u64; LEVELS + 1];
        match &self.values {
            Values::Many(counts) => at = counts.levels,
            values => {
                for &raw in values.plain().unwrap_or_default() {
                    at[rule.level(DeltaE::from_raw(raw))] += 1;
                }
            }
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
            Values::Many(counts) => OpenRule::closes_at(counts.bins.descending()),
            values => {
                let mut sorted = values.plain().unwrap_or_default().to_vec();
                sorted.sort_unstable_by(|a, b| b.cmp(a));
                OpenRule::closes_at(sorted.into_iter().map(|raw| (DeltaE::from_raw(raw), 1)))
            }
        }
    }

    pub(crate) fn add_to(&self, bins: &mut Bins) {
        match &self.values {
            Values::Many(counts) => bins.absorb(&counts.bins),
            values => {
                let plain = values.plain().unwrap_or_default();
                plain.iter().for_each(|&raw| bins.add(DeltaE::from_raw(raw), 1));
            }
        }
    }
}
