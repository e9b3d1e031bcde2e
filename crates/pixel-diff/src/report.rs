//! What a comparison found.

use trueup_frame::Size;

use crate::delta::mean;
use crate::region::Bins;
use crate::stretch::Piece;
use crate::values::PairDelta;
use crate::{BoxDiff, DeltaE, Histogram, MetricKind, Region, Relation, Tolerance};

/// The result of comparing two images.
///
/// All counts are of pixels; all sums and extremes are exact integers that do not depend on the machine or on how the
/// images were cut into windows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    pub(crate) metric: MetricKind,
    pub(crate) tolerance: Tolerance,
    pub(crate) expected_size: Size,
    pub(crate) actual_size: Size,
    pub(crate) counts: Counts,
    pub(crate) histogram: Histogram,
    pub(crate) regions: Vec<Region>,
    pub(crate) size_mismatch: Option<SizeMismatch>,
    pub(crate) unmatched_masks: Vec<usize>,
    pub(crate) boxes: Vec<BoxDiff>,
    pub(crate) relation: Option<Relation>,
    /// What [`Diff::would_pass_at`] says, where regions no longer tell.
    pub(crate) passes_at: Option<Option<DeltaE>>,
    /// Regions account for what only one image has.
    pub(crate) extra_is_told: bool,
}

/// Counts and sums over the pixels that both images have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) compared: u64,
    pub(crate) masked: u64,
    pub(crate) differing: u64,
    pub(crate) visible: u64,
    pub(crate) antialiased: u64,
    pub(crate) delta_e_sum: u64,
    pub(crate) max: DeltaE,
}

impl Counts {
    /// Adds what was counted in other rows.
    pub(crate) fn absorb(&mut self, other: &Self) {
        self.compared += other.compared;
        self.masked += other.masked;
        self.differing += other.differing;
        self.visible += other.visible;
        self.antialiased += other.antialiased;
        self.delta_e_sum += other.delta_e_sum;
        self.max = self.max.max(other.max);
    }

    /// Adds pixels that may differ; to the bins only those that take no part in pieces, which have their own.
    pub(crate) fn add(&mut self, pixels: &Piece<'_>, bins: &mut Bins) {
        match *pixels {
            Piece::Same(PairDelta { delta, class, .. }, pixels) => {
                if delta > DeltaE::ZERO {
                    let pixels = u64::from(pixels);
                    self.differing += pixels;
                    self.visible += pixels * u64::from(class.is_visible());
                    self.delta_e_sum += pixels * u64::from(delta.raw());
                    self.max = self.max.max(delta);
                    if !class.is_significant() {
                        bins.add_to(class.bin(), pixels);
                    }
                }
            }
            Piece::Lanes(ref lanes) => {
                let totals = lanes.totals();
                if let Some(totals) = totals {
                    self.differing += u64::from(totals.differing);
                    self.visible += u64::from(totals.visible);
                    self.delta_e_sum += u64::from(totals.delta_sum);
                    self.max = self.max.max(DeltaE::from_raw(totals.max));
                } else {
                    for (&raw, class) in lanes.deltas().iter().zip(lanes.classes()) {
                        self.differing += u64::from(raw > 0);
                        self.visible += u64::from(class.is_visible());
                        self.delta_e_sum += u64::from(raw);
                        self.max = self.max.max(DeltaE::from_raw(raw));
                    }
                }
                if totals.is_none_or(|totals| totals.significant < totals.differing) {
                    for (&raw, class) in lanes.deltas().iter().zip(lanes.classes()) {
                        bins.add_to(class.bin(), u64::from(raw > 0 && !class.is_significant()));
                    }
                }
            }
        }
    }
}

/// Pixels that only one of two images of different size has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SizeMismatch {
    /// Pixels that only the reference has and no mask covers.
    pub expected_extra_pixels: u64,
    /// Pixels that only the other image has and no mask covers.
    pub actual_extra_pixels: u64,
}

impl SizeMismatch {
    /// Pixels that one of both has and the other lacks; 0 when masks cover all of them.
    #[must_use]
    pub const fn extra_pixels(self) -> u128 {
        self.expected_extra_pixels as u128 + self.actual_extra_pixels as u128
    }
}

impl Diff {
    /// Whether nothing is outside tolerance: no region is open, and no unmasked pixel is missing on either side.
    #[must_use]
    pub fn is_match(&self) -> bool {
        self.score() == 0
    }

    /// Whether no compared pixel differs at all and the sizes are the same.
    ///
    /// Pixels under a mask may still differ.
    #[must_use]
    pub const fn is_identical(&self) -> bool {
        self.counts.differing == 0 && self.size_mismatch.is_none()
    }

    /// How far the images are apart: the sum of ΔE over all open pixels, in 1/65 536 ΔE·px, and 100 ΔE for each
    /// unmasked pixel that only one image has. 0 if and only if [`is_match`](Self::is_match).
    #[must_use]
    pub fn score(&self) -> u128 {
        let open: u128 = self.regions.iter().map(|region| u128::from(region.open_delta_e_sum())).sum();
        let extra = self.size_mismatch.filter(|_| !self.extra_is_told).map_or(0, SizeMismatch::extra_pixels);
        open + extra * u128::from(100 * DeltaE::SCALE)
    }

    /// Whether something of the sizes is still open: what only one image has, and no region tells.
    #[must_use]
    pub fn has_open_extra(&self) -> bool {
        !self.extra_is_told && self.size_mismatch.is_some_and(|sizes| sizes.extra_pixels() > 0)
    }

    /// How the images were related; `None` when [`relate`](crate::relate()) was not asked, or had nothing to relate.
    #[must_use]
    pub const fn relation(&self) -> Option<Relation> {
        self.relation
    }

    /// The formula that ΔE was computed with.
    #[must_use]
    pub const fn metric(&self) -> MetricKind {
        self.metric
    }

    /// The tolerance that decided.
    #[must_use]
    pub const fn tolerance(&self) -> Tolerance {
        self.tolerance
    }

    /// Size of the reference.
    #[must_use]
    pub const fn expected_size(&self) -> Size {
        self.expected_size
    }

    /// Size of the other image.
    #[must_use]
    pub const fn actual_size(&self) -> Size {
        self.actual_size
    }

    /// Pixels that were compared: those that both images have and no mask covers. The denominator of every ratio.
    #[must_use]
    pub const fn compared_pixels(&self) -> u64 {
        self.counts.compared
    }

    /// Pixels that both images have and a mask covers.
    #[must_use]
    pub const fn masked_pixels(&self) -> u64 {
        self.counts.masked
    }

    /// Compared pixels whose value differs at all. Values are compared over every backdrop, so the same colour in
    /// another format is equal, and colour under alpha 0 is nothing. Between different colour spaces, pixels differ
    /// when their ΔE rounds to at least 1/65 536.
    #[must_use]
    pub const fn differing_pixels(&self) -> u64 {
        self.counts.differing
    }

    /// Compared pixels with ΔE above the tolerance's `color_delta_e`, without those that are only antialiasing.
    ///
    /// With the formula, the detector and the backdrop of pixelmatch this is the number that pixelmatch gives.
    #[must_use]
    pub const fn visible_pixels(&self) -> u64 {
        self.counts.visible
    }

    /// Compared pixels that would take part in a region but differ only by antialiasing. 0 unless
    /// [`Options::antialiasing`](crate::Options::antialiasing) asks for it.
    #[must_use]
    pub const fn antialiased_pixels(&self) -> u64 {
        self.counts.antialiased
    }

    /// Pixels of all open pieces.
    #[must_use]
    pub fn open_pixels(&self) -> u64 {
        self.regions.iter().map(Region::open_pixels).sum()
    }

    /// Largest ΔE of all compared pixels.
    #[must_use]
    pub const fn max_delta_e(&self) -> DeltaE {
        self.counts.max
    }

    /// Mean ΔE of all compared pixels, equal ones included.
    #[must_use]
    pub fn mean_delta_e(&self) -> f64 {
        mean(self.counts.delta_e_sum.into(), self.counts.compared)
    }

    /// Sum of ΔE over all compared pixels in 1/65 536: the exact form of the mean.
    #[must_use]
    pub const fn delta_e_sum(&self) -> u64 {
        self.counts.delta_e_sum
    }

    /// Distribution of ΔE over the differing pixels. How many pixels would be visible under another tolerance can be
    /// read off it.
    #[must_use]
    pub const fn histogram(&self) -> &Histogram {
        &self.histogram
    }

    /// All regions, open and not, by weight (sum of ΔE) descending, then from the top, then from the left.
    #[must_use]
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The regions that are outside tolerance, in the same order.
    pub fn open_regions(&self) -> impl Iterator<Item = &Region> + '_ {
        self.regions.iter().filter(|region| region.is_open())
    }

    /// Statistics of [`Options::boxes`](crate::Options::boxes), in the same order.
    #[must_use]
    pub fn boxes(&self) -> &[BoxDiff] {
        &self.boxes
    }

    /// What only one image has; `None` when the sizes are the same.
    #[must_use]
    pub const fn size_mismatch(&self) -> Option<SizeMismatch> {
        self.size_mismatch
    }

    /// Indices in [`Options::ignored`](crate::Options::ignored) of masks that cover no pixel of either image.
    #[must_use]
    pub fn unmatched_masks(&self) -> &[usize] {
        &self.unmatched_masks
    }

    /// A `color_delta_e` under which nothing would be open: the current one when nothing is, `None` when no tolerance
    /// would do because sizes differ, or because the comparison is strict.
    ///
    /// It always suffices. A smaller one may do as well when a region falls apart under it, or when it would excuse a
    /// displacement. Where areas have rules of their own, it is `None` unless nothing is open.
    #[must_use]
    pub fn would_pass_at(&self) -> Option<DeltaE> {
        if self.is_match() {
            return Some(self.tolerance.color_delta_e());
        }
        if let Some(passes_at) = self.passes_at {
            return passes_at;
        }
        if self.tolerance.is_strict() || self.size_mismatch.is_some_and(|sizes| sizes.extra_pixels() > 0) {
            return None;
        }
        self.regions.iter().map(Region::closes_at).max()
    }
}
