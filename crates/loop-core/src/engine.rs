//! The state machine.

use std::collections::{BTreeMap, BTreeSet};

use trueup_contract::{
    Channel, DeltaId, FaultKind, History, Iteration, IterationKind, LabelReadiness, LoopContract,
    Measurement, StateId, Stop,
};
use trueup_score::{Points, Truth};

use crate::command::{Attempt, Charge, Command, Rung, Step};
use crate::decide::{self, View};
use crate::error::{ProtocolError, ProtocolErrorKind, RestoreError};
use crate::event::{Event, PortFault, Rejection};
use crate::standing::Standing;
use crate::{Best, Budget, Node, Note, Outcome, Rank, Record};

/// A convergence loop as a pure state machine.
///
/// The methods fall into three kinds, to be called in this order, over and over:
///
/// 1. [`step`](Self::step) says what to do. It changes nothing.
/// 2. [`commit`](Self::commit) takes the charge that `step` gave, once its record is written, and gives the command.
/// 3. [`apply`](Self::apply) takes what came of the command and gives the record to write.
///
/// While a reviser is at work, [`charge_trial`](Self::charge_trial) may be called in between, and its charge committed
/// and answered like any other. The getters can be called at any time.
///
/// An error from any of these leaves the engine as it was.
#[derive(Clone, Debug)]
pub struct Engine {
    contract: LoopContract,
    history: History,
    budget: Budget,
    phase: Phase,
    out: Option<(Attempt, Command)>,
    trial: Option<(Attempt, StateId)>,
    attempts: u64,
    /// The newest iteration that was begun.
    iteration: u32,
    /// The hardest rung that was used in this iteration.
    rung: Rung,
    /// The state that the artifact was in when the run began.
    initial: Option<StateId>,
    /// The state that the artifact is in.
    current: Option<StateId>,
    best: Option<Standing>,
    /// What was compared in this iteration, kept for the judge and the decision.
    measured: Option<Measurement>,
    /// States that a revision led to, by the open regions that it was made for.
    tried: BTreeMap<BTreeSet<DeltaId>, Vec<StateId>>,
    literal_reverted: u32,
    stops: Vec<Stop>,
    fault: Option<String>,
}

/// Which command comes next, or is out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Read,
    RestoreBest,
    Revise,
    Reload(Rung),
    Capture,
    Compare,
    Judge,
    RestoreAtEnd,
    Done,
}

impl Phase {
    /// Steps to the end of the iteration: falls along the chain.
    const fn steps_left(self) -> u8 {
        match self {
            Self::Read => 10,
            Self::RestoreBest => 9,
            Self::Revise => 8,
            Self::Reload(Rung::Reload) => 7,
            Self::Reload(Rung::Restart) => 6,
            Self::Reload(Rung::Relaunch) => 5,
            Self::Capture => 4,
            Self::Compare => 3,
            Self::Judge => 2,
            Self::RestoreAtEnd => 1,
            Self::Done => 0,
        }
    }
}

/// An event that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Applied {
    /// What to write before anything else is done.
    pub record: Record,
    /// What to log about it.
    pub notes: Vec<Note>,
}

impl Engine {
    /// A run that has not begun.
    #[must_use]
    pub fn new(contract: LoopContract) -> Self {
        Self {
            budget: Budget::of(contract.limits()),
            contract,
            history: History::new(),
            phase: Phase::Read,
            out: None,
            trial: None,
            attempts: 0,
            iteration: 0,
            rung: Rung::Reload,
            initial: None,
            current: None,
            best: None,
            measured: None,
            tried: BTreeMap::new(),
            literal_reverted: 0,
            stops: Vec::new(),
            fault: None,
        }
    }

    /// The run that left these records, exactly as it was after the last of them.
    ///
    /// A command that was charged and not answered is out again, under the same attempt and without a new charge.
    ///
    /// # Errors
    /// When a record does not follow from those before it: the records are of another run or another contract.
    pub fn restore<'a>(
        contract: LoopContract,
        records: impl IntoIterator<Item = &'a Record>,
    ) -> Result<Self, RestoreError> {
        let mut engine = Self::new(contract);
        for (index, record) in records.into_iter().enumerate() {
            engine.replay(record).map_err(|cause| RestoreError { index, cause })?;
        }
        Ok(engine)
    }

    fn replay(&mut self, record: &Record) -> Result<(), ProtocolError> {
        match record {
            Record::Charged { attempt, command: Command::Trial { state } } => {
                let charge = self.charge_trial(state.clone())?;
                self.expect(*attempt, &charge)?;
                self.commit(charge).map(drop)
            }
            Record::Charged { attempt, command } => match self.step() {
                Step::Persist(charge) if charge.command == *command => {
                    self.expect(*attempt, &charge)?;
                    self.commit(charge).map(drop)
                }
                _ => Err(ProtocolError::new(ProtocolErrorKind::NotCharged { attempt: *attempt })),
            },
            Record::Happened { attempt, event } => self.apply(*attempt, event.clone()).map(drop),
        }
    }

    fn expect(&self, attempt: Attempt, charge: &Charge) -> Result<(), ProtocolError> {
        if charge.attempt == attempt {
            Ok(())
        } else {
            Err(ProtocolError::new(ProtocolErrorKind::NotCharged { attempt }))
        }
    }

    /// What has to be done for the run to go on. Changes nothing, so it may be called as often as one likes.
    #[must_use]
    pub fn step(&self) -> Step {
        if self.out.is_some() || self.trial.is_some() {
            return Step::Wait;
        }
        match self.next_command() {
            Some(command) => Step::Persist(Charge { attempt: Attempt(self.attempts + 1), command }),
            None => Step::Done(self.outcome()),
        }
    }

    /// The command that the phase asks for; `None` when the run is over.
    fn next_command(&self) -> Option<Command> {
        // The artifact's state is known in every phase after `Read`.
        let state = || self.current.clone();
        let iteration = self.iteration;
        match self.phase {
            Phase::Read => Some(Command::Read),
            Phase::RestoreBest | Phase::RestoreAtEnd => Some(Command::Restore { to: self.home()?.clone() }),
            Phase::Revise => {
                let targets = self.best.as_ref().map(|best| best.measurement.delta_ids()).unwrap_or_default();
                let tried = self.tried.get(&targets).cloned().unwrap_or_default();
                Some(Command::Revise { iteration, from: state()?, targets, tried })
            }
            Phase::Reload(rung) => Some(Command::Reload { rung }),
            Phase::Capture => Some(Command::Capture { iteration, state: state()? }),
            Phase::Compare => Some(Command::Compare { iteration, state: state()? }),
            Phase::Judge => Some(Command::Judge { iteration, state: state()? }),
            Phase::Done => None,
        }
    }

    /// Takes the charge that [`step`](Self::step) or [`charge_trial`](Self::charge_trial) gave, whose record has been
    /// written, and gives the command to carry out.
    ///
    /// # Errors
    /// When the engine asks for something else by now.
    pub fn commit(&mut self, charge: Charge) -> Result<Command, ProtocolError> {
        let Charge { attempt, command } = charge;
        let refused = || ProtocolError::new(ProtocolErrorKind::NotCharged { attempt });
        if attempt.0 != self.attempts + 1 || self.trial.is_some() {
            return Err(refused());
        }
        if let Command::Trial { state } = &command {
            if !self.is_revising() || !self.budget.trials.take() {
                return Err(refused());
            }
            self.trial = Some((attempt, state.clone()));
        } else {
            if self.out.is_some() || self.next_command().as_ref() != Some(&command) {
                return Err(refused());
            }
            self.out = Some((attempt, command.clone()));
        }
        self.attempts = attempt.0;
        Ok(command)
    }

    /// A charge for measuring a state that the reviser at work tries out.
    ///
    /// # Errors
    /// When no reviser is at work, another trial is out, or none is left.
    pub fn charge_trial(&self, state: StateId) -> Result<Charge, ProtocolError> {
        if !self.is_revising() || self.trial.is_some() {
            return Err(ProtocolError::new(ProtocolErrorKind::NoTrialNow));
        }
        if self.budget.trials.left() == 0 {
            return Err(ProtocolError::new(ProtocolErrorKind::NoTrialLeft));
        }
        Ok(Charge { attempt: Attempt(self.attempts + 1), command: Command::Trial { state } })
    }

    fn is_revising(&self) -> bool {
        matches!(self.out, Some((_, Command::Revise { .. })))
    }

    /// Takes what came of the command that is out, and gives the record to write and the notes to log.
    ///
    /// # Errors
    /// When the attempt is not out (its answer is late or came twice) or the event does not answer its command.
    pub fn apply(&mut self, attempt: Attempt, event: Event) -> Result<Applied, ProtocolError> {
        let record = Record::Happened { attempt, event: event.clone() };
        if event == Event::Cancelled {
            return self.cancel(attempt, record);
        }
        if let Some((trial, _)) = &self.trial {
            return match event {
                Event::Tried { .. } if *trial == attempt => {
                    self.trial = None;
                    Ok(Applied { record, notes: Vec::new() })
                }
                _ => Err(ProtocolError::new(ProtocolErrorKind::NotOut { attempt })),
            };
        }
        let Some((_, command)) = self.out.take_if(|(out, _)| *out == attempt) else {
            return Err(ProtocolError::new(ProtocolErrorKind::NotOut { attempt }));
        };
        let mut notes = Vec::new();
        match (&command, event) {
            (_, Event::Failed { fault }) => self.failed(&command, fault, &mut notes),
            (Command::Read, Event::Read { state, labels }) => self.read(state, &labels, &mut notes),
            (Command::Restore { to }, Event::Restored) => self.restored(to.clone(), &mut notes),
            (Command::Revise { targets, .. }, Event::Revised { state, note }) => {
                self.revised(targets.clone(), state, note, &mut notes);
            }
            (Command::Revise { .. }, Event::Rejected { why, note }) => self.rejected(why, &note, &mut notes),
            (Command::Revise { .. }, Event::NothingToRevise { note }) => {
                self.nothing_to_revise(note, &mut notes);
            }
            (Command::Reload { rung }, Event::Reloaded) => {
                self.note(&mut notes, Node::Reload, None, format!("{rung:?}").to_lowercase());
                self.phase = Phase::Capture;
            }
            (Command::Capture { .. }, Event::Captured) => {
                self.note(&mut notes, Node::Capture, None, String::new());
                self.note(
                    &mut notes,
                    Node::CaptureGate,
                    Some(Truth::Pass),
                    "every comparable label".to_owned(),
                );
                self.phase = Phase::Compare;
            }
            (Command::Compare { .. }, Event::Compared { measurement }) => {
                self.compared(measurement, &mut notes);
            }
            (Command::Judge { .. }, Event::Judged { card }) => self.judged(&command, &card, &mut notes),
            _ => {
                self.out = Some((attempt, command.clone()));
                let command = Box::new(command);
                return Err(ProtocolError::new(ProtocolErrorKind::WrongAnswer { command }));
            }
        }
        Ok(Applied { record, notes })
    }

    fn read(&mut self, state: StateId, labels: &[LabelReadiness], notes: &mut Vec<Note>) {
        self.note(notes, Node::Read, None, format!("{} labels, state {}", labels.len(), state.short()));
        self.initial = Some(state.clone());
        self.current = Some(state);
        let problems: Vec<String> = labels
            .iter()
            .filter_map(|label| Some(format!("{}: {}", label.label(), label.problem()?)))
            .collect();
        let truth = if problems.len() < labels.len() { Truth::Pass } else { Truth::Undetermined };
        let text =
            if problems.is_empty() { "every reference can be read".to_owned() } else { problems.join("; ") };
        self.note(notes, Node::ReadGate, Some(truth), text.clone());
        if truth.is_pass() {
            self.phase = Phase::Capture;
        } else {
            let stop = if labels.is_empty() { Stop::NoComparableChannel } else { Stop::ReferenceUnreadable };
            self.fault = Some(text);
            self.finish(vec![stop]);
        }
    }

    fn restored(&mut self, to: StateId, notes: &mut Vec<Note>) {
        self.note(notes, Node::Restore, None, format!("state {}", to.short()));
        self.current = Some(to);
        self.phase = if self.phase == Phase::RestoreAtEnd { Phase::Done } else { Phase::Revise };
    }

    fn revised(&mut self, targets: BTreeSet<DeltaId>, state: StateId, text: String, notes: &mut Vec<Note>) {
        if self.current.as_ref() == Some(&state) {
            self.nothing_to_revise(text, notes);
            return;
        }
        self.note(notes, Node::Write, None, text.clone());
        self.current = Some(state.clone());
        let tried = self.tried.entry(targets).or_default();
        if tried.contains(&state) {
            self.reverted(Rejection::Repeated, &text, notes);
            return;
        }
        tried.push(state);
        self.note(notes, Node::WriteGate, Some(Truth::Pass), String::new());
        self.phase = Phase::Reload(Rung::Reload);
    }

    fn rejected(&mut self, why: Rejection, text: &str, notes: &mut Vec<Note>) {
        self.literal_reverted += u32::from(why == Rejection::Literal);
        self.note(notes, Node::Write, None, text.to_owned());
        self.reverted(why, text, notes);
    }

    /// A charged iteration whose revision does not stand (R6).
    fn reverted(&mut self, why: Rejection, text: &str, notes: &mut Vec<Note>) {
        self.note(notes, Node::WriteGate, Some(Truth::Fail), format!("taken back: {why}"));
        self.conclude_unmeasured(IterationKind::Reverted { why: format!("{why}: {text}") }, notes);
    }

    fn nothing_to_revise(&mut self, text: String, notes: &mut Vec<Note>) {
        self.note(notes, Node::Write, None, format!("no change: {text}"));
        self.conclude_unmeasured(IterationKind::NoChange { why: text }, notes);
    }

    fn compared(&mut self, measurement: Measurement, notes: &mut Vec<Note>) {
        let before = self.history.scores().flatten().last();
        self.note(notes, Node::Compare, None, describe(&measurement, before));
        self.measured = Some(measurement);
        if self.contract.rubric().is_some() {
            self.phase = Phase::Judge;
        } else {
            self.conclude_measured(None, notes);
        }
    }

    fn judged(&mut self, command: &Command, card: &trueup_rubric::Scorecard, notes: &mut Vec<Note>) {
        // A judge is only asked when the contract has a rubric.
        let Some(rubric) = self.contract.rubric() else { return };
        let verdict = rubric.hold(card);
        let text = format!("failing: {:?}, unscored: {:?}", verdict.failing(), verdict.unscored());
        self.note(notes, Node::Judge, Some(verdict.truth()), text.clone());
        if verdict.truth() == Truth::Undetermined {
            // What was not scored cannot be decided on, and asking again may help.
            self.failed(command, PortFault::new(FaultKind::Transient, text), notes);
        } else {
            self.conclude_measured(Some(verdict), notes);
        }
    }

    /// The end of an iteration that was captured and compared.
    fn conclude_measured(&mut self, verdict: Option<trueup_rubric::Verdict>, notes: &mut Vec<Note>) {
        let (Some(state), Some(measurement)) = (self.current.clone(), self.measured.clone()) else { return };
        let judged = verdict.as_ref().map_or(Truth::Pass, trueup_rubric::Verdict::truth);
        let mut entry = Iteration::unknown(self.iteration, state, IterationKind::Measured);
        entry.truth = measurement.truth().and(judged);
        entry.score = measurement.score();
        entry.delta_ids = measurement.score().map(|_| measurement.delta_ids());
        if let Some(standing) = Standing::of(&entry, measurement, verdict) {
            let better = self.contract.better();
            if self.best.as_ref().is_none_or(|best| standing.beats(best, better)) {
                self.best = Some(standing);
            }
        }
        self.history.push(entry);
        self.decide(judged, notes);
    }

    /// The end of an iteration of which nothing was measured.
    fn conclude_unmeasured(&mut self, kind: IterationKind, notes: &mut Vec<Note>) {
        let Some(state) = self.current.clone() else { return };
        self.measured = None;
        self.history.push(Iteration::unknown(self.iteration, state, kind));
        self.decide(Truth::Undetermined, notes);
    }

    fn decide(&mut self, judged: Truth, notes: &mut Vec<Note>) {
        let view = View {
            contract: &self.contract,
            history: &self.history,
            budget: &self.budget,
            measured: self.measured.as_ref(),
            judged,
        };
        let (truth, stops) = (view.truth(), decide::stops(view));
        self.note(notes, Node::Converged, Some(truth), String::new());
        let listed: Vec<&str> = stops.iter().map(|stop| stop.as_str()).collect();
        let guard = Truth::from(stops.is_empty());
        self.note(notes, Node::Guard, Some(guard), listed.join(", "));
        self.note(notes, Node::Record, None, String::new());
        if stops.is_empty() {
            self.begin_iteration(notes);
        } else {
            self.finish(stops);
        }
    }

    fn begin_iteration(&mut self, notes: &mut Vec<Note>) {
        // The guard has just seen that one is left.
        let _left = self.budget.iterations.take();
        self.iteration += 1;
        self.measured = None;
        self.rung = Rung::Reload;
        let at_home = self.home() == self.current.as_ref();
        self.phase = if at_home { Phase::Revise } else { Phase::RestoreBest };
        if let Some(best) = &self.best {
            let ids: Vec<String> = best.measurement.delta_ids().into_iter().map(String::from).collect();
            self.note(notes, Node::JudgeRegions, Some(Truth::from(!ids.is_empty())), ids.join(", "));
        }
    }

    /// Ends the run, by way of the best state.
    fn finish(&mut self, mut stops: Vec<Stop>) {
        stops.extend(self.stops.iter().copied());
        stops.sort_unstable();
        stops.dedup();
        let lost = stops.contains(&Stop::StateLost);
        self.stops = stops;
        let at_home = self.home() == self.current.as_ref();
        self.phase = if at_home || lost { Phase::Done } else { Phase::RestoreAtEnd };
    }

    fn failed(&mut self, command: &Command, fault: PortFault, notes: &mut Vec<Note>) {
        let node = node_of(command);
        self.note(notes, node, Some(Truth::Undetermined), fault.to_string());
        if fault.kind == FaultKind::StateLost || matches!(command, Command::Restore { .. }) {
            if fault.kind.is_worth_a_retry() && self.budget.retries.take() {
                return;
            }
            self.fault = Some(fault.to_string());
            self.finish(vec![Stop::StateLost]);
            return;
        }
        if fault.kind.is_worth_a_retry() && self.budget.retries.take() {
            return;
        }
        match (command, fault.kind) {
            // After a resume the captures of a comparison or a judgement are taken again, and may lose the renderer, too.
            (
                Command::Capture { .. }
                | Command::Reload { .. }
                | Command::Compare { .. }
                | Command::Judge { .. },
                FaultKind::Lost,
            ) => self.climb(&fault),
            (Command::Revise { .. }, FaultKind::NotApplied) => {
                self.fault = Some(fault.to_string());
                self.finish(vec![Stop::ApplyError]);
            }
            (Command::Capture { iteration, .. }, FaultKind::Rejected) if *iteration > 0 => {
                self.note(notes, Node::CaptureGate, Some(Truth::Fail), fault.message.clone());
                self.conclude_unmeasured(IterationKind::CaptureFailed { why: fault.message }, notes);
            }
            (Command::Revise { .. }, FaultKind::Rejected) => {
                self.rejected(Rejection::NotApplicable, &fault.message, notes);
            }
            _ => {
                self.fault = Some(fault.to_string());
                self.end_without_answer(command);
            }
        }
    }

    /// A port that does not answer usefully ends the run; what is known by then still counts.
    fn end_without_answer(&mut self, command: &Command) {
        let stop = match command {
            Command::Read | Command::Compare { .. } => Stop::ComparerUnavailable,
            Command::Capture { .. } | Command::Reload { .. } => Stop::CapturerUnavailable,
            Command::Judge { .. } => Stop::JudgeUnavailable,
            Command::Revise { .. } | Command::Trial { .. } => Stop::ReviserUnavailable,
            Command::Restore { .. } => Stop::StateLost,
        };
        let mut stops = vec![stop];
        if self.budget.iterations.left() == 0 {
            stops.push(Stop::CapExhausted);
        }
        self.finish(stops);
    }

    /// The next rung of the restart ladder, where one is left; none is used twice in one iteration.
    fn climb(&mut self, fault: &PortFault) {
        match self.rung.next() {
            Some(rung) if self.budget.restarts.take() => {
                self.rung = rung;
                self.phase = Phase::Reload(rung);
            }
            _ => {
                self.fault = Some(fault.to_string());
                self.finish(vec![Stop::ReloadExhausted]);
            }
        }
    }

    fn cancel(&mut self, attempt: Attempt, record: Record) -> Result<Applied, ProtocolError> {
        // A run that is on its way out ends by itself; calling it off again would change nothing.
        if matches!(self.phase, Phase::RestoreAtEnd | Phase::Done) || attempt.0 != self.attempts {
            return Err(ProtocolError::new(ProtocolErrorKind::NotOut { attempt }));
        }
        if matches!(self.out, Some((_, Command::Restore { .. } | Command::Revise { .. }))) {
            // What was cut short may have left anything behind.
            self.current = None;
        }
        self.out = None;
        self.trial = None;
        let mut notes = Vec::new();
        self.note(&mut notes, Node::Record, None, "cancelled".to_owned());
        self.finish(vec![Stop::Cancelled]);
        Ok(Applied { record, notes })
    }

    /// How the run ended, or how it would end if it ended now.
    fn outcome(&self) -> Outcome {
        Outcome {
            stops: self.stops.clone(),
            best: self.best(),
            score_history: self.history.scores().collect(),
            budget: self.budget,
            literal_patches_reverted: self.literal_reverted,
            fault: self.fault.clone(),
        }
    }

    /// How the run ends when whoever drives it cannot go on, for the reason that `stop` names.
    #[must_use]
    pub fn interrupted(&self, stop: Stop) -> Outcome {
        let mut outcome = self.outcome();
        outcome.stops.push(stop);
        outcome.stops.sort_unstable();
        outcome.stops.dedup();
        outcome
    }

    /// The best state seen so far; valid at any moment.
    #[must_use]
    pub fn best(&self) -> Option<Best> {
        let best = self.best.as_ref()?;
        Some(Best {
            state: best.state.clone(),
            iteration: best.iteration,
            score: best.measurement.score(),
            residual: best.measurement.delta_ids(),
            channels: best.measurement.channels(),
            not_comparable: best
                .measurement
                .not_comparable()
                .map(|(label, why)| (label.to_string(), why.to_owned()))
                .collect(),
        })
    }

    /// What was measured of the best state; what a revision works from.
    #[must_use]
    pub fn best_measurement(&self) -> Option<&Measurement> {
        self.best.as_ref().map(|best| &best.measurement)
    }

    /// The command that is out, to be carried out again after a resume.
    #[must_use]
    pub fn outstanding(&self) -> Option<(Attempt, &Command)> {
        self.out.as_ref().map(|(attempt, command)| (*attempt, command))
    }

    /// The trial that is out.
    #[must_use]
    pub fn outstanding_trial(&self) -> Option<(Attempt, &StateId)> {
        self.trial.as_ref().map(|(attempt, state)| (*attempt, state))
    }

    /// The attempt that was charged last; what a cancellation names.
    #[must_use]
    pub const fn last_attempt(&self) -> Attempt {
        Attempt(self.attempts)
    }

    /// Revisions that were taken back because they write a literal where a token belongs.
    #[must_use]
    pub const fn literal_patches_reverted(&self) -> u32 {
        self.literal_reverted
    }

    /// The contract that the run is under.
    #[must_use]
    pub const fn contract(&self) -> &LoopContract {
        &self.contract
    }

    /// What each iteration came to so far.
    #[must_use]
    pub const fn history(&self) -> &History {
        &self.history
    }

    /// What was spent so far.
    #[must_use]
    pub const fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The newest iteration that was begun; 0 is the baseline.
    #[must_use]
    pub const fn iteration(&self) -> u32 {
        self.iteration
    }

    /// The state that the artifact is in, once it was read.
    #[must_use]
    pub const fn current(&self) -> Option<&StateId> {
        self.current.as_ref()
    }

    /// What the run can still do: strictly lower after every accepted charge and event.
    #[must_use]
    pub fn rank(&self) -> Rank {
        let steps = self.phase.steps_left() * 2;
        Rank {
            iterations_left: self.budget.iterations.left(),
            restarts_left: self.budget.restarts.left(),
            retries_left: self.budget.retries.left(),
            steps_left: if self.out.is_none() && steps > 0 { steps + 1 } else { steps },
            trials_left: self.budget.trials.left(),
            trial_out: self.trial.is_some(),
        }
    }

    /// The state that the run returns to: the best one seen, or the one that it began with.
    fn home(&self) -> Option<&StateId> {
        self.best.as_ref().map(|best| &best.state).or(self.initial.as_ref())
    }

    fn note(&self, notes: &mut Vec<Note>, node: Node, truth: Option<Truth>, text: String) {
        let cap = self.contract.limits().iterations.value();
        notes.push(Note::new(self.iteration, cap, node, truth, text));
    }
}

/// The step of the chain that carries out a command.
fn node_of(command: &Command) -> Node {
    match command {
        Command::Read => Node::Read,
        Command::Restore { .. } => Node::Restore,
        Command::Revise { .. } | Command::Trial { .. } => Node::Write,
        Command::Reload { .. } => Node::Reload,
        Command::Capture { .. } => Node::Capture,
        Command::Compare { .. } => Node::Compare,
        Command::Judge { .. } => Node::Judge,
    }
}

/// `score 96.0 → 0.0 · 0 open regions (channels=visual)`.
fn describe(measurement: &Measurement, before: Option<Points>) -> String {
    let print =
        |score: Option<Points>| score.map_or("unknown".to_owned(), |score| score.tenths().to_string());
    let mut text = "score ".to_owned();
    if let Some(before) = before {
        text.push_str(&format!("{} → ", before.tenths()));
    }
    let open = measurement.delta_ids().len();
    let channels: Vec<String> = measurement.channels().iter().map(Channel::to_string).collect();
    let plural = if open == 1 { "region" } else { "regions" };
    text.push_str(&format!(
        "{} · {open} open {plural} (channels={})",
        print(measurement.score()),
        channels.join(",")
    ));
    text
}
