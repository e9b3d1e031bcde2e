//! What tools take. None of it is a verdict, a gate or a cap.

use rmcp::schemars;
use serde::Deserialize;

/// Two images.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DiffParameters {
    /// The reference image.
    pub(crate) expected: String,
    /// The image that is held against it.
    pub(crate) actual: String,
    /// A tolerance list such as color_delta_e=3; CIEDE2000 2.0 by default.
    pub(crate) tolerance: Option<String>,
    /// Whether the answer shows a picture of the difference.
    #[serde(default)]
    pub(crate) picture: bool,
    /// Whether every region is listed, and not only the ten heaviest.
    #[serde(default)]
    pub(crate) detail: bool,
}

/// A configuration.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConfigParameters {
    /// The trueup.toml.
    pub(crate) config: String,
}

/// A configuration, and where its captures go.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaptureParameters {
    /// The trueup.toml.
    pub(crate) config: String,
    /// The folder that the pictures are written to, one for each label.
    pub(crate) output: String,
    /// Whether the answer shows the pictures.
    #[serde(default)]
    pub(crate) pictures: bool,
}

/// Collected pages.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProbeParameters {
    /// HTML files, which are opened in Chromium, and JSON files of collected pages (trueup probe --script collects one).
    pub(crate) pages: Vec<String>,
    /// A JSON file of the agreed texts.
    pub(crate) copy: Option<String>,
    /// A JSON file of design tokens.
    pub(crate) tokens: Option<String>,
}

/// A run of a configuration.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunParameters {
    /// The trueup.toml.
    pub(crate) config: String,
    /// The run: calls with one id are one run.
    pub(crate) run_id: String,
}

/// A run, and that its reviser gives up.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NextParameters {
    /// The trueup.toml.
    pub(crate) config: String,
    /// The run.
    pub(crate) run_id: String,
    /// There is nothing to propose, and why: the run ends.
    pub(crate) give_up: Option<String>,
}

/// What a person is asked, from this machine, when it answers for them.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerParameters {
    /// The trueup.toml.
    pub(crate) config: String,
    /// The run that waits.
    pub(crate) run_id: String,
}

/// What the person in front of the client says.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
pub(crate) struct PersonSays {
    /// continue, accept-as-is or abort
    pub(crate) answer: String,
    /// what to look at first from now on (continue)
    pub(crate) focus: Option<String>,
    /// revisions granted beyond those that are left (continue)
    pub(crate) more_iterations: Option<u32>,
    /// who answers for it (accept-as-is)
    pub(crate) by: Option<String>,
}

rmcp::elicit_safe!(PersonSays);
