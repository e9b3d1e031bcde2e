//! What the engine asks for.

use std::collections::BTreeSet;
use std::fmt;

use trueup_contract::{Approach, DeltaId, FindingKey, Question, StateId};

use crate::{Outcome, Record};

/// The number of one try at one command, rising over a run.
///
/// A repeat after a fault is a new attempt; the same command after a crash is the same one, and is not charged again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Attempt(pub(crate) u64);

impl Attempt {
    /// The attempt of this number, for stores that keep numbers. An attempt that the engine did not give out is refused by
    /// whatever it is handed to.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "attempt {}", self.0)
    }
}

/// How hard the renderer is brought to show the current state; each rung is used once before a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[expect(clippy::exhaustive_enums, reason = "a capturer that ignored a rung would never come back")]
pub enum Rung {
    /// Read the artifact again. Free.
    Reload,
    /// Start what renders again. Charges a restart.
    Restart,
    /// Start everything again from nothing. Charges a restart.
    Relaunch,
}

impl Rung {
    /// The next harder one.
    #[must_use]
    pub const fn next(self) -> Option<Self> {
        match self {
            Self::Reload => Some(Self::Restart),
            Self::Restart => Some(Self::Relaunch),
            Self::Relaunch => None,
        }
    }
}

/// What a judgement is for. The judge itself never hears it (R19).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum JudgeWhy {
    /// To score the state.
    Score,
    /// To score it again, because the verdict lies so near a threshold that chance may have decided it.
    ConfirmNear,
    /// To score a new best again, before it becomes what others must beat.
    ConfirmBest,
    /// To score the best state again, because the contract or the judge changed.
    Rebaseline,
}

/// What to do next. Every command is answered by exactly one [`Event`](crate::Event).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[expect(clippy::exhaustive_enums, reason = "an ignored new command would be a hang")]
pub enum Command {
    /// Name the state that the artifact is in, and say of each label whether its reference can be used.
    Read {
        /// The hash of the contract that the run begins under: the records of another one do not follow.
        contract: String,
        /// The rules of the caller's own that it has, by their ids: a run cannot be resumed without them.
        rules: Vec<String>,
    },
    /// Bring the artifact back to a state, exactly.
    Restore {
        /// The state.
        to: StateId,
    },
    /// Change the artifact so that less is open.
    Revise {
        /// The iteration that this is charged to.
        iteration: u32,
        /// The state that the artifact is in, the best one seen.
        from: StateId,
        /// What is open in it.
        targets: BTreeSet<DeltaId>,
        /// States that were tried for exactly these targets; none of them may come again.
        tried: Vec<StateId>,
        /// How to go about it.
        approach: Approach,
        /// What a person said to look at first.
        focus: Option<String>,
        /// Axes below their floor and criteria that fail in the best state.
        failing: Vec<String>,
        /// Keys of the findings that stand in the best state.
        findings: BTreeSet<FindingKey>,
    },
    /// Have the renderer show the current state.
    Reload {
        /// How hard.
        rung: Rung,
    },
    /// Render every label.
    Capture {
        /// The iteration that this is part of.
        iteration: u32,
        /// The state that is rendered.
        state: StateId,
    },
    /// Hold what was captured against the references.
    Compare {
        /// The iteration that this is part of.
        iteration: u32,
        /// The state that was captured.
        state: StateId,
    },
    /// Have what was captured scored.
    Judge {
        /// The iteration that this is part of.
        iteration: u32,
        /// The state that was captured.
        state: StateId,
        /// What for.
        why: JudgeWhy,
    },
    /// Ask a person. The run waits where nobody answers.
    Ask {
        /// What.
        question: Question,
    },
    /// Measure a state that a reviser tries out, and bring the artifact back to where it was.
    Trial {
        /// The state that is tried.
        state: StateId,
    },
}

/// A command that must be written down before it may be carried out.
///
/// Only the engine makes one, and [`Engine::commit`](crate::Engine::commit) takes it back in exchange for the command.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a charge that is not written and committed stops the loop"]
pub struct Charge {
    pub(crate) attempt: Attempt,
    pub(crate) command: Command,
}

impl Charge {
    /// The attempt that is charged.
    #[must_use]
    pub const fn attempt(&self) -> Attempt {
        self.attempt
    }

    /// What to write before the command is carried out.
    #[must_use]
    pub fn record(&self) -> Record {
        Record::Charged { attempt: self.attempt, command: self.command.clone() }
    }
}

/// What the caller has to do for the loop to go on.
#[derive(Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an ignored new step would be a hang")]
#[expect(clippy::large_enum_variant, reason = "one value at a time, and a run has one outcome")]
pub enum Step {
    /// Write the charge's record, then commit it and carry out the command.
    Persist(Charge),
    /// A command is out: carry it out ([`Engine::outstanding`](crate::Engine::outstanding)) and apply its event.
    Wait,
    /// The run is over.
    Done(Outcome),
}
