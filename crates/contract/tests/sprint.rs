//! The sprint contract from its draft to its verdicts.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::collections::BTreeMap;

use trueup_contract::{
    ContractNeed, Criterion, CriterionStatus, HarnessLevel, Negotiation, SprintContract, SprintErrorKind,
    TestScenario,
};
use trueup_score::{Points, Truth};

fn draft() -> SprintContract {
    let points = |text: &str| -> Points { text.parse().unwrap() };
    SprintContract::draft(1, "Originality", "2026-01-01T00:00:00Z")
        .with_criterion(Criterion::new("AC-01", "the headline has a contrast of 4.5", "a calculator"))
        .with_criterion(Criterion::new("AC-02", "no horizontal scrolling", "by eye"))
        .with_scenario(TestScenario::new("TS-01", "a small screen", "playwright", "playwright test"))
        .with_pass_condition("Originality", points("0.7"))
        .with_pass_condition("Completeness", points("1"))
}

fn found(list: &[(&str, Truth)]) -> BTreeMap<String, Truth> {
    list.iter().map(|(id, truth)| ((*id).to_owned(), *truth)).collect()
}

#[test]
fn it_is_negotiated_in_two_rounds_and_then_the_brief_decides() {
    let mut negotiation = Negotiation::new(draft(), 2);
    let eased = draft().with_criterion(Criterion::new("AC-03", "it loads", "open it"));
    negotiation.round("add that it loads", "yes", Some(eased)).unwrap();
    negotiation.round("drop AC-02", "no", None).unwrap();
    assert_eq!(negotiation.rounds_left(), 0);
    let error = negotiation.round("drop AC-01 then", "no", None).unwrap_err();
    assert_eq!(error.kind(), &SprintErrorKind::RoundsSpent { allowed: 2 });
    negotiation.decide_by_brief("drop AC-01 then", "the brief asks for it", None).unwrap();
    let frozen = negotiation.freeze().unwrap();
    assert_eq!(frozen.criteria().len(), 3);
    let history: Vec<_> =
        frozen.negotiation_history.iter().map(|one| (one.round, one.accepted, one.by_brief)).collect();
    assert_eq!(history, [(1, true, false), (2, false, false), (3, false, true)]);
}

#[test]
fn a_draft_that_contradicts_itself_is_refused_and_changes_nothing() {
    let mut negotiation = Negotiation::new(draft(), 2);
    let before = negotiation.clone();
    let twice = draft().with_criterion(Criterion::new("AC-01", "again", "again"));
    let error = negotiation.round("again", "yes", Some(twice)).unwrap_err();
    assert_eq!(error.kind(), &SprintErrorKind::DuplicateId { id: "AC-01".to_owned() });
    assert_eq!(negotiation, before);
    let empty = SprintContract::draft(1, "Originality", "");
    assert_eq!(empty.check().unwrap_err().kind(), &SprintErrorKind::NoCriteria);
    let mut elsewhere = draft();
    elsewhere.priority_dimension = "Beauty".to_owned();
    assert!(matches!(elsewhere.check().unwrap_err().kind(), SprintErrorKind::UnknownDimension { .. }));
}

#[test]
fn what_has_passed_is_carried_forward_and_losing_it_is_seen() {
    let mut first = draft();
    first.record(&found(&[("AC-01", Truth::Pass), ("AC-02", Truth::Fail)])).unwrap();
    let refined = BTreeMap::from([("AC-02".to_owned(), "no scrolling at 375 px".to_owned())]);
    let added = [Criterion::new("AC-03", "alt texts", "a scan")];
    let mut second = first.next(&refined, added, "2026-01-02T00:00:00Z").unwrap();
    let standing: Vec<_> =
        second.acceptance_checklist.iter().map(|one| (one.id.as_str(), one.status)).collect();
    assert_eq!(
        standing,
        [
            ("AC-01", CriterionStatus::Passed),
            ("AC-02", CriterionStatus::Refined),
            ("AC-03", CriterionStatus::New)
        ]
    );
    assert_eq!((second.sprint_id.as_str(), second.iteration), ("sprint-2", 2));
    assert_eq!(second.carries_forward(&first), Ok(()));
    // It is verified again, and is lost.
    second
        .record(&found(&[("AC-01", Truth::Fail), ("AC-02", Truth::Pass), ("AC-03", Truth::Undetermined)]))
        .unwrap();
    let lost: Vec<_> = second.regressions(&first).into_iter().map(|one| one.id.as_str()).collect();
    assert_eq!(lost, ["AC-01"]);
    assert_eq!(second.acceptance_checklist[2].status, CriterionStatus::Pending, "unverified is neither");
    let mut dropped = second.clone();
    dropped.acceptance_checklist.retain(|one| one.id != "AC-02");
    let error = dropped.carries_forward(&second).unwrap_err();
    assert_eq!(error.kind(), &SprintErrorKind::DroppedCriterion { id: "AC-02".to_owned() });
}

#[test]
fn nothing_outside_the_contract_is_scored() {
    let mut contract = draft();
    let before = contract.clone();
    let error = contract.record(&found(&[("AC-01", Truth::Pass), ("AC-99", Truth::Pass)])).unwrap_err();
    assert_eq!(error.kind(), &SprintErrorKind::UnknownCriterion { id: "AC-99".to_owned() });
    assert_eq!(contract, before);
}

#[test]
fn r20_the_hash_is_of_what_was_agreed() {
    let contract = draft();
    let mut scored = contract.clone();
    scored.record(&found(&[("AC-01", Truth::Pass)])).unwrap();
    assert_eq!(scored.digest(), contract.digest(), "scoring changes nothing that was agreed");
    let mut reworded = contract.clone();
    reworded.acceptance_checklist[0].criterion.push('!');
    let mut easier = contract.clone();
    easier.pass_conditions.insert("Originality".to_owned(), Points::ZERO);
    for changed in [reworded, easier] {
        assert_ne!(changed.digest(), contract.digest());
    }
}

#[test]
fn a_level_can_only_be_raised() {
    let levels = [HarnessLevel::Minimal, HarnessLevel::Standard, HarnessLevel::Thorough];
    for (place, level) in levels.into_iter().enumerate() {
        for (other, asked) in levels.into_iter().enumerate() {
            assert_eq!(level.raised_to(asked), levels[place.max(other)]);
        }
        assert_eq!(HarnessLevel::from_name(&level.to_string()), Some(level));
    }
    let needs = levels.map(HarnessLevel::contract);
    assert_eq!(needs, [ContractNeed::Skipped, ContractNeed::Optional, ContractNeed::Required]);
    assert_eq!(HarnessLevel::from_name("extreme"), None);
}

#[cfg(feature = "serde")]
#[test]
fn it_reads_and_writes_the_documents_own_fields() {
    let text = r#"{
  "sprint_id": "sprint-1",
  "iteration": 1,
  "priority_dimension": "Originality",
  "acceptance_checklist": [
    {
      "id": "AC-01",
      "criterion": "Hero headline contrast ratio >= 4.5:1",
      "verification": "Check color pair with contrast calculator",
      "status": "pending"
    }
  ],
  "test_scenarios": [
    {
      "id": "TS-01",
      "description": "Mobile viewport renders without horizontal scroll",
      "tool": "Playwright",
      "command": "playwright test --viewport 375x667"
    }
  ],
  "pass_conditions": {
    "Completeness": 0.8,
    "Design Quality": 0.75,
    "Functionality": 1,
    "Originality": 0.7
  },
  "negotiation_history": [],
  "created_at": "2026-01-01T00:00:00Z"
}"#;
    let contract: SprintContract = serde_json::from_str(text).unwrap();
    assert_eq!(
        contract.pass_conditions["Originality"],
        "0.7".parse().unwrap(),
        "exact, and no binary fraction"
    );
    assert_eq!(serde_json::to_string_pretty(&contract).unwrap(), text);
    for (from, to) in [
        ("0.75", "1e999"),
        ("0.75", "0.12345678"),
        ("0.75", "\"0.75\""),
        ("pending", "done"),
        ("\"created_at\"", "\"created\""),
    ] {
        assert!(serde_json::from_str::<SprintContract>(&text.replace(from, to)).is_err(), "{to}");
    }
    let all = ["pending", "passed", "failed", "refined", "new"];
    assert!(
        all.iter()
            .all(|status| serde_json::from_str::<SprintContract>(&text.replace("pending", status)).is_ok())
    );
}
