//! The push fold: rows in, result out.

use std::fmt;
use std::ops::Range;

use trueup_frame::{ImageView, Rect, Size};

use crate::boxes::Tightest;
use crate::error::{DiffError, DiffErrorKind};
use crate::exact::Exact;
use crate::region::{Grouping, Labeler, OpenRule, distances, group};
use crate::report::{Counts, Diff, SizeMismatch};
use crate::rows::{Context, Rows, Strip};
use crate::section::Section;
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
    pub(crate) options: Options,
    pub(crate) rule: OpenRule,
    expected: Layout,
    actual: Layout,
    pub(crate) rows: Rows,
    pub(crate) shared: Size,
    next_row: u32,
    /// Rows around a pixel that tell whether it is antialiasing; 0 where nothing is.
    reach: u32,
    /// Rows judged so far, if so.
    judged: u32,
    counts: Counts,
    unmatched_masks: Vec<usize>,
    pub(crate) scratch: Scratch,
}

/// Memory that a scan works in, reusable for the next one.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    section: Option<Section>,
    #[cfg(feature = "rayon")]
    pub(crate) side_by_side: crate::parallel::SideBySide,
    pub(crate) labeler: Labeler,
    grouping: Grouping,
    context: Context,
    /// Where the rows that are kept next go.
    next_context: Context,
}

impl Scratch {
    /// Whether rows that were taken one after the other wait to be settled.
    #[cfg(feature = "rayon")]
    pub(crate) fn is_waiting(&self) -> bool {
        self.section.as_ref().is_some_and(|section| !section.is_empty())
    }

    /// Adds what was counted side by side to what was counted in turn.
    #[cfg(feature = "rayon")]
    fn add_up(&mut self) {
        if let Some(section) = &mut self.section {
            self.side_by_side.sections().for_each(|other| section.absorb(other));
        }
    }

    /// The section that rows go through one after the other.
    fn section(&mut self) -> &mut Section {
        self.section.as_mut().unwrap_or_else(|| unreachable!("set when the scan was made"))
    }
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
        scratch.context.clear();
        scratch.labeler.reset(distances(options.merge_distance_px));
        let sizes = [expected.size(), actual.size()];
        let section = scratch.section.get_or_insert_with(|| Section::new(exact, level));
        let unmatched_masks = section.reset(exact, level, options, sizes);
        let masked = section.masked(Rect::of_size(shared));
        #[cfg(feature = "rayon")]
        scratch.side_by_side.reset(exact, level);
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
        self.push_by(window, Self::judge_in_turn)
    }

    /// Takes the rows of a window and lets those be judged whose neighbours are at hand: the rows of a strip, and whether
    /// antialiasing is looked for.
    pub(crate) fn push_by(
        &mut self,
        window: Window<'_>,
        judge: impl FnOnce(&mut Self, &Strip<'_>, Range<u32>, bool) -> Result<(), DiffError>,
    ) -> Result<(), DiffError> {
        let (expected, actual) = (window.expected(), window.actual());
        let rows = window.next_rows([&self.expected, &self.actual], self.next_row, self.shared.height)?;
        let end = self.next_row + (rows.end - rows.start);
        self.next_row = end;
        if self.shared.width == 0 {
            // Nothing to judge, and a view without columns need not have rows of bytes.
            return Ok(());
        }
        let context = std::mem::take(&mut self.scratch.context);
        let strip = Strip { context: &context, window: Some((expected, actual, end - rows.end)) };
        // The last rows wait for those below them.
        let ready = self.judged..end.saturating_sub(self.reach).max(self.judged);
        self.judged = ready.end;
        let judged = judge(self, &strip, ready, self.reach > 0);
        self.scratch.next_context.fill(&strip, self.judged, end, self.reach);
        self.scratch.context = std::mem::replace(&mut self.scratch.next_context, context);
        judged
    }

    /// Judges rows of a strip, one after the other.
    fn judge_in_turn(&mut self, strip: &Strip<'_>, rows: Range<u32>, looks: bool) -> Result<(), DiffError> {
        let strip_if_looked_at = looks.then_some(strip);
        for y in rows {
            let Some((expected, actual)) = strip.row(y) else { unreachable!("row {y} was pushed or kept") };
            let reader = self.rows;
            let section = self.scratch.section();
            section.collect(&reader, expected, actual, y);
            if section.is_full() {
                self.settle(strip_if_looked_at)?;
            }
        }
        // What is looked at is gone afterwards.
        if looks { self.settle(strip_if_looked_at) } else { Ok(()) }
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
        if self.judged < self.shared.height && self.shared.width > 0 {
            let context = std::mem::take(&mut self.scratch.context);
            let rest = self.judged..self.shared.height;
            self.judge_in_turn(&Strip { context: &context, window: None }, rest, true)?;
            self.scratch.context = context;
        }
        self.settle(None)?;
        let mut regions = group(&mut self.scratch.labeler, self.rule, &mut self.scratch.grouping);
        let tightest = Tightest::new(&self.options.boxes);
        regions.iter_mut().for_each(|region| region.attribute(&tightest));
        #[cfg(feature = "rayon")]
        self.scratch.add_up();
        let Scratch { section: Some(section), labeler, .. } = &mut self.scratch else {
            unreachable!("set when the scan was made")
        };
        section.add_distribution(labeler.distribution());
        self.counts.absorb(section.counts());
        let (histogram, boxes) = (section.bins().to_histogram(), section.boxes().to_vec());
        let diff = Diff {
            metric: self.options.metric,
            tolerance: self.options.tolerance,
            expected_size: self.expected.size(),
            actual_size: self.actual.size(),
            counts: self.counts,
            histogram,
            regions,
            size_mismatch: self.size_mismatch(),
            unmatched_masks: self.unmatched_masks,
            boxes,
            ..Diff::default()
        };
        Ok((diff, self.scratch))
    }

    #[cfg(feature = "rayon")]
    pub(crate) const fn sizes(&self) -> [Size; 2] {
        [self.expected.size(), self.actual.size()]
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
        let unmasked = |area: Rect| area.area() - self.masked(area);
        unmasked(right) + unmasked(below)
    }

    /// Masked pixels of an area.
    fn masked(&self, area: Rect) -> u64 {
        self.scratch.section.as_ref().map_or(0, |section| section.masked(area))
    }

    /// Judges the pixels that wait, counts them and puts their pieces together; with a strip, looks for antialiasing among them.
    pub(crate) fn settle(&mut self, strip: Option<&Strip<'_>>) -> Result<(), DiffError> {
        let (rule, shared) = (self.rule, self.shared);
        #[cfg(feature = "rayon")]
        self.scratch.side_by_side.put_together(&mut self.scratch.labeler, rule, shared)?;
        let Scratch { section: Some(section), labeler, .. } = &mut self.scratch else {
            unreachable!("set when the scan was made")
        };
        section
            .settle(&self.rows, strip, |y, stretches, values| labeler.add_row(y, stretches, values, rule))
            .map_err(|_| DiffError::new(DiffErrorKind::TooManyRegions { size: shared }))?;
        section.forget();
        Ok(())
    }
}

/// Pushes everything that two whole images share.
pub(crate) fn push_images(
    scan: &mut Scan,
    expected: &ImageView<'_>,
    actual: &ImageView<'_>,
    push: impl FnOnce(&mut Scan, Window<'_>) -> Result<(), DiffError>,
) -> Result<(), DiffError> {
    let rows = |view: &ImageView<'_>| Rect::new(0, 0, view.size().width, scan.rows());
    let (expected, actual) = (expected.crop(rows(expected))?, actual.crop(rows(actual))?);
    push(scan, Window::new(expected, actual, 0))
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
        self.judged = self.shared.height;
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
