//! The public API on small documents.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

mod card;
mod custom_properties;
mod hostile;
mod layout;
mod pixels;
mod port;
mod text;

use trueup_capture_svg::{Options, RenderError, Rendered, Renderer};
use trueup_frame::{PixelRatio, Size};

/// A document with this content, 20×10.
fn svg(content: &str) -> String {
    format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10">{content}</svg>"#)
}

fn render(document: &str) -> Result<Rendered, RenderError> {
    Renderer::new(Options::default()).unwrap().render(document.as_bytes(), Size::new(20, 10), PixelRatio::ONE)
}

/// The colour of a pixel of the document, which has to be readable.
fn color_at(document: &str, x: usize, y: u32) -> [u8; 3] {
    let frame = render(document).unwrap().frame;
    frame.view().row(y)[3 * x..3 * x + 3].try_into().unwrap()
}
