//! Why a rubric cannot be used.

use std::fmt;

use trueup_score::Points;

/// A rubric contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RubricError {
    kind: RubricErrorKind,
}

/// What contradicts itself in a rubric.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RubricErrorKind {
    /// It has no axis, so nothing could ever pass it.
    NoAxes,
    /// An axis or a condition has no name.
    NoName {
        /// `an axis` or `a condition`.
        what: &'static str,
    },
    /// Two axes have one name; case and outer blanks make no difference.
    DuplicateAxis {
        /// The name.
        axis: String,
    },
    /// Two conditions have one name.
    DuplicateCondition {
        /// The name.
        id: String,
    },
    /// The floor lies outside the axis's scale.
    FloorOffScale {
        /// The axis.
        axis: String,
        /// The floor as given.
        floor: Points,
    },
    /// No score that a judge may give meets the floor.
    FloorUnreachable {
        /// The axis.
        axis: String,
        /// The floor as given.
        floor: Points,
        /// The best score that a judge may give.
        best: Points,
    },
    /// A floor would be lower than the rubric allows.
    FloorLowered {
        /// The axis.
        axis: String,
        /// The floor as given.
        floor: Points,
        /// The floor that stands.
        stands: Points,
    },
    /// An anchor lies off the scale or between its steps.
    AnchorOffScale {
        /// The axis.
        axis: String,
        /// The anchor's score.
        anchor: Points,
    },
    /// Two anchors of an axis have one score or one label.
    DuplicateAnchor {
        /// The axis.
        axis: String,
        /// The score or the label.
        anchor: String,
    },
    /// Only anchors are legal, and there is none.
    NoAnchors {
        /// The axis.
        axis: String,
    },
    /// The slack outside the scale is below 0.
    NegativeSlack {
        /// The axis.
        axis: String,
    },
    /// Something names an axis that the rubric does not have.
    UnknownAxis {
        /// What names it: `a floor`, `a weight`, `the condition "x"`.
        what: String,
        /// The name.
        axis: String,
        /// The axes that there are.
        known: Vec<String>,
    },
    /// A cap lies off its axis's scale.
    CapOffScale {
        /// The condition.
        id: String,
        /// The cap.
        at: Points,
    },
    /// An axis has no weight, and the others have.
    MissingWeight {
        /// The axis.
        axis: String,
    },
    /// All weights are 0.
    ZeroWeights,
    /// An overall is asked for over axes of different scales.
    MixedScales {
        /// One axis.
        first: String,
        /// Another, on another scale.
        second: String,
    },
    /// An overall is asked for over axes that improve in different directions.
    MixedDirections,
    /// No overall can reach the threshold, or every one does.
    ThresholdOffScale {
        /// The threshold as given.
        threshold: Points,
        /// The worst overall.
        worst: String,
        /// The best overall.
        best: String,
    },
    /// The threshold is below what the rubric allows.
    ThresholdTooLow {
        /// The threshold as given.
        threshold: Points,
        /// The lowest that is allowed.
        at_least: Points,
    },
    /// The reduction for a lost criterion is not above 0.
    BadRegressionStep {
        /// The step as given.
        step: Points,
    },
}

impl RubricError {
    pub(crate) const fn new(kind: RubricErrorKind) -> Self {
        Self { kind }
    }

    /// What contradicts itself.
    #[must_use]
    pub const fn kind(&self) -> &RubricErrorKind {
        &self.kind
    }
}

impl fmt::Display for RubricError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            RubricErrorKind::NoAxes => f.write_str("a rubric needs at least one axis"),
            RubricErrorKind::NoName { what } => write!(f, "{what} needs a name"),
            RubricErrorKind::DuplicateAxis { axis } => write!(f, "the axis {axis:?} is there twice"),
            RubricErrorKind::DuplicateCondition { id } => write!(f, "the condition {id:?} is there twice"),
            RubricErrorKind::FloorOffScale { axis, floor } => {
                write!(f, "the floor {floor} of axis {axis:?} lies outside its scale")
            }
            RubricErrorKind::FloorUnreachable { axis, floor, best } => {
                write!(f, "no score reaches the floor {floor} of axis {axis:?}: the best is {best}")
            }
            RubricErrorKind::FloorLowered { axis, floor, stands } => write!(
                f,
                "the floor {floor} of axis {axis:?} is laxer than its own, {stands}: floors of this rubric may only be raised"
            ),
            RubricErrorKind::AnchorOffScale { axis, anchor } => {
                write!(f, "the anchor {anchor} of axis {axis:?} is no score on its scale")
            }
            RubricErrorKind::DuplicateAnchor { axis, anchor } => {
                write!(f, "the anchor {anchor} of axis {axis:?} is there twice")
            }
            RubricErrorKind::NoAnchors { axis } => {
                write!(f, "axis {axis:?} allows only anchors and has none")
            }
            RubricErrorKind::NegativeSlack { axis } => {
                write!(f, "the slack of axis {axis:?} must not be below 0")
            }
            RubricErrorKind::UnknownAxis { what, axis, known } => {
                write!(f, "{what} names the axis {axis:?}, which is not there: expected {}", known.join(", "))
            }
            RubricErrorKind::CapOffScale { id, at } => {
                write!(f, "the cap {at} of condition {id:?} lies outside its axis's scale")
            }
            RubricErrorKind::MissingWeight { axis } => write!(
                f,
                "axis {axis:?} has no weight and others have: weights are never invented, so give it one (0 leaves it out)"
            ),
            RubricErrorKind::ZeroWeights => f.write_str("all weights are 0: there would be no overall"),
            RubricErrorKind::MixedScales { first, second } => write!(
                f,
                "{first:?} and {second:?} have different scales, so there is no overall over both: use one scale, or leave the aggregation out"
            ),
            RubricErrorKind::MixedDirections => f.write_str(
                "more is better on one axis and worse on another, so there is no overall over both: leave the aggregation out",
            ),
            RubricErrorKind::ThresholdOffScale { threshold, worst, best } => write!(
                f,
                "the threshold {threshold} decides nothing: the overall runs from {worst} (worst) to {best} (best)"
            ),
            RubricErrorKind::ThresholdTooLow { threshold, at_least } => {
                write!(f, "the threshold {threshold} is too low: at least {at_least} is asked for")
            }
            RubricErrorKind::BadRegressionStep { step } => {
                write!(f, "the reduction {step} for a lost criterion must be above 0")
            }
        }
    }
}

impl std::error::Error for RubricError {}
