//! Text that sub-pixels draw, as on LCDs.

use proptest::prelude::*;
use trueup_frame::{ImageView, PixelFormat, Size};
use trueup_pixel_diff::{Antialiasing, Diff, Options, Tolerance, diff};

use crate::reference::compare;

/// The default filter of FreeType.
const TAPS: [f64; 5] = [8.0 / 256.0, 77.0 / 256.0, 86.0 / 256.0, 77.0 / 256.0, 8.0 / 256.0];

/// A shape in a row: where it begins and ends, in pixels.
type Stroke = (f64, f64);

/// Rows of ink on ground, drawn by sub-pixels, red first.
fn draw(width: u32, rows: &[Vec<Stroke>], [ground, ink]: [[u8; 3]; 2], by: f64) -> Vec<u8> {
    let mut out = Vec::new();
    for strokes in rows {
        let covered = |third: f64| -> f64 {
            let of = |&(from, to): &Stroke| (third + 1.0).min(3.0 * (to + by)) - third.max(3.0 * (from + by));
            strokes.iter().map(|stroke| of(stroke).max(0.0)).sum::<f64>().min(1.0)
        };
        for third in 0..3 * width {
            let near = (-2..=2).zip(TAPS);
            let share: f64 =
                near.map(|(tap, weight)| weight * covered(f64::from(third) + f64::from(tap))).sum();
            let c = (third % 3) as usize;
            let [ground, ink] = [ground[c], ink[c]].map(f64::from);
            #[expect(clippy::cast_sign_loss, reason = "from 0 to 255")]
            let sample = (ground + (ink - ground) * share).round() as u8;
            out.push(sample);
        }
    }
    out
}

fn compared(width: u32, e: &[u8], a: &[u8], options: &Options) -> Diff {
    let size = Size::new(width, e.len() as u32 / 3 / width);
    let [e, a] = [e, a].map(|bytes| ImageView::packed(bytes, size, PixelFormat::Rgb8).unwrap());
    diff(&e, &a, options).unwrap()
}

/// The letters A, V and a bar of a heading, some forty pixels high: slants and strokes of nine pixels.
fn heading() -> Vec<Vec<Stroke>> {
    let row = |y: u32| {
        let t = f64::from(y) / 40.0;
        let (left, right) = (22.0 - 18.0 * t, 22.0 + 18.0 * t);
        // Where the legs come together they are one stroke: a gap without a pixel of paper says not what is beside the ink.
        let a = if right - left < 16.0 {
            vec![(left, right + 9.0)]
        } else {
            vec![(left, left + 9.0), (right, right + 9.0)]
        };
        let v = (60.0 + 14.0 * t, 69.0 + 14.0 * t);
        [a, vec![v, (110.3, 119.3)]].concat()
    };
    (0..40).map(row).collect()
}

const PAPER: [u8; 3] = [255; 3];
const INK: [u8; 3] = [17, 24, 39];

#[test]
fn a_heading_at_another_place_between_pixels_is_antialiasing() {
    let options = Options::default();
    for by in [-0.4, -0.25, 0.125, 0.25, 1.0 / 3.0, 0.4] {
        for colors in [[PAPER, INK], [INK, PAPER], [[238, 242, 255], [79, 70, 229]]] {
            let [e, a] = [0.0, by].map(|by| draw(140, &heading(), colors, by));
            let found = compared(140, &e, &a, &options);
            assert!(found.is_match(), "moved by {by}: {} open", found.open_pixels());
            assert!(found.antialiased_pixels() > 200, "{}", found.antialiased_pixels());
            // By greys alone it would not be.
            let off = options.clone().with_antialiasing(Antialiasing::Off);
            assert!(!compared(140, &e, &a, &off).is_match());
        }
    }
}

#[test]
fn what_is_more_than_that_counts() {
    let options = Options::default();
    let e = draw(140, &heading(), [PAPER, INK], 0.0);
    let excused = |a: &[u8]| compared(140, &e, a, &options).antialiased_pixels();
    // Another colour of the ink, in its own place and in another.
    for by in [0.0, 0.25] {
        assert_eq!(excused(&draw(140, &heading(), [PAPER, [120, 24, 39]], by)), 0);
    }
    // By more than half a pixel.
    for by in [0.7, 1.0, -2.0] {
        let found = compared(140, &e, &draw(140, &heading(), [PAPER, INK], by), &options);
        assert!(!found.is_match() && found.open_pixels() > 100, "moved by {by}");
    }
    // Painted over by any one colour, a fringe is a change, whatever the colour.
    let mut painted = draw(140, &heading(), [PAPER, INK], 0.25);
    let whole = excused(&painted);
    let fringe = (0..140).find(|&x| painted[3 * x..][..3] != e[3 * x..][..3]).unwrap();
    painted[3 * fringe..][..3].copy_from_slice(&[200, 60, 200]);
    assert!(excused(&painted) < whole, "neither it nor what lies beside it");
    // Strokes of one pixel have no pixel of their own colour, so that nothing says which it is.
    let thin = |ink, by| draw(40, &vec![vec![(10.2, 11.4), (20.6, 22.0)]; 12], [PAPER, ink], by);
    let found = compared(40, &thin(INK, 0.0), &thin([200, 40, 40], 0.0), &options);
    assert_eq!(found.antialiased_pixels(), 0);
    assert!(!found.is_match());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_the_plain_implementation(
        // Beside the seam of two blocks of 64, and anywhere.
        strokes in prop::collection::vec((prop_oneof![58.0..68.0_f64, 2.0..90.0], 0.5..12.0_f64), 1..6),
        by in prop_oneof![-0.6..0.6_f64, Just(1.0 / 3.0), Just(0.0)],
        colors in any::<[[u8; 3]; 2]>(),
        paper in any::<bool>(),
        noise in prop::collection::vec((0..96_usize, any::<[u8; 3]>(), any::<bool>()), 0..4),
        wide in any::<bool>(),
    ) {
        let colors = if paper { [PAPER, colors[1]] } else { colors };
        let rows: Vec<Vec<Stroke>> = strokes.iter().map(|&(at, width)| vec![(at, at + width)]).collect();
        let [mut e, mut a] = [0.0, by].map(|by| draw(96, &rows, colors, by));
        for (x, color, in_both) in noise {
            a[3 * x..][..3].copy_from_slice(&color);
            if in_both {
                e[3 * x..][..3].copy_from_slice(&color);
            }
        }
        // Samples of 16 bits go another way.
        let sixteen = |bytes: &[u8]| -> Vec<u8> {
            bytes.iter().flat_map(|&v| (u16::from(v) * 257).to_ne_bytes()).collect()
        };
        let (format, e, a) = if wide {
            (PixelFormat::Rgb16, sixteen(&e), sixteen(&a))
        } else {
            (PixelFormat::Rgb8, e, a)
        };
        let size = Size::new(96, rows.len() as u32);
        let [e, a] = [&e, &a].map(|bytes| ImageView::packed(bytes, size, format).unwrap());
        let tolerance = Tolerance::new(0.5).unwrap();
        for options in [Options::default(), Options::default().with_tolerance(tolerance)] {
            let (found, want) = (diff(&e, &a, &options).unwrap(), compare(&e, &a, &options));
            prop_assert_eq!(found.antialiased_pixels(), want.antialiased);
            prop_assert_eq!(found.visible_pixels(), want.visible);
            let swapped = diff(&a, &e, &options).unwrap();
            prop_assert_eq!(swapped.antialiased_pixels(), want.antialiased);
        }
    }
}
