//! How each command is carried out.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use trueup_contract::{Answer, FaultKind, LabelMeasurement, LabelName, LabelReading, Question, StateId};
use trueup_loop_core::{Command, Event, Node, PortFault, Rung, TrialReading};
use trueup_ports::{
    Capture, CaptureRequest, CompareRequest, Comparison, Cx, Fault, JudgeRequest, PrepareRequest, Reads,
    Snapshot,
};

use crate::call::guarded;
use crate::drive::{Run, unanswered};
use crate::error::DriveError;
use crate::{LabelDone, Projection};

impl Run<'_> {
    /// Carries a command out. Whatever goes wrong at a port is an event; only the journal and the sink can stop the run.
    pub(crate) async fn carry_out(&mut self, command: &Command) -> Result<Event, DriveError> {
        match command {
            Command::Read { .. } => self.read().await,
            Command::Restore { to } => Ok(self.ensure(to).await?.map_or_else(failed, |()| Event::Restored)),
            Command::Revise { .. } => self.revise(command).await,
            Command::Reload { rung } => {
                Ok(self.recover(*rung).await.map_or_else(failed, |()| Event::Reloaded))
            }
            Command::Ask { question } => Ok(self.ask(question).await),
            Command::Capture { state, .. } => {
                self.captures = None;
                Ok(self.captures_of(state).await?.map_or_else(failed, |_| Event::Captured))
            }
            Command::Compare { iteration, state } => self.compare(*iteration, state).await,
            Command::Judge { state, .. } => self.judge(state).await,
            // The engine gives trials out only while a reviser is at work, and `revise` answers them.
            Command::Trial { .. } => Ok(Event::Tried { reading: TrialReading::Abandoned }),
        }
    }

    /// A context for one call of a port, which ends with the run's own time at the latest.
    pub(crate) fn limited(&self, limit: Duration) -> Cx {
        let now = self.driver.ports.runtime.now();
        let left = self.engine.deadline().map_or(limit, |deadline| deadline.saturating_sub(now));
        self.cx.with_limit(limit.min(left))
    }

    pub(crate) async fn take_snapshot(&self) -> Result<Snapshot, Fault> {
        let cx = self.storage.with_limit(self.driver.timeouts.storage);
        guarded(&cx, self.driver.ports.artifact.snapshot(&cx)).await
    }

    /// Restores the artifact, whether the run is called off or not.
    pub(crate) async fn put_back(&self, snapshot: Snapshot) -> Result<(), Fault> {
        let cx = self.storage.with_limit(self.driver.timeouts.storage);
        guarded(&cx, self.driver.ports.artifact.restore(snapshot, &cx)).await
    }

    async fn read(&mut self) -> Result<Event, DriveError> {
        let snapshot = match self.take_snapshot().await {
            Ok(snapshot) => snapshot,
            // Whatever cannot be read cannot be brought back either.
            Err(fault) => return Ok(failed(state_lost(&fault))),
        };
        self.keep(&snapshot).await?;
        let plan = &self.driver.spec.plan;
        let cx = self.limited(self.driver.timeouts.compare);
        let request = PrepareRequest::new(Arc::clone(plan));
        Ok(match guarded(&cx, self.driver.ports.comparer.prepare(request, &cx)).await {
            Ok(labels) => match unanswered(plan, &labels).as_slice() {
                [] => Event::Read { state: snapshot.state().clone(), labels },
                missing => failed(Fault::new(
                    FaultKind::Rejected,
                    format!("the comparer said nothing of {}", missing.join(", ")),
                )),
            },
            Err(fault) => failed(fault),
        })
    }

    /// Asks whoever is there. Whoever fails to answer, or answers what was not asked, is nobody.
    async fn ask(&self, question: &Question) -> Event {
        let Some(human) = &self.driver.ports.human else { return Event::NobodyToAsk };
        let cx = self.limited(self.driver.timeouts.human);
        match guarded(&cx, human.ask(question.clone(), &cx)).await {
            Ok(Some(answer)) if question.options.contains(&answer.kind()) && self.knows(&answer) => {
                Event::Answered { answer }
            }
            Ok(_) => Event::NobodyToAsk,
            Err(fault) => failed(fault),
        }
    }

    fn knows(&self, answer: &Answer) -> bool {
        match answer {
            Answer::Adjust { contract, .. } => {
                self.driver.spec.adjusted.iter().any(|known| known.digest().to_string() == *contract)
            }
            _ => true,
        }
    }

    pub(crate) async fn recover(&self, rung: Rung) -> Result<(), Fault> {
        let restarts = match rung {
            Rung::Reload => 0,
            Rung::Restart => 1,
            Rung::Relaunch => 2,
        };
        let cx = self.limited(self.driver.timeouts.capture);
        guarded(&cx, self.driver.ports.capturer.recover(restarts, &cx)).await
    }

    /// Renders every comparable label; a label that is left out is a fault, never a capture.
    async fn capture(&self, snapshot: &Snapshot, cx: Cx) -> Result<Arc<[Capture]>, Fault> {
        let request = CaptureRequest::new(snapshot.clone(), Arc::clone(&self.comparable));
        let captures = guarded(&cx, self.driver.ports.capturer.capture(request, &cx)).await?;
        let wanted = self.comparable.iter().map(|label| label.name());
        if !wanted.clone().eq(captures.iter().map(|capture| &capture.label)) {
            let missing: Vec<&str> = wanted
                .filter(|name| !captures.iter().any(|capture| capture.label == **name))
                .map(|name| name.as_str())
                .collect();
            let what =
                if missing.is_empty() { "captures in another order".to_owned() } else { missing.join(", ") };
            return Err(Fault::new(
                FaultKind::Rejected,
                format!("the capturer did not give one capture a label: {what}"),
            ));
        }
        Ok(captures.into())
    }

    /// The context in which whoever listens to the run hears of labels that are done.
    fn heard(&self, cx: Cx, node: Node, total: usize) -> Cx {
        let Some(observer) = self.driver.observer.clone() else { return cx };
        let count = Mutex::new(0);
        cx.with_listener(Arc::new(move |label: &LabelName| {
            // Held while it is told, so that the numbers come in their order.
            let mut done = count.lock().unwrap_or_else(PoisonError::into_inner);
            *done += 1;
            observer.label(&LabelDone { node, label, done: *done, total });
        }))
    }

    /// The captures of a state: those just taken, or after a resume taken again.
    async fn captures_of(&mut self, state: &StateId) -> Result<Result<Arc<[Capture]>, Fault>, DriveError> {
        if let Some((_, captures)) = self.captures.as_ref().filter(|(captured, _)| captured == state) {
            return Ok(Ok(Arc::clone(captures)));
        }
        let snapshot = self.state(state)?;
        let reads_artifact = self.driver.ports.capturer.reads() == Reads::Artifact;
        if reads_artifact && let Err(fault) = self.ensure(state).await? {
            return Ok(Err(state_lost(&fault)));
        }
        let cx = self.limited(self.driver.timeouts.capture);
        let mut captures =
            self.capture(&snapshot, self.heard(cx, Node::Capture, self.comparable.len())).await;
        if reads_artifact && captures.is_ok() {
            // A picture of something else must never be measured as this state.
            let held = self.take_snapshot().await.is_ok_and(|found| found.state() == state);
            if !held {
                let message = "the artifact was changed from elsewhere while it was captured";
                captures = Err(Fault::new(FaultKind::Transient, message));
            }
        }
        if let Ok(captures) = &captures {
            self.captures = Some((state.clone(), Arc::clone(captures)));
        }
        Ok(captures)
    }

    async fn compare(&mut self, iteration: u32, state: &StateId) -> Result<Event, DriveError> {
        let captures = match self.captures_of(state).await? {
            Ok(captures) => captures,
            Err(fault) => return Ok(failed(fault)),
        };
        // What is measured is what the artifact holds, whoever else may write to it.
        if let Err(fault) = self.ensure(state).await? {
            return Ok(failed(state_lost(&fault)));
        }
        match self.hold(captures, true).await {
            Ok(comparison) => {
                // The files of an iteration exist before its record does, so that no record stands without them.
                self.project(Projection::Compared { iteration, comparison: &comparison })?;
                Ok(Event::Compared { measurement: comparison.measurement })
            }
            Err(fault) => Ok(failed(fault)),
        }
    }

    async fn hold(&self, captures: Arc<[Capture]>, pictures: bool) -> Result<Comparison, Fault> {
        let plan = &self.driver.spec.plan;
        let cx = self.limited(self.driver.timeouts.compare);
        let known = self.known.values().cloned().collect();
        let request = CompareRequest::new(Arc::clone(plan), captures).with_known(known);
        // What a reviser tries is measured and not shown.
        let (request, cx) = match pictures {
            true => (request.with_pictures(), self.heard(cx, Node::Compare, plan.labels().len())),
            false => (request, cx),
        };
        let comparison = guarded(&cx, self.driver.ports.comparer.compare(request, &cx)).await?;
        let measured: Vec<&LabelMeasurement> = comparison.measurement.labels().iter().collect();
        if !plan.labels().iter().map(|label| label.name()).eq(measured.iter().map(|label| &label.label)) {
            return Err(Fault::new(
                FaultKind::Rejected,
                "the comparer did not give one reading a label, in the plan's order",
            ));
        }
        let captured =
            |label: &LabelName| self.comparable.iter().any(|comparable| comparable.name() == label);
        let seen = |measured: &&LabelMeasurement| matches!(measured.reading, LabelReading::Compared { .. });
        if let Some(unseen) =
            measured.iter().copied().filter(seen).find(|measured| !captured(&measured.label))
        {
            let message = format!("the comparer read {}, which was not captured", unseen.label);
            return Err(Fault::new(FaultKind::Rejected, message));
        }
        Ok(comparison)
    }

    async fn judge(&mut self, state: &StateId) -> Result<Event, DriveError> {
        let (Some(judge), Some(rubric)) = (&self.driver.ports.judge, self.engine.contract().rubric()) else {
            let fault = Fault::new(
                FaultKind::Unavailable,
                "the contract has a rubric, and nobody is there to judge by it",
            );
            return Ok(failed(fault));
        };
        let (judge, rubric) = (Arc::clone(judge), Arc::new(rubric.clone()));
        let captures = match self.captures_of(state).await? {
            Ok(captures) => captures,
            Err(fault) => return Ok(failed(fault)),
        };
        let cx = self.limited(self.driver.timeouts.judge);
        let contract = self.engine.contract();
        let criteria = contract.criteria().iter().cloned().collect();
        let request = JudgeRequest::new(state.clone(), rubric, captures)
            .with_contract(criteria, contract.sprint().map(Arc::from))
            .with_brief(self.driver.spec.brief.clone());
        let judged = guarded(&cx, judge.judge(request, &cx)).await;
        Ok(judged.map_or_else(failed, |judgement| Event::Judged { judgement }))
    }

    /// Measures a state that is tried out, and brings the artifact back to `base` where it was touched. What somebody else
    /// wrote to the artifact in the meantime is kept in the journal.
    pub(crate) async fn measure_trial(
        &mut self,
        tried: &Snapshot,
        base: &Snapshot,
    ) -> Result<Result<Comparison, Fault>, DriveError> {
        if self.driver.ports.capturer.reads() == Reads::Snapshot {
            return Ok(match self.capture(tried, self.limited(self.driver.timeouts.capture)).await {
                Ok(captures) => self.hold(captures, false).await,
                Err(fault) => Err(fault),
            });
        }
        let measured = match self.exchange(tried.clone()).await? {
            Ok(()) => self.measure_artifact(tried).await,
            Err(fault) => Err(fault),
        };
        Ok(match self.exchange_for(base.clone(), Some(tried.state())).await? {
            Ok(()) => measured,
            Err(fault) => Err(state_lost(&fault)),
        })
    }

    /// Measures what the artifact holds, which must be `tried` from beginning to end.
    async fn measure_artifact(&self, tried: &Snapshot) -> Result<Comparison, Fault> {
        self.recover(Rung::Reload).await?;
        let captures = self.capture(tried, self.limited(self.driver.timeouts.capture)).await?;
        if self.take_snapshot().await.is_ok_and(|found| found.state() == tried.state()) {
            return self.hold(captures, false).await;
        }
        let message = "the artifact was changed from elsewhere while it was tried";
        Err(Fault::new(FaultKind::Transient, message))
    }
}

pub(crate) fn state_lost(fault: &Fault) -> Fault {
    Fault::new(FaultKind::StateLost, format!("the artifact cannot be read or brought back: {fault}"))
}

/// A fault as the event that answers the command.
pub(crate) fn failed(fault: Fault) -> Event {
    Event::Failed { fault: PortFault::new(fault.kind(), fault.to_string()) }
}
