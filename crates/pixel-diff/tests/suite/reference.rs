//! A second implementation, as plain as possible: every pixel by itself, flood fill, no memory, no skipping.

use trueup_frame::{Alpha, ImageView, Rect, Size};
use trueup_pixel_diff::{Antialiasing, Backdrop, DeltaE, Lab, Mask, MetricKind, Options};

/// Alpha and straight or premultiplied colour of a pixel, 0–65 535.
fn samples(view: &ImageView<'_>, x: u32, y: u32) -> ([u64; 3], u64) {
    let format = view.format();
    let bytes = &view.row(y)[x as usize * format.bytes_per_pixel()..][..format.bytes_per_pixel()];
    let values: Vec<u64> = if format.bits() == 16 {
        bytes.chunks(2).map(|b| u64::from(u16::from_ne_bytes([b[0], b[1]]))).collect()
    } else {
        bytes.iter().map(|&b| u64::from(b) * 257).collect()
    };
    let rgb = if values.len() < 3 { [values[0]; 3] } else { [values[0], values[1], values[2]] };
    let alpha = if view.alpha() == Alpha::Opaque { 65_535 } else { values[values.len() - 1] };
    (rgb, alpha)
}

/// Colour over a backdrop of 0 or 65 535, in units of 1/65 535², and alpha.
fn over(view: &ImageView<'_>, x: u32, y: u32, backdrop: u64) -> ([u64; 3], u64) {
    over_color(view, x, y, [backdrop; 3])
}

/// The same over any colour.
fn over_color(view: &ImageView<'_>, x: u32, y: u32, backdrop: [u64; 3]) -> ([u64; 3], u64) {
    let (rgb, alpha) = samples(view, x, y);
    let scale = match view.alpha() {
        Alpha::Premultiplied if alpha == 0 => 0,
        Alpha::Premultiplied => 65_535,
        Alpha::Straight | Alpha::Opaque => alpha,
    };
    let mut channel = 0..3;
    let seen = rgb.map(|c| {
        let behind = backdrop[channel.next().unwrap()];
        (c * scale + behind * (65_535 - alpha)).min(65_535 * 65_535)
    });
    (seen, alpha)
}

/// The colours of 0–255 that the pixels at a position are seen on.
fn backdrops(kind: Backdrop, x: u32, y: u32, width: u32) -> Vec<[u64; 3]> {
    let index = y * width + x;
    match kind {
        Backdrop::Any => vec![[0; 3], [255; 3]],
        Backdrop::White => vec![[255; 3]],
        Backdrop::Black => vec![[0; 3]],
        Backdrop::Pixelmatch7 => {
            let odd = |ratio: f64| (f64::from(4 * index) / ratio).trunc() % 2.0 != 0.0;
            let light = |odd: bool| if odd { 207 } else { 48 };
            vec![[48, light(odd(1.618_033_988_749_895)), light(odd(2.618_033_988_749_895))]]
        }
        Backdrop::Pixelmatch8 => {
            let hash = (u64::from(index) * 0x9E37_79B1) & 0xFFFF_FFFF;
            vec![[hash >> 31, hash >> 30 & 1, hash >> 29 & 1].map(|bit| 48 + 159 * bit)]
        }
        other => panic!("{other:?} is not known here"),
    }
}

/// Whether pixelmatch takes the pixel of one image for antialiasing.
fn is_ramp(view: &ImageView<'_>, other: &ImageView<'_>, x: u32, y: u32, kind: Antialiasing) -> bool {
    let Size { width, height } = view.size().intersection(other.size());
    let around = |x: u32, y: u32| {
        let columns = x.saturating_sub(1)..=(x + 1).min(width - 1);
        let rows = y.saturating_sub(1)..=(y + 1).min(height - 1);
        let all: Vec<_> = columns.flat_map(|nx| rows.clone().map(move |ny| (nx, ny))).collect();
        // One is missing at least at a border, and counts as equal.
        let border = usize::from(all.len() < 9);
        (all.into_iter().filter(|&at| at != (x, y)).collect::<Vec<_>>(), border)
    };
    let bytes = |view: &ImageView<'_>, (x, y): (u32, u32)| {
        let size = view.format().bytes_per_pixel();
        view.row(y)[x as usize * size..][..size].to_vec()
    };
    let flat = |view: &ImageView<'_>, at: (u32, u32)| {
        let (all, border) = around(at.0, at.1);
        all.iter().filter(|&&other| bytes(view, other) == bytes(view, at)).count() + border > 2
    };
    let backdrop = if kind == Antialiasing::Pixelmatch7 {
        backdrops(Backdrop::Pixelmatch7, x, y, width)[0]
    } else {
        [255; 3]
    };
    let luma = |nx: u32, ny: u32| {
        let ((p, p_alpha), (q, q_alpha)) = (over(view, x, y, 0), over(view, nx, ny, 0));
        let both_opaque = p_alpha == 65_535 && q_alpha == 65_535;
        #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
        let of = |c: usize| {
            // Products of 16-bit samples; what cancels out has to do so exactly.
            let alpha = p_alpha.cast_signed() - q_alpha.cast_signed();
            let behind = if both_opaque { 0 } else { 257 * backdrop[c].cast_signed() * alpha };
            (p[c].cast_signed() - q[c].cast_signed() - behind) as f64 / (257.0 * 257.0 * 255.0)
        };
        let sum = of(0) * 0.298_895_31 + of(1) * 0.586_622_47 + of(2) * 0.114_482_23;
        #[expect(clippy::cast_precision_loss, reason = "at most 65535")]
        let alpha = (p_alpha as f64 - q_alpha as f64) / 257.0;
        if sum == 0.0 && kind == Antialiasing::Pixelmatch8 { alpha / 2.0 } else { sum }
    };
    let (all, border) = around(x, y);
    let lumas: Vec<f64> = all.iter().map(|&(nx, ny)| luma(nx, ny)).collect();
    if lumas.iter().filter(|&&l| l == 0.0).count() + border > 2 {
        return false;
    }
    let (mut low, mut high) = ((0.0, None), (0.0, None));
    for (&l, &at) in lumas.iter().zip(&all) {
        if l < low.0 {
            low = (l, Some(at));
        }
        if l > high.0 {
            high = (l, Some(at));
        }
    }
    let (Some(low), Some(high)) = (low.1, high.1) else { return false };
    [low, high].into_iter().any(|at| flat(view, at) && flat(other, at))
}

/// Whether a difference is antialiasing by the options.
fn is_antialiased(e: &ImageView<'_>, a: &ImageView<'_>, x: u32, y: u32, options: &Options) -> bool {
    if e.color() != a.color() || options.tolerance.is_strict() {
        return false;
    }
    match options.antialiasing {
        Antialiasing::Off => false,
        Antialiasing::Coverage => is_coverage(e, a, x, y) || is_ramp_of_sub_pixels(e, a, x, y),
        kind => is_ramp(e, a, x, y, kind) || is_ramp(a, e, x, y, kind),
    }
}

/// What is known of a differing pixel: its ΔE, and the axis that it moved along most, with its sign.
pub(crate) type Change = (u32, i32);

/// ΔE of the two pixels at a position, and the direction of the difference, where they differ at all.
fn delta(e: &ImageView<'_>, a: &ImageView<'_>, x: u32, y: u32, options: &Options) -> Option<(DeltaE, i32)> {
    let mut worst = (-1.0, 0);
    let mut values_differ = false;
    let width = e.size().intersection(a.size()).width;
    let tolerance = options.tolerance.color_delta_e().to_f64() / 100.0;
    let mut above = None;
    for backdrop in backdrops(options.backdrop, x, y, width) {
        let backdrop = backdrop.map(|c| c * 257);
        let ((p, p_alpha), (q, q_alpha)) = (over_color(e, x, y, backdrop), over_color(a, x, y, backdrop));
        values_differ |= p != q || (options.backdrop == Backdrop::Any && p_alpha != q_alpha);
        #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
        let [x, y] = [p, q].map(|rgb| rgb.map(|c| c as f64 / (65_535.0 * 65_535.0)));
        let lab = |view: &ImageView<'_>, rgb| Lab::from_encoded(rgb, view.color()).unwrap();
        let (p, q) = (lab(e, x), lab(a, y));
        let difference = options.metric.of_lab(p, q).unwrap_or_else(|| options.metric.of_srgb(x, y));
        // These decide on the unrounded distance.
        if matches!(options.metric, MetricKind::Yiq | MetricKind::OklabHyab) {
            above = Some(above.unwrap_or(false) | (difference / 100.0 > tolerance));
        }
        if difference > worst.0 {
            worst = (difference, direction([q.l - p.l, q.a - p.a, q.b - p.b]));
        }
    }
    let delta = DeltaE::from_f64(worst.0);
    let limit = options.tolerance.color_delta_e();
    let delta = match above {
        Some(true) => delta.max(DeltaE::from_raw(limit.raw() + 1)),
        Some(false) => delta.min(limit),
        None => delta,
    };
    if e.color() == a.color() {
        values_differ.then_some((delta.max(DeltaE::from_raw(1)), worst.1))
    } else {
        (delta > DeltaE::ZERO).then_some((delta, worst.1))
    }
}

fn direction(lab: [f64; 3]) -> i32 {
    let fixed = lab.map(|component| (component * 65_536.0).round() as i32);
    let largest = fixed.iter().map(|component| component.abs()).max().unwrap();
    let (axis, component) = (1..).zip(fixed).find(|(_, component)| component.abs() == largest).unwrap();
    if component < 0 { -axis } else { axis }
}

/// Whether the difference at a position is one of coverage: `Antialiasing::Coverage`, word by word.
fn is_coverage(e: &ImageView<'_>, a: &ImageView<'_>, x: u32, y: u32) -> bool {
    let Size { width, height } = e.size().intersection(a.size());
    let exact = |view: &ImageView<'_>, x, y| over(view, x, y, 0);
    let mix = |view: &ImageView<'_>, x, y| {
        let (rgb, alpha) = exact(view, x, y);
        [rgb[0], rgb[1], rgb[2], alpha * 65_535].map(|v| i64::try_from((v + 32_767) / 65_535).unwrap())
    };
    let (p, q) = (mix(e, x, y), mix(a, x, y));
    let dot = |m: [i64; 4]| (0..4).map(|c| m[c] * (q[c] - p[c])).sum::<i64>();
    let mut same = Vec::new();
    for ny in y.saturating_sub(1)..=(y + 1).min(height - 1) {
        for nx in x.saturating_sub(1)..=(x + 1).min(width - 1) {
            if (nx, ny) != (x, y) && exact(e, nx, ny) == exact(a, nx, ny) {
                same.push(mix(e, nx, ny));
            }
        }
    }
    if e.color() != a.color() {
        return false;
    }
    // `min_by_key` gives the first of equals, and so does this `max`.
    let Some(u) = same.iter().copied().min_by_key(|&m| dot(m)) else { return false };
    let v = same.iter().copied().rev().max_by_key(|&m| dot(m)).unwrap();
    let slack = 4 * 257;
    let main = (0..4).rev().max_by_key(|&c| (v[c] - u[c]).abs()).unwrap();
    let length = (v[main] - u[main]).abs();
    let share = |m: [i64; 4]| (m[main] - u[main]) * (v[main] - u[main]).signum();
    let mixture = |m| {
        share(m) >= -slack
            && share(m) <= length + slack
            && (0..4).all(|c| ((m[c] - u[c]) * length - (v[c] - u[c]) * share(m)).abs() <= slack * length)
    };
    let proper = |m| share(m) > slack && share(m) < length - slack;
    length > 2 * slack
        && mixture(p)
        && mixture(q)
        && (proper(p) || proper(q))
        && 2 * (share(p) - share(q)).abs() <= length + 2 * slack
}

/// Whether the position lies on an edge that sub-pixels draw: `Antialiasing::Coverage`, its second half, word by word.
fn is_ramp_of_sub_pixels(e: &ImageView<'_>, a: &ImageView<'_>, x: u32, y: u32) -> bool {
    let width = e.size().intersection(a.size()).width;
    let same = |x: u32| over(e, x, y, 0) == over(a, x, y, 0);
    let mut run = x..x + 1;
    while run.start > 0 && !same(run.start - 1) {
        run.start -= 1;
    }
    while run.end < width && !same(run.end) {
        run.end += 1;
    }
    let all = run.start.saturating_sub(1)..(run.end + 1).min(width);
    let opaque = |view: &ImageView<'_>| all.clone().all(|x| samples(view, x, y).1 == 65_535);
    if all.len() != run.len() + 2 || !(2..=4).contains(&run.len()) || !opaque(e) || !opaque(a) {
        return false;
    }
    let row = |view: &ImageView<'_>| -> Vec<[i64; 3]> {
        all.clone().map(|x| samples(view, x, y).0.map(|v| i64::try_from(v).unwrap())).collect()
    };
    let (e, a) = (row(e), row(a));
    let (u, v) = (e[0], e[e.len() - 1]);
    let slack = 4 * 257;
    // Turned so that every channel rises from u to v.
    let turn = |row: &[[i64; 3]]| -> Vec<[i64; 3]> {
        row.iter().map(|p| [0, 1, 2].map(|c| if v[c] < u[c] { u[c] - p[c] } else { p[c] - u[c] })).collect()
    };
    let (p, q) = (turn(&e[1..e.len() - 1]), turn(&a[1..a.len() - 1]));
    let whole = [0, 1, 2].map(|c| (v[c] - u[c]).abs());
    let way = [0, 1, 2].map(|c| q.iter().map(|q| q[c]).sum::<i64>() - p.iter().map(|p| p[c]).sum::<i64>());
    // The first of those that differ most.
    let main = (0..3).rev().max_by_key(|&c| whole[c]).unwrap();
    let moved = 2 * way[main].abs() <= whole[main] + 2 * slack
        && (0..3).all(|c| (way[c] * whole[main] - way[main] * whole[c]).abs() <= 2 * slack * whole[main]);
    let one_way = p.iter().zip(&q).all(|(p, q)| {
        (0..3).all(|c| {
            let by = (q[c] - p[c]) * way[main].signum();
            // Where nothing moves, or there is nothing to move between, nothing changes.
            if way[main] == 0 || whole[c] == 0 { (q[c] - p[c]).abs() <= slack } else { by >= -slack }
        })
    });
    let ramp = |pixels: &[[i64; 3]], is_bgr: bool| {
        let inside = pixels.iter().all(|p| (0..3).all(|c| (-slack..=whole[c] + slack).contains(&p[c])));
        // Least and most of each share, as parts of a whole, by the place of its sub-pixel.
        let mut shares = vec![(-1, [0, 0], 1)];
        for (at, pixel) in pixels.iter().enumerate() {
            for third in 0..3 {
                let c = if is_bgr { 2 - third } else { third };
                if whole[c] > 2 * slack {
                    let place = i64::try_from(3 * at + third).unwrap();
                    shares.push((place, [pixel[c] - slack, pixel[c] + slack], whole[c]));
                }
            }
        }
        shares.push((3 * i64::try_from(pixels.len()).unwrap(), [1, 1], 1));
        let below = |a: i64, a_whole: i64, b: i64, b_whole: i64| a * b_whole < b * a_whole;
        let inner = &shares[1..shares.len() - 1];
        let falls = |k: usize, l: usize| below(inner[l].1[1], inner[l].2, inner[k].1[0], inner[k].2);
        let pairs: Vec<(usize, usize)> = (0..inner.len()).flat_map(|l| (0..l).map(move |k| (k, l))).collect();
        let colored = pairs.iter().any(|&(k, l)| {
            inner[k].0 / 3 == inner[l].0 / 3 && below(inner[k].1[1], inner[k].2, inner[l].1[0], inner[l].2)
        });
        let steady = shares.windows(2).all(|two| {
            let ((from, [_, most], a), (to, [least, _], b)) = (two[0], two[1]);
            // At most one half for each sub-pixel of way.
            2 * (least * a - most * b) <= (to - from) * a * b
        });
        inside && colored && steady && !pairs.iter().any(|&(k, l)| falls(k, l))
    };
    moved && one_way && [false, true].iter().any(|&is_bgr| ramp(&p, is_bgr) && ramp(&q, is_bgr))
}

/// A piece: its box, its pixels in reading order and their differences.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Piece {
    pub(crate) pixels: Vec<(u32, u32, u32)>,
}

impl Piece {
    pub(crate) fn rect(&self) -> Rect {
        self.pixels.iter().fold(Rect::default(), |all, &(y, x, _)| all.union(Rect::new(x, y, 1, 1)))
    }

    pub(crate) fn sum(&self) -> u64 {
        self.pixels.iter().map(|&(_, _, raw)| u64::from(raw)).sum()
    }

    /// The rule as printed in the documentation of `Options::tolerance`, level by level.
    pub(crate) fn is_open(&self, options: &Options) -> bool {
        let tolerance = options.tolerance.color_delta_e().raw();
        options.tolerance.is_strict()
            || (1..=64_u64).any(|k| {
                let reached = self
                    .pixels
                    .iter()
                    .filter(|&&(_, _, raw)| u64::from(raw) * 32 >= u64::from(tolerance) * (16 + k))
                    .count();
                reached as u64 * k * k >= 4096
            })
    }
}

fn covers(mask: &Mask, x: u32, y: u32) -> bool {
    match mask {
        Mask::Rect(rect) => rect.contains(x, y),
        Mask::Bits(bits) => bits.contains(x, y),
    }
}

/// What the whole comparison should find.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) compared: u64,
    pub(crate) masked: u64,
    pub(crate) differing: u64,
    pub(crate) visible: u64,
    pub(crate) antialiased: u64,
    pub(crate) sum: u64,
    pub(crate) max: DeltaE,
    pub(crate) pieces: Vec<Piece>,
}

/// ΔE of every pixel that both images have, in reading order; 0 under a mask.
pub(crate) fn deltas(e: &ImageView<'_>, a: &ImageView<'_>, options: &Options) -> Vec<DeltaE> {
    let Size { width, height } = e.size().intersection(a.size());
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let is_masked = |x, y| options.ignored.iter().any(|mask| covers(mask, x, y));
    places
        .map(|(x, y)| match delta(e, a, x, y, options) {
            Some((delta, _)) if !is_masked(x, y) => delta,
            _ => DeltaE::ZERO,
        })
        .collect()
}

pub(crate) fn compare(e: &ImageView<'_>, a: &ImageView<'_>, options: &Options) -> Found {
    let Size { width, height } = e.size().intersection(a.size());
    let mut found = Found::default();
    let mut grid = vec![None; (width * height) as usize];
    for y in 0..height {
        for x in 0..width {
            if options.ignored.iter().any(|mask| covers(mask, x, y)) {
                found.masked += 1;
                continue;
            }
            found.compared += 1;
            let Some((delta, direction)) = delta(e, a, x, y, options) else { continue };
            found.differing += 1;
            let tolerance = options.tolerance.color_delta_e();
            found.sum += u64::from(delta.raw());
            found.max = found.max.max(delta);
            let half = u64::from(delta.raw()) * 2 > u64::from(tolerance.raw());
            if half && is_antialiased(e, a, x, y, options) {
                found.antialiased += 1;
                continue;
            }
            found.visible += u64::from(delta > tolerance);
            if half || options.tolerance.is_strict() {
                // 2.5 T and more goes with everything.
                let strong = options.tolerance.is_strict()
                    || u64::from(delta.raw()) * 2 >= u64::from(tolerance.raw()) * 5;
                grid[(y * width + x) as usize] = Some((delta.raw(), if strong { 0 } else { direction }));
            }
        }
    }
    found.pieces = flood(&mut grid, width);
    found
}

/// Connected sets, by flood fill over the eight neighbours; a step needs equal directions or a 0.
pub(crate) fn flood(grid: &mut [Option<Change>], width: u32) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for start in 0..grid.len() {
        let mut pixels = Vec::new();
        let mut stack = vec![(start, 0)];
        while let Some((at, from)) = stack.pop() {
            let Some((raw, direction)) = grid[at] else { continue };
            if from != 0 && direction != 0 && from != direction {
                continue;
            }
            grid[at] = None;
            let (x, y) = (at as u32 % width, at as u32 / width);
            pixels.push((y, x, raw));
            for ny in y.saturating_sub(1)..=y + 1 {
                for nx in x.saturating_sub(1)..=(x + 1).min(width - 1) {
                    let neighbour = (ny * width + nx) as usize;
                    if neighbour < grid.len() {
                        stack.push((neighbour, direction));
                    }
                }
            }
        }
        if !pixels.is_empty() {
            pixels.sort_unstable();
            pieces.push(Piece { pixels });
        }
    }
    pieces
}
