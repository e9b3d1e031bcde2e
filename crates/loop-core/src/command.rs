//! What the engine asks for.

use std::collections::BTreeSet;
use std::fmt;

use trueup_contract::{DeltaId, StateId};

use crate::{Outcome, Record};

/// The number of one try at one command, rising over a run.
///
/// A repeat after a fault is a new attempt; the same command after a crash is the same one, and is not charged again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Attempt(pub(crate) u64);

impl Attempt {
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

/// What to do next. Every command is answered by exactly one [`Event`](crate::Event).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[expect(clippy::exhaustive_enums, reason = "an ignored new command would be a hang")]
pub enum Command {
    /// Name the state that the artifact is in, and say of each label whether its reference can be used.
    Read,
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
pub enum Step {
    /// Write the charge's record, then commit it and carry out the command.
    Persist(Charge),
    /// A command is out: carry it out ([`Engine::outstanding`](crate::Engine::outstanding)) and apply its event.
    Wait,
    /// The run is over.
    Done(Outcome),
}
