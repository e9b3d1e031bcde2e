//! What is charged, when, and what time may cost.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod world;

use std::sync::Arc;
use std::time::Duration;

use trueup_contract::{
    Breach, FaultKind, Invariant, LimitSource, Limits, LoopContract, Preset, Stop, Terminate, Usage, View,
};
use trueup_loop_core::{
    Attempt, Command, Engine, Event, ProtocolErrorKind, Record, Rung, Step, TrialReading,
};
use world::{Turn, answer, contract, failed, play, state, turn};

/// Plays until the engine asks for a revision, and gives its attempt.
fn until_revision(engine: &mut Engine, turns: &[Turn], records: &mut Vec<Record>) -> Attempt {
    loop {
        let Step::Persist(charge) = engine.step() else { panic!("no revision was asked for") };
        records.push(charge.record());
        let attempt = charge.attempt();
        let command = engine.commit(charge).unwrap();
        if matches!(command, Command::Revise { .. }) {
            return attempt;
        }
        records.push(engine.apply(attempt, answer(&command, turns)).unwrap().record);
    }
}

#[test]
fn a_cancel_between_iterations_counts_none_that_was_not_begun() {
    let mut engine = Engine::new(contract(Preset::Trueup, 6));
    let turns = [turn("9", "A"), turn("5", "B")];
    for _ in 0..3 {
        let Step::Persist(charge) = engine.step() else { panic!("the baseline has three commands") };
        let attempt = charge.attempt();
        let command = engine.commit(charge).unwrap();
        engine.apply(attempt, answer(&command, &turns)).unwrap();
    }
    // The next iteration was decided on, and nothing of it was charged.
    let before = engine.rank();
    engine.apply(engine.last_attempt(), Event::Cancelled).unwrap();
    assert!(engine.rank() < before);
    let Step::Done(outcome) = engine.step() else { panic!("it is over") };
    assert_eq!((outcome.stops.as_slice(), outcome.budget.iterations.spent), (&[Stop::Cancelled][..], 0));
    assert_eq!(engine.iteration(), 0);
}

#[test]
fn a_renderer_that_a_trial_loses_is_brought_back_by_the_restart_ladder() {
    let turns = [turn("9", "A"), turn("0", "-")];
    let (mut engine, mut records) = (Engine::new(contract(Preset::Trueup, 6)), Vec::new());
    let revision = until_revision(&mut engine, &turns, &mut records);
    assert!(engine.charge_recovery().is_err(), "nothing is lost yet");
    let mut rungs = Vec::new();
    for recovered in [true, false] {
        let trial = engine.charge_trial(state(7)).unwrap();
        records.push(trial.record());
        let attempt = trial.attempt();
        engine.commit(trial).unwrap();
        let lost = Event::Tried { reading: TrialReading::Lost };
        records.push(engine.apply(attempt, lost).unwrap().record);
        let (charge, before) = (engine.charge_recovery().unwrap(), engine.rank());
        records.push(charge.record());
        let attempt = charge.attempt();
        let Command::Reload { rung } = engine.commit(charge).unwrap() else { panic!("a rung of the ladder") };
        assert!(engine.rank() < before, "a restart must cost something");
        assert_eq!(engine.outstanding_recovery(), Some((attempt, rung)));
        rungs.push(rung);
        let event = if recovered { Event::Reloaded } else { failed(FaultKind::Lost) };
        records.push(engine.apply(attempt, event).unwrap().record);
    }
    assert_eq!(rungs, [Rung::Restart, Rung::Relaunch], "no rung twice");
    assert_eq!(engine.budget().restarts.left(), 0);
    let error = engine.charge_recovery().unwrap_err();
    assert_eq!(error.kind(), &ProtocolErrorKind::NoRecoveryNow);
    // The reviser was at work all the while, and its revision counts.
    let revised = Event::Revised { state: state(1), note: String::new() };
    records.push(engine.apply(revision, revised).unwrap().record);
    let restored = Engine::restore(contract(Preset::Trueup, 6), &records).unwrap();
    assert_eq!(format!("{restored:?}"), format!("{engine:?}"));
}

#[test]
fn time_comes_in_with_the_event_and_a_step_backwards_adds_nothing() {
    let mut engine = Engine::new(contract(Preset::Trueup, 6));
    assert_eq!(engine.deadline(), None, "nobody told the time");
    let second = Duration::from_secs;
    engine.start_clock(second(100));
    assert_eq!(engine.deadline(), Some(second(100 + 86_400)));
    let turns = [turn("9", "A")];
    let mut records = Vec::new();
    for (at, millis) in [(101, 1_000), (90, 1_000), (103, 3_000)] {
        let Step::Persist(charge) = engine.step() else { panic!("the baseline has three commands") };
        records.push(charge.record());
        let attempt = charge.attempt();
        let command = engine.commit(charge).unwrap();
        let applied = engine.apply_at(attempt, answer(&command, &turns), second(at), Usage::NONE).unwrap();
        records.push(applied.record);
        assert_eq!(engine.usage().millis, millis);
    }
    // What was consumed is in the records; the clock of the process that died is not.
    let mut resumed = Engine::restore(contract(Preset::Trueup, 6), &records).unwrap();
    assert_eq!(resumed.usage().millis, 3_000);
    resumed.start_clock(second(5));
    assert_eq!(resumed.deadline(), Some(second(5 + 86_400 - 3)));
    // A refused event adds nothing, whatever time it comes with.
    let before = format!("{resumed:?}");
    assert!(resumed.apply_at(Attempt::new(1), Event::Captured, second(999), Usage::NONE).is_err());
    assert_eq!(format!("{resumed:?}"), before);
}

#[test]
fn parts_of_a_millisecond_add_up() {
    let mut engine = Engine::new(contract(Preset::Trueup, 6));
    engine.start_clock(Duration::ZERO);
    let turns = [turn("9", "A")];
    for at in [600, 1_200, 1_800] {
        let Step::Persist(charge) = engine.step() else { panic!("the baseline has three commands") };
        let attempt = charge.attempt();
        let command = engine.commit(charge).unwrap();
        engine.apply_at(attempt, answer(&command, &turns), Duration::from_micros(at), Usage::NONE).unwrap();
    }
    assert_eq!(engine.usage().millis, 1);
}

#[test]
fn a_spent_budget_of_time_tokens_or_money_ends_the_run_by_name() {
    let one = |range: trueup_contract::LimitRange| range.resolve([(LimitSource::Config, Some("1"))]);
    let mut limits = contract(Preset::Trueup, 6).limits().clone();
    (limits.wall_seconds, limits.tokens, limits.cost_cents) =
        (one(Limits::WALL_SECONDS), one(Limits::TOKENS), one(Limits::COST_CENTS));
    let contract = LoopContract::trueup().with_limits(limits);
    for (used, spent) in [
        (Usage { millis: 999, tokens: 0, cost_micros: 9_999 }, false),
        (Usage { millis: 1_000, ..Usage::NONE }, true),
        (Usage { tokens: 1, ..Usage::NONE }, true),
        (Usage { cost_micros: 10_000, ..Usage::NONE }, true),
    ] {
        let mut engine = Engine::new(contract.clone());
        let turns = [turn("9", "A")];
        for _ in 0..3 {
            let Step::Persist(charge) = engine.step() else { panic!("the baseline has three commands") };
            let attempt = charge.attempt();
            let command = engine.commit(charge).unwrap();
            let now = matches!(command, Command::Compare { .. });
            let used = if now { used } else { Usage::NONE };
            engine.apply_at(attempt, answer(&command, &turns), Duration::ZERO, used).unwrap();
        }
        // The evaluation that was paid for still counts.
        assert_eq!(engine.best().unwrap().iteration, 0);
        match engine.step() {
            Step::Done(outcome) => assert!(spent && outcome.stops == [Stop::BudgetExhausted]),
            _ => assert!(!spent, "{used:?}"),
        }
    }
}

#[derive(Debug)]
struct Never;

impl Terminate for Never {
    fn id(&self) -> String {
        "never".to_owned()
    }

    fn stops(&self, _view: &View<'_>) -> Vec<Stop> {
        Vec::new()
    }
}

#[test]
fn a_rule_of_ones_own_vetoes_no_cap_and_a_run_is_not_resumed_without_it() {
    let own = contract(Preset::Trueup, 1).with_rule(Arc::new(Never));
    let played = play(own.clone(), &[turn("9", "A"), turn("8", "B")]);
    assert_eq!(played.stops(), ["not-converged:cap-exhausted"]);
    assert!(Engine::restore(own.clone(), &played.records).is_ok());
    let error = Engine::restore(contract(Preset::Trueup, 1), &played.records).unwrap_err();
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!((error.index(), cause.contains("does not have: never")), (0, true), "{cause}");
    // And the other way around: the records of a run without it are of another contract.
    let bare = play(contract(Preset::Trueup, 1), &[turn("9", "A"), turn("8", "B")]);
    let error = Engine::restore(own, &bare.records).unwrap_err();
    assert!(std::error::Error::source(&error).unwrap().to_string().contains("began under the contract"));
}

#[derive(Debug)]
struct ScoreBelow(i64);

impl Invariant for ScoreBelow {
    fn id(&self) -> String {
        format!("the score is below {}", self.0)
    }

    fn check(&self, view: &View<'_>) -> Result<(), Breach> {
        let limit = trueup_score::Points::from_whole(self.0);
        match view.history.last().and_then(|last| last.score) {
            Some(score) if score >= limit => Err(Breach::new(format!("it is {score}"))),
            _ => Ok(()),
        }
    }
}

#[test]
fn r01_an_invariant_breach_outranks_a_pass() {
    let contract = contract(Preset::Trueup, 6).with_invariant(Arc::new(ScoreBelow(0)));
    let played = play(contract, &[turn("0", "-")]);
    assert_eq!(played.stops(), ["undetermined:invariant-breach", "converged"]);
}

#[test]
fn a_contract_that_can_never_be_met_ends_before_anything_is_captured() {
    let played = play(LoopContract::of(Preset::Aep), &[turn("0", "-")]);
    assert_eq!(played.stops(), ["undetermined:invariant-breach"]);
    assert!(played.outcome.fault.unwrap().contains("no rubric"));
    assert_eq!(played.commands.len(), 1);
}
