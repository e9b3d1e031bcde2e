//! A run whose caller revises.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use trueup_contract::{OpenRegion, Swatch};
use trueup_driver::{Assignment, Next, Observer};
use trueup_ports::CancelToken;

use crate::error::{AppError, AppErrorKind};
use crate::run::{Prepared, ResidualDocument, RunDocument, RunOptions, RunOutcome, prepare, residual};
use crate::runtime::TokioRuntime;

/// What comes next in a run whose caller revises.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "a run goes on or it is over")]
pub enum NextOutcome {
    /// Revise, and call again.
    Revise {
        /// What to revise.
        assignment: Box<Assignment>,
        /// The run folder.
        folder: PathBuf,
    },
    /// The run is over, or waits for a person.
    Done(Box<RunOutcome>),
}

impl NextOutcome {
    /// The exit code of a command that ends with it: 10 to revise and call again, else that of the run.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Revise { .. } => 10,
            Self::Done(outcome) => outcome.exit_code(),
        }
    }
}

/// Takes what the artifact holds now as the revision that was asked for, and says what comes next. `gives_up` says why there
/// is nothing to propose.
///
/// # Errors
/// When the configuration, the options or the run folder cannot be used.
pub fn next(
    path: &Path,
    options: &RunOptions,
    gives_up: Option<String>,
    observer: Arc<dyn Observer>,
    cancel: CancelToken,
) -> Result<NextOutcome, AppError> {
    let Prepared { driver, folder, lock: _lock } = prepare(path, options, observer)?;
    let call = async {
        match gives_up {
            Some(why) => driver.give_up(cancel, why).await,
            None => driver.next(cancel).await,
        }
    };
    let called = TokioRuntime::block_on(call).map_err(|error| AppError::new(AppErrorKind::Runtime(error)))?;
    match called {
        Ok(Next::Revise(assignment)) => Ok(NextOutcome::Revise { assignment, folder }),
        Ok(Next::Done(report)) => Ok(NextOutcome::Done(Box::new(RunOutcome { report: *report, folder }))),
        Err(source) => Err(AppError::new(AppErrorKind::Drive { folder, source })),
    }
}

/// What comes next, as a JSON document: `trueup.next/1`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct NextDocument {
    /// `trueup.next/1`.
    pub schema: &'static str,
    /// `revise` or `done`.
    pub next: &'static str,
    /// The exit code.
    pub exit_code: u8,
    /// What to revise; null when the run is over.
    pub revise: Option<ReviseDocument>,
    /// How the run ended; null while it goes on.
    pub run: Option<RunDocument>,
}

/// What to revise.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ReviseDocument {
    /// The run's id.
    pub run_id: String,
    /// The run folder.
    pub folder: String,
    /// The iteration that the revision is charged to.
    pub iteration: u32,
    /// Iterations that may be spent.
    pub iteration_cap: u32,
    /// The state that the files are in, the best one seen.
    pub from: String,
    /// The iteration that reached it.
    pub best_iteration: u32,
    /// Whether the files were brought back to it, because the last revision was no better.
    pub restored: bool,
    /// Its open score; an exact decimal as text, null where it is unknown.
    pub score: Option<String>,
    /// What is open in it, heaviest first on each label.
    pub open: Vec<OpenDocument>,
    /// How to go about it.
    pub approach: String,
    /// What a person said to look at first.
    pub focus: Option<String>,
    /// Axes below their floor and criteria that fail.
    pub failing: Vec<String>,
    /// Keys of the findings that stand.
    pub findings: Vec<String>,
    /// States that were tried for exactly what is open now; none of them may come again.
    pub tried: Vec<String>,
    /// What had to be replaced or overridden, and what was kept from elsewhere.
    pub notes: Vec<String>,
}

/// One region that is open, with what helps to mend it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct OpenDocument {
    /// What it is and where.
    #[serde(flatten)]
    pub region: ResidualDocument,
    /// Mean difference of its pixels, in the metric of the run; an exact decimal as text.
    pub mean_delta_e: String,
    /// Largest difference in it.
    pub max_delta_e: String,
    /// The most frequent pairs of colours, most frequent first.
    pub swatches: Vec<SwatchDocument>,
}

/// A colour that should be another.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SwatchDocument {
    /// The colour in the reference, `#rrggbb` or `#rrggbbaa`.
    pub expected: String,
    /// The colour in the capture.
    pub actual: String,
    /// Pixels with exactly this pair.
    pub pixels: u64,
}

impl NextDocument {
    /// The document of what comes next.
    #[must_use]
    pub fn of(outcome: &NextOutcome) -> Self {
        let (next, revise, run) = match outcome {
            NextOutcome::Revise { assignment, folder } => ("revise", Some(revise(assignment, folder)), None),
            NextOutcome::Done(outcome) => ("done", None, Some(RunDocument::of(outcome))),
        };
        Self { schema: "trueup.next/1", next, exit_code: outcome.exit_code(), revise, run }
    }
}

fn revise(assignment: &Assignment, folder: &Path) -> ReviseDocument {
    let measured = assignment.measured.as_ref();
    ReviseDocument {
        run_id: assignment.run_id.clone(),
        folder: folder.display().to_string(),
        iteration: assignment.iteration,
        iteration_cap: assignment.iteration_cap,
        from: assignment.from.to_string(),
        best_iteration: assignment.best_iteration,
        restored: assignment.restored,
        score: measured.and_then(|measured| measured.score()).map(|score| score.to_string()),
        open: measured.into_iter().flat_map(|measured| measured.open_regions()).map(open).collect(),
        approach: assignment.approach.to_string(),
        focus: assignment.focus.clone(),
        failing: assignment.failing.clone(),
        findings: assignment.findings.iter().map(ToString::to_string).collect(),
        tried: assignment.tried.iter().map(ToString::to_string).collect(),
        notes: assignment.notes.clone(),
    }
}

fn open(region: &OpenRegion) -> OpenDocument {
    let swatch = |swatch: &Swatch| SwatchDocument {
        expected: swatch.expected.to_string(),
        actual: swatch.actual.to_string(),
        pixels: swatch.pixels,
    };
    OpenDocument {
        region: residual(region),
        mean_delta_e: region.mean_delta_e.to_string(),
        max_delta_e: region.max_delta_e.to_string(),
        swatches: region.swatches.iter().map(swatch).collect(),
    }
}
