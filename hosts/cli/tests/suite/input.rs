//! Bad input: one clear error, the right exit code, and nothing on disk lost.

use std::fs;

use crate::{Card, code, stderr, stdout, trueup};

/// The error of a run that must be turned away with exit code 2 and leave no run folder behind.
fn refused(card: &Card) -> String {
    let before = card.svg();
    let output = card.run(&[]);
    assert_eq!(code(&output), 2, "{}{}", stdout(&output), stderr(&output));
    assert_eq!(card.svg(), before);
    assert!(!card.path("runs/r/journal.jsonl").exists());
    let text = stderr(&output);
    assert!(text.starts_with("error: ") && text.lines().count() <= 2, "one clear error: {text}");
    text
}

#[test]
fn mistakes_in_the_configuration_name_file_line_and_what_was_expected() {
    for (from, to, parts) in [
        (
            "preset = \"trueup\"",
            "prest = \"trueup\"",
            vec!["trueup.toml:7:1", "unknown key \"prest\"", "did you mean \"preset\""],
        ),
        ("preset = \"trueup\"", "preset = \"pixelloop\"", vec![":7:10", "expected trueup or pixel-loop"]),
        (
            "reference = \"reference/card.png\"",
            "refrence = \"reference/card.png\"",
            vec![":22:1", "unknown key \"refrence\"", "did you mean \"reference\""],
        ),
        ("viewport = \"360x240\"", "viewport = \"360\"", vec![":21:12", "WIDTHxHEIGHT"]),
        ("viewport = \"360x240\"", "viewport = 360", vec![":21:12", "a text in quotes", "integer"]),
        (
            "source = \"card.svg\"",
            "source = \"car.svg\"",
            vec![":20:10", "not one of the artifact's files: card.svg"],
        ),
        ("files = [\"card.svg\"]", "files = [\"gone.svg\"]", vec![":10:10", "is not a file"]),
        ("files = [\"card.svg\"]", "files = [\"../card.svg\"]", vec![":10:10", "without .."]),
        ("files = [\"card.svg\"]", "files = []", vec![":10:9", "the list is empty"]),
        ("color_delta_e = 2.0", "color_delta_e = -2.0", vec![":16:17", "0 to 1000"]),
        (
            "property = \"--brand\"",
            "property = \"--brandy\"",
            vec!["token brand: the declaration of --brandy is not in card.svg"],
        ),
        ("property = \"--brand\"", "property = \"--space\"", vec!["\"9px\" is not a CSS colour"]),
        (
            "property = \"--brand\"",
            "pointer = \"/a\"\nproperty = \"--brand\"",
            vec!["a token stands in one place"],
        ),
        ("type = \"color\"", "type = \"colour\"", vec!["\"color\", \"length\" or \"number\""]),
        ("name = \"text\"", "name = \"brand\"", vec!["the token \"brand\" is there twice"]),
        ("min = 0\nmax = 32", "min = 40\nmax = 32", vec!["min 40 must be below max 32"]),
        ("iteration_cap = 6", "iteration_cap = 08", vec![":67:17", "not TOML"]),
        ("iteration_cap = 6", "iteration_cap = 6\niteration_cap = 6", vec!["not TOML"]),
        ("[artifact]", "[artefact]", vec![":9:2", "did you mean \"artifact\""]),
        ("viewport =", "viewpoort =", vec![":21:1", "did you mean \"viewport\""]),
        (
            "viewport = \"360x240\"",
            "viewport = \"360x240\"\ntheme = \"dark\"",
            vec![":22:9", "knows no themes"],
        ),
        (
            "viewport = \"360x240\"",
            "viewport = \"360x240\"\nignore = [[0x10, 0, 1, 1]]",
            vec![":22:11", "device pixels"],
        ),
        ("name = \"text\"\nfile", "name = \"brand\"\nfile", vec!["the token \"brand\" is there twice"]),
        ("kind = \"svg\"", "kind = \"svg\"\nfonts = [\"card.svg\"]", vec![":14:10", "holds no font"]),
        ("kind = \"svg\"", "kind = \"chrome\"", vec![":13:8", "expected \"svg\""]),
    ] {
        let card = Card::drifted();
        card.configure(from, to);
        let error = refused(&card);
        for part in parts {
            assert!(error.contains(part), "{to}: {part:?} in {error}");
        }
    }
}

#[test]
fn labels_must_be_there_and_have_names_of_their_own() {
    let card = Card::drifted();
    let config = fs::read_to_string(card.path("trueup.toml")).unwrap();
    let label = &config[config.find("[[label]]").unwrap()..config.find("[reviser]").unwrap()];
    card.configure(label, "");
    assert!(refused(&card).contains("[[label]]"));
    let card = Card::drifted();
    card.configure(label, &format!("{label}{label}"));
    let error = refused(&card);
    assert!(error.contains("trueup.toml:25:8") && error.contains("\"card\" is there twice"), "{error}");
}

#[test]
fn a_configuration_that_is_no_text_no_file_or_a_folder_is_refused() {
    let card = Card::drifted();
    fs::write(card.path("trueup.toml"), b"preset = \"\xff\"").unwrap();
    let error = refused(&card);
    assert!(error.contains("trueup.toml:1:11") && error.contains("not UTF-8"), "{error}");
    fs::remove_file(card.path("trueup.toml")).unwrap();
    assert!(refused(&card).contains("there is no such file"));
    fs::create_dir(card.path("trueup.toml")).unwrap();
    assert!(refused(&card).contains("it is a folder"));
}

#[test]
fn options_that_cannot_be_used_are_refused() {
    let card = Card::drifted();
    for (args, part) in [
        (["--tolerance", "colour=2"], "\"colour\" is not a tolerance"),
        (["--tolerance", "pixel=-2"], "from 0 to 10000"),
        (["--run-id", "../elsewhere"], "cannot be a run id"),
    ] {
        let output = card.command(&args).output().unwrap();
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    }
    assert!(!card.path("elsewhere").exists());
}

#[test]
fn a_damaged_journal_is_refused_and_left_alone() {
    let card = Card::drifted();
    card.run(&[]);
    let path = card.path("runs/r/journal.jsonl");
    let (svg, summary) = (card.svg(), card.summary());
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let output = card.run(&[]);
    assert_eq!(code(&output), 3);
    let error = stderr(&output);
    assert!(
        error.contains("of the journal is damaged") && error.contains("undetermined:journal-corrupt"),
        "{error}"
    );
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!((card.svg(), card.summary()), (svg, summary));
}

#[test]
fn a_torn_last_line_is_dropped_and_said_so() {
    let card = Card::drifted();
    card.run(&[]);
    let path = card.path("runs/r/journal.jsonl");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 40]).unwrap();
    let output = card.run(&[]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("had been cut short"), "{}", stdout(&output));
    // The line is written again as it had been, but for the time that the command took this time.
    let events = |journal: &[u8]| -> Vec<serde_json::Value> {
        let lines = String::from_utf8(journal.to_vec()).unwrap();
        let entry = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["entry"].take();
        let mut entries: Vec<_> = lines.lines().map(entry).collect();
        entries.iter_mut().for_each(|entry| entry["record"]["happened"]["used"] = serde_json::Value::Null);
        entries
    };
    assert!(events(&fs::read(&path).unwrap()) == events(&whole), "another journal was written");
}

#[test]
fn a_journal_of_another_configuration_is_refused() {
    let card = Card::drifted();
    card.run(&[]);
    card.configure("preset = \"trueup\"", "preset = \"pixel-loop\"");
    let output = card.run(&[]);
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("another contract") && stderr(&output).contains("hint: "),
        "{}",
        stderr(&output)
    );
}

#[cfg(unix)]
#[test]
fn a_run_folder_that_cannot_be_written_is_named() {
    let card = Card::drifted();
    // A file where the folder should be stops everybody, the superuser included.
    fs::write(card.path("runs"), "in the way").unwrap();
    let output = card.run(&[]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("runs/r cannot be written"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(card.path("runs")).unwrap(), "in the way");
}

#[test]
fn an_artifact_that_cannot_be_rendered_is_undetermined() {
    let card = Card::drifted();
    let broken = card.svg().replace("</svg>", "<g></svg>");
    fs::write(card.path("card.svg"), &broken).unwrap();
    let output = card.run(&[]);
    assert_eq!((code(&output), card.status("status").as_str()), (3, "undetermined:capturer-unavailable"));
    assert!(card.summary().contains("card.svg"), "{}", card.summary());
    assert_eq!(card.svg(), broken);
}

#[test]
fn help_and_version_are_there() {
    for args in [vec!["--help"], vec!["run", "--help"], vec!["diff", "--help"], vec!["--version"]] {
        assert_eq!(code(&trueup().args(&args).output().unwrap()), 0);
    }
    assert_eq!(code(&trueup().output().unwrap()), 2);
    assert_eq!(code(&trueup().arg("rn").output().unwrap()), 2);
}

#[test]
fn a_flipped_last_byte_is_damage_and_not_a_torn_line() {
    let card = Card::drifted();
    card.run(&[]);
    let path = card.path("runs/r/journal.jsonl");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, &bytes).unwrap();
    let output = card.run(&[]);
    assert_eq!(code(&output), 3, "{}", stdout(&output));
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

/// A card whose run was killed early: the first lines of its journal, and nothing else.
fn killed() -> Card {
    let whole = Card::drifted();
    whole.run(&[]);
    let journal = fs::read_to_string(whole.path("runs/r/journal.jsonl")).unwrap();
    let card = Card::drifted();
    fs::create_dir_all(card.path("runs/r")).unwrap();
    let lines: Vec<&str> = journal.lines().take(9).collect();
    fs::write(card.path("runs/r/journal.jsonl"), lines.join("\n") + "\n").unwrap();
    card
}

#[test]
fn a_run_goes_on_only_against_what_it_began_against() {
    assert_eq!(code(&killed().run(&[])), 0, "nothing has changed");
    let card = killed();
    let output = card.run(&["--tolerance", "color_delta_e=900"]);
    assert_eq!(code(&output), 2, "{}", stdout(&output));
    assert!(stderr(&output).contains("another set of settings"), "{}", stderr(&output));
    let card = killed();
    fs::copy(card.path("unreachable.png"), card.path("reference/card.png")).unwrap();
    assert_eq!(code(&card.run(&[])), 2);
}

#[test]
fn limits_given_on_resume_are_said_to_be_ignored() {
    let card = killed();
    let output = card.run(&["--iteration-cap", "20"]);
    assert_eq!((code(&output), card.status("iteration_cap").as_str()), (0, "6"));
    assert!(stdout(&output).contains("keeps the limits that it began with"), "{}", stdout(&output));
    assert!(stdout(&output).contains("[2/6] compare"), "{}", stdout(&output));
}

#[test]
fn masks_over_everything_leave_nothing_to_compare() {
    let card = Card::drifted();
    card.configure("viewport = \"360x240\"", "viewport = \"360x240\"\nignore = [[0, 0, 1000, 1000]]");
    let output = card.run(&[]);
    assert_eq!((code(&output), card.status("status").as_str()), (3, "undetermined:no-comparable-channel"));
}

#[test]
fn spent_trials_are_a_spent_budget_and_not_a_lack_of_ideas() {
    let card = Card::drifted();
    card.configure("[limits]", "[limits]\ntrials = 0");
    let output = card.run(&[]);
    assert_eq!((code(&output), card.status("status").as_str()), (1, "not-converged:budget-exhausted"));
    assert!(stdout(&output).contains("the trials of the run are spent"), "{}", stdout(&output));
}

#[cfg(unix)]
#[test]
fn a_link_inside_the_folder_stays_a_link() {
    let card = Card::drifted();
    fs::rename(card.path("card.svg"), card.path("real.svg")).unwrap();
    std::os::unix::fs::symlink("real.svg", card.path("card.svg")).unwrap();
    assert_eq!(code(&card.run(&[])), 0);
    assert!(fs::symlink_metadata(card.path("card.svg")).unwrap().is_symlink());
    assert!(fs::read_to_string(card.path("real.svg")).unwrap().contains("--space: 12px"));
}

#[test]
fn a_summary_is_left_behind_when_an_iteration_cannot_be_written() {
    let card = Card::drifted();
    let before = card.svg();
    fs::create_dir_all(card.path("runs/r/diff")).unwrap();
    fs::write(card.path("runs/r/diff/01"), "in the way").unwrap();
    let output = card.run(&[]);
    assert_eq!((code(&output), card.status("status").as_str()), (2, "undetermined:invariant-breach"));
    assert_eq!(card.svg(), before, "the best state that was measured");
    fs::remove_file(card.path("runs/r/diff/01")).unwrap();
    assert_eq!(code(&card.run(&[])), 0, "and the run goes on from its journal");
}
