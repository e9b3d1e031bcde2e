//! Why a tool does not do what it was asked.

use std::fmt;
use std::path::PathBuf;

use rmcp::model::{CallToolResult, ContentBlock};
use trueup_app::AppError;

/// A tool does not do what it was asked. The agent reads the text: it says what to do instead.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// A path leads out of the roots.
    Outside { path: String, roots: Vec<PathBuf> },
    /// The configuration runs programs or asks models, and the server was not told that it may.
    Programs { named: Vec<String> },
    /// A run of that id is there already, or is not.
    Run { id: String, there: bool },
    /// A person has to answer, and none can be asked through this client.
    NobodyToAsk { why: String },
    /// The use case failed.
    App(Box<AppError>),
    /// A worker was lost.
    Lost { why: String },
    /// It was called off.
    Cancelled,
}

impl From<AppError> for Refusal {
    fn from(error: AppError) -> Self {
        Self::App(Box::new(error))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside { path, roots } => {
                let roots: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
                write!(
                    f,
                    "{path:?} is outside the roots of this server: use a path below {}",
                    roots.join(" or ")
                )
            }
            Self::Programs { named } => write!(
                f,
                "the configuration names {}, and this server may not run programs or ask models: start it with --allow-programs, or use the ports that are built in",
                named.join(", ")
            ),
            Self::Run { id, there: true } => {
                write!(f, "a run {id:?} is there already: go on with loop_next, or start another id")
            }
            Self::Run { id, there: false } => write!(f, "there is no run {id:?}: begin one with loop_start"),
            Self::NobodyToAsk { why } => write!(
                f,
                "only a person can answer this, and {why}: have one run trueup next --answer continue (or accept-as-is, abort)"
            ),
            Self::App(error) => {
                write!(f, "{error}")?;
                error.hint().map_or(Ok(()), |hint| write!(f, " ({hint})"))
            }
            Self::Lost { why } => write!(f, "the work was lost: {why}"),
            Self::Cancelled => f.write_str("it was called off"),
        }
    }
}

impl Refusal {
    /// The result that an agent sees: an error that it can read and act on.
    pub(crate) fn result(&self) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text(self.to_string())])
    }
}
