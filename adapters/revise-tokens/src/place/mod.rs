//! Where a token stands in a file.

mod custom_property;
mod json;
mod kind;
mod selector;

pub use kind::Place;
