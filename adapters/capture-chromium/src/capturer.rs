//! The browser as a port.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use async_trait::async_trait;
use trueup_contract::{Label, LabelName};
use trueup_ports::{Capture, CaptureRequest, Capturer, Cx, Fault, Pixels, Reads};

use crate::address;
use crate::browser::Browser;
use crate::error::{BrowserError, BrowserErrorKind};
use crate::find::find_browser;
use crate::options::ChromiumOptions;
use crate::page::Page;
use crate::read::{self, ReadRequest};
use crate::route::Recipe;
use crate::screen::Screen;
use crate::session::Limit;
use crate::take::{Taken, Wanted, take};

/// Captures labels whose source is a web page: a file below a folder, or an address.
///
/// Files are read where they are, so the artifact must be in the state that is captured. The browser is started for the first
/// capture and ends with the capturer, together with everything that it started; its profile is a temporary folder.
///
/// # Cancellation
/// A call that is called off returns within some 20 ms, and the browser stays as it is.
///
/// # Cloning
/// Clones share the browser.
#[derive(Clone, Debug)]
pub struct ChromiumCapturer(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    folder: PathBuf,
    options: Arc<ChromiumOptions>,
    screens: BTreeMap<LabelName, Screen>,
    routes: Option<PathBuf>,
    live: Mutex<Live>,
}

/// What there is of the browser now.
#[derive(Debug, Default)]
struct Live {
    browser: Option<Arc<Browser>>,
    /// Pages that nobody works with.
    pages: Vec<Page>,
    recipes: BTreeMap<LabelName, Recipe>,
}

impl ChromiumCapturer {
    /// A capturer of pages below `folder`.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>, options: ChromiumOptions) -> Self {
        Self(Arc::new(Shared {
            folder: folder.into(),
            options: Arc::new(options),
            screens: BTreeMap::new(),
            routes: None,
            live: Mutex::default(),
        }))
    }

    /// The capturer, for which a label is this screen. Others are what is in the viewport once a page is loaded. Builders are for
    /// before the first capture: a browser that runs already is not taken along.
    #[must_use]
    pub fn with_screen(self, label: LabelName, screen: Screen) -> Self {
        let mut screens = self.0.screens.clone();
        screens.insert(label, screen);
        self.rebuilt(|own| Shared { screens, ..own })
    }

    /// The capturer, which keeps the routes that led to a capture in this folder, a file a label, and holds later captures to
    /// where they led.
    #[must_use]
    pub fn with_routes(self, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        self.rebuilt(|own| Shared { routes: Some(folder), ..own })
    }

    fn rebuilt(self, change: impl FnOnce(Shared) -> Shared) -> Self {
        let Shared { folder, options, screens, routes, .. } = self.0.as_ref();
        let own = Shared {
            folder: folder.clone(),
            options: Arc::clone(options),
            screens: screens.clone(),
            routes: routes.clone(),
            live: Mutex::default(),
        };
        Self(Arc::new(change(own)))
    }

    /// The browser's name and version, such as `Chrome/148.0.7778.167`; the browser is started where it is not yet.
    ///
    /// # Errors
    /// When there is no browser, or it does not start.
    pub async fn version(&self, cx: &Cx) -> Result<String, Fault> {
        let (shared, inner) = (Arc::clone(&self.0), cx.clone());
        cx.run_blocking(move || {
            let browser = shared.browser(Limit::of(&inner)).map_err(|error| error.into_fault(""))?;
            Ok(browser.version().to_owned())
        })
        .await
    }

    /// Reads a page for the probes: its elements, what goes wrong while it loads, what comes of pressing its links and controls,
    /// and what an accessibility tool says.
    ///
    /// # Errors
    /// When there is no browser, the page cannot be loaded, a step of the route is missed, or the accessibility tool does not
    /// work. What is wrong *in* the page is in what is read.
    pub async fn read(&self, request: ReadRequest, cx: &Cx) -> Result<trueup_probes::Page, Fault> {
        let (shared, inner) = (Arc::clone(&self.0), cx.clone());
        cx.run_blocking(move || shared.read(&request, Limit::of(&inner))).await
    }
}

#[async_trait]
impl Capturer for ChromiumCapturer {
    fn reads(&self) -> Reads {
        Reads::Artifact
    }

    async fn capture(&self, request: CaptureRequest, cx: &Cx) -> Result<Vec<Capture>, Fault> {
        let (shared, inner) = (Arc::clone(&self.0), cx.clone());
        cx.run_blocking(move || shared.capture(&request, &inner)).await
    }

    async fn recover(&self, restarts: u32, cx: &Cx) -> Result<(), Fault> {
        let (shared, inner) = (Arc::clone(&self.0), cx.clone());
        cx.run_blocking(move || {
            shared.recover(restarts, Limit::of(&inner)).map_err(|error| error.into_fault(""))
        })
        .await
    }
}

impl Shared {
    fn live(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The browser, started where there is none yet. One that is gone stays gone until it is recovered.
    fn browser(&self, limit: Limit<'_>) -> Result<Arc<Browser>, BrowserError> {
        let mut live = self.live();
        if let Some(browser) = &live.browser {
            return Ok(Arc::clone(browser));
        }
        let file = find_browser(self.options.browser.as_deref())?;
        let browser = Arc::new(Browser::start(&file, Arc::clone(&self.options), limit)?);
        live.browser = Some(Arc::clone(&browser));
        Ok(browser)
    }

    /// 0 has pages loaded anew, in a browser that lives; more starts the browser anew, with an empty profile.
    fn recover(&self, restarts: u32, limit: Limit<'_>) -> Result<(), BrowserError> {
        {
            let mut live = self.live();
            let is_gone = live.browser.as_ref().is_none_or(|browser| browser.is_gone());
            for page in live.pages.drain(..).filter(|_| !is_gone) {
                page.close();
            }
            if is_gone || restarts > 0 {
                live.browser = None;
            }
        }
        self.browser(limit).map(drop)
    }

    fn capture(&self, request: &CaptureRequest, cx: &Cx) -> Result<Vec<Capture>, Fault> {
        let limit = Limit::of(cx);
        let labels = &request.labels;
        let browser = self.browser(limit).map_err(|error| error.into_fault(""))?;
        let state = request.snapshot.state().as_str();
        let results = self.share_out(labels.len(), |page, at| {
            let label = &labels[at];
            let captured = self.label(&browser, page, label, state, limit);
            if captured.is_ok() {
                cx.report_done(label.name());
            }
            captured
        });
        results.into_iter().collect()
    }

    /// Works on so many pieces, with several pages at a time, until one fails. The results come in the order of the pieces, so
    /// that the first that failed is the one that is reported.
    fn share_out<T: Send>(
        &self,
        pieces: usize,
        work: impl Fn(&mut Option<Page>, usize) -> Result<T, Fault> + Sync,
    ) -> Vec<Result<T, Fault>> {
        let next = AtomicUsize::new(0);
        let is_over = AtomicBool::new(false);
        let work = || {
            let mut done = Vec::new();
            let mut page = None;
            while !is_over.load(Ordering::Acquire) {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= pieces {
                    break;
                }
                let result = work(&mut page, at);
                if result.is_err() {
                    is_over.store(true, Ordering::Release);
                }
                done.push((at, result));
            }
            if let Some(page) = page {
                if page.is_used() { page.close() } else { self.live().pages.push(page) }
            }
            done
        };
        let workers = self.options.page_count().min(pieces).max(1);
        let mut results = thread::scope(|scope| {
            let others: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
            let mut results = work();
            for other in others {
                results.extend(other.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload)));
            }
            results
        });
        results.sort_by_key(|(at, _)| *at);
        results.into_iter().map(|(_, result)| result).collect()
    }

    fn read(&self, request: &ReadRequest, limit: Limit<'_>) -> Result<trueup_probes::Page, Fault> {
        let browser = self.browser(limit).map_err(|error| error.into_fault(&request.source))?;
        let fault = |error: BrowserError| browser.explain(error).into_fault(&request.source);
        let address = address::of(&request.source, &self.folder);
        let quiet = self.options.quiet;
        let mut page = browser.open(limit).map_err(fault)?;
        let read = read::read(&mut page, request, &address, quiet, limit);
        page.close();
        let (mut read, controls) = read.map_err(fault)?;
        if request.max_actions == 0 {
            return Ok(read);
        }
        let (tried, left) = controls.split_at(controls.len().min(request.max_actions));
        let outcomes = self.share_out(tried.len(), |page, at| {
            if let Some(outcome) = read::known(&tried[at], request) {
                return Ok(outcome);
            }
            let mut own = match page.take() {
                Some(page) => page,
                None => {
                    let mut own = browser.open(limit).map_err(fault)?;
                    own.listen_to_scripts(limit).map_err(fault)?;
                    own
                }
            };
            let outcome = read::press(&mut own, request, &address, &tried[at], quiet, limit);
            if outcome.is_ok() {
                *page = Some(own);
            } else {
                own.close();
            }
            outcome.map_err(fault)
        });
        let mut actions = Vec::with_capacity(controls.len());
        for (control, outcome) in tried.iter().zip(outcomes) {
            actions.push(read::action(control, outcome?));
        }
        for control in left {
            let why = format!("only the first {} links and controls were tried", request.max_actions);
            actions.push(read::action(control, trueup_probes::Outcome::Untried { why }));
        }
        read.actions = Some(actions);
        Ok(read)
    }

    /// Captures one label in `page`, or in one that is opened for it; the page is left there only while it can be used again.
    fn label(
        &self,
        browser: &Browser,
        page: &mut Option<Page>,
        label: &Label,
        state: &str,
        limit: Limit<'_>,
    ) -> Result<Capture, Fault> {
        let fault = |error: BrowserError| browser.explain(error).into_fault(label.name().as_str());
        let idle = page.take().or_else(|| self.live().pages.pop());
        let mut own = match idle {
            Some(page) => page,
            None => browser.open(limit).map_err(fault)?,
        };
        let plain = Screen::default();
        let screen = self.screens.get(label.name()).unwrap_or(&plain);
        let address = address::of(label.source(), &self.folder);
        let wanted = Wanted { address: &address, viewport: label.viewport(), theme: label.theme(), screen };
        let taken = take(&mut own, wanted, &self.options, limit);
        if taken.is_ok() && !own.is_used() {
            *page = Some(own);
        } else {
            own.close();
        }
        let taken = taken.map_err(fault)?;
        self.hold_to_route(label, screen, &taken, state).map_err(fault)?;
        let Taken { png, elements, masked, .. } = taken;
        let pixels = Pixels::Encoded(png.into());
        Ok(Capture::new(label.name().clone(), pixels).with_elements(elements).with_masked(masked))
    }

    /// Notes where a route led, the first time; later, that it leads there still.
    fn hold_to_route(
        &self,
        label: &Label,
        screen: &Screen,
        taken: &Taken,
        state: &str,
    ) -> Result<(), BrowserError> {
        if screen.route.is_empty() {
            return Ok(());
        }
        let place = address::place_in(&taken.place, label.source(), &self.folder);
        let settle_ms = u64::try_from(screen.settle.as_millis()).unwrap_or(u64::MAX);
        let file = self.routes.as_ref().map(|folder| recipe_file(folder, label.name()));
        let mut live = self.live();
        let known = match (live.recipes.get(label.name()), &file) {
            (Some(known), _) => Some(known.clone()),
            (None, Some(file)) => Recipe::load(file)?,
            (None, None) => None,
        };
        if let Some(known) = known.filter(|known| known.is_of(label.source(), &screen.route, settle_ms)) {
            if known.arrives_at != place {
                let why =
                    format!("it leads to {place}, and led to {} when it was recorded", known.arrives_at);
                let step = screen.route.len();
                return Err(BrowserError::new(BrowserErrorKind::MissedRoute { step, why }));
            }
            live.recipes.insert(label.name().clone(), known);
            return Ok(());
        }
        let recipe = Recipe {
            schema: Recipe::SCHEMA.to_owned(),
            label: label.name().to_string(),
            source: label.source().to_owned(),
            steps: screen.route.clone(),
            settle_ms,
            arrives_at: place,
            recorded_at_state: state.to_owned(),
        };
        if let Some(file) = &file {
            recipe.save(file)?;
        }
        live.recipes.insert(label.name().clone(), recipe);
        Ok(())
    }
}

fn recipe_file(folder: &Path, label: &LabelName) -> PathBuf {
    folder.join(format!("{label}.json"))
}
