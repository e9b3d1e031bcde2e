//! What a judge's reply reads as.

use std::collections::BTreeMap;

use trueup_score::Points;

/// What was read for one axis.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Reading {
    /// A score on the scale.
    Scored(Points),
    /// A score just outside the scale, taken as the nearest end and flagged.
    Clamped {
        /// The score as the judge gave it.
        raw: Points,
        /// The end of the scale that it was taken as.
        to: Points,
    },
    /// The judge said nothing about the axis. Never a number (R8).
    Missing,
    /// The judge said something that is no score.
    Invalid {
        /// What was wrong with it.
        why: String,
    },
}

impl Reading {
    /// The score that counts, or `None` when there is none.
    #[must_use]
    pub const fn score(&self) -> Option<Points> {
        match self {
            Self::Scored(score) | Self::Clamped { to: score, .. } => Some(*score),
            Self::Missing | Self::Invalid { .. } => None,
        }
    }
}

/// One reading per axis, as a judge gave them.
///
/// A scorecard is not a verdict: only [`Rubric::hold`](crate::Rubric::hold) makes one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Scorecard {
    readings: BTreeMap<String, Reading>,
}

impl Scorecard {
    /// A card on which nothing is scored yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The card with this reading for `axis`; a second reading for the same axis replaces the first.
    #[must_use]
    pub fn with(mut self, axis: impl Into<String>, reading: Reading) -> Self {
        self.readings.insert(axis.into(), reading);
        self
    }

    /// What was read for `axis`; [`Reading::Missing`] when nothing was.
    #[must_use]
    pub fn reading(&self, axis: &str) -> &Reading {
        self.readings.get(axis).unwrap_or(&Reading::Missing)
    }

    /// All readings in the order of the axes' names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Reading)> {
        self.readings.iter().map(|(axis, reading)| (axis.as_str(), reading))
    }
}
