//! Which elements moved between two looks at a page.

use std::collections::{BTreeMap, BTreeSet};

use trueup_frame::Rect;

use crate::page::{Elements, Found};

/// Elements that are named; more would only hide what begins it.
const NAMED: usize = 3;

/// The elements that account for a change: first those that hold a changed part of the picture most tightly, then those that
/// came, went, or have another box or text.
pub(crate) fn names(
    before: &Elements,
    after: &Elements,
    changed: &[Rect],
    place: impl Fn([f64; 4]) -> Option<Rect>,
) -> Vec<String> {
    let placed: Vec<(&Found, Rect)> =
        after.elements.iter().filter_map(|found| Some((found, place(found.area)?))).collect();
    let mut names: Vec<String> = Vec::new();
    let mut note = |name: &str| {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    };
    // Of boxes that are the same, the inner element's comes last.
    for area in changed {
        let holds = |(_, own): &&(&Found, Rect)| own.intersection(*area) == Some(*area);
        if let Some((found, _)) = placed.iter().rev().filter(holds).min_by_key(|(_, own)| own.area()) {
            note(&found.selector);
        }
    }
    let look = |elements: &Elements| -> BTreeMap<String, Found> {
        elements.elements.iter().map(|found| (found.selector.clone(), found.clone())).collect()
    };
    let (was, is) = (look(before), look(after));
    let all: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    // The deepest first: what is around them moved because they did.
    let mut differing: Vec<&String> =
        all.into_iter().filter(|name| was.get(*name) != is.get(*name)).collect();
    differing.sort_by_key(|name| std::cmp::Reverse(name.matches(" > ").count()));
    differing.into_iter().for_each(|name| note(name));
    names.truncate(NAMED);
    names
}
