//! What is read of a page: its elements as the probes want them, what goes wrong in it, and what comes of using it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use trueup_contract::Viewport;
use trueup_probes::{Action, Outcome, Page as Read, Scan, Violation};

use crate::error::{BrowserError, BrowserErrorKind};
use crate::page::{Control, Page};
use crate::screen::Screen;
use crate::session::Limit;
use crate::take::{Wanted, reach};

/// Time for a control that is covered to be free: what covers it at first, such as a notice that slides away.
const FREE: Duration = Duration::from_millis(500);

/// Runs an accessibility tool that speaks axe-core's interface, and gives what of its result is kept.
const SCAN: &str = r#"(async () => {
  if (typeof axe === "undefined" || typeof axe.run !== "function") return null;
  const result = await axe.run();
  const selector = (target) => [target].flat(Infinity).join(" ");
  return {
    tool: result.testEngine?.name ?? "axe-core",
    version: result.testEngine?.version ?? axe.version ?? "",
    passed: result.passes?.length ?? 0,
    undecided: result.incomplete?.length ?? 0,
    violations: (result.violations ?? []).map(({ id, help, impact, nodes }) => ({
      rule: id, asks: help ?? "", impact: impact ?? "", selectors: (nodes ?? []).map((node) => selector(node.target)),
    })),
  };
})()"#;

/// Which page is read, and what is tried in it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReadRequest {
    /// A file below the capturer's folder, or an address.
    pub source: String,
    /// How large it is shown.
    pub viewport: Viewport,
    /// The colour scheme it is asked for; `light` by default.
    pub theme: Option<String>,
    /// What is waited for and done in the page before it is read; its area and its masks do not matter.
    pub screen: Screen,
    /// How many links and controls are tried at most, each in the page freshly loaded: 50 by default, a fraction of a second
    /// each. With 0 none is, and the page says so.
    ///
    /// Trying means pressing: a button that deletes something deletes it.
    pub max_actions: usize,
    /// Whether links to other sites are followed. Not by default: what they answer is not up to the page.
    pub outside: bool,
    /// The file of an accessibility tool that speaks axe-core's interface, such as `axe.min.js`. None by default.
    pub scanner: Option<PathBuf>,
}

impl ReadRequest {
    /// A page at a viewport.
    #[must_use]
    pub fn new(source: impl Into<String>, viewport: Viewport) -> Self {
        Self {
            source: source.into(),
            viewport,
            theme: None,
            screen: Screen::default(),
            max_actions: 50,
            outside: false,
            scanner: None,
        }
    }

    /// The page under another colour scheme.
    #[must_use]
    pub fn with_theme(self, theme: impl Into<String>) -> Self {
        Self { theme: Some(theme.into()), ..self }
    }

    /// The page in the state of this screen.
    #[must_use]
    pub fn with_screen(self, screen: Screen) -> Self {
        Self { screen, ..self }
    }

    /// At most so many links and controls are tried; 0 tries none.
    #[must_use]
    pub fn with_max_actions(self, max_actions: usize) -> Self {
        Self { max_actions, ..self }
    }

    /// Links to other sites are followed, too.
    #[must_use]
    pub fn with_outside(self) -> Self {
        Self { outside: true, ..self }
    }

    /// The page is scanned by the accessibility tool in this file.
    #[must_use]
    pub fn with_scanner(self, file: impl Into<PathBuf>) -> Self {
        Self { scanner: Some(file.into()), ..self }
    }

    pub(crate) fn wanted<'w>(&'w self, address: &'w str) -> Wanted<'w> {
        Wanted { address, viewport: self.viewport, theme: self.theme.as_deref(), screen: &self.screen }
    }
}

/// What an accessibility tool said.
#[derive(Deserialize)]
struct Scanned {
    tool: String,
    version: String,
    passed: u32,
    undecided: u32,
    violations: Vec<Broken>,
}

#[derive(Deserialize)]
struct Broken {
    rule: String,
    asks: String,
    impact: String,
    selectors: Vec<String>,
}

/// Reads a page, and gives the links and controls that may be tried.
pub(crate) fn read(
    page: &mut Page,
    request: &ReadRequest,
    address: &str,
    quiet: Duration,
    limit: Limit<'_>,
) -> Result<(Read, Vec<Control>), BrowserError> {
    page.listen_to_scripts(limit)?;
    reach(page, request.wanted(address), limit)?;
    settle(page, quiet, limit)?;
    let unread =
        |error: trueup_probes::PageError| BrowserError::refused("Runtime.evaluate", error.to_string());
    // What is asked for from here on is not asked by the page.
    let errors = page.watch().troubles().to_vec();
    let mut read = Read::from_json(&page.collect(limit)?).map_err(unread)?;
    if let Some(file) = &request.scanner {
        read.scans.push(scan(page, file, limit)?);
    }
    read.errors = errors;
    let controls = if request.max_actions == 0 { Vec::new() } else { page.controls(limit)? };
    Ok((read, controls))
}

/// Brings a page to rest, with everything in it that loads once it is scrolled to.
fn settle(page: &mut Page, quiet: Duration, limit: Limit<'_>) -> Result<(), BrowserError> {
    let settled = page.settle(true, limit)?;
    let quiet = if settled.can_change { quiet } else { Duration::ZERO };
    page.wait_for_requests(quiet, limit)?;
    page.settle(false, limit).map(drop)
}

fn scan(page: &mut Page, file: &Path, limit: Limit<'_>) -> Result<Scan, BrowserError> {
    let failed = |why: String| BrowserError::new(BrowserErrorKind::Scanner { path: file.to_owned(), why });
    let script = fs::read_to_string(file)
        .map_err(|source| BrowserError::new(BrowserErrorKind::File { path: file.to_owned(), source }))?;
    let found = page.run_beside(&script, SCAN, limit).map_err(|error| match error.kind() {
        BrowserErrorKind::Refused { why, .. } => failed(why.lines().next().unwrap_or_default().to_owned()),
        _ => error,
    })?;
    if found == Value::Null {
        return Err(failed("it brings no axe.run".to_owned()));
    }
    let found: Scanned = serde_json::from_value(found).map_err(|error| failed(error.to_string()))?;
    let violations = found.violations.into_iter().map(|broken| {
        let mut violation = Violation::new(broken.rule, broken.asks, broken.selectors);
        violation.impact = broken.impact;
        violation
    });
    let mut scan = Scan::new(found.tool, found.version).with_violations(violations.collect());
    (scan.passed_rules, scan.undecided_rules) = (found.passed, found.undecided);
    Ok(scan)
}

/// Why a control is not pressed, or what is known without it.
pub(crate) fn known(control: &Control, request: &ReadRequest) -> Option<Outcome> {
    let scheme = control.address.split_once(':').map(|(scheme, _)| scheme)?;
    match scheme {
        // Another program answers these; that they name somebody is all that can be seen here.
        "mailto" | "tel" | "sms" => {
            let named = control.address[scheme.len() + 1..].trim_start_matches('/');
            Some(if named.is_empty() { Outcome::Nothing } else { Outcome::Worked })
        }
        "http" | "https" if !request.outside && !is_of(&control.address, &control.origin) => {
            Some(Outcome::Untried { why: "it leads to another site".to_owned() })
        }
        "http" | "https" | "file" | "javascript" | "blob" | "data" => None,
        _ => Some(Outcome::Untried { why: format!("another program answers {scheme}:") }),
    }
}

/// Whether an address is of an origin.
fn is_of(address: &str, origin: &str) -> bool {
    address.strip_prefix(origin).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
}

/// Presses one control in the page, freshly loaded, and says what comes of it.
pub(crate) fn press(
    page: &mut Page,
    request: &ReadRequest,
    address: &str,
    control: &Control,
    quiet: Duration,
    limit: Limit<'_>,
) -> Result<Outcome, BrowserError> {
    reach(page, request.wanted(address), limit)?;
    settle(page, quiet, limit)?;
    let selector = &control.selector;
    let reached = page.reach(selector, false, FREE, limit)?;
    if !reached.is_there || !page.observe(selector, limit)? {
        return Ok(Outcome::Untried { why: "it is not there when the page is loaded again".to_owned() });
    }
    if let Some(cover) = reached.cover.filter(|_| !reached.is_free) {
        return Ok(Outcome::Untried { why: format!("it is covered by {cover}") });
    }
    // Known before it is pressed: the element may be gone afterwards.
    let is_listened_to = page.is_listened_to(selector, limit)?;
    let done = if reached.is_free {
        page.click(reached.x, reached.y, limit)
    } else {
        // Out of the view until it has the focus, such as a link that skips to the content.
        page.activate(selector, limit)
    };
    match done {
        Ok(()) => {}
        // The document that would have answered is gone: it led somewhere.
        Err(error) if matches!(error.kind(), BrowserErrorKind::Refused { .. }) => {}
        Err(error) => return Err(error),
    }
    page.after(request.screen.settle, limit)?;
    let observed = page.observed(limit)?;
    let came = page.watch().came();
    if let Some(message) = &came.exception {
        return Ok(Outcome::ScriptError { message: message.clone() });
    }
    if let Some(status) = came.status {
        return Ok(Outcome::Status { status });
    }
    if let Some(why) = &came.unreachable {
        return Ok(Outcome::Unreachable { why: why.clone() });
    }
    let Some(observed) = observed else { return Ok(Outcome::Worked) };
    if came.is_anything || observed.changed || observed.found {
        return Ok(Outcome::Worked);
    }
    if let Some(lost) = observed.lost {
        return Ok(Outcome::Unreachable { why: format!("nothing in the page has the id {lost}") });
    }
    Ok(if is_listened_to { Outcome::Worked } else { Outcome::Nothing })
}

/// What was done in a page whose every control was tried, or said why not.
pub(crate) fn action(control: &Control, outcome: Outcome) -> Action {
    Action::new(control.selector.clone(), control.target.clone(), outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(address: &str, origin: &str) -> Control {
        Control {
            selector: "a".to_owned(),
            target: "Go".to_owned(),
            address: address.to_owned(),
            origin: origin.to_owned(),
        }
    }

    #[test]
    fn only_what_the_page_answers_for_is_pressed() {
        let request = ReadRequest::new("", "100x100".parse().unwrap());
        let here = "http://localhost:3000";
        let known = |address: &str| known(&control(address, here), &request);
        assert_eq!(known("http://localhost:3000/a"), None);
        assert_eq!(known("http://localhost:3000"), None);
        assert_eq!(known(""), None, "a button");
        assert_eq!(known("javascript:go()"), None);
        for other in ["http://localhost:30001/", "https://localhost:3000/", "http://example.com/"] {
            assert!(matches!(known(other), Some(Outcome::Untried { .. })), "{other}");
        }
        assert_eq!(known("mailto:a@example.com"), Some(Outcome::Worked));
        assert_eq!(known("tel:"), Some(Outcome::Nothing));
        assert!(matches!(known("slack://open"), Some(Outcome::Untried { .. })));
        let all = request.clone().with_outside();
        assert_eq!(super::known(&control("http://example.com/", here), &all), None);
    }
}
