//! Annotations of a GitHub workflow: one command a line on standard output.

use crate::{Finding, Location, Severity, Status};

/// How many annotations of a kind GitHub shows for a step.
const SHOWN: usize = 10;

/// One annotation for each finding that fails, the worst first. GitHub shows ten of a kind for a step; a notice says how
/// many there are beyond.
#[must_use]
pub fn github(list: &[Finding]) -> String {
    let mut text = String::new();
    for (severity, command) in
        [(Severity::Blocking, "error"), (Severity::Important, "warning"), (Severity::Minor, "notice")]
    {
        let fails = |finding: &&Finding| finding.status() == Status::Fail && finding.severity() == severity;
        let mut count = 0usize;
        for finding in list.iter().filter(fails) {
            count += 1;
            text.push_str(&format!("::{command}{}::{}\n", place(finding), message(&body(finding))));
        }
        if count > SHOWN {
            text.push_str(&format!(
                "::notice::{}\n",
                message(&format!("{count} {severity} findings; a step shows {SHOWN} of a kind"))
            ));
        }
    }
    text
}

fn body(finding: &Finding) -> String {
    let mut body = finding.title().to_owned();
    if !matches!(finding.location(), Location::Span { .. } | Location::Unknown) {
        body.push_str(&format!(" ({})", finding.location()));
    }
    for (name, value) in [("Impact", finding.impact()), ("Fix", finding.fix())] {
        if !value.trim().is_empty() {
            body.push_str(&format!("\n{name}: {value}"));
        }
    }
    body
}

fn place(finding: &Finding) -> String {
    let title = format!("title={}", property(finding.id()));
    match finding.location() {
        Location::Span { file, line, column } => {
            let mut place = format!(" file={}", property(file));
            if let Some(line) = line {
                place.push_str(&format!(",line={line}"));
                if let Some(column) = column {
                    place.push_str(&format!(",col={column}"));
                }
            }
            format!("{place},{title}")
        }
        _ => format!(" {title}"),
    }
}

/// A message: percent signs and line breaks in percent.
fn message(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_control() || *c == '\n').collect();
    text.replace('%', "%25").replace('\n', "%0A")
}

/// A property: colons and commas, too.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
