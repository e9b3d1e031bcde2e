//! Which elements of a page changed: not where pixels differ, but what was done to bring that about.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use trueup_frame::Rect;
use trueup_ports::Element;

/// An element that differs between two pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ChangedElementDocument {
    /// A selector that finds it.
    pub selector: String,
    /// `changed`, `added` or `removed`.
    pub change: &'static str,
    /// Where it is in the first page, in device pixels; null where it is not there.
    pub expected_box: Option<ElementBoxDocument>,
    /// Where it is in the second page.
    pub actual_box: Option<ElementBoxDocument>,
    /// Its computed styles that differ, without those that it has from an element around it.
    pub styles: Vec<StyleChangeDocument>,
    /// Its own text, where that differs.
    pub text: Option<TextChangeDocument>,
}

/// A box in device pixels of the capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ElementBoxDocument {
    /// First column.
    pub x: u32,
    /// First row.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// A computed style that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StyleChangeDocument {
    /// The property.
    pub property: String,
    /// Its value in the first page.
    pub expected: String,
    /// Its value in the second page.
    pub actual: String,
}

/// A text that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TextChangeDocument {
    /// In the first page.
    pub expected: String,
    /// In the second page.
    pub actual: String,
}

/// Properties whose value an element has from the one around it, unless it says otherwise.
const INHERITED: [&str; 9] = [
    "color",
    "font-family",
    "font-size",
    "font-weight",
    "font-style",
    "line-height",
    "letter-spacing",
    "text-align",
    "text-transform",
];

/// Properties whose value is that of another one, unless the element says otherwise.
const FOLLOWS: [(&str, &str); 1] = [("border-color", "color")];

/// What differs between the elements of two pages, and how many elements are elsewhere or of another size without a change of
/// their own.
pub(super) fn changed(expected: &[Element], actual: &[Element]) -> (Vec<ChangedElementDocument>, usize) {
    let was: HashMap<&str, &Element> = by_selector(expected);
    let is: HashMap<&str, &Element> = by_selector(actual);
    let mut found = Vec::new();
    let mut moved = 0;
    let differing: Vec<(&Element, &Element)> = actual
        .iter()
        .filter_map(|now| was.get(now.selector.as_str()).map(|before| (*before, now)))
        .filter(|(before, now)| before != now)
        .collect();
    for (before, now) in &differing {
        let styles = styles(before, now, &differing);
        let text = text(before, now);
        if styles.is_empty() && text.is_none() {
            moved += 1;
            continue;
        }
        found.push(ChangedElementDocument {
            selector: now.selector.clone(),
            change: "changed",
            expected_box: Some(before.area.into()),
            actual_box: Some(now.area.into()),
            styles,
            text,
        });
    }
    for (elements, other, change) in [(expected, &is, "removed"), (actual, &was, "added")] {
        let gone: HashSet<&str> = elements
            .iter()
            .map(|element| element.selector.as_str())
            .filter(|selector| !other.contains_key(selector))
            .collect();
        for element in elements.iter().filter(|element| gone.contains(element.selector.as_str())) {
            // What came or went with the element around it is not said again.
            if element.selector.rsplit_once(" > ").is_some_and(|(around, _)| gone.contains(around)) {
                continue;
            }
            let area = Some(element.area.into());
            let is_new = change == "added";
            found.push(ChangedElementDocument {
                selector: element.selector.clone(),
                change,
                expected_box: if is_new { None } else { area },
                actual_box: if is_new { area } else { None },
                styles: Vec::new(),
                text: None,
            });
        }
    }
    (found, moved)
}

fn by_selector(elements: &[Element]) -> HashMap<&str, &Element> {
    elements.iter().map(|element| (element.selector.as_str(), element)).collect()
}

fn text(before: &Element, now: &Element) -> Option<TextChangeDocument> {
    let said = |element: &Element| element.text.clone().unwrap_or_default();
    (before.text != now.text).then(|| TextChangeDocument { expected: said(before), actual: said(now) })
}

/// The styles that an element itself changed.
fn styles(before: &Element, now: &Element, all: &[(&Element, &Element)]) -> Vec<StyleChangeDocument> {
    let changes = changes(before, now);
    let around: Vec<&(&Element, &Element)> = all
        .iter()
        .filter(|(_, other)| {
            other.selector != now.selector && other.area.intersection(now.area) == Some(now.area)
        })
        .collect();
    let is_own = |(property, was, is): &(&str, &str, &str)| {
        let same = |other: &(&str, &str, &str)| (other.1, other.2) == (*was, *is);
        let followed = FOLLOWS.iter().find(|(follower, _)| follower == property);
        if followed.is_some_and(|(_, leader)| changes.iter().any(|other| other.0 == *leader && same(other))) {
            return false;
        }
        let leader = followed.map_or(*property, |(_, leader)| *leader);
        let is_inherited = INHERITED.contains(&leader);
        !(is_inherited
            && around
                .iter()
                .any(|(was, is)| self::changes(was, is).iter().any(|other| other.0 == leader && same(other))))
    };
    let own = changes.iter().filter(|change| is_own(change));
    own.map(|(property, was, is)| StyleChangeDocument {
        property: (*property).to_owned(),
        expected: (*was).to_owned(),
        actual: (*is).to_owned(),
    })
    .collect()
}

/// Property, value before, value now.
fn changes<'e>(before: &'e Element, now: &'e Element) -> Vec<(&'e str, &'e str, &'e str)> {
    let was: HashMap<&str, &str> =
        before.styles.iter().map(|(property, value)| (property.as_str(), value.as_str())).collect();
    now.styles
        .iter()
        .filter_map(|(property, value)| {
            let before = was.get(property.as_str()).copied().unwrap_or_default();
            (before != value).then_some((property.as_str(), before, value.as_str()))
        })
        .collect()
}

impl From<Rect> for ElementBoxDocument {
    fn from(rect: Rect) -> Self {
        Self { x: rect.x, y: rect.y, width: rect.width, height: rect.height }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(selector: &str, area: [u32; 4], styles: &[(&str, &str)], text: Option<&str>) -> Element {
        let [x, y, width, height] = area;
        let styles = styles.iter().map(|(property, value)| ((*property).to_owned(), (*value).to_owned()));
        Element::new(selector, Rect::new(x, y, width, height))
            .with_look(styles.collect(), text.map(str::to_owned))
    }

    #[test]
    fn what_an_element_has_from_the_one_around_it_is_not_its_own_change() {
        let page = |color: &str, own: &str, y| {
            vec![
                element("body", [0, 0, 100, 100], &[("color", color)], None),
                element("#a", [0, 0, 50, 50], &[("color", color), ("border-color", color)], Some("A")),
                element("#b", [0, y, 50, 50], &[("color", own), ("border-color", own)], Some("B")),
            ]
        };
        let (found, moved) = changed(&page("red", "red", 50), &page("blue", "green", 51));
        let said: Vec<(&str, usize)> =
            found.iter().map(|one| (one.selector.as_str(), one.styles.len())).collect();
        assert_eq!(said, [("body", 1), ("#b", 1)], "{found:#?}");
        assert_eq!(moved, 1, "#a only follows");
        assert_eq!(changed(&page("red", "red", 50), &page("red", "red", 50)), (Vec::new(), 0));
        assert_eq!(changed(&page("red", "red", 50), &page("red", "red", 51)), (Vec::new(), 1), "it moved");
    }

    #[test]
    fn what_comes_and_goes_is_named_once() {
        let before = [element("body", [0, 0, 9, 9], &[], Some("Old"))];
        let after = [
            element("body", [0, 0, 9, 9], &[], Some("New")),
            element("body > ul", [0, 0, 9, 9], &[], None),
            element("body > ul > li", [0, 0, 9, 9], &[], None),
        ];
        let (found, _) = changed(&before, &after);
        let said: Vec<(&str, &str)> = found.iter().map(|one| (one.selector.as_str(), one.change)).collect();
        assert_eq!(said, [("body", "changed"), ("body > ul", "added")]);
        let (found, _) = changed(&after, &before);
        assert_eq!(found[1].change, "removed");
        assert_eq!(found[1].actual_box, None);
    }
}
