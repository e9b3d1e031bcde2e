//! Pull mode: the caller is the reviser.

use trueup_contract::{Approach, FindingKey, Measurement, StateId};
use trueup_loop_core::{Command, Event};
use trueup_ports::CancelToken;

use crate::drive::{Ran, Run};
use crate::error::DriveError;
use crate::{Driver, Report};

/// How a run is pulled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pull {
    /// What the caller says that has nothing to propose.
    pub(crate) gives_up: Option<String>,
}

/// What comes next in a run whose caller revises.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "a run goes on or it is over")]
pub enum Next {
    /// Revise the artifact, and call again.
    Revise(Box<Assignment>),
    /// The run is over, or waits for a person.
    Done(Box<Report>),
}

/// What to revise.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Assignment {
    /// The run's id.
    pub run_id: String,
    /// The iteration that the revision is charged to.
    pub iteration: u32,
    /// Iterations that may be spent.
    pub iteration_cap: u32,
    /// The state that the artifact is in, the best one seen.
    pub from: StateId,
    /// The iteration that reached it.
    pub best_iteration: u32,
    /// Whether the artifact was brought back to it since the last revision, which was no better.
    pub restored: bool,
    /// What was measured of it; `None` where a judge alone measures.
    pub measured: Option<Measurement>,
    /// How to go about it.
    pub approach: Approach,
    /// What a person said to look at first.
    pub focus: Option<String>,
    /// Axes below their floor and criteria that fail.
    pub failing: Vec<String>,
    /// Keys of the findings that stand.
    pub findings: Vec<FindingKey>,
    /// States that were tried for exactly what is open now; none of them may come again.
    pub tried: Vec<StateId>,
    /// What had to be replaced or overridden, and what was kept from elsewhere, for people.
    pub notes: Vec<String>,
}

impl Driver {
    /// Takes the run to where the caller has to revise, or to its end.
    ///
    /// The first call measures what is there. Each further call takes what the artifact holds now as the revision: it is
    /// captured, compared and judged, and where it is no better the best state is brought back first. A call that finds the
    /// artifact unchanged says the same again, and charges nothing. The process may end between two calls.
    ///
    /// # Errors
    /// As [`drive`](Self::drive).
    pub async fn next(&self, cancel: CancelToken) -> Result<Next, DriveError> {
        self.pull(cancel, Pull::default()).await
    }

    /// As [`next`](Self::next), for a caller that has nothing to propose, and says why.
    ///
    /// # Errors
    /// As [`drive`](Self::drive).
    pub async fn give_up(
        &self,
        cancel: CancelToken,
        why: impl Into<String> + Send,
    ) -> Result<Next, DriveError> {
        self.pull(cancel, Pull { gives_up: Some(why.into()) }).await
    }

    async fn pull(&self, cancel: CancelToken, pull: Pull) -> Result<Next, DriveError> {
        let (notes, iteration, from, command, measured, restored, engine) =
            match self.run(cancel, Some(pull)).await? {
                Ran::Ended(report) => return Ok(Next::Done(report)),
                Ran::Waits { notes, iteration, from, command, measured, restored, engine } => {
                    (notes, iteration, from, command, measured, restored, engine)
                }
            };
        let mut assignment = Assignment {
            run_id: self.spec.id.clone(),
            iteration,
            iteration_cap: engine.budget().iterations.limit,
            from,
            best_iteration: engine.best().map_or(0, |best| best.iteration),
            restored,
            measured,
            approach: Approach::SameFix,
            focus: None,
            failing: Vec::new(),
            findings: Vec::new(),
            tried: Vec::new(),
            notes,
        };
        if let Command::Revise { approach, focus, failing, findings, tried, .. } = *command {
            assignment.approach = approach;
            assignment.focus = focus;
            assignment.failing = failing;
            assignment.findings = findings.into_iter().collect();
            assignment.tried = tried;
        }
        Ok(Next::Revise(Box::new(assignment)))
    }
}

impl Run<'_> {
    /// What the caller made since it was asked; `None` when the artifact is as it was and the caller has not given up.
    pub(crate) async fn collect(&mut self, from: &StateId) -> Result<Option<Event>, DriveError> {
        let base = self.state(from)?;
        let unchanged = self.take_snapshot().await.is_ok_and(|found| found.state() == from);
        if !unchanged {
            return self.accept_in_place(&base, "revised by the caller".to_owned()).await.map(Some);
        }
        let gives_up = self.pull.as_mut().and_then(|pull| pull.gives_up.take());
        Ok(gives_up.map(|note| Event::NothingToRevise { note }))
    }
}
