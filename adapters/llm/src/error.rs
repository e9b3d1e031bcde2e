//! What can be wrong with what a model is said to be.

use std::fmt;

/// A model cannot be asked as it is described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError {
    kind: ModelErrorKind,
}

/// Why a model cannot be asked as it is described.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// It has no name.
    NoName,
    /// Nobody can tell from the name whose it is.
    UnknownProvider {
        /// The name.
        model: String,
        /// The providers that can be put before it.
        known: Vec<&'static str>,
    },
    /// The endpoint is no address of a server.
    BadEndpoint {
        /// What is wrong with it. The endpoint itself is not repeated: it may hold a password.
        why: String,
    },
    /// The variable of the key has a name that no variable has.
    BadVariable {
        /// The name.
        name: String,
    },
    /// A key would go over an open connection to another machine.
    KeyInTheOpen {
        /// The machine.
        host: String,
    },
    /// A price is below 0.
    NegativePrice,
    /// Verdicts cannot be kept there.
    NoFolder {
        /// What is wrong with the folder.
        why: String,
    },
}

impl ModelError {
    pub(crate) const fn new(kind: ModelErrorKind) -> Self {
        Self { kind }
    }

    /// Why it cannot be asked.
    #[must_use]
    pub const fn kind(&self) -> &ModelErrorKind {
        &self.kind
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ModelErrorKind::NoName => {
                f.write_str("the model has no name: expected one such as \"claude-sonnet-4-5\"")
            }
            ModelErrorKind::UnknownProvider { model, known } => write!(
                f,
                "nobody can tell whose model {model:?} is: put its provider before it, as in \"ollama::{model}\" \
                 (one of {}), or name the endpoint of a server that speaks OpenAI's form",
                known.join(", ")
            ),
            ModelErrorKind::BadEndpoint { why } => write!(f, "the endpoint {why}"),
            ModelErrorKind::BadVariable { name } => write!(
                f,
                "{name:?} is no name of a variable: expected one such as \"MY_API_KEY\", and never the key itself"
            ),
            ModelErrorKind::KeyInTheOpen { host } => write!(
                f,
                "the key would go to {host} over an open connection: use https, or leave out the key"
            ),
            ModelErrorKind::NegativePrice => f.write_str("a price is below 0"),
            ModelErrorKind::NoFolder { why } => write!(f, "verdicts cannot be kept: {why}"),
        }
    }
}

impl std::error::Error for ModelError {}
