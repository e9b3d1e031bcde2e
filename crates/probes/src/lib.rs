//! Deterministic evidence from a rendered page.
//!
//! A [`Page`] is what a browser shows: elements with boxes and computed styles, what style sheets declare, and what came of
//! using links and controls. The crate opens no browser: whoever drives one evaluates a script there and hands the result over.

mod color;
#[cfg(feature = "json")]
mod json;
mod page;
mod style;

pub use color::{Color, Hsl, Paint};
#[cfg(feature = "json")]
pub use json::PageError;
pub use page::{Action, Bounds, Declaration, Element, Extent, Outcome, Page, Scan, Violation};
pub use style::Style;
