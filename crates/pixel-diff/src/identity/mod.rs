//! What is the same thing as before.

mod alike;
mod grid;
mod look;
mod registry;
mod sketch;

pub use alike::group_alike;
pub(crate) use grid::Grid;
pub(crate) use look::look;
pub use registry::{Named, Registry, Sighting};
pub use sketch::Sketch;
