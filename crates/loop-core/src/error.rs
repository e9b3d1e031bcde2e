//! What callers can do wrong.

use std::fmt;

use trueup_contract::AnswerKind;

use crate::{Attempt, Command};

/// The engine was called out of order. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtocolError {
    kind: ProtocolErrorKind,
}

/// How the engine was called out of order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProtocolErrorKind {
    /// A charge was committed that is not the one that the engine asks for now.
    NotCharged {
        /// The attempt of the charge.
        attempt: Attempt,
    },
    /// An event came for an attempt that is not out: it is late, or it came twice.
    NotOut {
        /// The attempt of the event.
        attempt: Attempt,
    },
    /// An event came that does not answer the command that is out.
    WrongAnswer {
        /// The command that is out.
        command: Box<Command>,
    },
    /// A trial was asked for while no reviser is at work, or while another trial is out.
    NoTrialNow,
    /// A trial was asked for and none is left.
    NoTrialLeft,
    /// The renderer was to be brought back for a trial, and no rung or no restart is left, or no trial lost it.
    NoRecoveryNow,
    /// An answer came that the question does not allow, or no answer is left.
    AnswerNotAllowed {
        /// What kind of answer.
        answer: AnswerKind,
    },
    /// An answer names a contract that the engine was not given.
    UnknownContract {
        /// Its hash.
        contract: String,
    },
    /// The records are of a run under another contract.
    AnotherContract {
        /// The hash that the records name.
        found: String,
        /// The hash of the contract at hand.
        expected: String,
    },
    /// The records are of a run with a rule that the contract at hand does not have.
    UnknownRule {
        /// The id of the rule.
        id: String,
    },
}

impl ProtocolError {
    pub(crate) const fn new(kind: ProtocolErrorKind) -> Self {
        Self { kind }
    }

    /// How the engine was called out of order.
    #[must_use]
    pub const fn kind(&self) -> &ProtocolErrorKind {
        &self.kind
    }
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ProtocolErrorKind::NotCharged { attempt } => {
                write!(
                    f,
                    "{attempt} is not what the engine asks for now: call step() and commit what it gives"
                )
            }
            ProtocolErrorKind::NotOut { attempt } => {
                write!(f, "{attempt} is not out: its answer came late or twice")
            }
            ProtocolErrorKind::WrongAnswer { command } => write!(f, "the event does not answer {command:?}"),
            ProtocolErrorKind::NoTrialNow => {
                f.write_str("a trial can only be made while a reviser is at work, one at a time")
            }
            ProtocolErrorKind::NoTrialLeft => f.write_str("the trials of this run are spent"),
            ProtocolErrorKind::NoRecoveryNow => f.write_str(
                "the renderer cannot be brought back now: no trial lost it, or no rung or restart is left",
            ),
            ProtocolErrorKind::AnswerNotAllowed { answer } => write!(
                f,
                "{answer} is no answer now: nothing is asked, the question does not allow it, or the answers are spent"
            ),
            ProtocolErrorKind::UnknownContract { contract } => write!(
                f,
                "the answer names the contract {contract}, which the engine does not know: give it to the engine first"
            ),
            ProtocolErrorKind::AnotherContract { found, expected } => {
                write!(f, "the run began under the contract {found}, and the one at hand is {expected}")
            }
            ProtocolErrorKind::UnknownRule { id } => {
                write!(f, "the run began under a rule that the contract at hand does not have: {id}")
            }
        }
    }
}

impl std::error::Error for ProtocolError {}

/// The records are not those of a run under this contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoreError {
    pub(crate) index: usize,
    pub(crate) cause: ProtocolError,
}

impl RestoreError {
    /// The position of the record that does not fit, from 0.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index
    }
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {} does not follow from those before it under this contract", self.index)
    }
}

impl std::error::Error for RestoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}
