//! Plain distance of samples.

use super::{Metric, MetricKind};

/// The largest difference of one encoded sample, in levels of 8 bits: 0 to 255.
///
/// Says nothing of what people see, and is what tools mean that allow "up to 8 levels".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a name without state")]
pub struct Channel;

impl Metric for Channel {
    const KIND: MetricKind = MetricKind::Channel;
    type Color = [f64; 3];

    fn difference(x: [f64; 3], y: [f64; 3]) -> f64 {
        (0..3).map(|c| 255.0 * (y[c] - x[c]).abs()).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_largest_step() {
        let (x, y) = ([0.0, 0.2, 1.0], [8.0 / 255.0, 0.2, 1.0]);
        assert_eq!(Channel::difference(x, y), 8.0);
        assert_eq!(Channel::difference([1.0; 3], [0.0; 3]), 255.0);
    }
}
