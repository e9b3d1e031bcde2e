//! Runs a [`trueup_loop_core::Engine`] against its ports.
//!
//! The engine says what to do; this crate does it, and sees to it that nothing which a port does can corrupt the run:
//!
//! - Every charge is written to the [`Journal`] before its command is carried out, and every result before the next one.
//! - A port that hangs, panics or fails becomes a fault; what it had begun to change is taken back.
//! - A run that was killed at any instant goes on where it was, with the same budgets and to the same outcome.
//! - Reviser trials are metered, journaled, and never seen by the artifact where the capturer reads snapshots.
//!
//! [`Driver::drive`] runs to the end. It needs no filesystem and chooses no runtime: both come in through
//! [`trueup_ports`]. [`FileJournal`], [`FileArtifact`], [`RunFolder`] and [`RunLock`] are there for programs that do keep
//! runs in folders.

mod call;
mod drive;
mod error;
mod files;
mod journal;
mod perform;
mod pull;
mod signal;
mod sink;
mod spec;
mod status;
#[cfg(feature = "tracing")]
mod trace;
mod trial;

pub use drive::{Driver, Report};
pub use error::{DriveError, DriveErrorKind};
pub use files::{FileArtifact, FileArtifactError, FileJournal, RunFolder, RunLock, RunLockError};
pub use journal::{Content, Entry, Header, Journal, JournalError, JournalErrorKind};
pub use pull::{Assignment, Next};
pub use signal::{ParseSignalError, Signal};
pub use sink::{LabelDone, Observer, Projection, Sink};
pub use spec::{Ports, RunSpec, Timeouts};
pub use status::{ParseStatusError, StatusBlock};
#[cfg(feature = "tracing")]
pub use trace::Tracing;
