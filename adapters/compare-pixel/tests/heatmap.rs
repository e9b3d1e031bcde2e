//! The picture of how much each pixel differs, against one pixel at a time.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use proptest::prelude::*;
use trueup_compare_pixel::ImagePair;
use trueup_frame::{ImageView, PixelFormat, Rect, Size};
use trueup_pixel_diff::{DeltaE, Diff, MetricKind, Options, Tolerance, diff};

/// The bar of the legend is 8 pixels less wide on both sides than the picture: here a column for each of 256 colours.
const WIDTH: u32 = 272;
const LEGEND: u32 = 48;

struct Picture {
    size: Size,
    samples: Vec<u8>,
}

impl Picture {
    fn decode(png: &[u8]) -> Self {
        let frame = trueup_codec::decode(png, &trueup_codec::Limits::default()).unwrap().frame;
        let view = frame.view();
        assert_eq!(view.format(), PixelFormat::Rgb8);
        let rows = 0..view.size().height;
        Self { size: view.size(), samples: rows.flat_map(|y| view.row(y).to_vec()).collect() }
    }

    fn at(&self, x: u32, y: u32) -> [u8; 3] {
        let at = 3 * (y as usize * self.size.width as usize + x as usize);
        [self.samples[at], self.samples[at + 1], self.samples[at + 2]]
    }

    /// The colours of the legend, from the first to the last, beside the tick of the tolerance.
    fn legend(&self) -> Vec<[u8; 3]> {
        let top = self.size.height - LEGEND;
        (8..self.size.width - 8).map(|x| self.at(x, top + 25)).collect()
    }
}

fn drawn(e: &ImageView<'_>, a: &ImageView<'_>, options: &Options) -> (Diff, Picture) {
    let [first, second] = [e, a].map(|view| trueup_codec::encode_png(view).unwrap());
    let pair = ImagePair::new(&first, &second);
    let found = pair.compare(options).unwrap();
    let picture = pair.heatmap(&found, options).unwrap();
    let alone = pair.with_threads(std::num::NonZeroUsize::MIN).heatmap(&found, options).unwrap();
    assert_eq!(picture, alone, "threads change nothing");
    (found, Picture::decode(&picture))
}

/// ΔE of one pixel, compared as an image of its own.
fn alone(e: &ImageView<'_>, a: &ImageView<'_>, x: u32, y: u32, options: &Options) -> DeltaE {
    let place = Rect::new(x, y, 1, 1);
    diff(&e.crop(place).unwrap(), &a.crop(place).unwrap(), options).unwrap().max_delta_e()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_colour_is_that_of_the_pixels_own_difference(
        seed in any::<u64>(),
        metric in prop::sample::select(MetricKind::ALL.to_vec()),
        share in 1_u64..5,
    ) {
        let size = Size::new(WIDTH, 9);
        let mut state = seed | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let expected: Vec<u8> = (0..size.area() * 3).map(|_| next().to_le_bytes()[3]).collect();
        // Small steps, whole other colours, and pixels that stay.
        let actual: Vec<u8> = expected
            .chunks(3)
            .flat_map(|pixel| {
                let [what, by, red, green, blue, ..] = next().to_le_bytes();
                match u64::from(what) % 8 {
                    0 => [red, green, blue],
                    kind if kind <= share => [pixel[0].wrapping_add(by % 24), pixel[1], pixel[2]],
                    _ => [pixel[0], pixel[1], pixel[2]],
                }
            })
            .collect();
        let view = |bytes| ImageView::packed(bytes, size, PixelFormat::Rgb8).unwrap();
        let (e, a) = (view(&expected), view(&actual));
        let options = Options::default().with_metric(metric).with_tolerance(metric.default_tolerance());
        let (found, picture) = drawn(&e, &a, &options);
        prop_assert_eq!(picture.size, Size::new(WIDTH, size.height + LEGEND));
        let mut legend = picture.legend();
        prop_assert_eq!(legend.len(), 256);
        // The tick covers one colour; at a tenth of the scale it is this one.
        let tick = 25;
        prop_assert_eq!(legend[tick], [27, 29, 34]);
        let end = u64::from(options.tolerance.color_delta_e().raw()) * 10;
        let mut most = DeltaE::ZERO;
        for y in 0..size.height {
            for x in 0..size.width {
                let delta = alone(&e, &a, x, y, &options);
                most = most.max(delta);
                let color = picture.at(x, y);
                if delta == DeltaE::ZERO {
                    prop_assert!(color[0] == color[1] && color[1] == color[2] && color[0] >= 212, "{:?}", color);
                    continue;
                }
                let step = (u64::from(delta.raw()) * 255 * 2 + end) / (2 * end);
                let step = usize::try_from(step.min(255)).unwrap();
                if step == tick {
                    legend[tick] = color;
                }
                prop_assert_eq!(color, legend[step], "({}, {}) ΔE {}", x, y, delta);
            }
        }
        prop_assert_eq!(most, found.max_delta_e(), "what is drawn is what was found");
    }
}

#[test]
fn what_is_masked_or_missing_has_no_colour_of_the_scale() {
    let white = vec![255; 300 * 20 * 3];
    let black = vec![0; 300 * 24 * 3];
    let e = ImageView::packed(&white, Size::new(300, 20), PixelFormat::Rgb8).unwrap();
    let a = ImageView::packed(&black, Size::new(300, 24), PixelFormat::Rgb8).unwrap();
    let options = Options::default().with_ignored(Rect::new(0, 0, 10, 20));
    let (found, picture) = drawn(&e, &a, &options);
    assert_eq!(found.max_delta_e().to_f64(), 100.0);
    assert_eq!(picture.size, Size::new(300, 24 + LEGEND));
    assert_eq!(picture.at(5, 5), [255; 3], "masked: the reference, faint");
    let legend = picture.legend();
    assert_eq!(picture.at(50, 5), legend[legend.len() - 1], "beyond the end is the end");
    for (x, y) in [(0, 20), (299, 23), (150, 21)] {
        let [red, green, blue] = picture.at(x, y);
        assert!(red == green && green == blue && (144..=176).contains(&red), "stripes at ({x}, {y})");
    }
}

#[test]
fn a_picture_of_one_pixel_still_has_a_whole_legend() {
    let (white, grey) = ([255; 3], [250; 3]);
    let view = |bytes| ImageView::packed(bytes, Size::new(1, 1), PixelFormat::Rgb8).unwrap();
    let options = Options::default().with_tolerance(Tolerance::new(0.5).unwrap());
    let (_, picture) = drawn(&view(&white), &view(&grey), &options);
    assert!(picture.size.width >= 100 && picture.size.height == 1 + LEGEND);
    assert_ne!(picture.at(0, 0), [255; 3]);
    assert_eq!(picture.at(1, 0), [255; 3], "the canvas beside it is paper");
}
