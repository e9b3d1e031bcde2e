//! The push fold: rows in, result out.

use std::fmt;

use trueup_frame::{ImageView, Rect, Size};

use crate::boxes::{Boxes, Tightest};
use crate::error::{DiffError, DiffErrorKind};
use crate::exact::Exact;
use crate::judge::{ENOUGH_VALUES, Judge};
use crate::mask::Masks;
use crate::region::{Bins, Grouping, Labeler, OpenRule, distances, group};
use crate::report::{Counts, Diff, SizeMismatch};
use crate::rows::{Context, ENOUGH_STRETCHES, Pending, Rows, Sifted, Strip};
use crate::{Layout, Options, Window};

/// A comparison in progress: windows of rows are pushed from the top, then it is finished.
///
/// The rows that both images have are pushed once each, in order, in windows of any height; the result does not depend
/// on how they are cut. Rows and columns that only one image has are never pushed: they are counted from the sizes.
/// Whole images are never held, only statistics and the runs of the last few rows.
///
/// ```
/// use trueup_frame::{ImageView, PixelFormat, Rect, Size};
/// use trueup_pixel_diff::{Layout, Options, Scan, Window};
///
/// let size = Size::new(4, 6);
/// let (white, grey) = ([255; 24], [200; 24]);
/// let expected = ImageView::packed(&white, size, PixelFormat::Gray8)?;
/// let actual = ImageView::packed(&grey, size, PixelFormat::Gray8)?;
///
/// let mut scan = Scan::new(Layout::of(&expected), Layout::of(&actual), &Options::default())?;
/// for y in [0, 2, 4] {
///     let band = Rect::new(0, y, 4, 2);
///     scan.push(Window::new(expected.crop(band)?, actual.crop(band)?, y))?;
/// }
/// assert_eq!(scan.finish()?.open_pixels(), 24);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Scan {
    options: Options,
    rule: OpenRule,
    expected: Layout,
    actual: Layout,
    rows: Rows,
    shared: Size,
    next_row: u32,
    /// Whether antialiasing is looked for; then the last row pushed waits for its neighbour.
    /// Rows around a pixel that tell whether it is antialiasing; 0 where nothing is.
    reach: u32,
    /// Rows judged so far, if so.
    judged: u32,
    counts: Counts,
    unmatched_masks: Vec<usize>,
    scratch: Scratch,
}

/// Memory that a scan works in, reusable for the next one.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    judge: Option<Judge>,
    masks: Masks,
    boxes: Boxes,
    labeler: Labeler,
    grouping: Grouping,
    /// Of pixels that take no part in pieces, until these are complete.
    bins: Bins,
    pending: Pending,
    sifted: Sifted,
    context: Context,
    /// Where the rows that are kept next go.
    next_context: Context,
}

impl Scan {
    /// Begins to compare two images of these layouts.
    ///
    /// # Errors
    /// When a layout has a format or colour space that is not supported, or an option is out of range.
    pub fn new(expected: Layout, actual: Layout, options: &Options) -> Result<Self, DiffError> {
        Self::with_scratch(expected, actual, options, Scratch::default())
    }

    pub(crate) fn with_scratch(
        expected: Layout,
        actual: Layout,
        options: &Options,
        mut scratch: Scratch,
    ) -> Result<Self, DiffError> {
        options.check()?;
        let shared = expected.size().intersection(actual.size());
        let rows = Rows::new(&expected, &actual, shared.width, options)?;
        let rule = OpenRule::new(options.tolerance);
        let exact = Exact::of(&expected, &actual, options)?;
        let level = options.supported_level()?;
        match &mut scratch.judge {
            Some(judge) => judge.reset(exact, level),
            none => *none = Some(Judge::new(exact, level)),
        }
        scratch.pending.clear();
        scratch.context.clear();
        scratch.sifted.unchanged.clear();
        let sizes = [expected.size(), actual.size()];
        let unmatched_masks = scratch.masks.set(&options.ignored, sizes, shared.width);
        scratch.labeler.reset(distances(options.merge_distance_px));
        scratch.bins.clear();
        scratch.boxes.set(&options.boxes, shared, &scratch.masks);
        let masked = scratch.masks.covered(Rect::of_size(shared));
        Ok(Self {
            options: options.clone(),
            rule,
            expected,
            actual,
            rows,
            shared,
            next_row: 0,
            reach: if options.tolerance.is_strict() || expected.color() != actual.color() {
                0
            } else {
                options.antialiasing.reach_rows()
            },
            judged: 0,
            counts: Counts { compared: shared.area() - masked, masked, ..Counts::default() },
            unmatched_masks,
            scratch,
        })
    }

    /// Rows of halo that a window should have above and below the rows that count, where the image has them.
    ///
    /// At present 0: what looks at neighbouring rows keeps the two that it needs. Callers that honour it need no change
    /// when that changes.
    #[must_use]
    pub const fn halo_rows(&self) -> u32 {
        0
    }

    /// The image row that the next window starts with: as many rows have been judged.
    #[must_use]
    pub const fn next_row(&self) -> u32 {
        self.next_row
    }

    /// Rows that are to be pushed: those that both images have.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.shared.height
    }

    /// Judges the rows of a window.
    ///
    /// # Errors
    /// When the window is not the next one or does not fit the layouts; the scan is then unchanged, and the right window
    /// may still be pushed.
    pub fn push(&mut self, window: Window<'_>) -> Result<(), DiffError> {
        let (expected, actual) = (window.expected(), window.actual());
        let rows = window.next_rows([&self.expected, &self.actual], self.next_row, self.shared.height)?;
        let end = self.next_row + (rows.end - rows.start);
        if self.shared.width == 0 {
            // Nothing to judge, and a view without columns need not have rows of bytes.
            self.next_row = end;
            return Ok(());
        }
        if self.reach > 0 {
            let context = std::mem::take(&mut self.scratch.context);
            let strip = Strip { context: &context, window: Some((expected, actual, end - rows.end)) };
            // The last rows wait for those below them.
            let judged = self.judge_strip(&strip, end.saturating_sub(self.reach));
            self.scratch.next_context.fill(&strip, self.judged, end, self.reach);
            self.scratch.context = std::mem::replace(&mut self.scratch.next_context, context);
            self.next_row = end;
            return judged;
        }
        for row in rows {
            let y = self.next_row;
            self.next_row += 1;
            self.collect(expected.row(row), actual.row(row), y);
            if self.is_enough() {
                self.settle(None)?;
            }
        }
        Ok(())
    }

    /// Judges rows up to `end`, whose neighbours are at hand.
    fn judge_strip(&mut self, strip: &Strip<'_>, end: u32) -> Result<(), DiffError> {
        while self.judged < end {
            let y = self.judged;
            self.judged += 1;
            let Some((expected, actual)) = strip.row(y) else { unreachable!("row {y} was pushed or kept") };
            self.collect(expected, actual, y);
            if self.is_enough() {
                self.settle(Some(strip))?;
            }
        }
        self.settle(Some(strip))
    }

    /// Ends the comparison.
    ///
    /// # Errors
    /// When rows are missing.
    pub fn finish(self) -> Result<Diff, DiffError> {
        self.finish_with_scratch().map(|(diff, _)| diff)
    }

    pub(crate) fn finish_with_scratch(mut self) -> Result<(Diff, Scratch), DiffError> {
        if self.next_row < self.shared.height {
            let (pushed, height) = (self.next_row, self.shared.height);
            return Err(DiffError::new(DiffErrorKind::MissingRows { pushed, height }));
        }
        if self.reach > 0 && self.shared.width > 0 {
            let context = std::mem::take(&mut self.scratch.context);
            self.judge_strip(&Strip { context: &context, window: None }, self.shared.height)?;
            self.scratch.context = context;
        }
        self.settle(None)?;
        let mut regions = group(&mut self.scratch.labeler, self.rule, &mut self.scratch.grouping);
        let tightest = Tightest::new(&self.options.boxes);
        regions.iter_mut().for_each(|region| region.attribute(&tightest));
        self.scratch.bins.absorb(self.scratch.labeler.distribution());
        let diff = Diff {
            metric: self.options.metric,
            tolerance: self.options.tolerance,
            expected_size: self.expected.size(),
            actual_size: self.actual.size(),
            counts: self.counts,
            histogram: self.scratch.bins.to_histogram(),
            regions,
            size_mismatch: self.size_mismatch(),
            unmatched_masks: self.unmatched_masks,
            boxes: self.scratch.boxes.diffs().to_vec(),
            ..Diff::default()
        };
        Ok((diff, self.scratch))
    }

    /// Pushes everything that two whole images share.
    pub(crate) fn push_images(
        &mut self,
        expected: ImageView<'_>,
        actual: ImageView<'_>,
    ) -> Result<(), DiffError> {
        let rows = |view: ImageView<'_>| Rect::new(0, 0, view.size().width, self.shared.height);
        let (expected, actual) = (expected.crop(rows(expected))?, actual.crop(rows(actual))?);
        self.push(Window::new(expected, actual, 0))
    }

    fn size_mismatch(&self) -> Option<SizeMismatch> {
        let (expected, actual) = (self.expected.size(), self.actual.size());
        (expected != actual).then(|| SizeMismatch {
            expected_extra_pixels: self.extra_pixels(expected),
            actual_extra_pixels: self.extra_pixels(actual),
        })
    }

    /// Unmasked pixels of an image of this size outside the shared area.
    fn extra_pixels(&self, size: Size) -> u64 {
        let Size { width, height } = self.shared;
        let right = Rect::new(width, 0, size.width - width, height);
        let below = Rect::new(0, height, size.width, size.height - height);
        let unmasked = |area: Rect| area.area() - self.scratch.masks.covered(area);
        unmasked(right) + unmasked(below)
    }

    fn collect(&mut self, expected: &[u8], actual: &[u8], y: u32) {
        let Scratch { judge: Some(judge), masks, pending, .. } = &mut self.scratch else {
            unreachable!("set when the scan was made")
        };
        self.rows.collect(expected, actual, y, masks, judge, pending);
    }

    fn is_enough(&self) -> bool {
        let values = self.scratch.judge.as_ref().map_or(0, |judge| judge.values().len());
        values >= ENOUGH_VALUES || self.scratch.pending.stretches() >= ENOUGH_STRETCHES
    }

    /// Judges the pixels that wait and counts them; with a strip, looks for antialiasing among them.
    fn settle(&mut self, strip: Option<&Strip<'_>>) -> Result<(), DiffError> {
        let Scratch { judge: Some(judge), labeler, bins, boxes, pending, sifted, .. } = &mut self.scratch
        else {
            unreachable!("set when the scan was made")
        };
        judge.settle();
        let values = judge.values();
        for (y, stretches) in pending.rows() {
            for stretch in stretches {
                stretch.for_each(stretch.x, stretch.end(), values, |piece| self.counts.add(&piece, bins));
            }
            boxes.add_row(y, stretches, values);
            let stretches = match strip {
                None => stretches,
                Some(strip) => {
                    self.rows.without_antialiasing(strip, y, stretches, values, sifted);
                    self.counts.antialiased += sifted.excused.len() as u64;
                    sifted.excused.iter().for_each(|class| bins.add_to(class.bin(), 1));
                    self.counts.visible -= sifted.visible.len() as u64;
                    boxes.excuse(&sifted.visible);
                    sifted.kept.as_slice()
                }
            };
            labeler
                .add_row(y, stretches, values, self.rule)
                .map_err(|_| DiffError::new(DiffErrorKind::TooManyRegions { size: self.shared }))?;
        }
        judge.forget();
        pending.clear();
        Ok(())
    }
}

impl Diff {
    /// The result for two images of this layout that are known to be equal, for instance because their files are.
    ///
    /// It is what [`diff`](crate::diff) gives for them.
    ///
    /// # Errors
    /// As [`Scan::new`].
    pub fn of_equal(layout: Layout, options: &Options) -> Result<Self, DiffError> {
        Scan::new(layout, layout, options)?.of_equal_rows()
    }
}

impl Scan {
    /// The result where all rows that both images have are equal.
    pub(crate) fn of_equal_rows(mut self) -> Result<Diff, DiffError> {
        self.next_row = self.shared.height;
        self.reach = 0;
        self.finish()
    }
}

impl fmt::Debug for Scan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scan")
            .field("expected", &self.expected)
            .field("actual", &self.actual)
            .field("next_row", &self.next_row)
            .finish_non_exhaustive()
    }
}
