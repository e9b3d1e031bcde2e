//! One browser: its process, its pipe, and the pages in it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use crate::connection::Connection;
use crate::error::{BrowserError, BrowserErrorKind};
use crate::options::ChromiumOptions;
use crate::page::Page;
use crate::process::Process;
use crate::session::{Limit, Session};

/// How long a browser may take to answer for the first time: a loaded machine starts one in seconds.
const START_LIMIT: Duration = Duration::from_secs(30);

/// A browser that answers.
#[derive(Debug)]
pub(crate) struct Browser {
    connection: Arc<Connection>,
    process: Process,
    options: Arc<ChromiumOptions>,
    version: String,
}

impl Browser {
    /// Starts a browser, and waits until it answers.
    pub(crate) fn start(
        file: &Path,
        options: Arc<ChromiumOptions>,
        limit: Limit<'_>,
    ) -> Result<Self, BrowserError> {
        let (process, to, from) = Process::start(file, &options)?;
        let connection = Arc::new(Connection::new(to, from));
        let mut session = Session::of_browser(Arc::clone(&connection));
        let answer = session.call("Browser.getVersion", json!({}), limit.within(START_LIMIT));
        let version = match answer {
            Ok(version) => version["product"].as_str().unwrap_or("Chromium").to_owned(),
            Err(error) if matches!(error.kind(), BrowserErrorKind::Gone { .. }) => {
                let why = not_started(&process.last_words());
                let browser = file.to_owned();
                return Err(BrowserError::new(BrowserErrorKind::NotStarted { browser, why }));
            }
            Err(error) => return Err(error),
        };
        // Nothing that a page offers is stored.
        session.call("Browser.setDownloadBehavior", json!({ "behavior": "deny" }), limit)?;
        Ok(Self { connection, process, options, version })
    }

    /// Its name and version, such as `Chrome/148.0.7778.167`.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Whether it is gone.
    pub(crate) fn is_gone(&self) -> bool {
        self.connection.is_closed()
    }

    /// Opens a page that shares nothing with other pages.
    pub(crate) fn open(&self, limit: Limit<'_>) -> Result<Page, BrowserError> {
        Page::open(&self.connection, Arc::clone(&self.options), limit)
    }

    /// An error, with the browser's last words where it is gone.
    pub(crate) fn explain(&self, error: BrowserError) -> BrowserError {
        if !matches!(error.kind(), BrowserErrorKind::Gone { .. }) || !self.is_gone() {
            return error;
        }
        let words = self.process.last_words();
        let said = if words.is_empty() { String::new() } else { format!("; it said: {words}") };
        BrowserError::gone(format!("the browser is gone{said}"))
    }
}

fn not_started(words: &str) -> String {
    if words.contains("No usable sandbox") || words.contains("SUID sandbox") {
        return "the system lets it set up no sandbox: allow unprivileged user namespaces, or, for pages that you trust, turn \
                the sandbox off (sandbox = false)"
            .to_owned();
    }
    if words.is_empty() { "it ended without a word".to_owned() } else { format!("it said: {words}") }
}
