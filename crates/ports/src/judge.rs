//! Scoring.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use trueup_contract::StateId;
use trueup_rubric::{Rubric, Scorecard};

use crate::{Capture, Cx, Fault};

/// Score a state.
///
/// It holds what a judge may see, and nothing else: never earlier scores, verdicts or statuses, and nothing that the
/// reviser says of its own work (R19).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct JudgeRequest {
    /// The state that is scored.
    pub state: StateId,
    /// What the design is meant to be, where somebody wrote it down.
    pub brief: Option<Arc<str>>,
    /// What is to be scored.
    pub rubric: Arc<Rubric>,
    /// What the state looks like.
    pub captures: Arc<[Capture]>,
}

impl JudgeRequest {
    /// Score what `captures` show of `state` by `rubric`.
    #[must_use]
    pub const fn new(state: StateId, rubric: Arc<Rubric>, captures: Arc<[Capture]>) -> Self {
        Self { state, brief: None, rubric, captures }
    }

    /// The request with a brief.
    #[must_use]
    pub fn with_brief(self, brief: Option<Arc<str>>) -> Self {
        Self { brief, ..self }
    }
}

/// Scores captures by a rubric.
///
/// # Contract
/// Each call is judged afresh. What the judge did not score is left out of the card or is
/// [`Reading::Missing`](trueup_rubric::Reading::Missing); an answer that cannot be read is a fault, never a low score.
#[async_trait]
pub trait Judge: fmt::Debug + Send + Sync + 'static {
    /// Scores the captures.
    async fn judge(&self, request: JudgeRequest, cx: &Cx) -> Result<Scorecard, Fault>;
}
