//! What moved, what came and went, and what is excused.

mod field;
mod flow;
mod lines;
mod moves;
mod plane;
mod relating;
pub(crate) mod rescan;
mod sequence;
mod squares;
mod stage;
mod structure;
mod work;

pub(crate) use plane::Plane;
pub use relating::{MatchLevel, Relating, Relation, Rule};
pub use stage::relate;
