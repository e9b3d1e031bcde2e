//! What a loop must keep, reach and stop at, as values.
//!
//! - [`Plan`] and [`Label`]: what is compared with what.
//! - [`StateId`] and [`DeltaId`]: names for a version of the artifact and for one open region.
//! - [`Measurement`]: what a comparer saw for all labels: truth, score, delta ids, channels.
//! - [`History`]: what each iteration came to; the read-only input of every rule.
//! - [`Limit`]: a bounded number that knows where it came from. No value means "unlimited".
//! - [`Detector`]: a named rule that sees no progress in a history. Pure, so that it has nothing to lose on resume.
//! - [`Stop`]: every reason why a loop may not go on, ordered by precedence, with a stable text form and an exit code.
//! - [`LoopContract`]: all of that together, with presets, printed as the table that it is.
//!
//! Everything here is a plain value: no clock, no I/O, no randomness.

mod contract;
mod detect;
mod digest;
mod fault;
mod history;
mod id;
mod limit;
mod measurement;
mod plan;
mod stop;

pub use contract::{Limits, LoopContract, Preset};
pub use detect::Detector;
pub use digest::Digest;
pub use fault::FaultKind;
pub use history::{History, Iteration, IterationKind};
pub use id::{DeltaId, IdError, LabelName, StateId};
pub use limit::{Limit, LimitRange, LimitSource};
pub use measurement::{Channel, Color, LabelMeasurement, LabelReading, Measurement, OpenRegion, Swatch};
pub use plan::{Label, LabelReadiness, Plan, PlanError, PlanErrorKind, Viewport};
pub use stop::{ParseStopError, Stop, StopClass};
