//! The traits by which a convergence loop reaches the world.
//!
//! | trait | what it does |
//! |---|---|
//! | [`Capturer`] | renders every label of a state |
//! | [`Comparer`] | holds captures against references |
//! | [`Judge`] | scores captures by a rubric |
//! | [`Reviser`] | changes the artifact so that less is open |
//! | [`Human`] | answers what only a person can decide |
//! | [`Brief`] | reads again what the design is meant to be |
//! | [`Artifact`] | takes and restores snapshots of what is revised |
//! | [`JournalStore`] | keeps the lines of a journal |
//! | [`Runtime`] | tells time, sleeps, and runs blocking work |
//!
//! # Contract of every port
//!
//! - Methods take `&self`, an owned request and a [`Cx`]; they return an owned reply or a [`Fault`]. One port value
//!   serves a whole run and may be called from any thread.
//! - **Cancellation.** When [`Cx::is_cancelled`] turns true or the deadline passes, a port should return soon with a
//!   fault of kind [`FaultKind::Cancelled`](trueup_contract::FaultKind::Cancelled). A future that is dropped before that
//!   may leave the artifact half-written: the driver restores the snapshot. A port that blocks its thread cannot be
//!   timed out; CPU-bound work belongs in [`Cx::run_blocking`].
//! - **Panics** become faults. This needs `panic = "unwind"`.
//! - **Cloning.** Ports are shared as `Arc<dyn …>`; clones share their state.
//! - **Wrappers** forward every method.
//!
//! A [`Reviser`] has no way to make a scorecard or a measurement, and a [`Judge`] none to change the artifact.

mod artifact;
mod capture;
mod compare;
mod cx;
mod fault;
mod human;
mod journal;
mod judge;
mod revise;
mod runtime;

pub use artifact::{Artifact, Snapshot};
pub use capture::{Capture, CaptureRequest, Capturer, Element, Pixels, Reads};
pub use compare::{CompareRequest, Comparer, Comparison, KnownRegion, Picture, PictureKind, PrepareRequest};
pub use cx::{CancelToken, Cx, Listener};
pub use fault::Fault;
pub use human::{Brief, Human};
pub use journal::{JournalStore, Lines, Put};
pub use judge::{Judge, JudgeRequest};
pub use revise::{Ground, ReviseRequest, Reviser, Revision, TrialBench, TrialError, TrialErrorKind, Trials};
pub use runtime::Runtime;
