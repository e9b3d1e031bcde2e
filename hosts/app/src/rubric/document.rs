//! The JSON form of rubrics, `trueup.rubric/1` and `trueup.rubric-list/1`: frozen structures of their own.

use serde::Serialize;
use trueup_rubric::{Aggregation, Axis, Condition, Effect, Overall, Rubric, Stated};
use trueup_score::Better;

use crate::number::Number;

/// A rubric with every number that it has.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RubricDocument {
    /// `trueup.rubric/1`.
    pub schema: &'static str,
    /// Its name.
    pub name: String,
    /// Names it by its content.
    pub fingerprint: String,
    /// What is scored, in order.
    pub axes: Vec<AxisDocument>,
    /// What must hold, in order.
    pub conditions: Vec<ConditionDocument>,
    /// How the scores become one; null when they do not.
    pub overall: Option<OverallDocument>,
    /// What a score needs: `citation`, `evidence`, `verified`.
    pub requires: Vec<&'static str>,
    /// Points that an axis loses with a criterion that once passed; null when it loses none.
    pub regression_step: Option<Number>,
    /// Whether floors may only be raised.
    pub floors_only_rise: bool,
    /// The lowest threshold that may be set; null when any may.
    pub threshold_at_least: Option<Number>,
    /// What may be displayed for an axis that was not scored; it never counts.
    pub neutral: Option<Number>,
    /// What is legal and probably not meant.
    pub advice: Vec<String>,
}

/// One axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AxisDocument {
    /// Its name.
    pub name: String,
    /// What it asks.
    pub text: String,
    /// Which scores are legal.
    pub scale: ScaleDocument,
    /// What scores mean.
    pub anchors: Vec<AnchorDocument>,
    /// The score that a pass needs.
    pub floor: Option<Number>,
    /// The score below which it is a hard fail.
    pub hard_floor: Option<Number>,
    /// Whether missing the floor is a hard fail.
    pub must_pass: bool,
}

/// Which scores are legal.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ScaleDocument {
    /// Lowest.
    pub min: Number,
    /// Highest.
    pub max: Number,
    /// Distance between neighbours; null when every value is legal.
    pub step: Option<Number>,
    /// `higher` or `lower`.
    pub better: &'static str,
    /// Whether only the anchors are legal.
    pub only_anchors: bool,
    /// How far outside a score may lie to be read as the nearest end.
    pub slack: Number,
}

/// What a score means.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AnchorDocument {
    /// The score.
    pub score: Number,
    /// What may be written instead of it.
    pub label: Option<String>,
    /// What it means.
    pub text: String,
}

/// What must hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ConditionDocument {
    /// Its name.
    pub id: String,
    /// What should be so.
    pub text: String,
    /// `must-pass`, `caps` or `fails`.
    pub effect: &'static str,
    /// The axis that it bears on.
    pub axis: Option<String>,
    /// What the axis is capped at.
    pub at: Option<Number>,
}

/// How the scores become one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OverallDocument {
    /// `min`, `mean`, `weighted` or `reported`.
    pub aggregation: &'static str,
    /// Weights by axis, for `weighted`.
    pub weights: std::collections::BTreeMap<String, u32>,
    /// `as-scored`, `percent-of-maximum` or `share-of-span`.
    pub stated: &'static str,
    /// What it must reach.
    pub threshold: Option<Number>,
}

/// All named rubrics.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RubricListDocument {
    /// `trueup.rubric-list/1`.
    pub schema: &'static str,
    /// In the order in which they are listed.
    pub rubrics: Vec<RubricSummaryDocument>,
}

/// A named rubric in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RubricSummaryDocument {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Its axes.
    pub axes: Vec<String>,
}

impl RubricDocument {
    /// The document of a rubric.
    #[must_use]
    pub fn of(rubric: &Rubric) -> Self {
        let asked = rubric.requirements();
        let requires =
            [(asked.citation, "citation"), (asked.evidence, "evidence"), (asked.verified, "verified")];
        Self {
            schema: "trueup.rubric/1",
            name: rubric.name().to_owned(),
            fingerprint: rubric.fingerprint().to_string(),
            axes: rubric.axes().iter().map(AxisDocument::of).collect(),
            conditions: rubric.conditions().iter().map(ConditionDocument::of).collect(),
            overall: rubric.overall().map(OverallDocument::of),
            requires: requires.iter().filter(|(asked, _)| *asked).map(|(_, name)| *name).collect(),
            regression_step: rubric.regression_step().map(Number),
            floors_only_rise: rubric.floors_only_rise(),
            threshold_at_least: rubric.threshold_at_least().map(Number),
            neutral: rubric.neutral().map(Number),
            advice: rubric.advice(),
        }
    }
}

impl AxisDocument {
    fn of(axis: &Axis) -> Self {
        let scale = axis.scale();
        Self {
            name: axis.name().to_owned(),
            text: axis.text().to_owned(),
            scale: ScaleDocument {
                min: Number(scale.min()),
                max: Number(scale.max()),
                step: scale.step().map(Number),
                better: match scale.better() {
                    Better::Higher => "higher",
                    Better::Lower => "lower",
                },
                only_anchors: axis.is_only_anchors(),
                slack: Number(axis.slack()),
            },
            anchors: axis
                .anchors()
                .iter()
                .map(|anchor| AnchorDocument {
                    score: Number(anchor.score()),
                    label: anchor.label().map(str::to_owned),
                    text: anchor.text().to_owned(),
                })
                .collect(),
            floor: axis.floor().map(Number),
            hard_floor: axis.hard_floor().map(Number),
            must_pass: axis.is_must_pass(),
        }
    }
}

impl ConditionDocument {
    fn of(condition: &Condition) -> Self {
        let (effect, at) = match condition.effect() {
            Effect::MustPass => ("must-pass", None),
            Effect::Caps { at, .. } => ("caps", Some(Number(*at))),
            _ => ("fails", None),
        };
        Self {
            id: condition.id().to_owned(),
            text: condition.text().to_owned(),
            effect,
            axis: condition.axis().map(str::to_owned),
            at,
        }
    }
}

impl OverallDocument {
    fn of(overall: &Overall) -> Self {
        let (aggregation, weights) = match overall.aggregation() {
            Aggregation::Min => ("min", None),
            Aggregation::Mean => ("mean", None),
            Aggregation::Weighted(weights) => ("weighted", Some(weights.clone())),
            _ => ("reported", None),
        };
        Self {
            aggregation,
            weights: weights.unwrap_or_default(),
            stated: match overall.scale() {
                Stated::PercentOfMaximum => "percent-of-maximum",
                Stated::ShareOfSpan => "share-of-span",
                _ => "as-scored",
            },
            threshold: overall.threshold().map(Number),
        }
    }
}
