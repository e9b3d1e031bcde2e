//! Failures of other systems, as public reports describe them, and rules that the sources state.

use trueup_findings::{
    Counts, Evidence, EvidenceKind, FailureClass, Finding, Findings, Location, Rounds, Severity, Status, emit,
};

fn story(id: &str, severity: Severity, finder: &str) -> Finding {
    Finding::new(id, "the owner comes from the client", severity)
        .at(Location::item("api-storage-router"))
        .caused_by("creatorId is read from the request")
        .with_fix("derive it from the session")
        .found_also_by(finder)
}

#[test]
fn a_high_is_not_swallowed_by_an_older_low() {
    // Elsewhere the High vanished behind the Low, and only the first candidate was looked at.
    let other = story("F9", Severity::Minor, "tool").caused_by("something else");
    let lists = [
        vec![other.clone(), story("F1", Severity::Minor, "generator")],
        vec![story("F2", Severity::Blocking, "evaluator"), other],
    ];
    for order in [[0, 1], [1, 0]] {
        let merged = order.iter().map(|i| Findings::of(lists[*i].clone())).reduce(Findings::merge).unwrap();
        let list = merged.list();
        assert_eq!(list.len(), 2);
        assert_eq!((list[0].id(), list[0].severity()), ("F1", Severity::Blocking));
        assert_eq!(list[0].found_by().collect::<Vec<_>>(), ["evaluator", "generator"]);
    }
}

#[test]
fn ten_lines_above_change_no_fingerprint() {
    let at = |line| {
        Finding::new("F1", "gap off the scale", Severity::Minor)
            .caused_by("gap: 13px")
            .at(Location::file("a.css", Some(line)))
    };
    assert_eq!(at(4).fingerprint(), at(14).fingerprint());
    assert_ne!(at(4).fingerprint(), at(4).at(Location::file("b.css", Some(4))).fingerprint());
    // Two in one file are two, and stay the same two when both move.
    let before = Findings::of([at(4), at(20)]).list();
    let after = Findings::of([at(30), at(14)]).list();
    assert_eq!((before.len(), after.len()), (2, 2));
    let mut rounds = Rounds::new();
    rounds.push(&Findings::of([at(4), at(20)]));
    let diff = rounds.push(&Findings::of([at(14), at(30)]));
    assert_eq!((diff.persisting.len(), diff.new.len(), diff.fixed.len()), (2, 0, 0));
    // Numbered once, they keep their numbers.
    let numbered = Findings::of(after);
    assert_eq!(numbered.list().iter().map(Finding::occurrence).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn two_pictures_of_equal_name_stay_two() {
    // Elsewhere the same picture was shown twice.
    let region = |region: &str| {
        Finding::new("F", "it differs", Severity::Important).at(Location::visual(
            "home",
            Some(region.to_owned()),
            None,
        ))
    };
    let list = Findings::of([region("r1"), region("r2")]).list();
    assert_eq!(list.len(), 2);
    let junit = emit::junit(&list);
    assert!(junit.contains("name=\"1 it differs\"") && junit.contains("name=\"2 it differs\""), "{junit}");
}

#[test]
fn the_same_change_must_mend_both() {
    let fixed = |fix: &str| story("F", Severity::Minor, "x").with_fix(fix);
    // Case, blanks and a final stop make no difference; another fix does, and is proposed.
    assert_eq!(Findings::of([fixed("Use the session."), fixed("use  the session")]).list().len(), 1);
    let several = Findings::of([fixed("use the session"), fixed("sign the id"), fixed("")]);
    assert_eq!(several.list().len(), 3, "which fix the third would be is not guessed");
    assert_eq!(several.near_duplicates().len(), 3);
    assert_eq!(several.near_duplicates()[0].why, "the same cause, with different fixes");
    // Where there is only one fix, whoever named none joins.
    let joined = Findings::of([fixed("use the session"), fixed("")]);
    assert_eq!((joined.list().len(), joined.list()[0].fix()), (1, "use the session"));
    assert!(joined.near_duplicates().is_empty());
}

#[test]
fn near_duplicates_are_proposed() {
    let of = |title: &str, item: &str| Finding::new("F", title, Severity::Minor).at(Location::item(item));
    let findings = Findings::of([
        of("dispatch_epoch field is missing", "router"),
        of("missing field dispatch_epoch", "router"),
        of("dispatch_epoch field is missing", "other"),
        of("the colours clash", "router"),
    ]);
    let near = findings.near_duplicates();
    assert_eq!(near.len(), 1, "{near:?}");
    assert_eq!(findings.list().len(), 4);
}

#[test]
fn a_claimed_class_must_be_proven() {
    let of = |class| story("F", Severity::Blocking, "evaluator").with_class(class);
    for class in [
        FailureClass::Environment,
        FailureClass::HarnessFlake,
        FailureClass::Scope,
        FailureClass::SpecContradiction,
    ] {
        let finding = of(class);
        assert_eq!(finding.effective_class(), FailureClass::ProductDefect, "{class}");
        assert!(finding.gaps()[0].contains(class.must_prove()), "{class}");
    }
    let tool = Evidence::new(EvidenceKind::Tool, "preflight").with_quote("secret CI_TOKEN is missing");
    assert_eq!(
        of(FailureClass::Environment).with_evidence(tool.clone()).effective_class(),
        FailureClass::Environment
    );
    let flake = of(FailureClass::HarnessFlake).with_evidence(tool);
    assert_eq!(flake.effective_class(), FailureClass::ProductDefect, "nobody seconds it");
    assert_eq!(flake.found_also_by("orchestrator").effective_class(), FailureClass::HarnessFlake);
    assert_eq!(of(FailureClass::Scope).found_also_by("human").effective_class(), FailureClass::Scope);
    let places = ["a.md:1", "b.md:2"].map(|place| Evidence::new(EvidenceKind::File, place));
    let contradiction = places.into_iter().fold(of(FailureClass::SpecContradiction), Finding::with_evidence);
    assert_eq!(contradiction.effective_class(), FailureClass::SpecContradiction);
    for class in FailureClass::ALL {
        assert_eq!(FailureClass::from_name(class.as_str()), Some(*class));
        assert_eq!(
            class.skips_the_ladder(),
            matches!(
                class,
                FailureClass::Security | FailureClass::SpecContradiction | FailureClass::MissingAccess
            )
        );
    }
}

#[test]
fn rounds_tell_new_from_persisting_fixed_and_regressed() {
    let of = |cause: &str| Finding::new("F", cause, Severity::Minor).at(Location::item("x"));
    let unverified = |cause: &str| of(cause).with_status(Status::Unverified);
    let mut rounds = Rounds::new();
    let causes = |list: &[Finding]| list.iter().map(|finding| finding.title().to_owned()).collect::<Vec<_>>();
    let mut push = |list: Vec<Finding>| {
        let diff = rounds.push(&Findings::of(list));
        [causes(&diff.new), causes(&diff.persisting), causes(&diff.fixed), causes(&diff.regressed)]
    };
    let none: &[&str] = &[];
    assert_eq!(push(vec![of("a"), of("b"), unverified("z")]), [&["a", "b"], none, none, none]);
    assert_eq!(push(vec![of("a"), of("c")]), [&["c"], &["a"][..], &["b"], none]);
    // Not seen this time is not shown to be gone.
    assert_eq!(push(vec![unverified("a"), of("b")]), [none, &["a"], &["c"], &["b"]]);
    assert_eq!(push(vec![of("a").with_status(Status::Pass)]), [none, none, &["b", "a"], none]);
    assert_eq!(push(vec![of("a")]), [none, none, none, &["a"]]);
}

#[test]
fn counts_are_of_what_fails() {
    let list = [
        story("1", Severity::Blocking, "x"),
        story("2", Severity::Minor, "x").with_status(Status::Unverified),
        story("3", Severity::Minor, "x").with_status(Status::Pass),
        story("4", Severity::Important, "x"),
    ];
    let counts = Counts::of(&list);
    assert_eq!((counts.blocking, counts.important, counts.minor, counts.total()), (1, 1, 0, 2));
    assert!(list[0].gaps().is_empty());
    assert_eq!(Finding::new("F", "t", Severity::Minor).gaps().len(), 1, "a failure needs a fix");
}
