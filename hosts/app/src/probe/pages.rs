//! Reading pages, and running the probes on them.

use std::path::{Path, PathBuf};

use trueup_findings::Finding;
use trueup_ports::CancelToken;
use trueup_probes::{Genre, Page, Report};

use super::browse;
use super::document::{ProbedPageDocument, ProbesDocument};
use super::expect::expectations;
use crate::diff::is_page;
use crate::error::{AppError, AppErrorKind};
use crate::rubric::read_text;

/// What to probe, and what to hold it against.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ProbeRequest {
    /// Pages: `.html` files and addresses, which are opened in Chromium, and collected pages, one JSON file each; `-` is standard
    /// input.
    pub pages: Vec<PathBuf>,
    /// How pages are shown that are opened, WIDTHxHEIGHT in CSS pixels each; 1280x720 and 375x667 where there are none.
    pub viewports: Vec<String>,
    /// The theme that pages are asked for: `light` or `dark`.
    pub theme: Option<String>,
    /// Links and controls that are tried at most, each in the page freshly loaded; trying means pressing.
    pub max_actions: Option<usize>,
    /// The file of an accessibility tool with axe-core's interface.
    pub scanner: Option<PathBuf>,
    /// A JSON file of the texts that were agreed on.
    pub copy: Option<PathBuf>,
    /// A JSON file of design tokens, beside those that the page declares.
    pub tokens: Option<PathBuf>,
    /// The kind of design, whose own tells are not held against it.
    pub genre: Option<Genre>,
}

impl ProbeRequest {
    /// Pages held against the probes' own thresholds.
    #[must_use]
    pub fn new(pages: Vec<PathBuf>) -> Self {
        Self { pages, ..Self::default() }
    }
}

/// What the probes came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProbeOutcome {
    /// All of it, for machines.
    pub document: ProbesDocument,
    /// What the probes came to on each page, for people.
    pub reports: Vec<Report>,
    /// What was found on all pages.
    pub findings: Vec<Finding>,
}

/// An expression of JavaScript that collects the page in which a browser evaluates it, as the text of a file for [`probe`].
#[must_use]
pub fn collecting_script() -> String {
    Page::script()
}

/// Runs every probe on every page.
///
/// # Errors
/// When a file cannot be read or is not what it should be, or a page cannot be opened.
pub fn probe(request: &ProbeRequest, cancel: CancelToken) -> Result<ProbeOutcome, AppError> {
    let expectations = expectations(request.copy.as_deref(), request.tokens.as_deref(), request.genre)?;
    let (mut pages, mut reports, mut findings) = (Vec::new(), Vec::new(), Vec::new());
    let opened: Vec<&Path> =
        request.pages.iter().map(PathBuf::as_path).filter(|path| is_page(path)).collect();
    let mut opened = browse::pages(&opened, request, cancel)?.into_iter();
    let mut all = Vec::new();
    for path in &request.pages {
        if is_page(path) {
            all.extend(opened.next().unwrap_or_default());
        } else {
            all.push((label(path), read_page(path)?));
        }
    }
    for (label, page) in all {
        let report = Report::of(&page, &expectations, &label);
        pages.push(ProbedPageDocument::of(&label, &page, &report));
        findings.extend(report.findings().cloned());
        reports.push(report);
    }
    Ok(ProbeOutcome { document: ProbesDocument::of(pages), reports, findings })
}

fn read_page(path: &Path) -> Result<Page, AppError> {
    Page::from_json(&read_text(path)?).map_err(|error| {
        AppError::new(AppErrorKind::ProbeFile { path: path.to_owned(), why: error.to_string() })
    })
}

pub(super) fn label(path: &Path) -> String {
    path.file_stem().map_or_else(|| "page".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
