//! The formulas over encoded samples, a lane for each pair.

use super::block::{Differences, LANES, Pairs, fixed};
use super::lab::{Linear, cbrt};
use crate::metric::{
    CBRT_EXACT, CBRT_STEPS, CBRT_TABLE_F32, CHROMA_A, CHROMA_B, LIGHTNESS, LMS, TOE, YIQ_MAX,
};
use crate::metric::{YIQ_ROWS, YIQ_WEIGHTS};

/// Sample by sample, actual minus expected.
#[inline(always)]
fn apart(pairs: &Pairs, i: usize) -> [i32; 3] {
    let (e, a) = (pairs.expected[i].to_le_bytes(), pairs.actual[i].to_le_bytes());
    [0, 1, 2].map(|c| i32::from(a[c]) - i32::from(e[c]))
}

#[inline(always)]
pub(super) fn channel(pairs: &Pairs, out: &mut Differences) {
    for i in 0..LANES {
        let [r, g, b] = apart(pairs, i).map(i32::unsigned_abs);
        out.delta[i] = r.max(g).max(b) << 16;
    }
}

#[inline(always)]
pub(super) fn yiq(pairs: &Pairs, out: &mut Differences) {
    let rows = YIQ_ROWS.map(|row| row.map(|factor| factor as f32));
    let weights = YIQ_WEIGHTS.map(|weight| weight as f32);
    let scale = (10_000.0 / YIQ_MAX) as f32;
    for i in 0..LANES {
        let [r, g, b] = apart(pairs, i).map(|step| step as f32);
        let part = |c: usize| {
            let value = rows[c][0] * r + rows[c][1] * g + rows[c][2] * b;
            weights[c] * (value * value)
        };
        out.delta[i] = fixed((scale * (part(0) + part(1) + part(2))).sqrt()).cast_unsigned();
    }
}

#[inline(always)]
pub(super) fn oklab_hyab(expected: &Linear, actual: &Linear, out: &mut Differences) {
    for i in 0..LANES {
        let (x, y) = (cone_roots(expected, i), cone_roots(actual, i));
        let cones = [0, 1, 2].map(|c| y[c] - x[c]);
        let along =
            |row: &[f64; 3]| row[0] as f32 * cones[0] + row[1] as f32 * cones[1] + row[2] as f32 * cones[2];
        let (a, b) = (along(&CHROMA_A), along(&CHROMA_B));
        let l = lightness(y) - lightness(x);
        let l = if l < 0.0 { -l } else { l };
        out.delta[i] = fixed(100.0 * (l + (a * a + b * b).sqrt())).cast_unsigned();
    }
}

/// The cube roots of the cone responses.
#[inline(always)]
fn cone_roots(light: &Linear, i: usize) -> [f32; 3] {
    [0, 1, 2].map(|c| {
        let row = LMS[c];
        root(row[0] as f32 * light.r[i] + row[1] as f32 * light.g[i] + row[2] as f32 * light.b[i])
    })
}

/// The cube root as the formula has it: read between the entries of a table, but for the lowest.
#[inline(always)]
fn root(x: f32) -> f32 {
    let at = x * CBRT_STEPS as f32;
    // Within the table: no cone response is above 1 by more than rounding.
    let index = at as i32;
    let rest = at - index as f32;
    let (low, high) = (
        CBRT_TABLE_F32[index.cast_unsigned() as usize % CBRT_TABLE_F32.len()],
        CBRT_TABLE_F32[(index.cast_unsigned() as usize + 1) % CBRT_TABLE_F32.len()],
    );
    let floor = if x > 1e-9 { x } else { 1e-9 };
    let exact = if x > 1e-9 { cbrt(floor) } else { 0.001 * (x * 1e9) };
    if index < CBRT_EXACT { exact } else { low + (high - low) * rest }
}

/// The toe-corrected lightness.
#[inline(always)]
fn lightness(roots: [f32; 3]) -> f32 {
    let [k1, k2, k3] = TOE.map(|k| k as f32);
    let l = LIGHTNESS[0] as f32 * roots[0] + LIGHTNESS[1] as f32 * roots[1] + LIGHTNESS[2] as f32 * roots[2];
    let x = k3 * l - k1;
    0.5 * (x + (x * x + 4.0 * k2 * k3 * l).sqrt())
}
