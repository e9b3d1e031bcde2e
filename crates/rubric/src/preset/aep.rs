//! Presets for what agents produce.

use trueup_score::Points;

use super::aep_scales as scales;
use super::dimension::{Dimension, built};
use crate::{Rubric, RubricError};

const TWO: Points = Points::from_whole(2);
const THREE: Points = Points::from_whole(3);
const FOUR: Points = Points::from_whole(4);

/// An axis's name (`*` for all), the floor that a pass needs, and the floor below which it is a hard fail.
type Floor = (&'static str, Option<Points>, Option<Points>);

/// What every preset is united with (R13): a pass needs 3 everywhere and 4 on completeness; below 4 on completeness, 3 on
/// correctness or security, or 2 anywhere it is a hard fail.
const DEFAULT: &[Floor] = &[
    ("*", Some(THREE), Some(TWO)),
    ("Completeness", Some(FOUR), Some(FOUR)),
    ("Correctness", None, Some(THREE)),
    ("Security", None, Some(THREE)),
];

fn preset(name: &str, axes: &[&Dimension<5>], own: &[Floor]) -> Rubric {
    built(unite(name, axes, own))
}

fn unite(name: &str, axes: &[&Dimension<5>], own: &[Floor]) -> Result<Rubric, RubricError> {
    let rubric = Rubric::new(axes.iter().map(|axis| axis.whole()))?.named(name);
    Ok(rubric
        .united_with(own.iter().copied())?
        .united_with(DEFAULT.iter().copied())?
        .with_floors_that_only_rise())
}

/// A floor of the preset itself: below it is a hard fail, and so no pass.
const fn hard(axis: &'static str, floor: Points) -> Floor {
    (axis, Some(floor), Some(floor))
}

/// An implementation: completeness, correctness, UX quality, security, code quality.
#[must_use]
pub fn code() -> Rubric {
    let axes = [
        &scales::COMPLETENESS,
        &scales::CORRECTNESS,
        &scales::UX_QUALITY,
        &scales::SECURITY,
        &scales::CODE_QUALITY,
    ];
    preset("aep-code", &axes, &[])
}

/// Forms, dashboards, layouts: UX quality and visual design below 3 fail hard.
#[must_use]
pub fn ui_heavy() -> Rubric {
    let axes = [
        &scales::COMPLETENESS,
        &scales::CORRECTNESS,
        &scales::UX_QUALITY,
        &scales::VISUAL_DESIGN,
        &scales::ORIGINALITY,
        &scales::ACCESSIBILITY,
    ];
    let own = [hard("UX Quality", THREE), hard("Visual Design", THREE), hard("Completeness", FOUR)];
    preset("aep-ui-heavy", &axes, &own)
}

/// Endpoints, services, integrations: correctness and security below 3 fail hard.
#[must_use]
pub fn api_only() -> Rubric {
    let axes = [
        &scales::COMPLETENESS,
        &scales::CORRECTNESS,
        &scales::API_DESIGN,
        &scales::SECURITY,
        &scales::PERFORMANCE,
    ];
    preset("aep-api-only", &axes, &[hard("Correctness", THREE), hard("Security", THREE)])
}

/// Authentication, payments, handling of data: security and data privacy below 4 fail hard.
#[must_use]
pub fn security_sensitive() -> Rubric {
    let axes = [
        &scales::COMPLETENESS,
        &scales::CORRECTNESS,
        &scales::SECURITY,
        &scales::DATA_PRIVACY,
        &scales::CODE_QUALITY,
    ];
    preset("aep-security-sensitive", &axes, &[hard("Security", FOUR), hard("Data Privacy", FOUR)])
}

/// Imports, migrations, batch processing: data integrity and completeness below 4 fail hard.
#[must_use]
pub fn data_pipeline() -> Rubric {
    let axes = [
        &scales::COMPLETENESS,
        &scales::CORRECTNESS,
        &scales::PERFORMANCE,
        &scales::DATA_INTEGRITY,
        &scales::ERROR_RECOVERY,
    ];
    preset("aep-data-pipeline", &axes, &[hard("Data Integrity", FOUR), hard("Completeness", FOUR)])
}

/// A slice through the whole stack: anything below 3 fails hard, completeness below 4.
#[must_use]
pub fn mixed() -> Rubric {
    let axes = [
        &scales::COMPLETENESS,
        &scales::CORRECTNESS,
        &scales::UX_QUALITY,
        &scales::VISUAL_DESIGN,
        &scales::SECURITY,
        &scales::CODE_QUALITY,
    ];
    preset("aep-mixed", &axes, &[hard("*", THREE), hard("Completeness", FOUR), hard("Visual Design", THREE)])
}

/// Product context, architecture and design documents.
#[must_use]
pub fn product_design() -> Rubric {
    let axes = [
        &scales::DESIGN_COMPLETENESS,
        &scales::CONSISTENCY,
        &scales::IMPLEMENTABILITY,
        &scales::DESIGN_SECURITY,
        &scales::DOWNSTREAM_COMPATIBILITY,
    ];
    preset("aep-product-design", &axes, &[])
}

/// Proposals, migration plans, runbooks.
#[must_use]
pub fn documents() -> Rubric {
    let axes = [&scales::ACCURACY, &scales::EXECUTABILITY, &scales::COMPLETENESS];
    preset("aep-documents", &axes, &[])
}

/// A story map: walking skeleton, vision alignment and INVEST compliance below 3 fail hard.
#[must_use]
pub fn story_mapping() -> Rubric {
    let axes = [
        &scales::WALKING_SKELETON,
        &scales::LAYER_ORDERING,
        &scales::VISION_ALIGNMENT,
        &scales::INVEST,
        &scales::DEPENDENCY_GRAPH,
    ];
    let own = [
        hard("Walking Skeleton Validity", THREE),
        hard("Vision Alignment", THREE),
        hard("INVEST Compliance", THREE),
    ];
    preset("aep-story-mapping", &axes, &own)
}
