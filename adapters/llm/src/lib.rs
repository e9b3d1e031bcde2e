//! A judge and a reviser through model providers: Anthropic, OpenAI, Gemini, Ollama, and every server that speaks OpenAI's form.
//!
//! A [`Model`] says who is asked and how far that may go. It fills two ports:
//!
//! | port | filled by |
//! |---|---|
//! | [`Judge`](trueup_ports::Judge) | [`ModelJudge`]: sees the pictures, and scores them by the rubric |
//! | [`Reviser`](trueup_ports::Reviser) | [`ModelReviser`]: sees the parts and what is open, and writes parts anew |
//!
//! ```
//! use trueup_llm::{Model, ModelJudge, ModelReviser};
//!
//! let judge = ModelJudge::new(Model::new("claude-sonnet-4-5")?);
//! let local = Model::at("http://localhost:8000/v1", "qwen3-vl")?;
//! let reviser = ModelReviser::new(local);
//! # Ok::<(), trueup_llm::ModelError>(())
//! ```
//!
//! # What holds
//!
//! - **Keys are only read from the environment**, at the call, and stand in nothing that is kept: a [`Model`] holds the name of the
//!   variable, never its value, and the value is taken out of every text that comes back. A key goes to its provider alone: to another
//!   endpoint only when its variable is named for it, never over an open connection, and never along a redirection.
//! - **An answer that was cut off, declined, or that cannot be read is a fault**, never a low score or a guess. One that cannot be
//!   read is asked for again, saying what was wrong, at most as often as [`Model::with_reasks`] says; each time is reported as
//!   used.
//! - **A reviser's answer reaches only parts that it saw whole.** Everything else is refused, and nothing is written.
//! - **Being busy is not being broken.** 429, 5xx, a cut connection and a late answer are worth a retry, and carry the time that the
//!   provider asked for; a key that is refused is not, and the fault says what to do.
//!
//! What an answer may have in bytes is not limited before it is read, but by the time that a call may take: whoever names an
//! endpoint trusts it that far. Answers are not decompressed.

mod ask;
mod cache;
mod error;
mod exchange;
mod fault;
mod judge;
mod model;
mod pictures;
mod prices;
mod reply;
mod request;
mod reviser;
mod schema;
mod secret;
mod tls;

pub use cache::{FolderVerdicts, MemoryVerdicts, VerdictKey, Verdicts};
pub use error::{ModelError, ModelErrorKind};
pub use judge::ModelJudge;
pub use model::Model;
pub use prices::Prices;
pub use reviser::ModelReviser;
