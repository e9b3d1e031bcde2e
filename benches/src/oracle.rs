//! Answers that are worked out the slow way, to hold fast ones against.

use trueup_frame::{Rect, Size};

use crate::canvas::{Canvas, Rgb};

/// How many pixels have another value.
#[must_use]
pub fn differing_pixels(expected: &Canvas, actual: &Canvas) -> u64 {
    pixels(expected).iter().zip(pixels(actual)).filter(|(a, b)| a != b).count() as u64
}

/// The smallest rectangle around the pixels inside `within` that have another value; `None` when none has.
pub(crate) fn differing_box(expected: &Canvas, actual: &Canvas, within: Rect) -> Option<Rect> {
    let within = within.clipped_to(expected.size())?;
    let width = expected.size().width as usize;
    let (a, b) = (pixels(expected), pixels(actual));
    let mut found: Option<Rect> = None;
    for y in within.y..within.y + within.height {
        for x in within.x..within.x + within.width {
            let at = y as usize * width + x as usize;
            if a[at] != b[at] {
                let pixel = Rect::new(x, y, 1, 1);
                found = Some(found.map_or(pixel, |found| found.union(pixel)));
            }
        }
    }
    found
}

/// How many pixels differ by more than a threshold (0 to 1) in the YIQ distance of Kotsarenko and Ramos, which
/// pixelmatch 7 and its descendants compute. Antialiased pixels count.
#[must_use]
pub fn yiq_pixels(expected: &Canvas, actual: &Canvas, threshold: f64) -> u64 {
    const MAX_DELTA: f64 = 35215.0;
    let limit = MAX_DELTA * threshold * threshold;
    let visible = |(&a, &b): (&Rgb, &Rgb)| a != b && yiq(a, b) > limit;
    pixels(expected).iter().zip(pixels(actual)).filter(|&pair| visible(pair)).count() as u64
}

fn yiq(a: Rgb, b: Rgb) -> f64 {
    let [r, g, b]: [f64; 3] = std::array::from_fn(|i| f64::from(a[i]) - f64::from(b[i]));
    let y = 0.298_895_31 * r + 0.586_622_47 * g + 0.114_482_23 * b;
    let i = 0.595_977_99 * r - 0.274_176_10 * g - 0.321_801_89 * b;
    let q = 0.211_470_17 * r - 0.522_617_11 * g + 0.311_146_94 * b;
    0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q
}

fn pixels(canvas: &Canvas) -> &[Rgb] {
    debug_assert_ne!(canvas.size(), Size::default());
    canvas.rgb().as_chunks::<3>().0
}
