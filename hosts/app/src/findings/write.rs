//! Writing findings in the formats that there are.

use std::fs;
use std::path::{Component, Path};

use serde::Serialize;
use serde_json::Value;
use trueup_findings::{Finding, RoundDiff, emit};

/// How findings are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FindingsFormat {
    /// For the terminal, with excerpts of files.
    #[default]
    Text,
    /// `trueup.findings/1`.
    Json,
    /// Markdown.
    Markdown,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit XML.
    Junit,
    /// Annotations of a GitHub workflow.
    Github,
    /// Reviewdog's diagnostics.
    Rdjson,
}

/// The findings in a format. Files that they name are quoted from below `root`, in text only.
#[must_use]
pub fn format_findings(list: &[Finding], format: FindingsFormat, root: &Path) -> String {
    match format {
        FindingsFormat::Text => emit::terminal(list, |file| source(root, file)),
        FindingsFormat::Json => emit::json(list),
        FindingsFormat::Markdown => emit::markdown(list),
        FindingsFormat::Sarif => emit::sarif(list),
        FindingsFormat::Junit => emit::junit(list),
        FindingsFormat::Github => emit::github(list),
        FindingsFormat::Rdjson => emit::rdjson(list),
    }
}

/// What became of findings, in a format. Text, Markdown and JSON have all of it; the others, which know no rounds, have what
/// is new or back.
#[must_use]
pub fn format_diff(diff: &RoundDiff, format: FindingsFormat, root: &Path) -> String {
    match format {
        FindingsFormat::Text => lines(diff, ""),
        FindingsFormat::Markdown => lines(diff, "## "),
        FindingsFormat::Json => {
            let document = FindingsDiffDocument::of(diff);
            serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
        }
        other => {
            let list: Vec<Finding> = diff.new.iter().chain(&diff.regressed).cloned().collect();
            format_findings(&list, other, root)
        }
    }
}

fn lines(diff: &RoundDiff, heading: &str) -> String {
    let groups = groups(diff);
    let counts: Vec<String> = groups.iter().map(|(name, list)| format!("{} {name}", list.len())).collect();
    let mut text = format!("{}\n", counts.join(", "));
    for (name, list) in groups.iter().filter(|(_, list)| !list.is_empty()) {
        text.push_str(&format!("\n{heading}{name}\n"));
        if !heading.is_empty() {
            text.push('\n');
        }
        for finding in *list {
            let title: Vec<&str> = finding.title().split_whitespace().collect();
            let title: String = title.join(" ").chars().filter(|character| !character.is_control()).collect();
            text.push_str(&format!("- {} {title} — {}\n", finding.severity(), finding.location()));
        }
    }
    text
}

fn groups(diff: &RoundDiff) -> [(&'static str, &Vec<Finding>); 4] {
    [
        ("new", &diff.new),
        ("regressed", &diff.regressed),
        ("persisting", &diff.persisting),
        ("fixed", &diff.fixed),
    ]
}

/// Findings as in `trueup.findings/1`, without the document around them.
pub(crate) fn json_list(list: &[Finding]) -> Value {
    let document: Value = serde_json::from_str(&emit::json(list)).unwrap_or_default();
    document.get("findings").cloned().unwrap_or_default()
}

/// What became of findings, as a JSON document. Each list is as in `trueup.findings/1`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FindingsDiffDocument {
    /// `trueup.findings-diff/1`.
    pub schema: &'static str,
    new: Value,
    regressed: Value,
    persisting: Value,
    fixed: Value,
}

impl FindingsDiffDocument {
    /// The document of a comparison.
    #[must_use]
    pub fn of(diff: &RoundDiff) -> Self {
        Self {
            schema: "trueup.findings-diff/1",
            new: json_list(&diff.new),
            regressed: json_list(&diff.regressed),
            persisting: json_list(&diff.persisting),
            fixed: json_list(&diff.fixed),
        }
    }
}

/// The text of a file below the root.
fn source(root: &Path, file: &str) -> Option<String> {
    let plain =
        Path::new(file).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !plain {
        return None;
    }
    fs::read(root.join(file)).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
