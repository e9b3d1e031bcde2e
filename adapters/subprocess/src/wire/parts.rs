//! What several requests have in common.

use std::path::Path;

use serde::{Deserialize, Serialize};
use trueup_frame::Rect;
use trueup_ports::{Capture, Element};
use trueup_score::Points;

/// A request: what is asked of which port, and the rest beside it.
#[derive(Debug, Serialize)]
pub(crate) struct Request<B> {
    schema: &'static str,
    port: &'static str,
    method: &'static str,
    #[serde(flatten)]
    body: B,
}

impl<B: Serialize> Request<B> {
    pub(crate) const fn new(port: &'static str, method: &'static str, body: B) -> Self {
        Self { schema: "trueup.request/1", port, method, body }
    }

    /// The request as one line of JSON.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(self)
            .unwrap_or_else(|error| unreachable!("a document of plain fields is always JSON: {error}"));
        bytes.push(b'\n');
        bytes
    }
}

/// A picture of one label.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CapturedLabel {
    label: String,
    /// The picture's file.
    file: String,
    elements: Vec<ElementDocument>,
}

impl CapturedLabel {
    pub(crate) fn new(capture: &Capture, file: &Path) -> Self {
        Self {
            label: capture.label.to_string(),
            file: file.display().to_string(),
            elements: capture.elements.iter().map(ElementDocument::of).collect(),
        }
    }
}

/// A thing on the screen that has a name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ElementDocument {
    pub(crate) selector: String,
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl ElementDocument {
    fn of(element: &Element) -> Self {
        let Rect { x, y, width, height } = element.area;
        Self { selector: element.selector.clone(), x, y, width, height }
    }

    pub(crate) fn element(self) -> Element {
        Element::new(self.selector, Rect::new(self.x, self.y, self.width, self.height))
    }
}

/// Points as a number, for programs that calculate; exact for every scale that people use.
#[expect(clippy::cast_precision_loss, reason = "for reading; nothing is decided by it")]
pub(crate) fn number(points: Points) -> f64 {
    points.micros() as f64 / 1e6
}
