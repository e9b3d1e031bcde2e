//! Samples of another gamma or of other primaries, as sRGB.
//!
//! A sample `v` of `n` bits in a file of gamma `γ` stands for the light `(v / (2^n − 1))^(1/γ)` (PNG 3, "Decoder gamma handling").
//! Where the primaries differ, light goes through XYZ: chromaticities give a matrix (SMPTE RP 177), a white other than that of sRGB is adapted by
//! Bradford, and what lies outside of sRGB is clipped, each channel for itself. Light becomes a sample of 16 bits by the transfer
//! function of IEC 61966-2-1, rounded to the nearest.
//!
//! Powers are those of `libm` in plain Rust, the rest is `+ − × ÷`: every machine gives the same samples.

use super::color::Encoding;

/// Largest sample that is given out.
const FULL: f64 = 65_535.0;

/// Makes samples of 16 bits of those that a file has.
pub(super) struct Conversion {
    channels: usize,
    /// Whether the file has samples of 16 bits.
    is_wide: bool,
    /// Sample of sRGB for every sample of the file.
    curve: Vec<u16>,
    gamut: Option<Gamut>,
}

/// What other primaries take.
struct Gamut {
    /// Light for every sample of the file.
    light: Vec<f64>,
    /// From light of the file to light of sRGB.
    matrix: Matrix,
    encoder: Encoder,
}

impl Conversion {
    /// For pixels of so many channels, of 8 or of 16 bits each.
    pub(super) fn new(encoding: &Encoding, channels: usize, is_wide: bool) -> Self {
        let exponent = 1e5 / f64::from(encoding.gamma);
        let last = if is_wide { u16::MAX } else { u16::from(u8::MAX) };
        let light = (0..=last).map(|sample| libm::pow(f64::from(sample) / f64::from(last), exponent));
        let light: Vec<f64> = light.collect();
        let curve = light.iter().map(|&light| encode(light)).collect();
        // Grey has no primaries.
        let matrix = if channels > 2 { encoding.matrix } else { None };
        let gamut = matrix.map(|matrix| Gamut { light, matrix, encoder: Encoder::new() });
        Self { channels, is_wide, curve, gamut }
    }

    /// Bytes of converted samples for each byte of the file's.
    pub(super) const fn growth(&self) -> usize {
        if self.is_wide { 1 } else { 2 }
    }

    /// Converts in place. The samples of the file, as the machine has them, are at the beginning and take one of
    /// [`growth`](Self::growth) parts of the room.
    pub(super) fn convert(&self, room: &mut [u8]) {
        match self.channels {
            1 => self.convert_all::<1, 2>(room),
            2 => self.convert_all::<2, 4>(room),
            3 => self.convert_all::<3, 6>(room),
            _ => self.convert_all::<4, 8>(room),
        }
    }

    /// For pixels of `N` channels, which take `BYTES` bytes of 16-bit samples.
    fn convert_all<const N: usize, const BYTES: usize>(&self, room: &mut [u8]) {
        // Pictures of screens repeat their pixels.
        let mut last = ([0; N], self.pixel([0; N]));
        let mut convert = |pixel: [u16; N]| {
            if pixel != last.0 {
                last = (pixel, self.pixel(pixel));
            }
            last.1
        };
        if self.is_wide {
            for pixel in room.as_chunks_mut::<BYTES>().0 {
                let (samples, _) = pixel.as_chunks_mut::<2>();
                let converted = convert(std::array::from_fn(|c| u16::from_ne_bytes(samples[c])));
                for (sample, converted) in samples.iter_mut().zip(converted) {
                    *sample = converted.to_ne_bytes();
                }
            }
            return;
        }
        // From the end, so that no sample is overwritten before it was read.
        for index in (0..room.len() / BYTES).rev() {
            let pixel = std::array::from_fn(|c| u16::from(room[index * N + c]));
            let converted = convert(pixel);
            let (samples, _) = room[index * BYTES..][..BYTES].as_chunks_mut::<2>();
            for (sample, converted) in samples.iter_mut().zip(converted) {
                *sample = converted.to_ne_bytes();
            }
        }
    }

    fn pixel<const N: usize>(&self, pixel: [u16; N]) -> [u16; N] {
        let mut out = pixel.map(|sample| self.curve[usize::from(sample)]);
        if N.is_multiple_of(2) {
            // Alpha is linear in every file.
            out[N - 1] = if self.is_wide { pixel[N - 1] } else { pixel[N - 1] * 257 };
        }
        if let (Some(gamut), [r, g, b, ..]) = (&self.gamut, &pixel[..])
            // Whatever its primaries, a file's grey is grey.
            && (r != g || g != b)
        {
            out[..3].copy_from_slice(&gamut.pixel([*r, *g, *b]));
        }
        out
    }
}

impl Gamut {
    fn pixel(&self, samples: [u16; 3]) -> [u16; 3] {
        let light = samples.map(|sample| self.light[usize::from(sample)]);
        times(&self.matrix, light).map(|light| self.encoder.encode(light.clamp(0.0, 1.0)))
    }
}

/// The 16-bit sample of light in 0–1, in sRGB.
fn encode(light: f64) -> u16 {
    let encoded =
        if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * libm::pow(light, 1.0 / 2.4) - 0.055 };
    #[expect(clippy::cast_sign_loss, reason = "from 0.5 to 65535.5, and cut off")]
    let nearest = (encoded * FULL + 0.5) as u16;
    nearest
}

/// The light of an sRGB sample, both in 0–1.
fn decode(encoded: f64) -> f64 {
    if encoded <= 0.040_45 { encoded / 12.92 } else { libm::pow((encoded + 0.055) / 1.055, 2.4) }
}

/// Parts that light is looked up by.
const PARTS: u16 = 1 << 15;

/// The same as [`encode`], several times as fast, for pictures in which every pixel is another one.
struct Encoder {
    /// The least light of every sample but the first.
    least: Vec<f64>,
    /// The sample that each part begins with.
    first: Vec<u16>,
}

impl Encoder {
    fn new() -> Self {
        let least: Vec<f64> = (0..u16::MAX).map(|below| decode((f64::from(below) + 0.5) / FULL)).collect();
        let mut sample = 0;
        let first = (0..=PARTS).map(|part| {
            sample = climb(&least, sample, f64::from(part) / f64::from(PARTS));
            sample
        });
        let first = first.collect();
        Self { least, first }
    }

    fn encode(&self, light: f64) -> u16 {
        #[expect(clippy::cast_sign_loss, reason = "light is from 0 to 1")]
        let part = (light * f64::from(PARTS)) as usize;
        climb(&self.least, self.first[part], light)
    }
}

/// The sample of some light, from one that is not above it.
fn climb(least: &[f64], mut sample: u16, light: f64) -> u16 {
    while least.get(usize::from(sample)).is_some_and(|&next| next <= light) {
        sample += 1;
    }
    sample
}

/// Three rows.
pub(super) type Matrix = [[f64; 3]; 3];

/// x and y of white, red, green and blue, in 1/100 000, as in a `cHRM` chunk.
pub(super) type Chromaticities = [[u32; 2]; 4];

/// Those of sRGB.
pub(super) const SRGB: Chromaticities =
    [[31_270, 32_900], [64_000, 33_000], [30_000, 60_000], [15_000, 6_000]];

/// From XYZ to the responses of cones that Bradford scales (M. D. Fairchild, Color Appearance Models, 2013).
const BRADFORD: Matrix = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]];

/// From light of these primaries to light of sRGB; `None` where they span no colours, or are not chromaticities.
pub(super) fn to_srgb(from: &Chromaticities) -> Option<Matrix> {
    let mut to_xyz = rgb_to_xyz(from)?;
    if from[0] != SRGB[0] {
        let [here, there] = [white(from[0])?, white(SRGB[0])?].map(|white| times(&BRADFORD, white));
        let scale = [0, 1, 2].map(|cone| there[cone] / here[cone]);
        let scaled: Matrix = std::array::from_fn(|cone| BRADFORD[cone].map(|entry| entry * scale[cone]));
        to_xyz = product(&product(&inverse(&BRADFORD)?, &scaled), &to_xyz);
    }
    let matrix = product(&inverse(&rgb_to_xyz(&SRGB)?)?, &to_xyz);
    matrix.as_flattened().iter().all(|entry| entry.is_finite()).then_some(matrix)
}

fn rgb_to_xyz(primaries: &Chromaticities) -> Option<Matrix> {
    if primaries.as_flattened().iter().any(|&coordinate| coordinate > 100_000) {
        return None;
    }
    let [_, red, green, blue] = primaries.map(|[x, y]| [x, y].map(f64::from));
    // In whole numbers, of which a determinant below 2^53 is exact.
    let row = |of: fn([f64; 2]) -> f64| [red, green, blue].map(of);
    let columns = [row(|[x, _]| x), row(|[_, y]| y), row(|[x, y]| 1e5 - x - y)];
    let scale = times(&inverse(&columns)?, white(primaries[0])?);
    Some(columns.map(|row| [0, 1, 2].map(|c| row[c] * scale[c])))
}

/// XYZ of a white with Y = 1.
fn white([x, y]: [u32; 2]) -> Option<[f64; 3]> {
    let [x, y] = [x, y].map(f64::from);
    (y > 0.0).then_some([x / y, 1.0, (1e5 - x - y) / y])
}

fn times(matrix: &Matrix, [a, b, c]: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row[0] * a + row[1] * b + row[2] * c)
}

fn product(first: &Matrix, second: &Matrix) -> Matrix {
    first.map(|row| [0, 1, 2].map(|c| (0..3).map(|k| row[k] * second[k][c]).sum()))
}

/// `None` where there is none.
fn inverse(m: &Matrix) -> Option<Matrix> {
    let cofactor = |row: usize, column: usize| {
        let [r0, r1] = [(row + 1) % 3, (row + 2) % 3];
        let [c0, c1] = [(column + 1) % 3, (column + 2) % 3];
        m[r0][c0] * m[r1][c1] - m[r0][c1] * m[r1][c0]
    };
    let determinant: f64 = (0..3).map(|column| m[0][column] * cofactor(0, column)).sum();
    let inverse = std::array::from_fn(|row| [0, 1, 2].map(|column| cofactor(column, row) / determinant));
    (determinant != 0.0).then_some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_up_is_the_formula() {
        let encoder = Encoder::new();
        let near = |light: f64, by: f64| (light * (1.0 + by)).clamp(0.0, 1.0);
        for sample in 0..=u16::MAX {
            let decoded = decode(f64::from(sample) / FULL);
            assert_eq!(encoder.encode(decoded), sample);
            // On both sides of where the next sample begins.
            let edge = decode((f64::from(sample) + 0.5) / FULL);
            for light in [near(edge, -1e-12), near(edge, 1e-12), f64::from(sample) / FULL] {
                assert_eq!(encoder.encode(light), encode(light), "{light}");
            }
        }
    }

    #[test]
    fn of_gammas_from_two_fifths_to_ten_eight_bits_lose_nothing() {
        for gamma in (40_000..=1_000_000).step_by(5_000) {
            let conversion = Conversion::new(&Encoding { gamma, matrix: None }, 1, false);
            assert!(
                conversion.curve.is_sorted_by(|a, b| a < b),
                "gamma {gamma}: every sample stays another one"
            );
        }
    }

    #[test]
    fn the_primaries_of_srgb_change_nothing() {
        let matrix = to_srgb(&SRGB).unwrap();
        for (row, entries) in matrix.iter().enumerate() {
            for (column, entry) in entries.iter().enumerate() {
                assert!((entry - f64::from(u8::from(row == column))).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn bradford_is_that_of_the_textbook() {
        // From D50 to D65, as B. Lindbloom prints it.
        let textbook = [
            [0.955_576_6, -0.023_039_3, 0.063_163_6],
            [-0.028_289_5, 1.009_941_6, 0.021_007_7],
            [0.012_298_2, -0.020_483_0, 1.329_909_8],
        ];
        let d50 = [34_567, 35_850];
        let primaries = [d50, SRGB[1], SRGB[2], SRGB[3]];
        let adapted = product(&rgb_to_xyz(&SRGB).unwrap(), &to_srgb(&primaries).unwrap());
        let plain = rgb_to_xyz(&primaries).unwrap();
        let bradford = product(&adapted, &inverse(&plain).unwrap());
        for (found, expected) in bradford.as_flattened().iter().zip(textbook.as_flattened()) {
            assert!((found - expected).abs() < 1e-3, "{bradford:?}");
        }
    }
}
