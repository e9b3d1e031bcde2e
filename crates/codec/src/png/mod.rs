//! PNG files: their chunks, their rows, and writing them.

mod chunks;
mod color;
mod read;
mod stream;
mod write;

pub(crate) use chunks::{has_rows_in_order, is_intact};
pub(crate) use read::{PngPixels, PngRows, open};
pub use stream::PngWriter;
pub use write::encode_png;
