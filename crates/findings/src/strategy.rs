//! Strategies for property tests (feature `proptest`).

use proptest::prelude::*;
use trueup_score::Points;

use crate::{Evidence, EvidenceKind, FailureClass, Finding, Location, Severity, Status};

impl Location {
    /// A few places, so that findings meet.
    pub fn strategy() -> impl Strategy<Value = Self> {
        prop_oneof![
            Just(Self::Unknown),
            (0u32..3).prop_map(|line| Self::file("a.rs", (line > 0).then_some(line))),
            Just(Self::item("story")),
            (proptest::option::of("[rs]"), proptest::option::of("[e]"))
                .prop_map(|(region, element)| Self::visual("home", region, element)),
        ]
    }
}

impl Finding {
    /// Findings that collide often: few places, causes and fixes, and all else free.
    pub fn strategy() -> impl Strategy<Value = Self> {
        (
            (
                "[ab]",
                "[TU]",
                proptest::sample::select(&Severity::ALL[..]),
                Location::strategy(),
                "[cd]?",
                "[xy]?",
            ),
            (
                proptest::sample::select(&[Status::Pass, Status::Fail, Status::Unverified][..]),
                proptest::option::of(0i64..3),
                proptest::option::of("[PQ]"),
                proptest::option::of(1i64..5),
                proptest::collection::vec("[st]", 0..3),
                proptest::option::of(proptest::sample::select(FailureClass::ALL)),
            ),
            (
                proptest::collection::vec("[mn]", 0..3),
                proptest::collection::vec("[gh]", 0..3),
                "[ij]?",
                "[kl]?",
            ),
        )
            .prop_map(
                |(
                    (id, title, severity, location, cause, fix),
                    (status, confidence, dimension, score, steps, class),
                    (evidence, finders, actual, impact),
                )| {
                    let mut finding = Self::new(id, title, severity)
                        .at(location)
                        .caused_by(cause)
                        .with_fix(fix)
                        .with_status(status)
                        .with_steps(steps)
                        .with_impact(impact)
                        .with_difference("", actual)
                        // Numbered before, as what was read from a merged document is.
                        .with_occurrence(0);
                    if let Some(confidence) = confidence {
                        finding = finding.with_confidence(Points::from_micros(confidence * 500_000));
                    }
                    if let Some(dimension) = dimension {
                        finding = finding.with_dimension(dimension, score.map(Points::from_whole));
                    }
                    if let Some(class) = class {
                        finding = finding.with_class(class);
                    }
                    let finding = evidence
                        .into_iter()
                        .fold(finding, |f, e| f.with_evidence(Evidence::new(EvidenceKind::Note, e)));
                    finders.into_iter().fold(finding, Self::found_also_by)
                },
            )
    }
}
