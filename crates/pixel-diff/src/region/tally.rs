//! Integer statistics of a set of pixels.

use trueup_frame::Rect;

use super::open::{LEVELS, OpenRule};
use super::spread::Spread;
use super::{Bins, Histogram};
use crate::DeltaE;
use crate::exact::SignedDelta;
use crate::kernel::{Totals, square};
use crate::stretch::{End, Piece};
use crate::values::{Class, Lanes, PairDelta};

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
    /// Sum of the squares of the levels, and the least such sum with which the set may be open.
    weight: u64,
    silent_below: u64,
    spread: Spread,
}

/// A set of *n* pixels of level *k* or higher opens at *n*·*k*² ≥ 4096, and no less than that is the sum of squares.
const OPEN_WEIGHT: u64 = (LEVELS * LEVELS) as u64;

impl Tally {
    /// The smallest box that holds all pixels.
    pub(crate) const fn rect(&self) -> Rect {
        let [left, top, right, bottom] = self.corners;
        Rect::new(left, top, right - left, bottom - top)
    }

    /// Takes a rectangle into the box, before its pixels are added.
    pub(crate) fn cover(&mut self, [left, top, right, bottom]: [u32; 4]) {
        let [l, t, r, b] = self.corners;
        self.corners = if self.pixels == 0 {
            [left, top, right, bottom]
        } else {
            [l.min(left), t.min(top), r.max(right), b.max(bottom)]
        };
    }

    /// Adds pixels side by side. Levels need only be counted while the set is not open.
    pub(crate) fn add(&mut self, pixels: &Piece<'_>, counts_levels: bool, rule: OpenRule) {
        match pixels {
            Piece::Same(value, pixels) => self.add_value(value, *pixels, rule),
            Piece::Lanes(lanes) if lanes.range.len() <= 2 => {
                lanes.range.clone().for_each(|lane| self.add_value(&lanes.block.get(lane), 1, rule));
            }
            Piece::Lanes(lanes) => self.add_lanes(lanes, counts_levels, rule),
        }
    }

    fn add_value(&mut self, pair: &PairDelta, width: u32, rule: OpenRule) {
        let pixels = u64::from(width);
        self.pixels += pixels;
        self.delta_sum += u64::from(pair.delta.raw()) * pixels;
        self.max = self.max.max(pair.delta);
        self.max_step = self.max_step.max(pair.step);
        for (sum, component) in self.chroma_hue.iter_mut().zip(pair.signed.chroma_hue) {
            *sum += i64::from(component) * i64::from(width);
        }
        let mut squares = 0;
        for (sum, component) in self.lab.iter_mut().zip(pair.signed.lab) {
            *sum += i64::from(component) * i64::from(width);
            squares += square(component);
        }
        self.squares = self.squares.saturating_add(squares * pixels);
        self.weight = self.weight.saturating_add(u64::from(pair.class.level()).pow(2) * pixels);
        self.spread.add(pair.delta, pair.class, pixels, rule);
    }

    fn add_lanes(&mut self, lanes: &Lanes<'_>, counts_levels: bool, rule: OpenRule) {
        self.pixels += lanes.range.len() as u64;
        if let Some(totals) = lanes.totals() {
            self.add_totals(totals);
        } else {
            self.add_each(lanes);
        }
        if counts_levels {
            let weight: u64 = lanes.classes().map(|class| u64::from(class.level()).pow(2)).sum();
            self.weight = self.weight.saturating_add(weight);
        }
        self.spread.add_lanes(lanes, counts_levels, rule);
    }

    fn add_each(&mut self, lanes: &Lanes<'_>) {
        let (out, range) = (&lanes.block.out, lanes.range.clone());
        // No component of a difference of two colours reaches 256, so that 64 of them fit in 32 bits.
        let deltas = &out.delta[range.clone()];
        self.delta_sum += u64::from(deltas.iter().sum::<u32>());
        self.max = self.max.max(DeltaE::from_raw(deltas.iter().fold(0, |max, &raw| max.max(raw))));
        let step = out.step[range.clone()].iter().fold(0, |max, &step| max.max(step));
        self.max_step = self.max_step.max(step as u16);
        let sum = |component: &[i32]| i64::from(component.iter().sum::<i32>());
        let mut squares = 0;
        for (total, component) in self.lab.iter_mut().zip(&out.lab) {
            *total += sum(&component[range.clone()]);
            squares += component[range.clone()].iter().map(|&component| square(component)).sum::<u64>();
        }
        self.squares = self.squares.saturating_add(squares);
        self.chroma_hue[0] += sum(&out.chroma[range.clone()]);
        self.chroma_hue[1] += sum(&out.hue[range]);
    }

    fn add_totals(&mut self, totals: &Totals) {
        self.delta_sum += u64::from(totals.delta_sum);
        self.max = self.max.max(DeltaE::from_raw(totals.max));
        self.max_step = self.max_step.max(totals.max_step as u16);
        for (sum, &component) in self.lab.iter_mut().zip(&totals.lab) {
            *sum += i64::from(component);
        }
        for (sum, &component) in self.chroma_hue.iter_mut().zip(&totals.chroma_hue) {
            *sum += i64::from(component);
        }
        self.squares = self.squares.saturating_add(totals.squares);
    }

    /// Adds what is seen at the end of a run.
    pub(crate) fn add_end(&mut self, end: End) {
        self.ends += u64::from(end.known);
        self.expected_edges += u64::from(end.known && end.expected);
        self.actual_edges += u64::from(end.known && end.actual);
    }

    /// Takes all pixels of another set, which is left empty, ready for use.
    pub(crate) fn absorb(&mut self, other: &mut Self, rule: OpenRule) {
        if other.pixels > self.pixels {
            // The longer distribution stays where it is.
            std::mem::swap(self, other);
        }
        if other.pixels > 0 {
            self.cover(other.corners);
        }
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
        self.weight = self.weight.saturating_add(other.weight);
        self.silent_below = 0;
        self.spread.absorb(&other.spread, rule);
        *other = Self::default();
    }

    /// Whether these pixels, as one piece, are open. Levels must have been counted.
    pub(crate) fn is_open(&mut self, rule: OpenRule) -> bool {
        if self.weight < self.silent_below.max(OPEN_WEIGHT) {
            return false;
        }
        let at = self.spread.levels(rule);
        let mut at_or_above = [0; LEVELS];
        let mut sum = 0;
        for k in (1..=LEVELS).rev() {
            sum += at[k];
            at_or_above[k - 1] = sum;
        }
        let Some(missing) = OpenRule::missing_weight(&at_or_above) else { return true };
        self.silent_below = self.weight.saturating_add(missing);
        false
    }

    /// Adds the distribution to another one.
    pub(super) fn add_to(&self, bins: &mut Bins) {
        self.spread.add_to(bins);
    }

    /// The distribution; `bins` is working memory.
    pub(crate) fn histogram(&self, bins: &mut Bins) -> Histogram {
        self.spread.histogram(bins)
    }
}

/// The sums of an open piece that is complete, in little memory if it is one pixel: there may be very many of those.
#[derive(Clone, Debug)]
pub(crate) enum Compact {
    Speck {
        x: u32,
        y: u32,
        delta: DeltaE,
        signed: SignedDelta,
        step: u16,
        /// Ends, and those with edges in the reference and in the other image.
        ends: [u8; 3],
    },
    Whole(Box<Tally>),
}

impl Default for Compact {
    fn default() -> Self {
        let (signed, delta) = (SignedDelta::default(), DeltaE::ZERO);
        Self::Speck { x: 0, y: 0, delta, signed, step: 0, ends: [0; 3] }
    }
}

impl Compact {
    /// Takes all pixels of a set, which is left empty, ready for use.
    pub(crate) fn take(tally: &mut Tally) -> Self {
        let Some(delta) = tally.spread.only() else { return Self::Whole(Box::new(std::mem::take(tally))) };
        let [x, y, ..] = tally.corners;
        // One pixel's own sums, so they fit in what they were made from.
        let speck = Self::Speck {
            x,
            y,
            delta,
            signed: SignedDelta {
                lab: tally.lab.map(|sum| sum as i32),
                chroma_hue: tally.chroma_hue.map(|sum| sum as i32),
            },
            step: tally.max_step,
            ends: [tally.ends, tally.expected_edges, tally.actual_edges].map(|ends| ends as u8),
        };
        *tally = Tally::default();
        speck
    }

    pub(crate) fn rect(&self) -> Rect {
        match *self {
            Self::Speck { x, y, .. } => Rect::new(x, y, 1, 1),
            Self::Whole(ref tally) => tally.rect(),
        }
    }

    pub(crate) fn pixels(&self) -> u64 {
        match self {
            Self::Speck { .. } => 1,
            Self::Whole(tally) => tally.pixels,
        }
    }

    pub(crate) fn delta_sum(&self) -> u64 {
        match *self {
            Self::Speck { delta, .. } => delta.raw().into(),
            Self::Whole(ref tally) => tally.delta_sum,
        }
    }

    /// A tolerance under which these pixels, as one piece, would be closed.
    pub(crate) fn closes_at(&self) -> DeltaE {
        match *self {
            Self::Speck { delta, .. } => OpenRule::closes_at([(delta, 1)].into_iter()),
            Self::Whole(ref tally) => tally.spread.closes_at(),
        }
    }

    /// Adds all pixels to another set.
    pub(crate) fn add_to(self, whole: &mut Tally, rule: OpenRule) {
        match self {
            Self::Speck { x, y, delta, signed, step, ends } => {
                whole.cover([x, y, x + 1, y + 1]);
                // An open piece's levels are done with; its bin is what counts.
                let class = Class::new(rule, delta, signed.direction());
                whole.add_value(&PairDelta { delta, signed, step, class }, 1, rule);
                let [ends, expected, actual] = ends.map(u64::from);
                whole.ends += ends;
                whole.expected_edges += expected;
                whole.actual_edges += actual;
            }
            Self::Whole(mut tally) => whole.absorb(&mut tally, rule),
        }
    }
}
