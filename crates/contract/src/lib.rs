//! What a loop must keep, reach and stop at, as values.
//!
//! - [`Plan`] and [`Label`]: what is compared with what.
//! - [`StateId`] and [`DeltaId`]: names for a version of the artifact and for one open region.
//! - [`Measurement`]: what a comparer saw for all labels: truth, score, delta ids, channels.
//! - [`Judgement`]: what a judge said; [`LoopContract::hold`] makes of it what counts.
//! - [`History`]: what each iteration came to; the read-only input of every rule.
//! - [`Limit`]: a bounded number that knows where it came from. No value means "unlimited".
//! - [`Invariant`], [`Progress`], [`Terminate`]: the rules of a loop, as pure functions of a [`View`]. [`Detector`] names
//!   those that see no progress; [`any`], [`all`] and [`latched`] compose them.
//! - [`Gate`]: a question with three answers, of which only a pass goes through.
//! - [`Ladder`]: another approach for each round that fails. [`Question`] and [`Answer`]: what a person decides.
//! - [`SprintContract`]: what one round of work is agreed to be. [`FeatureSheet`]: what was verified, and by whom.
//! - [`Stop`]: every reason why a loop may not go on, ordered by precedence, with a stable text form and an exit code.
//! - [`LoopContract`]: all of that together, with presets, printed as the table that it is.
//!
//! With the feature `proptest`, `Type::strategy(…)` draws values for property tests; ids are only drawn from what is given.
//!
//! Everything here is a plain value: no clock, no I/O, no randomness.

mod budget;
mod check;
mod contract;
mod detect;
mod digest;
mod excuse;
mod fault;
mod feature;
mod finding;
mod gate;
mod history;
mod human;
mod id;
mod judgement;
mod ladder;
mod limit;
mod limits;
mod literals;
mod measurement;
mod merit;
mod moai;
mod plan;
mod preset;
mod sprint;
mod stop;
#[cfg(feature = "proptest")]
mod strategy;
#[cfg(test)]
mod tables;
mod terminate;

pub use budget::{Budget, Spent, Usage};
pub use check::{ContractError, ContractErrorKind};
pub use contract::{Acceptance, Exhaust, LoopContract};
pub use detect::Detector;
pub use digest::Digest;
pub use excuse::{Excuses, RegionClass, RegionJudgement, RegionSeen};
pub use fault::FaultKind;
pub use feature::{Feature, FeatureError, FeatureErrorKind, FeatureSheet, GeneratorSide, JudgeSide, Side};
pub use finding::{FindingKey, FindingKeyError};
pub use gate::{Exit, Gate, Passage};
pub use history::{History, Iteration, IterationKind, Judged};
pub use human::{Answer, AnswerKind, Question};
pub use id::{DeltaId, IdError, LabelName, StateId};
pub use judgement::{Held, Judgement, Said, SkipClass};
pub use ladder::{Approach, Ladder, ParseApproachError};
pub use limit::{Limit, LimitRange, LimitSource};
pub use limits::Limits;
pub use literals::Literals;
pub use measurement::{
    Channel, Color, ExcusedRegion, LabelMeasurement, LabelReading, Measurement, OpenRegion, Swatch,
};
pub use merit::{Merit, Value};
pub use moai::{MoaiError, MoaiErrorKind, MoaiSettings};
pub use plan::{Label, LabelReadiness, Plan, PlanError, PlanErrorKind, Viewport};
pub use preset::Preset;
pub use sprint::{
    ContractNeed, Criterion, CriterionStatus, HarnessLevel, Negotiation, NegotiationRound, SprintContract,
    SprintError, SprintErrorKind, TestScenario,
};
pub use stop::{ParseStopError, Stop, StopClass};
pub use terminate::{
    Breach, EveryIterationIsRecorded, Invariant, Measure, NothingBeyondItsLimit, Progress, Terminate, View,
    all, any, latched,
};
