//! Writing PNG row by row.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use ::png::{BitDepth, ColorType, Compression, Encoder, EncodingError, SrgbRenderingIntent, StreamWriter};
use trueup_frame::{PixelFormat, Size};

use super::write::failed;
use crate::error::{CodecError, CodecErrorKind};

/// Bytes that are compressed at a time.
const CHUNK_BYTES: usize = 1 << 16;

/// Writes a PNG from the top, without holding the picture.
///
/// For drawings with large flat areas: rows are stored as differences from the row above, with the fastest deflate there
/// is for PNG. Samples are sRGB of 8 bits, alpha is straight. The bytes are the same for the same picture on every
/// machine, however the rows are cut.
///
/// ```
/// use trueup_codec::{Limits, PngWriter, decode};
/// use trueup_frame::{PixelFormat, Size};
///
/// let mut writer = PngWriter::new(Size::new(1, 2), PixelFormat::Rgb8)?;
/// writer.push(&[255, 0, 0])?;
/// writer.push(&[0, 0, 255])?;
/// let file = writer.finish()?;
/// let picture = decode(&file, &Limits::default())?;
/// assert_eq!(picture.frame.bytes(), [255, 0, 0, 0, 0, 255]);
/// # Ok::<(), trueup_codec::CodecError>(())
/// ```
pub struct PngWriter {
    stream: StreamWriter<'static, Sink>,
    /// What the stream writes to.
    file: Sink,
    size: Size,
    format: PixelFormat,
    /// Bytes that are still to come.
    left: u64,
}

/// The file so far. The stream wants to own what it writes to, and never gives it back.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl PngWriter {
    /// Begins a picture.
    ///
    /// # Errors
    /// [`NoPixels`](CodecErrorKind::NoPixels) when width or height is 0; [`Encode`](CodecErrorKind::Encode) for a format of
    /// other than 8 bits.
    pub fn new(size: Size, format: PixelFormat) -> Result<Self, CodecError> {
        if size.is_empty() {
            return Err(CodecErrorKind::NoPixels { size }.into());
        }
        let color = match format {
            PixelFormat::Gray8 => ColorType::Grayscale,
            PixelFormat::GrayAlpha8 => ColorType::GrayscaleAlpha,
            PixelFormat::Rgb8 => ColorType::Rgb,
            PixelFormat::Rgba8 => ColorType::Rgba,
            other => {
                let detail =
                    format!("the pixel format {other:?} cannot be written by rows; give one of 8 bits");
                return Err(CodecErrorKind::Encode { detail }.into());
            }
        };
        let file = Sink::default();
        let mut encoder = Encoder::new(file.clone(), size.width, size.height);
        encoder.set_color(color);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Fastest);
        encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
        let writer = encoder.write_header().map_err(failed)?;
        let stream = writer.into_stream_writer_with_size(CHUNK_BYTES).map_err(failed)?;
        let left = size.area().saturating_mul(format.bytes_per_pixel() as u64);
        Ok(Self { stream, file, size, format, left })
    }

    /// Writes the next samples: any number of rows, or parts of them, packed.
    ///
    /// # Errors
    /// [`Encode`](CodecErrorKind::Encode) when the picture has no room for so many samples.
    pub fn push(&mut self, samples: &[u8]) -> Result<(), CodecError> {
        let Some(left) = self.left.checked_sub(samples.len() as u64) else {
            let detail = format!("{} bytes were given where {} were left", samples.len(), self.left);
            return Err(CodecErrorKind::Encode { detail }.into());
        };
        self.stream.write_all(samples).map_err(|error| failed(EncodingError::IoError(error)))?;
        self.left = left;
        Ok(())
    }

    /// Ends the picture and gives the file.
    ///
    /// # Errors
    /// [`Encode`](CodecErrorKind::Encode) when samples are missing.
    pub fn finish(self) -> Result<Vec<u8>, CodecError> {
        if self.left > 0 {
            let detail = format!("{} bytes of the picture are missing", self.left);
            return Err(CodecErrorKind::Encode { detail }.into());
        }
        self.stream.finish().map_err(failed)?;
        Ok(std::mem::take(&mut *self.file.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl fmt::Debug for PngWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PngWriter")
            .field("size", &self.size)
            .field("format", &self.format)
            .field("left", &self.left)
            .finish_non_exhaustive()
    }
}
