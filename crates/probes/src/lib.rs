//! Deterministic evidence from a rendered page.
//!
//! A [`Page`] is what a browser shows: elements with boxes and computed styles, what style sheets declare, and what came of
//! using links and controls. The crate opens no browser: whoever drives one evaluates a script there and hands the result over.

mod color;
mod expectations;
#[cfg(feature = "json")]
mod json;
mod page;
mod probe;
mod report;
mod style;

pub use color::{Color, Hsl, Paint};
pub use expectations::{Copy, Expectations, Genre, Token};
#[cfg(feature = "json")]
pub use json::PageError;
pub use page::{Action, Bounds, Declaration, Element, Extent, Outcome, Page, Scan, Violation};
pub use probe::{Category, Probe};
pub use report::{Reading, Report};
pub use style::Style;

#[cfg(all(doctest, feature = "json"))]
#[doc = include_str!("../README.md")]
struct Readme;
