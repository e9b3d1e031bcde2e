//! What people read, word for word: the help of every command and a typical text of each, at 80 columns, without colour and with.
//!
//! `INSTA_UPDATE=always cargo test -p trueup-cli --test suite -- text::` writes the snapshots again; read each before it is
//! committed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use serde_json::json;
use trueup_frame::{ImageView, PixelFormat, Size};

use crate::probe::page;
use crate::rubric::FRAMESMITH;
use crate::{Card, code, set, stderr, stdout, trueup};

const COLUMNS: usize = 80;

/// The commands that do not only hold others.
const COMMANDS: [&str; 29] = [
    "",
    "run",
    "next",
    "diff",
    "batch",
    "delta-e",
    "init",
    "capture",
    "mcp",
    "probe",
    "completions",
    "man",
    "report",
    "judge",
    "doctor",
    "rubric",
    "rubric list",
    "rubric show",
    "rubric check",
    "rubric read",
    "rubric request",
    "rubric calibrate",
    "findings",
    "findings merge",
    "findings emit",
    "findings diff",
    "log",
    "review",
    "help",
];

/// Whether colours are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Color {
    Never,
    Forced,
}

fn call(folder: &Path, color: Color, words: &[&str]) -> Output {
    let mut command = trueup();
    command.args(words).current_dir(folder).stdin(Stdio::null()).env("COLUMNS", COLUMNS.to_string());
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TRUEUP_FLOOR"] {
        command.env_remove(name);
    }
    match color {
        Color::Never => command.env("NO_COLOR", "1"),
        Color::Forced => command.env("CLICOLOR_FORCE", "1"),
    };
    command.output().unwrap()
}

/// The text without colours.
fn plain(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once('m').map_or(part, |(_, rest)| rest));
    }
    plain
}

/// The text with its colours in words.
fn visible(text: &str) -> String {
    [("32m", "<green>"), ("31m", "<red>"), ("33m", "<yellow>"), ("0m", "</>")]
        .iter()
        .fold(text.to_owned(), |text, (escape, word)| text.replace(&format!("\u{1b}[{escape}"), word))
}

/// The text with what is another one every time taken out: times and temporary folders.
fn steady(text: &str, folder: &Path) -> String {
    let text = text.replace(folder.to_str().unwrap(), "FOLDER");
    let words = text.split_inclusive([' ', '\n']).map(|word| {
        let is_time = word.len() >= 20 && word.as_bytes()[10] == b'T' && word.trim_end().ends_with('Z');
        if is_time { format!("TIME{}", &word[word.trim_end().len()..]) } else { word.to_owned() }
    });
    words.collect()
}

/// What a person sees of a call: the line, what it prints, how it exits.
fn seen(folder: &Path, words: &[&str], output: &Output) -> String {
    let mut text = format!("$ trueup {}\n{}", words.join(" "), stdout(output));
    if !stderr(output).is_empty() {
        text.push_str(&format!("--- standard error ---\n{}", stderr(output)));
    }
    text.push_str(&format!("--- exit code {} ---\n", code(output)));
    steady(&text, folder)
}

/// Holds the texts of calls, one after the other in a folder of their own, against their snapshots.
fn shows(name: &str, folder: impl Fn() -> Folder, calls: &[&[&str]]) {
    let all = |color| {
        let folder = folder();
        let texts = calls.iter().map(|words| seen(&folder.0, words, &call(&folder.0, color, words)));
        texts.collect::<Vec<_>>().join("\n")
    };
    let (without, with) = (all(Color::Never), all(Color::Forced));
    assert!(!without.contains('\u{1b}'), "{name} has colour though nobody wants any:\n{without}");
    assert_eq!(plain(&with), without, "{name}: colour changes nothing but colour");
    insta::assert_snapshot!(name, without);
    if with != without {
        insta::assert_snapshot!(format!("{name}.color"), visible(&with));
    }
}

/// A folder to call the command in.
struct Folder(PathBuf, #[expect(dead_code, reason = "the folder goes when it does")] Keep);

enum Keep {
    Card(#[expect(dead_code, reason = "the folder goes when it does")] Card),
    Plain(#[expect(dead_code, reason = "the folder goes when it does")] tempfile::TempDir),
}

impl Folder {
    fn card() -> Self {
        let card = Card::drifted();
        Self(card.path("").canonicalize().unwrap(), Keep::Card(card))
    }

    fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self(folder.path().canonicalize().unwrap(), Keep::Plain(folder))
    }

    fn write(self, name: &str, text: &str) -> Self {
        fs::write(self.0.join(name), text).unwrap();
        self
    }

    /// A PNG of one colour, with a square of another in it.
    fn picture(self, name: &str, square: [u8; 3]) -> Self {
        let mut pixels = Vec::new();
        for at in 0..40 * 24 {
            let inside = (8..20).contains(&(at % 40)) && (6..18).contains(&(at / 40));
            pixels.extend(if inside { square } else { [250, 249, 246] });
        }
        let view = ImageView::packed(&pixels, Size::new(40, 24), PixelFormat::Rgb8).unwrap();
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, trueup_codec::encode_png(&view).unwrap()).unwrap();
        self
    }

    /// Two folders of pictures: one pair is the same, one is not, and each has one that the other lacks.
    fn folders() -> Self {
        const BLUE: [u8; 3] = [67, 56, 202];
        Self::empty()
            .picture("design/home.png", BLUE)
            .picture("shots/home.png", BLUE)
            .picture("design/menu.png", BLUE)
            .picture("shots/menu.png", [63, 111, 217])
            .picture("design/gone.png", BLUE)
            .picture("shots/new.png", BLUE)
    }
}

#[test]
fn help_fits_a_terminal_of_80_columns() {
    let folder = Folder::empty();
    for name in COMMANDS {
        let mut words: Vec<&str> = name.split_whitespace().collect();
        if name != "help" {
            words.push("--help");
        }
        let output = call(&folder.0, Color::Never, &words);
        let text = stdout(&output);
        assert_eq!(code(&output), 0, "{name}: {}", stderr(&output));
        for line in text.lines() {
            assert!(line.chars().count() <= COLUMNS, "{name}: {line:?} is too long");
        }
        let forced = stdout(&call(&folder.0, Color::Forced, &words));
        assert!(forced.contains('\u{1b}'), "{name} has no colour where it is forced");
        assert_eq!(plain(&forced), text, "{name}: colour changes nothing but colour");
        if name != "help" {
            let examples: Vec<&str> =
                text.lines().skip_while(|line| !line.starts_with("Example")).skip(1).collect();
            assert!(!examples.is_empty(), "{name} has no example");
            // A command line that is wrapped cannot be copied.
            let whole = |line: &&str| line.starts_with("  trueup ") || line.starts_with("  while trueup ");
            assert!(examples.iter().all(whole), "{name}: {examples:?}");
            insta::assert_snapshot!(format!("help {name}").trim().replace(' ', "_"), text);
        }
    }
}

#[test]
fn no_command_is_left_out() {
    let folder = Folder::empty();
    let below = |name: &str| -> Vec<String> {
        let mut words: Vec<&str> = name.split_whitespace().collect();
        words.push("--help");
        let help = stdout(&call(&folder.0, Color::Never, &words));
        help.lines()
            .skip_while(|line| *line != "Commands:")
            .skip(1)
            .take_while(|line| !line.trim().is_empty())
            .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
            .filter_map(|line| line.split_whitespace().next())
            .filter(|word| *word != "help")
            .map(|word| format!("{name} {word}").trim().to_owned())
            .collect()
    };
    let mut all = below("");
    all.extend(below("rubric"));
    all.extend(below("findings"));
    assert!(all.len() > 20, "{all:?}");
    for name in all {
        assert!(COMMANDS.contains(&name.as_str()), "trueup {name} has no snapshot");
    }
}

#[test]
fn runs() {
    shows("run", Folder::card, &[&["run", "trueup.toml", "--run-id", "r"]]);
    shows(
        "run_not_converged",
        Folder::card,
        &[&["run", "trueup.toml", "--run-id", "r", "--iteration-cap", "0"]],
    );
    shows("run_undetermined", || unreadable(Folder::card()), &[&["run", "trueup.toml", "--run-id", "r"]]);
    shows("next", Folder::card, &[&["next", "trueup.toml"]]);
    shows(
        "next_give_up",
        Folder::card,
        &[&["next", "trueup.toml"], &["next", "trueup.toml", "--give-up", "out of ideas"]],
    );
}

/// The card with a reference that nobody can read.
fn unreadable(folder: Folder) -> Folder {
    folder.write("reference/card.png", "this is no picture")
}

#[test]
fn looks_at_one_artifact() {
    shows("judge", Folder::card, &[&["judge", "trueup.toml"]]);
    shows("judge_undetermined", || unreadable(Folder::card()), &[&["judge", "trueup.toml"]]);
    shows("capture", Folder::card, &[&["capture", "trueup.toml"]]);
    let unconfigured = || {
        let folder = Folder::card();
        fs::remove_file(folder.0.join("trueup.toml")).unwrap();
        folder.write("other.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
    };
    shows("init", unconfigured, &[&["init"]]);
    shows(
        "report",
        Folder::card,
        &[&["run", "trueup.toml", "--run-id", "r", "--iteration-cap", "0"], &["report", "runs/r"]],
    );
}

#[test]
fn comparisons() {
    shows("diff_pass", Folder::folders, &[&["diff", "design/home.png", "shots/home.png"]]);
    shows("diff_fail", Folder::folders, &[&["diff", "design/menu.png", "shots/menu.png", "-o", "diff.png"]]);
    shows("diff_folders", Folder::folders, &[&["diff", "design", "shots"]]);
    shows(
        "batch",
        Folder::folders,
        &[&["batch", "--expected", "design/**/*.png", "--actual", "shots/**/*.png"]],
    );
    shows("delta_e", Folder::empty, &[&["delta-e", "#fbfcfd", "#f5f5f5"]]);
}

#[test]
fn pages() {
    let probed = || {
        let pale = page(1280.0, "rgb(200, 200, 200)").to_json().unwrap();
        let dark = page(375.0, "rgb(30, 30, 40)").to_json().unwrap();
        Folder::empty().write("pale.json", &pale).write("dark.json", &dark)
    };
    shows("probe", probed, &[&["probe", "pale.json", "dark.json"]]);
}

/// A reply of a judge by framesmith, with these scores.
fn reply(scores: [u8; 5]) -> String {
    let axes: serde_json::Map<String, serde_json::Value> = FRAMESMITH
        .into_iter()
        .zip(scores)
        .map(|(name, score)| (name.to_owned(), json!({ "score": score, "rationale": "seen in home.png" })))
        .collect();
    json!({ "rubric": axes, "summary": "Calm, with one loud button." }).to_string()
}

fn judged() -> Folder {
    Folder::empty()
        .write("good.json", &reply([4; 5]))
        .write("poor.json", &reply([4, 2, 4, 4, 4]))
        .write("prose.txt", "It looks great!")
        .write(
            "calm.toml",
            "name = \"calm\"\n\n[[axis]]\nname = \"calm\"\ntext = \"How calm it is.\"\nmin = 1\nmax = 5\nstep = 1\nfloor = 3\n",
        )
}

#[test]
fn rubrics_and_verdicts() {
    shows("rubric_list", Folder::empty, &[&["rubric", "list"]]);
    shows("rubric_show", Folder::empty, &[&["rubric", "show", "framesmith"]]);
    shows("rubric_check", judged, &[&["rubric", "check", "calm.toml"]]);
    let read = ["rubric", "read", "--rubric", "framesmith"];
    let with = |more: &[&'static str]| -> Vec<&'static str> { [&read[..], more].concat() };
    shows("rubric_read", judged, &[&with(&["good.json"]), &with(&["poor.json"]), &with(&["prose.txt"])]);
    shows("rubric_request", judged, &[&["rubric", "request", "calm.toml", "--artifact", "image=home.png"]]);
    shows(
        "rubric_calibrate",
        judged,
        &[&["rubric", "calibrate", "--rubric", "framesmith", "good.json", "poor.json"]],
    );
    shows(
        "log",
        judged,
        &[
            &with(&["good.json", "--keep", "kept", "--judge", "ann"]),
            &with(&["poor.json", "--keep", "kept"]),
            &["log"],
        ],
    );
}

fn findings(list: &[(&str, &str)]) -> String {
    let list: Vec<serde_json::Value> = list
        .iter()
        .enumerate()
        .map(|(at, (severity, title))| {
            json!({"id": format!("F{at}"), "title": title, "severity": severity, "location": {"item": "header"},
                "cause": format!("{title}."), "fix": "Set it to the token."})
        })
        .collect();
    json!({ "schema": "trueup.findings/1", "findings": list }).to_string()
}

fn rounds() -> Folder {
    let (pale, wide) = (("important", "The title is too pale"), ("minor", "The menu is too wide"));
    Folder::empty()
        .write("one.json", &findings(&[pale, wide]))
        .write("two.json", &findings(&[pale, ("blocking", "The button is hidden")]))
        .write("plan.md", "# Plan\n")
}

#[test]
fn found_things() {
    shows("findings_merge", rounds, &[&["findings", "merge", "one.json", "two.json"]]);
    shows("findings_emit", rounds, &[&["findings", "emit", "one.json", "--format", "md"]]);
    shows("findings_diff", rounds, &[&["findings", "diff", "one.json", "two.json"]]);
    shows(
        "review",
        rounds,
        &[&["review", "plan.md", "--reply", "generator=one.json", "--reply", "evaluator=two.json"]],
    );
}

#[test]
fn what_is_usable_here() {
    let folder = Folder::card();
    let lines = |color| -> Vec<String> {
        let output = call(&folder.0, color, &["doctor", "trueup.toml"]);
        // The others depend on the machine.
        stdout(&output).lines().filter(|line| line.contains("svg")).map(str::to_owned).collect()
    };
    let (without, with) = (lines(Color::Never).join("\n"), lines(Color::Forced).join("\n"));
    assert!(!without.is_empty());
    assert_eq!(plain(&with), without);
    insta::assert_snapshot!("doctor", without);
    insta::assert_snapshot!("doctor.color", visible(&with));
}

#[test]
fn errors_have_one_style() {
    let folder = || {
        let folder = Folder::card().picture("a.png", [0, 0, 0]);
        let svg = fs::read_to_string(folder.0.join("card.svg")).unwrap();
        folder
            .write("card.svg", &set(&svg, "--space", "9px"))
            .write("typo.toml", "prset = \"trueup\"\n")
            .write("broken.json", "{")
    };
    let calls: [&[&str]; 17] = [
        &["dif"],
        &["diff", "a.png"],
        &["diff", "a.png", "a.png", "--toleranc", "1"],
        &["diff", "a.png", "a.png", "--metric", "ciede"],
        &["diff", "a.png", "gone.png"],
        &["diff", "a.png", "card.svg"],
        &["diff", "a.png", "a.png", "--tolerance", "colour=2"],
        &["run", "gone.toml"],
        &["run", "typo.toml"],
        &["run", "trueup.toml", "--answer", "accept-as-is"],
        &["delta-e", "#12345", "red"],
        &["rubric", "show", "framesmit"],
        &["rubric", "read", "gone.txt"],
        &["findings", "emit", "broken.json"],
        &["probe", "broken.json"],
        &["report", "runs/gone"],
        &["batch", "gone.toml"],
    ];
    let first = folder();
    for words in calls {
        let output = call(&first.0, Color::Never, words);
        let told = stderr(&output);
        assert_eq!(code(&output), 2, "{words:?}: {told}");
        let mut lines = told.lines();
        assert!(lines.next().is_some_and(|line| line.starts_with("error: ")), "{words:?}: {told}");
        assert!(lines.all(|line| line.starts_with("  hint: ")), "{words:?}: {told}");
    }
    shows("errors", folder, &calls);
}
