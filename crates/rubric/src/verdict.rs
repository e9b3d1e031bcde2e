//! The verdict on a scorecard.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use trueup_score::{Better, Points, Ratio, Truth};

use crate::condition::Effect;
use crate::{Axis, Condition, Overall, Reading, Rubric, Scorecard};

/// A scorecard held against a rubric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    truth: Truth,
    axes: Vec<AxisVerdict>,
    failing: Vec<String>,
    unscored: Vec<String>,
    outside: Vec<String>,
    broken: Vec<String>,
    unseen: Vec<String>,
    hard_fails: u32,
    shortfall: Points,
    overall: Option<Ratio>,
    overall_truth: Option<Truth>,
    better: Better,
}

/// What became of one axis.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AxisVerdict {
    /// The axis.
    pub axis: String,
    /// Whether it meets its floors and no condition fails it; undetermined, too, where a condition that was not seen would
    /// decide.
    pub truth: Truth,
    /// What it counts for, after caps; `None` when there is no usable score.
    pub score: Option<Points>,
    /// Whether a condition that does not hold lowered it.
    pub capped: bool,
}

/// What the verdict would be if no condition held of which nothing was seen.
#[derive(Default)]
struct AtWorst {
    /// The axes' scores, in the rubric's order.
    scores: Vec<Option<Points>>,
    /// The axes that would fail then, and do not now.
    axes: BTreeSet<String>,
    /// Whether the overall would miss its threshold then, and does not now.
    overall: bool,
}

impl AtWorst {
    /// Whether anything would be otherwise if this condition did not hold.
    fn rests_on(&self, condition: &Condition) -> bool {
        match condition.effect() {
            Effect::MustPass => true,
            Effect::Fails { axis } => self.axes.contains(axis),
            Effect::Caps { axis, .. } => self.axes.contains(axis) || self.overall,
        }
    }
}

impl Default for Verdict {
    /// Nothing was judged: undetermined.
    fn default() -> Self {
        Self {
            truth: Truth::Undetermined,
            axes: Vec::new(),
            failing: Vec::new(),
            unscored: Vec::new(),
            outside: Vec::new(),
            broken: Vec::new(),
            unseen: Vec::new(),
            hard_fails: 0,
            shortfall: Points::ZERO,
            overall: None,
            overall_truth: None,
            better: Better::Higher,
        }
    }
}

impl Verdict {
    pub(crate) fn of(rubric: &Rubric, card: &Scorecard) -> Self {
        let mut verdict = Self::default();
        if let Some(first) = rubric.axes().first() {
            verdict.better = first.scale().better();
        }
        let mut at_worst = AtWorst::default();
        for axis in rubric.axes() {
            verdict.judge_axis(rubric, axis, card, &mut at_worst);
        }
        let mut truths: Vec<Truth> = verdict.axes.iter().map(|axis| axis.truth).collect();
        if let Some(overall) = rubric.overall() {
            verdict.judge_overall(rubric, overall, card, &mut at_worst);
            truths.extend(verdict.overall_truth);
        }
        for condition in rubric.conditions() {
            let truth = card.condition(condition.id());
            if *condition.effect() == Effect::MustPass {
                truths.push(truth);
                if truth == Truth::Fail {
                    verdict.broken.push(condition.id().to_owned());
                    verdict.hard_fails += 1;
                }
            }
            if truth == Truth::Undetermined && at_worst.rests_on(condition) {
                verdict.unseen.push(condition.id().to_owned());
            }
        }
        let axes: BTreeSet<&str> = rubric.axes().iter().map(Axis::name).collect();
        let readings = card.iter().map(|(axis, _)| axis).filter(|axis| !axes.contains(axis));
        let conditions = card.conditions().map(|(id, _)| id).filter(|id| rubric.condition(id).is_none());
        verdict.outside = readings.chain(conditions).map(str::to_owned).collect();
        if !verdict.outside.is_empty() || !rubric.can_fail() {
            truths.push(Truth::Undetermined);
        }
        verdict.truth = Truth::all(truths);
        verdict
    }

    fn judge_axis(&mut self, rubric: &Rubric, axis: &Axis, card: &Scorecard, at_worst: &mut AtWorst) {
        let reading = card.reading(axis.name());
        let in_range = |score: &Points| (axis.scale().min()..=axis.scale().max()).contains(score);
        // What fails without evidence fails all the same; it only cannot pass.
        let (raw, proven) = match reading {
            Reading::Scored(score) | Reading::Clamped { to: score, .. } if axis.allows(*score) => {
                (Some(*score), true)
            }
            Reading::Combined(score) | Reading::Regressed { to: score, .. } if in_range(score) => {
                (Some(*score), true)
            }
            Reading::Unverified { score, .. } if in_range(score) => (Some(*score), false),
            _ => (None, false),
        };
        let rules = rubric.conditions().iter().filter(
            |condition| matches!(condition.effect(), Effect::Fails { axis: name } if name == axis.name()),
        );
        let rule = rules.map(|rule| card.condition(rule.id())).fold(Truth::Pass, Truth::and);
        let score = raw.map(|raw| rubric.capped(axis, raw, |id| card.condition(id) == Truth::Fail));
        let lowest = raw.map(|raw| rubric.capped(axis, raw, |id| card.condition(id) != Truth::Pass));
        let is_low = |score: Points| axis.is_hard_fail(score) || axis.shortfall(score) > Points::ZERO;
        let hard = score.is_some_and(|score| axis.is_hard_fail(score));
        let shortfall = score.map_or(Points::ZERO, |score| axis.shortfall(score));
        let fails = score.is_some_and(is_low) || rule == Truth::Fail;
        // What was not seen does not fail the axis; neither does it pass where its failure would decide.
        let open = rule == Truth::Undetermined || lowest.is_some_and(is_low);
        let truth = match score {
            _ if fails => Truth::Fail,
            Some(_) if proven && !open => Truth::Pass,
            _ => Truth::Undetermined,
        };
        if fails {
            self.failing.push(axis.name().to_owned());
            self.hard_fails += u32::from(hard);
            self.shortfall = self.shortfall.saturating_add(shortfall);
        }
        if !proven {
            self.unscored.push(axis.name().to_owned());
        }
        self.axes.push(AxisVerdict {
            axis: axis.name().to_owned(),
            truth,
            score: score.filter(|_| proven),
            capped: score != raw,
        });
        at_worst.scores.push(lowest.filter(|_| proven));
        if open && !fails {
            at_worst.axes.insert(axis.name().to_owned());
        }
    }

    fn judge_overall(
        &mut self,
        rubric: &Rubric,
        overall: &Overall,
        card: &Scorecard,
        at_worst: &mut AtWorst,
    ) {
        let over = |scores: &[Option<Points>]| overall.over(rubric.axes(), scores, card.reported());
        let scores: Vec<Option<Points>> = self.axes.iter().map(|axis| axis.score).collect();
        self.overall = over(&scores);
        let Some(threshold) = overall.threshold().map(Ratio::from) else { return };
        let truth = |overall: Option<Ratio>| {
            overall.map_or(Truth::Undetermined, |overall| {
                Truth::from(match self.better {
                    Better::Higher => overall >= threshold,
                    Better::Lower => overall <= threshold,
                })
            })
        };
        let now = truth(self.overall);
        at_worst.overall = now.is_pass() && !truth(over(&at_worst.scores)).is_pass();
        self.overall_truth = Some(if at_worst.overall { Truth::Undetermined } else { now });
    }

    /// Pass, fail or undetermined.
    #[must_use]
    pub const fn truth(&self) -> Truth {
        self.truth
    }

    /// What became of each axis, in the rubric's order.
    #[must_use]
    pub fn axes(&self) -> &[AxisVerdict] {
        &self.axes
    }

    /// Axes that fail, in the rubric's order: a score below a floor, or a rule that fails the axis.
    #[must_use]
    pub fn failing(&self) -> &[String] {
        &self.failing
    }

    /// Axes without a usable score, in the rubric's order.
    #[must_use]
    pub fn unscored(&self) -> &[String] {
        &self.unscored
    }

    /// Axes and conditions on the card that the rubric does not have: judged outside the contract.
    #[must_use]
    pub fn outside(&self) -> &[String] {
        &self.outside
    }

    /// Must-pass conditions that do not hold, in the rubric's order.
    #[must_use]
    pub fn broken(&self) -> &[String] {
        &self.broken
    }

    /// Conditions of which nothing was seen and that the verdict rests on, in the rubric's order: must-pass conditions, and
    /// those that would fail an axis, or take the overall below its threshold, if they did not hold.
    #[must_use]
    pub fn unseen(&self) -> &[String] {
        &self.unseen
    }

    /// Number of must-pass axes below their floor, axes below their hard floor, and must-pass conditions that do not
    /// hold.
    #[must_use]
    pub const fn hard_fails(&self) -> u32 {
        self.hard_fails
    }

    /// Points that are missing to the floors, summed over the failing axes.
    #[must_use]
    pub const fn shortfall(&self) -> Points {
        self.shortfall
    }

    /// The overall, exactly; `None` when the rubric has no aggregation, or an axis has no usable score.
    #[must_use]
    pub const fn overall(&self) -> Option<Ratio> {
        self.overall
    }

    /// The overall as it may be displayed: it never shows a threshold that it missed (R10).
    #[must_use]
    pub fn displayed_overall(&self) -> Option<Points> {
        self.overall.map(|overall| match self.better {
            Better::Higher => overall.floor(),
            Better::Lower => overall.ceiling(),
        })
    }

    /// Whether the overall reaches its threshold, whatever became of the conditions that were not seen; `None` when there
    /// is no threshold.
    #[must_use]
    pub const fn overall_truth(&self) -> Option<Truth> {
        self.overall_truth
    }

    /// Whether it is better than another verdict by the same rubric (R12): passing, then fewer hard fails, then a smaller
    /// shortfall, then the overall. Equal is not better, so the earlier one stays. What is undetermined is not ranked: it
    /// never beats anything, and everything that is decided beats it.
    #[must_use]
    pub fn beats(&self, other: &Self) -> bool {
        match (self.truth, other.truth) {
            (Truth::Undetermined, _) => return false,
            (_, Truth::Undetermined) => return true,
            _ => {}
        }
        let rank = |verdict: &Self| (!verdict.truth.is_pass(), verdict.hard_fails, verdict.shortfall);
        match rank(self).cmp(&rank(other)) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => match (self.overall, other.overall) {
                (Some(new), Some(old)) => match self.better {
                    Better::Higher => new > old,
                    Better::Lower => new < old,
                },
                (new, old) => new.is_some() && old.is_none(),
            },
        }
    }
}
