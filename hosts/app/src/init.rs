//! A configuration to begin with, from what is there.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{AppError, AppErrorKind};

/// Folders below the configuration's that references are looked for in; the first that has one wins.
const REFERENCE_FOLDERS: [&str; 5] = ["reference", "references", "design", "designs", "."];

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InitOutcome {
    /// The configuration.
    pub config: PathBuf,
    /// Labels that were found: a drawing and its reference each.
    pub labels: usize,
    /// Design tokens that were found.
    pub tokens: usize,
    /// Drawings without a reference, by name.
    pub without_reference: Vec<String>,
}

/// Writes `trueup.toml` into `folder` from the SVG files, pictures and custom properties that are there. Asks nothing and
/// replaces nothing.
///
/// # Errors
/// When there is a configuration already, or no SVG file, or a file cannot be read or written.
pub fn init(folder: &Path) -> Result<InitOutcome, AppError> {
    let config = folder.join("trueup.toml");
    if config.exists() {
        return Err(AppError::new(AppErrorKind::ConfigExists { path: config }));
    }
    let drawings = drawings(folder)?;
    if drawings.is_empty() {
        return Err(AppError::new(AppErrorKind::NothingToInit { folder: folder.to_owned() }));
    }
    let mut labels = String::new();
    let mut tokens = String::new();
    let mut outcome =
        InitOutcome { config: config.clone(), labels: 0, tokens: 0, without_reference: Vec::new() };
    let mut files = Vec::new();
    let mut names = BTreeSet::new();
    for drawing in &drawings {
        let text = read(&folder.join(drawing))?;
        let stem = drawing.trim_end_matches(".svg");
        match reference(folder, stem) {
            Some(reference) => {
                outcome.labels += 1;
                files.push(format!("{drawing:?}"));
                let viewport = viewport(&text);
                let _ = write!(
                    labels,
                    "\n[[label]]\nname = {stem:?}\nsource = {drawing:?}\nviewport = \"{viewport}\"    # in CSS pixels; 360x240@2 for two device pixels each\nreference = {reference:?}\n"
                );
                for (property, kind) in properties(&text) {
                    let name = property.trim_start_matches('-');
                    // A token of one name in two files is two tokens.
                    let name = if names.insert(name.to_owned()) {
                        name.to_owned()
                    } else {
                        format!("{stem}-{name}")
                    };
                    outcome.tokens += 1;
                    let _ = write!(
                        tokens,
                        "\n[[token]]\nname = {name:?}\nfile = {drawing:?}\nproperty = {property:?}\ntype = {kind:?}\n"
                    );
                }
            }
            None => outcome.without_reference.push(drawing.clone()),
        }
    }
    if outcome.labels == 0 {
        return Err(AppError::new(AppErrorKind::NoReference {
            folder: folder.to_owned(),
            drawing: drawings[0].clone(),
        }));
    }
    let reviser = if outcome.tokens > 0 {
        "# Fits the tokens below to the references.\n[reviser]\nkind = \"tokens\"\n"
    } else {
        "# There is no custom property to fit: name a program of yours that revises (docs/protocol.md).\n# [reviser]\n# kind = \"command\"\n# command = [\"python3\", \"reviser.py\"]\n"
    };
    let text = format!(
        "# Drives the drawings in this folder to their references:\n#\n#     trueup run trueup.toml\n\n[artifact]\n# What may be revised. Nothing else is ever written to, but the run folders.\nfiles = [{}]\n\n[tolerance]\n# How far a colour may be off, in CIEDE2000; see trueup diff --help.\ncolor_delta_e = 2.0\n{labels}\n{reviser}{tokens}\n[limits]\n# Revisions at most, 0 to 100.\niteration_cap = 6\n",
        files.join(", ")
    );
    fs::write(&config, text)
        .map_err(|source| AppError::new(AppErrorKind::File { what: "written", path: config, source }))?;
    Ok(outcome)
}

/// Names of the SVG files in a folder, in order.
fn drawings(folder: &Path) -> Result<Vec<String>, AppError> {
    let entries = fs::read_dir(folder).map_err(|source| {
        AppError::new(AppErrorKind::File { what: "read", path: folder.to_owned(), source })
    })?;
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.path().is_file())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".svg"))
        .collect();
    names.sort();
    Ok(names)
}

/// The picture of the same name, as a path relative to the folder.
fn reference(folder: &Path, stem: &str) -> Option<String> {
    REFERENCE_FOLDERS.into_iter().find_map(|place| {
        let relative = if place == "." { format!("{stem}.png") } else { format!("{place}/{stem}.png") };
        folder.join(&relative).is_file().then_some(relative)
    })
}

/// Width and height of a drawing as its root says them, else a common screen.
fn viewport(svg: &str) -> String {
    let root = svg.split_once("<svg").map_or("", |(_, rest)| rest.split('>').next().unwrap_or_default());
    let side = |name: &str| {
        let (_, rest) = root.split_once(&format!(" {name}="))?;
        let quote = rest.chars().next().filter(|quote| "\"'".contains(*quote))?;
        let value = rest[1..].split(quote).next()?.trim_end_matches("px");
        value.parse::<f64>().ok().filter(|side| (1.0..=16_384.0).contains(side)).map(|side| side.round())
    };
    match (side("width"), side("height")) {
        (Some(width), Some(height)) => format!("{width}x{height}"),
        _ => "1280x720".to_owned(),
    }
}

/// Custom properties that are set, with the type of token that their value is.
fn properties(svg: &str) -> Vec<(String, &'static str)> {
    let mut found: Vec<(String, &'static str)> = Vec::new();
    for (at, _) in svg.match_indices("--") {
        let before = svg[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '-' || c == '(') {
            continue;
        }
        let Some((name, rest)) = svg[at..].split_once(':') else { continue };
        if name.len() < 3 || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) {
            continue;
        }
        let value = rest.split([';', '}']).next().unwrap_or_default().trim();
        let number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
        let is_color = value.strip_prefix('#').is_some_and(|digits| {
            [3, 6].contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
        let kind = if is_color {
            "color"
        } else if value.strip_suffix("px").is_some_and(number) {
            "length"
        } else if number(value) {
            "number"
        } else {
            continue;
        };
        // Set twice, it is no one place to write to.
        match found.iter().position(|(known, _)| known == name) {
            Some(place) => {
                found.remove(place);
            }
            None => found.push((name.to_owned(), kind)),
        }
    }
    found
}

fn read(path: &Path) -> Result<String, AppError> {
    fs::read_to_string(path)
        .map_err(|source| AppError::new(AppErrorKind::File { what: "read", path: path.to_owned(), source }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_those_that_are_set_once() {
        let svg = "<svg><style>:root { --a: #fff; --b:12px; --c: 1.5; --d: red; --e: 1px; } .x { --e: 2px; fill: var(--a) }</style></svg>";
        assert_eq!(
            properties(svg),
            [("--a".to_owned(), "color"), ("--b".to_owned(), "length"), ("--c".to_owned(), "number")]
        );
    }

    #[test]
    fn a_viewport_is_what_the_root_says() {
        assert_eq!(viewport("<svg xmlns='x' width='360' height=\"240px\">"), "360x240");
        assert_eq!(viewport("<svg viewBox='0 0 9 9'>"), "1280x720");
        assert_eq!(viewport("<svg width='100%' height='9'>"), "1280x720");
    }
}
