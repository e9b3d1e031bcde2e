//! How a run ended.

use std::collections::BTreeSet;

use trueup_contract::{Channel, DeltaId, StateId, Stop};
use trueup_score::Points;

use crate::Budget;

/// How a run ended: the same data on every exit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// Every stop that held, in the order of decision; never empty. The first is the status (R2).
    pub stops: Vec<Stop>,
    /// The best state seen, which the artifact is in now; `None` when nothing was ever measured.
    pub best: Option<Best>,
    /// The score of every iteration from the baseline on, `None` where it is unknown.
    pub score_history: Vec<Option<Points>>,
    /// What was spent.
    pub budget: Budget,
    /// Revisions that were taken back because they write a literal where a token belongs.
    pub literal_patches_reverted: u32,
    /// What the last fault was, when one ended the run.
    pub fault: Option<String>,
}

/// The best state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Best {
    /// The state.
    pub state: StateId,
    /// The iteration that reached it.
    pub iteration: u32,
    /// Its open score.
    pub score: Option<Points>,
    /// What is still open in it.
    pub residual: BTreeSet<DeltaId>,
    /// The kinds of evidence that were compared.
    pub channels: BTreeSet<Channel>,
    /// Labels whose reference cannot be used, with the reason.
    pub not_comparable: Vec<(String, String)>,
}

impl Outcome {
    /// The primary stop.
    #[must_use]
    pub fn status(&self) -> Stop {
        // Never empty by construction; an outcome without a reason would be a breach of the engine's own invariant.
        self.stops.first().copied().unwrap_or(Stop::InvariantBreach)
    }
}
