//! Findings as their users see them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod documents;
mod emitters;
mod laws;
mod reading;
mod support;
mod trials;
