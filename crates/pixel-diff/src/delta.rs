//! Colour differences as integers.

use std::fmt;

/// A colour difference in fixed point: 65 536 to the unit, 0 to 65 535.99998.
///
/// Every difference is rounded to this once (to nearest, halves up), and everything after that is integer arithmetic:
/// sums do not depend on their order, comparisons do not depend on the machine. Two pixels of different value are never
/// recorded as 0, however small the difference.
///
/// Recorded differences are within 5e-4 of the reference in double precision, [`delta_e`](crate::delta_e); whether a
/// pixel is above a tolerance, and whether an area is open, is always decided exactly as by the reference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct DeltaE(u32);

impl DeltaE {
    /// No difference.
    pub const ZERO: Self = Self(0);
    /// Steps to the unit: 2¹⁶.
    pub const SCALE: u32 = 1 << 16;

    /// The difference of `raw` / 65 536.
    #[must_use]
    pub const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    /// The nearest representable difference; negative and NaN become 0, large values saturate.
    #[must_use]
    pub fn from_f64(value: f64) -> Self {
        // Adding ½ and truncating is one fixed sequence of IEEE operations; `as` saturates and maps NaN to 0.
        #[expect(clippy::cast_sign_loss, reason = "negative values are meant to become 0")]
        Self((value * f64::from(Self::SCALE) + 0.5) as u32)
    }

    /// The difference times 65 536.
    #[must_use]
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// The difference as a number; exact.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(Self::SCALE)
    }
}

/// Four decimals, unless the formatter asks for another precision.
impl fmt::Display for DeltaE {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.*}", f.precision().unwrap_or(4), self.to_f64())
    }
}

/// `sum` / 2¹⁶ / `count` as a number; 0 for an empty set.
///
/// Exact to the rounding of the final division while the sum is below 2⁵³, which takes a thousand million pixels.
#[expect(clippy::cast_precision_loss, reason = "a mean for people; the exact sum and count are public")]
pub(crate) fn mean(sum: i128, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum as f64 / f64::from(DeltaE::SCALE) / count as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_to_nearest_and_saturates() {
        assert_eq!(DeltaE::from_f64(1.0).raw(), 65_536);
        assert_eq!(DeltaE::from_f64(0.5 / 65_536.0).raw(), 1);
        assert_eq!(DeltaE::from_f64(0.499 / 65_536.0).raw(), 0);
        assert_eq!(DeltaE::from_f64(f64::NAN), DeltaE::ZERO);
        assert_eq!(DeltaE::from_f64(-3.0), DeltaE::ZERO);
        assert_eq!(DeltaE::from_f64(1e30).raw(), u32::MAX);
    }

    #[test]
    fn displays_four_decimals() {
        assert_eq!(DeltaE::from_f64(1.523_49).to_string(), "1.5235");
        assert_eq!(format!("{:.1}", DeltaE::from_f64(1.56)), "1.6");
    }
}
