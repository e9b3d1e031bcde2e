//! A reviser at work: its revision is taken, its trials are metered, and what a fault leaves behind is taken back.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use futures_channel::{mpsc, oneshot};
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use trueup_contract::{Approach, FaultKind, Measurement, StateId};
use trueup_loop_core::{Attempt, Command, Event, Rejection, TrialReading};
use trueup_ports::{
    Fault, Ground, PrepareRequest, ReviseRequest, Reviser, Revision, Snapshot, TrialBench, TrialError,
    TrialErrorKind, Trials,
};
use trueup_score::Points;

use crate::call::guarded;
use crate::drive::Run;
use crate::error::DriveError;
use crate::perform::{failed, state_lost};

type Reply = Result<Option<Points>, TrialError>;

/// The reviser's end of the bench.
#[derive(Debug)]
struct Bench {
    requests: mpsc::UnboundedSender<(Snapshot, oneshot::Sender<Reply>)>,
    left: Arc<AtomicU32>,
}

#[async_trait]
impl TrialBench for Bench {
    async fn measure(&self, state: Snapshot) -> Reply {
        let (reply, answer) = oneshot::channel();
        let gone = || TrialError::new(TrialErrorKind::Cancelled);
        self.requests.unbounded_send((state, reply)).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    fn left(&self) -> u32 {
        self.left.load(Ordering::Acquire)
    }
}

impl Run<'_> {
    /// Has the reviser work on the state that the artifact is in.
    pub(crate) async fn revise(&mut self, command: &Command) -> Result<Event, DriveError> {
        let Command::Revise { iteration, from, tried, approach, focus, failing, findings, .. } = command
        else {
            return Ok(failed(Fault::new(FaultKind::Unavailable, "no revision was asked for")));
        };
        let base = self.state(from)?;
        let measured = match self.engine.best_measurement() {
            Some(measured) => measured.clone(),
            None => Measurement::new(Vec::new()),
        };
        let reviser = match self.reviser_for(*approach).await {
            Ok(reviser) => reviser,
            Err(fault) => return Ok(failed(fault)),
        };
        let ground = if *approach == Approach::Reground { self.ground().await.map(Some) } else { Ok(None) };
        let ground = match ground {
            Ok(ground) => ground.map(Arc::new),
            Err(fault) => return Ok(failed(fault)),
        };
        // What it looks like, where it was just looked at; a reviser can do without.
        let seen = self.captures.as_ref().filter(|(state, _)| state == from);
        let seen = seen.map_or_else(|| Arc::from([]), |(_, captures)| Arc::clone(captures));
        let request = ReviseRequest::new(*iteration, base.clone(), measured)
            .with_tried(tried.clone())
            .with_approach(*approach)
            .with_focus(focus.as_deref().map(Arc::from))
            .with_judged(failing.clone(), findings.iter().cloned().collect())
            .with_ground(ground)
            .with_captures(seen);
        let (requests, mut trials) = mpsc::unbounded();
        let left = Arc::new(AtomicU32::new(self.engine.budget().trials.left()));
        let bench = Trials::new(Arc::new(Bench { requests, left: Arc::clone(&left) }));
        let cx = self.limited(self.driver.timeouts.revise);
        let outcome = {
            let mut work = pin!(guarded(&cx, reviser.revise(request, bench, &cx)));
            loop {
                match select(work.as_mut(), trials.next()).await {
                    Either::Left((outcome, _)) => break outcome,
                    Either::Right((Some((snapshot, reply)), _)) => {
                        let answer = self.trial(&snapshot, &base, &cx).await?;
                        left.store(self.engine.budget().trials.left(), Ordering::Release);
                        // A reviser that no longer waits has given the trial up; it is charged all the same.
                        let _given_up = reply.send(answer);
                    }
                    // Every handle is gone, so no further trial can come.
                    Either::Right((None, _)) => break work.await,
                }
            }
        };
        self.abandon_trial().await?;
        let outcome = match outcome {
            Ok(Revision::Slice { parts, note, split, landed }) => {
                let event = self.apply_parts(&base, parts, note).await?;
                return Ok(match event {
                    Event::Revised { state, note } => Event::SliceRevised { state, note, split, landed },
                    other => other,
                });
            }
            other => other,
        };
        match outcome {
            Ok(Revision::Parts { parts, note }) => self.apply_parts(&base, parts, note).await,
            Ok(Revision::InPlace { note }) => self.accept_in_place(&base, note).await,
            Ok(Revision::Nothing { note }) => self.back_to(&base, Event::NothingToRevise { note }).await,
            Ok(Revision::Dispute { note }) => self.back_to(&base, Event::Disputed { note }).await,
            Ok(Revision::Blocked { class, note }) => {
                self.back_to(&base, Event::Blocked { class, note }).await
            }
            Ok(_) => {
                let fault =
                    Fault::new(FaultKind::Rejected, "a kind of revision that this driver does not know");
                self.back_to(&base, failed(fault)).await
            }
            Err(fault) => self.back_to(&base, failed(fault)).await,
        }
    }

    /// Who revises: somebody new, once the ladder has asked for it, and only after a sign of life.
    async fn reviser_for(&mut self, approach: Approach) -> Result<Arc<dyn Reviser>, Fault> {
        if approach == Approach::FreshGenerator {
            let fresh =
                self.driver.ports.reviser.fresh().unwrap_or_else(|| Arc::clone(&self.driver.ports.reviser));
            let cx = self.limited(self.driver.timeouts.revise);
            guarded(&cx, fresh.probe(&cx)).await?;
            self.fresh = Some(fresh);
        }
        Ok(Arc::clone(self.fresh.as_ref().unwrap_or(&self.driver.ports.reviser)))
    }

    /// The brief, the design and the contract, read again.
    async fn ground(&self) -> Result<Ground, Fault> {
        let cx = self.limited(self.driver.timeouts.compare);
        let brief = match &self.driver.ports.brief {
            Some(brief) => guarded(&cx, brief.read(&cx)).await?,
            None => self.driver.spec.brief.clone(),
        };
        let request = PrepareRequest::new(Arc::clone(&self.driver.spec.plan));
        let labels = guarded(&cx, self.driver.ports.comparer.prepare(request, &cx)).await?;
        let references = labels.iter().map(|label| match label.problem() {
            None => label.label().to_string(),
            Some(problem) => format!("{}: {problem}", label.label()),
        });
        Ok(Ground::new(brief, references.collect(), self.engine.contract().to_string()))
    }

    /// Makes sure that the artifact is in the state `base` again; what a reviser left behind is kept in the journal.
    pub(crate) async fn back_to(&mut self, base: &Snapshot, event: Event) -> Result<Event, DriveError> {
        Ok(match self.ensure(base.state()).await? {
            Ok(()) => event,
            Err(fault) => failed(state_lost(&fault)),
        })
    }

    async fn apply_parts(
        &mut self,
        base: &Snapshot,
        parts: Vec<(String, Arc<[u8]>)>,
        note: String,
    ) -> Result<Event, DriveError> {
        let revised = base.with_parts(parts);
        if revised.state() == base.state() {
            return self.back_to(base, Event::NothingToRevise { note }).await;
        }
        if let Some(refused) = self.literals(base, &revised, &note) {
            return self.back_to(base, refused).await;
        }
        self.keep(&revised).await?;
        let state = revised.state().clone();
        let event = match self.exchange(revised).await? {
            Ok(()) => return Ok(Event::Revised { state, note }),
            Err(fault) if fault.kind() == FaultKind::Rejected => {
                Event::Rejected { why: Rejection::NotApplicable, note: format!("{note}: {fault}") }
            }
            Err(fault) => failed(Fault::new(FaultKind::NotApplied, fault.to_string())),
        };
        self.back_to(base, event).await
    }

    pub(crate) async fn accept_in_place(
        &mut self,
        base: &Snapshot,
        note: String,
    ) -> Result<Event, DriveError> {
        match self.take_snapshot().await {
            Ok(revised) => {
                if let Some(refused) = self.literals(base, &revised, &note) {
                    return self.back_to(base, refused).await;
                }
                self.keep(&revised).await?;
                Ok(Event::Revised { state: revised.state().clone(), note })
            }
            Err(fault) => {
                let rejected =
                    Event::Rejected { why: Rejection::Destructive, note: format!("{note}: {fault}") };
                self.back_to(base, rejected).await
            }
        }
    }

    /// What refuses a revision that writes values out where tokens belong.
    fn literals(&self, base: &Snapshot, revised: &Snapshot, note: &str) -> Option<Event> {
        let gate = self.driver.spec.literals.as_ref()?;
        let mut written = Vec::new();
        for (name, after) in revised.parts() {
            let before = base.part(name).map(|before| String::from_utf8_lossy(before)).unwrap_or_default();
            let values = gate.written(&before, &String::from_utf8_lossy(after));
            written.extend(values.into_iter().map(|value| format!("{value} in {name}")));
        }
        let why = Rejection::Literal;
        (!written.is_empty()).then(|| {
            let note = format!("{note}: it writes {} where a token belongs", written.join(", "));
            Event::Rejected { why, note }
        })
    }

    /// One trial: free when the state was measured before, else charged, written, measured and written again.
    async fn trial(
        &mut self,
        snapshot: &Snapshot,
        base: &Snapshot,
        cx: &trueup_ports::Cx,
    ) -> Result<Reply, DriveError> {
        let state = snapshot.state();
        if let Some(score) = self.measured.get(state) {
            return Ok(Ok(*score));
        }
        loop {
            if cx.is_cancelled() {
                return Ok(Err(TrialError::new(TrialErrorKind::Cancelled)));
            }
            let Some(attempt) = self.charge_trial(state).await? else {
                return Ok(Err(TrialError::new(TrialErrorKind::Exhausted)));
            };
            let (reading, reply) = match self.measure_trial(snapshot, base).await? {
                Ok(comparison) => match comparison.measurement.score() {
                    Some(score) => (TrialReading::Scored(score), Ok(Some(score))),
                    None => (TrialReading::Unmeasurable, Ok(None)),
                },
                // Content that cannot be rendered is an answer; a port that does not work is not.
                Err(fault) if fault.kind() == FaultKind::Rejected => (TrialReading::Unmeasurable, Ok(None)),
                Err(fault) if fault.kind() == FaultKind::Lost => {
                    self.settle(attempt, Event::Tried { reading: TrialReading::Lost }).await?;
                    if self.recover_for_trial().await? {
                        continue;
                    }
                    return Ok(Err(TrialError::new(broken(&fault))));
                }
                Err(fault) => (TrialReading::Abandoned, Err(TrialError::new(broken(&fault)))),
            };
            self.settle(attempt, Event::Tried { reading }).await?;
            self.remember_trial(state, reading);
            return Ok(reply);
        }
    }

    /// Charges a trial; `None` when none is left. One that was cut short by a crash goes on under its own attempt, when the
    /// same state is tried again.
    async fn charge_trial(&mut self, state: &StateId) -> Result<Option<Attempt>, DriveError> {
        let resumed =
            self.engine.outstanding_trial().filter(|(_, out)| *out == state).map(|(attempt, _)| attempt);
        if let Some(attempt) = resumed {
            return Ok(Some(attempt));
        }
        self.abandon_trial().await?;
        let Ok(charge) = self.engine.charge_trial(state.clone()) else { return Ok(None) };
        self.record(charge.record()).await?;
        let attempt = charge.attempt();
        self.engine.commit(charge)?;
        Ok(Some(attempt))
    }

    /// Brings back what renders, rung by rung, each charged as a restart; says whether it is there again.
    async fn recover_for_trial(&mut self) -> Result<bool, DriveError> {
        while let Ok(charge) = self.engine.charge_recovery() {
            self.record(charge.record()).await?;
            let attempt = charge.attempt();
            let Command::Reload { rung } = self.engine.commit(charge)? else { return Ok(false) };
            let recovered = self.recover(rung).await;
            let back = recovered.is_ok();
            self.settle(attempt, recovered.map_or_else(failed, |()| Event::Reloaded)).await?;
            if back {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Closes a trial that nobody waits for any more.
    async fn abandon_trial(&mut self) -> Result<(), DriveError> {
        if let Some((attempt, _)) = self.engine.outstanding_trial() {
            self.settle(attempt, Event::Tried { reading: TrialReading::Abandoned }).await?;
        }
        if let Some((attempt, _)) = self.engine.outstanding_recovery() {
            let fault = Fault::new(FaultKind::Transient, "it was cut short");
            self.settle(attempt, failed(fault)).await?;
        }
        Ok(())
    }
}

fn broken(fault: &Fault) -> TrialErrorKind {
    match fault.kind() {
        FaultKind::Cancelled => TrialErrorKind::Cancelled,
        _ => TrialErrorKind::Broken(fault.to_string()),
    }
}
