//! Fakes of every port, for testing what embeds a convergence loop.
//!
//! - [`MemoryArtifact`] and [`MemoryJournal`] keep everything in memory, and can be told to fail.
//! - [`SimulatedTime`] is a runtime whose clock only moves when somebody sleeps, so that no test ever waits.
//! - [`FakeCapturer`], [`FakeComparer`], [`FakeReviser`] and [`FakeJudge`] answer with whatever a closure says.
//! - [`Hostile`] puts any port in bad moods, on a schedule; [`Noisy`] makes a judge depend on luck, from a seed.
//! - [`conformance`] holds anybody's implementation of a port against its contract; [`survives_every_kill`] anybody's journal
//!   against a kill at every record.
//! - [`Model`] is the engine written down once more, naively, to hold others against.
//! - With the feature `proptest`, `Type::strategy(…)` of the core types is there for property tests.
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
//!
//! A judge of one's own, held against what every judge must do:
//!
//! ```
//! # use std::sync::Arc;
//! # use trueup_contract::StateId;
//! # use trueup_ports::JudgeRequest;
//! # use trueup_rubric::{Reading, Scorecard, preset};
//! # use trueup_score::Points;
//! # use trueup_testkit::{FakeJudge, SimulatedTime, block_on, conformance};
//! let generous = FakeJudge::new(|_| Ok(Scorecard::new().with("hierarchy", Reading::Scored(Points::from_whole(9)))));
//! let request = JudgeRequest::new(StateId::of_parts([]), Arc::new(preset::framesmith()), Arc::new([]));
//! let cx = conformance::context(Arc::new(SimulatedTime::new()));
//! let violation = block_on(conformance::judge(&generous, &request, &cx)).unwrap_err();
//! assert_eq!(violation.rule(), "a score lies on its scale");
//! ```

pub mod conformance;
mod crash;
mod fakes;
mod hostile;
mod memory;
mod model;
mod time;

pub use conformance::Violation;
pub use crash::survives_every_kill;
pub use fakes::{FakeCapturer, FakeComparer, FakeHuman, FakeJudge, FakeReviser};
pub use hostile::{Hostile, Mood, Noisy};
pub use memory::{MemoryArtifact, MemoryJournal};
pub use model::{Bug, Came, Disagreement, Model};
pub use time::{SimulatedTime, block_on};
