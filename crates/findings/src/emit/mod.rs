//! Writing findings, for people and for other tools. Each format has a file of its own.

mod escape;
mod github;
#[cfg(feature = "json")]
mod json;
mod junit;
mod markdown;
#[cfg(feature = "json")]
mod rdjson;
#[cfg(feature = "json")]
mod sarif;
mod terminal;

pub use github::github;
#[cfg(feature = "json")]
pub use json::json;
pub use junit::junit;
pub use markdown::{markdown, summary_line};
#[cfg(feature = "json")]
pub use rdjson::rdjson;
#[cfg(feature = "json")]
pub use sarif::sarif;
pub use terminal::terminal;
