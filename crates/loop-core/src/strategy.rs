//! Strategies for property tests (feature `proptest`). Labels, axes and regions are only ever drawn from what is given.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use trueup_contract::{Answer, FaultKind, Judgement, LabelReadiness, Measurement, Plan, SkipClass, StateId};
use trueup_rubric::Rubric;
use trueup_score::Points;

use crate::{Command, Event, PortFault, Rejection, TrialReading};

impl PortFault {
    /// Failures of any kind.
    pub fn strategy() -> impl Strategy<Value = Self> {
        FaultKind::strategy().prop_map(|kind| Self::new(kind, "drawn"))
    }
}

impl Rejection {
    /// Any reason.
    pub fn strategy() -> impl Strategy<Value = Self> {
        select(vec![Self::Literal, Self::Malformed, Self::Destructive, Self::Repeated, Self::NotApplicable])
    }
}

impl TrialReading {
    /// Any reading; scores from 0 to 1000.
    pub fn strategy() -> impl Strategy<Value = Self> {
        prop_oneof![
            6 => (0..1_000_000_000i64).prop_map(|micros| Self::Scored(Points::from_micros(micros))),
            1 => Just(Self::Unmeasurable),
            1 => Just(Self::Abandoned),
            1 => Just(Self::Lost),
        ]
    }
}

impl Event {
    /// Whatever can be said, whether or not anybody asked for it: what a careless or hostile driver hands to an engine.
    pub fn strategy(plan: &Plan, rubric: &Rubric) -> BoxedStrategy<Self> {
        prop_oneof![
            read(plan),
            revised(),
            select(vec![Self::Restored, Self::Reloaded, Self::Captured, Self::NobodyToAsk, Self::Cancelled]),
            Measurement::strategy(plan).prop_map(|measurement| Self::Compared { measurement }),
            Judgement::strategy(rubric).prop_map(|judgement| Self::Judged { judgement }),
            Answer::strategy().prop_map(|answer| Self::Answered { answer }),
            TrialReading::strategy().prop_map(|reading| Self::Tried { reading }),
            PortFault::strategy().prop_map(|fault| Self::Failed { fault }),
        ]
        .boxed()
    }

    /// What may come of `command`: its answers, and one time in eight a failure.
    pub fn answering(command: &Command, plan: &Plan, rubric: &Rubric) -> BoxedStrategy<Self> {
        let answers = match command {
            Command::Read { .. } => read(plan),
            Command::Restore { .. } => Just(Self::Restored).boxed(),
            Command::Revise { .. } => revised(),
            Command::Reload { .. } => Just(Self::Reloaded).boxed(),
            Command::Capture { .. } => Just(Self::Captured).boxed(),
            Command::Compare { .. } => {
                Measurement::strategy(plan).prop_map(|measurement| Self::Compared { measurement }).boxed()
            }
            Command::Judge { .. } => {
                Judgement::strategy(rubric).prop_map(|judgement| Self::Judged { judgement }).boxed()
            }
            Command::Ask { .. } => prop_oneof![
                Answer::strategy().prop_map(|answer| Self::Answered { answer }),
                Just(Self::NobodyToAsk),
            ]
            .boxed(),
            // A trial that fails has a reading of its own.
            Command::Trial { .. } => {
                return TrialReading::strategy().prop_map(|reading| Self::Tried { reading }).boxed();
            }
        };
        prop_oneof![7 => answers, 1 => PortFault::strategy().prop_map(|fault| Self::Failed { fault })].boxed()
    }
}

fn read(plan: &Plan) -> BoxedStrategy<Event> {
    (StateId::strategy(), LabelReadiness::strategy(plan))
        .prop_map(|(state, labels)| Event::Read { state, labels })
        .boxed()
}

/// States are few, so that some come again.
fn revised() -> BoxedStrategy<Event> {
    let note = String::new;
    let state = || (0..6u8).prop_map(|number| StateId::of_parts([("number", &[number][..])]));
    prop_oneof![
        6 => state().prop_map(move |state| Event::Revised { state, note: note() }),
        1 => (state(), vec("[a-z]{1,6}", 1..4)).prop_map(move |(state, split)| {
            let landed = split[0].clone();
            Event::SliceRevised { state, note: note(), split, landed }
        }),
        1 => Rejection::strategy().prop_map(move |why| Event::Rejected { why, note: note() }),
        1 => Just(Event::NothingToRevise { note: note() }),
        1 => Just(Event::Disputed { note: note() }),
        1 => SkipClass::strategy().prop_map(move |class| Event::Blocked { class, note: note() }),
    ]
    .boxed()
}
