//! Ids that stay with a region over a run.

use trueup_contract::{DeltaId, LabelName};
use trueup_pixel_diff::{RegionKind, Registry, Sighting};
use trueup_ports::KnownRegion;

/// The id of a region, and the ids of those that merged into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) id: DeltaId,
    pub(crate) holds: Vec<DeltaId>,
}

/// Names what is seen, in its order: the ids of the known regions that it still is, or new ones.
pub(crate) fn name(label: &LabelName, seen: &[Sighting], known: &[KnownRegion]) -> Vec<Name> {
    let mut registry = Registry::default();
    for region in known.iter().filter(|region| region.id.label() == label.as_str()) {
        // The region of a size mismatch has a name of its own, and lends it to nothing else.
        let Some(number) = region.id.region().strip_prefix('r').and_then(|digits| digits.parse().ok()) else {
            continue;
        };
        let kind = RegionKind::from_name(&region.kind).unwrap_or_default();
        let last = Sighting::new(region.area, kind).with_look(region.look);
        registry.learn(number, region.first_area, last);
    }
    let id = |number: u64| {
        DeltaId::of(label, &format!("r{number}"))
            .unwrap_or_else(|error| unreachable!("r and digits: {error}"))
    };
    let named = registry.name(seen);
    named
        .into_iter()
        .map(|named| Name { id: id(named.id), holds: named.holds.into_iter().map(id).collect() })
        .collect()
}

#[cfg(test)]
mod tests {
    use trueup_frame::Rect;

    use super::*;

    fn label() -> LabelName {
        LabelName::new("card").unwrap()
    }

    fn ids(boxes: &[Rect], known: &[KnownRegion]) -> Vec<String> {
        name(&label(), &seen(boxes), known).into_iter().map(|name| String::from(name.id)).collect()
    }

    fn seen(boxes: &[Rect]) -> Vec<Sighting> {
        boxes.iter().map(|area| Sighting::new(*area, RegionKind::Content)).collect()
    }

    fn known(boxes: &[Rect]) -> Vec<KnownRegion> {
        let named = name(&label(), &seen(boxes), &[]);
        named.into_iter().zip(boxes).map(|(name, area)| KnownRegion::new(name.id, *area)).collect()
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

    #[test]
    fn what_merged_is_held_by_what_it_merged_into() {
        let known = known(&[Rect::new(10, 10, 60, 20), Rect::new(80, 10, 20, 20)]);
        let merged = name(&label(), &seen(&[Rect::new(10, 10, 90, 20)]), &known);
        assert_eq!(merged[0].id.as_str(), "card/r1");
        assert_eq!(merged[0].holds.iter().map(DeltaId::as_str).collect::<Vec<_>>(), ["card/r2"]);
    }

    #[test]
    fn the_name_of_a_size_mismatch_is_lent_to_nothing() {
        let size = KnownRegion::new(DeltaId::new("card/size").unwrap(), Rect::new(10, 10, 40, 20));
        assert_eq!(ids(&[Rect::new(10, 10, 40, 20)], &[size]), ["card/r1"]);
    }
}
