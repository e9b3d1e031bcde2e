//! Reading what a judge wrote.

mod fault;
mod json;
mod number;
mod read;
mod refusal;
mod scan;
mod values;

pub use fault::{Fault, FaultKind};
pub use read::{ReadOptions, observe, read_reply};
pub use values::{AxisReply, ConditionReply, Flag, Observation, Reply};
