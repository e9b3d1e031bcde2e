//! A picture as a camera gives it: smooth areas under noise, 3840×2160.

use trueup_frame::{Rect, Size};

use crate::canvas::{Canvas, Rgb};
use crate::random::Random;

/// Areas that the second picture shows in other colours.
pub(crate) const EDITS: [Rect; 5] = [
    Rect::new(300, 200, 260, 180),
    Rect::new(1700, 420, 64, 64),
    Rect::new(2900, 900, 420, 90),
    Rect::new(640, 1500, 33, 301),
    Rect::new(3700, 2060, 100, 80),
];

pub(crate) fn photo() -> Canvas {
    let size = Size::new(3840, 2160);
    let mut canvas = Canvas::new(size, [0; 3]);
    let mut random = Random::new(4);
    canvas.map(Rect::of_size(size), |x, y, _| {
        let noise = random.next();
        // Two bits of noise per channel over slopes that stay below 200, so that there is room to get brighter.
        let sample = |slope: u32, shift: u32| (20 + slope + (noise >> shift & 7) as u32) as u8;
        [sample(x * 160 / 3840, 0), sample((x + y) * 150 / 6000, 8), sample(y * 160 / 2160, 16)]
    });
    canvas
}

/// A colour that differs from the given one in every channel, and to the eye.
pub(crate) fn tinted(color: Rgb) -> Rgb {
    [color[0].saturating_add(50), color[1] / 2, color[2].saturating_add(24)]
}

/// The picture under another exposure: every pixel is brighter by 12 to 27 in each channel, by its own noise.
pub(crate) fn brighter(canvas: &mut Canvas) {
    let mut random = Random::new(5);
    canvas.map(Rect::of_size(canvas.size()), |_, _, color| {
        let noise = random.next();
        std::array::from_fn(|i| color[i].saturating_add(12 + (noise >> (8 * i) & 15) as u8))
    });
}
