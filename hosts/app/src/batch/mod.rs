//! Many pairs, folders and runs on one machine.

mod document;
mod error;
mod index;
mod jobs;
mod junit;
mod kept;
mod manifest;
mod names;
mod work;

pub use document::{BatchDocument, BatchEntry};
pub use error::BatchError;
pub use work::{BatchOutcome, BatchRequest, BatchSource, batch};
