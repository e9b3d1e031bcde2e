//! Reviewdog's diagnostic format.

use serde_json::{Value, json};

use crate::{Finding, Location, Severity, Status};

/// One diagnostic for each finding that fails and stands in a file; without a file there is nothing to comment on, so the
/// rest is left out.
#[must_use]
pub fn rdjson(list: &[Finding]) -> String {
    let fails = list.iter().filter(|finding| finding.status() == Status::Fail);
    let diagnostics: Vec<Value> = fails.filter_map(diagnostic).collect();
    super::sarif::pretty(&json!({ "source": { "name": "trueup" }, "diagnostics": diagnostics }))
}

fn diagnostic(finding: &Finding) -> Option<Value> {
    let Location::Span { file, line, column } = finding.location() else { return None };
    let severity = match finding.severity() {
        Severity::Blocking => "ERROR",
        Severity::Important => "WARNING",
        Severity::Minor => "INFO",
    };
    let mut message = finding.title().to_owned();
    for (name, value) in [("Impact", finding.impact()), ("Fix", finding.fix())] {
        if !value.trim().is_empty() {
            message.push_str(&format!("\n{name}: {value}"));
        }
    }
    let mut location = json!({ "path": file });
    if let Some(line) = line {
        location["range"] = match column {
            Some(column) => json!({ "start": { "line": line, "column": column } }),
            None => json!({ "start": { "line": line } }),
        };
    }
    Some(json!({
        "message": message,
        "location": location,
        "severity": severity,
        "code": { "value": finding.dimension().unwrap_or("finding") },
    }))
}
