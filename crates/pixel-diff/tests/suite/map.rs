//! The difference of every pixel.

use proptest::prelude::*;
use trueup_frame::{ImageView, PixelFormat, Rect, Size};
use trueup_pixel_diff::strategy::{options, unlike_image_pair};
use trueup_pixel_diff::{DeltaE, DeltaMap, DiffErrorKind, Layout, Options, Window, diff};

use crate::reference;

/// All values in reading order, pushed in windows of `rows` rows.
fn map(e: &ImageView<'_>, a: &ImageView<'_>, options: &Options, rows: u32) -> Vec<DeltaE> {
    let mut map = DeltaMap::new(Layout::of(e), Layout::of(a), options).unwrap();
    let height = e.size().intersection(a.size()).height;
    let (mut all, mut next) = (Vec::new(), 0);
    for y in (0..height).step_by(rows as usize) {
        let band = |view: &ImageView<'_>| Rect::new(0, y, view.size().width, rows.min(height - y));
        let window = Window::new(e.crop(band(e)).unwrap(), a.crop(band(a)).unwrap(), y);
        map.push(window, |y, row| {
            assert_eq!(y, next, "every row, in order");
            next += 1;
            all.extend_from_slice(row);
        })
        .unwrap();
    }
    all
}

proptest! {
    #[test]
    fn every_value_is_that_of_the_plain_implementation(
        pair in unlike_image_pair(),
        options in options(),
        rows in 1_u32..9,
    ) {
        let options = pair.fit(options);
        let (e, a) = (pair.expected.view(), pair.actual.view());
        let values = map(&e, &a, &options, rows);
        let want = reference::deltas(&e, &a, &options);
        prop_assert_eq!(values.len(), want.len());
        let tolerance = options.tolerance.color_delta_e();
        for (index, (value, want)) in values.iter().zip(&want).enumerate() {
            // 33 steps are 5e-4; what decides is exact.
            prop_assert!(value.raw().abs_diff(want.raw()) <= 33, "{} {} {}", index, value, want);
            prop_assert_eq!((*value == DeltaE::ZERO, *value > tolerance), (*want == DeltaE::ZERO, *want > tolerance));
        }
    }

    #[test]
    fn the_values_are_those_that_the_diff_sums_up(
        pair in unlike_image_pair(),
        options in options(),
        rows in 1_u32..9,
    ) {
        let options = pair.fit(options);
        let (e, a) = (pair.expected.view(), pair.actual.view());
        let found = diff(&e, &a, &options).unwrap();
        let values = map(&e, &a, &options, rows);
        prop_assert_eq!(values.iter().map(|value| u64::from(value.raw())).sum::<u64>(), found.delta_e_sum());
        prop_assert_eq!(values.iter().copied().max().unwrap_or_default(), found.max_delta_e());
        let differing = values.iter().filter(|&&value| value > DeltaE::ZERO).count() as u64;
        prop_assert_eq!(differing, found.differing_pixels());
    }
}

#[test]
fn more_pairs_than_are_kept_at_a_time_are_still_told_apart() {
    // Every pixel a pair of its own, so that no table answers and memory is used again several times.
    let size = Size::new(256, 64);
    let colors = |seed: u32| -> Vec<u8> {
        (0..size.width * size.height)
            .flat_map(|i| {
                let [red, green, blue, _] = (i.wrapping_mul(2_654_435_761) ^ seed).to_le_bytes();
                [red, green, blue]
            })
            .collect()
    };
    let (e, a) = (colors(0), colors(0x0001_0203));
    let view = |bytes| ImageView::packed(bytes, size, PixelFormat::Rgb8).unwrap();
    let (e, a) = (view(&e), view(&a));
    let options = Options::default();
    let (values, want) = (map(&e, &a, &options, 7), reference::deltas(&e, &a, &options));
    assert_eq!(values.len(), want.len());
    for (value, want) in values.iter().zip(&want) {
        assert!(value.raw().abs_diff(want.raw()) <= 33, "{value} {want}");
    }
    let sum: u64 = values.iter().map(|value| u64::from(value.raw())).sum();
    assert_eq!(sum, diff(&e, &a, &options).unwrap().delta_e_sum());
}

#[test]
fn a_window_out_of_order_is_refused_and_nothing_is_lost() {
    let bytes = [0; 4];
    let view = ImageView::packed(&bytes, Size::new(1, 4), PixelFormat::Gray8).unwrap();
    let options = Options::default();
    let mut map = DeltaMap::new(Layout::of(&view), Layout::of(&view), &options).unwrap();
    let refused = map.push(Window::new(view, view, 1), |_, _| panic!("no row of it counts")).unwrap_err();
    assert!(matches!(refused.kind(), DiffErrorKind::RowOrder { needed: 0, found: 1 }), "{refused}");
    let mut rows = 0;
    map.push(Window::new(view, view, 0), |_, _| rows += 1).unwrap();
    assert_eq!(rows, 4);
    let beyond = map.push(Window::new(view, view, 4), |_, _| ()).unwrap_err();
    assert!(matches!(beyond.kind(), DiffErrorKind::TooManyRows { .. }), "{beyond}");
}
