//! How a run ended.

use std::collections::BTreeSet;

use trueup_contract::{Approach, Budget, Channel, DeltaId, Question, StateId, Stop, StopClass, Usage};
use trueup_score::Points;

/// How a run ended: the same data on every exit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Outcome {
    /// Every stop that held, in the order of decision; never empty.
    pub stops: Vec<Stop>,
    /// The best state seen, which the artifact is in now; `None` when nothing was ever measured.
    pub best: Option<Best>,
    /// The open score of every iteration from the baseline on, `None` where it is unknown.
    pub score_history: Vec<Option<Points>>,
    /// The overall of every iteration from the baseline on, as it may be shown; `None` where there is none.
    pub overall_history: Vec<Option<Points>>,
    /// What was spent.
    pub budget: Budget,
    /// What was consumed.
    pub usage: Usage,
    /// Revisions that were taken back because they write a literal where a token belongs.
    pub literal_patches_reverted: u32,
    /// What the last fault was, when one ended the run.
    pub fault: Option<String>,
    /// What a person has to decide before the run can go on.
    pub question: Option<Question>,
    /// Who took it as it is.
    pub accepted_by: Option<String>,
    /// How the work was split, when it was.
    pub split: Option<Split>,
    /// How the last revision went about it.
    pub approach: Approach,
    /// Evaluations that were granted beyond the cap.
    pub granted: u32,
}

/// How the work was split, and what of it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Split {
    /// The slices.
    pub slices: Vec<String>,
    /// The one that was made.
    pub landed: String,
    /// Whether its state became the best one.
    pub stands: bool,
}

/// The best state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Best {
    /// The state.
    pub state: StateId,
    /// The iteration that reached it.
    pub iteration: u32,
    /// Its open score.
    pub score: Option<Points>,
    /// Its overall, as it may be shown.
    pub overall: Option<Points>,
    /// What is still open in it.
    pub residual: BTreeSet<DeltaId>,
    /// Axes below their floor, and criteria that fail.
    pub failing: Vec<String>,
    /// The kinds of evidence that were compared.
    pub channels: BTreeSet<Channel>,
    /// Labels whose reference cannot be used, with the reason.
    pub not_comparable: Vec<(String, String)>,
    /// Regions that are excused, each with its class, its reason and who says so.
    pub excused: Vec<String>,
}

impl Outcome {
    /// The outcome without what was consumed: two runs that come to the same may have taken a different time.
    #[must_use]
    pub fn without_usage(self) -> Self {
        Self { usage: Usage::NONE, ..self }
    }

    /// The primary stop: the first in the order of decision (R2). A run that waits for a person needs one, whatever else
    /// holds (R15).
    #[must_use]
    pub fn status(&self) -> Stop {
        if self.question.is_some() {
            let human = self.stops.iter().find(|stop| stop.class() == StopClass::NeedsHuman);
            return human.copied().unwrap_or(Stop::Escalation);
        }
        // Never empty by construction; an outcome without a reason would be a breach of the engine's own invariant.
        self.stops.first().copied().unwrap_or(Stop::InvariantBreach)
    }
}
