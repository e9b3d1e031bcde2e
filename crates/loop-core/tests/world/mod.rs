//! A scripted world around the engine: what every capture will measure is known beforehand.

#![allow(dead_code, reason = "each test file uses its own part")]

pub(crate) mod judge;

use trueup_contract::{
    DeltaId, FaultKind, LabelMeasurement, LabelName, LabelReadiness, Limits, LoopContract, Measurement,
    OpenRegion, Preset, StateId,
};
use trueup_frame::Rect;
use trueup_loop_core::{Command, Engine, Event, Outcome, PortFault, Record, Step};
use trueup_score::Points;

pub(crate) fn state(n: u32) -> StateId {
    StateId::of_parts([("n", n.to_string().as_bytes())])
}

pub(crate) fn label() -> LabelName {
    LabelName::new("card").unwrap()
}

/// Regions named by letters that share `score`; `-` is none.
pub(crate) fn measured(score: &str, ids: &str) -> Measurement {
    let ids: Vec<char> = ids.chars().filter(|c| *c != '-').collect();
    let mut rest: Points = score.parse().unwrap();
    let mut open = Vec::new();
    for (index, id) in ids.iter().enumerate() {
        let share = if index + 1 == ids.len() { rest } else { Points::from_micros(1) };
        rest = rest.saturating_sub(share);
        let id = DeltaId::new(format!("card/{id}")).unwrap();
        open.push(OpenRegion::new(id, Rect::new(0, 0, 1, 1), share));
    }
    Measurement::new(vec![LabelMeasurement::compared(label(), open)])
}

/// What iteration N comes to.
#[allow(clippy::large_enum_variant, reason = "a handful of turns a test")]
#[derive(Clone, Debug)]
pub(crate) enum Turn {
    Measures(Measurement),
    Answers(Event),
    CaptureFails(FaultKind),
    CompareFails(FaultKind),
}

pub(crate) fn turn(score: &str, ids: &str) -> Turn {
    Turn::Measures(measured(score, ids))
}

pub(crate) fn failed(kind: FaultKind) -> Event {
    Event::Failed { fault: PortFault::new(kind, "as scripted") }
}

pub(crate) fn contract(preset: Preset, cap: u32) -> LoopContract {
    let mut limits = Limits::of(preset);
    let text = cap.to_string();
    limits.iterations =
        preset.iteration_range().resolve([(trueup_contract::LimitSource::Flag, Some(text.as_str()))]);
    LoopContract::of(preset).with_limits(limits)
}

/// A run that was played to its end.
pub(crate) struct Played {
    pub(crate) outcome: Outcome,
    pub(crate) records: Vec<Record>,
    pub(crate) commands: Vec<Command>,
    pub(crate) engine: Engine,
}

impl Played {
    pub(crate) fn stops(&self) -> Vec<&'static str> {
        self.outcome.stops.iter().map(|stop| stop.as_str()).collect()
    }
}

/// Plays a run in which iteration N comes to `turns[N]`; every revision reaches a state of its own.
pub(crate) fn play(contract: LoopContract, turns: &[Turn]) -> Played {
    let mut engine = Engine::new(contract);
    let (mut records, mut commands) = (Vec::new(), Vec::new());
    let outcome = loop {
        let before = engine.rank();
        match engine.step() {
            Step::Persist(charge) => {
                records.push(charge.record());
                let attempt = charge.attempt();
                let command = engine.commit(charge).unwrap();
                assert!(engine.rank() < before, "a charge must cost something");
                commands.push(command.clone());
                let event = answer(&command, turns);
                let before = engine.rank();
                records.push(engine.apply(attempt, event).unwrap().record);
                assert!(engine.rank() < before, "an event must cost something");
            }
            Step::Wait => panic!("every command was answered"),
            Step::Done(outcome) => break outcome,
        }
    };
    Played { outcome, records, commands, engine }
}

pub(crate) fn answer(command: &Command, turns: &[Turn]) -> Event {
    let turn =
        |iteration: u32| turns.get(iteration as usize).unwrap_or_else(|| panic!("no turn {iteration}"));
    match command {
        Command::Read { .. } => Event::Read { state: state(0), labels: vec![LabelReadiness::ready(label())] },
        Command::Restore { .. } => Event::Restored,
        Command::Reload { .. } => Event::Reloaded,
        Command::Revise { iteration, .. } => match turn(*iteration) {
            Turn::Answers(event) => event.clone(),
            _ => Event::Revised { state: state(*iteration), note: format!("turn {iteration}") },
        },
        Command::Capture { iteration, .. } => match turn(*iteration) {
            Turn::CaptureFails(kind) => failed(*kind),
            _ => Event::Captured,
        },
        Command::Compare { iteration, .. } => match turn(*iteration) {
            Turn::Measures(measurement) => Event::Compared { measurement: measurement.clone() },
            Turn::CompareFails(kind) => failed(*kind),
            other => panic!("{other:?} compares nothing"),
        },
        Command::Judge { .. } | Command::Trial { .. } | Command::Ask { .. } => {
            panic!("nobody asked for {command:?}")
        }
    }
}
