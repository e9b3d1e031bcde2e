//! Which scores are legal, and which direction is better.

use std::fmt;

use crate::Points;

/// The direction in which a score improves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[expect(clippy::exhaustive_enums, reason = "a score has two directions")]
pub enum Better {
    /// More is better, as in grades.
    Higher,
    /// Less is better, as in an open score that falls to 0.
    Lower,
}

impl Better {
    /// Whether `new` is strictly better than `old`.
    #[must_use]
    pub fn improves(self, new: Points, old: Points) -> bool {
        match self {
            Self::Higher => new > old,
            Self::Lower => new < old,
        }
    }
}

/// The legal scores of one axis: an inclusive range, an optional step, and a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    min: Points,
    max: Points,
    step: Option<Points>,
    better: Better,
}

/// A scale that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScaleError {
    kind: ScaleErrorKind,
}

/// Why a scale cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScaleErrorKind {
    /// The range holds a single value or none, so a score on it would say nothing.
    EmptyRange {
        /// Lower end as given.
        min: Points,
        /// Upper end as given.
        max: Points,
    },
    /// The step is not above 0, or does not divide the range into whole steps.
    BadStep {
        /// The step as given.
        step: Points,
    },
}

impl ScaleError {
    /// Why the scale cannot be used.
    #[must_use]
    pub const fn kind(&self) -> ScaleErrorKind {
        self.kind
    }
}

impl fmt::Display for ScaleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ScaleErrorKind::EmptyRange { min, max } => {
                write!(f, "a scale from {min} to {max} is empty: the minimum must be below the maximum")
            }
            ScaleErrorKind::BadStep { step } => {
                write!(f, "a step of {step} does not divide the scale into whole steps")
            }
        }
    }
}

impl std::error::Error for ScaleError {}

impl Scale {
    /// The scores from `min` to `max`, both included.
    ///
    /// # Errors
    /// When `min` is not below `max`.
    pub fn new(min: Points, max: Points, better: Better) -> Result<Self, ScaleError> {
        if min >= max {
            return Err(ScaleError { kind: ScaleErrorKind::EmptyRange { min, max } });
        }
        Ok(Self { min, max, step: None, better })
    }

    /// Only the scores that lie whole steps above the minimum.
    ///
    /// # Errors
    /// When the step is not above 0 or does not divide the range.
    pub fn with_step(self, step: Points) -> Result<Self, ScaleError> {
        let range = i128::from(self.max.micros()) - i128::from(self.min.micros());
        if step <= Points::ZERO || range % i128::from(step.micros()) != 0 {
            return Err(ScaleError { kind: ScaleErrorKind::BadStep { step } });
        }
        Ok(Self { step: Some(step), ..self })
    }

    /// Lowest legal score.
    #[must_use]
    pub const fn min(&self) -> Points {
        self.min
    }

    /// Highest legal score.
    #[must_use]
    pub const fn max(&self) -> Points {
        self.max
    }

    /// Distance between neighbouring legal scores, where there is one.
    #[must_use]
    pub const fn step(&self) -> Option<Points> {
        self.step
    }

    /// The direction in which a score improves.
    #[must_use]
    pub const fn better(&self) -> Better {
        self.better
    }

    /// Whether the score lies in the range and, where the scale has a step, on one.
    #[must_use]
    pub fn contains(&self, score: Points) -> bool {
        let offset = i128::from(score.micros()) - i128::from(self.min.micros());
        (self.min..=self.max).contains(&score)
            && self.step.is_none_or(|step| offset % i128::from(step.micros()) == 0)
    }

    /// Whether `score` is at least as good as `floor`, in the scale's own direction.
    #[must_use]
    pub fn meets(&self, score: Points, floor: Points) -> bool {
        !self.better.improves(floor, score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(min: i64, max: i64, better: Better) -> Scale {
        Scale::new(Points::from_whole(min), Points::from_whole(max), better).unwrap()
    }

    #[test]
    fn r07_direction_is_part_of_the_scale() {
        let (up, down) = (whole(1, 5, Better::Higher), whole(1, 5, Better::Lower));
        let (three, four) = (Points::from_whole(3), Points::from_whole(4));
        assert!(up.meets(four, three) && !up.meets(three, four));
        assert!(down.meets(three, four) && !down.meets(four, three));
        assert!(up.meets(three, three) && down.meets(three, three));
        assert!(Better::Higher.improves(four, three) && !Better::Higher.improves(three, three));
    }

    #[test]
    fn a_scale_without_room_is_refused() {
        let error = Scale::new(Points::ONE, Points::ONE, Better::Higher).unwrap_err();
        assert!(matches!(error.kind(), ScaleErrorKind::EmptyRange { .. }));
        let scale = whole(0, 1, Better::Higher);
        for step in [Points::ZERO, Points::from_whole(-1), Points::from_micros(300_000)] {
            assert!(scale.with_step(step).is_err(), "{step}");
        }
    }

    #[test]
    fn steps_count_from_the_minimum() {
        let quarters = whole(0, 1, Better::Higher).with_step(Points::from_micros(250_000)).unwrap();
        assert!(quarters.contains(Points::from_micros(750_000)));
        assert!(!quarters.contains(Points::from_micros(700_000)));
        assert!(!quarters.contains(Points::from_micros(1_250_000)));
    }
}
