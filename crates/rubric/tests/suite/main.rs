//! Rubrics as their users see them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod laws;
mod panels;
mod reader;
mod requests;
mod rulings;
mod support;
mod trials;
