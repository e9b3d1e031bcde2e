//! The loop around the engine.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use trueup_contract::{
    Answer, DeltaId, FaultKind, IterationKind, Judgement, Label, LabelReadiness, Measurement, Plan, Question,
    StateId, Stop, Usage,
};
use trueup_loop_core::{Attempt, Command, Engine, Event, Note, Outcome, Record, Step, TrialReading};
use trueup_ports::{
    Brief, CancelToken, Capture, Capturer, Cx, Fault, Human, JournalStore, Judge, KnownRegion, Reviser,
    Snapshot,
};
use trueup_score::Points;

use crate::error::{DriveError, DriveErrorKind};
use crate::journal::{self, Entry, Header, Journal};
use crate::perform::{failed, state_lost};
use crate::pull::Pull;
use crate::{Observer, Ports, Projection, RunSpec, Sink, StatusBlock, Timeouts};

/// A run that was driven to its end.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// The block that its summary begins with.
    pub status: StatusBlock,
    /// What was measured of the best state.
    pub measured: Option<Measurement>,
    /// What was measured of the state that the run began with.
    pub baseline: Option<Measurement>,
    /// Whether it went on from an earlier journal.
    pub resumed: bool,
}

/// Drives runs of one specification against one set of ports.
#[derive(Clone, Debug)]
pub struct Driver {
    pub(crate) spec: RunSpec,
    pub(crate) ports: Ports,
    pub(crate) timeouts: Timeouts,
    sink: Option<Arc<dyn Sink>>,
    pub(crate) observer: Option<Arc<dyn Observer>>,
    answer: Option<Answer>,
}

impl Driver {
    /// A driver that writes nothing but the journal.
    #[must_use]
    pub fn new(spec: RunSpec, ports: Ports) -> Self {
        Self { spec, ports, timeouts: Timeouts::default(), sink: None, observer: None, answer: None }
    }

    /// The driver with a judge.
    #[must_use]
    pub fn with_judge(mut self, judge: Arc<dyn Judge>) -> Self {
        self.ports.judge = Some(judge);
        self
    }

    /// The driver with somebody who can be asked.
    #[must_use]
    pub fn with_human(mut self, human: Arc<dyn Human>) -> Self {
        self.ports.human = Some(human);
        self
    }

    /// The driver with a brief that can be read again.
    #[must_use]
    pub fn with_brief(mut self, brief: Arc<dyn Brief>) -> Self {
        self.ports.brief = Some(brief);
        self
    }

    /// The driver with another journal.
    #[must_use]
    pub fn with_journal(mut self, journal: Arc<dyn JournalStore>) -> Self {
        self.ports.journal = journal;
        self
    }

    /// The driver with another capturer.
    #[must_use]
    pub fn with_capturer(mut self, capturer: Arc<dyn Capturer>) -> Self {
        self.ports.capturer = capturer;
        self
    }

    /// The driver with other time limits.
    #[must_use]
    pub fn with_timeouts(self, timeouts: Timeouts) -> Self {
        Self { timeouts, ..self }
    }

    /// The driver with a place for what people and tools read.
    #[must_use]
    pub fn with_sink(self, sink: Arc<dyn Sink>) -> Self {
        Self { sink: Some(sink), ..self }
    }

    /// The driver with somebody who listens in.
    #[must_use]
    pub fn with_observer(self, observer: Arc<dyn Observer>) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// The driver with a person's answer to the question that the run waits with.
    #[must_use]
    pub fn with_answer(self, answer: Answer) -> Self {
        Self { answer: Some(answer), ..self }
    }

    /// Drives the run to its end, from wherever its journal stands.
    ///
    /// When `cancel` is raised the run ends as `cancelled`, in its best state.
    ///
    /// # Errors
    /// When the journal or the sink cannot be used, or the contract can never be met. A port that fails is not an error: it
    /// is part of the outcome.
    pub async fn drive(&self, cancel: CancelToken) -> Result<Report, DriveError> {
        match self.run(cancel, None).await? {
            Ran::Ended(report) => Ok(*report),
            Ran::Waits { .. } => Err(foreign("way of driving", "a call of next", "a call of drive")),
        }
    }

    pub(crate) async fn run(&self, cancel: CancelToken, pull: Option<Pull>) -> Result<Ran, DriveError> {
        self.spec.contract.check().map_err(|error| DriveError::new(DriveErrorKind::Contract(error)))?;
        let cx = Cx::new(Arc::clone(&self.ports.runtime), cancel);
        // The journal must be writable when the run is called off, too.
        let storage = Cx::new(Arc::clone(&self.ports.runtime), CancelToken::new());
        let limited = storage.with_limit(self.timeouts.storage);
        let (journal, entries, torn) = Journal::open(Arc::clone(&self.ports.journal), &limited).await?;
        let mut run = Run::open(self, cx, storage, journal, &entries)?;
        run.pull = pull;
        if torn {
            run.notes.push("the journal's last line had been cut short, and was dropped".to_owned());
        }
        let driven = match run.begin(entries.is_empty()).await {
            Ok(()) => run.drive().await,
            Err(error) => Err(error),
        };
        if let Err(error) = &driven {
            run.leave(error).await;
        }
        driven
    }
}

/// How far a run was driven.
#[derive(Debug)]
pub(crate) enum Ran {
    /// To its end.
    Ended(Box<Report>),
    /// To where the caller revises.
    Waits {
        notes: Vec<String>,
        iteration: u32,
        from: StateId,
        command: Box<Command>,
        measured: Option<Measurement>,
        restored: bool,
        engine: Box<Engine>,
    },
}

/// One run while it is driven.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(crate) driver: &'a Driver,
    /// The context of calls that may be called off.
    pub(crate) cx: Cx,
    /// The context of calls that must go through.
    pub(crate) storage: Cx,
    journal: Journal,
    pub(crate) engine: Engine,
    pub(crate) states: BTreeMap<StateId, Snapshot>,
    pub(crate) known: BTreeMap<DeltaId, KnownRegion>,
    /// Scores of states that were measured, by trial or in an iteration.
    pub(crate) measured: BTreeMap<StateId, Option<Points>>,
    baseline: Option<Measurement>,
    pub(crate) captures: Option<(StateId, Arc<[Capture]>)>,
    pub(crate) comparable: Arc<[Label]>,
    notes: Vec<String>,
    /// Why the artifact could not be brought back when the run was resumed.
    lost: Option<Fault>,
    /// What was measured in each iteration.
    compared: BTreeMap<u32, Measurement>,
    projected: usize,
    /// What was judged, in order, and how much of it is written.
    judged: Vec<(u32, StateId, Judgement)>,
    projected_judgements: usize,
    /// How the caller revises, where it does.
    pub(crate) pull: Option<Pull>,
    /// Somebody new, once the ladder has asked for it.
    pub(crate) fresh: Option<Arc<dyn Reviser>>,
    /// Whether the best state was brought back since the caller last revised.
    restored: bool,
}

impl<'a> Run<'a> {
    fn open(
        driver: &'a Driver,
        cx: Cx,
        storage: Cx,
        journal: Journal,
        entries: &[Entry],
    ) -> Result<Self, DriveError> {
        let mut contract = driver.spec.contract.clone();
        let mut limits_note = None;
        if let Some(entry) = entries.first() {
            let Entry::Header(header) = entry else {
                return Err(foreign("kind of file", "no header", "a journal"));
            };
            check_header(header, &driver.spec)?;
            if *contract.limits() != header.limits {
                limits_note =
                    Some(format!("a resumed run keeps the limits that it began with: {}", header.limits));
            }
            contract = contract.with_limits(header.limits.clone());
        }
        let records: Vec<&Record> = entries
            .iter()
            .filter_map(|entry| match entry {
                Entry::Record(record) => Some(record),
                _ => None,
            })
            .collect();
        let known = driver.spec.adjusted.iter().cloned();
        let mut engine = known
            .fold(Engine::new(contract), Engine::with_contract)
            .replay(records.iter().copied())
            .map_err(|error| DriveError::new(DriveErrorKind::BrokenJournal(error)))?;
        engine.start_clock(driver.ports.runtime.now());
        let mut run = Self {
            driver,
            cx,
            storage,
            journal,
            engine,
            states: journal::states(entries),
            known: BTreeMap::new(),
            measured: BTreeMap::new(),
            baseline: None,
            captures: None,
            comparable: Arc::new([]),
            notes: limits_note.into_iter().collect(),
            lost: None,
            compared: BTreeMap::new(),
            projected: 0,
            judged: Vec::new(),
            projected_judgements: 0,
            pull: None,
            fresh: None,
            restored: false,
        };
        let mut trials: BTreeMap<Attempt, &StateId> = BTreeMap::new();
        let mut comparisons: BTreeMap<Attempt, u32> = BTreeMap::new();
        let mut judged: BTreeMap<Attempt, (u32, &StateId)> = BTreeMap::new();
        for record in records {
            match record {
                Record::Charged { attempt, command: Command::Trial { state } } => {
                    trials.insert(*attempt, state);
                }
                Record::Charged { attempt, command: Command::Compare { iteration, .. } } => {
                    comparisons.insert(*attempt, *iteration);
                }
                Record::Charged { attempt, command: Command::Judge { iteration, state, .. } } => {
                    judged.insert(*attempt, (*iteration, state));
                }
                Record::Charged { .. } => {}
                Record::Happened { attempt, event: Event::Tried { reading }, .. } => {
                    if let Some(state) = trials.get(attempt) {
                        run.remember_trial(state, *reading);
                    }
                }
                Record::Happened { attempt, event: Event::Judged { judgement }, .. } => {
                    if let Some((iteration, state)) = judged.get(attempt) {
                        run.judged.push((*iteration, (*state).clone(), judgement.clone()));
                    }
                }
                Record::Happened { attempt, event, .. } => {
                    run.remember(event, comparisons.get(attempt).copied().unwrap_or_default());
                }
            }
        }
        // What was measured in iterations is known by its state, too.
        for iteration in run.engine.history().iterations() {
            if iteration.score.is_some() {
                run.measured.insert(iteration.state.clone(), iteration.score);
            }
        }
        Ok(run)
    }

    /// Keeps what later commands need of an event; the same for a fresh event and for one from the journal.
    fn remember(&mut self, event: &Event, iteration: u32) {
        match event {
            Event::Read { labels, .. } => {
                let ready = |label: &&Label| {
                    labels.iter().any(|ready| ready.label() == label.name() && ready.problem().is_none())
                };
                self.comparable = self.driver.spec.plan.labels().iter().filter(ready).cloned().collect();
            }
            Event::Compared { measurement } => {
                for region in measurement.open_regions() {
                    let first = self.known.get(&region.id).map(|known| known.first_area);
                    self.known.insert(region.id.clone(), KnownRegion::of(region, first));
                }
                self.baseline.get_or_insert_with(|| measurement.clone());
                self.compared.insert(iteration, measurement.clone());
            }
            _ => {}
        }
    }

    /// Keeps what a trial showed, so that the same state is never charged twice.
    pub(crate) fn remember_trial(&mut self, state: &StateId, reading: TrialReading) {
        let score = match reading {
            TrialReading::Scored(score) => Some(score),
            TrialReading::Unmeasurable => None,
            TrialReading::Abandoned | TrialReading::Lost => return,
        };
        self.measured.insert(state.clone(), score);
    }

    /// Writes what stands at the beginning of a run, and brings a resumed one back to where it was.
    async fn begin(&mut self, fresh: bool) -> Result<(), DriveError> {
        let RunSpec { plan, settings, .. } = &self.driver.spec;
        self.project(Projection::Plan { plan, settings })?;
        self.project(Projection::Contract(self.engine.contract()))?;
        if let Some(answer) = self.driver.answer.as_ref().filter(|_| self.engine.question().is_none()) {
            self.notes.push(format!("nothing was asked, so the answer {answer} was not used"));
        }
        if fresh {
            let spec = &self.driver.spec;
            let header = Header::new(
                spec.id.clone(),
                spec.contract.digest().to_string(),
                spec.plan.digest().to_string(),
                spec.settings_digest().to_string(),
                spec.contract.limits().clone(),
            );
            return self.write(&Entry::Header(header)).await;
        }
        self.project_judgements()?;
        self.project_iterations()?;
        self.hear_answer().await?;
        let finished = matches!(self.engine.step(), Step::Done(_));
        // What the caller made of it in the meantime is the revision.
        let revised =
            self.pull.is_some() && matches!(self.engine.outstanding(), Some((_, Command::Revise { .. })));
        if let (Some(current), false) = (self.engine.current().cloned(), finished || revised) {
            self.reclaim(&current).await?;
        }
        Ok(())
    }

    /// Hands the engine the answer that the caller brought, when the run waits for one.
    async fn hear_answer(&mut self) -> Result<(), DriveError> {
        match self.driver.answer.clone().filter(|_| self.engine.question().is_some()) {
            Some(answer) => self.settle(self.engine.last_attempt(), Event::Answered { answer }).await,
            None => Ok(()),
        }
    }

    /// Brings the artifact to the state that the journal says it is in, and keeps what was there instead.
    async fn reclaim(&mut self, current: &StateId) -> Result<(), DriveError> {
        if let Err(fault) = self.ensure(current).await? {
            self.lost = Some(fault);
        }
        Ok(())
    }

    /// Makes sure that the artifact is in a state. Content that nobody has written down is kept in the journal first, so
    /// that an edit from elsewhere is never lost.
    pub(crate) async fn ensure(&mut self, state: &StateId) -> Result<Result<(), Fault>, DriveError> {
        let wanted = self.state(state)?;
        self.exchange(wanted).await
    }

    /// Makes `wanted` the artifact's content; what is found there instead is kept, as by [`ensure`](Self::ensure).
    pub(crate) async fn exchange(&mut self, wanted: Snapshot) -> Result<Result<(), Fault>, DriveError> {
        self.exchange_for(wanted, None).await
    }

    /// As [`exchange`](Self::exchange), where the run itself has put `own` there and wants no record of it.
    pub(crate) async fn exchange_for(
        &mut self,
        wanted: Snapshot,
        own: Option<&StateId>,
    ) -> Result<Result<(), Fault>, DriveError> {
        // What cannot be read cannot be kept either; whether it can be written shows next.
        if let Ok(found) = self.take_snapshot().await {
            if found.state() == wanted.state() {
                return Ok(Ok(()));
            }
            if own != Some(found.state()) && !self.states.contains_key(found.state()) {
                self.keep(&found).await?;
                self.notes.push(format!(
                    "the artifact was found in state {}, which this run did not make; it is kept in the journal, and the \
                     artifact was brought to {}",
                    found.state().short(),
                    wanted.state().short()
                ));
            }
        }
        Ok(self.put_back(wanted).await)
    }

    async fn drive(&mut self) -> Result<Ran, DriveError> {
        let resumed = self.engine.last_attempt().number() > 0;
        let finished_before = matches!(self.engine.step(), Step::Done(_));
        // In pull mode, a revision that was out when the run was opened has been made by the caller.
        let mut made =
            self.pull.is_some() && matches!(self.engine.outstanding(), Some((_, Command::Revise { .. })));
        loop {
            self.heed_cancellation().await?;
            let (attempt, command) = match self.engine.step() {
                Step::Persist(charge) => {
                    self.record(charge.record()).await?;
                    (charge.attempt(), self.engine.commit(charge)?)
                }
                Step::Wait => match self.engine.outstanding() {
                    Some((attempt, command)) => (attempt, command.clone()),
                    None => return Err(foreign("run", "a trial without a reviser", "a command")),
                },
                Step::Done(outcome) => {
                    let report = self.finish(outcome, resumed, finished_before).await?;
                    return Ok(Ran::Ended(Box::new(report)));
                }
            };
            let event = match (self.lost.take(), &command) {
                (Some(fault), _) => failed(state_lost(&fault)),
                (None, Command::Revise { from, .. }) if self.pull.is_some() => {
                    let event = if std::mem::take(&mut made) { self.collect(from).await? } else { None };
                    let Some(event) = event else { return Ok(self.waits(&command)) };
                    event
                }
                (None, _) => self.carry_out(&command).await?,
            };
            self.restored = match &command {
                Command::Restore { .. } => true,
                Command::Revise { .. } => false,
                _ => self.restored,
            };
            let told_to_stop =
                matches!(&event, Event::Failed { fault } if fault.kind == FaultKind::Cancelled);
            if told_to_stop && self.cx.is_cancelled() {
                // The port did as it was told; the next round of the loop says so to the engine.
                continue;
            }
            self.settle(attempt, event).await?;
        }
    }

    /// Where the caller has to revise.
    fn waits(&self, command: &Command) -> Ran {
        let (iteration, from) = match command {
            Command::Revise { iteration, from, .. } => (*iteration, from.clone()),
            _ => (self.engine.iteration(), StateId::of_parts([])),
        };
        Ran::Waits {
            notes: self.notes.clone(),
            iteration,
            from,
            command: Box::new(command.clone()),
            measured: self.engine.best_measurement().cloned(),
            restored: self.restored,
            engine: Box::new(self.engine.clone()),
        }
    }

    async fn heed_cancellation(&mut self) -> Result<(), DriveError> {
        if self.cx.is_cancelled() {
            // Refused when the run is on its way out by itself.
            let (attempt, used) = (self.engine.last_attempt(), self.used());
            let now = self.driver.ports.runtime.now();
            if let Ok(applied) = self.engine.apply_at(attempt, Event::Cancelled, now, used) {
                self.record(applied.record).await?;
                self.tell(&applied.notes);
            }
        }
        Ok(())
    }

    /// Applies an event and writes it down, then everything that follows from it.
    pub(crate) async fn settle(&mut self, attempt: Attempt, event: Event) -> Result<(), DriveError> {
        let wait = match &event {
            Event::Failed { fault } if fault.kind.is_worth_a_retry() => {
                Some(self.engine.budget().retries.spent)
            }
            _ => None,
        };
        self.remember(&event, self.engine.iteration());
        let (asked, now, used) =
            (self.engine.question().cloned(), self.driver.ports.runtime.now(), self.used());
        let answer = match &event {
            Event::Answered { answer } => Some(answer.clone()),
            _ => None,
        };
        let judged = match (&event, self.engine.outstanding()) {
            (Event::Judged { judgement }, Some((_, Command::Judge { iteration, state, .. }))) => {
                Some((*iteration, state.clone(), judgement.clone()))
            }
            _ => None,
        };
        let applied = self.engine.apply_at(attempt, event, now, used)?;
        self.judged.extend(judged);
        self.record(applied.record).await?;
        self.tell(&applied.notes);
        self.project_questions(asked.as_ref(), answer.as_ref())?;
        if let Some(last) = self.engine.history().last().filter(|last| last.score.is_some()) {
            self.measured.insert(last.state.clone(), last.score);
        }
        self.project_judgements()?;
        self.project_iterations()?;
        let asked = self.cx.take_wait();
        if let Some(retries) = wait.filter(|before| *before < self.engine.budget().retries.spent) {
            self.back_off(retries, asked).await;
        }
        Ok(())
    }

    /// Writes judgements that are not written yet; when a run goes on, all of them once more.
    fn project_judgements(&mut self) -> Result<(), DriveError> {
        let contract = self.engine.contract();
        for (number, (iteration, state, judgement)) in
            (1u32..).zip(&self.judged).skip(self.projected_judgements)
        {
            let iteration = *iteration;
            self.project(Projection::Judged { number, iteration, state, judgement, contract })?;
        }
        self.projected_judgements = self.judged.len();
        Ok(())
    }

    /// Writes questions, answers and splits where people find them.
    fn project_questions(&self, asked: Option<&Question>, answer: Option<&Answer>) -> Result<(), DriveError> {
        if let (Some(question), Some(answer)) = (asked, answer) {
            self.project(Projection::Answered { question, answer })?;
        }
        match self.engine.question() {
            Some(question) if asked != Some(question) => {
                let split = self.engine.split();
                self.project(Projection::Asked { question, contract: self.engine.contract(), split })
            }
            _ => Ok(()),
        }
    }

    /// What ports have reported since it was asked last.
    fn used(&self) -> Usage {
        self.cx.take_usage().plus(self.storage.take_usage())
    }

    /// Writes a record down, and lets whoever listens know.
    pub(crate) async fn record(&mut self, record: Record) -> Result<(), DriveError> {
        let entry = Entry::Record(record);
        self.write(&entry).await?;
        if let (Some(observer), Entry::Record(record)) = (&self.driver.observer, &entry) {
            let _dropped = catch_unwind(AssertUnwindSafe(|| observer.record(record)));
        }
        Ok(())
    }

    /// Waits before a retry: a fifth of a second, doubled with each one, at most ten seconds; or, where whoever failed asked for
    /// longer, as long as that, at most ten minutes.
    async fn back_off(&self, retries: u32, asked: Option<Duration>) {
        let runtime = &self.driver.ports.runtime;
        let own = Duration::from_millis(200 << retries.min(6)).min(Duration::from_secs(10));
        let wait = own.max(asked.unwrap_or_default().min(Duration::from_secs(600)));
        let until = runtime.now() + wait;
        while runtime.now() < until && !self.cx.is_cancelled() {
            runtime.sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) async fn write(&mut self, entry: &Entry) -> Result<(), DriveError> {
        let limited = self.storage.with_limit(self.driver.timeouts.storage);
        Ok(self.journal.append(entry, &limited).await?)
    }

    /// Writes the content of a state down, once, before anything refers to it.
    pub(crate) async fn keep(&mut self, snapshot: &Snapshot) -> Result<(), DriveError> {
        if !self.states.contains_key(snapshot.state()) {
            self.write(&Entry::state(snapshot)).await?;
            self.states.insert(snapshot.state().clone(), snapshot.clone());
        }
        Ok(())
    }

    pub(crate) fn state(&self, id: &StateId) -> Result<Snapshot, DriveError> {
        let missing = || DriveError::new(DriveErrorKind::MissingState { state: id.to_string() });
        self.states.get(id).cloned().ok_or_else(missing)
    }

    fn tell(&self, notes: &[Note]) {
        let Some(observer) = &self.driver.observer else { return };
        for note in notes {
            // Whoever listens cannot harm the run, not even by panicking.
            let _dropped = catch_unwind(AssertUnwindSafe(|| observer.note(note)));
        }
    }

    pub(crate) fn project(&self, projection: Projection<'_>) -> Result<(), DriveError> {
        match &self.driver.sink {
            Some(sink) => Ok(sink.write(projection)?),
            None => Ok(()),
        }
    }

    fn project_iterations(&mut self) -> Result<(), DriveError> {
        let iterations = self.engine.history().iterations();
        for entry in &iterations[self.projected..] {
            // A state that was not changed is as it was measured before: it is the best one.
            let unchanged = matches!(entry.kind, IterationKind::NoChange { .. });
            let best = self.engine.best_measurement().filter(|_| unchanged);
            let measured = self.compared.get(&entry.index).or(best);
            let approach = self.engine.approach();
            self.project(Projection::Iteration { entry, measured, approach })?;
        }
        self.projected = iterations.len();
        Ok(())
    }

    async fn finish(
        &mut self,
        mut outcome: Outcome,
        resumed: bool,
        finished_before: bool,
    ) -> Result<Report, DriveError> {
        // What people did after a run is theirs; until it ends, the artifact is in the state that is reported.
        let current = self.engine.current().cloned().filter(|_| !finished_before);
        let lost = match current {
            Some(current) => self.ensure(&current).await?.err(),
            None => None,
        };
        if let Some(fault) = lost {
            self.notes.push(state_lost(&fault).to_string());
            outcome.stops.push(Stop::StateLost);
            outcome.stops.sort_unstable();
            outcome.stops.dedup();
        }
        self.report(outcome, resumed)
    }

    fn report(&self, outcome: Outcome, resumed: bool) -> Result<Report, DriveError> {
        let spec = &self.driver.spec;
        let mut status = StatusBlock::of(&self.engine, &outcome, &spec.id, &spec.source);
        status.notes.extend(self.notes.iter().cloned());
        let measured = self.engine.best_measurement().cloned();
        let (baseline, best) = (self.baseline.as_ref(), measured.as_ref());
        self.project(Projection::Ended { status: &status, outcome: &outcome, baseline, best })?;
        Ok(Report { outcome, status, measured, baseline: self.baseline.clone(), resumed })
    }

    /// Leaves the best state and a status behind when the run cannot go on because something cannot be written. Whatever
    /// does not succeed now is said by the error that is under way.
    async fn leave(&mut self, error: &DriveError) {
        let home = self.engine.best().map(|best| best.state).or_else(|| self.engine.current().cloned());
        if let Some(home) = home.and_then(|home| self.states.get(&home).cloned()) {
            let _best_effort = self.put_back(home).await;
        }
        self.notes.push(error.to_string());
        let outcome = self.engine.interrupted(Stop::InvariantBreach);
        let _best_effort = self.report(outcome, self.engine.last_attempt().number() > 0);
    }
}

/// Labels of the plan for which nothing was said.
pub(crate) fn unanswered<'p>(plan: &'p Plan, answers: &[LabelReadiness]) -> Vec<&'p str> {
    let answered = |label: &&Label| !answers.iter().any(|answer| answer.label() == label.name());
    plan.labels().iter().filter(answered).map(|label| label.name().as_str()).collect()
}

fn check_header(header: &Header, spec: &RunSpec) -> Result<(), DriveError> {
    let (contract, plan) = (spec.contract.digest().to_string(), spec.plan.digest().to_string());
    let settings = spec.settings_digest().to_string();
    for (what, found, expected) in [
        ("run", &header.run_id, &spec.id),
        ("contract", &header.contract, &contract),
        ("plan", &header.plan, &plan),
        ("set of settings (tolerances, masks, tokens, references)", &header.settings, &settings),
    ] {
        if found != expected {
            return Err(foreign(what, found, expected));
        }
    }
    Ok(())
}

fn foreign(what: &'static str, found: &str, expected: &str) -> DriveError {
    let (found, expected) = (found.to_owned(), expected.to_owned());
    DriveError::new(DriveErrorKind::ForeignJournal { what, found, expected })
}
