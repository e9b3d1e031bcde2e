//! What machines hear while work goes on, and that nobody hears anything who did not ask.

use std::fs;
use std::process::Output;

use serde_json::{Value, json};
use trueup_frame::{ImageView, PixelFormat, Size};

use crate::{Card, code, stderr, stdout, trueup};

/// The objects on standard error, which holds nothing else.
fn lines(output: &Output) -> Vec<Value> {
    let text = stderr(output);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}")))
        .collect()
}

fn line(unit: &str, done: usize, total: usize, name: &str, status: &str) -> Value {
    json!({ "unit": unit, "done": done, "total": total, "name": name, "status": status })
}

/// Two folders: a pair that is the same, and one that is not.
fn folders() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, gray) in [("design/a.png", 9), ("shots/a.png", 9), ("design/b.png", 9), ("shots/b.png", 250)] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let pixels = [gray; 12 * 12 * 3];
        let view = ImageView::packed(&pixels, Size::new(12, 12), PixelFormat::Rgb8).unwrap();
        fs::write(path, trueup_codec::encode_png(&view).unwrap()).unwrap();
    }
    folder
}

fn diff(folder: &tempfile::TempDir, arguments: &[&str]) -> Output {
    trueup().args(["diff", "design", "shots"]).args(arguments).current_dir(folder.path()).output().unwrap()
}

#[test]
fn a_run_tells_of_labels_and_iterations() {
    for format in ["text", "json"] {
        let card = Card::drifted();
        let output = card.run(&["--progress", "json", "--format", format]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let mut wanted = Vec::new();
        for (iteration, status) in [(0, "fail"), (1, "fail"), (2, "pass")] {
            wanted.push(line("label", 1, 1, "card", "captured"));
            wanted.push(line("label", 1, 1, "card", "compared"));
            wanted.push(line("iteration", iteration, 6, &iteration.to_string(), status));
        }
        assert_eq!(lines(&output), wanted, "{format}: of what was tried in between nothing is told");
        // What is the result is the same with it and without.
        match format {
            "json" => assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok()),
            _ => assert!(stdout(&output).contains("[2/6] compare"), "{}", stdout(&output)),
        }
    }
}

#[test]
fn folders_and_captures_tell_of_pairs_and_labels() {
    let folder = folders();
    let output = diff(&folder, &["--progress", "json"]);
    assert_eq!(code(&output), 1);
    let wanted = [line("pair", 1, 2, "a.png", "pass"), line("pair", 2, 2, "b.png", "fail")];
    assert_eq!(lines(&output), wanted);

    let card = Card::drifted();
    let mut command = trueup();
    command.arg("capture").arg(card.path("trueup.toml")).arg("-o").arg(card.path("out"));
    let output = command.args(["--progress", "json"]).output().unwrap();
    assert_eq!((code(&output), lines(&output)), (0, vec![line("label", 1, 1, "card", "captured")]));
}

#[test]
#[cfg(all(unix, feature = "browser"))]
fn pages_tell_of_every_page_that_is_captured() {
    let folder = tempfile::tempdir().unwrap();
    if !crate::browser::has_browser() {
        return;
    }
    for name in ["a.html", "b.html"] {
        fs::write(folder.path().join(name), "<!doctype html><title>A page</title>").unwrap();
    }
    let mut command = trueup();
    command.args(["diff", "a.html", "b.html", "--progress", "json"]).current_dir(folder.path());
    let output = command.output().unwrap();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let lines = lines(&output);
    let counts: Vec<(&Value, &Value)> = lines.iter().map(|line| (&line["done"], &line["total"])).collect();
    assert_eq!(counts, [(&json!(1), &json!(2)), (&json!(2), &json!(2))]);
    let mut names: Vec<&str> = lines.iter().map(|line| line["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["actual", "expected"]);
    assert!(lines.iter().all(|line| line["unit"] == "page" && line["status"] == "captured"));
}

#[test]
fn without_a_terminal_nothing_is_drawn() {
    let folder = folders();
    for arguments in [&[][..], &["--progress", "none"]] {
        assert_eq!(stderr(&diff(&folder, arguments)), "", "{arguments:?}");
    }
    let card = Card::drifted();
    let output = card.run(&["--iteration-cap", "0"]);
    assert_eq!((code(&output), stderr(&output)), (1, String::new()));
    let card = Card::drifted();
    let quiet = card.run(&["--iteration-cap", "0", "--format", "json", "--progress", "none"]);
    assert_eq!((code(&quiet), stderr(&quiet)), (1, String::new()));
}
