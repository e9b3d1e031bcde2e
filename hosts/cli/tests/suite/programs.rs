//! Runs whose ports are programs of somebody else, friendly and not.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::{code, stderr, stdout, trueup};

/// A copy of the example in a folder of its own.
struct Badge(tempfile::TempDir);

impl Badge {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/programs");
        fs::create_dir(folder.path().join("reference")).unwrap();
        for file in [
            "trueup.toml",
            "shell.toml",
            "badge.svg",
            "brief.md",
            "rubric.toml",
            "reviser.py",
            "reviser.sh",
            "judge.py",
            "reference/badge.png",
        ] {
            fs::copy(example.join(file), folder.path().join(file)).unwrap();
        }
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn svg(&self) -> String {
        fs::read_to_string(self.path("badge.svg")).unwrap()
    }

    /// The shell's configuration with another reviser script and more below.
    fn with_reviser(self, script: &str, more: &str) -> Self {
        fs::write(self.path("reviser.sh"), script).unwrap();
        let config = fs::read_to_string(self.path("shell.toml")).unwrap();
        fs::write(self.path("shell.toml"), config + more).unwrap();
        self
    }

    fn run(&self, config: &str) -> Output {
        let mut command = trueup();
        command.arg("run").arg(self.path(config)).args(["--run-id", "r"]);
        // What no child was given must turn up nowhere.
        command.env("TRUEUP_PLANTED_KEY", PLANTED).output().unwrap()
    }

    fn status(&self) -> String {
        let summary = fs::read_to_string(self.path("runs/r/summary.md")).unwrap();
        summary.lines().find_map(|line| line.strip_prefix("status: ")).unwrap().to_owned()
    }
}

const PLANTED: &str = "planted-0123456789";
const NOTHING: &str = "cat >/dev/null\n";

pub(crate) fn has_python() -> bool {
    let found = std::process::Command::new("python3").arg("--version").output().is_ok();
    assert!(found || std::env::var_os("CI").is_none(), "CI has to run the examples in Python");
    if !found {
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), "not run: python3 is not there, and two examples are in Python");
    }
    found
}

#[test]
fn a_reviser_and_a_judge_in_python_converge() {
    if !has_python() {
        return;
    }
    let badge = Badge::new();
    let output = badge.run("trueup.toml");
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    assert_eq!(badge.status(), "converged");
    for color in ["#1f4e8c", "#f2b705", "#a9c4ea"] {
        assert!(badge.svg().contains(color), "{}", badge.svg());
    }
}

#[test]
fn a_reviser_in_shell_that_edits_files_converges() {
    let badge = Badge::new();
    let output = badge.run("shell.toml");
    assert_eq!((code(&output), badge.status().as_str()), (0, "converged"), "{}", stderr(&output));
}

#[test]
fn a_reviser_that_does_nothing_does_not_converge() {
    let badge = Badge::new().with_reviser(NOTHING, "");
    let before = badge.svg();
    assert_eq!(code(&badge.run("shell.toml")), 1);
    assert!(badge.status().starts_with("not-converged:"), "{}", badge.status());
    assert_eq!(badge.svg(), before);
}

#[test]
fn praise_passes_nothing_that_the_comparer_refuses() {
    let praise = r#"echo '{"rubric": {"restraint": {"score": 5}}, "pass": true, "result": "pass"}'"#;
    let judge = format!(
        "\n[judge]\nkind = \"command\"\ncommand = [\"sh\", \"-c\", '''{praise}''']\nrubric = \"rubric.toml\"\n"
    );
    let badge = Badge::new().with_reviser(NOTHING, &judge);
    assert_eq!(code(&badge.run("shell.toml")), 1);
    assert_ne!(badge.status(), "converged");
}

#[test]
fn a_judge_that_refuses_keeps_a_perfect_picture_from_passing() {
    let blame = r#"echo '{"rubric": {"restraint": {"score": 1}}, "pass": true}'"#;
    let judge = format!(
        "\n[judge]\nkind = \"command\"\ncommand = [\"sh\", \"-c\", '''{blame}''']\nrubric = \"rubric.toml\"\n"
    );
    let badge = Badge::new();
    let script = fs::read_to_string(badge.path("reviser.sh")).unwrap();
    let badge = badge.with_reviser(&script, &judge);
    assert_eq!(code(&badge.run("shell.toml")), 1);
    assert_ne!(badge.status(), "converged");
}

#[test]
fn a_judge_that_cannot_be_read_leaves_it_undetermined() {
    let judge = "\n[judge]\nkind = \"command\"\ncommand = [\"sh\", \"-c\", \"echo It looks lovely.\"]\nrubric = \"rubric.toml\"\n";
    let badge = Badge::new();
    let script = fs::read_to_string(badge.path("reviser.sh")).unwrap();
    let badge = badge.with_reviser(&script, judge);
    assert_eq!(code(&badge.run("shell.toml")), 3);
    assert!(badge.status().starts_with("undetermined:"), "{}", badge.status());
}

#[test]
fn hostile_revisers_end_as_faults_and_the_artifact_is_what_it_was() {
    let outside = tempfile::tempdir().unwrap();
    let elsewhere = outside.path().join("elsewhere.svg");
    fs::write(&elsewhere, "<svg/>").unwrap();
    for script in [
        "sleep 600".to_owned(),
        "head -c 100000000 /dev/zero".to_owned(),
        "exit 0".to_owned(),
        "exit 9".to_owned(),
        "rm badge.svg".to_owned(),
        format!("ln -sf '{}' badge.svg", elsewhere.display()),
        "echo x > ../captures/x; echo x > ../../badge.svg 2>/dev/null || true".to_owned(),
        "(sleep 600 &) ; printf '\\000\\377'".to_owned(),
        "echo '<svg' > badge.svg".to_owned(),
    ] {
        let badge = Badge::new().with_reviser(&script, "");
        let config = fs::read_to_string(badge.path("shell.toml")).unwrap();
        let config = config.replace("time_limit_s = 60", "time_limit_s = 1")
            + "\n[limits]\niteration_cap = 1\nretries = 0\n";
        fs::write(badge.path("shell.toml"), config).unwrap();
        let before = badge.svg();
        let output = badge.run("shell.toml");
        assert!([1, 3].contains(&code(&output)), "{script}: {}{}", stdout(&output), stderr(&output));
        assert_ne!(badge.status(), "converged", "{script}");
        assert_eq!(badge.svg(), before, "{script}");
    }
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "<svg/>");
}

#[test]
fn a_reviser_that_writes_to_the_artifact_itself_is_found_out() {
    // By its absolute path, where no copy protects it: the driver sees that the content is not what it wrote.
    let badge = Badge::new();
    let path = badge.path("badge.svg");
    let badge = badge.with_reviser(
        &format!("echo '<svg xmlns=\"http://www.w3.org/2000/svg\"/>' > '{}'", path.display()),
        "",
    );
    let before = badge.svg();
    let output = badge.run("shell.toml");
    assert!([1, 2, 3].contains(&code(&output)), "{}{}", stdout(&output), stderr(&output));
    assert!(!stdout(&output).contains("converged after"), "{}", stdout(&output));
    assert_eq!(badge.svg(), before, "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn a_secret_that_no_child_was_given_is_nowhere() {
    let badge = Badge::new().with_reviser("env >&2; env; exit 1", "");
    let output = badge.run("shell.toml");
    assert!(!(stdout(&output) + &stderr(&output)).contains(PLANTED));
    let mut folders = vec![badge.0.path().to_owned()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(&path).unwrap();
                seen += 1;
                let found = bytes.windows(PLANTED.len()).any(|window| window == PLANTED.as_bytes());
                assert!(!found, "{}", path.display());
            }
        }
    }
    assert!(seen > 10, "the run folder was looked through");
}

#[test]
fn a_program_that_cannot_be_started_is_named_with_what_to_do() {
    let badge = Badge::new();
    let config = fs::read_to_string(badge.path("shell.toml")).unwrap();
    let config = config.replace("[\"sh\", \"reviser.sh\"]", "[\"trueup-no-such-agent\"]");
    fs::write(badge.path("shell.toml"), config).unwrap();
    let output = badge.run("shell.toml");
    assert_eq!((code(&output), badge.status().as_str()), (3, "undetermined:reviser-unavailable"));
    let summary = fs::read_to_string(badge.path("runs/r/summary.md")).unwrap();
    assert!(summary.contains("trueup-no-such-agent") && summary.contains("install it"), "{summary}");
}

#[test]
fn configurations_of_programs_are_checked() {
    for (more, part) in [
        ("\n[judge]\ncommand = [\"sh\"]\n", "rubric"),
        ("\n[judge]\ncommand = []\nrubric = \"rubric.toml\"\n", "list is empty"),
        ("\n[judge]\nrubric = \"rubric.toml\"\n", "command"),
        ("\n[judge]\ncommand = [\"sh\"]\nrubric = \"no-such\"\n", "no-such"),
        ("\n[judge]\nkind = \"oracle\"\ncommand = [\"sh\"]\nrubric = \"rubric.toml\"\n", "\"oracle\""),
        ("\n[comparer]\nkind = \"command\"\ncommand = [\"sh\"]\ntime_limit_s = 0\n", "1 to 86400"),
        ("\n[capturer]\nkind = \"command\"\ncomand = [\"sh\"]\n", "comand"),
    ] {
        let badge = Badge::new().with_reviser(NOTHING, more);
        let output = badge.run("shell.toml");
        assert_eq!(code(&output), 2, "{more}");
        assert!(stderr(&output).contains(part), "{more}: {}", stderr(&output));
    }
}

#[test]
fn a_panel_needs_its_quorum_and_scores_by_its_rule() {
    let says = |score: u8| {
        format!(
            "\n[[judge]]\ncommand = [\"sh\", \"-c\", '''echo '{{\"rubric\": {{\"restraint\": {{\"score\": {score}}}}}}}' ''']\nname = \"j{score}\"\n"
        )
    };
    let silent = "\n[[judge]]\ncommand = [\"sh\", \"-c\", \"echo no idea\"]\n";
    let panel = |rule: &str| format!("\n[panel]\nrule = \"{rule}\"\nrubric = \"rubric.toml\"\n");
    let script = fs::read_to_string(Badge::new().path("reviser.sh")).unwrap();
    for (more, expected) in [
        // The one in the middle is at its floor of 3, the worst is not.
        (says(5) + &says(3) + &says(1) + &panel("median"), "converged"),
        (says(5) + &says(3) + &says(1) + &panel("worst"), "not-converged:"),
        (says(4) + silent + &says(4) + &panel("median"), "converged"),
        (says(4) + silent + silent + &panel("median"), "undetermined:judge-unavailable"),
        (says(5) + &says(1) + &panel("majority"), "undetermined:"),
    ] {
        let badge = Badge::new().with_reviser(&script, &more);
        let output = badge.run("shell.toml");
        assert!(badge.status().starts_with(expected), "{more}: {} {}", badge.status(), stdout(&output));
    }
    for (more, part) in [
        (says(5) + "\n[panel]\nrubric = \"rubric.toml\"\nquorum = 2\n", "expected 1 to 1"),
        (says(5) + "\n[panel]\nrubric = \"rubric.toml\"\nrule = \"vote\"\n", "\"majority\""),
        ("\n[panel]\nrubric = \"rubric.toml\"\n".to_owned(), "[[judge]]"),
    ] {
        let badge = Badge::new().with_reviser(NOTHING, &more);
        let output = badge.run("shell.toml");
        assert_eq!(code(&output), 2, "{more}");
        assert!(stderr(&output).contains(part), "{more}: {}", stderr(&output));
    }
}

fn look(command: &str, badge: &Badge, config: &str) -> (i32, serde_json::Value) {
    let output = trueup().arg(command).arg(badge.path(config)).args(["--format", "json"]).output().unwrap();
    (code(&output), serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output))))
}

#[test]
fn an_artifact_can_be_judged_once() {
    let says = |score: u8| {
        let reply = format!(r#"{{"rubric": {{"restraint": {{"score": {score}}}}}}}"#);
        format!("\n[judge]\ncommand = [\"sh\", \"-c\", '''echo '{reply}' ''']\nrubric = \"rubric.toml\"\n")
    };
    // The picture has drifted, whatever the judge says of it.
    let badge = Badge::new().with_reviser(NOTHING, &says(5));
    let before = badge.svg();
    let (code, document) = look("judge", &badge, "shell.toml");
    assert_eq!((code, document["status"].as_str()), (1, Some("fail")));
    assert_eq!(document["judged"]["status"].as_str(), Some("pass"));
    assert_eq!(document["judged"]["axes"][0]["score"].as_str(), Some("5"));
    assert_eq!(badge.svg(), before);
    assert!(!badge.path("runs").exists(), "nothing is kept");

    // At the design, the judge decides.
    let design = |badge: Badge| {
        let svg = [("#3457b0", "#1f4e8c"), ("#d9a521", "#f2b705"), ("#9fb3e0", "#a9c4ea")]
            .iter()
            .fold(badge.svg(), |svg, (from, to)| svg.replace(from, to));
        fs::write(badge.path("badge.svg"), svg).unwrap();
        badge
    };
    assert_eq!(look("judge", &design(Badge::new().with_reviser(NOTHING, &says(5))), "shell.toml").0, 0);
    assert_eq!(look("judge", &design(Badge::new().with_reviser(NOTHING, &says(1))), "shell.toml").0, 1);
    let broken = "\n[judge]\ncommand = [\"sh\", \"-c\", \"exit 3\"]\nrubric = \"rubric.toml\"\n";
    let (code, document) = look("judge", &design(Badge::new().with_reviser(NOTHING, broken)), "shell.toml");
    assert_eq!((code, document["judged"].is_null()), (3, true));
    assert!(document["note"].as_str().unwrap().contains("exited with 3"), "{document}");

    // Without a judge, what was measured stands, with a note.
    let (code, document) = look("judge", &design(Badge::new()), "shell.toml");
    assert_eq!((code, document["labels"][0]["status"].as_str()), (0, Some("pass")));
    assert!(document["note"].as_str().unwrap().contains("no [judge]"), "{document}");
}

#[test]
fn the_doctor_names_what_is_missing_and_what_to_do() {
    let (code, document) = look("doctor", &Badge::new(), "shell.toml");
    assert_eq!((code, document["status"].as_str()), (0, Some("pass")), "{document}");
    let judge = "\n[judge]\ncommand = [\"trueup-no-such-judge\"]\nvariables = [\"TRUEUP_NO_SUCH_KEY\"]\nrubric = \"rubric.toml\"\n";
    let (code, document) = look("doctor", &Badge::new().with_reviser(NOTHING, judge), "shell.toml");
    assert_eq!(code, 1);
    let missing: Vec<&str> = document["checks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|check| check["status"] == "missing")
        .map(|check| check["name"].as_str().unwrap())
        .collect();
    assert_eq!(missing, ["judge trueup-no-such-judge", "variable TRUEUP_NO_SUCH_KEY"]);
}

#[test]
fn a_revision_that_writes_values_out_is_taken_back_and_charged() {
    let script = fs::read_to_string(Badge::new().path("reviser.sh")).unwrap();
    let gate = "\n[gate]\nliterals = true\n\n[limits]\niteration_cap = 2\n";
    let badge = Badge::new().with_reviser(&script, gate);
    let before = badge.svg();
    let output = badge.run("shell.toml");
    assert_eq!(code(&output), 1, "{}", stdout(&output));
    assert_eq!(badge.svg(), before, "it is taken back");
    let summary = fs::read_to_string(badge.path("runs/r/summary.md")).unwrap();
    assert!(summary.contains("literal_patches_reverted: 2"), "{summary}");
    // Values of the scale may be written.
    let scale = "\n[gate]\nscale = [\"#1f4e8c\", \"#f2b705\", \"#a9c4ea\"]\n";
    let badge = Badge::new().with_reviser(&script, scale);
    assert_eq!((code(&badge.run("shell.toml")), badge.status().as_str()), (0, "converged"));
}

#[test]
fn a_reviser_sees_what_it_looks_like() {
    // It answers only when the first crop is a picture.
    let script = r#"request=$(cat)
        crop=$(printf '%s' "$request" | sed -n 's/.*"crop":"\([^"]*\)".*/\1/p')
        head -c 4 "$crop" | grep -q PNG || exit 9
        sed -i.bak -e 's/#3457b0/#1f4e8c/' -e 's/#d9a521/#f2b705/' -e 's/#9fb3e0/#a9c4ea/' badge.svg"#;
    let badge = Badge::new().with_reviser(script, "");
    let output = badge.run("shell.toml");
    assert_eq!((code(&output), badge.status().as_str()), (0, "converged"), "{}", stdout(&output));
}

/// What changed keeps its name while the screen under it gains a row an iteration, so that a loop that goes nowhere is seen.
#[test]
fn a_screen_that_gains_a_row_an_iteration_keeps_its_regions() {
    let badge = Badge::new();
    let counter = badge.path("rows");
    fs::write(&counter, "0").unwrap();
    // As the design, but for the circle; everything on the ground moves down together.
    let svg = badge.svg().replace("#3457b0", "#1f4e8c").replace("#9fb3e0", "#a9c4ea");
    let svg = svg.replace("  <rect x=\"16\"", "  <g transform=\"translate(0 0)\">\n  <rect x=\"16\"");
    fs::write(badge.path("badge.svg"), svg.replace("</svg>", "</g></svg>")).unwrap();
    let script = format!(
        "cat >/dev/null\nrows=$(($(cat '{0}') + 1))\necho $rows >'{0}'\n\
         sed -i.bak -e \"s/translate(0 [0-9]*)/translate(0 $rows)/\" badge.svg\necho \"$rows rows\"\n",
        counter.display()
    );
    let badge = badge.with_reviser(&script, "");
    let output = badge.run("shell.toml");
    assert_eq!(code(&output), 1, "{}{}", stdout(&output), stderr(&output));
    assert_eq!(badge.status(), "not-converged:oscillating", "{}", stdout(&output));

    let mut names: Vec<(String, i64)> = Vec::new();
    for iteration in 0.. {
        let report = badge.path(&format!("runs/r/diff/{iteration:02}/badge.report.json"));
        let Ok(text) = fs::read_to_string(report) else { break };
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        let regions = report["regions"].as_array().unwrap();
        let circle = regions.iter().find(|region| region["kind"] == "color" && region["open"] == true);
        let circle = circle.unwrap_or_else(|| panic!("iteration {iteration}: {report:#}"));
        names.push((circle["id"].as_str().unwrap().to_owned(), circle["vector"][1].as_i64().unwrap()));
    }
    assert!(names.len() >= 3, "{names:?}");
    for (iteration, (name, down)) in (0..).zip(&names) {
        assert_eq!((name, *down), (&names[0].0, iteration), "{names:?}");
    }
}
