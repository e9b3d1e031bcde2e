//! What can go wrong at a port, as far as a decision depends on it.

use std::fmt;

/// What kind of failure a port reports.
///
/// The kind alone decides what happens next, so that no message is ever parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum FaultKind {
    /// It may work when tried again: a busy service, a broken connection.
    Transient,
    /// It did not answer in time. Tried again like a transient fault.
    TimedOut,
    /// It panicked. Tried again like a transient fault.
    Panicked,
    /// It works, and refuses what it was given: the artifact cannot be rendered, the reply cannot be read.
    Rejected,
    /// Its process or connection is gone and must be brought back before it can work again.
    Lost,
    /// It cannot work here at all: a missing program, key or permission.
    Unavailable,
    /// What it made cannot be written to the artifact.
    NotApplied,
    /// The artifact can no longer be brought back to a known state.
    StateLost,
    /// It was told to stop, and did.
    Cancelled,
}

impl FaultKind {
    /// Whether trying again may help.
    #[must_use]
    pub const fn is_worth_a_retry(self) -> bool {
        matches!(self, Self::Transient | Self::TimedOut | Self::Panicked)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Transient => "transient",
            Self::TimedOut => "timed out",
            Self::Panicked => "panicked",
            Self::Rejected => "rejected",
            Self::Lost => "lost",
            Self::Unavailable => "unavailable",
            Self::NotApplied => "not applied",
            Self::StateLost => "state lost",
            Self::Cancelled => "cancelled",
        })
    }
}
