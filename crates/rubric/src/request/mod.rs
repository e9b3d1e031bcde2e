//! Asking a judge: what it is told, what it must answer, and what it may never see.

mod few_shot;
mod leak;
mod prompt;
mod roles;
mod rounds;
mod schema;

pub use few_shot::FEW_SHOT;
pub use leak::{Leak, LeakKind, leaks};
pub use prompt::{Criterion, Prompt, PromptError};
pub use roles::{Role, RolePrompt};
pub use rounds::{ArtifactKind, ReviewMode};
pub use schema::reply_schema;
