//! Reading, merging and comparing files.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use trueup_findings::{Finding, Findings, NearDuplicate, RoundDiff, Rounds, read};

use super::error::FindingsFileError;
use super::regions::Comparison;
use crate::error::AppError;
use crate::rubric::read_text;

/// The findings of several files as one list.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Merged {
    /// The worst first.
    pub list: Vec<Finding>,
    /// Pairs that may be one, by position in the list.
    pub near_duplicates: Vec<NearDuplicate>,
}

/// What became of findings from file to file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Compared {
    /// From the last file but one to the last; the files before tell what is back.
    pub diff: RoundDiff,
}

/// The schema that a document says it has.
#[derive(Deserialize)]
struct Schema {
    schema: Option<String>,
}

/// The findings of one file: a `trueup.findings/1`, a `trueup.diff/1`, whose open regions are findings, or a
/// `trueup.probes/1`.
///
/// # Errors
/// When the file cannot be read or is none of them.
pub fn read_findings(path: &Path) -> Result<Vec<Finding>, AppError> {
    let text = read_text(path)?;
    let fail = |why: String| AppError::from(FindingsFileError::new(path, why));
    let schema = serde_json::from_str::<Schema>(&text).ok().and_then(|document| document.schema);
    if schema.as_deref() == Some("trueup.diff/1") {
        let comparison: Comparison =
            serde_json::from_str(&text).map_err(|error| fail(format!("it is no comparison: {error}")))?;
        let label = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let label = label.strip_suffix(".report").unwrap_or(&label);
        return Ok(comparison.findings(label));
    }
    if schema.as_deref() == Some("trueup.probes/1") {
        return crate::probe::read_findings(path, &text);
    }
    read(&text).map_err(|error| fail(error.to_string()))
}

/// The findings of several files, duplicates merged. The order of the files makes no difference.
///
/// # Errors
/// When a file cannot be used.
pub fn merge_findings(files: &[PathBuf]) -> Result<Merged, AppError> {
    let mut merged = Findings::default();
    for file in files {
        merged = merged.merge(Findings::of(read_findings(file)?));
    }
    Ok(Merged { list: merged.list(), near_duplicates: merged.near_duplicates() })
}

/// What became of findings over rounds, one file a round, the oldest first.
///
/// # Errors
/// When a file cannot be used.
pub fn compare_findings(files: &[PathBuf]) -> Result<Compared, AppError> {
    let mut rounds = Rounds::new();
    let mut diff = RoundDiff::default();
    for file in files {
        diff = rounds.push(&Findings::of(read_findings(file)?));
    }
    Ok(Compared { diff })
}
