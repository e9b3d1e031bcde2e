//! Values of tokens.

use std::fmt;

use trueup_contract::Color;
use trueup_score::Points;

/// A value of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Color(Color),
    Scalar(Scalar),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Color(color) => color.fmt(f),
            Self::Scalar(scalar) => scalar.fmt(f),
        }
    }
}

/// A CSS colour in any notation.
pub(crate) fn color(text: &str) -> Option<Color> {
    let [red, green, blue, alpha] = csscolorparser::parse(text).ok()?.to_rgba8();
    Some(Color { red, green, blue, alpha })
}

/// A number with a unit, or without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scalar {
    pub(crate) number: Points,
    unit: String,
}

impl Scalar {
    /// Reads a plain decimal with up to six places, and a unit of letters or `%` right after it.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        if !unit.chars().all(|c| c.is_ascii_alphabetic()) && unit != "%" {
            return None;
        }
        // CSS allows a number to begin with its point.
        let number = match number.strip_prefix('.') {
            Some(fraction) => format!("0.{fraction}"),
            None => number.to_owned(),
        };
        Some(Self { number: number.parse().ok()?, unit: unit.to_owned() })
    }

    pub(crate) const fn has_unit(&self) -> bool {
        !self.unit.is_empty()
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.number == Points::ZERO
    }

    pub(crate) fn with_number(&self, number: Points) -> Self {
        Self { number, unit: self.unit.clone() }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, self.unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_read_and_print() {
        for text in ["12px", "0", "1.5", "-3em", "50%", "0.000001rem"] {
            assert_eq!(Scalar::read(text).unwrap().to_string(), text);
        }
        assert_eq!(Scalar::read(".5em").unwrap().to_string(), "0.5em");
        for text in ["", "px", "12 px", "1e3px", "12px 4px", "calc(1px)", "1.2.3", "--1", "12p x"] {
            assert_eq!(Scalar::read(text), None, "{text:?}");
        }
    }

    #[test]
    fn colours_in_any_notation() {
        let blue = Color { red: 37, green: 99, blue: 235, alpha: 255 };
        for text in ["#2563eb", "#2563EB", "rgb(37, 99, 235)", "rgb(37 99 235 / 1)"] {
            assert_eq!(color(text), Some(blue), "{text}");
        }
        assert_eq!(color("blurple"), None);
    }
}
