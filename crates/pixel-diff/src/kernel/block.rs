//! Blocks of pairs, and what follows from their differences.

use super::lab::{Coefficients, LabLanes, Linear, Primed, cie94, ciede2000, lab, polar};
use super::samples::{channel, oklab_hyab, yiq};
use crate::MetricKind;
use crate::arch::{Loops, Supported};
use crate::exact::Exact;
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
    pub(crate) metric: MetricKind,
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
    pub(crate) fn new(exact: Exact) -> Self {
        let Exact { metric, tolerance, expected, actual } = exact;
        let raw = tolerance.color_delta_e().raw();
        let steps = if raw == 0 { 0.0 } else { 32.0 / raw as f32 };
        Self {
            metric,
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
pub(super) const TO_INTEGER: f32 = 12_582_912.0;

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
pub(super) fn fixed(value: f32) -> i32 {
    let (whole, part) = split(value);
    (whole << 16) + split(part * 65_536.0).0
}

/// Memory that the kernel works in: filled anew for every block, so it need not be cleared for any.
#[derive(Debug, Default)]
pub(crate) struct Work {
    light: [Linear; 2],
    lab: [LabLanes; 2],
    primed: Primed,
}

/// Brings both images of a block to linear light.
///
/// Not a part of the [`Kernel`], so that it is the same at every level: where there are instructions that look up many
/// lanes at a time compilers use them, and most processors take longer over these than over one lane after the other.
#[inline(never)]
fn light(pairs: &Pairs, work: &mut Work) {
    work.light[0].fill(&pairs.expected);
    work.light[1].fill(&pairs.actual);
}

/// Differences of a block of pairs.
pub(crate) fn differences(
    level: Supported,
    plan: &Plan,
    pairs: &Pairs,
    work: &mut Work,
    out: &mut Differences,
) {
    light(pairs, work);
    level.run(Kernel { plan, pairs, work, out });
}

struct Kernel<'a> {
    plan: &'a Plan,
    pairs: &'a Pairs,
    work: &'a mut Work,
    out: &'a mut Differences,
}

impl Loops for Kernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        differences_after_light(self.plan, self.pairs, self.work, self.out);
    }
}

#[inline(always)]
fn differences_after_light(plan: &Plan, pairs: &Pairs, work: &mut Work, out: &mut Differences) {
    let Work { light, lab: [x, y], primed } = work;
    lab(&light[0], &plan.expected, x);
    lab(&light[1], &plan.actual, y);
    out.unstable = [0; LANES];
    for i in 0..LANES {
        out.lab[0][i] = fixed(y.l[i] - x.l[i]);
        out.lab[1][i] = fixed(y.a[i] - x.a[i]);
        out.lab[2][i] = fixed(y.b[i] - x.b[i]);
    }
    polar(x, y, out);
    match plan.metric {
        MetricKind::Ciede2000 => ciede2000(x, y, primed, out),
        MetricKind::Cie94 => cie94(x, y, out),
        MetricKind::Cie76 => {
            for i in 0..LANES {
                let (l, a, b) = (y.l[i] - x.l[i], y.a[i] - x.a[i], y.b[i] - x.b[i]);
                out.delta[i] = fixed((l * l + a * a + b * b).sqrt()).cast_unsigned();
            }
        }
        MetricKind::OklabHyab => oklab_hyab(&light[0], &light[1], out),
        MetricKind::Yiq => yiq(pairs, out),
        MetricKind::Channel => channel(pairs, out),
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
