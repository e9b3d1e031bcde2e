//! The formats that are decoded in one piece.

mod decode;
mod framing;

pub(crate) use decode::open;
