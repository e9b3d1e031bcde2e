//! The trait that formulas implement, and their names.

use std::fmt;

use trueup_frame::ColorSpace;

use crate::metric::{Channel, Cie76, Cie94, Ciede2000, OklabHyab, Yiq};
use crate::{Lab, Tolerance};

mod sealed {
    pub trait Sealed {}
    impl Sealed for crate::Ciede2000 {}
    impl Sealed for crate::Cie94 {}
    impl Sealed for crate::Cie76 {}
    impl Sealed for crate::OklabHyab {}
    impl Sealed for crate::Yiq {}
    impl Sealed for crate::Channel {}
}

/// A colour difference formula.
///
/// Every formula here is symmetric to the last bit, is 0 for equal colours, and is never NaN for finite input. The
/// trait is sealed: the scan relies on those properties, and on the same bits on every machine.
pub trait Metric: sealed::Sealed + Copy + Send + Sync {
    /// The formula's name, as it stands beside every threshold.
    const KIND: MetricKind;

    /// What the formula takes: [`Lab`], or gamma-encoded red, green and blue in 0–1.
    type Color: Copy;

    /// Difference of two colours in the formula's own unit, ≥ 0.
    fn difference(a: Self::Color, b: Self::Color) -> f64;
}

/// Names of the colour difference formulas, for options and reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum MetricKind {
    /// CIEDE2000 (ISO/CIE 11664-6) with all weights 1: see [`Ciede2000`].
    #[default]
    Ciede2000,
    /// CIE 1994: see [`Cie94`].
    Cie94,
    /// Euclidean distance in CIELAB (CIE 1976): see [`Cie76`].
    Cie76,
    /// HyAB in OKLab, as pixelmatch 8 decides: see [`OklabHyab`].
    OklabHyab,
    /// YIQ, as pixelmatch 7 decides: see [`Yiq`].
    Yiq,
    /// The largest difference of a sample: see [`Channel`].
    Channel,
}

impl MetricKind {
    /// All formulas.
    pub const ALL: [Self; 6] =
        [Self::Ciede2000, Self::Cie94, Self::Cie76, Self::OklabHyab, Self::Yiq, Self::Channel];

    /// The stable lower-case name, as written in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ciede2000 => "ciede2000",
            Self::Cie94 => "cie94",
            Self::Cie76 => "cie76",
            Self::OklabHyab => "oklab-hyab",
            Self::Yiq => "yiq",
            Self::Channel => "channel",
        }
    }

    /// The name of a threshold of this formula: `color_delta_e` for those over CIELAB, whose unit is the same, and the
    /// formula's own name for the others, so that no number is taken for one of another scale.
    #[must_use]
    pub const fn tolerance_key(self) -> &'static str {
        match self {
            Self::Ciede2000 | Self::Cie94 | Self::Cie76 => "color_delta_e",
            Self::OklabHyab => "oklab_hyab",
            Self::Yiq => "yiq",
            Self::Channel => "channel",
        }
    }

    /// A tolerance to begin with: 2 for CIEDE2000 and CIE 1994, 2.3 for CIE 1976 (its just noticeable difference), 10 for
    /// the formulas of pixelmatch (its `threshold` of 0.1), 8 levels for samples.
    #[must_use]
    pub fn default_tolerance(self) -> Tolerance {
        let value = match self {
            Self::Ciede2000 | Self::Cie94 => return Tolerance::default(),
            Self::Cie76 => 2.3,
            Self::OklabHyab | Self::Yiq => 10.0,
            Self::Channel => 8.0,
        };
        // All of them are in range.
        Tolerance::new(value).unwrap_or_default()
    }

    /// Whether the formula takes samples as they are, so that it needs both images in one colour space.
    #[must_use]
    pub const fn is_of_samples(self) -> bool {
        matches!(self, Self::OklabHyab | Self::Yiq | Self::Channel)
    }

    /// Difference of two colours in CIELAB under this formula, ≥ 0; `None` for a formula of samples.
    #[must_use]
    pub fn of_lab(self, a: Lab, b: Lab) -> Option<f64> {
        match self {
            Self::Ciede2000 => Some(Ciede2000::difference(a, b)),
            Self::Cie94 => Some(Cie94::difference(a, b)),
            Self::Cie76 => Some(Cie76::difference(a, b)),
            Self::OklabHyab | Self::Yiq | Self::Channel => None,
        }
    }

    /// Difference of two colours in gamma-encoded sRGB, samples in 0–1, under this formula, ≥ 0.
    #[must_use]
    pub fn of_srgb(self, a: [f64; 3], b: [f64; 3]) -> f64 {
        // sRGB is always known.
        let lab = |rgb| Lab::from_encoded(rgb, ColorSpace::Srgb).unwrap_or_default();
        self.of_lab(lab(a), lab(b)).unwrap_or_else(|| self.of_samples(a, b))
    }

    /// Difference of samples; 0 for a formula that does not take them.
    pub(crate) fn of_samples(self, a: [f64; 3], b: [f64; 3]) -> f64 {
        match self {
            Self::OklabHyab => OklabHyab::difference(a, b),
            Self::Yiq => Yiq::difference(a, b),
            Self::Channel => Channel::difference(a, b),
            Self::Ciede2000 | Self::Cie94 | Self::Cie76 => 0.0,
        }
    }

    /// Whether samples differ by more than a tolerance, where the formula decides that without rounding.
    pub(crate) fn is_above(self, a: [f64; 3], b: [f64; 3], tolerance: f64) -> Option<bool> {
        match self {
            Self::OklabHyab => Some(OklabHyab::is_above(a, b, tolerance)),
            Self::Yiq => Some(Yiq::is_above(a, b, tolerance)),
            Self::Channel | Self::Ciede2000 | Self::Cie94 | Self::Cie76 => None,
        }
    }
}

impl fmt::Display for MetricKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
