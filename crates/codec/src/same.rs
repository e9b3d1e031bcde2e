//! Equal files.

use crate::header::Header;
use crate::limits::Limits;
use crate::png;
use crate::rows::open;

/// The header of two files that hold the same picture for certain, found without comparing pixels: their bytes are
/// equal, and the file can be read. `None` says nothing about the pictures: then decode both, which also finds what is
/// wrong with a file that cannot be read.
///
/// What "can be read" rests on:
///
/// - For a PNG that is not interlaced, nothing is inflated. Its framing, its header and all chunks in front of the pixels
///   are read as [`open`] reads them, under the same limits; every checksum of a chunk has to hold; the compressed pixels
///   have to be in one run and begin as they must. So a file that was cut off or damaged after it was written is never
///   answered. What is not seen is a writer that put checksums on compressed data that was wrong from the beginning:
///   decoding both would refuse that file, and this does not.
/// - Every other picture is decoded once, which is half of what comparing takes. JPEG, WebP and their like have no
///   checksums, so nothing less would do.
///
/// ```
/// use trueup_codec::{Limits, encode_png, same_file};
/// use trueup_frame::{ImageView, PixelFormat, Size};
///
/// let file = encode_png(&ImageView::packed(&[1, 2, 3], Size::new(1, 1), PixelFormat::Rgb8)?)?;
/// let same = same_file(&file, &file.clone(), &Limits::default());
/// assert_eq!(same.map(|header| header.size), Some(Size::new(1, 1)));
/// let cut = &file[..file.len() - 1];
/// assert_eq!(same_file(cut, cut, &Limits::default()), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn same_file(first: &[u8], second: &[u8], limits: &Limits) -> Option<Header> {
    if first != second {
        return None;
    }
    // An error is not lost: the caller decodes, and meets it again.
    let rows = open(first, limits).ok()?;
    (!rows.is_streamed() || png::is_intact(first)).then(|| rows.header().clone())
}
