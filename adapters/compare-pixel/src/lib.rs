//! A [`Comparer`](trueup_ports::Comparer) by pixels.
//!
//! [`PixelComparer`] reads the references of a plan from files, compares every capture with its reference by
//! [`trueup_pixel_diff`], tells what moved, came and went, and gives each open region an id that it keeps while it stays the
//! same thing. Images are read band by band; only small references are kept decoded, and only images that differ are held
//! decoded while they are related.
//!
//! An [`ImagePair`] is compared without a loop; it is what `trueup diff` runs.

mod area;
mod comparer;
mod document;
mod error;
mod glyphs;
mod heatmap;
mod identity;
mod images;
mod judging;
mod keep;
mod picture;
mod reference;
mod rgba;
mod scale;
mod settings;
mod source;
mod swatches;
mod walk;
mod writing;

pub use area::{Area, Place};
pub use comparer::PixelComparer;
pub use document::{
    BoxDocument, DiffDocument, RegionDocument, SideDocument, SizeMismatchDocument, ToleranceDocument,
};
pub use error::{CompareError, CompareErrorKind};
pub use images::ImagePair;
pub use settings::{Settings, ToleranceError, ToleranceErrorKind, Tolerances, parse_tolerance};
