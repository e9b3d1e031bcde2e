//! What to compare, and how strictly.

use trueup_frame::Rect;

use crate::arch::Supported;
use crate::error::{DiffError, DiffErrorKind};
use crate::{Antialiasing, Backdrop, Level, Mask, MetricKind, Tolerance};

/// How two images are compared. `Options::default()` is what most callers want.
///
/// ```
/// use trueup_pixel_diff::{Options, Tolerance};
/// use trueup_frame::Rect;
///
/// let options = Options::default()
///     .with_tolerance(Tolerance::new(1.0)?)
///     .with_ignored(Rect::new(0, 0, 200, 40)); // the clock
/// # assert_eq!(options.ignored.len(), 1);
/// # Ok::<(), trueup_pixel_diff::DiffError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The colour difference formula. Default: CIEDE2000, because its unit is closest to what people see.
    pub metric: MetricKind,
    /// How much difference is allowed.
    ///
    /// With T = `color_delta_e`, differing pixels above T/2 form *pieces*: neighbours (of eight) are in one piece if they
    /// changed in the same direction, that is, if the same one of ΔL\*, Δa\*, Δb\* is the largest and has the same sign,
    /// or if one of them differs by 2.5 T or more. A piece is **open** if and only if, for some level *t*, at least *n* of
    /// its pixels differ by *t* or more and
    ///
    /// > *t* ≥ T/2 · (1 + 4/√*n*)
    ///
    /// A [`Region`](crate::Region) is open if any of its pieces is. The levels are the 64 values
    /// *t* = T/2 · (1 + *k*/16), *k* = 1…64, for which the rule becomes the integer comparison *n* ≥ ⌈4096/*k*²⌉:
    /// one pixel at 2.5 T, 4 at 1.5 T, 16 at T, 64 at ¾ T, 4096 at 17/32 T. It holds exactly, on every machine. It is
    /// monotone: lowering T, or making differences larger, never closes anything.
    ///
    /// Why a sum over area: the threshold of vision for a small patch falls with its area (Ricco's law), for larger
    /// ones with the square root of its area (Piper's law), and then no further. 1/√*n* is Piper's law with a floor of
    /// T/2; for small *n* the term 4/√*n* asks for several times T, so that lone stray pixels do not count. Vision sums
    /// what points one way and averages out the rest: that is why a faint piece has one direction. Without that, one
    /// step of noise on near-black, where a step is worth up to ΔE 2.5, would count as one large change.
    ///
    /// Why T = 2.0: the just noticeable difference for side-by-side patches is usually put at ΔE 1 to 2.3. With 2.0,
    /// the floor for large flat areas is 1.0: a large area recoloured by ΔE 1.5, which people do notice, is open;
    /// noise of one step in 8 bits (mostly 0.2 to 0.8) is not. A pixel counts as visible
    /// in the statistics when it is above T.
    ///
    /// Under [`Tolerance::strict`] every pixel of different value is open.
    pub tolerance: Tolerance,
    /// Which differences count as antialiasing. Their pixels are counted in
    /// [`Diff::antialiased_pixels`](crate::Diff::antialiased_pixels) and take no part in regions.
    ///
    /// Default: [`Antialiasing::Coverage`], which excuses nothing but another share of the same edge between the same two
    /// colours, sub-pixels included. Where one engine draws both images they should agree to the pixel: then take [`Antialiasing::Off`].
    pub antialiasing: Antialiasing,
    /// What translucent pixels are compared over. Default: [`Backdrop::Any`], because what a page puts behind them is not
    /// known.
    pub backdrop: Backdrop,
    /// Areas that are not compared: rectangles and shapes. Masks may overlap and reach outside; one that
    /// covers no pixel of either image is reported in [`Diff::unmatched_masks`](crate::Diff::unmatched_masks).
    /// Default: none.
    pub ignored: Vec<Mask>,
    /// Boxes that get statistics of their own in [`Diff::boxes`](crate::Diff::boxes), for example those of page elements.
    /// They may overlap, nest and reach outside. Each region is attributed to the smallest box around it:
    /// [`Region::box_index`](crate::Region::box_index). Default: none.
    pub boxes: Vec<Rect>,
    /// Pieces with at most this many equal pixels between them (in the larger of both directions) belong to one region,
    /// unless the region's box would be too empty to be one thing. In device pixels, at most
    /// [`MAX_MERGE_DISTANCE_PX`](Self::MAX_MERGE_DISTANCE_PX).
    ///
    /// The default of 6 is wider than the gaps between the letters and words of body text (4 to 5 pixels at 16 px), and
    /// narrower than the space between its lines (about 8): a changed line of text is one region, two lines are two.
    /// Scale it by the device pixel ratio.
    ///
    /// Merging only groups what is reported: nothing opens or closes by it.
    pub merge_distance_px: u32,
    /// Vector instructions to use; `None`, the default, takes the widest that the processor has. Results are the same
    /// bits with all of them: this is for tests and for comparing speed.
    pub level: Option<Level>,
}

impl Options {
    /// The largest merge distance: the scan keeps that many rows of runs.
    pub const MAX_MERGE_DISTANCE_PX: u32 = 64;

    /// The same options with another metric.
    #[must_use]
    pub fn with_metric(self, metric: MetricKind) -> Self {
        Self { metric, ..self }
    }

    /// The same options with another tolerance.
    #[must_use]
    pub fn with_tolerance(self, tolerance: Tolerance) -> Self {
        Self { tolerance, ..self }
    }

    /// The same options with another treatment of antialiasing.
    #[must_use]
    pub fn with_antialiasing(self, antialiasing: Antialiasing) -> Self {
        Self { antialiasing, ..self }
    }

    /// The same options with another backdrop of translucent pixels.
    #[must_use]
    pub fn with_backdrop(self, backdrop: Backdrop) -> Self {
        Self { backdrop, ..self }
    }

    /// The same options with one more area that is not compared.
    #[must_use]
    pub fn with_ignored(mut self, mask: impl Into<Mask>) -> Self {
        self.ignored.push(mask.into());
        self
    }

    /// The same options with these boxes of interest.
    #[must_use]
    pub fn with_boxes(self, boxes: Vec<Rect>) -> Self {
        Self { boxes, ..self }
    }

    /// The same options with another merge distance in device pixels.
    #[must_use]
    pub fn with_merge_distance_px(self, merge_distance_px: u32) -> Self {
        Self { merge_distance_px, ..self }
    }

    /// The same options with these vector instructions.
    #[must_use]
    pub fn with_level(self, level: Level) -> Self {
        Self { level: Some(level), ..self }
    }

    pub(crate) fn supported_level(&self) -> Result<Supported, DiffError> {
        match self.level {
            None => Ok(Supported::detect()),
            Some(level) => {
                Supported::new(level).ok_or(DiffError::new(DiffErrorKind::UnsupportedLevel { level }))
            }
        }
    }

    pub(crate) fn check(&self) -> Result<(), DiffError> {
        let (pixels, max) = (self.merge_distance_px, Self::MAX_MERGE_DISTANCE_PX);
        if pixels > max {
            return Err(DiffError::new(DiffErrorKind::MergeDistanceTooLarge { pixels, max }));
        }
        self.supported_level()?;
        Ok(())
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            metric: MetricKind::default(),
            tolerance: Tolerance::default(),
            antialiasing: Antialiasing::default(),
            backdrop: Backdrop::default(),
            ignored: Vec::new(),
            boxes: Vec::new(),
            merge_distance_px: 6,
            level: None,
        }
    }
}
