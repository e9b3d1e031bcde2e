//! One line a step, while a run goes on.

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
