//! States that a page has to have beside the one that is shown.

use trueup_findings::Severity;

use super::found::{Look, count};
use super::tokens::unread;
use crate::{Element, Reading};

/// From this many controls on, a form has to be able to say what is wrong.
const CONTROLS: usize = 3;

fn is_control(element: &Element) -> bool {
    match element.tag.as_str() {
        "select" | "textarea" => true,
        "input" => {
            !matches!(element.attribute("type"), Some("hidden" | "submit" | "button" | "reset" | "image"))
        }
        _ => false,
    }
}

/// Whether an element, shown or not, stands for a state.
fn stands_for(element: &Element, state: &str, words: &[&str], marks: &[(&str, &[&str])]) -> bool {
    let named = |attribute: &str| {
        element.attribute(attribute).is_some_and(|value| {
            value.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word))
        })
    };
    element.attribute("data-state").is_some_and(|value| value.split_whitespace().any(|word| word == state))
        || named("class")
        || named("id")
        || marks.iter().any(|(attribute, values)| {
            element.attribute(attribute).is_some_and(|value| values.is_empty() || values.contains(&value))
        })
}

/// A table can be empty and loading, and a form of three controls or more can say what is wrong.
pub(super) fn coverage(look: Look<'_>) -> Reading {
    let elements = &look.page.elements;
    let has = |state: &str, words: &[&str], marks: &[(&str, &[&str])]| {
        elements.iter().any(|element| stands_for(element, state, words, marks))
    };
    let table = elements.iter().find(|element| {
        element.tag == "table" || matches!(element.attribute("role"), Some("table" | "grid"))
    });
    let controls = elements.iter().filter(|element| is_control(element)).count();
    let mut wanted: Vec<(&str, &str, &str, bool)> = Vec::new();
    if let Some(table) = table {
        let empty = has("empty", &["empty", "nodata", "noresults"], &[]);
        let loading = has(
            "loading",
            &["loading", "skeleton", "spinner", "loader"],
            &[("aria-busy", &[]), ("role", &["progressbar"])],
        );
        wanted.push((&table.selector, "empty", "the table has no rows", empty));
        wanted.push((&table.selector, "loading", "the table's rows are on their way", loading));
    }
    if controls >= CONTROLS {
        let form = elements
            .iter()
            .find(|element| is_control(element))
            .map_or("", |element| element.selector.as_str());
        let error = has(
            "error",
            &["error", "errors", "invalid"],
            &[("role", &["alert"]), ("aria-invalid", &[]), ("aria-errormessage", &[])],
        );
        wanted.push((form, "error", "an entry is wrong", error));
    }
    if wanted.is_empty() {
        return look.reading("neither a table nor a form of three controls", Vec::new());
    }
    let total = wanted.len();
    let missing: Vec<_> = wanted.into_iter().filter(|(.., there)| !there).collect();
    let measured = format!("{} of {} there", total - missing.len(), count(total, "state is", "states are"));
    let findings = missing.into_iter().map(|(selector, state, when, _)| {
        look.finding(Severity::Important, selector, format!("no state for when {when}"))
            .expected(format!("an element for the state \"{state}\""), "none, shown or hidden")
            .matters("somebody will see it, and nobody has designed it")
            .fix(format!("design it, and mark it by data-state=\"{state}\" or a class of that name"))
    });
    look.reading(measured, findings.collect())
}

/// What can be used answers to the pointer and to the keyboard.
pub(super) fn interactive_states(look: Look<'_>) -> Reading {
    let interactive = |element: &&Element| {
        matches!(element.tag.as_str(), "button" | "select" | "textarea" | "summary")
            || (element.tag == "a" && element.attribute("href").is_some())
            || (element.tag == "input" && element.attribute("type") != Some("hidden"))
            || matches!(element.attribute("role"), Some("button" | "link" | "tab" | "switch" | "menuitem"))
    };
    let Some(first) = look.shown().find(interactive) else {
        return look.reading("nothing on the page can be used", Vec::new());
    };
    let has =
        |state: &str| look.page.declarations.iter().any(|declaration| declaration.selector.contains(state));
    let missing: Vec<&str> =
        [":hover", ":focus", ":active"].into_iter().filter(|state| !has(state)).collect();
    let mut findings = Vec::new();
    if !missing.is_empty() {
        findings.push(
            look.finding(
                Severity::Important,
                &first.selector,
                format!("nothing is declared for {}", missing.join(", ")),
            )
            .expected("styles for :hover, :focus and :active", format!("{} are missing", missing.join(", ")))
            .matters("nobody sees that it can be used, or where the keyboard is")
            .fix("declare what changes when it is pointed at, focused and pressed"),
        );
    }
    let measured = format!("{} of 3 states are declared", 3 - missing.len());
    if let Some(why) = unread(look).filter(|_| !missing.is_empty()) {
        return look.unverified(format!("{measured}; {why}"));
    }
    look.reading(measured, findings)
}

/// No rule that an accessibility tool could decide is broken. Tools decide a part of the rules only.
pub(super) fn accessibility(look: Look<'_>) -> Reading {
    let scans = &look.page.scans;
    if scans.is_empty() {
        return look.unverified("no accessibility tool was run on the page");
    }
    let tools = scans.iter().map(|scan| {
        format!(
            "{} {}: {} hold, {} broken, {} undecided",
            scan.tool,
            scan.version,
            scan.passed_rules,
            scan.violations.len(),
            scan.undecided_rules
        )
    });
    let measured = format!("{}; this does not show conformance", tools.collect::<Vec<_>>().join("; "));
    let findings = scans.iter().flat_map(|scan| {
        scan.violations.iter().map(move |violation| {
            let selector = violation.selectors.first().map_or("", String::as_str);
            let more = match violation.selectors.len() {
                0 | 1 => String::new(),
                places => format!(", in {places} places"),
            };
            look.finding(Severity::Blocking, selector, format!("{} is broken{more}", violation.rule))
                .expected(
                    violation.asks.clone(),
                    format!(
                        "{} {} calls it {}",
                        scan.tool,
                        scan.version,
                        if violation.impact.is_empty() { "broken" } else { &violation.impact }
                    ),
                )
                .matters("people who use the page by other means than sight and a pointer are shut out")
                .fix(format!("mend it as the rule {} of {} says", violation.rule, scan.tool))
        })
    });
    look.reading(measured, findings.collect())
}
