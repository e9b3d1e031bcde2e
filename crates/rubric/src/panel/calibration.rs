//! Scoring the same twice, to see whether the judge is steady.

use trueup_score::{Points, Ratio};

use crate::{Rubric, Scorecard};

/// Whether run number `run` (from 1) is one that is scored twice, every `every` runs. Never for 0.
#[must_use]
pub const fn is_reevaluation_due(run: u64, every: u64) -> bool {
    every > 0 && run > 0 && run.is_multiple_of(every)
}

/// How far two independent scorings of one state are apart.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Calibration {
    /// One entry per axis that both scored, in the rubric's order.
    pub axes: Vec<CalibrationAxis>,
    /// Axes that only one of them scored: they disagree on whether it can be scored.
    pub one_sided: Vec<String>,
}

/// How far two scorings of one axis are apart.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CalibrationAxis {
    /// The axis.
    pub axis: String,
    /// The first score.
    pub first: Points,
    /// The second score.
    pub second: Points,
    /// Their distance as a share of the scale's span, 0 to 1.
    pub apart: Ratio,
    /// Whether it is more than a tenth.
    pub warns: bool,
}

impl Calibration {
    /// From how large a distance on, of a scale from 0 to 1, a warning is due: above this.
    pub const WARNS_ABOVE: Points = Points::from_micros(100_000);

    /// Compares two scorings of one state.
    #[must_use]
    pub fn of(rubric: &Rubric, first: &Scorecard, second: &Scorecard) -> Self {
        let mut calibration = Self { axes: Vec::new(), one_sided: Vec::new() };
        for axis in rubric.axes() {
            let scores = (first.reading(axis.name()).score(), second.reading(axis.name()).score());
            match scores {
                (Some(a), Some(b)) => {
                    let distance = if a > b { a.saturating_sub(b) } else { b.saturating_sub(a) };
                    let span = axis.scale().max().saturating_sub(axis.scale().min()).micros();
                    let span = u64::try_from(span).unwrap_or(u64::MAX);
                    let apart = Ratio::from(distance)
                        .checked_scale(1_000_000, span)
                        .unwrap_or(Ratio::from(Points::ONE));
                    calibration.axes.push(CalibrationAxis {
                        axis: axis.name().to_owned(),
                        first: a,
                        second: b,
                        apart,
                        warns: apart > Ratio::from(Self::WARNS_ABOVE),
                    });
                }
                (None, None) => {}
                _ => calibration.one_sided.push(axis.name().to_owned()),
            }
        }
        calibration
    }

    /// Whether the judge is unsteady: an axis is more than a tenth apart, or only one scoring has it.
    #[must_use]
    pub fn warns(&self) -> bool {
        !self.one_sided.is_empty() || self.axes.iter().any(|axis| axis.warns)
    }
}
