//! `trueup run` on the card.

use std::fs;

use crate::{Card, DESIGN, code, set, stderr, stdout};

fn scores(card: &Card) -> Vec<f64> {
    let list = card.status("score_history");
    list.trim_matches(['[', ']']).split(", ").map(|score| score.parse().unwrap()).collect()
}

#[test]
fn the_card_converges_with_a_strictly_falling_score() {
    let card = Card::drifted();
    let output = card.run(&[]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    assert_eq!(card.status("status"), "converged");
    let scores = scores(&card);
    assert!(scores.len() <= 7 && scores.windows(2).all(|pair| pair[1] < pair[0]), "{scores:?}");
    assert_eq!(scores.last(), Some(&0.0));
    for (name, value) in DESIGN {
        assert!(card.svg().contains(&format!("{name}: {value};")), "{name}");
    }
    // One line a step, and one to end with.
    let text = stdout(&output);
    let compared = text.lines().filter(|line| line.contains("] compare  score ")).count();
    assert_eq!(compared, scores.len(), "{text}");
    assert!(text.contains("· 0 open regions (channels=visual)"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("converged after "), "{text}");
    for file in ["journal.jsonl", "plan.json", "diff/00.yaml", "diff/00/card.diff.png", "reference/card.png"]
    {
        assert!(card.path("runs/r").join(file).is_file(), "{file}");
    }
}

#[test]
fn only_the_tokens_are_changed() {
    let card = Card::drifted();
    let before = card.svg();
    card.run(&[]);
    let expected = DESIGN.iter().fold(before, |svg, (name, value)| set(&svg, name, value));
    assert_eq!(card.svg(), expected);
}

#[test]
fn a_design_that_is_right_already_converges_without_a_revision() {
    let card = Card::with(&DESIGN);
    let before = card.svg();
    let output = card.run(&[]);
    assert_eq!((code(&output), card.status("iterations").as_str()), (0, "0"));
    assert_eq!(card.svg(), before);
}

#[test]
fn a_design_that_cannot_be_reached_ends_honestly_in_the_best_state() {
    let card = Card::drifted();
    card.configure("reference/card.png", "unreachable.png");
    let output = card.run(&[]);
    assert_eq!(code(&output), 1, "{}", stdout(&output));
    let status = card.status("status");
    assert!(status.starts_with("not-converged:"), "{status}");
    // What is still open is named, and stands in the last diff file.
    let residual = card.status("residual_delta_ids");
    assert_ne!(residual, "[]");
    let mut files: Vec<_> = fs::read_dir(card.path("runs/r/diff"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    files.sort();
    let last = fs::read_to_string(files.last().unwrap()).unwrap();
    assert!(last.contains(&format!("delta_ids: {residual}")), "{residual} in {last}");
    // The tokens themselves were brought to the design all the same: what is left is no token's doing.
    for (name, value) in DESIGN {
        assert!(card.svg().contains(&format!("{name}: {value};")), "{name} in the best state");
    }
    assert!(stdout(&output).lines().last().unwrap().starts_with(&status));
}

#[test]
fn several_labels_are_compared_in_one_run() {
    let card = Card::drifted();
    let second = "[[label]]\nname = \"again\"\nsource = \"card.svg\"\nviewport = \"360x240\"\nreference = \"reference/card.png\"\n\n[reviser]";
    card.configure("[reviser]", second);
    let output = card.run(&[]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert!(fs::read_to_string(card.path("runs/r/diff/00.yaml")).unwrap().contains("again/r1"));
    assert!(card.path("runs/r/diff/00/again.report.json").is_file());
}

#[test]
fn a_label_whose_reference_is_broken_keeps_the_run_from_converging() {
    let card = Card::drifted();
    fs::write(card.path("reference/broken.png"), b"\x89PNG\r\n\x1a\n").unwrap();
    let second = "[[label]]\nname = \"broken\"\nsource = \"card.svg\"\nviewport = \"360x240\"\nreference = \"reference/broken.png\"\n\n[reviser]";
    card.configure("[reviser]", second);
    let output = card.run(&[]);
    assert_eq!(
        (code(&output), card.status("status").as_str()),
        (3, "undetermined:design-side"),
        "{}",
        stdout(&output)
    );
    assert!(card.summary().contains("broken cannot be compared"), "{}", card.summary());
}

#[test]
fn a_reference_that_cannot_be_read_is_undetermined_before_anything_is_revised() {
    let card = Card::drifted();
    let before = card.svg();
    fs::remove_file(card.path("reference/card.png")).unwrap();
    let output = card.run(&[]);
    assert_eq!((code(&output), card.status("status").as_str()), (3, "undetermined:reference-unreadable"));
    assert!(stdout(&output).contains("card.png does not exist"), "{}", stdout(&output));
    assert_eq!(card.svg(), before);
}

#[test]
fn repair_shows_before_and_after() {
    let card = Card::drifted();
    card.run(&["--mode", "repair"]);
    let summary = card.summary();
    assert!(summary.contains("## Before and after") && summary.contains("| after | 0.0 | 0 |"), "{summary}");
    let card = Card::drifted();
    card.run(&["--mode", "create"]);
    assert!(!card.summary().contains("Before and after"));
}

#[test]
fn r17_caps_come_from_flag_alias_config_or_preset_and_say_so() {
    for (args, cap, source) in [
        (vec!["--iteration-cap", "1"], "1", "flag"),
        (vec!["--iteration-cap", "08"], "8", "flag"),
        (vec!["--tolerance", "iteration_cap=1"], "1", "tolerance-alias"),
        (vec!["--tolerance", "color_delta_e=2,iteration_cap=2", "--iteration-cap", "1"], "1", "flag"),
        (vec!["--iteration-cap", "Infinity"], "6", "default"),
        (vec!["--iteration-cap=-1"], "6", "default"),
        (vec![], "6", "config"),
    ] {
        let card = Card::drifted();
        card.run(&args);
        assert_eq!(
            (card.status("iteration_cap").as_str(), card.status("iteration_cap_source").as_str()),
            (cap, source),
            "{args:?}"
        );
    }
    let card = Card::drifted();
    card.run(&["--iteration-cap", "1e9"]);
    assert!(card.summary().contains("took the default 6"), "{}", card.summary());
    let card = Card::drifted();
    card.configure("[limits]\niteration_cap = 6\n", "");
    card.run(&[]);
    assert_eq!(card.status("iteration_cap_source"), "preset");
}

#[test]
fn a_cap_of_zero_measures_only() {
    let card = Card::drifted();
    let before = card.svg();
    let output = card.run(&["--iteration-cap", "0"]);
    assert_eq!((code(&output), card.status("status").as_str()), (1, "not-converged:cap-exhausted"));
    assert_eq!(card.svg(), before);
}

#[test]
fn the_result_can_be_read_by_machines() {
    let card = Card::drifted();
    let output = card.run(&["--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(
        (document["schema"].as_str(), document["status"].as_str()),
        (Some("trueup.run/1"), Some("converged"))
    );
    assert_eq!(document["score_history"].as_array().unwrap().last().unwrap(), "0");
    assert!(stderr(&output).contains("] compare  score"), "progress goes to standard error");
}

#[test]
fn a_finished_run_is_told_again_and_changes_nothing() {
    let card = Card::drifted();
    let first = card.run(&[]);
    fs::write(card.path("card.svg"), set(&card.svg(), "--space", "20px")).unwrap();
    let edited = card.svg();
    let again = card.run(&[]);
    assert_eq!((code(&first), code(&again)), (0, 0));
    assert_eq!(card.svg(), edited, "what people did after the run is theirs");
}
