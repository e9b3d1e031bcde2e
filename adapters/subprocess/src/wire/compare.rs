//! Holding captures against references.

use serde::{Deserialize, Serialize};
use trueup_contract::Plan;
use trueup_ports::KnownRegion;

use super::parts::CapturedLabel;

/// Which references there are.
#[derive(Debug, Serialize)]
pub(crate) struct PrepareBody {
    labels: Vec<ReferenceDocument>,
}

#[derive(Debug, Serialize)]
struct ReferenceDocument {
    label: String,
    /// As the plan names it; files are relative to `TRUEUP_HOME`.
    reference: String,
}

impl PrepareBody {
    pub(crate) fn new(plan: &Plan) -> Self {
        Self { labels: references(plan) }
    }
}

fn references(plan: &Plan) -> Vec<ReferenceDocument> {
    let document = |label: &trueup_contract::Label| ReferenceDocument {
        label: label.name().to_string(),
        reference: label.reference().to_owned(),
    };
    plan.labels().iter().map(document).collect()
}

/// Which references can be used.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PrepareReply {
    /// Labels whose reference cannot be used, with what is wrong; all others can.
    #[serde(default)]
    pub(crate) unusable: Vec<UnusableReply>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnusableReply {
    pub(crate) label: String,
    pub(crate) problem: String,
}

/// What a comparer is asked.
#[derive(Debug, Serialize)]
pub(crate) struct CompareBody {
    labels: Vec<ReferenceDocument>,
    captures: Vec<CapturedLabel>,
    /// Regions that were open before, so that they keep their names.
    known: Vec<KnownDocument>,
}

#[derive(Debug, Serialize)]
struct KnownDocument {
    id: String,
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

impl CompareBody {
    pub(crate) fn new(plan: &Plan, captures: Vec<CapturedLabel>, known: &[KnownRegion]) -> Self {
        let document = |known: &KnownRegion| KnownDocument {
            id: known.id.to_string(),
            x: known.area.x,
            y: known.area.y,
            width: known.area.width,
            height: known.area.height,
        };
        Self { labels: references(plan), captures, known: known.iter().map(document).collect() }
    }
}

/// What was seen.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CompareReply {
    pub(crate) labels: Vec<ComparedReply>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ComparedReply {
    pub(crate) label: String,
    /// What is outside tolerance; empty when the label passes.
    #[serde(default)]
    pub(crate) regions: Option<Vec<RegionReply>>,
    /// Why the reference side cannot be used.
    #[serde(default)]
    pub(crate) not_comparable: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegionReply {
    /// A name that stays while the region is the same thing: its part of the id after the label.
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) kind: String,
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
    #[serde(default)]
    pub(crate) pixels: u64,
    /// What it adds to the open score, above 0; lower is better.
    pub(crate) score: serde_json::Number,
}
