//! One pair of pixels in double precision: the reference that decides.

use crate::color::{LINEAR, Primaries, to_linear};
use crate::error::{DiffError, DiffErrorKind};
use crate::metric::hue_difference;
use crate::pixel::Pixel;
use crate::{DeltaE, Lab, Layout, MetricKind, Options, Tolerance};

/// Signed differences in CIELAB, actual minus expected, in 1/65 536.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SignedDelta {
    /// ΔL\*, Δa\*, Δb\*.
    pub(crate) lab: [i32; 3],
    /// ΔC\*ab and ΔH\*ab, the polar form of Δa\* and Δb\*.
    pub(crate) chroma_hue: [i32; 2],
}

/// Where a colour went, roughly: along which axis of CIELAB most, and which way.
///
/// Differences of one direction add up over an area; those of different directions cancel out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Direction {
    #[default]
    Lighter,
    Darker,
    Redder,
    Greener,
    Yellower,
    Bluer,
}

impl SignedDelta {
    pub(crate) fn direction(&self) -> Direction {
        let [l, a, b] = self.lab;
        let (al, aa, ab) = (l.unsigned_abs(), a.unsigned_abs(), b.unsigned_abs());
        // Ties go by magnitude alone, so that swapping the images turns the direction round and nothing else.
        if al >= aa && al >= ab {
            if l >= 0 { Direction::Lighter } else { Direction::Darker }
        } else if aa >= ab {
            if a >= 0 { Direction::Redder } else { Direction::Greener }
        } else if b >= 0 {
            Direction::Yellower
        } else {
            Direction::Bluer
        }
    }
}

impl SignedDelta {
    /// Whether an error of `band` in each component could change the direction.
    pub(crate) fn is_near_other_direction(&self, band: u32) -> bool {
        let mut sizes = self.lab.map(i32::unsigned_abs);
        sizes.sort_unstable();
        sizes[2] <= band || sizes[2] - sizes[1] <= 2 * band
    }
}

/// The scalar reference for one pair of colour spaces, one metric and one tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exact {
    pub(crate) metric: MetricKind,
    pub(crate) tolerance: Tolerance,
    pub(crate) expected: Primaries,
    pub(crate) actual: Primaries,
}

impl Exact {
    /// The reference for two images of these layouts under these options.
    pub(crate) fn of(expected: &Layout, actual: &Layout, options: &Options) -> Result<Self, DiffError> {
        let (metric, tolerance) = (options.metric, options.tolerance);
        if metric.is_of_samples() && expected.color() != actual.color() {
            let spaces = [expected.color(), actual.color()];
            return Err(DiffError::new(DiffErrorKind::UnlikeColorSpaces { metric, spaces }));
        }
        Ok(Self { metric, tolerance, expected: expected.primaries()?, actual: actual.primaries()? })
    }

    /// Difference and signed differences of a pair. The difference is 0 if and only if the pair is equal, or, between
    /// different colour spaces, if it rounds to 0.
    pub(crate) fn pair(&self, expected: Pixel, actual: Pixel) -> (DeltaE, SignedDelta) {
        let same_space = self.expected == self.actual;
        if same_space && expected == actual {
            return (DeltaE::ZERO, SignedDelta::default());
        }
        if let (Some(e), Some(a)) = (expected.opaque8(), actual.opaque8()) {
            return self.opaque8(e, a);
        }
        let mut worst = self.over(expected.encoded_over_black(), actual.encoded_over_black());
        if !(expected.is_opaque() && actual.is_opaque()) {
            // Compositing is affine in the backdrop, so the difference is extreme over black or over white.
            let white = self.over(expected.encoded_over_white(), actual.encoded_over_white());
            let above = worst.above.zip(white.above).map(|(black, white)| black | white);
            if white.value > worst.value {
                worst = white;
            }
            worst.above = above;
        }
        (self.fixed(worst, same_space), worst.signed)
    }

    /// The same for opaque 8-bit colours, whose linear light is read from a table.
    pub(crate) fn opaque8(&self, expected: [u8; 3], actual: [u8; 3]) -> (DeltaE, SignedDelta) {
        let same_space = self.expected == self.actual;
        let linear = |rgb: [u8; 3]| rgb.map(|sample| LINEAR[usize::from(sample)]);
        let x = self.expected.lab_of_linear(linear(expected));
        let y = self.actual.lab_of_linear(linear(actual));
        let encoded = |rgb: [u8; 3]| rgb.map(|sample| f64::from(sample) / 255.0);
        let difference = self.between((encoded(expected), x), (encoded(actual), y));
        (self.fixed(difference, same_space && expected != actual), difference.signed)
    }

    fn over(&self, expected: [f64; 3], actual: [f64; 3]) -> Difference {
        let lab = |primaries: Primaries, rgb: [f64; 3]| primaries.lab_of_linear(rgb.map(to_linear));
        self.between((expected, lab(self.expected, expected)), (actual, lab(self.actual, actual)))
    }

    /// From samples and their colour in CIELAB.
    fn between(&self, (e, x): ([f64; 3], Lab), (a, y): ([f64; 3], Lab)) -> Difference {
        let value = self.metric.of_lab(x, y).unwrap_or_else(|| self.metric.of_samples(e, a));
        let above = self.metric.is_above(e, a, self.tolerance.color_delta_e().to_f64());
        Difference { value, above, signed: signed(x, y) }
    }

    /// Different values stay different, even the last bits of 16-bit samples, and no rounding carries a difference over
    /// the tolerance where the formula decides without it.
    fn fixed(&self, difference: Difference, differs: bool) -> DeltaE {
        let tolerance = self.tolerance.color_delta_e();
        let rounded = DeltaE::from_f64(difference.value);
        let value = match difference.above {
            Some(true) => rounded.max(DeltaE::from_raw(tolerance.raw() + 1)),
            Some(false) => rounded.min(tolerance),
            None => rounded,
        };
        value.max(DeltaE::from_raw(u32::from(differs)))
    }
}

/// How far two colours are apart, before rounding.
#[derive(Clone, Copy)]
struct Difference {
    value: f64,
    /// Whether that is above the tolerance, where the formula has an answer of its own.
    above: Option<bool>,
    signed: SignedDelta,
}

fn signed(x: Lab, y: Lab) -> SignedDelta {
    let (cx, cy) = (x.chroma(), y.chroma());
    let hue = hue_difference(cx * cy, x.a * y.a + x.b * y.b, x.a * y.b - y.a * x.b);
    SignedDelta {
        lab: [fixed(y.l - x.l), fixed(y.a - x.a), fixed(y.b - x.b)],
        chroma_hue: [fixed(cy - cx), fixed(hue)],
    }
}

/// Signed fixed point in 1/65 536, to nearest; CIELAB coordinates of display colours are far inside the range.
fn fixed(value: f64) -> i32 {
    (value * f64::from(DeltaE::SCALE)).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn srgb(rgb: [u32; 3], alpha: u16) -> Pixel {
        let over_black = rgb.map(|c| c * 257 * u32::from(alpha) * 257);
        Pixel { over_black, alpha: alpha * 257 }
    }

    const EXACT: Exact = Exact {
        metric: MetricKind::Ciede2000,
        tolerance: Tolerance::DEFAULT,
        expected: Primaries::Srgb,
        actual: Primaries::Srgb,
    };

    #[test]
    fn alpha_is_seen_over_black_or_over_white() {
        let clear = Pixel::default();
        // White on nothing shows over black, black on nothing over white; each is a whole 100.
        assert_eq!(EXACT.pair(srgb([255; 3], 255), clear).0.to_f64(), 100.0);
        assert_eq!(EXACT.pair(srgb([0; 3], 255), clear).0.to_f64(), 100.0);
        // Equal over white (127), different over black.
        assert!(EXACT.pair(srgb([0; 3], 128), srgb([127; 3], 255)).0.to_f64() > 30.0);
    }

    #[test]
    fn the_table_is_the_function() {
        for sample in 0..=255_u8 {
            assert_eq!(LINEAR[usize::from(sample)].to_bits(), to_linear(f64::from(sample) / 255.0).to_bits());
        }
        // And an 8-bit sample reaches the function as that same quotient.
        let pixel = srgb([7, 77, 177], 255);
        assert_eq!(pixel.encoded_over_black(), [7.0 / 255.0, 77.0 / 255.0, 177.0 / 255.0]);
    }

    #[test]
    fn signs_are_actual_minus_expected() {
        let signed = |e, a| EXACT.opaque8(e, a).1;
        let lighter = signed([100; 3], [120; 3]);
        assert!(lighter.lab[0] > 0 && lighter.lab[1..] == [0, 0] && lighter.chroma_hue == [0, 0]);
        assert_eq!(lighter.direction(), Direction::Lighter);
        let duller = signed([200, 0, 0], [180, 40, 40]);
        assert!(duller.chroma_hue[0] < 0);
        assert_eq!(duller.direction(), Direction::Bluer);
        // From red towards yellow the hue angle grows.
        assert!(signed([200, 0, 0], [200, 60, 0]).chroma_hue[1] > 0);
    }

    #[test]
    fn the_last_bit_of_sixteen_is_a_difference() {
        let grey =
            |r: u32| Pixel { over_black: [r * 65_535, 30_000 * 65_535, 30_000 * 65_535], alpha: u16::MAX };
        let delta = EXACT.pair(grey(30_000), grey(30_001)).0;
        assert!(delta > DeltaE::ZERO && delta.to_f64() < 0.01);
    }
}
