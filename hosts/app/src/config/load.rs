//! Reading and checking a configuration.

use std::fs;
use std::path::{Component, Path};
use std::sync::Arc;

use toml::de::DeTable;
use trueup_compare_pixel::Settings;
use trueup_contract::{Literals, Preset, SprintContract};
use trueup_pixel_diff::{Antialiasing, MatchLevel, Tolerance};

use super::agreed;
use super::error::{ConfigError, ConfigErrorKind, Position};
use super::labels::labels;
use super::model::{Config, LimitTexts};
use super::ports::Filled;
use super::reader::{At, Document, Section};
use super::tokens;

/// Reads and checks the configuration at `path`.
///
/// # Errors
/// One error for the first thing that is wrong, with its place and what was expected.
pub fn load(path: &Path) -> Result<Config, ConfigError> {
    let text = read(path)?;
    let document = Document { path, text: &text };
    let table = DeTable::parse(&text).map_err(|error| {
        let position = error.span().map(|span| Position::of(&text, span.start));
        ConfigError::new(path, position, ConfigErrorKind::Syntax { message: error.message().to_owned() })
    })?;
    let root = Section::new(document, "the top level", table.get_ref(), 0..0);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let preset = preset(&root)?;
    let files = artifact(&root, folder)?;
    let mut filled = Filled::read(&root, folder, preset)?;
    let settings = tolerance(&root)?;
    let (plan, settings) = labels(&root, folder, &files, &mut filled.capturer, settings)?;
    let tokens = tokens::read(&root, &files, folder)?;
    let brief = brief(&root, folder)?;
    let excuses = agreed::excuses(&root, folder)?;
    let sprint = sprint(&root, folder, &mut filled)?;
    let limits = limits(&root)?;
    let literals = literals(&root)?;
    root.finish()?;
    Ok(Config {
        folder: folder.to_owned(),
        preset,
        plan,
        files,
        settings,
        tokens,
        filled,
        brief,
        literals,
        excuses,
        sprint,
        limits,
    })
}

/// The sprint contract, which judges are told of and which raises floors.
fn sprint(
    root: &Section<'_>,
    folder: &Path,
    filled: &mut Filled,
) -> Result<Option<SprintContract>, ConfigError> {
    let Some(sprint) = agreed::sprint(root, folder)? else { return Ok(None) };
    let judges = filled.judges.as_mut().ok_or_else(|| {
        let why = "a sprint contract is judged, and nobody judges here: add [judge], or leave it out";
        root.document.bad(&sprint.span, "sprint", why)
    })?;
    judges.rubric = agreed::raised(root, judges.rubric.clone(), &sprint)?;
    judges.criteria.clone_from(&sprint.value.acceptance_checklist);
    Ok(Some(sprint.value))
}

fn read(path: &Path) -> Result<String, ConfigError> {
    let error = |kind| ConfigError::new(path, None, kind);
    if path.is_dir() {
        return Err(error(ConfigErrorKind::Folder));
    }
    let bytes = fs::read(path).map_err(|cause| error(ConfigErrorKind::Unreadable(cause)))?;
    String::from_utf8(bytes).map_err(|cause| {
        let byte = cause.utf8_error().valid_up_to();
        let valid = String::from_utf8_lossy(&cause.as_bytes()[..byte]).into_owned();
        let position = Position::of(&valid, byte);
        ConfigError::new(path, Some(position), ConfigErrorKind::NotUtf8 { byte })
    })
}

fn preset(root: &Section<'_>) -> Result<Preset, ConfigError> {
    let Some(name) = root.string("preset")? else { return Ok(Preset::default()) };
    Preset::from_name(&name.value).ok_or_else(|| {
        let known: Vec<&str> = Preset::ALL.iter().map(|preset| preset.as_str()).collect();
        root.document.bad(
            &name.span,
            "preset",
            format!("{:?} is no preset: expected {}", name.value, known.join(" or ")),
        )
    })
}

fn artifact(root: &Section<'_>, folder: &Path) -> Result<Vec<String>, ConfigError> {
    const EXPECTED: &str = "the files that may be revised, such as files = [\"card.svg\"]";
    let section = root.section("artifact")?.ok_or_else(|| root.missing("artifact", EXPECTED))?;
    let files = section.strings("files")?.ok_or_else(|| section.missing("files", EXPECTED))?;
    if files.value.is_empty() {
        return Err(root.document.bad(
            &files.span,
            "files",
            format!("the list is empty: expected {EXPECTED}"),
        ));
    }
    for file in &files.value {
        inside(root, "files", file)?;
        let path = folder.join(&file.value);
        if !path.is_file() {
            let why = format!("{} is not a file", path.display());
            return Err(root.document.bad(&file.span, "files", why));
        }
    }
    section.finish()?;
    Ok(files.value.into_iter().map(|file| file.value).collect())
}

/// A path must be plain and relative.
pub(super) fn inside(root: &Section<'_>, key: &str, path: &At<String>) -> Result<(), ConfigError> {
    let plain = Path::new(&path.value).components().all(|part| matches!(part, Component::Normal(_)));
    if plain && !path.value.is_empty() {
        return Ok(());
    }
    let why = format!(
        "{:?} leads out of the configuration's folder: expected a relative path without ..",
        path.value
    );
    Err(root.document.bad(&path.span, key, why))
}

/// The gate against values that are written out where tokens belong.
fn literals(root: &Section<'_>) -> Result<Option<Literals>, ConfigError> {
    let Some(section) = root.section("gate")? else { return Ok(None) };
    let refuses = section.boolean("literals")?.unwrap_or(true);
    let scale = section.strings("scale")?.map(|scale| scale.value).unwrap_or_default();
    section.finish()?;
    Ok(refuses.then(|| Literals::new(scale.into_iter().map(|value| value.value))))
}

/// What the design is meant to be, from a file.
fn brief(root: &Section<'_>, folder: &Path) -> Result<Option<Arc<str>>, ConfigError> {
    let Some(file) = root.string("brief")? else { return Ok(None) };
    let path = folder.join(&file.value);
    let text = fs::read_to_string(&path).map_err(|error| {
        root.document.bad(&file.span, "brief", format!("{} cannot be read: {error}", path.display()))
    })?;
    Ok(Some(text.into()))
}

fn tolerance(root: &Section<'_>) -> Result<Settings, ConfigError> {
    let Some(section) = root.section("tolerance")? else { return Ok(Settings::default()) };
    let strict = section.boolean("strict")?.unwrap_or(false);
    let tolerance = match section.number("color_delta_e")? {
        None => Tolerance::default(),
        Some(number) => {
            number.value.parse().ok().and_then(|value| Tolerance::new(value).ok()).ok_or_else(|| {
                let why = format!("{} is no tolerance: expected a ΔE from 0 to 1000", number.value);
                root.document.bad(&number.span, "color_delta_e", why)
            })?
        }
    };
    let mut settings = Settings::new(tolerance.with_strict(strict));
    if let Some(written) = section.string("antialiasing")? {
        let known = Antialiasing::ALL.into_iter().find(|kind| kind.name() == written.value);
        let antialiasing = known.ok_or_else(|| {
            let names: Vec<&str> = Antialiasing::ALL.iter().map(|kind| kind.name()).collect();
            let why = format!("{:?} is not known: expected {}", written.value, names.join(", "));
            root.document.bad(&written.span, "antialiasing", why)
        })?;
        settings = settings.with_antialiasing(antialiasing);
    }
    if let Some(number) = section.number("pixel")? {
        let placement_px = number.value.parse().ok().filter(|px: &u32| *px <= 10_000).ok_or_else(|| {
            let why = format!("{} is no distance: expected whole CSS pixels from 0 to 10000", number.value);
            root.document.bad(&number.span, "pixel", why)
        })?;
        settings = settings.with_placement_css_px(placement_px);
    }
    if let Some(written) = section.string("level")? {
        let level = MatchLevel::from_name(&written.value).ok_or_else(|| {
            let names = MatchLevel::ALL.map(MatchLevel::name).join(", ");
            let why = format!("{:?} is not known: expected {names}", written.value);
            root.document.bad(&written.span, "level", why)
        })?;
        settings = settings.with_level(level);
    }
    section.finish()?;
    Ok(settings)
}

fn limits(root: &Section<'_>) -> Result<LimitTexts, ConfigError> {
    let Some(section) = root.section("limits")? else { return Ok(LimitTexts::default()) };
    let text = |key| Ok::<_, ConfigError>(section.number(key)?.map(|at| at.value));
    let limits = LimitTexts {
        iteration_cap: text("iteration_cap")?,
        restarts: text("restarts")?,
        retries: text("retries")?,
        trials: text("trials")?,
    };
    section.finish()?;
    Ok(limits)
}
