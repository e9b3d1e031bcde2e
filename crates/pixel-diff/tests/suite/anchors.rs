//! Published values of CIEDE2000.

use trueup_frame::ColorSpace;
use trueup_pixel_diff::{Cie76, Lab, Metric, MetricKind, delta_e};

fn sharma() -> Vec<[f64; 7]> {
    // Test data of Sharma, Wu and Dalal (2005): l1,a1,b1,l2,a2,b2,de00.
    include_str!("../../../../testdata/ciede2000-sharma.csv")
        .lines()
        .skip(1)
        .map(|line| {
            let numbers: Vec<f64> = line.split(',').map(|field| field.trim().parse().unwrap()).collect();
            numbers.try_into().unwrap()
        })
        .collect()
}

#[test]
fn all_34_pairs_of_sharma_in_both_orders() {
    let pairs = sharma();
    assert_eq!(pairs.len(), 34);
    for [l1, a1, b1, l2, a2, b2, want] in pairs {
        let (x, y) = (Lab::new(l1, a1, b1), Lab::new(l2, a2, b2));
        for got in [delta_e(x, y), delta_e(y, x), MetricKind::Ciede2000.of_lab(x, y).unwrap()] {
            assert_eq!(format!("{got:.4}"), format!("{want:.4}"), "{x:?} {y:?}");
        }
    }
}

fn of_srgb(x: [u8; 3], y: [u8; 3]) -> f64 {
    delta_e(Lab::from_srgb8(x), Lab::from_srgb8(y))
}

#[test]
fn srgb_anchors() {
    for (x, y, want) in [
        ([255, 0, 0], [0, 0, 255], "52.878"),
        ([255, 0, 0], [0, 255, 0], "86.608"),
        ([0, 0, 0], [255, 255, 255], "100.000"),
        ([251, 252, 253], [245, 245, 245], "1.5235"),
        ([37, 99, 235], [220, 38, 38], "45.819"),
        ([0, 0, 0], [13, 13, 13], "2.114"),
        ([0, 0, 0], [23, 23, 23], "4.583"),
        ([139, 64, 95], [140, 64, 95], "0.242"),
        ([255, 255, 255], [254, 254, 254], "0.198"),
        ([0x42, 0x69, 0xD0], [0xA4, 0x63, 0xF2], "18.4365"),
        ([7, 6, 4], [35, 35, 35], "7.434"),
        // pixelmatch#127: pairs that YIQ cannot tell apart.
        ([41, 56, 157], [41, 56, 0], "58.21"),
        ([39, 44, 92], [39, 44, 14], "39.06"),
        ([0, 254, 252], [94, 254, 252], "2.416"),
        ([0, 254, 252], [47, 254, 252], "0.609"),
        // Pairs that prefilters of other tools get wrong at 2.3.
        ([13, 13, 17], [9, 14, 17], "2.332"),
        ([13, 131, 249], [53, 134, 227], "2.033"),
        // The largest difference of one step in every channel (2.4534) and in one channel (1.246).
        ([24, 23, 23], [24, 24, 23], "1.246"),
        ([24, 23, 24], [23, 24, 23], "2.4534"),
    ] {
        let decimals = want.split_once('.').unwrap().1.len();
        let tolerance = 1.01 * 0.5 / 10f64.powi(i32::try_from(decimals).unwrap());
        let got = of_srgb(x, y);
        assert!((got - want.parse::<f64>().unwrap()).abs() <= tolerance, "{x:?} {y:?}: {got} against {want}");
    }
}

#[test]
fn grey_steps_that_reach_two() {
    for (level, steps) in [(0, 13), (16, 8), (64, 7), (128, 6), (192, 8)] {
        assert!(of_srgb([level; 3], [level + steps; 3]) >= 2.0, "{level} + {steps}");
        assert!(of_srgb([level; 3], [level + steps - 1; 3]) < 2.0, "{level} + {steps} - 1");
    }
    assert!(of_srgb([255; 3], [245; 3]) >= 2.0 && of_srgb([255; 3], [246; 3]) < 2.0);
}

#[test]
fn opposite_hues_jump_but_are_numbers() {
    // zschuessler/DeltaE#4: inherent in the formula.
    let x = Lab::new(60.0, -79.8636, 60.1815);
    let values: Vec<f64> =
        [-1e-4, 0.0, 1e-4].iter().map(|d| delta_e(x, Lab::new(60.0, 79.8636, -60.1815 + d))).collect();
    assert!(values.iter().all(|value| value.is_finite() && *value > 50.0), "{values:?}");
}

#[test]
fn cie76_is_a_distance() {
    let (x, y) = (Lab::from_srgb8([13, 131, 249]), Lab::from_srgb8([53, 134, 227]));
    assert!((Cie76::difference(x, y) - 14.62).abs() < 0.01);
}

#[test]
fn a_wide_gamut_colour_is_the_same_colour_in_srgb() {
    // Web platform test cicp-chunk: Display P3 (51, 102, 153) is sRGB (26.5, 103.5, 157.3).
    let p3 = Lab::from_encoded([51.0, 102.0, 153.0].map(|c| c / 255.0), ColorSpace::DisplayP3).unwrap();
    let srgb = Lab::from_encoded([26.5, 103.5, 157.3].map(|c| c / 255.0), ColorSpace::Srgb).unwrap();
    assert!(delta_e(p3, srgb) < 0.05, "{}", delta_e(p3, srgb));
    // What ignoring the profile costs.
    let ignored = delta_e(p3, Lab::from_srgb8([51, 102, 153]));
    assert!((ignored - 2.832).abs() < 0.001, "{ignored}");
    let rounded = of_srgb([27, 104, 157], [51, 102, 153]);
    assert!((rounded - 2.96).abs() < 0.01, "{rounded}");
}
