//! What a judge's reply reads as.

use std::collections::BTreeMap;

use trueup_score::{Points, Truth};

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
    /// A score that several judges came to; it need not lie on a step.
    Combined(Points),
    /// A score that was lowered because a criterion that once passed was lost (R11).
    Regressed {
        /// The score as the judge gave it.
        raw: Points,
        /// What it counts for.
        to: Points,
    },
    /// A score of which nothing shows that it is deserved: it can fail, and never pass.
    Unverified {
        /// The score as the judge gave it.
        score: Points,
        /// What is missing.
        why: String,
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
            Self::Scored(score)
            | Self::Combined(score)
            | Self::Clamped { to: score, .. }
            | Self::Regressed { to: score, .. } => Some(*score),
            Self::Unverified { .. } | Self::Missing | Self::Invalid { .. } => None,
        }
    }

    /// Its name in documents.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Scored(_) => "scored",
            Self::Clamped { .. } => "clamped",
            Self::Combined(_) => "combined",
            Self::Regressed { .. } => "regressed",
            Self::Unverified { .. } => "unverified",
            Self::Missing => "missing",
            Self::Invalid { .. } => "invalid",
        }
    }
}

/// One reading per axis, as a judge gave them, and what was seen of the rubric's conditions.
///
/// A scorecard is not a verdict: only [`Rubric::hold`](crate::Rubric::hold) makes one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Scorecard {
    readings: BTreeMap<String, Reading>,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "BTreeMap::is_empty"))]
    conditions: BTreeMap<String, Truth>,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    reported: Option<Points>,
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

    /// The card with what was seen of a condition; a second one for the same condition replaces the first.
    #[must_use]
    pub fn with_condition(mut self, id: impl Into<String>, truth: Truth) -> Self {
        self.conditions.insert(id.into(), truth);
        self
    }

    /// The card with an overall that the judge itself reports.
    #[must_use]
    pub fn with_reported(self, overall: Option<Points>) -> Self {
        Self { reported: overall, ..self }
    }

    /// What was read for `axis`; [`Reading::Missing`] when nothing was.
    #[must_use]
    pub fn reading(&self, axis: &str) -> &Reading {
        self.readings.get(axis).unwrap_or(&Reading::Missing)
    }

    /// What was seen of a condition; undetermined when nothing was.
    #[must_use]
    pub fn condition(&self, id: &str) -> Truth {
        self.conditions.get(id).copied().unwrap_or(Truth::Undetermined)
    }

    /// The overall that the judge itself reports.
    #[must_use]
    pub const fn reported(&self) -> Option<Points> {
        self.reported
    }

    /// All readings in the order of the axes' names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Reading)> {
        self.readings.iter().map(|(axis, reading)| (axis.as_str(), reading))
    }

    /// All conditions of which something was seen, in the order of their names.
    pub fn conditions(&self) -> impl Iterator<Item = (&str, Truth)> {
        self.conditions.iter().map(|(id, truth)| (id.as_str(), *truth))
    }
}
