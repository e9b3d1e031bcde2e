//! Patterns that show that nobody made a choice.

use std::collections::BTreeMap;

use trueup_findings::Severity;

use super::found::{Look, count, px};
use super::tokens::unread;
use crate::{Color, Element, Paint, Reading};

/// A visual element is the main one when it fills this share of the first screen.
const MAIN: f64 = 0.25;
const CARDS: usize = 3;
/// Sides of cards that are alike differ by no more than this.
const ALIKE: f64 = 0.1;
/// `#6D28D9` to `#8B5CF6`, by channel, and the shades next to them.
const VIOLET_LEAST: [u8; 3] = [0x6D, 0x28, 0xD9];
const VIOLET_MOST: [u8; 3] = [0x8B, 0x5C, 0xF6];
const NEXT: f64 = 8.0 / 255.0;

fn is_violet(color: Color) -> bool {
    [color.red, color.green, color.blue].into_iter().zip(VIOLET_LEAST.into_iter().zip(VIOLET_MOST)).all(
        |(channel, (least, most))| {
            channel >= f64::from(least) / 255.0 - NEXT && channel <= f64::from(most) / 255.0 + NEXT
        },
    )
}

/// The gradients that fill a main part of the first screen.
fn main_gradients(look: Look<'_>) -> impl Iterator<Item = (&Element, Vec<Color>)> {
    let screen = look.page.viewport;
    look.shown().filter_map(move |element| {
        let Paint::Gradient { colors, .. } = element.style.background() else { return None };
        let seen = element.bounds.overlap(&crate::Bounds::new(0.0, 0.0, screen.width, screen.height));
        let share = seen.width.max(0.0) * seen.height.max(0.0) / (screen.width * screen.height);
        (share >= MAIN).then_some((element, colors))
    })
}

/// Groups of siblings that look like cards: of one size, with a background or a frame of their own.
fn card_groups(look: Look<'_>) -> Vec<Vec<usize>> {
    let elements = &look.page.elements;
    let is_card = |element: &Element| {
        let round = element.style.px("border-top-left-radius").is_some_and(|radius| radius > 0.0);
        let raised = element.style.get("box-shadow").is_some_and(|shadow| shadow != "none");
        element.shown && element.bounds.width >= 80.0 && element.bounds.height >= 60.0 && (round || raised)
    };
    let mut groups = Vec::new();
    for children in look.page.children() {
        let mut left: Vec<usize> = children.into_iter().filter(|&child| is_card(&elements[child])).collect();
        while let Some(&first) = left.first() {
            let near = |one: f64, two: f64| (one - two).abs() <= ALIKE * one.max(two);
            let (alike, rest): (Vec<usize>, Vec<usize>) = left.into_iter().partition(|&other| {
                let (one, two) = (&elements[first], &elements[other]);
                // Itself by its index: boundless boxes are near to nothing, themselves included.
                first == other
                    || one.tag == two.tag
                        && near(one.bounds.width, two.bounds.width)
                        && near(one.bounds.height, two.bounds.height)
            });
            if alike.len() >= CARDS {
                groups.push(alike);
            }
            left = rest;
        }
    }
    groups
}

/// No violet gradient as the main visual element together with plain white cards.
pub(super) fn violet_with_cards(look: Look<'_>) -> Reading {
    let gradients: Vec<_> =
        main_gradients(look).filter(|(_, colors)| colors.iter().any(|&color| is_violet(color))).collect();
    let white = |element: &Element| {
        element.style.color("background-color").is_some_and(|color| color.equals(Color::WHITE))
            && element.style.background() == Paint::Nothing
    };
    let cards = card_groups(look)
        .into_iter()
        .find(|group| group.iter().all(|&card| white(&look.page.elements[card])));
    let measured = format!(
        "{}; {}",
        count(gradients.len(), "violet gradient fills a main part", "violet gradients fill a main part"),
        cards
            .as_ref()
            .map_or("no plain white cards".to_owned(), |cards| format!("{} plain white cards", cards.len()))
    );
    let mut findings = Vec::new();
    if let (Some((element, colors)), Some(cards)) = (gradients.first(), cards) {
        let colors = colors.iter().map(ToString::to_string).collect::<Vec<_>>().join(" to ");
        findings.push(
            look.finding(Severity::Blocking, &element.selector, "a violet gradient above white cards")
                .expected(
                    "a look that belongs to this brand",
                    format!("{colors}, and {} white cards", cards.len()),
                )
                .matters("it is what every generated page looks like")
                .fix("take the main colour from the brand, and give the cards a shape of their own"),
        );
    }
    look.reading_unless(measured, findings, look.unread_colors())
}

/// No violet or blue gradient as a hero.
pub(super) fn gradient_hero(look: Look<'_>) -> Reading {
    let cold = |color: &Color| {
        let hsl = color.hsl();
        (210.0..=290.0).contains(&hsl.hue) && hsl.saturation >= 0.35 && (0.2..=0.85).contains(&hsl.lightness)
    };
    let findings =
        main_gradients(look).filter(|(_, colors)| colors.iter().any(cold)).map(|(element, colors)| {
            let colors = colors.iter().map(ToString::to_string).collect::<Vec<_>>().join(" to ");
            look.finding(Severity::Important, &element.selector, "a blue or violet gradient as the hero")
                .expected("a hero that shows what this is about", colors)
                .matters("it could be anybody's")
                .fix("show the product, or a colour of the brand")
        });
    let findings: Vec<_> = findings.collect();
    look.reading_unless(
        count(findings.len(), "such gradient", "such gradients"),
        findings,
        look.unread_colors(),
    )
}

/// No row of three or more cards that all hold the same three things.
pub(super) fn card_grid(look: Look<'_>) -> Reading {
    let elements = &look.page.elements;
    let children = look.page.children();
    let shape = |card: usize| -> Vec<&str> {
        children[card].iter().map(|&child| elements[child].tag.as_str()).collect()
    };
    let is_icon = |tag: &str| matches!(tag, "svg" | "i" | "img" | "span" | "div");
    let is_heading = |tag: &str| matches!(tag, "h2" | "h3" | "h4" | "h5" | "strong");
    let groups = card_groups(look);
    let stock = groups.iter().filter(|group| {
        let first = shape(group[0]);
        matches!(first.as_slice(), [icon, heading, "p"] if is_icon(icon) && is_heading(heading))
            && group.iter().all(|&card| shape(card) == first)
    });
    let findings = stock.map(|group| {
        let first = &elements[group[0]];
        look.finding(Severity::Important, &first.selector, format!("{} stock cards in a row", group.len()))
            .expected(
                "parts that differ as their contents do",
                format!(
                    "{} cards of {} by {}, each an icon, a heading and a paragraph",
                    group.len(),
                    px(first.bounds.width),
                    px(first.bounds.height)
                ),
            )
            .matters("nothing tells which of them matters")
            .fix("give the most important one more room, or show it instead of saying it")
    });
    let findings: Vec<_> = findings.collect();
    look.reading(count(groups.len(), "group of cards", "groups of cards"), findings)
}

/// Sections that have nothing to do with each other are not built alike.
pub(super) fn identical_sections(look: Look<'_>) -> Reading {
    const SECTIONS: usize = 3;
    let elements = &look.page.elements;
    let children = look.page.children();
    // Two levels of tags: what a section is made of.
    let shape = |at: usize| -> String {
        children[at]
            .iter()
            .map(|&child| {
                let inner: Vec<&str> =
                    children[child].iter().map(|&inner| elements[inner].tag.as_str()).collect();
                format!("{}({})", elements[child].tag, inner.join(" "))
            })
            .collect::<Vec<_>>()
            .join(" ")
    };
    let sections: Vec<usize> = (0..elements.len())
        .filter(|&at| elements[at].shown && elements[at].tag == "section" && children[at].len() > 1)
        .collect();
    let mut shapes: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for &section in &sections {
        shapes.entry(shape(section)).or_default().push(section);
    }
    let findings = shapes.iter().filter(|(_, alike)| alike.len() >= SECTIONS).map(|(shape, alike)| {
        look.finding(
            Severity::Important,
            &elements[alike[0]].selector,
            format!("{} sections are built alike", alike.len()),
        )
        .expected("sections that differ as their subjects do", format!("each is {shape}"))
        .matters("the page reads like a form that was filled in")
        .fix("let each section's content decide how it is built")
    });
    let findings: Vec<_> = findings.collect();
    look.reading(count(sections.len(), "section", "sections"), findings)
}

/// Class names of utility frameworks.
fn is_utility(class: &str) -> bool {
    let class = class.rsplit(':').next().unwrap_or(class).trim_start_matches('-');
    const WHOLE: &[&str] = &[
        "flex",
        "grid",
        "block",
        "inline",
        "hidden",
        "relative",
        "absolute",
        "fixed",
        "sticky",
        "container",
        "rounded",
        "border",
        "shadow",
        "truncate",
        "underline",
        "italic",
        "uppercase",
        "antialiased",
        "transition",
    ];
    const HEADS: &[&str] = &[
        "p",
        "px",
        "py",
        "pt",
        "pb",
        "pl",
        "pr",
        "m",
        "mx",
        "my",
        "mt",
        "mb",
        "ml",
        "mr",
        "w",
        "h",
        "min",
        "max",
        "gap",
        "space",
        "text",
        "bg",
        "font",
        "rounded",
        "border",
        "shadow",
        "flex",
        "grid",
        "items",
        "justify",
        "self",
        "leading",
        "tracking",
        "from",
        "via",
        "to",
        "z",
        "top",
        "left",
        "right",
        "bottom",
        "inset",
        "opacity",
        "duration",
        "ease",
        "col",
        "row",
        "order",
        "object",
        "overflow",
        "ring",
        "divide",
        "transition",
        "scale",
    ];
    WHOLE.contains(&class)
        || class.split_once('-').is_some_and(|(head, rest)| HEADS.contains(&head) && !rest.is_empty())
}

/// The page's look is not put together from a framework's utility classes alone.
pub(super) fn utility_only(look: Look<'_>) -> Reading {
    const CLASSES: usize = 20;
    const SHARE_PERCENT: usize = 95;
    let classes: Vec<&str> = look
        .page
        .elements
        .iter()
        .filter_map(|element| element.attribute("class"))
        .flat_map(str::split_whitespace)
        .collect();
    let utilities = classes.iter().filter(|class| is_utility(class)).count();
    let own = look.page.declarations.iter().any(|declaration| {
        declaration.property.starts_with("--") && !declaration.property.starts_with("--tw-")
    });
    let measured = format!(
        "{utilities} of {} utilities{}",
        count(classes.len(), "class is", "classes are"),
        if own { "; the page has tokens of its own" } else { "" }
    );
    let mut findings = Vec::new();
    if classes.len() >= CLASSES && utilities * 100 >= classes.len() * SHARE_PERCENT && !own {
        findings.push(
            look.finding(Severity::Important, "", "the look is a framework's, not the project's")
                .expected("tokens or classes of the project", measured.clone())
                .matters("every page that is made this way looks the same")
                .fix("declare the brand's colours, type and spacing as tokens, and use them"),
        );
    }
    look.reading(measured, findings)
}

/// Marks of icon sets, as they stand in classes, elements and families.
const ICON_SETS: &[(&str, &str)] = &[
    ("fa-", "Font Awesome"),
    ("lucide", "Lucide"),
    ("feather", "Feather"),
    ("heroicon", "Heroicons"),
    ("material-icons", "Material Icons"),
    ("material-symbols", "Material Symbols"),
    ("bi-", "Bootstrap Icons"),
    ("ti-", "Tabler Icons"),
    ("ph-", "Phosphor"),
    ("ri-", "Remix Icon"),
    ("ion-icon", "Ionicons"),
    ("mdi-", "Material Design Icons"),
];

/// Icons are adapted to the brand, not a stock set as it comes.
pub(super) fn own_icons(look: Look<'_>) -> Reading {
    let set_of = |element: &Element| {
        let classes = element.attribute("class").unwrap_or_default();
        let marked = |mark: &str| {
            element.tag.starts_with(mark) || classes.split_whitespace().any(|class| class.starts_with(mark))
        };
        ICON_SETS.iter().find(|(mark, _)| marked(mark)).copied()
    };
    // The frame that stock drawings come in: 24 by 24, a stroke of 2 in the text's colour.
    let is_drawn_stock = |element: &Element| {
        element.tag == "svg"
            && element.attribute("viewBox") == Some("0 0 24 24")
            && element.attribute("stroke") == Some("currentColor")
            && element.attribute("stroke-width") == Some("2")
    };
    let mut sets: BTreeMap<(&str, &str), Vec<&Element>> = BTreeMap::new();
    for element in look.page.elements.iter().filter(|element| element.shown) {
        let set =
            set_of(element).or_else(|| is_drawn_stock(element).then_some(("svg", "a stock outline set")));
        if let Some(set) = set {
            sets.entry(set).or_default().push(element);
        }
    }
    let is_adapted = |mark: &str| {
        look.page.declarations.iter().any(|declaration| {
            declaration.selector.contains(mark)
                && matches!(declaration.property.as_str(), "color" | "fill" | "stroke" | "stroke-width")
                && declaration.value.contains("var(")
        })
    };
    let total: usize = sets.values().map(Vec::len).sum();
    let measured = if sets.is_empty() {
        "no stock icons".to_owned()
    } else {
        format!(
            "{} of {}",
            count(total, "icon", "icons"),
            sets.keys().map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
        )
    };
    let stock: Vec<_> = sets.into_iter().filter(|((mark, _), _)| !is_adapted(mark)).collect();
    let findings = stock.iter().map(|((_, name), icons)| {
        look.finding(
            Severity::Important,
            &icons[0].selector,
            format!("{}, not adapted", count(icons.len(), "stock icon", "stock icons")),
        )
        .expected("icons that are adapted to the brand", (*name).to_owned())
        .matters("the page looks like every other that uses the set")
        .fix("set their colour, weight or shape from the brand's tokens, or draw those that matter")
    });
    let findings: Vec<_> = findings.collect();
    let wanting = unread(look).filter(|_| !findings.is_empty());
    if let Some(why) = wanting {
        return look.unverified(format!("{measured}; {why}"));
    }
    look.reading(measured, findings)
}
