//! SARIF 2.1.0.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::escape::uri;
use crate::{Finding, Location, Severity, Status};

/// A SARIF log with one run. What fails has a level; what passes or could not be verified has none, as the format demands
/// of results of another kind than `fail`.
#[must_use]
pub fn sarif(list: &[Finding]) -> String {
    // A rule a dimension: what a reader filters by.
    let mut rules: BTreeMap<String, (usize, &str)> = BTreeMap::new();
    for finding in list {
        let name = finding.dimension().unwrap_or("Finding");
        rules.entry(slug(name)).or_insert((0, name));
    }
    for (index, rule) in rules.values_mut().enumerate() {
        rule.0 = index;
    }
    let described: Vec<Value> = rules
        .iter()
        .map(|(id, (_, name))| json!({ "id": id, "shortDescription": { "text": name } }))
        .collect();
    let results: Vec<Value> = list.iter().map(|finding| result(finding, &rules)).collect();
    pretty(&json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "trueup",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": described,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    }))
}

fn result(finding: &Finding, rules: &BTreeMap<String, (usize, &str)>) -> Value {
    let rule = slug(finding.dimension().unwrap_or("Finding"));
    let index = rules.get(&rule).map_or(0, |rule| rule.0);
    let (kind, level) = match (finding.status(), finding.severity()) {
        (Status::Fail, Severity::Blocking) => ("fail", "error"),
        (Status::Fail, Severity::Important) => ("fail", "warning"),
        (Status::Fail, Severity::Minor) => ("fail", "note"),
        (Status::Pass, _) => ("pass", "none"),
        (Status::Unverified, _) => ("open", "none"),
    };
    let mut text = finding.title().to_owned();
    for (name, value) in [
        ("Expected", finding.expected()),
        ("Actual", finding.actual()),
        ("Impact", finding.impact()),
        ("Fix", finding.fix()),
    ] {
        if !value.trim().is_empty() {
            text.push_str(&format!("\n{name}: {value}"));
        }
    }
    if text.trim().is_empty() {
        text = finding.id().to_owned();
    }
    let mut properties = Map::new();
    properties.insert("id".to_owned(), json!(finding.id()));
    properties.insert("severity".to_owned(), json!(finding.severity().as_str()));
    properties.insert("foundBy".to_owned(), json!(finding.found_by().collect::<Vec<_>>()));
    let evidence: Vec<String> = finding.evidence().map(ToString::to_string).collect();
    properties.insert("evidence".to_owned(), json!(evidence));
    if let Some(class) = finding.class() {
        properties.insert("class".to_owned(), json!(class.as_str()));
    }
    let mut result = json!({
        "ruleId": rule,
        "ruleIndex": index,
        "kind": kind,
        "level": level,
        "message": { "text": text },
        "partialFingerprints": {
            "trueup/v1": format!("{}:{}", finding.fingerprint(), finding.occurrence()),
        },
        "properties": properties,
    });
    if let Some(location) = location(finding.location()) {
        result["locations"] = json!([location]);
    }
    result
}

fn location(location: &Location) -> Option<Value> {
    match location {
        Location::Unknown => None,
        Location::Item(item) => Some(logical(item, item)),
        Location::Visual { label, region, element } => {
            let part = element.as_ref().or(region.as_ref());
            let full = part.map_or_else(|| label.clone(), |part| format!("{label}/{part}"));
            Some(logical(part.unwrap_or(label), &full))
        }
        Location::Span { file, line, column } => {
            let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
            if let Some(line) = line {
                // Some readers cannot do with a region without a line, and columns count from 1.
                physical["region"] = match column {
                    Some(column) => json!({ "startLine": line, "startColumn": column }),
                    None => json!({ "startLine": line }),
                };
            }
            Some(json!({ "physicalLocation": physical }))
        }
    }
}

fn logical(name: &str, full: &str) -> Value {
    json!({ "logicalLocations": [{ "name": name, "fullyQualifiedName": full }] })
}

/// A name as an id: lower-case words joined by hyphens.
fn slug(name: &str) -> String {
    let words: Vec<String> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    if words.is_empty() { "finding".to_owned() } else { words.join("-") }
}

/// A document with a line break at its end. Values made here always have text keys and finite numbers.
pub(super) fn pretty(document: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(document).expect("text keys and finite numbers");
    text.push('\n');
    text
}
