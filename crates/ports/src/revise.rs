//! Changing the artifact.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use trueup_contract::{Measurement, StateId};
use trueup_score::Points;

use crate::{Cx, Fault, Snapshot};

/// Change the artifact so that less is open.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReviseRequest {
    /// The iteration that this is charged to.
    pub iteration: u32,
    /// The state that the artifact is in, the best one seen.
    pub base: Snapshot,
    /// What was measured of it.
    pub measured: Measurement,
    /// States that were tried for exactly these open regions. Proposing one of them again is refused.
    pub tried: Vec<StateId>,
}

impl ReviseRequest {
    /// Revise `base`, of which `measured` is known.
    #[must_use]
    pub const fn new(iteration: u32, base: Snapshot, measured: Measurement) -> Self {
        Self { iteration, base, measured, tried: Vec::new() }
    }

    /// The request with the states that were tried before.
    #[must_use]
    pub fn with_tried(self, tried: Vec<StateId>) -> Self {
        Self { tried, ..self }
    }
}

/// What a reviser did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Revision {
    /// New content for some parts, to be written by the driver.
    Parts {
        /// The parts that change, whole.
        parts: Vec<(String, Arc<[u8]>)>,
        /// What changes, for people.
        note: String,
    },
    /// The artifact itself was changed already.
    InPlace {
        /// What was changed, for people.
        note: String,
    },
    /// There is nothing to propose.
    Nothing {
        /// Why, for people.
        note: String,
    },
}

/// Changes the artifact so that less is open.
///
/// # Contract
/// - Only what the revision says is changed. The driver takes the state before and after, and takes back whatever a
///   fault, a timeout or a panic left behind.
/// - A reviser may measure what it tries through `trials`; what it gets is a number, never a verdict.
#[async_trait]
pub trait Reviser: fmt::Debug + Send + Sync + 'static {
    /// Proposes or makes a change.
    async fn revise(&self, request: ReviseRequest, trials: Trials, cx: &Cx) -> Result<Revision, Fault>;
}

/// Where trial measurements are made. The driver implements it; a test may, too.
#[async_trait]
pub trait TrialBench: fmt::Debug + Send + Sync + 'static {
    /// The open score of a state; `None` when it cannot be captured or compared.
    async fn measure(&self, state: Snapshot) -> Result<Option<Points>, TrialError>;

    /// Trials that are left in the run.
    fn left(&self) -> u32;
}

/// A reviser's handle for measuring states that it tries out.
///
/// Every trial is charged to a budget of its own, written to the journal, and stops when the run is called off. A state
/// that was measured before in the run costs nothing.
#[derive(Clone, Debug)]
pub struct Trials(Arc<dyn TrialBench>);

impl Trials {
    /// A handle on this bench.
    #[must_use]
    pub fn new(bench: Arc<dyn TrialBench>) -> Self {
        Self(bench)
    }

    /// The open score of a state, lower being better; `None` when it cannot be captured or compared.
    ///
    /// # Errors
    /// When no trial is left, or the run is called off.
    pub async fn measure(&self, state: Snapshot) -> Result<Option<Points>, TrialError> {
        self.0.measure(state).await
    }

    /// Trials that are left in the run.
    #[must_use]
    pub fn left(&self) -> u32 {
        self.0.left()
    }
}

/// A trial could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialError {
    kind: TrialErrorKind,
}

/// Why a trial could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrialErrorKind {
    /// The trials of the run are spent.
    Exhausted,
    /// The run is called off, or its time is up.
    Cancelled,
    /// What measures does not work; the message says how.
    Broken(String),
}

impl TrialError {
    /// A trial that could not be made for this reason.
    #[must_use]
    pub const fn new(kind: TrialErrorKind) -> Self {
        Self { kind }
    }

    /// Why it could not be made.
    #[must_use]
    pub const fn kind(&self) -> &TrialErrorKind {
        &self.kind
    }
}

impl fmt::Display for TrialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            TrialErrorKind::Exhausted => f.write_str("the trials of this run are spent"),
            TrialErrorKind::Cancelled => f.write_str("the run is called off"),
            TrialErrorKind::Broken(why) => write!(f, "the trial could not be measured: {why}"),
        }
    }
}

impl std::error::Error for TrialError {}
