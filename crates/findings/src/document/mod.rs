//! The documents of an evaluation.

mod changelog;
mod escalation;
mod eval_request;
mod eval_response;
mod open_questions;
mod text;

pub use changelog::{ChangelogEntry, Mode};
pub use escalation::{Escalation, RoundRecord, Rung};
pub use eval_request::EvalRequest;
pub use eval_response::{DimensionScore, EvalResponse};
pub use open_questions::{OpenQuestion, open_questions};
