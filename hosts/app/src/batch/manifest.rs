//! What a batch is about, as it is written down.

use std::path::Path;

use serde::Deserialize;

use super::error::BatchError;

/// A manifest: pairs of images, pairs of folders, and runs.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    /// A tolerance list for every pair that has none of its own.
    pub(super) tolerance: Option<String>,
    #[serde(default, rename = "pair")]
    pub(super) pairs: Vec<Pair>,
    #[serde(default, rename = "folders")]
    pub(super) folders: Vec<Pair>,
    #[serde(default, rename = "run")]
    pub(super) runs: Vec<Run>,
}

/// Two images, or two patterns of them; two folders.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pair {
    /// What it is called; the path of the reference by default. Of patterns and folders, what its names begin with.
    pub(super) name: Option<String>,
    pub(super) expected: String,
    pub(super) actual: String,
    pub(super) tolerance: Option<String>,
}

/// A configuration to drive to its end.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Run {
    pub(super) name: Option<String>,
    /// A `trueup.toml`, or a pattern of them.
    pub(super) config: String,
    pub(super) iteration_cap: Option<u32>,
}

impl Manifest {
    pub(super) fn read(path: &Path, text: &str) -> Result<Self, BatchError> {
        let manifest: Self = toml::from_str(text).map_err(|error| {
            let place = error.span().map(|span| {
                let before = text.get(..span.start).unwrap_or_default();
                format!("line {}: ", before.matches('\n').count() + 1)
            });
            BatchError::new(
                path,
                format!("{}{}", place.unwrap_or_default(), error.message().replace('\n', " ")),
            )
        })?;
        if manifest.pairs.is_empty() && manifest.folders.is_empty() && manifest.runs.is_empty() {
            let why = "it names nothing: expected [[pair]] or [[folders]] with expected and actual, or [[run]] with config";
            return Err(BatchError::new(path, why));
        }
        Ok(manifest)
    }
}
