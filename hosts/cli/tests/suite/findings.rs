//! `trueup findings`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};

use crate::rubric::{json_of, with_input};
use crate::{Card, code, stderr, stdout, trueup};

/// A folder with files of findings.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, findings: &[Value]) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, json!({"schema": "trueup.findings/1", "findings": findings}).to_string()).unwrap();
        path
    }
}

fn finding(id: &str, severity: &str, finder: &str, more: &Value) -> Value {
    let mut finding = json!({
        "id": id, "title": "the owner comes from the client", "severity": severity, "found_by": [finder],
        "location": {"file": "src/api.rs", "line": 2}, "cause": "read from the request", "fix": "take it from the session",
    });
    for (key, value) in more.as_object().unwrap() {
        finding[key] = value.clone();
    }
    finding
}

fn run(command: &str, files: &[&PathBuf], args: &[&str]) -> Output {
    trueup().args(["findings", command]).args(files).args(args).output().unwrap()
}

#[test]
fn merging_keeps_the_worst_and_both_finders_in_any_order() {
    let folder = Folder::new();
    let a = folder.write(
        "a.json",
        &[finding(
            "A",
            "minor",
            "generator",
            &json!({"evidence": [{"kind": "file", "locator": "src/api.rs:2"}]}),
        )],
    );
    let b = folder.write(
        "b.json",
        &[
            finding(
                "B",
                "blocking",
                "evaluator",
                &json!({"evidence": [{"kind": "tool", "locator": "curl"}]}),
            ),
            finding("C", "minor", "evaluator", &json!({"fix": "sign the id"})),
        ],
    );
    let (forth, back) =
        (run("merge", &[&a, &b], &["--format", "json"]), run("merge", &[&b, &a, &a], &["--format", "json"]));
    assert_eq!((code(&forth), stdout(&forth)), (0, stdout(&back)));
    let merged = json_of(&forth);
    let list = merged["findings"].as_array().unwrap();
    assert_eq!(list.len(), 2, "another fix is not merged in silence");
    assert_eq!(
        (&list[0]["severity"], &list[0]["found_by"]),
        (&json!("blocking"), &json!(["evaluator", "generator"]))
    );
    assert_eq!(list[0]["evidence"].as_array().unwrap().len(), 2);
    assert_eq!(list[0]["fingerprint"].as_str().unwrap().len(), 64);
    assert!(
        stderr(&forth).contains("1 and 2 may be one (the same cause, with different fixes)"),
        "{}",
        stderr(&forth)
    );
    // Merging what was merged changes nothing.
    let path = folder.0.path().join("m.json");
    fs::write(&path, stdout(&forth)).unwrap();
    assert_eq!(stdout(&run("merge", &[&path, &a, &b], &["--format", "json"])), stdout(&forth));
}

#[test]
fn every_format_is_written() {
    let folder = Folder::new();
    fs::create_dir(folder.0.path().join("src")).unwrap();
    fs::write(folder.0.path().join("src/api.rs"), "fn delete() {\n    let owner = request.owner;\n}\n")
        .unwrap();
    let a = folder.write("a.json", &[finding("A", "blocking", "evaluator", &json!({}))]);
    let emit = |format: &str| {
        let root = folder.0.path().to_str().unwrap();
        let output = run("emit", &[&a], &["--format", format, "--root", root]);
        assert_eq!(code(&output), 0, "{format}: {}", stderr(&output));
        stdout(&output)
    };
    assert!(emit("text").contains("2 |     let owner = request.owner;\n    |     ^^^^"), "{}", emit("text"));
    assert!(emit("md").contains("## Blocking (1 issue)"));
    assert!(emit("junit").contains("<failure type=\"blocking\""));
    assert!(emit("github").starts_with("::error file=src/api.rs,line=2,"));
    for format in ["json", "sarif", "rdjson"] {
        serde_json::from_str::<Value>(&emit(format)).unwrap();
    }
    let input = with_input(&["findings", "emit", "-", "--format", "json"], &fs::read_to_string(&a).unwrap());
    assert_eq!(stdout(&input), emit("json"));
}

#[test]
fn rounds_are_compared_by_content_and_not_by_line() {
    let folder = Folder::new();
    let at = |line: u32| json!({"location": {"file": "src/api.rs", "line": line}});
    let other =
        |cause: &str| finding("X", "important", "evaluator", &json!({"cause": cause, "title": cause}));
    let one = folder.write("1.json", &[finding("A", "minor", "e", &at(2)), other("x"), other("y")]);
    let two = folder.write("2.json", &[finding("Z", "minor", "e", &at(12)), other("y")]);
    let three = folder.write("3.json", &[finding("Q", "minor", "e", &at(1)), other("x")]);
    let diff = json_of(&run("diff", &[&one, &two], &["--format", "json"]));
    let count = |diff: &Value| {
        ["new", "regressed", "persisting", "fixed"].map(|key| diff[key].as_array().unwrap().len())
    };
    assert_eq!(count(&diff), [0, 0, 2, 1]);
    assert_eq!(code(&run("diff", &[&one, &two], &[])), 0);
    let output = run("diff", &[&one, &two, &three], &["--format", "json"]);
    assert_eq!((code(&output), count(&json_of(&output))), (1, [0, 1, 1, 1]));
    let text = stdout(&run("diff", &[&one, &two, &three], &[]));
    assert!(text.starts_with("0 new, 1 regressed, 1 persisting, 1 fixed\n"), "{text}");
    let sarif: Value =
        serde_json::from_str(&stdout(&run("diff", &[&one, &two, &three], &["--format", "sarif"]))).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 1, "what is new or back");
    assert_eq!(code(&run("diff", &[&one], &[])), 2, "one round is no comparison");
}

#[test]
fn regions_of_a_comparison_are_findings() {
    let card = Card::drifted();
    let compare = |actual: &str| {
        let output = trueup()
            .arg("diff")
            .arg(card.path("reference/card.png"))
            .arg(card.path(actual))
            .args(["--format", "json"])
            .output()
            .unwrap();
        let path = card.path("card.report.json");
        fs::write(&path, stdout(&output)).unwrap();
        path
    };
    let list = json_of(&run("emit", &[&compare("unreachable.png")], &["--format", "json"]));
    let list = list["findings"].as_array().unwrap().clone();
    assert!(!list.is_empty());
    for finding in &list {
        assert_eq!(finding["location"]["label"], json!("card"));
        assert!(finding["title"].as_str().unwrap().contains("ΔE"), "{finding}");
        assert!(
            !finding["fix"].as_str().unwrap().is_empty() && !finding["cause"].as_str().unwrap().is_empty()
        );
    }
    assert!(
        list.iter().any(|finding| {
            let title = finding["title"].as_str().unwrap();
            title.contains("lighter by") || title.contains("darker by")
        }),
        "{list:?}"
    );
    let none = json_of(&run("emit", &[&compare("reference/card.png")], &["--format", "json"]));
    assert_eq!(none["findings"], json!([]));
}

#[test]
fn each_kind_of_region_names_its_probable_cause() {
    let folder = Folder::new();
    let region = |id: &str, kind: &str, open: bool| {
        json!({"id": id, "kind": kind, "open": open, "x": 1, "y": 2, "width": 30, "height": 40, "pixels": 900,
               "mean_delta_e": 4.25, "p95_delta_e": 6.0, "max_delta_e": 8.0, "delta_l": 3.0, "delta_c": -2.0, "delta_h": 1.0,
               "element": if id == "r1" { json!("hero/title") } else { Value::Null }})
    };
    let kinds = ["color", "content", "moved", "added", "removed", "noise"];
    let mut regions: Vec<Value> =
        kinds.iter().enumerate().map(|(i, kind)| region(&format!("r{}", i + 1), kind, true)).collect();
    regions.push(region("r9", "color", false));
    let path = folder.0.path().join("home.json");
    let document = json!({"schema": "trueup.diff/1", "expected": {"width": 100, "height": 80}, "actual": {"width": 90, "height": 80},
        "size_mismatch": {"expected_extra_pixels": 800, "actual_extra_pixels": 0}, "regions": regions});
    fs::write(&path, document.to_string()).unwrap();
    let list = json_of(&run("emit", &[&path], &["--format", "json"]));
    let list = list["findings"].as_array().unwrap();
    let causes: Vec<&str> = list.iter().map(|finding| finding["cause"].as_str().unwrap()).collect();
    assert_eq!(causes, ["token", "text", "spacing", "added", "missing", "unknown", "size"]);
    assert_eq!(
        list[0]["title"],
        json!(
            "hero/title: lighter by 3.0, less saturated by 2.0, of another hue, by 1.0 (ΔE mean 4.2, max 8.0)"
        )
    );
    assert_eq!(list[0]["location"], json!({"label": "home", "region": "r1", "element": "hero/title"}));
}

#[test]
fn a_file_that_is_no_list_of_findings_is_named() {
    let folder = Folder::new();
    let bad = folder.write("bad.json", &[finding("A", "high", "e", &json!({}))]);
    let output = run("merge", &[&bad], &[]);
    assert_eq!(code(&output), 2);
    let text = stderr(&output);
    assert!(
        text.contains("bad.json: ")
            && text.contains("findings[0].severity")
            && text.contains("blocking, important, minor"),
        "{text}"
    );
    assert_eq!(code(&run("merge", &[&folder.0.path().join("gone.json")], &[])), 2);
    assert_eq!(code(&trueup().args(["findings", "merge"]).output().unwrap()), 2);
}

/// Documents of every kind that this command prints, for their schemas.
pub(crate) fn documents() -> Vec<Value> {
    let folder = Folder::new();
    let full = json!({"status": "unverified", "confidence": 0.5, "dimension": "Security", "score": 2, "steps": ["s"], "expected": "e",
        "actual": "a", "impact": "i", "evidence": [{"kind": "file", "locator": "a:1", "quote": "q"}], "class": "security",
        "location": {"label": "home", "region": "r1", "element": "x"}});
    let a = folder
        .write("a.json", &[finding("A", "minor", "e", &json!({})), finding("B", "blocking", "f", &full)]);
    let b = folder.write("b.json", &[json!({"id": "C", "title": "t", "severity": "important"})]);
    vec![
        json_of(&run("merge", &[&a, &b], &["--format", "json"])),
        json_of(&run("diff", &[&a, &b], &["--format", "json"])),
    ]
}

/// The schema of SARIF 2.1.0 as OASIS publishes it, from a crate that carries it: its text is not ours to copy.
fn sarif_schema() -> Value {
    let metadata = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").unwrap();
    let manifest = Path::new(package["manifest_path"].as_str().unwrap());
    let schema = manifest.with_file_name("src").join("schema.json");
    let mut schema: Value = serde_json::from_str(&fs::read_to_string(schema).unwrap()).unwrap();
    // Its pattern of a language has a bracket too many, which a strict reader refuses; nothing here names a language.
    for owner in ["run", "toolComponent"] {
        let language = schema.pointer_mut(&format!("/definitions/{owner}/properties/language")).unwrap();
        assert!(language.as_object_mut().unwrap().remove("pattern").is_some());
    }
    schema
}

#[test]
fn sarif_is_valid_by_the_schema_of_oasis() {
    let schema = sarif_schema();
    assert_eq!(schema["title"], "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema");
    let validator = jsonschema::validator_for(&schema).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("findings.json");
    let emit = |document: &Value| {
        fs::write(&file, document.to_string()).unwrap();
        let output = trueup().args(["findings", "emit", "--format", "sarif"]).arg(&file).output().unwrap();
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        serde_json::from_str::<Value>(&stdout(&output)).unwrap()
    };
    let whole = json!({"schema": "trueup.findings/1", "findings": [
        {"id": "a", "title": "the button is loud", "severity": "blocking", "status": "fail", "confidence": 0.9,
         "dimension": "calm", "score": 2, "location": {"label": "home", "region": "r1", "element": "#buy"}, "cause": "token",
         "steps": ["open it"], "expected": "quiet", "actual": "loud", "impact": "people leave", "fix": "set --brand",
         "evidence": [{"kind": "image", "locator": "a b.png"}, {"kind": "file", "locator": "src/ä.css:3", "quote": "red"}],
         "found_by": ["ana", "trueup diff"], "class": "product-defect"},
        {"id": "b", "title": "x", "severity": "minor", "status": "unverified", "location": {"file": "a/ü b.css", "line": 3, "column": 9}},
        {"id": "c", "title": "y", "severity": "important", "status": "pass", "location": {"item": "story 1"}},
        {"id": "d", "title": "z", "severity": "important"},
    ]});
    for document in [whole.clone(), json!({"schema": "trueup.findings/1", "findings": []})] {
        let log = emit(&document);
        let errors: Vec<String> =
            validator.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
    // The check can fail.
    let mut broken = emit(&whole);
    broken["runs"][0]["results"][0]["level"] = json!("fatal");
    assert!(!validator.is_valid(&broken));
}
