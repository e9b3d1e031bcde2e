//! Exchanges with model providers, in each provider's documented form, replayed by a server of this process.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod connection;
mod judge;
mod provider;
mod reviser;
mod secrets;
mod server;
mod setup;
