//! A comparer that is a program.

use std::sync::Arc;

use async_trait::async_trait;
use trueup_contract::{
    DeltaId, FaultKind, LabelMeasurement, LabelName, LabelReadiness, Measurement, OpenRegion, Plan,
};
use trueup_frame::Rect;
use trueup_ports::{CompareRequest, Comparer, Comparison, Cx, Fault, PrepareRequest};
use trueup_score::Points;

use crate::exchange::{Finished, call};
use crate::program::Program;
use crate::scratch::Scratch;
use crate::wire::{CompareBody, CompareReply, PrepareBody, PrepareReply, RegionReply, Request};

/// A program that holds captures against references.
#[derive(Clone, Debug)]
pub struct CommandComparer {
    program: Arc<Program>,
}

impl CommandComparer {
    /// The comparer that `program` is.
    #[must_use]
    pub fn new(program: Program) -> Self {
        Self { program: Arc::new(program) }
    }
}

#[async_trait]
impl Comparer for CommandComparer {
    async fn prepare(&self, request: PrepareRequest, cx: &Cx) -> Result<Vec<LabelReadiness>, Fault> {
        let plan = Arc::clone(&request.plan);
        let ask = move |_: &Scratch| {
            Ok(Request::new("comparer", "prepare", PrepareBody::new(&request.plan)).to_bytes())
        };
        call(&self.program, cx, ask, move |_, finished| readiness(&plan, finished)).await
    }

    async fn compare(&self, request: CompareRequest, cx: &Cx) -> Result<Comparison, Fault> {
        let plan = Arc::clone(&request.plan);
        let ask = move |scratch: &Scratch| {
            let captures = scratch.put_captures(&request.captures)?;
            let body = CompareBody::new(&request.plan, captures, &request.known);
            Ok(Request::new("comparer", "compare", body).to_bytes())
        };
        call(&self.program, cx, ask, move |_, finished| measurement(&plan, finished)).await
    }
}

fn readiness(plan: &Plan, finished: &Finished) -> Result<Vec<LabelReadiness>, Fault> {
    let reply: PrepareReply = finished.json()?;
    for unusable in &reply.unusable {
        known(plan, &unusable.label)?;
    }
    let answer = |name: &LabelName| {
        let problem = reply.unusable.iter().find(|unusable| unusable.label == name.as_str());
        problem.map_or_else(
            || LabelReadiness::ready(name.clone()),
            |unusable| LabelReadiness::unusable(name.clone(), unusable.problem.clone()),
        )
    };
    Ok(plan.labels().iter().map(|label| answer(label.name())).collect())
}

fn measurement(plan: &Plan, finished: &Finished) -> Result<Comparison, Fault> {
    let reply: CompareReply = finished.json()?;
    for compared in &reply.labels {
        known(plan, &compared.label)?;
    }
    let mut labels = Vec::new();
    for label in plan.labels() {
        let name = label.name();
        let mut found = reply.labels.iter().filter(|compared| compared.label == name.as_str());
        let (Some(compared), None) = (found.next(), found.next()) else {
            return Err(refused(format!("the reply has to say of {name} once what was seen")));
        };
        labels.push(match (&compared.regions, &compared.not_comparable) {
            (Some(regions), None) => {
                let open: Result<Vec<OpenRegion>, Fault> =
                    regions.iter().map(|region| of_region(name, region)).collect();
                LabelMeasurement::compared(name.clone(), open?)
            }
            (None, Some(why)) => LabelMeasurement::not_comparable(name.clone(), why.clone()),
            _ => {
                return Err(refused(format!(
                    "the reply has to give regions of {name}, or why it is not comparable"
                )));
            }
        });
    }
    Ok(Comparison::new(Measurement::new(labels)))
}

fn of_region(label: &LabelName, region: &RegionReply) -> Result<OpenRegion, Fault> {
    let id = DeltaId::of(label, &region.name)
        .map_err(|error| refused(format!("{:?} cannot name a region: {error}", region.name)))?;
    // What is open never scores 0, or the score would say that nothing is.
    let score = region.score.to_string().parse::<Points>().ok().filter(|score| *score > Points::ZERO);
    let score = score.ok_or_else(|| {
        refused(format!("{} cannot be the score of an open region: expected a number above 0", region.score))
    })?;
    let mut open = OpenRegion::new(id, Rect::new(region.x, region.y, region.width, region.height), score);
    open.pixels = region.pixels;
    open.kind = region.kind.clone();
    Ok(open)
}

fn known(plan: &Plan, label: &str) -> Result<(), Fault> {
    if plan.labels().iter().any(|known| known.name().as_str() == label) {
        return Ok(());
    }
    Err(refused(format!("the reply names the label {label:?}, which the plan does not have")))
}

fn refused(why: String) -> Fault {
    Fault::new(FaultKind::Rejected, why)
}
