//! `trueup review`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};

use crate::rubric::json_of;
use crate::{code, stderr, stdout, trueup};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.write(
            "plan.toml",
            "title = \"plan\"\n[[stories]]\nid = \"a\"\nafter = [\"b\"]\nfiles = [\"src/x.rs\"]\n[[stories]]\nid = \"b\"\nafter = [\"a\", \"z\"]\nfiles = [\"src/x.rs\", \"src/y.rs\"]\n[[stories]]\nafter = []\n",
        );
        folder.write(
            "needs.toml",
            "required = [\"title\", \"owner\", \"stories[].id\"]\n[[reference]]\nitems = \"stories[]\"\nid = \"id\"\nrefers = \"after[]\"\nacyclic = true\n[[disjoint]]\nitems = \"stories[]\"\nid = \"id\"\nfiles = \"files[]\"\n",
        );
        folder
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn review(&self, args: &[&str]) -> Output {
        trueup().arg("review").arg(self.path("plan.toml")).args(args).output().unwrap()
    }
}

fn reply(severity: &str, cause: &str) -> String {
    json!({"schema": "trueup.findings/1", "findings": [
        {"id": "F1", "title": "the owner is not said", "severity": severity, "location": {"item": "stories"}, "cause": cause, "fix": "say it"}]})
    .to_string()
}

#[test]
fn the_protocol_checker_finds_fields_references_cycles_and_conflicts() {
    let folder = Folder::new();
    let before = fs::read(folder.path("plan.toml")).unwrap();
    let output = folder.review(&[
        "--roles",
        "protocol-checker",
        "--protocol",
        &folder.path("needs.toml"),
        "--format",
        "json",
    ]);
    let document = json_of(&output);
    assert_eq!((code(&output), &document["status"]), (1, &json!("fail")));
    let titles: Vec<&str> = document["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["title"].as_str().unwrap())
        .collect();
    for expected in [
        "owner is missing",
        "stories[2].id is missing",
        "b refers to z, which is not there",
        "references go in a circle: a → b → a",
        "src/x.rs is changed by a and b",
    ] {
        assert!(titles.contains(&expected), "{expected} is in {titles:?}");
    }
    assert_eq!(titles.len(), 5, "{titles:?}");
    assert_eq!(fs::read(folder.path("plan.toml")).unwrap(), before, "nothing was changed");
}

#[test]
fn roles_are_consolidated_and_what_blocks_comes_first() {
    let folder = Folder::new();
    folder.write("generator.json", &reply("minor", "no owner"));
    folder.write("evaluator.txt", &format!("```json\n{}\n```\n", reply("blocking", "no owner")));
    let args = [
        format!("--reply=generator={}", folder.path("generator.json")),
        format!("--reply=evaluator={}", folder.path("evaluator.txt")),
    ];
    let output = folder.review(&[&args[0], &args[1], "--format", "json"]);
    let document = json_of(&output);
    assert_eq!((code(&output), &document["blocking"]), (1, &json!(1)));
    assert_eq!(document["findings"][0]["found_by"], json!(["evaluator", "generator"]));
    let text = stdout(&folder.review(&[&args[0], &args[1]]));
    assert!(text.contains("## Blocking (1 issue)") && text.contains("Nothing was changed."), "{text}");
    folder.write("evaluator.txt", &reply("minor", "no owner"));
    assert_eq!(code(&folder.review(&[&args[0], &args[1]])), 0);
}

#[test]
fn a_role_without_an_answer_is_no_pass() {
    let folder = Folder::new();
    folder.write("generator.json", &reply("minor", "no owner"));
    let generator = format!("--reply=generator={}", folder.path("generator.json"));
    let output = folder.review(&[&generator, "--format", "json"]);
    let document = json_of(&output);
    assert_eq!((code(&output), &document["status"]), (3, &json!("undetermined")));
    assert_eq!(document["roles"][1]["status"], json!("unanswered"));
    folder.write("evaluator.txt", "Looks good to me!");
    let evaluator = format!("--reply=evaluator={}", folder.path("evaluator.txt"));
    let output = folder.review(&[&generator, &evaluator, "--format", "json"]);
    assert_eq!((code(&output), &json_of(&output)["roles"][1]["status"]), (3, &json!("fault")));
    assert_eq!(code(&folder.review(&["--roles", "critic"])), 2);
    let bad = folder.write("bad.toml", "requird = []");
    let output = folder.review(&["--roles", "protocol-checker", "--protocol", bad.to_str().unwrap()]);
    assert!(
        code(&output) == 2 && stderr(&output).contains("bad.toml: it is no protocol"),
        "{}",
        stderr(&output)
    );
}

#[cfg(unix)]
#[test]
fn programs_play_roles_within_their_time() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    let script = |name: &str, body: &str| {
        let path = folder.write(name, &format!("#!/bin/sh\n{body}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    };
    // It answers only when it was told what to do.
    let answers = script(
        "answers",
        &format!(
            "grep -q 'can it be implemented' && cat '{}'",
            folder.write("r.json", &reply("minor", "c")).display()
        ),
    );
    let roles = ["--roles", "generator", "--format", "json"];
    let run = |command: &str, more: &[&str]| {
        let command = format!("--command=generator={command}");
        let output = folder.review(&[&roles[..], &[command.as_str()], more].concat());
        (code(&output), json_of(&output))
    };
    assert_eq!(run(&answers, &[]).0, 0);
    let (status, document) = run(&script("fails", "exit 3"), &[]);
    assert!(status == 3 && document["roles"][0]["why"].as_str().unwrap().contains("failed"), "{document}");
    let (status, document) = run(&script("hangs", "exec sleep 60"), &["--timeout-seconds", "1"]);
    assert!(
        status == 3 && document["roles"][0]["why"].as_str().unwrap().contains("within 1 s"),
        "{document}"
    );
    let (status, document) = run("./no-such-program", &[]);
    assert!(
        status == 3 && document["roles"][0]["why"].as_str().unwrap().contains("cannot be started"),
        "{document}"
    );
}

#[test]
fn prompts_are_written_for_whoever_plays_the_roles() {
    let folder = Folder::new();
    let output = folder.review(&[
        "--roles",
        "generator,evaluator",
        "--prompts",
        &folder.path("prompts"),
        "--consumer",
        "the build",
    ]);
    assert_eq!(code(&output), 3);
    let read = |name: &str| fs::read_to_string(Path::new(&folder.path("prompts")).join(name)).unwrap();
    assert!(
        read("generator.prompt.md").contains("the build")
            && !read("evaluator.prompt.md").contains("the build")
    );
    assert!(read("evaluator.prompt.md").contains("after = [\"b\"]"));
}

/// A document for its schema.
pub(crate) fn documents() -> Vec<Value> {
    let folder = Folder::new();
    vec![json_of(&folder.review(&[
        "--roles",
        "generator,protocol-checker",
        "--protocol",
        &folder.path("needs.toml"),
        "--format",
        "json",
    ]))]
}
