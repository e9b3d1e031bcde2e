//! Values that should come from the token scale.

use std::collections::{BTreeMap, BTreeSet};

use trueup_findings::Severity;

use super::found::{Look, count, ladder, px};
use crate::{Color, Element, Reading};

const SPACING: [&str; 6] =
    ["padding-top", "padding-right", "padding-bottom", "padding-left", "row-gap", "column-gap"];
/// More distinct values than these are no rhythm.
const DISTINCT: usize = 6;
const DISTINCT_MANY: usize = 10;
/// Two lengths that show the same.
const SAME_PX: f64 = 0.01;

/// What browsers give an element that nobody styled.
fn is_of_the_browser(element: &Element, property: &str, value: f64) -> bool {
    let given: &[f64] = match element.tag.as_str() {
        "ul" | "ol" | "menu" if property == "padding-left" => &[40.0],
        "button" => &[1.0, 6.0],
        "input" | "textarea" | "td" | "th" | "legend" => &[1.0, 2.0],
        "select" | "option" | "optgroup" => &[1.0, 2.0, 4.0],
        "fieldset" => &[5.6, 10.0, 12.0],
        "dialog" => &[16.0],
        _ => &[],
    };
    given.iter().any(|px| (px - value).abs() < 0.5)
}

/// Every padding and gap is on the spacing scale, and there are few of them.
pub(super) fn spacing(look: Look<'_>) -> Reading {
    let scale = look.spacing_px();
    let nearest = |value: f64| {
        scale
            .iter()
            .copied()
            .min_by(|one, two| (one - value).abs().total_cmp(&(two - value).abs()))
            .unwrap_or(0.0)
    };
    let (mut values, mut findings) = (BTreeMap::new(), Vec::new());
    let mut looked = 0;
    for element in look.shown() {
        let mut off: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for property in SPACING {
            let Some(value) = element.style.px(property) else { continue };
            if value <= 0.0 || is_of_the_browser(element, property, value) {
                continue;
            }
            looked += 1;
            values.insert(px(value), value);
            if (nearest(value) - value).abs() > SAME_PX {
                off.entry(px(value)).or_default().push(property);
            }
        }
        for (written, properties) in off {
            let value = values[&written];
            findings.push(
                look.finding(
                    Severity::Important,
                    &element.selector,
                    format!("{written} is off the spacing scale"),
                )
                .expected(
                    format!("a value of {}", ladder(scale.iter())),
                    format!("{}: {written}", properties.join(", ")),
                )
                .matters("distances that nearly agree look like mistakes")
                .fix(format!("use {}", px(nearest(value)))),
            );
        }
    }
    if looked == 0 {
        return look.unverified("nothing on the page has a padding or a gap");
    }
    if values.len() > DISTINCT {
        let severity = if values.len() > DISTINCT_MANY { Severity::Important } else { Severity::Minor };
        let list = ladder(values.values());
        findings.push(
            look.finding(severity, "", format!("{} distances are not a rhythm", values.len()))
                .expected(format!("at most {DISTINCT} different distances"), list)
                .matters("nothing lines up with anything else")
                .fix("agree on a few steps of the scale, and use them throughout"),
        );
    }
    look.reading(
        format!(
            "{} in {}",
            count(looked, "padding or gap", "paddings and gaps"),
            count(values.len(), "value", "values")
        ),
        findings,
    )
}

/// Why declarations cannot be relied on.
pub(super) fn unread(look: Look<'_>) -> Option<String> {
    let first = look.page.unread_sheets.first()?;
    Some(format!(
        "{} cannot be read, {first} among them",
        count(look.page.unread_sheets.len(), "style sheet", "style sheets")
    ))
}

/// The lengths in a value, as written.
fn lengths(value: &str) -> impl Iterator<Item = f64> {
    value.split_whitespace().filter_map(|part| part.strip_suffix("px")?.parse::<f64>().ok())
}

/// No colour and no radius is written out where a token has that value.
pub(super) fn literals(look: Look<'_>) -> Reading {
    let tokens = look.tokens();
    if tokens.is_empty() {
        return look.unverified(unread(look).unwrap_or_else(|| "the project declares no tokens".to_owned()));
    }
    if look.page.declarations.is_empty() {
        return look.unverified(unread(look).unwrap_or_else(|| "the page declares no styles".to_owned()));
    }
    let colors: Vec<(&str, Color)> =
        tokens.iter().filter_map(|token| Some((token.name.as_str(), token.color()?))).collect();
    let radii: Vec<(&str, f64)> = tokens
        .iter()
        .filter(|token| {
            ["radius", "round", "corner"].iter().any(|word| token.name.to_lowercase().contains(word))
        })
        .filter_map(|token| Some((token.name.as_str(), token.px()?)))
        .collect();
    let mut found = BTreeSet::new();
    let mut findings = Vec::new();
    for declaration in &look.page.declarations {
        let (property, value) = (declaration.property.as_str(), declaration.value.as_str());
        // A token's own declaration is where its value belongs.
        if property.starts_with("--") || value.contains("var(") {
            continue;
        }
        let names: Vec<&str> = if property.ends_with("color") || property == "fill" || property == "stroke" {
            let Some(color) = Color::parse(value) else { continue };
            colors.iter().filter(|(_, token)| token.equals(color)).map(|(name, _)| *name).collect()
        } else if property.ends_with("radius") {
            let same =
                |token: f64| lengths(value).any(|length| length > 0.0 && (length - token).abs() < SAME_PX);
            radii.iter().filter(|(_, token)| same(*token)).map(|(name, _)| *name).collect()
        } else {
            continue;
        };
        // A border of one colour is four declarations, and a radius four corners: one thing to mend.
        if names.is_empty() || !found.insert((declaration.selector.clone(), value.to_owned())) {
            continue;
        }
        let fix = match names.as_slice() {
            [name] => format!("write var({name})"),
            several => format!("write the token that is meant: {}", several.join(" or ")),
        };
        findings.push(
            look.finding(Severity::Important, &declaration.selector, format!("{value} is written out"))
                .expected(
                    format!("a token of this value: {}", names.join(", ")),
                    format!("{property}: {value}"),
                )
                .matters("it stays behind when the token changes")
                .fix(fix),
        );
    }
    look.reading_unless(
        count(look.page.declarations.len(), "declaration looked at", "declarations looked at"),
        findings,
        unread(look),
    )
}

/// At least this share of the declared tokens is used.
const USED_PERCENT: usize = 30;

/// Tokens that are declared are used.
pub(super) fn unused_tokens(look: Look<'_>) -> Reading {
    let declarations = &look.page.declarations;
    let declared: BTreeSet<&str> = declarations
        .iter()
        .map(|declaration| declaration.property.as_str())
        .filter(|name| name.starts_with("--"))
        .collect();
    if declared.is_empty() {
        return look.unverified(unread(look).unwrap_or_else(|| "the page declares no tokens".to_owned()));
    }
    let is_used = |name: &str| {
        declarations.iter().any(|declaration| {
            declaration.value.match_indices(name).any(|(at, _)| {
                let before = declaration.value[..at].trim_end().ends_with("var(");
                let after = declaration.value[at + name.len()..].chars().next();
                before && !after.is_some_and(|c| c.is_alphanumeric() || c == '-' || c == '_')
            })
        })
    };
    let used = declared.iter().filter(|name| is_used(name)).count();
    let measured =
        format!("{used} of {} used", count(declared.len(), "declared token is", "declared tokens are"));
    let mut findings = Vec::new();
    if used * 100 < declared.len() * USED_PERCENT {
        findings.push(
            look.finding(Severity::Important, "", "most tokens are declared and not used")
                .expected(format!("at least {USED_PERCENT} % in use"), measured.clone())
                .matters("the design is written somewhere else, by hand")
                .fix("use the tokens where their values are written out, or take them away"),
        );
    }
    look.reading_unless(measured, findings, unread(look))
}
