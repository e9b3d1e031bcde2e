//! Judging rows on several threads.
//!
//! Colour differences, counts and antialiasing of some rows need no other rows but those that are looked at, and are most of the
//! work. Pieces grow from row to row, and are put together by one thread, while others judge the rows that come next.

use std::ops::Range;

use rayon::prelude::*;
use trueup_frame::{ImageView, Size};

use crate::arch::Supported;
use crate::error::{DiffError, DiffErrorKind};
use crate::exact::Exact;
use crate::region::{Labeler, OpenRule};
use crate::rows::Strip;
use crate::scan::{Scratch, push_images};
use crate::section::Section;
use crate::{Diff, Layout, Options, Scan, Window};

/// Pixels that a section takes at a time: what is known of as many fits in the cache that cores share, and to judge them takes many
/// times as long as to hand them over.
const SECTION_PIXELS: u32 = 1 << 13;

/// Sections for each thread, so that one which is done early finds others to do.
const SECTIONS_PER_THREAD: usize = 2;

/// Compares two images in memory on the threads of the current `rayon` pool. The result is that of [`diff`](crate::diff()), bit for
/// bit.
///
/// It is for large images of which much differs: where little does, [`diff`](crate::diff()) reads them as fast as memory gives them.
///
/// # Errors
/// As [`diff`](crate::diff()).
///
/// ```
/// use trueup_frame::{ImageView, PixelFormat, Size};
/// use trueup_pixel_diff::{Options, diff, diff_parallel};
///
/// let size = Size::new(300, 200);
/// let (dark, light) = (vec![10; 180_000], vec![90; 180_000]);
/// let expected = ImageView::packed(&dark, size, PixelFormat::Rgb8)?;
/// let actual = ImageView::packed(&light, size, PixelFormat::Rgb8)?;
/// let options = Options::default();
/// assert_eq!(diff_parallel(&expected, &actual, &options)?, diff(&expected, &actual, &options)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn diff_parallel(
    expected: &ImageView<'_>,
    actual: &ImageView<'_>,
    options: &Options,
) -> Result<Diff, DiffError> {
    let mut scan = Scan::new(Layout::of(expected), Layout::of(actual), options)?;
    push_images(&mut scan, expected, actual, Scan::push_parallel)?;
    scan.finish()
}

/// Sections that judge at the same time.
#[derive(Debug, Default)]
pub(crate) struct SideBySide {
    /// What they judge by.
    rules: Option<(Exact, Supported)>,
    /// Those that take the next rows.
    next: Vec<Section>,
    /// Those whose pieces are not put together yet, in the order of their rows.
    waiting: Vec<Section>,
    /// Whether they are ready for this pair of images.
    are_ready: bool,
}

impl SideBySide {
    /// Readies it for another pair of images.
    pub(crate) fn reset(&mut self, exact: Exact, level: Supported) {
        self.rules = Some((exact, level));
        self.are_ready = false;
    }

    /// Sees to it that there are sections for so many threads.
    fn ready(&mut self, threads: usize, options: &Options, sizes: [Size; 2]) {
        let Some((exact, level)) = self.rules.filter(|_| !self.are_ready) else { return };
        self.are_ready = true;
        for sections in [&mut self.next, &mut self.waiting] {
            sections.resize_with(threads * SECTIONS_PER_THREAD, || Section::new(exact, level));
            for section in sections {
                section.reset(exact, level, options, sizes);
            }
        }
    }

    /// Puts the pieces together that wait for it.
    pub(crate) fn put_together(
        &mut self,
        labeler: &mut Labeler,
        rule: OpenRule,
        shared: Size,
    ) -> Result<(), DiffError> {
        if self.are_ready { put_together(&mut self.waiting, labeler, rule, shared) } else { Ok(()) }
    }

    /// What they counted, section by section.
    pub(crate) fn sections(&self) -> impl Iterator<Item = &Section> {
        self.next.iter().chain(&self.waiting).filter(|_| self.are_ready)
    }
}

fn put_together(
    sections: &mut [Section],
    labeler: &mut Labeler,
    rule: OpenRule,
    shared: Size,
) -> Result<(), DiffError> {
    for section in sections {
        for (y, stretches, values) in section.kept() {
            labeler
                .add_row(y, stretches, values, rule)
                .map_err(|_| DiffError::new(DiffErrorKind::TooManyRegions { size: shared }))?;
        }
        section.clear();
    }
    Ok(())
}

impl Scan {
    /// The same as [`push`](Self::push), on the threads of the current `rayon` pool. It pays for windows of some tens of thousands of
    /// pixels of which much differs.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn push_parallel(&mut self, window: Window<'_>) -> Result<(), DiffError> {
        self.push_by(window, Self::judge_side_by_side)
    }

    /// Judges rows whose neighbours are at hand; `looks` for antialiasing among them.
    fn judge_side_by_side(
        &mut self,
        strip: &Strip<'_>,
        rows: Range<u32>,
        looks: bool,
    ) -> Result<(), DiffError> {
        if self.scratch.is_waiting() {
            self.settle(None)?;
        }
        let (reader, rule, shared, sizes) = (self.rows, self.rule, self.shared, self.sizes());
        let Scratch { side_by_side, labeler, .. } = &mut self.scratch;
        side_by_side.ready(rayon::current_num_threads(), &self.options, sizes);
        let SideBySide { next, waiting, .. } = side_by_side;
        let each = (SECTION_PIXELS / shared.width.max(1)).max(1);
        let mut first = rows.start;
        while first < rows.end {
            let judge = |(at, section): (usize, &mut Section)| {
                let start = first.saturating_add(each.saturating_mul(at as u32));
                for y in start..start.saturating_add(each).min(rows.end) {
                    let Some((expected, actual)) = strip.row(y) else {
                        unreachable!("row {y} was pushed or kept")
                    };
                    section.collect(&reader, expected, actual, y);
                }
                section.settle_and_keep(&reader, looks.then_some(strip));
            };
            let (put, ()) = rayon::join(
                || put_together(waiting, labeler, rule, shared),
                || next.par_iter_mut().enumerate().for_each(judge),
            );
            put?;
            std::mem::swap(next, waiting);
            first = first.saturating_add(each.saturating_mul(waiting.len() as u32));
        }
        Ok(())
    }
}
