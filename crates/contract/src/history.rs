//! What each iteration came to.

use std::collections::BTreeSet;

use trueup_score::{Better, Points, Truth};

use crate::{DeltaId, StateId};

/// How an iteration ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum IterationKind {
    /// It was captured and compared.
    Measured,
    /// The revision was taken back before anything was captured (R6).
    Reverted {
        /// What was wrong with it.
        why: String,
    },
    /// The revised artifact could not be captured (R6).
    CaptureFailed {
        /// What the capturer said.
        why: String,
    },
    /// The reviser changed nothing.
    NoChange {
        /// What the reviser said.
        why: String,
    },
}

/// One entry of the history.
///
/// Score and ids are `None` when they are unknown. Unknown equals nothing: not another unknown, not the empty set (R4).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Iteration {
    /// Its number; 0 is the baseline, which is never charged (R3).
    pub index: u32,
    /// How it ended.
    pub kind: IterationKind,
    /// The state that it was about.
    pub state: StateId,
    /// Whether that state passes.
    pub truth: Truth,
    /// Its open score, when it is known.
    pub score: Option<Points>,
    /// Its open regions, when they are known.
    pub delta_ids: Option<BTreeSet<DeltaId>>,
}

impl Iteration {
    /// An iteration of which nothing is known but how it ended.
    #[must_use]
    pub fn unknown(index: u32, state: StateId, kind: IterationKind) -> Self {
        Self { index, kind, state, truth: Truth::Undetermined, score: None, delta_ids: None }
    }
}

/// The iterations of a run in order, the baseline first. Read-only input of every rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    iterations: Vec<Iteration>,
}

impl History {
    /// A history without any iteration.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what the next iteration came to.
    pub fn push(&mut self, iteration: Iteration) {
        self.iterations.push(iteration);
    }

    /// All iterations in order.
    #[must_use]
    pub fn iterations(&self) -> &[Iteration] {
        &self.iterations
    }

    /// The newest iteration.
    #[must_use]
    pub fn last(&self) -> Option<&Iteration> {
        self.iterations.last()
    }

    /// The score of each iteration, `None` where it is unknown.
    pub fn scores(&self) -> impl Iterator<Item = Option<Points>> + '_ {
        self.iterations.iter().map(|iteration| iteration.score)
    }

    /// Whether the iteration at `position` improved on the last known score before it (R4).
    ///
    /// An unknown score did not improve. The first known score improved on nothing, and counts as an improvement.
    #[must_use]
    pub fn improved(&self, position: usize, better: Better) -> bool {
        let Some(score) = self.iterations.get(position).and_then(|iteration| iteration.score) else {
            return false;
        };
        let before = self.iterations[..position].iter().rev().find_map(|iteration| iteration.score);
        before.is_none_or(|before| better.improves(score, before))
    }
}
