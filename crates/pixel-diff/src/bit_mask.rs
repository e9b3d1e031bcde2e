//! Masks of any shape.

use std::fmt;
use std::sync::Arc;

use trueup_frame::{ImageView, Rect, Size};

use crate::error::DiffError;
use crate::pixel::Reader;

/// An area that is not compared.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a rectangle, or any shape at all")]
pub enum Mask {
    /// A rectangle, half-open, in pixels of either image.
    Rect(Rect),
    /// Any shape.
    Bits(BitMask),
}

impl From<Rect> for Mask {
    fn from(rect: Rect) -> Self {
        Self::Rect(rect)
    }
}

impl From<BitMask> for Mask {
    fn from(bits: BitMask) -> Self {
        Self::Bits(bits)
    }
}

/// A mask of one bit a pixel, from the upper left corner of both images. What lies outside of it is compared.
///
/// ```
/// use trueup_frame::{ImageView, PixelFormat, Size};
/// use trueup_pixel_diff::{BitMask, Options};
///
/// // What is white is left out.
/// let drawing = ImageView::packed(&[0, 255, 255, 0], Size::new(2, 2), PixelFormat::Gray8)?;
/// let mask = BitMask::from_image(&drawing)?;
/// assert!(mask.contains(1, 0) && !mask.contains(1, 1));
/// let options = Options::default().with_ignored(mask);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct BitMask {
    size: Size,
    /// Rows of 64-bit words, the first pixel in the lowest bit; bits beyond the width are 0.
    words: Arc<[u64]>,
}

impl BitMask {
    /// The pixels for which `is_masked` is true, asked by column and row.
    #[must_use]
    pub fn from_fn(size: Size, mut is_masked: impl FnMut(u32, u32) -> bool) -> Self {
        let mut words = Vec::new();
        for y in 0..size.height {
            for first in (0..size.width).step_by(64) {
                let count = (size.width - first).min(64);
                words
                    .push((0..count).fold(0, |word, bit| word | u64::from(is_masked(first + bit, y)) << bit));
            }
        }
        Self { size, words: words.into() }
    }

    /// The pixels of a drawing that are bright and there: at least half opaque, with at least one sample of at least
    /// half. So white on black will do, and any bright colour on nothing.
    ///
    /// # Errors
    /// When the pixel format is not supported.
    pub fn from_image(drawing: &ImageView<'_>) -> Result<Self, DiffError> {
        let reader = Reader::new(drawing.format(), drawing.alpha())?;
        Ok(Self::from_fn(drawing.size(), |x, y| {
            let pixel = reader.read(drawing.row(y), x as usize);
            let half = u32::from(u16::MAX) / 2;
            // At least half of what its alpha allows.
            let bright = u32::from(pixel.alpha) * half;
            u32::from(pixel.alpha) > half && pixel.over_black.iter().any(|&sample| sample > bright)
        }))
    }

    /// Its size in pixels.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Whether a pixel is masked; none is outside.
    #[must_use]
    pub fn contains(&self, x: u32, y: u32) -> bool {
        x < self.size.width && self.row(y).get(x as usize / 64).is_some_and(|word| word >> (x % 64) & 1 == 1)
    }

    /// The words of a row; none outside.
    pub(crate) fn row(&self, y: u32) -> &[u64] {
        let stride = self.size.width.div_ceil(64) as usize;
        self.words.get(y as usize * stride..(y as usize + 1) * stride).unwrap_or_default()
    }

    /// What it is in an image of this size where parts of what it covers stand elsewhere: each a box within the image, and the
    /// upper left corner from which it came. `None` when it covers nothing of them.
    pub(crate) fn moved(&self, size: Size, parts: impl Iterator<Item = (Rect, [u32; 2])>) -> Option<Self> {
        let stride = size.width.div_ceil(64) as usize;
        let mut words = Vec::new();
        for (to, [from_x, from_y]) in parts {
            let rows = to.height.min(self.size.height.saturating_sub(from_y));
            let columns = to.width.min(self.size.width.saturating_sub(from_x));
            for dy in 0..rows {
                for x in (0..columns).filter(|dx| self.contains(from_x + dx, from_y + dy)).map(|dx| to.x + dx)
                {
                    if words.is_empty() {
                        words.resize(stride * size.height as usize, 0);
                    }
                    words[(to.y + dy) as usize * stride + x as usize / 64] |= 1_u64 << (x % 64);
                }
            }
        }
        (!words.is_empty()).then(|| Self { size, words: words.into() })
    }

    /// Whether a pixel inside an image of this size is masked.
    pub(crate) fn touches(&self, size: Size) -> bool {
        (0..size.height.min(self.size.height)).any(|y| {
            let row = self.row(y);
            row.iter().zip((0..size.width).step_by(64)).any(|(word, first)| {
                let inside = (size.width - first).min(64);
                word << (64 - inside) != 0
            })
        })
    }
}

impl fmt::Debug for BitMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let masked: u64 = self.words.iter().map(|word| u64::from(word.count_ones())).sum();
        f.debug_struct("BitMask").field("size", &self.size).field("masked", &masked).finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_moved_is_masked_where_it_stands_now(
            sides in prop::array::uniform4(1..150_u32), seed: u64,
            parts in prop::collection::vec((0..150_u32, 0..150_u32, 1..90_u32, 1..90_u32, 0..90_u32, 0..90_u32), 0..5),
        ) {
            let [size, own] = [Size::new(sides[0], sides[1]), Size::new(sides[2], sides[3])];
            let mask = BitMask::from_fn(own, |x, y| seed.rotate_left(x / 7 + y / 5 * 3) & 3 == 0);
            let parts = parts.into_iter().filter_map(|(x, y, width, height, from_x, from_y)| {
                Some((Rect::new(x, y, width, height).clipped_to(size)?, [from_x, from_y]))
            });
            let parts: Vec<(Rect, [u32; 2])> = parts.collect();
            let plain = BitMask::from_fn(size, |x, y| {
                parts.iter().any(|(to, from)| to.contains(x, y) && mask.contains(from[0] + x - to.x, from[1] + y - to.y))
            });
            let moved = mask.moved(size, parts.iter().copied());
            prop_assert_eq!(moved.is_some(), plain.touches(size));
            prop_assert_eq!(moved.unwrap_or_else(|| BitMask::from_fn(size, |_, _| false)), plain);
        }
    }
}
