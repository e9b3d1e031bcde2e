//! Comparing two images.

use trueup_frame::ImageView;
use trueup_pixel_diff::{Diff, Options, Scan, Window};

use crate::error::{CompareError, CompareErrorKind};
use crate::source::{BAND_ROWS, Bands, Source};

/// Compares two encoded images, band by band: neither is ever held whole where its format allows it.
///
/// # Errors
/// When an image cannot be read, or the options cannot be used.
pub fn compare_images(expected: &[u8], actual: &[u8], options: &Options) -> Result<Diff, CompareError> {
    compare(&Source::Encoded(expected.into()), &Source::Encoded(actual.into()), options)
}

pub(crate) fn compare(expected: &Source, actual: &Source, options: &Options) -> Result<Diff, CompareError> {
    let (mut left, mut right) = both(expected, actual)?;
    let mut scan = Scan::new(left.layout(), right.layout(), options)?;
    while let Some((first, a, b)) = next_pair(&mut left, &mut right)? {
        scan.push(Window::new(a, b, first))?;
    }
    let diff = scan.finish()?;
    left.drain().map_err(unreadable(CompareErrorKind::Expected))?;
    right.drain().map_err(unreadable(CompareErrorKind::Actual))?;
    Ok(diff)
}

/// Opens both images at their first row.
pub(crate) fn both<'a>(
    expected: &'a Source,
    actual: &'a Source,
) -> Result<(Bands<'a>, Bands<'a>), CompareError> {
    let left = expected.open().map_err(unreadable(CompareErrorKind::Expected))?;
    let right = actual.open().map_err(unreadable(CompareErrorKind::Actual))?;
    Ok((left, right))
}

/// The first row and both views of a band.
type Pair<'a> = (u32, ImageView<'a>, ImageView<'a>);

/// The next band of rows that both images have.
pub(crate) fn next_pair<'b>(
    left: &'b mut Bands<'_>,
    right: &'b mut Bands<'_>,
) -> Result<Option<Pair<'b>>, CompareError> {
    let shared = left.size().intersection(right.size()).height;
    let done = match left {
        Bands::Frame { next, .. } => *next,
        Bands::Rows(rows) => rows.header().size.height - rows.rows_left(),
    };
    let rows = BAND_ROWS.min(shared - done);
    if rows == 0 {
        return Ok(None);
    }
    let a = left.next(rows).map_err(unreadable(CompareErrorKind::Expected))?;
    let b = right.next(rows).map_err(unreadable(CompareErrorKind::Actual))?;
    Ok(a.zip(b).map(|((first, a), (_, b))| (first, a, b)))
}

fn unreadable<E>(kind: fn(E) -> CompareErrorKind) -> impl Fn(E) -> CompareError {
    move |error| CompareError::new(kind(error))
}
