//! Changing the artifact.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use trueup_contract::{Approach, FindingKey, Measurement, SkipClass, StateId};
use trueup_score::Points;

use crate::{Capture, Cx, Fault, Snapshot};

/// Change the artifact so that less is open.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReviseRequest {
    /// The iteration that this is charged to.
    pub iteration: u32,
    /// The state that the artifact is in, the best one seen.
    pub base: Snapshot,
    /// What was measured of it; of no labels where a judge alone measures.
    pub measured: Measurement,
    /// States that were tried for exactly these open regions. Proposing one of them again is refused.
    pub tried: Vec<StateId>,
    /// How to go about it.
    pub approach: Approach,
    /// What a person said to look at first.
    pub focus: Option<Arc<str>>,
    /// Axes below their floor and criteria that fail, as the judge found them.
    pub failing: Vec<String>,
    /// Keys of the findings that stand.
    pub findings: Vec<FindingKey>,
    /// The brief, the design and the contract, read again for an approach that begins there.
    pub ground: Option<Arc<Ground>>,
    /// What the base looks like, one capture a label; none where it was not looked at since the run began or went on.
    pub captures: Arc<[Capture]>,
}

/// What the work stands on, read anew: for a reviser that may have drifted from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ground {
    /// What the design is meant to be, where somebody wrote it down.
    pub brief: Option<Arc<str>>,
    /// The labels of the plan with what is wrong with their references, where something is.
    pub references: Vec<String>,
    /// The loop contract, as the table that people read.
    pub contract: String,
}

impl Ground {
    /// The ground as it reads now.
    #[must_use]
    pub const fn new(brief: Option<Arc<str>>, references: Vec<String>, contract: String) -> Self {
        Self { brief, references, contract }
    }
}

impl ReviseRequest {
    /// Revise `base`, of which `measured` is known.
    #[must_use]
    pub fn new(iteration: u32, base: Snapshot, measured: Measurement) -> Self {
        Self {
            iteration,
            base,
            measured,
            tried: Vec::new(),
            approach: Approach::SameFix,
            focus: None,
            failing: Vec::new(),
            findings: Vec::new(),
            ground: None,
            captures: Arc::new([]),
        }
    }

    /// The request with what the base looks like.
    #[must_use]
    pub fn with_captures(self, captures: Arc<[Capture]>) -> Self {
        Self { captures, ..self }
    }

    /// The request with how to go about it.
    #[must_use]
    pub fn with_approach(self, approach: Approach) -> Self {
        Self { approach, ..self }
    }

    /// The request with what a person said to look at first.
    #[must_use]
    pub fn with_focus(self, focus: Option<Arc<str>>) -> Self {
        Self { focus, ..self }
    }

    /// The request with what the judge found wanting.
    #[must_use]
    pub fn with_judged(self, failing: Vec<String>, findings: Vec<FindingKey>) -> Self {
        Self { failing, findings, ..self }
    }

    /// The request with what the work stands on, read anew.
    #[must_use]
    pub fn with_ground(self, ground: Option<Arc<Ground>>) -> Self {
        Self { ground, ..self }
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
    /// The work was split, and one slice of it is made: new content for some parts.
    Slice {
        /// The parts that change, whole.
        parts: Vec<(String, Arc<[u8]>)>,
        /// What changes, for people.
        note: String,
        /// The slices that the work was split into.
        split: Vec<String>,
        /// The slice that is made.
        landed: String,
    },
    /// The state passes, and the verdict on it is wrong: a person must say who is right.
    Dispute {
        /// Why, for people.
        note: String,
    },
    /// Only a person can make it possible to go on.
    Blocked {
        /// What kind of thing is missing.
        class: SkipClass,
        /// What exactly, for people.
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

    /// Somebody new who does the same work and remembers nothing of it, for the approach
    /// [`FreshGenerator`](Approach::FreshGenerator); `None` when this reviser keeps no memory, so that it is as good as new.
    ///
    /// The new one is told what persists and which states were tried, and to take another path; nothing else.
    fn fresh(&self) -> Option<Arc<dyn Reviser>> {
        None
    }

    /// Proof of life: whether it can work at all. That somebody was started does not prove it.
    async fn probe(&self, _cx: &Cx) -> Result<(), Fault> {
        Ok(())
    }
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
