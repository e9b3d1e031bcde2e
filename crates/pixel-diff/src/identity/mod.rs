//! What is the same thing as before.

mod grid;
mod look;
mod registry;

pub(crate) use look::look;
pub use registry::{Named, Registry, Sighting};
