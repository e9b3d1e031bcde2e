//! How much difference is allowed.

use crate::DeltaE;
use crate::error::{DiffError, DiffErrorKind};

/// How much difference is allowed before something is reported as open.
///
/// The default, `color_delta_e` = 2.0 and not strict, is argued at [`Options::tolerance`](crate::Options::tolerance).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "wire::Tolerance", into = "wire::Tolerance"))]
pub struct Tolerance {
    color_delta_e: DeltaE,
    strict: bool,
}

impl Tolerance {
    /// The largest `color_delta_e`: beyond any difference that two colours can have.
    pub const MAX_COLOR_DELTA_E: f64 = 1000.0;

    pub(crate) const DEFAULT: Self =
        Self { color_delta_e: DeltaE::from_raw(2 * DeltaE::SCALE), strict: false };

    /// A tolerance of `color_delta_e`, in units of the metric that it is used with, from 0 to 1000. It is kept to the
    /// nearest 1/65 536.
    ///
    /// # Errors
    /// [`DiffErrorKind::InvalidTolerance`] when the value is not finite, negative, or above 1000.
    pub fn new(color_delta_e: f64) -> Result<Self, DiffError> {
        let max = Self::MAX_COLOR_DELTA_E;
        if !(0.0..=max).contains(&color_delta_e) {
            return Err(DiffError::new(DiffErrorKind::InvalidTolerance {
                name: "color_delta_e",
                value: color_delta_e,
                max,
            }));
        }
        Ok(Self { color_delta_e: DeltaE::from_f64(color_delta_e), strict: false })
    }

    /// No tolerance: every pixel of different value is open, however small the difference.
    ///
    /// RGB under alpha 0 is still nothing, because no one can see it. `color_delta_e` keeps its default of 2.0 and
    /// only decides which pixels are counted as visible.
    #[must_use]
    pub fn strict() -> Self {
        Self::default().with_strict(true)
    }

    /// The same tolerance, strict or not.
    #[must_use]
    pub const fn with_strict(self, strict: bool) -> Self {
        Self { strict, ..self }
    }

    /// The colour difference T of the rule: see [`Options::tolerance`](crate::Options::tolerance).
    #[must_use]
    pub const fn color_delta_e(self) -> DeltaE {
        self.color_delta_e
    }

    /// Whether every pixel of different value is open.
    #[must_use]
    pub const fn is_strict(self) -> bool {
        self.strict
    }
}

impl Default for Tolerance {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(feature = "serde")]
mod wire {
    //! The serialised form: plain numbers, checked again on the way in.

    use crate::DiffError;

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Tolerance {
        color_delta_e: f64,
        #[serde(default)]
        strict: bool,
    }

    impl TryFrom<Tolerance> for super::Tolerance {
        type Error = DiffError;

        fn try_from(wire: Tolerance) -> Result<Self, DiffError> {
            Ok(Self::new(wire.color_delta_e)?.with_strict(wire.strict))
        }
    }

    impl From<super::Tolerance> for Tolerance {
        fn from(tolerance: super::Tolerance) -> Self {
            Self { color_delta_e: tolerance.color_delta_e.to_f64(), strict: tolerance.strict }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_in_range_are_tolerances() {
        for bad in [f64::NAN, f64::INFINITY, -0.001, 1000.1] {
            let error = Tolerance::new(bad).unwrap_err();
            assert!(matches!(error.kind(), DiffErrorKind::InvalidTolerance { .. }), "{bad}");
        }
        assert_eq!(Tolerance::new(2.0).unwrap(), Tolerance::default());
        assert_eq!(Tolerance::new(0.0).unwrap().color_delta_e(), DeltaE::ZERO);
    }
}
