//! What moved, came and went, as regions.

use trueup_frame::{Frame, ImageView, Rect};

use super::flow::{Band, Fate, Piece, Shift};
use super::moves::Move;
use super::plane::Plane;
use super::rescan;
use crate::mask::Masks;
use crate::region::Place;
use crate::{DeltaE, Diff, DiffError, Excuse, Mask, Options, Region, RegionKind, Side};

/// Pixels of what moved that are counted in place at most; beyond, the regions of the plain comparison stand for them.
const COUNTED_PX: u64 = 1 << 20;

/// The region of a band, unless masks cover all of it.
pub(crate) fn of_band(band: &Band, masks: &Masks) -> Option<Region> {
    let pixels = band.rect.area() - masks.covered(band.rect);
    let (kind, place) = match band.side {
        Side::Expected => (RegionKind::Removed, Place::Reference),
        Side::Actual => (RegionKind::Added, Place::New),
    };
    let excuse = match band.fate {
        Fate::Open => None,
        Fate::Margin => Some(Excuse::Consequence),
        Fate::Left => Some(Excuse::Consequence),
    };
    // As much as pixels count that only one image has.
    let whole = DeltaE::from_raw(100 * DeltaE::SCALE);
    (pixels > 0).then(|| {
        let region = Region::structural(kind, band.rect, place, pixels, [whole; 2]);
        region.with_spacing(band.is_spacing).with_excuse(excuse)
    })
}

/// The region of something that stands elsewhere: the pixels that differ where it stands now.
pub(crate) fn of_shift(
    shift: &Shift,
    raw: &Diff,
    planes: [&Plane<'_>; 2],
    images: [&ImageView<'_>; 2],
    options: &Options,
) -> Result<Option<Region>, DiffError> {
    let Piece { to, from } = shift.piece;
    let shared = raw.expected_size().intersection(raw.actual_size());
    let Some(area) = to.clipped_to(shared) else { return Ok(None) };
    let inside = |rect: Rect| rect.intersection(area);
    let (rect, pixels, sum, max) = if area.area() <= COUNTED_PX {
        let found = rescan::area(images, area, options)?;
        let rect = found.regions().iter().map(Region::rect).reduce(Rect::union);
        (rect, found.differing_pixels(), found.delta_e_sum(), found.max_delta_e())
    } else {
        let parts = || raw.regions().iter().filter(|region| inside(region.rect()).is_some());
        let rect = parts().filter_map(|region| inside(region.rect())).reduce(Rect::union);
        let sum = parts().map(Region::delta_e_sum).sum();
        let max = parts().map(Region::max_delta_e).max().unwrap_or(DeltaE::ZERO);
        (rect, parts().map(Region::pixels).sum(), sum, max)
    };
    let Some(rect) = rect.filter(|_| pixels > 0) else { return Ok(None) };
    let rect = trimmed(planes[1], reached(planes, &shift.piece, area, rect));
    let excuse = (!shift.is_cause).then_some(Excuse::Consequence);
    let place = Place::From([from[0] + (rect.x - to.x), from[1] + (rect.y - to.y)]);
    let mean = DeltaE::from_raw(u32::try_from(sum / pixels).unwrap_or(u32::MAX));
    let region = Region::structural(RegionKind::Moved, rect, place, pixels, [mean, max]);
    Ok(Some(region.with_delta_e_sum(sum).with_excuse(excuse)))
}

/// The box of what differs where something stands now, with as much of the thing as shows the same as before because it stood
/// there, too: what differs where it was and where it is, both, begins its distance before it.
fn reached(planes: [&Plane<'_>; 2], piece: &Piece, area: Rect, rect: Rect) -> Rect {
    let shared = Rect::of_size(planes[0].size().intersection(planes[1].size()));
    let left = piece.source().intersection(shared).and_then(|was| differing(planes, was));
    let all = left.map_or(rect, |left| left.union(rect));
    let side = |[at, end]: [u32; 2], [first, last]: [u32; 2], bounds: [u32; 2], by: i64| {
        let moved = |at: u32| u32::try_from((i64::from(at) + by).max(0)).unwrap_or(u32::MAX);
        match by.signum() {
            1 => [at.min(moved(first).max(bounds[0])), end],
            -1 => [at, end.max(moved(last).min(bounds[1]))],
            _ => [at, end],
        }
    };
    let ends = |rect: Rect| [[rect.x, rect.x + rect.width], [rect.y, rect.y + rect.height]];
    let ([across, down], [all_across, all_down], [columns, rows]) = (ends(rect), ends(all), ends(area));
    let [dx, dy] = piece.vector();
    let [left, right] = side(across, all_across, columns, dx);
    let [top, bottom] = side(down, all_down, rows, dy);
    Rect::new(left, top, right - left, bottom - top)
}

/// The smallest box of an area of both images that holds all pixels of it that differ in place.
fn differing([e, a]: [&Plane<'_>; 2], area: Rect) -> Option<Rect> {
    let rows = (area.y..area.y + area.height).filter_map(|y| {
        if e.is_same([area.x, y], a, [area.x, y], area.width) {
            return None;
        }
        let differs = |&x: &u32| e.at(x, y) != a.at(x, y);
        let first = (area.x..area.x + area.width).find(differs)?;
        let last = (first..area.x + area.width).rfind(differs)?;
        Some(Rect::new(first, y, last - first + 1, 1))
    });
    rows.reduce(Rect::union)
}

/// A box without the lines at its edges that show the ground around it: what moved away from there is not there now.
fn trimmed(plane: &Plane<'_>, mut rect: Rect) -> Rect {
    // The color of some pixels in a line, if it is one.
    let color = |x: u32, y: u32, width: u32, height: u32| {
        plane.is_one_color(Rect::new(x, y, width, height)).then(|| plane.at(x, y))
    };
    let size = plane.size();
    loop {
        let Rect { x, y, width, height } = rect;
        let (right, bottom) = (x + width, y + height);
        let like = |inner: Option<u32>, outer: Option<u32>| inner.is_some() && inner == outer;
        if width < 2 || height < 2 {
            return rect;
        } else if y > 0 && like(color(x, y, width, 1), color(x, y - 1, width, 1)) {
            (rect.y, rect.height) = (y + 1, height - 1);
        } else if bottom < size.height && like(color(x, bottom - 1, width, 1), color(x, bottom, width, 1)) {
            rect.height -= 1;
        } else if x > 0 && like(color(x, y, 1, height), color(x - 1, y, 1, height)) {
            (rect.x, rect.width) = (x + 1, width - 1);
        } else if right < size.width && like(color(right - 1, y, 1, height), color(right, y, 1, height)) {
            rect.width -= 1;
        } else {
            return rect;
        }
    }
}

/// What a thing that moved covers, as far as it is nowhere else: regions of kind removed.
pub(crate) fn covered(
    found: &Move,
    sources: &[Rect],
    expected: &ImageView<'_>,
    options: &Options,
) -> Result<Vec<Region>, DiffError> {
    let Some((under, [x, y])) = found.covers else { return Ok(Vec::new()) };
    let per_pixel = expected.format().bytes_per_pixel();
    let ground = &expected.row(y)[x as usize * per_pixel..][..per_pixel];
    let crop = expected.crop(under)?;
    let flat = ground.repeat(under.width as usize * under.height as usize);
    let flat = Frame::new(flat, crop.size(), expected.format())?;
    let flat = flat.with_alpha(expected.alpha())?.with_color(expected.color());
    // What went elsewhere is not gone.
    let elsewhere = sources.iter().copied().map(Mask::Rect);
    let masks = options.ignored.iter().cloned().chain(elsewhere);
    let ignored = masks.filter_map(|mask| rescan::within(&mask, under)).collect();
    let options = Options { ignored, boxes: Vec::new(), ..options.clone() };
    let gone = crate::diff(&crop, &flat.view(), &options)?;
    let removed = gone.regions.into_iter().filter(Region::is_open);
    Ok(removed
        .map(|mut region| {
            region.shift(under.x, under.y);
            region.with_kind(RegionKind::Removed, Place::Reference)
        })
        .collect())
}
