//! A reviser at work: its revision is taken, its trials are metered, and what a fault leaves behind is taken back.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use futures_channel::{mpsc, oneshot};
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use trueup_contract::{FaultKind, StateId};
use trueup_loop_core::{Event, Rejection, TrialReading};
use trueup_ports::{
    Fault, ReviseRequest, Revision, Snapshot, TrialBench, TrialError, TrialErrorKind, Trials,
};
use trueup_score::Points;

use crate::call::guarded;
use crate::drive::Run;
use crate::error::DriveError;
use crate::journal::Entry;
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
    pub(crate) async fn revise(
        &mut self,
        iteration: u32,
        from: &StateId,
        tried: &[StateId],
    ) -> Result<Event, DriveError> {
        let base = self.state(from)?;
        let Some(measured) = self.engine.best_measurement().cloned() else {
            // The engine revises only what it has measured.
            return Ok(failed(Fault::new(FaultKind::Unavailable, "nothing was measured to work from")));
        };
        let request = ReviseRequest::new(iteration, base.clone(), measured).with_tried(tried.to_vec());
        let (requests, mut trials) = mpsc::unbounded();
        let left = Arc::new(AtomicU32::new(self.engine.budget().trials.left()));
        let bench = Trials::new(Arc::new(Bench { requests, left: Arc::clone(&left) }));
        let cx = self.limited(self.driver.timeouts.revise);
        let reviser = Arc::clone(&self.driver.ports.reviser);
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
        match outcome {
            Ok(Revision::Parts { parts, note }) => self.apply_parts(&base, parts, note).await,
            Ok(Revision::InPlace { note }) => self.accept_in_place(&base, note).await,
            Ok(Revision::Nothing { note }) => self.back_to(&base, Event::NothingToRevise { note }).await,
            Ok(_) => {
                let fault =
                    Fault::new(FaultKind::Rejected, "a kind of revision that this driver does not know");
                self.back_to(&base, failed(fault)).await
            }
            Err(fault) => self.back_to(&base, failed(fault)).await,
        }
    }

    /// Makes sure that the artifact is in the state `base` again; what a reviser left behind is kept in the journal.
    async fn back_to(&mut self, base: &Snapshot, event: Event) -> Result<Event, DriveError> {
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

    async fn accept_in_place(&mut self, base: &Snapshot, note: String) -> Result<Event, DriveError> {
        match self.take_snapshot().await {
            Ok(revised) => {
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
        if cx.is_cancelled() {
            return Ok(Err(TrialError::new(TrialErrorKind::Cancelled)));
        }
        // A trial that was cut short by a crash goes on under its own attempt, when the same state is tried again.
        let resumed =
            self.engine.outstanding_trial().filter(|(_, out)| *out == state).map(|(attempt, _)| attempt);
        let attempt = match resumed {
            Some(attempt) => attempt,
            None => {
                self.abandon_trial().await?;
                let Ok(charge) = self.engine.charge_trial(state.clone()) else {
                    return Ok(Err(TrialError::new(TrialErrorKind::Exhausted)));
                };
                self.write(&Entry::Record(charge.record())).await?;
                let attempt = charge.attempt();
                self.engine.commit(charge)?;
                attempt
            }
        };
        let (reading, reply) = match self.measure_trial(snapshot, base).await {
            Ok(comparison) => match comparison.measurement.score() {
                Some(score) => (TrialReading::Scored(score), Ok(Some(score))),
                None => (TrialReading::Unmeasurable, Ok(None)),
            },
            // Content that cannot be rendered is an answer; a port that does not work is not.
            Err(fault) if fault.kind() == FaultKind::Rejected => (TrialReading::Unmeasurable, Ok(None)),
            Err(fault) => (TrialReading::Abandoned, Err(TrialError::new(broken(&fault)))),
        };
        self.settle(attempt, Event::Tried { reading }).await?;
        self.remember_trial(state, reading);
        Ok(reply)
    }

    /// Closes a trial that nobody waits for any more.
    async fn abandon_trial(&mut self) -> Result<(), DriveError> {
        if let Some((attempt, _)) = self.engine.outstanding_trial() {
            self.settle(attempt, Event::Tried { reading: TrialReading::Abandoned }).await?;
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
