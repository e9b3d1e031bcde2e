//! On several threads: the same result, bit for bit.

use proptest::prelude::*;
use trueup_frame::{Frame, ImageView, Rect, Size};
use trueup_pixel_diff::strategy::{options, unlike_image_pair};
use trueup_pixel_diff::{Diff, Layout, Options, Scan, Window, diff, diff_parallel};

/// The picture again and again, side by side and one below the other, so that its rows are judged in many parts. What repeats is
/// turned a little from time to time, lest all parts be the same.
fn tiled(frame: &Frame, size: Size) -> Frame {
    let view = frame.view();
    let pixel = view.format().bytes_per_pixel();
    let Size { width, height } = view.size();
    let mut bytes = Vec::new();
    for y in 0..size.height {
        for x in 0..size.width {
            let (from_x, from_y) = ((x + y / 50) % width, (y + x / 70) % height);
            bytes.extend_from_slice(&view.row(from_y)[from_x as usize * pixel..][..pixel]);
        }
    }
    let tiled = Frame::new(bytes, size, view.format()).unwrap();
    tiled.with_alpha(view.alpha()).unwrap().with_color(view.color())
}

/// Pushed in windows, by turns on all threads and on one, where a cut says so.
fn pushed(e: &ImageView<'_>, a: &ImageView<'_>, options: &Options, cuts: &[(u32, bool)]) -> Diff {
    let mut scan = Scan::new(Layout::of(e), Layout::of(a), options).unwrap();
    let mut cuts = cuts.iter().copied().cycle();
    while scan.next_row() < scan.rows() {
        let y = scan.next_row();
        let (rows, in_turn) = cuts.next().unwrap();
        let band = |width| Rect::new(0, y, width, rows.min(scan.rows() - y));
        let window =
            Window::new(e.crop(band(e.size().width)).unwrap(), a.crop(band(a.size().width)).unwrap(), y);
        if in_turn { scan.push(window).unwrap() } else { scan.push_parallel(window).unwrap() }
    }
    scan.finish().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_number_of_threads_finds_the_same(
        pair in unlike_image_pair(),
        options in options(),
        sizes in prop::array::uniform2((1..260_u32, 1..420_u32)),
        cuts in prop::collection::vec((1..200_u32, any::<bool>()), 1..5),
        threads in 1..5_usize,
    ) {
        let options = pair.fit(options).with_boxes(vec![Rect::new(3, 5, 90, 200), Rect::new(0, 40, 30, 30)]);
        let [e, a] = [(&pair.expected, sizes[0]), (&pair.actual, sizes[1])]
            .map(|(frame, (width, height))| if frame.size().is_empty() { frame.clone() } else { tiled(frame, Size::new(width, height)) });
        let (e, a) = (e.view(), a.view());
        let expected = diff(&e, &a, &options).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        prop_assert_eq!(&pool.install(|| diff_parallel(&e, &a, &options).unwrap()), &expected);
        prop_assert_eq!(&pool.install(|| pushed(&e, &a, &options, &cuts)), &expected);
    }
}
