//! Statistics of the caller's own boxes.

use trueup_frame::{Rect, Size};

use crate::DeltaE;
use crate::delta::mean;
use crate::mask::Masks;
use crate::stretch::{Piece, Stretch};
use crate::values::{Class, Values};

/// What differs within one of [`Options::boxes`](crate::Options::boxes).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoxDiff {
    rect: Rect,
    compared: u64,
    differing: u64,
    visible: u64,
    delta_e_sum: u64,
    max: DeltaE,
}

impl BoxDiff {
    /// The box as it was given.
    #[must_use]
    pub const fn rect(&self) -> Rect {
        self.rect
    }

    /// Pixels of the box that both images have and no mask covers.
    #[must_use]
    pub const fn compared_pixels(&self) -> u64 {
        self.compared
    }

    /// Compared pixels whose value differs at all: as [`Diff::differing_pixels`](crate::Diff::differing_pixels).
    #[must_use]
    pub const fn differing_pixels(&self) -> u64 {
        self.differing
    }

    /// Compared pixels with ΔE above the tolerance's `color_delta_e`: as [`Diff::visible_pixels`](crate::Diff::visible_pixels).
    #[must_use]
    pub const fn visible_pixels(&self) -> u64 {
        self.visible
    }

    /// Sum of ΔE over all compared pixels in 1/65 536.
    #[must_use]
    pub const fn delta_e_sum(&self) -> u64 {
        self.delta_e_sum
    }

    /// Mean ΔE of all compared pixels, equal ones included; 0 if there are none.
    #[must_use]
    pub fn mean_delta_e(&self) -> f64 {
        mean(self.delta_e_sum.into(), self.compared)
    }

    /// Largest ΔE of all compared pixels.
    #[must_use]
    pub const fn max_delta_e(&self) -> DeltaE {
        self.max
    }

    fn add(&mut self, delta: DeltaE, class: Class, pixels: u64) {
        if delta > DeltaE::ZERO {
            self.differing += pixels;
            self.visible += pixels * u64::from(class.is_visible());
            self.delta_e_sum += pixels * u64::from(delta.raw());
            self.max = self.max.max(delta);
        }
    }
}

/// The boxes of a scan while rows come in.
#[derive(Debug, Default)]
pub(crate) struct Boxes {
    diffs: Vec<BoxDiff>,
    /// Indices by first row.
    by_top: Vec<usize>,
    next: usize,
    active: Vec<usize>,
}

impl Boxes {
    pub(crate) fn set(&mut self, boxes: &[Rect], shared: Size, masks: &Masks) {
        self.diffs.clear();
        self.diffs.extend(boxes.iter().map(|&rect| {
            let compared = rect.clipped_to(shared).map_or(0, |rect| rect.area() - masks.covered(rect));
            BoxDiff { rect, compared, ..BoxDiff::default() }
        }));
        self.by_top.clear();
        self.by_top.extend((0..boxes.len()).filter(|&index| !boxes[index].is_empty()));
        self.by_top.sort_by_key(|&index| boxes[index].y);
        self.next = 0;
        self.active.clear();
    }

    /// Adds the differing pixels of row `y`. Rows come in ascending order.
    pub(crate) fn add_row(&mut self, y: u32, stretches: &[Stretch], values: &Values) {
        while let Some(&index) = self.by_top.get(self.next).filter(|&&index| self.diffs[index].rect.y <= y) {
            self.active.push(index);
            self.next += 1;
        }
        self.active.retain(|&index| self.diffs[index].rect.bottom() > u64::from(y));
        for &index in &self.active {
            let diff = &mut self.diffs[index];
            let (left, right) = (u64::from(diff.rect.x), diff.rect.right());
            let first = stretches.partition_point(|stretch| u64::from(stretch.end()) <= left);
            for stretch in stretches[first..].iter().take_while(|stretch| u64::from(stretch.x) < right) {
                // Clipped to the stretch, so both fit in 32 bits.
                let start = left.max(u64::from(stretch.x)) as u32;
                let end = right.min(u64::from(stretch.end())) as u32;
                stretch.for_each(start, end, values, |piece| match piece {
                    Piece::Same(value, pixels) => diff.add(value.delta, value.class, pixels.into()),
                    Piece::Lanes(lanes) => {
                        for (&raw, class) in lanes.deltas().iter().zip(lanes.classes()) {
                            diff.add(DeltaE::from_raw(raw), class, 1);
                        }
                    }
                });
            }
        }
    }

    /// Takes visible pixels of the row that was added last out again, by their columns in ascending order.
    pub(crate) fn excuse(&mut self, columns: &[u32]) {
        if columns.is_empty() {
            return;
        }
        for &index in &self.active {
            let diff = &mut self.diffs[index];
            let (left, right) = (u64::from(diff.rect.x), diff.rect.right());
            let before = |end: u64| columns.partition_point(|&x| u64::from(x) < end);
            diff.visible -= (before(right) - before(left)) as u64;
        }
    }

    /// Adds what was found in other rows, for the same boxes.
    #[cfg(feature = "rayon")]
    pub(crate) fn absorb(&mut self, other: &Self) {
        for (mine, theirs) in self.diffs.iter_mut().zip(&other.diffs) {
            mine.differing += theirs.differing;
            mine.visible += theirs.visible;
            mine.delta_e_sum += theirs.delta_e_sum;
            mine.max = mine.max.max(theirs.max);
        }
    }

    pub(crate) fn diffs(&self) -> &[BoxDiff] {
        &self.diffs
    }
}

/// Finds the smallest box around a rectangle.
#[derive(Debug)]
pub(crate) struct Tightest<'a> {
    boxes: &'a [Rect],
    by_area: Vec<usize>,
}

impl<'a> Tightest<'a> {
    pub(crate) fn new(boxes: &'a [Rect]) -> Self {
        let mut by_area: Vec<usize> = (0..boxes.len()).filter(|&index| !boxes[index].is_empty()).collect();
        by_area.sort_by_key(|&index| boxes[index].area());
        Self { boxes, by_area }
    }

    /// Index of the smallest box that contains all of `rect`; of equals the first.
    pub(crate) fn around(&self, rect: Rect) -> Option<usize> {
        self.by_area.iter().copied().find(|&index| self.boxes[index].union(rect) == self.boxes[index])
    }
}
