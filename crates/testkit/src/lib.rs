//! Fakes of every port, for testing what embeds a convergence loop.
//!
//! - [`MemoryArtifact`] and [`MemoryJournal`] keep everything in memory, and can be told to fail.
//! - [`SimulatedTime`] is a runtime whose clock only moves when somebody sleeps, so that no test ever waits.
//! - [`FakeCapturer`], [`FakeComparer`], [`FakeReviser`] and [`FakeJudge`] answer with whatever a closure says.
//! - [`block_on`] drives a future to its end on the thread that calls it.
//!
//! ```
//! use std::sync::Arc;
//! use trueup_contract::{LabelMeasurement, LabelName, Measurement};
//! use trueup_ports::{CancelToken, CompareRequest, Comparer, Comparison, Cx};
//! use trueup_testkit::{FakeComparer, SimulatedTime, block_on};
//!
//! let label = LabelName::new("card")?;
//! let plan = Arc::new(trueup_contract::Plan::new([])?);
//! let comparer = FakeComparer::new(move |_request| {
//!     Ok(Comparison::new(Measurement::new(vec![LabelMeasurement::compared(label.clone(), vec![])])))
//! });
//! let cx = Cx::new(Arc::new(SimulatedTime::new()), CancelToken::new());
//! let comparison = block_on(comparer.compare(CompareRequest::new(plan, Arc::new([])), &cx))?;
//! assert!(comparison.measurement.truth().is_pass());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod fakes;
mod memory;
mod model;
mod time;

pub use fakes::{FakeCapturer, FakeComparer, FakeHuman, FakeJudge, FakeReviser};
pub use memory::{MemoryArtifact, MemoryJournal};
pub use model::{Bug, Came, Disagreement, Model};
pub use time::{SimulatedTime, block_on};
