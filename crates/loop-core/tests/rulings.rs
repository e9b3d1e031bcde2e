//! One test for each ruling that the engine itself decides, named by it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod world;

use std::sync::Arc;

use trueup_contract::{
    Excuses, FaultKind, LabelMeasurement, LabelReadiness, LoopContract, Measurement, Preset, RegionClass,
    RegionJudgement, StateId, Stop, Terminate, View,
};
use trueup_loop_core::{Command, Engine, Event, Record, Rejection, Rung, Step, TrialReading};
use trueup_rubric::{Axis, Reading, Rubric, Scorecard};
use trueup_score::{Better, Points, Scale};
use world::{Turn, answer, contract, failed, label, measured, play, state, turn};

#[test]
fn r01_a_pass_on_the_last_allowed_iteration_converges() {
    let played = play(contract(Preset::Trueup, 2), &[turn("9", "A"), turn("8", "B"), turn("0", "-")]);
    assert_eq!(played.outcome.status(), Stop::Converged);
    assert_eq!(played.outcome.budget.iterations.left(), 0);
}

/// A rule of the caller's own that sees a stall from iteration 1 on.
#[derive(Debug)]
struct Impatient;

impl Terminate for Impatient {
    fn id(&self) -> String {
        "impatient from iteration 1 on".to_owned()
    }

    fn stops(&self, view: &View<'_>) -> Vec<Stop> {
        if view.newest().is_some_and(|(newest, _)| newest >= 1) { vec![Stop::Stalled] } else { Vec::new() }
    }
}

#[test]
fn r01_a_pass_outranks_stalled() {
    let contract = contract(Preset::Trueup, 6).with_rule(Arc::new(Impatient));
    let played = play(contract.clone(), &[turn("9", "A"), turn("0", "-")]);
    assert_eq!(played.stops(), ["converged", "not-converged:stalled"]);
    let played = play(contract, &[turn("9", "A"), turn("8", "B")]);
    assert_eq!(played.stops(), ["not-converged:stalled"], "a rule of the caller's own stops the loop");
}

#[test]
fn a_judges_progress_at_an_open_score_of_zero_is_no_stall() {
    // Nothing was open all along, and the judge is content at last.
    let turns = [("0", "-", 1, 1), ("0", "-", 1, 2), ("0", "-", 2, 2), ("0", "-", 2, 4), ("0", "-", 5, 5)];
    assert_eq!(judged(3, &turns).0, [Stop::Converged, Stop::CapExhausted]);
    let turns = [("0", "-", 2, 2), ("0", "-", 2, 2), ("0", "-", 2, 2), ("0", "-", 2, 2), ("0", "-", 2, 2)];
    assert_eq!(judged(3, &turns).0, [Stop::Stalled], "without any, it is");
}

#[test]
fn r01_revises_from_the_best_state_and_ends_in_it() {
    let played =
        play(contract(Preset::Trueup, 3), &[turn("9", "A"), turn("4", "B"), turn("7", "C"), turn("8", "D")]);
    let revised: Vec<&StateId> = played
        .commands
        .iter()
        .filter_map(|command| match command {
            Command::Revise { from, .. } => Some(from),
            _ => None,
        })
        .collect();
    assert_eq!(revised, [&state(0), &state(1), &state(1)]);
    assert_eq!(played.commands.last(), Some(&Command::Restore { to: state(1) }));
    let best = played.outcome.best.as_ref().unwrap();
    assert_eq!((best.iteration, best.score), (1, Some(Points::from_whole(4))));
    assert_eq!(best.residual.iter().map(ToString::to_string).collect::<Vec<_>>(), ["card/B"]);
}

#[test]
fn r01_only_design_side_left_is_its_own_ending() {
    let mut labels = measured("0", "-").labels().to_vec();
    labels.push(LabelMeasurement::not_comparable(trueup_contract::LabelName::new("b").unwrap(), "truncated"));
    let played = play(contract(Preset::Trueup, 6), &[Turn::Measures(Measurement::new(labels))]);
    assert_eq!(played.outcome.status(), Stop::DesignSide);
    assert_eq!(played.outcome.best.unwrap().not_comparable, [("b".to_owned(), "truncated".to_owned())]);
}

#[test]
fn r02_all_stops_are_recorded_and_oscillating_outranks_stalled() {
    let scores = [turn("341.5", "A"), turn("96", "B"), turn("96", "C"), turn("96", "B")];
    let played = play(contract(Preset::PixelLoop, 6), &scores);
    assert_eq!(played.stops(), ["not-converged:oscillating", "not-converged:stalled"]);

    let scores = [turn("341.5", "A"), turn("96", "B"), turn("96", "C"), turn("96", "D")];
    let played = play(contract(Preset::PixelLoop, 3), &scores);
    assert_eq!(played.stops(), ["not-converged:stalled", "not-converged:cap-exhausted"]);
}

#[test]
fn r03_the_baseline_is_never_charged() {
    let played = play(contract(Preset::Trueup, 0), &[turn("9", "A")]);
    assert_eq!(played.stops(), ["not-converged:cap-exhausted"]);
    assert_eq!(played.outcome.budget.iterations.spent, 0);
    assert_eq!(played.outcome.score_history, [Some(Points::from_whole(9))]);

    let played = play(contract(Preset::Trueup, 0), &[turn("0", "-")]);
    assert_eq!(played.outcome.status(), Stop::Converged);
}

#[test]
fn r04_an_unknown_score_did_not_improve() {
    let lost = || Turn::CaptureFails(FaultKind::Rejected);
    let played = play(contract(Preset::Trueup, 9), &[turn("96", "A"), turn("90", "B"), lost(), lost()]);
    assert_eq!(played.stops(), ["not-converged:stalled"]);
}

#[test]
fn r06_a_revision_that_is_taken_back_is_charged_and_known_by_its_kind() {
    let literal = Event::Rejected { why: Rejection::Literal, note: "#fff for --card".to_owned() };
    let played = play(
        contract(Preset::PixelLoop, 3),
        &[turn("9", "A"), Turn::Answers(literal), turn("8", "B"), turn("0", "-")],
    );
    assert_eq!(played.outcome.status(), Stop::Converged);
    assert_eq!(played.outcome.literal_patches_reverted, 1);
    assert_eq!(played.outcome.budget.iterations.spent, 3);
    let ids: Vec<bool> = played.engine.history().iterations().iter().map(|i| i.delta_ids.is_some()).collect();
    assert_eq!(ids, [true, false, true, true]);
}

#[test]
fn r06_a_failed_capture_is_charged_and_the_best_state_comes_back() {
    let played = play(
        contract(Preset::Trueup, 2),
        &[turn("9", "A"), Turn::CaptureFails(FaultKind::Rejected), turn("0", "-")],
    );
    assert_eq!(played.outcome.status(), Stop::Converged);
    assert!(played.commands.contains(&Command::Restore { to: state(0) }));
    assert_eq!(played.outcome.score_history[1], None);
}

/// Plays a run with a judge whose cards are scripted by iteration.
fn judged(floor: i64, turns: &[(&str, &str, i64, i64)]) -> (Vec<Stop>, u32) {
    let scale = Scale::new(Points::ONE, Points::from_whole(5), Better::Higher).unwrap();
    let axis = |name: &str| Axis::new(name, scale).with_floor(Points::from_whole(floor)).unwrap();
    let rubric = Rubric::new([axis("hierarchy"), axis("restraint")]).unwrap();
    let cap = u32::try_from(turns.len() - 1).unwrap();
    let mut engine = Engine::new(contract(Preset::Trueup, cap).with_rubric(rubric));
    let worlds: Vec<Turn> = turns.iter().map(|(score, ids, ..)| turn(score, ids)).collect();
    loop {
        match engine.step() {
            Step::Persist(charge) => {
                let attempt = charge.attempt();
                let event = match engine.commit(charge).unwrap() {
                    Command::Judge { iteration, .. } => {
                        let (_, _, a, b) = turns[iteration as usize];
                        let read = |n: i64| {
                            if n == 0 { Reading::Missing } else { Reading::Scored(Points::from_whole(n)) }
                        };
                        let card = Scorecard::new().with("hierarchy", read(a)).with("restraint", read(b));
                        Event::Judged { judgement: card.into() }
                    }
                    command => answer(&command, &worlds),
                };
                engine.apply(attempt, event).unwrap();
            }
            Step::Done(outcome) => return (outcome.stops, outcome.best.map_or(99, |best| best.iteration)),
            Step::Wait => panic!("every command was answered"),
        }
    }
}

#[test]
fn r08_a_missing_axis_makes_it_undetermined() {
    // Both retries are spent on asking again; then the judge is unavailable, and never a pass.
    let (stops, _) = judged(3, &[("0", "-", 5, 0)]);
    assert_eq!(stops, [Stop::JudgeUnavailable, Stop::CapExhausted]);
}

#[test]
fn r01_a_pass_needs_both_the_comparer_and_the_judge() {
    assert_eq!(judged(3, &[("0", "-", 5, 5)]).0[0], Stop::Converged);
    assert_eq!(judged(3, &[("0", "-", 5, 2)]).0, [Stop::CapExhausted]);
    assert_eq!(judged(3, &[("9", "A", 5, 5)]).0, [Stop::CapExhausted]);
}

#[test]
fn r12_every_axis_at_its_floor_outranks_a_better_score() {
    // Iteration 0 has the lower open score, but an axis under its floor.
    let (_, best) = judged(4, &[("5", "A", 5, 2), ("9", "B", 4, 4)]);
    assert_eq!(best, 1);
    // A smaller shortfall outranks the score, too.
    let (_, best) = judged(4, &[("5", "A", 5, 1), ("9", "B", 5, 3)]);
    assert_eq!(best, 1);
    // Equal is not better: the earlier stays.
    let (_, best) = judged(4, &[("5", "A", 5, 3), ("5", "B", 5, 3)]);
    assert_eq!(best, 0);
}

#[test]
fn r20_a_late_or_repeated_answer_is_refused_and_changes_nothing() {
    let mut engine = Engine::new(LoopContract::trueup());
    let Step::Persist(charge) = engine.step() else { panic!("a run begins with a charge") };
    let first = charge.attempt();
    engine.commit(charge).unwrap();
    let read = Event::Read { state: state(0), labels: vec![LabelReadiness::ready(label())] };
    engine.apply(first, failed(FaultKind::TimedOut)).unwrap();
    let before = format!("{engine:?}");
    assert!(engine.apply(first, read.clone()).is_err(), "the attempt was given up");
    assert_eq!(format!("{engine:?}"), before);
    let Step::Persist(charge) = engine.step() else { panic!("a retry is charged") };
    assert!(charge.attempt() > first);
    let attempt = charge.attempt();
    engine.commit(charge).unwrap();
    let before = format!("{engine:?}");
    assert!(engine.apply(attempt, Event::Captured).is_err(), "that answers another command");
    assert_eq!(format!("{engine:?}"), before);
    engine.apply(attempt, read.clone()).unwrap();
    assert!(engine.apply(attempt, read).is_err(), "it was answered already");
}

#[test]
fn a_patch_is_never_applied_twice_to_the_same_regions() {
    let again = || Turn::Answers(Event::Revised { state: state(1), note: "again".to_owned() });
    let played = play(contract(Preset::Trueup, 9), &[turn("9", "A"), turn("9", "A"), again(), again()]);
    // Regions that come back are oscillation; the repeated patch was never captured.
    let captured =
        played.commands.iter().filter(|command| matches!(command, Command::Capture { .. })).count();
    assert_eq!(captured, 2);
    assert_eq!(played.stops(), ["not-converged:stalled"]);
    let told = played
        .commands
        .iter()
        .any(|command| matches!(command, Command::Revise { tried, .. } if tried == &[state(1)]));
    assert!(told, "the reviser must hear what was tried");
}

#[test]
fn a_reviser_without_a_proposal_ends_the_run_by_name() {
    let nothing = Turn::Answers(Event::NothingToRevise { note: "no token explains it".to_owned() });
    let played = play(contract(Preset::Trueup, 6), &[turn("9", "A"), nothing]);
    assert_eq!(played.stops(), ["not-converged:no-ops"]);
    // A reviser that reports the state that it was given has proposed nothing, too.
    let same = Turn::Answers(Event::Revised { state: state(0), note: "same".to_owned() });
    let played = play(contract(Preset::Trueup, 6), &[turn("9", "A"), same]);
    assert_eq!(played.stops(), ["not-converged:no-ops"]);
}

#[test]
fn a_port_that_never_answers_is_undetermined_and_never_a_number() {
    for kind in [FaultKind::Transient, FaultKind::Panicked, FaultKind::TimedOut, FaultKind::Unavailable] {
        let played = play(contract(Preset::Trueup, 6), &[Turn::CompareFails(kind)]);
        assert_eq!(played.outcome.status(), Stop::ComparerUnavailable);
        assert_eq!(played.outcome.best, None);
        let retries = if kind == FaultKind::Unavailable { 0 } else { 2 };
        assert_eq!(played.outcome.budget.retries.spent, retries, "{kind}");
    }
    let played = play(contract(Preset::Trueup, 6), &[Turn::CaptureFails(FaultKind::Rejected)]);
    assert_eq!(
        played.outcome.status(),
        Stop::CapturerUnavailable,
        "the baseline cannot be blamed on a revision"
    );
}

#[test]
fn no_rung_is_used_twice_and_restarts_are_counted_over_the_run() {
    let played = play(contract(Preset::Trueup, 6), &[Turn::CaptureFails(FaultKind::Lost)]);
    assert_eq!(played.outcome.status(), Stop::ReloadExhausted);
    let rungs: Vec<Rung> = played
        .commands
        .iter()
        .filter_map(|command| match command {
            Command::Reload { rung } => Some(*rung),
            _ => None,
        })
        .collect();
    assert_eq!(rungs, [Rung::Restart, Rung::Relaunch]);
    assert_eq!(played.outcome.budget.restarts.spent, 2);
}

#[test]
fn a_state_that_cannot_be_brought_back_is_lost() {
    let mut engine = Engine::new(contract(Preset::Trueup, 3));
    let turns = [turn("5", "A"), turn("9", "B")];
    let outcome = loop {
        match engine.step() {
            Step::Persist(charge) => {
                let attempt = charge.attempt();
                let event = match engine.commit(charge).unwrap() {
                    Command::Restore { .. } => failed(FaultKind::Unavailable),
                    command => answer(&command, &turns),
                };
                engine.apply(attempt, event).unwrap();
            }
            Step::Done(outcome) => break outcome,
            Step::Wait => panic!("every command was answered"),
        }
    };
    assert_eq!(outcome.status(), Stop::StateLost);
    assert_eq!(outcome.best.map(|best| best.state), Some(state(0)), "the best state is named all the same");
}

#[test]
fn nothing_that_can_be_compared_is_not_a_pass() {
    let read = |labels: Vec<LabelReadiness>| {
        let mut engine = Engine::new(LoopContract::trueup());
        let Step::Persist(charge) = engine.step() else { panic!("a run begins with a charge") };
        let attempt = charge.attempt();
        engine.commit(charge).unwrap();
        engine.apply(attempt, Event::Read { state: state(0), labels }).unwrap();
        match engine.step() {
            Step::Done(outcome) => outcome.stops,
            other => panic!("nothing may be revised: {other:?}"),
        }
    };
    assert_eq!(read(vec![LabelReadiness::unusable(label(), "no such file")]), [Stop::ReferenceUnreadable]);
    assert_eq!(read(vec![]), [Stop::NoComparableChannel]);
}

#[test]
fn a_cancelled_run_keeps_the_best_state() {
    let mut engine = Engine::new(contract(Preset::Trueup, 6));
    let turns = [turn("9", "A"), turn("5", "B"), turn("7", "C")];
    loop {
        match engine.step() {
            Step::Persist(charge) => {
                let attempt = charge.attempt();
                let command = engine.commit(charge).unwrap();
                if matches!(command, Command::Revise { iteration: 3, .. }) {
                    engine.apply(attempt, Event::Cancelled).unwrap();
                    let again = engine.apply(engine.last_attempt(), Event::Cancelled);
                    assert!(again.is_err(), "it is on its way out already");
                } else {
                    engine.apply(attempt, answer(&command, &turns)).unwrap();
                }
            }
            Step::Done(outcome) => {
                assert_eq!(outcome.stops, [Stop::Cancelled]);
                assert_eq!(outcome.best.unwrap().state, state(1));
                assert_eq!(engine.current(), Some(&state(1)), "what was cut short was brought back");
                return;
            }
            Step::Wait => panic!("every command was answered"),
        }
    }
}

#[test]
fn trials_are_charged_and_only_while_a_reviser_is_at_work() {
    let mut engine = Engine::new(contract(Preset::Trueup, 6));
    assert!(engine.charge_trial(state(7)).is_err(), "nobody revises yet");
    let turns = [turn("9", "A"), turn("0", "-")];
    let mut records: Vec<Record> = Vec::new();
    loop {
        match engine.step() {
            Step::Persist(charge) => {
                records.push(charge.record());
                let attempt = charge.attempt();
                let command = engine.commit(charge).unwrap();
                if matches!(command, Command::Revise { .. }) {
                    let trial = engine.charge_trial(state(7)).unwrap();
                    records.push(trial.record());
                    let (number, rank) = (trial.attempt(), engine.rank());
                    engine.commit(trial).unwrap();
                    assert!(engine.rank() < rank);
                    assert!(engine.charge_trial(state(8)).is_err(), "one at a time");
                    assert!(
                        engine.apply(attempt, answer(&command, &turns)).is_err(),
                        "the trial comes first"
                    );
                    let rank = engine.rank();
                    let reading = TrialReading::Scored(Points::from_whole(3));
                    records.push(engine.apply(number, Event::Tried { reading }).unwrap().record);
                    assert!(engine.rank() < rank);
                }
                records.push(engine.apply(attempt, answer(&command, &turns)).unwrap().record);
            }
            Step::Done(outcome) => {
                assert_eq!((outcome.status(), outcome.budget.trials.spent), (Stop::Converged, 1));
                let again = Engine::restore(contract(Preset::Trueup, 6), &records).unwrap();
                assert_eq!(again.step(), Step::Done(outcome));
                return;
            }
            Step::Wait => panic!("every command was answered"),
        }
    }
}

#[test]
fn an_excused_region_is_never_patched_and_is_open_again_when_it_changes() {
    let region = measured("5", "V").open_regions().next().unwrap().clone();
    let judgement = RegionJudgement::new(&region, RegionClass::Version, "older parts", "ada");
    let excused = || {
        contract(Preset::Trueup, 6).with_excuses(Excuses::new().with(region.id.clone(), judgement.clone()))
    };
    // Two regions, of which one is excused: only the other is to be mended, and then it passes.
    let both = || {
        let mut open: Vec<_> = measured("3", "A").open_regions().cloned().collect();
        open.push(region.clone());
        Turn::Measures(Measurement::new(vec![LabelMeasurement::compared(label(), open)]))
    };
    let played = play(excused(), &[both(), turn("5", "V")]);
    assert_eq!(played.stops(), ["converged"]);
    let targets = played.commands.iter().find_map(|command| match command {
        Command::Revise { targets, .. } => Some(targets.clone()),
        _ => None,
    });
    assert_eq!(targets.unwrap().iter().map(ToString::to_string).collect::<Vec<_>>(), ["card/A"]);
    assert_eq!(played.outcome.best.unwrap().excused, ["card/V is version: older parts, says ada"]);
    // It changes, and the excuse lapses.
    let played = play(excused(), &[turn("5", "V"), turn("0", "-")]);
    assert_eq!(played.outcome.budget.iterations.spent, 0, "nothing but the excused region is open");
    let played = play(excused(), &[turn("6", "V"), turn("0", "-")]);
    assert_eq!(played.outcome.budget.iterations.spent, 1);
}
