//! What a judge scored, held against what was asked.
//!
//! A [`Rubric`] lists axes, each with a [`Scale`](trueup_score::Scale), anchors and perhaps floors, and [`Condition`]s that
//! must hold. [`read_reply`] reads what a judge wrote: one [`Reading`] per axis, where *missing* and *invalid* are values of
//! their own and never numbers. [`Rubric::settle`] holds the reply against its evidence and makes a [`Scorecard`], and
//! [`Rubric::hold`] makes the [`Verdict`], and nothing else can: a judge's own "pass" decides nothing, and nothing that
//! revises has a way to make one.
//!
//! ```
//! use trueup_rubric::{Circumstances, ReadOptions, preset, read_reply};
//! use trueup_score::Truth;
//!
//! let rubric = preset::framesmith();
//! let reply = r#"```json
//! {"rubric": {"hierarchy": {"score": 4, "rationale": "one clear focal point"},
//!             "execution": {"score": 3, "rationale": "two gaps are off"},
//!             "specificity": {"score": 4, "rationale": "names its users"},
//!             "restraint": {"score": 5, "rationale": "no effects"}}}
//! ```"#;
//! let reply = read_reply(reply, &rubric, &ReadOptions::default())?;
//! let verdict = rubric.hold(&rubric.settle(&reply, &Circumstances::new()).card);
//! // "variety" was not scored, so this is not a pass, and not a fail either.
//! assert_eq!(verdict.truth(), Truth::Undetermined);
//! assert_eq!(verdict.unscored(), ["variety"]);
//! # Ok::<(), trueup_rubric::Fault>(())
//! ```

mod axis;
mod condition;
mod error;
mod evidence;
mod overall;
pub mod panel;
pub mod preset;
mod reply;
pub mod request;
mod rubric;
mod scorecard;
mod settle;
#[cfg(feature = "proptest")]
mod strategy;
mod verdict;

pub use axis::{Anchor, Axis};
pub use condition::{Condition, Effect, Requirements};
pub use error::{RubricError, RubricErrorKind};
pub use evidence::{Exhibits, LookUp, Lookup, NoLookUp, look_up_in};
pub use overall::{Aggregation, Overall, Stated};
pub use reply::{
    AxisReply, ConditionReply, Fault, FaultKind, Flag, Observation, ReadOptions, Reply, observe, read_reply,
};
pub use rubric::Rubric;
pub use scorecard::{Reading, Scorecard};
pub use settle::{Baseline, Circumstances, Settled};
pub use verdict::{AxisVerdict, Verdict};
