//! What the tests share.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

use tempfile::TempDir;
use trueup_capture_chromium::{ChromiumCapturer, ChromiumOptions, Screen, find_browser};
use trueup_contract::{Label, LabelName};
use trueup_ports::{CancelToken, Capture, CaptureRequest, Capturer, Cx, Element, Fault, Pixels, Snapshot};
use trueup_testkit::{SimulatedTime, block_on};

/// One browser at a time: these tests would only wait for each other.
static ONE: Mutex<()> = Mutex::new(());

/// A folder of pages, and the right to have a browser.
pub(crate) struct Site {
    pub(crate) folder: TempDir,
    _turn: MutexGuard<'static, ()>,
}

/// Pages by name; none where there is no browser.
pub(crate) fn site(pages: &[(&str, &str)]) -> Option<Site> {
    if let Err(error) = find_browser(None) {
        assert!(std::env::var_os("CI").is_none(), "CI needs a browser: {error}");
        // Once, and where it is seen: the output of tests that pass is not.
        static SAID: Once = Once::new();
        SAID.call_once(|| {
            let _ = writeln!(std::io::stderr(), "not run: what captures pages in Chromium; {error}");
        });
        return None;
    }
    let turn = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    for (name, page) in pages {
        fs::write(folder.path().join(name), page).unwrap();
    }
    Some(Site { folder, _turn: turn })
}

impl Site {
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn capturer(&self) -> ChromiumCapturer {
        self.capturer_with(options())
    }

    pub(crate) fn capturer_with(&self, options: ChromiumOptions) -> ChromiumCapturer {
        ChromiumCapturer::new(self.path(), options)
    }
}

/// A loaded machine takes its time.
pub(crate) fn options() -> ChromiumOptions {
    ChromiumOptions::default().with_load_limit(Duration::from_secs(90))
}

pub(crate) fn cx() -> Cx {
    Cx::new(Arc::new(SimulatedTime::new()), CancelToken::new())
}

pub(crate) fn name(text: &str) -> LabelName {
    LabelName::new(text).unwrap()
}

pub(crate) fn label(name: &str, source: &str, viewport: &str) -> Label {
    Label::new(self::name(name), source, viewport.parse().unwrap(), "unused")
}

pub(crate) fn try_capture(capturer: &ChromiumCapturer, labels: &[Label]) -> Result<Vec<Capture>, Fault> {
    let request = CaptureRequest::new(Snapshot::new([]), labels.into());
    block_on(capturer.capture(request, &cx()))
}

pub(crate) fn capture(capturer: &ChromiumCapturer, labels: &[Label]) -> Vec<Capture> {
    try_capture(capturer, labels).unwrap()
}

/// One label `page` of a source, shown as a screen.
pub(crate) fn capture_screen(
    site: &Site,
    source: &str,
    viewport: &str,
    screen: Screen,
) -> Result<Capture, Fault> {
    let capturer = site.capturer().with_screen(name("page"), screen);
    try_capture(&capturer, &[label("page", source, viewport)]).map(|mut captures| captures.remove(0))
}

pub(crate) fn png(capture: &Capture) -> &[u8] {
    match &capture.pixels {
        Pixels::Encoded(bytes) => bytes,
        other => panic!("expected a PNG, found {other:?}"),
    }
}

/// Width, height, and the pixels as RGB.
pub(crate) fn picture(capture: &Capture) -> (u32, u32, Vec<[u8; 3]>) {
    let frame = trueup_codec::decode(png(capture), &trueup_codec::Limits::default()).unwrap().frame;
    let (size, channels) = (frame.size(), frame.format().channels());
    let view = frame.view();
    let pixels = (0..size.height)
        .flat_map(|y| view.row(y).chunks_exact(channels).map(|p| [p[0], p[1], p[2]]).collect::<Vec<_>>());
    (size.width, size.height, pixels.collect())
}

pub(crate) fn element<'c>(capture: &'c Capture, selector: &str) -> &'c Element {
    let found = capture.elements.iter().find(|element| element.selector == selector);
    found.unwrap_or_else(|| {
        let all: Vec<&str> = capture.elements.iter().map(|element| element.selector.as_str()).collect();
        panic!("{selector} is not among {all:?}")
    })
}
