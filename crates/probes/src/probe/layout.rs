//! What does not fit where it is.

use trueup_findings::{Finding, Severity};

use super::found::{Look, count, px, short};
use crate::{Element, Reading};

/// Browsers round layout to whole pixels in places.
const SLACK_PX: f64 = 1.0;
/// Boxes of neighbouring lines touch by this much without anybody seeing it.
const TOUCH_PX: f64 = 2.0;
/// The width that phones have at least.
pub(super) const MOBILE_PX: f64 = 375.0;

/// Whether something above it cuts or scrolls what sticks out of it sideways.
fn is_cut(look: Look<'_>, element: &Element) -> bool {
    look.page.ancestors(element).filter(|above| above.tag != "html" && above.tag != "body").any(|above| {
        above.style.is("overflow-x", &["hidden", "clip", "auto", "scroll"])
            && above.bounds.right() <= look.page.viewport.width + SLACK_PX
    })
}

fn sticking_out(look: Look<'_>, severity: Severity) -> Vec<Finding> {
    let width = look.page.viewport.width;
    let beyond: Vec<&Element> = look
        .shown()
        .filter(|element| element.bounds.right() > width + SLACK_PX && !is_cut(look, element))
        .collect();
    // Who holds a wider thing is no culprit: only what no child explains.
    let parents: std::collections::BTreeSet<&str> = beyond
        .iter()
        .filter_map(|element| look.page.ancestors(element).next())
        .filter(|parent| parent.bounds.right() > width + SLACK_PX)
        .map(|parent| parent.selector.as_str())
        .collect();
    let culprits = beyond.iter().filter(|element| !parents.contains(element.selector.as_str()));
    culprits
        .map(|element| {
            let over = px(element.bounds.right() - width);
            look.finding(severity, &element.selector, format!("it sticks out of the page by {over}"))
                .expected(format!("nothing beyond {}", px(width)), format!("ends at {}", px(element.bounds.right())))
                .matters("the page scrolls sideways, and what is beyond the edge is not seen")
                .fix("let it shrink or wrap: max-width: 100%, flex-wrap, or minmax(0, 1fr) instead of a fixed width")
        })
        .collect()
}

fn overflow_of(look: Look<'_>, severity: Severity) -> Reading {
    let (width, content) = (look.page.viewport.width, look.page.content.width);
    let measured = format!("the content is {} wide in a viewport of {}", px(content), px(width));
    if content <= width + SLACK_PX {
        return look.reading(measured, Vec::new());
    }
    let mut findings = sticking_out(look, severity);
    if findings.is_empty() {
        findings.push(
            look.finding(severity, "", "the page scrolls sideways")
                .expected(format!("content no wider than {}", px(width)), px(content))
                .matters("half of every line is somewhere else")
                .fix("find what is wider than the viewport, and let it shrink or wrap"),
        );
    }
    look.reading(measured, findings)
}

/// The page does not scroll sideways.
pub(super) fn horizontal_overflow(look: Look<'_>) -> Reading {
    overflow_of(look, Severity::Important)
}

/// At a width of 375 px nothing overflows and no text is cut.
pub(super) fn mobile(look: Look<'_>) -> Reading {
    let width = look.page.viewport.width;
    if (width - MOBILE_PX).abs() > SLACK_PX {
        return look.unverified(format!(
            "the page was captured at a width of {}; this needs a capture at {}",
            px(width),
            px(MOBILE_PX)
        ));
    }
    let mut reading = overflow_of(look, Severity::Blocking);
    let cut = clipped(look, Severity::Blocking);
    if !cut.is_empty() {
        reading.measured.push_str(&format!("; {}", count(cut.len(), "text is cut", "texts are cut")));
        reading = look.reading(reading.measured, reading.findings.into_iter().chain(cut).collect());
    }
    reading
}

fn clipped(look: Look<'_>, severity: Severity) -> Vec<Finding> {
    let cuts = |element: &Element, property: &str| element.style.is(property, &["hidden", "clip"]);
    look.texts()
        // Texts for screen readers alone are cut on purpose.
        .filter(|element| element.bounds.width > TOUCH_PX && element.bounds.height > TOUCH_PX)
        .filter_map(|element| {
            let wide = element.scroll.width - element.inner.width;
            let tall = element.scroll.height - element.inner.height;
            let sideways = cuts(element, "overflow-x") && wide > SLACK_PX && !element.style.is("text-overflow", &["ellipsis"]);
            let down = cuts(element, "overflow-y") && tall > SLACK_PX;
            (sideways || down).then(|| {
                let by = if sideways { format!("{} on the right", px(wide)) } else { format!("{} at the bottom", px(tall)) };
                look.finding(severity, &element.selector, format!("\"{}\" is cut", short(&element.text)))
                    .expected("the whole text", format!("{by} is not shown"))
                    .matters("people read half a sentence")
                    .fix("give it room, let it wrap, or end it by an ellipsis that has the whole text behind it")
            })
        })
        .collect()
}

/// No text is cut off.
pub(super) fn clipped_text(look: Look<'_>) -> Reading {
    let findings = clipped(look, Severity::Important);
    let texts = look.texts().count();
    if texts == 0 {
        return look.unverified("the page shows no text");
    }
    look.reading(format!("{} looked at", count(texts, "text", "texts")), findings)
}

/// No text lies on another.
pub(super) fn overlapping_text(look: Look<'_>) -> Reading {
    let mut texts: Vec<&Element> =
        look.texts().filter(|element| !element.style.is("position", &["fixed", "sticky"])).collect();
    if texts.is_empty() {
        return look.unverified("the page shows no text");
    }
    texts.sort_by(|one, two| {
        one.bounds.y.total_cmp(&two.bounds.y).then_with(|| one.selector.cmp(&two.selector))
    });
    let mut findings = Vec::new();
    for (at, upper) in texts.iter().enumerate() {
        for lower in &texts[at + 1..] {
            if lower.bounds.y >= upper.bounds.bottom() - TOUCH_PX {
                break;
            }
            let shared = upper.bounds.overlap(&lower.bounds);
            let related =
                |one: &Element, two: &Element| look.page.ancestors(one).any(|above| std::ptr::eq(above, two));
            // The box of a word that wraps spans both of its lines, and so its neighbours.
            let one_line = upper.parent == lower.parent
                && [upper, lower].iter().any(|text| text.style.is("display", &["inline"]));
            let apart = one_line || related(upper, lower) || related(lower, upper);
            if shared.width > TOUCH_PX && shared.height > TOUCH_PX && !apart {
                findings.push(
                    look.finding(
                        Severity::Important,
                        &lower.selector,
                        format!("\"{}\" lies on \"{}\"", short(&lower.text), short(&upper.text)),
                    )
                    .expected(
                        "texts apart",
                        format!(
                            "{} by {} are shared with {}",
                            px(shared.width),
                            px(shared.height),
                            upper.selector
                        ),
                    )
                    .matters("neither can be read")
                    .fix("give both a place in the layout instead of a fixed position, or more room"),
                );
            }
        }
    }
    look.reading(format!("{} looked at", count(texts.len(), "text", "texts")), findings)
}
