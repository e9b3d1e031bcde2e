//! Listing and showing rubrics.

use trueup_rubric::preset;

use super::document::{RubricDocument, RubricListDocument, RubricSummaryDocument};
use super::error::RubricFileError;
use super::find::find_rubric;

/// All named rubrics.
#[must_use]
pub fn list_rubrics() -> RubricListDocument {
    let summary = |preset: preset::Preset| RubricSummaryDocument {
        name: preset.name,
        about: preset.about,
        axes: preset::named(preset.name)
            .map(|rubric| rubric.axes().iter().map(|axis| axis.name().to_owned()).collect())
            .unwrap_or_default(),
    };
    RubricListDocument { schema: "trueup.rubric-list/1", rubrics: preset::presets().map(summary).collect() }
}

/// A named rubric, or the one in the file of that path, with every number.
///
/// # Errors
/// When there is neither, or the file cannot be used.
pub fn show_rubric(asked: &str) -> Result<RubricDocument, RubricFileError> {
    find_rubric(asked).map(|found| RubricDocument::of(&found.rubric))
}
