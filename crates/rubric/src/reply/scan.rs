//! Finding the answer in what surrounds it.

use super::fault::{Fault, FaultKind};
use super::json::{self, Object, Repairs, Value};
use super::refusal::is_refusal;

/// An object with the expected key, and what was tolerated in reading it.
#[derive(Debug)]
pub(crate) struct Candidate<'t> {
    pub(crate) object: Object<'t>,
    pub(crate) repairs: Repairs,
    /// The bytes of the outermost object that it stands in.
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// Every object with the key, in the order in which they stand.
///
/// Each opening brace outside what was already read is tried. One that breaks off, or that has the key and is not JSON,
/// is a fault whatever else there is: what the judge meant is not known. At most 64 levels are tried again after a
/// failure, so the time stays in proportion to the text.
pub(crate) fn candidates<'t>(text: &'t str, key: &str) -> Result<Vec<Candidate<'t>>, Fault> {
    let mut found = Vec::new();
    let mut at = 0;
    let quoted = format!("\"{key}\"");
    while let Some(brace) = text[at..].find('{').map(|offset| at + offset) {
        match json::object(text, brace) {
            Ok((object, end, repairs)) => {
                collect(object, key, repairs, (brace, end), &mut found);
                at = end;
            }
            // A lone brace at the end of a sentence breaks nothing off.
            Err(stop) if stop.ended && text[brace..].contains('"') => {
                return Err(Fault::new(FaultKind::Truncated { at: brace }));
            }
            Err(stop) => {
                if text[brace..stop.at.min(text.len())].contains(&quoted) {
                    let (line, column) = position(text, stop.at);
                    let expected = stop.expected.to_owned();
                    return Err(Fault::new(FaultKind::Malformed { line, column, expected }));
                }
                at = brace + 1;
            }
        }
    }
    if found.is_empty() {
        return Err(nothing(text, key));
    }
    Ok(found)
}

/// The object itself where it has the key, or else every object in it that has.
fn collect<'t>(
    object: Object<'t>,
    key: &str,
    repairs: Repairs,
    (from, to): (usize, usize),
    found: &mut Vec<Candidate<'t>>,
) {
    if object.get(key).is_some() {
        found.push(Candidate { object, repairs, from, to });
        return;
    }
    for (_, value) in object.members {
        collect_in(value, key, repairs, (from, to), found);
    }
}

fn collect_in<'t>(
    value: Value<'t>,
    key: &str,
    repairs: Repairs,
    span: (usize, usize),
    found: &mut Vec<Candidate<'t>>,
) {
    match value {
        Value::Object(object) => collect(object, key, repairs, span, found),
        Value::List(items) => items.into_iter().for_each(|item| collect_in(item, key, repairs, span, found)),
        _ => {}
    }
}

fn nothing(text: &str, key: &str) -> Fault {
    let beginning: String = text.trim_start().chars().take(80).collect();
    Fault::new(if is_refusal(text) {
        FaultKind::Refused { beginning }
    } else {
        FaultKind::NoAnswer { key: key.to_owned(), beginning }
    })
}

/// Line and column, from 1, of a byte.
fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}
