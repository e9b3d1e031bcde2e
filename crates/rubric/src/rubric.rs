//! What is asked of a judge, and the verdict on its answer.

use std::collections::BTreeSet;

use trueup_score::{Better, Points, Scale, Truth};

use crate::error::{RubricError, RubricErrorKind};
use crate::{Reading, Scorecard};

/// One thing to score: a name, a scale, and perhaps a floor below which nothing passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    name: String,
    scale: Scale,
    floor: Option<Points>,
    must_pass: bool,
}

impl Axis {
    /// An axis without a floor: it must be scored, and any score passes.
    #[must_use]
    pub fn new(name: impl Into<String>, scale: Scale) -> Self {
        Self { name: name.into(), scale, floor: None, must_pass: false }
    }

    /// The axis with a floor: a score that does not meet it fails.
    ///
    /// # Errors
    /// When the floor lies outside the scale.
    pub fn with_floor(self, floor: Points) -> Result<Self, RubricError> {
        if !(self.scale.min()..=self.scale.max()).contains(&floor) {
            return Err(RubricError::new(RubricErrorKind::FloorOffScale { axis: self.name, floor }));
        }
        Ok(Self { floor: Some(floor), ..self })
    }

    /// The axis as a must-pass one: missing its floor is a hard fail.
    #[must_use]
    pub fn must_pass(self) -> Self {
        Self { must_pass: true, ..self }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its scale.
    #[must_use]
    pub const fn scale(&self) -> Scale {
        self.scale
    }

    /// The score that must be met, where there is one.
    #[must_use]
    pub const fn floor(&self) -> Option<Points> {
        self.floor
    }

    /// Whether missing the floor is a hard fail.
    #[must_use]
    pub const fn is_must_pass(&self) -> bool {
        self.must_pass
    }

    /// How far below the floor the score is, 0 when it meets it.
    fn shortfall(&self, score: Points) -> Points {
        match self.floor {
            Some(floor) if !self.scale.meets(score, floor) => match self.scale.better() {
                Better::Higher => floor.saturating_sub(score),
                Better::Lower => score.saturating_sub(floor),
            },
            _ => Points::ZERO,
        }
    }
}

/// The axes that a judge must score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rubric {
    axes: Vec<Axis>,
}

impl Rubric {
    /// A rubric of these axes, in this order.
    ///
    /// # Errors
    /// When there is no axis, or two have one name.
    pub fn new(axes: impl IntoIterator<Item = Axis>) -> Result<Self, RubricError> {
        let axes: Vec<Axis> = axes.into_iter().collect();
        if axes.is_empty() {
            return Err(RubricError::new(RubricErrorKind::NoAxes));
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = axes.iter().find(|axis| !names.insert(axis.name())) {
            return Err(RubricError::new(RubricErrorKind::DuplicateAxis { axis: twice.name.clone() }));
        }
        Ok(Self { axes })
    }

    /// The axes in order.
    #[must_use]
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Holds a scorecard against the rubric.
    ///
    /// A score below its floor fails. A missing or invalid reading, a score off the scale, or an axis that the rubric
    /// does not have makes it undetermined unless something fails. Only then is it a pass.
    #[must_use]
    pub fn hold(&self, card: &Scorecard) -> Verdict {
        let mut verdict = Verdict::default();
        let mut truths = Vec::with_capacity(self.axes.len() + 1);
        for axis in &self.axes {
            let score = match card.reading(axis.name()) {
                Reading::Scored(score) | Reading::Clamped { to: score, .. }
                    if axis.scale.contains(*score) =>
                {
                    *score
                }
                _ => {
                    verdict.unscored.push(axis.name.clone());
                    truths.push(Truth::Undetermined);
                    continue;
                }
            };
            let shortfall = axis.shortfall(score);
            truths.push(Truth::from(shortfall == Points::ZERO));
            if shortfall > Points::ZERO {
                verdict.failing.push(axis.name.clone());
                verdict.hard_fails += u32::from(axis.must_pass);
                verdict.shortfall = verdict.shortfall.saturating_add(shortfall);
            }
        }
        let known: BTreeSet<&str> = self.axes.iter().map(Axis::name).collect();
        verdict.outside =
            card.iter().filter(|(axis, _)| !known.contains(axis)).map(|(axis, _)| axis.to_owned()).collect();
        if !verdict.outside.is_empty() {
            truths.push(Truth::Undetermined);
        }
        verdict.truth = Truth::all(truths);
        verdict
    }
}

/// A scorecard held against a rubric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    truth: Truth,
    failing: Vec<String>,
    unscored: Vec<String>,
    outside: Vec<String>,
    hard_fails: u32,
    shortfall: Points,
}

impl Default for Verdict {
    /// Nothing was judged: undetermined.
    fn default() -> Self {
        Self {
            truth: Truth::Undetermined,
            failing: Vec::new(),
            unscored: Vec::new(),
            outside: Vec::new(),
            hard_fails: 0,
            shortfall: Points::ZERO,
        }
    }
}

impl Verdict {
    /// Pass, fail or undetermined.
    #[must_use]
    pub const fn truth(&self) -> Truth {
        self.truth
    }

    /// Axes whose score is below their floor, in the rubric's order.
    #[must_use]
    pub fn failing(&self) -> &[String] {
        &self.failing
    }

    /// Axes without a usable score, in the rubric's order.
    #[must_use]
    pub fn unscored(&self) -> &[String] {
        &self.unscored
    }

    /// Axes on the card that the rubric does not have: scored outside the contract.
    #[must_use]
    pub fn outside(&self) -> &[String] {
        &self.outside
    }

    /// Number of must-pass axes below their floor.
    #[must_use]
    pub const fn hard_fails(&self) -> u32 {
        self.hard_fails
    }

    /// Points that are missing to the floors, summed over the failing axes.
    #[must_use]
    pub const fn shortfall(&self) -> Points {
        self.shortfall
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rubric() -> Rubric {
        let scale = Scale::new(Points::ONE, Points::from_whole(5), Better::Higher).unwrap();
        let floor = Points::from_whole(3);
        Rubric::new([
            Axis::new("a", scale).with_floor(floor).unwrap().must_pass(),
            Axis::new("b", scale).with_floor(floor).unwrap(),
        ])
        .unwrap()
    }

    fn scored(score: i64) -> Reading {
        Reading::Scored(Points::from_whole(score))
    }

    #[test]
    fn r08_a_missing_axis_is_never_a_number() {
        let verdict = rubric().hold(&Scorecard::new().with("a", scored(5)));
        assert_eq!(verdict.truth(), Truth::Undetermined);
        assert_eq!(verdict.unscored(), ["b"]);
        assert_eq!(rubric().hold(&Scorecard::new()).truth(), Truth::Undetermined);
    }

    #[test]
    fn r09_without_aggregation_there_is_no_overall_and_floors_decide() {
        // Splendid on one axis makes up for nothing on another.
        let verdict = rubric().hold(&Scorecard::new().with("a", scored(5)).with("b", scored(2)));
        assert_eq!((verdict.truth(), verdict.failing()), (Truth::Fail, &["b".to_owned()][..]));
        let verdict = rubric().hold(&Scorecard::new().with("a", scored(3)).with("b", scored(3)));
        assert_eq!(verdict.truth(), Truth::Pass);
    }

    #[test]
    fn a_fail_outranks_what_is_missing() {
        let verdict = rubric().hold(&Scorecard::new().with("a", scored(2)));
        assert_eq!((verdict.truth(), verdict.hard_fails()), (Truth::Fail, 1));
        assert_eq!(verdict.shortfall(), Points::ONE);
    }

    #[test]
    fn a_score_off_the_scale_is_not_a_score() {
        let card = Scorecard::new().with("a", scored(90)).with("b", scored(4));
        assert_eq!(rubric().hold(&card).truth(), Truth::Undetermined);
    }

    #[test]
    fn an_axis_outside_the_rubric_cannot_pass() {
        let card = Scorecard::new().with("a", scored(4)).with("b", scored(4)).with("c", scored(5));
        let verdict = rubric().hold(&card);
        assert_eq!((verdict.truth(), verdict.outside()), (Truth::Undetermined, &["c".to_owned()][..]));
    }

    #[test]
    fn a_rubric_that_contradicts_itself_is_refused() {
        let scale = Scale::new(Points::ZERO, Points::ONE, Better::Higher).unwrap();
        assert_eq!(Rubric::new([]).unwrap_err().kind(), &RubricErrorKind::NoAxes);
        assert!(Rubric::new([Axis::new("x", scale), Axis::new("x", scale)]).is_err());
        assert!(Axis::new("x", scale).with_floor(Points::from_whole(2)).is_err());
    }

    proptest! {
        #[test]
        fn removing_a_reading_never_makes_a_pass(a in 1i64..=5, b in 1i64..=5, drop_b: bool) {
            let full = Scorecard::new().with("a", scored(a)).with("b", scored(b));
            let partial = if drop_b { Scorecard::new().with("a", scored(a)) } else { full.clone() };
            prop_assert!(!rubric().hold(&partial).truth().is_pass() || rubric().hold(&full).truth().is_pass());
            prop_assert_eq!(rubric().hold(&full).truth(), Truth::from(a >= 3 && b >= 3));
        }
    }
}
