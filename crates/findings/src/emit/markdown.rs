//! Markdown: a summary line, then a grouped list, or a table from ten findings on.

use super::escape::markdown as escape;
use crate::{Counts, Finding, Severity, Status};

/// From how many findings on a table is easier to read than a list.
const TABLE_FROM: usize = 10;

/// `Validation complete: 1 blocking, 2 important, 0 minor issues found.`
#[must_use]
pub fn summary_line(list: &[Finding]) -> String {
    let Counts { blocking, important, minor } = Counts::of(list);
    format!("Validation complete: {blocking} blocking, {important} important, {minor} minor issues found.")
}

/// The findings that fail, numbered through, the worst first; then what could not be verified.
#[must_use]
pub fn markdown(list: &[Finding]) -> String {
    let mut text = summary_line(list) + "\n";
    let counts = Counts::of(list);
    let failing = |severity: Severity| {
        list.iter().filter(move |finding| finding.status() == Status::Fail && finding.severity() == severity)
    };
    let mut number = 0;
    if counts.total() >= TABLE_FROM {
        text.push_str(
            "\n| # | Severity | Issue | Found by | Fix |\n|---|----------|-------|----------|-----|\n",
        );
        for severity in Severity::ALL {
            for finding in failing(severity) {
                number += 1;
                text.push_str(&format!(
                    "| {number} | {} | {} | {} | {} |\n",
                    severity.title(),
                    escape(finding.title()),
                    finders(finding),
                    or_dash(&escape(finding.fix())),
                ));
            }
        }
    } else {
        for severity in Severity::ALL {
            let count = counts.severity(severity);
            if count == 0 {
                continue;
            }
            let issues = if count == 1 { "issue" } else { "issues" };
            text.push_str(&format!("\n## {} ({count} {issues})\n", severity.title()));
            for finding in failing(severity) {
                number += 1;
                text.push_str(&entry(number, finding));
            }
        }
    }
    let unverified: Vec<&Finding> =
        list.iter().filter(|finding| finding.status() == Status::Unverified).collect();
    if !unverified.is_empty() {
        text.push_str(&format!("\n## Unverified ({})\n\n", unverified.len()));
        for finding in unverified {
            text.push_str(&format!(
                "- {} — {}\n",
                escape(finding.title()),
                escape(&finding.location().to_string())
            ));
        }
    }
    text
}

fn entry(number: usize, finding: &Finding) -> String {
    let mut text = format!("\n{number}. **{}** — found by {}\n", escape(finding.title()), finders(finding));
    let location = finding.location().to_string();
    let steps = finding.steps().join(" → ");
    let evidence: Vec<String> = finding.evidence().map(ToString::to_string).collect();
    for (name, value) in [
        ("Where", location.as_str()),
        ("Steps", steps.as_str()),
        ("Expected", finding.expected()),
        ("Actual", finding.actual()),
        ("Impact", finding.impact()),
        ("Fix", finding.fix()),
        ("Evidence", evidence.join("; ").as_str()),
    ] {
        if !value.trim().is_empty() && value != "somewhere" {
            text.push_str(&format!("   - {name}: {}\n", escape(value)));
        }
    }
    for gap in finding.gaps() {
        text.push_str(&format!("   - Missing: {}\n", escape(&gap)));
    }
    text
}

fn finders(finding: &Finding) -> String {
    let finders: Vec<String> = finding.found_by().map(escape).collect();
    if finders.is_empty() { "nobody named".to_owned() } else { finders.join(" + ") }
}

fn or_dash(text: &str) -> &str {
    if text.is_empty() { "—" } else { text }
}
