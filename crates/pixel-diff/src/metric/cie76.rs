//! CIE 1976.

use super::{Metric, MetricKind};
use crate::Lab;

/// ΔE\*ab, the Euclidean distance in CIELAB (CIE 1976).
///
/// Simple and a true metric, but it overstates differences of saturated colours up to seven times against
/// CIEDE2000; here for comparison with tools that use it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a name without state")]
pub struct Cie76;

impl Metric for Cie76 {
    const KIND: MetricKind = MetricKind::Cie76;
    type Color = Lab;

    fn difference(x: Lab, y: Lab) -> f64 {
        let (dl, da, db) = (y.l - x.l, y.a - x.a, y.b - x.b);
        (dl * dl + da * da + db * db).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_euclidean_distance() {
        assert_eq!(Cie76::difference(Lab::new(50.0, 1.0, 2.0), Lab::new(53.0, 5.0, 14.0)), 13.0);
    }
}
