//! `trueup.toml`.

mod agreed;
mod error;
mod load;
mod model;
mod ports;
mod provider;
mod reader;
mod tokens;

pub use error::{ConfigError, ConfigErrorKind, Position};
pub use load::load;
pub use model::Config;
pub(crate) use ports::Filling;
