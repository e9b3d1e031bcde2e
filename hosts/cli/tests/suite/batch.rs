//! `trueup batch`: many pairs and runs, at once and again.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use trueup_frame::{ImageView, PixelFormat, Size};

use crate::rubric::json_of;
use crate::{Card, code, stderr, stdout, trueup};

/// A PNG of one colour.
fn picture(path: &Path, gray: u8) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let pixels = [gray; 12 * 12 * 3];
    let view = ImageView::packed(&pixels, Size::new(12, 12), PixelFormat::Rgb8).unwrap();
    fs::write(path, trueup_codec::encode_png(&view).unwrap()).unwrap();
}

struct Folder(tempfile::TempDir);

impl Folder {
    /// Three pairs that pass, and one that fails.
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for name in ["a", "b", "deep/c", "odd"] {
            picture(&folder.path(&format!("design/{name}.png")), 200);
            picture(&folder.path(&format!("shots/{name}.png")), if name == "odd" { 20 } else { 200 });
        }
        folder
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn manifest(&self, text: &str) {
        fs::write(self.path("batch.toml"), text).unwrap();
    }

    fn run(&self, args: &[&str]) -> Output {
        trueup().arg("batch").args(args).current_dir(self.0.path()).output().unwrap()
    }

    fn json(&self, args: &[&str]) -> (i32, Value) {
        let mut all = args.to_vec();
        all.extend(["--format", "json"]);
        let output = self.run(&all);
        (code(&output), json_of(&output))
    }
}

const PATTERNS: [&str; 4] = ["--expected", "design/**/*.png", "--actual", "shots/**/*.png"];

pub(crate) fn documents() -> Vec<Value> {
    let folder = Folder::new();
    vec![folder.json(&PATTERNS).1, folder.json(&PATTERNS).1]
}

#[test]
fn pairs_of_patterns_are_compared_and_everything_is_kept() {
    let folder = Folder::new();
    let output = folder.run(&PATTERNS);
    assert_eq!(code(&output), 1, "{}{}", stdout(&output), stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("fail         odd.png: "), "{text}");
    assert!(text.contains("fail: 4 jobs, 3 pass, 1 fail, 0 undetermined · batch/index.html"), "{text}");
    assert!(stderr(&output).is_empty(), "no bar without a terminal: {}", stderr(&output));
    let junit = fs::read_to_string(folder.path("batch/junit.xml")).unwrap();
    let document = roxmltree::Document::parse(&junit).unwrap();
    let suite = document.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
    assert_eq!((suite.attribute("tests"), suite.attribute("failures")), (Some("4"), Some("1")));
    let names: Vec<_> = suite.children().filter_map(|case| case.attribute("name")).collect();
    assert_eq!(names, ["a.png", "b.png", "deep/c.png", "odd.png"]);
    let page = fs::read_to_string(folder.path("batch/index.html")).unwrap();
    assert!(page.contains("odd.png") && page.contains("deep/c.png") && page.contains("pictures/"));
    assert_eq!(fs::read_dir(folder.path("batch/pictures")).unwrap().count(), 1, "a picture of what fails");
    assert_eq!(fs::read_to_string(folder.path("batch/results.jsonl")).unwrap().lines().count(), 4);
}

#[test]
fn what_is_done_is_not_done_again_until_it_changes() {
    let folder = Folder::new();
    assert_eq!(folder.json(&PATTERNS).1["resumed"], 0);
    let (exit, again) = folder.json(&PATTERNS);
    assert_eq!((exit, &again["resumed"], &again["fail"]), (1, &4.into(), &1.into()));
    // A line that a kill cut short is no result.
    let results = folder.path("batch/results.jsonl");
    let whole = fs::read_to_string(&results).unwrap();
    let cut = whole.trim_end();
    fs::write(&results, &cut[..cut.len() - 9]).unwrap();
    assert_eq!(folder.json(&PATTERNS).1["resumed"], 3);
    assert_eq!(folder.json(&PATTERNS).1["resumed"], 4);
    picture(&folder.path("shots/odd.png"), 200);
    let (exit, mended) = folder.json(&PATTERNS);
    assert_eq!((exit, &mended["resumed"], &mended["pass"]), (0, &3.into(), &4.into()));
    let strict: Vec<&str> = PATTERNS.into_iter().chain(["--tolerance", "strict=true"]).collect();
    assert_eq!(folder.json(&strict).1["resumed"], 0, "other rules are other work");
    let afresh: Vec<&str> = PATTERNS.into_iter().chain(["--afresh"]).collect();
    assert_eq!(folder.json(&afresh).1["resumed"], 0);
}

#[test]
fn one_side_alone_fails_and_what_cannot_be_read_is_undetermined() {
    let folder = Folder::new();
    fs::remove_file(folder.path("shots/odd.png")).unwrap();
    fs::remove_file(folder.path("design/a.png")).unwrap();
    fs::write(folder.path("shots/b.png"), "no picture").unwrap();
    let (exit, document) = folder.json(&PATTERNS);
    assert_eq!((exit, &document["fail"], &document["undetermined"]), (1, &2.into(), &1.into()));
    let why = |name: &str| {
        let worst = document["worst"].as_array().unwrap();
        worst.iter().find(|entry| entry["name"] == name).unwrap()["detail"].as_str().unwrap().to_owned()
    };
    assert_eq!(why("odd.png"), "it is only on the expected side");
    assert_eq!(why("a.png"), "it is only on the actual side");
    assert!(why("b.png").contains("shots/b.png"), "{}", why("b.png"));
}

#[test]
fn a_manifest_names_pairs_folders_and_runs() {
    let folder = Folder::new();
    let card = Card::drifted();
    let config = card.path("trueup.toml");
    folder.manifest(&format!(
        "tolerance = \"color_delta_e=2\"\n\
         [[pair]]\nname = \"loose\"\nexpected = \"design/odd.png\"\nactual = \"shots/odd.png\"\ntolerance = \"color_delta_e=100\"\n\
         [[pair]]\nexpected = \"design/a.png\"\nactual = \"gone.png\"\n\
         [[folders]]\nname = \"all\"\nexpected = \"design\"\nactual = \"shots\"\n\
         [[run]]\nname = \"card\"\nconfig = {config:?}\niteration_cap = 4\n"
    ));
    let (exit, document) = folder.json(&["batch.toml", "-o", "out", "--progress", "json"]);
    assert_eq!(exit, 1, "{document:#}");
    assert_eq!((&document["total"], &document["pass"]), (&7.into(), &5.into()), "{document:#}");
    let names: Vec<&str> =
        document["worst"].as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["all/odd.png", "design/a.png"]);
    assert!(folder.path("out/runs/card/1/report.html").is_file());
    // The run is over: it is not driven again.
    assert_eq!(folder.json(&["batch.toml", "-o", "out"]).1["resumed"], 7);
    assert!(!folder.path("out/runs/card/2").exists());
}

#[test]
fn a_manifest_that_cannot_be_used_is_refused_before_anything_is_done() {
    let folder = Folder::new();
    for (text, said) in [
        ("", "it names nothing: expected [[pair]]"),
        ("[[pair]]\nexpected = \"a\"\n", "line 1: missing field `actual`"),
        ("[[pair]]\nexpected = \"a\"\nactual = \"b\"\ntolerence = \"x\"\n", "unknown field `tolerence`"),
        ("[[pair]]\nexpected = 3\nactual = \"b\"\n", "invalid type"),
        ("[[pair", "line 1"),
        (
            "[[pair]]\nexpected = \"a.png\"\nactual = \"b.png\"\n[[pair]]\nexpected = \"a.png\"\nactual = \"c.png\"\n",
            "\"a.png\" is there twice: give each its own name",
        ),
        (
            "[[pair]]\nexpected = \"x/*.png\"\nactual = \"y/*.png\"\n",
            "neither \"x/*.png\" nor \"y/*.png\" matches a file",
        ),
        ("[[folders]]\nexpected = \"nowhere\"\nactual = \"shots\"\n", "nowhere cannot be read"),
        ("[[run]]\nconfig = \"*/trueup.toml\"\n", "matches no file"),
    ] {
        folder.manifest(text);
        let output = folder.run(&["batch.toml", "-o", "out"]);
        assert_eq!(code(&output), 2, "{text}: {}", stdout(&output));
        assert!(stderr(&output).contains(said), "{said}: {}", stderr(&output));
        assert!(!folder.path("out").exists());
    }
    let missing = folder.run(&["nowhere.toml"]);
    assert!(stderr(&missing).contains("nowhere.toml cannot be read"), "{}", stderr(&missing));
}

#[test]
fn progress_for_machines_is_a_json_object_a_line() {
    let folder = Folder::new();
    let args: Vec<&str> = PATTERNS.into_iter().chain(["--progress", "json", "--jobs", "1"]).collect();
    let output = folder.run(&args);
    let lines: Vec<Value> = stderr(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 4);
    let last =
        serde_json::json!({ "unit": "job", "done": 4, "total": 4, "name": "odd.png", "status": "fail" });
    assert_eq!(lines[3], last);
}

/// The index is a page that a browser opens without an error, and that shows what fails first.
#[test]
#[cfg(all(unix, feature = "browser"))]
fn the_index_opens_in_a_browser() {
    if !crate::browser::has_browser() {
        return;
    }
    let folder = Folder::new();
    assert_eq!(code(&folder.run(&PATTERNS)), 1);
    let output = trueup()
        .arg("probe")
        .arg(folder.path("batch/index.html"))
        .args(["--max-actions", "3", "--genre", "dashboard", "--format", "json"])
        .output()
        .unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    for page in document["pages"].as_array().unwrap() {
        let status = |id: &str| {
            let probes = page["probes"].as_array().unwrap();
            probes.iter().find(|probe| probe["id"] == id).unwrap()["status"].clone()
        };
        for id in [
            "script-errors",
            "broken-pictures",
            "contrast",
            "horizontal-overflow",
            "overlapping-text",
            "headings",
        ] {
            assert_eq!(status(id), "pass", "{id} at {}: {document:#}", page["width"]);
        }
    }
}
