//! The JSON Schema of a reply, for providers that hold a model to one.

use trueup_score::Points;

use crate::{Axis, Rubric};

/// The JSON Schema (2020-12) of a reply by this rubric: every axis and condition is required and nothing else is allowed.
/// What it says of ranges is repeated by the reader, because providers do not all keep it.
#[must_use]
pub fn reply_schema(rubric: &Rubric) -> String {
    let axes = rubric.axes().iter().map(|axis| (axis.name().to_owned(), axis_schema(axis)));
    let mut members = vec![("rubric".to_owned(), object(axes))];
    if !rubric.conditions().is_empty() {
        let result = "{\"enum\":[\"pass\",\"fail\",\"unverified\"]}".to_owned();
        let condition =
            || object([("result".to_owned(), result.clone()), ("evidence".to_owned(), evidence_schema())]);
        let conditions = rubric.conditions().iter().map(|known| (known.id().to_owned(), condition()));
        members.push(("conditions".to_owned(), object(conditions)));
    }
    if rubric.takes_reported() {
        members.push(("overall".to_owned(), "{\"type\":[\"number\",\"null\"]}".to_owned()));
    }
    members.push(("summary".to_owned(), "{\"type\":\"string\"}".to_owned()));
    members
        .push(("suggestions".to_owned(), "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}".to_owned()));
    object(members)
}

fn axis_schema(axis: &Axis) -> String {
    let scores: Vec<String> = axis.anchors().iter().map(|anchor| anchor.score().to_string()).collect();
    let score = if axis.is_only_anchors() {
        format!("{{\"enum\":[{},null]}}", scores.join(","))
    } else {
        let (min, max): (Points, Points) = (axis.scale().min(), axis.scale().max());
        format!("{{\"type\":[\"number\",\"null\"],\"minimum\":{min},\"maximum\":{max}}}")
    };
    let anchor = if scores.is_empty() {
        "{\"type\":\"null\"}".to_owned()
    } else {
        format!("{{\"enum\":[{},null]}}", scores.join(","))
    };
    object([
        ("score".to_owned(), score),
        ("anchor".to_owned(), anchor),
        ("rationale".to_owned(), "{\"type\":\"string\"}".to_owned()),
        ("evidence".to_owned(), evidence_schema()),
    ])
}

fn evidence_schema() -> String {
    let kinds: Vec<String> =
        trueup_findings::EvidenceKind::ALL.iter().map(|kind| format!("\"{kind}\"")).collect();
    let item = object([
        ("kind".to_owned(), format!("{{\"enum\":[{}]}}", kinds.join(","))),
        ("locator".to_owned(), "{\"type\":\"string\"}".to_owned()),
        ("quote".to_owned(), "{\"type\":[\"string\",\"null\"]}".to_owned()),
    ]);
    format!("{{\"type\":\"array\",\"items\":{item}}}")
}

/// The schema of an object with exactly these members.
fn object(members: impl IntoIterator<Item = (String, String)>) -> String {
    let (mut properties, mut required) = (Vec::new(), Vec::new());
    for (name, schema) in members {
        let name = quoted(&name);
        properties.push(format!("{name}:{schema}"));
        required.push(name);
    }
    format!(
        "{{\"type\":\"object\",\"properties\":{{{}}},\"required\":[{}],\"additionalProperties\":false}}",
        properties.join(","),
        required.join(",")
    )
}

/// A text as JSON.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            other if other < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(other))),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
