//! What is the same thing keeps its name.

#![allow(clippy::cast_sign_loss, reason = "parts of lengths are not negative")]

use std::collections::BTreeSet;

use proptest::prelude::*;
use trueup_frame::Rect;
use trueup_pixel_diff::{Named, RegionKind, Registry, Sighting};

fn seen(rect: Rect) -> Sighting {
    Sighting::new(rect, RegionKind::Content)
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
        prop_assert!(second.iter().all(|named| named.holds.is_empty() && named.part_of.is_none()));
    }

    #[test]
    fn the_order_of_regions_does_not_matter(
        boxes in prop::collection::vec((0..200_u32, 0..200_u32, 1..40_u32, 1..40_u32, any::<bool>()), 0..24),
        rounds in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
    ) {
        let kind = |moved| if moved { RegionKind::Moved } else { RegionKind::Color };
        let all: Vec<Sighting> = boxes
            .iter()
            .map(|&(x, y, width, height, moved)| Sighting::new(Rect::new(x, y, width, height), kind(moved)))
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
            prop_assert_eq!(split[larger].id, first[0]);
            prop_assert_eq!(split[smaller].part_of, Some(first[0]));
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

    #[test]
    fn a_registry_that_was_written_and_read_goes_on_as_before(boxes in apart(), later in apart()) {
        let all = |boxes: &[Rect]| boxes.iter().map(|&rect| seen(rect)).collect::<Vec<_>>();
        let mut registry = Registry::default();
        registry.name(&all(&boxes));
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
