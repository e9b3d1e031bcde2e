//! A judgement of a run as the scorecard that a reply would have come to.

use trueup_contract::{Judgement, LoopContract};

use super::read::{
    AxisReadingDocument, ConditionReadingDocument, ScorecardDocument, blank, evidence, reason, why,
};
use crate::number::Number;

impl ScorecardDocument {
    /// What a judgement comes to under a contract; criteria of the contract stand with the rubric's conditions. `None` for a
    /// contract without a rubric.
    #[must_use]
    pub fn of_judgement(contract: &LoopContract, judgement: &Judgement) -> Option<Self> {
        let rubric = contract.rubric()?;
        let (held, verdict) = (contract.hold(judgement), rubric.hold(&judgement.card));
        let mut document = blank(Some(rubric), Vec::new());
        document.status = held.judged.truth.to_string();
        document.reason = reason(rubric, &verdict);
        // What is against it beyond the rubric: criteria, and another contract.
        let beyond = held.failing.iter().filter(|id| contract.criteria().contains(*id)).chain(
            held.unseen
                .iter()
                .filter(|id| !verdict.unscored().contains(id) && !verdict.unseen().contains(id)),
        );
        let beyond: Vec<&str> = beyond.map(String::as_str).collect();
        if !beyond.is_empty() {
            document.reason = format!("{}; the contract: {}", document.reason, beyond.join(", "));
        }
        document.overall = verdict.displayed_overall().map(Number);
        document.axes = rubric
            .axes()
            .iter()
            .map(|axis| {
                let reading = judgement.card.reading(axis.name());
                let axis_verdict = verdict.axes().iter().find(|held| held.axis == axis.name());
                let said = judgement.said.get(axis.name()).cloned().unwrap_or_default();
                let capped = axis_verdict.is_some_and(|held| held.capped);
                AxisReadingDocument {
                    axis: axis.name().to_owned(),
                    reading: reading.as_str(),
                    score: axis_verdict.and_then(|held| held.score).map(Number),
                    rationale: said.rationale,
                    evidence: said.evidence.iter().map(evidence).collect(),
                    flags: if capped { vec!["capped".to_owned()] } else { Vec::new() },
                    why: why(reading),
                }
            })
            .collect();
        let conditions = rubric.conditions().iter().map(|condition| {
            (condition.id().to_owned(), judgement.card.condition(condition.id()).to_string())
        });
        let criteria = contract.criteria().iter().map(|id| {
            let met = judgement.criteria.get(id).copied().unwrap_or(trueup_score::Truth::Undetermined);
            (id.clone(), met.to_string())
        });
        document.conditions = conditions
            .chain(criteria)
            .map(|(id, status)| ConditionReadingDocument { id, status, why: None })
            .collect();
        document.failing_axes = verdict.failing().to_vec();
        document.hard_fails = held.judged.hard_fails;
        document.summary.clone_from(&judgement.summary);
        Some(document)
    }
}
