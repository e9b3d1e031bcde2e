//! Verdicts that are kept, and requests to judges.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::rubric::{FRAMESMITH, json_of, reply};
use crate::{code, stderr, stdout, trueup};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A reply with these scores on the five axes.
    fn reply(&self, name: &str, scores: [&str; 5]) -> PathBuf {
        let axes: Vec<(&str, String)> = FRAMESMITH.into_iter().zip(scores.map(str::to_owned)).collect();
        fs::write(self.path(name), reply(&axes)).unwrap();
        self.path(name)
    }

    fn keep(&self, reply: &PathBuf) -> i32 {
        let output = trueup()
            .args([
                "rubric",
                "read",
                "--rubric",
                "framesmith",
                "--judge",
                "ann",
                "--model",
                "m-1",
                "--state",
                "ab12",
                "--contract",
                "cd34",
            ])
            .args(["--keep"])
            .arg(self.path("run"))
            .arg("--log")
            .arg(self.path("log.jsonl"))
            .arg(reply)
            .env_remove("TRUEUP_FLOOR")
            .output()
            .unwrap();
        assert!(stderr(&output).contains("kept: ") || code(&output) == 2, "{}", stderr(&output));
        code(&output)
    }

    fn log(&self, args: &[&str]) -> Value {
        json_of(
            &trueup()
                .arg("log")
                .arg(self.path("log.jsonl"))
                .args(["--format", "json"])
                .args(args)
                .output()
                .unwrap(),
        )
    }
}

#[test]
fn every_verdict_is_kept_in_full_and_logged_in_a_line() {
    let folder = Folder::new();
    assert_eq!(folder.keep(&folder.reply("a", ["4", "2", "4", "4", "4"])), 1);
    assert_eq!(folder.keep(&folder.reply("b", ["4"; 5])), 0);
    fs::write(folder.path("c"), "I'm sorry, no.").unwrap();
    assert_eq!(folder.keep(&folder.path("c")), 3);
    let report = |number: u32| -> Value {
        serde_json::from_str(
            &fs::read_to_string(folder.path(&format!("run/evaluation/report-{number}.json"))).unwrap(),
        )
        .unwrap()
    };
    assert_eq!(
        (&report(1)["judge"], &report(1)["state"], &report(1)["contract"]),
        (&json!("ann"), &json!("ab12"), &json!("cd34"))
    );
    assert_eq!(report(1)["scorecard"]["axes"][1]["rationale"], json!("because"));
    assert_eq!(
        (&report(2)["number"], &report(3)["scorecard"]["fault"]["kind"]),
        (&json!(2), &json!("refused"))
    );
    let log = folder.log(&[]);
    let status: Vec<&str> =
        log["entries"].as_array().unwrap().iter().map(|entry| entry["status"].as_str().unwrap()).collect();
    assert_eq!(status, ["fail", "pass", "undetermined"]);
    assert_eq!(
        (&log["entries"][0]["failing_axes"], &log["entries"][1]["overall"]),
        (&json!(["execution"]), &json!(80.0))
    );
    assert_eq!(folder.log(&["--last", "1"])["entries"].as_array().unwrap().len(), 1);
    assert_eq!(folder.log(&["--rubric", "moai"])["entries"], json!([]));
    let text = stdout(&trueup().arg("log").arg(folder.path("log.jsonl")).output().unwrap());
    assert!(
        text.lines().next().unwrap().contains("fail         framesmith 72 below: execution by ann, m-1 · "),
        "{text}"
    );
}

#[test]
fn a_line_that_a_crash_cut_off_spoils_only_itself() {
    let folder = Folder::new();
    folder.keep(&folder.reply("a", ["4"; 5]));
    let whole = fs::read_to_string(folder.path("log.jsonl")).unwrap();
    fs::write(folder.path("log.jsonl"), format!("{whole}{}", &whole[..40])).unwrap();
    folder.keep(&folder.reply("b", ["3"; 5]));
    let log = folder.log(&[]);
    assert_eq!((log["entries"].as_array().unwrap().len(), &log["damaged_lines"]), (2, &json!([2])));
    let output = trueup().arg("log").arg(folder.path("log.jsonl")).output().unwrap();
    assert!(stderr(&output).contains("line 2 of"), "{}", stderr(&output));
    let gone = trueup().arg("log").arg(folder.path("gone.jsonl")).output().unwrap();
    assert!(code(&gone) == 2 && stderr(&gone).contains("gone.jsonl cannot be read"), "{}", stderr(&gone));
}

#[test]
fn two_scorings_are_compared_and_logged() {
    let folder = Folder::new();
    let calibrate = |a: &PathBuf, b: &PathBuf| {
        let output = trueup()
            .args(["rubric", "calibrate", "--rubric", "framesmith", "--format", "json", "--keep"])
            .arg(folder.path("run"))
            .args([a, b])
            .output()
            .unwrap();
        (code(&output), json_of(&output))
    };
    let (a, b) = (folder.reply("a", ["4"; 5]), folder.reply("b", ["4", "4", "4", "4", "3"]));
    assert_eq!(calibrate(&a, &a).0, 0);
    let (status, document) = calibrate(&a, &b);
    assert_eq!(
        (status, &document["axes"][4]["apart"], &document["axes"][4]["warns"]),
        (1, &json!(0.25), &json!(true))
    );
    fs::write(folder.path("c"), "no").unwrap();
    let (status, document) = calibrate(&a, &folder.path("c"));
    assert_eq!((status, document["faults"].as_array().unwrap().len()), (3, 1));
    let log: Value = serde_json::from_str(
        &fs::read_to_string(folder.path("run/evaluation/calibration-log.json")).unwrap(),
    )
    .unwrap();
    assert_eq!(log.as_array().unwrap().len(), 3);
    // A log that cannot be read is not written over.
    fs::write(folder.path("run/evaluation/calibration-log.json"), "[").unwrap();
    let output = trueup()
        .args(["rubric", "calibrate", "--rubric", "framesmith", "--keep"])
        .arg(folder.path("run"))
        .args([&a, &b])
        .output()
        .unwrap();
    assert_eq!(code(&output), 2);
    assert_eq!(fs::read_to_string(folder.path("run/evaluation/calibration-log.json")).unwrap(), "[");
}

fn request(args: &[&str]) -> Value {
    json_of(&trueup().args(["rubric", "request", "--format", "json"]).args(args).output().unwrap())
}

#[test]
fn requests_ask_for_what_is_read_and_show_no_earlier_judgement() {
    let document = request(&["framesmith", "--artifact", "image=home.png", "--echo", "k7"]);
    assert!(document["prompt"].as_str().unwrap().contains("image home.png"));
    // What is asked for is what is read: a reply that fits the schema is an answer.
    let validator = jsonschema::validator_for(&document["reply_schema"]).unwrap();
    let axis = json!({"score": 4, "anchor": 4, "rationale": "r", "evidence": [{"kind": "image", "locator": "home.png", "quote": null}]});
    let axes: serde_json::Map<String, Value> =
        FRAMESMITH.iter().map(|name| ((*name).to_owned(), axis.clone())).collect();
    let good = json!({"rubric": axes, "summary": "s", "suggestions": []});
    assert!(validator.is_valid(&good));
    let folder = Folder::new();
    fs::write(folder.path("r"), good.to_string()).unwrap();
    fs::write(folder.path("home.png"), "not looked into").unwrap();
    let read = trueup()
        .args(["rubric", "read", "--rubric", "framesmith", "--root"])
        .arg(folder.0.path())
        .arg(folder.path("r"))
        .env_remove("TRUEUP_FLOOR")
        .output()
        .unwrap();
    assert_eq!(code(&read), 0, "{}", stdout(&read));
    let mut extra = good.clone();
    extra["rubric"]["charm"] = axis;
    assert!(!validator.is_valid(&extra));
    let mut high = good;
    high["rubric"]["variety"]["score"] = json!(90);
    assert!(!validator.is_valid(&high));
    fs::write(folder.path("brief.md"), "A calm page. Score: 4 last time.").unwrap();
    let refused = trueup()
        .args(["rubric", "request", "framesmith", "--brief"])
        .arg(folder.path("brief.md"))
        .output()
        .unwrap();
    assert!(
        code(&refused) == 2 && stderr(&refused).contains("shows the judge an earlier score"),
        "{}",
        stderr(&refused)
    );
}

/// Documents of every kind that these commands print or write, for their schemas.
pub(crate) fn documents() -> Vec<Value> {
    let folder = Folder::new();
    let (a, b) = (folder.reply("a", ["4", "2", "4", "null", "4"]), folder.reply("b", ["4"; 5]));
    folder.keep(&a);
    folder.keep(&b);
    let calibrated = trueup()
        .args(["rubric", "calibrate", "--rubric", "framesmith", "--format", "json"])
        .args([&a, &b])
        .output()
        .unwrap();
    let report = fs::read_to_string(folder.path("run/evaluation/report-1.json")).unwrap();
    vec![
        folder.log(&[]),
        serde_json::from_str(&report).unwrap(),
        json_of(&calibrated),
        request(&["moai"]),
        request(&["aep-code"]),
    ]
}
