//! What a part of a picture looks like, in 64 bits.

use trueup_frame::Rect;

use crate::relate::Plane;

/// Fields along each side: 49 bits of the 64.
const FIELDS: u32 = 7;

/// Bits of the mean of each of three samples: the other 15.
const COLOR_BITS: u32 = 5;

/// Pixels along each side of a field that are looked at.
const SAMPLES: u32 = 8;

/// Which of seven by seven fields are lighter than their mean, and the mean colour. What shows the same gives the same bits; a
/// few pixels more or less at an edge, or a step of colour, change few of them.
pub(crate) fn look(plane: &Plane<'_>, area: Rect) -> u64 {
    if (area.width, area.height) == (1, 1) {
        // All fields are that pixel, and there may be very many of them.
        let [r, g, b, _] = plane.at(area.x, area.y).to_le_bytes().map(u64::from);
        return with_color(0, [r, g, b]);
    }
    look_by_fields(plane, area)
}

fn look_by_fields(plane: &Plane<'_>, area: Rect) -> u64 {
    let mut means = [0_u64; (FIELDS * FIELDS) as usize];
    let mut colors = [0_u64; 3];
    let mut pixels = 0;
    for (index, mean) in (0..).zip(&mut means) {
        let (x, width) = field(area.x, area.width, index % FIELDS);
        let (y, height) = field(area.y, area.height, index / FIELDS);
        let step = |len: u32| len.div_ceil(SAMPLES).max(1) as usize;
        let (mut sum, mut count) = (0_u64, 0_u64);
        for row in (y..y + height).step_by(step(height)) {
            for column in (x..x + width).step_by(step(width)) {
                let [r, g, b, _] = plane.at(column, row).to_le_bytes().map(u64::from);
                // Luma in thousandths.
                (sum, count) = (sum + 299 * r + 587 * g + 114 * b, count + 1);
                colors = [colors[0] + r, colors[1] + g, colors[2] + b];
            }
        }
        pixels += count;
        *mean = sum / count.max(1);
    }
    let all: u64 = means.iter().sum();
    let lighter = means.iter().map(|mean| mean * u64::from(FIELDS * FIELDS) > all);
    let shape = lighter.fold(0, |bits, is_lighter| bits << 1 | u64::from(is_lighter));
    with_color(shape, colors.map(|sum| sum / u64::max(pixels, 1)))
}

/// Adds a mean colour to a shape.
fn with_color(shape: u64, color: [u64; 3]) -> u64 {
    color.iter().fold(shape, |bits, sample| {
        let level = sample >> (8 - COLOR_BITS);
        // In Gray code, neighbours differ by one bit.
        bits << COLOR_BITS | (level ^ level >> 1)
    })
}

/// First pixel and pixels of one of the fields of a side.
fn field(at: u32, len: u32, index: u32) -> (u32, u32) {
    let edge = |index: u32| (u64::from(len) * u64::from(index) / u64::from(FIELDS)) as u32;
    let start = edge(index).min(len.saturating_sub(1));
    (at + start, (edge(index + 1).saturating_sub(start)).max(1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trueup_frame::{ImageView, PixelFormat, Size};

    use super::*;

    proptest! {
        #[test]
        fn one_pixel_looks_as_its_fields_do(pixel: [u8; 4]) {
            let view = ImageView::packed(&pixel, Size::new(1, 1), PixelFormat::Rgba8).unwrap();
            let [plane, _] = Plane::both(&view, &view).unwrap();
            let area = Rect::new(0, 0, 1, 1);
            prop_assert_eq!(look(&plane, area), look_by_fields(&plane, area));
        }
    }
}
