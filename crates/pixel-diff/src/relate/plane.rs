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
    /// Whether pixels of both images are the same where their bytes are, and only there.
    are_bytes: bool,
}

impl<'a> Plane<'a> {
    /// The planes of two images.
    pub(crate) fn both(expected: &ImageView<'a>, actual: &ImageView<'a>) -> Result<[Self; 2], DiffError> {
        let readers = [Layout::of(expected).reader()?, Layout::of(actual).reader()?];
        let alphas = [expected.alpha(), actual.alpha()];
        let one_meaning = alphas[0] == alphas[1] || alphas.contains(&Alpha::Opaque);
        let is_exact = one_meaning && readers.iter().all(Reader::is_narrow);
        let are_bytes = is_exact && readers[0] == readers[1] && readers[0].has_no_alpha_sample();
        let plane = |view: &ImageView<'a>, reader| Self { view: *view, reader, is_exact, are_bytes };
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
        if self.are_bytes {
            return here == there;
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
            if self.are_bytes {
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
            if self.are_bytes {
                return hash_of_bytes(self.bytes([area.x, y], area.width));
            }
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

/// A hash of some bytes in their order: words are multiplied by each other, in four chains that need not wait for one another.
fn hash_of_bytes(bytes: &[u8]) -> u64 {
    const SALTS: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9];
    let step = |chain: u64, words: [[u8; 8]; 2]| {
        let [a, b] = words.map(u64::from_le_bytes);
        let product = u128::from(a ^ SALTS[0]) * u128::from(b ^ SALTS[1] ^ chain);
        product as u64 ^ (product >> 64) as u64
    };
    let mut chains = [1, 2, 3, 4];
    let (words, rest) = bytes.as_chunks::<8>();
    let (eights, more) = words.as_chunks::<8>();
    for [a, b, c, d, e, f, g, h] in eights {
        for (chain, words) in chains.iter_mut().zip([[a, b], [c, d], [e, f], [g, h]]) {
            *chain = step(*chain, words.map(|word| *word));
        }
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let all = chains.into_iter().fold(bytes.len() as u64, |all, chain| spread(all ^ chain));
    more.iter().chain([&last]).fold(all, |all, word| spread(all ^ u64::from_le_bytes(*word)))
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

#[cfg(test)]
mod tests {
    use trueup_frame::PixelFormat;

    use super::*;

    /// All that is asked of a plane, by keys and by bytes.
    #[test]
    fn bytes_and_keys_say_the_same() {
        let size = Size::new(70, 9);
        // Few colours, so that much is the same, and a row of one colour.
        let rgb: Vec<u8> = (0..70 * 9_u64)
            .flat_map(
                |i| if i / 70 == 4 { [9; 3] } else { [spread(i) as u8 & 1, 7, spread(i / 3) as u8 & 3] },
            )
            .collect();
        let other: Vec<u8> = rgb.iter().rev().copied().collect();
        let rgba = |rgb: &[u8]| {
            rgb.as_chunks::<3>().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect::<Vec<_>>()
        };
        let (rgba, other_rgba) = (rgba(&rgb), rgba(&other));
        let view = |bytes, format| ImageView::packed(bytes, size, format).unwrap();
        let (e, a) = (view(&rgb, PixelFormat::Rgb8), view(&other, PixelFormat::Rgb8));
        let (e_keys, a_keys) = (view(&rgba, PixelFormat::Rgba8), view(&other_rgba, PixelFormat::Rgba8));
        let [e, a] = Plane::both(&e, &a).unwrap();
        let [e_keys, a_keys] = Plane::both(&e_keys, &a_keys).unwrap();
        assert!(e.are_bytes && !e_keys.are_bytes);
        let mut keys = [Vec::new(), Vec::new()];
        for (x, y, width) in (0..9).flat_map(|y| [0, 3, 64].map(|x| (x, y, 70 - x))) {
            e.read_row([x, y], width, &mut keys[0]);
            e_keys.read_row([x, y], width, &mut keys[1]);
            assert_eq!(keys[0], keys[1]);
            assert_eq!(keys[0], (x..x + width).map(|x| e.at(x, y)).collect::<Vec<_>>());
            assert_eq!(
                e.is_one_color(Rect::new(x, y, width, 1)),
                e_keys.is_one_color(Rect::new(x, y, width, 1))
            );
            for other in 0..9 {
                let (here, there) = ([x, y], [x, other]);
                assert_eq!(e.is_same(here, &a, there, width), e_keys.is_same(here, &a_keys, there, width));
                assert_eq!(e.alike(here, &a, there, width), e_keys.alike(here, &a_keys, there, width));
                assert_eq!(e.alike(here, &a, there, width) == width, e.is_same(here, &a, there, width));
            }
        }
        let area = Rect::new(2, 1, 66, 8);
        assert_eq!(e.column_hashes(area), e_keys.column_hashes(area));
        assert_eq!(e.row_shapes(area), e_keys.row_shapes(area));
        assert_eq!(e.column_shapes(area), e_keys.column_shapes(area));
        // Hashes of rows differ between the two, and agree on which rows are the same.
        let (by_bytes, by_keys) = (e.row_hashes(area), e_keys.row_hashes(area));
        for (i, j) in (0..8).flat_map(|i| (0..8).map(move |j| (i, j))) {
            assert_eq!(by_bytes[i] == by_bytes[j], by_keys[i] == by_keys[j]);
        }
    }

    #[test]
    fn rows_with_one_byte_changed_have_other_hashes() {
        let bytes: Vec<u8> = (0..210_u64).map(|i| spread(i) as u8).collect();
        let hash = hash_of_bytes(&bytes);
        let changed = (0..210).flat_map(|at| (0..8).map(move |bit| (at, 1_u8 << bit)));
        for (at, bit) in changed {
            let mut other = bytes.clone();
            other[at] ^= bit;
            assert_ne!(hash_of_bytes(&other), hash, "{at} {bit}");
            // Two that would cancel out in a sum.
            other[(at + 64) % 210] ^= bit;
            assert_ne!(hash_of_bytes(&other), hash, "{at} {bit}");
        }
        assert_ne!(hash_of_bytes(&bytes[..209]), hash);
    }
}
