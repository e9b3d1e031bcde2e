//! Elementary functions that give the same bits everywhere.
//!
//! The standard library's `cbrt`, `powf`, `exp`, `sin` and `atan2` call the platform, whose results differ in the
//! last bits. Everything here is built from `+ − × ÷ √` and integer operations on the bits, which IEEE 754 fixes.

/// Cube root of a finite, non-negative `x`, within 2 units in the last place.
pub(crate) const fn cbrt(x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    // Dividing the exponent by three gives a seed within 6 %; each Halley step cubes the relative error.
    let mut y = f64::from_bits(x.to_bits() / 3 + 0x2A9F_7893_782D_A1CE);
    let mut step = 0;
    while step < 3 {
        let y3 = y * y * y;
        y = y * (y3 + x + x) / (y3 + y3 + x);
        step += 1;
    }
    y
}

/// Fifth root of a finite, non-negative `x`, within 2 units in the last place.
pub(crate) const fn fifth_root(x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    // As above: the exponent divided by five, 4/5 of the bias added back. Newton doubles the correct digits.
    let mut y = f64::from_bits(x.to_bits() / 5 + 0x3325_7AE1_47AE_147A);
    let mut step = 0;
    while step < 6 {
        let y2 = y * y;
        y = (4.0 * y + x / (y2 * y2)) / 5.0;
        step += 1;
    }
    y
}

/// 1/1, 1/2, …, 1/13: a product is several times faster than a quotient.
static INVERSE: [f64; 13] = {
    let mut inverse = [1.0; 13];
    let mut n = 1;
    while n < 13 {
        inverse[n] = 1.0 / (n as f64 + 1.0);
        n += 1;
    }
    inverse
};

/// `e^x` for `x ≤ 0`, relative error below 1e-15; 0 below −700.
pub(crate) fn exp_negative(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    // x = k·ln 2 + f with |f| ≤ ln 2 / 2; adding and subtracting 1.5·2^52 rounds to the nearest integer.
    let rounder = 6_755_399_441_055_744.0;
    let k = (x * std::f64::consts::LOG2_E + rounder) - rounder;
    // ln 2 in two parts, the first with enough trailing zeros that k·part is exact.
    let f = (x - k * 0.693_147_180_369_123_8) - k * 1.908_214_929_270_587_7e-10;
    // Taylor in Horner form; the first term left out is f^14/14! < 5e-18.
    let mut sum = 1.0;
    for factor in INVERSE.iter().rev() {
        sum = 1.0 + sum * (f * factor);
    }
    // −1010 ≤ k ≤ 0, so the exponent stays normal.
    #[expect(clippy::cast_sign_loss, reason = "k + 1023 is between 13 and 1023")]
    let scale = f64::from_bits(((k + 1023.0) as u64) << 52);
    sum * scale
}

/// `atan(u)` for |u| ≤ 10, absolute error below 1e-15.
pub(crate) fn atan(u: f64) -> f64 {
    // atan(u) = 2·atan(u / (1 + √(1 + u²))), three times: |v| ≤ 0.19, then the odd series.
    let mut v = u;
    for _ in 0..3 {
        v /= 1.0 + (1.0 + v * v).sqrt();
    }
    let v2 = v * v;
    // 1 − v²/3 + v⁴/5 − … − v^18/19 … up to v^20/21.
    let mut sum = 1.0 / 21.0;
    for inverse in [
        1.0 / 19.0,
        1.0 / 17.0,
        1.0 / 15.0,
        1.0 / 13.0,
        1.0 / 11.0,
        1.0 / 9.0,
        1.0 / 7.0,
        1.0 / 5.0,
        1.0 / 3.0,
        1.0,
    ] {
        sum = inverse - v2 * sum;
    }
    8.0 * v * sum
}

/// `sin(w)` for 0 ≤ w ≤ π/3, absolute error below 1e-16.
pub(crate) fn sin_to_60_degrees(w: f64) -> f64 {
    let w2 = w * w;
    let mut sum = 1.0;
    // Horner from w^19/19! down: each factor is −w² / (n·(n+1)), n even.
    for inverse in [
        1.0 / (18.0 * 19.0),
        1.0 / (16.0 * 17.0),
        1.0 / (14.0 * 15.0),
        1.0 / (12.0 * 13.0),
        1.0 / (10.0 * 11.0),
        1.0 / (8.0 * 9.0),
        1.0 / (6.0 * 7.0),
        1.0 / (4.0 * 5.0),
        1.0 / (2.0 * 3.0),
    ] {
        sum = 1.0 - sum * (w2 * inverse);
    }
    w * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    // The platform's functions are good enough as a yardstick here: only decisions must not use them.
    fn close(got: f64, want: f64, relative: f64) {
        assert!((got - want).abs() <= relative * want.abs().max(1e-300), "{got} against {want}");
    }

    #[test]
    fn roots_agree_with_the_platform() {
        for i in 0..=10_000 {
            let x = f64::from(i) / 10_000.0;
            close(cbrt(x), x.cbrt(), 5e-16);
            close(fifth_root(x), x.powf(0.2), 5e-16);
        }
        close(cbrt(1e-9), 1e-3, 5e-16);
        assert_eq!(cbrt(1.0), 1.0);
        assert_eq!(fifth_root(1.0), 1.0);
    }

    #[test]
    fn exp_sin_and_atan_agree_with_the_platform() {
        for i in 0..=10_000 {
            let t = f64::from(i) / 10_000.0;
            close(exp_negative(-t * 600.0), (-t * 600.0).exp(), 4e-13);
            close(exp_negative(-t * 20.0), (-t * 20.0).exp(), 2e-15);
            close(sin_to_60_degrees(t * 1.05), (t * 1.05).sin(), 4e-16);
            assert!((atan(20.0 * t - 10.0) - (20.0 * t - 10.0).atan()).abs() < 2e-15);
        }
        assert_eq!(exp_negative(0.0), 1.0);
        assert_eq!(exp_negative(-1e9), 0.0);
    }
}
