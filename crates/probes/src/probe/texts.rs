//! What the page says.

use std::collections::BTreeSet;

use trueup_findings::{Finding, Severity};

use super::found::{Look, count, short};
use crate::Reading;

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How many words two texts share, of both: 0 to 1.
fn likeness(one: &str, two: &str) -> f64 {
    let mut left: Vec<&str> = one.split(' ').collect();
    let total = left.len() + two.split(' ').count();
    let mut shared = 0_u32;
    for word in two.split(' ') {
        if let Some(at) = left.iter().position(|other| other.eq_ignore_ascii_case(word)) {
            left.swap_remove(at);
            shared += 1;
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "words of a text")]
    let total = total as f64;
    2.0 * f64::from(shared) / total
}

/// The agreed texts that the page does not show, with where they belong.
fn differing(look: Look<'_>, severity: Severity) -> Vec<(&str, Finding)> {
    let whole = look.whole_texts();
    let on_page =
        || look.page.elements.iter().zip(&whole).filter(|(element, text)| element.shown && !text.is_empty());
    let mut findings = Vec::new();
    for copy in &look.expectations.copy {
        let wanted = plain(&copy.text);
        let attribute = |name: &str| {
            look.shown().any(|element| element.attribute(name).map(plain).as_deref() == Some(&wanted))
        };
        let there = on_page().any(|(_, text)| *text == wanted)
            || ["placeholder", "aria-label", "alt", "value"].into_iter().any(attribute)
            || plain(&look.page.title) == wanted;
        if wanted.is_empty() || there {
            continue;
        }
        let nearest = on_page()
            .map(|(element, text)| (element, text, likeness(&wanted, text)))
            .max_by(|one, two| one.2.total_cmp(&two.2))
            .filter(|(_, _, likeness)| *likeness >= 0.4);
        let (selector, actual) = nearest
            .map_or((String::new(), "no text like it is shown".to_owned()), |(element, text, _)| {
                (element.selector.clone(), format!("\"{text}\""))
            });
        let finding = look
            .finding(severity, &selector, format!("{} does not say what was agreed", copy.place))
            .expected(format!("\"{wanted}\""), actual)
            .matters("the page says something that nobody agreed to")
            .fix(format!("write the text of {} word for word", copy.place));
        findings.push((copy.place.as_str(), finding));
    }
    findings
}

/// Every agreed text is shown word for word.
pub(super) fn copy_integrity(look: Look<'_>) -> Reading {
    let copy = look.expectations.copy.len();
    if copy == 0 {
        return look.unverified("no texts were agreed on");
    }
    look.reading(
        count(copy, "agreed text looked for", "agreed texts looked for"),
        differing(look, Severity::Blocking).into_iter().map(|(_, finding)| finding).collect(),
    )
}

/// No section is without an agreed text; a section is the part of a place before its first full stop.
pub(super) fn contracted_copy(look: Look<'_>) -> Reading {
    if look.expectations.copy.is_empty() {
        return look.unverified("no texts were agreed on");
    }
    fn section(place: &str) -> &str {
        place.split('.').next().unwrap_or_default()
    }
    let sections: BTreeSet<&str> = look.expectations.copy.iter().map(|copy| section(&copy.place)).collect();
    let (places, findings): (Vec<&str>, Vec<Finding>) =
        differing(look, Severity::Important).into_iter().unzip();
    let broken: BTreeSet<&str> = places.into_iter().map(section).collect();
    let mut measured = count(sections.len(), "section looked at", "sections looked at");
    if !broken.is_empty() {
        measured.push_str(&format!("; not as agreed: {}", broken.into_iter().collect::<Vec<_>>().join(", ")));
    }
    look.reading(measured, findings)
}

/// Words of a text that stands where a real one should.
const PLACEHOLDERS: &[&str] = &[
    "lorem ipsum",
    "dolor sit amet",
    "placeholder text",
    "your text here",
    "insert text",
    "sample text",
    "coming soon",
    "todo:",
    "tbd",
    "xxx",
];

/// No text stands where a real one should.
pub(super) fn placeholder_text(look: Look<'_>) -> Reading {
    let texts = look.texts().count();
    let findings = look.texts().filter_map(|element| {
        let lower = element.text.to_lowercase();
        let found = PLACEHOLDERS.iter().find(|words| contains_words(&lower, words))?;
        Some(
            look.finding(
                Severity::Important,
                &element.selector,
                format!("\"{}\" is a placeholder", short(&element.text)),
            )
            .expected("a text that means something", format!("\"{found}\""))
            .matters("the page is not finished, and looks it")
            .fix("write the text, or take the part away"),
        )
    });
    look.reading(format!("{} looked at", count(texts, "text", "texts")), findings.collect())
}

/// Whether a text has these words, not as parts of others.
pub(super) fn contains_words(text: &str, words: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(words).any(|(at, found)| {
        // Words may end in a sign, such as "todo:", and then a letter may follow.
        let open_end = !is_word(words.chars().next_back());
        !is_word(text[..at].chars().next_back())
            && (open_end || !is_word(text[at + found.len()..].chars().next()))
    })
}
