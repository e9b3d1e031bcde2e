//! Scores as exact integers.

use std::fmt;
use std::str::FromStr;

/// A score in micro-points: 1 point is 1 000 000.
///
/// Reading and printing are exact for up to six decimals. There is no conversion from `f64`, because a float has already
/// lost what this type exists to keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Points(i64);

impl Points {
    /// Zero points.
    pub const ZERO: Self = Self(0);
    /// One point.
    pub const ONE: Self = Self(Self::MICROS);
    /// Micro-points in one point.
    const MICROS: i64 = 1_000_000;

    /// A score of `micros` millionths of a point.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// A score of whole points; saturates at ±9.2 × 10¹² points.
    #[must_use]
    pub const fn from_whole(points: i64) -> Self {
        Self(points.saturating_mul(Self::MICROS))
    }

    /// The score in millionths of a point.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// The sum; saturates at the ends of the range instead of wrapping.
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference; saturates at the ends of the range instead of wrapping.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The score with one decimal, as progress lines print it.
    ///
    /// It is cut away from zero, never towards it: a score that is not 0 never prints as `0.0`, so a lower-is-better
    /// score cannot look finished while something is left. Use [`Display`](fmt::Display) for the exact value.
    #[must_use]
    pub fn tenths(self) -> Tenths {
        Tenths(self)
    }
}

/// A score that prints with one decimal, cut away from zero; see [`Points::tenths`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tenths(Points);

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.0.0;
        let tenths = micros.unsigned_abs().div_ceil(Points::MICROS.unsigned_abs() / 10);
        let sign = if micros < 0 { "-" } else { "" };
        f.pad(&format!("{sign}{}.{}", tenths / 10, tenths % 10))
    }
}

impl std::ops::Neg for Points {
    type Output = Self;

    /// The score with its sign turned; saturates at the end of the range.
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl fmt::Display for Points {
    /// The exact decimal, without trailing zeros: `0.75`, `96`, `-0.000001`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.0.unsigned_abs();
        let unit = Self::MICROS.unsigned_abs();
        let sign = if self.0 < 0 { "-" } else { "" };
        let mut text = format!("{sign}{}", micros / unit);
        if !micros.is_multiple_of(unit) {
            let fraction = format!("{:06}", micros % unit);
            text.push('.');
            text.push_str(fraction.trim_end_matches('0'));
        }
        f.pad(&text)
    }
}

/// A text is not a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsePointsError {
    text: String,
    kind: ParsePointsErrorKind,
}

/// Why a text is not a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParsePointsErrorKind {
    /// It is not an optional minus, ASCII digits and at most one decimal point with digits on both sides.
    Malformed,
    /// It has more than six decimals, and the rest is not zero.
    TooPrecise,
    /// It is beyond ±9.2 × 10¹² points.
    OutOfRange,
}

impl ParsePointsError {
    /// Why the text is not a score.
    #[must_use]
    pub const fn kind(&self) -> ParsePointsErrorKind {
        self.kind
    }
}

impl fmt::Display for ParsePointsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.kind {
            ParsePointsErrorKind::Malformed => "expected a decimal number such as 0.75",
            ParsePointsErrorKind::TooPrecise => "a score has at most six decimals",
            ParsePointsErrorKind::OutOfRange => "a score is at most 9 trillion points",
        };
        write!(f, "{:?} is not a score: {why}", self.text)
    }
}

impl std::error::Error for ParsePointsError {}

impl FromStr for Points {
    type Err = ParsePointsError;

    /// Reads a plain decimal. Exponents, `NaN`, `inf`, `+`, blanks and digits of other scripts are refused.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = |kind| ParsePointsError { text: text.to_owned(), kind };
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !all_digits(whole) || !all_digits(fraction) {
            return Err(fail(ParsePointsErrorKind::Malformed));
        }
        let significant = fraction.trim_end_matches('0');
        if significant.len() > 6 {
            return Err(fail(ParsePointsErrorKind::TooPrecise));
        }
        let micros = format!("{whole}{significant:0<6}")
            .parse::<i64>()
            .map_err(|_| fail(ParsePointsErrorKind::OutOfRange))?;
        Ok(Self(if negative { -micros } else { micros }))
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Points {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Points {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "proptest")]
impl Points {
    /// Scores within ±1 000 points, with round values and their neighbours drawn often.
    ///
    /// Needs the feature `proptest`.
    pub fn strategy() -> impl proptest::strategy::Strategy<Value = Self> {
        use proptest::prelude::*;
        prop_oneof![
            (-1_000i64..=1_000).prop_map(Self::from_whole),
            (-100i64..=100, -1i64..=1).prop_map(|(quarters, off)| Self(quarters * 250_000 + off)),
            (-1_000_000_000i64..=1_000_000_000).prop_map(Self),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Points {
        text.parse().unwrap()
    }

    #[test]
    fn r10_every_two_decimal_step_of_five_hundredths_is_exact() {
        // 50 of these 95 differences come out under 0.05 in f64 and would read as stagnation.
        for hundredths in 0..=95 {
            let low = Points::from_micros(hundredths * 10_000);
            let high = Points::from_micros((hundredths + 5) * 10_000);
            assert_eq!(high.saturating_sub(low), points("0.05"));
        }
    }

    #[test]
    fn what_is_not_a_plain_decimal_is_refused() {
        for text in ["", "-", ".5", "5.", "1e3", "NaN", "inf", "+1", " 1", "1,5", "0x1", "١٢", "1.2.3", "--1"]
        {
            let error = text.parse::<Points>().unwrap_err();
            assert_eq!(error.kind(), ParsePointsErrorKind::Malformed, "{text:?}");
        }
        assert_eq!("0.0000001".parse::<Points>().unwrap_err().kind(), ParsePointsErrorKind::TooPrecise);
        assert_eq!("9".repeat(20).parse::<Points>().unwrap_err().kind(), ParsePointsErrorKind::OutOfRange);
        assert_eq!(points("0.7500000000"), points("0.75"));
    }

    #[test]
    fn a_progress_line_never_shows_zero_while_something_is_left() {
        assert_eq!(Points::from_micros(1).tenths().to_string(), "0.1");
        assert_eq!(Points::ZERO.tenths().to_string(), "0.0");
        assert_eq!(points("341.5").tenths().to_string(), "341.5");
        assert_eq!(points("-0.01").tenths().to_string(), "-0.1");
    }

    proptest::proptest! {
        #[test]
        fn printing_and_reading_are_inverse(micros: i64) {
            let value = Points::from_micros(micros.saturating_add(1).max(-i64::MAX));
            proptest::prop_assert_eq!(value.to_string().parse::<Points>().unwrap(), value);
        }
    }
}
