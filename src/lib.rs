//! Drive any rendered design until it measures true.

pub use trueup_frame as frame;
