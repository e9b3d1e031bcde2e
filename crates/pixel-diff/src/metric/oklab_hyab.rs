//! OKLab and HyAB as in pixelmatch 8.

use super::{Metric, MetricKind};
use crate::color::{LINEAR, cbrt};

/// Linear sRGB to cone responses, rows L, M and S (B. Ottosson, 2020).
pub(crate) const LMS: [[f64; 3]; 3] = [
    [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
    [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
    [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
];
/// Cube roots of the cone responses to lightness, a and b.
pub(crate) const LIGHTNESS: [f64; 3] = [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8];
pub(crate) const CHROMA_A: [f64; 3] = [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9];
pub(crate) const CHROMA_B: [f64; 3] = [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0];
/// k1, k2 and k3 of the toe of lightness (B. Ottosson, 2021).
pub(crate) const TOE: [f64; 3] = [0.206, 0.03, (1.0 + 0.206) / (1.0 + 0.03)];

/// Steps of the table of cube roots over 0 to 1.
pub(crate) const CBRT_STEPS: usize = 4096;
/// Steps from 0 in which the root is computed: there it bends too much for a table.
pub(crate) const CBRT_EXACT: i32 = 8;

/// Cube roots of i/4096; as long as a power of two, so that no index needs a check.
static CBRT_TABLE: [f64; 2 * CBRT_STEPS] = {
    let mut table = [0.0; 2 * CBRT_STEPS];
    let mut i = 0;
    while i < CBRT_STEPS + 2 {
        table[i] = cbrt(i as f64 / CBRT_STEPS as f64);
        i += 1;
    }
    table
};

/// The same, rounded to single precision.
pub(crate) static CBRT_TABLE_F32: [f32; 2 * CBRT_STEPS] = {
    let mut table = [0.0; 2 * CBRT_STEPS];
    let mut i = 0;
    while i < CBRT_STEPS + 2 {
        table[i] = CBRT_TABLE[i] as f32;
        i += 1;
    }
    table
};

/// The HyAB distance in OKLab with toe-corrected lightness, |ΔLr| + √(Δa² + Δb²), scaled so that black to white is 100.
///
/// OKLab and its toe are B. Ottosson's (2020, 2021), the distance is that of Abasi, Amani Tehran and Fairchild (2020). A colour
/// differs at tolerance T if and only if it differs for pixelmatch 8 at `threshold` T/100; its default of 0.1 is 10 here. For
/// that, cube roots and transfer function are read between the entries of tables as it does, which is off by up to
/// 5e-5 near black. Samples are taken as sRGB, whatever their colour space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a name without state")]
pub struct OklabHyab;

impl Metric for OklabHyab {
    const KIND: MetricKind = MetricKind::OklabHyab;
    type Color = [f64; 3];

    fn difference(x: [f64; 3], y: [f64; 3]) -> f64 {
        let (l, ab) = parts(x, y);
        100.0 * (l + ab.sqrt())
    }
}

impl OklabHyab {
    /// Whether the difference is above `tolerance`, without a root that could round to it.
    pub(crate) fn is_above(x: [f64; 3], y: [f64; 3], tolerance: f64) -> bool {
        let (l, ab) = parts(x, y);
        let rest = tolerance / 100.0 - l;
        !(rest >= 0.0 && ab <= rest * rest)
    }
}

/// |ΔLr| and Δa² + Δb².
fn parts(x: [f64; 3], y: [f64; 3]) -> (f64, f64) {
    let (x, y) = (cone_roots(x), cone_roots(y));
    let cones = [0, 1, 2].map(|c| x[c] - y[c]);
    let along = |row: [f64; 3]| row[0] * cones[0] + row[1] * cones[1] + row[2] * cones[2];
    let (a, b) = (along(CHROMA_A), along(CHROMA_B));
    ((lightness(x) - lightness(y)).abs(), a * a + b * b)
}

fn cone_roots(encoded: [f64; 3]) -> [f64; 3] {
    let [r, g, b] = encoded.map(linear);
    LMS.map(|row| root(row[0] * r + row[1] * g + row[2] * b))
}

/// Linear light of a sample, between the entries of the table of bytes.
fn linear(encoded: f64) -> f64 {
    let at = (encoded * 255.0).clamp(0.0, 255.0);
    #[expect(clippy::cast_sign_loss, reason = "between 0 and 255")]
    let index = at as usize;
    let next = LINEAR[(index + 1).min(255)];
    LINEAR[index] + (next - LINEAR[index]) * (at - index as f64)
}

fn root(x: f64) -> f64 {
    let at = x * CBRT_STEPS as f64;
    let index = at as i32;
    if index < CBRT_EXACT {
        return cbrt(x);
    }
    let index = (index.unsigned_abs() as usize).min(CBRT_STEPS);
    CBRT_TABLE[index] + (CBRT_TABLE[index + 1] - CBRT_TABLE[index]) * (at - index as f64)
}

fn lightness(roots: [f64; 3]) -> f64 {
    let [k1, k2, k3] = TOE;
    let l = LIGHTNESS[0] * roots[0] + LIGHTNESS[1] * roots[1] + LIGHTNESS[2] * roots[2];
    let x = k3 * l - k1;
    0.5 * (x + (x * x + 4.0 * k2 * k3 * l).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_to_white_is_a_hundred() {
        assert!((OklabHyab::difference([0.0; 3], [1.0; 3]) - 100.0).abs() < 1e-5);
        assert_eq!(OklabHyab::difference([0.3; 3], [0.3; 3]), 0.0);
    }

    #[test]
    fn is_the_distance_of_the_textbook() {
        let textbook = |rgb: [f64; 3]| {
            let light = rgb.map(|c| if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) });
            let roots = LMS.map(|row| (0..3).map(|c| row[c] * light[c]).sum::<f64>().cbrt());
            let of = |row: [f64; 3]| (0..3).map(|c| row[c] * roots[c]).sum::<f64>();
            let x = TOE[2] * of(LIGHTNESS) - TOE[0];
            let l = 0.5 * (x + (x * x + 4.0 * TOE[1] * TOE[2] * of(LIGHTNESS)).sqrt());
            [l, of(CHROMA_A), of(CHROMA_B)]
        };
        let mut worst = 0.0_f64;
        for i in 0..4096_u32 {
            let rgb = [i & 15, i >> 4 & 15, i >> 8].map(|c| f64::from(c) / 15.0);
            let other = [0.5, 0.25, 0.75];
            let (x, y) = (textbook(rgb), textbook(other));
            let want = (x[0] - y[0]).abs() + (x[1] - y[1]).hypot(x[2] - y[2]);
            worst = worst.max((OklabHyab::difference(rgb, other) - 100.0 * want).abs());
        }
        assert!(worst < 0.01, "{worst}");
    }
}
