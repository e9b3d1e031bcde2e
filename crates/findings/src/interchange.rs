//! `trueup.findings/1`: a frozen structure of its own.

use std::fmt;
use std::num::NonZeroU32;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use trueup_score::Points;

use crate::{Evidence, EvidenceKind, FailureClass, Finding, Location, Severity, Status};

const SCHEMA: &str = "trueup.findings/1";

/// The whole document.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Document {
    schema: String,
    findings: Vec<Entry>,
}

/// A document is no list of findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    path: String,
    line: usize,
    column: usize,
    why: String,
}

impl ReadError {
    /// The path to the mistake: `findings[2].severity`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}, column {}: ", self.line, self.column)?;
        }
        if !["", ".", "?"].contains(&self.path.as_str()) {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.why)
    }
}

impl std::error::Error for ReadError {}

/// Reads a document. Everything but id, title and severity may be absent; the fingerprint is computed, whatever the document
/// says.
///
/// # Errors
/// One error for the first thing that is wrong, with its path.
pub fn read(text: &str) -> Result<Vec<Finding>, ReadError> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let document: Document = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.inner();
        let why = inner.to_string();
        let why = why.split(" at line ").next().unwrap_or_default().to_owned();
        ReadError { path, line: inner.line(), column: inner.column(), why }
    })?;
    deserializer.end().map_err(|error| ReadError {
        path: String::new(),
        line: error.line(),
        column: error.column(),
        why: "expected nothing after the document".to_owned(),
    })?;
    let fail = |path: String, why: String| ReadError { path, line: 0, column: 0, why };
    if document.schema != SCHEMA {
        let why = format!("{:?} is not read here: expected {SCHEMA:?}", document.schema);
        return Err(fail("schema".to_owned(), why));
    }
    let finding = |(index, entry): (usize, Entry)| {
        entry.finding().map_err(|(key, why)| fail(format!("findings[{index}].{key}"), why))
    };
    document.findings.into_iter().enumerate().map(finding).collect()
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    title: String,
    #[serde(default)]
    status: Named<Status>,
    severity: Named<Severity>,
    #[serde(default)]
    confidence: Option<Number>,
    #[serde(default)]
    dimension: Option<String>,
    #[serde(default)]
    score: Option<Number>,
    #[serde(default)]
    location: Option<Place>,
    #[serde(default)]
    cause: Option<String>,
    #[serde(default)]
    steps: Vec<String>,
    #[serde(default)]
    expected: Option<String>,
    #[serde(default)]
    actual: Option<String>,
    #[serde(default)]
    impact: Option<String>,
    #[serde(default)]
    fix: Option<String>,
    #[serde(default)]
    evidence: Vec<Shown>,
    #[serde(default)]
    found_by: Vec<String>,
    #[serde(default)]
    class: Option<Named<FailureClass>>,
    #[serde(default)]
    fingerprint: Option<String>,
    #[serde(default)]
    occurrence: Option<u32>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Place {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    region: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    element: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    item: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Shown {
    kind: Named<EvidenceKind>,
    locator: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quote: Option<String>,
}

/// A value by its name.
#[derive(Clone, Copy, Debug, Default)]
struct Named<T>(T);

/// What has a name in documents.
trait HasName: Copy + Sized {
    fn of(name: &str) -> Option<Self>;
    fn text(self) -> &'static str;
    fn expected() -> String;
}

macro_rules! has_name {
    ($type:ty, $all:expr) => {
        impl HasName for $type {
            fn of(name: &str) -> Option<Self> {
                Self::from_name(name)
            }

            fn text(self) -> &'static str {
                self.as_str()
            }

            fn expected() -> String {
                let names: Vec<&str> = $all.iter().map(|value| value.as_str()).collect();
                names.join(", ")
            }
        }
    };
}

has_name!(Severity, Severity::ALL);
has_name!(Status, [Status::Fail, Status::Pass, Status::Unverified]);
has_name!(EvidenceKind, EvidenceKind::ALL);
has_name!(FailureClass, FailureClass::ALL);

impl<'de, T: HasName> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let unknown =
            || serde::de::Error::custom(format!("{name:?} is not known: expected {}", T::expected()));
        T::of(&name).map(Self).ok_or_else(unknown)
    }
}

impl<T: HasName> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.text())
    }
}

/// An exact score as a JSON number.
#[derive(Clone, Copy, Debug)]
struct Number(Points);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(deserializer)?;
        // A double prints as the shortest decimal that is it, which is what was written, for up to six decimals.
        let text = match number.as_f64() {
            Some(float) if number.is_f64() => float.to_string(),
            _ => number.to_string(),
        };
        text.parse().map(Self).map_err(serde::de::Error::custom)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const UNIT: i64 = 1_000_000;
        let micros = self.0.micros();
        if micros % UNIT == 0 {
            return serializer.serialize_i64(micros / UNIT);
        }
        let number: f64 = self.0.to_string().parse().map_err(serde::ser::Error::custom)?;
        serializer.serialize_f64(number)
    }
}

impl Document {
    pub(crate) fn of(list: &[Finding]) -> Self {
        Self { schema: SCHEMA.to_owned(), findings: list.iter().map(Entry::of).collect() }
    }
}

impl Entry {
    fn of(finding: &Finding) -> Self {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Self {
            id: finding.id.clone(),
            title: finding.title.clone(),
            status: Named(finding.status),
            severity: Named(finding.severity),
            confidence: finding.confidence.map(Number),
            dimension: finding.dimension.clone(),
            score: finding.score.map(Number),
            location: Place::of(&finding.location),
            cause: text(&finding.cause),
            steps: finding.steps.clone(),
            expected: text(&finding.expected),
            actual: text(&finding.actual),
            impact: text(&finding.impact),
            fix: text(&finding.fix),
            evidence: finding
                .evidence
                .iter()
                .map(|evidence| Shown {
                    kind: Named(evidence.kind()),
                    locator: evidence.locator().to_owned(),
                    quote: evidence.quote().map(str::to_owned),
                })
                .collect(),
            found_by: finding.found_by.iter().cloned().collect(),
            class: finding.class.map(Named),
            fingerprint: Some(finding.fingerprint().to_string()),
            occurrence: Some(finding.occurrence()),
        }
    }

    fn finding(self) -> Result<Finding, (&'static str, String)> {
        for (key, value) in [("id", &self.id), ("title", &self.title)] {
            if value.trim().is_empty() {
                return Err((key, "it is empty".to_owned()));
            }
        }
        let confidence = self.confidence.map(|number| number.0);
        if let Some(value) = confidence.filter(|value| !(Points::ZERO..=Points::ONE).contains(value)) {
            return Err(("confidence", format!("{value} is no confidence: expected 0 to 1")));
        }
        let location = self.location.map_or(Ok(Location::Unknown), Place::location)?;
        Ok(Finding {
            id: self.id,
            title: self.title,
            severity: self.severity.0,
            status: self.status.0,
            confidence,
            dimension: self.dimension,
            score: self.score.map(|number| number.0),
            location,
            cause: self.cause.unwrap_or_default(),
            steps: self.steps,
            expected: self.expected.unwrap_or_default(),
            actual: self.actual.unwrap_or_default(),
            impact: self.impact.unwrap_or_default(),
            fix: self.fix.unwrap_or_default(),
            evidence: self
                .evidence
                .into_iter()
                .map(|shown| {
                    let evidence = Evidence::new(shown.kind.0, shown.locator);
                    match shown.quote {
                        Some(quote) => evidence.with_quote(quote),
                        None => evidence,
                    }
                })
                .collect(),
            found_by: self.found_by.into_iter().collect(),
            class: self.class.map(|class| class.0),
            occurrence: self.occurrence,
        })
    }
}

impl Place {
    fn of(location: &Location) -> Option<Self> {
        let place = match location.clone() {
            Location::Unknown => return None,
            Location::Item(item) => Self { item: Some(item), ..Self::default() },
            Location::Visual { label, region, element } => {
                Self { label: Some(label), region, element, ..Self::default() }
            }
            Location::Span { file, line, column } => Self {
                file: Some(file),
                line: line.map(NonZeroU32::get),
                column: column.map(NonZeroU32::get),
                ..Self::default()
            },
        };
        Some(place)
    }

    fn location(self) -> Result<Location, (&'static str, String)> {
        let visual = self.label.is_some() || self.region.is_some() || self.element.is_some();
        let kinds = [visual, self.file.is_some(), self.item.is_some()];
        if kinds.iter().filter(|kind| **kind).count() > 1 {
            let why = "expected one of label (with region or element), file (with line and column), or item";
            return Err(("location", why.to_owned()));
        }
        let from_one = |key: &'static str, number: Option<u32>| match number {
            Some(0) => Err((key, "lines and columns count from 1".to_owned())),
            number => Ok(number.and_then(NonZeroU32::new)),
        };
        let (line, column) =
            (from_one("location.line", self.line)?, from_one("location.column", self.column)?);
        match (self.file, self.item) {
            (Some(file), _) => Ok(Location::Span { file, line, column: column.filter(|_| line.is_some()) }),
            (None, _) if self.line.is_some() || self.column.is_some() => {
                Err(("location.line", "a line needs its file".to_owned()))
            }
            (None, Some(item)) => Ok(Location::Item(item)),
            (None, None) if visual => Ok(Location::Visual {
                label: self.label.unwrap_or_default(),
                region: self.region,
                element: self.element,
            }),
            (None, None) => Ok(Location::Unknown),
        }
    }
}
