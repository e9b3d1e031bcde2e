//! `trueup mcp`, called by the protocol's own client in another language.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::people::judged;
use crate::{Card, code, stdout, trueup};

/// Whether the protocol's client for Python is there.
fn has_client() -> bool {
    let found = Command::new("python3")
        .args(["-c", "import mcp"])
        .output()
        .is_ok_and(|output| output.status.success());
    assert!(
        found || std::env::var_os("CI").is_none(),
        "CI has to call the server with the protocol's own client"
    );
    if !found {
        // Once, and where it is seen.
        static SAID: std::sync::Once = std::sync::Once::new();
        SAID.call_once(|| {
            use std::io::Write;
            let _ = writeln!(
                std::io::stderr(),
                "not run: python3 or its package mcp is not there (pip install mcp), and an agent in Python calls the server"
            );
        });
    }
    found
}

fn agent(folder: &Path, task: &str) -> Value {
    agent_at(env!("CARGO_BIN_EXE_trueup"), folder, task)
}

/// `server` is the command, or the address of a server that runs.
fn agent_at(server: &str, folder: &Path, task: &str) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agent/agent.py");
    let output = Command::new("python3").arg(script).arg(server).arg(folder).arg(task).output().unwrap();
    let text = stdout(&output);
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr)))
}

/// A card in a folder of its own, beside which there are things that no agent may reach.
fn card() -> (Card, PathBuf) {
    let card = Card::drifted();
    let folder = card.path(".").canonicalize().unwrap();
    (card, folder)
}

#[test]
fn an_agent_in_another_language_converges() {
    if !has_client() {
        return;
    }
    let (card, folder) = card();
    let seen = agent(&folder, "loop");
    let answers = seen["answers"].as_array().unwrap();
    let (first, last) = (&answers[0], answers.last().unwrap());
    assert_eq!((&first["next"], &first["exit_code"]), (&json!("revise"), &json!(10)));
    assert!(first["pictures"].as_u64().unwrap() >= 2, "an open region is shown as it should be and as it is");
    assert_eq!((&last["next"], &last["run"]["status"]), (&json!("done"), &json!("converged")), "{last}");
    assert!(!seen["progress"].as_array().unwrap().is_empty(), "it hears of what is being done");
    assert_eq!(
        seen["tools"],
        json!([
            "capture",
            "diff",
            "judge",
            "loop_answer",
            "loop_next",
            "loop_start",
            "probe",
            "report",
            "run_status"
        ])
    );
    assert_eq!(seen["schemas"], true);
    assert_eq!(seen["status"]["signal"]["eval_result"], "pass", "{}", seen["status"]);
    assert_eq!(seen["report"]["report"], "runs/r/report.html");
    assert!(card.path("runs/r/report.html").is_file());
    assert_eq!((&seen["diff"]["status"], &seen["diff"]["pictures"]), (&json!("fail"), &json!(1)));
    assert!(seen["summary"].as_str().unwrap().contains("status: converged"));
    let resources = seen["resources"].as_array().unwrap();
    assert!(resources.contains(&json!("trueup://rubric/framesmith")), "{resources:?}");
}

#[test]
fn a_run_goes_on_with_another_client() {
    if !has_client() {
        return;
    }
    let (_card, folder) = card();
    assert_eq!(agent(&folder, "begin")["next"], "revise");
    let last = agent(&folder, "resume");
    assert_eq!(
        (&last["next"], &last["run"]["status"], &last["run"]["resumed"]),
        (&json!("done"), &json!("converged"), &json!(true))
    );
}

#[test]
fn what_no_agent_may_do_is_refused_with_what_to_do() {
    if !has_client() {
        return;
    }
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("project");
    let (card, from) = card();
    fs::create_dir_all(folder.join("reference")).unwrap();
    for file in ["trueup.toml", "card.svg", "unreachable.png", "reference/card.png"] {
        fs::copy(from.join(file), folder.join(file)).unwrap();
    }
    fs::copy(card.path("reference/card.png"), outer.path().join("outside.png")).unwrap();
    fs::write(outer.path().join("outside.toml"), "").unwrap();
    let programs = fs::read_to_string(folder.join("trueup.toml")).unwrap();
    let judge = "\n[judge]\ncommand = [\"sh\", \"-c\", \"touch ran\"]\nrubric = \"framesmith\"\n";
    fs::write(folder.join("programs.toml"), programs + judge).unwrap();
    let seen = agent(&folder, "forbidden");
    assert_eq!(seen["begun"]["next"], "revise");
    assert!(
        seen["again"]["refused"].as_str().unwrap().contains("is there already: go on with loop_next"),
        "{seen}"
    );
    for (act, said) in [
        ("verdict", "unknown field `status`"),
        ("score", "unknown field `score`"),
        ("cap", "unknown field `iteration_cap`"),
        ("cap at the start", "unknown field `iteration_cap`"),
        ("gate", "unknown field `skip`"),
        ("read outside", "is outside the roots of this server"),
        ("read by a full path", "is outside the roots of this server"),
        ("write outside", "is outside the roots of this server"),
        ("config outside", "is outside the roots of this server"),
        ("run outside", "is outside the roots of this server"),
        ("programs", "start it with --allow-programs"),
        ("answer", "only a person can answer this"),
        ("another run", "begin one with loop_start"),
        ("unknown tool", ""),
        ("not a text", "invalid type"),
        ("huge", ""),
        ("resource", ""),
    ] {
        let refused =
            seen["acts"][act]["refused"].as_str().unwrap_or_else(|| panic!("{act} was done: {seen}"));
        assert!(refused.contains(said), "{act}: {refused}");
    }
    assert!(seen["still"]["signal"].is_object(), "it still serves: {}", seen["still"]);
    assert!(!folder.join("ran").exists() && !outer.path().join("captures").exists());
}

#[test]
fn a_call_that_is_called_off_leaves_a_run_that_goes_on() {
    if !has_client() {
        return;
    }
    let card = judged();
    let folder = card.path(".");
    // A judge that takes its time.
    fs::write(card.path("judge.sh"), "cat >/dev/null\nsleep 60\n").unwrap();
    let began = std::time::Instant::now();
    let seen = agent(&folder, "cancel");
    assert_ne!(seen["cancelled"], false, "{seen}");
    assert!(began.elapsed() < Duration::from_secs(40), "the judge was not waited for");
    // Nobody holds the run any more, and it says how it ended.
    let status = trueup().arg("next").arg(card.path("trueup.toml")).args(["--run-id", "r"]).output().unwrap();
    assert!(stdout(&status).contains("cancelled"), "{}{}", stdout(&status), code(&status));
}

#[test]
fn a_person_answers_through_the_client_and_the_agent_cannot() {
    if !has_client() {
        return;
    }
    let card = judged();
    let folder = card.path(".");
    card.configure("iteration_cap = 6", "iteration_cap = 3");
    let seen = agent(&folder, "answer");
    assert_eq!(seen["waits"]["exit_code"], 4, "{seen}");
    assert_eq!(seen["answered"]["run"]["status"], "accepted-unconverged", "{seen}");
    assert!(fs::read_to_string(card.path("runs/r/needs-human.md")).unwrap().contains("says ana"));
}

#[test]
fn what_is_no_message_gets_one_clear_line() {
    let mut child = trueup()
        .arg("mcp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    use std::io::Write;
    let _gone = child.stdin.take().unwrap().write_all(b"{\"jsonrpc\": nonsense\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 2);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.starts_with("error: ") && said.trim_end().lines().count() == 1, "{said}");
    let nowhere = trueup().args(["mcp", "--root", "nowhere"]).output().unwrap();
    assert_eq!(code(&nowhere), 2);
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("nowhere cannot be a root"));
}

/// A server that listens, ended with the test.
struct Listening(std::process::Child, String);

impl Listening {
    fn new(folder: &Path) -> Self {
        use std::io::{BufRead, BufReader};
        let mut child = trueup()
            .args(["mcp", "--http", "127.0.0.1:0", "--root"])
            .arg(folder)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("serving at ").unwrap_or_else(|| panic!("{line}")).to_owned();
        Self(child, address)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _gone = self.0.kill();
        let _gone = self.0.wait();
    }
}

#[test]
fn one_server_over_http_serves_a_loop_and_refuses_the_same_acts() {
    if !has_client() {
        return;
    }
    let (card, folder) = card();
    let server = Listening::new(&folder);
    let seen = agent_at(&server.1, &folder, "loop");
    assert_eq!(seen["answers"].as_array().unwrap().last().unwrap()["run"]["status"], "converged", "{seen}");
    // Another client, another run, the same server.
    fs::remove_dir_all(card.path("runs")).unwrap();
    let seen = agent_at(&server.1, &folder, "forbidden");
    for act in ["verdict", "cap", "read outside", "write outside", "another run"] {
        assert!(seen["acts"][act]["refused"].is_string(), "{act}: {seen}");
    }
}

#[test]
fn a_server_is_for_this_machine_and_no_page_of_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let open = trueup().args(["mcp", "--http", "0.0.0.0:0"]).output().unwrap();
    assert_eq!(code(&open), 2);
    assert!(String::from_utf8_lossy(&open.stderr).contains("is not an address of this machine alone"));
    let server = Listening::new(folder.path());
    let address = server.1.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    let status = |headers: &str| {
        use std::io::{Read, Write};
        let mut stream = std::net::TcpStream::connect(&address).unwrap();
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let request = format!(
            "POST /mcp HTTP/1.1\r\n{headers}Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        let _read = stream.read_to_string(&mut answer);
        answer.split(' ').nth(1).unwrap_or_default().to_owned()
    };
    assert_eq!(status("Host: evil.example\r\n"), "403");
    assert_eq!(status(&format!("Host: {address}\r\nOrigin: https://evil.example\r\n")), "403");
    assert_ne!(status(&format!("Host: {address}\r\n")), "403");
}

#[test]
fn the_transcript_is_what_an_agent_says_and_hears() {
    if !crate::programs::has_python() {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agent/transcript.py");
    let output = Command::new("python3").arg(script).arg(env!("CARGO_BIN_EXE_trueup")).output().unwrap();
    let written = include_str!("../../../../docs/mcp-transcript.md");
    assert_eq!(stdout(&output).trim_end(), written.trim_end(), "{}", String::from_utf8_lossy(&output.stderr));
}
