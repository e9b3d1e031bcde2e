//! Ids that stay with a region over a run.

use trueup_contract::{DeltaId, LabelName};
use trueup_frame::PixelRatio;
use trueup_pixel_diff::{RegionKind, Registry, Sighting};
use trueup_ports::KnownRegion;

/// The id of a region, and the ids of those that merged into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) id: DeltaId,
    pub(crate) holds: Vec<DeltaId>,
}

/// Names what is seen on a label, in its order: the ids of the known regions that it still is, or new ones. Cells of the
/// registry are as large as those of its default on a screen without a pixel ratio.
pub(crate) fn name(
    label: &LabelName,
    ratio: PixelRatio,
    seen: &[Sighting],
    known: &[KnownRegion],
) -> Vec<Name> {
    let cell_px = Registry::CELL_PX * ratio.thousandths() / 1_000;
    let mut registry = Registry::new(cell_px.max(1));
    for region in known.iter().filter(|region| region.id.label() == label.as_str()) {
        // The region of a size mismatch has a name of its own, and lends it to nothing else.
        let Some(number) = region.id.region().strip_prefix('r').and_then(|digits| digits.parse().ok()) else {
            continue;
        };
        let kind = RegionKind::from_name(&region.kind).unwrap_or_default();
        // Where the words are not ours, the box stands for all of it.
        let sketch = region.sketch.as_deref().and_then(|text| text.parse().ok());
        let last = Sighting::new(region.area, kind).with_look(region.look).with_sketch(sketch);
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
    use trueup_pixel_diff::Sketch;

    use super::*;

    fn label() -> LabelName {
        LabelName::new("card").unwrap()
    }

    fn ids(boxes: &[Rect], known: &[KnownRegion]) -> Vec<String> {
        ids_at(PixelRatio::ONE, boxes, known)
    }

    fn ids_at(ratio: PixelRatio, boxes: &[Rect], known: &[KnownRegion]) -> Vec<String> {
        name(&label(), ratio, &seen(boxes), known).into_iter().map(|name| String::from(name.id)).collect()
    }

    fn seen(boxes: &[Rect]) -> Vec<Sighting> {
        boxes.iter().map(|area| Sighting::new(*area, RegionKind::Content)).collect()
    }

    fn known(boxes: &[Rect]) -> Vec<KnownRegion> {
        let named = name(&label(), PixelRatio::ONE, &seen(boxes), &[]);
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
    fn a_jitter_is_measured_in_css_pixels() {
        let known = known(&[Rect::new(40, 40, 8, 8)]);
        let ids = |thousandths, x| {
            let ratio = PixelRatio::from_thousandths(thousandths).unwrap();
            ids_at(ratio, &[Rect::new(x, 40, 8, 8)], &known)
        };
        // Seven CSS pixels keep the name, eight do not.
        for (thousandths, kept, lost) in [(1_000, 47, 48), (2_000, 55, 56), (3_000, 63, 64), (1_500, 51, 52)]
        {
            assert_eq!(
                (ids(thousandths, kept), ids(thousandths, lost)),
                (vec!["card/r1".into()], vec!["card/r2".into()])
            );
        }
        // However small a pixel is, what stays where it was stays what it was.
        assert_eq!(ids(1, 40), ["card/r1"]);
    }

    #[test]
    fn what_is_covered_says_more_than_a_box() {
        let around = Rect::new(0, 0, 96, 96);
        let frame = Sketch::from_fn(around, |x, y| !(6..90).contains(&x) || !(6..90).contains(&y));
        let mut known = known(&[around]);
        // By its box, what is most of it is it; but it was only the frame around that.
        let card = Rect::new(16, 16, 64, 64);
        assert_eq!(ids(&[card], &known), ["card/r1"]);
        known[0].sketch = frame.map(|sketch| sketch.to_string());
        assert_eq!(ids(&[card], &known), ["card/r2"]);
        // Words of another comparer are no reason to fail.
        known[0].sketch = Some("a frame".to_owned());
        assert_eq!(ids(&[card], &known), ["card/r1"]);
    }

    #[test]
    fn ids_of_other_labels_are_not_taken() {
        let elsewhere = KnownRegion::new(DeltaId::new("other/r7").unwrap(), Rect::new(10, 10, 40, 20));
        assert_eq!(ids(&[Rect::new(10, 10, 40, 20)], &[elsewhere]), ["card/r1"]);
    }

    #[test]
    fn what_merged_is_held_by_what_it_merged_into() {
        let known = known(&[Rect::new(10, 10, 60, 20), Rect::new(80, 10, 20, 20)]);
        let merged = name(&label(), PixelRatio::ONE, &seen(&[Rect::new(10, 10, 90, 20)]), &known);
        assert_eq!(merged[0].id.as_str(), "card/r1");
        assert_eq!(merged[0].holds.iter().map(DeltaId::as_str).collect::<Vec<_>>(), ["card/r2"]);
    }

    #[test]
    fn the_name_of_a_size_mismatch_is_lent_to_nothing() {
        let size = KnownRegion::new(DeltaId::new("card/size").unwrap(), Rect::new(10, 10, 40, 20));
        assert_eq!(ids(&[Rect::new(10, 10, 40, 20)], &[size]), ["card/r1"]);
    }
}
