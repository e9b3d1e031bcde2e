//! Scoring.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use trueup_ports::JudgeRequest;
use trueup_rubric::{Axis, Rubric};
use trueup_score::Better;

use super::parts::{CapturedLabel, number};

/// What a judge is asked. It holds what a judge may see, and nothing else.
#[derive(Debug, Serialize)]
pub(crate) struct JudgeBody {
    state: String,
    brief: Option<String>,
    rubric: RubricDocument,
    criteria: Vec<String>,
    contract: Option<String>,
    captures: Vec<CapturedLabel>,
}

#[derive(Debug, Serialize)]
struct RubricDocument {
    name: String,
    axes: Vec<AxisDocument>,
    conditions: Vec<ConditionDocument>,
}

#[derive(Debug, Serialize)]
struct AxisDocument {
    name: String,
    text: String,
    min: f64,
    max: f64,
    step: Option<f64>,
    /// `higher` or `lower`.
    better: &'static str,
    anchors: Vec<AnchorDocument>,
}

#[derive(Debug, Serialize)]
struct AnchorDocument {
    score: f64,
    label: Option<String>,
    text: String,
}

#[derive(Debug, Serialize)]
struct ConditionDocument {
    id: String,
    text: String,
}

impl JudgeBody {
    pub(crate) fn new(request: &JudgeRequest, captures: Vec<CapturedLabel>) -> Self {
        Self {
            state: request.state.to_string(),
            brief: request.brief.as_deref().map(str::to_owned),
            rubric: RubricDocument::of(&request.rubric),
            criteria: request.criteria.to_vec(),
            contract: request.contract.as_deref().map(str::to_owned),
            captures,
        }
    }
}

impl RubricDocument {
    fn of(rubric: &Rubric) -> Self {
        let condition = |condition: &trueup_rubric::Condition| ConditionDocument {
            id: condition.id().to_owned(),
            text: condition.text().to_owned(),
        };
        Self {
            name: rubric.name().to_owned(),
            axes: rubric.axes().iter().map(AxisDocument::of).collect(),
            conditions: rubric.conditions().iter().map(condition).collect(),
        }
    }
}

impl AxisDocument {
    fn of(axis: &Axis) -> Self {
        let scale = axis.scale();
        let anchor = |anchor: &trueup_rubric::Anchor| AnchorDocument {
            score: number(anchor.score()),
            label: anchor.label().map(str::to_owned),
            text: anchor.text().to_owned(),
        };
        Self {
            name: axis.name().to_owned(),
            text: axis.text().to_owned(),
            min: number(scale.min()),
            max: number(scale.max()),
            step: scale.step().map(number),
            better: match scale.better() {
                Better::Lower => "lower",
                _ => "higher",
            },
            anchors: axis.anchors().iter().map(anchor).collect(),
        }
    }
}

/// What stands beside the scores in a judge's reply. None of it has to be there.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct JudgeExtras {
    /// The state that was scored.
    #[serde(default)]
    pub(crate) state: Option<String>,
    /// The contract that was judged by.
    #[serde(default)]
    pub(crate) contract: Option<String>,
    /// Criteria of the contract: `pass`, `fail` or `undetermined`.
    #[serde(default)]
    pub(crate) criteria: BTreeMap<String, String>,
    /// Who judged, when the program asks somebody else.
    #[serde(default)]
    pub(crate) judge: Option<String>,
}
