//! `trueup next`: whoever calls is the reviser.

use std::fs;
use std::process::Output;

use serde_json::Value;

use crate::{Card, DESIGN, code, set, stderr, stdout, trueup};

fn next(card: &Card, args: &[&str]) -> Output {
    trueup().arg("next").arg(card.path("trueup.toml")).args(args).output().unwrap()
}

fn document(output: &Output) -> Value {
    serde_json::from_str(&stdout(output)).unwrap_or_else(|error| panic!("{error}: {}", stderr(output)))
}

/// The reviser: sets this many tokens to their design values, as a script would that knows the design.
fn revise(card: &Card, tokens: usize) {
    let svg = DESIGN[..tokens].iter().fold(card.svg(), |svg, (name, value)| set(&svg, name, value));
    fs::write(card.path("card.svg"), svg).unwrap();
}

/// A document of each kind.
pub(crate) fn documents() -> Vec<Value> {
    let card = Card::drifted();
    let json = ["--format", "json"];
    let revise_what = document(&next(&card, &json));
    vec![revise_what, document(&next(&card, &["--format", "json", "--give-up", "no idea"]))]
}

#[test]
fn a_script_that_edits_the_picture_converges_it() {
    let card = Card::drifted();
    let mut calls = 0;
    let last = loop {
        let output = next(&card, &["--format", "json"]);
        let document = document(&output);
        if code(&output) != 10 {
            break (output, document);
        }
        assert_eq!((&document["next"], &document["exit_code"]), (&"revise".into(), &10.into()));
        let revise_what = &document["revise"];
        assert_eq!(revise_what["iteration"], calls + 1);
        assert!(!revise_what["open"].as_array().unwrap().is_empty(), "{revise_what}");
        revise(&card, if calls == 0 { 1 } else { DESIGN.len() });
        calls += 1;
    };
    assert_eq!((code(&last.0), calls), (0, 2), "{}", stderr(&last.0));
    assert_eq!(last.1["run"]["status"], "converged");
    let summary = fs::read_to_string(card.path("runs/next/summary.md")).unwrap();
    assert!(summary.starts_with("---\nstatus: converged\n"), "{summary}");
}

#[test]
fn people_read_what_to_revise_and_what_was_brought_back() {
    let card = Card::drifted();
    let output = next(&card, &[]);
    let text = stdout(&output);
    assert_eq!(code(&output), 10);
    assert!(
        text.contains("revise and call again · iteration 1 of") && text.contains(" should be #"),
        "{text}"
    );
    // Unchanged files say the same again.
    assert_eq!(stdout(&next(&card, &[])), text);
    let drifted = card.svg();
    fs::write(card.path("card.svg"), set(&drifted, "--space", "40px")).unwrap();
    let text = stdout(&next(&card, &[]));
    assert!(
        text.starts_with("the last revision was no better: the files are back in the state of iteration 0"),
        "{text}"
    );
    assert_eq!(card.svg(), drifted);
}

#[test]
fn whoever_has_nothing_to_propose_gives_up() {
    let card = Card::drifted();
    assert_eq!(code(&next(&card, &[])), 10);
    let output = next(&card, &["--give-up", "out of ideas"]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("not-converged:no-ops"), "{}", stdout(&output));
    // Over is over; another id begins another run.
    assert_eq!(code(&next(&card, &[])), 1);
    assert_eq!(code(&next(&card, &["--run-id", "again"])), 10);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_in_its_best_state() {
    use std::process::{Command, Stdio};
    let card = Card::drifted();
    let mut child =
        card.command(&["--run-id", "r"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let journal = card.path("runs/r/journal.jsonl");
    while fs::read_to_string(&journal).unwrap_or_default().lines().count() < 20 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be called off");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert!(stderr(&output).contains("press Ctrl-C again"), "{}", stderr(&output));
    assert_eq!(card.status("status"), "cancelled");
}
