//! YIQ as in pixelmatch 7.

use super::{Metric, MetricKind};

/// Rows Y, I and Q of the matrix, over samples of 0 to 255.
pub(crate) const YIQ_ROWS: [[f64; 3]; 3] = [
    [0.298_895_31, 0.586_622_47, 0.114_482_23],
    [0.595_977_99, -0.274_176_10, -0.321_801_89],
    [0.211_470_17, -0.522_617_11, 0.311_146_94],
];
/// What the squares of ΔY, ΔI and ΔQ weigh.
pub(crate) const YIQ_WEIGHTS: [f64; 3] = [0.5053, 0.299, 0.1957];
/// The square of the largest difference, as pixelmatch has it.
pub(crate) const YIQ_MAX: f64 = 35_215.0;

/// The weighted distance in YIQ of Kotsarenko and Ramos (2010), scaled so that the largest difference is 100 (black to white is 96.6).
///
/// A colour differs at tolerance T if and only if it differs for pixelmatch up to 7.2, odiff and their like at
/// `threshold` T/100; their default of 0.1 is 10 here. Samples are taken as they are, whatever their colour space.
///
/// It knows little of hue and nothing of saturation: pairs that differ equally by it lie between ΔE 0.9 and 47.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a name without state")]
pub struct Yiq;

impl Metric for Yiq {
    const KIND: MetricKind = MetricKind::Yiq;
    type Color = [f64; 3];

    fn difference(x: [f64; 3], y: [f64; 3]) -> f64 {
        100.0 * (squared(x, y) / YIQ_MAX).sqrt()
    }
}

impl Yiq {
    /// Whether the difference is above `tolerance`, without a root that could round to it.
    pub(crate) fn is_above(x: [f64; 3], y: [f64; 3], tolerance: f64) -> bool {
        let threshold = tolerance / 100.0;
        squared(x, y) > YIQ_MAX * threshold * threshold
    }
}

/// In the order of operations of pixelmatch, so that decisions agree to the last bit.
fn squared(x: [f64; 3], y: [f64; 3]) -> f64 {
    let [r, g, b] = [0, 1, 2].map(|c| x[c] * 255.0 - y[c] * 255.0);
    let part = |c: usize| YIQ_ROWS[c][0] * r + YIQ_ROWS[c][1] * g + YIQ_ROWS[c][2] * b;
    let weighted = |c: usize| YIQ_WEIGHTS[c] * part(c) * part(c);
    weighted(0) + weighted(1) + weighted(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_is_the_most() {
        assert_eq!(format!("{:.2}", Yiq::difference([0.0; 3], [1.0; 3])), "96.59");
        let corners = (0..8_u8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from));
        let all = corners.clone().flat_map(|x| corners.clone().map(move |y| Yiq::difference(x, y)));
        let most = all.fold(0.0, f64::max);
        assert!((99.9..=100.0).contains(&most), "{most}");
    }

    #[test]
    fn bytes_survive_being_fractions() {
        for level in 0..=255 {
            assert_eq!(f64::from(level) / 255.0 * 255.0, f64::from(level));
        }
    }

    #[test]
    fn cannot_tell_what_is_far_apart_from_what_is_near() {
        // pixelmatch#127: ΔE 58, 39, 2.4 and 0.6.
        let of = |x: [u8; 3], y: [u8; 3]| {
            Yiq::difference(x.map(|c| f64::from(c) / 255.0), y.map(|c| f64::from(c) / 255.0))
        };
        assert_eq!(format!("{:.1}", of([41, 56, 157], [41, 56, 0])), "19.9");
        assert_eq!(format!("{:.1}", of([39, 44, 92], [39, 44, 14])), "9.9");
        assert_eq!(format!("{:.1}", of([0, 254, 252], [94, 254, 252])), "20.0");
        assert_eq!(format!("{:.1}", of([0, 254, 252], [47, 254, 252])), "10.0");
    }
}
