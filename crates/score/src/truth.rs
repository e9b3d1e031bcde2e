//! Three-valued truth and its fold.

use std::fmt;
use std::str::FromStr;

/// Whether something holds, does not hold, or was not seen.
///
/// Exhaustive on purpose: code that decides must say what it does with each of the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a fourth truth value would break every decision")]
pub enum Truth {
    /// It was checked and holds.
    Pass,
    /// It was checked and does not hold.
    Fail,
    /// It could not be checked. Never a pass; at a gate it fails.
    Undetermined,
}

impl Truth {
    /// Whether it was checked and holds.
    #[must_use]
    pub const fn is_pass(self) -> bool {
        matches!(self, Self::Pass)
    }

    /// Both hold: any fail fails, else any undetermined is undetermined.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Fail, _) | (_, Self::Fail) => Self::Fail,
            (Self::Undetermined, _) | (_, Self::Undetermined) => Self::Undetermined,
            (Self::Pass, Self::Pass) => Self::Pass,
        }
    }

    /// All hold. Nothing at all is undetermined: an empty set of checks has shown nothing.
    #[must_use]
    pub fn all(truths: impl IntoIterator<Item = Self>) -> Self {
        truths.into_iter().reduce(Self::and).unwrap_or(Self::Undetermined)
    }
}

impl From<bool> for Truth {
    /// The result of a check that was made.
    fn from(holds: bool) -> Self {
        if holds { Self::Pass } else { Self::Fail }
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Undetermined => "undetermined",
        })
    }
}

/// A text is none of `pass`, `fail` and `undetermined`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseTruthError {
    text: String,
}

impl fmt::Display for ParseTruthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a truth value: expected pass, fail or undetermined", self.text)
    }
}

impl std::error::Error for ParseTruthError {}

impl FromStr for Truth {
    type Err = ParseTruthError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "pass" => Ok(Self::Pass),
            "fail" => Ok(Self::Fail),
            "undetermined" => Ok(Self::Undetermined),
            _ => Err(ParseTruthError { text: text.to_owned() }),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Truth {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Truth {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "proptest")]
impl Truth {
    /// All three values, equally often. Needs the feature `proptest`.
    pub fn strategy() -> impl proptest::strategy::Strategy<Value = Self> {
        proptest::sample::select(&[Self::Pass, Self::Fail, Self::Undetermined][..])
    }
}

#[cfg(test)]
mod tests {
    use super::Truth::{self, Fail, Pass, Undetermined};

    const ALL: [Truth; 3] = [Pass, Fail, Undetermined];

    #[test]
    fn the_fold_is_a_semilattice_and_never_makes_a_pass() {
        for a in ALL {
            assert_eq!(a.and(a), a);
            for b in ALL {
                assert_eq!(a.and(b), b.and(a));
                assert_eq!(a.and(b).is_pass(), a.is_pass() && b.is_pass());
                for c in ALL {
                    assert_eq!(a.and(b).and(c), a.and(b.and(c)));
                }
            }
        }
    }

    #[test]
    fn nothing_is_undetermined() {
        assert_eq!(Truth::all([]), Undetermined);
        assert_eq!(Truth::all([Undetermined, Fail]), Fail);
    }

    #[test]
    fn printing_and_reading_are_inverse() {
        for truth in ALL {
            assert_eq!(truth.to_string().parse(), Ok(truth));
        }
        assert!("PASS".parse::<Truth>().is_err());
    }
}
