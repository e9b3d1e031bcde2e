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
    /// Addresses of what is awaited, for when it does not come.
    addresses: HashMap<String, String>,
    came: Came,
    /// Style sheets that have an address, by id.
    sheets: Vec<(String, String)>,
}

/// What came of the page since it was last asked to forget.
#[derive(Clone, Debug, Default)]
pub(crate) struct Came {
    /// Something was requested, asked of a person, or opened.
    pub(crate) is_anything: bool,
    /// The first script that failed.
    pub(crate) exception: Option<String>,
    /// The first status of 400 or more of a document, or of what a script asked for.
    pub(crate) status: Option<u16>,
    /// Why the document that was led to cannot be shown.
    pub(crate) unreachable: Option<String>,
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
            addresses: HashMap::new(),
            came: Came::default(),
            sheets: Vec::new(),
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

    /// What came of the page since [`forget_what_came`](Self::forget_what_came).
    pub(crate) const fn came(&self) -> &Came {
        &self.came
    }

    /// Begins to note anew what comes of the page.
    pub(crate) fn forget_what_came(&mut self) {
        self.came = Came::default();
    }

    /// Id and address of each style sheet that has one, once the browser was asked to tell.
    pub(crate) fn sheets(&self) -> &[(String, String)] {
        &self.sheets
    }

    /// Notes that the page asks a person something.
    pub(crate) fn asked(&mut self) {
        self.came.is_anything = true;
    }

    pub(crate) fn take(&mut self, method: &str, mut params: Value) {
        let is_main = params["frameId"] == self.frame;
        match method {
            "Page.lifecycleEvent" if is_main && params["name"] == "load" => {
                self.loaded.extend(text(&mut params["loaderId"]));
            }
            "Page.frameStartedLoading" if is_main => self.is_loading = true,
            "Page.frameStoppedLoading" if is_main => self.is_loading = false,
            "Network.requestWillBeSent" if !is_for_the_tab(&params["type"], &params["request"]["url"]) => {
                self.came.is_anything = true;
                let kind = params["type"].as_str().unwrap_or_default();
                if !OPEN_ENDED.contains(&kind) {
                    let request = text(&mut params["requestId"]).unwrap_or_default();
                    let address = text(&mut params["request"]["url"]).unwrap_or_default();
                    self.in_flight.insert(request.clone());
                    self.addresses.insert(request, address);
                    self.quiet_since = Instant::now();
                }
            }
            "Network.responseReceived" => self.answered(is_main, &mut params),
            "Network.loadingFinished" => self.arrived(&params),
            "Network.loadingFailed" => self.failed(&params),
            "Page.downloadWillBegin" => self.came.is_anything = true,
            "Page.frameNavigated" if params["frame"]["id"] == self.frame => {
                self.came.is_anything = true;
                if params["frame"]["unreachableUrl"].is_string() && self.came.unreachable.is_none() {
                    self.came.unreachable = Some("the browser shows an error instead".to_owned());
                }
            }
            "CSS.styleSheetAdded" => {
                let header = &mut params["header"];
                let address = text(&mut header["sourceURL"]).filter(|address| !address.is_empty());
                self.sheets.extend(text(&mut header["styleSheetId"]).zip(address));
            }
            "Inspector.targetCrashed" | "Inspector.detached" => self.is_crashed = true,
            "Runtime.exceptionThrown" => {
                let details = &params["exceptionDetails"];
                let said = details["exception"]["description"].as_str().or(details["text"].as_str());
                let first = first_line(said.unwrap_or("a script failed"));
                self.came.exception.get_or_insert_with(|| first.clone());
                self.trouble(first);
            }
            "Runtime.consoleAPICalled" if params["type"] == "error" || params["type"] == "assert" => {
                let said = params["args"].as_array().into_iter().flatten().map(said_by);
                self.trouble(first_line(&said.collect::<Vec<_>>().join(" ")));
            }
            // What the network says is known from its own events.
            "Log.entryAdded"
                if params["entry"]["level"] == "error" && params["entry"]["source"] != "network" =>
            {
                self.trouble(first_line(params["entry"]["text"].as_str().unwrap_or_default()));
            }
            _ => {}
        }
    }

    fn answered(&mut self, is_main: bool, params: &mut Value) {
        let response = &params["response"];
        let status = response["status"].as_i64().unwrap_or_default();
        let status_text = response["statusText"].as_str().unwrap_or_default().to_owned();
        let kind = params["type"].as_str().unwrap_or_default();
        if status >= 400 && !is_for_the_tab(&params["type"], &response["url"]) {
            let address = response["url"].as_str().unwrap_or_default();
            let trouble = format!("{address} answers {status} {status_text}");
            self.trouble(trouble.trim_end().to_owned());
            if ["Document", "Fetch", "XHR"].contains(&kind) && self.came.status.is_none() {
                self.came.status = u16::try_from(status).ok();
            }
        }
        if is_main && kind == "Document" {
            let loader = text(&mut params["loaderId"]).unwrap_or_default();
            self.documents.insert(loader, Document { status, status_text });
        }
    }

    /// Takes in that something does not come. What was called off, such as a download, is nobody's fault.
    fn failed(&mut self, params: &Value) {
        let request = params["requestId"].as_str().unwrap_or_default();
        let address = self.addresses.remove(request);
        let why = params["errorText"].as_str().unwrap_or("it failed");
        if params["canceled"] != true && why != "net::ERR_ABORTED" {
            if params["type"] == "Document" {
                self.came.unreachable = Some(why.to_owned());
            }
            if let Some(address) = address {
                self.trouble(format!("{address} cannot be loaded: {why}"));
            }
        }
        self.arrived(params);
    }

    fn arrived(&mut self, params: &Value) {
        let request = params["requestId"].as_str().unwrap_or_default();
        self.addresses.remove(request);
        if self.in_flight.remove(request) {
            self.quiet_since = Instant::now();
        }
    }

    fn trouble(&mut self, trouble: String) {
        if self.troubles.len() < TROUBLES {
            self.troubles.push(trouble);
        }
    }
}

/// Whether the browser asks for a picture of its tab, which no page has to have.
fn is_for_the_tab(kind: &Value, address: &Value) -> bool {
    kind == "Other" && address.as_str().is_some_and(|address| address.ends_with("/favicon.ico"))
}

/// What a value says that was written to the console.
fn said_by(value: &Value) -> String {
    match (&value["value"], value["description"].as_str()) {
        (Value::String(text), _) => text.clone(),
        (_, Some(description)) => description.to_owned(),
        (other, None) => other.to_string(),
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim_end().to_owned()
}

fn text(value: &mut Value) -> Option<String> {
    match value.take() {
        Value::String(text) => Some(text),
        _ => None,
    }
}
