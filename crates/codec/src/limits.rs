//! How much a file may ask for.

use trueup_frame::{PixelFormat, Size};

use crate::error::{CodecError, CodecErrorKind};

/// What a file may cost, checked against its header before memory is taken for pixels.
///
/// ```
/// use trueup_codec::Limits;
///
/// let thumbnails = Limits::default().with_max_pixels(1_000_000);
/// assert_eq!(thumbnails.max_pixels, 1_000_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Pixels that one picture may have: width × height.
    ///
    /// 2^29 (537 megapixels) by default. The largest pictures in honest use are full-page screenshots at three device
    /// pixels per CSS pixel and scanned boards of up to 400 megapixels; a header that claims 60 000 × 60 000 is an
    /// attack or damage.
    pub max_pixels: u64,
    /// Bytes of decoded pixels that one decoder may hold at a time.
    ///
    /// 4 GiB by default: what the largest allowed picture takes at 8 bytes a pixel, so that the two limits refuse the
    /// same pictures. Reading in bands needs only the bytes of a band where the format allows it (a PNG that is not
    /// interlaced), and a picture that has to be turned is held twice for a moment.
    pub max_bytes: u64,
}

impl Limits {
    /// The same limits with another number of pixels.
    #[must_use]
    pub const fn with_max_pixels(self, max_pixels: u64) -> Self {
        Self { max_pixels, ..self }
    }

    /// The same limits with another number of bytes.
    #[must_use]
    pub const fn with_max_bytes(self, max_bytes: u64) -> Self {
        Self { max_bytes, ..self }
    }

    pub(crate) fn check_pixels(&self, size: Size) -> Result<(), CodecError> {
        if size.area() > self.max_pixels {
            let limit = self.max_pixels;
            return Err(CodecErrorKind::TooManyPixels { size, limit }.into());
        }
        Ok(())
    }

    /// The bytes that one copy of the pixels takes, when `copies` of them are allowed at a time.
    pub(crate) fn check_bytes(
        &self,
        size: Size,
        format: PixelFormat,
        copies: u64,
    ) -> Result<u64, CodecError> {
        // At most 2^64 pixels times 8: saturating is enough, nothing that large is allowed.
        let bytes = size.area().saturating_mul(format.bytes_per_pixel() as u64);
        let needed = bytes.saturating_mul(copies);
        if needed > self.max_bytes {
            return Err(CodecErrorKind::TooManyBytes { needed, limit: self.max_bytes }.into());
        }
        Ok(bytes)
    }

    /// A zeroed buffer for the pixels, when `copies` of them are allowed at a time.
    pub(crate) fn buffer(&self, size: Size, format: PixelFormat, copies: u64) -> Result<Vec<u8>, CodecError> {
        let mut buffer = Vec::new();
        resize(&mut buffer, self.check_bytes(size, format, copies)?)?;
        Ok(buffer)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_pixels: 1 << 29, max_bytes: 1 << 32 }
    }
}

/// Makes a buffer exactly this long, without aborting the process when there is no memory.
pub(crate) fn resize(buffer: &mut Vec<u8>, bytes: u64) -> Result<(), CodecError> {
    let too_much = || CodecError::from(CodecErrorKind::OutOfMemory { bytes });
    let len = usize::try_from(bytes).map_err(|_| too_much())?;
    if len > buffer.len() {
        buffer.try_reserve_exact(len - buffer.len()).map_err(|_| too_much())?;
    }
    buffer.resize(len, 0);
    Ok(())
}
