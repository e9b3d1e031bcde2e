//! Several judges as one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::join_all;
use trueup_contract::{Judgement, Said};
use trueup_ports::{Cx, Fault, Judge, JudgeRequest};
use trueup_rubric::Scorecard;
use trueup_rubric::panel::{Panel, standard_error};
use trueup_score::{Points, Ratio, Truth};

/// Judges that are all asked, at the same time, and whose cards become one by the panel's rule.
///
/// Whoever fails has no vote. When fewer than a quorum answer, the panel fails as the first of those who did.
#[derive(Debug)]
pub(crate) struct JudgePanel {
    judges: Vec<Arc<dyn Judge>>,
    panel: Panel,
    quorum: usize,
}

impl JudgePanel {
    pub(crate) const fn new(judges: Vec<Arc<dyn Judge>>, panel: Panel, quorum: usize) -> Self {
        Self { judges, panel, quorum }
    }
}

#[async_trait]
impl Judge for JudgePanel {
    async fn judge(&self, request: JudgeRequest, cx: &Cx) -> Result<Judgement, Fault> {
        let asked = self.judges.iter().map(|judge| judge.judge(request.clone(), cx));
        let mut answers = Vec::new();
        let mut first_fault = None;
        for answer in join_all(asked).await {
            match answer {
                Ok(judgement) => answers.push(judgement),
                Err(fault) => first_fault = first_fault.or(Some(fault)),
            }
        }
        match first_fault {
            Some(fault) if answers.len() < self.quorum => Err(fault),
            _ => Ok(self.combine(&request, &answers)),
        }
    }
}

impl JudgePanel {
    fn combine(&self, request: &JudgeRequest, answers: &[Judgement]) -> Judgement {
        let cards: Vec<Scorecard> = answers.iter().map(|answer| answer.card.clone()).collect();
        let mut judgement = Judgement::new(self.panel.combine(&request.rubric, &cards).card);
        judgement.said = said(answers);
        judgement.summary = each(answers, |answer| Some(&answer.summary));
        let mut criteria: BTreeMap<&String, Vec<Truth>> = BTreeMap::new();
        for (id, truth) in answers.iter().flat_map(|answer| &answer.criteria) {
            criteria.entry(id).or_default().push(*truth);
        }
        for (id, truths) in criteria {
            // As with conditions: one who saw it fail is enough, and a quorum has to have seen it met.
            let passes = truths.iter().filter(|truth| truth.is_pass()).count();
            let truth = if truths.contains(&Truth::Fail) {
                Truth::Fail
            } else if passes >= self.quorum {
                Truth::Pass
            } else {
                Truth::Undetermined
            };
            judgement = judgement.with_criterion(id.clone(), truth);
        }
        for class in answers.iter().flat_map(|answer| &answer.blocked) {
            judgement = judgement.with_blocked(*class);
        }
        let overall: Vec<Points> =
            cards.iter().filter_map(|card| request.rubric.hold(card).overall().map(Ratio::floor)).collect();
        if let Some(error) = standard_error(&overall) {
            judgement = judgement.with_standard_error(error);
        }
        let mut names: Vec<&str> = answers.iter().filter_map(|answer| answer.judge.as_deref()).collect();
        names.sort_unstable();
        let judgement = judgement.by(format!("panel of {}: {}", self.judges.len(), names.join(", ")));
        match &request.contract {
            Some(contract) => judgement.under(contract.to_string()),
            None => judgement,
        }
    }
}

/// What the judges say of each axis, each under its name; evidence that several point to is there once.
fn said(answers: &[Judgement]) -> BTreeMap<String, Said> {
    let axes: BTreeSet<&String> = answers.iter().flat_map(|answer| answer.said.keys()).collect();
    let of = |axis: &String| {
        let rationale = each(answers, |answer| Some(&answer.said.get(axis)?.rationale));
        let evidence: BTreeSet<_> = answers
            .iter()
            .filter_map(|answer| answer.said.get(axis))
            .flat_map(|said| &said.evidence)
            .collect();
        Said::new(rationale, evidence.into_iter().cloned().collect())
    };
    axes.into_iter().map(|axis| (axis.clone(), of(axis))).collect()
}

/// A text of each judge that has one, in the order of their names.
fn each<'a>(answers: &'a [Judgement], text: impl Fn(&'a Judgement) -> Option<&'a String>) -> String {
    let mut texts: Vec<String> = answers
        .iter()
        .filter_map(|answer| {
            let text = text(answer).filter(|text| !text.is_empty())?;
            Some(format!("{}: {text}", answer.judge.as_deref().unwrap_or("a judge")))
        })
        .collect();
    texts.sort_unstable();
    texts.join("\n")
}

#[cfg(test)]
mod tests {
    use trueup_contract::{FaultKind, StateId};
    use trueup_ports::CancelToken;
    use trueup_rubric::panel::PanelRule;
    use trueup_rubric::{Axis, Reading, Rubric};
    use trueup_score::{Better, Scale};

    use super::*;
    use crate::TokioRuntime;

    #[derive(Debug)]
    struct Says(Result<i64, FaultKind>);

    #[async_trait]
    impl Judge for Says {
        async fn judge(&self, _: JudgeRequest, _: &Cx) -> Result<Judgement, Fault> {
            let score = self.0.map_err(|kind| Fault::new(kind, "no"))?;
            let reading = Reading::Scored(Points::from_micros(score * 1_000_000));
            Ok(Judgement::new(Scorecard::new().with("clarity", reading)).by(format!("judge {score}")))
        }
    }

    fn panel(says: &[Result<i64, FaultKind>], quorum: usize) -> Result<Judgement, Fault> {
        let judges = says.iter().map(|said| Arc::new(Says(*said)) as Arc<dyn Judge>).collect();
        let panel = JudgePanel::new(judges, Panel::new(PanelRule::Median, quorum), quorum);
        let scale =
            Scale::new(Points::from_micros(0), Points::from_micros(5_000_000), Better::Higher).unwrap();
        let rubric = Arc::new(Rubric::new([Axis::new("clarity", scale)]).unwrap());
        let request = JudgeRequest::new(StateId::of_parts([("a", &b"b"[..])]), rubric, Arc::new([]));
        let cx = Cx::new(Arc::new(TokioRuntime::new()), CancelToken::new());
        TokioRuntime::block_on(panel.judge(request, &cx)).unwrap()
    }

    #[test]
    fn a_panel_scores_in_the_middle_and_names_who_judged() {
        let judgement = panel(&[Ok(5), Ok(1), Ok(3)], 2).unwrap();
        assert_eq!(judgement.card.reading("clarity").score(), Some(Points::from_micros(3_000_000)));
        assert_eq!(judgement.judge.as_deref(), Some("panel of 3: judge 1, judge 3, judge 5"));
    }

    #[test]
    fn whoever_fails_has_no_vote_and_below_a_quorum_nothing_is_decided() {
        let judgement = panel(&[Ok(4), Err(FaultKind::Rejected), Ok(4)], 2).unwrap();
        assert_eq!(judgement.card.reading("clarity").score(), Some(Points::from_micros(4_000_000)));
        let fault = panel(&[Ok(4), Err(FaultKind::Transient), Err(FaultKind::Rejected)], 2).unwrap_err();
        assert_eq!(fault.kind(), FaultKind::Transient);
    }
}
