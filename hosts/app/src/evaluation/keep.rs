//! One report a verdict, in full, and one line in a log across runs.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::log::LogEntry;
use crate::error::{AppError, AppErrorKind};
use crate::rubric::ScorecardDocument;
use crate::run_folder::now;

/// What a verdict is stamped with.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Stamp {
    /// Who judged.
    pub judge: Option<String>,
    /// By which model.
    pub model: Option<String>,
    /// The hash of the contract that it was held against.
    pub contract: Option<String>,
    /// The hash of the state that was judged.
    pub state: Option<String>,
}

/// A verdict in full, as a JSON document.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EvaluationDocument {
    /// `trueup.evaluation/1`.
    pub schema: &'static str,
    /// Its number in the folder, from 1.
    pub number: u32,
    /// When, in UTC.
    pub at: String,
    /// Who judged; null when nobody said.
    pub judge: Option<String>,
    /// By which model; null when nobody said.
    pub model: Option<String>,
    /// The hash of the contract; null when nobody said.
    pub contract: Option<String>,
    /// The hash of the state; null when nobody said.
    pub state: Option<String>,
    /// What the reply came to: rubric, overall, failing axes, evidence.
    pub scorecard: ScorecardDocument,
}

/// Where a verdict is kept.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Kept {
    /// The report.
    pub report: PathBuf,
}

/// Keeps a verdict: `evaluation/report-N.json` below `folder`, and a line at the end of `log`.
///
/// No report is ever written over: the next free number is claimed by making the file.
///
/// # Errors
/// When a file cannot be written.
pub fn keep_evaluation(
    scorecard: &ScorecardDocument,
    stamp: &Stamp,
    folder: &Path,
    log: &Path,
) -> Result<Kept, AppError> {
    let mut number = 1u32;
    loop {
        let kept = write(scorecard, stamp, folder, log, number)
            .map_err(|(path, source)| AppError::new(AppErrorKind::File { what: "written", path, source }))?;
        match kept {
            Some(kept) => return Ok(kept),
            None => number += 1,
        }
    }
}

/// Keeps a verdict as `evaluation/report-{number}.json` and in the log; `None` where that report is there already, which is
/// then left as it is.
pub(crate) fn write(
    scorecard: &ScorecardDocument,
    stamp: &Stamp,
    folder: &Path,
    log: &Path,
    number: u32,
) -> Result<Option<Kept>, (PathBuf, io::Error)> {
    let failed = |path: &Path, source| (path.to_owned(), source);
    let reports = folder.join("evaluation");
    fs::create_dir_all(&reports).map_err(|source| failed(&reports, source))?;
    let path = reports.join(format!("report-{number}.json"));
    let mut file = match OpenOptions::new().write(true).create_new(true).open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
        Err(source) => return Err(failed(&path, source)),
    };
    let document = EvaluationDocument {
        schema: "trueup.evaluation/1",
        number,
        at: now(),
        judge: stamp.judge.clone(),
        model: stamp.model.clone(),
        contract: stamp.contract.clone(),
        state: stamp.state.clone(),
        scorecard: scorecard.clone(),
    };
    let text = serde_json::to_string_pretty(&document).map_err(|error| failed(&path, error.into()))?;
    file.write_all(format!("{text}\n").as_bytes())
        .and_then(|()| file.sync_all())
        .map_err(|source| failed(&path, source))?;
    let line =
        serde_json::to_string(&LogEntry::of(&document, &path)).map_err(|error| failed(log, error.into()))?;
    append(log, &line).map_err(|source| failed(log, source))?;
    Ok(Some(Kept { report: path }))
}

/// Appends a line in one write; what a crash left without a line break is closed first, so that it spoils only itself.
fn append(path: &Path, line: &str) -> io::Result<()> {
    let torn = match fs::read(path) {
        Ok(bytes) => bytes.last().is_some_and(|last| *last != b'\n'),
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(error),
    };
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    let begin = if torn { "\n" } else { "" };
    file.write_all(format!("{begin}{line}\n").as_bytes())?;
    file.sync_all()
}
