//! What the benchmarks compare: generated pairs of pictures, with the answers that a correct program gives.
//!
//! Everything is drawn by this crate from fixed numbers, so that two machines measure the same bytes and nothing binary
//! is stored. The README of this folder has the commands and the results.

mod canvas;
mod oracle;
mod pages;
mod pair;
mod photo;
mod png_file;
mod random;

pub use canvas::{Canvas, Rgb};
pub use oracle::{differing_pixels, yiq_pixels};
pub use pair::{Change, Pair, Picture};
pub use png_file::{Effort, encode};
