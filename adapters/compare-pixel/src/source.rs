//! Images as bands of rows, whether they are decoded already or not.

use std::sync::Arc;

use trueup_codec::{CodecError, Header, Input, Limits, Rows};
use trueup_frame::{Frame, ImageView, Rect, Size};
use trueup_pixel_diff::Layout;
use trueup_ports::Pixels;

/// Pixels of an image that are decoded and judged at a time. Bands of both images, of which one is judged while others are
/// decoded, stay in the cache of a core; to hand over fewer would take longer than to decode them.
const BAND_PIXELS: u32 = 96 << 10;

/// Rows of a band at most.
const MOST_BAND_ROWS: u32 = 64;

/// Rows that are decoded and judged at a time, of an image that is so wide.
pub(crate) fn band_rows(width: u32) -> u32 {
    (BAND_PIXELS / width.max(1)).clamp(1, MOST_BAND_ROWS)
}

/// An image that is kept.
#[derive(Clone, Debug)]
pub(crate) enum Kept {
    Frame(Arc<Frame>),
    Encoded(Arc<[u8]>),
}

impl Kept {
    /// The image of a capture; `None` for a kind of pixels that is not known here.
    pub(crate) fn of(pixels: &Pixels) -> Option<Self> {
        match pixels {
            Pixels::Frame(frame) => Some(Self::Frame(Arc::clone(frame))),
            Pixels::Encoded(bytes) => Some(Self::Encoded(Arc::clone(bytes))),
            _ => None,
        }
    }

    pub(crate) fn source(&self) -> Source<'_> {
        match self {
            Self::Frame(frame) => Source::Frame(frame.view()),
            Self::Encoded(bytes) => Source::Encoded(Input::Memory(bytes)),
        }
    }
}

/// An image that can be read from the top as often as one likes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    Frame(ImageView<'a>),
    Encoded(Input<'a>),
}

impl<'a> Source<'a> {
    pub(crate) fn open(self) -> Result<Bands<'a>, CodecError> {
        Ok(match self {
            Self::Frame(view) => Bands::Frame { view, next: 0 },
            Self::Encoded(input) => Bands::Rows(trueup_codec::open(input, &Limits::default())?),
        })
    }

    /// Its size, if that takes no decoding.
    pub(crate) fn size(self) -> Option<Size> {
        match self {
            Self::Frame(view) => Some(view.size()),
            Self::Encoded(input) => input.png_size(),
        }
    }

    /// All of it, decoded.
    pub(crate) fn whole(self) -> Result<Whole<'a>, CodecError> {
        Ok(match self {
            Self::Frame(view) => Whole::Lent(view),
            Self::Encoded(input) => {
                Whole::Decoded(Box::new(trueup_codec::decode(input, &Limits::default())?.frame))
            }
        })
    }
}

/// A decoded image.
pub(crate) enum Whole<'a> {
    Lent(ImageView<'a>),
    Decoded(Box<Frame>),
}

impl Whole<'_> {
    pub(crate) fn view(&self) -> ImageView<'_> {
        match self {
            Self::Lent(view) => *view,
            Self::Decoded(frame) => frame.view(),
        }
    }
}

/// An image that is being read.
#[derive(Debug)]
pub(crate) enum Bands<'a> {
    Frame { view: ImageView<'a>, next: u32 },
    Rows(Rows<'a>),
}

impl Bands<'_> {
    pub(crate) fn size(&self) -> Size {
        match self {
            Self::Frame { view, .. } => view.size(),
            Self::Rows(rows) => rows.header().size,
        }
    }

    pub(crate) fn layout(&self) -> Layout {
        match self {
            Self::Frame { view, .. } => Layout::of(view),
            Self::Rows(rows) => layout(rows.header()),
        }
    }

    /// Rows that were given out.
    pub(crate) fn given(&self) -> u32 {
        match self {
            Self::Frame { next, .. } => *next,
            Self::Rows(rows) => rows.header().size.height - rows.rows_left(),
        }
    }

    /// The next `rows` rows, or fewer at the end; `None` after the last.
    pub(crate) fn next(&mut self, rows: u32) -> Result<Option<ImageView<'_>>, CodecError> {
        match self {
            Self::Frame { view, next } => {
                let first = *next;
                let rows = rows.min(view.size().height - first);
                *next += rows;
                // The rows lie inside the image, so the crop cannot fail.
                let band = view.crop(Rect::new(0, first, view.size().width, rows)).ok();
                Ok(band.filter(|_| rows > 0))
            }
            Self::Rows(source) => Ok(source.next_band(rows)?.map(|band| band.view())),
        }
    }

    /// Reads what is left, so that damage in it is found.
    pub(crate) fn drain(&mut self) -> Result<(), CodecError> {
        while self.next(MOST_BAND_ROWS)?.is_some() {}
        Ok(())
    }
}

/// How the rows of a file are laid out.
pub(crate) fn layout(header: &Header) -> Layout {
    let layout = Layout::new(header.size, header.format).with_color(header.color);
    // A decoder names an alpha that its format has.
    layout.with_alpha(header.alpha).unwrap_or(layout)
}
