//! What pages are held against: agreed texts, tokens, a genre.

use std::path::Path;

use serde_json::Value;
use trueup_probes::{Copy, Expectations, Genre, Token};

use crate::error::{AppError, AppErrorKind};
use crate::rubric::read_text;

/// The expectations of a project's files.
pub(super) fn expectations(
    copy: Option<&Path>,
    tokens: Option<&Path>,
    genre: Option<Genre>,
) -> Result<Expectations, AppError> {
    let mut expectations = Expectations::new();
    if let Some(path) = copy {
        let texts = leaves(path, "a text")?;
        expectations =
            expectations.with_copy(texts.into_iter().map(|(place, text)| Copy::new(place, text)).collect());
    }
    if let Some(path) = tokens {
        let values = leaves(path, "a value such as \"8px\" or \"#0F766E\"")?;
        expectations = expectations
            .with_tokens(values.into_iter().map(|(name, value)| Token::new(name, value)).collect());
    }
    if let Some(genre) = genre {
        expectations = expectations.with_genre(genre);
    }
    Ok(expectations)
}

/// The texts of a JSON document, however deep, each by the way to it.
fn leaves(path: &Path, expected: &str) -> Result<Vec<(String, String)>, AppError> {
    let fail = |why: String| AppError::new(AppErrorKind::ProbeFile { path: path.to_owned(), why });
    let document: Value =
        serde_json::from_str(&read_text(path)?).map_err(|error| fail(format!("it is no JSON: {error}")))?;
    let mut found = Vec::new();
    walk("", &document, &mut found)
        .map_err(|place| fail(format!("at {place:?}: expected {expected}, or an object or list of them")))?;
    if found.is_empty() {
        return Err(fail(format!("it holds nothing: expected an object of names, each with {expected}")));
    }
    Ok(found)
}

fn walk(place: &str, value: &Value, found: &mut Vec<(String, String)>) -> Result<(), String> {
    let under = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
    match value {
        Value::String(text) => found.push((place.to_owned(), text.clone())),
        Value::Array(list) => {
            for (at, value) in list.iter().enumerate() {
                walk(&under(&at.to_string()), value, found)?;
            }
        }
        // The Design Tokens format: what stands beside a `$value` describes it.
        Value::Object(object) if object.contains_key("$value") => walk(place, &object["$value"], found)?,
        Value::Object(object) => {
            for (name, value) in object.iter().filter(|(name, _)| !name.starts_with('$')) {
                walk(&under(name), value, found)?;
            }
        }
        _ => return Err(place.to_owned()),
    }
    Ok(())
}
