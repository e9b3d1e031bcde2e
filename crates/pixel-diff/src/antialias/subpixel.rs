//! Differences that are only another rasterisation of the same edge by sub-pixels, as of text on LCDs.
//!
//! A rasteriser that draws the thirds of a pixel by themselves takes how much of each an edge covers and blurs that over
//! neighbouring thirds, so that it shows no colours: by 1/3 each, or by the five taps of FreeType. So an edge is a ramp, of at least
//! four thirds, which never lies within one pixel, and no third of it is more than a third above the one before. Filters are
//! balanced: what a ramp gains in one channel where it moves, it gains in the others. A colour that was painted has none of this.

use super::around::Around;
use super::coverage::SLACK;
use crate::pixel::Pixel;

/// Pixels that change where a ramp moves: never one, and at most what five taps and half a pixel of way take.
const LEAST: usize = 2;
const MOST: usize = 4;

/// Colour at 16 bits.
type Color = [i64; 3];

/// Whether the pixel at column `x` of the middle row, which changed, is of a ramp that moved by at most half a pixel.
pub(super) fn is_subpixel_coverage(expected: &Around<'_>, actual: &Around<'_>, x: u32, width: u32) -> bool {
    let pair = |x: u32| Some([expected.at(0, x)?, actual.at(0, x)?]);
    let is_same = |x: &u32| pair(*x).is_some_and(|[p, q]| p == q);
    let most = MOST as u32;
    // What is the same on both sides of the pixels that changed.
    let Some(first) = (x.saturating_sub(most)..x).rev().find(is_same) else { return false };
    let Some(last) = (x + 1..width.min(x + 1 + most)).find(is_same) else { return false };
    let count = (last - first - 1) as usize;
    if !(LEAST..=MOST).contains(&count) {
        return false;
    }
    let (Some(u), Some(v)) = (color(expected, first), color(expected, last)) else { return false };
    let (mut p, mut q) = ([u; MOST], [u; MOST]);
    for (at, (p, q)) in (first + 1..last).zip(p.iter_mut().zip(&mut q)) {
        let (Some(before), Some(after)) = (color(expected, at), color(actual, at)) else { return false };
        (*p, *q) = (before, after);
    }
    is_moved_ramp(&p[..count], &q[..count], u, v)
}

/// The colour of an opaque pixel: others have no thirds that could be drawn by themselves.
fn color(image: &Around<'_>, x: u32) -> Option<Color> {
    image.at(0, x).filter(|pixel| pixel.is_opaque()).map(|pixel: Pixel| {
        // Exact, because alpha is whole.
        pixel.over_black.map(|sample| i64::from(sample / u32::from(u16::MAX)))
    })
}

/// Whether `p` and `q` are ramps from `u` on the left to `v` on the right, in the same order of sub-pixels, and one is the
/// other after it moved by at most half a pixel.
fn is_moved_ramp(p: &[Color], q: &[Color], u: Color, v: Color) -> bool {
    moved_alike(p, q, u, v)
        && [[0, 1, 2], [2, 1, 0]].iter().any(|order| is_ramp(p, u, v, order) && is_ramp(q, u, v, order))
}

/// Whether every channel moved to the same side, and all as far as each other: by half a pixel at most.
fn moved_alike(p: &[Color], q: &[Color], u: Color, v: Color) -> bool {
    let span = [0, 1, 2].map(|c| v[c] - u[c]);
    let Some(main) = (0..3).min_by_key(|&c| -span[c].abs()) else { return false };
    let length = span[main].abs();
    let way = [0, 1, 2].map(|c| p.iter().zip(q).map(|(p, q)| q[c] - p[c]).sum::<i64>());
    // From one image to the other the edge moved to this side, seen from the main channel.
    let side = (way[main] * span[main]).signum();
    let is_one_way = |c: usize| {
        let toward = side * span[c].signum();
        p.iter().zip(q).all(|(p, q)| {
            if toward == 0 { (q[c] - p[c]).abs() <= SLACK } else { toward * (q[c] - p[c]) >= -SLACK }
        })
    };
    2 * way[main].abs() <= length + 2 * SLACK
        && (0..3).all(|c| {
            (way[c] * length - way[main] * span[c] * span[main].signum()).abs() <= 2 * SLACK * length
        })
        && (0..3).all(is_one_way)
}

/// Whether the shares of `v` in these pixels, in the order of sub-pixels, rise from 0 to 1, nowhere by more than one half, and not
/// the same in all channels.
fn is_ramp(pixels: &[Color], u: Color, v: Color, order: &[usize; 3]) -> bool {
    let mut shares = Shares { all: [Share::default(); 3 * MOST], count: 0 };
    for (pixel, colors) in (0_i64..).zip(pixels) {
        for (third, &c) in (0..).zip(order) {
            let (low, high) = (u[c].min(v[c]), u[c].max(v[c]));
            if !(low - SLACK..=high + SLACK).contains(&colors[c]) {
                return false;
            }
            let (part, whole) = ((colors[c] - u[c]) * (v[c] - u[c]).signum(), high - low);
            // A channel in which both colours are about the same has no share to tell.
            if whole > 2 * SLACK {
                shares.push(Share { part, whole, place: 3 * pixel + third, pixel });
            }
        }
    }
    let shares = &shares.all[..shares.count];
    let ends = [(0, -1), (1, i64::from(3 * pixels.len() as u32))];
    let [before, after] = ends.map(|(part, place)| Share { part, whole: 1, place, pixel: -1 });
    let steps = std::iter::once(&before).chain(shares).zip(shares.iter().chain([&after]));
    let mut pairs = shares
        .iter()
        .enumerate()
        .flat_map(|(at, share)| shares[..at].iter().map(move |earlier| (earlier, share)));
    steps.into_iter().all(|(from, to)| from.is_followed_by(to))
        && pairs.clone().all(|(earlier, later)| !later.is_below(earlier))
        && pairs.any(|(earlier, later)| earlier.pixel == later.pixel && earlier.is_below(later))
}

/// Shares of sub-pixels.
struct Shares {
    all: [Share; 3 * MOST],
    count: usize,
}

impl Shares {
    fn push(&mut self, share: Share) {
        self.all[self.count] = share;
        self.count += 1;
    }
}

/// The share of one of two colours in a sub-pixel.
#[derive(Clone, Copy, Default)]
struct Share {
    part: i64,
    whole: i64,
    /// Counted in sub-pixels.
    place: i64,
    pixel: i64,
}

impl Share {
    /// What rounding may do to it.
    fn slack(&self) -> i64 {
        if self.pixel < 0 { 0 } else { SLACK }
    }

    /// By more than what rounding may do to both.
    fn is_below(&self, other: &Self) -> bool {
        (self.part + self.slack()) * other.whole < (other.part - other.slack()) * self.whole
    }

    /// Whether a filter may go on from this one to the other.
    fn is_followed_by(&self, next: &Self) -> bool {
        let rise = 2 * (next.part * self.whole - self.part * next.whole);
        let slack = 2 * (self.slack() * next.whole + next.slack() * self.whole);
        rise <= (next.place - self.place) * self.whole * next.whole + slack
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trueup_frame::{Alpha, PixelFormat};

    use super::*;
    use crate::pixel::Reader;

    /// Which pixels of one row are excused, by themselves and with the images swapped.
    fn excused(expected: &[[u8; 3]], actual: &[[u8; 3]]) -> Vec<bool> {
        let reader = Reader::new(PixelFormat::Rgb8, Alpha::Opaque).unwrap();
        let [e, a] = [expected, actual]
            .map(|row| Around { reader, rows: [None, None, Some(row.as_flattened()), None, None] });
        let width = expected.len() as u32;
        let differs = |x: u32| expected[x as usize] != actual[x as usize];
        let ask = |e, a| (0..width).map(|x| differs(x) && is_subpixel_coverage(e, a, x, width)).collect();
        let (found, back): (Vec<bool>, Vec<bool>) = (ask(&e, &a), ask(&a, &e));
        assert_eq!(found, back, "swapping changes nothing");
        found
    }

    const BOX: [f64; 5] = [0.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0];
    /// The default of FreeType.
    const FIR5: [f64; 5] = [8.0 / 256.0, 77.0 / 256.0, 86.0 / 256.0, 77.0 / 256.0, 8.0 / 256.0];
    const CLEARTYPE: [f64; 5] = [1.0 / 9.0, 2.0 / 9.0, 3.0 / 9.0, 2.0 / 9.0, 1.0 / 9.0];
    const FILTERS: [[f64; 5]; 3] = [BOX, FIR5, CLEARTYPE];

    /// A row with one colour to the left of a place, in pixels, and another to the right of it, drawn by sub-pixels.
    fn edge(
        filter: [f64; 5],
        is_bgr: bool,
        place: f64,
        [left, right]: [[u8; 3]; 2],
        width: usize,
    ) -> Vec<[u8; 3]> {
        // Of each third the part to the right of the edge.
        let covered = |third: i64| (third as f64 + 1.0 - 3.0 * place).clamp(0.0, 1.0);
        let share = |third: i64| -> f64 {
            (-2..).zip(filter).map(|(tap, weight)| weight * covered(third + tap)).sum()
        };
        let pixel = |x: usize| {
            std::array::from_fn(|c| {
                let third = if is_bgr { 2 - c } else { c };
                let share = share(i64::from((3 * x + third) as u32));
                let [left, right] = [left[c], right[c]].map(f64::from);
                #[expect(clippy::cast_sign_loss, reason = "from 0 to 255")]
                let sample = (left + (right - left) * share).round() as u8;
                sample
            })
        };
        (0..width).map(pixel).collect()
    }

    const WHITE: [u8; 3] = [255; 3];
    const BLACK: [u8; 3] = [0; 3];

    #[test]
    fn an_edge_that_moved_by_a_third_of_a_pixel_is_excused_whole() {
        for (filter, is_bgr) in FILTERS.iter().flat_map(|filter| [(filter, false), (filter, true)]) {
            for colors in
                [[WHITE, BLACK], [BLACK, WHITE], [WHITE, [0, 0, 238]], [[250, 240, 230], [30, 60, 90]]]
            {
                let [e, a] = [4.2, 4.5].map(|place| edge(*filter, is_bgr, place, colors, 10));
                let differs: Vec<bool> = e.iter().zip(&a).map(|(e, a)| e != a).collect();
                assert_eq!(excused(&e, &a), differs, "{filter:?} {colors:?}: {e:?} {a:?}");
                assert!(differs.iter().filter(|&&differs| differs).count() >= 2);
            }
        }
    }

    fn color() -> impl Strategy<Value = [u8; 3]> {
        prop_oneof![Just(WHITE), Just(BLACK), any::<[u8; 3]>()]
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 3000,
            max_global_rejects: 100_000,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn edges_that_moved_by_less_than_half_a_pixel_are_excused_and_by_more_are_not(
            filter in prop::sample::select(&FILTERS[..]),
            is_bgr in any::<bool>(),
            place in 4.0..5.0_f64,
            by in 0.1..1.5_f64,
            colors in [color(), color()],
        ) {
            // Of colours that are far apart: of others, little is left of a ramp.
            prop_assume!((0..3).any(|c| colors[0][c].abs_diff(colors[1][c]) > 120));
            let [e, a] = [place, place + by].map(|place| edge(filter, is_bgr, place, colors, 12));
            let changed: Vec<usize> = (0..12).filter(|&x| e[x] != a[x]).collect();
            let found = excused(&e, &a);
            let channels = (0..3).filter(|&c| colors[0][c].abs_diff(colors[1][c]) > 40).count();
            if by < 0.45 && channels > 1 && changed.len() > 1 {
                prop_assert!(changed.iter().all(|&x| found[x]), "{:?} {:?}", e, a);
            }
            if by > 0.6 {
                prop_assert!(found.iter().all(|found| !found), "{:?} {:?}", e, a);
            }
        }

        #[test]
        fn another_colour_is_never_excused(
            filter in prop::sample::select(&FILTERS[..]),
            is_bgr in any::<bool>(),
            place in 4.0..5.0_f64,
            by in -0.4..0.4_f64,
            colors in [color(), color()],
            x in 3..7_usize,
            painted in any::<[u8; 3]>(),
            both in any::<bool>(),
        ) {
            let [mut e, mut a] = [place, place + by].map(|place| edge(filter, is_bgr, place, colors, 12));
            let plain = a[x];
            a[x] = painted;
            if both {
                e[x] = plain;
            }
            // So far from what the ramp has there that it shows, and not along the line between the two colours.
            let off = [0, 1, 2].map(|c| f64::from(painted[c]) - f64::from(plain[c]));
            let line = [0, 1, 2].map(|c| f64::from(colors[1][c]) - f64::from(colors[0][c]));
            let length: f64 = line.iter().map(|d| d * d).sum();
            let along: f64 = off.iter().zip(line).map(|(a, b)| a * b).sum::<f64>() / length.max(1.0);
            let beside: f64 = off.iter().zip(line).map(|(off, line)| (off - along * line).powi(2)).sum::<f64>().sqrt();
            prop_assume!(beside > 40.0);
            prop_assert!(!excused(&e, &a)[x], "{:?} {:?}", e, a);
        }

        #[test]
        fn random_pixels_between_two_colours_are_no_ramp(
            pixels in prop::collection::vec((any::<[u8; 3]>(), any::<[u8; 3]>()), 1..6),
            ends in [color(), color()],
        ) {
            let row = |middle: Vec<[u8; 3]>| [&[ends[0]; 2][..], &middle, &[ends[1]; 2]].concat();
            let (e, a): (Vec<_>, Vec<_>) = pixels.into_iter().unzip();
            let (e, a) = (row(e), row(a));
            let found = excused(&e, &a);
            prop_assert!(found.iter().all(|found| !found), "{:?} {:?}", e, a);
        }

        #[test]
        fn a_line_is_never_excused(
            ends in [color(), color()],
            lines in [any::<[u8; 3]>(), any::<[u8; 3]>()],
            width in 1..5_usize,
        ) {
            // Of one colour, of any width, between any two.
            let row = |line: [u8; 3]| [&[ends[0]; 3][..], &vec![line; width], &[ends[1]; 3]].concat();
            let found = excused(&row(lines[0]), &row(lines[1]));
            prop_assert!(found.iter().all(|found| !found));
        }

        #[test]
        fn a_recolour_of_text_is_never_excused(
            filter in prop::sample::select(&FILTERS[..]),
            is_bgr in any::<bool>(),
            place in 4.0..5.0_f64,
            stem in 0.3..4.0_f64,
            by in -0.4..0.4_f64,
            colors in [color(), color()],
            ground in color(),
        ) {
            // A stem of one colour, and one of another in its place.
            prop_assume!((0..3).any(|c| colors[0][c].abs_diff(colors[1][c]) > 30));
            let draw = |color: [u8; 3], place: f64| {
                let [left, right] =
                    [(place, [ground, color]), (place + stem, [color, ground])].map(|(place, colors)| edge(filter, is_bgr, place, colors, 14));
                let mix = |x: usize| std::array::from_fn(|c| {
                    let mixed = i32::from(left[x][c]) + i32::from(right[x][c]) - i32::from(color[c]);
                    u8::try_from(mixed.clamp(0, 255)).unwrap()
                });
                (0..14).map(mix).collect::<Vec<[u8; 3]>>()
            };
            let (e, a) = (draw(colors[0], place), draw(colors[1], place + by));
            let found = excused(&e, &a);
            prop_assert!(found.iter().all(|found| !found), "{:?} {:?}", e, a);
        }
    }

    #[test]
    fn what_may_be_a_colour_is_one() {
        let row = |middle: &[[u8; 3]]| [&[WHITE; 2][..], middle, &[BLACK; 2]].concat();
        let refused = |e: &[[u8; 3]], a: &[[u8; 3]]| excused(&row(e), &row(a)).iter().all(|found| !found);
        // Resemble.js#151, beside a pixel that moved as ramps do.
        assert!(refused(&[[200; 3]], &[[200, 120, 200]]));
        assert!(refused(&[[200; 3], [8; 3]], &[[200, 120, 200], [0; 3]]));
        // A line of one pixel that was orange, though a ramp might look so.
        assert!(refused(&[[247, 171, 85]], &[[204, 128, 41]]));
        // From grey levels to sub-pixels, and from one order of these to the other.
        assert!(refused(&[[170; 3], [20; 3]], &[[247, 171, 85], [8, 0, 0]]));
        assert!(refused(&[[247, 171, 85], [8, 0, 0]], &[[85, 171, 247], [0, 0, 8]]));
        // A ramp that became sharper, with its middle where it was.
        assert!(refused(&[[227, 170, 85], [28, 0, 0]], &[[255, 170, 85], [0, 0, 0]]));
        // Red fringes that turned blue.
        assert!(refused(&[[255, 0, 0], [0, 0, 0]], &[[0, 0, 255], [0, 0, 0]]));
        // The same on both sides.
        let line = |e: [u8; 3]| [WHITE, WHITE, e, [30, 90, 200], WHITE, WHITE];
        assert!(excused(&line([247, 171, 85]), &line([230, 150, 60])).iter().all(|found| !found));
    }

    /// Two pixels by their shares of a dark grey beside a light one, in hundredths, and whether one is excused for the other.
    fn are_excused(e: [i32; 6], a: [i32; 6]) -> bool {
        let row = |shares: [i32; 6]| {
            let samples = shares.map(|share| u8::try_from(200 - share).unwrap());
            [[200; 3], [samples[0], samples[1], samples[2]], [samples[3], samples[4], samples[5]], [100; 3]]
        };
        let found = excused(&row(e), &row(a));
        assert_eq!(found[1], found[2]);
        found[1]
    }

    #[test]
    fn every_condition_is_asked_for() {
        assert!(are_excused([10, 20, 30, 50, 70, 90], [20, 30, 45, 60, 80, 95]));
        // More than one half from one sub-pixel to the next, as no filter leaves it.
        assert!(!are_excused([0, 10, 75, 75, 100, 100], [0, 35, 100, 100, 100, 100]));
        // Rises and falls.
        assert!(!are_excused([30, 10, 40, 60, 80, 90], [50, 30, 60, 70, 90, 100]));
        // The same in all channels: the other rule is for it.
        assert!(!are_excused([30, 30, 30, 70, 70, 70], [40, 40, 40, 80, 80, 80]));
        // Neither of the two colours, nor between them.
        assert!(!are_excused([-20, -10, 0, 30, 60, 90], [-10, 0, 10, 40, 70, 100]));
        assert!(!are_excused([0, 20, 40, 70, 90, 110], [10, 30, 50, 80, 100, 120]));
        // Farther in red than in blue.
        assert!(!are_excused([10, 30, 50, 60, 80, 90], [40, 50, 55, 70, 85, 95]));
        // To both sides.
        assert!(!are_excused([10, 30, 50, 60, 80, 90], [20, 40, 60, 50, 70, 80]));
        // By more than half a pixel.
        assert!(!are_excused([0, 5, 15, 30, 55, 70], [30, 35, 45, 60, 85, 100]));
    }

    #[test]
    fn what_is_translucent_has_no_sub_pixels() {
        let reader = Reader::new(PixelFormat::Rgba8, Alpha::Straight).unwrap();
        let [e, a] = [4.2, 4.5].map(|place| edge(FIR5, false, place, [WHITE, BLACK], 10));
        for alpha in [255, 254] {
            let [e, a] =
                [&e, &a].map(|row| row.iter().map(|&[r, g, b]| [r, g, b, alpha]).collect::<Vec<_>>());
            let [e, a] = [&e, &a]
                .map(|row| Around { reader, rows: [None, None, Some(row.as_flattened()), None, None] });
            assert_eq!((0..10).any(|x| is_subpixel_coverage(&e, &a, x, 10)), alpha == 255);
        }
    }
}
