//! Ids that stay with a region over a run.

use std::collections::BTreeSet;

use trueup_contract::{DeltaId, LabelName};
use trueup_frame::Rect;
use trueup_ports::KnownRegion;

/// How far a region's centre may move and it is still the same one, in pixels.
const JITTER_PX: u64 = 8;

/// Names each box, in their order: the id of the known region that it still is, or a new one.
///
/// A box is a known region when they overlap by three tenths of what they cover together, or when its centre lies within
/// eight pixels and its sides have grown or shrunk by less than a quarter. Of several the one that overlaps most wins,
/// and each id is given once.
pub(crate) fn name(label: &LabelName, boxes: &[Rect], known: &[KnownRegion]) -> Vec<DeltaId> {
    // The region of a size mismatch has a name of its own, and lends it to nothing else.
    let lends = |region: &&KnownRegion| region.id.label() == label.as_str() && region.id.region() != "size";
    let known: Vec<&KnownRegion> = known.iter().filter(lends).collect();
    let mut pairs: Vec<(u64, usize, usize)> = Vec::new();
    for (index, area) in boxes.iter().enumerate() {
        for (candidate, region) in known.iter().enumerate() {
            if let Some(overlap) = same(*area, region.area) {
                pairs.push((overlap, index, candidate));
            }
        }
    }
    pairs.sort_unstable_by(|a, b| b.0.cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut names: Vec<Option<DeltaId>> = vec![None; boxes.len()];
    let mut taken = BTreeSet::new();
    for (_, index, candidate) in pairs {
        if names[index].is_none() && taken.insert(candidate) {
            names[index] = Some(known[candidate].id.clone());
        }
    }
    let used =
        known.iter().filter_map(|region| region.id.region().strip_prefix('r')?.parse::<u64>().ok()).max();
    let mut fresh = used.unwrap_or(0) + 1..;
    names
        .into_iter()
        .map(|name| {
            name.unwrap_or_else(|| {
                let number = fresh.next().unwrap_or(u64::MAX);
                DeltaId::of(label, &format!("r{number}"))
                    .unwrap_or_else(|error| unreachable!("r and digits: {error}"))
            })
        })
        .collect()
}

/// How much two boxes overlap, in millionths of what they cover together, when they are the same thing.
fn same(a: Rect, b: Rect) -> Option<u64> {
    let (shared, covered) = a.overlap(b);
    let millionths =
        u64::try_from(u128::from(shared) * 1_000_000 / u128::from(covered.max(1))).unwrap_or(u64::MAX);
    (millionths >= 300_000 || is_jitter(a, b)).then_some(millionths)
}

fn is_jitter(a: Rect, b: Rect) -> bool {
    // Twice the distance of the centres, so that it stays a whole number.
    let apart = |a: u32, width: u32, b: u32, other: u32| {
        (2 * u64::from(a) + u64::from(width)).abs_diff(2 * u64::from(b) + u64::from(other))
    };
    let alike = |a: u32, b: u32| u64::from(a.max(b)) * 4 < u64::from(a.min(b)) * 5;
    apart(a.x, a.width, b.x, b.width) < 2 * JITTER_PX
        && apart(a.y, a.height, b.y, b.height) < 2 * JITTER_PX
        && alike(a.width, b.width)
        && alike(a.height, b.height)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn label() -> LabelName {
        LabelName::new("card").unwrap()
    }

    fn ids(boxes: &[Rect], known: &[KnownRegion]) -> Vec<String> {
        name(&label(), boxes, known).into_iter().map(String::from).collect()
    }

    fn known(boxes: &[Rect]) -> Vec<KnownRegion> {
        let named = name(&label(), boxes, &[]);
        named.into_iter().zip(boxes).map(|(id, area)| KnownRegion::new(id, *area)).collect()
    }

    #[test]
    fn a_region_keeps_its_id_when_it_jitters_shrinks_or_grows() {
        let before = [Rect::new(10, 10, 40, 20), Rect::new(200, 10, 8, 8)];
        let known = known(&before);
        assert_eq!(
            ids(&[Rect::new(205, 15, 8, 8), Rect::new(12, 10, 30, 18)], &known),
            ["card/r2", "card/r1"]
        );
        // Far away, or quite another size: another thing.
        assert_eq!(
            ids(&[Rect::new(300, 300, 40, 20), Rect::new(10, 10, 4, 4)], &known),
            ["card/r3", "card/r4"]
        );
    }

    #[test]
    fn ids_of_other_labels_are_not_taken() {
        let elsewhere = KnownRegion::new(DeltaId::new("other/r7").unwrap(), Rect::new(10, 10, 40, 20));
        assert_eq!(ids(&[Rect::new(10, 10, 40, 20)], &[elsewhere]), ["card/r1"]);
    }

    proptest! {
        #[test]
        fn no_id_is_given_twice_and_the_order_does_not_matter(
            boxes in proptest::collection::vec((0u32..100, 0u32..100, 1u32..40, 1u32..40), 0..12),
            before in proptest::collection::vec((0u32..100, 0u32..100, 1u32..40, 1u32..40), 0..12),
        ) {
            let rect = |(x, y, w, h): &(u32, u32, u32, u32)| Rect::new(*x, *y, *w, *h);
            let boxes: Vec<Rect> = boxes.iter().map(rect).collect();
            let known = known(&before.iter().map(rect).collect::<Vec<_>>());
            let named = ids(&boxes, &known);
            let distinct: BTreeSet<&String> = named.iter().collect();
            prop_assert_eq!(distinct.len(), boxes.len());
            prop_assert_eq!(ids(&boxes, &known), named);
        }
    }
}
