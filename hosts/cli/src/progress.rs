//! One line a step, while a run goes on.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use trueup_driver::Observer;
use trueup_loop_core::{Node, Note};
use trueup_score::Truth;

use crate::output;

/// Prints the steps of a run.
#[derive(Debug)]
pub(crate) struct Progress {
    verbose: bool,
    to_stderr: bool,
}

impl Progress {
    pub(crate) const fn new(verbose: bool, to_stderr: bool) -> Self {
        Self { verbose, to_stderr }
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
        if !self.is_worth_a_line(note) {
            return;
        }
        let line = render(note);
        if self.to_stderr {
            output::error_line(&line);
        } else {
            // A reader that went away does not stop the run.
            let _told = output::line(&line);
        }
    }
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Mode {
    /// A bar where standard error is a terminal, else nothing.
    #[default]
    Auto,
    /// A JSON object a line, for machines.
    Json,
    /// Nothing.
    None,
}

/// Progress of many jobs, on standard error.
#[derive(Debug)]
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
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {eta} {wide_msg}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Self { mode, bar }
    }

    /// A job has ended.
    pub(crate) fn job(&self, done: usize, total: usize, name: &str, status: &str) {
        if self.mode == Mode::Json {
            let line = serde_json::json!({ "done": done, "total": total, "name": name, "status": status });
            output::error_line(&line.to_string());
            return;
        }
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
        if status != "pass" {
            self.bar.println(format!("{status:<12} {name}"));
        }
        self.bar.set_message(name.to_owned());
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
