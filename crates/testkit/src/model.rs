//! A naive model of the engine: the rules written down once more, as a program that goes from the top to the bottom.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt;

use trueup_contract::{DeltaId, FaultKind, Measurement, StateId, Stop};
use trueup_loop_core::{Command, Event, Rung};
use trueup_rubric::{Reading, Scorecard};
use trueup_score::{Points, Truth};

/// A mistake that is made on purpose, to see whether a search would find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bug {
    /// The budgets are looked at before the pass.
    GuardBeforePass,
    /// Open regions that are unknown equal each other.
    UnknownEqualsUnknown,
    /// An iteration is charged when it has ended, and not when it begins.
    ChargeAfterAction,
}

/// The rules of our preset and of pixel-loop's, with or without a judge of one axis, written as naively as they read.
///
/// It is given what was asked and answered in a run, in order, and says what the run must have come to. It shares no code
/// with the engine, has no memory between two runs, and clones whatever is easier to clone. People, ladders and noise are not
/// in it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Model {
    /// Iterations that may be spent.
    pub cap: u32,
    /// Restarts that may be spent.
    pub restarts: u32,
    /// Retries that may be spent.
    pub retries: u32,
    /// Trials that may be spent.
    pub trials: u32,
    /// Whether regions that come back are oscillation even when the score falls.
    pub pixel_loop: bool,
    /// The axis that a judge scores and its floor, where a judge takes part.
    pub axis: Option<(String, Points)>,
    /// A mistake that is made on purpose.
    pub bug: Option<Bug>,
}

/// What a run came to, as far as the model knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Came {
    /// Every stop that held.
    pub stops: BTreeSet<Stop>,
    /// Iterations that were spent.
    pub iterations: u32,
    /// Restarts that were spent.
    pub restarts: u32,
    /// Retries that were spent.
    pub retries: u32,
    /// Trials that were spent.
    pub trials: u32,
    /// The best state, and the iteration that reached it.
    pub best: Option<(StateId, u32)>,
    /// The open score of each iteration.
    pub scores: Vec<Option<Points>>,
}

/// The model expected something else than what was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    what: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Disagreement {}

impl Model {
    /// The rules of our preset with this cap, its own other limits, and no judge.
    #[must_use]
    pub const fn new(cap: u32) -> Self {
        Self { cap, restarts: 2, retries: 2, trials: 600, pixel_loop: false, axis: None, bug: None }
    }

    /// The model with pixel-loop's rule of oscillation.
    #[must_use]
    pub fn pixel_loop(self) -> Self {
        Self { pixel_loop: true, ..self }
    }

    /// The model with a judge of one axis.
    #[must_use]
    pub fn judged(self, axis: &str, floor: Points) -> Self {
        Self { axis: Some((axis.to_owned(), floor)), ..self }
    }

    /// The model with other limits for restarts, retries and trials.
    #[must_use]
    pub fn with_limits(self, restarts: u32, retries: u32, trials: u32) -> Self {
        Self { restarts, retries, trials, ..self }
    }

    /// The model with a mistake.
    #[must_use]
    pub fn with_bug(self, bug: Bug) -> Self {
        Self { bug: Some(bug), ..self }
    }

    /// What a run in which these commands were answered with these events must have come to.
    ///
    /// # Errors
    /// When something was asked that the model would not have asked, or the events end too early.
    pub fn run(&self, asked: &[(Command, Event)]) -> Result<Came, Disagreement> {
        let mut run = Run::new(self, asked);
        let end = match run.through() {
            Ok(never) => match never {},
            Err(Halt::Wrong(what)) => return Err(Disagreement { what }),
            Err(Halt::End(stops)) => stops,
        };
        run.came.stops = end.into_iter().collect();
        match run.go_home() {
            Ok(()) => {}
            Err(Halt::End(stops)) => run.came.stops.extend(stops),
            Err(Halt::Wrong(what)) => return Err(Disagreement { what }),
        }
        match run.asked.next() {
            None => Ok(run.came),
            Some((command, _)) => {
                Err(Disagreement { what: format!("the run was over when {command:?} was asked") })
            }
        }
    }
}

enum Never {}

enum Halt {
    End(Vec<Stop>),
    Wrong(String),
}

/// Passing, then what is missing to the floor, then the open score.
type Rank = (bool, Reverse<Points>, Reverse<Points>);

#[derive(Clone)]
struct Entry {
    ids: Option<BTreeSet<DeltaId>>,
    merit: Option<Rank>,
}

struct Seen {
    measurement: Measurement,
    judged: Truth,
    short: Points,
}

struct Run<'a> {
    model: &'a Model,
    asked: std::slice::Iter<'a, (Command, Event)>,
    last: Option<&'a Command>,
    came: Came,
    current: Option<StateId>,
    initial: Option<StateId>,
    best: Option<(StateId, Rank, BTreeSet<DeltaId>)>,
    history: Vec<Entry>,
    tried: Vec<(BTreeSet<DeltaId>, StateId)>,
    rung: u32,
}

impl<'a> Run<'a> {
    fn new(model: &'a Model, asked: &'a [(Command, Event)]) -> Self {
        Self {
            model,
            asked: asked.iter(),
            last: None,
            came: Came::default(),
            current: None,
            initial: None,
            best: None,
            history: Vec::new(),
            tried: Vec::new(),
            rung: 0,
        }
    }

    /// The answer to what is asked next, which must be `expected`. Faults that may pass are asked again here.
    fn ask(&mut self, expected: &str) -> Result<&'a Event, Halt> {
        loop {
            let Some((command, event)) = self.asked.next() else {
                return Err(Halt::Wrong(format!("{expected} was to be asked, and nothing was")));
            };
            if name(command) != expected {
                return Err(Halt::Wrong(format!("{expected} was to be asked, and not {command:?}")));
            }
            self.last = Some(command);
            match event {
                Event::Cancelled => {
                    if expected == "restore" || expected == "revise" {
                        self.current = None;
                    }
                    if expected == "revise" {
                        self.charge_late();
                    }
                    return Err(Halt::End(vec![Stop::Cancelled]));
                }
                Event::Failed { fault } if fault.kind.is_worth_a_retry() && self.retry() => {}
                Event::Failed { fault } if fault.kind == FaultKind::StateLost => {
                    return Err(Halt::End(vec![Stop::StateLost]));
                }
                event => return Ok(event),
            }
        }
    }

    fn retry(&mut self) -> bool {
        let left = self.came.retries < self.model.retries;
        self.came.retries += u32::from(left);
        left
    }

    fn unavailable(&self, stop: Stop) -> Halt {
        let mut stops = vec![stop];
        if self.came.iterations >= self.model.cap {
            stops.push(Stop::CapExhausted);
        }
        Halt::End(stops)
    }

    fn through(&mut self) -> Result<Never, Halt> {
        match self.ask("read")? {
            Event::Read { state, labels } => {
                self.initial = Some(state.clone());
                self.current = Some(state.clone());
                if labels.is_empty() {
                    return Err(Halt::End(vec![Stop::NoComparableChannel]));
                }
                if labels.iter().all(|label| label.problem().is_some()) {
                    return Err(Halt::End(vec![Stop::ReferenceUnreadable]));
                }
            }
            _ => return Err(self.unavailable(Stop::ComparerUnavailable)),
        }
        self.rung = 0;
        let seen = self.measure(0, false)?;
        self.conclude(seen, false)?;
        loop {
            self.iterate()?;
        }
    }

    fn iterate(&mut self) -> Result<(), Halt> {
        self.rung = 0;
        if self.current != self.home() {
            self.restore()?;
        }
        let number = self.came.iterations + 1;
        if self.model.bug != Some(Bug::ChargeAfterAction) {
            self.came.iterations += 1;
        }
        let targets = self.best.as_ref().map(|best| best.2.clone()).unwrap_or_default();
        let (mut seen, mut no_change) = (None, false);
        match self.revise()? {
            Event::Revised { state, .. } if Some(state) == self.current.as_ref() => no_change = true,
            Event::Revised { state, .. } => {
                self.current = Some(state.clone());
                let patch = (targets, state.clone());
                if !self.tried.contains(&patch) {
                    self.tried.push(patch);
                    seen = self.measure(number, true)?;
                }
            }
            Event::NothingToRevise { .. } => no_change = true,
            Event::Rejected { .. } => {}
            Event::Failed { fault } if fault.kind == FaultKind::Rejected => {}
            Event::Failed { fault } if fault.kind == FaultKind::NotApplied => {
                return Err(Halt::End(vec![Stop::ApplyError]));
            }
            Event::Failed { .. } => return Err(self.unavailable(Stop::ReviserUnavailable)),
            other => return Err(Halt::Wrong(format!("{other:?} is not in the model"))),
        }
        self.charge_late();
        self.conclude(seen, no_change)
    }

    fn charge_late(&mut self) {
        if self.model.bug == Some(Bug::ChargeAfterAction) && self.history.len() as u32 > self.came.iterations
        {
            self.came.iterations += 1;
        }
    }

    /// The revision, with the trials that were made on the way to it.
    fn revise(&mut self) -> Result<&'a Event, Halt> {
        loop {
            let Some((aside, event)) = self.asked.as_slice().first() else { return self.ask("revise") };
            match aside {
                Command::Trial { .. } => self.came.trials += 1,
                Command::Reload { rung } => {
                    self.rung = height(*rung);
                    self.came.restarts += 1;
                }
                _ => return self.ask("revise"),
            }
            self.asked.next();
            if *event == Event::Cancelled {
                self.current = None;
                return Err(Halt::End(vec![Stop::Cancelled]));
            }
        }
    }

    /// What is seen of the current state; `None` when the capture failed because of the revision.
    fn measure(&mut self, number: u32, reload: bool) -> Result<Option<Seen>, Halt> {
        let mut reload = reload;
        loop {
            if reload {
                match self.ask("reload")? {
                    Event::Reloaded => {}
                    Event::Failed { fault } if fault.kind == FaultKind::Lost => {
                        self.climb()?;
                        continue;
                    }
                    _ => return Err(self.unavailable(Stop::CapturerUnavailable)),
                }
            }
            reload = true;
            match self.ask("capture")? {
                Event::Captured => {}
                Event::Failed { fault } if fault.kind == FaultKind::Lost => {
                    self.climb()?;
                    continue;
                }
                Event::Failed { fault } if fault.kind == FaultKind::Rejected && number > 0 => {
                    return Ok(None);
                }
                _ => return Err(self.unavailable(Stop::CapturerUnavailable)),
            }
            let measurement = match self.ask("compare")? {
                Event::Compared { measurement } => measurement.clone(),
                Event::Failed { fault } if fault.kind == FaultKind::Lost => {
                    self.climb()?;
                    continue;
                }
                _ => return Err(self.unavailable(Stop::ComparerUnavailable)),
            };
            let Some((axis, floor)) = &self.model.axis else {
                return Ok(Some(Seen { measurement, judged: Truth::Pass, short: Points::ZERO }));
            };
            loop {
                match self.ask("judge")? {
                    Event::Judged { judgement } => match score(&judgement.card, axis) {
                        Some(score) => {
                            let short = floor.saturating_sub(score).max(Points::ZERO);
                            let judged = Truth::from(short == Points::ZERO);
                            return Ok(Some(Seen { measurement, judged, short }));
                        }
                        None if self.retry() => {}
                        None => return Err(self.unavailable(Stop::JudgeUnavailable)),
                    },
                    Event::Failed { fault } if fault.kind == FaultKind::Lost => {
                        self.climb()?;
                        break;
                    }
                    _ => return Err(self.unavailable(Stop::JudgeUnavailable)),
                }
            }
        }
    }

    fn climb(&mut self) -> Result<(), Halt> {
        if self.rung == 2 || self.came.restarts == self.model.restarts {
            return Err(Halt::End(vec![Stop::ReloadExhausted]));
        }
        self.rung += 1;
        self.came.restarts += 1;
        Ok(())
    }

    /// What the iteration came to, and whether another one follows.
    fn conclude(&mut self, seen: Option<Seen>, no_change: bool) -> Result<(), Halt> {
        let mut entry = Entry { ids: None, merit: None };
        let mut stops = BTreeSet::new();
        let mut passes = false;
        if let Some(Seen { measurement, judged, short }) = &seen {
            passes = measurement.truth() == Truth::Pass && *judged == Truth::Pass;
            if measurement.channels().is_empty() {
                stops.insert(Stop::NoComparableChannel);
            }
            let comparable = measurement.comparable_truth() == Truth::Pass && *judged == Truth::Pass;
            if comparable && measurement.not_comparable().count() > 0 {
                stops.insert(Stop::DesignSide);
            }
            if let Some(score) = measurement.score() {
                entry.ids = Some(measurement.delta_ids());
                entry.merit = Some((passes, Reverse(*short), Reverse(score)));
            }
        }
        self.came.scores.push(entry.merit.map(|(_, _, Reverse(score))| score));
        if let (Some(merit), Some(state)) = (entry.merit, &self.current)
            && self.best.as_ref().is_none_or(|best| merit > best.1)
        {
            self.best = Some((state.clone(), merit, entry.ids.clone().unwrap_or_default()));
            let number = self.history.len() as u32;
            self.came.best = Some((state.clone(), number));
        }
        self.history.push(entry);
        if passes {
            stops.insert(Stop::Converged);
        }
        let newest = self.history.len() - 1;
        if newest >= 3 && !self.improved(newest) && !self.improved(newest - 1) {
            stops.insert(Stop::Stalled);
        }
        if self.repeats(newest) {
            stops.insert(Stop::Oscillating);
        }
        if no_change {
            let spent = self.came.trials >= self.model.trials;
            stops.insert(if spent { Stop::BudgetExhausted } else { Stop::NoOps });
        }
        if self.came.iterations >= self.model.cap {
            stops.insert(Stop::CapExhausted);
            if self.model.bug == Some(Bug::GuardBeforePass) {
                stops.remove(&Stop::Converged);
            }
        }
        if stops.is_empty() { Ok(()) } else { Err(Halt::End(stops.into_iter().collect())) }
    }

    fn improved(&self, number: usize) -> bool {
        let Some(merit) = self.history[number].merit else { return false };
        match self.history[..number].iter().rev().find_map(|entry| entry.merit) {
            Some(before) => merit > before,
            None => true,
        }
    }

    fn repeats(&self, number: usize) -> bool {
        if number < 2 || (!self.model.pixel_loop && self.improved(number)) {
            return false;
        }
        let before = &self.history[number.saturating_sub(3)..number];
        match &self.history[number].ids {
            None => {
                self.model.bug == Some(Bug::UnknownEqualsUnknown)
                    && before.iter().any(|entry| entry.ids.is_none())
            }
            Some(ids) => !ids.is_empty() && before.iter().any(|entry| entry.ids.as_ref() == Some(ids)),
        }
    }

    fn home(&self) -> Option<StateId> {
        self.best.as_ref().map(|best| best.0.clone()).or_else(|| self.initial.clone())
    }

    fn restore(&mut self) -> Result<(), Halt> {
        let home = self.home();
        match self.ask("restore")? {
            Event::Restored => match self.last {
                Some(Command::Restore { to }) if Some(to) == home.as_ref() => {
                    self.current = home;
                    Ok(())
                }
                other => Err(Halt::Wrong(format!("{home:?} was to be restored, and not {other:?}"))),
            },
            _ => Err(Halt::End(vec![Stop::StateLost])),
        }
    }

    fn go_home(&mut self) -> Result<(), Halt> {
        if self.came.stops.contains(&Stop::StateLost) || self.current == self.home() {
            return Ok(());
        }
        self.restore()
    }
}

fn score(card: &Scorecard, axis: &str) -> Option<Points> {
    match card.reading(axis) {
        Reading::Scored(score) => Some(*score),
        _ => None,
    }
}

const fn name(command: &Command) -> &'static str {
    match command {
        Command::Read { .. } => "read",
        Command::Restore { .. } => "restore",
        Command::Revise { .. } => "revise",
        Command::Reload { .. } => "reload",
        Command::Capture { .. } => "capture",
        Command::Compare { .. } => "compare",
        Command::Judge { .. } => "judge",
        Command::Ask { .. } => "ask",
        Command::Trial { .. } => "trial",
    }
}

const fn height(rung: Rung) -> u32 {
    match rung {
        Rung::Reload => 0,
        Rung::Restart => 1,
        Rung::Relaunch => 2,
    }
}
