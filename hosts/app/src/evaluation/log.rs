//! The log of verdicts across runs.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::keep::EvaluationDocument;
use crate::error::{AppError, AppErrorKind};

/// A verdict in a line.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[non_exhaustive]
pub struct LogEntry {
    /// When, in UTC.
    pub at: String,
    /// The rubric's name; null without one.
    pub rubric: Option<String>,
    /// Names the rubric by its content; null without one. Scores by different rubrics do not compare.
    pub rubric_fingerprint: Option<String>,
    /// `pass`, `fail` or `undetermined`.
    pub status: String,
    /// The overall; null where there is none.
    pub overall: Option<f64>,
    /// Axes that fail.
    pub failing_axes: Vec<String>,
    /// Who judged.
    pub judge: Option<String>,
    /// By which model.
    pub model: Option<String>,
    /// The hash of the contract.
    pub contract: Option<String>,
    /// The hash of the state.
    pub state: Option<String>,
    /// The report with the rest.
    pub report: String,
}

impl LogEntry {
    pub(super) fn of(document: &EvaluationDocument, report: &Path) -> Self {
        let card = &document.scorecard;
        Self {
            at: document.at.clone(),
            rubric: card.rubric.clone(),
            rubric_fingerprint: card.rubric_fingerprint.clone(),
            status: card.status.clone(),
            overall: card.overall.and_then(|overall| overall.0.to_string().parse().ok()),
            failing_axes: card.failing_axes.clone(),
            judge: document.judge.clone(),
            model: document.model.clone(),
            contract: document.contract.clone(),
            state: document.state.clone(),
            report: report.display().to_string(),
        }
    }
}

/// The log, as a JSON document.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LogDocument {
    /// `trueup.log/1`.
    pub schema: &'static str,
    /// The oldest first.
    pub entries: Vec<LogEntry>,
    /// Lines, from 1, that are no entry. They are left as they are.
    pub damaged_lines: Vec<usize>,
}

/// Reads a log.
///
/// # Errors
/// When it cannot be read. Lines that are no entry are no error: the document names them.
pub fn read_log(path: &Path) -> Result<LogDocument, AppError> {
    let bytes = fs::read(path).map_err(|source| {
        AppError::new(AppErrorKind::File { what: "read", path: path.to_owned(), source })
    })?;
    let mut document = LogDocument { schema: "trueup.log/1", entries: Vec::new(), damaged_lines: Vec::new() };
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match serde_json::from_slice(line) {
            Ok(entry) => document.entries.push(entry),
            Err(_) => document.damaged_lines.push(index + 1),
        }
    }
    Ok(document)
}
