//! One page of a browser: loading, settling, looking.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use trueup_contract::Viewport;

use crate::connection::Connection;
use crate::error::{BrowserError, BrowserErrorKind};
use crate::options::{ChromiumOptions, Clock};
use crate::session::{Limit, Sent, Session};
use crate::watch::Watch;

/// What is asked of the page's document, see there.
const PAGE: &str = include_str!("script/page.js");
const CLOCK: &str = include_str!("script/clock.js");

/// What scripts listen to where they wait for a person to press something.
const PRESSES: [&str; 10] = [
    "click",
    "mousedown",
    "mouseup",
    "pointerdown",
    "pointerup",
    "touchstart",
    "touchend",
    "keydown",
    "submit",
    "change",
];

/// How long the element of a step is waited for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// How often it is looked whether something is there.
const GLANCE: Duration = Duration::from_millis(30);
/// How long requests may go on after a page has loaded; then its picture is taken as it is.
const REQUESTS_LIMIT: Duration = Duration::from_secs(10);

/// One page, in a context of its own: it shares no cookie, storage or cache with others.
#[derive(Debug)]
pub(crate) struct Page {
    session: Session,
    options: Arc<ChromiumOptions>,
    target: String,
    context: String,
    /// The world that our own script runs in, once the document is there.
    world: i64,
    shown: Option<(Viewport, Option<String>)>,
    is_used: bool,
}

/// What a page says of itself once it has settled.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Settled {
    /// Whether something in it can change by itself.
    pub(crate) can_change: bool,
    /// In CSS pixels.
    pub(crate) width: f64,
    /// In CSS pixels.
    pub(crate) height: f64,
}

/// One element, as the page gives it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Found {
    pub(crate) selector: String,
    /// x, y, width, height in CSS pixels from the document's upper left corner.
    #[serde(rename = "box")]
    pub(crate) area: [f64; 4],
    #[serde(default)]
    pub(crate) styles: Vec<(String, String)>,
    #[serde(default)]
    pub(crate) text: Option<String>,
}

/// The elements of a page, and how far it is scrolled.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Elements {
    pub(crate) elements: Vec<Found>,
    pub(crate) scroll: [f64; 2],
}

/// Where an element that is acted upon is.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Reached {
    pub(crate) is_selector: bool,
    pub(crate) is_there: bool,
    pub(crate) is_free: bool,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) cover: Option<String>,
}

/// A link or control, as the page gives it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Control {
    pub(crate) selector: String,
    /// Where it leads as it is written, or what it says.
    pub(crate) target: String,
    /// Where a link leads, resolved; else empty.
    pub(crate) address: String,
    /// The page's own.
    pub(crate) origin: String,
}

/// What changed in a document since it was watched.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Observed {
    pub(crate) changed: bool,
    /// Whether a place in this page is there that the link leads to.
    pub(crate) found: bool,
    /// The place in this page that the link leads to and that is not there.
    pub(crate) lost: Option<String>,
}

impl Page {
    pub(crate) fn open(
        connection: &Arc<Connection>,
        options: Arc<ChromiumOptions>,
        limit: Limit<'_>,
    ) -> Result<Self, BrowserError> {
        let mut browser = Session::of_browser(Arc::clone(connection));
        let made = browser.call("Target.createBrowserContext", json!({ "disposeOnDetach": true }), limit)?;
        let context = text(&made["browserContextId"]);
        let target = json!({ "url": "about:blank", "browserContextId": context });
        let target = text(&browser.call("Target.createTarget", target, limit)?["targetId"]);
        let attach = json!({ "targetId": target, "flatten": true });
        let name = text(&browser.call("Target.attachToTarget", attach, limit)?["sessionId"]);
        let mut session = Session::of_page(Arc::clone(connection), name, target.clone());
        let mut sent = vec![
            session.send("Page.enable", json!({}))?,
            session.send("Page.setLifecycleEventsEnabled", json!({ "enabled": true }))?,
            session.send("Network.enable", json!({ "maxTotalBufferSize": 0, "maxResourceBufferSize": 0 }))?,
            session.send("Network.setCacheDisabled", json!({ "cacheDisabled": true }))?,
            session.send("Network.setBypassServiceWorker", json!({ "bypass": true }))?,
            session.send("Inspector.enable", json!({}))?,
            // Focus rings and `:focus` show as in a window that is in front.
            session.send("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }))?,
            // Numbers and dates of a language whose package of texts is not installed.
            session
                .send("Emulation.setLocaleOverride", json!({ "locale": options.locale.replace('-', "_") }))?,
        ];
        if let Some((begins, is_frozen)) = match options.clock {
            Clock::Machine => None,
            Clock::From(moment) => Some((moment, false)),
            Clock::Frozen(moment) => Some((moment, true)),
        } {
            let source = CLOCK
                .replace("BEGINS", &begins.to_string())
                .replace("IS_FROZEN", if is_frozen { "true" } else { "false" });
            let source = json!({ "source": source });
            sent.push(session.send("Page.addScriptToEvaluateOnNewDocument", source)?);
        }
        for sent in sent {
            session.reply(sent, limit)?;
        }
        Ok(Self { session, options, target, context, world: 0, shown: None, is_used: false })
    }

    /// Closes it, as far as that is still possible.
    pub(crate) fn close(mut self) {
        let params = json!({ "browserContextId": self.context });
        // A browser that is gone has closed it.
        let _ = self.session.send("Target.disposeBrowserContext", params);
    }

    /// Whether something was done in it that the next page in it would see, such as where the pointer is.
    pub(crate) const fn is_used(&self) -> bool {
        self.is_used
    }

    /// Loads an address into a viewport, under a colour scheme.
    pub(crate) fn load(
        &mut self,
        address: &str,
        viewport: Viewport,
        theme: Option<&str>,
        limit: Limit<'_>,
    ) -> Result<(), BrowserError> {
        let limit = limit.within(self.options.load_limit);
        // Answered before the page is asked for: a document in a process of its own begins with what its predecessor has confirmed,
        // and a page that asks for less motion before that would be told that nobody minds it.
        for shown in self.show(viewport, theme)? {
            self.session.reply(shown, limit)?;
        }
        let mut sent = Vec::new();
        // What the page before has stored is not there for this one. What a tab stores for itself only a script can clear, and
        // only before the page's own run.
        let clear = json!({ "source": "try { sessionStorage.clear(); localStorage.clear(); } catch {}" });
        let clear = self.session.send("Page.addScriptToEvaluateOnNewDocument", clear)?;
        sent.push(self.session.send("Network.clearBrowserCookies", json!({}))?);
        if let Some(origin) = origin(address) {
            let storage = json!({ "origin": origin, "storageTypes": "all" });
            sent.push(self.session.send("Storage.clearDataForOrigin", storage)?);
        }
        if address.contains('#') {
            // From its own document this would only be a jump.
            let blank = self.go("about:blank", sent, limit)?;
            self.wait_until_loaded("about:blank", &blank, limit)?;
            sent = Vec::new();
        }
        let loader = self.go(address, sent, limit)?;
        let clear = self.session.reply(clear, limit)?;
        // Where the page leads to by itself, it finds what it stored.
        self.session.call("Page.removeScriptToEvaluateOnNewDocument", clear, limit)?;
        self.wait_until_loaded(address, &loader, limit)?;
        if let Some(document) = self.session.watch.document(&loader)
            && document.status >= 400
        {
            let why = format!("{} {}", document.status, document.status_text);
            return Err(not_loaded(address, why.trim_end()));
        }
        self.enter(limit)
    }

    /// Leads the page to an address, once what was sent before is answered; gives the name of the document's loader.
    fn go(&mut self, address: &str, sent: Vec<Sent>, limit: Limit<'_>) -> Result<String, BrowserError> {
        self.session.watch.reset();
        let navigated = self.session.send("Page.navigate", json!({ "url": address }))?;
        for sent in sent {
            self.session.reply(sent, limit)?;
        }
        let navigated = self.session.reply(navigated, limit)?;
        if let Some(why) = navigated["errorText"].as_str() {
            return Err(not_loaded(address, why));
        }
        Ok(text(&navigated["loaderId"]))
    }

    fn wait_until_loaded(
        &mut self,
        address: &str,
        loader: &str,
        limit: Limit<'_>,
    ) -> Result<(), BrowserError> {
        let what = format!("loading {address}");
        while !self.session.watch.is_loaded(loader) {
            self.session.hear(GLANCE)?;
            limit.check(&what)?;
        }
        Ok(())
    }

    /// Sets the size and the media of the page, where they are not so already.
    fn show(&mut self, viewport: Viewport, theme: Option<&str>) -> Result<Vec<Sent>, BrowserError> {
        let shown = (viewport, theme.map(str::to_owned));
        if self.shown.as_ref() == Some(&shown) {
            return Ok(Vec::new());
        }
        let metrics = json!({
            "width": viewport.width(), "height": viewport.height(), "deviceScaleFactor": ratio(viewport), "mobile": false,
        });
        let scheme = theme.unwrap_or("light");
        let media = json!({ "media": "screen", "features": [
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ] });
        self.shown = Some(shown);
        Ok(vec![
            self.session.send("Emulation.setDeviceMetricsOverride", metrics)?,
            self.session.send("Emulation.setEmulatedMedia", media)?,
        ])
    }

    /// Finds the world that our own script runs in, in the document that is there now.
    fn enter(&mut self, limit: Limit<'_>) -> Result<(), BrowserError> {
        let world = json!({ "frameId": self.target, "worldName": "trueup" });
        let world = self.session.call("Page.createIsolatedWorld", world, limit)?;
        self.world = world["executionContextId"].as_i64().unwrap_or_default();
        Ok(())
    }

    /// Waits until nothing more is requested, for a while at most.
    pub(crate) fn wait_for_requests(
        &mut self,
        quiet: Duration,
        limit: Limit<'_>,
    ) -> Result<(), BrowserError> {
        let patience = limit.within(REQUESTS_LIMIT);
        while !self.session.watch.is_quiet_for(quiet) && !patience.is_over() {
            self.session.hear(quiet.clamp(Duration::from_millis(1), GLANCE))?;
            limit.check("waiting for requests")?;
        }
        Ok(())
    }

    /// Waits until a selector finds something.
    pub(crate) fn wait_for(&mut self, selector: &str, limit: Limit<'_>) -> Result<(), BrowserError> {
        let patience = limit.within(self.options.load_limit);
        loop {
            if !self.boxes(selector, limit)?.is_empty() {
                return Ok(());
            }
            if patience.is_over() {
                let (selector, purpose) = (selector.to_owned(), "wait for");
                return Err(BrowserError::new(BrowserErrorKind::NoElement { selector, purpose }));
            }
            self.session.pause(GLANCE, limit)?;
        }
    }

    /// Brings the page to rest: motion is stopped, fonts and pictures are there. `whole` has everything scrolled into view.
    pub(crate) fn settle(&mut self, whole: bool, limit: Limit<'_>) -> Result<Settled, BrowserError> {
        let millis = u64::try_from(self.options.load_limit.as_millis()).unwrap_or(u64::MAX);
        self.ask("settle", &json!({ "whole": whole, "limit": millis }), limit)
    }

    /// The elements that are shown.
    pub(crate) fn elements(&mut self, styles: bool, limit: Limit<'_>) -> Result<Elements, BrowserError> {
        self.ask("elements", &json!({ "styles": styles }), limit)
    }

    /// The boxes of what a selector finds, in CSS pixels from the document's upper left corner.
    pub(crate) fn boxes(&mut self, selector: &str, limit: Limit<'_>) -> Result<Vec<[f64; 4]>, BrowserError> {
        let found: Option<Vec<[f64; 4]>> = self.ask("boxes", &json!({ "selector": selector }), limit)?;
        found.ok_or_else(|| bad_selector(selector))
    }

    /// Path, query and fragment of where the page is.
    pub(crate) fn place(&mut self, limit: Limit<'_>) -> Result<String, BrowserError> {
        self.ask("place", &json!({}), limit)
    }

    /// A picture of a clip in CSS pixels from the document's upper left corner, or of the viewport: a PNG.
    pub(crate) fn shoot(
        &mut self,
        clip: Option<[f64; 4]>,
        limit: Limit<'_>,
    ) -> Result<Vec<u8>, BrowserError> {
        let mut params = json!({ "format": "png", "optimizeForSpeed": true });
        if let Some([x, y, width, height]) = clip {
            params["captureBeyondViewport"] = true.into();
            params["clip"] = json!({ "x": x, "y": y, "width": width, "height": height, "scale": 1 });
        }
        let shot = self.session.call("Page.captureScreenshot", params, limit)?;
        BASE64_STANDARD
            .decode(shot["data"].as_str().unwrap_or_default())
            .map_err(|error| BrowserError::refused("Page.captureScreenshot", error.to_string()))
    }

    /// Waits for an element that can be acted upon, brings it into view, `always` into the middle of it, and says
    /// where it is there.
    pub(crate) fn reach(
        &mut self,
        selector: &str,
        always: bool,
        patience: Duration,
        limit: Limit<'_>,
    ) -> Result<Reached, BrowserError> {
        let began = Instant::now();
        loop {
            let reached: Reached =
                self.ask("reach", &json!({ "selector": selector, "always": always }), limit)?;
            if !reached.is_selector {
                return Err(bad_selector(selector));
            }
            if (reached.is_there && reached.is_free) || began.elapsed() >= patience {
                return Ok(reached);
            }
            self.session.pause(GLANCE, limit)?;
        }
    }

    /// Clicks where something is.
    pub(crate) fn click(&mut self, x: f64, y: f64, limit: Limit<'_>) -> Result<(), BrowserError> {
        self.is_used = true;
        for (kind, button, count) in
            [("mouseMoved", "none", 0), ("mousePressed", "left", 1), ("mouseReleased", "left", 1)]
        {
            let params = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": count });
            self.session.call("Input.dispatchMouseEvent", params, limit)?;
        }
        Ok(())
    }

    /// Puts the caret into a field, with what is in it selected; says whether that worked.
    pub(crate) fn focus(&mut self, selector: &str, limit: Limit<'_>) -> Result<bool, BrowserError> {
        self.is_used = true;
        self.ask("focus", &json!({ "selector": selector }), limit)
    }

    /// Types text where the caret is.
    pub(crate) fn insert(&mut self, text: &str, limit: Limit<'_>) -> Result<(), BrowserError> {
        self.session.call("Input.insertText", json!({ "text": text }), limit).map(drop)
    }

    /// Presses a key.
    pub(crate) fn press(
        &mut self,
        name: &str,
        code: u32,
        text: &str,
        limit: Limit<'_>,
    ) -> Result<(), BrowserError> {
        self.is_used = true;
        let key = if name == "Space" { " " } else { name };
        for kind in ["keyDown", "keyUp"] {
            let mut params = json!({ "type": kind, "key": key, "code": name, "windowsVirtualKeyCode": code });
            if kind == "keyDown" && !text.is_empty() {
                params["text"] = text.into();
            }
            self.session.call("Input.dispatchKeyEvent", params, limit)?;
        }
        Ok(())
    }

    /// Gives the page time after something was done in it, until what that loads has loaded.
    pub(crate) fn after(&mut self, time: Duration, limit: Limit<'_>) -> Result<(), BrowserError> {
        self.session.pause(time, limit)?;
        let limit = limit.within(self.options.load_limit);
        while self.session.watch.is_loading() {
            self.session.hear(GLANCE)?;
            limit.check("loading what a step leads to")?;
        }
        self.wait_for_requests(self.options.quiet, limit)?;
        // The document may be another one now.
        self.enter(limit)
    }

    pub(crate) fn pause(&mut self, time: Duration, limit: Limit<'_>) -> Result<(), BrowserError> {
        self.session.pause(time, limit)
    }

    /// Has errors of scripts and of the console noted from now on.
    pub(crate) fn listen_to_scripts(&mut self, limit: Limit<'_>) -> Result<(), BrowserError> {
        self.session.call("Runtime.enable", json!({}), limit)?;
        self.session.call("Log.enable", json!({}), limit).map(drop)
    }

    /// What is known of it from its events.
    pub(crate) const fn watch(&self) -> &Watch {
        &self.session.watch
    }

    /// The links and controls that are shown.
    pub(crate) fn controls(&mut self, limit: Limit<'_>) -> Result<Vec<Control>, BrowserError> {
        self.ask("controls", &json!({}), limit)
    }

    /// Begins to watch what comes of pressing something; says whether it is there.
    pub(crate) fn observe(&mut self, selector: &str, limit: Limit<'_>) -> Result<bool, BrowserError> {
        // What would open elsewhere opens here, where it can be seen.
        let here =
            "window.open = (address) => { if (address) location.href = address; return null; }; undefined";
        self.evaluate(here, None, limit)?;
        let is_there = self.ask("observe", &json!({ "selector": selector }), limit)?;
        self.session.watch.forget_what_came();
        Ok(is_there)
    }

    /// What changed in the document since; none where it is another document.
    pub(crate) fn observed(&mut self, limit: Limit<'_>) -> Result<Option<Observed>, BrowserError> {
        self.ask("observed", &json!({}), limit)
    }

    /// Presses what no pointer reaches.
    pub(crate) fn activate(&mut self, selector: &str, limit: Limit<'_>) -> Result<(), BrowserError> {
        self.is_used = true;
        self.ask("activate", &json!({ "selector": selector }), limit)
    }

    /// Whether a script listens to what a person does with an element, or to what it passes on.
    pub(crate) fn is_listened_to(&mut self, selector: &str, limit: Limit<'_>) -> Result<bool, BrowserError> {
        let list = format!(
            "(() => {{ const all = []; for (let at = document.querySelector({}); at; at = at.parentNode) all.push(at); \
             return [...all, window]; }})()",
            json!(selector)
        );
        let params = json!({ "expression": list, "objectGroup": "listeners" });
        let list = self.session.call("Runtime.evaluate", params, limit)?;
        let params = json!({ "objectId": list["result"]["objectId"], "ownProperties": true });
        let entries = self.session.call("Runtime.getProperties", params, limit)?;
        let objects = entries["result"].as_array().into_iter().flatten();
        let mut is_listened_to = false;
        for object in objects.filter_map(|entry| entry["value"]["objectId"].as_str()) {
            let found =
                self.session.call("DOMDebugger.getEventListeners", json!({ "objectId": object }), limit)?;
            let kinds =
                found["listeners"].as_array().into_iter().flatten().filter_map(|one| one["type"].as_str());
            is_listened_to |= kinds.into_iter().any(|kind| PRESSES.contains(&kind));
        }
        self.session.call("Runtime.releaseObjectGroup", json!({ "objectGroup": "listeners" }), limit)?;
        Ok(is_listened_to)
    }

    /// The page as the script of `trueup-probes` collects it.
    pub(crate) fn collect(&mut self, limit: Limit<'_>) -> Result<String, BrowserError> {
        self.open_sheets(limit)?;
        let mut answer = self.evaluate(&trueup_probes::Page::script(), Some(self.world), limit)?;
        match answer.take() {
            Value::String(text) => Ok(text),
            other => Err(BrowserError::refused("Runtime.evaluate", format!("the page is read as {other}"))),
        }
    }

    /// Has our own script see into style sheets that the browser shows to no script, such as those of other servers and all that
    /// are files: their texts come from the browser itself.
    fn open_sheets(&mut self, limit: Limit<'_>) -> Result<(), BrowserError> {
        self.session.call("DOM.enable", json!({}), limit)?;
        self.session.call("CSS.enable", json!({}), limit)?;
        let mut sent = Vec::new();
        for (id, address) in self.session.watch.sheets().to_vec() {
            sent.push((address, self.session.send("CSS.getStyleSheetText", json!({ "styleSheetId": id }))?));
        }
        let mut texts = Vec::new();
        for (address, sent) in sent {
            match self.session.reply(sent, limit) {
                Ok(mut answer) => texts.push((address, answer["text"].take())),
                // One that has gone meanwhile is not in the page any more.
                Err(error) if matches!(error.kind(), BrowserErrorKind::Refused { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        self.session.call("CSS.disable", json!({}), limit)?;
        self.session.call("DOM.disable", json!({}), limit)?;
        self.ask::<bool>("openSheets", &json!({ "texts": texts }), limit).map(drop)
    }

    /// Runs the text of a script beside those of the page, then an expression, whose value comes back.
    pub(crate) fn run_beside(
        &mut self,
        script: &str,
        expression: &str,
        limit: Limit<'_>,
    ) -> Result<Value, BrowserError> {
        self.evaluate(script, Some(self.world), limit)?;
        self.evaluate(expression, Some(self.world), limit)
    }

    /// The value of an expression in a world: the page's own where none is named.
    fn evaluate(
        &mut self,
        expression: &str,
        world: Option<i64>,
        limit: Limit<'_>,
    ) -> Result<Value, BrowserError> {
        let mut params = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        if let Some(world) = world {
            params["contextId"] = world.into();
        }
        let mut answer = self.session.call("Runtime.evaluate", params, limit)?;
        if let Some(details) = answer.get("exceptionDetails") {
            let said = details["exception"]["description"].as_str().or(details["text"].as_str());
            return Err(BrowserError::refused("Runtime.evaluate", said.unwrap_or("it failed").to_owned()));
        }
        Ok(answer["result"]["value"].take())
    }

    /// Calls a function of our own script in the page.
    fn ask<T: DeserializeOwned>(
        &mut self,
        function: &'static str,
        argument: &Value,
        limit: Limit<'_>,
    ) -> Result<T, BrowserError> {
        let expression = format!("{PAGE}\npage.{function}({argument})");
        // A block of its own, so that the name of one call does not stand in the way of the next.
        let expression = format!("(async () => {{ {} }})()", expression.replace("\npage.", "\nreturn page."));
        let answer = self.evaluate(&expression, Some(self.world), limit)?;
        serde_json::from_value(answer)
            .map_err(|error| BrowserError::refused("Runtime.evaluate", format!("{function}: {error}")))
    }
}

/// Device pixels per CSS pixel.
pub(crate) fn ratio(viewport: Viewport) -> f64 {
    f64::from(viewport.ratio().thousandths()) / 1_000.0
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn bad_selector(selector: &str) -> BrowserError {
    BrowserError::new(BrowserErrorKind::BadSelector { selector: selector.to_owned() })
}

/// Scheme, host and port of an address of a server.
fn origin(address: &str) -> Option<&str> {
    let (scheme, rest) = address.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    matches!(scheme, "http" | "https").then(|| &address[..scheme.len() + 3 + host.len()])
}

fn not_loaded(address: &str, why: &str) -> BrowserError {
    let (address, why) = (address.to_owned(), why.to_owned());
    let is_server = why.starts_with("net::ERR_CONNECTION")
        || ["net::ERR_NAME_NOT_RESOLVED", "net::ERR_EMPTY_RESPONSE", "net::ERR_TIMED_OUT"]
            .contains(&why.as_str())
        || ["502", "503", "504"].iter().any(|status| why.starts_with(status));
    BrowserError::new(if is_server {
        BrowserErrorKind::NoServer { address, why }
    } else {
        BrowserErrorKind::NotLoaded { address, why }
    })
}
