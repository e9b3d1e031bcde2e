//! A rubric by its name, or by the path of its file.

use std::fs;
use std::path::Path;

use trueup_rubric::{Rubric, preset};

use super::error::RubricFileError;
use super::load::load;

/// A rubric, and where it came from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// The rubric.
    pub rubric: Rubric,
    /// What was asked for: a name, or a path.
    pub asked: String,
}

/// The named rubric, or the one in the file of that path.
///
/// # Errors
/// When there is neither, or the file cannot be used.
pub fn find_rubric(asked: &str) -> Result<Found, RubricFileError> {
    let found = |rubric| Found { rubric, asked: asked.to_owned() };
    if let Some(rubric) = preset::named(asked) {
        return Ok(found(rubric));
    }
    let path = Path::new(asked);
    if !path.exists() {
        let nearest = preset::NAMES.iter().min_by_key(|name| strsim::damerau_levenshtein(name, asked));
        let why = format!(
            "there is no named rubric and no file of that name: did you mean {:?}? named rubrics: {}",
            nearest.copied().unwrap_or_default(),
            preset::NAMES.join(", ")
        );
        return Err(RubricFileError::new(path, None, "", why));
    }
    load_rubric(path).map(found)
}

/// Reads and checks a rubric's file: TOML, or JSON where its name ends in `.json`.
///
/// # Errors
/// One error for the first thing that is wrong, with its path in the file, its place where the format gives one, and what
/// was expected.
pub fn load_rubric(path: &Path) -> Result<Rubric, RubricFileError> {
    let fail = |why: String| RubricFileError::new(path, None, "", why);
    if path.is_dir() {
        return Err(fail("it is a folder: name the rubric's file in it".to_owned()));
    }
    let bytes = fs::read(path).map_err(|error| fail(format!("it cannot be read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        fail(format!("it is not UTF-8 text: byte {} does not fit", error.utf8_error().valid_up_to()))
    })?;
    let rubric = load(path, &text)?;
    if rubric.name().is_empty() {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        return Ok(rubric.named(stem.unwrap_or_default()));
    }
    Ok(rubric)
}
