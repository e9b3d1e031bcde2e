//! What each iteration came to.

use std::collections::BTreeSet;

use trueup_score::{Points, Truth};

use crate::{DeltaId, FindingKey, Merit, Progress, StateId, Value};

/// How an iteration ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum IterationKind {
    /// It was captured and measured.
    Measured,
    /// The best state was measured again, because the contract or the judge changed (R20). Never charged.
    Rebaselined,
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

/// What a judge's verdict on an iteration came to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Judged {
    /// Pass, fail or undetermined, by floors, criteria and threshold.
    pub truth: Truth,
    /// Must-pass axes and criteria that fail.
    pub hard_fails: u32,
    /// Points that are missing to the floors.
    pub shortfall: Points,
    /// The overall, where the rubric says how to form one (R9).
    pub overall: Option<Value>,
    /// Keys of the findings that stand, where the judge gave any account of them.
    pub findings: Option<BTreeSet<FindingKey>>,
}

impl Judged {
    /// A verdict of which only the truth is known.
    #[must_use]
    pub const fn new(truth: Truth) -> Self {
        Self { truth, hard_fails: 0, shortfall: Points::ZERO, overall: None, findings: None }
    }

    /// The verdict with an overall.
    #[must_use]
    pub fn with_overall(self, overall: Option<Value>) -> Self {
        Self { overall, ..self }
    }

    /// The verdict with what is below its floor.
    #[must_use]
    pub fn with_fails(self, hard_fails: u32, shortfall: Points) -> Self {
        Self { hard_fails, shortfall, ..self }
    }

    /// The verdict with the findings that stand.
    #[must_use]
    pub fn with_findings(self, findings: Option<BTreeSet<FindingKey>>) -> Self {
        Self { findings, ..self }
    }
}

/// One entry of the history.
///
/// Score, verdict and ids are `None` when they are unknown. Unknown equals nothing: not another unknown, not the empty set
/// (R4).
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// What the judge's verdict came to, when it was judged.
    pub judged: Option<Judged>,
}

impl Iteration {
    /// An iteration of which nothing is known but how it ended.
    #[must_use]
    pub const fn unknown(index: u32, state: StateId, kind: IterationKind) -> Self {
        Self { index, kind, state, truth: Truth::Undetermined, score: None, delta_ids: None, judged: None }
    }

    /// Whether its state was really seen.
    #[must_use]
    pub const fn is_measured(&self) -> bool {
        matches!(self.kind, IterationKind::Measured | IterationKind::Rebaselined)
    }
}

/// The iterations of a run in order, the baseline first. Read-only input of every rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    iterations: Vec<Iteration>,
    /// Where the newest epoch begins (R20).
    epoch_start: usize,
    epoch: u32,
    /// Entries that were there when a person last answered.
    answered_at: usize,
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

    /// Begins a new epoch: what is added from now on is never compared with what was there before (R20).
    pub fn begin_epoch(&mut self) {
        self.epoch += 1;
        self.epoch_start = self.iterations.len();
    }

    /// Begins a new epoch with the newest entry as its first.
    pub fn begin_epoch_with_last(&mut self) {
        self.epoch += 1;
        self.epoch_start = self.iterations.len().saturating_sub(1);
    }

    /// Notes that a person answered: what is counted since an answer is counted from here.
    pub fn note_answer(&mut self) {
        self.answered_at = self.iterations.len();
    }

    /// All iterations in order.
    #[must_use]
    pub fn iterations(&self) -> &[Iteration] {
        &self.iterations
    }

    /// The number of the newest epoch, from 0.
    #[must_use]
    pub const fn epoch(&self) -> u32 {
        self.epoch
    }

    /// The iterations of the newest epoch, which may be compared with each other.
    #[must_use]
    pub fn comparable(&self) -> &[Iteration] {
        self.iterations.get(self.epoch_start..).unwrap_or_default()
    }

    /// The iterations since a person last answered; all but the baseline where nobody did.
    #[must_use]
    pub fn since_answer(&self) -> &[Iteration] {
        self.iterations.get(self.answered_at.max(1)..).unwrap_or_default()
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

    /// The history as it was after its first `len` entries.
    #[must_use]
    pub fn prefix(&self, len: usize) -> Self {
        Self {
            iterations: self.iterations.iter().take(len).cloned().collect(),
            epoch_start: self.epoch_start.min(len),
            epoch: self.epoch,
            answered_at: self.answered_at.min(len),
        }
    }

    /// The merit of an entry of [`comparable`](Self::comparable).
    #[must_use]
    pub fn merit(&self, position: usize, progress: &dyn Progress) -> Option<Merit> {
        self.comparable().get(position).and_then(|iteration| progress.merit(iteration))
    }

    /// Whether the entry at `position` of [`comparable`](Self::comparable) improved on the last known merit before it (R4).
    ///
    /// An unknown merit did not improve. The first known merit improved on nothing, and counts as an improvement.
    #[must_use]
    pub fn improved(&self, position: usize, progress: &dyn Progress) -> bool {
        let Some(merit) = self.merit(position, progress) else { return false };
        let before = (0..position).rev().find_map(|earlier| self.merit(earlier, progress));
        before.is_none_or(|before| merit > before)
    }

    /// Whether the entry at `position` of [`comparable`](Self::comparable) improved on everything before it.
    #[must_use]
    pub fn is_best_so_far(&self, position: usize, progress: &dyn Progress) -> bool {
        let Some(merit) = self.merit(position, progress) else { return false };
        (0..position).filter_map(|earlier| self.merit(earlier, progress)).all(|before| merit > before)
    }
}
