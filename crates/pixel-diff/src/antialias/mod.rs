//! Differences that are only another rasterisation of the same edge.

mod around;
mod coverage;
mod kind;
mod pixelmatch;
mod subpixel;

pub(crate) use around::Around;
pub(crate) use coverage::is_coverage;
pub use kind::Antialiasing;
pub(crate) use pixelmatch::Pixelmatch;
