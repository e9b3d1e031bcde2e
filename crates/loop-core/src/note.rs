//! The steps of the chain by name, for logs.

use std::fmt;

use trueup_score::Truth;

/// One named step of the chain; the names are the same in logs and in the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Node {
    /// The artifact and the references are read.
    Read,
    /// Is there anything to compare with?
    ReadGate,
    /// Which open regions are the artifact's to mend?
    JudgeRegions,
    /// The artifact is changed.
    Write,
    /// Is the change one that may stand?
    WriteGate,
    /// The artifact is brought back to the best state.
    Restore,
    /// The renderer is brought to show the current state.
    Reload,
    /// Every label is rendered.
    Capture,
    /// Is there a capture of every label that can be compared?
    CaptureGate,
    /// The captures are held against the references.
    Compare,
    /// The captures are scored.
    Judge,
    /// Does it measure true?
    Converged,
    /// Is there progress, and anything left to spend?
    Guard,
    /// What the iteration came to is written down.
    Record,
    /// A person is asked.
    Ask,
}

impl Node {
    /// Its name in logs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::ReadGate => "read-gate",
            Self::JudgeRegions => "judge-regions",
            Self::Write => "write",
            Self::WriteGate => "write-gate",
            Self::Restore => "restore",
            Self::Reload => "reload",
            Self::Capture => "capture",
            Self::CaptureGate => "capture-gate",
            Self::Compare => "compare",
            Self::Judge => "judge",
            Self::Converged => "converged",
            Self::Guard => "guard",
            Self::Record => "record",
            Self::Ask => "ask",
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One line for a log: which step, what it found, and what people want to know about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// The iteration; 0 is the baseline.
    pub iteration: u32,
    /// Iterations that may be spent.
    pub iteration_cap: u32,
    /// The step.
    pub node: Node,
    /// What a gate or a question found; `None` for plain work.
    pub truth: Option<Truth>,
    /// The rest of the line.
    pub text: String,
}

impl Note {
    /// A line about `node` in an iteration.
    #[must_use]
    pub const fn new(
        iteration: u32,
        iteration_cap: u32,
        node: Node,
        truth: Option<Truth>,
        text: String,
    ) -> Self {
        Self { iteration, iteration_cap, node, truth, text }
    }
}
