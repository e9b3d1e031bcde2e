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
    /// Two axes have one name.
    DuplicateAxis {
        /// The name.
        axis: String,
    },
    /// No score on the axis's scale meets its floor, or every score does.
    FloorOffScale {
        /// The axis.
        axis: String,
        /// The floor as given.
        floor: Points,
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
            RubricErrorKind::DuplicateAxis { axis } => write!(f, "the axis {axis:?} is there twice"),
            RubricErrorKind::FloorOffScale { axis, floor } => {
                write!(f, "the floor {floor} of axis {axis:?} lies outside its scale")
            }
        }
    }
}

impl std::error::Error for RubricError {}
