//! Which colour stands for which ΔE.

use trueup_pixel_diff::{DeltaE, Options};

/// ΔE at the end of a scale, in tolerances: what is ten times beyond it is another colour to anybody, and more of it says no more.
const TOLERANCES: u32 = 10;

/// 256 colours from pale yellow over red to dark purple, `0xRRGGBB`, at equal distances in OKLab, so that equal steps look
/// equal; each is darker than the one before it, so that they stay in order for people who see no colours and on paper.
///
/// They lie on the Catmull–Rom spline through the five points of `tests::POINTS`, divided by its length, which the test draws
/// again.
const COLORS: [u32; 256] = [
    0xFAF0B6, 0xFAEFB4, 0xFAEEB2, 0xFAEDB0, 0xFAECAE, 0xFBEAAB, 0xFBE9A9, 0xFBE8A7, 0xFBE7A4, 0xFBE6A2,
    0xFBE5A0, 0xFBE39D, 0xFBE29B, 0xFBE199, 0xFCE096, 0xFCDF94, 0xFCDE91, 0xFCDC8F, 0xFCDB8C, 0xFCDA8A,
    0xFCD987, 0xFCD885, 0xFCD782, 0xFCD580, 0xFCD47D, 0xFCD37A, 0xFCD278, 0xFCD175, 0xFCCF73, 0xFCCE70,
    0xFCCD6E, 0xFCCC6B, 0xFCCA68, 0xFCC966, 0xFCC863, 0xFCC661, 0xFCC55E, 0xFCC45C, 0xFCC359, 0xFCC156,
    0xFCC054, 0xFCBF52, 0xFCBD4F, 0xFCBC4D, 0xFCBA4A, 0xFCB948, 0xFCB846, 0xFCB644, 0xFCB542, 0xFCB340,
    0xFCB23E, 0xFCB13C, 0xFCAF3B, 0xFCAE39, 0xFCAC37, 0xFDAB36, 0xFDA934, 0xFDA833, 0xFDA631, 0xFDA530,
    0xFDA42F, 0xFDA22D, 0xFDA12C, 0xFD9F2B, 0xFD9E2A, 0xFE9C29, 0xFE9B28, 0xFE9927, 0xFE9826, 0xFE9625,
    0xFE9525, 0xFE9324, 0xFE9224, 0xFE9023, 0xFE8F23, 0xFE8D22, 0xFE8C22, 0xFE8A22, 0xFE8922, 0xFE8821,
    0xFE8621, 0xFE8521, 0xFE8321, 0xFE8222, 0xFD8022, 0xFD7F22, 0xFD7D22, 0xFD7C22, 0xFC7A23, 0xFC7923,
    0xFC7724, 0xFC7624, 0xFB7425, 0xFB7325, 0xFA7126, 0xFA7026, 0xF96E27, 0xF96D27, 0xF86C28, 0xF86A29,
    0xF76929, 0xF7672A, 0xF6662B, 0xF5652B, 0xF4632C, 0xF4622D, 0xF3612D, 0xF25F2E, 0xF15E2F, 0xF05D30,
    0xF05B31, 0xEF5A32, 0xEE5933, 0xED5834, 0xEC5635, 0xEC5536, 0xEB5437, 0xEA5338, 0xE95238, 0xE85039,
    0xE74F3A, 0xE64E3B, 0xE54D3C, 0xE54C3D, 0xE44A3E, 0xE3493F, 0xE24840, 0xE14741, 0xE04641, 0xDF4542,
    0xDE4443, 0xDD4244, 0xDC4145, 0xDB4045, 0xDA3F46, 0xD93E47, 0xD83D48, 0xD73C48, 0xD63B49, 0xD53A4A,
    0xD3394A, 0xD2384B, 0xD1374C, 0xD0364C, 0xCF354D, 0xCE344D, 0xCD334E, 0xCB324F, 0xCA314F, 0xC93050,
    0xC82F50, 0xC72E50, 0xC52D51, 0xC42C51, 0xC32B52, 0xC22A52, 0xC02952, 0xBF2853, 0xBE2853, 0xBC2753,
    0xBB2654, 0xBA2554, 0xB82454, 0xB72454, 0xB62355, 0xB42255, 0xB32255, 0xB22155, 0xB02055, 0xAF2055,
    0xAD1F55, 0xAC1F55, 0xAA1E55, 0xA91E55, 0xA81D55, 0xA61D55, 0xA51D55, 0xA31C55, 0xA21C55, 0xA01C55,
    0x9F1C55, 0x9D1B55, 0x9C1B55, 0x9A1B55, 0x991B55, 0x971B55, 0x961B55, 0x941B55, 0x931B55, 0x911B55,
    0x901A55, 0x8E1A54, 0x8D1A54, 0x8B1A54, 0x8A1A54, 0x881A54, 0x871A54, 0x851A54, 0x841A53, 0x821A53,
    0x811A53, 0x7F1A53, 0x7E1A53, 0x7C1A53, 0x7B1A53, 0x791A52, 0x781A52, 0x761A52, 0x751A52, 0x731A52,
    0x721A51, 0x701A51, 0x6F1A51, 0x6D1A51, 0x6C1A51, 0x6A1A51, 0x691A50, 0x671A50, 0x661A50, 0x641950,
    0x63194F, 0x61194F, 0x60194F, 0x5F194F, 0x5D194F, 0x5C194E, 0x5A194E, 0x59184E, 0x57184E, 0x56184E,
    0x54184D, 0x53184D, 0x52184D, 0x50174D, 0x4F174C, 0x4D174C, 0x4C174C, 0x4B164C, 0x49164B, 0x48164B,
    0x46164B, 0x45154B, 0x44154A, 0x42154A, 0x41144A, 0x40144A, 0x3E1449, 0x3D1349, 0x3C1349, 0x3A1349,
    0x391248, 0x381248, 0x361148, 0x351148, 0x341047, 0x321047,
];

/// From ΔE to colours, from 0 to ten times the tolerance: the same for all pictures under one tolerance, so that they can be
/// held beside each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    end: DeltaE,
    tolerance: DeltaE,
}

impl Scale {
    /// The scale of comparisons under these options. A tolerance of 0 gives no scale: the formula's own stands in.
    pub(crate) fn of(options: &Options) -> Self {
        let tolerance = options.tolerance.color_delta_e();
        let unit = if tolerance > DeltaE::ZERO {
            tolerance
        } else {
            options.metric.default_tolerance().color_delta_e()
        };
        Self { end: DeltaE::from_raw(unit.raw().saturating_mul(TOLERANCES)), tolerance }
    }

    /// The ΔE of the last colour; more has that colour, too.
    pub(crate) const fn end(self) -> DeltaE {
        self.end
    }

    pub(crate) const fn tolerance(self) -> DeltaE {
        self.tolerance
    }

    /// The colour of a ΔE: that of the nearest of 256 steps.
    pub(crate) fn color(self, delta: DeltaE) -> [u8; 3] {
        let (raw, end) = (u64::from(delta.raw().min(self.end.raw())), u64::from(self.end.raw()).max(1));
        step((raw * 255 + end / 2) / end)
    }
}

/// One of the colours, 0 to 255.
pub(crate) fn step(index: u64) -> [u8; 3] {
    let color = COLORS.get(index as usize).unwrap_or(&COLORS[255]);
    let [_, red, green, blue] = color.to_be_bytes();
    [red, green, blue]
}

#[cfg(test)]
mod tests {
    use trueup_pixel_diff::{MetricKind, Tolerance};

    use super::*;

    /// L, a and b in OKLab: hues of about 100°, 75°, 40°, 5° and −50°.
    const POINTS: [[f64; 3]; 5] = [
        [0.95, -0.013, 0.074],
        [0.82, 0.039, 0.145],
        [0.68, 0.146, 0.122],
        [0.5, 0.179, 0.016],
        [0.26, 0.064, -0.077],
    ];

    fn distance(p: [f64; 3], q: [f64; 3]) -> f64 {
        p.iter().zip(q).map(|(p, q)| (p - q) * (p - q)).sum::<f64>().sqrt()
    }

    /// The spline at 0 to 4; its ends go on straight.
    fn spline(at: f64) -> [f64; 3] {
        let segment = [1.0, 2.0, 3.0].iter().filter(|&&begin| at >= begin).count();
        let u = at - segment as f64;
        let mirrored = |p: [f64; 3], q: [f64; 3]| [0, 1, 2].map(|i| 2.0 * p[i] - q[i]);
        let before = if segment == 0 { mirrored(POINTS[0], POINTS[1]) } else { POINTS[segment - 1] };
        let after = if segment == 3 { mirrored(POINTS[4], POINTS[3]) } else { POINTS[segment + 2] };
        [0, 1, 2].map(|i| {
            let [p, q, r, s] = [before, POINTS[segment], POINTS[segment + 1], after].map(|point| point[i]);
            0.5 * (2.0 * q
                + (r - p) * u
                + (2.0 * p - 5.0 * q + 4.0 * r - s) * u * u
                + (3.0 * q - p - 3.0 * r + s) * u * u * u)
        })
    }

    /// OKLab to sRGB, by Ottosson 2020.
    fn srgb([l, a, b]: [f64; 3]) -> [u8; 3] {
        let cube = |x: f64| x * x * x;
        let long = cube(l + 0.396_337_777_4 * a + 0.215_803_757_3 * b);
        let medium = cube(l - 0.105_561_345_8 * a - 0.063_854_172_8 * b);
        let short = cube(l - 0.089_484_177_5 * a - 1.291_485_548 * b);
        [
            4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
            -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
            -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701 * short,
        ]
        .map(|linear| {
            assert!((-0.000_5..=1.000_5).contains(&linear), "every colour can be shown");
            let linear = linear.clamp(0.0, 1.0);
            let encoded =
                if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
            #[expect(clippy::cast_sign_loss, reason = "at least 0")]
            let sample = (255.0 * encoded).round() as u8;
            sample
        })
    }

    /// sRGB to OKLab.
    fn oklab(rgb: [u8; 3]) -> [f64; 3] {
        let [r, g, b] = rgb.map(|sample| {
            let encoded = f64::from(sample) / 255.0;
            if encoded <= 0.040_45 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
        });
        let long = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
        let medium = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
        let short = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
        [
            0.210_454_255_3 * long + 0.793_617_785 * medium - 0.004_072_046_8 * short,
            1.977_998_495_1 * long - 2.428_592_205 * medium + 0.450_593_709_9 * short,
            0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766 * short,
        ]
    }

    #[test]
    fn the_colours_divide_the_path_by_its_length() {
        const PARTS: usize = 4096;
        let path: Vec<[f64; 3]> = (0..=PARTS).map(|i| spline(4.0 * i as f64 / PARTS as f64)).collect();
        let mut lengths = vec![0.0];
        for pair in path.windows(2) {
            lengths.push(lengths[lengths.len() - 1] + distance(pair[0], pair[1]));
        }
        for index in 0..256_u64 {
            let wanted = lengths[PARTS] * index as f64 / 255.0;
            let after = lengths.partition_point(|&length| length < wanted).clamp(1, PARTS);
            let share = (wanted - lengths[after - 1]) / (lengths[after] - lengths[after - 1]);
            let (p, q) = (path[after - 1], path[after]);
            let color = srgb([0, 1, 2].map(|i| p[i] + (q[i] - p[i]) * share));
            let unlike = step(index).iter().zip(color).any(|(a, b)| a.abs_diff(b) > 1);
            assert!(!unlike, "{index}: {:?} {color:?}", step(index));
        }
    }

    #[test]
    fn equal_steps_look_equal_and_each_is_darker() {
        let colors: Vec<[f64; 3]> = (0..256).map(|index| oklab(step(index))).collect();
        for (index, pair) in colors.windows(2).enumerate() {
            assert!(pair[0][0] > pair[1][0], "{index} is lighter than the next");
        }
        // Over sixteen steps the rounding to 8 bits no longer counts.
        let steps: Vec<f64> = colors.windows(17).map(|run| distance(run[0], run[16])).collect();
        let mean = steps.iter().sum::<f64>() / steps.len() as f64;
        for (index, step) in steps.iter().enumerate() {
            assert!((step / mean - 1.0).abs() < 0.06, "{index}: {step} where {mean} is the mean");
        }
        let (first, last) = (colors[0], colors[255]);
        assert!(first[0] > 0.94 && last[0] < 0.27, "{first:?} {last:?}");
    }

    #[test]
    fn a_scale_goes_from_nothing_to_ten_tolerances() {
        let scale = Scale::of(&Options::default());
        assert_eq!(scale.end().to_f64(), 20.0);
        assert_eq!(scale.color(DeltaE::ZERO), step(0));
        assert_eq!(scale.color(DeltaE::from_f64(10.0)), step(128));
        for beyond in [20.0, 20.1, 100.0, 60_000.0] {
            assert_eq!(scale.color(DeltaE::from_f64(beyond)), step(255), "{beyond}");
        }
        assert_eq!(step(256), step(255));
        let strict = Options::default()
            .with_metric(MetricKind::Cie76)
            .with_tolerance(Tolerance::new(0.0).unwrap().with_strict(true));
        assert_eq!(Scale::of(&strict).end().to_f64().round(), 23.0);
    }
}
