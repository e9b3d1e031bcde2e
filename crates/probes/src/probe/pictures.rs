//! Pictures and what stands for them.

use trueup_findings::{Finding, Severity};

use super::found::{Look, count, short};
use crate::{Element, Reading};

fn is_decoration(element: &Element) -> bool {
    element.attribute("aria-hidden") == Some("true")
        || matches!(element.attribute("role"), Some("presentation" | "none"))
        || element.attribute("alt").is_some_and(|alt| alt.trim().is_empty())
}

fn is_named(element: &Element) -> bool {
    ["alt", "aria-label", "aria-labelledby", "title"]
        .iter()
        .any(|name| element.attribute(name).is_some_and(|value| !value.trim().is_empty()))
}

/// Every picture that is not decoration has an alternative text (WCAG 2.2, 1.1.1).
pub(super) fn alt_texts(look: Look<'_>) -> Reading {
    let elements = &look.page.elements;
    let children = look.page.children();
    let has_title = |at: usize| {
        children[at].iter().any(|&child| elements[child].tag == "title" && !elements[child].text.is_empty())
    };
    let is_picture = |element: &Element| {
        element.tag == "img"
            || element.attribute("role") == Some("img")
            || (element.tag == "input" && element.attribute("type") == Some("image"))
            || element.tag == "area"
    };
    let (mut pictures, mut findings) = (0, Vec::new());
    for (at, element) in elements.iter().enumerate() {
        if !is_picture(element) || !(element.shown || element.tag == "area") {
            continue;
        }
        pictures += 1;
        let source = element.attribute("src").unwrap_or_default();
        // What is embedded has no file, and so no name.
        let file =
            if source.starts_with("data:") { "" } else { source.rsplit('/').next().unwrap_or_default() };
        if !is_decoration(element) && !is_named(element) && !has_title(at) {
            findings.push(
                look.finding(
                    Severity::Important,
                    &element.selector,
                    format!("{} has no alternative text", name(element, file)),
                )
                .expected("an alt text, or alt=\"\" when it is decoration", "neither")
                .matters("who cannot see it does not learn what it shows")
                .fix("say in alt what the picture says; write alt=\"\" when it says nothing"),
            );
        } else if !file.is_empty() && element.attribute("alt").is_some_and(|alt| alt.trim() == file) {
            findings.push(
                look.finding(Severity::Minor, &element.selector, "the alternative text is a file's name")
                    .expected("what the picture shows", file.to_owned())
                    .matters("a file's name says nothing to who cannot see it")
                    .fix("say in alt what the picture says"),
            );
        }
    }
    look.reading(count(pictures, "picture looked at", "pictures looked at"), findings)
}

fn name(element: &Element, file: &str) -> String {
    if file.is_empty() { format!("the {}", element.tag) } else { short(file) }
}

/// Every picture loads.
pub(super) fn broken_pictures(look: Look<'_>) -> Reading {
    let pictures: Vec<&Element> =
        look.page.elements.iter().filter(|element| element.natural.is_some()).collect();
    let broken = pictures.iter().filter(|element| {
        element.natural.is_some_and(|size| size.width <= 0.0)
            && element.attribute("src").is_some_and(|src| !src.is_empty())
    });
    let findings: Vec<Finding> = broken
        .map(|element| {
            let source = element.attribute("src").unwrap_or_default();
            look.finding(Severity::Important, &element.selector, "a picture does not load")
                .expected("a picture", format!("{} gives none", short(source)))
                .matters("there is a hole in the page")
                .fix("correct its address, or put the file there")
        })
        .collect();
    look.reading(count(pictures.len(), "picture looked at", "pictures looked at"), findings)
}
