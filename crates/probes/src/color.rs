//! Colours and what paints with them.

use std::fmt;

/// An sRGB colour with opacity; every channel is 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "a colour has three channels and an opacity")]
pub struct Color {
    /// Red.
    pub red: f64,
    /// Green.
    pub green: f64,
    /// Blue.
    pub blue: f64,
    /// Opacity, 0 is transparent.
    pub alpha: f64,
}

/// A colour by hue, saturation and lightness.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "HSL has three coordinates")]
pub struct Hsl {
    /// Hue in degrees, 0 to 360; 0 for greys.
    pub hue: f64,
    /// Saturation, 0 to 1.
    pub saturation: f64,
    /// Lightness, 0 to 1.
    pub lightness: f64,
}

impl Color {
    /// Opaque white: what a page is painted on.
    pub const WHITE: Self = Self { red: 1.0, green: 1.0, blue: 1.0, alpha: 1.0 };
    /// Opaque black.
    pub const BLACK: Self = Self { red: 0.0, green: 0.0, blue: 0.0, alpha: 1.0 };

    /// An opaque colour of 8-bit channels.
    #[must_use]
    pub fn rgb(red: u8, green: u8, blue: u8) -> Self {
        let of = |channel: u8| f64::from(channel) / 255.0;
        Self { red: of(red), green: of(green), blue: of(blue), alpha: 1.0 }
    }

    /// Reads `#rgb`, `#rrggbb`, either with opacity, `rgb()`, `rgba()` and `color(srgb …)`, `transparent`, `black` and `white`:
    /// what browsers serialise computed colours as, and how tokens are written. `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        match text {
            "transparent" => return Some(Self { alpha: 0.0, ..Self::BLACK }),
            "black" => return Some(Self::BLACK),
            "white" => return Some(Self::WHITE),
            _ => {}
        }
        if let Some(digits) = text.strip_prefix('#') {
            return Self::from_hex(digits);
        }
        let (name, rest) = text.split_once('(')?;
        let inside = rest.strip_suffix(')')?;
        let (inside, scale) = match name.trim() {
            "rgb" | "rgba" => (inside, 255.0),
            "color" => (inside.trim().strip_prefix("srgb ")?, 1.0),
            _ => return None,
        };
        let parts: Vec<&str> = inside.split([',', ' ', '/']).filter(|part| !part.is_empty()).collect();
        let number = |part: &str, scale: f64| -> Option<f64> {
            let value = match part.strip_suffix('%') {
                Some(percent) => percent.parse::<f64>().ok()? / 100.0,
                None if part == "none" => 0.0,
                None => part.parse::<f64>().ok()? / scale,
            };
            value.is_finite().then_some(value.clamp(0.0, 1.0))
        };
        let (channels, alpha) = match parts.as_slice() {
            [red, green, blue] => ([red, green, blue], 1.0),
            [red, green, blue, alpha] => ([red, green, blue], number(alpha, 1.0)?),
            _ => return None,
        };
        let [red, green, blue] = channels.map(|part| number(part, scale));
        Some(Self { red: red?, green: green?, blue: blue?, alpha })
    }

    fn from_hex(digits: &str) -> Option<Self> {
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let long: String = match digits.len() {
            3 | 4 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
            6 | 8 => digits.to_owned(),
            _ => return None,
        };
        let channel = |at: usize| u8::from_str_radix(long.get(at..at + 2)?, 16).ok();
        let opaque = Self::rgb(channel(0)?, channel(2)?, channel(4)?);
        Some(Self { alpha: channel(6).map_or(1.0, |alpha| f64::from(alpha) / 255.0), ..opaque })
    }

    /// This colour painted over an opaque one.
    #[must_use]
    pub fn over(self, below: Self) -> Self {
        let mix = |above: f64, below: f64| above * self.alpha + below * (1.0 - self.alpha);
        Self {
            red: mix(self.red, below.red),
            green: mix(self.green, below.green),
            blue: mix(self.blue, below.blue),
            alpha: 1.0,
        }
    }

    /// Relative luminance, 0 to 1, of WCAG 2.2 (<https://www.w3.org/TR/WCAG22/#dfn-relative-luminance>).
    #[must_use]
    pub fn luminance(self) -> f64 {
        let linear = |channel: f64| {
            if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.red) + 0.7152 * linear(self.green) + 0.0722 * linear(self.blue)
    }

    /// The contrast of two opaque colours, 1 to 21, of WCAG 2.2 (<https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio>).
    #[must_use]
    pub fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    /// By hue, saturation and lightness.
    #[must_use]
    pub fn hsl(self) -> Hsl {
        let (most, least) =
            (self.red.max(self.green).max(self.blue), self.red.min(self.green).min(self.blue));
        let (range, lightness) = (most - least, f64::midpoint(most, least));
        if range <= f64::EPSILON {
            return Hsl { hue: 0.0, saturation: 0.0, lightness };
        }
        let sixth = if most <= self.red {
            ((self.green - self.blue) / range).rem_euclid(6.0)
        } else if most <= self.green {
            (self.blue - self.red) / range + 2.0
        } else {
            (self.red - self.green) / range + 4.0
        };
        Hsl { hue: sixth * 60.0, saturation: range / (1.0 - (2.0 * lightness - 1.0).abs()), lightness }
    }

    /// Whether both are one colour in 8 bits a channel.
    #[must_use]
    pub fn equals(self, other: Self) -> bool {
        self.to_string() == other.to_string()
    }
}

/// `#RRGGBB`, with the opacity behind it where it is not opaque.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped to 0..=255 before"
        )]
        let of = |channel: f64| (channel.clamp(0.0, 1.0) * 255.0).round() as u8;
        write!(f, "#{:02X}{:02X}{:02X}", of(self.red), of(self.green), of(self.blue))?;
        if of(self.alpha) < 255 { write!(f, "{:02X}", of(self.alpha)) } else { Ok(()) }
    }
}

/// What a background image paints.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Paint {
    /// Nothing.
    Nothing,
    /// A gradient, with those of its colours that could be read.
    Gradient(Vec<Color>),
    /// A picture, or several layers.
    Picture,
}

impl Paint {
    /// Reads a computed `background-image`.
    #[must_use]
    pub fn parse(value: &str) -> Self {
        let value = value.trim();
        if value.is_empty() || value == "none" {
            return Self::Nothing;
        }
        if !value.contains("gradient(") {
            return Self::Picture;
        }
        let mut colors = Vec::new();
        let mut rest = value;
        while let Some(at) = rest.find(['#', 'r', 'c', 't', 'b', 'w']) {
            let tail = &rest[at..];
            let end = if let Some(digits) = tail.strip_prefix('#') {
                digits.find(|c: char| !c.is_ascii_hexdigit()).map_or(tail.len(), |end| end + 1)
            } else if ["rgb(", "rgba(", "color("].iter().any(|name| tail.starts_with(name)) {
                tail.find(')').map_or(tail.len(), |end| end + 1)
            } else {
                tail.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(tail.len())
            };
            // One character of UTF-8 at least, so that this ends.
            let end = end.max(1);
            colors.extend(Color::parse(&tail[..end]));
            rest = &tail[end..];
        }
        Self::Gradient(colors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_as_browsers_write_them() {
        let read = |text| Color::parse(text).map(|color| color.to_string());
        for (text, hex) in [
            ("rgb(139, 92, 246)", Some("#8B5CF6")),
            ("rgba(0, 0, 0, 0.5)", Some("#00000080")),
            ("rgb(139 92 246 / 50%)", Some("#8B5CF680")),
            ("color(srgb 1 0.5 0)", Some("#FF8000")),
            ("#abc", Some("#AABBCC")),
            ("#AABBCC80", Some("#AABBCC80")),
            ("transparent", Some("#00000000")),
            ("", None),
            ("#12", None),
            ("rgb(1, 2)", None),
            ("rgb(NaN, 0, 0)", None),
            ("currentcolor", None),
        ] {
            assert_eq!(read(text).as_deref(), hex, "{text:?}");
        }
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        assert!((Color::BLACK.contrast(Color::WHITE) - 21.0).abs() < 1e-9);
        let grey = |level| Color::rgb(level, level, level).contrast(Color::WHITE);
        // The lightest grey that still has 4.5 on white is #767676, at 4.54; #777777 has 4.48.
        assert!((grey(0x76) - 4.54).abs() < 0.005 && (grey(0x77) - 4.48).abs() < 0.005);
    }

    #[test]
    fn hues_are_degrees() {
        let hue = |red, green, blue| Color::rgb(red, green, blue).hsl().hue.round();
        assert_eq!(
            [hue(255, 0, 0), hue(0, 255, 0), hue(0, 0, 255), hue(139, 92, 246)],
            [0.0, 120.0, 240.0, 258.0]
        );
        assert!(Color::rgb(128, 128, 128).hsl().saturation.abs() < f64::EPSILON);
    }

    #[test]
    fn gradients_give_their_colours() {
        let read = |text| match Paint::parse(text) {
            Paint::Gradient(colors) => colors.iter().map(ToString::to_string).collect::<Vec<_>>(),
            other => vec![format!("{other:?}")],
        };
        assert_eq!(
            read("linear-gradient(135deg, rgb(139, 92, 246) 0%, #6D28D9 100%)"),
            ["#8B5CF6", "#6D28D9"]
        );
        assert_eq!(read("radial-gradient(circle at center, transparent, white)"), ["#00000000", "#FFFFFF"]);
        assert_eq!(read("url(\"a.png\")"), ["Picture"]);
        assert_eq!(read("none"), ["Nothing"]);
        assert_eq!(read("linear-gradient(é"), Vec::<String>::new());
    }
}
