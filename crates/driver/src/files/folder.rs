//! The run folder: what people and tools read of a run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use serde_json::json;
use trueup_contract::{
    Answer, Approach, Excuses, Iteration, IterationKind, Label, LoopContract, Measurement, OpenRegion, Plan,
    Question, RegionClass, Stop, StopClass,
};
use trueup_loop_core::{Outcome, Split};
use trueup_ports::{Comparison, PictureKind};
use trueup_score::{Points, Truth};

use super::atomic;
use crate::{Projection, Signal, Sink, StatusBlock};

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
    /// Whether the contract has a ladder of approaches.
    ladder: AtomicBool,
    /// How regions were judged, as the contract says.
    excuses: Mutex<Excuses>,
    before_and_after: bool,
}

impl RunFolder {
    /// A sink that writes into `folder`, which exists. `now` gives the time as RFC 3339 text, for signals only.
    #[must_use]
    pub fn new(folder: PathBuf, now: fn() -> String) -> Self {
        Self {
            folder,
            now,
            cap: AtomicU32::new(0),
            ladder: AtomicBool::new(false),
            excuses: Mutex::default(),
            before_and_after: false,
        }
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
        self.ladder.store(contract.ladder().is_some(), Ordering::Release);
        *self.excuses.lock().unwrap_or_else(PoisonError::into_inner) = contract.excuses().clone();
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
                "judge_calls": limit(&limits.judge_calls),
                "answers": limit(&limits.answers),
                "wall_seconds": limit(&limits.wall_seconds),
                "tokens": limit(&limits.tokens),
                "cost_cents": limit(&limits.cost_cents),
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
                PictureKind::Heatmap => folder.join(format!("{label}.heatmap.png")),
                _ => continue,
            };
            self.put(name, &picture.png)?;
        }
        for (label, report) in &comparison.reports {
            self.put(folder.join(format!("{label}.report.json")), report.as_bytes())?;
        }
        Ok(())
    }

    fn iteration(
        &self,
        entry: &Iteration,
        measured: Option<&Measurement>,
        approach: Approach,
    ) -> io::Result<()> {
        let again = if entry.kind == IterationKind::Rebaselined { ".again" } else { "" };
        let name = format!("diff/{:02}{again}.yaml", entry.index);
        self.put(name, iteration_yaml(entry, measured).as_bytes())?;
        if let Some(measured) = measured.filter(|_| entry.is_measured()) {
            self.judgement(entry.index, measured)?;
        }
        self.put(
            "signals/status.json",
            self.going_on(entry.index, entry.truth, approach).to_string().as_bytes(),
        )
    }

    /// `judgement.json`: whose each region is that is outside tolerance, before anything is revised.
    fn judgement(&self, iteration: u32, measured: &Measurement) -> io::Result<()> {
        let excuses = self.excuses.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let measured = measured.clone().excusing(&excuses);
        // Everything that an excuse holds for, so that the file can be given to the next run as it is.
        let region = |region: &OpenRegion, class: RegionClass, reason: Option<&str>, by: Option<&str>| {
            let area = region.area;
            json!({
                "id": region.id.as_str(),
                "class": class.as_str(),
                "reason": reason,
                "by": by,
                "x": area.x,
                "y": area.y,
                "width": area.width,
                "height": area.height,
                "pixels": region.pixels,
                "score": region.score.to_string(),
            })
        };
        let open = measured.open_regions().map(|one| {
            let lapsed = excuses.lapsed(one).map(|before| format!("was {}, and has changed", before.class));
            region(one, excuses.class(one), lapsed.as_deref(), None)
        });
        let excused = measured
            .excused_regions()
            .map(|one| region(&one.region, one.class, Some(&one.reason), Some(&one.by)));
        let regions: Vec<_> = open.chain(excused).collect();
        let value = json!({ "schema": "trueup.judgement/1", "iteration": iteration, "regions": regions });
        self.put_json("judgement.json", &value)
    }

    fn going_on(&self, round: u32, result: Truth, approach: Approach) -> Signal {
        Signal::going_on(round, result, self.cap.load(Ordering::Acquire), self.rung(approach), (self.now)())
    }

    fn rung(&self, approach: Approach) -> Option<Approach> {
        Some(approach).filter(|_| self.ladder.load(Ordering::Acquire))
    }

    fn asked(&self, question: &Question, contract: &LoopContract, split: Option<&Split>) -> io::Result<()> {
        let signal =
            self.going_on(question.iteration, Truth::Fail, self.last_approach(contract, question)).asking();
        self.put("signals/status.json", signal.to_string().as_bytes())?;
        let listed = |stops: &[Stop]| {
            let labels: Vec<&str> = stops.iter().map(|stop| contract.preset().label(*stop)).collect();
            labels.join(", ")
        };
        let options: Vec<String> = question.options.iter().map(ToString::to_string).collect();
        let mut text = format!(
            "## {} — iteration {}\n\n**Question:** how to go on from {}? Options: {}.\n**Context:** {}.\n",
            (self.now)(),
            question.iteration,
            listed(&question.stops),
            options.join(", "),
            question.why,
        );
        for (round, approach) in &question.ladder {
            let _ = writeln!(text, "- round {round} failed: answered with {approach}");
        }
        if let Some(split) = split {
            let stands = if split.stands { "it stands" } else { "it does not stand" };
            let _ = writeln!(
                text,
                "- split into {}; made {}, and {stands}",
                split.slices.join(", "),
                split.landed
            );
        }
        self.append("needs-human.md", &format!("{text}\n"))
    }

    fn last_approach(&self, contract: &LoopContract, question: &Question) -> Approach {
        contract
            .ladder()
            .map_or_else(Approach::default, |ladder| ladder.answer_to(question.iteration.saturating_sub(1)))
    }

    fn answered(&self, question: &Question, answer: &Answer) -> io::Result<()> {
        let answer = answer.to_string().replace(char::is_control, " ");
        self.append(
            "needs-human.md",
            &format!("resolved: {} — {answer} (iteration {})\n\n", (self.now)(), question.iteration),
        )?;
        let signal = self.going_on(question.iteration, Truth::Fail, Approach::default());
        self.put("signals/status.json", signal.to_string().as_bytes())
    }

    /// Adds to a file that is never rewritten.
    fn append(&self, name: &str, text: &str) -> io::Result<()> {
        let path = self.folder.join(name);
        let mut file = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(|error| about(&path, error))?;
        io::Write::write_all(&mut file, text.as_bytes()).map_err(|error| about(&path, error))?;
        file.sync_data().map_err(|error| about(&path, error))
    }

    fn status(&self, ended: &Ended<'_>) -> io::Result<()> {
        self.put("summary.md", summary(ended, self.before_and_after).as_bytes())?;
        let result = match ended.status.status.class() {
            StopClass::Converged => Truth::Pass,
            StopClass::NotConverged | StopClass::AcceptedUnconverged | StopClass::NeedsHuman => Truth::Fail,
            _ => Truth::Undetermined,
        };
        let rung = self.rung(ended.outcome.approach);
        let signal = Signal::ended(ended.status.iterations, result, rung, ended.outcome, (self.now)());
        self.put("signals/status.json", signal.to_string().as_bytes())
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
            Projection::Iteration { entry, measured, approach } => self.iteration(entry, measured, approach),
            // Whose verdicts are kept, and in which form, is for the host to say.
            Projection::Judged { .. } => Ok(()),
            Projection::Asked { question, contract, split } => self.asked(question, contract, split),
            Projection::Answered { question, answer } => self.answered(question, answer),
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
        IterationKind::Measured | IterationKind::Rebaselined => {
            Some((entry.score, entry.delta_ids.clone().unwrap_or_default()))
        }
        IterationKind::NoChange { .. } => measured.map(|measured| (measured.score(), measured.delta_ids())),
        _ => None,
    };
    let (kind, why) = match &entry.kind {
        IterationKind::Measured => ("measured", None),
        IterationKind::Rebaselined => ("rebaselined", None),
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
        ("further judgements", budget.judge_calls),
        ("answers", budget.answers),
    ] {
        let _ = writeln!(text, "| {name} | {} | {} |", spent.spent, spent.limit);
    }
    if let Some(best) = ended.outcome.best.as_ref().filter(|best| !best.excused.is_empty()) {
        text.push_str("\n## Excused regions\n\n");
        for excused in &best.excused {
            let _ = writeln!(text, "- {excused}");
        }
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
