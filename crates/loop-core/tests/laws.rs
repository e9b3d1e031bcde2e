//! What holds for every run, whatever the ports answer.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod world;

use proptest::prelude::*;
use trueup_contract::{
    FaultKind, LabelMeasurement, LabelName, LabelReadiness, LoopContract, Measurement, Preset, Stop,
    StopClass,
};
use trueup_loop_core::{Command, Engine, Event, Outcome, Record, Rejection, Step};
use trueup_rubric::{Axis, Reading, Rubric, Scorecard};
use trueup_score::{Better, Points, Scale};
use trueup_testkit::Model;
use world::{contract, failed, label, measured, state};

/// An answer that may or may not fit the command.
#[derive(Clone, Debug)]
struct Hostile(Vec<u8>);

fn hostile() -> impl Strategy<Value = Hostile> {
    proptest::collection::vec(any::<u8>(), 1..120).prop_map(Hostile)
}

fn fault(byte: u8) -> Event {
    let kinds = [
        FaultKind::Transient,
        FaultKind::TimedOut,
        FaultKind::Panicked,
        FaultKind::Rejected,
        FaultKind::Lost,
        FaultKind::Unavailable,
        FaultKind::StateLost,
        FaultKind::Cancelled,
    ];
    failed(kinds[byte as usize % kinds.len()])
}

fn reading(byte: u8) -> Measurement {
    let broken = || LabelMeasurement::not_comparable(LabelName::new("b").unwrap(), "broken");
    match byte % 16 {
        0 => measured("0", "-"),
        1 => Measurement::new(vec![]),
        2 => Measurement::new(vec![broken()]),
        3 => Measurement::new(measured("0", "-").labels().iter().cloned().chain([broken()]).collect()),
        n => measured(&(n / 2).to_string(), ["A", "B", "AB", "C"][n as usize % 4]),
    }
}

fn answer(command: &Command, byte: u8) -> Event {
    if byte.is_multiple_of(7) {
        return fault(byte / 7);
    }
    if byte == 251 {
        return Event::Cancelled;
    }
    match command {
        Command::Read { .. } => Event::Read { state: state(0), labels: vec![LabelReadiness::ready(label())] },
        Command::Restore { .. } => Event::Restored,
        Command::Reload { .. } => Event::Reloaded,
        Command::Revise { .. } => match byte % 8 {
            0 => Event::NothingToRevise { note: String::new() },
            1 => Event::Rejected { why: Rejection::Malformed, note: String::new() },
            n => Event::Revised { state: state(u32::from(n)), note: String::new() },
        },
        Command::Capture { .. } => Event::Captured,
        Command::Compare { .. } => Event::Compared { measurement: reading(byte) },
        Command::Judge { .. } => {
            let said = |score| Reading::Scored(Points::from_whole(i64::from(score)));
            let reading = if byte.is_multiple_of(16) { Reading::Missing } else { said(byte % 5 + 1) };
            Event::Judged { judgement: Scorecard::new().with(AXIS, reading).into() }
        }
        Command::Trial { .. } | Command::Ask { .. } => panic!("nobody asked for {command:?}"),
    }
}

/// Plays a run against hostile answers; checks what must hold at every step.
fn play(cap: u32, hostile: &Hostile) -> (Outcome, Vec<Record>) {
    play_under(contract(Preset::Trueup, cap), cap, hostile)
}

fn play_under(contract: LoopContract, cap: u32, Hostile(bytes): &Hostile) -> (Outcome, Vec<Record>) {
    let mut engine = Engine::new(contract);
    let mut records = Vec::new();
    let mut bytes = bytes.iter().copied().cycle();
    // Each iteration has at most ten steps of two moves, and each retry and restart adds some.
    let bound = (cap + 1) * 24 + 200;
    for _ in 0..bound {
        match engine.step() {
            Step::Persist(charge) => {
                records.push(charge.record());
                let (attempt, before) = (charge.attempt(), engine.rank());
                let command = engine.commit(charge).unwrap();
                assert!(engine.rank() < before);
                let event = answer(&command, bytes.next().unwrap());
                let before = engine.rank();
                match engine.apply(attempt, event) {
                    Ok(applied) => {
                        records.push(applied.record);
                        assert!(engine.rank() < before);
                    }
                    // A cancellation on the way out is refused; the command is then answered as it should be.
                    Err(_) => records.push(engine.apply(attempt, Event::Restored).unwrap().record),
                }
            }
            Step::Done(outcome) => return (outcome, records),
            Step::Wait => panic!("every command was answered"),
        }
    }
    panic!("the run did not end within {bound} steps");
}

const AXIS: &str = "calm";

fn judged(contract: LoopContract) -> LoopContract {
    let scale = Scale::new(Points::ONE, Points::from_whole(5), Better::Higher).unwrap();
    let axis = Axis::new(AXIS, scale).with_floor(Points::from_whole(3)).unwrap();
    contract.with_rubric(Rubric::new([axis]).unwrap())
}

/// What was asked and what came of it, from the records of a run.
fn asked(records: &[Record]) -> Vec<(Command, Event)> {
    let mut commands = std::collections::BTreeMap::new();
    let mut asked = Vec::new();
    for record in records {
        match record {
            Record::Charged { attempt, command } => {
                commands.insert(*attempt, command.clone());
            }
            Record::Happened { attempt, event, .. } => asked.push((commands[attempt].clone(), event.clone())),
        }
    }
    asked
}

/// As many cases as `TRUEUP_CASES` says; two thousand where it says nothing.
fn cases() -> u32 {
    std::env::var("TRUEUP_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2_000)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn the_engine_comes_to_what_the_naive_model_says(
        cap in 0u32..9,
        pixel_loop in any::<bool>(),
        with_judge in any::<bool>(),
        hostile in hostile(),
    ) {
        let preset = if pixel_loop { Preset::PixelLoop } else { Preset::Trueup };
        let own = contract(preset, cap);
        let own = if with_judge { judged(own) } else { own };
        let (outcome, records) = play_under(own, cap, &hostile);
        let mut model = Model::new(cap);
        model.pixel_loop = pixel_loop;
        let model = if with_judge { model.judged(AXIS, Points::from_whole(3)) } else { model };
        let came = model.run(&asked(&records)).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(came.stops.into_iter().collect::<Vec<_>>(), outcome.stops);
        prop_assert_eq!(came.best, outcome.best.map(|best| (best.state, best.iteration)));
        prop_assert_eq!(came.scores, outcome.score_history);
        let budget = outcome.budget;
        prop_assert_eq!(
            [came.iterations, came.restarts, came.retries, came.trials],
            [budget.iterations.spent, budget.restarts.spent, budget.retries.spent, budget.trials.spent]
        );
    }

    #[test]
    fn every_run_ends_and_only_a_seen_pass_converges(cap in 0u32..9, hostile in hostile()) {
        let (outcome, records) = play(cap, &hostile);
        prop_assert!(outcome.stops.is_sorted() && !outcome.stops.is_empty());
        prop_assert!(outcome.budget.iterations.spent <= cap);
        let seen: Vec<&Measurement> = records
            .iter()
            .filter_map(|record| match record {
                Record::Happened { event: Event::Compared { measurement }, .. } => Some(measurement),
                _ => None,
            })
            .collect();
        let passed = seen.iter().any(|measurement| measurement.truth().is_pass());
        if outcome.status() == Stop::Converged {
            prop_assert!(passed, "converged without a pass");
        }
        let best = outcome.best.and_then(|best| best.score);
        let lowest = seen.iter().filter_map(|measurement| measurement.score()).min();
        if !passed {
            prop_assert_eq!(best, lowest, "the best state seen is what is kept");
        }
    }

    #[test]
    fn r15_presets_that_never_ask_never_end_with_a_question(cap in 0u32..9, hostile in hostile()) {
        let (outcome, _) = play(cap, &hostile);
        prop_assert!(outcome.stops.iter().all(|stop| stop.class() != StopClass::NeedsHuman), "{:?}", outcome.stops);
    }

    #[test]
    fn a_run_is_the_fold_of_its_records(cap in 0u32..6, hostile in hostile(), cut in any::<prop::sample::Index>()) {
        let (outcome, records) = play(cap, &hostile);
        let contract = contract(Preset::Trueup, cap);
        let whole = Engine::restore(contract.clone(), &records).unwrap();
        prop_assert_eq!(whole.step(), Step::Done(outcome.clone()));

        // Killed after any record, the run goes on with what is left of its records.
        let (before, after) = records.split_at(cut.index(records.len()));
        let mut resumed = Engine::restore(contract, before).unwrap();
        for record in after {
            match record {
                Record::Charged { attempt, .. } => match resumed.step() {
                    Step::Persist(charge) => {
                        prop_assert_eq!(charge.attempt(), *attempt);
                        prop_assert_eq!(charge.record(), record.clone());
                        resumed.commit(charge).unwrap();
                    }
                    other => panic!("expected a charge, found {other:?}"),
                },
                Record::Happened { attempt, event, .. } => {
                    // A command that was out at the cut is out again under the same attempt.
                    prop_assert_eq!(resumed.outstanding().map(|(out, _)| out), Some(*attempt));
                    let applied = resumed.apply(*attempt, event.clone()).unwrap();
                    prop_assert_eq!(&applied.record, record);
                }
            }
        }
        prop_assert_eq!(resumed.step(), Step::Done(outcome));
    }

    #[test]
    fn a_record_that_is_missing_or_doubled_is_refused(cap in 1u32..6, hostile in hostile(), at in any::<prop::sample::Index>()) {
        let (_, records) = play(cap, &hostile);
        let contract = contract(Preset::Trueup, cap);
        let position = at.index(records.len());
        let mut doubled = records.clone();
        doubled.insert(position, records[position].clone());
        let error = Engine::restore(contract.clone(), &doubled).unwrap_err();
        prop_assert_eq!(error.index(), position + 1);

        let mut missing = records;
        missing.remove(position);
        let restored = Engine::restore(contract, &missing);
        // Without its last record a run is simply not finished yet.
        prop_assert_eq!(restored.is_ok(), position == missing.len());
    }
}

/// Under every preset, whatever the ports answer and whatever else is said in between.
fn play_drawn(preset: Preset, runner: &mut proptest::test_runner::TestRunner) -> Result<(), TestCaseError> {
    let draw = |strategy: BoxedStrategy<Event>, runner: &mut proptest::test_runner::TestRunner| {
        strategy.new_tree(runner).unwrap().current()
    };
    let label = trueup_contract::Label::new(label(), "a.svg", "10x10".parse().unwrap(), "a.png");
    let plan = trueup_contract::Plan::new([label]).unwrap();
    let contract = judged(contract(preset, 4));
    let rubric = contract.rubric().unwrap().clone();
    let mut engine = Engine::new(contract.clone());
    let mut records = Vec::new();
    for _ in 0..3_000 {
        // What nobody asked for is refused and changes nothing.
        let stray = draw(Event::strategy(&plan, &rubric), runner);
        if stray != Event::Cancelled && engine.outstanding().is_none() && engine.question().is_none() {
            let before = engine.rank();
            prop_assert!(engine.apply(engine.last_attempt(), stray).is_err());
            prop_assert_eq!(engine.rank(), before);
        }
        let charge = match engine.step() {
            Step::Persist(charge) => charge,
            Step::Done(outcome) => {
                let again = Engine::restore(contract, &records).unwrap();
                prop_assert_eq!(again.step(), Step::Done(outcome));
                return Ok(());
            }
            Step::Wait => return Err(TestCaseError::fail("every command was answered")),
        };
        records.push(charge.record());
        let attempt = charge.attempt();
        let command = engine.commit(charge).unwrap();
        let before = engine.rank();
        match engine.apply(attempt, draw(Event::answering(&command, &plan, &rubric), runner)) {
            Ok(applied) => {
                records.push(applied.record);
                prop_assert!(engine.rank() < before);
            }
            // Nobody is asked twice: a run has so many answers.
            Err(_) => records.push(engine.apply(attempt, Event::NobodyToAsk).unwrap().record),
        }
    }
    Err(TestCaseError::fail("the run did not end"))
}

#[test]
fn drawn_runs_end_under_every_preset_and_refuse_what_nobody_asked_for() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for preset in Preset::ALL {
        for _ in 0..60 {
            play_drawn(*preset, &mut runner).unwrap();
        }
    }
}
