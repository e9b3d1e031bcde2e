//! Every run of small worlds, not a sample of them, each held against the naive model.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod world;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use trueup_contract::{
    FaultKind, Judgement, LabelMeasurement, LabelName, LabelReadiness, LimitSource, Limits, LoopContract,
    Measurement, Preset, StateId, Stop,
};
use trueup_loop_core::{Command, Engine, Event, Outcome, Rejection, Step, TrialReading};
use trueup_rubric::{Axis, Reading, Rubric, Scorecard};
use trueup_score::{Better, Points, Scale};
use trueup_testkit::{Bug, Model};
use world::{failed, label, measured, state};

/// A world that is small enough to be searched whole.
#[derive(Clone, Copy)]
struct World {
    cap: u32,
    retries: u32,
    restarts: u32,
    trials: u32,
    judged: bool,
    /// Scores that a comparison may give; a score of 0 has nothing open.
    scores: &'static [&'static str],
    /// Leave out what other worlds have: labels that cannot be compared, and every fault but those of the capture.
    plain: bool,
}

const AXIS: &str = "calm";

impl World {
    fn contract(&self) -> LoopContract {
        let limit = |range: trueup_contract::LimitRange, number: u32| {
            range.resolve([(LimitSource::Config, Some(number.to_string().as_str()))])
        };
        let mut limits = Limits::of(Preset::PixelLoop);
        limits.iterations = limit(Preset::PixelLoop.iteration_range(), self.cap);
        limits.retries = limit(Limits::RETRIES, self.retries);
        limits.restarts = limit(Limits::RESTARTS, self.restarts);
        limits.trials = limit(Limits::TRIALS, self.trials);
        let contract = LoopContract::pixel_loop().with_limits(limits);
        if !self.judged {
            return contract;
        }
        let scale = Scale::new(Points::ONE, Points::from_whole(5), Better::Higher).unwrap();
        let axis = Axis::new(AXIS, scale).with_floor(Points::from_whole(3)).unwrap();
        contract.with_rubric(Rubric::new([axis]).unwrap())
    }

    fn model(&self, bug: Option<Bug>) -> Model {
        let model = Model::new(self.cap).pixel_loop().with_limits(self.restarts, self.retries, self.trials);
        let model = if self.judged { model.judged(AXIS, Points::from_whole(3)) } else { model };
        match bug {
            Some(bug) => model.with_bug(bug),
            None => model,
        }
    }

    /// What may come of a command: every score, and everything that can go wrong, each in one or two forms.
    fn answers(&self, command: &Command) -> Vec<Event> {
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
            Command::Compare { .. } => self.scores.iter().map(|score| compared(score)).collect(),
            Command::Judge { .. } => {
                let said = |reading| Judgement::new(Scorecard::new().with(AXIS, reading));
                let scored = |score| said(Reading::Scored(Points::from_whole(score)));
                let mut said: Vec<Judgement> = vec![scored(2), scored(3)];
                if !self.plain {
                    said.extend([scored(1), Judgement::new(Scorecard::new())]);
                }
                said.into_iter().map(|judgement| Event::Judged { judgement }).collect()
            }
            Command::Trial { .. } => {
                [TrialReading::Scored(Points::ONE), TrialReading::Abandoned, TrialReading::Lost]
                    .into_iter()
                    .map(|reading| Event::Tried { reading })
                    .collect()
            }
            Command::Ask { .. } => panic!("nobody asked for {command:?}"),
        };
        if !self.plain {
            if !matches!(command, Command::Trial { .. }) {
                events.push(failed(FaultKind::Transient));
            }
            if matches!(command, Command::Compare { .. }) {
                let broken = LabelMeasurement::not_comparable(LabelName::new("b").unwrap(), "broken");
                let labels = measured("0", "-").labels().iter().cloned().chain([broken.clone()]).collect();
                events.push(Event::Compared { measurement: Measurement::new(labels) });
                events.push(Event::Compared { measurement: Measurement::new(vec![broken]) });
            }
        }
        events
    }
}

fn compared(score: &str) -> Event {
    let ids = match score {
        "0" => "-",
        "2" => "B",
        _ => "A",
    };
    Event::Compared { measurement: measured(score, ids) }
}

/// What has been seen on the way to a state of the engine.
#[derive(Clone, Default)]
struct Seen {
    asked: Vec<(Command, Event)>,
    passed: Vec<StateId>,
    /// The verdict on the measurement that is being judged.
    compared: Option<(StateId, bool)>,
}

struct Search {
    world: World,
    bug: Option<Bug>,
    visited: HashSet<u64>,
    finished: u64,
    /// Runs on which the model says something else.
    disagreements: u64,
}

impl Search {
    fn of(world: World, bug: Option<Bug>) -> Self {
        let mut search = Self { world, bug, visited: HashSet::new(), finished: 0, disagreements: 0 };
        search.explore(&Engine::new(world.contract()), &Seen::default());
        search
    }

    fn explore(&mut self, engine: &Engine, seen: &Seen) {
        assert!(seen.asked.len() < 200, "a run of at most three iterations ends long before");
        let mut hasher = DefaultHasher::new();
        format!("{engine:?}").hash(&mut hasher);
        if !self.visited.insert(hasher.finish()) {
            return;
        }
        match engine.step() {
            Step::Wait => self.aside(engine, seen),
            Step::Done(outcome) => {
                self.finished += 1;
                if self.bug.is_none() {
                    check(engine, &outcome, seen);
                }
                self.compare(&outcome, seen);
            }
            Step::Persist(charge) => {
                let (attempt, before) = (charge.attempt(), engine.rank());
                let mut charged = engine.clone();
                let command = charged.commit(charge).unwrap();
                assert!(charged.rank() < before, "a charge must cost something");
                if matches!(command, Command::Revise { .. }) && self.world.trials > 0 {
                    self.aside(&charged, seen);
                }
                self.answer(&charged, attempt, &command, seen);
            }
        }
    }

    /// A reviser at work: it may try something, and what renders may have to be brought back.
    fn aside(&mut self, engine: &Engine, seen: &Seen) {
        let charges = [engine.charge_trial(state(7)), engine.charge_recovery()];
        for charge in charges.into_iter().flatten() {
            let (attempt, before, mut charged) = (charge.attempt(), engine.rank(), engine.clone());
            let command = charged.commit(charge).unwrap();
            assert!(charged.rank() < before, "a charge must cost something: {command:?}");
            self.answer(&charged, attempt, &command, seen);
        }
        let Some((attempt, command)) = engine.outstanding() else { panic!("a reviser is at work") };
        let command = command.clone();
        if !self.world.answers(&command).is_empty() && !seen.asked.is_empty() {
            self.answer(engine, attempt, &command, seen);
        }
    }

    fn answer(
        &mut self,
        charged: &Engine,
        attempt: trueup_loop_core::Attempt,
        command: &Command,
        seen: &Seen,
    ) {
        let mut events = self.world.answers(command);
        events.push(Event::Cancelled);
        for event in events {
            let (mut next, mut seen) = (charged.clone(), seen.clone());
            // A cancellation names the newest attempt, whatever it is.
            let attempt = if event == Event::Cancelled { next.last_attempt() } else { attempt };
            if next.apply(attempt, event.clone()).is_err() {
                assert!(event == Event::Cancelled, "{event:?} answers {command:?}");
                continue;
            }
            assert!(next.rank() < charged.rank(), "an event must cost something");
            note(command, &event, &mut seen, self.world.judged);
            self.explore(&next, &seen);
        }
    }

    fn compare(&mut self, outcome: &Outcome, seen: &Seen) {
        let came = match self.world.model(self.bug).run(&seen.asked) {
            Ok(came) => came,
            Err(disagreement) => {
                assert!(self.bug.is_some(), "{disagreement}\n{:#?}", seen.asked);
                self.disagreements += 1;
                return;
            }
        };
        let budget = &outcome.budget;
        let best = outcome.best.as_ref().map(|best| (best.state.clone(), best.iteration));
        let same = came.stops.iter().copied().eq(outcome.stops.iter().copied())
            && came.best == best
            && came.scores == outcome.score_history
            && (came.iterations, came.retries) == (budget.iterations.spent, budget.retries.spent)
            && (came.restarts, came.trials) == (budget.restarts.spent, budget.trials.spent);
        assert!(same || self.bug.is_some(), "{came:#?}\n{outcome:#?}\n{:#?}", seen.asked);
        self.disagreements += u64::from(!same);
    }
}

fn note(command: &Command, event: &Event, seen: &mut Seen, judged: bool) {
    seen.asked.push((command.clone(), event.clone()));
    match (command, event) {
        (Command::Compare { state, .. }, Event::Compared { measurement }) => {
            let passes = measurement.truth().is_pass();
            seen.compared = Some((state.clone(), passes));
            if passes && !judged {
                seen.passed.push(state.clone());
            }
        }
        (Command::Judge { state, .. }, Event::Judged { judgement }) => {
            let content = judgement.card.reading(AXIS).score() >= Some(Points::from_whole(3));
            if content && seen.compared == Some((state.clone(), true)) {
                seen.passed.push(state.clone());
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
    if let Some(best) = best.filter(|_| !outcome.stops.contains(&Stop::StateLost)) {
        assert_eq!(
            engine.current(),
            Some(&best.state),
            "every exit returns to the best state: {:?}",
            outcome.stops
        );
    }
}

const ALPHABET: &[&str] = &["0", "1", "2", "3"];

fn compared_only(cap: u32) -> World {
    World { cap, retries: 2, restarts: 2, trials: 0, judged: false, scores: ALPHABET, plain: false }
}

fn judged(cap: u32) -> World {
    World { cap, retries: 1, restarts: 1, trials: 0, judged: true, scores: &["0", "1"], plain: cap > 1 }
}

fn trying(cap: u32) -> World {
    World { cap, retries: 0, restarts: 1, trials: 2, judged: false, scores: &["0", "1", "2"], plain: true }
}

#[test]
fn exhaustive_small_worlds() {
    let mut total = 0;
    for cap in [0, 1, 2, 3] {
        for (name, world) in
            [("compared", compared_only(cap)), ("judged, too", judged(cap)), ("with trials", trying(cap))]
        {
            let search = Search::of(world, None);
            println!(
                "cap {cap}, {name}: {} states, {} runs to the end",
                search.visited.len(),
                search.finished
            );
            assert_eq!(search.disagreements, 0);
            total += search.visited.len();
        }
    }
    println!("visited {total} states");
    assert!(total >= 100_000, "the world is large enough to mean something: {total}");
}

#[test]
fn the_search_finds_each_planted_bug() {
    for (bug, cap) in [(Bug::GuardBeforePass, 1), (Bug::UnknownEqualsUnknown, 2), (Bug::ChargeAfterAction, 1)]
    {
        let search = Search::of(compared_only(cap), Some(bug));
        println!("{bug:?}: told by {} of {} runs", search.disagreements, search.finished);
        assert!(search.disagreements > 0, "{bug:?} was not found");
    }
}
