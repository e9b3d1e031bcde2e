//! A session gives what a comparison gives.

use proptest::prelude::*;
use trueup_frame::{ImageView, PixelFormat, Rect, Size};
use trueup_pixel_diff::strategy::options;
use trueup_pixel_diff::{Mask, Options, Session, diff};

use crate::pairs::{Picture, Random};

fn view(picture: &Picture) -> ImageView<'_> {
    ImageView::packed(&picture.rgb, Size::new(picture.width, picture.height), PixelFormat::Rgb8).unwrap()
}

/// A picture with noise or a fill in some places.
fn painted(picture: &Picture, areas: &[(u32, u32, u32, u32, u8)], seed: u64) -> Picture {
    let (mut random, mut on) = (Random(seed), picture.clone());
    for &(x, y, width, height, how) in areas {
        for row in y..(y + height).min(on.height) {
            for column in x..(x + width).min(on.width) {
                let noise = random.next();
                if how < 3 || noise & 1 == 0 {
                    let color =
                        if how == 0 { [200, 30, 90] } else { [noise as u8, (noise >> 8) as u8, 40 * how] };
                    on.set(column, row, color);
                }
            }
        }
    }
    on
}

type Areas = Vec<(u32, u32, u32, u32, u8)>;

fn areas() -> impl Strategy<Value = Areas> {
    prop::collection::vec((0..70_u32, 0..120_u32, 1..30_u32, 1..14_u32, 0..6_u8), 0..5)
}

proptest! {
    #[test]
    fn each_capture_is_judged_as_if_it_were_the_first(
        captures in prop::collection::vec((areas(), any::<bool>(), 0..3_u32), 1..6),
        options in options(), masks in prop::collection::vec((0..80_u32, 0..120_u32, 1..40_u32, 1..40_u32), 0..3), seed: u64,
    ) {
        let mut options = options;
        options.boxes.clear();
        options.ignored = masks.iter().map(|&(x, y, w, h)| Mask::Rect(Rect::new(x, y, w, h))).collect();
        let design = painted(&Picture::new(80, 120, [240, 240, 240]), &[(5, 5, 60, 100, 4)], seed);
        let mut session = Session::new(view(&design), options.clone()).unwrap();
        let mut now = design.clone();
        for (index, (areas, is_on_top, taller)) in (1..).zip(captures) {
            now = painted(if is_on_top { &now } else { &design }, &areas, seed ^ index);
            let mut capture = now.clone();
            capture.rgb.extend(std::iter::repeat_n(9, (80 * taller * 3) as usize));
            capture.height += taller;
            let found = session.compare(&view(&capture)).unwrap();
            prop_assert_eq!(found, &diff(&view(&design), &view(&capture), &options).unwrap());
        }
    }
}

#[test]
fn only_what_changed_is_judged_again() {
    let design = Picture::new(400, 1_000, [255; 3]);
    let mut session = Session::new(view(&design), Options::default()).unwrap();
    let one = painted(&design, &[(10, 100, 50, 20, 0), (10, 800, 50, 20, 0)], 1);
    assert_eq!(session.compare(&view(&one)).unwrap().open_regions().count(), 2);
    assert_eq!(session.judged_rows(), 2 * (20 + 8));
    // The same again, then a change in the upper region only.
    session.compare(&view(&one)).unwrap();
    assert_eq!(session.judged_rows(), 0);
    let two = painted(&one, &[(12, 105, 5, 5, 1)], 2);
    assert_eq!(session.compare(&view(&two)).unwrap().open_regions().count(), 2);
    assert_eq!(session.judged_rows(), 20 + 8);
    // Back to the design.
    assert!(session.compare(&view(&design)).unwrap().is_identical());
    assert_eq!(session.judged_rows(), 0);
}
