//! What a generator asks to be evaluated.

use std::fmt;

use super::text::line;

/// The request of one round.
///
/// Its known issues are the generator's view of its own work: they are for people and for the record, and a request to a
/// judge is never made from them (R19).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvalRequest {
    round: u32,
    what: Vec<String>,
    changes: Vec<String>,
    known_issues: Vec<String>,
    files_changed: String,
}

impl EvalRequest {
    /// The request of a round, from 1.
    #[must_use]
    pub fn new(round: u32) -> Self {
        Self { round, ..Self::default() }
    }

    /// With what is to be evaluated.
    #[must_use]
    pub fn with_what(mut self, what: impl Into<String>) -> Self {
        self.what.push(what.into());
        self
    }

    /// With a change since the last round.
    #[must_use]
    pub fn with_change(mut self, change: impl Into<String>) -> Self {
        self.changes.push(change.into());
        self
    }

    /// With an issue that is known and not mended yet.
    #[must_use]
    pub fn with_known_issue(mut self, issue: impl Into<String>) -> Self {
        self.known_issues.push(issue.into());
        self
    }

    /// With the list of files that changed, as a tool prints it.
    #[must_use]
    pub fn with_files_changed(self, files: impl Into<String>) -> Self {
        Self { files_changed: files.into(), ..self }
    }
}

impl fmt::Display for EvalRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# Evaluation Request — Round {}", self.round)?;
        let first = if self.round <= 1 { "first evaluation" } else { "nothing" };
        for (title, items, none) in [
            ("What to evaluate", &self.what, "nothing is named"),
            ("Changes since last round", &self.changes, first),
            ("Known issues", &self.known_issues, "none known"),
        ] {
            writeln!(f, "\n## {title}\n")?;
            if items.is_empty() {
                writeln!(f, "- {none}")?;
            }
            for item in items {
                writeln!(f, "- {}", line(item))?;
            }
        }
        writeln!(f, "\n## Files changed\n")?;
        let files = self.files_changed.trim_end();
        writeln!(f, "{}", if files.is_empty() { "none" } else { files })
    }
}
