//! Colour difference formulas behind one trait.

mod cie76;
mod ciede2000;
mod kind;

pub use cie76::Cie76;
pub(crate) use ciede2000::hue_difference;
pub use ciede2000::{Ciede2000, delta_e};
pub use kind::{Metric, MetricKind};
