//! The image diff core: what differs between two images, where, by how much in CIEDE2000, and whether it counts.
//!
//! ```
//! # use trueup_frame::{ImageView, PixelFormat, Size};
//! # use trueup_pixel_diff::{Options, diff};
//! # let (white, red) = ([255; 300], [[255, 0, 0]; 100].concat());
//! # let expected = ImageView::packed(&white, Size::new(10, 10), PixelFormat::Rgb8)?;
//! # let actual = ImageView::packed(&red, Size::new(10, 10), PixelFormat::Rgb8)?;
//! let found = diff(&expected, &actual, &Options::default())?;
//! println!("{} open regions, worst ΔE {}", found.open_regions().count(), found.max_delta_e());
//! # assert_eq!(found.open_regions().count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`diff`] compares two images in memory; a [`Differ`] does so again and again, a [`Reference`] with one of them kept; a [`Scan`] takes windows of rows as
//!   they are decoded and never holds an image. All three give the same [`Diff`].
//! - A [`Region`] is an area of differing pixels with its box, its ΔE statistics and its signed ΔL\*, ΔC\*, ΔH\*.
//! - A region is *open* when it is outside tolerance: one documented rule of area and ΔE, at [`Options::tolerance`].
//! - A [`DeltaMap`] gives the ΔE of every pixel that a scan judges by, row by row: what a heat map is drawn from.
//! - [`delta_e`] is CIEDE2000 of two [`Lab`] colours.
//!
//! Images of every format of `trueup-frame` compare with each other by value. Different sizes are a result, not an error.
//! Translucent pixels count by the larger ΔE over black and over white, blended in gamma-encoded space as browsers do,
//! which covers every backdrop. Equal input gives equal output on every machine: no function of the platform's maths
//! library takes part, ΔE becomes an integer at once, and everything after that is integer arithmetic.
//!
//! Features: `serde` for the small value types, `proptest` for strategies; neither is on by default.

mod antialias;
mod arch;
mod backdrop;
mod bit_mask;
mod boxes;
mod color;
mod delta;
mod differ;
mod error;
mod exact;
mod identity;
mod judge;
mod kernel;
mod map;
mod mask;
mod metric;
mod options;
#[cfg(feature = "rayon")]
mod parallel;
mod pixel;
mod region;
mod relate;
mod report;
mod rows;
mod scan;
mod section;
mod session;
#[cfg(feature = "proptest")]
pub mod strategy;
mod stretch;
mod tolerance;
mod unchanged;
mod values;
mod window;

pub use antialias::Antialiasing;
pub use arch::Level;
pub use backdrop::Backdrop;
pub use bit_mask::{BitMask, Mask};
pub use boxes::BoxDiff;
pub use color::Lab;
pub use delta::DeltaE;
pub use differ::{Differ, Reference, diff};
pub use error::{DiffError, DiffErrorKind, Side};
pub use identity::{Named, Registry, Sighting, Sketch, group_alike};
pub use map::DeltaMap;
pub use metric::{Channel, Cie76, Cie94, Ciede2000, Metric, MetricKind, OklabHyab, Yiq, delta_e};
pub use options::Options;
#[cfg(feature = "rayon")]
pub use parallel::diff_parallel;
pub use region::{Excuse, Histogram, HistogramBin, Region, RegionKind};
pub use relate::{MatchLevel, Relating, Relation, Rule, relate};
pub use report::{Diff, SizeMismatch};
pub use scan::Scan;
pub use session::Session;
pub use tolerance::Tolerance;
pub use window::{Layout, Window};
