//! What came of a command.

use std::fmt;

use trueup_contract::{Answer, FaultKind, Judgement, LabelReadiness, Measurement, SkipClass, StateId};
use trueup_score::Points;

/// What came of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[expect(clippy::exhaustive_enums, reason = "whoever folds a journal must know every event")]
pub enum Event {
    /// The artifact was read, and the references were looked at.
    Read {
        /// The state that the artifact is in.
        state: StateId,
        /// For each label of the plan, whether its reference can be used.
        labels: Vec<LabelReadiness>,
    },
    /// The artifact is back in the state that was asked for.
    Restored,
    /// The artifact was changed.
    Revised {
        /// The state that it is in now.
        state: StateId,
        /// What was changed, for people.
        note: String,
    },
    /// The work was split, and one slice of it was made.
    SliceRevised {
        /// The state that the artifact is in now.
        state: StateId,
        /// What was changed, for people.
        note: String,
        /// The slices that the work was split into.
        split: Vec<String>,
        /// The slice that was made.
        landed: String,
    },
    /// The change was not accepted and has been taken back: the artifact is in the state that it was revised from.
    Rejected {
        /// Why.
        why: Rejection,
        /// What exactly, for people.
        note: String,
    },
    /// The reviser has nothing to propose; the artifact is unchanged.
    NothingToRevise {
        /// What it said.
        note: String,
    },
    /// The reviser holds that the state passes and proposes nothing; the artifact is unchanged. Only a person can say who is
    /// right.
    Disputed {
        /// What it said.
        note: String,
    },
    /// The reviser cannot go on without a person; the artifact is unchanged.
    Blocked {
        /// What kind of thing only a person can give.
        class: SkipClass,
        /// What it said.
        note: String,
    },
    /// The renderer shows the current state.
    Reloaded,
    /// Every label that can be compared was captured.
    Captured,
    /// What was captured was held against the references.
    Compared {
        /// What was seen.
        measurement: Measurement,
    },
    /// What was captured was scored.
    Judged {
        /// What the judge said.
        judgement: Judgement,
    },
    /// A person answered. Also taken when the run waits for an answer, under the last attempt.
    Answered {
        /// What.
        answer: Answer,
    },
    /// Nobody is there to ask: the run waits.
    NobodyToAsk,
    /// A trial was measured, and the artifact is back where it was.
    Tried {
        /// What was seen of the tried state.
        reading: TrialReading,
    },
    /// The port failed. Whatever it had begun was undone: the artifact is in the state that it was in before.
    Failed {
        /// How.
        fault: PortFault,
    },
    /// Somebody calls the run off. Allowed at any time.
    Cancelled,
}

/// What was seen of a state that was tried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[expect(clippy::exhaustive_enums, reason = "whoever folds a journal must know every reading")]
pub enum TrialReading {
    /// Its open score.
    Scored(Points),
    /// It cannot be rendered or compared; trying it again would say the same.
    Unmeasurable,
    /// Nothing was seen of it: the trial was given up, or what measures did not work.
    Abandoned,
    /// Nothing was seen of it, because what renders is gone:
    /// [`Engine::charge_recovery`](crate::Engine::charge_recovery) brings it back.
    Lost,
}

/// How a port failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PortFault {
    /// What kind of failure, which decides what happens next.
    pub kind: FaultKind,
    /// What happened, for people.
    pub message: String,
}

impl PortFault {
    /// A failure of this kind.
    #[must_use]
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

impl fmt::Display for PortFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)
    }
}

/// Why a revision was taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Rejection {
    /// It writes a literal where a token belongs.
    Literal,
    /// It cannot be read.
    Malformed,
    /// It removes what it must keep.
    Destructive,
    /// It was tried before for the same open regions.
    Repeated,
    /// It cannot be applied to the artifact.
    NotApplicable,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Literal => "literal",
            Self::Malformed => "malformed",
            Self::Destructive => "destructive",
            Self::Repeated => "repeated",
            Self::NotApplicable => "not applicable",
        })
    }
}
