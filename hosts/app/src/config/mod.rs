//! `trueup.toml`.

mod error;
mod load;
mod model;
mod reader;
mod tokens;

pub use error::{ConfigError, ConfigErrorKind, Position};
pub use load::load;
pub use model::Config;
