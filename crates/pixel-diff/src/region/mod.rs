//! From differing pixels to regions.

mod group;
mod histogram;
mod label;
mod open;
mod region_type;
mod tally;

pub(crate) use group::{distances, group};
pub(crate) use histogram::Bins;
pub use histogram::{Histogram, HistogramBin};
pub(crate) use label::{End, Labeler, Stretch};
pub(crate) use open::OpenRule;
pub use region_type::{Region, RegionKind};
pub(crate) use tally::Tally;
