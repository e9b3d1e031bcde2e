//! Colours as people write them, and how far apart they are.

use std::fmt;

use serde::Serialize;
use trueup_frame::ColorSpace;
use trueup_pixel_diff::{Lab, MetricKind};

/// How far two colours are apart, as a JSON document: `trueup.delta-e/1`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DeltaEDocument {
    /// `trueup.delta-e/1`.
    pub schema: &'static str,
    /// The formula.
    pub metric: &'static str,
    /// The first colour.
    pub first: LabDocument,
    /// The second colour.
    pub second: LabDocument,
    /// The difference, in the formula's unit.
    pub delta_e: f64,
}

/// A colour in CIELAB (D65), with the text that it was read from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LabDocument {
    /// As it was written.
    pub text: String,
    /// Lightness, 0 to 100.
    pub l: f64,
    /// Green to red.
    pub a: f64,
    /// Blue to yellow.
    pub b: f64,
}

/// A text is no colour that can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColorError {
    text: String,
    why: &'static str,
}

impl fmt::Display for ColorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} cannot be compared: {}", self.text, self.why)
    }
}

impl std::error::Error for ColorError {}

/// The difference of two colours: CSS colours such as `#2563eb` or `rgb(37 99 235)`, `oklab(L a b)` inside sRGB, or
/// `lab(L a b)` taken as CIELAB coordinates as they are, without adaptation of the white.
///
/// # Errors
/// When a text is no such colour, is translucent, or lies outside sRGB.
pub fn delta_e(first: &str, second: &str, metric: MetricKind) -> Result<DeltaEDocument, ColorError> {
    let (a, x) = read(first)?;
    let (b, y) = read(second)?;
    let difference = match (metric.of_lab(a, b), x, y) {
        (Some(difference), ..) => difference,
        (None, Some(x), Some(y)) => metric.of_srgb(x, y),
        (None, x, _) => {
            let text = if x.is_none() { first } else { second };
            let why = "the metric compares samples, and lab() has none: give a colour in sRGB";
            return Err(ColorError { text: text.to_owned(), why });
        }
    };
    let document = |text: &str, lab: Lab| LabDocument { text: text.to_owned(), l: lab.l, a: lab.a, b: lab.b };
    Ok(DeltaEDocument {
        schema: "trueup.delta-e/1",
        metric: metric.name(),
        first: document(first, a),
        second: document(second, b),
        delta_e: difference,
    })
}

/// A colour in CIELAB, and its samples where it was written in sRGB.
fn read(text: &str) -> Result<(Lab, Option<[f64; 3]>), ColorError> {
    let fail = |why| ColorError { text: text.to_owned(), why };
    let trimmed = text.trim();
    if let Some([l, a, b]) = numbers(trimmed, "oklab(") {
        let rgb = oklab_to_srgb([l, a, b]);
        // A hair outside is rounding, further out is a colour that no sRGB display shows.
        if rgb.iter().any(|sample| !(-1e-4..=1.0001).contains(sample)) {
            return Err(fail("it lies outside sRGB"));
        }
        let rgb = rgb.map(|sample| sample.clamp(0.0, 1.0));
        return lab_of(rgb).map_err(fail);
    }
    if let Some([l, a, b]) = numbers(trimmed, "lab(") {
        return Ok((Lab::new(l, a, b), None));
    }
    let color = csscolorparser::parse(trimmed).map_err(|_| {
        fail("expected a CSS colour such as #2563eb, rgb(37 99 235), lab(50 2.5 -79) or oklab(0.6 0.1 0)")
    })?;
    if color.a < 1.0 {
        return Err(fail("it is translucent, and what it looks like depends on what is behind it"));
    }
    let samples = [color.r, color.g, color.b].map(f64::from);
    let [red, green, blue, _] = color.to_rgba8();
    let bytes = [red, green, blue];
    let is_bytes =
        samples.iter().zip(bytes).all(|(sample, byte)| (sample * 255.0 - f64::from(byte)).abs() < 1e-3);
    if is_bytes {
        return Ok((Lab::from_srgb8(bytes), Some(bytes.map(|byte| f64::from(byte) / 255.0))));
    }
    lab_of(samples).map_err(fail)
}

fn lab_of(rgb: [f64; 3]) -> Result<(Lab, Option<[f64; 3]>), &'static str> {
    let lab = Lab::from_encoded(rgb, ColorSpace::Srgb).map_err(|_| "sRGB is not supported")?;
    Ok((lab, Some(rgb)))
}

/// Three finite numbers between `prefix` and `)`, divided by blanks or commas.
fn numbers(text: &str, prefix: &str) -> Option<[f64; 3]> {
    let inner = text.strip_prefix(prefix)?.strip_suffix(')')?;
    let parts = inner.split([' ', ',']).filter(|part| !part.is_empty());
    let numbers: Option<Vec<f64>> =
        parts.map(|part| part.parse().ok().filter(|n: &f64| n.is_finite())).collect();
    numbers?.try_into().ok()
}

/// OKLab to gamma-encoded sRGB, by the matrices of its definition (B. Ottosson, 2020). For people's input only: no
/// decision about an image goes through here.
fn oklab_to_srgb([l, a, b]: [f64; 3]) -> [f64; 3] {
    let long = (l + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let middle = (l - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let short = (l - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    let linear = [
        4.076_741_662_1 * long - 3.307_711_591_3 * middle + 0.230_969_929_2 * short,
        -1.268_438_004_6 * long + 2.609_757_401_1 * middle - 0.341_319_396_5 * short,
        -0.004_196_086_3 * long - 0.703_418_614_7 * middle + 1.707_614_701_0 * short,
    ];
    linear.map(
        |sample| {
            if sample <= 0.003_130_8 { 12.92 * sample } else { 1.055 * sample.powf(1.0 / 2.4) - 0.055 }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(first: &str, second: &str) -> String {
        format!("{:.4}", delta_e(first, second, MetricKind::Ciede2000).unwrap().delta_e)
    }

    #[test]
    fn anchors_of_the_formula() {
        assert_eq!(between("lab(50 2.6772 -79.7751)", "lab(50,0,-82.7485)"), "2.0425");
        assert_eq!(between("#fbfcfd", "#F5F5F5"), "1.5235");
        assert_eq!(between("red", "rgb(0 0 255)"), "52.8782");
        assert_eq!(between("#000", "#fff"), "100.0000");
    }

    #[test]
    fn formulas_of_samples_take_colours_in_srgb() {
        let yiq = delta_e("#29389d", "#293800", MetricKind::Yiq).unwrap();
        assert_eq!(format!("{:.1}", yiq.delta_e), "19.9");
        assert_eq!(delta_e("#000", "#080402", MetricKind::Channel).unwrap().delta_e, 8.0);
        let error = delta_e("#000", "lab(50 0 0)", MetricKind::OklabHyab).unwrap_err().to_string();
        assert!(error.starts_with("\"lab(50 0 0)\"") && error.contains("sRGB"), "{error}");
    }

    #[test]
    fn oklab_reads_as_the_colour_that_it_is() {
        // sRGB red in OKLab, as published with the space.
        assert!(between("oklab(0.62796 0.22486 0.12585)", "#ff0000").parse::<f64>().unwrap() < 0.01);
        assert!(between("oklab(1 0 0)", "white").parse::<f64>().unwrap() < 0.01);
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        for (text, part) in [
            ("blurple", "expected a CSS colour"),
            ("", "expected a CSS colour"),
            ("lab(1 2)", "expected a CSS colour"),
            ("lab(NaN 0 0)", "expected a CSS colour"),
            ("#ff000080", "translucent"),
            ("transparent", "translucent"),
            ("oklab(0.7 0.4 0)", "outside sRGB"),
        ] {
            let error = delta_e(text, "#000", MetricKind::Ciede2000).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
