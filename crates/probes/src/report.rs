//! What the probes came to.

use std::collections::BTreeMap;

use trueup_findings::{Finding, Severity, Status};

use crate::{Expectations, Genre, Page, Probe};

/// What one probe came to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reading {
    /// The probe's id.
    pub probe: &'static str,
    /// Pass, fail, or unverified when the page does not hold what the probe needs. Findings that are minor do not fail it.
    pub status: Status,
    /// What was measured, in words.
    pub measured: String,
    /// What it holds against the page, each with a fix; the worst first where it cuts the list.
    pub findings: Vec<Finding>,
}

/// What all probes came to for a page.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// One reading per probe, in the table's order.
    pub readings: Vec<Reading>,
    /// Probes that found something which the genre allows; their findings are not among the readings.
    pub relaxed: Vec<&'static str>,
    /// Probes that found something which another genre would allow.
    pub would_relax: Vec<(Genre, &'static str)>,
}

impl Report {
    /// Runs every probe on a page. `label` names the page in findings.
    #[must_use]
    pub fn of(page: &Page, expectations: &Expectations, label: &str) -> Self {
        let mut report = Self { readings: Vec::new(), relaxed: Vec::new(), would_relax: Vec::new() };
        for probe in Probe::ALL {
            let mut reading = probe.read(page, expectations, label);
            if !reading.findings.is_empty() {
                let allows = |genre: &Genre| genre.relaxes().contains(&probe.id());
                if let Some(genre) = expectations.genre.filter(allows) {
                    reading.measured = format!("{}; {genre} designs may", reading.measured);
                    reading.status = Status::Pass;
                    reading.findings.clear();
                    report.relaxed.push(probe.id());
                } else if let Some(&genre) = Genre::ALL.iter().find(|genre| allows(genre)) {
                    report.would_relax.push((genre, probe.id()));
                }
            }
            report.readings.push(reading);
        }
        report
    }

    /// The reading of a probe.
    #[must_use]
    pub fn reading(&self, probe: &str) -> Option<&Reading> {
        self.readings.iter().find(|reading| reading.probe == probe)
    }

    /// What was seen of the conditions that rubrics know, by the condition's id. Nothing here is a score.
    #[must_use]
    pub fn conditions(&self) -> BTreeMap<&'static str, Status> {
        let mut conditions = BTreeMap::new();
        for probe in Probe::ALL {
            if let (Some(condition), Some(reading)) = (probe.condition(), self.reading(probe.id())) {
                conditions.insert(condition, reading.status);
            }
        }
        conditions
    }

    /// Every finding, in the order of the table.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.readings.iter().flat_map(|reading| &reading.findings)
    }

    /// Fail when a probe failed; pass when none did and at least one passed. A probe that could not see what it needs takes
    /// nothing away here: a contract that asks for it asks by [its condition](Self::conditions).
    #[must_use]
    pub fn status(&self) -> Status {
        if self.readings.iter().any(|reading| reading.status == Status::Fail) {
            Status::Fail
        } else if self.readings.iter().any(|reading| reading.status == Status::Pass) {
            Status::Pass
        } else {
            Status::Unverified
        }
    }
}

/// Fail where something is more than minor.
pub(crate) fn status_of(findings: &[Finding]) -> Status {
    let fails = findings.iter().any(|finding| finding.severity() > Severity::Minor);
    if fails { Status::Fail } else { Status::Pass }
}
