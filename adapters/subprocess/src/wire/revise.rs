//! Revising.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use trueup_contract::{DeltaId, LabelReading, Measurement, OpenRegion};
use trueup_ports::{Ground, ReviseRequest};

use super::parts::{CapturedLabel, number};

/// What a reviser is asked.
#[derive(Debug, Serialize)]
pub(crate) struct ReviseBody {
    iteration: u32,
    state: String,
    /// A copy of the artifact: the program's working folder.
    folder: String,
    /// The files of the artifact, relative to it. No other file comes back.
    parts: Vec<String>,
    score: Option<f64>,
    /// What the base looks like, where it was looked at.
    captures: Vec<CapturedLabel>,
    labels: Vec<LabelDocument>,
    /// States that were tried for exactly these regions; the same content again is refused.
    tried: Vec<String>,
    /// `same_fix`, `reground`, `fresh_generator` or `decompose`.
    approach: &'static str,
    /// What that asks for, in words.
    instruction: &'static str,
    focus: Option<String>,
    failing: Vec<String>,
    findings: Vec<String>,
    ground: Option<GroundDocument>,
}

#[derive(Debug, Serialize)]
struct LabelDocument {
    label: String,
    comparable: bool,
    regions: Vec<RegionDocument>,
}

#[derive(Debug, Serialize)]
struct RegionDocument {
    id: String,
    kind: String,
    x: u32,
    y: u32,
    width: u32,
    height: u32,
    pixels: u64,
    score: f64,
    mean_delta_e: f64,
    max_delta_e: f64,
    /// A picture of the region and what is around it, for the heaviest of them.
    crop: Option<String>,
    /// The most frequent pairs of colours that should be and are.
    swatches: Vec<SwatchDocument>,
}

#[derive(Debug, Serialize)]
struct SwatchDocument {
    expected: String,
    actual: String,
    pixels: u64,
}

#[derive(Debug, Serialize)]
struct GroundDocument {
    brief: Option<String>,
    references: Vec<String>,
    contract: String,
}

impl ReviseBody {
    pub(crate) fn new(
        request: &ReviseRequest,
        folder: String,
        captures: Vec<CapturedLabel>,
        crops: &BTreeMap<DeltaId, String>,
    ) -> Self {
        use trueup_contract::Approach;
        Self {
            iteration: request.iteration,
            state: request.base.state().to_string(),
            folder,
            parts: request.base.parts().map(|(name, _)| name.to_owned()).collect(),
            score: request.measured.score().map(number),
            captures,
            labels: labels(&request.measured, crops),
            tried: request.tried.iter().map(ToString::to_string).collect(),
            approach: request.approach.as_str(),
            instruction: match request.approach {
                Approach::Reground => {
                    "Read the brief, the design and the contract again before you change anything."
                }
                Approach::FreshGenerator => "Others have tried and not succeeded: take another path.",
                Approach::Decompose => "Split the work into slices, make one of them, and say which.",
                _ => "Mend what is open, and change nothing else.",
            },
            focus: request.focus.as_deref().map(str::to_owned),
            failing: request.failing.clone(),
            findings: request.findings.iter().map(ToString::to_string).collect(),
            ground: request.ground.as_deref().map(GroundDocument::of),
        }
    }
}

impl GroundDocument {
    fn of(ground: &Ground) -> Self {
        Self {
            brief: ground.brief.as_deref().map(str::to_owned),
            references: ground.references.clone(),
            contract: ground.contract.clone(),
        }
    }
}

fn labels(measured: &Measurement, crops: &BTreeMap<DeltaId, String>) -> Vec<LabelDocument> {
    let label = |label: &trueup_contract::LabelMeasurement| {
        let (comparable, regions) = match &label.reading {
            LabelReading::Compared { open, .. } => {
                (true, open.iter().map(|open| region(open, crops)).collect())
            }
            _ => (false, Vec::new()),
        };
        LabelDocument { label: label.label.to_string(), comparable, regions }
    };
    measured.labels().iter().map(label).collect()
}

fn region(region: &OpenRegion, crops: &BTreeMap<DeltaId, String>) -> RegionDocument {
    let swatch = |swatch: &trueup_contract::Swatch| SwatchDocument {
        expected: swatch.expected.to_string(),
        actual: swatch.actual.to_string(),
        pixels: swatch.pixels,
    };
    RegionDocument {
        id: region.id.to_string(),
        kind: region.kind.clone(),
        x: region.area.x,
        y: region.area.y,
        width: region.area.width,
        height: region.area.height,
        pixels: region.pixels,
        score: number(region.score),
        mean_delta_e: number(region.mean_delta_e),
        max_delta_e: number(region.max_delta_e),
        crop: crops.get(&region.id).cloned(),
        swatches: region.swatches.iter().map(swatch).collect(),
    }
}

/// What a reviser did.
#[derive(Debug, Deserialize)]
#[serde(tag = "result", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum ReviseReply {
    /// These parts have new content; without any, those that were changed in the working folder.
    Changed {
        #[serde(default)]
        parts: Option<Vec<PartReply>>,
        #[serde(default)]
        note: String,
    },
    /// There is nothing to propose.
    Nothing {
        #[serde(default)]
        note: String,
    },
    /// One slice of the work is made.
    Slice {
        #[serde(default)]
        parts: Option<Vec<PartReply>>,
        #[serde(default)]
        note: String,
        split: Vec<String>,
        landed: String,
    },
    /// The state passes, and the verdict on it is wrong.
    Dispute { note: String },
    /// Only a person can make it possible to go on: `security`, `spec-contradiction` or `missing-access`.
    Blocked { class: String, note: String },
}

/// New content of one part.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartReply {
    pub(crate) name: String,
    pub(crate) text: String,
}
