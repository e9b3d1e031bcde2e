//! Which values of a token are worth a trial, in which order.

use std::collections::BTreeMap;

use trueup_contract::{Color, Measurement};
use trueup_score::Points;

use crate::token::Bounds;

/// Colours that are tried for one token; the right one is nearly always among the first two.
const COLORS: usize = 6;

/// Steps to each side of the present value that are all tried, before the search becomes coarse.
const NEAR: i64 = 12;

/// Colours that the reference shows where the capture shows `now`, the most frequent first; then colours that would
/// explain blended edges of text.
pub(crate) fn colors(measured: &Measurement, now: Color) -> Vec<Color> {
    let mut direct: BTreeMap<Color, u64> = BTreeMap::new();
    let mut blended: BTreeMap<Color, u64> = BTreeMap::new();
    for region in measured.open_regions() {
        // What a text is drawn on is what most of its region's edge pixels are mixed with.
        let ground = region.swatches.iter().map(|swatch| swatch.expected).next();
        for swatch in &region.swatches {
            if swatch.actual == now {
                *direct.entry(swatch.expected).or_default() += swatch.pixels;
            } else if let Some(color) =
                ground.and_then(|ground| unblend(swatch.expected, swatch.actual, now, ground))
            {
                *blended.entry(color).or_default() += swatch.pixels;
            }
        }
    }
    let mut ordered = by_frequency(direct);
    ordered.extend(by_frequency(blended));
    let mut unique: Vec<Color> = Vec::new();
    for color in ordered {
        if color != now && !unique.contains(&color) {
            unique.push(color);
        }
    }
    unique.truncate(COLORS);
    unique
}

fn by_frequency(colors: BTreeMap<Color, u64>) -> Vec<Color> {
    let mut colors: Vec<(Color, u64)> = colors.into_iter().collect();
    colors.sort_by(|(a, m), (b, n)| n.cmp(m).then(a.cmp(b)));
    colors.into_iter().map(|(color, _)| color).collect()
}

/// The colour that, mixed with `ground` as `now` is mixed into `actual`, gives `expected`.
///
/// With `actual = c·now + (1 − c)·ground` and `expected = c·color + (1 − c)·ground`, the colour is
/// `ground + (expected − ground) / c`. `None` when `actual` is no such mix, or too faint to tell.
fn unblend(expected: Color, actual: Color, now: Color, ground: Color) -> Option<Color> {
    if expected.alpha != 255 || actual.alpha != 255 || now.alpha != 255 || ground.alpha != 255 {
        return None;
    }
    let channels = |color: Color| [color.red, color.green, color.blue].map(i64::from);
    let (expected, actual, now, ground) =
        (channels(expected), channels(actual), channels(now), channels(ground));
    let dot = |a: [i64; 3], b: [i64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<i64>();
    let minus = |a: [i64; 3], b: [i64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let (full, part) = (minus(now, ground), minus(actual, ground));
    let (length, along) = (dot(full, full), dot(part, full));
    // Coverage is along/length; half of it at least, so that rounding is not blown up.
    if length == 0 || along * 2 < length || along > length {
        return None;
    }
    let off: i64 = (0..3).map(|i| (part[i] * length - full[i] * along).abs()).max().unwrap_or(0);
    if off > 3 * length {
        return None;
    }
    let wanted = minus(expected, ground);
    let channel = |i: usize| {
        let exact = ground[i] * along + wanted[i] * length;
        u8::try_from((2 * exact + along).div_euclid(2 * along).clamp(0, 255)).ok()
    };
    Some(Color { red: channel(0)?, green: channel(1)?, blue: channel(2)?, alpha: 255 })
}

/// Values of a length or a number, nearest first: every step nearby, then ever larger ones.
pub(crate) fn scalars(now: Points, bounds: Bounds) -> Vec<Points> {
    let mut values = Vec::new();
    let step = bounds.step().micros();
    let mut distance = 1;
    loop {
        // Beyond what a score can hold there is nothing to try.
        let Some(offset) = step.checked_mul(distance) else { return values };
        let (below, above) = (now.micros().saturating_sub(offset), now.micros().saturating_add(offset));
        let inside = |micros: &i64| (bounds.min().micros()..=bounds.max().micros()).contains(micros);
        let found: Vec<i64> = [below, above].into_iter().filter(inside).collect();
        if found.is_empty() && below < bounds.min().micros() && above > bounds.max().micros() {
            return values;
        }
        values.extend(found.into_iter().map(Points::from_micros));
        // 1, 2, … 12, then 14, 16, 19, 22, 26, … : a sixth further each time.
        distance = if distance < NEAR { distance + 1 } else { distance + (distance / 6).max(1) };
    }
}

/// Neighbours of a value that has proved good, within bounds.
pub(crate) fn neighbours(value: Points, bounds: Bounds) -> [Points; 2] {
    [value.saturating_sub(bounds.step()), value.saturating_add(bounds.step())]
        .map(|value| value.clamp(bounds.min(), bounds.max()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trueup_contract::{DeltaId, LabelMeasurement, LabelName, OpenRegion, Swatch};
    use trueup_frame::Rect;

    use super::*;

    const fn grey(level: u8) -> Color {
        Color { red: level, green: level, blue: level, alpha: 255 }
    }

    fn measured(swatches: Vec<Swatch>) -> Measurement {
        let mut region = OpenRegion::new(DeltaId::new("a/r1").unwrap(), Rect::new(0, 0, 9, 9), Points::ONE);
        region.swatches = swatches;
        Measurement::new(vec![LabelMeasurement::compared(LabelName::new("a").unwrap(), vec![region])])
    }

    #[test]
    fn a_colour_is_read_off_where_it_stands() {
        let swatches = vec![
            Swatch::new(grey(9), grey(200), 70),
            Swatch::new(grey(1), grey(50), 30),
            Swatch::new(grey(2), grey(50), 40),
        ];
        assert_eq!(colors(&measured(swatches), grey(50))[..2], [grey(2), grey(1)]);
    }

    #[test]
    fn a_colour_is_read_off_blended_edges() {
        // Text of grey 40 instead of grey 80 on white, seen only at three quarters of coverage.
        let swatches = vec![Swatch::new(grey(255), grey(250), 90), Swatch::new(grey(94), grey(124), 10)];
        assert_eq!(colors(&measured(swatches), grey(80)), [grey(40)]);
    }

    #[test]
    fn every_step_nearby_is_tried_before_anything_far() {
        let bounds = Bounds::new(Points::ZERO, Points::from_whole(64), Points::ONE).unwrap();
        let values = scalars(Points::from_whole(12), bounds);
        assert_eq!(values[..4], [11, 13, 10, 14].map(Points::from_whole));
        assert!(values.contains(&Points::ZERO) && values.contains(&Points::from_whole(24)));
        assert!(values.len() < 40, "{}", values.len());
    }

    #[test]
    fn the_search_ends_at_the_far_end_of_the_range() {
        let far = Points::from_whole(1_000_000_000);
        let bounds = Bounds::new(Points::ZERO, far, Points::from_micros(1)).unwrap();
        assert!(scalars(far, bounds).len() < 500);
        assert!(Bounds::new(Points::ZERO, Points::from_whole(2_000_000_000), Points::ONE).is_err());
    }

    proptest! {
        #[test]
        fn candidates_are_distinct_inside_and_never_the_present_value(
            now in -100i64..200, min in -50i64..50, room in 1i64..300, step in 1i64..8
        ) {
            let at = Points::from_whole;
            let bounds = Bounds::new(at(min), at(min + room), at(step)).unwrap();
            let values = scalars(at(now), bounds);
            let distinct: std::collections::BTreeSet<_> = values.iter().collect();
            prop_assert_eq!(distinct.len(), values.len());
            prop_assert!(values.iter().all(|v| *v >= bounds.min() && *v <= bounds.max() && *v != at(now)));
        }
    }
}
