//! Two images from the top, the same rows of both at a time.

use std::num::NonZeroUsize;
use std::thread::{self, Scope};

use trueup_codec::{CodecError, Input, Limits, Lockstep, Side};
use trueup_frame::ImageView;
use trueup_pixel_diff::Layout;

use crate::error::{CompareError, CompareErrorKind};
use crate::source::{Bands, Source, band_rows, layout};

/// Pixels up to which two PNGs are decoded on one thread: starting another takes as long as it saves.
const SMALL_PIXELS: u64 = 1 << 20;

/// Threads that decode two files, one for each.
const DECODERS: usize = 2;

/// Two images, read together.
pub(crate) enum Walk<'a> {
    /// Two files.
    Files(Box<Lockstep<'a>>),
    /// At least one of them is decoded already.
    Apart(Box<[Bands<'a>; 2]>),
}

/// The same rows of two images.
pub(crate) struct Band<'b> {
    /// The image row of both that the views begin with.
    pub(crate) first_row: u32,
    pub(crate) expected: ImageView<'b>,
    pub(crate) actual: ImageView<'b>,
}

/// Of so many rows of a band one is looked at to see what it is like.
const SAMPLED_ROWS: usize = 8;

impl Band<'_> {
    /// Whether half of the rows and more differ, as far as is seen by looking at some.
    pub(crate) fn mostly_differs(&self) -> bool {
        let rows = self.expected.rows().zip(self.actual.rows()).step_by(SAMPLED_ROWS);
        let (mut all, mut differing) = (0, 0);
        for (expected, actual) in rows {
            all += 1;
            differing += usize::from(expected != actual);
        }
        2 * differing >= all
    }
}

/// Reads the rows that two images share. `open` sees how they are laid out, `each` every band, in order; it may end the
/// reading by `false`. When it went to the end, both images were read whole, and are not damaged.
pub(crate) fn walk<T>(
    [expected, actual]: [Source<'_>; 2],
    threads: Option<NonZeroUsize>,
    open: impl FnOnce(Layout, Layout) -> Result<T, CompareError>,
    mut each: impl FnMut(&mut T, Band<'_>) -> Result<bool, CompareError>,
) -> Result<T, CompareError> {
    thread::scope(|scope| {
        let mut walk = Walk::open(scope, expected, actual, threads)?;
        let (left, right) = walk.layouts();
        let mut state = open(left, right)?;
        while let Some(band) = walk.next()? {
            if !each(&mut state, band)? {
                break;
            }
        }
        Ok(state)
    })
}

impl<'a> Walk<'a> {
    fn open(
        scope: &'a Scope<'a, '_>,
        expected: Source<'a>,
        actual: Source<'a>,
        threads: Option<NonZeroUsize>,
    ) -> Result<Self, CompareError> {
        if let (Source::Encoded(expected), Source::Encoded(actual)) = (expected, actual) {
            let threads = fitting_threads([Source::Encoded(expected), Source::Encoded(actual)], threads);
            // With two, both files are decoded beside the caller, who judges: whoever waits leaves its place to another.
            let decoders = if threads < 2 { 1 } else { 1 + DECODERS };
            let rows = band_rows(widest(expected, actual));
            let both = Lockstep::threaded(scope, expected, actual, &Limits::default(), rows, decoders);
            return Ok(Self::Files(Box::new(both.map_err(from_lockstep)?)));
        }
        let left = expected.open().map_err(unreadable(CompareErrorKind::Expected))?;
        let right = actual.open().map_err(unreadable(CompareErrorKind::Actual))?;
        Ok(Self::Apart(Box::new([left, right])))
    }

    fn layouts(&self) -> (Layout, Layout) {
        match self {
            Self::Files(both) => (layout(both.first()), layout(both.second())),
            Self::Apart(both) => (both[0].layout(), both[1].layout()),
        }
    }

    fn next(&mut self) -> Result<Option<Band<'_>>, CompareError> {
        match self {
            // Never more than the bands that were asked for.
            Self::Files(both) => Ok(both.next_pair(u32::MAX).map_err(from_lockstep)?.map(|band| Band {
                first_row: band.first_row(),
                expected: band.first(),
                actual: band.second(),
            })),
            Self::Apart(both) => {
                let [left, right] = &mut **both;
                let first_row = left.given();
                let shared = left.size().intersection(right.size());
                let rows = band_rows(shared.width).min(shared.height - first_row);
                if rows == 0 {
                    left.drain().map_err(unreadable(CompareErrorKind::Expected))?;
                    right.drain().map_err(unreadable(CompareErrorKind::Actual))?;
                    return Ok(None);
                }
                let expected = left.next(rows).map_err(unreadable(CompareErrorKind::Expected))?;
                let actual = right.next(rows).map_err(unreadable(CompareErrorKind::Actual))?;
                Ok(expected.zip(actual).map(|(expected, actual)| Band { first_row, expected, actual }))
            }
        }
    }
}

/// The width of the wider one of two PNGs; other images are decoded whole, whatever they are read in.
fn widest(expected: Input<'_>, actual: Input<'_>) -> u32 {
    let width = |input: Input<'_>| input.png_size().map_or(0, |size| size.width);
    width(expected).max(width(actual))
}

/// Whether both are known to be small before they are opened.
pub(crate) fn are_small(sources: [Source<'_>; 2]) -> bool {
    sources.iter().all(|source| source.size().is_some_and(|size| size.area() <= SMALL_PIXELS))
}

/// As many threads as are wanted; where nothing is said, one for two small PNGs, else as many as the machine has.
fn fitting_threads(sources: [Source<'_>; 2], wanted: Option<NonZeroUsize>) -> usize {
    match wanted {
        Some(threads) => threads.get(),
        None if are_small(sources) => 1,
        None => thread::available_parallelism().map_or(1, NonZeroUsize::get),
    }
}

/// As many threads as are left to judge beside those that decode two files: more would only take turns with them.
pub(crate) fn judging_threads(sources: [Source<'_>; 2], wanted: Option<NonZeroUsize>) -> usize {
    let threads = fitting_threads(sources, wanted);
    match sources {
        [Source::Encoded(_), Source::Encoded(_)] => threads.saturating_sub(DECODERS).max(1),
        _ => threads,
    }
}

fn from_lockstep(error: CodecError) -> CompareError {
    let kind = match error.side() {
        Some(Side::Second) => CompareErrorKind::Actual,
        _ => CompareErrorKind::Expected,
    };
    CompareError::new(kind(error))
}

fn unreadable<E>(kind: fn(E) -> CompareErrorKind) -> impl Fn(E) -> CompareError {
    move |error| CompareError::new(kind(error))
}
