//! What a person is asked, and what they may answer (R15, R16).

use std::fmt;

use crate::{Approach, Stop};

/// A question that only a person can decide.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Question {
    /// The iteration after which it is asked.
    pub iteration: u32,
    /// Every stop that holds, in the order of decision.
    pub stops: Vec<Stop>,
    /// Why the loop cannot decide it, for people.
    pub why: String,
    /// What may be answered.
    pub options: Vec<AnswerKind>,
    /// The approaches that were tried, with the round that each answered; empty without a ladder, or where it was skipped.
    pub ladder: Vec<(u32, Approach)>,
}

impl Question {
    /// A question with every answer allowed and no ladder.
    #[must_use]
    pub fn new(iteration: u32, stops: Vec<Stop>, why: impl Into<String>) -> Self {
        Self { iteration, stops, why: why.into(), options: AnswerKind::ALL.to_vec(), ladder: Vec::new() }
    }

    /// The question with the approaches that were tried.
    #[must_use]
    pub fn with_ladder(self, ladder: Vec<(u32, Approach)>) -> Self {
        Self { ladder, ..self }
    }
}

/// What kind of answer it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum AnswerKind {
    /// Go on, perhaps with another focus and more iterations.
    Continue,
    /// Go on under another contract.
    Adjust,
    /// Take it as it is, although it does not pass.
    AcceptAsIs,
    /// Stop.
    Abort,
}

impl AnswerKind {
    /// Every kind of answer.
    pub const ALL: &'static [Self] = &[Self::Continue, Self::Adjust, Self::AcceptAsIs, Self::Abort];
}

impl fmt::Display for AnswerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Continue => "continue",
            Self::Adjust => "adjust",
            Self::AcceptAsIs => "accept-as-is",
            Self::Abort => "abort",
        })
    }
}

/// What a person answered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[expect(clippy::exhaustive_enums, reason = "whoever folds a journal must know every answer")]
pub enum Answer {
    /// Go on.
    Continue {
        /// What to look at first from now on.
        focus: Option<String>,
        /// Iterations that are granted beyond those that are left, at most as many as the limit that the run began with.
        more_iterations: u32,
    },
    /// Go on under another contract: a new epoch, in which the best state is measured again (R20).
    Adjust {
        /// The hash of the new contract, which the engine must have been given.
        contract: String,
        /// Iterations that are granted beyond those that are left, as above.
        more_iterations: u32,
    },
    /// Take the best state as it is. This is never converged (R16).
    AcceptAsIs {
        /// Who answers for it.
        by: String,
    },
    /// Stop, with the stops that hold.
    Abort,
}

impl Answer {
    /// Go on as before.
    #[must_use]
    pub const fn go_on(more_iterations: u32) -> Self {
        Self::Continue { focus: None, more_iterations }
    }

    /// What kind of answer it is.
    #[must_use]
    pub const fn kind(&self) -> AnswerKind {
        match self {
            Self::Continue { .. } => AnswerKind::Continue,
            Self::Adjust { .. } => AnswerKind::Adjust,
            Self::AcceptAsIs { .. } => AnswerKind::AcceptAsIs,
            Self::Abort => AnswerKind::Abort,
        }
    }

    /// The iterations that it grants.
    #[must_use]
    pub const fn more_iterations(&self) -> u32 {
        match self {
            Self::Continue { more_iterations, .. } | Self::Adjust { more_iterations, .. } => *more_iterations,
            Self::AcceptAsIs { .. } | Self::Abort => 0,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)?;
        match self {
            Self::Continue { focus: Some(focus), .. } => write!(f, ", with a look at {focus}")?,
            Self::AcceptAsIs { by } => write!(f, ", says {by}")?,
            _ => {}
        }
        match self.more_iterations() {
            0 => Ok(()),
            more => write!(f, ", {more} more iterations"),
        }
    }
}
