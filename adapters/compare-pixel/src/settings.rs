//! How strictly labels are compared.

use std::collections::BTreeMap;
use std::fmt;

use trueup_contract::{Label, LabelName};
use trueup_frame::Rect;
use trueup_pixel_diff::{Antialiasing, MatchLevel, MetricKind, Options, Relating, Tolerance};
use trueup_ports::Element;

use crate::Area;

/// How strictly labels are compared, and what of them is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// How much difference is allowed, on every label.
    pub tolerance: Tolerance,
    /// Which differences count as antialiasing. Default: [`Antialiasing::Off`], because one engine draws every capture of
    /// a run, and a shape that is a little off must not pass for another rasterisation of it. Take
    /// [`Antialiasing::Coverage`] where the references were drawn by another engine.
    pub antialiasing: Antialiasing,
    /// How far things may have moved, in CSS pixels along each axis; on a label, times its device pixel ratio. Default: 0.
    pub placement_css_px: u32,
    /// What is tolerated on every label. Default: [`MatchLevel::Color`].
    pub level: MatchLevel,
    /// Areas that are not compared, by label, in device pixels.
    pub ignored: BTreeMap<LabelName, Vec<Rect>>,
    /// Areas with a level of their own, by label; where they overlap, the last one counts.
    pub areas: BTreeMap<LabelName, Vec<Area>>,
}

impl Settings {
    /// Nothing left out, this much allowed.
    #[must_use]
    pub fn new(tolerance: Tolerance) -> Self {
        Self {
            tolerance,
            antialiasing: Antialiasing::Off,
            placement_css_px: 0,
            level: MatchLevel::default(),
            ignored: BTreeMap::new(),
            areas: BTreeMap::new(),
        }
    }

    /// The settings with another treatment of antialiasing.
    #[must_use]
    pub fn with_antialiasing(self, antialiasing: Antialiasing) -> Self {
        Self { antialiasing, ..self }
    }

    /// The settings with an area of a label left out.
    #[must_use]
    pub fn with_ignored(mut self, label: LabelName, area: Rect) -> Self {
        self.ignored.entry(label).or_default().push(area);
        self
    }

    /// The settings with a distance, in CSS pixels, that things may have moved.
    #[must_use]
    pub fn with_placement_css_px(self, placement_css_px: u32) -> Self {
        Self { placement_css_px, ..self }
    }

    /// The settings with another level for all labels.
    #[must_use]
    pub fn with_level(self, level: MatchLevel) -> Self {
        Self { level, ..self }
    }

    /// The settings with a level for an area of a label.
    #[must_use]
    pub fn with_area(mut self, label: LabelName, area: Area) -> Self {
        self.areas.entry(label).or_default().push(area);
        self
    }

    /// How far things may have moved on a label, in device pixels.
    pub(crate) fn placement_px(&self, label: &Label) -> u32 {
        let thousandths = u64::from(label.viewport().ratio().thousandths());
        let px = u64::from(self.placement_css_px) * thousandths / 1_000;
        u32::try_from(px).unwrap_or(u32::MAX)
    }

    /// How captures of a label that list these elements are related to its reference.
    pub(crate) fn relating(&self, label: &Label, elements: &[Element]) -> Relating {
        let relating = Relating::default().with_level(self.level).with_placement_px(self.placement_px(label));
        let rules = self.areas.get(label.name()).into_iter().flatten().flat_map(|area| area.rules(elements));
        rules.fold(relating, Relating::with_rule)
    }

    /// The options for one label.
    pub(crate) fn options(&self, label: &LabelName) -> Options {
        let ignored = self.ignored.get(label).into_iter().flatten();
        let options = Options::default().with_tolerance(self.tolerance).with_antialiasing(self.antialiasing);
        ignored.fold(options, |options, area| options.with_ignored(*area))
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::new(Tolerance::default())
    }
}

/// A tolerance list cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToleranceError {
    kind: ToleranceErrorKind,
}

/// Why a tolerance list cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToleranceErrorKind {
    /// An item is not `key=value`.
    NotAPair {
        /// The item.
        item: String,
    },
    /// A key is not known.
    UnknownKey {
        /// The key.
        key: String,
        /// The formula whose tolerances are read.
        metric: MetricKind,
    },
    /// A key is that of another formula: its numbers mean something else.
    OtherMetric {
        /// The key.
        key: String,
        /// The formula whose tolerances are read.
        metric: MetricKind,
    },
    /// A key is there twice.
    DoubleKey {
        /// The key.
        key: String,
    },
    /// A value does not fit its key.
    BadValue {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What was expected.
        expected: &'static str,
    },
}

impl ToleranceError {
    const fn new(kind: ToleranceErrorKind) -> Self {
        Self { kind }
    }

    /// Why it cannot be used.
    #[must_use]
    pub const fn kind(&self) -> &ToleranceErrorKind {
        &self.kind
    }
}

impl fmt::Display for ToleranceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ToleranceErrorKind::NotAPair { item } => {
                write!(f, "{item:?} is not a tolerance: expected KEY=VALUE, such as color_delta_e=2")
            }
            ToleranceErrorKind::UnknownKey { key, metric } => {
                write!(f, "{key:?} is not a tolerance: expected {}, pixel or strict", metric.tolerance_key())
            }
            ToleranceErrorKind::OtherMetric { key, metric } => write!(
                f,
                "{key} is no tolerance of the metric {metric}: expected {}, in its own unit",
                metric.tolerance_key()
            ),
            ToleranceErrorKind::DoubleKey { key } => write!(f, "the tolerance {key} is there twice"),
            ToleranceErrorKind::BadValue { key, value, expected } => {
                write!(f, "{value:?} cannot be the tolerance {key}: expected {expected}")
            }
        }
    }
}

impl std::error::Error for ToleranceError {}

/// What a tolerance list allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tolerances {
    /// How much difference of colour.
    pub color: Tolerance,
    /// How far things may have moved, in the pixels that the caller counts in; `None` where the list does not say.
    pub placement_px: Option<u32>,
}

/// The largest placement tolerance: more is another layout.
const MAX_PLACEMENT_PX: u32 = 10_000;
const PIXEL_EXPECTED: &str = "a whole number of pixels from 0 to 10000";

/// Reads a tolerance list such as `color_delta_e=2,pixel=1,strict=true`, on top of `base`, for a formula. `pixel` is how far
/// things may have moved.
///
/// # Errors
/// When an item is not a pair, a key is unknown or double, or a value is out of range.
pub fn parse_tolerance(
    text: &str,
    base: Tolerance,
    metric: MetricKind,
) -> Result<Tolerances, ToleranceError> {
    let mut tolerances = Tolerances { color: base, placement_px: None };
    let mut seen: Vec<&str> = Vec::new();
    for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
        let Some((key, value)) = item.split_once('=').map(|(key, value)| (key.trim(), value.trim())) else {
            return Err(ToleranceError::new(ToleranceErrorKind::NotAPair { item: item.to_owned() }));
        };
        if seen.contains(&key) {
            return Err(ToleranceError::new(ToleranceErrorKind::DoubleKey { key: key.to_owned() }));
        }
        seen.push(key);
        tolerances = apply(tolerances, metric, key, value)?;
    }
    Ok(tolerances)
}

fn apply(
    tolerances: Tolerances,
    metric: MetricKind,
    key: &str,
    value: &str,
) -> Result<Tolerances, ToleranceError> {
    let bad = |expected| {
        ToleranceError::new(ToleranceErrorKind::BadValue {
            key: key.to_owned(),
            value: value.to_owned(),
            expected,
        })
    };
    match key {
        _ if key == metric.tolerance_key() => {
            let expected = "a number from 0 to 1000 in the unit of the metric";
            let number: f64 = value.parse().map_err(|_| bad(expected))?;
            let fresh = Tolerance::new(number).map_err(|_| bad(expected))?;
            Ok(Tolerances { color: fresh.with_strict(tolerances.color.is_strict()), ..tolerances })
        }
        "strict" => {
            let strict = value.parse().map_err(|_| bad("true or false"))?;
            Ok(Tolerances { color: tolerances.color.with_strict(strict), ..tolerances })
        }
        "pixel" => {
            let number: u32 = value.parse().map_err(|_| bad(PIXEL_EXPECTED))?;
            let placement_px = Some(number).filter(|number| *number <= MAX_PLACEMENT_PX);
            let placement_px = Some(placement_px.ok_or_else(|| bad(PIXEL_EXPECTED))?);
            Ok(Tolerances { placement_px, ..tolerances })
        }
        _ => {
            let is_of_another = MetricKind::ALL.iter().any(|other| other.tolerance_key() == key);
            let key = key.to_owned();
            Err(ToleranceError::new(if is_of_another {
                ToleranceErrorKind::OtherMetric { key, metric }
            } else {
                ToleranceErrorKind::UnknownKey { key, metric }
            }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerances_are_read_by_key() {
        let read_all = |text| parse_tolerance(text, Tolerance::default(), MetricKind::Ciede2000);
        let read = |text| read_all(text).map(|tolerances| tolerances.color);
        assert_eq!(read(""), Ok(Tolerance::default()));
        assert_eq!(read_all("pixel=2, color_delta_e=3").unwrap().placement_px, Some(2));
        assert_eq!(read_all("strict=true").unwrap().placement_px, None);
        assert_eq!(
            read("color_delta_e=3, strict=true").unwrap(),
            Tolerance::new(3.0).unwrap().with_strict(true)
        );
        assert_eq!(
            read("strict=true,color_delta_e=3").unwrap(),
            Tolerance::new(3.0).unwrap().with_strict(true)
        );
        for (text, part) in [
            ("color_delta_e", "KEY=VALUE"),
            ("color_delta=2", "\"color_delta\""),
            ("pixels=2", "\"pixels\""),
            ("pixel=-1", "from 0 to 10000"),
            ("pixel=1.5", "from 0 to 10000"),
            ("pixel=10001", "from 0 to 10000"),
            ("yiq=10", "yiq is no tolerance of the metric ciede2000: expected color_delta_e"),
            ("color_delta_e=-1", "0 to 1000"),
            ("color_delta_e=NaN", "0 to 1000"),
            ("color_delta_e=two", "0 to 1000"),
            ("strict=yes", "true or false"),
            ("strict=true,strict=false", "twice"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        let yiq = parse_tolerance("yiq=12.5", MetricKind::Yiq.default_tolerance(), MetricKind::Yiq);
        assert_eq!(yiq.unwrap().color, Tolerance::new(12.5).unwrap());
    }
}
