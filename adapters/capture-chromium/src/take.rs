//! One capture: a page is loaded, led along its route, brought to rest, and looked at until it looks the same twice.

use std::time::{Duration, Instant};

use trueup_codec::Limits;
use trueup_contract::Viewport;
use trueup_frame::{Frame, Rect, Size};
use trueup_pixel_diff::{Options, Tolerance, diff};
use trueup_ports::Element;

use crate::error::{BrowserError, BrowserErrorKind};
use crate::moved;
use crate::options::ChromiumOptions;
use crate::page::{Elements, PATIENCE, Page, ratio};
use crate::route::{Step, key};
use crate::screen::{Area, Screen};
use crate::session::Limit;

/// Pixels of a side that a browser draws at most.
const MAX_SIDE: f64 = 16_384.0;
/// How long it is waited between two looks at a page that moves.
const BREATH: Duration = Duration::from_millis(50);

/// What is captured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'w> {
    pub(crate) address: &'w str,
    pub(crate) viewport: Viewport,
    pub(crate) theme: Option<&'w str>,
    pub(crate) screen: &'w Screen,
}

/// What was captured.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) png: Vec<u8>,
    pub(crate) elements: Vec<Element>,
    pub(crate) masked: Vec<Rect>,
    /// Path, query and fragment of where the route led.
    pub(crate) place: String,
}

/// Captures a page.
pub(crate) fn take(
    page: &mut Page,
    wanted: Wanted<'_>,
    options: &ChromiumOptions,
    limit: Limit<'_>,
) -> Result<Taken, BrowserError> {
    let Wanted { viewport, screen, .. } = wanted;
    reach(page, wanted, limit)?;
    let whole = screen.area != Area::Viewport;
    let mut settled = page.settle(whole, limit)?;
    page.wait_for_requests(Duration::ZERO, limit)?;
    let ratio = ratio(viewport);
    let began = Instant::now();
    let mut elements = page.elements(options.styles, limit)?;
    let mut clip = clip(page, screen, [settled.width, settled.height], viewport, limit)?;
    let mut masked = masks(page, screen, &elements, clip, ratio, limit)?;
    let mut shown = Instant::now();
    let mut png = page.shoot(clip, limit)?;
    let mut is_first = true;
    while settled.can_change {
        // What scripts load after the page counts as the page, too; a page that never stops asking is taken as it is.
        page.wait_for_requests(options.quiet, limit)?;
        let is_complete = !is_first || page.watch().is_quiet_for(shown.elapsed());
        is_first = false;
        let again = page.shoot(clip, limit)?;
        if is_complete && is_same(&png, &again, &masked)? {
            break;
        }
        // Motion that a script has begun since is stopped as well; what then still moves is the page's own.
        settled = page.settle(whole && !is_complete, limit)?;
        let later = page.elements(options.styles, limit)?;
        if began.elapsed() >= options.settle_limit {
            let moved = name_moved(&elements, &later, [&png, &again], clip, ratio, &masked)?;
            let waited_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            return Err(BrowserError::new(BrowserErrorKind::Restless { moved, waited_ms }));
        }
        page.pause(BREATH, limit)?;
        elements = page.elements(options.styles, limit)?;
        clip = self::clip(page, screen, [settled.width, settled.height], viewport, limit)?;
        masked = masks(page, screen, &elements, clip, ratio, limit)?;
        shown = Instant::now();
        png = page.shoot(clip, limit)?;
    }
    let place = if screen.route.is_empty() { String::new() } else { page.place(limit)? };
    let size = trueup_codec::open(&png, &Limits::default()).map(|rows| rows.header().size).map_err(unread)?;
    let elements = seen(&elements, clip, ratio, size);
    Ok(Taken { png, elements, masked, place })
}

/// Loads a page and leads it along its route.
pub(crate) fn reach(page: &mut Page, wanted: Wanted<'_>, limit: Limit<'_>) -> Result<(), BrowserError> {
    let Wanted { address, viewport, theme, screen } = wanted;
    page.load(address, viewport, theme, limit)?;
    page.wait_for_requests(Duration::ZERO, limit)?;
    if let Some(selector) = &screen.wait {
        page.wait_for(selector, limit)?;
    }
    for (at, step) in screen.route.iter().enumerate() {
        follow(page, at + 1, step, limit)?;
        page.after(screen.settle, limit)?;
    }
    Ok(())
}

/// Does one step of a route.
fn follow(page: &mut Page, number: usize, step: &Step, limit: Limit<'_>) -> Result<(), BrowserError> {
    let missed = |why: String| BrowserError::new(BrowserErrorKind::MissedRoute { step: number, why });
    let find = |page: &mut Page, selector: &str, what: &str| {
        let always = matches!(step, Step::Scroll { .. });
        let reached = page.reach(selector, always, PATIENCE, limit)?;
        if !reached.is_there {
            return Err(missed(format!("no element {selector} to {what}")));
        }
        Ok(reached)
    };
    match step {
        Step::Scroll { selector } => find(page, selector, "scroll to").map(drop),
        Step::Click { selector } => {
            let reached = find(page, selector, "click")?;
            if !reached.is_free {
                let cover = reached
                    .cover
                    .map_or_else(|| "is out of view".to_owned(), |by| format!("is covered by {by}"));
                return Err(missed(format!("{selector} {cover} and cannot be clicked")));
            }
            page.click(reached.x, reached.y, limit)
        }
        Step::Type { selector, text } => {
            find(page, selector, "type into")?;
            if !page.focus(selector, limit)? {
                return Err(missed(format!("{selector} takes no text")));
            }
            page.insert(text, limit)
        }
        Step::Press { key: name } => {
            let (code, text) =
                key(name).ok_or_else(|| missed(format!("{name:?} is no key that can be pressed")))?;
            page.press(name, code, text, limit)
        }
    }
}

/// The clip of a screen's area in CSS pixels; none for the viewport.
fn clip(
    page: &mut Page,
    screen: &Screen,
    size: [f64; 2],
    viewport: Viewport,
    limit: Limit<'_>,
) -> Result<Option<[f64; 4]>, BrowserError> {
    let ratio = ratio(viewport);
    let area = match &screen.area {
        Area::Viewport => return Ok(None),
        Area::FullPage => {
            [0.0, 0.0, size[0].max(f64::from(viewport.width())), size[1].max(f64::from(viewport.height()))]
        }
        Area::Clip(area) => *area,
        Area::Element(selector) => {
            let found = page
                .boxes(selector, limit)?
                .into_iter()
                .find(|[.., width, height]| *width > 0.0 && *height > 0.0);
            found.ok_or_else(|| {
                let (selector, purpose) = (selector.clone(), "capture");
                BrowserError::new(BrowserErrorKind::NoElement { selector, purpose })
            })?
        }
    };
    // Whole device pixels, outwards: a browser would blend the edges of anything else.
    let [x, y, width, height] = area;
    let (left, top) = ((x * ratio).floor(), (y * ratio).floor());
    let (right, bottom) = (((x + width) * ratio).ceil(), ((y + height) * ratio).ceil());
    let (width, height) = (right - left, bottom - top);
    if width > MAX_SIDE || height > MAX_SIDE {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "for people; it saturates"
        )]
        let (width, height) = (width as u64, height as u64);
        return Err(BrowserError::new(BrowserErrorKind::TooLarge { width, height }));
    }
    Ok(Some([left / ratio, top / ratio, width / ratio, height / ratio]))
}

/// Where the elements are that are not compared, in device pixels of the capture.
fn masks(
    page: &mut Page,
    screen: &Screen,
    elements: &Elements,
    clip: Option<[f64; 4]>,
    ratio: f64,
    limit: Limit<'_>,
) -> Result<Vec<Rect>, BrowserError> {
    let origin = origin(elements, clip);
    let mut masked = Vec::new();
    for selector in &screen.masks {
        let boxes = page.boxes(selector, limit)?;
        masked.extend(boxes.into_iter().filter_map(|area| pixels(area, origin, ratio)));
    }
    Ok(masked)
}

/// What of the document the capture begins at, in CSS pixels.
fn origin(elements: &Elements, clip: Option<[f64; 4]>) -> [f64; 2] {
    clip.map_or(elements.scroll, |[x, y, ..]| [x, y])
}

/// A box of the document in device pixels of a capture, outwards; none where nothing of it is right of and below its origin.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to what fits, and it saturates"
)]
pub(crate) fn pixels([x, y, width, height]: [f64; 4], [left, top]: [f64; 2], ratio: f64) -> Option<Rect> {
    let edge = |value: f64| value.clamp(0.0, f64::from(u32::MAX)) as u32;
    let (x0, y0) = (edge(((x - left) * ratio).floor()), edge(((y - top) * ratio).floor()));
    let (x1, y1) = (edge(((x + width - left) * ratio).ceil()), edge(((y + height - top) * ratio).ceil()));
    (x1 > x0 && y1 > y0).then(|| Rect::new(x0, y0, x1 - x0, y1 - y0))
}

/// The elements that the capture shows something of.
fn seen(elements: &Elements, clip: Option<[f64; 4]>, ratio: f64, size: Size) -> Vec<Element> {
    let origin = origin(elements, clip);
    let shown = elements.elements.iter().filter_map(|found| {
        let area = pixels(found.area, origin, ratio)?.clipped_to(size)?;
        Some(Element::new(found.selector.clone(), area).with_look(found.styles.clone(), found.text.clone()))
    });
    shown.collect()
}

/// Whether two pictures show the same outside of what is masked.
fn is_same(one: &[u8], other: &[u8], masked: &[Rect]) -> Result<bool, BrowserError> {
    if one == other {
        return Ok(true);
    }
    if masked.is_empty() {
        return Ok(false);
    }
    Ok(changed(one, other, masked)?.is_empty())
}

/// Where two pictures differ outside of what is masked.
fn changed(one: &[u8], other: &[u8], masked: &[Rect]) -> Result<Vec<Rect>, BrowserError> {
    let (one, other) = (decode(one)?, decode(other)?);
    let options = Options::default().with_tolerance(Tolerance::default().with_strict(true));
    let options = masked.iter().fold(options, |options, area| options.with_ignored(*area));
    let found = diff(&one.view(), &other.view(), &options)
        .map_err(|error| BrowserError::refused("Page.captureScreenshot", error.to_string()))?;
    Ok(found.regions().iter().map(trueup_pixel_diff::Region::rect).collect())
}

fn decode(png: &[u8]) -> Result<Frame, BrowserError> {
    trueup_codec::decode(png, &Limits::default()).map(|decoded| decoded.frame).map_err(unread)
}

fn unread(error: trueup_codec::CodecError) -> BrowserError {
    BrowserError::refused("Page.captureScreenshot", error.to_string())
}

/// Selectors of what moved between two looks.
fn name_moved(
    before: &Elements,
    after: &Elements,
    [one, other]: [&[u8]; 2],
    clip: Option<[f64; 4]>,
    ratio: f64,
    masked: &[Rect],
) -> Result<Vec<String>, BrowserError> {
    let origin = origin(after, clip);
    let place = |area| pixels(area, origin, ratio);
    Ok(moved::names(before, after, &changed(one, other, masked)?, place))
}
