//! Limits with provenance (R17).

use std::fmt;

/// A whole number that bounds something, and where it came from.
///
/// There is no value for "unlimited".
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limit {
    value: u32,
    source: LimitSource,
    note: Option<String>,
}

/// Where a limit came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum LimitSource {
    /// A flag of its own.
    Flag,
    /// The alias inside the tolerance list.
    ToleranceAlias,
    /// The configuration file.
    Config,
    /// The preset.
    Preset,
    /// The default, because nothing said otherwise or what was said could not be used.
    Default,
}

impl fmt::Display for LimitSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Flag => "flag",
            Self::ToleranceAlias => "tolerance-alias",
            Self::Config => "config",
            Self::Preset => "preset",
            Self::Default => "default",
        })
    }
}

/// The values that a limit may have, and the one that it has when nothing usable was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitRange {
    min: u32,
    max: u32,
    default: u32,
}

impl LimitRange {
    /// The values from `min` to `max`, both included; the default is moved into the range.
    #[must_use]
    pub const fn new(min: u32, max: u32, default: u32) -> Self {
        let default = if default < min {
            min
        } else if default > max {
            max
        } else {
            default
        };
        Self { min, max, default }
    }

    /// Smallest legal value.
    #[must_use]
    pub const fn min(self) -> u32 {
        self.min
    }

    /// Largest legal value.
    #[must_use]
    pub const fn max(self) -> u32 {
        self.max
    }

    /// The limit that holds when nothing was said.
    #[must_use]
    pub const fn unset(self) -> Limit {
        Limit { value: self.default, source: LimitSource::Default, note: None }
    }

    /// The limit that a preset sets; moved into the range.
    #[must_use]
    pub const fn preset(self) -> Limit {
        Limit { value: self.default, source: LimitSource::Preset, note: None }
    }

    /// Takes the first text that was given, in the order of the list; the others are noted as overridden.
    ///
    /// A text must be ASCII digits. `08` is 8. Anything else, or a number outside the range, takes the default and
    /// says so: an unreadable limit never becomes "no limit".
    #[must_use]
    pub fn resolve<'a>(self, given: impl IntoIterator<Item = (LimitSource, Option<&'a str>)>) -> Limit {
        let mut given = given.into_iter().filter_map(|(source, text)| Some((source, text?)));
        let Some((source, text)) = given.next() else { return self.unset() };
        let overridden: Vec<String> = given.map(|(source, text)| format!("{source} {text:?}")).collect();
        let mut limit = match read(text) {
            Some(value) if (self.min..=self.max).contains(&value) => Limit { value, source, note: None },
            read => {
                let why = if read.is_some() { "is out of range" } else { "is not a whole number" };
                let (min, max, value) = (self.min, self.max, self.default);
                let note = format!("{source} {text:?} {why} ({min} to {max}): took the default {value}");
                Limit { value, source: LimitSource::Default, note: Some(note) }
            }
        };
        if !overridden.is_empty() {
            let note = format!("{} overridden by {source}", overridden.join(" and "));
            limit.note = Some(limit.note.map_or(note.clone(), |first| format!("{first}; {note}")));
        }
        limit
    }
}

/// ASCII digits as a decimal number; leading zeros mean nothing.
fn read(text: &str) -> Option<u32> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Digits that do not fit are a number all the same, just one that is out of any range.
    Some(text.parse().unwrap_or(u32::MAX))
}

impl Limit {
    /// A limit that a program sets itself; moved into the range.
    #[must_use]
    pub const fn fixed(value: u32, range: LimitRange, source: LimitSource) -> Self {
        let value = if value < range.min {
            range.min
        } else if value > range.max {
            range.max
        } else {
            value
        };
        Self { value, source, note: None }
    }

    /// The number.
    #[must_use]
    pub const fn value(&self) -> u32 {
        self.value
    }

    /// Where it came from.
    #[must_use]
    pub const fn source(&self) -> LimitSource {
        self.source
    }

    /// What had to be replaced or overridden on the way, for the summary.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.value, self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAP: LimitRange = LimitRange::new(0, 100, 6);

    fn flag(text: &str) -> Limit {
        CAP.resolve([(LimitSource::Flag, Some(text))])
    }

    #[test]
    fn r17_digits_are_decimal() {
        for (text, value) in [("8", 8), ("08", 8), ("010", 10), ("0", 0), ("100", 100)] {
            let limit = flag(text);
            assert_eq!(
                (limit.value(), limit.source(), limit.note()),
                (value, LimitSource::Flag, None),
                "{text}"
            );
        }
    }

    #[test]
    fn r17_what_cannot_be_used_takes_the_default_and_says_so() {
        for text in
            ["", "-1", "1e9", "Infinity", "١٢", "101", "99999999999999999999", " 6", "6.0", "∞", "0x10"]
        {
            let limit = flag(text);
            assert_eq!((limit.value(), limit.source()), (6, LimitSource::Default), "{text:?}");
            assert!(limit.note().is_some_and(|note| note.contains("default 6")), "{text:?}");
        }
    }

    #[test]
    fn r17_the_flag_beats_the_alias_and_the_loser_is_named() {
        let limit = CAP.resolve([
            (LimitSource::Flag, Some("3")),
            (LimitSource::ToleranceAlias, Some("9")),
            (LimitSource::Config, None),
        ]);
        assert_eq!((limit.value(), limit.source()), (3, LimitSource::Flag));
        assert!(limit.note().is_some_and(|note| note.contains("tolerance-alias \"9\"")));
        let alias = CAP.resolve([(LimitSource::Flag, None), (LimitSource::ToleranceAlias, Some("9"))]);
        assert_eq!((alias.value(), alias.source()), (9, LimitSource::ToleranceAlias));
    }

    #[test]
    fn r17_a_preset_may_narrow_the_range() {
        let framesmith = LimitRange::new(1, 3, 1);
        assert_eq!(framesmith.resolve([(LimitSource::Flag, Some("5"))]).value(), 1);
        assert_eq!(framesmith.unset().value(), 1);
    }
}
