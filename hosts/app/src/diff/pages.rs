//! Comparing pages, or a page with a picture: what differs, and which elements changed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use trueup_compare_pixel::DiffDocument;
use trueup_frame::Rect;
use trueup_ports::{CancelToken, Element};

use super::elements::{ChangedElementDocument, changed};
use super::files::{DiffRequest, compare, document, exit_code, overwrites_no_image, read, rules};
use crate::error::AppError;
use crate::progress::Told;

/// How pages are shown that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageView {
    /// `WIDTHxHEIGHT` in CSS pixels, `1280x720` by default; pages are captured to their ends.
    pub viewport: String,
    /// `light` or `dark`; what pages take for the default where there is none.
    pub theme: Option<String>,
    /// The browser's file or name; looked for by default.
    pub browser: Option<PathBuf>,
}

impl Default for PageView {
    fn default() -> Self {
        Self { viewport: "1280x720".to_owned(), theme: None, browser: None }
    }
}

/// What a comparison of pages found, as a JSON document.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PageDiffDocument {
    /// `trueup.page-diff/1`.
    pub schema: &'static str,
    /// That of the pictures: `pass`, `fail` or `undetermined`.
    pub status: &'static str,
    /// The first page or picture.
    pub expected: String,
    /// The second page or picture.
    pub actual: String,
    /// How large pages were shown.
    pub viewport: String,
    /// In which theme.
    pub theme: Option<String>,
    /// The elements that changed, where both are pages.
    pub elements: Vec<ChangedElementDocument>,
    /// How many elements are elsewhere, or of another size, without a change of their own.
    pub moved_elements: usize,
    /// What differs in the pictures, as `trueup.diff/1`; a region's element is the tightest one that holds most of it.
    pub diff: DiffDocument,
}

/// What a comparison of pages came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PageDiffOutcome {
    /// The document.
    pub document: PageDiffDocument,
    /// The exit code: 0 pass, 1 fail, 3 when there was nothing to compare.
    pub exit_code: u8,
}

/// Whether a browser shows it: an address, or a file that is called a page.
#[must_use]
pub fn is_page(path: &Path) -> bool {
    let named = path.extension().is_some_and(|extension| {
        ["html", "htm", "xhtml"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    });
    named || path.to_str().is_some_and(|text| text.contains("://"))
}

/// One side of a comparison.
struct Side {
    picture: Arc<[u8]>,
    /// What is known of a page; nothing of a picture.
    elements: Option<Vec<Element>>,
}

/// Compares two pages, or a page and a picture. `told` hears of every page that is captured.
///
/// # Errors
/// When there is no browser, a page cannot be captured, or a file cannot be used.
pub fn diff_pages(
    request: &DiffRequest,
    view: &PageView,
    cancel: CancelToken,
    told: &Told,
) -> Result<PageDiffOutcome, AppError> {
    overwrites_no_image(request)?;
    let rules = rules(request)?;
    let sources = [&request.expected, &request.actual];
    let pages: Vec<String> =
        sources.iter().filter(|path| is_page(path)).map(|path| path.to_string_lossy().into_owned()).collect();
    let mut shown = show::pages(&pages, view, cancel, told)?.into_iter();
    let mut side = |path: &Path| -> Result<Side, AppError> {
        match is_page(path).then(|| shown.next()).flatten() {
            Some(side) => Ok(side),
            None => Ok(Side { picture: read(path)?.into(), elements: None }),
        }
    };
    let (expected, actual) = (side(&request.expected)?, side(&request.actual)?);
    let diff = compare(request, &rules, (&*expected.picture).into(), (&*actual.picture).into())?;
    let mut document = document(request, &rules, &diff);
    // Where something came, only the second page has it; where something went, only the first.
    for region in &mut document.regions {
        let area = Rect::new(region.x, region.y, region.width, region.height);
        let known = [&actual.elements, &expected.elements];
        let mut tightest = known.iter().filter_map(|elements| Element::tightest(elements.as_deref()?, area));
        let found = if region.kind == "removed" { tightest.next_back() } else { tightest.next() };
        if let Some(found) = found {
            region.element = Some(found.selector.clone());
        }
    }
    let (elements, moved_elements) = match (&expected.elements, &actual.elements) {
        (Some(expected), Some(actual)) => changed(expected, actual),
        _ => (Vec::new(), 0),
    };
    let exit_code = exit_code(&document);
    let document = PageDiffDocument {
        schema: "trueup.page-diff/1",
        status: document.status,
        expected: request.expected.display().to_string(),
        actual: request.actual.display().to_string(),
        viewport: view.viewport.clone(),
        theme: view.theme.clone(),
        elements,
        moved_elements,
        diff: document,
    };
    Ok(PageDiffOutcome { document, exit_code })
}

#[cfg(feature = "browser")]
mod show {
    use std::sync::Arc;

    use trueup_capture_chromium::{Area, ChromiumCapturer, ChromiumOptions, Screen};
    use trueup_contract::{Label, LabelName, Viewport};
    use trueup_ports::{CancelToken, CaptureRequest, Capturer, Cx, Fault, Pixels, Snapshot};

    use super::{PageView, Side};
    use crate::error::{AppError, AppErrorKind};
    use crate::progress::{Told, heard};
    use crate::runtime::TokioRuntime;

    /// Captures pages in one browser, each to its end.
    pub(super) fn pages(
        pages: &[String],
        view: &PageView,
        cancel: CancelToken,
        told: &Told,
    ) -> Result<Vec<Side>, AppError> {
        let bad = |_| AppError::new(AppErrorKind::BadViewport { text: view.viewport.clone() });
        let viewport: Viewport = view.viewport.parse().map_err(bad)?;
        let mut options = ChromiumOptions::default().with_styles();
        options.browser.clone_from(&view.browser);
        let mut capturer = ChromiumCapturer::new(".", options);
        let mut labels = Vec::new();
        for (page, name) in pages.iter().zip(["expected", "actual"]) {
            let name = LabelName::new(name).unwrap_or_else(|error| unreachable!("both are names: {error}"));
            capturer = capturer.with_screen(name.clone(), Screen::default().with_area(Area::FullPage));
            let label = Label::new(name, page.as_str(), viewport, "");
            labels.push(match &view.theme {
                Some(theme) => label.with_theme(theme.as_str()),
                None => label,
            });
        }
        let cx = Cx::new(Arc::new(TokioRuntime::new()), cancel);
        let cx = heard(&cx, "page", labels.len(), told);
        let request = CaptureRequest::new(Snapshot::new([]), labels.into());
        let captured = TokioRuntime::block_on(capturer.capture(request, &cx))
            .map_err(|error| AppError::new(AppErrorKind::Runtime(error)))?;
        let failed = |fault: Fault| AppError::new(AppErrorKind::Port { port: "capturer", fault });
        let sides = captured.map_err(failed)?.into_iter().map(|capture| match capture.pixels {
            Pixels::Encoded(picture) => Side { picture, elements: Some(capture.elements) },
            other => unreachable!("a browser gives encoded pictures, not {other:?}"),
        });
        Ok(sides.collect())
    }
}

#[cfg(not(feature = "browser"))]
mod show {
    use trueup_ports::CancelToken;

    use super::{PageView, Side};
    use crate::error::{AppError, AppErrorKind};
    use crate::progress::Told;

    pub(super) fn pages(
        pages: &[String],
        _: &PageView,
        _: CancelToken,
        _: &Told,
    ) -> Result<Vec<Side>, AppError> {
        match pages.first() {
            Some(page) => Err(AppError::new(AppErrorKind::NoBrowser { page: page.clone() })),
            None => Ok(Vec::new()),
        }
    }
}
