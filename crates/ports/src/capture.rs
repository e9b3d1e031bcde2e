//! Rendering.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use trueup_contract::{Label, LabelName};
use trueup_frame::{Frame, Rect};

use crate::{Cx, Fault, Snapshot};

/// Render these labels.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CaptureRequest {
    /// What is rendered. The artifact is in this state, too, unless the capturer reads snapshots.
    pub snapshot: Snapshot,
    /// The labels that can be compared, in the plan's order.
    pub labels: Arc<[Label]>,
}

impl CaptureRequest {
    /// Render `labels` of the content of `snapshot`.
    #[must_use]
    pub fn new(snapshot: Snapshot, labels: Arc<[Label]>) -> Self {
        Self { snapshot, labels }
    }
}

/// The pixels of a capture.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Pixels {
    /// An encoded image, such as a PNG.
    Encoded(Arc<[u8]>),
    /// Decoded pixels.
    Frame(Arc<Frame>),
}

/// A thing on the screen that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Element {
    /// A selector or id that finds it in its source.
    pub selector: String,
    /// Where it is, in device pixels.
    pub area: Rect,
    /// What it looks like: computed styles by property, where they were asked for.
    pub styles: Vec<(String, String)>,
    /// Its own text, without that of elements in it, where it was asked for.
    pub text: Option<String>,
}

impl Element {
    /// The element that `selector` finds, at `area`.
    #[must_use]
    pub fn new(selector: impl Into<String>, area: Rect) -> Self {
        Self { selector: selector.into(), area, styles: Vec::new(), text: None }
    }

    /// The element that a changed area is put down to: the smallest of those that hold three quarters of it, the innermost of
    /// those of one size. An element that grew or moved holds most of what changed, and not all. Elements stand in the order of
    /// the document; `None` where none holds so much.
    #[must_use]
    pub fn tightest(elements: &[Self], area: Rect) -> Option<&Self> {
        let holds = |element: &&Self| {
            let held = element.area.intersection(area).map_or(0, |held| held.area());
            4 * u128::from(held) >= 3 * u128::from(area.area())
        };
        elements.iter().rev().filter(holds).min_by_key(|element| element.area.area())
    }

    /// The element with its computed styles and its own text.
    #[must_use]
    pub fn with_look(self, styles: Vec<(String, String)>, text: Option<String>) -> Self {
        Self { styles, text, ..self }
    }
}

/// What was rendered for one label.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Capture {
    /// The label.
    pub label: LabelName,
    /// Its pixels.
    pub pixels: Pixels,
    /// The elements in it, where the source knows them.
    pub elements: Vec<Element>,
    /// Areas that are not to be compared, in device pixels: they are where an element is that was to be left out.
    pub masked: Vec<Rect>,
}

impl Capture {
    /// A capture without elements.
    #[must_use]
    pub const fn new(label: LabelName, pixels: Pixels) -> Self {
        Self { label, pixels, elements: Vec::new(), masked: Vec::new() }
    }

    /// The capture with areas that are not to be compared.
    #[must_use]
    pub fn with_masked(self, masked: Vec<Rect>) -> Self {
        Self { masked, ..self }
    }

    /// The capture with the elements in it.
    #[must_use]
    pub fn with_elements(self, elements: Vec<Element>) -> Self {
        Self { elements, ..self }
    }
}

/// Where a capturer takes the content from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reads {
    /// From the request's snapshot: a trial then never touches the artifact.
    Snapshot,
    /// From the artifact itself, as a browser does that loads files.
    Artifact,
}

/// Renders the labels of a state.
///
/// # Contract
/// - One capture for each label of the request, in its order. A label that cannot be rendered is a fault: of kind
///   `Rejected` when the content is to blame, `Lost` when what renders is gone, `Unavailable` when it cannot work here.
/// - The same content gives the same pixels.
#[async_trait]
pub trait Capturer: fmt::Debug + Send + Sync + 'static {
    /// Where it takes the content from.
    fn reads(&self) -> Reads;

    /// Renders every label of the request.
    async fn capture(&self, request: CaptureRequest, cx: &Cx) -> Result<Vec<Capture>, Fault>;

    /// Has what renders show the present content; `restarts` is 0 to read it again, 1 to start what renders again, 2 to
    /// start everything from nothing.
    async fn recover(&self, restarts: u32, cx: &Cx) -> Result<(), Fault>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_put_down_to_the_tightest_element_that_holds_most_of_it() {
        let elements = [
            Element::new("html", Rect::new(0, 0, 100, 100)),
            Element::new("header", Rect::new(0, 0, 100, 40)),
            Element::new("header > h1", Rect::new(0, 0, 100, 40)),
            Element::new("p", Rect::new(0, 50, 20, 20)),
        ];
        let named = |area| Element::tightest(&elements, area).map(|element| element.selector.as_str());
        assert_eq!(named(Rect::new(10, 10, 5, 5)), Some("header > h1"), "the innermost of one size");
        assert_eq!(
            named(Rect::new(0, 0, 100, 50)),
            Some("header > h1"),
            "it grew by a fifth of what changed"
        );
        assert_eq!(named(Rect::new(0, 0, 100, 60)), Some("html"));
        assert_eq!(named(Rect::new(5, 55, 10, 10)), Some("p"));
        assert_eq!(named(Rect::new(200, 0, 10, 10)), None);
        assert_eq!(Element::tightest(&[], Rect::new(0, 0, 1, 1)), None);
    }
}
