//! What a judge says of a state, held against the contract.

use std::collections::{BTreeMap, BTreeSet};

use trueup_findings::Evidence;
use trueup_rubric::{AxisReply, Overall, Reply, Rubric, Scorecard, Verdict};
use trueup_score::{Points, Truth};

use crate::{FindingKey, Judged, LoopContract, Stop, Value};

/// A finding that no revision can mend: a person is asked at once, whatever is left of ladders and budgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum SkipClass {
    /// Its mending needs a decision about security that nobody here may take.
    Security,
    /// The specification contradicts itself.
    SpecContradiction,
    /// Something is missing that only a person can give.
    MissingAccess,
}

impl SkipClass {
    /// The stop that it gives.
    #[must_use]
    pub const fn stop(self) -> Stop {
        match self {
            Self::Security => Stop::Security,
            Self::SpecContradiction => Stop::SpecContradiction,
            Self::MissingAccess => Stop::MissingAccess,
        }
    }
}

/// Everything that a judge's reply reads as. It is no verdict: only [`LoopContract::hold`] makes one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Judgement {
    /// A reading for each axis, the rubric's conditions, and the overall as the judge itself reports it.
    pub card: Scorecard,
    /// What the judge says of axes beside their scores, for people: nothing is decided by it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "BTreeMap::is_empty"))]
    pub said: BTreeMap<String, Said>,
    /// The judge's summary.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub summary: String,
    /// For each criterion of the contract, by its id, whether it is met.
    #[cfg_attr(feature = "serde", serde(default))]
    pub criteria: BTreeMap<String, Truth>,
    /// Keys of the findings that stand; `None` when the judge gave no account of findings, which is not the same as none.
    #[cfg_attr(feature = "serde", serde(default))]
    pub findings: Option<BTreeSet<FindingKey>>,
    /// What only a person can decide.
    #[cfg_attr(feature = "serde", serde(default))]
    pub blocked: BTreeSet<SkipClass>,
    /// How far the value that the contract follows may be off by chance, as one standard error; where it is known.
    #[cfg_attr(feature = "serde", serde(default))]
    pub standard_error: Option<Points>,
    /// Who judged. Another judge begins a new epoch (R20).
    #[cfg_attr(feature = "serde", serde(default))]
    pub judge: Option<String>,
    /// The hash of the frozen contract that was judged by, where there is one.
    #[cfg_attr(feature = "serde", serde(default))]
    pub contract: Option<String>,
}

/// What a judge says of an axis beside its score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Said {
    /// Why the score is what it is.
    pub rationale: String,
    /// What it points to.
    pub evidence: Vec<Evidence>,
}

impl Said {
    /// A reason, and what shows it.
    #[must_use]
    pub fn new(rationale: impl Into<String>, evidence: Vec<Evidence>) -> Self {
        Self { rationale: rationale.into(), evidence }
    }
}

impl Judgement {
    /// The judgement that a judge's reply came to, with what it says beside the scores.
    #[must_use]
    pub fn of_reply(card: Scorecard, reply: &Reply) -> Self {
        let said = |axis: &AxisReply| {
            let silent = axis.rationale.is_empty() && axis.evidence.is_empty();
            let said = Said::new(axis.rationale.clone(), axis.evidence.clone());
            (!silent).then(|| (axis.axis.clone(), said))
        };
        let said = reply.axes().iter().filter_map(said).collect();
        Self { card, said, summary: reply.summary().to_owned(), ..Self::default() }
    }

    /// A judgement that is a scorecard and nothing else.
    #[must_use]
    pub fn new(card: Scorecard) -> Self {
        Self { card, ..Self::default() }
    }

    /// The judgement with another scorecard.
    #[must_use]
    pub fn with_card(self, card: Scorecard) -> Self {
        Self { card, ..self }
    }

    /// The judgement with whether a criterion is met.
    #[must_use]
    pub fn with_criterion(mut self, id: impl Into<String>, met: Truth) -> Self {
        self.criteria.insert(id.into(), met);
        self
    }

    /// The judgement with the findings that stand.
    #[must_use]
    pub fn with_findings(self, findings: impl IntoIterator<Item = FindingKey>) -> Self {
        Self { findings: Some(findings.into_iter().collect()), ..self }
    }

    /// The judgement with something that only a person can decide.
    #[must_use]
    pub fn with_blocked(mut self, class: SkipClass) -> Self {
        self.blocked.insert(class);
        self
    }

    /// The judgement with how far it may be off by chance.
    #[must_use]
    pub fn with_standard_error(self, error: Points) -> Self {
        Self { standard_error: Some(error), ..self }
    }

    /// The judgement with who made it.
    #[must_use]
    pub fn by(self, judge: impl Into<String>) -> Self {
        Self { judge: Some(judge.into()), ..self }
    }

    /// The judgement with the hash of the contract that it was made under.
    #[must_use]
    pub fn under(self, contract: impl Into<String>) -> Self {
        Self { contract: Some(contract.into()), ..self }
    }
}

impl From<Scorecard> for Judgement {
    fn from(card: Scorecard) -> Self {
        Self::new(card)
    }
}

/// A judgement held against a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Held {
    /// What it comes to.
    pub judged: Judged,
    /// Axes below their floor, and criteria that fail.
    pub failing: Vec<String>,
    /// Axes without a usable score, criteria that were not verified, and whatever lies outside the contract.
    pub unseen: Vec<String>,
}

impl LoopContract {
    /// Holds a judgement against the rubric, the criteria and the threshold.
    ///
    /// A fail anywhere is a fail. A missing axis, a criterion that was not verified, an overall that cannot be made though a
    /// threshold asks for it, something outside the contract, or a judgement under another frozen contract is undetermined.
    /// Only then is it a pass. A contract without a rubric is met by no judgement.
    #[must_use]
    pub fn hold(&self, judgement: &Judgement) -> Held {
        let (mut failing, mut unseen) = (Vec::new(), Vec::new());
        let Some(rubric) = self.rubric() else {
            return Held { judged: Judged::new(Truth::Undetermined), failing, unseen };
        };
        let verdict = rubric.hold(&judgement.card);
        failing.extend(verdict.failing().iter().chain(verdict.broken()).cloned());
        unseen.extend(verdict.unscored().iter().chain(verdict.unseen()).cloned());
        unseen.extend(verdict.outside().iter().map(|axis| format!("{axis} (outside the contract)")));
        let overall = overall(rubric, &verdict);
        if let (Some(Truth::Fail), Some(overall)) = (verdict.overall_truth(), overall) {
            failing.push(format!("an overall of {}", overall.shown()));
        }
        let mut truths = vec![verdict.truth()];
        let mut hard_fails = verdict.hard_fails();
        for id in self.criteria() {
            let met = judgement.criteria.get(id).copied().unwrap_or(Truth::Undetermined);
            truths.push(met);
            match met {
                Truth::Pass => {}
                Truth::Fail => {
                    hard_fails += 1;
                    failing.push(id.clone());
                }
                Truth::Undetermined => unseen.push(id.clone()),
            }
        }
        if let Some(outside) = judgement.criteria.keys().find(|id| !self.criteria().contains(*id)) {
            truths.push(Truth::Undetermined);
            unseen.push(format!("{outside} (outside the contract)"));
        }
        if self.sprint().is_some() && judgement.contract.as_deref() != self.sprint() {
            truths.push(Truth::Undetermined);
            unseen.push("judged under another contract".to_owned());
        }
        let judged = Judged::new(Truth::all(truths))
            .with_fails(hard_fails, verdict.shortfall())
            .with_overall(overall)
            .with_findings(judgement.findings.clone());
        Held { judged, failing, unseen }
    }

    /// Whether a judgement lies so near a floor or the threshold that chance may have decided it.
    #[must_use]
    pub fn is_near(&self, judgement: &Judgement) -> bool {
        let margin = self.acceptance().near;
        let Some(rubric) = self.rubric().filter(|_| margin > Points::ZERO) else { return false };
        let near_floor =
            rubric.axes().iter().any(|axis| match (axis.floor(), score(&judgement.card, axis.name())) {
                (Some(floor), Some(score)) => Value::of(score).is_near(floor, margin),
                _ => false,
            });
        let threshold = rubric.overall().and_then(Overall::threshold);
        let overall = overall(rubric, &rubric.hold(&judgement.card));
        near_floor
            || threshold
                .is_some_and(|threshold| overall.is_some_and(|overall| overall.is_near(threshold, margin)))
    }
}

fn score(card: &Scorecard, axis: &str) -> Option<Points> {
    card.reading(axis).score()
}

/// The overall of a verdict with its direction, on which all axes of a rubric with an overall agree.
fn overall(rubric: &Rubric, verdict: &Verdict) -> Option<Value> {
    let better = rubric.axes().first()?.scale().better();
    verdict.overall().map(|overall| Value::new(overall, better))
}

#[cfg(test)]
mod tests {
    use trueup_rubric::{Aggregation, Axis, Reading};
    use trueup_score::{Better, Scale};

    use super::*;

    fn points(text: &str) -> Points {
        text.parse().unwrap()
    }

    fn rubric(better: Better) -> Rubric {
        let scale = Scale::new(Points::ZERO, Points::ONE, better).unwrap();
        Rubric::new(["a", "b", "c"].map(|axis| Axis::new(axis, scale))).unwrap()
    }

    fn judgement(scores: &[(&str, &str)]) -> Judgement {
        let card = scores
            .iter()
            .fold(Scorecard::new(), |card, (axis, score)| card.with(*axis, Reading::Scored(points(score))));
        Judgement::new(card)
    }

    fn moai() -> LoopContract {
        let overall = Overall::new(Aggregation::Mean).with_threshold(points("0.75"));
        LoopContract::moai(rubric(Better::Higher).with_overall(overall).unwrap())
    }

    const SCORES: &[(&str, &str)] = &[("a", "0.75"), ("b", "1"), ("c", "0.5")];

    #[test]
    fn r09_an_overall_is_formed_only_as_the_rubric_says() {
        let reported = Judgement::new(judgement(SCORES).card.with_reported(Some(points("0.8"))));
        let overall = moai().hold(&reported).judged.overall;
        assert_eq!(overall, Some(Value::of(points("0.75"))), "a claim decides nothing");
        let floors_decide = LoopContract::aep(rubric(Better::Higher)).hold(&reported).judged;
        assert_eq!(floors_decide.overall, None, "without aggregation there is none");
    }

    #[test]
    fn r07_an_overall_knows_its_direction() {
        let down = rubric(Better::Lower).with_overall(Overall::new(Aggregation::Mean)).unwrap();
        let down = LoopContract::framesmith(down);
        let overall = |score| {
            let card = judgement(&[("a", score), ("b", score), ("c", score)]);
            down.hold(&card).judged.overall.unwrap()
        };
        assert!(overall("0.1") > overall("0.9"));
    }

    #[test]
    fn r10_a_threshold_is_met_exactly_or_not_at_all() {
        assert_eq!(moai().hold(&judgement(SCORES)).judged.truth, Truth::Pass);
        let held = moai().hold(&judgement(&[("a", "0.75"), ("b", "1"), ("c", "0.499999")]));
        assert_eq!(held.judged.truth, Truth::Fail);
        assert_eq!(held.failing, ["an overall of 0.749999"], "what is shown does not show the threshold");
        assert_eq!(moai().hold(&judgement(&SCORES[..2])).judged.truth, Truth::Undetermined);
    }

    #[test]
    fn a_criterion_that_was_not_verified_is_not_met() {
        let contract = moai().with_criteria(["AC-01".to_owned(), "AC-02".to_owned()]);
        let half = judgement(SCORES).with_criterion("AC-01", Truth::Pass);
        let held = contract.hold(&half);
        assert_eq!((held.judged.truth, held.unseen), (Truth::Undetermined, vec!["AC-02".to_owned()]));
        let failed = half.clone().with_criterion("AC-02", Truth::Fail);
        let held = contract.hold(&failed);
        assert_eq!((held.judged.truth, held.judged.hard_fails), (Truth::Fail, 1));
        let whole = half.with_criterion("AC-02", Truth::Pass);
        assert_eq!(contract.hold(&whole).judged.truth, Truth::Pass);
        let outside = whole.with_criterion("AC-99", Truth::Pass);
        assert_eq!(
            contract.hold(&outside).judged.truth,
            Truth::Undetermined,
            "outside the contract is refused"
        );
    }

    #[test]
    fn r20_a_judgement_under_another_contract_is_never_used() {
        let contract = moai().with_sprint("abc");
        assert_eq!(contract.hold(&judgement(SCORES)).judged.truth, Truth::Undetermined);
        assert_eq!(contract.hold(&judgement(SCORES).under("abd")).judged.truth, Truth::Undetermined);
        assert_eq!(contract.hold(&judgement(SCORES).under("abc")).judged.truth, Truth::Pass);
    }

    #[test]
    fn near_is_within_the_margin_of_a_floor_or_the_threshold() {
        let acceptance = crate::Acceptance { near: points("0.02"), ..crate::Acceptance::default() };
        let contract = moai().with_acceptance(acceptance);
        let at = |c: &str| contract.is_near(&judgement(&[("a", "0.75"), ("b", "0.75"), ("c", c)]));
        assert!(at("0.75") && at("0.70") && at("0.80"));
        assert!(!at("0.69") && !at("0.81"));
        assert!(!moai().is_near(&judgement(SCORES)), "without a margin nothing is near");
        let floored = rubric(Better::Higher).with_floors(points("0.5")).unwrap();
        let floored = LoopContract::aep(floored).with_acceptance(acceptance);
        let at = |c: &str| floored.is_near(&judgement(&[("a", "0.75"), ("b", "0.75"), ("c", c)]));
        assert!(at("0.5") && at("0.49") && at("0.51") && !at("0.52") && !at("0.48"));
    }
}
