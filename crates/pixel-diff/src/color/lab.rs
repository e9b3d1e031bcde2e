//! CIELAB, and the way there from encoded RGB.

use trueup_frame::ColorSpace;

use super::math::cbrt;
use super::to_linear;
use crate::error::{DiffError, DiffErrorKind};

/// A colour in CIELAB (CIE 1976 L\*a\*b\*) relative to D65, the white of the RGB spaces themselves.
///
/// No chromatic adaptation takes place, so values differ from D50 Lab of print workflows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[expect(clippy::exhaustive_structs, reason = "three coordinates, closed by nature")]
pub struct Lab {
    /// Lightness L\*, 0 (black) to 100 (white).
    pub l: f64,
    /// a\*, green (negative) to red; within ±128 for display colours.
    pub a: f64,
    /// b\*, blue (negative) to yellow; within ±128 for display colours.
    pub b: f64,
}

impl Lab {
    /// The colour with these coordinates.
    #[must_use]
    pub const fn new(l: f64, a: f64, b: f64) -> Self {
        Self { l, a, b }
    }

    /// Lab of an 8-bit sRGB colour.
    ///
    /// ```
    /// let grey = trueup_pixel_diff::Lab::from_srgb8([119, 119, 119]);
    /// assert!((grey.l - 50.03).abs() < 0.01);
    /// assert_eq!((grey.a, grey.b), (0.0, 0.0));
    /// ```
    #[must_use]
    pub fn from_srgb8(rgb: [u8; 3]) -> Self {
        Primaries::Srgb.lab(rgb.map(|sample| f64::from(sample) / 255.0))
    }

    /// Lab of gamma-encoded samples in 0–1 of the given colour space; samples outside are clamped, NaN counts as 0.
    ///
    /// # Errors
    /// [`DiffErrorKind::UnsupportedColorSpace`] for a colour space that this version does not know.
    pub fn from_encoded(rgb: [f64; 3], space: ColorSpace) -> Result<Self, DiffError> {
        let in_range = |sample: f64| if sample.is_nan() { 0.0 } else { sample.clamp(0.0, 1.0) };
        Ok(Primaries::of(space)?.lab(rgb.map(in_range)))
    }

    /// Chroma C\*ab = √(a² + b²), ≥ 0.
    #[must_use]
    pub fn chroma(self) -> f64 {
        (self.a * self.a + self.b * self.b).sqrt()
    }
}

/// The colour spaces whose matrix is known here; `ColorSpace` may grow before this crate does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Primaries {
    Srgb,
    DisplayP3,
}

/// Linear RGB to XYZ (D65) by rows X, Y, Z: the rational matrices of CSS Color 4, section 18 (sample code).
const SRGB_TO_XYZ: [[f64; 3]; 3] = [
    [506_752.0 / 1_228_815.0, 87_881.0 / 245_763.0, 12_673.0 / 70_218.0],
    [87_098.0 / 409_605.0, 175_762.0 / 245_763.0, 12_673.0 / 175_545.0],
    [7_918.0 / 409_605.0, 87_881.0 / 737_289.0, 1_001_167.0 / 1_053_270.0],
];
const P3_TO_XYZ: [[f64; 3]; 3] = [
    [608_311.0 / 1_250_200.0, 189_793.0 / 714_400.0, 198_249.0 / 1_000_160.0],
    [35_783.0 / 156_275.0, 247_089.0 / 357_200.0, 198_249.0 / 2_500_400.0],
    [0.0, 32_229.0 / 714_400.0, 5_220_557.0 / 5_000_800.0],
];

/// Divides each row by its sum, which makes the row sums, the white, exactly the reference: greys have no chroma.
const fn relative_to_white(matrix: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let mut out = matrix;
    let mut row = 0;
    while row < 3 {
        let sum = matrix[row][0] + matrix[row][1] + matrix[row][2];
        let mut column = 0;
        while column < 3 {
            out[row][column] = matrix[row][column] / sum;
            column += 1;
        }
        row += 1;
    }
    out
}

static SRGB_RELATIVE: [[f64; 3]; 3] = relative_to_white(SRGB_TO_XYZ);
static P3_RELATIVE: [[f64; 3]; 3] = relative_to_white(P3_TO_XYZ);

impl Primaries {
    pub(crate) fn of(space: ColorSpace) -> Result<Self, DiffError> {
        match space {
            ColorSpace::Srgb => Ok(Self::Srgb),
            ColorSpace::DisplayP3 => Ok(Self::DisplayP3),
            _ => Err(DiffError::new(DiffErrorKind::UnsupportedColorSpace { space })),
        }
    }

    /// Rows of the linear RGB → XYZ/white matrix.
    pub(crate) fn matrix(self) -> &'static [[f64; 3]; 3] {
        match self {
            Self::Srgb => &SRGB_RELATIVE,
            Self::DisplayP3 => &P3_RELATIVE,
        }
    }

    /// Lab of encoded samples in 0–1.
    pub(crate) fn lab(self, encoded: [f64; 3]) -> Lab {
        self.lab_of_linear(encoded.map(to_linear))
    }

    /// Lab of linear samples in 0–1.
    pub(crate) fn lab_of_linear(self, [r, g, b]: [f64; 3]) -> Lab {
        if r == g && g == b {
            // Neutral by definition; rounding in the matrix must not give it a hue.
            return Lab::new(116.0 * f(r) - 16.0, 0.0, 0.0);
        }
        let [fx, fy, fz] = self.matrix().map(|row| f(row[0] * r + row[1] * g + row[2] * b));
        Lab::new(116.0 * fy - 16.0, 500.0 * (fx - fy), 200.0 * (fy - fz))
    }
}

/// The CIELAB compression, with the exact constants ε = 216/24389 and κ = 24389/27 of CIE 15:2004.
fn f(t: f64) -> f64 {
    const EPSILON: f64 = 216.0 / 24_389.0;
    const KAPPA: f64 = 24_389.0 / 27.0;
    if t > EPSILON { cbrt(t) } else { (KAPPA * t + 16.0) / 116.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_black_and_greys_are_neutral() {
        assert_eq!(Lab::from_srgb8([255; 3]), Lab::new(100.0, 0.0, 0.0));
        assert!(Lab::from_srgb8([0; 3]).l.abs() < 1e-14);
        for level in 0..=255 {
            let grey = Lab::from_srgb8([level; 3]);
            assert_eq!((grey.a, grey.b), (0.0, 0.0), "grey {level}");
            let p3 = Lab::from_encoded([f64::from(level) / 255.0; 3], ColorSpace::DisplayP3).unwrap();
            assert_eq!(p3, grey, "both spaces share white and transfer function");
        }
    }

    #[test]
    fn known_colours() {
        // Bruce Lindbloom's calculator for sRGB with D65 and no adaptation, to its rounding of the matrix.
        for (rgb, want) in [
            ([255, 0, 0], Lab::new(53.2408, 80.0925, 67.2032)),
            ([0, 255, 0], Lab::new(87.7347, -86.1827, 83.1793)),
            ([0, 0, 255], Lab::new(32.2970, 79.1875, -107.8602)),
        ] {
            let got = Lab::from_srgb8(rgb);
            for (g, w) in [(got.l, want.l), (got.a, want.a), (got.b, want.b)] {
                assert!((g - w).abs() < 0.02, "{rgb:?}: {got:?} against {want:?}");
            }
        }
    }

    #[test]
    fn display_p3_red_is_more_saturated_than_srgb_red() {
        let p3 = Lab::from_encoded([1.0, 0.0, 0.0], ColorSpace::DisplayP3).unwrap();
        assert!(p3.chroma() > Lab::from_srgb8([255, 0, 0]).chroma() + 10.0);
    }

    #[test]
    fn samples_outside_are_clamped() {
        let white = Lab::from_encoded([2.0, 1.0, f64::INFINITY], ColorSpace::Srgb).unwrap();
        assert_eq!(white, Lab::from_srgb8([255; 3]));
        let black = Lab::from_encoded([f64::NAN, -1.0, 0.0], ColorSpace::Srgb).unwrap();
        assert_eq!(black, Lab::from_srgb8([0; 3]));
    }
}
