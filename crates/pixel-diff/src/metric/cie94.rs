//! CIE 1994.

use super::{Metric, MetricKind, hue_difference};
use crate::Lab;

/// ΔE\*94 (CIE 116-1995) with the weights for graphic arts: kL = 1, K1 = 0.045, K2 = 0.015.
///
/// The formula weighs by the chroma of a reference. Where neither colour is the reference, CIE 116 takes the geometric mean of
/// both chromas, which is symmetric; so does this.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a name without state")]
pub struct Cie94;

impl Metric for Cie94 {
    const KIND: MetricKind = MetricKind::Cie94;
    type Color = Lab;

    fn difference(x: Lab, y: Lab) -> f64 {
        let (cx, cy) = (x.chroma(), y.chroma());
        let mean = (cx * cy).sqrt();
        let l = y.l - x.l;
        let c = (cy - cx) / (1.0 + 0.045 * mean);
        let h = hue_difference(cx * cy, x.a * y.a + x.b * y.b, x.a * y.b - y.a * x.b) / (1.0 + 0.015 * mean);
        (l * l + c * c + h * h).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_cie76_for_greys_and_less_for_colours() {
        assert_eq!(Cie94::difference(Lab::new(50.0, 0.0, 0.0), Lab::new(53.0, 0.0, 0.0)), 3.0);
        // By hand: both chromas 50, ΔC = 0, ΔH = Δ = 10·√2·… along the circle.
        let (x, y) = (Lab::new(50.0, 50.0, 0.0), Lab::new(50.0, 30.0, 40.0));
        let hue = (20.0_f64 * 20.0 + 40.0 * 40.0).sqrt();
        assert!((Cie94::difference(x, y) - hue / 1.75).abs() < 1e-12);
        assert_eq!(Cie94::difference(x, y), Cie94::difference(y, x));
    }
}
