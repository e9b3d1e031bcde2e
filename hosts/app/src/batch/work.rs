//! Doing the jobs.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use trueup_contract::{LabelName, StopClass};
use trueup_driver::Observer;
use trueup_loop_core::Note;
use trueup_pixel_diff::{Antialiasing, MetricKind};
use trueup_ports::CancelToken;

use super::document::{BatchDocument, BatchEntry};
use super::error::BatchError;
use super::jobs::{Jobs, Task};
use super::kept::{Kept, Key, Line, Row, Rows, Status};
use super::manifest::{Manifest, Pair};
use super::{index, junit};
use crate::diff::{DiffRequest, diff_files};
use crate::error::{AppError, AppErrorKind};
use crate::progress::{Finished, Told};
use crate::report::{ReportOptions, report};
use crate::run::{RunOptions, run};

/// What does not pass is named in the document up to here; all of it is in the files.
const NAMED: usize = 100;

/// Where the jobs come from.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "a batch is written down or is two patterns")]
pub enum BatchSource {
    /// A manifest.
    Manifest(PathBuf),
    /// Two patterns of images, paired by what follows the part without wildcards.
    Patterns {
        /// Of the references.
        expected: String,
        /// Of the other images.
        actual: String,
    },
}

/// What to do, and where to keep it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BatchRequest {
    /// Where the jobs come from.
    pub source: BatchSource,
    /// A tolerance list for pairs whose manifest says none.
    pub tolerance: Option<String>,
    /// The formula of ΔE.
    pub metric: MetricKind,
    /// Which differences count as antialiasing.
    pub antialiasing: Antialiasing,
    /// The folder that everything is kept in.
    pub output: PathBuf,
    /// Jobs at the same time; as many as the machine has threads, by default.
    pub jobs: Option<NonZeroUsize>,
    /// Whether what earlier calls did is done again.
    pub afresh: bool,
}

impl BatchRequest {
    /// The jobs of a source, kept in a folder.
    #[must_use]
    pub fn new(source: BatchSource, output: PathBuf) -> Self {
        Self {
            source,
            tolerance: None,
            metric: MetricKind::default(),
            antialiasing: Antialiasing::default(),
            output,
            jobs: None,
            afresh: false,
        }
    }
}

/// What a batch came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BatchOutcome {
    /// The document.
    pub document: BatchDocument,
}

/// Does every job that was not done before, several at a time, and writes `results.jsonl`, `summary.json`, `junit.xml`,
/// `index.html` and pictures of what fails.
///
/// Memory is bounded by the largest pairs that are compared at the same time. `told` hears of every job that ends.
///
/// # Errors
/// When the manifest cannot be used or a file of the batch cannot be written. A job that fails, or whose files are not there,
/// is part of the outcome.
pub fn batch(request: &BatchRequest, cancel: &CancelToken, told: &Told) -> Result<BatchOutcome, AppError> {
    let jobs = read(request)?;
    let folder = &request.output;
    let unwritable = |path: &Path| {
        let path = path.to_owned();
        move |source: io::Error| AppError::new(AppErrorKind::File { what: "written", path, source })
    };
    fs::create_dir_all(folder).map_err(unwritable(folder))?;
    let results = folder.join("results.jsonl");
    if request.afresh && results.exists() {
        fs::remove_file(&results).map_err(unwritable(&results))?;
    }
    let (kept, before) = Kept::open(&results).map_err(unwritable(&results))?;
    let kept = Mutex::new(kept);
    let work = Work {
        request,
        cancel,
        told,
        jobs: &jobs,
        before,
        kept,
        rows: Mutex::new(Rows::new(jobs.len())),
        next: AtomicUsize::new(0),
        done: AtomicUsize::new(0),
    };
    let (rows, mut kept) = work.all().map_err(unwritable(&results))?;

    let document = document(&jobs, &rows, &mut kept, folder).map_err(unwritable(&results))?;
    let write = |name: &str, with: &mut dyn FnMut(&mut io::BufWriter<fs::File>) -> io::Result<()>| {
        let path = folder.join(name);
        let mut written = || {
            let mut file = io::BufWriter::new(fs::File::create(&path)?);
            with(&mut file)?;
            io::Write::flush(&mut file)
        };
        written().map_err(unwritable(&path))
    };
    write("summary.json", &mut |file| {
        serde_json::to_writer_pretty(file, &document).map_err(io::Error::from)
    })?;
    write("junit.xml", &mut |file| junit::write(&jobs, &rows, &mut kept, file))?;
    write("index.html", &mut |file| index::write(&document, &jobs, &rows, &mut kept, file))?;
    Ok(BatchOutcome { document })
}

fn read(request: &BatchRequest) -> Result<Jobs, AppError> {
    match &request.source {
        BatchSource::Manifest(path) => {
            let text = fs::read_to_string(path).map_err(|source| {
                AppError::new(AppErrorKind::File { what: "read", path: path.clone(), source })
            })?;
            let folder =
                path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Jobs::of(&Manifest::read(path, &text)?, path, folder)
        }
        BatchSource::Patterns { expected, actual } => {
            let (expected, actual) = (expected.clone(), actual.clone());
            let pair = Pair { name: None, expected, actual, tolerance: None };
            let manifest = Manifest { pairs: vec![pair], ..Manifest::default() };
            Jobs::of(&manifest, Path::new("--expected and --actual"), Path::new(""))
        }
    }
}

/// Everything that the workers share.
struct Work<'a> {
    request: &'a BatchRequest,
    cancel: &'a CancelToken,
    told: &'a Told,
    jobs: &'a Jobs,
    before: HashMap<Key, Row>,
    kept: Mutex<Kept>,
    rows: Mutex<Rows>,
    next: AtomicUsize,
    done: AtomicUsize,
}

impl Work<'_> {
    /// What each job came to, and the file that has it.
    fn all(self) -> io::Result<(Rows, Kept)> {
        let threads = self.request.jobs.or_else(|| thread::available_parallelism().ok());
        let threads = threads.map_or(1, NonZeroUsize::get).min(self.jobs.len().max(1));
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| self.worker())).collect();
            workers
                .into_iter()
                .try_for_each(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })?;
        let rows = self.rows.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((rows, self.kept.into_inner().unwrap_or_else(PoisonError::into_inner)))
    }

    fn worker(&self) -> io::Result<()> {
        loop {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            if place >= self.jobs.len() || self.cancel.is_cancelled() {
                return Ok(());
            }
            let (name, task) = (self.jobs.name(place), self.jobs.task(place));
            let key = self.key(place, &name, &task);
            let (row, again) = match self.before.get(&key) {
                Some(row) => (*row, true),
                None => {
                    // A run that was called off is not done: it goes on with the next call.
                    let Some(line) = self.carry_out(place, &name, &task, key) else { return Ok(()) };
                    let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
                    (kept.add(&line)?, false)
                }
            };
            let status = row.status.as_str();
            let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
            rows.put(place, row);
            rows.resumed += usize::from(again);
            drop(rows);
            let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
            (self.told)(Finished::new("job", [done, self.jobs.len()], &name, status));
        }
    }

    /// Names a job by everything that decides what it comes to. Files that cannot be read have no content, and so no key that
    /// an earlier call could have had while they were there.
    fn key(&self, place: usize, name: &str, task: &Task) -> Key {
        let digest = |path: &Path| match fs::read(path) {
            Ok(bytes) => Key::of([("content", &*bytes)]).to_string(),
            Err(error) => error.kind().to_string(),
        };
        let name = ("name", name.as_bytes());
        match task {
            Task::Pair { expected, actual } => {
                let rules = format!(
                    "{:?} {:?} {}",
                    self.request.metric,
                    self.request.antialiasing,
                    self.tolerance(place).unwrap_or_default()
                );
                let (expected, actual) = (digest(expected), digest(actual));
                let sides = [("expected", expected.as_bytes()), ("actual", actual.as_bytes())];
                Key::of([name, ("rules", rules.as_bytes())].into_iter().chain(sides))
            }
            Task::Alone { only_in } => Key::of([name, ("only-in", only_in.as_bytes())]),
            Task::Run { config, iteration_cap } => {
                let cap = iteration_cap.map(|cap| cap.to_string()).unwrap_or_default();
                Key::of([name, ("config", digest(config).as_bytes()), ("cap", cap.as_bytes())])
            }
        }
    }

    fn tolerance(&self, place: usize) -> Option<&str> {
        self.jobs.tolerance(place).or(self.request.tolerance.as_deref())
    }

    fn carry_out(&self, place: usize, name: &str, task: &Task, key: Key) -> Option<Line> {
        let mut line = Line {
            key: key.to_string(),
            name: name.into(),
            status: Status::Undetermined,
            detail: "".into(),
            open_regions: 0,
            max_delta_e: 0.0,
            place: None,
        };
        match task {
            Task::Alone { only_in } => {
                line.status = Status::Fail;
                line.detail = format!("it is only on the {only_in} side").into();
            }
            Task::Pair { expected, actual } => self.compare(place, expected, actual, &mut line),
            Task::Run { config, iteration_cap } => self.drive(name, config, *iteration_cap, &mut line)?,
        }
        Some(line)
    }

    fn compare(&self, place: usize, expected: &Path, actual: &Path, line: &mut Line) {
        let mut request = DiffRequest::default();
        request.expected = expected.to_owned();
        request.actual = actual.to_owned();
        request.tolerance = self.tolerance(place).map(str::to_owned);
        request.metric = self.request.metric;
        request.antialiasing = self.request.antialiasing;
        // Jobs are what runs side by side.
        request.threads = Some(NonZeroUsize::MIN);
        match diff_files(&request) {
            Ok(outcome) => {
                let document = outcome.document;
                line.status = match document.status {
                    "pass" => Status::Pass,
                    "fail" => Status::Fail,
                    _ => Status::Undetermined,
                };
                line.detail = document.reason.as_str().into();
                let open = document.regions.iter().filter(|region| region.open).count();
                line.open_regions = u32::try_from(open).unwrap_or(u32::MAX);
                line.max_delta_e = document.max_delta_e;
            }
            Err(error) => line.detail = error.to_string().into(),
        }
        if line.status == Status::Fail {
            match self.picture(&mut request, &line.key) {
                Ok(place) => line.place = Some(place.into()),
                Err(error) => line.detail = format!("{}; there is no picture: {error}", line.detail).into(),
            }
        }
    }

    /// Draws what fails. Drawing while comparing would cost those that pass, which are most.
    fn picture(&self, request: &mut DiffRequest, key: &str) -> Result<String, AppError> {
        let place = format!("pictures/{key}.png");
        let path = self.request.output.join(&place);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|source| {
                AppError::new(AppErrorKind::File { what: "written", path: folder.to_owned(), source })
            })?;
        }
        request.picture = Some(path);
        diff_files(request).map(|_| place)
    }

    /// `None` where the run was called off: it goes on with the next call.
    fn drive(&self, name: &str, config: &Path, cap: Option<u32>, line: &mut Line) -> Option<()> {
        // A name of a job may have more characters than a folder's.
        let folder = if LabelName::new(name).is_ok() { name.to_owned() } else { line.key.clone() };
        let runs = self.request.output.join("runs").join(&folder);
        // A run that was called off goes on; one that is to be done again is another run.
        let number = (1u32..).find(|number| !runs.join(number.to_string()).exists()).unwrap_or(1);
        let number = if self.request.afresh { number } else { number.saturating_sub(1).max(1) };
        let options = RunOptions {
            iteration_cap: cap.map(|cap| cap.to_string()),
            run_id: Some(number.to_string()),
            out: Some(runs),
            ..RunOptions::default()
        };
        let place = |file: &str| Some(format!("runs/{folder}/{number}/{file}").into());
        match run(config, &options, Arc::new(Silent), self.cancel.clone()) {
            Ok(outcome) => {
                let status = outcome.report.status.status;
                line.status = match status.class() {
                    StopClass::Converged => Status::Pass,
                    StopClass::Cancelled => return None,
                    StopClass::NeedsHuman => Status::NeedsHuman,
                    StopClass::NotConverged | StopClass::AcceptedUnconverged => Status::Fail,
                    _ => Status::Undetermined,
                };
                line.detail = status.to_string().into();
                line.place = place("report.html");
                if let Err(error) = report(&outcome.folder, &ReportOptions::default()) {
                    line.place = place("summary.md");
                    line.detail = format!("{status}; there is no report: {error}").into();
                }
            }
            Err(error) => line.detail = error.to_string().into(),
        }
        Some(())
    }
}

/// Nobody listens to the steps of a run among many.
#[derive(Debug)]
struct Silent;

impl Observer for Silent {
    fn note(&self, _: &Note) {}
}

fn document(jobs: &Jobs, rows: &Rows, kept: &mut Kept, folder: &Path) -> io::Result<BatchDocument> {
    let worst = rows.worst();
    let first = worst.first().and_then(|place| rows.status(*place)).unwrap_or(Status::Pass);
    let left = rows.count(None);
    // What is left over is not known to pass.
    let status = if left > 0 || jobs.len() == 0 { first.max(Status::Undetermined) } else { first };
    let mut named = Vec::new();
    for place in worst.into_iter().take(NAMED) {
        named.extend(rows.line(place, kept)?.map(|line| BatchEntry {
            name: line.name.into(),
            status: line.status.as_str(),
            detail: line.detail.into(),
            open_regions: line.open_regions,
            place: line.place.map(String::from),
        }));
    }
    let count = |status| rows.count(Some(status));
    Ok(BatchDocument {
        schema: "trueup.batch/1",
        status: status.as_str(),
        exit_code: status.exit_code(),
        total: jobs.len(),
        pass: count(Status::Pass),
        fail: count(Status::Fail),
        undetermined: count(Status::Undetermined),
        needs_human: count(Status::NeedsHuman),
        left,
        resumed: rows.resumed,
        folder: folder.display().to_string(),
        worst: named,
    })
}

impl From<BatchError> for AppError {
    fn from(error: BatchError) -> Self {
        Self::new(AppErrorKind::Batch(error))
    }
}
