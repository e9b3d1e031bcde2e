//! Rubrics by name.

use super::{
    api_only, code, data_pipeline, documents, framesmith, mixed, moai, product_design, security_sensitive,
    story_mapping, ui_heavy,
};
use crate::{Aggregation, Rubric};

/// A named rubric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// What it is for, in a line.
    pub about: &'static str,
}

/// The names of all presets, in the order in which they are listed.
pub const NAMES: &[&str] = &[
    "framesmith",
    "moai",
    "moai-min",
    "moai-mean",
    "aep-code",
    "aep-ui-heavy",
    "aep-api-only",
    "aep-security-sensitive",
    "aep-data-pipeline",
    "aep-mixed",
    "aep-product-design",
    "aep-documents",
    "aep-story-mapping",
];

/// All presets, in order.
pub fn presets() -> impl Iterator<Item = Preset> {
    NAMES.iter().map(|name| Preset { name, about: about(name) })
}

fn about(name: &str) -> &'static str {
    match name {
        "framesmith" => "a picture of a design on five axes, 1 to 5, none below 3",
        "moai" => "a web design on four dimensions; the evaluator's own cited overall must reach 0.75",
        "moai-min" => "as moai, but the worst dimension is the overall",
        "moai-mean" => "as moai, but the plain mean is the overall",
        "aep-code" => "an implementation held against its tasks and specification",
        "aep-ui-heavy" => "forms, dashboards, layouts",
        "aep-api-only" => "endpoints, services, integrations",
        "aep-security-sensitive" => "authentication, payments, handling of data",
        "aep-data-pipeline" => "imports, migrations, batch processing",
        "aep-mixed" => "a slice through the whole stack",
        "aep-product-design" => "product context, architecture and design documents",
        "aep-documents" => "proposals, migration plans, runbooks",
        "aep-story-mapping" => "a story map: layers, stories and what they depend on",
        _ => "",
    }
}

/// The rubric of that name.
#[must_use]
pub fn named(name: &str) -> Option<Rubric> {
    Some(match name {
        "framesmith" => framesmith(),
        "moai" => moai(Aggregation::Reported).ok()?,
        "moai-min" => moai(Aggregation::Min).ok()?.named("moai-min"),
        "moai-mean" => moai(Aggregation::Mean).ok()?.named("moai-mean"),
        "aep-code" => code(),
        "aep-ui-heavy" => ui_heavy(),
        "aep-api-only" => api_only(),
        "aep-security-sensitive" => security_sensitive(),
        "aep-data-pipeline" => data_pipeline(),
        "aep-mixed" => mixed(),
        "aep-product-design" => product_design(),
        "aep-documents" => documents(),
        "aep-story-mapping" => story_mapping(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_rubric_that_carries_it_and_can_fail() {
        for preset in presets() {
            let rubric = named(preset.name).unwrap_or_else(|| panic!("{} is there", preset.name));
            assert_eq!(rubric.name(), preset.name);
            assert!(!preset.about.is_empty() && rubric.can_fail(), "{}", preset.name);
            for axis in rubric.axes() {
                assert!(!axis.text().is_empty(), "{}: {}", preset.name, axis.name());
                assert!(axis.anchors().iter().all(|anchor| !anchor.text().is_empty()), "{}", axis.name());
                assert!(axis.anchors().len() >= 4, "{}: {}", preset.name, axis.name());
            }
        }
        assert!(named("vibes").is_none());
    }

    #[test]
    fn rubrics_that_ask_for_different_things_have_different_fingerprints() {
        let all: std::collections::BTreeSet<_> =
            NAMES.iter().filter_map(|name| named(name)).map(|rubric| rubric.fingerprint()).collect();
        assert_eq!(all.len(), NAMES.len());
        let one = named("aep-code").unwrap();
        let raised = one.clone().with_floor("Security", trueup_score::Points::from_whole(4)).unwrap();
        assert_ne!(one.fingerprint(), raised.fingerprint());
    }
}
