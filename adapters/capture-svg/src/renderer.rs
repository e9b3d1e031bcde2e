//! From a document to a frame.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{self, ImageHrefResolver, Tree};
use trueup_frame::{Alpha, Frame, PixelFormat, PixelRatio, Size};

use crate::boxes::{self, ElementBox};
use crate::document::{self, Prepared};
use crate::error::{Position, RenderError, RenderErrorKind};
use crate::fonts::Fonts;
use crate::note::Note;
use crate::options::{Background, Options};

/// Renders documents with one set of fonts and options. Making one reads the fonts; rendering shares it between threads
/// by reference.
pub struct Renderer {
    options: Options,
    fonts: Fonts,
}

/// A rendered document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rendered {
    /// The pixels of the viewport, in sRGB.
    pub frame: Frame,
    /// The boxes of all elements with an `id` that draw something, in drawing order, groups before their content.
    pub boxes: Vec<ElementBox>,
    /// What was done differently from what the document asks for. Empty for most documents.
    pub notes: Vec<Note>,
}

impl Renderer {
    /// A renderer with the bundled fonts and those of the options.
    ///
    /// # Errors
    /// [`BadFont`](RenderErrorKind::BadFont) when a font file cannot be read,
    /// [`UnknownFamily`](RenderErrorKind::UnknownFamily) when the default family is not among the fonts.
    pub fn new(options: Options) -> Result<Self, RenderError> {
        let fonts = Fonts::load(&options)?;
        Ok(Self { options, fonts })
    }

    /// Renders a document as a browser window of `viewport` CSS pixels shows it on a screen of this pixel ratio.
    ///
    /// The frame has `viewport` × `ratio` device pixels, rounded up. With a background colour it is
    /// [`Rgb8`](PixelFormat::Rgb8), otherwise [`Rgba8`](PixelFormat::Rgba8) with premultiplied alpha.
    ///
    /// This blocks the thread for as long as it takes; it cannot be cancelled.
    ///
    /// # Errors
    /// When the document is not well-formed SVG, uses a custom property that is not declared or another feature that
    /// cannot be rendered, refers to a picture outside of itself, or when the frame would be larger than allowed.
    /// [`RenderError::position`] says where.
    pub fn render(&self, svg: &[u8], viewport: Size, ratio: PixelRatio) -> Result<Rendered, RenderError> {
        if viewport.is_empty() {
            return Err(RenderErrorKind::EmptyViewport { viewport }.into());
        }
        let size = device_size(viewport, ratio);
        if size.area() > self.options.max_pixels {
            return Err(RenderErrorKind::TooManyPixels { size, limit: self.options.max_pixels }.into());
        }
        let Prepared { text, mut notes } = document::prepare(document::text(svg)?, Some(viewport))?;
        let tree = self.parse(&text, &mut notes)?;

        let too_large = || RenderError::from(RenderErrorKind::OutOfMemory { size });
        let mut pixels = Pixmap::new(size.width, size.height).ok_or_else(too_large)?;
        if let Background::Color([red, green, blue]) = self.options.background {
            pixels.fill(Color::from_rgba8(red, green, blue, 255));
        }
        // At most 16: exact in 32 bits for every ratio that screens have.
        let scale = ratio.thousandths() as f32 / 1000.0;
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());

        let frame = self.frame(pixels.take(), size).map_err(|error| too_large().because(error))?;
        let boxes = boxes::collect(tree.root(), ratio);
        Ok(Rendered { frame: frame.with_ratio(ratio), boxes, notes })
    }

    /// The size that a document gives itself, in CSS pixels, rounded up: its `width` and `height`, or its `viewBox`, or
    /// 300×150.
    ///
    /// # Errors
    /// When the document cannot be read, as [`render`](Self::render).
    pub fn natural_size(&self, svg: &[u8]) -> Result<Size, RenderError> {
        let Prepared { text, mut notes } = document::prepare(document::text(svg)?, None)?;
        let size = self.parse(&text, &mut notes)?.size();
        let whole = |side: f32| {
            // A positive number; larger ones are cut at the largest side.
            #[expect(clippy::cast_sign_loss, reason = "the renderer refuses sizes that are not positive")]
            let side = side.ceil() as u32;
            side
        };
        Ok(Size::new(whole(size.width()), whole(size.height())))
    }

    fn parse(&self, text: &str, notes: &mut Vec<Note>) -> Result<Tree, RenderError> {
        let substituted = Mutex::new(Vec::new());
        let options = usvg::Options {
            font_family: self.fonts.default_family.clone(),
            // A browser's medium.
            font_size: 16.0,
            image_href_resolver: ImageHrefResolver {
                resolve_data: ImageHrefResolver::default_data_resolver(),
                // Refused before; this keeps files closed whatever slips through.
                resolve_string: Box::new(|_, _| None),
            },
            font_resolver: self.fonts.resolver(&substituted),
            fontdb: self.fonts.database.clone(),
            ..usvg::Options::default()
        };
        let tree = Tree::from_str(text, &options).map_err(from_usvg)?;
        drop(options);
        notes.append(&mut substituted.into_inner().unwrap_or_else(PoisonError::into_inner));
        Ok(tree)
    }

    fn frame(&self, rgba: Vec<u8>, size: Size) -> Result<Frame, trueup_frame::ViewError> {
        match self.options.background {
            Background::Transparent => {
                Frame::new(rgba, size, PixelFormat::Rgba8)?.with_alpha(Alpha::Premultiplied)
            }
            // Over an opaque colour everything is opaque, so that the fourth sample says nothing.
            Background::Color(_) => {
                let rgb = rgba.as_chunks::<4>().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
                Frame::new(rgb, size, PixelFormat::Rgb8)
            }
        }
    }
}

impl fmt::Debug for Renderer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renderer")
            .field("background", &self.options.background)
            .field("default_family", &self.fonts.default_family)
            .field("max_pixels", &self.options.max_pixels)
            .finish_non_exhaustive()
    }
}

/// CSS pixels times the ratio, rounded up so that nothing is cut off; at most the largest side.
fn device_size(viewport: Size, ratio: PixelRatio) -> Size {
    let side = |css: u32| {
        let thousandths = u64::from(css) * u64::from(ratio.thousandths());
        u32::try_from(thousandths.div_ceil(1000)).unwrap_or(u32::MAX)
    };
    Size::new(side(viewport.width), side(viewport.height))
}

fn from_usvg(error: usvg::Error) -> RenderError {
    match error {
        usvg::Error::InvalidSize => RenderErrorKind::InvalidSize.into(),
        usvg::Error::ElementsLimitReached
        | usvg::Error::ParsingFailed(usvg::roxmltree::Error::NodesLimitReached) => {
            RenderErrorKind::TooManyElements.into()
        }
        // The document was parsed before, so that this is about the text with the values put in.
        usvg::Error::ParsingFailed(inner) => {
            let position = Position { line: inner.pos().row, column: inner.pos().col };
            let detail = format!("{inner} after custom properties were resolved");
            RenderError::from(RenderErrorKind::Malformed { detail }).at(position).because(inner)
        }
        other => RenderError::from(RenderErrorKind::Malformed { detail: other.to_string() }).because(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_sizes_round_up() {
        let ratio = |thousandths| PixelRatio::from_thousandths(thousandths).unwrap();
        assert_eq!(device_size(Size::new(101, 3), ratio(1_500)), Size::new(152, 5));
        assert_eq!(device_size(Size::new(1, 1), ratio(1)), Size::new(1, 1));
        assert_eq!(device_size(Size::new(u32::MAX, 1), ratio(2_000)), Size::new(u32::MAX, 2));
    }
}
