//! Why a run could not be driven at all.

use std::fmt;
use std::io;

use trueup_contract::ContractError;
use trueup_loop_core::{ProtocolError, RestoreError};

use crate::JournalError;

/// A run could not be driven, or not to its end. What its journal holds is still the truth.
#[derive(Debug)]
pub struct DriveError {
    kind: DriveErrorKind,
}

/// Why a run could not be driven.
#[derive(Debug)]
#[non_exhaustive]
pub enum DriveErrorKind {
    /// The journal cannot be read or added to.
    Journal(JournalError),
    /// The journal is of another run, another contract or another plan.
    ForeignJournal {
        /// What does not fit.
        what: &'static str,
        /// What the journal says.
        found: String,
        /// What this run says.
        expected: String,
    },
    /// The contract can never be met.
    Contract(ContractError),
    /// The journal's records do not make a run.
    BrokenJournal(RestoreError),
    /// The journal does not hold the content of a state that the run needs.
    MissingState {
        /// The state.
        state: String,
    },
    /// What is written for people and tools could not be written.
    Sink(io::Error),
    /// The driver called the engine out of order: a mistake in this program.
    Protocol(ProtocolError),
}

impl DriveError {
    pub(crate) const fn new(kind: DriveErrorKind) -> Self {
        Self { kind }
    }

    /// Why it could not be driven.
    #[must_use]
    pub const fn kind(&self) -> &DriveErrorKind {
        &self.kind
    }

    /// Whether the journal is what is wrong: the status is then `undetermined:journal-corrupt`.
    #[must_use]
    pub const fn is_journal_corrupt(&self) -> bool {
        match &self.kind {
            DriveErrorKind::Journal(error) => error.is_damage(),
            DriveErrorKind::BrokenJournal(_) | DriveErrorKind::MissingState { .. } => true,
            _ => false,
        }
    }
}

impl From<JournalError> for DriveError {
    fn from(error: JournalError) -> Self {
        Self::new(DriveErrorKind::Journal(error))
    }
}

impl From<ProtocolError> for DriveError {
    fn from(error: ProtocolError) -> Self {
        Self::new(DriveErrorKind::Protocol(error))
    }
}

impl From<io::Error> for DriveError {
    fn from(error: io::Error) -> Self {
        Self::new(DriveErrorKind::Sink(error))
    }
}

impl fmt::Display for DriveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            DriveErrorKind::Journal(error) => error.fmt(f),
            DriveErrorKind::ForeignJournal { what, found, expected } => {
                write!(
                    f,
                    "the journal belongs to another {what}: it says {found}, and this run says {expected}"
                )
            }
            DriveErrorKind::Contract(error) => error.fmt(f),
            DriveErrorKind::BrokenJournal(_) => f.write_str("the journal's records do not make a run"),
            DriveErrorKind::MissingState { state } => {
                write!(f, "the journal does not hold the content of state {state}, which the run needs")
            }
            DriveErrorKind::Sink(_) => f.write_str("the run folder cannot be written"),
            DriveErrorKind::Protocol(_) => {
                f.write_str("the engine was called out of order, which is a mistake in this program")
            }
        }
    }
}

impl std::error::Error for DriveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            DriveErrorKind::Journal(error) => std::error::Error::source(error),
            DriveErrorKind::BrokenJournal(error) => Some(error),
            DriveErrorKind::Sink(error) => Some(error),
            DriveErrorKind::Protocol(error) => Some(error),
            DriveErrorKind::Contract(error) => std::error::Error::source(error),
            DriveErrorKind::ForeignJournal { .. } | DriveErrorKind::MissingState { .. } => None,
        }
    }
}
