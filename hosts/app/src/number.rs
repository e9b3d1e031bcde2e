//! Exact scores as JSON numbers.

use serde::{Serialize, Serializer};
use trueup_score::Points;

/// A score as a JSON number: whole where it is whole, else the shortest decimal, which reads back as the same score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_structs, reason = "a score and nothing else")]
pub struct Number(
    /// The score.
    pub Points,
);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const UNIT: i64 = 1_000_000;
        let micros = self.0.micros();
        if micros % UNIT == 0 {
            return serializer.serialize_i64(micros / UNIT);
        }
        // Below nine billion points a double holds six decimals; scales end long before.
        let number: f64 = self.0.to_string().parse().map_err(serde::ser::Error::custom)?;
        serializer.serialize_f64(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_as_the_same_score() {
        for text in ["4", "0.75", "-0.000001", "0.1", "83.333333", "100"] {
            let points: Points = text.parse().unwrap();
            assert_eq!(serde_json::to_string(&Number(points)).unwrap(), text.replace("-0.000001", "-1e-6"));
        }
    }
}
