//! What moved, came and went: laws that hold for all images, and reports from the trackers of other tools.

#![allow(clippy::cast_sign_loss, reason = "parts of lengths are not negative")]

use proptest::prelude::*;
use trueup_frame::{ImageView, PixelFormat, Rect, Size};
use trueup_pixel_diff::strategy::image_pair;
use trueup_pixel_diff::{
    BitMask, Diff, Excuse, Lab, Mask, MatchLevel, Options, Region, RegionKind, Relating, Rule, Sketch,
    Tolerance, delta_e, diff, relate,
};

use crate::pairs::{self, Pair, Picture, Random, SEEDS};

fn view(picture: &Picture) -> ImageView<'_> {
    ImageView::packed(&picture.rgb, Size::new(picture.width, picture.height), PixelFormat::Rgb8).unwrap()
}

fn related(before: &Picture, after: &Picture, relating: &Relating) -> Diff {
    let (expected, actual, options) = (view(before), view(after), Options::default());
    let plain = diff(&expected, &actual, &options).unwrap();
    relate(plain, &expected, &actual, &options, relating).unwrap()
}

fn open(found: &Diff) -> Vec<(RegionKind, Rect)> {
    found.open_regions().map(|region| (region.kind(), region.rect())).collect()
}

/// Names a pair: its category, its seed, and the part of both pictures that is taken, whole where there is none.
#[derive(Clone, Copy, Debug)]
struct Name {
    category: usize,
    seed: u64,
    part: Option<Part>,
}

/// A part of a picture: how far from left to right and from top to bottom it begins, and its sides in pixels.
#[derive(Clone, Copy, Debug)]
struct Part {
    at: [f64; 2],
    sides: [u32; 2],
}

impl Name {
    fn draw(self) -> Pair {
        let pair = pairs::pair(self.category, self.seed);
        match self.part {
            None => pair,
            Some(part) => {
                Pair { before: part.of(&pair.before), after: part.of(&pair.after), truth: Vec::new(), ..pair }
            }
        }
    }
}

impl Part {
    fn of(self, picture: &Picture) -> Picture {
        let [width, height] = [self.sides[0].min(picture.width), self.sides[1].min(picture.height)];
        let first = |at: f64, room: u32| (f64::from(room) * at) as u32;
        let x = first(self.at[0], picture.width - width);
        let y = first(self.at[1], picture.height - height);
        let mut part = Picture::new(width, height, [0; 3]);
        for row in 0..height {
            for column in 0..width {
                part.set(column, row, picture.at(x + column, y + row));
            }
        }
        part
    }
}

/// Mostly a small part, which says as much in a tenth of the time; a quarter of all pictures stay whole.
fn part() -> impl Strategy<Value = Option<Part>> {
    let small = ([0.0..1.0_f64, 0.0..1.0_f64], [64..200_u32, 64..160_u32]);
    prop::option::weighted(0.75, small.prop_map(|(at, sides)| Part { at, sides }))
}

/// One pair of a category, from any seed, whole.
fn pair() -> impl Strategy<Value = Name> {
    (0..pairs::CATEGORIES.len(), any::<u64>()).prop_map(|(category, seed)| Name {
        category,
        seed,
        part: None,
    })
}

/// One pair of a category, or a part of it.
fn part_of_pair() -> impl Strategy<Value = Name> {
    (pair(), part()).prop_map(|(name, part)| Name { part, ..name })
}

/// A screen, as the generator of pairs draws it, or a part of it.
fn screen() -> impl Strategy<Value = Name> {
    (any::<u64>(), part()).prop_map(|(seed, part)| Name { category: 0, seed, part })
}

/// A picture with rows inserted that are like no others.
fn with_rows(picture: &Picture, y: u32, rows: u32, seed: u64) -> Picture {
    let mut random = Random(seed);
    let mut after = picture.clone();
    let line: Vec<u8> = (0..picture.width * rows * 3).map(|_| random.next() as u8).collect();
    let at = (y * picture.width * 3) as usize;
    after.rgb.splice(at..at, line);
    after.height += rows;
    after
}

/// A picture with columns and rows of one colour before it.
fn shifted(picture: &Picture, dx: u32, dy: u32) -> Picture {
    let mut on = Picture::new(picture.width + dx, picture.height + dy, [9, 80, 160]);
    for y in 0..picture.height {
        for x in 0..picture.width {
            on.set(x + dx, y + dy, picture.at(x, y));
        }
    }
    on
}

proptest! {
    #[test]
    fn inserted_rows_are_one_region_and_nothing_else_is_open(
        before in screen(), at in 0.0..1.0_f64, rows in 1..60_u32, seed: u64,
    ) {
        let before = before.draw().before;
        let y = (f64::from(before.height) * at) as u32;
        let after = with_rows(&before, y, rows, seed);
        let found = related(&before, &after, &Relating::default());
        prop_assert_eq!(open(&found), [(RegionKind::Added, Rect::new(0, y, before.width, rows))]);
        let back = related(&after, &before, &Relating::default());
        prop_assert_eq!(open(&back), [(RegionKind::Removed, Rect::new(0, y, before.width, rows))]);
    }

    #[test]
    fn shifting_both_images_alike_changes_nothing(pair in pair(), dx in 0..20_u32, dy in 0..20_u32) {
        // What slid over the edge of the picture is at an edge no longer when something is put before it.
        prop_assume!(pairs::CATEGORIES[pair.category].0 != "shift the page");
        let pair = pair.draw();
        let here = related(&pair.before, &pair.after, &Relating::default());
        let [before, after] = [shifted(&pair.before, dx, dy), shifted(&pair.after, dx, dy)];
        let there = related(&before, &after, &Relating::default());
        // Whole rows and columns are longer by what was put before them.
        let inner = |(kind, rect): (RegionKind, Rect)| {
            let (x, y) = (rect.x.max(dx), rect.y.max(dy));
            let (right, bottom) = (rect.right() as u32, rect.bottom() as u32);
            (kind, [x - dx, y - dy, right - x, bottom - y])
        };
        let plain = |(kind, rect): (RegionKind, Rect)| (kind, [rect.x, rect.y, rect.width, rect.height]);
        let sorted = |mut all: Vec<(RegionKind, [u32; 4])>| {
            all.sort_by_key(|(kind, rect)| (kind.name(), *rect));
            all
        };
        prop_assert_eq!(
            sorted(open(&there).into_iter().map(inner).collect()),
            sorted(open(&here).into_iter().map(plain).collect()),
            "{}", pair.name
        );
    }

    /// Whatever is found to have moved: a change within it stays a change, however far things may move.
    #[test]
    fn what_moved_and_changed_is_open(
        before in screen(), rows in 1..60_u32, seed: u64, at in (0.0..1.0_f64, 0.0..1.0_f64), size in 4..24_u32,
    ) {
        let before = before.draw().before;
        let mut after = with_rows(&before, 33, rows, seed);
        let within = |at: f64, from: u32, to: u32| from + (f64::from(to - from) * at) as u32;
        let (x, y) = (within(at.0, 0, after.width - size), within(at.1, 33 + rows, after.height - size));
        let changed = Rect::new(x, y, size, size);
        for y in y..y + size {
            for x in x..x + size {
                let [r, g, b] = after.at(x, y);
                after.set(x, y, [255 - r, g ^ 0x80, b ^ 0x80]);
            }
        }
        let far = Relating::default().with_level(MatchLevel::Placement);
        for relating in [Relating::default(), far] {
            let found = related(&before, &after, &relating);
            let told = found.open_regions().filter(|region| {
                let kinds = [RegionKind::Color, RegionKind::Content, RegionKind::Added, RegionKind::Removed];
                kinds.contains(&region.kind())
            });
            let covered = told.filter_map(|region| region.rect().intersection(changed)).reduce(Rect::union);
            prop_assert_eq!(covered, Some(changed));
        }
    }

    /// The same of a block that moved on its own: what changed within it is told, to the last pixel.
    #[test]
    fn a_block_that_moved_and_changed_is_open_where_it_changed(
        seed: u64, at in (0.0..1.0_f64, 0.0..1.0_f64), size in 3..16_u32,
    ) {
        let category = pairs::CATEGORIES.iter().position(|category| category.0 == "move on free ground").unwrap();
        let Pair { before, mut after, truth, .. } = pairs::pair(category, seed);
        let [left, top, width, height] = truth[0].area;
        let first = |at: f64, from: u32, len: u32| from + (f64::from(len.saturating_sub(size)) * at) as u32;
        let (x, y) = (first(at.0, left, width), first(at.1, top, height));
        let changed = Rect::new(x, y, size.min(width), size.min(height));
        let inside = || (changed.y..changed.y + changed.height)
            .flat_map(|y| (changed.x..changed.x + changed.width).map(move |x| (x, y)));
        for (x, y) in inside() {
            let [r, g, b] = after.at(x, y);
            after.set(x, y, [255 - r, g ^ 0x80, b ^ 0x80]);
        }
        let far = Relating::default().with_level(MatchLevel::Placement);
        for relating in [Relating::default(), far] {
            let found = related(&before, &after, &relating);
            let told: Vec<&Region> =
                found.open_regions().filter(|region| region.kind() != RegionKind::Moved).collect();
            for (x, y) in inside() {
                prop_assert!(told.iter().any(|region| region.rect().contains(x, y)), "{x},{y} of {:?}", open(&found));
            }
        }
    }

    /// A mask is what it covers, whichever way it is given.
    #[test]
    fn a_rectangle_and_its_picture_are_one_mask(
        pair in part_of_pair(), at in (0.0..1.0_f64, 0.0..1.0_f64), sides in (1..160_u32, 1..120_u32),
    ) {
        let pair = pair.draw();
        let (expected, actual) = (view(&pair.before), view(&pair.after));
        let first = |at: f64, side: u32| (f64::from(side) * at) as u32;
        let area = Rect::new(first(at.0, pair.after.width), first(at.1, pair.after.height), sides.0, sides.1);
        let size = expected.size().union(actual.size());
        let found = |mask: Mask| {
            let options = Options::default().with_ignored(mask);
            let plain = diff(&expected, &actual, &options).unwrap();
            relate(plain, &expected, &actual, &options, &Relating::default()).unwrap()
        };
        let drawn = BitMask::from_fn(size, |x, y| area.contains(x, y));
        let [by_area, by_picture] = [area.into(), drawn.into()].map(found);
        prop_assert_eq!(by_area.regions(), by_picture.regions(), "{}", pair.name);
    }

    #[test]
    fn without_leave_nothing_is_excused(pair in image_pair(), steps in prop::option::of(0..5_000_u64)) {
        let (expected, actual) = (pair.expected.view(), pair.actual.view());
        let options = Options::default();
        let plain = diff(&expected, &actual, &options).unwrap();
        let relating = steps.map_or(Relating::default(), |steps| Relating::default().with_work_steps(steps));
        let found = relate(plain.clone(), &expected, &actual, &options, &relating).unwrap();
        prop_assert_eq!(found.is_match(), plain.is_match());
        prop_assert_eq!(found.score() == 0, found.is_match());
        prop_assert_eq!(found.differing_pixels(), plain.differing_pixels());
        prop_assert!(found.regions().iter().all(|region| matches!(region.excuse(), None | Some(Excuse::Consequence))));
        let bounds = |region: &Region| {
            let is_removed = region.kind() == RegionKind::Removed;
            Rect::of_size(if is_removed { expected.size().union(actual.size()) } else { actual.size() })
        };
        prop_assert!(found.regions().iter().all(|region| bounds(region).union(region.rect()) == bounds(region)));
    }

    #[test]
    fn a_more_tolerant_level_opens_nothing(pair in part_of_pair(), placement in 0..4_u32) {
        let pair = pair.draw();
        let found = |level| {
            related(&pair.before, &pair.after, &Relating::default().with_level(level).with_placement_px(placement))
        };
        let levels = MatchLevel::ALL.map(|level| found(level).open_regions().count());
        prop_assert!(levels[1..].is_sorted_by(|a, b| a >= b), "{levels:?}");
        prop_assert_eq!(levels[4], 0);
    }

    #[test]
    fn a_rule_for_the_whole_page_is_its_level(pair in part_of_pair(), level in prop::sample::select(&MatchLevel::ALL)) {
        let (pair, whole) = (pair.draw(), Rect::new(0, 0, 4_000, 4_000));
        let page = related(&pair.before, &pair.after, &Relating::default().with_level(level));
        let rule = related(&pair.before, &pair.after, &Relating::default().with_rule(Rule::new(whole, level)));
        prop_assert_eq!(open(&page), open(&rule));
        prop_assert!(rule.regions().iter().all(|region| !matches!(region.excuse(), Some(Excuse::Level))));
    }
}

#[test]
fn related_pairs_are_the_same_whoever_asks() {
    // A second time, and with the images swapped there and back, nothing is another.
    for pair in pairs::pairs(SEEDS[1]).iter().step_by(17) {
        let once = related(&pair.before, &pair.after, &Relating::default());
        assert_eq!(once, related(&pair.before, &pair.after, &Relating::default()), "{}", pair.name);
    }
}

/// A page of text and cards, 400 × 300.
fn page() -> Picture {
    let mut on = Picture::new(400, 300, [255, 255, 255]);
    on.fill([0, 0, 400, 30], [31, 41, 55]);
    for line in 0..6_u32 {
        let letters: Vec<u8> = (0..30).map(|i| 1 + ((i * 7 + line * 13) % 40) as u8).collect();
        on.text(20, 50 + 20 * line, &letters, [17, 24, 39]);
    }
    on.fill([20, 200, 120, 60], [219, 234, 254]);
    on.fill([200, 200, 120, 60], [254, 226, 226]);
    on.fill([340, 210, 40, 40], [37, 99, 235]);
    on
}

fn moved(picture: &Picture, dx: u32, dy: u32) -> Picture {
    let mut on = Picture::new(picture.width, picture.height, [255, 255, 255]);
    for y in dy..picture.height {
        for x in dx..picture.width {
            on.set(x, y, picture.at(x - dx, y - dy));
        }
    }
    on
}

// mapbox/pixelmatch#107
#[test]
fn a_line_of_text_that_moved_is_one_region() {
    let before = page();
    for (dx, dy) in [(1, 0), (2, 0), (0, 1), (0, 2), (2, 1)] {
        let mut after = before.clone();
        after.fill([20, 86, 240, 16], [255, 255, 255]);
        for y in 88..102 {
            for x in 20..240 {
                after.set(x + dx, y + dy, before.at(x, y));
            }
        }
        let found = related(&before, &after, &Relating::default());
        let regions: Vec<_> = found.open_regions().collect();
        assert_eq!(regions.len(), 1, "{dx},{dy}: {:?}", open(&found));
        assert_eq!(
            (regions[0].kind(), regions[0].vector()),
            (RegionKind::Moved, Some([i64::from(dx), i64::from(dy)]))
        );
        let tolerant = related(&before, &after, &Relating::default().with_placement_px(2));
        assert!(tolerant.is_match());
        assert!(tolerant.regions().iter().any(|region| region.excuse() == Some(Excuse::Placement)));
        let less = Relating::default().with_placement_px(dx.max(dy) - 1);
        assert!(!related(&before, &after, &less).is_match());
    }
}

#[test]
fn a_thing_of_one_colour_that_overlaps_where_it_was_keeps_its_box() {
    // Where it is and was, nothing differs; with a column before the page or without.
    let plain = Name { category: 6, seed: 12_955_023_663_670_827_389, part: None }.draw();
    for dx in [0, 1, 2] {
        let [before, after] = [&plain.before, &plain.after].map(|picture| shifted(picture, dx, 0));
        let found = related(&before, &after, &Relating::default());
        assert_eq!(open(&found), [(RegionKind::Moved, Rect::new(107 + dx, 327, 42, 39))]);
    }
}

#[test]
fn a_level_excuses_what_no_relation_has_a_place_for() {
    // A part of a page of which everything is taken for a consequence of what is not in it.
    let part = Part { at: [0.374_011_019_505_870_23, 0.127_909_163_543_005_05], sides: [64, 149] };
    let pair = Name { category: 13, seed: 2_663_726_951_902_474_747, part: Some(part) }.draw();
    let found = |level| related(&pair.before, &pair.after, &Relating::default().with_level(level));
    assert!(!found(MatchLevel::Color).is_match() && !found(MatchLevel::Color).relation().unwrap().is_aligned);
    assert_eq!(found(MatchLevel::Ignore).open_regions().count(), 0);
    assert!(found(MatchLevel::Ignore).regions().iter().all(|region| region.excuse() == Some(Excuse::Level)));
}

#[test]
fn a_region_says_what_it_covers_of_its_box() {
    let mut before = page();
    let frame = [260, 80, 120, 60];
    let mut after = before.clone();
    after.fill(frame, [220, 38, 38]);
    after.fill([266, 86, 108, 48], [255, 255, 255]);
    let found = related(&before, &after, &Relating::default());
    let region = found.open_regions().next().unwrap();
    assert_eq!(region.rect(), Rect::new(260, 80, 120, 60));
    let want = Sketch::from_fn(region.rect(), |x, y| !Rect::new(266, 86, 108, 48).contains(x, y));
    assert_eq!(region.sketch(), want.as_ref());
    // Below a row that came it covers the same of the reference.
    let line = [200, 30, 90].repeat(400);
    after.rgb.splice(60 * 1_200..60 * 1_200, line);
    after.height += 1;
    let found = related(&before, &after, &Relating::default());
    let region = found.open_regions().find(|region| region.rect() == Rect::new(260, 81, 120, 60));
    assert_eq!(region.unwrap().sketch(), want.as_ref());
    let row = found.open_regions().find(|region| region.rect() == Rect::new(0, 60, 400, 1));
    assert!(row.unwrap().sketch().is_none());
    before.fill(frame, [255; 3]);
    after = before.clone();
    after.fill(frame, [220, 38, 38]);
    let found = related(&before, &after, &Relating::default());
    assert_eq!(found.open_regions().map(Region::sketch).collect::<Vec<_>>(), [None]);
}

// instructure/instructure-ui#2710
#[test]
fn a_page_that_moved_by_a_pixel_excuses_no_recolour() {
    let before = page();
    let mut after = moved(&before, 0, 1);
    let only_moved = related(&before, &after, &Relating::default().with_placement_px(1));
    assert!(only_moved.is_match(), "{:?}", open(&only_moved));
    after.fill([340, 211, 40, 40], [22, 163, 74]);
    let found = related(&before, &after, &Relating::default());
    let kinds: Vec<_> = found.open_regions().map(Region::kind).collect();
    assert!(kinds.contains(&RegionKind::Moved) && kinds.contains(&RegionKind::Color), "{:?}", open(&found));
    let tolerant = related(&before, &after, &Relating::default().with_placement_px(1));
    assert_eq!(open(&tolerant), [(RegionKind::Color, Rect::new(340, 211, 40, 40))]);
    let color = tolerant.open_regions().next().unwrap();

    let own = delta_e(Lab::from_srgb8([37, 99, 235]), Lab::from_srgb8([22, 163, 74]));
    assert!((color.mean_delta_e() - own).abs() < 0.01, "{} {own}", color.mean_delta_e());
    assert_eq!(color.expected_rect(), Some(Rect::new(340, 210, 40, 40)));
}

// s2b/visual-regression-tester#10
#[test]
fn a_page_a_pixel_taller_is_distance_where_that_is_allowed() {
    let before = page();
    let mut after = before.clone();
    let row = [255; 3].repeat(400);
    after.rgb.splice(180 * 1200..180 * 1200, row);
    after.height += 1;
    let found = related(&before, &after, &Relating::default());
    assert_eq!(found.open_regions().count(), 1, "{:?}", open(&found));
    let tolerant = related(&before, &after, &Relating::default().with_placement_px(1));
    assert!(tolerant.is_match() && !tolerant.has_open_extra() && tolerant.score() == 0);
    assert!(tolerant.size_mismatch().is_some());
}

// PostHog/posthog#96238, #102145
#[test]
fn a_replaced_chart_is_one_change_and_not_bands() {
    let chart = |seed: u64| {
        let mut random = Random(seed);
        let mut on = page();
        for column in 0..40 {
            let height = random.range(5, 80);
            on.fill([20 + 9 * column, 160 + 100 - height, 7, height], [37, 99, 235]);
        }
        on
    };
    let found = related(&chart(1), &chart(2), &Relating::default());
    // Bars that happen to be as high as others may have moved; no row of the page came or went.
    assert!(found.open_regions().all(|region| region.rect().width < 100), "{:?}", open(&found));
    assert_eq!(found.open_regions().next().unwrap().kind(), RegionKind::Content);
    assert!(found.open_regions().count() <= 16, "{:?}", open(&found));
}

#[test]
fn a_floating_thing_may_move_where_a_rule_lets_it_and_not_farther() {
    let mut before = page();
    let mut after = before.clone();
    let badge: Vec<u8> = vec![3, 17, 29, 8, 31];
    before.text(330, 60, &badge, [153, 27, 27]);
    after.text(334, 63, &badge, [153, 27, 27]);
    let area = Rect::new(320, 50, 70, 30);
    let rule = |px| Relating::default().with_rule(Rule::new(area, MatchLevel::Color).with_placement_px(px));
    let found = related(&before, &after, &rule(4));
    assert!(found.is_match(), "{:?}", open(&found));
    let moved = found.regions().iter().find(|region| region.kind() == RegionKind::Moved).unwrap();
    assert_eq!((moved.vector(), moved.excuse()), (Some([4, 3]), Some(Excuse::Rule(0))));
    assert!(!related(&before, &after, &rule(3)).is_match());
    // The same under the levels that ask for no distance.
    let at = |level| related(&before, &after, &Relating::default().with_rule(Rule::new(area, level)));
    assert!(!at(MatchLevel::Strict).is_match() && !at(MatchLevel::Color).is_match());
    assert!(at(MatchLevel::Placement).is_match() && at(MatchLevel::Layout).is_match());
    assert!(at(MatchLevel::Ignore).is_match());
}

#[test]
fn each_area_is_judged_by_its_own_level() {
    let before = page();
    let mut after = before.clone();
    // A step of one on the left card, another colour on the right one.
    after.fill([20, 200, 120, 60], [219, 234, 253]);
    after.fill([200, 200, 120, 60], [187, 247, 208]);
    let [left, right] = [Rect::new(20, 200, 120, 60), Rect::new(200, 200, 120, 60)];
    let plain = related(&before, &after, &Relating::default());
    assert_eq!(open(&plain), [(RegionKind::Color, right)]);
    let strict = Relating::default().with_rule(Rule::new(left, MatchLevel::Strict));
    assert_eq!(related(&before, &after, &strict).open_regions().count(), 2);
    let layout = strict.clone().with_rule(Rule::new(right, MatchLevel::Layout));
    let found = related(&before, &after, &layout);
    assert_eq!(open(&found).len(), 1);
    assert_eq!(
        found.regions().iter().find(|region| region.rect() == right).unwrap().excuse(),
        Some(Excuse::Rule(1))
    );
    let own = Rule::new(right, MatchLevel::Color).with_tolerance(Tolerance::new(100.0).unwrap());
    assert!(related(&before, &after, &Relating::default().with_rule(own)).is_match());
}

#[test]
fn work_that_runs_out_is_said_and_the_verdict_stands() {
    let before = page();
    let after = moved(&before, 0, 1);
    let found = related(&before, &after, &Relating::default().with_work_steps(10));
    assert!(found.relation().unwrap().is_cut);
    assert!(!found.is_match());
    assert!(!related(&before, &after, &Relating::default()).relation().unwrap().is_cut);
}

#[test]
fn blocks_that_changed_places_are_looked_for_within_the_work() {
    // Blocks of six rows like no others, in one order and in the other; rows of the ground between them.
    let deck = |order: &dyn Fn(u32) -> u32, blocks: u32| {
        let mut on = Picture::new(120, blocks * 8, [250; 3]);
        for place in 0..blocks {
            let mut random = Random(u64::from(order(place)) + 1);
            for (y, x) in (0..6).flat_map(|y| (0..120).map(move |x| (y, x))) {
                let noise = random.next().to_le_bytes();
                on.set(x, place * 8 + 1 + y, [noise[0], noise[1], noise[2]]);
            }
        }
        on
    };
    let steps = |blocks: u32| {
        let (before, after) = (deck(&|place| place, blocks), deck(&|place| blocks - 1 - place, blocks));
        let found = related(&before, &after, &Relating::default());
        let relation = found.relation().unwrap();
        assert!(!found.is_match() && !relation.is_cut);
        relation.work_steps / u64::from(blocks)
    };
    // Four times as many take no more of each, but for what every pair of blocks takes.
    let [few, many] = [40, 160].map(steps);
    assert!(many < 3 * few, "{few} {many}");
}

/// A small square that moved on an image of more than four million pixels.
#[test]
fn little_of_a_large_image_is_looked_at_only_where_it_may_move() {
    let size = Size::new(2_100, 2_000);
    let page = |x: u32| {
        let mut gray = vec![250; size.area() as usize];
        for row in 500..530_u32 {
            for column in x..x + 30 {
                gray[(row * size.width + column) as usize] =
                    (40 + row % 7 * 9 + column.wrapping_sub(x) % 5 * 11) as u8;
            }
        }
        gray
    };
    let (before, after) = (page(400), page(900));
    let [expected, actual] =
        [&before, &after].map(|gray| ImageView::packed(gray, size, PixelFormat::Gray8).unwrap());
    let options = Options::default();
    let plain = || diff(&expected, &actual, &options).unwrap();
    let kinds = |relating: &Relating| {
        let found = relate(plain(), &expected, &actual, &options, relating).unwrap();
        found.regions().iter().map(Region::kind).collect::<Vec<_>>()
    };
    assert!(!plain().is_worth_relating(&Relating::default()));
    assert!(!kinds(&Relating::default()).contains(&RegionKind::Moved));
    let may_move = Relating::default().with_placement_px(4);
    assert!(plain().is_worth_relating(&may_move));
    assert!(kinds(&may_move).contains(&RegionKind::Moved));
}

/// A tenth of an image of more than four million pixels in another colour, with the same drawing on it.
#[test]
fn what_only_has_another_color_on_a_large_image_is_not_looked_for_elsewhere() {
    let size = Size::new(2_100, 2_000);
    let page = |by: u32| -> Vec<u8> {
        let gray = |at: u64| {
            let [x, y] = [at % 2_100, at / 2_100].map(|at| at as u32);
            let is_changed = (300..1_000).contains(&x) && (400..1_000).contains(&y);
            (60 + x / 8 % 7 * 11 + y / 8 % 5 * 13 + if is_changed { by } else { 0 }) as u8
        };
        (0..size.area()).map(gray).collect()
    };
    let (before, after) = (page(0), page(30));
    let [expected, actual] =
        [&before, &after].map(|gray| ImageView::packed(gray, size, PixelFormat::Gray8).unwrap());
    let found = diff(&expected, &actual, &Options::default()).unwrap();
    assert!(found.open_regions().all(|region| region.kind() == RegionKind::Color), "{:?}", found.regions());
    assert!(!found.is_match());
    assert!(!found.is_worth_relating(&Relating::default()));
    assert!(found.is_worth_relating(&Relating::default().with_placement_px(1)));
}
