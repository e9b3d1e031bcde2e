//! The sRGB transfer function.

use super::math::fifth_root;

/// Linear light of one encoded sample, both in 0–1.
///
/// The transfer function of IEC 61966-2-1, which Display P3 shares, with the knee at 0.04045 of CSS Color 4. The
/// power 2.4 is `u²·(u^⅕)²`, so that no platform `powf` takes part.
pub(crate) const fn to_linear(encoded: f64) -> f64 {
    if encoded <= 0.04045 {
        encoded / 12.92
    } else {
        let u = (encoded + 0.055) / 1.055;
        let r = fifth_root(u);
        (u * u) * (r * r)
    }
}

/// Linear light of the 8-bit samples.
pub(crate) static LINEAR: [f64; 256] = {
    let mut table = [0.0; 256];
    let mut sample = 0;
    while sample < 256 {
        table[sample] = to_linear(sample as f64 / 255.0);
        sample += 1;
    }
    table
};

/// The same, rounded to single precision.
pub(crate) static LINEAR_F32: [f32; 256] = {
    let mut table = [0.0; 256];
    let mut sample = 0;
    while sample < 256 {
        table[sample] = LINEAR[sample] as f32;
        sample += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_textbook_power() {
        for i in 0..=65_535_u32 {
            let x = f64::from(i) / 65_535.0;
            let want = if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) };
            assert!((to_linear(x) - want).abs() <= 2e-15, "{i}");
        }
        assert_eq!(to_linear(0.0), 0.0);
        assert_eq!(to_linear(1.0), 1.0);
    }

    #[test]
    fn is_strictly_increasing_over_16_bits() {
        let levels: Vec<f64> = (0..=65_535_u32).map(|i| to_linear(f64::from(i) / 65_535.0)).collect();
        assert!(levels.is_sorted_by(|a, b| a < b));
    }
}
