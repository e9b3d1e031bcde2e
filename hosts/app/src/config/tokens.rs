//! Design tokens.

use std::fs;
use std::path::Path;

use trueup_revise_tokens::{Bounds, Place, Token, TokenKind};
use trueup_score::Points;

use super::error::ConfigError;
use super::reader::Section;

/// Reads every `[[token]]`, and checks that each can be found in its file.
pub(super) fn read(root: &Section<'_>, files: &[String], folder: &Path) -> Result<Vec<Token>, ConfigError> {
    let mut tokens: Vec<Token> = Vec::new();
    for section in root.sections("token")? {
        let token = token(&section, files, folder)?;
        if tokens.iter().any(|other| other.name() == token.name()) {
            let why = format!("the token {:?} is there twice", token.name());
            let at = section.string("name")?.map_or(section.span().clone(), |name| name.span);
            return Err(section.document.bad(&at, "name", why));
        }
        section.finish()?;
        tokens.push(token);
    }
    Ok(tokens)
}

fn token(section: &Section<'_>, files: &[String], folder: &Path) -> Result<Token, ConfigError> {
    let document = section.document;
    let name = section.required("name", "a name such as \"brand\"")?;
    let file = section.required("file", "the file that it stands in")?;
    if !files.contains(&file.value) {
        let why = format!("{:?} is not one of the artifact's files: {}", file.value, files.join(", "));
        return Err(document.bad(&file.span, "file", why));
    }
    let place = place(section)?;
    let written = section.required("type", "\"color\", \"length\" or \"number\"")?;
    let kind = match written.value.as_str() {
        "color" => TokenKind::Color,
        "length" => TokenKind::Length,
        "number" => TokenKind::Number,
        other => {
            let why = format!("{other:?} is no type: expected \"color\", \"length\" or \"number\"");
            return Err(document.bad(&written.span, "type", why));
        }
    };
    let mut token = Token::new(name.value, file.value.as_str(), place, kind);
    if let Some(bounds) = bounds(section, kind)? {
        token = token.with_bounds(bounds);
    }
    let path = folder.join(&file.value);
    let text = fs::read_to_string(&path)
        .map_err(|error| document.bad(&file.span, "file", format!("{}: {error}", path.display())))?;
    token.check(&text).map_err(|error| document.bad(section.span(), "token", error.to_string()))?;
    Ok(token)
}

fn place(section: &Section<'_>) -> Result<Place, ConfigError> {
    const EXPECTED: &str = "property = \"--name\", or selector and attribute, or pointer = \"/json/pointer\"";
    let property = section.string("property")?;
    let (selector, attribute) = (section.string("selector")?, section.string("attribute")?);
    let pointer = section.string("pointer")?;
    match (property, selector, attribute, pointer) {
        (Some(property), None, None, None) if property.value.starts_with("--") => {
            Ok(Place::CustomProperty(property.value))
        }
        (Some(property), None, None, None) => {
            let why =
                format!("{:?} is no custom property: expected a name that begins with --", property.value);
            Err(section.document.bad(&property.span, "property", why))
        }
        (None, Some(selector), Some(attribute), None) => {
            Ok(Place::Attribute { selector: selector.value, attribute: attribute.value })
        }
        (None, None, None, Some(pointer)) => Ok(Place::Pointer(pointer.value)),
        (None, None, None, None) => Err(section.missing("property", EXPECTED)),
        _ => {
            let why = format!("a token stands in one place: expected {EXPECTED}");
            Err(section.document.bad(section.span(), "token", why))
        }
    }
}

fn bounds(section: &Section<'_>, kind: TokenKind) -> Result<Option<Bounds>, ConfigError> {
    let read = |key: &'static str| -> Result<Option<Points>, ConfigError> {
        let Some(written) = section.number(key)? else { return Ok(None) };
        let number = written.value.parse();
        number.map(Some).map_err(|error: trueup_score::ParsePointsError| {
            section.document.bad(&written.span, key, error.to_string())
        })
    };
    let (min, max, step) = (read("min")?, read("max")?, read("step")?);
    if min.is_none() && max.is_none() && step.is_none() {
        return Ok(None);
    }
    if kind == TokenKind::Color {
        let why = "a colour has no min, max or step: it is read off the reference";
        return Err(section.document.bad(section.span(), "token", why));
    }
    let default = Bounds::default_for(kind, max.unwrap_or(Points::ZERO));
    let bounds = Bounds::new(
        min.unwrap_or(default.min()),
        max.unwrap_or(default.max()),
        step.unwrap_or(default.step()),
    );
    bounds.map(Some).map_err(|kind| {
        let trueup_revise_tokens::TokenErrorKind::BadBounds { why } = kind else {
            return section.missing("min", "bounds");
        };
        section.document.bad(section.span(), "token", why)
    })
}
