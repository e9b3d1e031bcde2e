//! The crate seen from outside.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod anchors;
mod components;
mod dense;
mod identity;
mod map;
#[path = "../../../../testdata/related/pairs.rs"]
mod pairs;
mod parallel;
mod properties;
mod reference;
mod relating;
mod scanning;
mod session;
mod subpixel;
mod trials;
mod truth;
