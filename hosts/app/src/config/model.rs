//! What a configuration says.

use std::path::PathBuf;
use std::sync::Arc;

use trueup_capture_svg::Renderer;
use trueup_compare_pixel::Settings;
use trueup_contract::{Plan, Preset};
use trueup_revise_tokens::Token;

/// A configuration that was read and checked: what it names exists, and its tokens can be found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Config {
    /// The folder that paths in it are relative to.
    pub folder: PathBuf,
    /// The rules.
    pub preset: Preset,
    /// What is compared with what.
    pub plan: Arc<Plan>,
    /// The artifact's files, relative to the folder.
    pub files: Vec<String>,
    /// How strictly is compared.
    pub settings: Settings,
    /// The design tokens.
    pub tokens: Vec<Token>,
    pub(crate) renderer: Renderer,
    pub(crate) limits: LimitTexts,
}

/// Limits as the configuration writes them; what cannot be used takes a default and says so.
#[derive(Clone, Debug, Default)]
pub(crate) struct LimitTexts {
    pub(crate) iteration_cap: Option<String>,
    pub(crate) restarts: Option<String>,
    pub(crate) retries: Option<String>,
    pub(crate) trials: Option<String>,
}
