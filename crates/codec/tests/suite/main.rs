//! The public API on files that the tests make themselves.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

mod bands;
mod color;
mod formats;
mod hostile;
mod input;
mod lockstep;
mod png_read;
mod png_write;
mod same;
mod stored_rows;
mod support;
