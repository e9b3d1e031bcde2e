//! How documents are rendered.

/// What is behind the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is a colour or there is none")]
pub enum Background {
    /// An opaque colour in sRGB: red, green, blue. The frame is [`Rgb8`](trueup_frame::PixelFormat::Rgb8).
    Color([u8; 3]),
    /// Nothing. The frame is [`Rgba8`](trueup_frame::PixelFormat::Rgba8) with
    /// [`Premultiplied`](trueup_frame::Alpha::Premultiplied) alpha, as the renderer makes it.
    Transparent,
}

/// How a [`Renderer`](crate::Renderer) renders.
///
/// ```
/// use trueup_capture_svg::{Background, Options};
///
/// let options = Options::default().with_background(Background::Transparent).with_max_pixels(4_000_000);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// What is behind the document. White by default: it is what a browser shows behind a page, what references are
    /// exported with, and it leaves no alpha in the frame that a comparison would have to interpret.
    pub background: Background,
    /// Font files (TrueType, OpenType or collections) beside the bundled ones. None by default. A family that is given
    /// here and bundled too is taken from here.
    pub fonts: Vec<Vec<u8>>,
    /// Family for text that names none, only generic ones, or only families that are not there.
    /// The bundled Noto Sans by default.
    pub default_family: Option<String>,
    /// Device pixels that a frame may have. 2^27 (134 megapixels, half a gigabyte) by default: ten screens of 4K at twice
    /// the pixel ratio fit twice over.
    pub max_pixels: u64,
}

impl Options {
    /// The same options with another background.
    #[must_use]
    pub fn with_background(self, background: Background) -> Self {
        Self { background, ..self }
    }

    /// The same options with one more font file.
    #[must_use]
    pub fn with_font(mut self, file: Vec<u8>) -> Self {
        self.fonts.push(file);
        self
    }

    /// The same options with another family for text that names none that is there.
    #[must_use]
    pub fn with_default_family(self, family: impl Into<String>) -> Self {
        Self { default_family: Some(family.into()), ..self }
    }

    /// The same options with another number of device pixels that a frame may have.
    #[must_use]
    pub fn with_max_pixels(self, max_pixels: u64) -> Self {
        Self { max_pixels, ..self }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            background: Background::Color([255; 3]),
            fonts: Vec::new(),
            default_family: None,
            max_pixels: 1 << 27,
        }
    }
}
