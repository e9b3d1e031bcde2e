//! Decoding in one piece through `image`.

use std::io::Cursor;

use image::codecs::bmp::BmpDecoder;
use image::codecs::gif::GifDecoder;
use image::codecs::jpeg::JpegDecoder;
use image::codecs::qoi::QoiDecoder;
use image::codecs::tiff::TiffDecoder;
use image::codecs::webp::WebPDecoder;
use image::{ColorType, ExtendedColorType, ImageDecoder, ImageError};
use trueup_frame::{Alpha, ColorSpace, PixelFormat, Size};

use super::framing::{self, Framing};
use crate::error::{CodecError, CodecErrorKind};
use crate::header::{FileFormat, Header, Note, Orientation};
use crate::icc;
use crate::limits::Limits;
use crate::orient;

/// The header and all pixels, upright.
pub(crate) fn open(file: FileFormat, bytes: &[u8], limits: &Limits) -> Result<(Header, Vec<u8>), CodecError> {
    let failed = |error| from_image(file, bytes, limits, error);
    let framing = framing::walk(file, bytes)?;
    let input = Cursor::new(bytes);
    let job = Job { file, bytes, limits, framing };
    match file {
        FileFormat::Jpeg => job.run(JpegDecoder::new(input).map_err(failed)?),
        FileFormat::WebP => job.run(WebPDecoder::new(input).map_err(failed)?),
        FileFormat::Bmp => job.run(BmpDecoder::new(input).map_err(failed)?),
        FileFormat::Gif => job.run(GifDecoder::new(input).map_err(failed)?),
        FileFormat::Tiff => job.run(TiffDecoder::new(input).map_err(failed)?),
        FileFormat::Qoi => job.run(QoiDecoder::new(input).map_err(failed)?),
        FileFormat::Png => unreachable!("PNG has its own reader"),
    }
}

struct Job<'a> {
    file: FileFormat,
    bytes: &'a [u8],
    limits: &'a Limits,
    framing: Framing,
}

impl Job<'_> {
    fn run(self, mut decoder: impl ImageDecoder) -> Result<(Header, Vec<u8>), CodecError> {
        let Self { file, bytes, limits, framing } = self;
        let failed = |error| from_image(file, bytes, limits, error);
        let (width, height) = decoder.dimensions();
        let stored = Size::new(width, height);
        if stored.is_empty() {
            return Err(CodecError::damaged(file, format!("its header claims {stored} pixels")));
        }
        limits.check_pixels(stored)?;
        let format = pixel_format(file, decoder.color_type())?;
        let orientation = orientation(decoder.orientation().map_err(failed)?);
        let turns = orientation != Orientation::Upright;
        let mut pixels = limits.buffer(stored, format, if turns { 2 } else { 1 })?;

        let mut notes = framing.notes;
        if matches!(decoder.original_color_type(), ExtendedColorType::Cmyk8 | ExtendedColorType::Cmyk16) {
            notes.push(Note::Converted { from: "CMYK, without a profile".to_owned() });
        }
        let (color, note) = match decoder.icc_profile().map_err(failed)? {
            Some(profile) => icc::color_space(&profile, ""),
            None => (ColorSpace::Srgb, None),
        };
        notes.extend(note);

        let mut inner = image::Limits::no_limits();
        inner.max_alloc = Some(limits.max_bytes);
        decoder.set_limits(inner).map_err(failed)?;
        decoder.read_image(&mut pixels).map_err(failed)?;
        if turns {
            pixels = orient::apply(&pixels, stored, format.bytes_per_pixel(), orientation)?;
        }
        let alpha = match (format.has_alpha(), framing.premultiplied) {
            (false, _) => Alpha::Opaque,
            (true, false) => Alpha::Straight,
            (true, true) => Alpha::Premultiplied,
        };
        let size = orientation.applied_to(stored);
        Ok((Header { size, format, alpha, color, orientation, file, notes }, pixels))
    }
}

fn pixel_format(file: FileFormat, color: ColorType) -> Result<PixelFormat, CodecError> {
    Ok(match color {
        ColorType::L8 => PixelFormat::Gray8,
        ColorType::La8 => PixelFormat::GrayAlpha8,
        ColorType::Rgb8 => PixelFormat::Rgb8,
        ColorType::Rgba8 => PixelFormat::Rgba8,
        ColorType::L16 => PixelFormat::Gray16,
        ColorType::La16 => PixelFormat::GrayAlpha16,
        ColorType::Rgb16 => PixelFormat::Rgb16,
        ColorType::Rgba16 => PixelFormat::Rgba16,
        other => {
            let what = format!("a {file} with samples of the kind {other:?}");
            return Err(CodecErrorKind::Unsupported { what }.into());
        }
    })
}

fn orientation(of: image::metadata::Orientation) -> Orientation {
    Orientation::from_exif(of.to_exif().into()).unwrap_or_default()
}

fn from_image(file: FileFormat, bytes: &[u8], limits: &Limits, error: ImageError) -> CodecError {
    match error {
        ImageError::Unsupported(_) => {
            let what = format!("this {file} ({error})");
            CodecError::from(CodecErrorKind::Unsupported { what }).because(error)
        }
        ImageError::Limits(_) => {
            let (limit, needed) = (limits.max_bytes, limits.max_bytes.saturating_add(1));
            CodecError::from(CodecErrorKind::TooManyBytes { needed, limit }).because(error)
        }
        // Taken out, because its own kind says whether the file is cut off.
        ImageError::IoError(error) => CodecError::from_decoder(file, bytes.len() as u64, error),
        error => CodecError::from_decoder(file, bytes.len() as u64, error),
    }
}
