//! What is asked of a judge.

use std::collections::BTreeSet;

use trueup_findings::Fingerprint;
use trueup_score::Points;

use crate::axis::normalised;
use crate::condition::{Condition, Effect, Requirements};
use crate::error::{RubricError, RubricErrorKind};
use crate::overall::{Aggregation, Overall};
use crate::verdict::Verdict;
use crate::{Axis, Scorecard};

/// What a judge must score, and what its scores are held against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rubric {
    name: String,
    axes: Vec<Axis>,
    conditions: Vec<Condition>,
    overall: Option<Overall>,
    requirements: Requirements,
    regression_step: Option<Points>,
    floors_only_rise: bool,
    threshold_at_least: Option<Points>,
    neutral: Option<Points>,
}

impl Rubric {
    /// A rubric of these axes, in this order.
    ///
    /// # Errors
    /// When there is no axis, two have one name, or an axis contradicts itself.
    pub fn new(axes: impl IntoIterator<Item = Axis>) -> Result<Self, RubricError> {
        let axes: Vec<Axis> = axes.into_iter().collect();
        if axes.is_empty() {
            return Err(RubricError::new(RubricErrorKind::NoAxes));
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = axes.iter().find(|axis| !names.insert(normalised(axis.name()))) {
            return Err(RubricError::new(RubricErrorKind::DuplicateAxis { axis: twice.name().to_owned() }));
        }
        axes.iter().try_for_each(check)?;
        Ok(Self {
            name: String::new(),
            axes,
            conditions: Vec::new(),
            overall: None,
            requirements: Requirements::NONE,
            regression_step: None,
            floors_only_rise: false,
            threshold_at_least: None,
            neutral: None,
        })
    }

    /// The rubric under a name.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// The rubric with further axes, after its own.
    ///
    /// # Errors
    /// As [`Rubric::new`], and where an overall does not fit the new axes.
    pub fn with_axes(self, axes: impl IntoIterator<Item = Axis>) -> Result<Self, RubricError> {
        let all = self.axes.iter().cloned().chain(axes);
        let axes = Self::new(all)?.axes;
        self.overall.as_ref().map_or(Ok(()), |overall| overall.check(&axes))?;
        Ok(Self { axes, ..self })
    }

    /// The rubric with further conditions, after its own.
    ///
    /// # Errors
    /// When two have one name, or one names an axis that is not there or a cap off its scale.
    pub fn with_conditions(
        mut self,
        conditions: impl IntoIterator<Item = Condition>,
    ) -> Result<Self, RubricError> {
        for condition in conditions {
            if condition.id().trim().is_empty() {
                return Err(RubricError::new(RubricErrorKind::NoName { what: "a condition" }));
            }
            if self.condition(condition.id()).is_some() {
                let id = condition.id().to_owned();
                return Err(RubricError::new(RubricErrorKind::DuplicateCondition { id }));
            }
            if let Some(name) = condition.axis() {
                let axis = self.known(name, &format!("the condition {:?}", condition.id()))?;
                let scale = axis.scale();
                if let Effect::Caps { at, .. } = condition.effect()
                    && !(scale.min()..=scale.max()).contains(at)
                {
                    let kind = RubricErrorKind::CapOffScale { id: condition.id().to_owned(), at: *at };
                    return Err(RubricError::new(kind));
                }
            }
            self.conditions.push(condition);
        }
        Ok(self)
    }

    /// The rubric with an overall (R9); there is none otherwise.
    ///
    /// # Errors
    /// When it does not fit the axes, or its threshold decides nothing or is lower than the rubric allows.
    pub fn with_overall(self, overall: Overall) -> Result<Self, RubricError> {
        overall.check(&self.axes)?;
        if let (Some(threshold), Some(at_least)) = (overall.threshold(), self.threshold_at_least)
            && threshold < at_least
        {
            return Err(RubricError::new(RubricErrorKind::ThresholdTooLow { threshold, at_least }));
        }
        Ok(Self { overall: Some(overall), ..self })
    }

    /// The rubric with what a score needs before it can pass.
    #[must_use]
    pub fn with_requirements(self, requirements: Requirements) -> Self {
        Self { requirements, ..self }
    }

    /// The rubric with how many points an axis loses when a criterion of it that once passed was lost (R11).
    ///
    /// # Errors
    /// When the step is not above 0.
    pub fn with_regression_step(self, step: Points) -> Result<Self, RubricError> {
        if step <= Points::ZERO {
            return Err(RubricError::new(RubricErrorKind::BadRegressionStep { step }));
        }
        Ok(Self { regression_step: Some(step), ..self })
    }

    /// The rubric whose floors may be raised and never lowered.
    #[must_use]
    pub fn with_floors_that_only_rise(self) -> Self {
        Self { floors_only_rise: true, ..self }
    }

    /// The rubric whose threshold may not be set below `at_least`.
    #[must_use]
    pub fn with_threshold_at_least(self, at_least: Points) -> Self {
        Self { threshold_at_least: Some(at_least), ..self }
    }

    /// The rubric with a number that may be *displayed*, flagged as defaulted, where an axis was not scored. It never
    /// counts (R8).
    #[must_use]
    pub fn with_neutral(self, neutral: Points) -> Self {
        Self { neutral: Some(neutral), ..self }
    }

    /// The rubric with another floor on one axis.
    ///
    /// # Errors
    /// When the axis is not there, the floor lies off its scale or cannot be reached, or floors of this rubric may only
    /// be raised and this one is laxer.
    pub fn with_floor(mut self, axis: &str, floor: Points) -> Result<Self, RubricError> {
        let known = self.known(axis, "a floor")?;
        if self.floors_only_rise
            && let Some(stands) = known.floor()
            && !known.scale().meets(floor, stands)
        {
            let axis = axis.to_owned();
            return Err(RubricError::new(RubricErrorKind::FloorLowered { axis, floor, stands }));
        }
        for known in &mut self.axes {
            if known.name() == axis {
                *known = known.clone().refloored(floor)?;
                check(known)?;
            }
        }
        Ok(self)
    }

    /// The rubric with another floor on every axis; where floors may only rise, the stricter one of each pair.
    ///
    /// # Errors
    /// When the floor lies off a scale or cannot be reached.
    pub fn with_floors(self, floor: Points) -> Result<Self, RubricError> {
        let axes: Vec<Axis> = self.axes.clone();
        let only_rise = self.floors_only_rise;
        axes.iter().try_fold(self, |rubric, axis| match axis.floor() {
            Some(stands) if only_rise && !axis.scale().meets(floor, stands) => {
                axis.clone().refloored(floor).map(|_| rubric)
            }
            _ => rubric.with_floor(axis.name(), floor),
        })
    }

    /// The rubric united with other floors over the axes that it has: the stricter of each pair wins (R13).
    ///
    /// Each is an axis's name, a floor and a hard floor; `"*"` stands for every axis.
    ///
    /// # Errors
    /// When a floor lies off its axis's scale or cannot be reached.
    pub fn united_with<'f>(
        mut self,
        floors: impl IntoIterator<Item = (&'f str, Option<Points>, Option<Points>)>,
    ) -> Result<Self, RubricError> {
        for (name, floor, hard_floor) in floors {
            for axis in &mut self.axes {
                if name == "*" || axis.name() == name {
                    for floor in [floor, hard_floor].into_iter().flatten() {
                        axis.clone().refloored(floor)?;
                    }
                    *axis = axis.clone().united(floor, hard_floor);
                    check(axis)?;
                }
            }
        }
        Ok(self)
    }

    /// Its name; empty when it has none.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The axes in order.
    #[must_use]
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The axis of that name.
    #[must_use]
    pub fn axis(&self, name: &str) -> Option<&Axis> {
        self.axes.iter().find(|axis| axis.name() == name)
    }

    /// What must hold beside the scores, in order.
    #[must_use]
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// The condition of that name.
    #[must_use]
    pub fn condition(&self, id: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.id() == id)
    }

    /// How the scores become one, where somebody said so.
    #[must_use]
    pub const fn overall(&self) -> Option<&Overall> {
        self.overall.as_ref()
    }

    /// What a score needs before it can pass.
    #[must_use]
    pub const fn requirements(&self) -> Requirements {
        self.requirements
    }

    /// How many points an axis loses when a criterion of it was lost.
    #[must_use]
    pub const fn regression_step(&self) -> Option<Points> {
        self.regression_step
    }

    /// Whether floors may only be raised.
    #[must_use]
    pub const fn floors_only_rise(&self) -> bool {
        self.floors_only_rise
    }

    /// The lowest threshold that may be set.
    #[must_use]
    pub const fn threshold_at_least(&self) -> Option<Points> {
        self.threshold_at_least
    }

    /// What may be displayed, flagged as defaulted, where an axis was not scored.
    #[must_use]
    pub const fn neutral(&self) -> Option<Points> {
        self.neutral
    }

    /// Whether anything could ever fail: a floor, a threshold, or a condition that fails something. Without any, a card
    /// is a list of observations, and its verdict undetermined.
    #[must_use]
    pub fn can_fail(&self) -> bool {
        self.axes.iter().any(|axis| axis.floor().is_some() || axis.hard_floor().is_some())
            || self.overall.as_ref().is_some_and(|overall| overall.threshold().is_some())
            || self.conditions.iter().any(|condition| !matches!(condition.effect(), Effect::Caps { .. }))
    }

    /// Names the rubric by its content: two rubrics with one fingerprint ask for the same, and scores by rubrics with
    /// different ones do not compare.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let points = |points: Option<Points>| points.map_or("-".to_owned(), |points| points.to_string());
        let mut parts: Vec<(&str, String)> = vec![("name", self.name.clone())];
        for axis in &self.axes {
            let scale = axis.scale();
            parts.push(("axis", axis.name().to_owned()));
            parts.push(("text", axis.text().to_owned()));
            parts.push((
                "scale",
                format!("{} {} {} {:?}", scale.min(), scale.max(), points(scale.step()), scale.better()),
            ));
            parts.push(("slack", axis.slack().to_string()));
            parts.push(("floor", points(axis.floor())));
            parts.push(("hard floor", points(axis.hard_floor())));
            parts.push(("flags", format!("{} {}", axis.is_must_pass(), axis.is_only_anchors())));
            for anchor in axis.anchors() {
                parts.push(("anchor", anchor.score().to_string()));
                parts.push(("label", anchor.label().unwrap_or_default().to_owned()));
                parts.push(("meaning", anchor.text().to_owned()));
            }
        }
        for condition in &self.conditions {
            parts.push(("condition", condition.id().to_owned()));
            parts.push(("what", condition.text().to_owned()));
            parts.push(("effect", format!("{:?}", condition.effect())));
        }
        parts.push(("overall", format!("{:?}", self.overall)));
        parts.push(("requirements", format!("{:?}", self.requirements)));
        parts.push(("regression", points(self.regression_step)));
        parts.push(("floors", self.floors_only_rise.to_string()));
        parts.push(("threshold at least", points(self.threshold_at_least)));
        Fingerprint::of_parts(parts.iter().map(|(name, content)| (*name, content.as_str())))
    }

    /// What is legal and probably not meant, in words.
    #[must_use]
    pub fn advice(&self) -> Vec<String> {
        let mut advice = Vec::new();
        for axis in &self.axes {
            for floor in [axis.floor(), axis.hard_floor()].into_iter().flatten() {
                if let Some(effective) = axis.effective(floor)
                    && effective != floor
                {
                    advice.push(format!(
                        "the floor {floor} of axis {:?} lies between two legal scores: it really asks for {effective}",
                        axis.name()
                    ));
                }
            }
        }
        if !self.can_fail() {
            advice.push(
                "nothing could ever fail: without a floor, a threshold or a must-pass condition, replies are observations and the verdict is undetermined"
                    .to_owned(),
            );
        }
        advice
    }

    /// Holds a scorecard against the rubric.
    ///
    /// In this order: caps of conditions that do not hold, then the must-pass firewall, then floors, then the overall's
    /// threshold. A score below its floor fails. A missing, invalid or unverified reading, a score off the scale,
    /// anything that the rubric does not have, or a condition of which nothing was seen and whose failure would make it
    /// fail, makes it undetermined unless something fails. Only then is it a pass, and never by a rubric in which [nothing could fail](Self::can_fail).
    #[must_use]
    pub fn hold(&self, card: &Scorecard) -> Verdict {
        Verdict::of(self, card)
    }

    fn known(&self, axis: &str, what: &str) -> Result<&Axis, RubricError> {
        self.axis(axis).ok_or_else(|| {
            RubricError::new(RubricErrorKind::UnknownAxis {
                what: what.to_owned(),
                axis: axis.to_owned(),
                known: self.axes.iter().map(|axis| axis.name().to_owned()).collect(),
            })
        })
    }

    /// What is left of a score by the caps of those conditions that `bite`.
    pub(crate) fn capped(&self, axis: &Axis, score: Points, bites: impl Fn(&str) -> bool) -> Points {
        self.conditions.iter().fold(score, |score, condition| match condition.effect() {
            Effect::Caps { axis: name, at } if name == axis.name() && bites(condition.id()) => {
                axis.worse(score, *at)
            }
            _ => score,
        })
    }

    /// Whether the judge's own overall is what counts.
    pub(crate) fn takes_reported(&self) -> bool {
        self.overall.as_ref().is_some_and(|overall| *overall.aggregation() == Aggregation::Reported)
    }
}

/// Checks an axis by itself.
fn check(axis: &Axis) -> Result<(), RubricError> {
    let name = || axis.name().to_owned();
    if axis.name().trim().is_empty() {
        return Err(RubricError::new(RubricErrorKind::NoName { what: "an axis" }));
    }
    if axis.slack() < Points::ZERO {
        return Err(RubricError::new(RubricErrorKind::NegativeSlack { axis: name() }));
    }
    let (mut scores, mut labels) = (BTreeSet::new(), BTreeSet::new());
    for anchor in axis.anchors() {
        if !axis.scale().contains(anchor.score()) {
            let kind = RubricErrorKind::AnchorOffScale { axis: name(), anchor: anchor.score() };
            return Err(RubricError::new(kind));
        }
        let twice = match anchor.label() {
            _ if !scores.insert(anchor.score()) => Some(anchor.score().to_string()),
            Some(label) if !labels.insert(label) => Some(format!("{label:?}")),
            _ => None,
        };
        if let Some(anchor) = twice {
            return Err(RubricError::new(RubricErrorKind::DuplicateAnchor { axis: name(), anchor }));
        }
    }
    if axis.is_only_anchors() && axis.anchors().is_empty() {
        return Err(RubricError::new(RubricErrorKind::NoAnchors { axis: name() }));
    }
    for floor in [axis.floor(), axis.hard_floor()].into_iter().flatten() {
        if axis.effective(floor).is_none() {
            let kind = RubricErrorKind::FloorUnreachable { axis: name(), floor, best: axis.best() };
            return Err(RubricError::new(kind));
        }
    }
    Ok(())
}
