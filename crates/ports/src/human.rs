//! Asking a person.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use trueup_contract::{Answer, Question};

use crate::{Cx, Fault};

/// Somebody who can be asked while a run is driven.
///
/// # Contract
/// - `None` means that nobody is there now: the run waits, and an answer can be given when it goes on.
/// - A question has its allowed answers with it; another answer is refused, and the run waits.
#[async_trait]
pub trait Human: fmt::Debug + Send + Sync + 'static {
    /// Asks, and waits for the answer.
    async fn ask(&self, question: Question, cx: &Cx) -> Result<Option<Answer>, Fault>;
}

/// Where the brief is kept, for a reviser that has to read it again.
#[async_trait]
pub trait Brief: fmt::Debug + Send + Sync + 'static {
    /// What the design is meant to be, as it reads now; `None` where nobody wrote it down.
    async fn read(&self, cx: &Cx) -> Result<Option<Arc<str>>, Fault>;
}
