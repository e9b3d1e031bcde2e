//! Comparing two images.

use std::num::NonZeroUsize;
use std::thread;

use trueup_codec::{Input, Limits, same_file};
use trueup_pixel_diff::{Diff, Layout, Options, Relating, Scan, Window, diff, relate};

use crate::error::{CompareError, CompareErrorKind};
use crate::judging::Judges;
use crate::keep::Keeper;
use crate::source::{Source, Whole, layout};
use crate::walk::{are_small, judging_threads, walk};
use crate::{heatmap, picture};

/// Two encoded images that are compared.
///
/// Neither is ever held decoded where its format allows it: rows are decoded in bands, both files at the same time.
///
/// ```no_run
/// use trueup_compare_pixel::ImagePair;
/// use trueup_pixel_diff::Options;
///
/// let (design, screenshot) = (std::fs::File::open("design.png")?, std::fs::File::open("screenshot.png")?);
/// let pair = ImagePair::new(&design, &screenshot);
/// let found = pair.compare(&Options::default())?;
/// if found.open_regions().next().is_some() {
///     std::fs::write("diff.png", pair.picture(&found)?)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ImagePair<'a> {
    expected: Input<'a>,
    actual: Input<'a>,
    threads: Option<NonZeroUsize>,
}

impl<'a> ImagePair<'a> {
    /// Two image files, recognised by content: a reference, and what is held against it. Both are bytes in memory, or open
    /// files, which are read as they are decoded and never held whole; see [`Input`].
    #[must_use]
    pub fn new(expected: impl Into<Input<'a>>, actual: impl Into<Input<'a>>) -> Self {
        Self { expected: expected.into(), actual: actual.into(), threads: None }
    }

    /// With this many threads at most. By default one for small pictures, else as many as the machine has. Results are the
    /// same with any number.
    #[must_use]
    pub const fn with_threads(self, threads: NonZeroUsize) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// Compares them. Equal files are answered without decoding where [`same_file`] finds that sound.
    ///
    /// # Errors
    /// When an image cannot be read, or the options cannot be used.
    pub fn compare(&self, options: &Options) -> Result<Diff, CompareError> {
        match self.if_one_file(options)? {
            Some(found) => Ok(found),
            None => compare(self.sources(), self.threads, options),
        }
    }

    /// Compares them, and tells what moved, came and went: [`relate`](trueup_pixel_diff::relate()). Images of
    /// more than a megapixel that match are never held decoded; others are, both at once, when they are looked at again.
    ///
    /// # Errors
    /// As [`compare`](Self::compare).
    pub fn relate(&self, options: &Options, relating: &Relating) -> Result<Diff, CompareError> {
        match self.if_one_file(options)? {
            Some(found) => Ok(found),
            None => compare_and_relate(self.sources(), self.threads, options, relating),
        }
    }

    /// A PNG that shows where they differ: the reference dimmed, what differs in open regions in red, a line
    /// around each open region with its number in the order of the report, and what only one image has in yellow.
    ///
    /// # Errors
    /// When an image cannot be read or the picture cannot be written.
    pub fn picture(&self, diff: &Diff) -> Result<Vec<u8>, CompareError> {
        picture::draw(self.sources(), self.threads, diff)
    }

    /// A PNG that shows how much each pixel differs: its ΔE, as [`DeltaMap`](trueup_pixel_diff::DeltaMap) gives it, as one of 256
    /// colours from pale yellow (0) over red to dark purple (ten times the tolerance and more), perceptually uniform; pixels that
    /// are equal or masked as a faint grey; what only one image has in grey stripes; and below, a legend with the formula, both ends
    /// and the tolerance. `options` are those of the comparison.
    ///
    /// # Errors
    /// When an image cannot be read, the options cannot be used or the picture cannot be written.
    pub fn heatmap(&self, diff: &Diff, options: &Options) -> Result<Vec<u8>, CompareError> {
        heatmap::draw(self.sources(), self.threads, diff, options)
    }

    /// The result where both files are the same, and that is known to say enough.
    fn if_one_file(&self, options: &Options) -> Result<Option<Diff>, CompareError> {
        let header = same_file(self.expected, self.actual, &Limits::default());
        Ok(header.map(|header| Diff::of_equal(layout(&header), options)).transpose()?)
    }

    const fn sources(&self) -> [Source<'a>; 2] {
        [Source::Encoded(self.expected), Source::Encoded(self.actual)]
    }
}

fn compare(
    sources: [Source<'_>; 2],
    threads: Option<NonZeroUsize>,
    options: &Options,
) -> Result<Diff, CompareError> {
    let (found, _) = scan(sources, threads, options, |_, _| Keeper::none())?;
    Ok(found)
}

/// Compares two images, and relates them where that is worth it: for that, both are needed whole, and decoded again where they
/// were not kept.
pub(crate) fn compare_and_relate(
    sources: [Source<'_>; 2],
    threads: Option<NonZeroUsize>,
    options: &Options,
    relating: &Relating,
) -> Result<Diff, CompareError> {
    let are_files = sources.iter().all(|source| matches!(source, Source::Encoded(_)));
    if are_files && are_small(sources) {
        // To decode them twice would take longer than to hold them takes, and they fit a cache.
        let [expected, actual] = whole(sources, threads)?;
        let (expected, actual) = (expected.view(), actual.view());
        let found = diff(&expected, &actual, options)?;
        return Ok(match found.is_worth_relating(relating) {
            true => relate(found, &expected, &actual, options, relating)?,
            false => found,
        });
    }
    let keeper = |expected, actual| if are_files { Keeper::new(expected, actual) } else { Keeper::none() };
    let (found, kept) = scan(sources, threads, options, keeper)?;
    if !found.is_worth_relating(relating) {
        return Ok(found);
    }
    if found.is_too_large_for(relating) {
        return Ok(found.without_relation());
    }
    let [expected, actual] = match kept.into_frames() {
        Some(frames) => frames.map(|frame| Whole::Decoded(Box::new(frame))),
        None => whole(sources, threads)?,
    };
    Ok(relate(found, &expected.view(), &actual.view(), options, relating)?)
}

fn scan(
    sources: [Source<'_>; 2],
    threads: Option<NonZeroUsize>,
    options: &Options,
    keeper: impl FnOnce(Layout, Layout) -> Keeper,
) -> Result<(Diff, Keeper), CompareError> {
    let mut judges = Judges::new(judging_threads(sources, threads));
    let (scan, keeper) = walk(
        sources,
        threads,
        |expected, actual| Ok((Scan::new(expected, actual, options)?, keeper(expected, actual))),
        |(scan, keeper), band| {
            let window = Window::new(band.expected, band.actual, band.first_row);
            if band.mostly_differs() {
                keeper.add(&band);
                judges.push(scan, window)?;
            } else {
                keeper.give_up();
                scan.push(window)?;
            }
            Ok(true)
        },
    )?;
    Ok((scan.finish()?, keeper))
}

/// Both images, decoded at the same time.
fn whole(
    [expected, actual]: [Source<'_>; 2],
    threads: Option<NonZeroUsize>,
) -> Result<[Whole<'_>; 2], CompareError> {
    let is_alone = threads.is_some_and(|threads| threads.get() == 1);
    let (expected, actual) = if is_alone {
        (expected.whole(), actual.whole())
    } else {
        thread::scope(|scope| {
            let other = scope.spawn(|| actual.whole());
            let expected = expected.whole();
            (expected, other.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload)))
        })
    };
    Ok([
        expected.map_err(|error| CompareError::new(CompareErrorKind::Expected(error)))?,
        actual.map_err(|error| CompareError::new(CompareErrorKind::Actual(error)))?,
    ])
}
