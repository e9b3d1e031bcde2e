//! The run folder: what people and tools read of a run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::json;
use trueup_contract::{
    Iteration, IterationKind, Label, LoopContract, Measurement, OpenRegion, Plan, Stop, StopClass,
};
use trueup_loop_core::Outcome;
use trueup_ports::{Comparison, PictureKind};
use trueup_score::{Points, Truth};

use super::atomic;
use crate::{Projection, Sink, StatusBlock};

/// Writes a run into a folder: the plan, the contract, a file and a folder for each iteration, signals, the summary.
///
/// The journal is the truth; every other file is simply written whole, and again when the run goes on. Pictures and reports
/// are written when an iteration is compared.
#[derive(Debug)]
pub struct RunFolder {
    folder: PathBuf,
    /// Gives the time for `updated_at`.
    now: fn() -> String,
    /// Taken from the contract, which is written before any signal.
    cap: AtomicU32,
    before_and_after: bool,
}

impl RunFolder {
    /// A sink that writes into `folder`, which exists. `now` gives the time as RFC 3339 text, for signals only.
    #[must_use]
    pub const fn new(folder: PathBuf, now: fn() -> String) -> Self {
        Self { folder, now, cap: AtomicU32::new(0), before_and_after: false }
    }

    /// The sink with a summary that shows where the run began beside where it ended.
    #[must_use]
    pub fn with_before_and_after(self) -> Self {
        Self { before_and_after: true, ..self }
    }

    fn put(&self, name: impl AsRef<Path>, content: &[u8]) -> io::Result<()> {
        let path = self.folder.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| about(folder, error))?;
        }
        atomic::write(&path, content).map_err(|error| about(&path, error))
    }

    fn put_json(&self, name: impl AsRef<Path>, value: &serde_json::Value) -> io::Result<()> {
        self.put(name, format!("{value:#}\n").as_bytes())
    }

    fn plan(&self, plan: &Plan, settings: &BTreeMap<String, String>) -> io::Result<()> {
        let label = |label: &Label| {
            json!({
                "name": label.name().as_str(),
                "source": label.source(),
                "theme": label.theme(),
                "viewport": label.viewport().to_string(),
                "reference": label.reference(),
            })
        };
        let labels: Vec<_> = plan.labels().iter().map(label).collect();
        self.put_json(
            "plan.json",
            &json!({ "schema": "trueup.plan/1", "labels": labels, "settings": settings }),
        )
    }

    fn contract(&self, contract: &LoopContract) -> io::Result<()> {
        let limit = |limit: &trueup_contract::Limit| json!({ "value": limit.value(), "source": limit.source().to_string(), "note": limit.note() });
        let limits = contract.limits();
        self.cap.store(limits.iterations.value(), Ordering::Release);
        let value = json!({
            "schema": "trueup.loop/1",
            "preset": contract.preset().as_str(),
            "digest": contract.digest().to_string(),
            "no_progress": contract.detectors().iter().map(ToString::to_string).collect::<Vec<_>>(),
            "limits": {
                "iterations": limit(&limits.iterations),
                "restarts": limit(&limits.restarts),
                "retries": limit(&limits.retries),
                "trials": limit(&limits.trials),
            },
            "table": contract.to_string(),
        });
        self.put_json("contract/loop.json", &value)
    }

    fn compared(&self, iteration: u32, comparison: &Comparison) -> io::Result<()> {
        let folder = PathBuf::from(format!("diff/{iteration:02}"));
        for picture in &comparison.pictures {
            let label = &picture.label;
            let name = match picture.kind {
                PictureKind::Reference => Path::new("reference").join(format!("{label}.png")),
                PictureKind::Render => folder.join(format!("{label}.render.png")),
                PictureKind::Diff => folder.join(format!("{label}.diff.png")),
                _ => continue,
            };
            self.put(name, &picture.png)?;
        }
        for (label, report) in &comparison.reports {
            self.put(folder.join(format!("{label}.report.json")), report.as_bytes())?;
        }
        Ok(())
    }

    fn iteration(&self, entry: &Iteration, measured: Option<&Measurement>) -> io::Result<()> {
        self.put(format!("diff/{:02}.yaml", entry.index), iteration_yaml(entry, measured).as_bytes())?;
        let (phase, name) = if entry.index == 0 { (0, "baseline") } else { (1, "iterate") };
        self.signal(phase, name, entry.index, entry.truth, None)
    }

    fn signal(
        &self,
        phase: u32,
        name: &str,
        round: u32,
        result: Truth,
        stop: Option<Stop>,
    ) -> io::Result<()> {
        let cap = self.cap.load(Ordering::Acquire);
        let done = stop.is_some() || cap == 0;
        let percent = if done { 100 } else { (u64::from(round) * 100 / u64::from(cap)).min(100) };
        let blocked = stop.filter(|stop| stop.class() == StopClass::NeedsHuman).map(|_| "human");
        let value = json!({
            "schema": "trueup.status/1",
            "phase": phase,
            "phase_name": name,
            "eval_round": round,
            "eval_result": result.to_string(),
            "recovery_rung": null,
            "blocked_on": blocked,
            "completion_pct": percent,
            "status": stop.map(Stop::as_str),
            "updated_at": (self.now)(),
        });
        self.put_json("signals/status.json", &value)
    }

    fn status(&self, ended: &Ended<'_>) -> io::Result<()> {
        self.put("summary.md", summary(ended, self.before_and_after).as_bytes())?;
        let result = match ended.status.status.class() {
            StopClass::Converged => Truth::Pass,
            StopClass::NotConverged | StopClass::AcceptedUnconverged => Truth::Fail,
            _ => Truth::Undetermined,
        };
        self.signal(2, "done", ended.status.iterations, result, Some(ended.status.status))
    }
}

/// What is known when a run has ended.
struct Ended<'a> {
    status: &'a StatusBlock,
    outcome: &'a Outcome,
    baseline: Option<&'a Measurement>,
    best: Option<&'a Measurement>,
}

impl Sink for RunFolder {
    fn write(&self, projection: Projection<'_>) -> io::Result<()> {
        match projection {
            Projection::Plan { plan, settings } => self.plan(plan, settings),
            Projection::Contract(contract) => self.contract(contract),
            Projection::Compared { iteration, comparison } => self.compared(iteration, comparison),
            Projection::Iteration { entry, measured } => self.iteration(entry, measured),
            Projection::Ended { status, outcome, baseline, best } => {
                self.status(&Ended { status, outcome, baseline, best })
            }
        }
    }
}

fn about(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{} cannot be written: {error}", path.display()))
}

fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(", "))
}

/// `diff/0N.yaml`: what an iteration came to, in three fields that machines read and some that explain them.
fn iteration_yaml(entry: &Iteration, measured: Option<&Measurement>) -> String {
    // A state that did not change is as open as it was; what was not captured is unknown.
    let seen = match &entry.kind {
        IterationKind::Measured => Some((entry.score, entry.delta_ids.clone().unwrap_or_default())),
        IterationKind::NoChange { .. } => measured.map(|measured| (measured.score(), measured.delta_ids())),
        _ => None,
    };
    let (kind, why) = match &entry.kind {
        IterationKind::Measured => ("measured", None),
        IterationKind::Reverted { why } => ("reverted", Some(why)),
        IterationKind::CaptureFailed { why } => ("capture-failed", Some(why)),
        IterationKind::NoChange { why } => ("no-change", Some(why)),
        _ => ("other", None),
    };
    let mut text = format!("iteration: {}\nkind: {kind}\n", entry.index);
    if let Some(why) = why {
        // JSON strings are YAML strings.
        let _ = writeln!(text, "why: {}", serde_json::Value::from(why.as_str()));
    }
    let _ = writeln!(text, "state: {}\ntruth: {}", entry.state, entry.truth);
    match seen {
        Some((score, ids)) => {
            let score = score.map_or("unknown".to_owned(), |score| score.to_string());
            let channels = measured.map(Measurement::channels).unwrap_or_default();
            let _ = writeln!(text, "score: {score}\ndelta_ids: {}", list(ids));
            if measured.is_some() {
                let _ = writeln!(text, "channels: {}", list(channels));
            }
        }
        None => text.push_str("score: unknown\ndelta_ids: unknown\n"),
    }
    text
}

/// The summary: the status block first, then what people want to know.
fn summary(ended: &Ended<'_>, before_and_after: bool) -> String {
    let status = ended.status;
    let mut text = format!("---\n{status}---\n\n# Run {}\n\n{}\n", status.run_id, sentence(ended));
    let print =
        |score: Option<Points>| score.map_or("unknown".to_owned(), |score| score.tenths().to_string());
    if before_and_after {
        let row = |name: &str, measured: Option<&Measurement>| {
            let (score, open) =
                measured.map_or((None, 0), |measured| (measured.score(), measured.delta_ids().len()));
            format!("| {name} | {} | {open} |\n", print(score))
        };
        text.push_str("\n## Before and after\n\n| | open score | open regions |\n|---|---|---|\n");
        text.push_str(&row("before", ended.baseline));
        text.push_str(&row("after", ended.best));
    }
    text.push_str("\n## Scores\n\n| iteration | open score |\n|---|---|\n");
    for (iteration, score) in status.score_history.iter().enumerate() {
        let _ = writeln!(text, "| {iteration} | {} |", print(*score));
    }
    text.push_str("\n## Residual regions\n\n");
    let regions: Vec<&OpenRegion> = ended.best.map(|best| best.open_regions().collect()).unwrap_or_default();
    if regions.is_empty() {
        text.push_str(if ended.best.is_some() { "None.\n" } else { "Nothing was compared.\n" });
    } else {
        text.push_str(
            "| region | kind | where | pixels | mean ΔE | max ΔE | score |\n|---|---|---|---|---|---|---|\n",
        );
        for region in regions {
            let OpenRegion { id, kind, area, pixels, mean_delta_e, max_delta_e, score, .. } = region;
            let (mean, max, score) = (mean_delta_e.tenths(), max_delta_e.tenths(), score.tenths());
            let _ = writeln!(text, "| {id} | {kind} | {area} | {pixels} | {mean} | {max} | {score} |");
        }
    }
    let budget = &ended.outcome.budget;
    text.push_str("\n## Spent\n\n| | spent | of |\n|---|---|---|\n");
    for (name, spent) in [
        ("iterations", budget.iterations),
        ("trials", budget.trials),
        ("retries", budget.retries),
        ("restarts", budget.restarts),
    ] {
        let _ = writeln!(text, "| {name} | {} | {} |", spent.spent, spent.limit);
    }
    if !status.notes.is_empty() {
        text.push_str("\n## Notes\n\n");
        for note in &status.notes {
            let _ = writeln!(text, "- {note}");
        }
    }
    text
}

fn sentence(ended: &Ended<'_>) -> String {
    let status = ended.status;
    match status.status.class() {
        StopClass::Converged => {
            format!("It measures true after {} of {} iterations.", status.iterations, status.iteration_cap)
        }
        StopClass::NotConverged => format!(
            "It does not measure true: {} after {} of {} iterations. The artifact is in the best state seen.",
            status.status, status.iterations, status.iteration_cap
        ),
        StopClass::Undetermined => format!("Whether it measures true could not be seen: {}.", status.status),
        StopClass::NeedsHuman => format!("Only a person can go on: {}.", status.status),
        StopClass::AcceptedUnconverged => "A person took it as it is; it does not measure true.".to_owned(),
        StopClass::Cancelled => "It was called off. The artifact is in the best state seen.".to_owned(),
    }
}
