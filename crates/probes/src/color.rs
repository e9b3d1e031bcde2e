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

    /// Reads a colour as CSS has it: `#rgb` and `#rrggbb`, either with opacity, names, `rgb()`, `hsl()`, `hwb()`, `lab()`, `lch()`,
    /// `oklab()`, `oklch()`, and `color()` in `srgb`, `srgb-linear` and `display-p3`. What lies outside of sRGB is the nearest by
    /// channel. `None` for anything else, `currentcolor` and `color-mix()` among it; browsers serialise computed colours without
    /// these.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        if let Some(digits) = text.strip_prefix('#') {
            return Self::from_hex(digits);
        }
        let Some((name, rest)) = text.split_once('(') else {
            return Self::from_css(&text);
        };
        let inside = rest.strip_suffix(')')?;
        match name.trim() {
            "rgb" | "rgba" => {
                let ([red, green, blue], alpha) = channels(inside, 255.0)?;
                let of = |channel: f64| channel.clamp(0.0, 1.0);
                Some(Self { red: of(red), green: of(green), blue: of(blue), alpha })
            }
            "color" => {
                let (space, inside) = inside.trim().split_once(' ')?;
                let (channels, alpha) = channels(inside, 1.0)?;
                let [red, green, blue] = match space {
                    "srgb" => channels,
                    "srgb-linear" => channels.map(encoded),
                    "display-p3" => srgb_of_p3(channels.map(linear)).map(encoded),
                    _ => return None,
                };
                let of = |channel: f64| channel.clamp(0.0, 1.0);
                Some(Self { red: of(red), green: of(green), blue: of(blue), alpha })
            }
            "hsl" | "hsla" | "hwb" | "lab" | "lch" | "oklab" | "oklch" => {
                // A component that does not matter.
                let parts = inside.split_whitespace().map(|part| if part == "none" { "0" } else { part });
                Self::from_css(&format!("{name}({})", parts.collect::<Vec<_>>().join(" ")))
            }
            _ => None,
        }
    }

    fn from_css(text: &str) -> Option<Self> {
        let color = csscolorparser::parse(text).ok()?;
        let [red, green, blue, alpha] = [color.r, color.g, color.b, color.a].map(f64::from);
        let of = |channel: f64| channel.clamp(0.0, 1.0);
        let is_finite = [red, green, blue, alpha].into_iter().all(f64::is_finite);
        is_finite.then(|| Self { red: of(red), green: of(green), blue: of(blue), alpha: of(alpha) })
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

/// Three channels of numbers or percentages, and the opacity behind them; numbers are out of `scale`.
fn channels(text: &str, scale: f64) -> Option<([f64; 3], f64)> {
    let parts: Vec<&str> = text.split([',', ' ', '/']).filter(|part| !part.is_empty()).collect();
    let number = |part: &str, scale: f64| -> Option<f64> {
        let value = match part.strip_suffix('%') {
            Some(percent) => percent.parse::<f64>().ok()? / 100.0,
            None if part == "none" => 0.0,
            None => part.parse::<f64>().ok()? / scale,
        };
        value.is_finite().then_some(value)
    };
    let (channels, alpha) = match parts.as_slice() {
        [red, green, blue] => ([red, green, blue], 1.0),
        [red, green, blue, alpha] => ([red, green, blue], number(alpha, 1.0)?.clamp(0.0, 1.0)),
        _ => return None,
    };
    let [red, green, blue] = channels.map(|part| number(part, scale));
    Some(([red?, green?, blue?], alpha))
}

/// The light of an sRGB or Display P3 channel, which share the curve (IEC 61966-2-1); negative ones by symmetry, as CSS has it.
fn linear(channel: f64) -> f64 {
    let size = channel.abs();
    let light = if size <= 0.04045 { size / 12.92 } else { ((size + 0.055) / 1.055).powf(2.4) };
    light.copysign(channel)
}

fn encoded(light: f64) -> f64 {
    let size = light.abs();
    let channel = if size <= 0.003_130_8 { size * 12.92 } else { 1.055 * size.powf(1.0 / 2.4) - 0.055 };
    channel.copysign(light)
}

/// Linear Display P3 in linear sRGB: the product of the matrices of CSS Color 4, section 17, from P3 and to sRGB.
fn srgb_of_p3([red, green, blue]: [f64; 3]) -> [f64; 3] {
    [
        1.224_940_176_280_56 * red - 0.224_940_176_280_56 * green,
        -0.042_056_954_709_69 * red + 1.042_056_954_709_69 * green,
        -0.019_637_554_590_33 * red - 0.078_636_045_550_63 * green + 1.098_273_600_140_97 * blue,
    ]
}

/// What a background image paints.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Paint {
    /// Nothing.
    Nothing,
    /// A gradient, or several layers of which one is.
    Gradient {
        /// The colours of its stops.
        colors: Vec<Color>,
        /// Stops whose colour could not be read.
        unread: usize,
    },
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
        let (mut colors, mut unread) = (Vec::new(), 0);
        for layer in split_outside(value, |c| c == ',') {
            let Some((_, inside)) = layer.split_once("gradient(") else { continue };
            let inside = inside.strip_suffix(')').unwrap_or(inside);
            for (at, stop) in split_outside(inside, |c| c == ',').into_iter().enumerate() {
                let parts = split_outside(stop, char::is_whitespace);
                // A stop is a colour and lengths in any order.
                if let Some(color) = parts.iter().find_map(|part| Color::parse(part)) {
                    colors.push(color);
                    continue;
                }
                let begins = parts.first().copied().unwrap_or_default();
                let is_length = begins.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
                    || begins.starts_with("calc(");
                let is_course = at == 0
                    && ["to", "at", "from", "in", "circle", "ellipse", "closest", "farthest"]
                        .iter()
                        .any(|word| begins.split('-').next() == Some(word));
                unread += usize::from(!is_length && !is_course);
            }
        }
        Self::Gradient { colors, unread }
    }
}

/// The parts of a value between separators that stand outside of parentheses, without the space around them; empty ones are left out.
pub(crate) fn split_outside(value: &str, is_separator: impl Fn(char) -> bool) -> Vec<&str> {
    let mut depth = 0_u32;
    let separators = |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && is_separator(c)
    };
    value.split(separators).map(str::trim).filter(|part| !part.is_empty()).collect()
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
            ("color-mix(in srgb, red, blue)", None),
            ("color(rec2020 0.4 0.3 0.9)", None),
            ("color(srgb NaN 0 0)", None),
            ("oklch(0.6 inf 300)", None),
            ("rebeccapurple", Some("#663399")),
            ("RED", Some("#FF0000")),
            ("hsl(258, 90%, 66%)", Some("#895AF6")),
            // The violet of CSS frameworks, in the spaces that they write it in.
            ("oklch(0.606 0.25 292.717)", Some("#8E51FF")),
            ("oklch(0 none none)", Some("#000000")),
            ("oklab(1 0 0 / 0.5)", Some("#FFFFFF80")),
            ("lab(54.29 80.8 69.89)", Some("#FF0000")),
            ("lch(54.29 106.84 40.86)", Some("#FF0000")),
            ("color(display-p3 0.5 0.5 0.5)", Some("#808080")),
            ("color(display-p3 0.53 0.37 0.93)", Some("#8E5CF6")),
            ("color(srgb-linear 0.5 0.5 0.5)", Some("#BCBCBC")),
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
            Paint::Gradient { colors, unread: 0 } => {
                colors.iter().map(ToString::to_string).collect::<Vec<_>>()
            }
            other => vec![format!("{other:?}")],
        };
        assert_eq!(
            read("linear-gradient(135deg, rgb(139, 92, 246) 0%, #6D28D9 100%)"),
            ["#8B5CF6", "#6D28D9"]
        );
        assert_eq!(read("radial-gradient(circle at center, transparent, white)"), ["#00000000", "#FFFFFF"]);
        assert_eq!(read("url(\"a.png\")"), ["Picture"]);
        assert_eq!(read("none"), ["Nothing"]);
        assert_eq!(
            read("linear-gradient(in oklch, oklch(0.606 0.25 292.717) 10%, 30%, white), url(\"a.png\")"),
            ["#8E51FF", "#FFFFFF"]
        );
        let unread = "linear-gradient(to right, color(rec2020 0.4 0.3 0.9) 0%, rgb(0, 0, 0) calc(50% - 3px))";
        assert_eq!(Paint::parse(unread), Paint::Gradient { colors: vec![Color::BLACK], unread: 1 });
        assert_eq!(Paint::parse("linear-gradient(é"), Paint::Gradient { colors: Vec::new(), unread: 1 });
    }
}
