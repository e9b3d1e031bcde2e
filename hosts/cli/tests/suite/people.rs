//! What people decide: answers to a run that waits, regions that they excuse, what they agreed on.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use crate::{Card, code, stderr, stdout, trueup};

/// A card that a judge in shell never lets pass, under the preset that asks people.
pub(crate) fn judged() -> Card {
    let card = Card::drifted();
    card.configure("preset = \"trueup\"", "preset = \"aep\"");
    let config = fs::read_to_string(card.path("trueup.toml")).unwrap();
    let judge = "\n[judge]\ncommand = [\"sh\", \"judge.sh\"]\nrubric = \"rubric.toml\"\n";
    fs::write(card.path("trueup.toml"), config + judge).unwrap();
    let axis =
        "[[axis]]\nname = \"calm\"\ntext = \"How calm it is.\"\nmin = 1\nmax = 5\nstep = 1\nfloor = 3\n";
    fs::write(card.path("rubric.toml"), format!("name = \"calm\"\n\n{axis}")).unwrap();
    says(&card, r#"{"rubric": {"calm": {"score": 2, "rationale": "loud"}}}"#);
    card
}

pub(crate) fn says(card: &Card, reply: &str) {
    fs::write(card.path("judge.sh"), format!("cat >/dev/null\nprintf '%s' '{reply}'\n")).unwrap();
}

fn answer(card: &Card, args: &[&str]) -> Output {
    let mut all = vec!["--iteration-cap", "3", "--answer"];
    all.extend(args);
    card.run(&all)
}

#[test]
fn a_run_that_waits_says_how_to_answer_and_takes_the_answer() {
    let card = judged();
    let waits = card.run(&["--iteration-cap", "3"]);
    assert_eq!(code(&waits), 4, "{}{}", stdout(&waits), stderr(&waits));
    assert!(stdout(&waits).contains("--run-id r --answer continue"), "{}", stdout(&waits));
    let asked = fs::read_to_string(card.path("runs/r/needs-human.md")).unwrap();
    assert!(asked.contains("**Question:** how to go on from"), "{asked}");
    // Nobody's answer is nobody's; it goes on waiting, and asks once.
    assert_eq!(code(&card.run(&["--iteration-cap", "3"])), 4);
    assert_eq!(fs::read_to_string(card.path("runs/r/needs-human.md")).unwrap(), asked);
    let on = answer(&card, &["continue", "--focus", "the title", "--more-iterations", "1"]);
    assert_eq!(code(&on), 4, "{}", stdout(&on));
    assert!(stdout(&on).contains("after 4 of 3 iterations"), "{}", stdout(&on));
    let unsigned = answer(&card, &["accept-as-is"]);
    assert_eq!(code(&unsigned), 2);
    assert!(stderr(&unsigned).contains("--by <NAME>"), "{}", stderr(&unsigned));
    let accepted = answer(&card, &["accept-as-is", "--by", "ana"]);
    assert_eq!(code(&accepted), 1, "taken as it is is not converged: {}", stdout(&accepted));
    assert!(stdout(&accepted).contains("accepted-unconverged"), "{}", stdout(&accepted));
    let record = fs::read_to_string(card.path("runs/r/needs-human.md")).unwrap();
    assert!(record.contains("continue, with a look at the title, 1 more iterations"), "{record}");
    assert!(record.contains("accept-as-is, says ana"), "{record}");
    // It is over: another answer changes nothing, and says so.
    let late = answer(&card, &["abort"]);
    assert_eq!(code(&late), 1);
    assert!(
        stdout(&late).contains("nothing was asked, so the answer abort was not used"),
        "{}",
        stdout(&late)
    );
}

#[test]
fn an_aborted_run_ends_with_what_stopped_it() {
    let card = judged();
    assert_eq!(code(&card.run(&["--iteration-cap", "3"])), 4);
    let aborted = answer(&card, &["abort"]);
    assert_ne!(code(&aborted), 0);
    assert_ne!(code(&aborted), 4, "{}", stdout(&aborted));
}

/// What a run judged, with every region excused by somebody.
fn excused(card: &Card, run: &str) -> Value {
    let text = fs::read_to_string(card.path("runs").join(run).join("judgement.json")).unwrap();
    let mut judgement: Value = serde_json::from_str(&text).unwrap();
    for region in judgement["regions"].as_array_mut().unwrap() {
        region["class"] = json!("known");
        region["reason"] = json!("the photograph comes later");
        region["by"] = json!("ana");
    }
    judgement
}

fn run_as(card: &Card, id: &str) -> Output {
    let config = card.path("trueup.toml");
    trueup().arg("run").arg(config).args(["--run-id", id, "--iteration-cap", "0"]).output().unwrap()
}

#[test]
fn regions_that_somebody_excused_are_listed_and_hold_nothing_up() {
    let card = Card::drifted();
    let before = run_as(&card, "before");
    assert_eq!(code(&before), 1, "{}", stdout(&before));
    card.configure("preset = \"trueup\"", "preset = \"trueup\"\njudgement = \"judgement.json\"");
    let judgement = excused(&card, "before");
    assert!(!judgement["regions"].as_array().unwrap().is_empty());
    fs::write(card.path("judgement.json"), judgement.to_string()).unwrap();
    let after = run_as(&card, "after");
    assert_eq!(code(&after), 0, "{}{}", stdout(&after), stderr(&after));
    let summary = fs::read_to_string(card.path("runs/after/summary.md")).unwrap();
    assert!(summary.contains("the photograph comes later, says ana"), "{summary}");
    // An excuse lapses when its region changes.
    let svg = card.svg().replace("#3f6fd9", "#c02020");
    fs::write(card.path("card.svg"), svg).unwrap();
    let changed = run_as(&card, "changed");
    assert_eq!(code(&changed), 1, "{}", stdout(&changed));
    let said = fs::read_to_string(card.path("runs/changed/judgement.json")).unwrap();
    assert!(said.contains("was known, and has changed"), "{said}");
}

#[test]
fn an_excuse_needs_a_reason_and_somebody_who_gives_it() {
    let card = Card::drifted();
    assert_eq!(code(&run_as(&card, "before")), 1);
    card.configure("preset = \"trueup\"", "preset = \"trueup\"\njudgement = \"judgement.json\"");
    let whole = excused(&card, "before");
    let mut nobody = whole.clone();
    nobody["regions"][0]["by"] = Value::Null;
    let mut typo = whole.clone();
    typo["regions"][0]["class"] = json!("knwon");
    let mut other = whole;
    other["schema"] = json!("trueup.diff/1");
    for (text, said) in [
        (nobody.to_string(), "is known: an excuse needs a reason and who gives it (by)"),
        (typo.to_string(), "unknown variant `knwon`, expected one of"),
        (other.to_string(), "expected a trueup.judgement/1"),
        ("{".to_owned(), "judgement.json: EOF"),
    ] {
        fs::write(card.path("judgement.json"), text).unwrap();
        let output = run_as(&card, "x");
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains(said), "{said}: {}", stderr(&output));
    }
}

fn sprint(least: f64) -> Value {
    json!({
        "sprint_id": "sprint-1", "iteration": 1, "priority_dimension": "calm",
        "acceptance_checklist": [
            {"id": "AC-01", "criterion": "the title is one line", "verification": "look at it", "status": "pending"}
        ],
        "test_scenarios": [], "pass_conditions": {"calm": least}, "negotiation_history": [],
        "created_at": "2026-01-01T00:00:00Z"
    })
}

#[test]
fn a_sprint_contract_is_judged_by_its_criteria_and_raised_floors_and_kept() {
    let card = judged();
    card.configure("preset = \"aep\"", "preset = \"trueup\"\nsprint = \"contract/sprint-1.json\"");
    fs::create_dir(card.path("contract")).unwrap();
    let file = card.path("contract/sprint-1.json");
    fs::write(&file, sprint(4.0).to_string()).unwrap();
    fs::write(card.path("card.svg"), Card::with(&crate::DESIGN).svg()).unwrap();
    let judge = |score: u32, criterion: &str| {
        format!(
            r#"{{"rubric": {{"calm": {{"score": {score}, "rationale": "r"}}}}, "criteria": {{"AC-01": "{criterion}"}}}}"#
        )
    };
    for (id, score, criterion, expected) in
        [("a", 4, "pass", 0), ("b", 3, "pass", 1), ("c", 5, "fail", 1), ("d", 5, "undetermined", 3)]
    {
        says(&card, &judge(score, criterion));
        let output = run_as(&card, id);
        assert_eq!(code(&output), expected, "{score} {criterion}: {}{}", stdout(&output), stderr(&output));
    }
    let kept = fs::read_to_string(card.path("runs/a/contract/sprint-1.json")).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&kept).unwrap()["acceptance_checklist"],
        sprint(4.0)["acceptance_checklist"]
    );
    // A pass condition below the rubric's own floor lowers nothing.
    fs::write(&file, sprint(1.0).to_string()).unwrap();
    says(&card, &judge(2, "pass"));
    assert_eq!(code(&run_as(&card, "low")), 1);
}

#[test]
fn a_sprint_contract_that_cannot_be_judged_is_refused() {
    let card = judged();
    card.configure("preset = \"aep\"", "preset = \"aep\"\nsprint = \"sprint-1.json\"");
    let write = |value: &Value| fs::write(card.path("sprint-1.json"), value.to_string()).unwrap();
    let refused = |said: &str| {
        let output = run_as(&card, "x");
        assert_eq!(code(&output), 2, "{said}");
        assert!(stderr(&output).contains(said), "{said}: {}", stderr(&output));
        assert!(!Path::new(&card.path("runs/x")).exists(), "nothing is begun");
    };
    refused("sprint-1.json: it cannot be read");
    let mut unknown = sprint(3.0);
    unknown["pass_conditions"]["speed"] = json!(3);
    write(&unknown);
    refused("pass_conditions");
    let mut empty = sprint(3.0);
    empty["acceptance_checklist"] = json!([]);
    write(&empty);
    refused("sprint-1.json");
    let mut misspelt = sprint(3.0);
    misspelt["aceptance"] = json!(1);
    write(&misspelt);
    refused("unknown field `aceptance`");
    write(&sprint(3.0));
    card.configure("\n[judge]\ncommand = [\"sh\", \"judge.sh\"]\nrubric = \"rubric.toml\"\n", "");
    refused("nobody judges here");
}

#[test]
fn every_verdict_of_a_run_is_kept_in_full_and_logged_and_shown() {
    let card = judged();
    says(
        &card,
        r#"{"rubric": {"calm": {"score": 2, "rationale": "three loud blues", "evidence": [{"kind": "note", "locator": "the button"}]}}, "summary": "Too loud."}"#,
    );
    assert_eq!(code(&card.run(&["--iteration-cap", "3"])), 4);
    let folder = card.path("runs/r/evaluation");
    let kept = fs::read_dir(&folder).unwrap().count();
    assert!(kept >= 1, "{kept}");
    let report: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("report-1.json")).unwrap()).unwrap();
    let axis = &report["scorecard"]["axes"][0];
    assert_eq!((&axis["axis"], &axis["rationale"]), (&json!("calm"), &json!("three loud blues")));
    assert_eq!(axis["evidence"][0]["locator"], "the button");
    assert_eq!(report["scorecard"]["status"], "fail");
    for stamped in ["judge", "contract", "state", "at"] {
        assert!(report[stamped].is_string(), "{stamped}: {report}");
    }
    let log = || fs::read_to_string(card.path("runs/trueup-log.jsonl")).unwrap().lines().count();
    assert_eq!(log(), kept);
    let page = fs::read_to_string(card.path("runs/r/report.html")).unwrap();
    for words in ["three loud blues", "the button", "Too loud.", "below its floor"] {
        assert!(page.contains(words), "{words}");
    }
    // A run that goes on writes nothing twice.
    assert_eq!(code(&answer(&card, &["abort"])), 1);
    assert_eq!((fs::read_dir(&folder).unwrap().count(), log()), (kept, kept));
    let listed = trueup().args(["log"]).current_dir(card.path(".")).output().unwrap();
    assert_eq!(stdout(&listed).lines().count(), kept, "{}", stdout(&listed));
}
