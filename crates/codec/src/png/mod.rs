//! PNG files: their chunks, their rows, and writing them.

mod chunks;
mod color;
mod convert;
mod filters;
mod read;
mod scanlines;
mod stream;
mod unfilter;
mod write;

pub(crate) use chunks::{has_rows_in_order, is_intact};
pub(crate) use read::{PngPixels, PngRows, StoredRows, open};
pub use stream::PngWriter;
pub(crate) use unfilter::Unfilter;
pub use write::encode_png;
