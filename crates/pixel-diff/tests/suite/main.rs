//! The crate seen from outside.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod anchors;
mod components;
mod dense;
mod properties;
mod reference;
mod scanning;
mod trials;
mod truth;
