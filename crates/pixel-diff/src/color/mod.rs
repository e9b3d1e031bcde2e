//! From encoded samples to CIELAB, with the same bits on every machine.

mod lab;
pub(crate) mod math;
mod transfer;

pub use lab::Lab;
pub(crate) use lab::Primaries;
pub(crate) use math::cbrt;
pub(crate) use transfer::{LINEAR, LINEAR_F32, to_linear};
