//! The documents of an evaluation, letter for letter.

use trueup_findings::document::{
    ChangelogEntry, DimensionScore, Escalation, EvalRequest, EvalResponse, Mode, OpenQuestion, RoundRecord,
    Rung, open_questions,
};
use trueup_score::Truth;

use crate::support::sample;

#[test]
fn changelog_entries() {
    let list = sample();
    let entry = ChangelogEntry::new(
        "2026-03-30",
        "trueup",
        Mode::CodeReview,
        &list,
        &["owner from the \"session\"", "escaping"],
    );
    insta::assert_snapshot!("changelog", entry.to_string());
    let modes = [
        Mode::ProductContext,
        Mode::Design,
        Mode::CodeReview,
        Mode::Document,
        Mode::Custom("runbook".to_owned()),
    ];
    let labels: Vec<String> = modes.iter().map(ToString::to_string).collect();
    assert_eq!(labels, ["product-context", "design", "code-review", "document", "runbook"]);
}

#[test]
fn open_questions_keep_the_artifact_usable() {
    let question = OpenQuestion::new(
        "owner-model",
        "Who owns an item: its creator, or the team?",
        "The creator: \"most common\"",
        "If teams share items, ask again",
    );
    insta::assert_snapshot!("open_questions", open_questions(&[question], "trueup", "2026-03-30"));
    assert_eq!(open_questions(&[], "trueup", "2026-03-30"), "open_questions: []\n");
}

fn escalation() -> Escalation {
    let failing = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        list.iter().map(|(dimension, score)| ((*dimension).to_owned(), (*score).to_owned())).collect()
    };
    Escalation::new("Decide whether items belong to people or to teams.")
        .with_round(RoundRecord::new(1, failing(&[("Correctness", "2"), ("Security", "2")]), 4, 0, 4))
        .with_round(RoundRecord::new(2, failing(&[("Correctness", "3"), ("Security", "2")]), 3, 1, 0))
        .with_round(RoundRecord::new(3, failing(&[("Security", "2")]), 2, 1, 0))
        .with_persistent("the owner comes from the client", "who owns an item is not decided")
}

#[test]
fn escalations_carry_rounds_and_ladder() {
    let climbed = escalation()
        .with_rung(Rung::new("same_fix", "the check was moved, not added"))
        .with_rung(Rung::new("reground", "the specification names no owner"));
    insta::assert_snapshot!("escalation", climbed.to_string());
    let skipped = escalation().skipping_the_ladder("it is a decision about security");
    insta::assert_snapshot!("escalation_skipped", skipped.to_string());
}

#[test]
fn requests_and_responses() {
    let first = EvalRequest::new(1).with_what("tasks 1 to 4");
    insta::assert_snapshot!("eval_request_first", first.to_string());
    let second = EvalRequest::new(2)
        .with_what("tasks 1 to 4")
        .with_change("the owner comes from the session")
        .with_known_issue("no test for teams")
        .with_files_changed(" src/api.rs | 4 ++--\n 1 file changed\n");
    insta::assert_snapshot!("eval_request", second.to_string());
    let list = sample();
    let scores = [
        DimensionScore::new(
            "Security",
            Some("2".parse().unwrap()),
            "uneven: the delete route is not checked",
        ),
        DimensionScore::new("UX Quality", None, "no screen was running"),
    ];
    let violated = ["Security 2 is below 3".to_owned()];
    let updates = ["task 3: fails".to_owned()];
    let response =
        EvalResponse::new(2, &list, &scores, Truth::Fail).with_violated(&violated).with_updates(&updates);
    insta::assert_snapshot!("eval_response", response.to_string());
}
