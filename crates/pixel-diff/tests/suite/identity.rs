//! What is the same thing keeps its name.

#![allow(clippy::cast_sign_loss, reason = "parts of lengths are not negative")]

use std::collections::BTreeSet;

use proptest::prelude::*;
use trueup_frame::Rect;
use trueup_pixel_diff::{Named, RegionKind, Registry, Sighting, Sketch};

fn seen(rect: Rect) -> Sighting {
    Sighting::new(rect, RegionKind::Content)
}

/// What is seen of some pixels: the box around them, and what they cover of it. `None` of no pixel.
fn seen_of(pixels: &BTreeSet<(u32, u32)>) -> Option<Sighting> {
    let boxes = pixels.iter().map(|&(x, y)| Rect::new(x, y, 1, 1));
    let area = boxes.reduce(Rect::union)?;
    Some(seen(area).with_sketch(Sketch::from_fn(area, |x, y| pixels.contains(&(x, y)))))
}

/// The pixels of a shape of a few blocks, lines and frames that hang together by the first one, and its corner.
fn shape() -> impl Strategy<Value = BTreeSet<(u32, u32)>> {
    let blocks = |most: u32| {
        let block = (0..most, 0..most, 2..most, 2..most, prop::option::of(2..6_u32));
        prop::collection::vec(block, 1..5)
    };
    let corner = (10..400_u32, 10..400_u32);
    // Mostly of the size of a word or a button, some of that of a card.
    (corner, prop_oneof![6 => blocks(24), 1 => blocks(90)]).prop_map(|((left, top), blocks)| {
        let mut pixels = BTreeSet::new();
        for (x, y, width, height, edge) in blocks {
            for (dx, dy) in (0..height).flat_map(|dy| (0..width).map(move |dx| (dx, dy))) {
                let inside = |at: u32, len: u32, edge: u32| at >= edge && at + edge < len;
                if edge.is_none_or(|edge| !(inside(dx, width, edge) && inside(dy, height, edge))) {
                    pixels.insert((left + x + dx, top + y + dy));
                }
            }
        }
        pixels
    })
}

fn ids(named: &[Named]) -> Vec<u64> {
    named.iter().map(|named| named.id).collect()
}

/// Boxes with more than a cell between them, on a raster.
fn apart() -> impl Strategy<Value = Vec<Rect>> {
    let one = (any::<bool>(), 0..20_u32, 0..20_u32, 9..60_u32, 9..60_u32);
    prop::collection::vec(one, 1..40).prop_map(|all| {
        let place = |(index, (is_there, dx, dy, width, height)): (u32, (bool, u32, u32, u32, u32))| {
            let (column, row) = (index % 6, index / 6);
            is_there.then(|| Rect::new(20 + 140 * column + dx, 20 + 140 * row + dy, width, height))
        };
        (0..).zip(all).filter_map(place).collect()
    })
}

/// A box that was shaken by less than half a cell, and whose sides grew by less than a quarter.
fn shaken(rect: Rect, [dx, dy, width, height]: [f64; 4]) -> Rect {
    let len = |len: u32, by: f64| (f64::from(len) * (1.0 + by * 0.24)) as u32;
    // Centres move by up to seven pixels, whatever the sides do.
    let start = |at: u32, old: u32, new: u32, by: f64| {
        let center = f64::from(at) + f64::from(old) / 2.0 + by * 7.0;
        (center - f64::from(new) / 2.0).round().max(0.0) as u32
    };
    let (new_width, new_height) = (len(rect.width, width), len(rect.height, height));
    let (x, y) = (start(rect.x, rect.width, new_width, dx), start(rect.y, rect.height, new_height, dy));
    Rect::new(x, y, new_width, new_height)
}

proptest! {
    #[test]
    fn what_jitters_and_grows_a_little_keeps_its_name(
        boxes in apart(), by in prop::collection::vec(prop::array::uniform4(-1.0..1.0_f64), 40),
    ) {
        let mut registry = Registry::default();
        let before: Vec<Sighting> = boxes.iter().map(|&rect| seen(rect)).collect();
        let first = ids(&registry.name(&before));
        prop_assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), boxes.len());
        let grown = |by: &[f64; 4]| [by[0], by[1], by[2].abs(), by[3].abs()];
        let after: Vec<Sighting> = boxes.iter().zip(&by).map(|(&rect, by)| seen(shaken(rect, grown(by)))).collect();
        let second = registry.name(&after);
        prop_assert_eq!(ids(&second), first);
        prop_assert!(second.iter().all(|named| named.holds.is_empty()));
    }

    #[test]
    fn the_order_of_regions_does_not_matter(
        boxes in prop::collection::vec((0..200_u32, 0..200_u32, 1..40_u32, 1..40_u32, any::<bool>()), 0..24),
        rounds in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
    ) {
        let kind = |moved| if moved { RegionKind::Moved } else { RegionKind::Color };
        let all: Vec<Sighting> = boxes
            .iter()
            .map(|&(x, y, width, height, moved)| {
                let area = Rect::new(x, y, width, height);
                // Some of them cover every second diagonal only, so that what they have in common depends on where they are.
                let sketch = Sketch::from_fn(area, |x, y| width % 2 == 0 || (x + y) / 9 % 2 == 0);
                Sighting::new(area, kind(moved)).with_sketch(sketch)
            })
            .collect();
        let (mut one, mut other) = (Registry::default(), Registry::default());
        for round in rounds {
            let mut turned = all.clone();
            turned.rotate_left(round.index(all.len().max(1)));
            turned.reverse();
            let key = |(sighting, named): (&Sighting, &Named)| (sighting.area, sighting.kind.name(), named.id);
            let pairs = |seen: &[Sighting], named: &[Named]| {
                let mut pairs: Vec<_> = seen.iter().zip(named).map(key).collect();
                pairs.sort_unstable();
                pairs
            };
            let (first, second) = (one.name(&all), other.name(&turned));
            prop_assert_eq!(pairs(&all, &first), pairs(&turned, &second));
            prop_assert_eq!(&one, &other);
            let distinct: BTreeSet<u64> = first.iter().map(|named| named.id).collect();
            prop_assert_eq!(distinct.len(), all.len());
        }
    }

    #[test]
    fn what_splits_and_merges_is_known_by_its_parts(rect in (0..500_u32, 0..500_u32, 30..90_u32, 8..60_u32), cut in 0.2..0.8_f64) {
        let whole = Rect::new(rect.0, rect.1, rect.2, rect.3);
        let left = (f64::from(whole.width) * cut) as u32;
        let parts = [
            Rect::new(whole.x, whole.y, left - 2, whole.height),
            Rect::new(whole.x + left + 2, whole.y, whole.width - left - 2, whole.height),
        ];
        let mut registry = Registry::default();
        let first = ids(&registry.name(&[seen(whole)]));
        let split = registry.name(&parts.map(seen));
        // The larger part is the thing, the other one split off.
        let (larger, smaller) = if parts[0].width > parts[1].width { (0, 1) } else { (1, 0) };
        if parts[0].width != parts[1].width {
            prop_assert_eq!((split[larger].id, split[smaller].id), (first[0], first[0] + 1));
        }
        let merged = registry.name(&[seen(whole)]);
        let mut told = merged[0].holds.clone();
        told.push(merged[0].id);
        told.sort_unstable();
        let mut open = ids(&split);
        open.sort_unstable();
        prop_assert_eq!(told, open);
        // Splitting again gives the same names again.
        prop_assert_eq!(ids(&registry.name(&parts.map(seen))), ids(&split));
    }

    /// However it is cut, and although the boxes of the parts may overlap: one part keeps the name, and where they grow
    /// together again, the names of all are told.
    #[test]
    fn a_shape_that_falls_apart_and_grows_together_keeps_its_name(
        whole in shape(), slope in prop::array::uniform2(-9..=9_i64), cuts in prop::collection::vec(0.05..0.95_f64, 1..7),
    ) {
        prop_assume!(slope != [0, 0]);
        // Along a direction, at some shares of the pixels.
        let along = |&(x, y): &(u32, u32)| i64::from(x) * slope[0] + i64::from(y) * slope[1];
        let mut sorted: Vec<(u32, u32)> = whole.iter().copied().collect();
        sorted.sort_by_key(|pixel| (along(pixel), *pixel));
        let mut ends: Vec<usize> = cuts.iter().map(|cut| (sorted.len() as f64 * cut) as usize).collect();
        ends.extend([0, sorted.len()]);
        ends.sort_unstable();
        let parts: Vec<BTreeSet<(u32, u32)>> =
            ends.windows(2).map(|two| sorted[two[0]..two[1]].iter().copied().collect()).collect();
        let parts: Vec<Sighting> = parts.iter().filter_map(seen_of).collect();
        let whole = seen_of(&whole).unwrap();

        let mut registry = Registry::default();
        prop_assert_eq!(ids(&registry.name(std::slice::from_ref(&whole))), [1]);
        let split = registry.name(&parts);
        prop_assert_eq!(split.iter().filter(|named| named.id == 1).count(), 1, "{:?}", split);
        // Together again: every name of a part is still told, under one of them.
        let merged = registry.name(std::slice::from_ref(&whole));
        let mut told = merged[0].holds.clone();
        told.push(merged[0].id);
        let mut open = ids(&split);
        told.sort_unstable();
        open.sort_unstable();
        prop_assert_eq!(told, open);
        // And apart again, under the same names.
        prop_assert_eq!(ids(&registry.name(&parts)), ids(&split), "{:?} of {:?} {:?}", parts, whole, merged);
    }

    /// Under half a cell, whatever they cover of their boxes, which stand apart.
    #[test]
    fn shapes_that_shake_keep_their_names(
        shapes in prop::collection::vec(shape(), 1..6), by in prop::collection::vec(prop::array::uniform2(0..15_u32), 6),
    ) {
        // Each in a field of its own.
        let at = |index: u32, [dx, dy]: [u32; 2]| {
            let (left, top) = (600 * (index % 3), 600 * (index / 3));
            let moved = shapes[index as usize].iter().map(move |&(x, y)| (left + x + dx, top + y + dy));
            seen_of(&moved.collect()).unwrap()
        };
        let count = shapes.len() as u32;
        let mut registry = Registry::default();
        let first = ids(&registry.name(&(0..count).map(|index| at(index, [7, 7])).collect::<Vec<_>>()));
        let second = registry.name(&(0..count).map(|index| at(index, by[index as usize])).collect::<Vec<_>>());
        prop_assert_eq!(ids(&second), first);
        prop_assert!(second.iter().all(|named| named.holds.is_empty()));
    }

    #[test]
    fn a_sketch_is_what_its_text_says(pixels in shape()) {
        let sighting = seen_of(&pixels).unwrap();
        let filled = pixels.len() as u64 == sighting.area.area();
        prop_assert_eq!(sighting.sketch.is_none(), filled);
        if let Some(sketch) = sighting.sketch {
            let text = sketch.to_string();
            prop_assert_eq!(text.parse(), Ok(sketch.clone()));
            let counts = text.split_once(':').unwrap().1;
            prop_assert_eq!(counts.split(',').map(|count| count.parse::<usize>().unwrap()).sum::<usize>(), pixels.len());
            prop_assert!(counts.split(',').count() <= 64);
            prop_assert_eq!(serde_json::from_str::<Sketch>(&serde_json::to_string(&sketch).unwrap()).unwrap(), sketch);
        }
    }

    #[test]
    fn a_registry_that_was_written_and_read_goes_on_as_before(
        boxes in apart(), later in apart(), shape in shape(),
    ) {
        let all = |boxes: &[Rect]| boxes.iter().map(|&rect| seen(rect)).collect::<Vec<_>>();
        let mut registry = Registry::default();
        registry.name(&all(&boxes));
        registry.name(&[seen_of(&shape).unwrap()]);
        let text = serde_json::to_string(&registry).unwrap();
        let mut read: Registry = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&read, &registry);
        prop_assert_eq!(read.name(&all(&later)), registry.name(&all(&later)));
        // What it tells is all that it knows.
        let mut learnt = Registry::default();
        registry.things().for_each(|(id, first, last)| learnt.learn(id, first, last.clone()));
        prop_assert_eq!(learnt, registry);
    }
}

#[test]
fn what_stands_in_the_hollow_of_something_is_no_part_of_it() {
    // A frame of six pixels, and a card within.
    let outer = Rect::new(100, 100, 120, 90);
    let hollow = Rect::new(106, 106, 108, 78);
    let frame = seen(outer).with_sketch(Sketch::from_fn(outer, |x, y| !hollow.contains(x, y)));
    let card = seen(Rect::new(130, 120, 50, 40));
    let mut registry = Registry::default();
    assert_eq!(ids(&registry.name(&[frame.clone(), card.clone()])), [1, 2]);
    // The card is in order now: it did not merge into the frame.
    let left = registry.name(std::slice::from_ref(&frame));
    assert_eq!((left[0].id, left[0].holds.len()), (1, 0));
    // By boxes alone it would have been so.
    let mut registry = Registry::default();
    registry.name(&[seen(outer), card]);
    assert_eq!(registry.name(&[seen(outer)])[0].holds, [2]);
    // Nor is what fills the hollow the frame.
    let filled = [seen(Rect::new(112, 112, 96, 64))];
    let after = |first: Sighting| {
        let mut registry = Registry::default();
        registry.name(&[first]);
        ids(&registry.name(&filled))
    };
    assert_eq!((after(frame), after(seen(outer))), (vec![2], vec![1]));
}

#[test]
fn texts_that_are_no_sketches_are_refused() {
    for text in [
        "",
        "8/0,0/2",
        "8/0,0/2:1",
        "8/0,0/0:",
        "8/0,0/1:",
        "7/0,0/1:1",
        "4/0,0/1:1",
        "24/0,0/1:1",
        "8/0/1:1",
        "8/0,0/1:65",
        "8/0,0/1:-1",
        "8/0,0/2:1,2,3",
        "8/4294967295,0/1:1",
        "8/0,0/4294967295:1",
        "8/0,0/1:1,",
        "8/0,0/1:1 ",
    ] {
        let error = text.parse::<Sketch>().unwrap_err().to_string();
        assert!(error.contains("expected SIDE/X,Y/COLUMNS:COUNTS"), "{error}");
    }
    let many = format!("8/0,0/1:{}", vec!["1"; 65].join(","));
    assert!(many.parse::<Sketch>().is_err());
    // At the far corner of all pictures there is nothing to overflow.
    let far: Sketch = "2147483648/1,1/1:1".parse().unwrap();
    let mut registry = Registry::default();
    let end = Rect::new(u32::MAX - 9, u32::MAX - 9, 9, 9);
    for area in [end, Rect::new(0, 0, u32::MAX, u32::MAX)] {
        registry.name(&[seen(area).with_sketch(Some(far.clone()))]);
    }
}

#[test]
fn what_was_added_is_known_by_its_looks_where_it_stands_elsewhere() {
    let added = |y, look| Sighting::new(Rect::new(10, y, 80, 30), RegionKind::Added).with_look(Some(look));
    let mut registry = Registry::default();
    let first = ids(&registry.name(&[added(10, 0xF0F0), added(300, 0x0F0F)]));
    // Both went 100 rows down; one bit of a look is another.
    let second = ids(&registry.name(&[added(400, 0x0F0F), added(110, 0xF0F1)]));
    assert_eq!((second[1], second[0]), (first[0], first[1]));
    // What looks unlike both is another thing.
    assert_eq!(ids(&registry.name(&[added(700, 0xFFFF_FFFF)])), [3]);
}

#[test]
fn what_moved_is_another_thing_than_what_changed_there() {
    let at = |kind| Sighting::new(Rect::new(10, 10, 80, 30), kind);
    let mut registry = Registry::default();
    assert_eq!(ids(&registry.name(&[at(RegionKind::Moved)])), [1]);
    assert_eq!(ids(&registry.name(&[at(RegionKind::Color)])), [2]);
    // Colour and content are two ways of looking at one change.
    assert_eq!(ids(&registry.name(&[at(RegionKind::Content), at(RegionKind::Moved)])), [2, 1]);
}

#[test]
fn drift_is_bounded_by_where_a_thing_was_first() {
    // Step by step it is always the same thing; what then stands at the first place takes nothing from it.
    let mut registry = Registry::default();
    for step in 0..20 {
        assert_eq!(ids(&registry.name(&[seen(Rect::new(10 + 5 * step, 10, 40, 20))])), [1]);
    }
    let both = registry.name(&[seen(Rect::new(105, 10, 40, 20)), seen(Rect::new(10, 10, 40, 20))]);
    assert_eq!(ids(&both), [1, 2]);
}

#[test]
fn many_specks_are_named_in_reasonable_time() {
    let specks: Vec<Sighting> =
        (0..40_000_u32).map(|i| seen(Rect::new(5 * (i % 200), 5 * (i / 200), 1, 1))).collect();
    let mut registry = Registry::default();
    let first = ids(&registry.name(&specks));
    assert_eq!(ids(&registry.name(&specks)), first);
}
