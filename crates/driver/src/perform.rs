//! How each command is carried out.

use std::sync::Arc;
use std::time::Duration;

use trueup_contract::{FaultKind, LabelMeasurement, LabelName, LabelReading, StateId};
use trueup_loop_core::{Command, Event, PortFault, Rung, TrialReading};
use trueup_ports::{
    Capture, CaptureRequest, CompareRequest, Comparison, Cx, Fault, JudgeRequest, PrepareRequest, Reads,
    Snapshot,
};

use crate::Projection;
use crate::call::guarded;
use crate::drive::{Run, unanswered};
use crate::error::DriveError;

impl Run<'_> {
    /// Carries a command out. Whatever goes wrong at a port is an event; only the journal and the sink can stop the run.
    pub(crate) async fn carry_out(&mut self, command: &Command) -> Result<Event, DriveError> {
        match command {
            Command::Read => self.read().await,
            Command::Restore { to } => Ok(self.ensure(to).await?.map_or_else(failed, |()| Event::Restored)),
            Command::Revise { iteration, from, tried, .. } => self.revise(*iteration, from, tried).await,
            Command::Reload { rung } => {
                let restarts = match rung {
                    Rung::Reload => 0,
                    Rung::Restart => 1,
                    Rung::Relaunch => 2,
                };
                Ok(self.recover(restarts).await.map_or_else(failed, |()| Event::Reloaded))
            }
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

    pub(crate) fn limited(&self, limit: Duration) -> Cx {
        self.cx.with_limit(limit)
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

    async fn recover(&self, restarts: u32) -> Result<(), Fault> {
        let cx = self.limited(self.driver.timeouts.capture);
        guarded(&cx, self.driver.ports.capturer.recover(restarts, &cx)).await
    }

    /// Renders every comparable label; a label that is left out is a fault, never a capture.
    async fn capture(&self, snapshot: &Snapshot) -> Result<Arc<[Capture]>, Fault> {
        let cx = self.limited(self.driver.timeouts.capture);
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
        let mut captures = self.capture(&snapshot).await;
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
        let request = if pictures { request.with_pictures() } else { request };
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
        let request =
            JudgeRequest::new(state.clone(), rubric, captures).with_brief(self.driver.spec.brief.clone());
        Ok(guarded(&cx, judge.judge(request, &cx)).await.map_or_else(failed, |card| Event::Judged { card }))
    }

    /// Measures a state that is tried out, and brings the artifact back to `base` where it was touched.
    pub(crate) async fn measure_trial(&self, tried: &Snapshot, base: &Snapshot) -> Result<Comparison, Fault> {
        if self.driver.ports.capturer.reads() == Reads::Snapshot {
            let captures = self.capture(tried).await?;
            return self.hold(captures, false).await;
        }
        let measured = async {
            self.put_back(tried.clone()).await?;
            self.recover(0).await?;
            let captures = self.capture(tried).await?;
            self.hold(captures, false).await
        };
        let measured = measured.await;
        match self.put_back(base.clone()).await {
            Ok(()) => measured,
            Err(fault) => Err(state_lost(&fault)),
        }
    }
}

pub(crate) fn state_lost(fault: &Fault) -> Fault {
    Fault::new(FaultKind::StateLost, format!("the artifact cannot be read or brought back: {fault}"))
}

/// A fault as the event that answers the command.
pub(crate) fn failed(fault: Fault) -> Event {
    Event::Failed { fault: PortFault::new(fault.kind(), fault.to_string()) }
}
