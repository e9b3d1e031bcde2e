//! The terminal: each finding with the lines that it is about, where there are some.

use super::escape::terminal as plain;
use super::markdown::summary_line;
use crate::{Finding, Location, Status};

/// Lines shown before and after the one that it is about.
const AROUND: usize = 1;

/// The findings with excerpts of their files. `source` gives a file's text, or `None` where there is none: then the place
/// is named and nothing is shown.
pub fn terminal(list: &[Finding], mut source: impl FnMut(&str) -> Option<String>) -> String {
    let mut text = String::new();
    for finding in list.iter().filter(|finding| finding.status() != Status::Pass) {
        let kind = match finding.status() {
            Status::Fail => finding.severity().as_str(),
            _ => "unverified",
        };
        text.push_str(&format!("{kind}[{}]: {}\n", plain(finding.id()), plain(finding.title())));
        text.push_str(&place(finding, &mut source));
        let finders: Vec<String> = finding.found_by().map(plain).collect();
        for (name, value) in [
            ("expected", plain(finding.expected())),
            ("actual", plain(finding.actual())),
            ("impact", plain(finding.impact())),
            ("fix", plain(finding.fix())),
            ("found by", finders.join(", ")),
        ] {
            if !value.is_empty() {
                text.push_str(&format!("  = {name}: {value}\n"));
            }
        }
        text.push('\n');
    }
    text + &summary_line(list) + "\n"
}

fn place(finding: &Finding, source: &mut impl FnMut(&str) -> Option<String>) -> String {
    let arrow = format!("  --> {}\n", plain(&finding.location().to_string()));
    let Location::Span { file, line: Some(line), column } = finding.location() else {
        return if *finding.location() == Location::Unknown { String::new() } else { arrow };
    };
    let Some(text) = source(file) else { return arrow };
    let index = line.get() as usize - 1;
    let lines: Vec<&str> = text.lines().collect();
    if index >= lines.len() {
        // The file has changed since; showing another line would mislead.
        return format!("{arrow}  = note: {} has no line {line} any more\n", plain(file));
    }
    let (first, last) = (index.saturating_sub(AROUND), (index + AROUND).min(lines.len() - 1));
    let width = (last + 1).to_string().len();
    let mut out = format!("{arrow}  {:width$} |\n", "");
    for (number, line) in lines.iter().enumerate().take(last + 1).skip(first) {
        let shown: String = line
            .chars()
            .take(160)
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|c| !c.is_control())
            .collect();
        out.push_str(format!("  {:>width$} | {shown}", number + 1).trim_end());
        out.push('\n');
        if number == index {
            let blank = shown.chars().take_while(|c| c.is_whitespace()).count();
            let (from, length) = match column {
                Some(column) => (column.get() as usize - 1, 1),
                None => (blank, shown.chars().count().saturating_sub(blank).max(1)),
            };
            if from < 160 {
                out.push_str(&format!("  {:width$} | {}{}\n", "", " ".repeat(from), "^".repeat(length)));
            }
        }
    }
    out.push_str(&format!("  {:width$} |\n", ""));
    out
}
