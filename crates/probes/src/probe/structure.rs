//! How the page is built.

use std::collections::BTreeMap;

use trueup_findings::{Finding, Severity};

use super::found::{Look, count, px, short};
use crate::{Element, Reading};

const DEPTH: usize = 8;
const DEPTH_MOST: usize = 12;
const NAMED_PERCENT: usize = 50;
const OVERLAP_PX: f64 = 2.0;

/// Boxes are not nested deeply, and containers have names.
pub(super) fn structure(look: Look<'_>) -> Reading {
    let elements = &look.page.elements;
    if elements.is_empty() {
        return look.reading(
            "the page has no elements",
            vec![
                look.finding(Severity::Blocking, "", "the page is empty")
                    .expected("a page", "no element")
                    .matters("there is nothing to look at")
                    .fix("check that the page was loaded, and that what renders it ran"),
            ],
        );
    }
    // Drawings have a structure of their own.
    let in_drawing = |element: &Element| look.page.ancestors(element).any(|above| above.tag == "svg");
    let mut deepest: (usize, &str) = (0, "");
    let (mut containers, mut named) = (0, 0);
    let children = look.page.children();
    for (at, element) in elements.iter().enumerate() {
        if !element.shown || in_drawing(element) {
            continue;
        }
        // From the body: the document's root is everybody's.
        let depth =
            look.page.ancestors(element).filter(|above| above.tag != "html" && above.tag != "body").count()
                + 1;
        if depth > deepest.0 {
            deepest = (depth, &element.selector);
        }
        if children[at].len() > 1 && !matches!(element.tag.as_str(), "html" | "body") {
            containers += 1;
            let says = matches!(
                element.tag.as_str(),
                "main"
                    | "header"
                    | "footer"
                    | "nav"
                    | "section"
                    | "article"
                    | "aside"
                    | "form"
                    | "figure"
                    | "table"
                    | "ul"
                    | "ol"
                    | "dl"
                    | "button"
                    | "a"
            );
            named += usize::from(
                says || ["id", "class", "role", "aria-label"]
                    .iter()
                    .any(|name| element.attribute(name).is_some_and(|value| !value.is_empty())),
            );
        }
    }
    let mut findings = Vec::new();
    if deepest.0 > DEPTH {
        let severity = if deepest.0 > DEPTH_MOST { Severity::Blocking } else { Severity::Important };
        findings.push(
            look.finding(severity, deepest.1, format!("it is nested {} deep", deepest.0))
                .expected(format!("at most {DEPTH} levels below the body"), deepest.0.to_string())
                .matters("nobody can change it without breaking something else")
                .fix("take away boxes that hold one box"),
        );
    }
    if containers > 0 && named * 100 < containers * NAMED_PERCENT {
        findings.push(
            look.finding(Severity::Minor, "", "most containers have no name")
                .expected(format!("at least {NAMED_PERCENT} % with a role, a class or an element that says what they are"), format!("{named} of {containers}"))
                .matters("neither people nor tools can say which part is meant")
                .fix("use section, nav, article and the like, or name them by class"),
        );
    }
    look.reading(
        format!(
            "at most {} deep; {named} of {} named",
            deepest.0,
            count(containers, "container", "containers")
        ),
        findings,
    )
}

/// Headings go down one level at a time, from one of the first.
pub(super) fn headings(look: Look<'_>) -> Reading {
    let level = |element: &Element| -> Option<u32> {
        /// The level that a heading has where nothing says which (WAI-ARIA 1.2, `heading`).
        const UNSAID: u32 = 2;
        let of_tag = || element.tag.strip_prefix('h')?.parse().ok().filter(|level| (1..=6).contains(level));
        match element.attribute("role") {
            Some("heading") => {
                let said = element.attribute("aria-level").and_then(|level| level.parse().ok());
                Some(said.filter(|level| *level > 0).or_else(of_tag).unwrap_or(UNSAID))
            }
            _ => of_tag(),
        }
    };
    let whole = look.whole_texts();
    let headings: Vec<(u32, &Element, &str)> = look
        .page
        .elements
        .iter()
        .zip(&whole)
        .filter(|(element, _)| element.shown)
        .filter_map(|(element, text)| Some((level(element)?, element, text.as_str())))
        .collect();
    if headings.is_empty() {
        return look.reading(
            "no heading",
            vec![
                look.finding(Severity::Important, "", "the page has no heading")
                    .expected("a heading of the first level", "none")
                    .matters("whoever does not see the page has no way through it")
                    .fix("mark the page's title as h1 and its sections as h2"),
            ],
        );
    }
    let mut findings = Vec::new();
    let first = headings.iter().filter(|(level, ..)| *level == 1).count();
    if first != 1 {
        findings.push(
            look.finding(
                Severity::Important,
                "",
                format!("{} of the first level", count(first, "heading", "headings")),
            )
            .expected("one", first.to_string())
            .matters("it cannot be told what the page is about")
            .fix("make the page's title the only h1"),
        );
    }
    for pair in headings.windows(2) {
        let ((before, ..), (level, element, text)) = (pair[0], pair[1]);
        if level > before + 1 {
            findings.push(
                look.finding(
                    Severity::Important,
                    &element.selector,
                    format!("\"{}\" skips a level", short(text)),
                )
                .expected(format!("h{} after h{before}", before + 1), format!("h{level}"))
                .matters("it sounds as if a part were missing")
                .fix(format!("make it h{}, and set its size by style", before + 1)),
            );
        }
    }
    look.reading(count(headings.len(), "heading", "headings"), findings)
}

/// Siblings that are alike are treated alike, and do not lie on each other.
pub(super) fn consistency(look: Look<'_>) -> Reading {
    let elements = &look.page.elements;
    let children = look.page.children();
    let mut findings: Vec<Finding> = Vec::new();
    let mut looked = 0;
    for (at, parent) in elements.iter().enumerate() {
        let inside: Vec<&Element> = children[at]
            .iter()
            .map(|&child| &elements[child])
            .filter(|child| child.shown && !child.bounds.is_empty())
            .collect();
        if inside.len() < 2
            || !parent.shown
            || parent.tag == "svg"
            || look.page.ancestors(parent).any(|above| above.tag == "svg")
        {
            continue;
        }
        looked += 1;
        let placed = |element: &Element| element.style.is("position", &["absolute", "fixed"]);
        if inside.iter().all(|child| placed(child)) {
            findings.push(
                look.finding(Severity::Important, &parent.selector, "its parts are placed by hand")
                    .expected(
                        "a layout: flex, grid or the flow",
                        format!("{} parts, all with a fixed position", inside.len()),
                    )
                    .matters("it breaks as soon as a text is longer")
                    .fix("lay the parts out by flex or grid"),
            );
        }
        findings.extend(unequal(look, &inside));
        let mut by_top: Vec<&Element> = inside
            .into_iter()
            .filter(|child| !placed(child) && !child.style.is("display", &["inline"]))
            .collect();
        by_top.sort_by(|one, two| one.bounds.y.total_cmp(&two.bounds.y));
        for (at, upper) in by_top.iter().enumerate() {
            for lower in by_top[at + 1..]
                .iter()
                .take_while(|lower| lower.bounds.y < upper.bounds.bottom() - OVERLAP_PX)
            {
                let shared = upper.bounds.overlap(&lower.bounds);
                if shared.width > OVERLAP_PX && shared.height > OVERLAP_PX {
                    findings.push(
                        look.finding(Severity::Important, &lower.selector, "it lies on its neighbour")
                            .expected(
                                "neighbours apart",
                                format!(
                                    "{} by {} are shared with {}",
                                    px(shared.width),
                                    px(shared.height),
                                    upper.selector
                                ),
                            )
                            .matters("one hides part of the other")
                            .fix("take away the negative margin or the fixed size"),
                    );
                }
            }
        }
    }
    if looked == 0 {
        return look.unverified("no element has two parts to compare");
    }
    look.reading(count(looked, "group of siblings", "groups of siblings"), findings)
}

/// Siblings of one class whose paddings differ.
fn unequal(look: Look<'_>, siblings: &[&Element]) -> Vec<Finding> {
    let paddings = |element: &Element| {
        ["padding-top", "padding-right", "padding-bottom", "padding-left"]
            .map(|property| element.style.get(property).unwrap_or("0px").to_owned())
            .join(" ")
    };
    let mut groups: BTreeMap<(&str, &str), Vec<&Element>> = BTreeMap::new();
    for sibling in siblings {
        if let Some(class) = sibling.attribute("class").and_then(|class| class.split_whitespace().next()) {
            groups.entry((&sibling.tag, class)).or_default().push(sibling);
        }
    }
    let odd_ones = groups.into_values().filter(|group| group.len() > 1).filter_map(|group| {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for element in &group {
            *counts.entry(paddings(element)).or_default() += 1;
        }
        let usual = counts.iter().max_by_key(|(_, count)| **count).map(|(paddings, _)| paddings.clone())?;
        let odd = group.iter().find(|element| paddings(element) != usual)?;
        Some(
            look.finding(Severity::Minor, &odd.selector, "its padding is not that of its siblings")
                .expected(usual.clone(), paddings(odd))
                .matters("things that are alike should look alike")
                .fix(format!("give it padding: {usual}")),
        )
    });
    odd_ones.collect()
}
