//! Pictures of which every pixel changed, where whole stretches go to the kernel without being looked up.

use trueup_frame::{Frame, PixelFormat, Rect, Size};
use trueup_pixel_diff::{Antialiasing, Diff, Layout, Level, Options, Scan, Tolerance, Window, diff};

const SIZE: Size = Size::new(333, 61);

/// A gradient with texture, and the same with every pixel changed by at most `by` in a channel, and the same again on
/// every run; both are still in the columns where `still` says so.
fn noisy(by: u32, still: impl Fn(u32) -> bool) -> [Frame; 2] {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u32
    };
    let (mut expected, mut actual) = (Vec::new(), Vec::new());
    for y in 0..SIZE.height {
        for x in 0..SIZE.width {
            let ground = [x / 2 + y, 40 + y * 3, 200 - x / 3].map(|c| c + next() % 16);
            let mut other = ground;
            while other == ground && !still(x) {
                other = ground.map(|c| (c + next() % (2 * by + 1)).saturating_sub(by));
            }
            expected.extend(ground.map(|c| c.min(255) as u8));
            actual.extend(other.map(|c| c.min(255) as u8));
        }
    }
    [expected, actual].map(|bytes| Frame::new(bytes, SIZE, PixelFormat::Rgb8).unwrap())
}

fn run(e: &Frame, a: &Frame, options: &Options) -> Diff {
    diff(&e.view(), &a.view(), options).unwrap()
}

fn all_options() -> Vec<Options> {
    let plain = Options::default();
    let masked = plain.clone().with_ignored(Rect::new(70, 5, 90, 30)).with_ignored(Rect::new(200, 0, 1, 61));
    vec![
        plain.clone().with_antialiasing(Antialiasing::Coverage),
        plain.clone().with_tolerance(Tolerance::strict()),
        plain.clone().with_tolerance(Tolerance::new(0.0).unwrap()),
        plain.clone().with_tolerance(Tolerance::new(7.5).unwrap()).with_merge_distance_px(0),
        masked.with_boxes(vec![
            Rect::new(3, 3, 100, 20),
            Rect::new(64, 0, 64, 61),
            Rect::new(300, 10, 90, 90),
        ]),
        plain,
    ]
}

#[test]
fn dense_pixels_are_judged_like_single_ones() {
    // 16-bit samples of the same value are read and looked up one by one.
    let widen = |frame: &Frame| {
        let bytes = frame.bytes().iter().flat_map(|&b| [b, b]).collect();
        Frame::new(bytes, frame.size(), PixelFormat::Rgb16).unwrap()
    };
    for by in [1, 2, 4, 12, 80] {
        for gap in [1000, 9, 64] {
            let [e, a] = noisy(by, |x| x % gap == gap - 1);
            for options in all_options() {
                let whole = run(&e, &a, &options);
                assert_eq!(whole, run(&widen(&e), &widen(&a), &options), "±{by}, every {gap}th still");
                assert!(whole.differing_pixels() > 10_000);
            }
        }
    }
}

#[test]
fn dense_pixels_do_not_depend_on_bands_or_instructions() {
    for by in [1, 4, 12] {
        let [e, a] = noisy(by, |x| x == 150);
        for options in all_options() {
            let whole = run(&e, &a, &options);
            for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
                assert_eq!(whole, run(&e, &a, &options.clone().with_level(level)), "{level:?}");
            }
            for height in [1, 7] {
                let (e, a) = (e.view(), a.view());
                let mut scan = Scan::new(Layout::of(&e), Layout::of(&a), &options).unwrap();
                for y in (0..SIZE.height).step_by(height) {
                    let band = Rect::new(0, y, SIZE.width, SIZE.height.min(y + height as u32) - y);
                    scan.push(Window::new(e.crop(band).unwrap(), a.crop(band).unwrap(), y)).unwrap();
                }
                assert_eq!(whole, scan.finish().unwrap(), "bands of {height}");
            }
        }
    }
}
