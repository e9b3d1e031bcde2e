//! The push fold: windows, order, errors, working memory.

use proptest::prelude::*;
use trueup_frame::{Alpha, ColorSpace, Frame, ImageView, PixelFormat, Rect, Size};
use trueup_pixel_diff::strategy::{image_pair, options, unlike_image_pair};
use trueup_pixel_diff::{Diff, DiffErrorKind, Differ, Layout, Level, Options, Scan, Side, Window, diff};

fn streamed(e: &ImageView<'_>, a: &ImageView<'_>, options: &Options, cuts: &[u32]) -> Diff {
    let mut scan = Scan::new(Layout::of(e), Layout::of(a), options).unwrap();
    let mut cuts = cuts.iter().copied().cycle();
    while scan.next_row() < scan.rows() {
        let y = scan.next_row();
        let rows = cuts.next().unwrap().min(scan.rows() - y);
        // As much halo as the image has, which no one needs to look at.
        let (above, below) = (y.min(2), (scan.rows() - y - rows).min(1));
        let band = |width| Rect::new(0, y - above, width, above + rows + below);
        let e = e.crop(band(e.size().width)).unwrap();
        let a = a.crop(band(a.size().width)).unwrap();
        scan.push(Window::new(e, a, y - above).with_halo(above, below)).unwrap();
    }
    scan.finish().unwrap()
}

proptest! {
    #[test]
    fn streamed_is_in_memory(
        pair in unlike_image_pair(),
        options in options(),
        cuts in prop::collection::vec(1..9_u32, 1..5),
    ) {
        let options = pair.fit(options);
        let (e, a) = (pair.expected.view(), pair.actual.view());
        prop_assert_eq!(streamed(&e, &a, &options, &cuts), diff(&e, &a, &options).unwrap());
    }

    #[test]
    fn a_used_differ_answers_as_a_new_one(pairs in prop::collection::vec(unlike_image_pair(), 1..5), options in options()) {
        let options = pairs.iter().fold(options, |options, pair| pair.fit(options));
        let mut differ = Differ::new(options.clone()).unwrap();
        for pair in &pairs {
            let (e, a) = (pair.expected.view(), pair.actual.view());
            prop_assert_eq!(differ.diff(&e, &a).unwrap(), &diff(&e, &a, &options).unwrap());
        }
    }

    #[test]
    fn what_is_known_to_be_equal_need_not_be_looked_at(pair in image_pair(), options in options()) {
        let image = pair.expected.view();
        let known = Diff::of_equal(Layout::of(&image), &options).unwrap();
        prop_assert_eq!(known, diff(&image, &image, &options).unwrap());
    }

    #[test]
    fn every_level_gives_the_same_bits(pair in unlike_image_pair(), options in options()) {
        let options = pair.fit(options);
        let (e, a) = (pair.expected.view(), pair.actual.view());
        let baseline = diff(&e, &a, &options.clone().with_level(Level::Baseline)).unwrap();
        for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
            prop_assert_eq!(&diff(&e, &a, &options.clone().with_level(level)).unwrap(), &baseline, "{:?}", level);
        }
    }

    #[test]
    fn padding_never_matters(pair in image_pair(), options in options(), pad in 1..9_usize, poison in any::<u8>()) {
        let strided = |frame: &Frame, poison: u8| {
            let mut bytes = Vec::new();
            for row in frame.view().rows() {
                bytes.extend_from_slice(row);
                bytes.extend(std::iter::repeat_n(poison, pad));
            }
            bytes
        };
        // Different garbage on both sides, and rows that start at odd addresses.
        let (e_bytes, a_bytes) = (strided(&pair.expected, poison), strided(&pair.actual, !poison));
        let view = |bytes, like: &Frame| {
            let row = like.size().width as usize * like.format().bytes_per_pixel();
            let view = ImageView::strided(bytes, like.size(), like.format(), row + pad).unwrap();
            view.with_alpha(like.alpha()).unwrap().with_color(like.color())
        };
        let (e, a) = (view(&e_bytes, &pair.expected), view(&a_bytes, &pair.actual));
        let packed = diff(&pair.expected.view(), &pair.actual.view(), &options).unwrap();
        prop_assert_eq!(diff(&e, &a, &options).unwrap(), packed);
    }
}

fn gray(bytes: &[u8], width: u32) -> ImageView<'_> {
    ImageView::packed(bytes, Size::new(width, bytes.len() as u32 / width), PixelFormat::Gray8).unwrap()
}

#[test]
fn windows_that_do_not_fit_are_refused_and_change_nothing() {
    let bytes = [9_u8; 12];
    let whole = gray(&bytes, 3);
    let layout = Layout::of(&whole);
    let mut scan = Scan::new(layout, layout, &Options::default()).unwrap();
    let two = whole.crop(Rect::new(0, 0, 3, 2)).unwrap();

    let kind = |scan: &mut Scan, window| scan.push(window).unwrap_err().kind().clone();
    assert_eq!(kind(&mut scan, Window::new(two, two, 1)), DiffErrorKind::RowOrder { needed: 0, found: 1 });
    assert_eq!(
        kind(&mut scan, Window::new(two, whole, 0)),
        DiffErrorKind::WindowHeights { expected: 2, actual: 4 }
    );
    let narrow = whole.crop(Rect::new(0, 0, 2, 2)).unwrap();
    let mismatch = |side, what| DiffErrorKind::LayoutMismatch { side, what };
    assert_eq!(kind(&mut scan, Window::new(narrow, two, 0)), mismatch(Side::Expected, "width"));
    let p3 = two.with_color(ColorSpace::DisplayP3);
    assert_eq!(kind(&mut scan, Window::new(two, p3, 0)), mismatch(Side::Actual, "color"));
    assert_eq!(
        kind(&mut scan, Window::new(two, two, 0).with_halo(2, 1)),
        DiffErrorKind::HaloTooLarge { halo: 3, rows: 2 }
    );
    scan.push(Window::new(two, two, 0)).unwrap();
    scan.push(Window::new(two, two, 2)).unwrap();
    assert_eq!(kind(&mut scan, Window::new(two, two, 4)), DiffErrorKind::TooManyRows { height: 4, end: 6 });
    assert!(scan.finish().unwrap().is_identical());

    let unfinished = Scan::new(layout, layout, &Options::default()).unwrap().finish().unwrap_err();
    assert_eq!(unfinished.kind(), &DiffErrorKind::MissingRows { pushed: 0, height: 4 });
}

#[test]
fn options_out_of_range_are_refused() {
    let options = Options::default().with_merge_distance_px(65);
    let error = Differ::new(options).unwrap_err();
    assert_eq!(error.kind(), &DiffErrorKind::MergeDistanceTooLarge { pixels: 65, max: 64 });
    assert_eq!(error.to_string(), "a merge distance of 65 pixels is more than the 64 allowed");
    assert!(Layout::new(Size::new(1, 1), PixelFormat::Rgb8).with_alpha(Alpha::Straight).is_err());
}

#[test]
fn empty_images_compare() {
    let pixel = [1_u8];
    let one = gray(&pixel, 1);
    for size in [Size::new(0, 0), Size::new(0, 3), Size::new(3, 0)] {
        let empty = ImageView::packed(&[], size, PixelFormat::Gray8).unwrap();
        assert!(diff(&empty, &empty, &Options::default()).unwrap().is_identical());
        let found = diff(&one, &empty, &Options::default()).unwrap();
        assert!(!found.is_match());
        assert_eq!(found.size_mismatch().unwrap().expected_extra_pixels, 1);
        assert_eq!((found.compared_pixels(), found.mean_delta_e()), (0, 0.0));
    }
    // An empty crop keeps the stride of its image but none of its bytes.
    let bytes = [0_u8; 12];
    let crop = gray(&bytes, 3).crop(Rect::new(1, 1, 0, 2)).unwrap();
    assert!(diff(&crop, &crop, &Options::default()).unwrap().is_identical());
}

#[test]
fn serialised_tolerances_are_checked_again() {
    let tolerance: trueup_pixel_diff::Tolerance = serde_json::from_str(r#"{"color_delta_e":1.5}"#).unwrap();
    assert_eq!(tolerance.color_delta_e().to_f64(), 1.5);
    assert_eq!(serde_json::to_string(&tolerance).unwrap(), r#"{"color_delta_e":1.5,"strict":false}"#);
    for bad in [r#"{"color_delta_e":-1}"#, r#"{"color_delta_e":1,"threshold":2}"#, "{}"] {
        assert!(serde_json::from_str::<trueup_pixel_diff::Tolerance>(bad).is_err(), "{bad}");
    }
}

#[test]
fn concurrent_comparisons_equal_serial_ones() {
    // odiff#169: one process, many threads.
    let pages: Vec<Vec<u8>> =
        (0..8_u32).map(|page| (0..6400_u32).map(|i| (i * (page + 3) / 7) as u8).collect()).collect();
    let compare = |e: &[u8], a: &[u8]| diff(&gray(e, 80), &gray(a, 80), &Options::default()).unwrap();
    let serial: Vec<Diff> = pages.iter().map(|page| compare(&pages[0], page)).collect();
    let concurrent: Vec<Diff> = std::thread::scope(|scope| {
        let threads: Vec<_> = pages.iter().map(|page| scope.spawn(|| compare(&pages[0], page))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(serial, concurrent);
    assert!(serial[0].is_identical() && !serial[1].is_match());

    fn sendable<T: Send + Sync>() {}
    sendable::<Differ>();
    sendable::<Scan>();
    sendable::<Diff>();
}
