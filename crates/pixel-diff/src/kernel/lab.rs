//! CIELAB and the formulas over it, a lane for each pair.

use super::block::{Differences, LANES, Lane, TO_INTEGER, fixed};
use crate::color::{LINEAR_F32, Primaries};

/// Colours of a block in linear light.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    pub(super) r: Lane,
    pub(super) g: Lane,
    pub(super) b: Lane,
}

impl Linear {
    pub(super) fn fill(&mut self, packed: &[u32; LANES]) {
        for (i, packed) in packed.iter().enumerate() {
            let [r, g, b, _] = packed.to_le_bytes();
            self.r[i] = LINEAR_F32[usize::from(r)];
            self.g[i] = LINEAR_F32[usize::from(g)];
            self.b[i] = LINEAR_F32[usize::from(b)];
        }
    }
}

/// A colour space's way to CIELAB in single precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coefficients {
    matrix: [[f32; 3]; 3],
    /// Rows X − Y and Y − Z, red and blue; green is minus their sum, because every row of the matrix sums to 1.
    x_minus_y: [f32; 2],
    y_minus_z: [f32; 2],
}

impl Coefficients {
    pub(crate) fn new(primaries: Primaries) -> Self {
        let m = primaries.matrix();
        let rows = |a: usize, b: usize| [(m[a][0] - m[b][0]) as f32, (m[a][2] - m[b][2]) as f32];
        Self {
            matrix: m.map(|row| row.map(|entry| entry as f32)),
            x_minus_y: rows(0, 1),
            y_minus_z: rows(1, 2),
        }
    }
}

/// Lanes of CIELAB.
#[derive(Debug)]
pub(super) struct LabLanes {
    pub(super) l: Lane,
    pub(super) a: Lane,
    pub(super) b: Lane,
    pub(super) chroma: Lane,
}

impl Default for Linear {
    fn default() -> Self {
        Self { r: [0.0; LANES], g: [0.0; LANES], b: [0.0; LANES] }
    }
}

impl Default for LabLanes {
    fn default() -> Self {
        Self { l: [0.0; LANES], a: [0.0; LANES], b: [0.0; LANES], chroma: [0.0; LANES] }
    }
}

impl Default for Primed {
    fn default() -> Self {
        let none = [0.0; LANES];
        Self { a: [none; 2], chroma: [none; 2], cos: none, sin: none, hue: none, weight: none, turn: none }
    }
}

/// Colours to CIELAB.
///
/// In short loops, here and below: the processor sees several lanes' steps at a time then, and does not wait for the last
/// root of one before it begins with the next.
#[inline(always)]
pub(super) fn lab(rgb: &Linear, k: &Coefficients, out: &mut LabLanes) {
    let mut compressed = [[0.0; LANES]; 3];
    let mut is_root = [[false; LANES]; 3];
    for ((f, is_root), [r, g, b]) in compressed.iter_mut().zip(&mut is_root).zip(k.matrix) {
        for i in 0..LANES {
            (f[i], is_root[i]) = compress(r * rgb.r[i] + g * rgb.g[i] + b * rgb.b[i]);
        }
    }
    for i in 0..LANES {
        let (rg, bg) = (rgb.r[i] - rgb.g[i], rgb.b[i] - rgb.g[i]);
        let [fx, fy, fz] = [0, 1, 2].map(|c| (compressed[c][i], is_root[c][i]));
        out.l[i] = 116.0 * fy.0 - 16.0;
        out.a[i] = 500.0 * compressed_difference(k.x_minus_y[0] * rg + k.x_minus_y[1] * bg, fx, fy);
        out.b[i] = 200.0 * compressed_difference(k.y_minus_z[0] * rg + k.y_minus_z[1] * bg, fy, fz);
        out.chroma[i] = (out.a[i] * out.a[i] + out.b[i] * out.b[i]).sqrt();
    }
}

/// The CIELAB compression, and whether it was the cube root.
#[inline(always)]
fn compress(t: f32) -> (f32, bool) {
    let root = t > 0.008_856_452;
    let floor = if t > 1e-6 { t } else { 1e-6 };
    (if root { cbrt(floor) } else { 7.787_037 * t + 0.137_931_03 }, root)
}

/// f(p) − f(q) from p − q, without cancellation: a difference of cubes for the cube root, a product for the line.
#[inline(always)]
fn compressed_difference(difference: f32, p: (f32, bool), q: (f32, bool)) -> f32 {
    let cubes = difference / (p.0 * p.0 + p.0 * q.0 + q.0 * q.0);
    let line = 7.787_037 * difference;
    let mixed = if difference == 0.0 { 0.0 } else { p.0 - q.0 };
    if p.1 & q.1 {
        cubes
    } else if p.1 | q.1 {
        mixed
    } else {
        line
    }
}

/// Cube root of 1e-6 ≤ x ≤ 2 to about one unit in the last place, by the inverse cube root, which needs no division.
#[inline(always)]
pub(super) fn cbrt(x: f32) -> f32 {
    let mut y = f32::from_bits(0x54A2_1D2A - x.to_bits() / 3);
    y *= 1.333_333_4 - (x * 0.333_333_34) * (y * y * y);
    y *= 1.333_333_4 - (x * 0.333_333_34) * (y * y * y);
    let c = x * y * y;
    c + (x - c * c * c) * (y * y * 0.333_333_34)
}

/// ΔC\*ab and ΔH\*ab.
#[inline(always)]
pub(super) fn polar(x: &LabLanes, y: &LabLanes, out: &mut Differences) {
    for i in 0..LANES {
        let (a1, b1, a2, b2) = (x.a[i], x.b[i], y.a[i], y.b[i]);
        let (c1, c2) = (x.chroma[i], y.chroma[i]);
        out.chroma[i] = fixed(c2 - c1);
        out.hue[i] = fixed(hue_difference(c1 * c2, a1 * a2 + b1 * b2, a1 * b2 - a2 * b1));
    }
}

/// As the function of the same name in double precision.
#[inline(always)]
pub(super) fn hue_difference(product: f32, dot: f32, cross: f32) -> f32 {
    // √(2·s) is 2·√(s/2) to the last bit, so one root does for both.
    let root = (0.5 * (product + if dot < 0.0 { -dot } else { dot })).sqrt();
    let floor = if root > 1e-20 { root } else { 1e-20 };
    let far = if cross < 0.0 { -2.0 * root } else { 2.0 * root };
    if dot >= 0.0 { cross / floor } else { far }
}

#[inline(always)]
fn saturation(c: f32) -> f32 {
    let c2 = c * c;
    let c7 = c2 * c2 * c2 * c;
    (c7 / (c7 + 6_103_515_625.0)).sqrt()
}

/// What CIEDE2000 makes of two colours on its way.
#[derive(Debug)]
pub(super) struct Primed {
    /// Stretched, of both.
    a: [Lane; 2],
    chroma: [Lane; 2],
    /// The direction of the mean hue.
    cos: Lane,
    sin: Lane,
    /// The difference of hues as a length.
    hue: Lane,
    /// T: how much hues count.
    weight: Lane,
    /// sin 2Δθ: how much blue turns.
    turn: Lane,
}

/// CIEDE2000, step by step as in double precision, with shorter series.
#[inline(always)]
pub(super) fn ciede2000(x: &LabLanes, y: &LabLanes, primed: &mut Primed, out: &mut Differences) {
    for i in 0..LANES {
        let stretch = 1.5 - 0.5 * saturation((x.chroma[i] + y.chroma[i]) * 0.5);
        let (a1, a2) = (stretch * x.a[i], stretch * y.a[i]);
        (primed.a[0][i], primed.a[1][i]) = (a1, a2);
        primed.chroma[0][i] = (a1 * a1 + x.b[i] * x.b[i]).sqrt();
        primed.chroma[1][i] = (a2 * a2 + y.b[i] * y.b[i]).sqrt();
    }
    mean_hue(x, y, primed, out);
    for i in 0..LANES {
        let (c, s) = (primed.cos[i], primed.sin[i]);
        primed.weight[i] = hue_weight(c, s);
        primed.turn[i] = from_blue(c, s);
    }
    for turn in &mut primed.turn {
        *turn = blueness(*turn) * std::f32::consts::FRAC_PI_3;
    }
    for i in 0..LANES {
        let mean_c = (primed.chroma[0][i] + primed.chroma[1][i]) * 0.5;
        primed.turn[i] = -2.0 * saturation(mean_c) * sine(primed.turn[i]);
    }
    for i in 0..LANES {
        let (l1, l2, t) = (x.l[i], y.l[i], primed.weight[i]);
        let (c1, c2) = (primed.chroma[0][i], primed.chroma[1][i]);
        let mean_c = (c1 + c2) * 0.5;
        let rotation = primed.turn[i];

        // SL = 1 + 0.015·l50/√(20 + l50), and one quotient for SC and SH: divisions are what takes longest.
        let mean_l = (l1 + l2) * 0.5 - 50.0;
        let l50 = mean_l * mean_l;
        let root = (20.0 + l50).sqrt();
        let l = (l2 - l1) * root / (root + 0.015 * l50);
        let (sc, sh) = (1.0 + 0.045 * mean_c, 1.0 + 0.015 * mean_c * t);
        let both = 1.0 / (sc * sh);
        let cc = (c2 - c1) * (sh * both);
        let h = primed.hue[i] * (sc * both);
        let sum = l * l + cc * cc + h * h + rotation * (cc * h);
        out.delta[i] = fixed((if sum > 0.0 { sum } else { 0.0 }).sqrt()).cast_unsigned();
    }
}

#[inline(always)]
fn mean_hue(x: &LabLanes, y: &LabLanes, primed: &mut Primed, out: &mut Differences) {
    for i in 0..LANES {
        let (a1, a2, b1, b2) = (primed.a[0][i], primed.a[1][i], x.b[i], y.b[i]);
        let (c1, c2) = (primed.chroma[0][i], primed.chroma[1][i]);
        let product = c1 * c2;
        let dot = a1 * a2 + b1 * b2;
        let cross = a1 * b2 - a2 * b1;

        let near = dot >= 0.0;
        let (wx, wy) = (a1 * c2 - a2 * c1, b1 * c2 - b2 * c1);
        let turned = if cross < 0.0 { (wy, -wx) } else { (-wy, wx) };
        let hx = if near { a1 * c2 + a2 * c1 } else { turned.0 };
        let hy = if near { b1 * c2 + b2 * c1 } else { turned.1 };
        let squared = hx * hx + hy * hy;
        let some = squared > 1e-30;
        let scale = 1.0 / (if some { squared } else { 1.0 }).sqrt();
        primed.cos[i] = if some { hx * scale } else { 1.0 };
        primed.sin[i] = if some { hy * scale } else { 0.0 };
        primed.hue[i] = hue_difference(product, dot, cross);

        // Nearly opposite hues: the sign of the cross product turns the mean hue round by 180°.
        let magnitude = if cross < 0.0 { -cross } else { cross };
        let unsure = (dot < 0.0)
            & (magnitude <= 4e-6 * product + 6e-5 * (c1 + c2))
            & (product * ((c1 + c2) * 0.5) > 5e-4);
        out.unstable[i] = u32::from(unsure);
    }
}

/// T of a mean hue.
#[inline(always)]
fn hue_weight(c: f32, s: f32) -> f32 {
    let (k2, s2) = (c * c - s * s, 2.0 * c * s);
    let (k3, s3) = (c * k2 - s * s2, s2 * c + k2 * s);
    let (k4, s4) = (k2 * k2 - s2 * s2, 2.0 * k2 * s2);
    1.0 - 0.17 * (c * 0.866_025_4 + s * 0.5) + 0.24 * k2 + 0.32 * (k3 * 0.994_521_9 - s3 * 0.104_528_464)
        - 0.20 * (k4 * 0.453_990_5 + s4 * 0.891_006_5)
}

/// How far a mean hue is from 275°, in units of 25°; [`FAR`] from a quarter turn on.
#[inline(always)]
fn from_blue(c: f32, s: f32) -> f32 {
    // The hue from 275°; beyond a quarter turn the rotation is below 3e-6, and past 0° it is nothing.
    let turned_c = c * 0.087_155_744 - s * 0.996_194_7;
    let turned_s = s * 0.087_155_744 + c * 0.996_194_7;
    let blue = (turned_c > 0.0) & (s < 0.0);
    let u = turned_s / (1.0 + if blue { turned_c } else { 1.0 });
    if blue { arctangent(u) * 4.583_662_4 } else { FAR }
}

/// Farther from blue than any hue that counts as blue.
const FAR: f32 = 8.0;

/// How blue that is, from 0 to 1.
#[inline(always)]
fn blueness(angle: f32) -> f32 {
    if angle < FAR { exp(-(angle * angle)) } else { 0.0 }
}

/// atan(u) for |u| ≤ 1, to 2e-7.
#[inline(always)]
fn arctangent(u: f32) -> f32 {
    let u2 = u * u;
    let high = 0.096_420_04 + u2 * (-0.055_909_886 + u2 * (0.021_861_23 - u2 * 0.004_054_058));
    u * (0.999_999_34 + u2 * (-0.333_298_56 + u2 * (0.199_465_36 + u2 * (-0.139_085_34 + u2 * high))))
}

/// sin(w) for 0 ≤ w ≤ π/3, to 1e-7.
#[inline(always)]
fn sine(w: f32) -> f32 {
    let w2 = w * w;
    w * (1.0 + w2 * (-0.166_666_67 + w2 * (0.008_333_331 + w2 * (-0.000_198_408_74 + w2 * 2.752_556_2e-6))))
}

/// e^x for −20 ≤ x ≤ 0, to 2e-7 of the result.
#[inline(always)]
fn exp(x: f32) -> f32 {
    let shifted = x * std::f32::consts::LOG2_E + TO_INTEGER;
    let k = shifted - TO_INTEGER;
    let f = x - k * 0.693_145_75 - k * 1.428_606_8e-6;
    let high = 0.041_666_668 + f * (0.008_333_334 + f * 0.001_388_888_9);
    let p = 1.0 + f * (1.0 + f * (0.5 + f * (0.166_666_67 + f * high)));
    p * f32::from_bits((shifted.to_bits().wrapping_add(127)) << 23)
}

/// CIE 1994 with the geometric mean of both chromas, as in double precision.
#[inline(always)]
pub(super) fn cie94(x: &LabLanes, y: &LabLanes, out: &mut Differences) {
    for i in 0..LANES {
        let (c1, c2) = (x.chroma[i], y.chroma[i]);
        let (dot, cross) = (x.a[i] * y.a[i] + x.b[i] * y.b[i], x.a[i] * y.b[i] - x.b[i] * y.a[i]);
        let mean = (c1 * c2).sqrt();
        let l = y.l[i] - x.l[i];
        let c = (c2 - c1) / (1.0 + 0.045 * mean);
        let h = hue_difference(c1 * c2, dot, cross) / (1.0 + 0.015 * mean);
        out.delta[i] = fixed((l * l + c * c + h * h).sqrt()).cast_unsigned();
    }
}
