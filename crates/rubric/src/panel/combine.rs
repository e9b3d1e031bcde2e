//! Several cards as one.

use std::collections::BTreeMap;

use trueup_score::{Better, Points, Ratio, Truth};

use crate::{Axis, Reading, Rubric, Scorecard};

/// How the scores of several judges become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PanelRule {
    /// The one in the middle; of two in the middle, the worse.
    Median,
    /// The exact mean, cut towards the worse to six decimals, so that no threshold is met that the mean misses.
    Mean,
    /// The worst.
    Worst,
    /// The score that more than half of those who scored gave.
    Majority,
}

/// What becomes of a majority vote without a majority.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tie {
    /// Nothing is decided.
    #[default]
    Undetermined,
    /// The worse of the most frequent scores.
    Worse,
}

/// Rules for several judges.
///
/// The order of the judges makes no difference. A judge that did not score an axis has no vote on it: unscored is not low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panel {
    rule: PanelRule,
    quorum: usize,
    tie: Tie,
}

/// What a panel came to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Combined {
    /// The card, for [`Rubric::hold`].
    pub card: Scorecard,
    /// For each axis, in the rubric's order, how many judges scored it.
    pub votes: Vec<(String, usize)>,
}

impl Panel {
    /// A panel of which at least `quorum` judges must score an axis, and at least one.
    #[must_use]
    pub fn new(rule: PanelRule, quorum: usize) -> Self {
        Self { rule, quorum: quorum.max(1), tie: Tie::default() }
    }

    /// With what becomes of a tie.
    #[must_use]
    pub const fn with_tie(self, tie: Tie) -> Self {
        Self { tie, ..self }
    }

    /// Combines the cards of those who answered; whose reply was a fault has no card.
    ///
    /// An axis below the quorum is [`Reading::Invalid`], and so undetermined. A score that is unverified counts only where
    /// no vote is left without it, and then stays unverified. A condition fails where one judge saw it fail, and passes where
    /// a quorum saw it pass.
    #[must_use]
    pub fn combine(&self, rubric: &Rubric, cards: &[Scorecard]) -> Combined {
        let mut combined = Scorecard::new();
        let mut votes = Vec::new();
        for axis in rubric.axes() {
            let readings: Vec<&Reading> = cards.iter().map(|card| card.reading(axis.name())).collect();
            let mut scores: Vec<Points> = readings.iter().filter_map(|reading| reading.score()).collect();
            scores.sort_unstable();
            votes.push((axis.name().to_owned(), scores.len()));
            combined = combined.with(axis.name(), self.axis(axis, &scores, &readings));
        }
        // What a judge scored outside the rubric stays visible, so that the verdict can refuse it.
        for (name, reading) in cards.iter().flat_map(Scorecard::iter) {
            if rubric.axis(name).is_none() {
                combined = combined.with(name, reading.clone());
            }
        }
        let mut seen: BTreeMap<&str, Vec<Truth>> = BTreeMap::new();
        for (id, truth) in cards.iter().flat_map(Scorecard::conditions) {
            seen.entry(id).or_default().push(truth);
        }
        for (id, truths) in seen {
            let passes = truths.iter().filter(|truth| truth.is_pass()).count();
            let truth = if truths.contains(&Truth::Fail) {
                Truth::Fail
            } else if passes >= self.quorum {
                Truth::Pass
            } else {
                Truth::Undetermined
            };
            combined = combined.with_condition(id, truth);
        }
        let reported: Vec<Points> = cards.iter().filter_map(Scorecard::reported).collect();
        if let Some(axis) = rubric.axes().first()
            && reported.len() >= self.quorum
        {
            let mut reported = reported;
            reported.sort_unstable();
            combined = combined.with_reported(self.score(axis, &reported));
        }
        Combined { card: combined, votes }
    }

    fn axis(&self, axis: &Axis, scores: &[Points], readings: &[&Reading]) -> Reading {
        if scores.len() >= self.quorum {
            return match self.score(axis, scores) {
                Some(score) => Reading::Combined(score),
                None => Reading::Invalid { why: format!("{} judges, and no majority", scores.len()) },
            };
        }
        // A score that is not shown to be deserved can still fail, if it is as low as that for everybody.
        let mut doubted: Vec<Points> = readings
            .iter()
            .filter_map(|reading| match reading {
                Reading::Unverified { score, .. } => Some(*score),
                other => other.score(),
            })
            .collect();
        doubted.sort_unstable();
        if doubted.len() >= self.quorum
            && let Some(score) = self.score(axis, &doubted)
        {
            return Reading::Unverified { score, why: "too few judges show that it is deserved".to_owned() };
        }
        Reading::Invalid {
            why: format!("{} of {} judges that are needed scored it", scores.len(), self.quorum),
        }
    }

    /// One score out of several, sorted, and at least one.
    fn score(&self, axis: &Axis, sorted: &[Points]) -> Option<Points> {
        let better = axis.scale().better();
        let worse = |a: Points, b: Points| axis.worse(a, b);
        match self.rule {
            PanelRule::Median => {
                let middle = sorted.len() / 2;
                let upper = *sorted.get(middle)?;
                if sorted.len() % 2 == 1 { Some(upper) } else { Some(worse(*sorted.get(middle - 1)?, upper)) }
            }
            PanelRule::Mean => {
                let mean = Ratio::mean(sorted.iter().copied())?;
                Some(if better == Better::Higher { mean.floor() } else { mean.ceiling() })
            }
            PanelRule::Worst => sorted.iter().copied().reduce(worse),
            PanelRule::Majority => {
                let mut counts: BTreeMap<Points, usize> = BTreeMap::new();
                for score in sorted {
                    *counts.entry(*score).or_default() += 1;
                }
                let most = counts.values().copied().max()?;
                if most * 2 > sorted.len() {
                    return counts.into_iter().find(|(_, count)| *count == most).map(|(score, _)| score);
                }
                match self.tie {
                    Tie::Undetermined => None,
                    Tie::Worse => {
                        let leading = counts.into_iter().filter(|(_, count)| *count == most);
                        leading.map(|(score, _)| score).reduce(worse)
                    }
                }
            }
        }
    }
}
