//! Writing PNG.

use ::png::chunk::ChunkType;
use ::png::{BitDepth, ColorType, Compression, Encoder, EncodingError, SrgbRenderingIntent};
use trueup_frame::{Alpha, ColorSpace, ImageView, PixelFormat};

use crate::error::{CodecError, CodecErrorKind};

/// cICP for Display P3: primaries P3 D65, transfer sRGB, RGB matrix, full range.
const CICP_DISPLAY_P3: [u8; 4] = [12, 13, 0, 1];

/// Writes a picture as PNG, quickly.
///
/// - The file has the depth of the view (8 or 16 bits) and its channels. Where alpha is
///   [`Opaque`](Alpha::Opaque), an alpha sample is left out.
/// - Premultiplied samples are divided by alpha, rounded to the nearest; 0/0 is 0, and a colour above its alpha is cut
///   at full. Reading back gives straight alpha.
/// - Colour is tagged: sRGB by an `sRGB` chunk, Display P3 by a `cICP` chunk.
/// - Compression is `png`'s fast setting (adaptive filters and a deflate made for PNG): several times faster than zlib's
///   default and somewhat larger. The bytes are the same for the same picture on every machine.
///
/// # Errors
/// [`NoPixels`](CodecErrorKind::NoPixels) when width or height is 0, [`OutOfMemory`](CodecErrorKind::OutOfMemory) when
/// there is no memory for a copy of the pixels.
pub fn encode_png(view: &ImageView<'_>) -> Result<Vec<u8>, CodecError> {
    let size = view.size();
    if size.is_empty() {
        return Err(CodecErrorKind::NoPixels { size }.into());
    }
    let (color, depth) = stored_format(view)?;
    let pixels = stored_samples(view)?;

    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, size.width, size.height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.set_compression(Compression::Fast);
    if view.color() == ColorSpace::Srgb {
        encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    }
    let mut writer = encoder.write_header().map_err(failed)?;
    match view.color() {
        ColorSpace::Srgb => {}
        ColorSpace::DisplayP3 => {
            writer.write_chunk(ChunkType(*b"cICP"), &CICP_DISPLAY_P3).map_err(failed)?;
        }
        other => {
            let detail = format!("the colour space {other:?} has no tag; give sRGB or Display P3");
            return Err(CodecErrorKind::Encode { detail }.into());
        }
    }
    writer.write_image_data(&pixels).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(file)
}

pub(super) fn failed(error: EncodingError) -> CodecError {
    CodecError::from(CodecErrorKind::Encode { detail: error.to_string() }).because(error)
}

fn stored_format(view: &ImageView<'_>) -> Result<(ColorType, BitDepth), CodecError> {
    let opaque = view.alpha() == Alpha::Opaque;
    let color = match view.format() {
        PixelFormat::Gray8 | PixelFormat::Gray16 => ColorType::Grayscale,
        PixelFormat::GrayAlpha8 | PixelFormat::GrayAlpha16 if opaque => ColorType::Grayscale,
        PixelFormat::GrayAlpha8 | PixelFormat::GrayAlpha16 => ColorType::GrayscaleAlpha,
        PixelFormat::Rgb8 | PixelFormat::Rgb16 => ColorType::Rgb,
        PixelFormat::Rgba8 | PixelFormat::Rgba16 if opaque => ColorType::Rgb,
        PixelFormat::Rgba8 | PixelFormat::Rgba16 => ColorType::Rgba,
        other => {
            let detail = format!("the pixel format {other:?} has no PNG form");
            return Err(CodecErrorKind::Encode { detail }.into());
        }
    };
    let depth = if view.format().bits() == 16 { BitDepth::Sixteen } else { BitDepth::Eight };
    Ok((color, depth))
}

/// The samples as PNG has them: straight, high byte first, without an alpha that says nothing.
fn stored_samples(view: &ImageView<'_>) -> Result<Vec<u8>, CodecError> {
    let format = view.format();
    let channels = format.channels();
    let drop_alpha = view.alpha() == Alpha::Opaque && format.has_alpha();
    let kept = channels - usize::from(drop_alpha);
    let bytes = view.size().area().saturating_mul((kept * (format.bits() / 8) as usize) as u64);
    let too_much = |_| CodecError::from(CodecErrorKind::OutOfMemory { bytes });
    let mut out = Vec::new();
    out.try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX)).map_err(too_much)?;

    let divide = view.alpha() == Alpha::Premultiplied;
    for row in view.rows() {
        if format.bits() == 8 {
            if !divide && !drop_alpha {
                out.extend_from_slice(row);
                continue;
            }
            for pixel in row.chunks_exact(channels) {
                let alpha = u32::from(pixel[channels - 1]);
                for (i, &sample) in pixel[..kept].iter().enumerate() {
                    let divided = divide && i + 1 < channels;
                    // Cut at full by the division, so it fits.
                    out.push(if divided { unmultiply(u32::from(sample), alpha, 255) as u8 } else { sample });
                }
            }
        } else {
            for pixel in row.chunks_exact(2 * channels) {
                let read = |i: usize| u16::from_ne_bytes([pixel[2 * i], pixel[2 * i + 1]]);
                let alpha = u32::from(read(channels - 1));
                for i in 0..kept {
                    let sample = read(i);
                    let divided = divide && i + 1 < channels;
                    let sample =
                        if divided { unmultiply(u32::from(sample), alpha, 65_535) as u16 } else { sample };
                    out.extend_from_slice(&sample.to_be_bytes());
                }
            }
        }
    }
    Ok(out)
}

/// A straight sample from a premultiplied one, rounded to the nearest, at most `full`; 0 where alpha is 0.
fn unmultiply(sample: u32, alpha: u32, full: u32) -> u32 {
    (sample * full + alpha / 2).checked_div(alpha).map_or(0, |value| value.min(full))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_by_alpha_is_the_inverse_of_rounded_multiplication() {
        for full in [255u32, 65_535] {
            let step = if full == 255 { 1 } else { 257 };
            for alpha in (0..=full).step_by(step) {
                for straight in (0..=full).step_by(step) {
                    let multiplied = (straight * alpha + full / 2) / full;
                    let back = unmultiply(multiplied, alpha, full);
                    if alpha == 0 {
                        assert_eq!(back, 0);
                    } else {
                        // The best that the rounding in the input leaves: half a step of alpha.
                        assert!(back.abs_diff(straight) <= full.div_ceil(2 * alpha), "{straight} at {alpha}");
                    }
                }
            }
        }
        assert_eq!(unmultiply(9, 4, 255), 255, "a colour above its alpha is cut");
    }
}
