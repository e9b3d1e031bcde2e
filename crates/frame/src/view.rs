//! Borrowed pixels with a stride.

use crate::error::{ViewError, ViewErrorKind};
use crate::{Alpha, ColorSpace, PixelFormat, Rect, Size};

/// A borrowed image: rows of pixels at a fixed distance in somebody else's memory.
///
/// The bytes between the end of a row and the start of the next (padding) are never part of the image.
#[derive(Clone, Copy, Debug)]
pub struct ImageView<'a> {
    bytes: &'a [u8],
    size: Size,
    stride_bytes: usize,
    format: PixelFormat,
    alpha: Alpha,
    color: ColorSpace,
}

impl<'a> ImageView<'a> {
    /// A view of rows without padding, in sRGB; alpha is straight where the format has it.
    ///
    /// # Errors
    /// When `bytes` is shorter than the rows need.
    pub fn packed(bytes: &'a [u8], size: Size, format: PixelFormat) -> Result<Self, ViewError> {
        let stride = row_bytes(size, format)?;
        Self::strided(bytes, size, format, stride)
    }

    /// A view of rows that start `stride_bytes` apart, in sRGB; alpha is straight where the format has it.
    ///
    /// The last row needs only its pixels, not its padding.
    ///
    /// # Errors
    /// When a row does not fit in the stride, or `bytes` is shorter than the rows need.
    pub fn strided(
        bytes: &'a [u8],
        size: Size,
        format: PixelFormat,
        stride_bytes: usize,
    ) -> Result<Self, ViewError> {
        let row = row_bytes(size, format)?;
        if size.height > 1 && stride_bytes < row {
            return Err(ViewError::new(ViewErrorKind::StrideTooSmall { row, stride: stride_bytes }));
        }
        let expected = needed_bytes(size, row, stride_bytes)?;
        if bytes.len() < expected {
            return Err(ViewError::new(ViewErrorKind::TooShort { expected, found: bytes.len() }));
        }
        let alpha = if format.has_alpha() { Alpha::Straight } else { Alpha::Opaque };
        Ok(Self { bytes, size, stride_bytes, format, alpha, color: ColorSpace::Srgb })
    }

    /// The same pixels with another meaning of alpha. [`Alpha::Opaque`] ignores an alpha sample.
    ///
    /// # Errors
    /// When the format has no alpha sample and the meaning needs one.
    pub fn with_alpha(self, alpha: Alpha) -> Result<Self, ViewError> {
        if alpha != Alpha::Opaque && !self.format.has_alpha() {
            return Err(ViewError::new(ViewErrorKind::AlphaWithoutChannel { format: self.format, alpha }));
        }
        Ok(Self { alpha, ..self })
    }

    /// The same pixels in another colour space.
    #[must_use]
    pub const fn with_color(self, color: ColorSpace) -> Self {
        Self { color, ..self }
    }

    /// The part inside `rect`, without copying.
    ///
    /// # Errors
    /// When `rect` reaches outside the image.
    pub fn crop(self, rect: Rect) -> Result<Self, ViewError> {
        if rect.right() > u64::from(self.size.width) || rect.bottom() > u64::from(self.size.height) {
            return Err(ViewError::new(ViewErrorKind::OutOfBounds { rect, size: self.size }));
        }
        let size = Size::new(rect.width, rect.height);
        if rect.is_empty() {
            return Ok(Self { bytes: &[], size, ..self });
        }
        // Inside the image, so the offset lies inside `bytes`.
        let start = rect.y as usize * self.stride_bytes + rect.x as usize * self.format.bytes_per_pixel();
        Ok(Self { bytes: &self.bytes[start..], size, ..self })
    }

    /// Width and height in pixels.
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

    /// Bytes from the start of one row to the start of the next.
    #[must_use]
    pub const fn stride_bytes(&self) -> usize {
        self.stride_bytes
    }

    /// The bytes of row `y`, without padding.
    ///
    /// # Panics
    /// When `y` is not below the height.
    #[must_use]
    pub fn row(&self, y: u32) -> &'a [u8] {
        assert!(y < self.size.height, "row {y} of an image of {}", self.size);
        if self.size.width == 0 {
            // A crop without columns keeps its stride and has no bytes to count it in.
            return &[];
        }
        let start = y as usize * self.stride_bytes;
        let len = self.size.width as usize * self.format.bytes_per_pixel();
        &self.bytes[start..start + len]
    }

    /// All rows from the top, each without padding.
    pub fn rows(self) -> impl ExactSizeIterator<Item = &'a [u8]> {
        (0..self.size.height).map(move |y| self.row(y))
    }
}

pub(crate) fn row_bytes(size: Size, format: PixelFormat) -> Result<usize, ViewError> {
    (size.width as usize)
        .checked_mul(format.bytes_per_pixel())
        .ok_or(ViewError::new(ViewErrorKind::TooLarge { size }))
}

pub(crate) fn needed_bytes(size: Size, row: usize, stride: usize) -> Result<usize, ViewError> {
    if size.is_empty() {
        return Ok(0);
    }
    (size.height as usize - 1)
        .checked_mul(stride)
        .and_then(|bytes| bytes.checked_add(row))
        .ok_or(ViewError::new(ViewErrorKind::TooLarge { size }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_not_part_of_a_row() {
        let bytes = [1, 2, 9, 9, 3, 4];
        let view = ImageView::strided(&bytes, Size::new(2, 2), PixelFormat::Gray8, 4).unwrap();
        assert_eq!(view.rows().collect::<Vec<_>>(), [&[1, 2][..], &[3, 4][..]]);
    }

    #[test]
    fn crop_keeps_the_stride() {
        let bytes: Vec<u8> = (0..16).collect();
        let view = ImageView::packed(&bytes, Size::new(4, 4), PixelFormat::Gray8).unwrap();
        let crop = view.crop(Rect::new(1, 2, 2, 2)).unwrap();
        assert_eq!(crop.row(1), &[13, 14]);
        assert!(view.crop(Rect::new(3, 0, 2, 1)).is_err());
        assert_eq!(view.crop(Rect::new(4, 4, 0, 0)).unwrap().rows().len(), 0);
        assert_eq!(view.crop(Rect::new(4, 0, 0, 3)).unwrap().rows().collect::<Vec<_>>(), [&[][..]; 3]);
    }

    #[test]
    fn bytes_that_do_not_hold_the_image_are_refused() {
        let short = ImageView::packed(&[0; 5], Size::new(2, 1), PixelFormat::Rgb8).unwrap_err();
        assert_eq!(short.kind(), &ViewErrorKind::TooShort { expected: 6, found: 5 });
        let narrow = ImageView::strided(&[0; 64], Size::new(2, 2), PixelFormat::Rgb8, 5).unwrap_err();
        assert_eq!(narrow.kind(), &ViewErrorKind::StrideTooSmall { row: 6, stride: 5 });
        let huge =
            ImageView::strided(&[], Size::new(1, u32::MAX), PixelFormat::Gray8, usize::MAX).unwrap_err();
        assert!(matches!(huge.kind(), ViewErrorKind::TooLarge { .. }));
    }

    #[test]
    fn alpha_needs_a_channel() {
        let view = ImageView::packed(&[0; 3], Size::new(1, 1), PixelFormat::Rgb8).unwrap();
        assert!(view.with_alpha(Alpha::Premultiplied).is_err());
        assert_eq!(view.with_alpha(Alpha::Opaque).unwrap().alpha(), Alpha::Opaque);
    }
}
