//! What people and machines see while work goes on.

use std::sync::{Arc, Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use trueup_app::{Finished, Told};
use trueup_driver::{LabelDone, Observer};
use trueup_loop_core::{Node, Note};
use trueup_score::Truth;

use crate::output;

/// Tells of the steps of a run: a line each, and a bar for the labels of the step that is being taken.
#[derive(Debug)]
pub(crate) struct Progress {
    verbose: bool,
    to_stderr: bool,
    bar: Bar,
    /// What the last question for convergence found.
    found: Mutex<Option<Truth>>,
}

impl Progress {
    pub(crate) const fn new(verbose: bool, to_stderr: bool, bar: Bar) -> Self {
        Self { verbose, to_stderr, bar, found: Mutex::new(None) }
    }

    /// Steps that people wait for are printed always, gates and book-keeping only where they say something.
    fn is_worth_a_line(&self, note: &Note) -> bool {
        let work =
            matches!(note.node, Node::Read | Node::Restore | Node::Write | Node::Compare | Node::Judge);
        let trouble = match note.node {
            Node::Converged | Node::Guard | Node::JudgeRegions => false,
            _ => note.truth.is_some_and(|truth| truth != Truth::Pass),
        };
        self.verbose || work || trouble
    }

    /// Tells of an iteration that has ended to machines: people see its lines.
    fn iteration(&self, note: &Note) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        match note.node {
            Node::Converged => *found = note.truth.or(*found),
            Node::Record => {
                let status = match found.take() {
                    Some(Truth::Pass) => "pass",
                    Some(Truth::Fail) => "fail",
                    Some(Truth::Undetermined) | None => "undetermined",
                };
                let [done, total] = [note.iteration, note.iteration_cap].map(|number| number as usize);
                self.bar.machine(&Finished::new("iteration", [done, total], &done.to_string(), status));
            }
            _ => {}
        }
    }
}

/// `[2/6] compare  score 96.0 → 0.0 · 0 open regions (channels=visual)`
fn render(note: &Note) -> String {
    let mut line = format!("[{}/{}] {:<8}", note.iteration, note.iteration_cap, note.node);
    if let Some(truth) = note.truth {
        line.push_str(&format!(" {truth}"));
    }
    if !note.text.is_empty() {
        line.push_str(&format!(" {}", note.text));
    }
    line.trim_end().to_owned()
}

impl Observer for Progress {
    fn note(&self, note: &Note) {
        self.iteration(note);
        self.bar.name(format!("iteration {}/{} ", note.iteration, note.iteration_cap));
        if !self.is_worth_a_line(note) {
            return;
        }
        let line = render(note);
        if !self.to_stderr {
            // A reader that went away does not stop the run.
            self.bar.aside(|| drop(output::line(&line)));
        } else if self.bar.leaves_room_for_text() {
            self.bar.aside(|| output::error_line(&line));
        }
    }

    fn label(&self, done: &LabelDone<'_>) {
        let status = if done.node == Node::Capture { "captured" } else { "compared" };
        self.bar.finished(&Finished::new("label", [done.done, done.total], done.label.as_str(), status));
    }
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Mode {
    /// A bar where standard error is a terminal, else nothing.
    #[default]
    Auto,
    /// A JSON object a line, for machines: unit, done, total, name, status.
    Json,
    /// Nothing.
    None,
}

/// What machines hear of one of many things.
#[derive(Serialize)]
struct Line<'a> {
    unit: &'a str,
    done: usize,
    total: usize,
    name: &'a str,
    status: &'a str,
}

/// Progress of many things, on standard error.
#[derive(Clone, Debug)]
pub(crate) struct Bar {
    mode: Mode,
    bar: ProgressBar,
}

impl Bar {
    pub(crate) fn new(mode: Mode) -> Self {
        let bar = ProgressBar::hidden();
        if mode == Mode::Auto {
            // It draws nothing where standard error is no terminal.
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        let style = ProgressStyle::with_template("{prefix}{bar:30} {pos}/{len} {eta} {wide_msg}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Self { mode, bar }
    }

    /// What the use cases tell of what is done.
    pub(crate) fn told(&self) -> Told {
        let bar = self.clone();
        Arc::new(move |finished| bar.finished(&finished))
    }

    /// One of many things is done.
    pub(crate) fn finished(&self, finished: &Finished<'_>) {
        self.machine(finished);
        self.bar.set_length(finished.total as u64);
        self.bar.set_position(finished.done as u64);
        if !matches!(finished.status, "pass" | "captured" | "compared") {
            self.bar.println(format!("{:<12} {}", finished.status, finished.name));
        }
        self.bar.set_message(finished.name.to_owned());
    }

    /// The same for machines alone.
    fn machine(&self, &Finished { unit, done, total, name, status, .. }: &Finished<'_>) {
        if self.mode == Mode::Json {
            let line = serde_json::to_string(&Line { unit, done, total, name, status })
                .unwrap_or_else(|error| unreachable!("plain fields are always JSON: {error}"));
            output::error_line(&line);
        }
    }

    /// What the things belong to that are counted.
    fn name(&self, name: String) {
        self.bar.set_prefix(name);
    }

    /// Whether lines for people may stand on standard error.
    const fn leaves_room_for_text(&self) -> bool {
        matches!(self.mode, Mode::Auto)
    }

    /// Writes while the bar is out of the way.
    fn aside(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
