//! A rubric from a file.

use std::collections::BTreeMap;
use std::path::Path;

use trueup_rubric::{
    Aggregation, Anchor, Axis, Condition, Overall, Requirements, Rubric, RubricError, RubricErrorKind,
    Stated, preset,
};
use trueup_score::{Better, Points, Scale, ScaleErrorKind};

use super::error::RubricFileError;
use super::node;
use super::table::Table;

/// The ends, the step and the direction of a scale, as far as they are said.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    min: Option<Points>,
    max: Option<Points>,
    step: Option<Points>,
    better: Option<Better>,
}

/// Reads a rubric from the text of a file.
pub(super) fn load(file: &Path, text: &str) -> Result<Rubric, RubricFileError> {
    let node = node::parse(file, text)?;
    let root = Table::of(file, "", &node)?;
    let name = root.text("name")?;
    let base = base(&root)?;
    let first = base.as_ref().map_or(0, |base| base.axes().len());
    let shared = match root.table("scale")? {
        None => Ends::default(),
        Some(table) => {
            let ends = ends(&table, Ends::default())?;
            table.finish()?;
            ends
        }
    };
    let tables = root.tables("axis")?;
    if tables.is_empty() && base.is_none() {
        return Err(root.missing("axis", "at least one [[axis]], or extends = \"NAME\""));
    }
    let mut axes = Vec::new();
    let mut weights = BTreeMap::new();
    for table in &tables {
        let axis = axis(table, shared)?;
        if let Some(weight) = table.weight("weight")? {
            weights.insert(axis.name().to_owned(), weight);
        }
        axes.push(axis);
    }
    let at_axis = |error: &RubricError| -> RubricFileError {
        let (name, key) = blame(error.kind());
        // The last of two axes of one name is the one that is too many.
        let index = axes.iter().rposition(|axis| Some(axis.name()) == name);
        match index.and_then(|index| tables.get(index)) {
            Some(table) => table.bad(key, error.to_string()),
            None => root.bad("axis", error.to_string()),
        }
    };
    let rubric = match base {
        Some(base) => base.with_axes(axes.clone()),
        None => Rubric::new(axes.clone()),
    };
    let mut rubric = rubric.map_err(|error| at_axis(&error))?;
    if let Some(name) = name {
        rubric = rubric.named(name);
    }
    for table in tables {
        table.finish()?;
    }
    rubric = floors(&root, rubric)?;
    rubric = conditions(&root, rubric)?;
    if let Some(requirements) = requirements(&root)? {
        rubric = rubric.with_requirements(requirements);
    }
    if let Some(step) = root.points("regression_step")? {
        rubric = rubric
            .with_regression_step(step)
            .map_err(|error| root.bad("regression_step", error.to_string()))?;
    }
    rubric = overall(&root, rubric, weights, first)?;
    root.finish()?;
    if !rubric.can_fail() {
        let why = "nothing could ever fail by this rubric: give an axis a floor, set a threshold, or add a must-pass condition";
        return Err(RubricFileError::new(file, None, "", why));
    }
    Ok(rubric)
}

fn base(root: &Table<'_>) -> Result<Option<Rubric>, RubricFileError> {
    let Some(name) = root.text("extends")? else { return Ok(None) };
    preset::named(&name).map(Some).ok_or_else(|| {
        root.bad("extends", format!("{name:?} is no named rubric: expected {}", preset::NAMES.join(", ")))
    })
}

fn ends(table: &Table<'_>, shared: Ends) -> Result<Ends, RubricFileError> {
    let better = match table.text("better")?.as_deref() {
        None => shared.better,
        Some("higher") => Some(Better::Higher),
        Some("lower") => Some(Better::Lower),
        Some(other) => {
            return Err(table.bad("better", format!("{other:?} is no direction: expected higher or lower")));
        }
    };
    Ok(Ends {
        min: table.points("min")?.or(shared.min),
        max: table.points("max")?.or(shared.max),
        step: table.points("step")?.or(shared.step),
        better,
    })
}

fn axis(table: &Table<'_>, shared: Ends) -> Result<Axis, RubricFileError> {
    let name = table.required("name", "the axis's name")?;
    let ends = ends(table, shared)?;
    let end = |end: Option<Points>, key| {
        end.ok_or_else(|| table.missing(key, "a number, here or under [scale] for all axes"))
    };
    let (min, max) = (end(ends.min, "min")?, end(ends.max, "max")?);
    let scale = Scale::new(min, max, ends.better.unwrap_or(Better::Higher));
    let scale = scale.and_then(|scale| match ends.step {
        Some(step) => scale.with_step(step),
        None => Ok(scale),
    });
    let scale = scale.map_err(|error| {
        let key = if matches!(error.kind(), ScaleErrorKind::BadStep { .. }) { "step" } else { "min" };
        table.bad(key, error.to_string())
    })?;
    let mut axis = Axis::new(name, scale);
    if let Some(text) = table.text("text")? {
        axis = axis.described(text);
    }
    let anchors = table.tables("anchor")?;
    let read: Result<Vec<Anchor>, RubricFileError> = anchors.iter().map(anchor).collect();
    axis = axis.with_anchors(read?);
    for anchor in anchors {
        anchor.finish()?;
    }
    if table.truth("only_anchors")? {
        axis = axis.only_anchors();
    }
    if let Some(slack) = table.points("slack")? {
        axis = axis.with_slack(slack);
    }
    if let Some(floor) = table.points("floor")? {
        axis = axis.with_floor(floor).map_err(|error| table.bad("floor", error.to_string()))?;
    }
    if let Some(floor) = table.points("hard_floor")? {
        axis = axis.with_hard_floor(floor).map_err(|error| table.bad("hard_floor", error.to_string()))?;
    }
    if table.truth("must_pass")? {
        if axis.floor().is_none() {
            return Err(
                table.bad("must_pass", "an axis must pass its floor, and this one has none: give it a floor")
            );
        }
        axis = axis.must_pass();
    }
    Ok(axis)
}

fn anchor(table: &Table<'_>) -> Result<Anchor, RubricFileError> {
    let score = table.points("score")?.ok_or_else(|| table.missing("score", "the anchor's score"))?;
    let anchor = Anchor::new(score, table.required("text", "what the score means")?);
    Ok(match table.text("label")? {
        Some(label) => anchor.with_label(label),
        None => anchor,
    })
}

fn floors(root: &Table<'_>, mut rubric: Rubric) -> Result<Rubric, RubricFileError> {
    let Some(table) = root.table("floors")? else { return Ok(rubric) };
    for (axis, floor) in table.numbers()? {
        rubric = rubric.with_floor(&axis, floor).map_err(|error| table.bad(&axis, error.to_string()))?;
    }
    Ok(rubric)
}

fn conditions(root: &Table<'_>, mut rubric: Rubric) -> Result<Rubric, RubricFileError> {
    for table in root.tables("condition")? {
        let id = table.required("id", "the condition's name in replies")?;
        let text = table.required("text", "what should be so")?;
        let must_pass = table.truth("must_pass")?;
        let fails = table.text("fails")?;
        let caps = table.text("caps")?;
        let at = table.points("at")?;
        let (condition, key) = match (must_pass, fails, caps, at) {
            (true, None, None, None) => (Condition::must_pass(id, text), "id"),
            (false, Some(axis), None, None) => (Condition::fails(id, text, axis), "fails"),
            (false, None, Some(axis), Some(at)) => (Condition::caps(id, text, axis, at), "caps"),
            (false, None, Some(_), None) => {
                return Err(table.missing("at", "the score that the axis is capped at"));
            }
            _ => {
                let why = "expected exactly one of must_pass = true, fails = \"AXIS\", or caps = \"AXIS\" with at = SCORE";
                return Err(table.bad("id", why));
            }
        };
        rubric = rubric.with_conditions([condition]).map_err(|error| {
            let key = if matches!(error.kind(), RubricErrorKind::CapOffScale { .. }) { "at" } else { key };
            let key =
                if matches!(error.kind(), RubricErrorKind::DuplicateCondition { .. }) { "id" } else { key };
            table.bad(key, error.to_string())
        })?;
        table.finish()?;
    }
    Ok(rubric)
}

fn requirements(root: &Table<'_>) -> Result<Option<Requirements>, RubricFileError> {
    let names = root.texts("requires")?;
    if names.is_empty() {
        return Ok(None);
    }
    let mut requirements = Requirements::NONE;
    for name in names {
        match name.as_str() {
            "citation" => requirements.citation = true,
            "evidence" => requirements.evidence = true,
            "verified" => (requirements.evidence, requirements.verified) = (true, true),
            _ => {
                let why = format!(
                    "{name:?} is nothing that can be required: expected citation, evidence or verified"
                );
                return Err(root.bad("requires", why));
            }
        }
    }
    Ok(Some(requirements))
}

fn overall(
    root: &Table<'_>,
    rubric: Rubric,
    weights: BTreeMap<String, u32>,
    first: usize,
) -> Result<Rubric, RubricFileError> {
    let (aggregation, stated) = (root.text("aggregation")?, root.text("stated")?);
    let threshold = root.points("threshold")?;
    let extra = root.table("weights")?.map(|table| table.numbers()).transpose()?.unwrap_or_default();
    let mut all = weights.clone();
    for (axis, weight) in extra {
        let whole = u32::try_from(weight.micros() / 1_000_000).ok();
        let whole = whole.filter(|whole| Points::from_whole(i64::from(*whole)) == weight);
        let why = || format!("{weight} is no weight: expected a whole number, 0 or above");
        all.insert(axis.clone(), whole.ok_or_else(|| root.bad("weights", why()))?);
    }
    let weighted = aggregation.as_deref() == Some("weighted");
    if !all.is_empty() && !weighted {
        let index = rubric.axes().iter().skip(first).position(|axis| weights.contains_key(axis.name()));
        let why = "a weight means nothing without aggregation = \"weighted\"";
        return Err(match index.and_then(|index| root.tables("axis").ok()?.into_iter().nth(index)) {
            Some(table) => table.bad("weight", why),
            None => root.bad("weights", why),
        });
    }
    let stated = match stated.as_deref() {
        None => None,
        Some("as-scored") => Some(Stated::AsScored),
        Some("percent-of-maximum") => Some(Stated::PercentOfMaximum),
        Some("share-of-span") => Some(Stated::ShareOfSpan),
        Some(other) => {
            let why =
                format!("{other:?} is no scale: expected as-scored, percent-of-maximum or share-of-span");
            return Err(root.bad("stated", why));
        }
    };
    let aggregation = match aggregation.as_deref() {
        None => rubric.overall().map(|overall| overall.aggregation().clone()),
        Some("min") => Some(Aggregation::Min),
        Some("mean") => Some(Aggregation::Mean),
        Some("reported") => Some(Aggregation::Reported),
        Some("weighted") => Some(Aggregation::Weighted(all)),
        Some(other) => {
            let why = format!("{other:?} is no aggregation: expected min, mean, weighted or reported");
            return Err(root.bad("aggregation", why));
        }
    };
    let Some(aggregation) = aggregation else {
        let key = if threshold.is_some() { "threshold" } else { "stated" };
        if threshold.is_some() || stated.is_some() {
            let why = "there is no overall to hold it against: aggregation is never invented, so say min, mean, weighted or reported";
            return Err(root.bad(key, why));
        }
        return Ok(rubric);
    };
    let own = rubric.overall().cloned();
    let stated = stated.or(own.as_ref().map(Overall::scale)).unwrap_or_default();
    let mut overall = Overall::new(aggregation).stated(stated);
    if let Some(threshold) = threshold.or(own.as_ref().and_then(Overall::threshold)) {
        overall = overall.with_threshold(threshold);
    }
    rubric.with_overall(overall).map_err(|error| {
        let key = match error.kind() {
            RubricErrorKind::ThresholdOffScale { .. } | RubricErrorKind::ThresholdTooLow { .. } => {
                "threshold"
            }
            RubricErrorKind::UnknownAxis { .. } => "weights",
            _ => "aggregation",
        };
        root.bad(key, error.to_string())
    })
}

/// Which axis and which of its keys an error of the whole rubric is about.
fn blame(kind: &RubricErrorKind) -> (Option<&str>, &'static str) {
    match kind {
        RubricErrorKind::FloorOffScale { axis, .. } | RubricErrorKind::FloorUnreachable { axis, .. } => {
            (Some(axis), "floor")
        }
        RubricErrorKind::AnchorOffScale { axis, .. }
        | RubricErrorKind::DuplicateAnchor { axis, .. }
        | RubricErrorKind::NoAnchors { axis } => (Some(axis), "anchor"),
        RubricErrorKind::NegativeSlack { axis } => (Some(axis), "slack"),
        RubricErrorKind::DuplicateAxis { axis } => (Some(axis), "name"),
        RubricErrorKind::NoName { .. } => (Some(""), "name"),
        _ => (None, "name"),
    }
}
