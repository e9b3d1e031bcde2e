//! Pictures of a difference.

use trueup_contract::Color;
use trueup_frame::{Frame, ImageView, PixelFormat, Rect, Size};
use trueup_pixel_diff::{Diff, Region};

use crate::error::{CompareError, CompareErrorKind};
use crate::images::{both, next_pair};
use crate::rgba;
use crate::source::Source;

/// Pixels that differ inside an open region.
const DIFFERS: [u8; 3] = [225, 29, 72];
/// The line around an open region.
const OUTLINE: [u8; 3] = [190, 18, 60];
/// Pixels that only one image has.
const EXTRA: [u8; 3] = [253, 230, 138];
/// Pixels between a region and the line around it.
const MARGIN: u32 = 3;

/// A PNG that shows where two encoded images differ: the reference dimmed, what differs in open regions in red, a line
/// around each open region, and what only one image has in yellow.
///
/// # Errors
/// When an image cannot be read or the picture cannot be written.
pub fn diff_picture(expected: &[u8], actual: &[u8], diff: &Diff) -> Result<Vec<u8>, CompareError> {
    draw(&Source::Encoded(expected.into()), &Source::Encoded(actual.into()), diff)
}

pub(crate) fn draw(expected: &Source, actual: &Source, diff: &Diff) -> Result<Vec<u8>, CompareError> {
    let size = diff.expected_size().union(diff.actual_size());
    let mut canvas = Canvas::new(size);
    let open: Vec<Rect> = diff.open_regions().map(Region::rect).collect();
    let (mut left, mut right) = both(expected, actual)?;
    let (mut a, mut b) = (Vec::new(), Vec::new());
    while let Some((first, expected, actual)) = next_pair(&mut left, &mut right)? {
        for y in 0..expected.size().height {
            rgba::row(&expected, y, &mut a);
            rgba::row(&actual, y, &mut b);
            let touched: Vec<Rect> = open
                .iter()
                .copied()
                .filter(|rect| rect.y <= first + y && u64::from(first + y) < rect.bottom())
                .collect();
            for (x, (expected, actual)) in (0u32..).zip(a.iter().zip(&b)) {
                let differs = expected != actual && touched.iter().any(|rect| rect.contains(x, first + y));
                canvas.set(x, first + y, if differs { DIFFERS } else { dimmed(*expected) });
            }
        }
    }
    for rect in open {
        canvas.outline(rect);
    }
    canvas.encode()
}

/// A capture as a PNG, as it is.
pub(crate) fn plain(source: &Source) -> Result<Vec<u8>, CompareError> {
    match source {
        Source::Encoded(bytes) if bytes.starts_with(b"\x89PNG") => Ok(bytes.to_vec()),
        Source::Frame(frame) => encode(&frame.view()),
        Source::Encoded(bytes) => {
            let decoded = trueup_codec::decode(bytes, &trueup_codec::Limits::default());
            let decoded = decoded.map_err(|error| CompareError::new(CompareErrorKind::Actual(error)))?;
            encode(&decoded.frame.view())
        }
    }
}

fn encode(view: &ImageView<'_>) -> Result<Vec<u8>, CompareError> {
    trueup_codec::encode_png(view).map_err(|error| CompareError::new(CompareErrorKind::Picture(error)))
}

/// The colour as a pale grey: dark things stay visible, and nothing competes with what differs.
fn dimmed(color: Color) -> [u8; 3] {
    let [red, green, blue] = rgba::over_white(color).map(u32::from);
    let luma = (red * 77 + green * 150 + blue * 29) >> 8;
    [u8::try_from(255 - (255 - luma.min(255)) * 2 / 5).unwrap_or(u8::MAX); 3]
}

struct Canvas {
    size: Size,
    pixels: Vec<u8>,
}

impl Canvas {
    fn new(size: Size) -> Self {
        Self { size, pixels: EXTRA.repeat(size.width as usize * size.height as usize) }
    }

    fn set(&mut self, x: u32, y: u32, color: [u8; 3]) {
        if x < self.size.width && y < self.size.height {
            let at = (y as usize * self.size.width as usize + x as usize) * 3;
            self.pixels[at..at + 3].copy_from_slice(&color);
        }
    }

    fn outline(&mut self, rect: Rect) {
        let (left, top) = (rect.x.saturating_sub(MARGIN), rect.y.saturating_sub(MARGIN));
        let edge = |end: u64, side: u32| {
            u32::try_from(end + u64::from(MARGIN) - 1).unwrap_or(u32::MAX).min(side.saturating_sub(1))
        };
        let (right, bottom) = (edge(rect.right(), self.size.width), edge(rect.bottom(), self.size.height));
        for x in left..=right {
            self.set(x, top, OUTLINE);
            self.set(x, bottom, OUTLINE);
        }
        for y in top..=bottom {
            self.set(left, y, OUTLINE);
            self.set(right, y, OUTLINE);
        }
    }

    fn encode(self) -> Result<Vec<u8>, CompareError> {
        let frame = Frame::new(self.pixels, self.size, PixelFormat::Rgb8)
            .unwrap_or_else(|error| unreachable!("a canvas is exactly its pixels: {error}"));
        encode(&frame.view())
    }
}
