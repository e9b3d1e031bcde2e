//! Scoring.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use trueup_contract::{Judgement, StateId};
use trueup_rubric::Rubric;

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
    /// The criteria of the contract that are to be verified, by their ids.
    pub criteria: Arc<[String]>,
    /// The hash of the frozen contract, which the judgement must name.
    pub contract: Option<Arc<str>>,
    /// What the state looks like.
    pub captures: Arc<[Capture]>,
}

impl JudgeRequest {
    /// Score what `captures` show of `state` by `rubric`.
    #[must_use]
    pub fn new(state: StateId, rubric: Arc<Rubric>, captures: Arc<[Capture]>) -> Self {
        Self { state, brief: None, rubric, criteria: Arc::new([]), contract: None, captures }
    }

    /// The request with criteria to verify, and the hash of the contract that they stand in.
    #[must_use]
    pub fn with_contract(self, criteria: Arc<[String]>, contract: Option<Arc<str>>) -> Self {
        Self { criteria, contract, ..self }
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
    /// Scores the captures. Whoever has nothing to say but a scorecard gives `card.into()`.
    async fn judge(&self, request: JudgeRequest, cx: &Cx) -> Result<Judgement, Fault>;
}

#[cfg(test)]
mod tests {
    use trueup_rubric::Axis;
    use trueup_score::{Better, Points, Scale};

    use super::*;

    #[test]
    fn r19_a_judge_sees_the_brief_the_criteria_and_the_artifact_and_nothing_else() {
        let scale = Scale::new(Points::ZERO, Points::ONE, Better::Higher).unwrap();
        let rubric = Arc::new(Rubric::new([Axis::new("beauty", scale)]).unwrap());
        let state = StateId::of_parts([("a", &b"b"[..])]);
        let request = JudgeRequest::new(state, rubric, Arc::new([])).with_brief(Some("calm".into()));
        // A further field would not compile here, and whoever adds one has to say why a judge may see it.
        let JudgeRequest { state: _, brief, rubric, criteria, contract, captures } = request;
        assert_eq!((brief.as_deref(), rubric.axes().len(), captures.len()), (Some("calm"), 1, 0));
        assert_eq!((criteria.len(), contract), (0, None));
    }
}
