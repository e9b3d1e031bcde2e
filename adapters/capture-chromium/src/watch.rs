//! What is known of a page from the events that its session sends.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use serde_json::Value;

/// What the server answered for a document.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// 200 and the like; 0 where there is no server.
    pub(crate) status: i64,
    pub(crate) status_text: String,
}

/// What is known of a page.
#[derive(Debug)]
pub(crate) struct Watch {
    /// The main frame.
    pub(crate) frame: String,
    loaded: HashSet<String>,
    documents: HashMap<String, Document>,
    in_flight: HashSet<String>,
    quiet_since: Instant,
    is_loading: bool,
    is_crashed: bool,
    /// Errors of scripts and of the console, and requests that failed, in the order that they came; at most [`TROUBLES`].
    troubles: Vec<String>,
}

/// Troubles that are kept: a page that goes wrong in a loop says the same again and again.
const TROUBLES: usize = 100;

/// Requests that stay open for as long as a page does, or that nothing shown depends on.
const OPEN_ENDED: [&str; 4] = ["EventSource", "Media", "Ping", "CSPViolationReport"];

impl Watch {
    pub(crate) fn new(frame: String) -> Self {
        Self {
            frame,
            loaded: HashSet::new(),
            documents: HashMap::new(),
            in_flight: HashSet::new(),
            quiet_since: Instant::now(),
            is_loading: false,
            is_crashed: false,
            troubles: Vec::new(),
        }
    }

    /// Forgets the page that was there.
    pub(crate) fn reset(&mut self) {
        *self = Self { is_crashed: self.is_crashed, ..Self::new(std::mem::take(&mut self.frame)) };
    }

    /// Whether the document with this loader has been loaded.
    pub(crate) fn is_loaded(&self, loader: &str) -> bool {
        self.loaded.contains(loader)
    }

    /// Whether the main frame is loading something.
    pub(crate) const fn is_loading(&self) -> bool {
        self.is_loading
    }

    /// What the server answered for the document with this loader.
    pub(crate) fn document(&self, loader: &str) -> Option<&Document> {
        self.documents.get(loader)
    }

    /// Whether nothing was requested or is awaited for so long.
    pub(crate) fn is_quiet_for(&self, time: Duration) -> bool {
        self.in_flight.is_empty() && self.quiet_since.elapsed() >= time
    }

    /// Whether the page's process is gone.
    pub(crate) const fn is_crashed(&self) -> bool {
        self.is_crashed
    }

    /// What went wrong in the page.
    pub(crate) fn troubles(&self) -> &[String] {
        &self.troubles
    }

    pub(crate) fn take(&mut self, method: &str, mut params: Value) {
        let is_main = params["frameId"] == self.frame;
        match method {
            "Page.lifecycleEvent" if is_main && params["name"] == "load" => {
                self.loaded.extend(text(&mut params["loaderId"]));
            }
            "Page.frameStartedLoading" if is_main => self.is_loading = true,
            "Page.frameStoppedLoading" if is_main => self.is_loading = false,
            "Network.requestWillBeSent" => {
                let kind = params["type"].as_str().unwrap_or_default();
                if !OPEN_ENDED.contains(&kind) {
                    self.in_flight.extend(text(&mut params["requestId"]));
                    self.quiet_since = Instant::now();
                }
            }
            "Network.responseReceived" => {
                let response = &params["response"];
                let status = response["status"].as_i64().unwrap_or_default();
                let status_text = response["statusText"].as_str().unwrap_or_default().to_owned();
                if status >= 400 {
                    let address = response["url"].as_str().unwrap_or_default();
                    let trouble = format!("{address} answers {status} {status_text}");
                    self.trouble(trouble.trim_end().to_owned());
                }
                if is_main && params["type"] == "Document" {
                    let loader = text(&mut params["loaderId"]).unwrap_or_default();
                    self.documents.insert(loader, Document { status, status_text });
                }
            }
            "Network.loadingFinished" => self.arrived(&params),
            "Network.loadingFailed" => {
                self.arrived(&params);
            }
            "Inspector.targetCrashed" | "Inspector.detached" => self.is_crashed = true,
            "Runtime.exceptionThrown" => {
                let details = &params["exceptionDetails"];
                let said = details["exception"]["description"].as_str().or(details["text"].as_str());
                let first = said.unwrap_or("a script failed").lines().next().unwrap_or_default().to_owned();
                self.trouble(first);
            }
            _ => {}
        }
    }

    fn arrived(&mut self, params: &Value) {
        if self.in_flight.remove(params["requestId"].as_str().unwrap_or_default()) {
            self.quiet_since = Instant::now();
        }
    }

    fn trouble(&mut self, trouble: String) {
        if self.troubles.len() < TROUBLES {
            self.troubles.push(trouble);
        }
    }
}

fn text(value: &mut Value) -> Option<String> {
    match value.take() {
        Value::String(text) => Some(text),
        _ => None,
    }
}
