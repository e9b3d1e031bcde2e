//! From a reply to a scorecard: the algebra that prevents leniency.

use std::collections::{BTreeMap, BTreeSet};

use trueup_findings::Evidence;
use trueup_score::{Better, Points, Truth};

use crate::condition::Effect;
use crate::evidence::{LookUp, Lookup, NoLookUp};
use crate::reply::{AxisReply, Reply};
use crate::{Axis, Reading, Rubric, Scorecard};

/// What is known beside the reply.
#[derive(Clone, Copy)]
pub struct Circumstances<'c> {
    look_up: &'c dyn LookUp,
    lost: Option<&'c BTreeSet<String>>,
    seen: Option<&'c BTreeMap<String, Truth>>,
}

impl std::fmt::Debug for Circumstances<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Circumstances")
            .field("lost", &self.lost)
            .field("seen", &self.seen)
            .finish_non_exhaustive()
    }
}

impl Default for Circumstances<'_> {
    fn default() -> Self {
        Self { look_up: &NoLookUp, lost: None, seen: None }
    }
}

impl<'c> Circumstances<'c> {
    /// Nothing is known: no evidence can be looked up, nothing was lost, nothing was seen.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With something that looks evidence up.
    #[must_use]
    pub fn with_look_up(self, look_up: &'c dyn LookUp) -> Self {
        Self { look_up, ..self }
    }

    /// With the axes of which a criterion that once passed was lost; see [`Baseline`].
    #[must_use]
    pub fn with_lost(self, axes: &'c BTreeSet<String>) -> Self {
        Self { lost: Some(axes), ..self }
    }

    /// With what probes saw of the conditions. A probe that failed or passed is not talked away by a judge.
    #[must_use]
    pub fn with_seen(self, conditions: &'c BTreeMap<String, Truth>) -> Self {
        Self { seen: Some(conditions), ..self }
    }
}

/// A reply that was held against what it claims.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settled {
    /// The card, for [`Rubric::hold`].
    pub card: Scorecard,
    /// Conditions that the judge calls passed and that are not, with the reason.
    pub demoted: Vec<(String, String)>,
}

impl Rubric {
    /// Holds a reply against what it claims, and makes the card for [`Rubric::hold`].
    ///
    /// In this order, for every axis:
    ///
    /// 1. **citation**: where the rubric asks for one, a score that names no anchor, another anchor, or no reason is no
    ///    score;
    /// 2. **evidence**: where the rubric asks for it, a score without, or with evidence that is not there, can fail and not
    ///    pass; evidence that is refuted demotes a score always;
    /// 3. **regression** (R11): an axis of which a criterion was lost counts for one step less.
    ///
    /// Caps, the must-pass firewall, floors and the overall follow in [`Rubric::hold`]. Each step only ever lowers a score
    /// or takes it away, so none can make a pass.
    #[must_use]
    pub fn settle(&self, reply: &Reply, circumstances: &Circumstances<'_>) -> Settled {
        let mut card = Scorecard::new().with_reported(reply.overall().filter(|_| self.takes_reported()));
        for axis in self.axes() {
            let said = reply.axis(axis.name());
            let reading = self.settle_axis(axis, said, circumstances);
            card = card.with(axis.name(), reading);
        }
        let mut demoted = Vec::new();
        for condition in self.conditions() {
            let probed = circumstances.seen.and_then(|seen| seen.get(condition.id())).copied();
            let claimed = reply.condition(condition.id()).map(|said| {
                let missing = match said.truth {
                    Truth::Pass => self.unproven(&said.evidence, circumstances.look_up),
                    _ => None,
                };
                match missing {
                    Some(why) => {
                        demoted.push((condition.id().to_owned(), why));
                        Truth::Undetermined
                    }
                    None => said.truth,
                }
            });
            let truth = match (probed, claimed) {
                (Some(probed), Some(claimed)) if probed != Truth::Undetermined => match claimed {
                    // What a probe saw needs no further evidence from the judge.
                    Truth::Undetermined => probed,
                    claimed => probed.and(claimed),
                },
                (_, Some(claimed)) => claimed,
                (Some(probed), None) => probed,
                (None, None) => continue,
            };
            card = card.with_condition(condition.id(), truth);
        }
        Settled { card, demoted }
    }

    fn settle_axis(
        &self,
        axis: &Axis,
        said: Option<&AxisReply>,
        circumstances: &Circumstances<'_>,
    ) -> Reading {
        let Some(said) = said else { return Reading::Missing };
        let Some(score) = said.reading.score() else { return said.reading.clone() };
        if self.requirements().citation
            && let Some(why) = uncited(said, score)
        {
            return Reading::Invalid { why };
        }
        let lowered = match circumstances.lost {
            Some(lost) if lost.contains(axis.name()) => self.regressed(axis, score),
            _ => score,
        };
        if let Some(why) = self.unproven(&said.evidence, circumstances.look_up) {
            return Reading::Unverified { score: lowered, why };
        }
        if lowered == score { said.reading.clone() } else { Reading::Regressed { raw: score, to: lowered } }
    }

    /// The score less one regression step, and never past the worst end.
    fn regressed(&self, axis: &Axis, score: Points) -> Points {
        let Some(step) = self.regression_step() else { return score };
        match axis.scale().better() {
            Better::Higher => score.saturating_sub(step).max(axis.worst()),
            Better::Lower => score.saturating_add(step).min(axis.worst()),
        }
    }

    /// Why the evidence shows nothing; `None` when it does, or none is asked for.
    fn unproven(&self, evidence: &[Evidence], look_up: &dyn LookUp) -> Option<String> {
        let required = self.requirements();
        let mut found = false;
        let mut unknown = None;
        for evidence in evidence {
            match look_up.look_up(evidence) {
                Lookup::Found => found = true,
                Lookup::NotFound { why } => return Some(why),
                Lookup::Unknown { why } => unknown = Some(why),
            }
        }
        if required.evidence && evidence.is_empty() {
            return Some("no evidence is given".to_owned());
        }
        if required.verified && !found {
            let why = unknown.unwrap_or_else(|| "no evidence is given".to_owned());
            return Some(format!("no evidence could be looked up: {why}"));
        }
        None
    }
}

/// Why the citation does not hold: a score rests on the anchor that it names, and says why.
fn uncited(said: &AxisReply, score: Points) -> Option<String> {
    match said.anchor {
        None => Some("it names no anchor of the rubric".to_owned()),
        Some(anchor) if anchor != score => Some(format!("it scores {score} and names the anchor {anchor}")),
        Some(_) if said.rationale.trim().is_empty() => {
            Some("it does not say why the anchor applies".to_owned())
        }
        Some(_) => None,
    }
}

/// Criteria that have passed, so that losing one is noticed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    passed: BTreeMap<String, String>,
}

impl Baseline {
    /// Nothing has passed yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Remembers what passed; what once passed stays remembered.
    pub fn record(&mut self, criterion: &str, axis: &str, truth: Truth) {
        if truth == Truth::Pass {
            self.passed.insert(criterion.to_owned(), axis.to_owned());
        }
    }

    /// Criteria that passed once and fail now, with their axis. What was not seen now is not known to be lost.
    #[must_use]
    pub fn lost(&self, now: &BTreeMap<String, Truth>) -> Vec<(&str, &str)> {
        let failed = |criterion: &String| now.get(criterion) == Some(&Truth::Fail);
        self.passed
            .iter()
            .filter(|(criterion, _)| failed(criterion))
            .map(|(criterion, axis)| (criterion.as_str(), axis.as_str()))
            .collect()
    }

    /// The axes of the criteria that are lost.
    #[must_use]
    pub fn lost_axes(&self, now: &BTreeMap<String, Truth>) -> BTreeSet<String> {
        self.lost(now).into_iter().map(|(_, axis)| axis.to_owned()).collect()
    }
}

impl Rubric {
    /// The conditions that bear on `axis`, for prompts and listings.
    pub fn conditions_of<'r>(&'r self, axis: &'r str) -> impl Iterator<Item = &'r crate::Condition> {
        self.conditions().iter().filter(move |condition| match condition.effect() {
            Effect::MustPass => false,
            Effect::Caps { axis: name, .. } | Effect::Fails { axis: name } => name == axis,
        })
    }
}
