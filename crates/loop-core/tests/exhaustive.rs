//! Every run of a small world, not a sample of them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod world;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use trueup_contract::{
    FaultKind, LabelMeasurement, LabelName, LabelReadiness, Measurement, Preset, StateId, Stop,
};
use trueup_loop_core::{Command, Engine, Event, Outcome, Rejection, Step};
use trueup_score::Points;
use world::{contract, failed, label, measured, state};

/// What may come of a command: four scores, and everything that can go wrong, each in one or two forms.
fn answers(command: &Command) -> Vec<Event> {
    let mut events = match command {
        Command::Read { .. } => vec![
            Event::Read { state: state(0), labels: vec![LabelReadiness::ready(label())] },
            Event::Read { state: state(0), labels: vec![LabelReadiness::unusable(label(), "gone")] },
        ],
        Command::Restore { .. } => vec![Event::Restored, failed(FaultKind::Unavailable)],
        Command::Revise { .. } => vec![
            Event::Revised { state: state(1), note: String::new() },
            Event::Revised { state: state(2), note: String::new() },
            Event::Rejected { why: Rejection::Literal, note: String::new() },
            Event::NothingToRevise { note: String::new() },
        ],
        Command::Reload { .. } => vec![Event::Reloaded],
        Command::Capture { .. } => {
            vec![Event::Captured, failed(FaultKind::Rejected), failed(FaultKind::Lost)]
        }
        Command::Compare { .. } => ["0", "1", "2", "3"]
            .into_iter()
            .map(|score| {
                measured(score, if score == "0" { "-" } else { ["A", "B"][usize::from(score == "2")] })
            })
            .map(|measurement| Event::Compared { measurement })
            .collect(),
        Command::Judge { .. } | Command::Trial { .. } | Command::Ask { .. } => {
            panic!("nobody asked for {command:?}")
        }
    };
    events.push(failed(FaultKind::Transient));
    if matches!(command, Command::Compare { .. }) {
        let broken = LabelMeasurement::not_comparable(LabelName::new("b").unwrap(), "broken");
        let labels = measured("0", "-").labels().iter().cloned().chain([broken.clone()]).collect();
        events.push(Event::Compared { measurement: Measurement::new(labels) });
        events.push(Event::Compared { measurement: Measurement::new(vec![broken]) });
    }
    events
}

/// What has been seen on the way to a state of the engine.
#[derive(Clone, Default)]
struct Seen {
    passed: Vec<StateId>,
    best: Option<Points>,
    captured: Option<StateId>,
}

struct Search {
    visited: HashSet<u64>,
    finished: u64,
}

impl Search {
    fn explore(&mut self, engine: &Engine, seen: &Seen, depth: u32) {
        assert!(depth < 200, "a run of at most three iterations ends long before");
        let mut hasher = DefaultHasher::new();
        format!("{engine:?}").hash(&mut hasher);
        if !self.visited.insert(hasher.finish()) {
            return;
        }
        match engine.step() {
            Step::Wait => panic!("every command was answered"),
            Step::Done(outcome) => {
                self.finished += 1;
                check(engine, &outcome, seen);
            }
            Step::Persist(charge) => {
                let (attempt, before) = (charge.attempt(), engine.rank());
                let mut charged = engine.clone();
                let command = charged.commit(charge).unwrap();
                assert!(charged.rank() < before, "a charge must cost something");
                for event in answers(&command) {
                    let (mut next, mut seen) = (charged.clone(), seen.clone());
                    next.apply(attempt, event.clone()).unwrap();
                    assert!(next.rank() < charged.rank(), "an event must cost something");
                    note(&command, &event, &mut seen);
                    self.explore(&next, &seen, depth + 1);
                }
                let mut next = charged.clone();
                if next.apply(attempt, Event::Cancelled).is_ok() {
                    assert!(next.rank() < charged.rank());
                    self.explore(&next, seen, depth + 1);
                }
            }
        }
    }
}

fn note(command: &Command, event: &Event, seen: &mut Seen) {
    match (command, event) {
        (Command::Capture { state, .. }, Event::Captured) => seen.captured = Some(state.clone()),
        (Command::Compare { state, .. }, Event::Compared { measurement }) => {
            if measurement.truth().is_pass() {
                seen.passed.push(state.clone());
            }
            if let Some(score) = measurement.score() {
                seen.best = Some(seen.best.map_or(score, |best| best.min(score)));
            }
        }
        _ => {}
    }
}

fn check(engine: &Engine, outcome: &Outcome, seen: &Seen) {
    assert!(!outcome.stops.is_empty() && outcome.stops.is_sorted());
    let best = outcome.best.as_ref();
    if outcome.stops.contains(&Stop::Converged) {
        let kept = best.map(|best| &best.state);
        assert!(
            kept.is_some_and(|kept| seen.passed.contains(kept)),
            "converged without a pass of what is kept"
        );
    }
    if outcome.status() == Stop::Converged {
        assert_eq!(
            engine.current(),
            best.map(|best| &best.state),
            "the artifact is in the state that passed"
        );
    }
    if seen.passed.is_empty() {
        assert_eq!(best.and_then(|best| best.score), seen.best, "the best state seen is what is kept");
    }
    if let Some(best) = best.filter(|_| !outcome.stops.contains(&Stop::StateLost)) {
        assert_eq!(
            engine.current(),
            Some(&best.state),
            "every exit returns to the best state: {:?}",
            outcome.stops
        );
    }
}

#[test]
fn exhaustive_small_worlds() {
    let mut total = 0;
    for cap in [0, 1, 2, 3] {
        let mut search = Search { visited: HashSet::new(), finished: 0 };
        search.explore(&Engine::new(contract(Preset::PixelLoop, cap)), &Seen::default(), 0);
        println!("cap {cap}: {} states, {} runs to the end", search.visited.len(), search.finished);
        total += search.visited.len();
    }
    println!("visited {total} states");
    assert!(total >= 100_000, "the world is large enough to mean something: {total}");
}
