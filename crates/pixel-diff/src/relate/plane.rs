//! An image as one key a pixel, for finding what is the same.

use trueup_frame::{Alpha, ImageView, Rect, Size};

use crate::pixel::{Pixel, Reader};
use crate::{DiffError, Layout};

/// Pixels whose keys are made at a time.
const BLOCK: usize = 64;

/// One key a pixel. Equal pixels have equal keys; where both images have 8 bits and one meaning of alpha, unequal pixels
/// have unequal keys, too. Elsewhere keys are hashes: what they say is held against the pixels by the scan that follows.
///
/// Keys are made when they are asked for. To keep them would take longer than to make them again, and more memory than both
/// images.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane<'a> {
    view: ImageView<'a>,
    reader: Reader,
    is_exact: bool,
}

impl<'a> Plane<'a> {
    /// The planes of two images.
    pub(crate) fn both(expected: &ImageView<'a>, actual: &ImageView<'a>) -> Result<[Self; 2], DiffError> {
        let readers = [Layout::of(expected).reader()?, Layout::of(actual).reader()?];
        let alphas = [expected.alpha(), actual.alpha()];
        let one_meaning = alphas[0] == alphas[1] || alphas.contains(&Alpha::Opaque);
        let is_exact = one_meaning && readers.iter().all(Reader::is_narrow);
        let plane = |view: &ImageView<'a>, reader| Self { view: *view, reader, is_exact };
        Ok([plane(expected, readers[0]), plane(actual, readers[1])])
    }

    pub(crate) const fn size(&self) -> Size {
        self.view.size()
    }

    pub(crate) fn at(&self, x: u32, y: u32) -> u32 {
        self.key(self.bytes([x, y], 1), 0)
    }

    /// The keys of `width` pixels side by side, in place of what `keys` held.
    pub(crate) fn read_row(&self, at: [u32; 2], width: u32, keys: &mut Vec<u32>) {
        let bytes = self.bytes(at, width);
        // Nothing of it is looked at before it is written.
        keys.resize(width as usize, 0);
        let (blocks, rest) = keys.as_chunks_mut::<BLOCK>();
        let (whole, last) = bytes.split_at(blocks.len() * BLOCK * self.reader.bytes_per_pixel());
        for (bytes, block) in whole.chunks(BLOCK * self.reader.bytes_per_pixel()).zip(blocks) {
            self.read_block(bytes, block);
        }
        let mut block = [0; BLOCK];
        self.read_block(last, &mut block);
        rest.copy_from_slice(&block[..rest.len()]);
    }

    /// Whether `width` pixels from one on are those of another plane from some place on.
    pub(crate) fn is_same(&self, at: [u32; 2], other: &Self, there: [u32; 2], width: u32) -> bool {
        let (here, there) = (self.bytes(at, width), other.bytes(there, width));
        if self.reads_like(other) {
            if here == there {
                return true;
            }
            if self.is_plain() {
                return false;
            }
        }
        (0..width as usize).all(|i| self.key(here, i) == other.key(there, i))
    }

    /// How many of `width` pixels from one on are those of another plane from some place on.
    pub(crate) fn alike(&self, at: [u32; 2], other: &Self, there: [u32; 2], width: u32) -> u32 {
        let (here, there) = (self.bytes(at, width), other.bytes(there, width));
        let size = [self, other].map(|plane| plane.reader.bytes_per_pixel() * BLOCK);
        let (mut a, mut b) = ([0; BLOCK], [0; BLOCK]);
        let mut alike = 0;
        for (here, there) in here.chunks(size[0]).zip(there.chunks(size[1])) {
            let count = self.read_block(here, &mut a);
            other.read_block(there, &mut b);
            alike += a[..count].iter().zip(&b[..count]).map(|(a, b)| u32::from(a == b)).sum::<u32>();
        }
        alike
    }

    /// Whether all pixels of an area are the same.
    pub(crate) fn is_one_color(&self, area: Rect) -> bool {
        let first = self.at(area.x, area.y);
        (0..area.height).all(|dy| {
            let bytes = self.bytes([area.x, area.y + dy], area.width);
            if self.is_plain() {
                // Each pixel is the one before it, and the first one is the colour.
                let pixel = self.reader.bytes_per_pixel();
                return self.key(bytes, 0) == first && bytes[pixel..] == bytes[..bytes.len() - pixel];
            }
            (0..area.width as usize).all(|i| self.key(bytes, i) == first)
        })
    }

    /// A hash of each row of an area.
    pub(crate) fn row_hashes(&self, area: Rect) -> Vec<u64> {
        let mut keys = Vec::new();
        let mut hash_of = |y| {
            self.read_row([area.x, y], area.width, &mut keys);
            hash(&keys)
        };
        (area.y..area.y + area.height).map(&mut hash_of).collect()
    }

    /// A hash of each column of an area.
    pub(crate) fn column_hashes(&self, area: Rect) -> Vec<u64> {
        let mut hashes = vec![0_u64; area.width as usize];
        let mut keys = Vec::new();
        for dy in 0..area.height {
            let factor = spread(u64::from(dy)) | 1;
            self.read_row([area.x, area.y + dy], area.width, &mut keys);
            for (hash, &key) in hashes.iter_mut().zip(&keys) {
                *hash = hash.wrapping_add(u64::from(key).wrapping_mul(factor));
            }
        }
        hashes.into_iter().map(spread).collect()
    }

    /// A hash of the places where each row of an area changes its colour.
    pub(crate) fn row_shapes(&self, area: Rect) -> Vec<u64> {
        let mut keys = Vec::new();
        let mut shape_of = |y| {
            self.read_row([area.x, y], area.width, &mut keys);
            let changes = (0_u64..).zip(keys.windows(2)).filter(|(_, two)| two[0] != two[1]);
            changes.fold(0, |all, (x, _)| spread(all ^ (x + 1)))
        };
        (area.y..area.y + area.height).map(&mut shape_of).collect()
    }

    /// A hash of the places where each column of an area changes its colour.
    pub(crate) fn column_shapes(&self, area: Rect) -> Vec<u64> {
        let mut shapes = vec![0_u64; area.width as usize];
        let (mut above, mut here) = (Vec::new(), Vec::new());
        for dy in 0..area.height {
            self.read_row([area.x, area.y + dy], area.width, &mut here);
            for (shape, (above, here)) in shapes.iter_mut().zip(above.iter().zip(&here)) {
                if above != here {
                    *shape = spread(*shape ^ u64::from(dy));
                }
            }
            std::mem::swap(&mut above, &mut here);
        }
        shapes
    }

    fn bytes(&self, [x, y]: [u32; 2], width: u32) -> &'a [u8] {
        let size = self.reader.bytes_per_pixel();
        &self.view.row(y)[x as usize * size..][..width as usize * size]
    }

    /// The key of the pixel at column `x` of some bytes.
    fn key(&self, bytes: &[u8], x: usize) -> u32 {
        if self.is_exact { self.reader.key(bytes, x) } else { hashed(self.reader.read(bytes, x)) }
    }

    /// The keys of at most as many pixels as there is room for; gives their number.
    fn read_block(&self, bytes: &[u8], keys: &mut [u32; BLOCK]) -> usize {
        if self.is_exact {
            return self.reader.keys(bytes, keys);
        }
        let count = bytes.len() / self.reader.bytes_per_pixel();
        (0..count).zip(keys).for_each(|(x, key)| *key = self.key(bytes, x));
        count
    }

    /// Whether equal bytes are equal keys in both.
    fn reads_like(&self, other: &Self) -> bool {
        self.reader == other.reader && self.is_exact == other.is_exact
    }

    /// Whether unlike bytes are unlike keys: no sample of a pixel is ever left out.
    fn is_plain(&self) -> bool {
        self.is_exact && self.reader.has_no_alpha_sample()
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
