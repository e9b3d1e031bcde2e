//! Many pairs at once, in single precision.
//!
//! The loops are plain Rust over blocks of lanes, which the compiler turns into vector code of whatever width it is
//! asked for. Only `+ − × ÷ √`, comparisons, selections and integer operations on the bits take part, in one fixed order
//! and without fused multiply-add, so each lane's bits are the same for every instruction set.
//!
//! What comes out only proposes: see [`Judge`](crate::judge::Judge) for who decides.

use crate::Tolerance;
use crate::color::{LINEAR_F32, Primaries};
use crate::region::{BINS, LEVELS};
use crate::values::Class;

/// Pairs in a block.
pub(crate) const LANES: usize = 64;

/// How far a difference of the kernel may be from the reference, in 1/65 536: 5e-4, where 1.9e-4 is the largest ever
/// seen. Whatever lies within that of a decision is decided by the reference.
pub(crate) const BAND: u32 = 33;

/// One number for each pair of a block.
pub(crate) type Lane = [f32; LANES];

/// Opaque 8-bit pixels of a block, packed as red, green, blue, 255 from the low byte up.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    pub(crate) expected: [u32; LANES],
    pub(crate) actual: [u32; LANES],
}

impl Default for Pairs {
    fn default() -> Self {
        Self { expected: [0; LANES], actual: [0; LANES] }
    }
}

/// Colours of a block in linear light.
#[derive(Clone, Debug)]
struct Linear {
    r: Lane,
    g: Lane,
    b: Lane,
}

impl Linear {
    #[inline(always)]
    fn of(packed: &[u32; LANES]) -> Self {
        let mut linear = Self { r: [0.0; LANES], g: [0.0; LANES], b: [0.0; LANES] };
        for (i, packed) in packed.iter().enumerate() {
            let [r, g, b, _] = packed.to_le_bytes();
            linear.r[i] = LINEAR_F32[usize::from(r)];
            linear.g[i] = LINEAR_F32[usize::from(g)];
            linear.b[i] = LINEAR_F32[usize::from(b)];
        }
        linear
    }
}

/// Differences of a block, actual minus expected, in 1/65 536 to nearest, and what follows from them.
#[derive(Clone, Debug)]
pub(crate) struct Differences {
    /// Under the metric.
    pub(crate) delta: [u32; LANES],
    pub(crate) lab: [Fixed; 3],
    pub(crate) chroma: Fixed,
    pub(crate) hue: Fixed,
    /// Largest difference of a sample in 16-bit steps.
    pub(crate) step: [u32; LANES],
    /// Bits of a [`Class`], right where the pair is not suspicious.
    pub(crate) class: [u32; LANES],
    /// Not 0 where the reference may have to decide.
    pub(crate) suspicious: [u32; LANES],
    /// Not 0 where single precision cannot tell which way round the mean hue lies.
    pub(crate) unstable: [u32; LANES],
}

/// One fixed-point number for each pair of a block.
pub(crate) type Fixed = [i32; LANES];

impl Default for Differences {
    fn default() -> Self {
        Self {
            delta: [0; LANES],
            lab: [[0; LANES]; 3],
            chroma: [0; LANES],
            hue: [0; LANES],
            step: [0; LANES],
            class: [0; LANES],
            suspicious: [0; LANES],
            unstable: [0; LANES],
        }
    }
}

/// All that the kernel needs to know about a comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) formula: Formula,
    expected: Coefficients,
    actual: Coefficients,
    /// Whether both images have one colour space, so that different samples are different colours.
    same_space: bool,
    /// T in 1/65 536.
    tolerance: i32,
    strict: bool,
    /// From a difference to steps of T/32; 0 where there are none.
    steps: f32,
    /// A band around every step within which lies whatever may be near a decision, in steps.
    margin: f32,
}

impl Plan {
    pub(crate) fn new(
        formula: Formula,
        expected: Primaries,
        actual: Primaries,
        tolerance: Tolerance,
    ) -> Self {
        let raw = tolerance.color_delta_e().raw();
        let steps = if raw == 0 { 0.0 } else { 32.0 / raw as f32 };
        Self {
            formula,
            expected: Coefficients::new(expected),
            actual: Coefficients::new(actual),
            same_space: expected == actual,
            // At most 1000 · 65 536.
            tolerance: i32::try_from(raw).unwrap_or(i32::MAX / 8),
            strict: tolerance.is_strict(),
            steps,
            // Counting steps in single precision is off by three roundings: below 4/65 536 for any difference that two
            // colours can have.
            margin: (BAND + 1 + 8) as f32 * steps,
        }
    }
}

/// 1.5·2²³: adding it to a number below 2²² rounds that to an integer, which is then in the low bits.
const TO_INTEGER: f32 = 12_582_912.0;

/// The nearest integer and what is left, −½ to ½; for |value| < 2²².
#[inline(always)]
fn split(value: f32) -> (i32, f32) {
    let shifted = value + TO_INTEGER;
    let whole = shifted.to_bits().wrapping_sub(TO_INTEGER.to_bits()).cast_signed();
    (whole, value - (shifted - TO_INTEGER))
}

/// To the nearest 1/65 536, halves to even, so that swapping the images changes nothing but the sign; for |value| < 2¹⁵.
///
/// A plain cast saturates, which not every instruction set does in lanes, and has too few bits to round above 128.
#[inline(always)]
fn fixed(value: f32) -> i32 {
    let (whole, part) = split(value);
    (whole << 16) + split(part * 65_536.0).0
}

/// Which formula fills [`Differences::delta`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Formula {
    Ciede2000,
    Cie76,
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
struct LabLanes {
    l: Lane,
    a: Lane,
    b: Lane,
    chroma: Lane,
}

impl LabLanes {
    const ZERO: Self = Self { l: [0.0; LANES], a: [0.0; LANES], b: [0.0; LANES], chroma: [0.0; LANES] };
}

/// Differences of a block of pairs. Always inlined, so that it takes on the instruction set of its caller.
#[inline(always)]
pub(crate) fn differences(plan: &Plan, pairs: &Pairs, out: &mut Differences) {
    let (mut x, mut y) = (LabLanes::ZERO, LabLanes::ZERO);
    lab(&Linear::of(&pairs.expected), &plan.expected, &mut x);
    lab(&Linear::of(&pairs.actual), &plan.actual, &mut y);
    for i in 0..LANES {
        out.lab[0][i] = fixed(y.l[i] - x.l[i]);
        out.lab[1][i] = fixed(y.a[i] - x.a[i]);
        out.lab[2][i] = fixed(y.b[i] - x.b[i]);
    }
    polar(&x, &y, out);
    match plan.formula {
        Formula::Ciede2000 => ciede2000(&x, &y, out),
        Formula::Cie76 => {
            for i in 0..LANES {
                let (l, a, b) = (y.l[i] - x.l[i], y.a[i] - x.a[i], y.b[i] - x.b[i]);
                out.delta[i] = fixed((l * l + a * a + b * b).sqrt()).cast_unsigned();
                out.unstable[i] = 0;
            }
        }
    }
    classify(plan, pairs, out);
}

/// How far apart the bytes of each pair are.
#[inline(always)]
fn bytes_apart(e: &[u32; LANES], a: &[u32; LANES]) -> [u32; LANES] {
    let mut out = [0; LANES];
    for (out, (e, a)) in out.iter_mut().zip(e.iter().zip(a)) {
        let (e, a) = (e.to_le_bytes(), a.to_le_bytes());
        *out = u32::from_le_bytes(std::array::from_fn(|c| e[c].abs_diff(a[c])));
    }
    out
}

#[expect(clippy::cast_possible_wrap, reason = "64 and 895")]
const TOP_LEVEL: i32 = LEVELS as i32;
#[expect(clippy::cast_possible_wrap, reason = "as above")]
const LAST_BIN: i32 = BINS as i32 - 1;

/// What follows from the differences. Where a pair may be near a decision, it is only said to be suspicious; elsewhere
/// the outcome is that of the scalar rule, [`Class::new`].
#[inline(always)]
fn classify(plan: &Plan, pairs: &Pairs, out: &mut Differences) {
    let (t, band) = (plan.tolerance, BAND.cast_signed() + 1);
    let by_steps = !plan.strict & (t > 0);
    for (i, bytes) in bytes_apart(&pairs.expected, &pairs.actual).into_iter().enumerate() {
        let (e, a) = (pairs.expected[i], pairs.actual[i]);
        let apart = |shift: u32| bytes >> shift & 255;
        out.step[i] = apart(0).max(apart(8)).max(apart(16)) * 257;

        // Different samples of one space are never recorded as equal.
        let least = i32::from(plan.same_space & (e != a));
        let delta = out.delta[i].cast_signed().max(least);
        out.delta[i] = delta.cast_unsigned();
        let (some, doubled) = (delta > 0, 2 * delta);
        let strong = some & (plan.strict | (doubled >= 5 * t));
        let significant = some & (plan.strict | (doubled > t));
        let steps = delta as f32 * plan.steps;
        // Beyond the last step it does not matter how many there are.
        let (nearest, part) = split(if steps < 1024.0 { steps } else { 1024.0 });
        let whole = nearest - i32::from(part < 0.0);
        let level = if strong {
            TOP_LEVEL
        } else if doubled < t {
            0
        } else {
            (whole - 16).clamp(0, TOP_LEVEL)
        };
        let on_step = (part <= plan.margin) & (part >= -plan.margin);
        let among_steps = (doubled + 2 * band >= t) & (doubled <= 5 * t + 2 * band);
        let near = (by_steps & among_steps & on_step) | (!by_steps & ((delta - t).abs() <= band));

        let [l, a, b] = [out.lab[0][i], out.lab[1][i], out.lab[2][i]];
        let (al, aa, ab) = (l.abs(), a.abs(), b.abs());
        let by_l = (al >= aa) & (al >= ab);
        let by_a = aa >= ab;
        // The directions in their order, from 1.
        let group = if by_l {
            1 + i32::from(l < 0)
        } else if by_a {
            3 + i32::from(a < 0)
        } else {
            5 + i32::from(b < 0)
        };
        let largest = al.max(aa).max(ab);
        let middle = al.min(aa).max(al.max(aa).min(ab));
        let two_ways = (largest <= band) | (largest - middle <= 2 * band);
        let needs_direction = by_steps & (doubled + 1000 > t) & (doubled < 5 * t + 1000);
        let maybe_equal = !plan.same_space & (delta <= band);
        let group = if strong {
            Class::STRONG.cast_signed()
        } else if significant {
            group
        } else {
            Class::INSIGNIFICANT.cast_signed()
        };

        // The bits of a float are an exponent and a mantissa, as are the bins from 64 on.
        let v = (delta >> 6).min((1 << 20) - 1);
        let logarithmic = ((v as f32).to_bits() >> 17).cast_signed() - 132 * 64;
        let bin = if v < 64 { v } else { logarithmic.min(LAST_BIN) };

        out.class[i] = (group
            | i32::from(delta > t) << Class::VISIBLE_SHIFT
            | level << Class::LEVEL_SHIFT
            | bin << Class::BIN_SHIFT)
            .cast_unsigned();
        out.suspicious[i] = out.unstable[i] | u32::from(near | (needs_direction & two_ways) | maybe_equal);
    }
}

#[inline(always)]
fn lab(rgb: &Linear, k: &Coefficients, out: &mut LabLanes) {
    let [mx, my, mz] = k.matrix;
    for i in 0..LANES {
        let (r, g, b) = (rgb.r[i], rgb.g[i], rgb.b[i]);
        let (rg, bg) = (r - g, b - g);
        let fx = compress(mx[0] * r + mx[1] * g + mx[2] * b);
        let fy = compress(my[0] * r + my[1] * g + my[2] * b);
        let fz = compress(mz[0] * r + mz[1] * g + mz[2] * b);
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
fn cbrt(x: f32) -> f32 {
    let mut y = f32::from_bits(0x54A2_1D2A - x.to_bits() / 3);
    y *= 1.333_333_4 - (x * 0.333_333_34) * (y * y * y);
    y *= 1.333_333_4 - (x * 0.333_333_34) * (y * y * y);
    let c = x * y * y;
    c + (x - c * c * c) * (y * y * 0.333_333_34)
}

/// ΔC\*ab and ΔH\*ab.
#[inline(always)]
fn polar(x: &LabLanes, y: &LabLanes, out: &mut Differences) {
    for i in 0..LANES {
        let (a1, b1, a2, b2) = (x.a[i], x.b[i], y.a[i], y.b[i]);
        let (c1, c2) = (x.chroma[i], y.chroma[i]);
        out.chroma[i] = fixed(c2 - c1);
        out.hue[i] = fixed(hue_difference(c1 * c2, a1 * a2 + b1 * b2, a1 * b2 - a2 * b1));
    }
}

/// As the function of the same name in double precision.
#[inline(always)]
fn hue_difference(product: f32, dot: f32, cross: f32) -> f32 {
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

/// CIEDE2000, step by step as in double precision, with shorter series.
#[inline(always)]
fn ciede2000(x: &LabLanes, y: &LabLanes, out: &mut Differences) {
    for i in 0..LANES {
        let (l1, l2, b1, b2) = (x.l[i], y.l[i], x.b[i], y.b[i]);
        let stretch = 1.5 - 0.5 * saturation((x.chroma[i] + y.chroma[i]) * 0.5);
        let (a1, a2) = (stretch * x.a[i], stretch * y.a[i]);
        let (c1, c2) = ((a1 * a1 + b1 * b1).sqrt(), (a2 * a2 + b2 * b2).sqrt());
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
        let c = if some { hx * scale } else { 1.0 };
        let s = if some { hy * scale } else { 0.0 };

        let (k2, s2) = (c * c - s * s, 2.0 * c * s);
        let (k3, s3) = (c * k2 - s * s2, s2 * c + k2 * s);
        let (k4, s4) = (k2 * k2 - s2 * s2, 2.0 * k2 * s2);
        let t = 1.0 - 0.17 * (c * 0.866_025_4 + s * 0.5)
            + 0.24 * k2
            + 0.32 * (k3 * 0.994_521_9 - s3 * 0.104_528_464)
            - 0.20 * (k4 * 0.453_990_5 + s4 * 0.891_006_5);

        // The hue from 275°; beyond a quarter turn the rotation is below 3e-6, and past 0° it is nothing.
        let turned_c = c * 0.087_155_744 - s * 0.996_194_7;
        let turned_s = s * 0.087_155_744 + c * 0.996_194_7;
        let blue = (turned_c > 0.0) & (s < 0.0);
        let u = turned_s / (1.0 + if blue { turned_c } else { 1.0 });
        let angle = arctangent(u) * 4.583_662_4;
        let blueness = if blue { exp(-(angle * angle)) } else { 0.0 };
        let mean_c = (c1 + c2) * 0.5;
        let rotation = -2.0 * saturation(mean_c) * sine(blueness * std::f32::consts::FRAC_PI_3);

        // SL = 1 + 0.015·l50/√(20 + l50), and one quotient for SC and SH: divisions are what takes longest.
        let mean_l = (l1 + l2) * 0.5 - 50.0;
        let l50 = mean_l * mean_l;
        let root = (20.0 + l50).sqrt();
        let l = (l2 - l1) * root / (root + 0.015 * l50);
        let (sc, sh) = (1.0 + 0.045 * mean_c, 1.0 + 0.015 * mean_c * t);
        let both = 1.0 / (sc * sh);
        let cc = (c2 - c1) * (sh * both);
        let h = hue_difference(product, dot, cross) * (sc * both);
        let sum = l * l + cc * cc + h * h + rotation * (cc * h);
        out.delta[i] = fixed((if sum > 0.0 { sum } else { 0.0 }).sqrt()).cast_unsigned();
        // Nearly opposite hues: the sign of the cross product turns the mean hue round by 180°.
        let magnitude = if cross < 0.0 { -cross } else { cross };
        let unsure =
            (dot < 0.0) & (magnitude <= 4e-6 * product + 6e-5 * (c1 + c2)) & (product * mean_c > 5e-4);
        out.unstable[i] = u32::from(unsure);
    }
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
