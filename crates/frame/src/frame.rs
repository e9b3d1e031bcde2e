//! Owned pixels.

use std::fmt;

use crate::error::{ViewError, ViewErrorKind};
use crate::view::{needed_bytes, row_bytes};
use crate::{Alpha, ColorSpace, ImageView, PixelFormat, Size};

/// Device pixels per CSS pixel, in thousandths so that it is exact: 1 000 for an ordinary screen, 2 000 for retina.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "u32", into = "u32")
)]
pub struct PixelRatio(u32);

impl PixelRatio {
    /// One device pixel per CSS pixel.
    pub const ONE: Self = Self(1_000);

    /// A ratio in thousandths, from 1 to 16 000 (a thousandth to sixteen); `None` outside.
    #[must_use]
    pub const fn from_thousandths(thousandths: u32) -> Option<Self> {
        if thousandths >= 1 && thousandths <= 16_000 { Some(Self(thousandths)) } else { None }
    }

    /// The ratio in thousandths.
    #[must_use]
    pub const fn thousandths(self) -> u32 {
        self.0
    }
}

impl From<PixelRatio> for u32 {
    /// The ratio in thousandths.
    fn from(ratio: PixelRatio) -> Self {
        ratio.0
    }
}

impl TryFrom<u32> for PixelRatio {
    type Error = ViewError;

    /// A ratio in thousandths.
    fn try_from(thousandths: u32) -> Result<Self, ViewError> {
        Self::from_thousandths(thousandths)
            .ok_or(ViewError::new(ViewErrorKind::RatioOutOfRange { thousandths }))
    }
}

impl Default for PixelRatio {
    fn default() -> Self {
        Self::ONE
    }
}

impl fmt::Display for PixelRatio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.0) / 1000.0)
    }
}

/// An owned image, tightly packed.
#[derive(Clone, PartialEq, Eq)]
pub struct Frame {
    bytes: Vec<u8>,
    size: Size,
    format: PixelFormat,
    alpha: Alpha,
    color: ColorSpace,
    ratio: PixelRatio,
}

impl Frame {
    /// Takes the bytes of an image without padding between rows, in sRGB at one device pixel per CSS pixel; alpha is
    /// straight where the format has it.
    ///
    /// # Errors
    /// When `bytes` is not exactly as long as the pixels need.
    pub fn new(bytes: Vec<u8>, size: Size, format: PixelFormat) -> Result<Self, ViewError> {
        let row = row_bytes(size, format)?;
        let expected = needed_bytes(size, row, row)?;
        if bytes.len() != expected {
            return Err(ViewError::new(ViewErrorKind::LengthMismatch { expected, found: bytes.len() }));
        }
        let alpha = if format.has_alpha() { Alpha::Straight } else { Alpha::Opaque };
        Ok(Self { bytes, size, format, alpha, color: ColorSpace::Srgb, ratio: PixelRatio::ONE })
    }

    /// A copy of the pixels that a view shows.
    #[must_use]
    pub fn from_view(view: ImageView<'_>) -> Self {
        let mut bytes = Vec::new();
        for row in view.rows() {
            bytes.extend_from_slice(row);
        }
        let (size, format) = (view.size(), view.format());
        Self { bytes, size, format, alpha: view.alpha(), color: view.color(), ratio: PixelRatio::ONE }
    }

    /// The same pixels with another meaning of alpha.
    ///
    /// # Errors
    /// When the format has no alpha sample and the meaning needs one.
    pub fn with_alpha(mut self, alpha: Alpha) -> Result<Self, ViewError> {
        self.alpha = self.view().with_alpha(alpha)?.alpha();
        Ok(self)
    }

    /// The same pixels in another colour space.
    #[must_use]
    pub fn with_color(self, color: ColorSpace) -> Self {
        Self { color, ..self }
    }

    /// The same pixels at another device pixel ratio.
    #[must_use]
    pub fn with_ratio(self, ratio: PixelRatio) -> Self {
        Self { ratio, ..self }
    }

    /// Borrows the whole image.
    #[must_use]
    pub fn view(&self) -> ImageView<'_> {
        // The constructor checked the length, and crops are not involved: this cannot fail.
        ImageView::packed(&self.bytes, self.size, self.format)
            .and_then(|view| view.with_alpha(self.alpha))
            .map(|view| view.with_color(self.color))
            .unwrap_or_else(|error| unreachable!("a frame always holds its pixels: {error}"))
    }

    /// Width and height in device pixels.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Layout of one pixel.
    #[must_use]
    pub const fn format(&self) -> PixelFormat {
        self.format
    }

    /// Meaning of the alpha sample.
    #[must_use]
    pub const fn alpha(&self) -> Alpha {
        self.alpha
    }

    /// Colour space of the samples.
    #[must_use]
    pub const fn color(&self) -> ColorSpace {
        self.color
    }

    /// Device pixels per CSS pixel.
    #[must_use]
    pub const fn ratio(&self) -> PixelRatio {
        self.ratio
    }

    /// The pixels, row after row.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Gives the pixels away, row after row.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Pixels would drown whatever this is printed into.
        f.debug_struct("Frame")
            .field("size", &format_args!("{}", self.size))
            .field("format", &self.format)
            .field("alpha", &self.alpha)
            .field("color", &self.color)
            .field("ratio", &format_args!("{}", self.ratio))
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rect;

    #[test]
    fn a_frame_is_exactly_its_pixels() {
        assert!(Frame::new(vec![0; 7], Size::new(2, 1), PixelFormat::Rgb8).is_err());
        assert!(Frame::new(vec![0; 6], Size::new(2, 1), PixelFormat::Rgb8).is_ok());
        assert!(Frame::new(vec![], Size::new(0, 9), PixelFormat::Rgb8).is_ok());
    }

    #[test]
    fn a_copied_crop_drops_the_stride() {
        let bytes: Vec<u8> = (0..16).collect();
        let view = ImageView::packed(&bytes, Size::new(4, 4), PixelFormat::Gray8).unwrap();
        let frame = Frame::from_view(view.crop(Rect::new(2, 1, 2, 2)).unwrap());
        assert_eq!(frame.bytes(), &[6, 7, 10, 11]);
        assert_eq!(frame.view().row(1), &[10, 11]);
    }

    #[test]
    fn ratio_keeps_its_range() {
        assert_eq!(PixelRatio::from_thousandths(0), None);
        assert_eq!(PixelRatio::from_thousandths(1_500).map(|r| r.to_string()).as_deref(), Some("1.5"));
    }
}
