//! CIEDE2000 without trigonometric calls.

use super::{Metric, MetricKind};
use crate::Lab;
use crate::color::math::{atan, exp_negative, sin_to_60_degrees};

/// CIEDE2000 with kL = kC = kH = 1 (ISO/CIE 11664-6:2014; Sharma, Wu and Dalal, Color Research and Application
/// 30(1), 2005). See [`delta_e`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a name without state")]
pub struct Ciede2000;

impl Metric for Ciede2000 {
    const KIND: MetricKind = MetricKind::Ciede2000;
    type Color = Lab;

    fn difference(a: Lab, b: Lab) -> f64 {
        delta_e(a, b)
    }
}

/// 25⁷, the chroma at which the blue and grey corrections turn.
const POW7_25: f64 = 6_103_515_625.0;

/// The CIEDE2000 colour difference ΔE₀₀ of two colours, ≥ 0; black against white is 100.
///
/// The formula is that of Sharma, Wu and Dalal (2005) in the ISO/CIE convention for the mean hue, in double precision.
/// It is written over the two hue vectors instead of their angles, so only `+ − × ÷ √` take part and the result has
/// the same bits on every machine; it agrees with the trigonometric form to about 1e-12. It is symmetric to the last
/// bit and exactly 0 for equal colours.
///
/// CIEDE2000 is made for small differences. It is no distance in the mathematical sense, and it jumps where two
/// saturated colours have opposite hues, because the mean hue does: the tie itself is decided as in the published
/// test data.
///
/// ```
/// use trueup_pixel_diff::{Lab, delta_e};
///
/// let red = Lab::from_srgb8([255, 0, 0]);
/// let blue = Lab::from_srgb8([0, 0, 255]);
/// assert_eq!(format!("{:.3}", delta_e(red, blue)), "52.878");
/// ```
#[must_use]
pub fn delta_e(x: Lab, y: Lab) -> f64 {
    // Chroma correction of a*, from the unprimed mean chroma.
    let mean_chroma = (x.chroma() + y.chroma()) / 2.0;
    let stretch = 1.5 - 0.5 * saturation(mean_chroma);
    let (a1, b1, a2, b2) = (stretch * x.a, x.b, stretch * y.a, y.b);
    let c1 = (a1 * a1 + b1 * b1).sqrt();
    let c2 = (a2 * a2 + b2 * b2).sqrt();

    let dl = y.l - x.l;
    let dc = c2 - c1;
    let product = c1 * c2;
    let dot = a1 * a2 + b1 * b2;
    let cross = a1 * b2 - a2 * b1;
    let dh = hue_difference(product, dot, cross);
    let (cos, sin) = mean_hue((a1, b1, c1), (a2, b2, c2), dot, cross);

    let mean_l = (x.l + y.l) / 2.0;
    let mean_c = (c1 + c2) / 2.0;
    let l50 = (mean_l - 50.0) * (mean_l - 50.0);
    let sl = 1.0 + 0.015 * l50 / (20.0 + l50).sqrt();
    let sc = 1.0 + 0.045 * mean_c;
    let sh = 1.0 + 0.015 * mean_c * hue_weight(cos, sin);
    let rt = -sin_to_60_degrees(std::f64::consts::FRAC_PI_3 * blueness(cos, sin)) * 2.0 * saturation(mean_c);

    let (l, c, h) = (dl / sl, dc / sc, dh / sh);
    // The form is positive definite because |RT| < 2; rounding alone could make it negative near 0.
    (l * l + c * c + h * h + rt * c * h).max(0.0).sqrt()
}

/// √(C⁷ / (C⁷ + 25⁷)), 0 to 1.
fn saturation(c: f64) -> f64 {
    let c2 = c * c;
    let c7 = c2 * c2 * c2 * c;
    (c7 / (c7 + POW7_25)).sqrt()
}

/// Signed ΔH = 2·√(C1·C2)·sin(Δh/2), from P = C1·C2 and the dot and cross product of the two hue vectors.
pub(crate) fn hue_difference(product: f64, dot: f64, cross: f64) -> f64 {
    if product <= 0.0 {
        0.0
    } else if dot >= 0.0 {
        // Sève's form: no cancellation for near hues.
        cross / (0.5 * (product + dot)).sqrt()
    } else {
        let magnitude = (2.0 * (product - dot)).sqrt();
        if cross < 0.0 { -magnitude } else { magnitude }
    }
}

/// Unit vector at the mean hue: the bisector of the shorter arc.
fn mean_hue(
    (a1, b1, c1): (f64, f64, f64),
    (a2, b2, c2): (f64, f64, f64),
    dot: f64,
    cross: f64,
) -> (f64, f64) {
    let (x, y) = if dot >= 0.0 {
        (a1 * c2 + a2 * c1, b1 * c2 + b2 * c1)
    } else {
        // The sum cancels for nearly opposite hues; the difference, turned by a quarter, does not.
        let (wx, wy) = (a1 * c2 - a2 * c1, b1 * c2 - b2 * c1);
        let (x, y) = (-wy, wx);
        if cross > 0.0 {
            (x, y)
        } else if cross < 0.0 {
            (-x, -y)
        } else {
            // Exactly opposite: |Δh| = 180° takes the plain mean, which is the bisector with negative a' for hues
            // that are written as 0°…360°.
            if x < 0.0 { (x, y) } else { (-x, -y) }
        }
    };
    let length = (x * x + y * y).sqrt();
    // Without chroma on one side ΔH is 0 and the mean hue has no effect.
    if length > 0.0 { (x / length, y / length) } else { (1.0, 0.0) }
}

/// The hue weight T, by double-angle products of the mean hue (cos, sin).
fn hue_weight(c: f64, s: f64) -> f64 {
    let (c2, s2) = (c * c - s * s, 2.0 * c * s);
    let (c3, s3) = (c2 * c - s2 * s, s2 * c + c2 * s);
    let (c4, s4) = (c2 * c2 - s2 * s2, 2.0 * c2 * s2);
    // cos(h − 30°), cos 2h, cos(3h + 6°), cos(4h − 63°), expanded with the constants' sines and cosines.
    1.0 - 0.17 * (c * 0.866_025_403_784_438_6 + s * 0.5)
        + 0.24 * c2
        + 0.32 * (c3 * 0.994_521_895_368_273_3 - s3 * 0.104_528_463_267_653_47)
        - 0.20 * (c4 * 0.453_990_499_739_546_8 + s4 * 0.891_006_524_188_367_9)
}

/// exp(−((h̄ − 275°)/25°)²), how much the rotation term applies; h̄ is taken in 0°…360°.
fn blueness(c: f64, s: f64) -> f64 {
    // In 0°…100° the distance to 275° is counted the long way (ISO/CIE), at least 175°: below 6e-22.
    if s >= 0.0 && c >= -0.17 {
        return 0.0;
    }
    // (c, s) turned by −275°.
    let turned_c = c * 0.087_155_742_747_658_17 - s * 0.996_194_698_091_745_5;
    let turned_s = s * 0.087_155_742_747_658_17 + c * 0.996_194_698_091_745_5;
    if turned_c < -0.9 {
        // More than 154° away: below 4e-17.
        return 0.0;
    }
    let angle = 2.0 * atan(turned_s / (1.0 + turned_c));
    // Radians to units of 25°: 180 / (25·π).
    let distance = angle * 2.291_831_180_523_293;
    exp_negative(-distance * distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formula as printed, with the platform's trigonometry, in degrees.
    fn textbook(x: Lab, y: Lab) -> f64 {
        let g = |c: f64| (c.powi(7) / (c.powi(7) + 25f64.powi(7))).sqrt();
        let stretch = 1.0 + 0.5 * (1.0 - g((x.a.hypot(x.b) + y.a.hypot(y.b)) / 2.0));
        let (a1, a2) = (stretch * x.a, stretch * y.a);
        let (c1, c2) = (a1.hypot(x.b), a2.hypot(y.b));
        let hue = |a: f64, b: f64| {
            if a == 0.0 && b == 0.0 { 0.0 } else { b.atan2(a).to_degrees().rem_euclid(360.0) }
        };
        let (h1, h2) = (hue(a1, x.b), hue(a2, y.b));
        let mut dh = h2 - h1;
        let mut mean_h = h1 + h2;
        if c1 * c2 == 0.0 {
            dh = 0.0;
        } else if dh.abs() <= 180.0 {
            mean_h /= 2.0;
        } else {
            mean_h = if mean_h < 360.0 { (mean_h + 360.0) / 2.0 } else { (mean_h - 360.0) / 2.0 };
            dh -= 360.0f64.copysign(dh);
        }
        let big_h = 2.0 * (c1 * c2).sqrt() * (dh / 2.0).to_radians().sin();
        let cos = |degrees: f64| degrees.to_radians().cos();
        let t = 1.0 - 0.17 * cos(mean_h - 30.0) + 0.24 * cos(2.0 * mean_h) + 0.32 * cos(3.0 * mean_h + 6.0)
            - 0.20 * cos(4.0 * mean_h - 63.0);
        let (ml, mc) = ((x.l + y.l) / 2.0, (c1 + c2) / 2.0);
        let sl = 1.0 + 0.015 * (ml - 50.0).powi(2) / (20.0 + (ml - 50.0).powi(2)).sqrt();
        let (sc, sh) = (1.0 + 0.045 * mc, 1.0 + 0.015 * mc * t);
        let theta = 30.0 * (-((mean_h - 275.0) / 25.0).powi(2)).exp();
        let rt = -(2.0 * theta).to_radians().sin() * 2.0 * g(mc);
        let (l, c, h) = ((y.l - x.l) / sl, (c2 - c1) / sc, big_h / sh);
        (l * l + c * c + h * h + rt * c * h).max(0.0).sqrt()
    }

    fn random_colours() -> impl Iterator<Item = [u8; 6]> {
        // A fixed linear congruential sequence: the same colours on every run.
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let b = (state >> 16).to_le_bytes();
            [b[0], b[1], b[2], b[3], b[4], b[5]]
        })
    }

    #[test]
    fn agrees_with_the_printed_formula() {
        let mut worst = 0.0_f64;
        for c in random_colours().take(60_000) {
            let near = [c[0] ^ (c[3] & 7), c[1] ^ (c[4] & 7), c[2] ^ (c[5] & 7)];
            let x = Lab::from_srgb8([c[0], c[1], c[2]]);
            for y in [Lab::from_srgb8([c[3], c[4], c[5]]), Lab::from_srgb8(near)] {
                worst = worst.max((delta_e(x, y) - textbook(x, y)).abs());
            }
        }
        assert!(worst < 1e-11, "off by {worst:e}");
    }

    #[test]
    fn is_symmetric_to_the_last_bit_and_never_nan() {
        for c in random_colours().take(60_000) {
            let (x, y) = (Lab::from_srgb8([c[0], c[1], c[2]]), Lab::from_srgb8([c[3], c[4], c[5]]));
            let forward = delta_e(x, y);
            assert_eq!(forward.to_bits(), delta_e(y, x).to_bits(), "{c:?}");
            assert!(forward.is_finite());
            assert_eq!(forward == 0.0, c[..3] == c[3..]);
            assert_eq!(delta_e(x, x), 0.0);
        }
    }
}
