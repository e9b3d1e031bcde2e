//! Pixels of every format as one comparable value.

use trueup_frame::{Alpha, PixelFormat};

use crate::error::{DiffError, DiffErrorKind};

/// One 16-bit sample's full scale.
const FULL: u32 = 65_535;
/// Full scale of a premultiplied sample.
pub(crate) const FULL_SQUARED: u32 = FULL * FULL;

/// A pixel of any format: colour times alpha and alpha, all at 16 bits.
///
/// Two pixels look the same on every backdrop if and only if they are equal here: 8-bit samples are multiplied by 257,
/// which keeps their value; colour under alpha 0 vanishes; an opaque pixel equals one of a format without alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Pixel {
    /// Colour samples over black, in units of 1/65 535²: sample × alpha.
    pub(crate) over_black: [u32; 3],
    /// 0 (transparent) to 65 535 (opaque).
    pub(crate) alpha: u16,
}

impl Pixel {
    pub(crate) const fn is_opaque(self) -> bool {
        self.alpha as u32 == FULL
    }

    /// The colour, if it is opaque and 8 bits can carry it.
    pub(crate) fn opaque8(self) -> Option<[u8; 3]> {
        const STEP: u32 = 257 * FULL;
        let exact = self.is_opaque() && self.over_black.iter().all(|sample| sample.is_multiple_of(STEP));
        exact.then(|| self.over_black.map(|sample| (sample / STEP) as u8))
    }

    /// What it looks like over a colour of 0–255: an opaque pixel.
    pub(crate) fn over(self, color: [u32; 3]) -> Self {
        let share = FULL - u32::from(self.alpha);
        let [r, g, b] = self.over_black;
        let over = |sample: u32, behind: u32| sample.saturating_add(257 * behind * share).min(FULL_SQUARED);
        Self { over_black: [over(r, color[0]), over(g, color[1]), over(b, color[2])], alpha: u16::MAX }
    }

    /// Gamma-encoded samples over black, 0–1.
    pub(crate) fn encoded_over_black(self) -> [f64; 3] {
        self.over_black.map(|sample| f64::from(sample) / f64::from(FULL_SQUARED))
    }

    /// Gamma-encoded samples over white, 0–1. Premultiplied samples above their alpha, which no blending produces, are
    /// taken as white.
    pub(crate) fn encoded_over_white(self) -> [f64; 3] {
        let backdrop = (FULL - u32::from(self.alpha)) * FULL;
        self.over_black.map(|sample| {
            f64::from(sample.saturating_add(backdrop).min(FULL_SQUARED)) / f64::from(FULL_SQUARED)
        })
    }
}

/// Reads pixels of one layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reader {
    bytes_per_pixel: usize,
    wide: bool,
    gray: bool,
    alpha: Alpha,
}

impl Reader {
    pub(crate) fn new(format: PixelFormat, alpha: Alpha) -> Result<Self, DiffError> {
        let (wide, gray) = match format {
            PixelFormat::Gray8 | PixelFormat::GrayAlpha8 => (false, true),
            PixelFormat::Rgb8 | PixelFormat::Rgba8 => (false, false),
            PixelFormat::Gray16 | PixelFormat::GrayAlpha16 => (true, true),
            PixelFormat::Rgb16 | PixelFormat::Rgba16 => (true, false),
            _ => return Err(DiffError::new(DiffErrorKind::UnsupportedFormat { format })),
        };
        Ok(Self { bytes_per_pixel: format.bytes_per_pixel(), wide, gray, alpha })
    }

    pub(crate) const fn bytes_per_pixel(&self) -> usize {
        self.bytes_per_pixel
    }

    /// Whether samples have 8 bits, so that [`pack`](Self::pack) can be used.
    pub(crate) const fn is_narrow(&self) -> bool {
        !self.wide
    }

    /// Unpacks what [`pack`](Self::pack) wrote.
    pub(crate) fn unpack(&self, packed: u32) -> Pixel {
        let [r, g, b, a] = packed.to_le_bytes();
        let alpha = u32::from(a) * 257;
        let scale = match self.alpha {
            Alpha::Straight => alpha,
            Alpha::Premultiplied if alpha == 0 => 0,
            Alpha::Opaque | Alpha::Premultiplied => FULL,
        };
        Pixel { over_black: [r, g, b].map(|c| u32::from(c) * 257 * scale), alpha: (alpha as u16) }
    }

    /// The pixel at column `x` of an 8-bit row, as [`pack`](Self::pack) writes it.
    pub(crate) fn pack_one(&self, row: &[u8], x: usize) -> u32 {
        let mut packed = [0];
        self.pack(&row[x * self.bytes_per_pixel..][..self.bytes_per_pixel], &mut packed);
        packed[0]
    }

    /// Writes the pixels of a piece of an 8-bit row as red, green, blue, alpha from the low byte up; gives their number.
    #[inline(always)]
    pub(crate) fn pack(&self, row: &[u8], out: &mut [u32]) -> usize {
        let opaque = if matches!(self.alpha, Alpha::Opaque) { 0xFF00_0000 } else { 0 };
        let pixels = row.chunks_exact(self.bytes_per_pixel);
        let count = pixels.len().min(out.len());
        match self.bytes_per_pixel {
            4 => {
                for (packed, p) in out.iter_mut().zip(row.as_chunks::<4>().0) {
                    *packed = u32::from_le_bytes(*p) | opaque;
                }
            }
            3 => pack_rgb(row, out),
            2 => {
                for (packed, p) in out.iter_mut().zip(row.as_chunks::<2>().0) {
                    *packed = u32::from_le_bytes([p[0], p[0], p[0], p[1]]) | opaque;
                }
            }
            _ => {
                for (packed, &p) in out.iter_mut().zip(row) {
                    *packed = u32::from_le_bytes([p, p, p, 0xFF]);
                }
            }
        }
        count
    }

    /// Whether a pixel is its colour, with no sample of alpha that is left out or that leaves the colour out.
    pub(crate) const fn has_no_alpha_sample(&self) -> bool {
        matches!(self.bytes_per_pixel, 1 | 3) && !self.wide
    }

    /// The pixels of a piece of an 8-bit row as [`pack`](Self::pack) writes them, 0 for all of alpha 0: colour is nothing there.
    pub(crate) fn keys(&self, row: &[u8], keys: &mut [u32; 64]) -> usize {
        let count = self.pack(row, keys);
        if !self.has_no_alpha_sample() {
            keys.iter_mut().for_each(|key| *key = visible(*key));
        }
        count
    }

    /// One of [`keys`](Self::keys): that of the pixel at column `x`.
    pub(crate) fn key(&self, row: &[u8], x: usize) -> u32 {
        let p = &row[x * self.bytes_per_pixel..][..self.bytes_per_pixel];
        let [key, alpha] = match *p {
            [r, g, b, a] => [u32::from_le_bytes([r, g, b, 0]), u32::from(a)],
            [r, g, b] => [u32::from_le_bytes([r, g, b, 0]), 0xFF],
            [v, a] => [u32::from_le_bytes([v, v, v, 0]), u32::from(a)],
            [v, ..] => [u32::from_le_bytes([v, v, v, 0]), 0xFF],
            [] => [0; 2],
        };
        let alpha = if matches!(self.alpha, Alpha::Opaque) { 0xFF } else { alpha };
        visible(key | alpha << 24)
    }

    /// The pixel at column `x` of a row.
    pub(crate) fn read(&self, row: &[u8], x: usize) -> Pixel {
        let bytes = &row[x * self.bytes_per_pixel..][..self.bytes_per_pixel];
        let sample = |i: usize| {
            if self.wide {
                u16::from_ne_bytes([bytes[2 * i], bytes[2 * i + 1]])
            } else {
                u16::from(bytes[i]) * 257
            }
        };
        let (rgb, alpha_at) =
            if self.gray { ([sample(0); 3], 1) } else { ([sample(0), sample(1), sample(2)], 3) };
        match self.alpha {
            Alpha::Opaque => Pixel { over_black: rgb.map(|c| u32::from(c) * FULL), alpha: u16::MAX },
            Alpha::Straight => {
                let alpha = sample(alpha_at);
                Pixel { over_black: rgb.map(|c| u32::from(c) * u32::from(alpha)), alpha }
            }
            Alpha::Premultiplied => {
                let alpha = sample(alpha_at);
                // Colour under alpha 0 is nothing, also where a renderer left some behind.
                let scale = if alpha == 0 { 0 } else { FULL };
                Pixel { over_black: rgb.map(|c| u32::from(c) * scale), alpha }
            }
        }
    }
}

const fn visible(key: u32) -> u32 {
    if key >> 24 == 0 { 0 } else { key }
}

/// Writes opaque pixels of three bytes.
#[inline(always)]
fn pack_rgb(row: &[u8], out: &mut [u32]) {
    // Four bytes at a time: the fourth is of the next pixel, and is covered. The last pixel has none behind it.
    for (packed, p) in out.iter_mut().zip(row.windows(4).step_by(3)) {
        *packed = u32::from_le_bytes([p[0], p[1], p[2], p[3]]) | 0xFF00_0000;
    }
    let pixels = row.as_chunks::<3>().0;
    if let (Some(p), Some(packed)) = (pixels.last(), out.get_mut(pixels.len().saturating_sub(1))) {
        *packed = u32::from_le_bytes([p[0], p[1], p[2], 0xFF]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(format: PixelFormat, alpha: Alpha, bytes: &[u8]) -> Pixel {
        Reader::new(format, alpha).unwrap().read(bytes, 0)
    }

    #[test]
    fn formats_of_one_colour_are_one_value() {
        let grey = read(PixelFormat::Gray8, Alpha::Opaque, &[7]);
        let wide = 1799_u16.to_ne_bytes(); // 7 · 257
        assert_eq!(grey, read(PixelFormat::Rgb8, Alpha::Opaque, &[7, 7, 7]));
        assert_eq!(grey, read(PixelFormat::Rgba8, Alpha::Straight, &[7, 7, 7, 255]));
        assert_eq!(grey, read(PixelFormat::Rgba8, Alpha::Opaque, &[7, 7, 7, 3]));
        assert_eq!(grey, read(PixelFormat::GrayAlpha8, Alpha::Premultiplied, &[7, 255]));
        assert_eq!(grey, read(PixelFormat::Gray16, Alpha::Opaque, &wide));
        assert_eq!(grey, read(PixelFormat::Rgb16, Alpha::Opaque, &[wide, wide, wide].concat()));
        assert_ne!(grey, read(PixelFormat::Gray8, Alpha::Opaque, &[8]));
    }

    #[test]
    fn packing_is_reading() {
        let bytes: Vec<u8> = (0..48).map(|i| if i % 7 == 0 { 0 } else { i * 5 }).collect();
        for (format, alphas) in [
            (PixelFormat::Gray8, &[Alpha::Opaque][..]),
            (PixelFormat::GrayAlpha8, &[Alpha::Opaque, Alpha::Straight, Alpha::Premultiplied]),
            (PixelFormat::Rgb8, &[Alpha::Opaque]),
            (PixelFormat::Rgba8, &[Alpha::Opaque, Alpha::Straight, Alpha::Premultiplied]),
        ] {
            for &alpha in alphas {
                let reader = Reader::new(format, alpha).unwrap();
                let mut packed = [0; 64];
                let count = reader.pack(&bytes, &mut packed);
                assert_eq!(count, 48 / format.bytes_per_pixel());
                for (x, &packed) in packed[..count].iter().enumerate() {
                    assert_eq!(reader.unpack(packed), reader.read(&bytes, x), "{format:?} {alpha:?}");
                }
                let mut keys = [7; 64];
                assert_eq!(reader.keys(&bytes, &mut keys), count);
                for (x, (&key, &packed)) in keys[..count].iter().zip(&packed).enumerate() {
                    assert_eq!(key, if packed >> 24 == 0 { 0 } else { packed }, "{format:?} {alpha:?}");
                    assert_eq!(reader.key(&bytes, x), key, "{format:?} {alpha:?}");
                }
            }
        }
    }

    #[test]
    fn colour_under_alpha_zero_is_nothing() {
        for alpha in [Alpha::Straight, Alpha::Premultiplied] {
            let clear = read(PixelFormat::Rgba8, alpha, &[1, 2, 3, 0]);
            assert_eq!(clear, Pixel::default());
        }
    }

    #[test]
    fn half_black_over_white_is_127() {
        // What browsers show: blending happens on the encoded samples.
        let pixel = read(PixelFormat::Rgba8, Alpha::Straight, &[0, 0, 0, 128]);
        assert_eq!(pixel.encoded_over_white(), [127.0 / 255.0; 3]);
        assert_eq!(pixel.encoded_over_black(), [0.0; 3]);
        let overdriven = read(PixelFormat::Rgba8, Alpha::Premultiplied, &[255, 255, 255, 128]);
        assert_eq!(overdriven.encoded_over_white(), [1.0; 3]);
    }
}
