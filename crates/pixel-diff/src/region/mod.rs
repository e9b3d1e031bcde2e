//! From differing pixels to regions.

mod group;
mod histogram;
mod label;
mod open;
mod region_type;
mod spread;
mod tally;

pub(crate) use group::{Grouping, distances, group};
pub(crate) use histogram::{BINS, Bins, bin_of};
pub use histogram::{Histogram, HistogramBin};
pub(crate) use label::Labeler;
pub(crate) use open::{LEVELS, OpenRule};
pub(crate) use region_type::Place;
pub use region_type::{Excuse, Region, RegionKind};
pub(crate) use tally::{Compact, Tally};
