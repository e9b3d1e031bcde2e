//! What is compared with what: labels one by one, or pages at several viewports in several themes.

use std::path::Path;
use std::sync::Arc;

use trueup_compare_pixel::{Area, Settings};
use trueup_contract::{Label, LabelName, Plan, PlanError, Viewport};
use trueup_frame::Rect;

use super::error::{ConfigError, ConfigErrorKind};
use super::load::inside;
use super::ports::CapturerChoice;
use super::reader::{At, Section};
use crate::diff::{AreaPlace, AreaSource, MaskSource};

/// The viewports of a page that names none: a desk and a hand.
const VIEWPORTS: [&str; 2] = ["1280x720", "375x667"];

/// Reads every label; what they say of masks goes into the settings, what they say of pages to the capturer.
pub(super) fn labels(
    root: &Section<'_>,
    folder: &Path,
    files: &[String],
    capturer: &mut CapturerChoice,
    mut settings: Settings,
) -> Result<(Arc<Plan>, Settings), ConfigError> {
    let mut labels: Vec<Label> = Vec::new();
    for section in root.sections("label")? {
        let written = section.required("name", "a name such as \"card\"")?;
        let name = name(&section, &labels, &written, &written.value)?;
        let source = source(&section, folder, files, capturer)?;
        let viewport = section.required("viewport", "WIDTHxHEIGHT in CSS pixels, such as \"360x240\"")?;
        let size = viewport_of(&section, "viewport", &viewport)?;
        let reference =
            section.required("reference", "the picture that it must match, such as \"card.png\"")?;
        let mut label = Label::new(name.clone(), source, size, reference.value);
        if let Some(theme) = section.string("theme")? {
            label = label.with_theme(theme_of(&section, "theme", theme, capturer)?);
        }
        if let CapturerChoice::Browser(browser) = capturer {
            browser.read_screen(&section, std::slice::from_ref(&name))?;
        }
        for [x, y, width, height] in section.rects("ignore")? {
            settings = settings.with_ignored(name.clone(), Rect::new(x, y, width, height));
        }
        for text in section.strings("areas")?.into_iter().flat_map(|areas| areas.value) {
            settings = settings.with_area(name.clone(), area(root, folder, &text)?);
        }
        section.finish()?;
        labels.push(label);
    }
    for section in root.sections("screen")? {
        screen(&section, folder, files, capturer, &mut labels)?;
        section.finish()?;
    }
    if labels.is_empty() {
        return Err(root.missing("label", "at least one [[label]] with name, source, viewport and reference"));
    }
    let plan = Plan::new(labels).map_err(|error| {
        let kind = ConfigErrorKind::BadValue { key: "label".to_owned(), why: error.to_string() };
        ConfigError::new(root.document.path, None, kind)
    })?;
    Ok((Arc::new(plan), settings))
}

/// An area of a label; a picture's path is below the configuration's folder.
fn area(root: &Section<'_>, folder: &Path, text: &At<String>) -> Result<Area, ConfigError> {
    let bad = |why: String| root.document.bad(&text.span, "areas", why);
    let mut source: AreaSource = text.value.parse().map_err(|error| bad(format!("{error}")))?;
    if let AreaPlace::Mask(MaskSource::File(path)) = &mut source.place {
        let written = At { value: path.to_string_lossy().into_owned(), span: text.span.clone() };
        inside(root, "areas", &written)?;
        *path = folder.join(&path);
    }
    source.area().map_err(|error| bad(format!("{error}")))
}

/// A page at several viewports in several themes: a label each, named after the three, whose reference has its name.
fn screen(
    section: &Section<'_>,
    folder: &Path,
    files: &[String],
    capturer: &mut CapturerChoice,
    labels: &mut Vec<Label>,
) -> Result<(), ConfigError> {
    let document = section.document;
    let written = section.required("name", "a name such as \"home\"")?;
    if !matches!(capturer, CapturerChoice::Browser(_)) {
        let why = "only a browser shows a page at several viewports and in several themes: set kind = \"chromium\" under \
                   [capturer], or write a [[label]] each";
        return Err(document.bad(section.span(), "screen", why));
    }
    let source = source(section, folder, files, capturer)?;
    let reference =
        section.required("reference", "the folder of its references, such as \"reference\"")?.value;
    let viewports = match section.strings("viewports")? {
        None => VIEWPORTS.map(|text| At { value: text.to_owned(), span: written.span.clone() }).into(),
        Some(list) if list.value.is_empty() => {
            return Err(document.bad(
                &list.span,
                "viewports",
                "the list is empty: expected WIDTHxHEIGHT each",
            ));
        }
        Some(list) => list.value,
    };
    let themes = match section.strings("themes")? {
        None => vec![None],
        Some(list) if list.value.is_empty() => {
            let why = "the list is empty: expected \"light\", \"dark\", or no themes at all";
            return Err(document.bad(&list.span, "themes", why));
        }
        Some(list) => list.value.into_iter().map(Some).collect(),
    };
    let first = labels.len();
    for viewport in &viewports {
        let size = viewport_of(section, "viewports", viewport)?;
        for theme in &themes {
            let mut parts = vec![written.value.clone(), size.to_string().replace('@', "-at-")];
            parts.extend(theme.as_ref().map(|theme| theme.value.clone()));
            let name = name(section, labels, &written, &parts.join("-"))?;
            let label = Label::new(name.clone(), source.as_str(), size, format!("{reference}/{name}.png"));
            labels.push(match theme {
                Some(theme) => label.with_theme(theme_of(section, "themes", theme.clone(), capturer)?),
                None => label,
            });
        }
    }
    if let CapturerChoice::Browser(browser) = capturer {
        let names: Vec<LabelName> = labels[first..].iter().map(|label| label.name().clone()).collect();
        browser.read_screen(section, &names)?;
    }
    Ok(())
}

/// A name that no other label has.
fn name(
    section: &Section<'_>,
    labels: &[Label],
    written: &At<String>,
    text: &str,
) -> Result<LabelName, ConfigError> {
    let bad = |why: String| section.document.bad(&written.span, "name", why);
    let name = LabelName::new(text).map_err(|error| bad(error.to_string()))?;
    if labels.iter().any(|label| *label.name() == name) {
        return Err(bad(format!("the label {text:?} is there twice: every label needs a name of its own")));
    }
    Ok(name)
}

/// What is rendered: one of the artifact's files; for a browser any page below the folder, or an address.
fn source(
    section: &Section<'_>,
    folder: &Path,
    files: &[String],
    capturer: &CapturerChoice,
) -> Result<String, ConfigError> {
    let source = section.required("source", "the file that is rendered, such as \"card.svg\"")?;
    if files.contains(&source.value) {
        return Ok(source.value);
    }
    if !matches!(capturer, CapturerChoice::Browser(_)) {
        let why = format!("{:?} is not one of the artifact's files: {}", source.value, files.join(", "));
        return Err(section.document.bad(&source.span, "source", why));
    }
    if !source.value.contains("://") {
        let path = source.value.split(['?', '#']).next().unwrap_or_default().to_owned();
        inside(section, "source", &At { value: path.clone(), span: source.span.clone() })?;
        if !folder.join(&path).is_file() {
            let why = format!(
                "{path:?} is not there: expected a page below the configuration's folder, or its address"
            );
            return Err(section.document.bad(&source.span, "source", why));
        }
    }
    Ok(source.value)
}

fn viewport_of(section: &Section<'_>, key: &str, written: &At<String>) -> Result<Viewport, ConfigError> {
    let size = written.value.parse();
    size.map_err(|error: PlanError| section.document.bad(&written.span, key, error.to_string()))
}

/// A theme that pages are asked for.
fn theme_of(
    section: &Section<'_>,
    key: &str,
    theme: At<String>,
    capturer: &CapturerChoice,
) -> Result<String, ConfigError> {
    let why = match capturer {
        CapturerChoice::Browser(_) if ["light", "dark"].contains(&theme.value.as_str()) => {
            return Ok(theme.value);
        }
        CapturerChoice::Browser(_) => {
            format!("{:?} is no theme that pages are asked for: expected \"light\" or \"dark\"", theme.value)
        }
        _ => "the capturer svg knows no themes: name one file a theme".to_owned(),
    };
    Err(section.document.bad(&theme.span, key, why))
}
