//! A [`Comparer`](trueup_ports::Comparer) by pixels.
//!
//! [`PixelComparer`] reads the references of a plan from files, compares every capture with its reference by
//! [`trueup_pixel_diff`], and gives each open region an id that it keeps while it stays the same thing. Images are read
//! band by band; only small references are kept decoded.
//!
//! [`compare_images`] does the same for two images, without a loop; it is what `trueup diff` runs.

mod comparer;
mod document;
mod error;
mod identity;
mod images;
mod picture;
mod reference;
mod rgba;
mod settings;
mod source;
mod swatches;

pub use comparer::PixelComparer;
pub use document::{
    BoxDocument, DiffDocument, RegionDocument, SideDocument, SizeMismatchDocument, ToleranceDocument,
};
pub use error::{CompareError, CompareErrorKind};
pub use images::compare_images;
pub use picture::diff_picture;
pub use settings::{Settings, ToleranceError, ToleranceErrorKind, parse_tolerance};
