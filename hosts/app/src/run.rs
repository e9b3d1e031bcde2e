//! Driving a configuration to its end.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use trueup_compare_pixel::parse_tolerance;
use trueup_contract::{Answer, LimitSource, Limits, OpenRegion, SprintContract};
use trueup_driver::{
    Driver, FileArtifact, FileJournal, Observer, Ports, Report, RunFolder, RunLock, RunSpec,
};
use trueup_pixel_diff::MetricKind;
use trueup_ports::{CancelToken, Runtime};

use crate::config::{Config, Filling, load};
use crate::error::{AppError, AppErrorKind};
use crate::evaluation::KeepsVerdicts;
use crate::run_folder::{self, Place};
use crate::runtime::TokioRuntime;

/// What a run starts from, and what its summary shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// The artifact is being made: it is revised from what it is.
    #[default]
    Create,
    /// The artifact has drifted: the summary shows where it was before and after.
    Repair,
}

/// What the caller says besides the configuration.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RunOptions {
    /// The iteration cap as written.
    pub iteration_cap: Option<String>,
    /// A tolerance list; `iteration_cap=N` in it is an alias for the cap.
    pub tolerance: Option<String>,
    /// The run to go on with, or to begin under this id.
    pub run_id: Option<String>,
    /// What the run starts from.
    pub mode: Mode,
    /// A person's answer to the question that the run waits with.
    pub answer: Option<Answer>,
    /// Where runs are kept; `runs` beside the configuration by default.
    pub out: Option<PathBuf>,
}

/// A run that was driven to its end.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RunOutcome {
    /// What the driver reports.
    pub report: Report,
    /// The run folder.
    pub folder: PathBuf,
}

impl RunOutcome {
    /// The exit code of a command that ends with it.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        self.report.status.status.exit_code()
    }
}

/// Drives the configuration at `path` to its end. `observer` listens in.
///
/// # Errors
/// When the configuration, the options or the run folder cannot be used. A run that does not converge is no error.
pub fn run(
    path: &Path,
    options: &RunOptions,
    observer: Arc<dyn Observer>,
    cancel: CancelToken,
) -> Result<RunOutcome, AppError> {
    let Prepared { driver, folder, lock: _lock } = prepare(path, options, observer)?;
    let driven = TokioRuntime::block_on(driver.drive(cancel))
        .map_err(|error| AppError::new(AppErrorKind::Runtime(error)))?;
    match driven {
        Ok(report) => Ok(RunOutcome { report, folder }),
        Err(source) => Err(AppError::new(AppErrorKind::Drive { folder, source })),
    }
}

/// A run that is ready to be driven, and its folder, which nobody else may drive meanwhile.
pub(crate) struct Prepared {
    pub(crate) driver: Driver,
    pub(crate) folder: PathBuf,
    pub(crate) lock: RunLock,
}

pub(crate) fn prepare(
    path: &Path,
    options: &RunOptions,
    observer: Arc<dyn Observer>,
) -> Result<Prepared, AppError> {
    let config = load(path)?;
    let (alias, tolerance) = split_alias(options.tolerance.as_deref());
    let mut settings = config.settings.clone();
    let tolerances = parse_tolerance(&tolerance, settings.tolerance, MetricKind::default())?;
    settings.tolerance = tolerances.color;
    settings.placement_css_px = tolerances.placement_px.unwrap_or(settings.placement_css_px);
    let contract = config.contract().with_limits(limits(&config, options, alias.as_deref()));
    let artifact = FileArtifact::new(&config.folder, config.files.iter().cloned())
        .map_err(|error| AppError::new(AppErrorKind::Artifact(error)))?;
    let runs = options.out.clone().unwrap_or_else(|| config.folder.join("runs"));
    let Place { id, folder } = run_folder::open(&runs, options.run_id.as_deref())?;
    let lock = RunLock::acquire(&folder).map_err(|error| AppError::new(AppErrorKind::Lock(error)))?;

    if let Some(sprint) = &config.sprint {
        freeze(sprint, &folder)?;
    }
    let mut spec = RunSpec::new(id, config.filled.source(), Arc::clone(&config.plan), contract);
    if let Some(brief) = &config.brief {
        spec = spec.with_brief(Arc::clone(brief));
    }
    if let Some(literals) = &config.literals {
        spec = spec.with_literals(literals.clone());
    }
    for (name, value) in config.measured_by(&settings) {
        spec = spec.with_setting(name, value);
    }
    let runtime: Arc<dyn Runtime> = Arc::new(TokioRuntime::new());
    let Filling { capturer, comparer, reviser, judge } =
        config.filled.into_ports(&config.folder, settings, config.tokens);
    let ports = Ports::new(
        Arc::new(artifact),
        capturer,
        comparer,
        reviser,
        Arc::new(FileJournal::new(folder.join("journal.jsonl"))),
        runtime,
    );
    let ports = match judge {
        Some(judge) => ports.with_judge(judge),
        None => ports,
    };
    let mut sink = RunFolder::new(folder.clone(), run_folder::now);
    if options.mode == Mode::Repair {
        sink = sink.with_before_and_after();
    }
    let mut driver = Driver::new(spec, ports)
        .with_sink(Arc::new(KeepsVerdicts::new(sink, folder.clone(), runs.join("trueup-log.jsonl"))))
        .with_observer(observer);
    if let Some(answer) = &options.answer {
        driver = driver.with_answer(answer.clone());
    }
    Ok(Prepared { driver, folder, lock })
}

/// Keeps the sprint contract in the run folder, as it was when the run began.
fn freeze(sprint: &SprintContract, folder: &Path) -> Result<(), AppError> {
    let place = folder.join("contract");
    let path = place.join(format!("{}.json", sprint.sprint_id));
    let written = || {
        fs::create_dir_all(&place)?;
        if path.exists() {
            return Ok(());
        }
        let text = serde_json::to_string_pretty(sprint).map_err(io::Error::other)?;
        fs::write(&path, text + "\n")
    };
    written()
        .map_err(|source| AppError::new(AppErrorKind::File { what: "written", path: path.clone(), source }))
}

/// Takes `iteration_cap=N` out of a tolerance list: it is an alias, and the comparer would not know it.
fn split_alias(tolerance: Option<&str>) -> (Option<String>, String) {
    let mut alias = None;
    let mut rest = Vec::new();
    for item in tolerance.unwrap_or_default().split(',') {
        match item.trim().split_once('=') {
            Some((key, value)) if key.trim() == "iteration_cap" => alias = Some(value.trim().to_owned()),
            _ => rest.push(item),
        }
    }
    (alias, rest.join(","))
}

fn limits(config: &Config, options: &RunOptions, alias: Option<&str>) -> Limits {
    let written = &config.limits;
    let mut limits = Limits::of(config.preset);
    let cap = [
        (LimitSource::Flag, options.iteration_cap.as_deref()),
        (LimitSource::ToleranceAlias, alias),
        (LimitSource::Config, written.iteration_cap.as_deref()),
    ];
    if cap.iter().any(|(_, text)| text.is_some()) {
        limits.iterations = config.preset.iteration_range().resolve(cap);
    }
    let configured = |text: &Option<String>, range: trueup_contract::LimitRange| {
        range.resolve([(LimitSource::Config, text.as_deref())])
    };
    limits.restarts = configured(&written.restarts, Limits::RESTARTS);
    limits.retries = configured(&written.retries, Limits::RETRIES);
    limits.trials = configured(&written.trials, Limits::TRIALS);
    limits
}

/// How a run ended, as a JSON document: `trueup.run/1`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RunDocument {
    /// `trueup.run/1`.
    pub schema: &'static str,
    /// The status, such as `converged`.
    pub status: String,
    /// Every stop that held, in the order of decision.
    pub stops: Vec<String>,
    /// The exit code.
    pub exit_code: u8,
    /// The run's id.
    pub run_id: String,
    /// The run folder.
    pub folder: String,
    /// Whether it went on from an earlier journal.
    pub resumed: bool,
    /// Iterations that were spent.
    pub iterations: u32,
    /// Iterations that may be spent.
    pub iteration_cap: u32,
    /// Where that number came from.
    pub iteration_cap_source: String,
    /// Trials that were spent.
    pub trials: u32,
    /// The score of every iteration from the baseline on, null where it is unknown; exact decimals as text.
    pub score_history: Vec<Option<String>>,
    /// The best state, which the artifact is in.
    pub best_state: Option<String>,
    /// What is still open in it.
    pub residual: Vec<ResidualDocument>,
    /// What had to be replaced or overridden, and what went wrong.
    pub notes: Vec<String>,
}

/// One region that is still open.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ResidualDocument {
    /// Its name in the run.
    pub id: String,
    /// What kind of difference it is.
    pub kind: String,
    /// First column, in device pixels of the reference.
    pub x: u32,
    /// First row.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Pixels in it that differ.
    pub pixels: u64,
    /// What it adds to the open score; an exact decimal as text.
    pub score: String,
}

impl RunDocument {
    /// The document of a run.
    #[must_use]
    pub fn of(outcome: &RunOutcome) -> Self {
        let RunOutcome { report, folder } = outcome;
        let status = &report.status;
        let residual =
            report.measured.iter().flat_map(|measured| measured.open_regions()).map(residual).collect();
        Self {
            schema: "trueup.run/1",
            status: status.status.to_string(),
            stops: status.stops.iter().map(ToString::to_string).collect(),
            exit_code: outcome.exit_code(),
            run_id: status.run_id.clone(),
            folder: folder.display().to_string(),
            resumed: report.resumed,
            iterations: status.iterations,
            iteration_cap: status.iteration_cap,
            iteration_cap_source: status.iteration_cap_source.clone(),
            trials: report.outcome.budget.trials.spent,
            score_history: status
                .score_history
                .iter()
                .map(|score| score.map(|score| score.to_string()))
                .collect(),
            best_state: status.best_state.clone(),
            residual,
            notes: status.notes.clone(),
        }
    }
}

pub(crate) fn residual(region: &OpenRegion) -> ResidualDocument {
    ResidualDocument {
        id: region.id.to_string(),
        kind: region.kind.clone(),
        x: region.area.x,
        y: region.area.y,
        width: region.area.width,
        height: region.area.height,
        pixels: region.pixels,
        score: region.score.to_string(),
    }
}
