//! What is the same thing as before.

mod alike;
mod grid;
mod look;
mod registry;

pub use alike::group_alike;
pub(crate) use look::look;
pub use registry::{Named, Registry, Sighting};
