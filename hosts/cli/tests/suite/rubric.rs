//! `trueup rubric`.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use serde_json::{Value, json};

use crate::{code, stderr, stdout, trueup};

pub(crate) const FRAMESMITH: [&str; 5] = ["hierarchy", "execution", "specificity", "restraint", "variety"];

/// Runs the command with text on standard input.
pub(crate) fn with_input(args: &[&str], text: &str) -> Output {
    let mut child = trueup()
        .args(args)
        .env_remove("TRUEUP_FLOOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command may refuse before it has read.
    let _refused = child.stdin.take().unwrap().write_all(text.as_bytes());
    child.wait_with_output().unwrap()
}

pub(crate) fn json_of(output: &Output) -> Value {
    serde_json::from_str(&stdout(output))
        .unwrap_or_else(|error| panic!("{error}: {}{}", stdout(output), stderr(output)))
}

fn read(rubric: &str, text: &str, args: &[&str]) -> (i32, Value) {
    let mut all = vec!["rubric", "read", "-", "--rubric", rubric, "--format", "json"];
    all.extend(args);
    let output = with_input(&all, text);
    (code(&output), json_of(&output))
}

/// A reply that scores these axes.
pub(crate) fn reply(axes: &[(&str, String)]) -> String {
    let axes: serde_json::Map<String, Value> = axes
        .iter()
        .map(|(name, score)| {
            let score: Value = serde_json::from_str(score).unwrap();
            ((*name).to_owned(), json!({"score": score, "rationale": "because"}))
        })
        .collect();
    json!({"rubric": axes, "summary": "s", "suggestions": ["t"]}).to_string()
}

fn five(scores: [&str; 5]) -> String {
    let axes: Vec<(&str, String)> = FRAMESMITH.into_iter().zip(scores.map(str::to_owned)).collect();
    reply(&axes)
}

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/rubric")
}

/// A number of the file as the command prints it; null where the file has none.
fn number(value: Option<&toml::Value>) -> Value {
    match value {
        None => Value::Null,
        Some(toml::Value::Integer(whole)) => json!(whole),
        Some(toml::Value::Float(float)) if float.fract() == 0.0 => json!(*float as i64),
        Some(toml::Value::Float(float)) => json!(float),
        Some(other) => panic!("{other:?} is no number"),
    }
}

fn text(value: Option<&toml::Value>) -> Value {
    value.map_or(Value::Null, |value| json!(value.as_str().unwrap()))
}

fn flag(value: Option<&toml::Value>) -> Value {
    json!(value.is_some_and(|value| value.as_bool().unwrap()))
}

fn list<'t>(table: &'t toml::Table, key: &str) -> &'t [toml::Value] {
    table.get(key).and_then(toml::Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

#[test]
fn every_number_of_every_named_rubric_is_the_sources() {
    let mut seen = BTreeSet::new();
    for entry in fs::read_dir(testdata()).unwrap() {
        let path = entry.unwrap().path();
        let table: toml::Table = fs::read_to_string(&path).unwrap().parse().unwrap();
        let name = table["name"].as_str().unwrap();
        let shown = json_of(&trueup().args(["rubric", "show", name, "--format", "json"]).output().unwrap());
        assert_eq!(shown["name"], json!(name));
        for key in ["neutral", "regression_step", "threshold_at_least"] {
            assert_eq!(shown[key], number(table.get(key)), "{name}: {key}");
        }
        assert_eq!(shown["floors_only_rise"], flag(table.get("floors_only_rise")), "{name}");
        let requires: Vec<&str> =
            list(&table, "requires").iter().map(|item| item.as_str().unwrap()).collect();
        assert_eq!(shown["requires"], json!(requires), "{name}");
        match table.get("overall") {
            None => assert_eq!(shown["overall"], Value::Null, "{name}"),
            Some(overall) => {
                for key in ["aggregation", "stated"] {
                    assert_eq!(shown["overall"][key], text(overall.get(key)), "{name}: {key}");
                }
                assert_eq!(shown["overall"]["threshold"], number(overall.get("threshold")), "{name}");
                assert_eq!(shown["overall"]["weights"], json!({}), "{name}: no weight is invented");
            }
        }
        let axes: Vec<Value> = list(&table, "axis")
            .iter()
            .map(|axis| {
                json!({
                    "name": text(axis.get("name")), "min": number(axis.get("min")), "max": number(axis.get("max")),
                    "step": number(axis.get("step")), "slack": number(axis.get("slack")),
                    "floor": number(axis.get("floor")), "hard_floor": number(axis.get("hard_floor")),
                    "must_pass": flag(axis.get("must_pass")), "only_anchors": flag(axis.get("only_anchors")),
                    "anchors": list(axis.as_table().unwrap(), "anchors").iter().map(|score| number(Some(score))).collect::<Vec<_>>(),
                })
            })
            .collect();
        let found: Vec<Value> = shown["axes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|axis| {
                let scale = &axis["scale"];
                json!({
                    "name": axis["name"], "min": scale["min"], "max": scale["max"], "step": scale["step"],
                    "slack": scale["slack"], "floor": axis["floor"], "hard_floor": axis["hard_floor"],
                    "must_pass": axis["must_pass"], "only_anchors": scale["only_anchors"],
                    "anchors": axis["anchors"].as_array().unwrap().iter().map(|anchor| anchor["score"].clone()).collect::<Vec<_>>(),
                })
            })
            .collect();
        assert_eq!(found, axes, "{name}");
        let conditions: Vec<Value> = list(&table, "condition")
            .iter()
            .map(|condition| {
                json!([
                    text(condition.get("id")),
                    text(condition.get("effect")),
                    text(condition.get("axis")),
                    number(condition.get("at"))
                ])
            })
            .collect();
        let found: Vec<Value> = shown["conditions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|condition| {
                json!([condition["id"], condition["effect"], condition["axis"], condition["at"]])
            })
            .collect();
        assert_eq!(found, conditions, "{name}");
        // What is printed for people has all of it, too.
        let printed = stdout(&trueup().args(["rubric", "show", name]).output().unwrap());
        for axis in shown["axes"].as_array().unwrap() {
            assert!(printed.contains(&format!("\n{}: ", axis["name"].as_str().unwrap())), "{printed}");
            for anchor in axis["anchors"].as_array().unwrap() {
                assert!(
                    printed.contains(&format!("{}  {}", anchor["score"], anchor["text"].as_str().unwrap())),
                    "{printed}"
                );
            }
            for (key, word) in [("floor", "floor"), ("hard_floor", "hard fail below")] {
                if !axis[key].is_null() {
                    assert!(printed.contains(&format!("{word} {}", axis[key])), "{printed}");
                }
            }
        }
        for condition in shown["conditions"].as_array().unwrap() {
            assert!(printed.contains(condition["text"].as_str().unwrap()), "{printed}");
            if !condition["at"].is_null() {
                assert!(printed.contains(&format!("at most {}", condition["at"])), "{printed}");
            }
        }
        cases(name, &table, &shown);
        seen.insert(name.to_owned());
    }
    let listed = json_of(&trueup().args(["rubric", "list", "--format", "json"]).output().unwrap());
    let names: BTreeSet<String> = listed["rubrics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rubric| rubric["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(seen, names, "every named rubric has its file");
}

/// Replies with these scores come to what the file says.
fn cases(name: &str, table: &toml::Table, shown: &Value) {
    for case in list(table, "case") {
        let case = case.as_table().unwrap();
        let names = shown["axes"].as_array().unwrap().iter().map(|axis| axis["name"].as_str().unwrap());
        let scores = list(case, "scores").iter().map(|score| number(Some(score)).to_string());
        let axes: Vec<(&str, String)> = names.zip(scores).collect();
        let floor = case.get("floor").map(|floor| number(Some(floor)).to_string());
        let args: Vec<&str> = floor.iter().flat_map(|floor| ["--floor", floor.as_str()]).collect();
        let (code, card) = read(name, &reply(&axes), &args);
        assert_eq!(card["status"], text(case.get("status")), "{name}: {case:?}");
        assert_eq!(code, i32::from(card["status"] == "fail"), "{name}: {case:?}");
        let failing: Vec<&str> = list(case, "failing").iter().map(|axis| axis.as_str().unwrap()).collect();
        assert_eq!(card["failing_axes"], json!(failing), "{name}: {case:?}");
        assert_eq!(card["overall"], number(case.get("overall")), "{name}: {case:?}");
        if let Some(hard) = case.get("hard_fails") {
            assert_eq!(card["hard_fails"], number(Some(hard)), "{name}: {case:?}");
        }
    }
}

#[test]
fn exit_codes_say_what_the_reply_came_to() {
    let (status, card) = read("framesmith", &five(["4"; 5]), &[]);
    assert_eq!((status, &card["status"], &card["overall"]), (0, &json!("pass"), &json!(80)));
    assert_eq!(card["schema"], json!("trueup.scorecard/1"));
    assert_eq!(card["axes"][0]["rationale"], json!("because"));
    let (status, card) = read("framesmith", &five(["4", "2", "4", "4", "4"]), &[]);
    assert_eq!((status, &card["failing_axes"]), (1, &json!(["execution"])));
    let (status, card) = read("framesmith", &five(["4", "4", "4", "4", "null"]), &[]);
    assert_eq!((status, &card["status"], &card["overall"]), (3, &json!("undetermined"), &Value::Null));
    assert_eq!((&card["axes"][4]["reading"], &card["axes"][4]["score"]), (&json!("missing"), &Value::Null));
    let (status, card) = read("framesmith", &five(["90", "4", "4", "4", "4"]), &[]);
    assert_eq!((status, &card["fault"]["kind"]), (3, &json!("scale-confusion")));
    let output = with_input(&["rubric", "read", "-", "--rubric", "framesmth"], "");
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("did you mean \"framesmith\""), "{}", stderr(&output));
    let output =
        trueup().args(["rubric", "read", "no-such-file", "--rubric", "framesmith"]).output().unwrap();
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).starts_with("error: no-such-file cannot be read"), "{}", stderr(&output));
}

#[test]
fn floors_come_from_the_argument_then_the_environment_then_the_rubric() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reply.json");
    fs::write(&path, five(["3"; 5])).unwrap();
    let run = |environment: Option<&str>, args: &[&str]| {
        let mut command = trueup();
        command.args(["rubric", "read", "--rubric", "framesmith", "--format", "json"]).arg(&path).args(args);
        match environment {
            Some(floor) => command.env("TRUEUP_FLOOR", floor),
            None => command.env_remove("TRUEUP_FLOOR"),
        };
        let output = command.output().unwrap();
        (code(&output), stdout(&output) + &stderr(&output))
    };
    assert_eq!(run(None, &[]).0, 0);
    assert_eq!(run(Some("4"), &[]).0, 1);
    assert_eq!(run(Some("4"), &["--floor", "3"]).0, 0);
    assert_eq!(run(None, &["--floor", "4"]).0, 1);
    // What the environment says wrongly is not used, and said; what the argument says wrongly is an error.
    let (status, text) = run(Some("9"), &[]);
    assert!(status == 0 && text.contains("is not used"), "{text}");
    let (status, text) = run(None, &["--floor", "9"]);
    assert!(status == 2 && text.contains("lies outside its scale"), "{text}");
    assert_eq!(run(None, &["--floor", "high"]).0, 2);
}

#[test]
fn without_a_rubric_a_reply_is_observations_and_undetermined() {
    let output = with_input(&["rubric", "read", "-", "--format", "json"], &five(["5"; 5]));
    let card = json_of(&output);
    assert_eq!((code(&output), &card["status"]), (3, &json!("undetermined")));
    assert_eq!((&card["axes"][0]["reading"], &card["rubric"]), (&json!("observed"), &Value::Null));
    assert!(stdout(&with_input(&["rubric", "read", "-"], &five(["5"; 5]))).contains("observations"));
}

#[test]
fn evidence_is_looked_up_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.css"), "a { gap: 12px }\n").unwrap();
    fs::write(
        folder.path().join("r.toml"),
        "requires = [\"verified\"]\n[[axis]]\nname = \"spacing\"\nmin = 1\nmax = 5\nstep = 1\nfloor = 3\n",
    )
    .unwrap();
    let rubric = folder.path().join("r.toml");
    let with = |quote: &str| {
        let reply = json!({"rubric": {"spacing": {"score": 4, "rationale": "r",
            "evidence": [{"kind": "file", "locator": "a.css:1", "quote": quote}]}}});
        read(rubric.to_str().unwrap(), &reply.to_string(), &["--root", folder.path().to_str().unwrap()])
    };
    assert_eq!(with("gap: 12px").0, 0);
    let (status, card) = with("gap: 13px");
    assert_eq!((status, &card["axes"][0]["reading"]), (3, &json!("unverified")));
    assert!(card["axes"][0]["why"].as_str().unwrap().contains("does not stand"), "{card}");
}

#[test]
fn every_mistake_in_a_rubric_is_an_error_with_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let good = r#"
name = "mine"
aggregation = "mean"
threshold = 3.5
[scale]
min = 1
max = 5
step = 1
[[axis]]
name = "clarity"
floor = 3
[[axis]]
name = "calm"
floor = 3
[floors]
calm = 4
[[condition]]
id = "alt"
text = "pictures have alt texts"
caps = "calm"
at = 2
"#;
    let check = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let output = trueup().args(["rubric", "check"]).arg(&path).output().unwrap();
        (code(&output), stdout(&output) + &stderr(&output))
    };
    let (status, text) = check("r.toml", good);
    assert_eq!(status, 0, "{text}");
    for (from, to, parts) in [
        ("min = 1\n", "min = 5\n", vec![": axis[0].min: ", "must be below the maximum"]),
        ("calm = 4", "clam = 4", vec![":16:8: floors.clam: ", "not there: expected clarity, calm"]),
        (
            "floor = 3\n[floors]",
            "floor = 3\nweight = 2\n[floors]",
            vec!["axis[1].weight: ", "aggregation = \"weighted\""],
        ),
        ("name = \"calm\"", "name = \"Clarity\"", vec![":13:8: axis[1].name: ", "is there twice"]),
        ("threshold = 3.5", "threshold = 5.5", vec![": threshold: ", "runs from 1 (worst) to 5 (best)"]),
        ("step = 1", "step = 3", vec!["axis[0].step: ", "whole steps"]),
        ("floor = 3", "floor = 6", vec![":11:9: axis[0].floor: ", "outside its scale"]),
        ("aggregation = \"mean\"\n", "", vec![": threshold: ", "never invented"]),
        (
            "aggregation = \"mean\"",
            "aggregation = \"avg\"",
            vec![": aggregation: ", "min, mean, weighted or reported"],
        ),
        ("caps = \"calm\"", "caps = \"peace\"", vec!["condition[0].caps: ", "expected clarity, calm"]),
        ("at = 2", "at = 9", vec!["condition[0].at: ", "outside its axis's scale"]),
        ("at = 2\n", "", vec!["condition[0].at: ", "it is missing"]),
        ("threshold = 3.5", "treshold = 3.5", vec![":4:12: treshold: ", "did you mean \"threshold\""]),
        ("floor = 3", "floor = \"three\"", vec!["axis[0].floor: ", "expected a number, found a text"]),
        ("name = \"clarity\"\n", "", vec!["axis[0].name: ", "it is missing"]),
        (
            "floor = 3\n[[axis]]",
            "floor = 3\n[[axis.anchor]]\nscore = 1.5\ntext = \"t\"\n[[axis]]",
            vec!["axis[0].anchor: ", "no score on its scale"],
        ),
        (
            "floor = 3\n[[axis]]",
            "floor = 3\nonly_anchors = true\n[[axis.anchor]]\nscore = 2\ntext = \"t\"\n[[axis]]",
            vec!["axis[0].floor: ", "the best is 2"],
        ),
        ("name = \"mine\"", "extends = \"aep-cod\"", vec![": extends: ", "expected framesmith, "]),
        ("[scale]", "[scale", vec![":5:", "it is not TOML"]),
    ] {
        assert!(good.contains(from), "{from}");
        let (status, text) = check("r.toml", &good.replacen(from, to, 1));
        assert_eq!(status, 2, "{from} → {to}: {text}");
        assert!(text.starts_with("error: ") && text.trim_end().lines().count() == 1, "{text}");
        for part in parts {
            assert!(text.contains(part), "{from} → {to}: {part:?} is in {text}");
        }
    }
    // The same in JSON, where the path says where.
    let (status, text) = check("r.json", r#"{"axis": [{"name": "a", "min": 1, "max": 1, "floor": 1}]}"#);
    assert!(status == 2 && text.contains("r.json: axis[0].min: "), "{text}");
    let (status, text) = check("r.json", r#"{"axis": [{"name": "a", "min": 1, "max": 5, "floor": 3}]}"#);
    assert_eq!(status, 0, "{text}");
    let (status, text) =
        check("r.json", r#"{"axis": [{"name": "a", "min": 1, "min": 2, "max": 5, "floor": 3}]}"#);
    assert!(status == 2 && text.contains("is there twice"), "{text}");
    let (status, text) = check("r.toml", "[[axis]]\nname = \"a\"\nmin = 1\nmax = 5\n");
    assert!(status == 2 && text.contains("nothing could ever fail"), "{text}");
    let (status, text) = check("r.toml", "");
    assert!(status == 2 && text.contains("at least one [[axis]]"), "{text}");
}

#[test]
fn a_project_adds_dimensions_and_rules_and_only_raises_floors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("criteria.toml");
    let write = |floor: &str| {
        fs::write(
            &path,
            format!(
                "extends = \"aep-story-mapping\"\n[floors]\n\"Vision Alignment\" = {floor}\n[[axis]]\nname = \"Data Privacy\"\nmin = 1\nmax = 5\nstep = 1\nfloor = 4\n[[condition]]\nid = \"migrations\"\ntext = \"every change of the database has its migration\"\nfails = \"INVEST Compliance\"\n"
            ),
        )
        .unwrap();
        trueup().args(["rubric", "show", "--format", "json"]).arg(&path).output().unwrap()
    };
    let shown = json_of(&write("4"));
    assert_eq!(shown["axes"].as_array().unwrap().len(), 6);
    assert_eq!((&shown["axes"][2]["floor"], &shown["axes"][5]["name"]), (&json!(4), &json!("Data Privacy")));
    let axes: Vec<(&str, String)> = shown["axes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|axis| (axis["name"].as_str().unwrap(), "5".to_owned()))
        .collect();
    let failed = reply(&axes).replacen('{', "{\"conditions\": {\"migrations\": \"fail\"},", 1);
    let (status, card) = read(path.to_str().unwrap(), &failed, &[]);
    assert_eq!((status, &card["failing_axes"]), (1, &json!(["INVEST Compliance"])));
    let lowered = write("2");
    assert_eq!(code(&lowered), 2);
    assert!(stderr(&lowered).contains("may only be raised"), "{}", stderr(&lowered));
}

/// Documents of every kind that this command prints, for their schemas.
pub(crate) fn documents() -> Vec<Value> {
    let of = |args: &[&str], text: &str| json_of(&with_input(args, text));
    let read = |text: &str| of(&["rubric", "read", "-", "--rubric", "framesmith", "--format", "json"], text);
    vec![
        of(&["rubric", "list", "--format", "json"], ""),
        of(&["rubric", "show", "moai", "--format", "json"], ""),
        of(&["rubric", "show", "framesmith", "--format", "json"], ""),
        of(&["rubric", "show", "aep-code", "--format", "json"], ""),
        read(&five(["4", "6", "\"x\"", "null", "2.5"])),
        read("no"),
        of(&["rubric", "read", "-", "--format", "json"], &five(["4"; 5])),
        of(
            &["rubric", "read", "-", "--rubric", "moai", "--format", "json"],
            r#"{"rubric": {"Originality": {"score": 1, "evidence": [{"kind": "file", "locator": "x", "quote": "y"}]}}, "conditions": {"links-work": "pass"}}"#,
        ),
    ]
}
