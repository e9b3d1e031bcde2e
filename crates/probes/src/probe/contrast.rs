//! Contrast of text.

use trueup_findings::Severity;

use super::found::{Look, count, short};
use crate::{Color, Element, Paint, Reading};

/// Large text, by WCAG 2.2: 18 pt, or 14 pt when bold; a point is 4/3 CSS px.
const LARGE_PX: f64 = 24.0;
const LARGE_BOLD_PX: f64 = 14.0 * 4.0 / 3.0;
const BOLD: f64 = 700.0;
const NEEDED: f64 = 4.5;
const NEEDED_LARGE: f64 = 3.0;

/// What is behind a text.
enum Behind {
    Color(Color),
    Unknown(&'static str),
}

fn behind(look: Look<'_>, element: &Element) -> Behind {
    let mut layers = Vec::new();
    for below in std::iter::once(element).chain(look.page.ancestors(element)) {
        if below.style.number("opacity").is_some_and(|opacity| opacity < 1.0) {
            return Behind::Unknown("it is translucent as a group");
        }
        if below.style.get("mix-blend-mode").is_some_and(|mode| mode != "normal") {
            return Behind::Unknown("it is blended with what is below");
        }
        match below.style.background() {
            Paint::Nothing => {}
            Paint::Gradient { .. } => return Behind::Unknown("it stands on a gradient"),
            Paint::Picture => return Behind::Unknown("it stands on a picture"),
        }
        if let Some(color) = below.style.color("background-color") {
            layers.push(color);
            if color.alpha >= 1.0 {
                break;
            }
        } else if below.style.get("background-color").is_some() {
            return Behind::Unknown("the colour behind it cannot be read");
        }
    }
    Behind::Color(layers.into_iter().rev().fold(Color::WHITE, |below, layer| layer.over(below)))
}

/// A ratio that never reads as more than it is.
fn ratio(contrast: f64) -> String {
    format!("{:.2}", (contrast * 100.0).floor() / 100.0)
}

/// Text has a contrast of 4.5 to what is behind it, and of 3 when it is large (WCAG 2.2, 1.4.3).
pub(super) fn contrast(look: Look<'_>) -> Reading {
    let (mut findings, mut measured, mut unknown) = (Vec::new(), 0, 0);
    let mut why_unknown = "";
    let mut least = f64::INFINITY;
    for element in look.texts() {
        let Some(color) = element.style.color("color") else {
            unknown += 1;
            why_unknown = "its colour cannot be read";
            continue;
        };
        let below = match behind(look, element) {
            Behind::Color(below) => below,
            Behind::Unknown(why) => {
                unknown += 1;
                why_unknown = why;
                continue;
            }
        };
        let size = element.style.px("font-size").unwrap_or(16.0);
        let bold = element.style.weight().is_some_and(|weight| weight >= BOLD);
        let needed = if size >= LARGE_PX || (bold && size >= LARGE_BOLD_PX) { NEEDED_LARGE } else { NEEDED };
        let contrast = color.over(below).contrast(below);
        measured += 1;
        least = least.min(contrast);
        if contrast < needed {
            let better = [Color::BLACK, Color::WHITE]
                .into_iter()
                .max_by(|one, two| one.contrast(below).total_cmp(&two.contrast(below)));
            let better = better.unwrap_or(Color::BLACK);
            let fix = format!(
                "move the text's colour away from {below}; {better} has {}",
                ratio(better.contrast(below))
            );
            findings.push(
                look.finding(
                    Severity::Important,
                    &element.selector,
                    format!("\"{}\" has too little contrast", short(&element.text)),
                )
                .expected(
                    format!("a contrast of at least {needed} to 1"),
                    format!("{} to 1: {} on {below}", ratio(contrast), color.over(below)),
                )
                .matters("people with weak sight, and everybody in sunlight, cannot read it")
                .fix(fix),
            );
        }
    }
    if measured == 0 && unknown == 0 {
        return look.unverified("the page shows no text");
    }
    let mut words = count(measured, "text measured", "texts measured");
    if measured > 0 {
        words.push_str(&format!(", the least contrast is {}", ratio(least)));
    }
    let wanting = (unknown > 0)
        .then(|| format!("{} could not be measured: {why_unknown}", count(unknown, "text", "texts")));
    look.reading_unless(words, findings, wanting)
}
