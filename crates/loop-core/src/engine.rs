//! The state machine: what it knows, and the ways in.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use trueup_contract::{
    Answer, Approach, Budget, DeltaId, FindingKey, History, Judgement, LoopContract, Measurement, Question,
    StateId, Stop, Usage,
};

use crate::command::{Attempt, Charge, Command, JudgeWhy, Rung, Step};
use crate::decide::Seen;
use crate::error::{ProtocolError, ProtocolErrorKind, RestoreError};
use crate::event::Event;
use crate::phase::{Aside, Phase, Purpose};
use crate::standing::Standing;
use crate::{Note, Rank, Record, Split};

/// A convergence loop as a pure state machine.
///
/// The methods fall into three kinds, to be called in this order, over and over:
///
/// 1. [`step`](Self::step) says what to do. It changes nothing.
/// 2. [`commit`](Self::commit) takes the charge that `step` gave, once its record is written, and gives the command.
/// 3. [`apply`](Self::apply) takes what came of the command and gives the record to write.
///
/// While a reviser is at work, [`charge_trial`](Self::charge_trial) may be called in between, and its charge committed
/// and answered like any other; so may [`charge_recovery`](Self::charge_recovery), when a trial lost what renders. A run
/// that is done and waits for a person goes on when [`Event::Answered`] is applied under the last attempt. The getters can
/// be called at any time.
///
/// An error from any of these leaves the engine as it was.
#[derive(Clone, Debug)]
pub struct Engine {
    pub(crate) contract: LoopContract,
    /// Contracts that an answer may change to, by their hash.
    pub(crate) others: BTreeMap<String, LoopContract>,
    pub(crate) history: History,
    pub(crate) budget: Budget,
    pub(crate) usage: Usage,
    /// The latest time that was told; time that goes back adds nothing.
    pub(crate) clock: Option<Duration>,
    pub(crate) phase: Phase,
    pub(crate) purpose: Purpose,
    pub(crate) out: Option<(Attempt, Command)>,
    pub(crate) aside: Option<(Attempt, Aside)>,
    /// Whether a trial has lost what renders.
    pub(crate) lost: bool,
    pub(crate) attempts: u64,
    /// The newest iteration that was charged.
    pub(crate) iteration: u32,
    /// Whether the next iteration was decided on and is not charged yet.
    pub(crate) pending: bool,
    /// Whether an iteration that was decided on was never begun: the run will not begin it any more.
    pub(crate) forgone: bool,
    /// The hardest rung that was used in this iteration.
    pub(crate) rung: Rung,
    /// The state that the artifact was in when the run began.
    pub(crate) initial: Option<StateId>,
    /// The state that the artifact is in.
    pub(crate) current: Option<StateId>,
    pub(crate) best: Option<Standing>,
    /// The best state as it was measured under a judge that judges no more.
    pub(crate) stale: Option<Standing>,
    /// What was compared in this iteration, kept for the judge and the decision.
    pub(crate) measured: Option<Measurement>,
    /// What was said of the state so far, in this iteration.
    pub(crate) judgements: Vec<Judgement>,
    pub(crate) why: JudgeWhy,
    /// Who judged last.
    pub(crate) judge: Option<String>,
    pub(crate) seen: Option<Seen>,
    /// What only a person can decide, found in this iteration.
    pub(crate) blocked: BTreeSet<Stop>,
    /// States that a revision led to, by the open regions that it was made for.
    pub(crate) tried: BTreeMap<BTreeSet<DeltaId>, Vec<StateId>>,
    pub(crate) approach: Approach,
    pub(crate) focus: Option<String>,
    pub(crate) split: Option<Split>,
    /// Whether the newest revision is a slice.
    pub(crate) slicing: bool,
    /// Whether the best state should have been judged again, and could not be.
    pub(crate) unjudged: bool,
    pub(crate) grants_left: u32,
    pub(crate) granted: u32,
    pub(crate) question: Option<Question>,
    pub(crate) accepted_by: Option<String>,
    pub(crate) literal_reverted: u32,
    pub(crate) stops: Vec<Stop>,
    pub(crate) fault: Option<String>,
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
    ///
    /// A contract that can never be met ([`LoopContract::check`]) makes a run that ends as soon as it has begun, as
    /// `undetermined:invariant-breach`.
    #[must_use]
    pub fn new(contract: LoopContract) -> Self {
        Self {
            budget: Budget::of(contract.limits()),
            grants_left: u32::from(contract.ladder().is_some_and(|ladder| ladder.ends_in_decompose())),
            contract,
            others: BTreeMap::new(),
            history: History::new(),
            usage: Usage::NONE,
            clock: None,
            phase: Phase::Read,
            purpose: Purpose::Iterate,
            out: None,
            aside: None,
            lost: false,
            attempts: 0,
            iteration: 0,
            pending: false,
            forgone: false,
            rung: Rung::Reload,
            initial: None,
            current: None,
            best: None,
            stale: None,
            measured: None,
            judgements: Vec::new(),
            why: JudgeWhy::Score,
            judge: None,
            seen: None,
            blocked: BTreeSet::new(),
            tried: BTreeMap::new(),
            approach: Approach::SameFix,
            focus: None,
            split: None,
            slicing: false,
            unjudged: false,
            granted: 0,
            question: None,
            accepted_by: None,
            literal_reverted: 0,
            stops: Vec::new(),
            fault: None,
        }
    }

    /// The run with a contract that an answer may change to.
    #[must_use]
    pub fn with_contract(mut self, contract: LoopContract) -> Self {
        self.others.insert(contract.digest().to_string(), contract);
        self
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
        Self::new(contract).replay(records)
    }

    /// Folds records into a run that has not begun, as [`restore`](Self::restore) does; for runs that know further
    /// contracts.
    ///
    /// # Errors
    /// As [`restore`](Self::restore).
    pub fn replay<'a>(mut self, records: impl IntoIterator<Item = &'a Record>) -> Result<Self, RestoreError> {
        for (index, record) in records.into_iter().enumerate() {
            self.follow(record).map_err(|cause| RestoreError { index, cause })?;
        }
        Ok(self)
    }

    fn follow(&mut self, record: &Record) -> Result<(), ProtocolError> {
        match record {
            Record::Charged { attempt, command } => {
                let charge = match command {
                    Command::Trial { state } => self.charge_trial(state.clone())?,
                    Command::Reload { .. } if self.is_revising() => self.charge_recovery()?,
                    Command::Read { contract, rules } => {
                        self.recognise(contract, rules)?;
                        self.asked_for(*attempt)?
                    }
                    _ => self.asked_for(*attempt)?,
                };
                if charge.attempt != *attempt || charge.command != *command {
                    return Err(ProtocolError::new(ProtocolErrorKind::NotCharged { attempt: *attempt }));
                }
                self.commit(charge).map(drop)
            }
            Record::Happened { attempt, event, used } => self.take(*attempt, event.clone(), *used).map(drop),
        }
    }

    fn asked_for(&self, attempt: Attempt) -> Result<Charge, ProtocolError> {
        match self.step() {
            Step::Persist(charge) => Ok(charge),
            _ => Err(ProtocolError::new(ProtocolErrorKind::NotCharged { attempt })),
        }
    }

    /// Says by name why the records of another contract do not fit.
    fn recognise(&self, contract: &str, rules: &[String]) -> Result<(), ProtocolError> {
        let own = self.rule_ids();
        if let Some(id) = rules.iter().find(|id| !own.contains(id)) {
            return Err(ProtocolError::new(ProtocolErrorKind::UnknownRule { id: id.clone() }));
        }
        let expected = self.contract.digest().to_string();
        if contract == expected {
            return Ok(());
        }
        Err(ProtocolError::new(ProtocolErrorKind::AnotherContract { found: contract.to_owned(), expected }))
    }

    fn rule_ids(&self) -> Vec<String> {
        self.contract.rules().iter().map(|rule| rule.id()).collect()
    }

    /// What has to be done for the run to go on. Changes nothing, so it may be called as often as one likes.
    #[must_use]
    pub fn step(&self) -> Step {
        if self.out.is_some() || self.aside.is_some() {
            return Step::Wait;
        }
        match self.next_command() {
            Some(command) => Step::Persist(Charge { attempt: Attempt(self.attempts + 1), command }),
            None => Step::Done(self.outcome()),
        }
    }

    /// The command that the phase asks for; `None` when the run is over, or waits.
    fn next_command(&self) -> Option<Command> {
        // The artifact's state is known in every phase after `Read`.
        let state = || self.current.clone();
        let iteration = self.number();
        match self.phase {
            Phase::Read => {
                let contract = self.contract.digest().to_string();
                Some(Command::Read { contract, rules: self.rule_ids() })
            }
            Phase::Restore | Phase::RestoreAtEnd => {
                Some(Command::Restore { to: self.destination()?.clone() })
            }
            Phase::Revise => {
                let best = self.best.as_ref();
                let held = best.and_then(|best| best.held.as_ref());
                let targets = self.targets();
                let tried = self.tried.get(&targets).cloned().unwrap_or_default();
                Some(Command::Revise {
                    iteration,
                    from: state()?,
                    targets,
                    tried,
                    approach: self.approach,
                    focus: self.focus.clone(),
                    failing: held.map(|held| held.failing.clone()).unwrap_or_default(),
                    findings: self.findings(),
                })
            }
            Phase::Reload(rung) => Some(Command::Reload { rung }),
            Phase::Capture => Some(Command::Capture { iteration, state: state()? }),
            Phase::Compare => Some(Command::Compare { iteration, state: state()? }),
            Phase::Judge => Some(Command::Judge { iteration, state: state()?, why: self.why }),
            Phase::Ask => Some(Command::Ask { question: self.question.clone()? }),
            Phase::Awaiting | Phase::Done => None,
        }
    }

    /// The findings that a revision is for: those of the best state, or for somebody new those that persist.
    fn findings(&self) -> BTreeSet<FindingKey> {
        if self.approach == Approach::FreshGenerator {
            let known = self.history.comparable().iter().rev();
            let mut sets = known.filter_map(|iteration| iteration.judged.as_ref()?.findings.as_ref());
            return match (sets.next(), sets.next()) {
                (Some(now), Some(before)) => now.intersection(before).cloned().collect(),
                (now, _) => now.cloned().unwrap_or_default(),
            };
        }
        let held = self.best.as_ref().and_then(|best| best.held.as_ref());
        held.and_then(|held| held.judged.findings.clone()).unwrap_or_default()
    }

    /// What is open in the best state.
    fn targets(&self) -> BTreeSet<DeltaId> {
        let measurement = self.best.as_ref().and_then(|best| best.measurement.as_ref());
        measurement.map(Measurement::delta_ids).unwrap_or_default()
    }

    /// Takes the charge that [`step`](Self::step) or one of the charging methods gave, whose record has been written, and
    /// gives the command to carry out.
    ///
    /// # Errors
    /// When the engine asks for something else by now.
    pub fn commit(&mut self, charge: Charge) -> Result<Command, ProtocolError> {
        let Charge { attempt, command } = charge;
        let refused = || ProtocolError::new(ProtocolErrorKind::NotCharged { attempt });
        if attempt.0 != self.attempts + 1 || self.aside.is_some() {
            return Err(refused());
        }
        match &command {
            Command::Trial { state } => {
                if !self.is_revising() || !self.budget.trials.take() {
                    return Err(refused());
                }
                self.aside = Some((attempt, Aside::Trial(state.clone())));
            }
            Command::Reload { rung } if self.is_revising() => {
                if self.recovery() != Some(*rung) || !self.budget.restarts.take() {
                    return Err(refused());
                }
                self.rung = *rung;
                self.aside = Some((attempt, Aside::Recovery));
            }
            _ => {
                if self.out.is_some() || self.next_command().as_ref() != Some(&command) {
                    return Err(refused());
                }
                if self.pending && matches!(command, Command::Revise { .. } | Command::Capture { .. }) {
                    // The iteration begins here, and not when it was decided on: a run that is called off in between has not
                    // begun it.
                    self.pending = false;
                    let _left = self.budget.iterations.take();
                    self.iteration += 1;
                }
                self.out = Some((attempt, command.clone()));
            }
        }
        self.attempts = attempt.0;
        Ok(command)
    }

    /// A charge for measuring a state that the reviser at work tries out.
    ///
    /// # Errors
    /// When no reviser is at work, another trial is out, or none is left.
    pub fn charge_trial(&self, state: StateId) -> Result<Charge, ProtocolError> {
        if !self.is_revising() || self.aside.is_some() {
            return Err(ProtocolError::new(ProtocolErrorKind::NoTrialNow));
        }
        if self.budget.trials.left() == 0 {
            return Err(ProtocolError::new(ProtocolErrorKind::NoTrialLeft));
        }
        Ok(Charge { attempt: Attempt(self.attempts + 1), command: Command::Trial { state } })
    }

    /// A charge for bringing back what renders, after a trial has lost it: the next rung of the ladder, charged as a restart.
    ///
    /// # Errors
    /// When no trial has lost it, or no rung or no restart is left.
    pub fn charge_recovery(&self) -> Result<Charge, ProtocolError> {
        let refused = || ProtocolError::new(ProtocolErrorKind::NoRecoveryNow);
        if self.aside.is_some() || self.budget.restarts.left() == 0 {
            return Err(refused());
        }
        let rung = self.recovery().ok_or_else(refused)?;
        Ok(Charge { attempt: Attempt(self.attempts + 1), command: Command::Reload { rung } })
    }

    fn recovery(&self) -> Option<Rung> {
        if self.is_revising() && self.lost { self.rung.next() } else { None }
    }

    pub(crate) fn is_revising(&self) -> bool {
        matches!(self.out, Some((_, Command::Revise { .. })))
    }

    /// Takes what came of the command that is out, and gives the record to write and the notes to log.
    ///
    /// # Errors
    /// When the attempt is not out (its answer is late or came twice) or the event does not answer its command.
    pub fn apply(&mut self, attempt: Attempt, event: Event) -> Result<Applied, ProtocolError> {
        self.take(attempt, event, Usage::NONE)
    }

    /// As [`apply`](Self::apply), with the time at which it happened, on any clock that keeps its zero while the process
    /// lives, and what was consumed besides time. A clock that goes back adds nothing.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn apply_at(
        &mut self,
        attempt: Attempt,
        event: Event,
        at: Duration,
        used: Usage,
    ) -> Result<Applied, ProtocolError> {
        let elapsed = self.clock.map_or(Duration::ZERO, |last| at.saturating_sub(last));
        let millis = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let applied = self.take(attempt, event, used.plus(Usage { millis, ..Usage::NONE }))?;
        // What is less than a millisecond is not lost: it is counted with the next event.
        let counted = Duration::from_millis(millis);
        self.clock = Some(self.clock.map_or(at, |last| last.saturating_add(counted)));
        Ok(applied)
    }

    /// Tells the time from which on it is counted, when a run begins or goes on.
    pub fn start_clock(&mut self, at: Duration) {
        self.clock = Some(at);
    }

    /// The time at which the wall time of the run is spent, on the clock of [`apply_at`](Self::apply_at); `None` while that
    /// clock was never told.
    #[must_use]
    pub fn deadline(&self) -> Option<Duration> {
        let limit = u64::from(self.contract.limits().wall_seconds.value()) * 1_000;
        self.clock
            .map(|last| last.saturating_add(Duration::from_millis(limit.saturating_sub(self.usage.millis))))
    }

    fn take(&mut self, attempt: Attempt, event: Event, used: Usage) -> Result<Applied, ProtocolError> {
        let record = Record::Happened { attempt, event: event.clone(), used };
        let mut notes = Vec::new();
        // Nothing is changed before it is known that the event is allowed.
        self.allow(attempt, &event)?;
        self.usage = self.usage.plus(used);
        match event {
            Event::Cancelled => self.cancel(&mut notes),
            Event::Answered { answer } => self.answered(answer, &mut notes),
            event => match self.aside.take() {
                Some((_, aside)) => self.aside_ended(&aside, &event),
                None => {
                    let Some((_, command)) = self.out.take() else {
                        return Err(ProtocolError::new(ProtocolErrorKind::NotOut { attempt }));
                    };
                    self.carried_out(command, event, &mut notes);
                }
            },
        }
        Ok(Applied { record, notes })
    }

    /// Whether an event answers what is out.
    fn allow(&self, attempt: Attempt, event: &Event) -> Result<(), ProtocolError> {
        let not_out = || Err(ProtocolError::new(ProtocolErrorKind::NotOut { attempt }));
        match event {
            Event::Cancelled => {
                // A run that is on its way out ends by itself; calling it off again would change nothing.
                let on_its_way = matches!(self.phase, Phase::RestoreAtEnd | Phase::Awaiting | Phase::Done);
                return if on_its_way || attempt.0 != self.attempts { not_out() } else { Ok(()) };
            }
            Event::Answered { answer } => {
                let asked = match &self.out {
                    Some((out, Command::Ask { .. })) => *out == attempt,
                    None => self.phase == Phase::Awaiting && attempt.0 == self.attempts,
                    _ => false,
                };
                return if asked { self.allow_answer(answer) } else { not_out() };
            }
            _ => {}
        }
        if let Some((out, aside)) = &self.aside {
            return match (aside, event) {
                _ if *out != attempt => not_out(),
                (Aside::Trial(_), Event::Tried { .. }) => Ok(()),
                (Aside::Recovery, Event::Reloaded | Event::Failed { .. }) => Ok(()),
                _ => not_out(),
            };
        }
        let Some((_, command)) = self.out.as_ref().filter(|(out, _)| *out == attempt) else {
            return not_out();
        };
        let fits = match (command, event) {
            (_, Event::Failed { .. })
            | (Command::Read { .. }, Event::Read { .. })
            | (Command::Restore { .. }, Event::Restored)
            | (Command::Reload { .. }, Event::Reloaded)
            | (Command::Capture { .. }, Event::Captured)
            | (Command::Compare { .. }, Event::Compared { .. })
            | (Command::Judge { .. }, Event::Judged { .. })
            | (Command::Ask { .. }, Event::NobodyToAsk) => true,
            (Command::Revise { .. }, event) => matches!(
                event,
                Event::Revised { .. }
                    | Event::SliceRevised { .. }
                    | Event::Rejected { .. }
                    | Event::NothingToRevise { .. }
                    | Event::Disputed { .. }
                    | Event::Blocked { .. }
            ),
            _ => false,
        };
        if fits {
            return Ok(());
        }
        Err(ProtocolError::new(ProtocolErrorKind::WrongAnswer { command: Box::new(command.clone()) }))
    }

    fn allow_answer(&self, answer: &Answer) -> Result<(), ProtocolError> {
        let allowed =
            self.question.as_ref().is_some_and(|question| question.options.contains(&answer.kind()));
        if !allowed || self.budget.answers.left() == 0 {
            return Err(ProtocolError::new(ProtocolErrorKind::AnswerNotAllowed { answer: answer.kind() }));
        }
        match answer {
            Answer::Adjust { contract, .. } if !self.others.contains_key(contract) => {
                Err(ProtocolError::new(ProtocolErrorKind::UnknownContract { contract: contract.clone() }))
            }
            _ => Ok(()),
        }
    }

    /// What the run can still do: strictly lower after every accepted charge and event.
    #[must_use]
    pub fn rank(&self) -> Rank {
        let steps = self.phase.steps_left() * 2;
        Rank {
            answers_left: self.budget.answers.left(),
            grants_left: self.grants_left,
            iterations_left: self
                .budget
                .iterations
                .left()
                .saturating_sub(u32::from(self.pending || self.forgone)),
            restarts_left: self.budget.restarts.left(),
            retries_left: self.budget.retries.left(),
            judge_calls_left: self.budget.judge_calls.left(),
            steps_left: if self.out.is_none() && steps > 0 { steps + 1 } else { steps },
            trials_left: self.budget.trials.left(),
            aside_out: self.aside.is_some(),
        }
    }
}
