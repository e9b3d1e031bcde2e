//! Equal files.

use std::io::{self, BufRead, Read};

use crate::error::CodecError;
use crate::header::Header;
use crate::input::{Input, Stream, unreadable};
use crate::limits::Limits;
use crate::png;
use crate::rows::open_input;

/// Bytes of each file that are compared at a time: both fit into the cache of a core.
const BUFFER_BYTES: usize = 1 << 17;

/// The header of two files that hold the same picture for certain, found without comparing pixels: their bytes are
/// equal, and the file can be read. `None` says nothing about the pictures: then decode both, which also finds what is
/// wrong with a file that cannot be read.
///
/// What "can be read" rests on:
///
/// - For a PNG that is not interlaced, nothing is inflated. Its framing, its header and all chunks in front of the pixels
///   are read as [`open`](crate::open) reads them, under the same limits; every checksum of a chunk has to hold; the compressed pixels
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
pub fn same_file<'a>(
    first: impl Into<Input<'a>>,
    second: impl Into<Input<'a>>,
    limits: &Limits,
) -> Option<Header> {
    // An error is not lost: the caller decodes, and meets it again.
    same(first.into(), second.into(), limits).ok().flatten()
}

fn same(first: Input<'_>, second: Input<'_>, limits: &Limits) -> Result<Option<Header>, CodecError> {
    if first.len()? != second.len()? {
        return Ok(None);
    }
    let (left, right) = (first.reader(BUFFER_BYTES), second.reader(BUFFER_BYTES));
    let mut both = Both { first: left, second: right, compared: 0 };
    // Looked at while the bytes are at hand, so that those of a file are read once.
    let is_intact = png::has_rows_in_order(first) && png::is_intact(&mut both).map_err(unreadable)?;
    both.read_to_end().map_err(unreadable)?;
    let rows = open_input(first, limits)?;
    Ok((is_intact || !rows.is_streamed()).then(|| rows.header().clone()))
}

/// The bytes of two inputs for as long as they are the same.
struct Both<'a> {
    first: Stream<'a>,
    second: Stream<'a>,
    /// Bytes from here on that were compared already: bytes in memory are all at hand, and each is compared once.
    compared: usize,
}

impl Both<'_> {
    fn read_to_end(&mut self) -> io::Result<()> {
        loop {
            match self.fill_buf()?.len() {
                0 => return Ok(()),
                read => self.consume(read),
            }
        }
    }
}

impl BufRead for Both<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let (first, second) = (self.first.fill_buf()?, self.second.fill_buf()?);
        if self.compared == 0 {
            let shared = first.len().min(second.len()).min(BUFFER_BYTES);
            let is_end = first.is_empty() && second.is_empty();
            if first[..shared] != second[..shared] || (shared == 0 && !is_end) {
                return Err(io::Error::other("the bytes differ"));
            }
            self.compared = shared;
        }
        Ok(&first[..self.compared])
    }

    fn consume(&mut self, bytes: usize) {
        self.compared -= bytes;
        self.first.consume(bytes);
        self.second.consume(bytes);
    }
}

impl Read for Both<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}
