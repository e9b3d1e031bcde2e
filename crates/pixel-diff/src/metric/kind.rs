//! The trait that formulas implement, and their names.

use std::fmt;

use crate::Lab;

mod sealed {
    pub trait Sealed {}
    impl Sealed for crate::Ciede2000 {}
    impl Sealed for crate::Cie76 {}
}

/// A colour difference formula over CIELAB.
///
/// Every formula here is symmetric to the last bit, is 0 for equal colours, and is never NaN for finite input. The
/// trait is sealed: the scan relies on those properties, and on the same bits on every machine.
pub trait Metric: sealed::Sealed + Copy + Send + Sync {
    /// The formula's name, as it stands beside every threshold.
    const KIND: MetricKind;

    /// Difference of two colours in the formula's own unit, ≥ 0.
    fn difference(a: Lab, b: Lab) -> f64;
}

/// Names of the colour difference formulas, for options and reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum MetricKind {
    /// CIEDE2000 (ISO/CIE 11664-6) with all weights 1: see [`Ciede2000`](crate::Ciede2000).
    #[default]
    Ciede2000,
    /// Euclidean distance in CIELAB (CIE 1976): see [`Cie76`](crate::Cie76).
    Cie76,
}

impl MetricKind {
    /// The stable lower-case name, as written in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ciede2000 => "ciede2000",
            Self::Cie76 => "cie76",
        }
    }

    /// Difference of two colours under this formula, ≥ 0.
    #[must_use]
    pub fn difference(self, a: Lab, b: Lab) -> f64 {
        match self {
            Self::Ciede2000 => crate::Ciede2000::difference(a, b),
            Self::Cie76 => crate::Cie76::difference(a, b),
        }
    }
}

impl fmt::Display for MetricKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
