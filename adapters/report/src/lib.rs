//! The HTML report of a run: one file that opens anywhere.
//!
//! A [`Report`] says what a run came to; [`render`] makes a page of it. The page has no external request: styles, script and,
//! unless they stand beside it, pictures are inside. It works from a file, by keyboard, with a screen reader, in light and
//! dark, and on a narrow screen.
//!
//! ```
//! use trueup_report::{Image, Iteration, LabelView, Report, render};
//!
//! let label = LabelView::new("card", "fail").with_diff(Image::Beside("diff/00/card.diff.png".into()));
//! let report = Report::new("20260101-0900", "not-converged:stalled")
//!     .with_iteration(Iteration::new(0, "measured").with_score(Some(12.5)).with_label(label));
//! let page = render(&report);
//! assert!(page.starts_with("<!DOCTYPE html>") && page.contains("not-converged:stalled"));
//! ```

mod chart;
mod index;
mod model;
mod page;

pub use index::{Index, IndexRow, write_index};
pub use model::{AxisView, Fact, Image, Iteration, LabelView, RegionView, Report, VerdictView};
pub use page::render;
