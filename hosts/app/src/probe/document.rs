//! What probes came to, as a JSON document.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use trueup_findings::{Finding, Status, emit, read};
use trueup_probes::{Page, Probe, Report};
use trueup_score::Truth;

use crate::error::AppError;
use crate::findings::FindingsFileError;

/// What the probes came to on pages, as a JSON document.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ProbesDocument {
    /// `trueup.probes/1`.
    pub schema: &'static str,
    /// `fail` when a page fails, `pass` when every page passes, else `undetermined`.
    pub status: &'static str,
    /// The pages, in the order in which they were named.
    pub pages: Vec<ProbedPageDocument>,
}

/// One page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ProbedPageDocument {
    /// What findings call it.
    pub page: String,
    /// The address that it was collected from.
    pub url: String,
    /// Columns of the viewport, CSS px.
    pub width: f64,
    /// Rows of the viewport, CSS px.
    pub height: f64,
    /// `pass`, `fail` or `undetermined`.
    pub status: &'static str,
    /// One entry for each probe.
    pub probes: Vec<ProbeDocument>,
}

/// What one probe came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ProbeDocument {
    /// Its name.
    pub id: &'static str,
    /// What it is about.
    pub category: &'static str,
    /// What it asks of a page.
    pub asks: &'static str,
    /// The condition of a rubric that it answers.
    pub condition: Option<&'static str>,
    /// `pass`, `fail` or `unverified`.
    pub status: &'static str,
    /// What was measured.
    pub measured: String,
    /// The genre that allows what was found, when it is not the one that was asked for.
    pub allowed_in: Option<&'static str>,
    /// As in `trueup.findings/1`.
    pub findings: Value,
}

impl ProbesDocument {
    pub(super) fn of(pages: Vec<ProbedPageDocument>) -> Self {
        let any = |status: &str| pages.iter().any(|page| page.status == status);
        let status = match (any("fail"), any("undetermined")) {
            (true, _) => "fail",
            (false, true) => "undetermined",
            (false, false) => "pass",
        };
        Self { schema: "trueup.probes/1", status, pages }
    }
}

impl ProbedPageDocument {
    pub(super) fn of(label: &str, page: &Page, report: &Report) -> Self {
        Self {
            page: label.to_owned(),
            url: page.url.clone(),
            width: page.viewport.width,
            height: page.viewport.height,
            status: match report.status() {
                Status::Pass => "pass",
                Status::Fail => "fail",
                _ => "undetermined",
            },
            probes: Probe::ALL.iter().filter_map(|probe| ProbeDocument::of(*probe, report)).collect(),
        }
    }
}

impl ProbeDocument {
    fn of(probe: Probe, report: &Report) -> Option<Self> {
        let reading = report.reading(probe.id())?;
        let genre = report.would_relax.iter().find(|(_, id)| *id == probe.id());
        Some(Self {
            id: probe.id(),
            category: probe.category().as_str(),
            asks: probe.asks(),
            condition: probe.condition(),
            status: reading.status.as_str(),
            measured: reading.measured.clone(),
            allowed_in: genre.map(|(genre, _)| genre.as_str()),
            findings: crate::findings::json_list(&reading.findings),
        })
    }
}

/// What is read back of a document.
#[derive(Deserialize)]
struct Written {
    schema: String,
    pages: Vec<WrittenPage>,
}

#[derive(Deserialize)]
struct WrittenPage {
    width: f64,
    probes: Vec<WrittenProbe>,
}

#[derive(Deserialize)]
struct WrittenProbe {
    id: String,
    condition: Option<String>,
    status: WrittenStatus,
    findings: Vec<Value>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenStatus {
    Pass,
    Fail,
    Unverified,
}

impl Written {
    fn read(path: &Path, text: &str) -> Result<Self, AppError> {
        let fail = |why: String| AppError::from(FindingsFileError::new(path, why));
        let written: Self = serde_json::from_str(text)
            .map_err(|error| fail(format!("it is not what trueup probe writes as JSON: {error}")))?;
        if written.schema == "trueup.probes/1" {
            Ok(written)
        } else {
            Err(fail(format!("expected a trueup.probes/1, and it says that it is {:?}", written.schema)))
        }
    }
}

/// The findings of a `trueup.probes/1`.
pub(crate) fn read_findings(path: &Path, text: &str) -> Result<Vec<Finding>, AppError> {
    let fail = |why: String| AppError::from(FindingsFileError::new(path, why));
    let pages = Written::read(path, text)?.pages;
    let findings = pages.into_iter().flat_map(|page| page.probes).flat_map(|probe| probe.findings);
    let mut document: Value =
        serde_json::from_str(&emit::json(&[])).map_err(|error| fail(error.to_string()))?;
    document["findings"] = Value::Array(findings.collect());
    read(&document.to_string()).map_err(|error| fail(error.to_string()))
}

/// What the probes of a `trueup.probes/1` saw of the conditions of rubrics. A condition holds where every page holds it that
/// was captured at the width which its probe needs.
pub(crate) fn read_conditions(path: &Path, text: &str) -> Result<BTreeMap<String, Truth>, AppError> {
    let mut seen: BTreeMap<String, Truth> = BTreeMap::new();
    for page in Written::read(path, text)?.pages {
        for probe in page.probes {
            let needs = Probe::find(&probe.id).and_then(Probe::width_px);
            let fits = needs.is_none_or(|width| (width - page.width).abs() < 0.5);
            let Some(condition) = probe.condition.filter(|_| fits) else { continue };
            let truth = match probe.status {
                WrittenStatus::Pass => Truth::Pass,
                WrittenStatus::Fail => Truth::Fail,
                WrittenStatus::Unverified => Truth::Undetermined,
            };
            seen.entry(condition).and_modify(|before| *before = before.and(truth)).or_insert(truth);
        }
    }
    Ok(seen)
}
