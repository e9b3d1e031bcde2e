//! A judge that is a program.

use std::sync::Arc;

use async_trait::async_trait;
use trueup_contract::{FaultKind, Judgement};
use trueup_ports::{Cx, Fault, Judge, JudgeRequest};
use trueup_rubric::{Circumstances, ReadOptions, Scorecard, read_reply};
use trueup_score::Truth;

use crate::exchange::{Finished, call, own_fault};
use crate::program::Program;
use crate::wire::{JudgeBody, JudgeExtras, Request};

/// A program that scores captures.
///
/// Its reply is read as that of a model is: by [`read_reply`], with prose and a fence around it or without. What it says
/// of passing decides nothing.
#[derive(Clone, Debug)]
pub struct CommandJudge {
    program: Arc<Program>,
    name: Arc<str>,
}

impl CommandJudge {
    /// The judge that `program` is.
    #[must_use]
    pub fn new(program: Program) -> Self {
        let name = program.name().into();
        Self { program: Arc::new(program), name }
    }

    /// The judge under a name of its own. Another name is another judge, and begins a new epoch.
    #[must_use]
    pub fn named(self, name: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), ..self }
    }
}

#[async_trait]
impl Judge for CommandJudge {
    async fn judge(&self, request: JudgeRequest, cx: &Cx) -> Result<Judgement, Fault> {
        let (asked, name) = (request.clone(), Arc::clone(&self.name));
        let ask = move |scratch: &crate::scratch::Scratch| {
            let captures = scratch.put_captures(&request.captures)?;
            Ok(Request::new("judge", "judge", JudgeBody::new(&request, captures)).to_bytes())
        };
        call(&self.program, cx, ask, move |_, finished| read(&asked, finished, &name)).await
    }
}

fn read(asked: &JudgeRequest, finished: &Finished, name: &str) -> Result<Judgement, Fault> {
    let text = finished.text()?;
    if let Some(fault) = own_fault(text) {
        return Err(finished.redacted(fault));
    }
    let reply = read_reply(text, &asked.rubric, &ReadOptions::default()).map_err(|fault| {
        Fault::new(FaultKind::Rejected, format!("the judge's reply cannot be used: {fault}"))
    })?;
    // A reply with prose around it has no place for more than scores.
    let extras: JudgeExtras = serde_json::from_str(text).unwrap_or_default();
    if let Some(state) = extras.state.as_deref().filter(|state| *state != asked.state.to_string()) {
        let why = format!("the judge answers for the state {state}, and was asked about {}", asked.state);
        return Err(Fault::new(FaultKind::Rejected, why));
    }
    if let (Some(said), Some(contract)) = (&extras.contract, &asked.contract)
        && **said != **contract
    {
        let why = format!("the judge answers by the contract {said}, and was asked about {contract}");
        return Err(Fault::new(FaultKind::Rejected, why));
    }
    let card: Scorecard = asked.rubric.settle(&reply, &Circumstances::new()).card;
    let mut judgement = Judgement::of_reply(card, &reply).by(extras.judge.unwrap_or_else(|| name.to_owned()));
    if let Some(contract) = &asked.contract {
        judgement = judgement.under(contract.to_string());
    }
    for (id, met) in extras.criteria {
        if !asked.criteria.contains(&id) {
            let why = format!("the judge answers for the criterion {id:?}, which the contract does not have");
            return Err(Fault::new(FaultKind::Rejected, why));
        }
        let truth = match met.as_str() {
            "pass" => Truth::Pass,
            "fail" => Truth::Fail,
            _ => Truth::Undetermined,
        };
        judgement = judgement.with_criterion(id, truth);
    }
    Ok(judgement)
}
