//! The detector of pixelmatch, decision for decision.

use std::ops::RangeInclusive;

use super::around::Around;
use crate::Backdrop;
use crate::pixel::Pixel;

/// Luma of the detector, over samples of 0 to 255.
const LUMA: [f64; 3] = [0.298_895_31, 0.586_622_47, 0.114_482_23];
/// From a premultiplied sample at 16 bits to a product of two at 8 bits.
const TO_PRODUCT: f64 = (257 * 257) as f64;

/// Which version.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pixelmatch {
    Seven,
    Eight,
}

impl Pixelmatch {
    /// Whether the pixel in column `x` of `width`, the one of `index` in reading order, is antialiasing in one of the images.
    pub(crate) fn finds(
        self,
        expected: &Around<'_>,
        actual: &Around<'_>,
        x: u32,
        width: u32,
        index: u64,
    ) -> bool {
        self.is_antialiased(expected, actual, x, width, index)
            || self.is_antialiased(actual, expected, x, width, index)
    }

    fn is_antialiased(self, image: &Around<'_>, other: &Around<'_>, x: u32, width: u32, index: u64) -> bool {
        let Some(center) = image.at(0, x) else { return false };
        let backdrop = match self {
            Self::Seven => Backdrop::Pixelmatch7.color(index),
            Self::Eight => [255; 3],
        };
        let (columns, rows) = (columns(x, width), rows(image, 0));
        let mut equal = u32::from(is_at_border(&columns, &rows));
        let (mut darkest, mut brightest) = ((0.0, x, 0), (0.0, x, 0));
        for column in columns {
            for row in rows.clone() {
                if (column, row) == (x, 0) {
                    continue;
                }
                let Some(neighbour) = image.at(row, column) else { continue };
                let delta = self.brightness(center, neighbour, backdrop);
                if delta == 0.0 {
                    equal += 1;
                    if equal > 2 {
                        return false;
                    }
                } else if delta < darkest.0 {
                    darkest = (delta, column, row);
                } else if delta > brightest.0 {
                    brightest = (delta, column, row);
                }
            }
        }
        let is_flat = |(_, column, row): (f64, u32, i32)| {
            has_equal_neighbours(image, column, row, width) && has_equal_neighbours(other, column, row, width)
        };
        darkest.0 != 0.0 && brightest.0 != 0.0 && (is_flat(darkest) || is_flat(brightest))
    }

    /// Luma of the first minus that of the second, both over the backdrop where one is translucent.
    fn brightness(self, first: Pixel, second: Pixel, backdrop: [u32; 3]) -> f64 {
        let translucent = !(first.is_opaque() && second.is_opaque());
        let alpha = i64::from(first.alpha) - i64::from(second.alpha);
        let [r, g, b] = [0, 1, 2].map(|c| {
            let product = i64::from(first.over_black[c]) - i64::from(second.over_black[c]);
            // 257·α at 8 bits is α at 16: the backdrop's share in the same unit as the products.
            let behind = if translucent { 257 * i64::from(backdrop[c]) * alpha } else { 0 };
            (product - behind) as f64 / (TO_PRODUCT * 255.0)
        });
        let luma = r * LUMA[0] + g * LUMA[1] + b * LUMA[2];
        match self {
            // Where luma cancels out, alpha gives the direction.
            Self::Eight if luma == 0.0 && translucent => alpha as f64 / 514.0,
            _ => luma,
        }
    }
}

fn columns(x: u32, width: u32) -> RangeInclusive<u32> {
    x.saturating_sub(1)..=(x + 1).min(width.saturating_sub(1))
}

fn rows(image: &Around<'_>, row: i32) -> RangeInclusive<i32> {
    let has = |row| i32::from(image.row(row).is_some());
    row - has(row - 1)..=row + has(row + 1)
}

/// Whether a pixel lacks neighbours; pixelmatch then counts one more as equal.
fn is_at_border(columns: &RangeInclusive<u32>, rows: &RangeInclusive<i32>) -> bool {
    columns.end() - columns.start() < 2 || rows.end() - rows.start() < 2
}

/// Whether at least three neighbours are the same bytes.
fn has_equal_neighbours(image: &Around<'_>, x: u32, row: i32, width: u32) -> bool {
    let (columns, rows) = (columns(x, width), rows(image, row));
    let mut equal = u32::from(is_at_border(&columns, &rows));
    let center = image.bytes(row, x);
    for column in columns {
        for neighbour in rows.clone() {
            if (column, neighbour) != (x, row) && image.bytes(neighbour, column) == center {
                equal += 1;
            }
        }
    }
    equal > 2
}
