//! One image as bands of rows.

use std::fmt;
use std::mem;

use trueup_frame::{Frame, ImageView, Rect, Size, ViewError};

use crate::error::CodecError;
use crate::header::{FileFormat, Header};
use crate::input::{Input, unreadable};
use crate::limits::{Limits, resize};
use crate::png::{self, PngPixels, PngRows, StoredRows, Unfilter};
use crate::{sniff, whole};

/// An opened image: its header is known, and its rows come out from the top, band by band.
///
/// Memory: a PNG that is not interlaced, and not turned by EXIF, takes what one band takes, also of a file that is read while it is decoded. Every other image is decoded
/// when it is opened and held until this is dropped.
pub struct Rows<'a> {
    header: Header,
    limits: Limits,
    pixels: Pixels<'a>,
    /// Rows that were given out.
    given: u32,
    /// What went wrong; said again whenever more is asked for.
    failed: Option<CodecError>,
}

enum Pixels<'a> {
    /// The decoder and the current band.
    Rows(Box<PngRows<'a>>, Vec<u8>),
    Whole(Vec<u8>),
}

/// Consecutive rows of an image.
#[derive(Clone, Copy, Debug)]
pub struct Band<'a> {
    first_row: u32,
    view: ImageView<'a>,
}

impl<'a> Band<'a> {
    /// Row of the image that the view begins with, counted from 0 at the top.
    #[must_use]
    pub const fn first_row(&self) -> u32 {
        self.first_row
    }

    /// The pixels, as wide as the image.
    #[must_use]
    pub const fn view(&self) -> ImageView<'a> {
        self.view
    }
}

/// A whole image.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Decoded {
    /// The pixels.
    pub frame: Frame,
    /// What is known of them.
    pub header: Header,
}

/// Opens an image: recognises its format by content, checks its framing, and reads its header.
///
/// # Errors
/// When the bytes are not an image that can be read, or its header asks for more than `limits` allow. Formats that
/// cannot be read in bands are decoded here, with all errors that this may have.
pub fn open<'a>(input: impl Into<Input<'a>>, limits: &Limits) -> Result<Rows<'a>, CodecError> {
    open_input(input.into(), limits)
}

pub(crate) fn open_input<'a>(input: Input<'a>, limits: &Limits) -> Result<Rows<'a>, CodecError> {
    let (header, pixels) = match recognize(input)? {
        FileFormat::Png => {
            let (header, pixels) = png::open(input, limits)?;
            let pixels = match pixels {
                PngPixels::Rows(rows) => Pixels::Rows(rows, Vec::new()),
                PngPixels::Whole(pixels) => Pixels::Whole(pixels),
            };
            (header, pixels)
        }
        file => {
            let (header, pixels) = whole::open(file, &input.bytes()?, limits)?;
            (header, Pixels::Whole(pixels))
        }
    };
    Ok(Rows { header, limits: *limits, pixels, given: 0, failed: None })
}

/// The format of a file, by as much of it as that takes.
fn recognize(input: Input<'_>) -> Result<FileFormat, CodecError> {
    if let Input::Memory(bytes) = input {
        return sniff::recognize(bytes);
    }
    let mut head = [0; sniff::HEAD_BYTES];
    let filled = input.head(&mut head).map_err(unreadable)?;
    sniff::recognize(&head[..filled])
}

/// Decodes an image whole.
///
/// # Errors
/// As [`open`] and [`Rows::next_band`].
pub fn decode<'a>(input: impl Into<Input<'a>>, limits: &Limits) -> Result<Decoded, CodecError> {
    let Rows { header, limits, pixels, .. } = open(input, limits)?;
    let pixels = match pixels {
        Pixels::Whole(pixels) => pixels,
        Pixels::Rows(mut rows, _) => {
            let mut pixels = limits.buffer(header.size, header.format, 1)?;
            rows.read(&mut pixels)?;
            pixels
        }
    };
    let frame = Frame::new(pixels, header.size, header.format)
        .and_then(|frame| frame.with_alpha(header.alpha))
        .map(|frame| frame.with_color(header.color))
        .map_err(|error| mismatch(&header, error))?;
    Ok(Decoded { frame, header })
}

/// Cannot happen: buffers are made for the size and format that the header has. An error all the same, not a panic.
pub(crate) fn mismatch(header: &Header, error: ViewError) -> CodecError {
    CodecError::damaged(header.file, "its pixels do not fit its header").because(error)
}

impl<'a> Rows<'a> {
    /// What is known before the first row.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Rows that were not given out yet.
    #[must_use]
    pub const fn rows_left(&self) -> u32 {
        self.header.size.height - self.given
    }

    /// The next rows, at most `max_rows` of them (0 counts as 1), or `None` after the last.
    ///
    /// The band with the last row is only given out once the rest of the file was read and its checksums hold.
    ///
    /// # Errors
    /// When the file is damaged, or the band would take more than [`Limits::max_bytes`]. After an error the same error
    /// is returned again, whatever is asked for.
    pub fn next_band(&mut self, max_rows: u32) -> Result<Option<Band<'_>>, CodecError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let first_row = self.given;
        let rows = max_rows.max(1).min(self.rows_left());
        if rows == 0 {
            return Ok(None);
        }
        if let Pixels::Rows(decoder, band) = &mut self.pixels
            && let Err(error) = fill(decoder, band, &self.header, rows, &self.limits)
        {
            self.failed = Some(error.clone());
            return Err(error);
        }
        self.given += rows;
        let view = self.view(first_row, rows)?;
        Ok(Some(Band { first_row, view }))
    }

    /// The rows that were given out last; of a picture that is held whole, any rows.
    pub(crate) fn view(&self, first_row: u32, rows: u32) -> Result<ImageView<'_>, CodecError> {
        match &self.pixels {
            Pixels::Rows(_, band) => view_of_band(&self.header, band, rows),
            Pixels::Whole(pixels) => {
                let size = self.header.size;
                view_of_band(&self.header, pixels, size.height)?
                    .crop(Rect::new(0, first_row, size.width, rows))
                    .map_err(|error| mismatch(&self.header, error))
            }
        }
    }

    /// Whether rows are decoded when they are asked for, so that there is work left to do.
    pub(crate) const fn is_streamed(&self) -> bool {
        matches!(self.pixels, Pixels::Rows(..))
    }

    /// The rows as they are stored, and who makes samples of them, where that is worth it; before the first row.
    pub(crate) fn split(self) -> Result<(Box<StoredRows<'a>>, Unfilter), Box<Self>> {
        let Self { header, limits, pixels, given, failed } = self;
        let pixels = match pixels {
            Pixels::Rows(decoder, band) => match decoder.split() {
                Ok(parts) => return Ok(parts),
                Err(decoder) => Pixels::Rows(decoder, band),
            },
            pixels => pixels,
        };
        Err(Box::new(Self { header, limits, pixels, given, failed }))
    }

    /// Takes the current band's memory and leaves other memory to be filled. What it holds does not matter.
    pub(crate) fn exchange_band(&mut self, other: Vec<u8>) -> Vec<u8> {
        match &mut self.pixels {
            Pixels::Rows(_, band) => mem::replace(band, other),
            // A picture that is held whole has no band; its rows are not moved.
            Pixels::Whole(_) => other,
        }
    }
}

/// Packed rows, as the header says what they mean.
pub(crate) fn view_of_band<'b>(
    header: &Header,
    pixels: &'b [u8],
    rows: u32,
) -> Result<ImageView<'b>, CodecError> {
    ImageView::packed(pixels, Size::new(header.size.width, rows), header.format)
        .and_then(|view| view.with_alpha(header.alpha))
        .map(|view| view.with_color(header.color))
        .map_err(|error| mismatch(header, error))
}

fn fill(
    decoder: &mut PngRows<'_>,
    band: &mut Vec<u8>,
    header: &Header,
    rows: u32,
    limits: &Limits,
) -> Result<(), CodecError> {
    let size = Size::new(header.size.width, rows);
    resize(band, limits.check_bytes(size, header.format, 1)?)?;
    decoder.read(band)
}

impl fmt::Debug for Rows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows")
            .field("header", &self.header)
            .field("rows_left", &self.rows_left())
            .finish_non_exhaustive()
    }
}
