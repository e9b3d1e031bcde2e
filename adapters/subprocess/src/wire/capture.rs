//! Rendering.

use serde::{Deserialize, Serialize};
use trueup_contract::Label;

use super::parts::ElementDocument;

/// What a capturer is asked.
#[derive(Debug, Serialize)]
pub(crate) struct CaptureBody {
    state: String,
    /// A copy of the artifact: the program's working folder.
    folder: String,
    /// Where the pictures go.
    out: String,
    labels: Vec<LabelDocument>,
}

#[derive(Debug, Serialize)]
struct LabelDocument {
    label: String,
    source: String,
    theme: Option<String>,
    /// In CSS pixels.
    width: u32,
    height: u32,
    /// Device pixels for one CSS pixel.
    ratio: f64,
}

impl CaptureBody {
    pub(crate) fn new(state: String, folder: String, out: String, labels: &[Label]) -> Self {
        let label = |label: &Label| LabelDocument {
            label: label.name().to_string(),
            source: label.source().to_owned(),
            theme: label.theme().map(str::to_owned),
            width: label.viewport().width(),
            height: label.viewport().height(),
            ratio: f64::from(label.viewport().ratio().thousandths()) / 1000.0,
        };
        Self { state, folder, out, labels: labels.iter().map(label).collect() }
    }
}

/// What was rendered.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaptureReply {
    pub(crate) captures: Vec<CapturedReply>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CapturedReply {
    pub(crate) label: String,
    /// The picture, relative to where pictures go.
    pub(crate) file: String,
    #[serde(default)]
    pub(crate) elements: Vec<ElementDocument>,
}
