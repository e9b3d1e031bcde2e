//! One finding.

use std::collections::BTreeSet;

use trueup_score::Points;

use crate::{Evidence, FailureClass, Fingerprint, Location, Severity, Status};

/// Something that was found: where, what was expected and what is, what it matters, and how to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) severity: Severity,
    pub(crate) status: Status,
    pub(crate) confidence: Option<Points>,
    pub(crate) dimension: Option<String>,
    pub(crate) score: Option<Points>,
    pub(crate) location: Location,
    pub(crate) cause: String,
    pub(crate) steps: Vec<String>,
    pub(crate) expected: String,
    pub(crate) actual: String,
    pub(crate) impact: String,
    pub(crate) fix: String,
    pub(crate) evidence: BTreeSet<Evidence>,
    pub(crate) found_by: BTreeSet<String>,
    pub(crate) class: Option<FailureClass>,
    /// `None` until the list that it stands in numbers it.
    pub(crate) occurrence: Option<u32>,
}

impl Finding {
    /// A failure with nothing but a title and a severity.
    #[must_use]
    pub fn new(id: impl Into<String>, title: impl Into<String>, severity: Severity) -> Self {
        Self {
            id: id.into(),
            title: title.into(),
            severity,
            status: Status::Fail,
            confidence: None,
            dimension: None,
            score: None,
            location: Location::Unknown,
            cause: String::new(),
            steps: Vec::new(),
            expected: String::new(),
            actual: String::new(),
            impact: String::new(),
            fix: String::new(),
            evidence: BTreeSet::new(),
            found_by: BTreeSet::new(),
            class: None,
            occurrence: None,
        }
    }

    /// With another status.
    #[must_use]
    pub fn with_status(self, status: Status) -> Self {
        Self { status, ..self }
    }

    /// With how sure the finder is, 0 to 1; apart from severity.
    #[must_use]
    pub fn with_confidence(self, confidence: Points) -> Self {
        Self { confidence: Some(confidence.clamp(Points::ZERO, Points::ONE)), ..self }
    }

    /// With the dimension that it bears on, and the score that it leads to.
    #[must_use]
    pub fn with_dimension(self, dimension: impl Into<String>, score: Option<Points>) -> Self {
        Self { dimension: Some(dimension.into()), score, ..self }
    }

    /// With where it is.
    #[must_use]
    pub fn at(self, location: Location) -> Self {
        Self { location, ..self }
    }

    /// With its root cause.
    #[must_use]
    pub fn caused_by(self, cause: impl Into<String>) -> Self {
        Self { cause: cause.into(), ..self }
    }

    /// With how to see it.
    #[must_use]
    pub fn with_steps(self, steps: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { steps: steps.into_iter().map(Into::into).collect(), ..self }
    }

    /// With what should be and what is.
    #[must_use]
    pub fn with_difference(self, expected: impl Into<String>, actual: impl Into<String>) -> Self {
        Self { expected: expected.into(), actual: actual.into(), ..self }
    }

    /// With why it matters.
    #[must_use]
    pub fn with_impact(self, impact: impl Into<String>) -> Self {
        Self { impact: impact.into(), ..self }
    }

    /// With how to mend it.
    #[must_use]
    pub fn with_fix(self, fix: impl Into<String>) -> Self {
        Self { fix: fix.into(), ..self }
    }

    /// With a further evidence.
    #[must_use]
    pub fn with_evidence(mut self, evidence: Evidence) -> Self {
        self.evidence.insert(evidence);
        self
    }

    /// With a further finder.
    #[must_use]
    pub fn found_also_by(mut self, finder: impl Into<String>) -> Self {
        self.found_by.insert(finder.into());
        self
    }

    /// With the kind of failure that it is claimed to be.
    #[must_use]
    pub fn with_class(self, class: FailureClass) -> Self {
        Self { class: Some(class), ..self }
    }

    /// With its number among findings of one fingerprint, from 0.
    #[must_use]
    pub const fn with_occurrence(mut self, occurrence: u32) -> Self {
        self.occurrence = Some(occurrence);
        self
    }

    /// What its finder calls it.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What it is, in a line.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// How bad it is.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.severity
    }

    /// What the check came to.
    #[must_use]
    pub const fn status(&self) -> Status {
        self.status
    }

    /// How sure the finder is, 0 to 1.
    #[must_use]
    pub const fn confidence(&self) -> Option<Points> {
        self.confidence
    }

    /// The dimension that it bears on.
    #[must_use]
    pub fn dimension(&self) -> Option<&str> {
        self.dimension.as_deref()
    }

    /// The score that it leads to.
    #[must_use]
    pub const fn score(&self) -> Option<Points> {
        self.score
    }

    /// Where it is.
    #[must_use]
    pub const fn location(&self) -> &Location {
        &self.location
    }

    /// Its root cause; empty when nobody said.
    #[must_use]
    pub fn cause(&self) -> &str {
        &self.cause
    }

    /// How to see it.
    #[must_use]
    pub fn steps(&self) -> &[String] {
        &self.steps
    }

    /// What should be.
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// What is.
    #[must_use]
    pub fn actual(&self) -> &str {
        &self.actual
    }

    /// Why it matters.
    #[must_use]
    pub fn impact(&self) -> &str {
        &self.impact
    }

    /// How to mend it.
    #[must_use]
    pub fn fix(&self) -> &str {
        &self.fix
    }

    /// What shows it, in a fixed order.
    pub fn evidence(&self) -> impl Iterator<Item = &Evidence> {
        self.evidence.iter()
    }

    /// Who found it, in a fixed order.
    pub fn found_by(&self) -> impl Iterator<Item = &str> {
        self.found_by.iter().map(String::as_str)
    }

    /// The kind of failure that it is claimed to be.
    #[must_use]
    pub const fn class(&self) -> Option<FailureClass> {
        self.class
    }

    /// The kind of failure that it counts as: a claim that is not proven is a product defect.
    #[must_use]
    pub fn effective_class(&self) -> FailureClass {
        self.class.filter(|class| class.is_proven_by(self)).unwrap_or(FailureClass::ProductDefect)
    }

    /// Its number among findings of one fingerprint, from 0.
    #[must_use]
    pub const fn occurrence(&self) -> u32 {
        match self.occurrence {
            Some(number) => number,
            None => 0,
        }
    }

    /// Names it by what it is about: the item and the root cause (the title, where no cause is given).
    ///
    /// Lines, regions of a known element, severity, wording of the rest and finders do not enter, so it stays when ten
    /// lines are inserted above. Findings that share it are told apart by their [occurrence](Self::occurrence).
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let cause = plain(if self.cause.trim().is_empty() { &self.title } else { &self.cause });
        let place = self.location.place();
        Fingerprint::of_parts(place.into_iter().chain([("cause", cause.as_str())]))
    }

    /// What a reader would miss: a failure without a fix, or a class that is claimed and not proven.
    #[must_use]
    pub fn gaps(&self) -> Vec<String> {
        let mut gaps = Vec::new();
        if self.status == Status::Fail && self.fix.trim().is_empty() {
            gaps.push("a failure needs a fix, and none is given".to_owned());
        }
        if let Some(class) = self.class.filter(|class| !class.is_proven_by(self)) {
            gaps.push(format!("{class} must prove {}; it counts as a product defect", class.must_prove()));
        }
        gaps
    }
}

/// A text without what makes no difference: case, runs of blanks, a final stop.
pub(crate) fn plain(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").trim_end_matches('.').to_lowercase()
}
