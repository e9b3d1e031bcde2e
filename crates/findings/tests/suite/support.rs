//! What the tests share.

use trueup_findings::{Evidence, EvidenceKind, FailureClass, Finding, Location, Severity, Status};

/// Findings of every kind, with text that each format has to guard against.
pub(crate) fn sample() -> Vec<Finding> {
    vec![
        Finding::new("F1", "creatorId comes from the client", Severity::Blocking)
            .with_dimension("Security", Some("2".parse().unwrap()))
            .with_confidence("0.9".parse().unwrap())
            .at(Location::Span {
                file: "src/api router.rs".to_owned(),
                line: std::num::NonZeroU32::new(3),
                column: std::num::NonZeroU32::new(5),
            })
            .caused_by("the id is read from the request")
            .with_steps(["POST /api/items/42/delete with another user's token", "read the answer"])
            .with_difference("403 Forbidden", "200 OK — the item is gone")
            .with_impact("anybody can delete anybody's items")
            .with_fix("take the id from the session")
            .with_evidence(Evidence::new(EvidenceKind::Tool, "curl").with_quote("200 OK"))
            .found_also_by("generator")
            .found_also_by("evaluator")
            .with_class(FailureClass::Security),
        Finding::new("F2", "100 % | `of` <b>tables</b> *break*\nhere\u{1b}[31m\u{0}", Severity::Important)
            .at(Location::visual("home__dark", Some("r1".to_owned()), Some("hero/title".to_owned())))
            .with_fix("escape: it, all")
            .found_also_by("evaluator"),
        Finding::new("F3", "a default is not documented", Severity::Minor)
            .at(Location::item("story api-storage")),
        Finding::new("F4", "contrast", Severity::Important).with_status(Status::Unverified),
        Finding::new("F5", "links work", Severity::Blocking).with_status(Status::Pass),
    ]
}
