//! Pages in a real browser. Without one these tests say so and pass; where `CI` is set they fail.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod frames;
mod read;
mod routes;
mod server;
mod support;
