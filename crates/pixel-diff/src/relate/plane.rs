//! An image as one key a pixel, for finding what is the same.

use trueup_frame::{Alpha, ImageView, Rect, Size};

use crate::pixel::{Pixel, Reader};
use crate::{DiffError, Layout};

/// One key a pixel. Equal pixels have equal keys; where both images have 8 bits and one meaning of alpha, unequal pixels
/// have unequal keys, too. Elsewhere keys are hashes: what they say is held against the pixels by the scan that follows.
#[derive(Debug)]
pub(crate) struct Plane {
    size: Size,
    keys: Vec<u32>,
}

impl Plane {
    /// The planes of two images.
    pub(crate) fn both(expected: &ImageView<'_>, actual: &ImageView<'_>) -> Result<[Self; 2], DiffError> {
        let readers = [Layout::of(expected).reader()?, Layout::of(actual).reader()?];
        let alphas = [expected.alpha(), actual.alpha()];
        let one_meaning = alphas[0] == alphas[1] || alphas.contains(&Alpha::Opaque);
        let is_exact = one_meaning && readers.iter().all(Reader::is_narrow);
        Ok([Self::new(expected, readers[0], is_exact), Self::new(actual, readers[1], is_exact)])
    }

    fn new(view: &ImageView<'_>, reader: Reader, is_exact: bool) -> Self {
        let size = view.size();
        let mut keys = Vec::with_capacity((u64::from(size.width) * u64::from(size.height)) as usize);
        if size.is_empty() {
            return Self { size, keys };
        }
        let width = size.width as usize;
        for row in (0..size.height).map(|y| view.row(y)) {
            if !is_exact {
                keys.extend((0..width).map(|x| hashed(reader.read(row, x))));
                continue;
            }
            reader.extend_keys(&row[..width * reader.bytes_per_pixel()], &mut keys);
        }
        Self { size, keys }
    }

    pub(crate) const fn size(&self) -> Size {
        self.size
    }

    pub(crate) fn at(&self, x: u32, y: u32) -> u32 {
        self.keys[self.index(x, y)]
    }

    /// The keys of row `y`, columns `x..x + width`.
    pub(crate) fn row(&self, x: u32, y: u32, width: u32) -> &[u32] {
        let first = self.index(x, y);
        &self.keys[first..first + width as usize]
    }

    /// A hash of each row of an area.
    pub(crate) fn row_hashes(&self, area: Rect) -> Vec<u64> {
        (0..area.height).map(|dy| hash(self.row(area.x, area.y + dy, area.width))).collect()
    }

    /// A hash of each column of an area.
    pub(crate) fn column_hashes(&self, area: Rect) -> Vec<u64> {
        let mut hashes = vec![0_u64; area.width as usize];
        for dy in 0..area.height {
            let factor = spread(u64::from(dy)) | 1;
            for (hash, &key) in hashes.iter_mut().zip(self.row(area.x, area.y + dy, area.width)) {
                *hash = hash.wrapping_add((u64::from(key) + 1).wrapping_mul(factor));
            }
        }
        hashes.into_iter().map(spread).collect()
    }

    /// A hash of the places where each row of an area changes its colour.
    pub(crate) fn row_shapes(&self, area: Rect) -> Vec<u64> {
        let shape = |keys: &[u32]| {
            let changes = (0_u64..).zip(keys.windows(2)).filter(|(_, two)| two[0] != two[1]);
            changes.fold(0, |all, (x, _)| spread(all ^ (x + 1)))
        };
        (0..area.height).map(|dy| shape(self.row(area.x, area.y + dy, area.width))).collect()
    }

    /// A hash of the places where each column of an area changes its colour.
    pub(crate) fn column_shapes(&self, area: Rect) -> Vec<u64> {
        let mut shapes = vec![0_u64; area.width as usize];
        for dy in 1..area.height {
            let above = self.row(area.x, area.y + dy - 1, area.width);
            let here = self.row(area.x, area.y + dy, area.width);
            for (shape, (above, here)) in shapes.iter_mut().zip(above.iter().zip(here)) {
                if above != here {
                    *shape = spread(*shape ^ u64::from(dy));
                }
            }
        }
        shapes
    }

    fn index(&self, x: u32, y: u32) -> usize {
        y as usize * self.size.width as usize + x as usize
    }
}

/// A hash of some keys in their order. Each place has a factor of its own, so that the sum needs no waiting.
fn hash(keys: &[u32]) -> u64 {
    let mut sums = [0_u64; 4];
    let mut factor = 0x9E37_79B9_7F4A_7C15_u64;
    let (fours, rest) = keys.as_chunks::<4>();
    for four in fours {
        for (lane, (sum, &key)) in sums.iter_mut().zip(four).enumerate() {
            let factor = factor.rotate_left(16 * lane as u32) | 1;
            *sum = sum.wrapping_add((u64::from(key) + 1).wrapping_mul(factor));
        }
        factor = factor.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(0x2545_F491_4F6C_DD1D);
    }
    let mut all = sums.into_iter().fold(0, |all, sum| spread(all ^ sum));
    for &key in rest {
        all = spread(all ^ (u64::from(key) + 1));
    }
    all
}

/// Spreads every bit over all of them.
pub(crate) const fn spread(mut value: u64) -> u64 {
    value = (value ^ value >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    value = (value ^ value >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value ^ value >> 32
}

fn hashed(pixel: Pixel) -> u32 {
    if let Some([r, g, b]) = pixel.opaque8() {
        return u32::from_le_bytes([r, g, b, 255]);
    }
    let [r, g, b] = pixel.over_black.map(u64::from);
    (spread(spread(r << 32 | g) ^ (b << 16 | u64::from(pixel.alpha))) >> 32) as u32
}
