//! Differences that are only another rasterisation of the same edge.

use super::around::Around;
use super::subpixel::is_subpixel_coverage;
use crate::pixel::Pixel;

/// Deviation that rounding and the rasteriser's own gamma may cause: 4 levels of 8 bits.
pub(super) const SLACK: i64 = 4 * 257;

/// Premultiplied colour and alpha at 16 bits.
type Mix = [i64; 4];

fn mix(pixel: Pixel) -> Mix {
    let [r, g, b] = pixel.over_black.map(|sample| i64::from((sample + 32_767) / 65_535));
    [r, g, b, i64::from(pixel.alpha)]
}

/// Whether the difference at column `x` of the middle row is one of coverage, among `width` columns.
pub(crate) fn is_coverage(expected: &Around<'_>, actual: &Around<'_>, x: u32, width: u32) -> bool {
    // A mixture is of two colours; a speck on flat ground, of which there may be very many, has but one around it.
    (!expected.is_flat(x) && is_coverage_unless_flat(expected, actual, x, width))
        || is_subpixel_coverage(expected, actual, x, width)
}

fn is_coverage_unless_flat(expected: &Around<'_>, actual: &Around<'_>, x: u32, width: u32) -> bool {
    let (Some(p), Some(q)) = (expected.at(0, x), actual.at(0, x)) else { return false };
    let (p, q) = (mix(p), mix(q));
    // If both are mixtures of two colours, the difference points along the line between these.
    let along = [0, 1, 2, 3].map(|c| q[c] - p[c]);
    let place = |m: &Mix| -> i64 { m.iter().zip(along).map(|(sample, d)| sample * d).sum() };
    let mut ends: Option<[(i64, Mix); 2]> = None;
    for row in -1..=1 {
        for column in x.saturating_sub(1)..=(x + 1).min(width - 1) {
            if row == 0 && column == x {
                continue;
            }
            let Some(neighbour) = expected.at(row, column) else { continue };
            if actual.at(row, column) != Some(neighbour) {
                continue;
            }
            let end = (place(&mix(neighbour)), mix(neighbour));
            let [low, high] = ends.get_or_insert([end, end]);
            if end.0 < low.0 {
                *low = end;
            }
            if end.0 > high.0 {
                *high = end;
            }
        }
    }
    ends.is_some_and(|[(_, u), (_, v)]| are_mixtures(p, q, u, v))
}

/// Whether both `p` and `q` are mixtures of `u` and `v`, at least one a proper one, with shares at most one half apart.
fn are_mixtures(p: Mix, q: Mix, u: Mix, v: Mix) -> bool {
    let span = [0, 1, 2, 3].map(|c| v[c] - u[c]);
    // Shares are measured on the sample that differs most; the first of equals.
    let Some(main) = (0..4).min_by_key(|&c| -span[c].abs()) else { return false };
    let (length, sign) = (span[main].abs(), span[main].signum());
    if length <= 2 * SLACK {
        return false;
    }
    // Share of v, times the length.
    let share = |m: &Mix| (m[main] - u[main]) * sign;
    let is_mixture = |m: &Mix| {
        let share = share(m);
        (-SLACK..=length + SLACK).contains(&share)
            && (0..4).all(|c| ((m[c] - u[c]) * length - span[c] * share).abs() <= SLACK * length)
    };
    let is_proper = |m: &Mix| (SLACK + 1..length - SLACK).contains(&share(m));
    is_mixture(&p)
        && is_mixture(&q)
        && (is_proper(&p) || is_proper(&q))
        && 2 * (share(&p) - share(&q)).abs() <= length + 2 * SLACK
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pixel::Reader;
    use trueup_frame::{Alpha, PixelFormat};

    /// The middle pixel of three rows of three, as bytes of RGB.
    fn coverage(expected: [[u8; 3]; 9], actual: [[u8; 3]; 9]) -> bool {
        let reader = Reader::new(PixelFormat::Rgb8, Alpha::Opaque).unwrap();
        let (e, a) = (expected.concat(), actual.concat());
        let [e, a] = [&e, &a].map(|bytes| Around {
            reader,
            rows: [None, Some(&bytes[..9]), Some(&bytes[9..18]), Some(&bytes[18..]), None],
        });
        let (forward, back) = (is_coverage(&e, &a, 1, 3), is_coverage(&a, &e, 1, 3));
        assert_eq!(forward, back, "swapping changes nothing");
        forward
    }

    /// Two columns of flat colour and an edge between them.
    fn edge(left: [u8; 3], middle: [u8; 3], right: [u8; 3]) -> [[u8; 3]; 9] {
        [left, middle, right, left, middle, right, left, middle, right]
    }

    const WHITE: [u8; 3] = [255; 3];
    const BLACK: [u8; 3] = [0; 3];
    const RED: [u8; 3] = [255, 0, 0];

    #[test]
    fn another_share_of_the_same_edge_is_coverage() {
        assert!(coverage(edge(WHITE, [200; 3], BLACK), edge(WHITE, [120; 3], BLACK)));
        assert!(coverage(edge(WHITE, [255, 200, 200], RED), edge(WHITE, [255, 120, 120], RED)));
        // From pure to mixed.
        assert!(coverage(edge(WHITE, WHITE, BLACK), edge(WHITE, [150; 3], BLACK)));
    }

    /// Pixels of few colours, so that flat ground is frequent.
    fn nine() -> impl Strategy<Value = [[u8; 3]; 9]> {
        let color = prop_oneof![6 => Just(WHITE), 1 => Just([200; 3]), 1 => Just(BLACK), 1 => Just(RED)];
        prop::collection::vec(color, 9).prop_map(|colors| std::array::from_fn(|i| colors[i]))
    }

    proptest! {
        #[test]
        fn on_flat_ground_there_is_no_coverage(expected in nine(), actual in nine(), x in 0..3_u32) {
            let reader = Reader::new(PixelFormat::Rgb8, Alpha::Opaque).unwrap();
            let (e, a) = (expected.concat(), actual.concat());
            let [e, a] = [&e, &a].map(|bytes| Around {
                reader,
                rows: [None, Some(&bytes[..9]), Some(&bytes[9..18]), Some(&bytes[18..]), None],
            });
            let neighbours = [0, 1, 2, 3, 5, 6, 7, 8].map(|i| expected[i]);
            prop_assert_eq!(e.is_flat(x), x == 1 && neighbours.iter().all(|color| *color == neighbours[0]));
            if e.is_flat(x) {
                prop_assert!(!is_coverage_unless_flat(&e, &a, x, 3));
            }
        }
    }

    #[test]
    fn more_than_coverage_counts() {
        // More than half of a pixel, and a whole one.
        assert!(!coverage(edge(WHITE, [240; 3], BLACK), edge(WHITE, [60; 3], BLACK)));
        assert!(!coverage(edge(WHITE, WHITE, BLACK), edge(WHITE, BLACK, BLACK)));
        // Resemble.js#151: a colour that the edge does not have.
        assert!(!coverage(edge(WHITE, [200; 3], BLACK), edge(WHITE, [200, 120, 200], BLACK)));
        // A red edge that turned blue.
        assert!(!coverage(edge(WHITE, [255, 128, 128], RED), edge(WHITE, [128, 128, 255], [0, 0, 255])));
        assert!(!coverage(edge(WHITE, [255, 128, 128], RED), edge(WHITE, [128, 128, 255], RED)));
        // No edge at all: a grey line on white that became lighter.
        assert!(!coverage(edge(WHITE, [120; 3], WHITE), edge(WHITE, [170; 3], WHITE)));
        // Everything around changed as well.
        assert!(!coverage(edge(WHITE, [200; 3], BLACK), edge([250; 3], [150; 3], [5; 3])));
    }
}
