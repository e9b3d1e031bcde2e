//! Judging again, by the same scan, what alignment and rules leave to be judged.

use trueup_frame::{ImageView, Rect, Size};

use crate::differ::diff;
use crate::{BitMask, Diff, DiffError, Mask, Options};

/// Compares an area of two images under options that speak of the whole ones. Regions come back in the places of the whole.
pub(crate) fn area(images: [&ImageView<'_>; 2], area: Rect, options: &Options) -> Result<Diff, DiffError> {
    let [expected, actual] = [images[0].crop(area)?, images[1].crop(area)?];
    let ignored = options.ignored.iter().filter_map(|mask| within(mask, area)).collect();
    let options = Options { ignored, boxes: Vec::new(), ..options.clone() };
    let mut found = diff(&expected, &actual, &options)?;
    found.regions.iter_mut().for_each(|region| region.shift(area.x, area.y));
    Ok(found)
}

/// A mask as it is seen from the corner of an area.
pub(crate) fn within(mask: &Mask, area: Rect) -> Option<Mask> {
    let size = Size::new(area.width, area.height);
    match mask {
        Mask::Rect(rect) => {
            let part = rect.intersection(area)?;
            Some(Rect::new(part.x - area.x, part.y - area.y, part.width, part.height).into())
        }
        Mask::Bits(bits) => Some(BitMask::from_fn(size, |x, y| bits.contains(area.x + x, area.y + y)).into()),
    }
}

/// The smallest rectangle within an image that holds a mask.
pub(crate) fn bounds(mask: &Mask, size: Size) -> Option<Rect> {
    match mask {
        Mask::Rect(rect) => rect.clipped_to(size),
        Mask::Bits(bits) => {
            let mut all: Option<Rect> = None;
            for y in 0..size.height.min(bits.size().height) {
                for x in (0..size.width.min(bits.size().width)).filter(|&x| bits.contains(x, y)) {
                    let pixel = Rect::new(x, y, 1, 1);
                    all = Some(all.map_or(pixel, |all| all.union(pixel)));
                }
            }
            all
        }
    }
}

/// What a mask leaves of its bounds, to be left out; none where it is a rectangle.
pub(crate) fn outside(mask: &Mask, size: Size) -> Option<Mask> {
    match mask {
        Mask::Rect(_) => None,
        Mask::Bits(bits) => Some(BitMask::from_fn(size, |x, y| !bits.contains(x, y)).into()),
    }
}

/// Whether a mask covers every pixel of a rectangle.
pub(crate) fn covers(mask: &Mask, rect: Rect) -> bool {
    match mask {
        Mask::Rect(mask) => mask.union(rect) == *mask,
        Mask::Bits(bits) => {
            (0..rect.height).all(|dy| (0..rect.width).all(|dx| bits.contains(rect.x + dx, rect.y + dy)))
        }
    }
}
