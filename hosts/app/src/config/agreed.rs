//! What people agreed on before a run: regions that are excused, and the sprint contract.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use trueup_contract::{DeltaId, Excuses, OpenRegion, RegionClass, RegionJudgement, SprintContract};
use trueup_frame::Rect;
use trueup_rubric::Rubric;
use trueup_score::Points;

use super::error::ConfigError;
use super::reader::{At, Section};

/// A `trueup.judgement/1`, as every run writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JudgementFile {
    schema: String,
    #[serde(rename = "iteration")]
    _iteration: Option<u32>,
    regions: Vec<JudgedRegion>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JudgedRegion {
    id: DeltaId,
    class: RegionClass,
    reason: Option<String>,
    by: Option<String>,
    x: u32,
    y: u32,
    width: u32,
    height: u32,
    pixels: u64,
    score: Points,
}

/// Regions that somebody judged, from the file that `judgement` names.
pub(super) fn excuses(root: &Section<'_>, folder: &Path) -> Result<Excuses, ConfigError> {
    const KEY: &str = "judgement";
    let Some(file) = root.string(KEY)? else { return Ok(Excuses::new()) };
    let bad = |why: String| root.document.bad(&file.span, KEY, format!("{}: {why}", file.value));
    let judged: JudgementFile = json(root, folder, KEY, &file)?;
    if judged.schema != "trueup.judgement/1" {
        return Err(bad(format!(
            "expected a trueup.judgement/1, and it says that it is {:?}",
            judged.schema
        )));
    }
    let mut excuses = Excuses::new();
    for region in judged.regions {
        let said = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        // A region that nobody judged is the artifact's own, with or without a line here.
        let (reason, by) = match (said(region.reason), said(region.by)) {
            (Some(reason), Some(by)) => (reason, by),
            _ if !region.class.is_excused() => continue,
            _ => {
                return Err(bad(format!(
                    "{} is {}: an excuse needs a reason and who gives it (by)",
                    region.id, region.class
                )));
            }
        };
        let area = Rect::new(region.x, region.y, region.width, region.height);
        let mut open = OpenRegion::new(region.id.clone(), area, region.score);
        open.pixels = region.pixels;
        excuses = excuses.with(region.id, RegionJudgement::new(&open, region.class, reason, by));
    }
    Ok(excuses)
}

/// The sprint contract in the file that `sprint` names.
pub(super) fn sprint(root: &Section<'_>, folder: &Path) -> Result<Option<At<SprintContract>>, ConfigError> {
    const KEY: &str = "sprint";
    let Some(file) = root.string(KEY)? else { return Ok(None) };
    let sprint: SprintContract = json(root, folder, KEY, &file)?;
    sprint.check().map_err(|error| root.document.bad(&file.span, KEY, format!("{}: {error}", file.value)))?;
    Ok(Some(At { value: sprint, span: file.span }))
}

/// The rubric with the pass conditions of a sprint contract: they raise floors and never lower one.
pub(super) fn raised(
    root: &Section<'_>,
    rubric: Rubric,
    sprint: &At<SprintContract>,
) -> Result<Rubric, ConfigError> {
    let bad = |why: String| root.document.bad(&sprint.span, "sprint", why);
    sprint.value.pass_conditions.iter().try_fold(rubric, |rubric, (dimension, least)| {
        let axis = rubric.axes().iter().find(|axis| axis.name() == dimension);
        if axis.is_some_and(|axis| axis.floor().is_some_and(|floor| axis.scale().meets(floor, *least))) {
            return Ok(rubric);
        }
        rubric.with_floor(dimension, *least).map_err(|error| bad(format!("pass_conditions: {error}")))
    })
}

fn json<T: DeserializeOwned>(
    root: &Section<'_>,
    folder: &Path,
    key: &str,
    file: &At<String>,
) -> Result<T, ConfigError> {
    let path = folder.join(&file.value);
    let bad = |why: String| root.document.bad(&file.span, key, format!("{}: {why}", path.display()));
    let text = fs::read_to_string(&path).map_err(|error| bad(format!("it cannot be read: {error}")))?;
    serde_json::from_str(&text).map_err(|error| bad(error.to_string()))
}
