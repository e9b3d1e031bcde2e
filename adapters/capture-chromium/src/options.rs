//! How the browser is run, and what every page of it sees.

use std::path::PathBuf;
use std::time::Duration;

/// What pages take for the present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Clock {
    /// The machine's own time.
    Machine,
    /// Every page is loaded at this moment, in milliseconds since 1970 UTC, and time passes from there.
    From(u64),
    /// It is always this moment. A page that waits for time to pass waits for ever; its timers still run.
    Frozen(u64),
}

/// Noon of 15 June 2026, UTC: the same day in nearly every time zone, and no holiday that pages dress up for.
pub(crate) const NOON: u64 = 1_781_524_800_000;

/// How the browser is run, and what every page of it sees.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChromiumOptions {
    /// The browser's file or name. By default it is looked for, see [`find_browser`](crate::find_browser).
    pub browser: Option<PathBuf>,
    /// Whether pages are locked in by the system's sandbox. By default they are, unless this process runs as root, where
    /// Chromium cannot set one up.
    pub sandbox: Option<bool>,
    /// Arguments beside our own. None by default.
    pub arguments: Vec<String>,
    /// Pages that are worked with at a time: 1 to 16. By default as many as the machine has processors, 4 at most: a page has
    /// a process and some 60 MiB of its own.
    pub pages: Option<usize>,
    /// The time zone of pages, a name such as `Europe/Berlin`. UTC by default.
    pub time_zone: String,
    /// The language of pages, such as `de-DE`. `en-US` by default.
    pub locale: String,
    /// What pages take for the present: from noon of 15 June 2026 on by default, because a date that is shown is the
    /// commonest difference between two captures of one page.
    pub clock: Clock,
    /// How long a page may load: 30 s by default, as other drivers of browsers wait.
    pub load_limit: Duration,
    /// How long after it has loaded a page is given to come to rest: 5 s by default.
    pub settle_limit: Duration,
    /// How long nothing may be requested before a page with scripts counts as loaded: 100 ms by default, several answers of
    /// a local server. A page without scripts asks for nothing more.
    pub quiet: Duration,
    /// Whether computed styles come with the elements. Not by default: loops only look at boxes.
    pub styles: bool,
}

impl Default for ChromiumOptions {
    fn default() -> Self {
        Self {
            browser: None,
            sandbox: None,
            arguments: Vec::new(),
            pages: None,
            time_zone: "UTC".to_owned(),
            locale: "en-US".to_owned(),
            clock: Clock::From(NOON),
            load_limit: Duration::from_secs(30),
            settle_limit: Duration::from_secs(5),
            quiet: Duration::from_millis(100),
            styles: false,
        }
    }
}

impl ChromiumOptions {
    /// The options with this browser.
    #[must_use]
    pub fn with_browser(self, browser: impl Into<PathBuf>) -> Self {
        Self { browser: Some(browser.into()), ..self }
    }

    /// The options with the sandbox on or off.
    #[must_use]
    pub fn with_sandbox(self, sandbox: bool) -> Self {
        Self { sandbox: Some(sandbox), ..self }
    }

    /// The options with one more argument for the browser.
    #[must_use]
    pub fn with_argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// The options with so many pages at a time, from 1 to 16.
    #[must_use]
    pub fn with_pages(self, pages: usize) -> Self {
        Self { pages: Some(pages.clamp(1, 16)), ..self }
    }

    /// The options with another time zone.
    #[must_use]
    pub fn with_time_zone(self, time_zone: impl Into<String>) -> Self {
        Self { time_zone: time_zone.into(), ..self }
    }

    /// The options with another language.
    #[must_use]
    pub fn with_locale(self, locale: impl Into<String>) -> Self {
        Self { locale: locale.into(), ..self }
    }

    /// The options with another clock.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// The options with another limit for loading.
    #[must_use]
    pub fn with_load_limit(self, load_limit: Duration) -> Self {
        Self { load_limit, ..self }
    }

    /// The options with another limit for coming to rest.
    #[must_use]
    pub fn with_settle_limit(self, settle_limit: Duration) -> Self {
        Self { settle_limit, ..self }
    }

    /// The options with computed styles beside the boxes of elements.
    #[must_use]
    pub fn with_styles(self) -> Self {
        Self { styles: true, ..self }
    }

    /// Pages that are worked with at a time.
    pub(crate) fn page_count(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from).min(4);
        self.pages.map_or_else(processors, |pages| pages.clamp(1, 16))
    }
}
