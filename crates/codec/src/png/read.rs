//! Rows of a PNG.

use std::io;

use ::png::{BitDepth, ColorType, DecodeOptions, Decoder, DecodingError, Info, Reader, Transformations};
use trueup_frame::{Alpha, PixelFormat, Size};

use super::chunks::{self, Chunks};
use super::color::{self, Meaning};
use super::convert::Conversion;
use super::scanlines::Scanlines;
use super::unfilter::{Unfilter, to_machine_order};
use crate::error::{CodecError, CodecErrorKind};
use crate::header::{FileFormat, Header, Note, Orientation};
use crate::ifd;
use crate::input::{Input, Stream, unreadable};
use crate::limits::{Limits, resize};
use crate::orient;

/// Deflate codes at most 258 bytes in 2 bits, so that more than this many times its size is never in a stream.
const MOST_PER_COMPRESSED_BYTE: u64 = 1032;

/// Of compressed pixels that take a quarter of the room of the samples and more, inflating is what takes time.
const HARDLY_COMPRESSED: u64 = 4;

/// A PNG whose rows come out from the top.
pub(crate) struct PngRows<'a> {
    source: Source<'a>,
    row_bytes: usize,
    /// Makes sRGB of the samples, where they are of another gamma.
    conversion: Option<Box<Conversion>>,
    /// Whether inflating takes much longer than what is done with the rows then.
    is_hardly_compressed: bool,
}

/// What makes rows of samples.
enum Source<'a> {
    /// The rows as they are stored, and who undoes their filters.
    Stored(Box<StoredRows<'a>>, Unfilter),
    /// The decoder, where samples are not given out as they are stored: palettes, few bits, a transparent colour.
    Expanded(Box<Expanded<'a>>),
}

/// A PNG whose stored rows come out from the top, with their filters.
pub(crate) struct StoredRows<'a> {
    lines: Scanlines<'a>,
    row_bytes: usize,
    left: u32,
}

/// A PNG whose rows the decoder gives out as samples.
struct Expanded<'a> {
    /// Bytes of the file, for messages.
    len: u64,
    reader: Reader<Stream<'a>>,
    row_bytes: usize,
    pixel_bytes: usize,
    is_wide: bool,
    is_interlaced: bool,
    is_mirrored: bool,
    left: u32,
    limits: Limits,
}

/// The pixels, in one of two ways: row by row, or all at once where rows are not stored in their order.
pub(crate) enum PngPixels<'a> {
    Rows(Box<PngRows<'a>>),
    Whole(Vec<u8>),
}

/// Checks the framing and the header; decodes only what cannot be given out row by row.
pub(crate) fn open<'a>(input: Input<'a>, limits: &Limits) -> Result<(Header, PngPixels<'a>), CodecError> {
    let len = input.len()?;
    let failed = |error: DecodingError| from_png(len, limits, error);
    let found = chunks::walk(input)?;

    let mut options = DecodeOptions::default();
    options.set_ignore_text_chunk(true);
    // A damaged transparency or colour chunk changes the picture as much as a damaged pixel.
    options.set_skip_ancillary_crc_failures(false);
    options.set_ignore_adler32(false);
    let mut decoder = Decoder::new_with_options(input.stream(), options);
    decoder.set_limits(::png::Limits { bytes: usize::try_from(limits.max_bytes).unwrap_or(usize::MAX) });
    decoder.set_transformations(Transformations::EXPAND);

    let info = decoder.read_header_info().map_err(failed)?;
    let stored = Size::new(info.width, info.height);
    limits.check_pixels(stored)?;
    check_plausible(info, &found)?;
    let reader = decoder.read_info().map_err(failed)?;

    let info = reader.info();
    if let Some(frame) = info.frame_control
        && (frame.width, frame.height, frame.x_offset, frame.y_offset) != (stored.width, stored.height, 0, 0)
    {
        let detail = "the first frame of the animation does not cover it";
        return Err(CodecError::damaged(FileFormat::Png, detail));
    }
    let orientation = found.exif.as_deref().map(ifd::exif_orientation).unwrap_or_default();
    let mut notes = Vec::new();
    let Meaning { color, note, encoding } = color::meaning(info, &found);
    notes.extend(note);
    if let Some(frames) = found.frames.filter(|&frames| frames > 1) {
        notes.push(Note::FirstFrameOnly { frames: Some(frames) });
    }
    let (stored_format, is_wide) = output_format(&reader)?;
    let channels = stored_format.channels();
    let conversion = encoding.map(|encoding| Box::new(Conversion::new(&encoding, channels, is_wide)));
    let format = if conversion.is_some() { widened(stored_format) } else { stored_format };
    let header = Header {
        size: orientation.applied_to(stored),
        format,
        alpha: if format.has_alpha() { Alpha::Straight } else { Alpha::Opaque },
        color,
        orientation,
        file: FileFormat::Png,
        notes,
    };

    let is_interlaced = info.interlaced;
    let is_stored = (info.color_type, info.bit_depth) == reader.output_color_type() && !is_interlaced;
    let in_order = matches!(orientation, Orientation::Upright | Orientation::FlipHorizontal);
    let pixel_bytes = stored_format.bytes_per_pixel();
    // The pixel limit and the format keep it within 64 bits; on smaller machines the buffer check fails first.
    let row_bytes = stored.width as usize * pixel_bytes;
    let is_mirrored = orientation == Orientation::FlipHorizontal && !is_interlaced;
    let (left, limits) = (stored.height, *limits);
    let source = if is_stored {
        let no_room = || CodecError::from(CodecErrorKind::OutOfMemory { bytes: row_bytes as u64 });
        let unfilter = Unfilter::new(row_bytes, pixel_bytes, is_wide, is_mirrored).ok_or_else(no_room)?;
        let lines = Scanlines::open(input.stream(), len, row_bytes)?;
        Source::Stored(Box::new(StoredRows { lines, row_bytes, left }), unfilter)
    } else {
        Source::Expanded(Box::new(Expanded {
            len,
            reader,
            row_bytes,
            pixel_bytes,
            is_wide,
            is_interlaced,
            is_mirrored,
            left,
            limits,
        }))
    };
    let samples = stored.area().saturating_mul(pixel_bytes as u64);
    let is_hardly_compressed = found.compressed.saturating_mul(HARDLY_COMPRESSED) >= samples;
    let mut rows = PngRows { source, row_bytes, conversion, is_hardly_compressed };
    if in_order && !is_interlaced {
        return Ok((header, PngPixels::Rows(Box::new(rows))));
    }
    let turns = orientation != Orientation::Upright;
    let mut pixels = limits.buffer(stored, format, if turns { 2 } else { 1 })?;
    rows.read(&mut pixels)?;
    if turns {
        pixels = orient::apply(&pixels, stored, format.bytes_per_pixel(), orientation)?;
    }
    Ok((header, PngPixels::Whole(pixels)))
}

impl<'a> PngRows<'a> {
    /// Fills `out`, a whole number of rows and no more than are left; of an interlaced picture, all of them. With the last row the
    /// rest of the file is checked.
    pub(crate) fn read(&mut self, out: &mut [u8]) -> Result<(), CodecError> {
        let Some(conversion) = &self.conversion else { return self.source.read(out, self.row_bytes) };
        let bytes = out.len() / conversion.growth();
        self.source.read(&mut out[..bytes], self.row_bytes)?;
        conversion.convert(out);
        Ok(())
    }

    /// The stored rows, and who undoes their filters, where it is worth it to do that elsewhere.
    pub(crate) fn split(self) -> Result<(Box<StoredRows<'a>>, Unfilter), Box<Self>> {
        match self.source {
            Source::Stored(stored, unfilter) if self.is_hardly_compressed && self.conversion.is_none() => {
                Ok((stored, unfilter))
            }
            source => Err(Box::new(Self { source, ..self })),
        }
    }
}

impl Source<'_> {
    /// Fills `out` with samples as the file has them, in rows of so many bytes.
    fn read(&mut self, out: &mut [u8], row_bytes: usize) -> Result<(), CodecError> {
        match self {
            Self::Stored(stored, unfilter) => {
                let mut out = out;
                while !out.is_empty() {
                    let lines = stored.next(out.len() / row_bytes)?;
                    let (rows, below) = out.split_at_mut(lines.len() / (row_bytes + 1) * row_bytes);
                    unfilter.rows(lines, rows);
                    out = below;
                }
                stored.finish_if_done()
            }
            Self::Expanded(expanded) if expanded.is_interlaced => expanded.read_interlaced(out),
            Self::Expanded(expanded) => expanded.read(out),
        }
    }
}

impl StoredRows<'_> {
    /// Fills `out` with rows, at most so many and no more than are left; without rows where none are. With the last row the rest
    /// of the file is checked.
    pub(crate) fn read(&mut self, rows: u32, out: &mut Vec<u8>) -> Result<(), CodecError> {
        let rows = rows.min(self.left);
        let line_bytes = self.row_bytes + 1;
        resize(out, u64::from(rows).saturating_mul(line_bytes as u64))?;
        if rows == 0 {
            return Ok(());
        }
        let mut out = out.as_mut_slice();
        while !out.is_empty() {
            let lines = self.next(out.len() / line_bytes)?;
            let (rows, below) = out.split_at_mut(lines.len());
            rows.copy_from_slice(lines);
            out = below;
        }
        self.finish_if_done()
    }

    /// The next rows, at least one and at most so many.
    fn next(&mut self, most: usize) -> Result<&[u8], CodecError> {
        let lines = self.lines.next(most)?;
        self.left = self.left.saturating_sub((lines.len() / (self.row_bytes + 1)) as u32);
        Ok(lines)
    }

    /// Reads to the end of the file, for the checksums of the chunks that the pixels did not need.
    fn finish_if_done(&mut self) -> Result<(), CodecError> {
        if self.left > 0 {
            return Ok(());
        }
        self.lines.finish()
    }
}

impl Expanded<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<(), CodecError> {
        for row in out.chunks_exact_mut(self.row_bytes) {
            match self.reader.read_row(row) {
                Ok(Some(_)) => {}
                Ok(None) => return Err(CodecError::damaged(FileFormat::Png, "rows are missing")),
                Err(error) => return Err(self.failed(error)),
            }
            if self.is_wide {
                to_machine_order(row);
            }
            if self.is_mirrored {
                orient::mirror_row(row, self.pixel_bytes);
            }
            self.left = self.left.saturating_sub(1);
        }
        if self.left == 0 { self.finish() } else { Ok(()) }
    }

    fn read_interlaced(&mut self, out: &mut [u8]) -> Result<(), CodecError> {
        self.reader.next_frame(out).map_err(|error| self.failed(error))?;
        if self.is_wide {
            to_machine_order(out);
        }
        self.finish()
    }

    /// Reads to the end of the file, for the checksums of the chunks that the pixels did not need.
    fn finish(&mut self) -> Result<(), CodecError> {
        self.reader.finish().map_err(|error| self.failed(error))
    }

    fn failed(&self, error: DecodingError) -> CodecError {
        from_png(self.len, &self.limits, error)
    }
}

/// Refuses a header that claims more than the compressed pixels can hold, before memory is taken for it.
fn check_plausible(info: &Info<'_>, found: &Chunks) -> Result<(), CodecError> {
    // Saturating: 2^32 × 2^32 pixels of 64 bits. Filter bytes are left out, so that it is a lower bound.
    let bits = (u64::from(info.width) * u64::from(info.height)).saturating_mul(info.bits_per_pixel() as u64);
    let most = found.compressed.saturating_mul(MOST_PER_COMPRESSED_BYTE);
    if bits / 8 > most {
        let detail = format!(
            "the header claims {}×{} pixels, which cannot be in {} bytes of compressed data",
            info.width, info.height, found.compressed
        );
        return Err(CodecError::damaged(FileFormat::Png, detail));
    }
    Ok(())
}

fn output_format(reader: &Reader<Stream<'_>>) -> Result<(PixelFormat, bool), CodecError> {
    let (color, depth) = reader.output_color_type();
    let format = match (color, depth) {
        (ColorType::Grayscale, BitDepth::Eight) => PixelFormat::Gray8,
        (ColorType::GrayscaleAlpha, BitDepth::Eight) => PixelFormat::GrayAlpha8,
        (ColorType::Rgb, BitDepth::Eight) => PixelFormat::Rgb8,
        (ColorType::Rgba, BitDepth::Eight) => PixelFormat::Rgba8,
        (ColorType::Grayscale, BitDepth::Sixteen) => PixelFormat::Gray16,
        (ColorType::GrayscaleAlpha, BitDepth::Sixteen) => PixelFormat::GrayAlpha16,
        (ColorType::Rgb, BitDepth::Sixteen) => PixelFormat::Rgb16,
        (ColorType::Rgba, BitDepth::Sixteen) => PixelFormat::Rgba16,
        (color, depth) => {
            let what = format!("a PNG of colour type {color:?} and depth {depth:?}");
            return Err(CodecErrorKind::Unsupported { what }.into());
        }
    };
    Ok((format, depth == BitDepth::Sixteen))
}

/// The same channels at 16 bits.
const fn widened(format: PixelFormat) -> PixelFormat {
    match format {
        PixelFormat::Gray8 => PixelFormat::Gray16,
        PixelFormat::GrayAlpha8 => PixelFormat::GrayAlpha16,
        PixelFormat::Rgb8 => PixelFormat::Rgb16,
        PixelFormat::Rgba8 => PixelFormat::Rgba16,
        wide => wide,
    }
}

fn from_png(len: u64, limits: &Limits, error: DecodingError) -> CodecError {
    match error {
        DecodingError::LimitsExceeded => {
            let (limit, needed) = (limits.max_bytes, limits.max_bytes.saturating_add(1));
            CodecError::from(CodecErrorKind::TooManyBytes { needed, limit }).because(error)
        }
        // Its framing was whole when it was opened, so this is about a file that was cut since, or that the system does
        // not give any more.
        DecodingError::IoError(error) if error.kind() != io::ErrorKind::UnexpectedEof => unreadable(error),
        DecodingError::IoError(error) => CodecError::truncated(FileFormat::Png, len).because(error),
        error => CodecError::from_decoder(FileFormat::Png, len, error),
    }
}
