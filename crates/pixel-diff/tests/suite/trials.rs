//! Reports from the trackers of other tools, with the answer that a user should have got.

use trueup_frame::{ImageView, PixelFormat, Rect, Size};
use trueup_pixel_diff::{Antialiasing, BoxDiff, Diff, Options, RegionKind, Tolerance, diff};

/// An RGB picture that can be painted on.
#[derive(Clone)]
struct Canvas {
    size: Size,
    bytes: Vec<u8>,
}

impl Canvas {
    fn new(width: u32, height: u32, color: [u8; 3]) -> Self {
        let size = Size::new(width, height);
        Self { size, bytes: color.repeat(size.area() as usize) }
    }

    fn fill(mut self, rect: Rect, color: [u8; 3]) -> Self {
        for y in rect.y..rect.bottom() as u32 {
            for x in rect.x..rect.right() as u32 {
                self.set(x, y, color);
            }
        }
        self
    }

    fn set(&mut self, x: u32, y: u32, color: [u8; 3]) {
        let at = (y * self.size.width + x) as usize * 3;
        self.bytes[at..at + 3].copy_from_slice(&color);
    }

    fn view(&self) -> ImageView<'_> {
        ImageView::packed(&self.bytes, self.size, PixelFormat::Rgb8).unwrap()
    }

    fn against(&self, actual: &Self, options: &Options) -> Diff {
        diff(&self.view(), &actual.view(), options).unwrap()
    }
}

const WHITE: [u8; 3] = [255; 3];

fn strict() -> Options {
    Options::default().with_tolerance(Tolerance::strict())
}

#[test]
fn a_large_faint_recolour_is_open() {
    // BackstopJS#850: ΔE 1.52, which a threshold of 2.0 or 2.3 on single pixels cannot see.
    let page = Canvas::new(400, 300, [251, 252, 253]);
    let found = page.against(&page.clone().fill(Rect::new(50, 60, 100, 100), [245; 3]), &Options::default());
    assert_eq!((found.visible_pixels(), found.open_pixels()), (0, 10_000));
    let [region] = found.regions() else { panic!("{:?}", found.regions()) };
    assert!(region.is_open());
    assert_eq!((region.rect(), region.pixels()), (Rect::new(50, 60, 100, 100), 10_000));
    // The ground around it has its old colour: a panel was put there.
    assert_eq!(region.kind(), RegionKind::Added);
    assert_eq!(format!("{:.4}", region.mean_delta_e()), "1.5235");
    assert_eq!(region.max_delta_e().to_string(), "1.5235");
    assert!(region.mean_delta_l() < -2.0 && region.mean_delta_c() < 0.0);
    let pass = found.would_pass_at().unwrap().to_f64();
    assert!((2.0..3.05).contains(&pass), "{pass}");
}

#[test]
fn one_step_in_one_pixel_is_open_only_when_strict() {
    // ImageMagick#2781: 8B405F against 8C405F.
    let page = Canvas::new(64, 64, [0x8B, 0x40, 0x5F]);
    let changed = page.clone().fill(Rect::new(30, 30, 1, 1), [0x8C, 0x40, 0x5F]);
    let found = page.against(&changed, &Options::default());
    assert_eq!((found.differing_pixels(), found.open_pixels(), found.score()), (1, 0, 0));
    assert_eq!(found.max_delta_e().to_string(), "0.2423");
    assert!(found.is_match() && !found.is_identical());
    let found = page.against(&changed, &strict());
    assert_eq!((found.differing_pixels(), found.open_pixels()), (1, 1));
    assert!(!found.is_match() && found.would_pass_at().is_none());
}

#[test]
fn strict_counts_every_one_of_1696_pixels() {
    // ImageMagick#1263.
    let page = Canvas::new(100, 100, [90, 90, 90]);
    let changed = page.clone().fill(Rect::new(10, 10, 53, 32), [91, 90, 90]);
    let found = page.against(&changed, &strict());
    assert_eq!((found.differing_pixels(), found.open_pixels()), (1696, 1696));
}

#[test]
fn a_button_at_the_end_of_a_tall_page_is_one_region() {
    // posthog#53042: 0.65 % of the page, hidden by every percentage.
    let page = Canvas::new(400, 3000, WHITE);
    let button = Rect::new(150, 2900, 104, 75);
    let found = page.against(&page.clone().fill(button, [29, 78, 216]), &Options::default());
    let open: Vec<_> = found.open_regions().collect();
    assert_eq!(open.len(), 1);
    assert_eq!(open[0].rect(), button);
}

#[test]
fn a_small_solid_block_on_a_tall_page_is_open() {
    let page = Canvas::new(400, 3000, WHITE);
    let block = Rect::new(11, 2950, 20, 20);
    for color in [[0; 3], [200, 200, 200], [245, 245, 245]] {
        let found = page.against(&page.clone().fill(block, color), &Options::default());
        assert_eq!(found.open_regions().map(|r| r.rect()).collect::<Vec<_>>(), [block], "{color:?}");
    }
}

/// One step of noise in every channel, the same on every run.
fn noisy(canvas: &Canvas) -> Canvas {
    let mut state = 7_u32;
    let mut noisy = canvas.clone();
    for sample in &mut noisy.bytes {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *sample = sample.saturating_add_signed([-1, 0, 1, 0][(state >> 30) as usize]);
    }
    noisy
}

#[test]
fn one_step_of_noise_over_a_page_is_not_open_and_hides_nothing() {
    // On light, middle and dark ground, where one step is worth most.
    for ground in [[250; 3], [128; 3], [37, 41, 54], [24, 23, 23], [13, 17, 23], [0; 3]] {
        let page = Canvas::new(200, 200, ground);
        let found = page.against(&noisy(&page), &Options::default());
        assert!(found.differing_pixels() > 20_000);
        assert!(found.is_match(), "{ground:?}: {:?}", found.open_regions().next());
        // A real block in the noise keeps its own box.
        let block = Rect::new(90, 70, 20, 20);
        let changed = noisy(&page).fill(block, ground.map(|c| c ^ 0x40));
        let found = page.against(&changed, &Options::default());
        let boxes: Vec<_> = found.open_regions().map(|r| r.rect()).collect();
        assert_eq!(boxes.len(), 1, "{ground:?}: {boxes:?}");
        assert_eq!(boxes[0].union(block), boxes[0]);
    }
}

#[test]
fn a_lighter_text_colour_on_a_large_screen_is_open() {
    // paparazzi#188.
    let draw = |color: [u8; 3]| {
        let mut page = Canvas::new(1080, 1920, WHITE);
        for letter in 0..10 {
            page = page.fill(Rect::new(200 + letter * 9, 400, 2, 12), color);
            page = page.fill(Rect::new(200 + letter * 9, 405, 6, 2), color);
        }
        page
    };
    let found = draw([60; 3]).against(&draw([90; 3]), &Options::default());
    assert_eq!(found.open_regions().count(), 1);
    let region = found.open_regions().next().unwrap();
    assert_eq!((region.kind(), region.pieces()), (RegionKind::Color, 10));
    assert!(region.mean_delta_l() > 0.0);
}

#[test]
fn a_shortened_line_is_open_at_no_tolerance() {
    // paparazzi#2075: a zero tolerance must fail.
    let draw = |length| Canvas::new(500, 20, [0; 3]).fill(Rect::new(40, 10, length, 1), WHITE);
    let none = Options::default().with_tolerance(Tolerance::new(0.0).unwrap());
    for options in [none, strict(), Options::default()] {
        let found = draw(400).against(&draw(390), &options);
        assert_eq!((found.differing_pixels(), found.open_pixels()), (10, 10));
    }
}

#[test]
fn no_pixel_is_skipped_on_a_large_image() {
    // Resemble.js#52 skips a grid above 1200 pixels a side.
    let page = Canvas::new(1500, 1300, WHITE);
    for (x, y) in [(0, 0), (1499, 1299), (1001, 777), (640, 1210), (1299, 3)] {
        let mut changed = page.clone();
        changed.set(x, y, [0; 3]);
        let found = page.against(&changed, &Options::default());
        assert_eq!(found.open_regions().map(|r| r.rect()).collect::<Vec<_>>(), [Rect::new(x, y, 1, 1)]);
    }
}

#[test]
fn a_bar_fill_has_its_exact_box() {
    // vlmkit#117.
    let page = Canvas::new(640, 360, WHITE).fill(Rect::new(100, 10, 400, 32), [229, 231, 235]);
    let bar = Rect::new(106, 16, 90, 20);
    // Root, card, bar and a label; the tight element, not an ancestor.
    let elements =
        vec![Rect::of_size(page.size), Rect::new(100, 10, 400, 32), Rect::new(106, 16, 384, 20), bar];
    let options = Options::default().with_boxes(elements);
    let found = page.against(&page.clone().fill(bar, [37, 99, 235]), &options);
    assert_eq!(found.boxes().iter().map(BoxDiff::differing_pixels).collect::<Vec<_>>(), [1800; 4]);
    assert_eq!(found.regions()[0].box_index(), Some(3));
    let [region] = found.regions() else { panic!("{:?}", found.regions()) };
    assert_eq!((region.rect(), region.pixels(), region.is_open()), (bar, 1800, true));
}

#[test]
fn extra_pixels_count_on_both_sides() {
    // odiff#170: identical overlap, one image wider.
    let (small, large) = (Canvas::new(200, 200, WHITE), Canvas::new(300, 200, WHITE));
    let found = small.against(&large, &Options::default());
    let sizes = found.size_mismatch().unwrap();
    assert_eq!((sizes.expected_extra_pixels, sizes.actual_extra_pixels), (0, 100 * 200));
    assert!(!found.is_match() && !found.is_identical() && found.would_pass_at().is_none());
    assert_eq!(found.score(), 20_000 * 100 * 65_536);
    let back = large.against(&small, &Options::default()).size_mismatch().unwrap();
    assert_eq!((back.expected_extra_pixels, back.actual_extra_pixels), (20_000, 0));

    // Wider and shorter: each side has something of its own.
    let (wide, tall) = (Canvas::new(30, 10, WHITE), Canvas::new(10, 30, WHITE));
    let sizes = wide.against(&tall, &Options::default()).size_mismatch().unwrap();
    assert_eq!((sizes.expected_extra_pixels, sizes.actual_extra_pixels), (200, 200));
}

#[test]
fn extra_pixels_obey_masks() {
    let (small, large) = (Canvas::new(20, 20, WHITE), Canvas::new(30, 20, WHITE));
    let half = Options::default().with_ignored(Rect::new(15, 0, 10, 20));
    let found = small.against(&large, &half);
    assert_eq!(found.size_mismatch().unwrap().actual_extra_pixels, 100);
    assert_eq!((found.compared_pixels(), found.masked_pixels()), (300, 100));
    // The rest masked as well: nothing that counts is left, but the sizes still differ.
    let found = small.against(&large, &half.with_ignored(Rect::new(20, 0, u32::MAX, u32::MAX)));
    assert!(found.is_match() && !found.is_identical());
    assert_eq!(found.would_pass_at(), Some(Tolerance::default().color_delta_e()));
}

#[test]
fn overlapping_pixels_of_unlike_sizes_are_read_from_their_own_rows() {
    // odiff#111.
    let small = Canvas::new(10, 10, WHITE).fill(Rect::new(9, 9, 1, 1), [0; 3]);
    let large = Canvas::new(17, 13, WHITE).fill(Rect::new(9, 9, 1, 1), [0; 3]);
    let found = small.against(&large, &Options::default());
    assert_eq!(found.differing_pixels(), 0);
    let moved = Canvas::new(17, 13, WHITE).fill(Rect::new(2, 9, 1, 1), [0; 3]);
    assert_eq!(small.against(&moved, &Options::default()).differing_pixels(), 2);
}

#[test]
fn masks_at_the_right_edge_do_not_wrap() {
    // odiff#149 and its kin: half-open, clipped, reported when they cover nothing.
    let page = Canvas::new(20, 4, WHITE);
    let black = Canvas::new(20, 4, [0; 3]);
    let options = Options::default()
        .with_ignored(Rect::new(15, 1, 50, 1))
        .with_ignored(Rect::new(20, 0, 5, 4))
        .with_ignored(Rect::new(3, 3, 0, 9))
        .with_ignored(Rect::new(16, 1, 2, 2));
    let found = page.against(&black, &options);
    assert_eq!((found.masked_pixels(), found.differing_pixels()), (7, 73));
    assert_eq!(found.unmatched_masks(), [1, 2]);
}

fn rgba(pixels: &[[u8; 4]], width: u32) -> (Vec<u8>, Size) {
    (pixels.concat(), Size::new(width, pixels.len() as u32 / width))
}

fn rgba_diff(expected: &[[u8; 4]], actual: &[[u8; 4]]) -> Diff {
    let ((e, size), (a, _)) = (rgba(expected, 4), rgba(actual, 4));
    let view = |bytes| ImageView::packed(bytes, size, PixelFormat::Rgba8).unwrap();
    diff(&view(&e), &view(&a), &Options::default()).unwrap()
}

#[test]
fn transparency_is_seen_on_every_backdrop() {
    let (clear, white, black) = ([0, 0, 0, 0], [255; 4], [0, 0, 0, 255]);
    // pixelmatch#26: a white logo on nothing, turned.
    let logo = |at: usize| (0..16).map(|i| if i % 4 == at { white } else { clear }).collect::<Vec<_>>();
    assert_eq!(rgba_diff(&logo(0), &logo(3)).open_pixels(), 8);
    // pixelmatch#13, dify#32: black on nothing.
    assert_eq!(rgba_diff(&[black; 16], &[clear; 16]).open_pixels(), 16);
    // looks-same#101: alpha alone.
    assert_eq!(rgba_diff(&[[90, 90, 200, 255]; 16], &[[90, 90, 200, 128]; 16]).open_pixels(), 16);
    // Equal over white, different over black.
    assert_eq!(rgba_diff(&[[0, 0, 0, 128]; 16], &[[127, 127, 127, 255]; 16]).open_pixels(), 16);
    // ImageMagick#2835: colour under alpha 0 is nothing.
    assert!(rgba_diff(&[[1, 2, 3, 0]; 16], &[[200, 100, 0, 0]; 16]).is_identical());
    // ImageMagick#8265: a translucent image against itself.
    assert!(rgba_diff(&[[7, 77, 177, 99]; 16], &[[7, 77, 177, 99]; 16]).is_identical());
}

#[test]
fn long_images_do_not_lose_counts() {
    // image-compare#9: an f32 sum ends at 16 777 216; dify: exit status modulo 256.
    let bytes = vec![10_u8; 16_777_300];
    let view = ImageView::packed(&bytes, Size::new(16_777_300, 1), PixelFormat::Gray8).unwrap();
    assert!(diff(&view, &view, &Options::default()).unwrap().is_identical());
    let other = vec![60_u8; 16_777_300];
    let tall = |bytes| ImageView::packed(bytes, Size::new(1_677_730, 10), PixelFormat::Gray8).unwrap();
    let found = diff(&tall(&bytes), &tall(&other), &Options::default()).unwrap();
    assert_eq!((found.differing_pixels(), found.regions().len()), (16_777_300, 1));
    assert_eq!(found.regions()[0].delta_e_sum() % 16_777_300, 0);
}

#[test]
fn three_hundred_thousand_specks_are_linear() {
    // Quadratic work would take hours here; the time limit is the test command's.
    let (width, height) = (2400, 2000);
    let page = vec![255_u8; width * height];
    let mut specks = page.clone();
    for y in (0..height).step_by(4) {
        for x in (0..width).step_by(4) {
            specks[y * width + x] = 0;
        }
    }
    let view =
        |bytes| ImageView::packed(bytes, Size::new(width as u32, height as u32), PixelFormat::Gray8).unwrap();
    for (distance, regions) in [(6, 1), (0, 300_000)] {
        let options = Options::default().with_merge_distance_px(distance);
        let found = diff(&view(&page), &view(&specks), &options).unwrap();
        assert_eq!(found.regions().len(), regions);
        assert_eq!(found.open_pixels(), 300_000);
    }
}

/// A black bar on white whose edges cover their pixels by so many 255ths.
fn bar(share: u8, color: [u8; 3]) -> Canvas {
    let mix = color.map(|c| (255 - (255 - u16::from(c)) * u16::from(share) / 255) as u8);
    Canvas::new(60, 40, WHITE).fill(Rect::new(10, 10, 30, 12), mix).fill(Rect::new(11, 11, 28, 10), color)
}

#[test]
fn another_rasterisation_of_an_edge_is_antialiasing() {
    let coverage = Options::default().with_antialiasing(Antialiasing::Coverage);
    let found = bar(90, [0; 3]).against(&bar(160, [0; 3]), &coverage);
    // The corners have no pixel of the bar beside them that is whole in both.
    assert_eq!((found.differing_pixels(), found.antialiased_pixels()), (80, 80));
    assert!(found.is_match());
    let off = Options::default().with_antialiasing(Antialiasing::Off);
    assert!(!bar(90, [0; 3]).against(&bar(160, [0; 3]), &off).is_match());
    // It is not strict, and strict is strict.
    let strict = coverage.clone().with_tolerance(Tolerance::strict());
    let found = bar(90, [0; 3]).against(&bar(160, [0; 3]), &strict);
    assert_eq!((found.open_pixels(), found.antialiased_pixels()), (80, 0));

    // Resemble.js#151: another colour is another colour.
    let found = bar(90, [200, 0, 0]).against(&bar(90, [0, 0, 200]), &coverage);
    assert_eq!((found.antialiased_pixels(), found.open_pixels()), (0, 360));
}

#[test]
fn antialiasing_at_the_border_is_that_of_the_interior() {
    // pixelmatch#50: an edge that runs out of the image.
    let draw = |share: u8| {
        let mut page = Canvas::new(30, 30, WHITE);
        for y in 0..30 {
            for x in 0..30 - y {
                page.set(x, y, if x == 29 - y { [255 - share; 3] } else { [0; 3] });
            }
        }
        page
    };
    let coverage = Options::default().with_antialiasing(Antialiasing::Coverage);
    let found = draw(100).against(&draw(150), &coverage);
    assert_eq!((found.differing_pixels(), found.antialiased_pixels()), (30, 30));
}

#[test]
fn kinds_are_what_a_person_would_say() {
    let page = Canvas::new(200, 120, WHITE);
    let panel = Rect::new(20, 20, 80, 40);
    let card = page.clone().fill(panel, [230, 230, 240]);
    let kind = |e: &Canvas, a: &Canvas| {
        let found = e.against(a, &Options::default());
        assert_eq!(found.open_regions().count(), 1);
        found.regions()[0].kind()
    };
    assert_eq!(kind(&page, &card), RegionKind::Added);
    assert_eq!(kind(&card, &page), RegionKind::Removed);
    assert_eq!(kind(&card, &page.clone().fill(panel, [200, 220, 240])), RegionKind::Color);
    // Another letter in the same place: some strokes gone, some new.
    let letter = |bars: &[Rect]| bars.iter().fold(page.clone(), |page, &bar| page.fill(bar, [20; 3]));
    let e = letter(&[Rect::new(50, 50, 3, 20), Rect::new(53, 50, 9, 3), Rect::new(53, 58, 9, 3)]);
    let l = letter(&[Rect::new(50, 50, 3, 20), Rect::new(53, 67, 9, 3), Rect::new(60, 58, 3, 9)]);
    assert_eq!(kind(&e, &l), RegionKind::Content);
}
