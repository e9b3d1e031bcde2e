//! Runs whose judge and reviser are models, at a server of this process that speaks OpenAI's form.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use crate::{code, stderr, stdout, trueup};

/// A key that must be nowhere but in the header.
const PLANTED: &str = "sk-planted-0123456789";

/// A server that answers every question by what is asked: `answer` gets the body, and gives a status and a body.
struct Server {
    port: u16,
    keys: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start(answer: impl Fn(&Value) -> (u16, String) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let keys = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&keys);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { return };
                let Some((key, body)) = question(&stream) else { continue };
                seen.lock().unwrap().push(key);
                let (status, body) = answer(&body);
                let length = body.len();
                let head = format!(
                    "HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
                );
                let _ = (&stream).write_all((head + &body).as_bytes());
            }
        });
        Self { port, keys }
    }

    /// What a section needs to ask it.
    fn model(&self) -> String {
        format!(
            "kind = \"model\"\nmodel = \"planted-vl\"\nendpoint = \"http://127.0.0.1:{}/v1\"\nkey_variable = \"TRUEUP_PLANTED_KEY\"\n",
            self.port
        )
    }
}

/// The key and the body of a question.
fn question(stream: &TcpStream) -> Option<(String, Value)> {
    let mut reader = BufReader::new(stream);
    let (mut key, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            if line.trim_end().is_empty() {
                break;
            }
            continue;
        };
        match name.to_ascii_lowercase().as_str() {
            "authorization" => key = value.to_owned(),
            "content-length" => length = value.parse().ok()?,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((key, serde_json::from_slice(&body).ok()?))
}

fn says(text: &str) -> (u16, String) {
    let body = json!({
        "id": "cmpl-1", "object": "chat.completion", "created": 1, "model": "planted-vl",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 100, "total_tokens": 1_000}
    });
    (200, body.to_string())
}

/// The badge's example, with a judge and a reviser of one's own.
struct Badge(tempfile::TempDir);

impl Badge {
    fn with(more: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/programs");
        fs::create_dir(folder.path().join("reference")).unwrap();
        for file in
            ["shell.toml", "badge.svg", "brief.md", "rubric.toml", "reviser.sh", "reference/badge.png"]
        {
            fs::copy(example.join(file), folder.path().join(file)).unwrap();
        }
        let config = fs::read_to_string(folder.path().join("shell.toml")).unwrap();
        // Everything but the reviser.
        let (config, _) = config.split_once("[reviser]").unwrap();
        fs::write(folder.path().join("trueup.toml"), format!("{config}{more}")).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn ask(&self, arguments: &[&str], key: Option<&str>) -> Output {
        let mut command = trueup();
        command.arg(arguments[0]).arg(self.path("trueup.toml")).args(&arguments[1..]);
        for usual in ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "TRUEUP_PLANTED_KEY"] {
            command.env_remove(usual);
        }
        if let Some(key) = key {
            command.env("TRUEUP_PLANTED_KEY", key);
        }
        command.output().unwrap()
    }

    fn status(&self) -> String {
        let summary = fs::read_to_string(self.path("runs/r/summary.md")).unwrap();
        summary.lines().find_map(|line| line.strip_prefix("status: ")).unwrap().to_owned()
    }

    /// Looks for the key in everything that a run has left.
    #[track_caller]
    fn assert_no_key(&self, output: &Output) {
        assert!(
            !(stdout(output) + &stderr(output)).contains("sk-planted"),
            "{}{}",
            stdout(output),
            stderr(output)
        );
        let mut folders = vec![self.0.path().to_owned()];
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    seen += 1;
                    let bytes = fs::read(&path).unwrap();
                    let found = bytes.windows(PLANTED.len()).any(|window| window == PLANTED.as_bytes());
                    assert!(!found, "{}", path.display());
                }
            }
        }
        assert!(seen > 10, "the run folder was looked through");
    }
}

#[test]
fn a_judge_and_a_reviser_that_are_models_converge_and_the_key_is_nowhere() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/programs/badge.svg");
    let drifted = fs::read_to_string(example).unwrap();
    let mended = [("#3457b0", "#1f4e8c"), ("#d9a521", "#f2b705"), ("#9fb3e0", "#a9c4ea")]
        .iter()
        .fold(drifted, |svg, (from, to)| svg.replace(from, to));
    let (design, expected) = (mended.clone(), mended);
    // Both repeat the key, as a provider does that is up to no good.
    let server = Server::start(move |body| match body["response_format"]["json_schema"]["name"].as_str() {
        Some("verdict") => says(&format!(
            "```json\n{{\"rubric\": {{\"restraint\": {{\"score\": 4, \"rationale\": \"{PLANTED}\"}}}}}}\n```"
        )),
        _ => says(
            &json!({"result": "changed", "note": format!("three colours, {PLANTED}"),
                    "parts": [{"name": "badge.svg", "text": design}]})
            .to_string(),
        ),
    });
    let model = server.model();
    let badge = Badge::with(&format!(
        "[reviser]\n{model}\n[judge]\n{model}rubric = \"rubric.toml\"\nverdicts = \"verdicts\"\ninput_price = 3\noutput_price = 15\n"
    ));
    let output = badge.ask(&["run", "--run-id", "r"], Some(PLANTED));
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    assert_eq!(badge.status(), "converged");
    assert_eq!(fs::read_to_string(badge.path("badge.svg")).unwrap(), expected);
    let keys = server.keys.lock().unwrap().clone();
    assert!(keys.len() >= 2 && keys.iter().all(|key| *key == format!("Bearer {PLANTED}")), "{keys:?}");
    assert!(
        fs::read_dir(badge.path("verdicts")).unwrap().count() >= 1,
        "a verdict that was paid for is kept"
    );
    badge.assert_no_key(&output);
    // Judged once more, from what is kept: nobody is asked.
    let judged = badge.ask(&["judge", "--format", "json"], Some(PLANTED));
    assert_eq!(code(&judged), 0, "{}{}", stdout(&judged), stderr(&judged));
    assert_eq!(server.keys.lock().unwrap().len(), keys.len());
}

#[test]
fn a_provider_that_refuses_the_key_ends_the_run_as_undetermined_and_says_what_to_do() {
    let server = Server::start(|_| {
        (401, json!({"error": {"message": format!("Incorrect API key: {PLANTED}")}}).to_string())
    });
    let badge = Badge::with(&format!(
        "[reviser]\nkind = \"command\"\ncommand = [\"sh\", \"reviser.sh\"]\nedits = \"files\"\n\n[judge]\n{}rubric = \"rubric.toml\"\n",
        server.model()
    ));
    let output = badge.ask(&["run", "--run-id", "r"], Some(PLANTED));
    assert_eq!((code(&output), badge.status().as_str()), (3, "undetermined:judge-unavailable"));
    let summary = fs::read_to_string(badge.path("runs/r/summary.md")).unwrap();
    assert!(summary.contains("set TRUEUP_PLANTED_KEY to a key"), "{summary}");
    assert!(summary.contains("[redacted]"), "{summary}");
    badge.assert_no_key(&output);
}

#[test]
fn without_a_key_what_was_measured_is_there_with_a_note() {
    let badge =
        Badge::with("[judge]\nkind = \"model\"\nmodel = \"claude-sonnet-4-5\"\nrubric = \"rubric.toml\"\n");
    let output = badge.ask(&["judge", "--format", "json"], None);
    // The badge has drifted: that is known without a judge.
    assert_eq!(code(&output), 1, "{}{}", stdout(&output), stderr(&output));
    let document: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(document["labels"][0]["status"], "fail");
    let note = document["note"].as_str().unwrap();
    assert!(note.contains("ANTHROPIC_API_KEY is not set: set it to a key of anthropic"), "{note}");
    // A run must not pass without it.
    let output = badge.ask(&["run", "--run-id", "r"], None);
    assert_eq!((code(&output), badge.status().as_str()), (3, "undetermined:judge-unavailable"));
    let summary = fs::read_to_string(badge.path("runs/r/summary.md")).unwrap();
    assert!(summary.contains("ANTHROPIC_API_KEY is not set"), "{summary}");
    let doctor = trueup()
        .arg("doctor")
        .arg(badge.path("trueup.toml"))
        .env_remove("ANTHROPIC_API_KEY")
        .output()
        .unwrap();
    assert_eq!(code(&doctor), 1, "{}", stderr(&doctor));
    assert!(
        stdout(&doctor).contains("ANTHROPIC_API_KEY is not set: export the key of the judge"),
        "{}",
        stdout(&doctor)
    );
}

#[test]
fn configurations_of_models_are_checked() {
    for (more, part) in [
        ("", "model"),
        ("model = \"claud-3\"", "nobody can tell whose model \"claud-3\" is"),
        ("model = \"x\"\nendpoint = \"models.example\"", "the endpoint cannot be read"),
        (
            "model = \"x\"\nendpoint = \"http://models.example/v1\"\nkey_variable = \"MY_KEY\"",
            "over an open connection",
        ),
        ("model = \"claude-x\"\nkey_variable = \"sk-ant-0123456789abcdef\"", "never the key itself"),
        ("model = \"claude-x\"\nmax_tokens = 0", "expected a whole number above 0"),
        ("model = \"claude-x\"\ninput_price = 3", "output_price"),
        ("model = \"claude-x\"\ninput_price = -3\noutput_price = 1", "no price"),
        ("model = \"claude-x\"\nverdicts = \"../elsewhere\"", "leads out of the configuration's folder"),
        ("model = \"claude-x\"\ncommand = [\"sh\"]", "command"),
        ("model = \"claude-x\"\ntime_limit_s = 0", "1 to 86400"),
    ] {
        let badge = Badge::with(&format!("[judge]\nkind = \"model\"\nrubric = \"rubric.toml\"\n{more}\n"));
        let output = badge.ask(&["run"], None);
        assert_eq!(code(&output), 2, "{more}: {}", stderr(&output));
        assert!(stderr(&output).contains(part), "{more}: {}", stderr(&output));
        assert!(!stderr(&output).contains("abcdef"), "{}", stderr(&output));
    }
}
