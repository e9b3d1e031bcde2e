//! One reference, and captures that follow each other.

use std::collections::BTreeMap;

use trueup_frame::{ImageView, Rect};

use crate::region::{Bins, Region};
use crate::relate::rescan;
use crate::{Diff, DiffError, Layout, Options, Scan, diff};

/// Equal rows around what is judged apart, so that it sees the same neighbours as in the whole.
const HALO_ROWS: u32 = 4;

/// Compares captures with one reference, one after the other, at the cost of what changed since the one before.
///
/// Rows that are byte for byte those of the capture before are not held against the reference again. Where rows changed, the
/// part of the picture around them that differs from the reference is judged again: from one stretch of equal rows that is
/// longer than the merge distance to the next. So a capture that changed in one place costs one pass over both captures, and
/// that place; where captures differ from the reference from top to bottom, it costs what a comparison costs.
///
/// Results are those of [`diff`](crate::diff()), bit for bit. Comparisons with boxes of interest are not shortened.
///
/// ```
/// use trueup_frame::{ImageView, PixelFormat, Size};
/// use trueup_pixel_diff::{Options, Session};
///
/// let size = Size::new(2, 1);
/// let design = ImageView::packed(&[255, 10], size, PixelFormat::Gray8)?;
/// let mut session = Session::new(design, Options::default())?;
/// for (bytes, open) in [([255, 90], 1), ([255, 90], 1), ([255, 10], 0)] {
///     let found = session.compare(&ImageView::packed(&bytes, size, PixelFormat::Gray8)?)?;
///     assert_eq!(found.open_pixels(), open);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Session<'a> {
    expected: ImageView<'a>,
    options: Options,
    previous: Option<Previous>,
    result: Diff,
    judged_rows: u64,
}

/// The capture before, and what is known of it.
#[derive(Debug)]
struct Previous {
    layout: Layout,
    /// Its rows without the gaps between them.
    bytes: Vec<u8>,
    /// For each row that both images have, whether its bytes are other ones than the reference's.
    differs: Vec<bool>,
    /// What was found in the rows from one to before another.
    spans: BTreeMap<(u32, u32), Diff>,
    /// The result for images of this layout that are equal where both are.
    base: Diff,
}

impl<'a> Session<'a> {
    /// A session with a reference, under these options.
    ///
    /// # Errors
    /// When the reference's format or colour space is not supported, or an option is out of range.
    pub fn new(expected: ImageView<'a>, options: Options) -> Result<Self, DiffError> {
        let layout = Layout::of(&expected);
        // What would be refused is refused at once.
        Scan::new(layout, layout, &options)?;
        Ok(Self { expected, options, previous: None, result: Diff::default(), judged_rows: 0 })
    }

    /// The reference.
    #[must_use]
    pub const fn expected(&self) -> ImageView<'a> {
        self.expected
    }

    /// Rows that the last comparison held against the reference.
    #[must_use]
    pub const fn judged_rows(&self) -> u64 {
        self.judged_rows
    }

    /// Compares the next capture; the result is lent until the one after it.
    ///
    /// # Errors
    /// When a format or colour space is not supported.
    pub fn compare(&mut self, next: &ImageView<'_>) -> Result<&Diff, DiffError> {
        let layout = Layout::of(next);
        let is_alike = Layout::of(&self.expected).same_encoding(&layout);
        if !self.options.boxes.is_empty() || !is_alike || next.size().is_empty() {
            self.previous = None;
            self.judged_rows = u64::from(next.size().intersection(self.expected.size()).height);
            self.result = diff(&self.expected, next, &self.options)?;
            return Ok(&self.result);
        }
        let known = self.previous.take().filter(|previous| previous.layout == layout);
        let mut previous = match known {
            Some(previous) => previous,
            None => Previous::new(&self.expected, next, &self.options)?,
        };
        let changed = previous.take_in(&self.expected, next);
        self.judged_rows = previous.judge([&self.expected, next], &changed, &self.options)?;
        if self.judged_rows > 0 || changed.contains(&true) || self.result == Diff::default() {
            self.result = previous.sum();
        }
        self.previous = Some(previous);
        Ok(&self.result)
    }
}

impl Previous {
    /// A capture that nothing is known of: every row of it is new.
    fn new(expected: &ImageView<'_>, next: &ImageView<'_>, options: &Options) -> Result<Self, DiffError> {
        let rows = expected.size().intersection(next.size()).height;
        Ok(Self {
            layout: Layout::of(next),
            bytes: Vec::new(),
            differs: vec![false; rows as usize],
            spans: BTreeMap::new(),
            base: Scan::new(Layout::of(expected), Layout::of(next), options)?.of_equal_rows()?,
        })
    }

    /// Takes in the next capture, and says which rows changed.
    fn take_in(&mut self, expected: &ImageView<'_>, next: &ImageView<'_>) -> Vec<bool> {
        let size = next.size();
        let row_bytes = size.width as usize * next.format().bytes_per_pixel();
        let shared = expected.size().intersection(size).width as usize * next.format().bytes_per_pixel();
        let is_first = self.bytes.is_empty();
        self.bytes.resize(row_bytes * size.height as usize, 0);
        let mut changed = vec![false; self.differs.len()];
        for (y, old) in (0..size.height).zip(self.bytes.chunks_exact_mut(row_bytes)) {
            let new = &next.row(y)[..row_bytes];
            if !is_first && old == new {
                continue;
            }
            old.copy_from_slice(new);
            if let (Some(changed), Some(differs)) =
                (changed.get_mut(y as usize), self.differs.get_mut(y as usize))
            {
                *changed = true;
                *differs = expected.row(y)[..shared] != new[..shared];
            }
        }
        changed
    }

    /// Judges again what changed; gives the number of rows that were judged.
    fn judge(
        &mut self,
        images: [&ImageView<'_>; 2],
        changed: &[bool],
        options: &Options,
    ) -> Result<u64, DiffError> {
        let height = self.differs.len() as u32;
        let width = images[0].size().intersection(images[1].size()).width;
        // Equal rows that keep what is above and below them apart, whatever is merged.
        let apart = (options.merge_distance_px + 2).max(HALO_ROWS);
        let mut spans = BTreeMap::new();
        let mut rows = 0;
        for (start, end) in spans_of(&self.differs, apart) {
            let (first, last) = (start.saturating_sub(HALO_ROWS), end.saturating_add(HALO_ROWS).min(height));
            let is_new = changed[first as usize..last as usize].contains(&true);
            let known = self.spans.remove(&(start, end)).filter(|_| !is_new);
            let found = match known {
                Some(found) => found,
                None => {
                    rows += u64::from(last - first);
                    rescan::area(images, Rect::new(0, first, width, last - first), options)?
                }
            };
            spans.insert((start, end), found);
        }
        self.spans = spans;
        Ok(rows)
    }

    /// The result for the whole: spans share no region, and everything else adds up.
    fn sum(&self) -> Diff {
        let mut whole = self.base.clone();
        let mut bins = Bins::default();
        for found in self.spans.values() {
            let (counts, of) = (&mut whole.counts, &found.counts);
            counts.differing += of.differing;
            counts.visible += of.visible;
            counts.antialiased += of.antialiased;
            counts.delta_e_sum += of.delta_e_sum;
            counts.max = counts.max.max(of.max);
            found.histogram.add_to(&mut bins);
            whole.regions.extend_from_slice(&found.regions);
        }
        whole.histogram = bins.to_histogram();
        whole.regions.sort_by_key(Region::rank);
        whole
    }
}

/// Rows that differ, together with those between them where fewer than `apart` are equal: from one to before another.
fn spans_of(differs: &[bool], apart: u32) -> Vec<(u32, u32)> {
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for (y, _) in (0_u32..).zip(differs).filter(|(_, differs)| **differs) {
        match spans.last_mut() {
            Some(last) if y - last.1 < apart => last.1 = y + 1,
            _ => spans.push((y, y + 1)),
        }
    }
    spans
}
