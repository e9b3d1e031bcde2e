//! Ten tells of a design that nobody thought about, with the thresholds that were published for them.

use std::collections::{BTreeMap, BTreeSet};

use trueup_findings::{Finding, Severity};

use super::found::{Look, count, ladder, px, short};
use super::texts::contains_words;
use crate::color::split_outside;
use crate::{Color, Element, Paint, Reading};

/// A box that fills this share of the page's width is a surface, not an accent.
const FULL_BLEED: f64 = 0.9;

/// The colours that stand out: backgrounds of what is not a surface, and of texts.
fn accents(look: Look<'_>) -> impl Iterator<Item = (&Element, Color)> {
    let width = look.page.viewport.width;
    look.shown().flat_map(move |element| {
        let surface = element.bounds.width >= width * FULL_BLEED;
        let background = element.style.color("background-color").filter(|_| !surface);
        let text = element.style.color("color").filter(|_| !element.text.is_empty());
        [background, text]
            .into_iter()
            .flatten()
            .filter(|color| color.alpha > 0.0)
            .map(move |color| (element, color))
    })
}

/// No accent in the hues that generated pages choose: 230° to 290°, saturated by 0.35 or more.
pub(super) fn accent_hue(look: Look<'_>) -> Reading {
    let mut seen = BTreeSet::new();
    let mut findings = Vec::new();
    for (element, color) in accents(look) {
        let hsl = color.hsl();
        let tell = (230.0..=290.0).contains(&hsl.hue)
            && hsl.saturation >= 0.35
            && (0.15..=0.9).contains(&hsl.lightness);
        if tell && seen.insert(color.to_string()) {
            findings.push(
                look.finding(
                    Severity::Important,
                    &element.selector,
                    format!("the accent {color} is the one that generated pages have"),
                )
                .expected(
                    "an accent of the brand",
                    format!("hue {:.0}°, saturation {:.2}", hsl.hue, hsl.saturation),
                )
                .matters("the page is taken for a template")
                .fix("choose the accent from the brand"),
            );
        }
    }
    look.reading_unless(count(findings.len(), "such accent", "such accents"), findings, look.unread_colors())
}

/// Blur radius and colour of each layer of a shadow.
fn shadows(value: &str) -> impl Iterator<Item = (f64, Color)> {
    split_outside(value, |c| c == ',').into_iter().filter_map(|layer| {
        let parts = split_outside(layer, char::is_whitespace);
        let color = parts.iter().find_map(|part| Color::parse(part))?;
        let blur = parts.iter().filter_map(|part| part.strip_suffix("px")?.parse::<f64>().ok()).nth(2)?;
        Some((blur, color))
    })
}

/// No more than two gradients, none on a quarter of what is filled, and no glow.
pub(super) fn gradient_glow(look: Look<'_>) -> Reading {
    let gradients: Vec<&Element> =
        look.shown().filter(|element| matches!(element.style.background(), Paint::Gradient { .. })).collect();
    let filled = look
        .shown()
        .filter(|element| {
            element.style.background() != Paint::Nothing
                || element.style.color("background-color").is_some_and(|color| color.alpha > 0.0)
        })
        .count();
    let mut findings: Vec<Finding> = Vec::new();
    if gradients.len() > 2 || (filled >= 4 && gradients.len() * 4 > filled) {
        findings.push(
            look.finding(
                Severity::Important,
                &gradients[0].selector,
                format!("{} of {filled} filled boxes have a gradient", gradients.len()),
            )
            .expected(
                "at most two gradients, and at most a quarter of what is filled",
                gradients.len().to_string(),
            )
            .matters("nothing stands out, because everything does")
            .fix("keep the one that says something, and give the others a colour"),
        );
    }
    for element in look.shown() {
        let glows = |&(blur, color): &(f64, Color)| {
            let hsl = color.hsl();
            let colored = hsl.saturation > 0.25 && hsl.lightness > 0.1;
            let pale = hsl.lightness > 0.9 && color.alpha < 1.0;
            blur >= 24.0 && color.alpha > 0.0 && (colored || pale)
        };
        let value = element.style.get("box-shadow").unwrap_or_default();
        if let Some((blur, color)) = shadows(value).find(glows) {
            findings.push(
                look.finding(Severity::Important, &element.selector, "it glows")
                    .expected(
                        "a shadow of the light that falls on the page",
                        format!("a blur of {} in {color}", px(blur)),
                    )
                    .matters("it looks like an advertisement")
                    .fix("take the colour out of the shadow, or make it smaller"),
            );
        }
    }
    look.reading_unless(
        format!(
            "{} of {}",
            count(gradients.len(), "gradient", "gradients"),
            count(filled, "filled box", "filled boxes")
        ),
        findings,
        look.unread_colors(),
    )
}

/// No window buttons drawn on things that are no windows: three or more small discs in a row.
pub(super) fn fake_chrome(look: Look<'_>) -> Reading {
    const DISC_PX: f64 = 20.0;
    /// Distances between discs of a row at most, in their diameters.
    const ROW_GAP: f64 = 2.0;
    let elements = &look.page.elements;
    let is_disc = |element: &Element| {
        let (width, height) = (element.bounds.width, element.bounds.height);
        let round = element.tag == "circle"
            || element.style.get("border-top-left-radius").is_some_and(|radius| {
                radius == "50%"
                    || radius
                        .strip_suffix("px")
                        .and_then(|px| px.parse::<f64>().ok())
                        .is_some_and(|px| px * 2.0 >= width)
            });
        let filled = element.style.color("background-color").is_some_and(|color| color.alpha > 0.0)
            || element.tag == "circle";
        element.shown
            && width > 0.0
            && width <= DISC_PX
            && (width - height).abs() <= 1.0
            && round
            && filled
            && element.text.is_empty()
    };
    let mut findings = Vec::new();
    for (at, children) in look.page.children().into_iter().enumerate() {
        let mut discs: Vec<usize> =
            children.iter().copied().filter(|&child| is_disc(&elements[child])).collect();
        discs.sort_by(|&one, &other| elements[one].bounds.x.total_cmp(&elements[other].bounds.x));
        // The dots of a chart are discs, too: those of a window stand side by side in a line.
        let is_row = discs.windows(2).all(|pair| {
            let [one, other] = [pair[0], pair[1]].map(|disc| elements[disc].bounds);
            (one.y - other.y).abs() <= 1.0 && other.x - one.right() <= one.width * ROW_GAP
        });
        if discs.len() >= 3 && is_row {
            let alone = discs.len() == children.len();
            let fix = if alone { "take the row away" } else { "take the discs away" };
            findings.push(
                look.finding(
                    Severity::Important,
                    &elements[at].selector,
                    "a window's buttons are drawn on it",
                )
                .expected(
                    "what the product really shows",
                    format!("{} discs of {}", discs.len(), px(elements[discs[0]].bounds.width)),
                )
                .matters("it pretends to be a screenshot")
                .fix(fix),
            );
        }
    }
    look.reading(count(findings.len(), "such row", "such rows"), findings)
}

/// No small text beside a large one that hangs from its upper edge.
pub(super) fn hanging_header(look: Look<'_>) -> Reading {
    let elements = &look.page.elements;
    let mut findings = Vec::new();
    for (at, children) in look.page.children().into_iter().enumerate() {
        let parent = &elements[at];
        let row = parent.style.is("display", &["flex", "inline-flex"])
            && !parent.style.is("flex-direction", &["column", "column-reverse"]);
        if !row || parent.style.is("align-items", &["center", "baseline", "last baseline", "first baseline"])
        {
            continue;
        }
        let texts = || {
            children
                .iter()
                .map(|&child| &elements[child])
                .filter(|child| child.shown && !child.text.is_empty())
        };
        let size = |element: &Element| element.style.px("font-size").unwrap_or(16.0);
        let small = texts().find(|text| size(text) <= 14.0);
        if let (Some(small), Some(large)) = (small, texts().find(|text| size(text) >= 28.0)) {
            findings.push(
                look.finding(
                    Severity::Minor,
                    &small.selector,
                    format!("\"{}\" hangs beside \"{}\"", short(&small.text), short(&large.text)),
                )
                .expected(
                    "align-items: baseline or center",
                    parent.style.get("align-items").unwrap_or("normal"),
                )
                .matters("the two do not look as if they belonged together")
                .fix("align them by their baseline"),
            );
        }
    }
    look.reading(count(findings.len(), "such pair", "such pairs"), findings)
}

/// A figure that somebody will have to answer for.
fn claim(text: &str) -> Option<&'static str> {
    let chars: Vec<char> = text.chars().collect();
    let digit_before = |at: usize| {
        chars[..at].iter().rev().find(|c| !c.is_whitespace() && **c != '+').is_some_and(char::is_ascii_digit)
    };
    let digit_after = |at: usize| chars.get(at + 1).is_some_and(char::is_ascii_digit);
    for (at, &c) in chars.iter().enumerate() {
        match c {
            '%' if digit_before(at) => return Some("a percentage"),
            '$' | '€' | '£' | '¥' if digit_after(at) || digit_before(at) => return Some("money"),
            '★' | '⭐' => return Some("a rating"),
            'x' | 'X' | '×'
                if at > 0
                    && chars[at - 1].is_ascii_digit()
                    && !chars.get(at + 1).is_some_and(|c| c.is_alphanumeric()) =>
            {
                return Some("a multiplier");
            }
            'k' | 'K' | 'M' | 'B'
                if at > 0
                    && chars[at - 1].is_ascii_digit()
                    && !chars.get(at + 1).is_some_and(|c| c.is_alphanumeric()) =>
            {
                return Some("a big number");
            }
            _ => {}
        }
    }
    let digits = text.chars().filter(char::is_ascii_digit).count();
    if digits >= 4 && text.contains(',') && !text.chars().any(char::is_alphabetic) {
        return Some("a big number");
    }
    let attributed =
        (text.starts_with('—') || text.starts_with('–')) && text.chars().any(char::is_alphabetic);
    attributed.then_some("an attribution")
}

/// Short texts with figures, ratings or names that nobody may have checked.
pub(super) fn honest_content(look: Look<'_>) -> Reading {
    const SHORT: usize = 60;
    let marked = |element: &Element| {
        std::iter::once(element)
            .chain(look.page.ancestors(element))
            .any(|element| element.attributes.contains_key("data-placeholder"))
    };
    let findings = look
        .texts()
        .filter(|element| element.text.chars().count() <= SHORT && !marked(element))
        .filter_map(|element| {
            let what = claim(&element.text)?;
            Some(
                look.finding(
                    Severity::Minor,
                    &element.selector,
                    format!("\"{}\" claims {what}", element.text),
                )
                .expected(
                    "a figure with a source, or a mark that it stands for one",
                    format!("{what} and no mark"),
                )
                .matters("an invented figure is a lie once it is published")
                .fix("put the real figure there, or mark it by data-placeholder"),
            )
        });
    let findings: Vec<_> = findings.collect();
    look.reading(count(findings.len(), "claim", "claims"), findings)
}

/// Small labels above headings are rare: at most one for three sections.
pub(super) fn eyebrow_rhythm(look: Look<'_>) -> Reading {
    let elements = &look.page.elements;
    let sections = elements
        .iter()
        .filter(|element| {
            element.shown && matches!(element.tag.as_str(), "section" | "header" | "article" | "footer")
        })
        .count();
    let children = look.page.children();
    let is_heading = |element: &Element| matches!(element.tag.as_str(), "h1" | "h2" | "h3");
    let mut eyebrows = Vec::new();
    for siblings in &children {
        for pair in siblings.windows(2) {
            let (label, heading) = (&elements[pair[0]], &elements[pair[1]]);
            let size = |element: &Element| element.style.px("font-size").unwrap_or(16.0);
            if label.shown
                && !label.text.is_empty()
                && label.text.chars().count() <= 40
                && !is_heading(label)
                && is_heading(heading)
                && size(label) <= 14.0
                && size(label) < size(heading)
            {
                eyebrows.push(label);
            }
        }
    }
    let most = sections.div_ceil(3);
    let mut findings = Vec::new();
    if sections >= 2 && eyebrows.len() > most {
        findings.push(
            look.finding(
                Severity::Important,
                &eyebrows[0].selector,
                format!("{} small labels above headings", eyebrows.len()),
            )
            .expected(
                format!("at most {most} in {sections} sections"),
                eyebrows
                    .iter()
                    .take(5)
                    .map(|label| format!("\"{}\"", short(&label.text)))
                    .collect::<Vec<_>>()
                    .join(", "),
            )
            .matters("every section begins with the same gesture")
            .fix("keep those that say what the heading does not"),
        );
    }
    look.reading(
        format!(
            "{} in {}",
            count(eyebrows.len(), "small label", "small labels"),
            count(sections, "section", "sections")
        ),
        findings,
    )
}

/// Words that stand for having nothing to say.
const FILLER: &[&str] = &[
    "elevate",
    "unlock",
    "supercharge",
    "empower",
    "revolutionize",
    "revolutionise",
    "seamless",
    "seamlessly",
    "effortless",
    "effortlessly",
    "unleash",
    "next-level",
    "cutting-edge",
    "game-changing",
    "world-class",
    "all-in-one",
    "reimagined",
    "transform your",
];
const SCROLL_CUES: &[&str] = &["scroll down", "scroll to explore", "scroll to discover", "keep scrolling"];
const NOBODIES: &[&str] = &["john doe", "jane doe", "acme inc", "acme corp"];
const HYPE: &[&str] =
    &["ai-powered", "powered by ai", "trusted by", "loved by", "now in beta", "new: introducing"];

/// Texts that any page could have.
pub(super) fn slop_copy(look: Look<'_>) -> Reading {
    const SHORT: usize = 80;
    let numbered = |text: &str| {
        let mut parts = text.split([' ', '/', '—', '–', '.', '·']);
        parts.next().is_some_and(|head| {
            head.len() == 2 && head.starts_with('0') && head.chars().all(|c| c.is_ascii_digit())
        }) && text.chars().any(char::is_alphabetic)
    };
    let findings =
        look.texts().filter(|element| element.text.chars().count() <= SHORT).filter_map(|element| {
            let lower = element.text.to_lowercase();
            let has =
                |list: &[&'static str]| list.iter().copied().find(|words| contains_words(&lower, words));
            let (what, words) = if let Some(words) = has(FILLER) {
                ("a word that says nothing", words)
            } else if let Some(words) = has(SCROLL_CUES) {
                ("an instruction to scroll", words)
            } else if let Some(words) = has(NOBODIES) {
                ("a name that is nobody's", words)
            } else if let Some(words) = has(HYPE) {
                ("praise instead of a fact", words)
            } else if numbered(&element.text) {
                ("a number where none is needed", "01, 02, …")
            } else {
                return None;
            };
            Some(
                look.finding(
                    Severity::Minor,
                    &element.selector,
                    format!("\"{}\" has {what}", short(&element.text)),
                )
                .expected("a text that only this page could have", words)
                .matters("nobody reads on")
                .fix("say what it does, for whom, in their words"),
            )
        });
    let findings: Vec<_> = findings.collect();
    look.reading(count(findings.len(), "such text", "such texts"), findings)
}

/// Fewer than four different radii.
pub(super) fn radius_consistency(look: Look<'_>) -> Reading {
    const RADII: usize = 4;
    let mut radii: BTreeMap<String, (f64, &Element)> = BTreeMap::new();
    for element in look.shown() {
        // Pills and discs are a shape of their own.
        let pill = |radius: f64| radius * 2.0 >= element.bounds.width.min(element.bounds.height);
        if let Some(radius) =
            element.style.px("border-top-left-radius").filter(|&radius| radius > 0.0 && !pill(radius))
        {
            radii.entry(px(radius)).or_insert((radius, element));
        }
    }
    let list = ladder(radii.values().map(|(radius, _)| radius));
    let mut findings = Vec::new();
    if radii.len() >= RADII {
        let selector = radii.values().next().map_or("", |(_, element)| element.selector.as_str());
        findings.push(
            look.finding(Severity::Minor, selector, format!("{} different radii", radii.len()))
                .expected(format!("at most {}", RADII - 1), list.clone())
                .matters("corners that nearly agree look like mistakes")
                .fix("agree on one radius for controls and one for surfaces"),
        );
    }
    let measured = count(radii.len(), "radius", "radii");
    look.reading(if list.is_empty() { measured } else { format!("{measured}: {list}") }, findings)
}

/// No pure black and no pure white that covers what is below.
pub(super) fn pure_black_white(look: Look<'_>) -> Reading {
    let mut seen: BTreeMap<&'static str, &Element> = BTreeMap::new();
    for element in look.shown() {
        let background = element.style.color("background-color");
        let text = element.style.color("color").filter(|_| !element.text.is_empty());
        for color in [background, text].into_iter().flatten() {
            if color.equals(Color::BLACK) {
                seen.entry("#000000").or_insert(element);
            } else if color.equals(Color::WHITE) {
                seen.entry("#FFFFFF").or_insert(element);
            }
        }
    }
    let measured = if seen.is_empty() {
        "neither".to_owned()
    } else {
        seen.keys().copied().collect::<Vec<_>>().join(" and ")
    };
    let findings = seen.iter().map(|(color, element)| {
        look.finding(
            Severity::Minor,
            &element.selector,
            format!("pure {}", if *color == "#000000" { "black" } else { "white" }),
        )
        .expected("a black or white with a little of the brand's hue", (*color).to_owned())
        .matters("it is the default, and looks it")
        .fix("tint it slightly towards the brand's hue")
    });
    let findings: Vec<_> = findings.collect();
    look.reading_unless(measured, findings, look.unread_colors())
}

/// Accents of fewer than three hues.
pub(super) fn accent_consistency(look: Look<'_>) -> Reading {
    const BUCKET_DEGREES: f64 = 30.0;
    const HUES: usize = 3;
    let mut hues: BTreeMap<u32, (Color, &Element)> = BTreeMap::new();
    for (element, color) in accents(look) {
        let hsl = color.hsl();
        if hsl.saturation >= 0.4 && (0.2..=0.85).contains(&hsl.lightness) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a hue is 0 to 360")]
            hues.entry((hsl.hue / BUCKET_DEGREES) as u32).or_insert((color, element));
        }
    }
    let list = hues.values().map(|(color, _)| color.to_string()).collect::<Vec<_>>().join(", ");
    let mut findings = Vec::new();
    if hues.len() >= HUES {
        let selector = hues.values().next().map_or("", |(_, element)| element.selector.as_str());
        findings.push(
            look.finding(Severity::Important, selector, format!("accents of {} hues", hues.len()))
                .expected(format!("at most {}", HUES - 1), list.clone())
                .matters("it cannot be told what the colours mean")
                .fix("keep one accent, and greys for the rest"),
        );
    }
    let measured = count(hues.len(), "hue", "hues");
    let measured = if list.is_empty() { measured } else { format!("{measured}: {list}") };
    look.reading_unless(measured, findings, look.unread_colors())
}
