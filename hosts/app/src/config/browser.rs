//! A browser as the capturer, and what labels say of the pages that it shows.

#[cfg(feature = "browser")]
pub(crate) use with::BrowserChoice;
#[cfg(not(feature = "browser"))]
pub(crate) use without::BrowserChoice;

#[cfg(feature = "browser")]
mod with {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;
    use std::time::Duration;

    use jiff::Timestamp;
    use trueup_capture_chromium::{
        Area, ChromiumCapturer, ChromiumOptions, Clock, Screen, Step, find_browser, key_names,
    };
    use trueup_contract::LabelName;
    use trueup_ports::Capturer;

    use crate::config::error::ConfigError;
    use crate::config::reader::{At, Section};

    /// The browser, how it is run, and the screens that labels show.
    #[derive(Debug)]
    pub(crate) struct BrowserChoice {
        options: ChromiumOptions,
        screens: BTreeMap<LabelName, Screen>,
    }

    impl BrowserChoice {
        /// Reads how the browser is run. Whether it is there is not looked at: a configuration is right without it.
        pub(crate) fn read(section: &Section<'_>, folder: &Path) -> Result<Self, ConfigError> {
            let document = section.document;
            let mut options = ChromiumOptions::default();
            if let Some(browser) = section.string("browser")? {
                let named = Path::new(&browser.value);
                // A bare name is looked up on the path, everything else beside the configuration.
                let is_bare = named.components().count() == 1;
                options = options.with_browser(if is_bare { named.to_owned() } else { folder.join(named) });
            }
            if let Some(sandbox) = section.boolean("sandbox")? {
                options = options.with_sandbox(sandbox);
            }
            for argument in section.strings("arguments")?.map(|at| at.value).unwrap_or_default() {
                options = options.with_argument(argument.value);
            }
            if let Some(pages) = whole(section, "pages", "pages at a time", 1, 16)? {
                options = options.with_pages(usize::try_from(pages).unwrap_or(1));
            }
            if let Some(zone) = section.string("time_zone")? {
                options = options.with_time_zone(zone.value);
            }
            if let Some(locale) = section.string("locale")? {
                options = options.with_locale(locale.value);
            }
            let is_frozen = section.boolean("frozen")?.unwrap_or(false);
            let moment = match section.string("clock")? {
                Some(clock) if clock.value == "machine" => None,
                Some(clock) => Some(moment(&clock.value).ok_or_else(|| {
                    let why = format!(
                        "{:?} is no moment: expected \"machine\", or one such as \"2026-06-15T12:00:00Z\"",
                        clock.value
                    );
                    document.bad(&clock.span, "clock", why)
                })?),
                None => match options.clock {
                    Clock::From(moment) => Some(moment),
                    _ => None,
                },
            };
            options = options.with_clock(match (moment, is_frozen) {
                (Some(moment), false) => Clock::From(moment),
                (Some(moment), true) => Clock::Frozen(moment),
                (None, false) => Clock::Machine,
                (None, true) => {
                    return Err(section.missing("clock", "the moment at which time stands still"));
                }
            });
            if let Some(seconds) = whole(section, "load_limit_s", "seconds", 1, 600)? {
                options = options.with_load_limit(Duration::from_secs(seconds));
            }
            if let Some(seconds) = whole(section, "settle_limit_s", "seconds", 1, 600)? {
                options = options.with_settle_limit(Duration::from_secs(seconds));
            }
            Ok(Self { options, screens: BTreeMap::new() })
        }

        /// Reads what of a page its labels show; `labels` are the names of all that the section stands for.
        pub(crate) fn read_screen(
            &mut self,
            section: &Section<'_>,
            labels: &[LabelName],
        ) -> Result<(), ConfigError> {
            let mut screen = Screen::default().with_area(area(section)?);
            if let Some(selector) = section.string("wait")? {
                screen = screen.with_wait(selector.value);
            }
            for selector in section.strings("mask")?.map(|at| at.value).unwrap_or_default() {
                screen = screen.with_mask(selector.value);
            }
            let steps: Result<Vec<Step>, ConfigError> =
                section.sections("route")?.into_iter().map(step).collect();
            screen = screen.with_route(steps?);
            if let Some(millis) = whole(section, "settle_ms", "milliseconds", 0, 60_000)? {
                screen = screen.with_settle(Duration::from_millis(millis));
            }
            for label in labels {
                self.screens.insert(label.clone(), screen.clone());
            }
            Ok(())
        }

        /// What was told to it, in words.
        pub(crate) fn name(&self) -> String {
            let ChromiumOptions { time_zone, locale, clock, arguments, .. } = &self.options;
            format!("chromium, {time_zone}, {locale}, {clock:?}, {arguments:?}, {:?}", self.screens)
        }

        /// The browser's file, or why there is none.
        pub(crate) fn locate(&self) -> Result<PathBuf, String> {
            find_browser(self.options.browser.as_deref()).map_err(|error| error.to_string())
        }

        pub(crate) fn into_capturer(self, folder: &Path) -> Arc<dyn Capturer> {
            let capturer = ChromiumCapturer::new(folder, self.options).with_routes(folder.join("routes"));
            let screens = self.screens.into_iter();
            Arc::new(screens.fold(capturer, |capturer, (label, screen)| capturer.with_screen(label, screen)))
        }
    }

    /// Milliseconds since 1970 of a moment after that.
    fn moment(text: &str) -> Option<u64> {
        u64::try_from(text.parse::<Timestamp>().ok()?.as_millisecond()).ok()
    }

    /// The part of the page that is shown: at most one of `area`, `element` and `clip`.
    fn area(section: &Section<'_>) -> Result<Area, ConfigError> {
        let document = section.document;
        let named = section.string("area")?;
        let element = section.string("element")?;
        let clip = section.rect("clip")?;
        let spans = [
            named.as_ref().map(|at| at.span.clone()),
            element.as_ref().map(|at| at.span.clone()),
            clip.as_ref().map(|at| at.span.clone()),
        ];
        if let [_, second, ..] = spans.iter().flatten().collect::<Vec<_>>().as_slice() {
            let why = "expected at most one of area, element and clip: each says what is captured";
            return Err(document.bad(second, "area", why));
        }
        if let Some(selector) = element {
            return Ok(Area::Element(selector.value));
        }
        if let Some(At { value, span }) = clip {
            if value[2] == 0 || value[3] == 0 {
                return Err(document.bad(&span, "clip", "the box is empty: expected [x, y, width, height]"));
            }
            return Ok(Area::Clip(value.map(f64::from)));
        }
        match named.as_ref().map(|at| at.value.as_str()) {
            None | Some("viewport") => Ok(Area::Viewport),
            Some("full-page") => Ok(Area::FullPage),
            Some(other) => {
                let why = format!("{other:?} is not known: expected \"viewport\" or \"full-page\"");
                Err(document.bad(&named.map(|at| at.span).unwrap_or_default(), "area", why))
            }
        }
    }

    /// One step of a route.
    fn step(section: Section<'_>) -> Result<Step, ConfigError> {
        const EXPECTED: &str =
            "one of click, type (with text), press and scroll, such as {click = \"#menu\"}";
        let (click, scroll) = (section.string("click")?, section.string("scroll")?);
        let (field, press) = (section.string("type")?, section.string("press")?);
        let step = match (click, scroll, field, press) {
            (Some(at), None, None, None) => Step::click(at.value),
            (None, Some(at), None, None) => Step::scroll(at.value),
            (None, None, Some(at), None) => {
                Step::type_text(at.value, section.required("text", "what is typed")?.value)
            }
            (None, None, None, Some(key)) => {
                if !key_names().any(|known| known == key.value) {
                    let known: Vec<&str> = key_names().collect();
                    let why = format!(
                        "{:?} is no key that can be pressed: expected {}",
                        key.value,
                        known.join(", ")
                    );
                    return Err(section.document.bad(&key.span, "press", why));
                }
                Step::press(key.value)
            }
            _ => return Err(section.document.bad(section.span(), "route", format!("expected {EXPECTED}"))),
        };
        section.finish()?;
        Ok(step)
    }

    /// A whole number in a range.
    fn whole(
        section: &Section<'_>,
        key: &'static str,
        unit: &str,
        least: u64,
        most: u64,
    ) -> Result<Option<u64>, ConfigError> {
        let Some(written) = section.number(key)? else { return Ok(None) };
        let number = written.value.parse().ok().filter(|number| (least..=most).contains(number));
        number.map(Some).ok_or_else(|| {
            let why = format!("{} does not fit: expected whole {unit} from {least} to {most}", written.value);
            section.document.bad(&written.span, key, why)
        })
    }
}

#[cfg(not(feature = "browser"))]
mod without {
    use std::path::Path;
    use std::sync::Arc;

    use trueup_contract::LabelName;
    use trueup_ports::Capturer;

    use crate::config::error::ConfigError;
    use crate::config::reader::Section;

    /// No browser: this build has none.
    #[derive(Debug)]
    pub(crate) enum BrowserChoice {}

    impl BrowserChoice {
        pub(crate) fn read(section: &Section<'_>, _: &Path) -> Result<Self, ConfigError> {
            let why = "\"chromium\" is not part of this build: build it with the feature browser, or name a command";
            Err(section.document.bad(section.span(), "kind", why))
        }

        pub(crate) fn read_screen(&mut self, _: &Section<'_>, _: &[LabelName]) -> Result<(), ConfigError> {
            match *self {}
        }

        pub(crate) fn name(&self) -> String {
            match *self {}
        }

        pub(crate) fn into_capturer(self, _: &Path) -> Arc<dyn Capturer> {
            match self {}
        }
    }
}
