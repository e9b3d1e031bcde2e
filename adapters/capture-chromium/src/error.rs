//! Why a browser cannot be used, or a page not captured.

use std::fmt;
use std::io;
use std::path::PathBuf;

use trueup_contract::FaultKind;
use trueup_ports::Fault;

/// How a browser comes onto a machine, by system.
const INSTALL: &str = "install it (Debian: apt install chromium; Fedora: dnf install chromium; macOS: brew install --cask chromium; \
                       Windows: winget install Hibbiki.Chromium), or name its file as the browser";

/// A browser cannot be used, or a page not captured. The text is a fragment.
#[derive(Debug)]
pub struct BrowserError {
    kind: BrowserErrorKind,
}

/// Why a browser cannot be used, or a page not captured.
#[derive(Debug)]
#[non_exhaustive]
pub enum BrowserErrorKind {
    /// No browser was found.
    NotFound {
        /// The file that was named as the browser, where one was.
        named: Option<PathBuf>,
    },
    /// The browser does not start.
    NotStarted {
        /// The browser.
        browser: PathBuf,
        /// What it said, or what the system says.
        why: String,
    },
    /// The browser cannot be spoken to on this system.
    UnsupportedSystem,
    /// The browser, or the process of a page, is gone.
    Gone {
        /// What is gone, and what was last heard of it.
        what: String,
    },
    /// The browser did not answer in time.
    TimedOut {
        /// What was waited for.
        what: String,
    },
    /// The work was called off.
    Cancelled,
    /// The browser refuses what it is asked.
    Refused {
        /// The method of its protocol.
        method: &'static str,
        /// What it says.
        why: String,
    },
    /// The page cannot be loaded.
    NotLoaded {
        /// Its address.
        address: String,
        /// What the browser says.
        why: String,
    },
    /// A server does not answer, or says that it cannot.
    NoServer {
        /// The address.
        address: String,
        /// What the browser says.
        why: String,
    },
    /// The page goes on changing.
    Restless {
        /// Selectors of what was seen to change, the tightest first; empty where no element accounts for it.
        moved: Vec<String>,
        /// For how long it was waited, in milliseconds.
        waited_ms: u64,
    },
    /// A step of a route finds nothing to act upon, or leads elsewhere than it did.
    MissedRoute {
        /// The step, counted from 1; one past the last for the end of the route.
        step: usize,
        /// What was missed.
        why: String,
    },
    /// A selector that must find something finds nothing.
    NoElement {
        /// The selector.
        selector: String,
        /// What it was needed for.
        purpose: &'static str,
    },
    /// A text is no selector.
    BadSelector {
        /// The text.
        selector: String,
    },
    /// The picture would be larger than a browser draws.
    TooLarge {
        /// Its width in device pixels.
        width: u64,
        /// Its height in device pixels.
        height: u64,
    },
    /// A file or folder cannot be used.
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// An accessibility tool does not work.
    Scanner {
        /// Its file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// A recorded route cannot be read.
    Recipe {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
}

impl BrowserError {
    pub(crate) const fn new(kind: BrowserErrorKind) -> Self {
        Self { kind }
    }

    pub(crate) fn gone(what: impl Into<String>) -> Self {
        Self::new(BrowserErrorKind::Gone { what: what.into() })
    }

    pub(crate) fn timed_out(what: impl Into<String>) -> Self {
        Self::new(BrowserErrorKind::TimedOut { what: what.into() })
    }

    pub(crate) const fn refused(method: &'static str, why: String) -> Self {
        Self::new(BrowserErrorKind::Refused { method, why })
    }

    /// Why it failed.
    #[must_use]
    pub const fn kind(&self) -> &BrowserErrorKind {
        &self.kind
    }

    /// What it means for a loop. `about` says what was being done, such as the label's name.
    #[must_use]
    pub fn into_fault(self, about: &str) -> Fault {
        let kind = match &self.kind {
            BrowserErrorKind::NotFound { .. }
            | BrowserErrorKind::NotStarted { .. }
            | BrowserErrorKind::UnsupportedSystem
            | BrowserErrorKind::File { .. }
            | BrowserErrorKind::Recipe { .. } => FaultKind::Unavailable,
            BrowserErrorKind::Gone { .. } => FaultKind::Lost,
            BrowserErrorKind::TimedOut { .. } => FaultKind::TimedOut,
            BrowserErrorKind::Cancelled => return Fault::cancelled(),
            BrowserErrorKind::NoServer { .. } => FaultKind::Transient,
            BrowserErrorKind::Refused { .. }
            | BrowserErrorKind::NotLoaded { .. }
            | BrowserErrorKind::Restless { .. }
            | BrowserErrorKind::MissedRoute { .. }
            | BrowserErrorKind::NoElement { .. }
            | BrowserErrorKind::BadSelector { .. }
            | BrowserErrorKind::Scanner { .. }
            | BrowserErrorKind::TooLarge { .. } => FaultKind::Rejected,
        };
        let message = if about.is_empty() { self.to_string() } else { format!("{about}: {self}") };
        Fault::new(kind, message)
    }
}

impl fmt::Display for BrowserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            BrowserErrorKind::NotFound { named: None } => write!(f, "there is no Chromium here: {INSTALL}"),
            BrowserErrorKind::NotFound { named: Some(path) } => {
                write!(f, "{} is no program that may be run, and it was named as the browser: {INSTALL}", path.display())
            }
            BrowserErrorKind::NotStarted { browser, why } => {
                write!(f, "{} does not start: {why}", browser.display())
            }
            BrowserErrorKind::UnsupportedSystem => f.write_str(
                "the browser is spoken to through two pipes that only Unix systems hand on: run it in WSL, a container or a virtual machine",
            ),
            BrowserErrorKind::Gone { what } => f.write_str(what),
            BrowserErrorKind::TimedOut { what } => write!(f, "{what} took too long"),
            BrowserErrorKind::Cancelled => f.write_str("told to stop"),
            BrowserErrorKind::Refused { method, why } => write!(f, "the browser refuses {method}: {why}"),
            BrowserErrorKind::NotLoaded { address, why } => write!(f, "{address} cannot be loaded: {why}"),
            BrowserErrorKind::NoServer { address, why } => {
                write!(f, "{address} does not answer ({why}): start its server, or correct the address")
            }
            BrowserErrorKind::Restless { moved, waited_ms } => {
                let (whole, tenths) = (waited_ms / 1_000, waited_ms % 1_000 / 100);
                write!(f, "the page does not settle within {whole}.{tenths} s: ")?;
                if moved.is_empty() {
                    f.write_str("something in it goes on changing, and no element accounts for it")?;
                } else {
                    write!(f, "{} goes on changing", moved.join(", "))?;
                }
                f.write_str("; have it stand still for a capture, or mask it")
            }
            BrowserErrorKind::MissedRoute { step, why } => write!(f, "step {step} of the route: {why}"),
            BrowserErrorKind::NoElement { selector, purpose } => {
                write!(f, "no element {selector} to {purpose}: correct the selector or the page")
            }
            BrowserErrorKind::BadSelector { selector } => {
                write!(f, "{selector:?} is no CSS selector")
            }
            BrowserErrorKind::TooLarge { width, height } => write!(
                f,
                "the picture would have {width}×{height} device pixels, a browser draws at most 16384 a side: capture a part of the page"
            ),
            BrowserErrorKind::File { path, source } => write!(f, "{}: {source}", path.display()),
            BrowserErrorKind::Scanner { path, why } => write!(
                f,
                "{} does not work as an accessibility tool: {why}; expected a script with axe-core's interface, such as axe.min.js",
                path.display()
            ),
            BrowserErrorKind::Recipe { path, why } => write!(
                f,
                "the recorded route {} cannot be read: {why}; remove it to have it recorded again",
                path.display()
            ),
        }
    }
}

impl std::error::Error for BrowserError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            BrowserErrorKind::File { source, .. } => Some(source),
            _ => None,
        }
    }
}
