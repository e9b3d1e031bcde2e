//! Pages in a browser. Without one these tests say so and pass; where `CI` is set they fail.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Once;
use std::thread;
use std::time::{Duration, Instant};

use crate::{code, set, stderr, stdout, trueup};

/// Whether there is a browser.
pub(crate) fn has_browser() -> bool {
    let output = trueup().args(["doctor", "--format", "json"]).output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks = document["checks"].as_array().unwrap();
    let browser = checks.iter().find(|check| check["name"] == "capturer chromium").unwrap();
    if browser["status"] == "usable" {
        return true;
    }
    assert!(std::env::var_os("CI").is_none(), "CI needs a browser: {}", browser["detail"]);
    // Once, and where it is seen: the output of tests that pass is not.
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        let _ = writeln!(std::io::stderr(), "not run: what shows pages in Chromium; {}", browser["detail"]);
    });
    false
}

/// A copy of the page's example, with references that the browser of this machine made of its design.
pub(crate) struct Page(tempfile::TempDir);

impl Page {
    /// Without references.
    fn bare() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/page");
        for file in ["trueup.toml", "index.html", "page.css"] {
            fs::copy(example.join(file), folder.path().join(file)).unwrap();
        }
        Self(folder)
    }

    pub(crate) fn drifted() -> Self {
        let page = Self::bare();
        let drifted = page.read("page.css");
        let mut designed = drifted.clone();
        for (name, value) in DESIGN {
            designed = set(&designed, name, value);
        }
        assert_ne!(drifted, designed);
        fs::write(page.path("page.css"), designed).unwrap();
        let output = page.command("capture").arg("-o").arg(page.path("reference")).output().unwrap();
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        fs::write(page.path("page.css"), drifted).unwrap();
        page
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn command(&self, verb: &str) -> Command {
        let mut command = trueup();
        command.arg(verb).arg(self.path("trueup.toml"));
        command
    }

    /// The status block, without the line of a field, and that field.
    fn block_without(&self, field: &str) -> (String, String) {
        let summary = self.read("runs/r/summary.md");
        let block = summary.split("---").nth(1).unwrap();
        let (own, rest): (Vec<&str>, Vec<&str>) = block.lines().partition(|line| line.starts_with(field));
        (rest.join("\n"), own.concat())
    }

    /// Trials and retries.
    fn spent(&self) -> (usize, usize) {
        let summary = self.read("runs/r/summary.md");
        let number = |line: &str| {
            let found = summary.lines().find_map(|own| own.strip_prefix(line)).unwrap();
            found.split('|').next().unwrap().trim().parse().unwrap()
        };
        (number("| trials |"), number("| retries |"))
    }
}

/// The tokens of the page at their design values.
const DESIGN: [(&str, &str); 3] = [("--brand", "#0f766e"), ("--space", "16px"), ("--radius", "12px")];

fn lines(journal: &Path) -> usize {
    fs::read(journal).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
}

/// The processes that a process started.
fn children(parent: u32) -> Vec<String> {
    let output = Command::new("ps").args(["-A", "-o", "pid=,ppid="]).output().unwrap();
    let text = stdout(&output);
    let pairs = text.lines().filter_map(|line| line.trim().split_once(' '));
    pairs.filter(|(_, of)| of.trim() == parent.to_string()).map(|(pid, _)| pid.to_owned()).collect()
}

#[test]
fn a_page_converges_and_a_browser_that_dies_changes_nothing_but_the_restarts() {
    if !has_browser() {
        return;
    }
    let whole = Page::drifted();
    let output = whole.command("run").args(["--run-id", "r"]).output().unwrap();
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    let (block, restarts) = whole.block_without("restarts:");
    assert!(block.contains("status: converged") && block.contains("source: chromium"), "{block}");
    assert_eq!(restarts, "restarts: 0");
    for (name, value) in DESIGN {
        assert!(whole.read("page.css").contains(&format!("{name}: {value};")), "{name}");
    }
    for label in ["1280x720-light", "1280x720-dark", "375x667-light", "375x667-dark"] {
        assert!(whole.path(&format!("runs/r/diff/02/home-{label}.report.json")).exists(), "{label}");
    }
    let report: serde_json::Value =
        serde_json::from_str(&whole.read("runs/r/diff/00/home-1280x720-light.report.json")).unwrap();
    let regions = report["regions"].as_array().unwrap();
    assert!(
        regions
            .iter()
            .any(|region| region["element"].as_str().is_some_and(|name| name.starts_with("body > header"))),
        "{regions:#?}"
    );

    let page = Page::drifted();
    let mut child = page
        .command("run")
        .args(["--run-id", "r"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let journal = page.path("runs/r/journal.jsonl");
    let total = lines(&whole.path("runs/r/journal.jsonl"));
    let since = Instant::now();
    while lines(&journal) < total / 2 {
        assert!(since.elapsed() < Duration::from_secs(120), "the run gets on");
        thread::sleep(Duration::from_millis(2));
    }
    let browsers = children(child.id());
    assert!(!browsers.is_empty(), "the browser runs");
    assert!(Command::new("kill").arg("-KILL").args(&browsers).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(page.block_without("restarts:"), (block, "restarts: 1".to_owned()));
    // A trial that the browser took along is charged like any other, and made again.
    let lost = page.read("runs/r/journal.jsonl").matches("\"lost\"").count();
    assert_eq!(page.spent(), (whole.spent().0 + lost, whole.spent().1), "{lost} lost");
    assert_eq!(page.read("page.css"), whole.read("page.css"));
}

const BEFORE: &str = "<!doctype html><style>:root { --brand: #4338ca } body { margin: 0; font: 16px/24px sans-serif } \
    header { padding: 24px; background: var(--brand); color: #fff } #buy { border-radius: 12px }</style>\
    <header>A page</header><main><p>Text</p><button id=buy>Buy</button></main>";

/// What `trueup diff` says of two pages, and its exit code; none where there is no browser.
pub(crate) fn diff(arguments: &[&str]) -> Option<(serde_json::Value, i32)> {
    if !has_browser() {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("before.html"), BEFORE).unwrap();
    let after = BEFORE
        .replace("#4338ca", "#2563eb")
        .replace(">Buy<", ">Buy now<")
        .replace("</p>", "</p><ul><li>A</ul>");
    fs::write(folder.path().join("after.html"), after).unwrap();
    let mut command = trueup();
    command.current_dir(folder.path()).arg("diff").args(arguments).args(["--format", "json"]);
    let output = command.output().unwrap();
    let document = serde_json::from_slice(&output.stdout);
    Some((document.unwrap_or_else(|_| stderr(&output).into()), code(&output)))
}

#[test]
fn two_pages_differ_by_the_elements_that_changed() {
    let Some((document, code)) = diff(&["before.html", "after.html"]) else { return };
    assert_eq!((code, document["status"].as_str()), (1, Some("fail")), "{document:#}");
    let elements = document["elements"].as_array().unwrap();
    let said: Vec<(&str, &str)> = elements
        .iter()
        .map(|element| (element["change"].as_str().unwrap(), element["selector"].as_str().unwrap()))
        .collect();
    assert_eq!(
        said,
        [("changed", "body > header"), ("changed", "#buy"), ("added", "body > main > ul")],
        "{document:#}"
    );
    assert_eq!(elements[0]["styles"][0]["property"], "background-color");
    assert_eq!(elements[0]["styles"][0]["actual"], "rgb(37, 99, 235)");
    assert_eq!(elements[1]["text"]["actual"], "Buy now");
    let regions = document["diff"]["regions"].as_array().unwrap();
    assert!(regions.iter().any(|region| region["element"] == "body > header"), "{regions:#?}");

    let (same, code) =
        diff(&["before.html", "before.html", "--viewport", "375x667", "--theme", "dark"]).unwrap();
    assert_eq!((code, same["elements"].as_array().unwrap().len()), (0, 0), "{same:#}");
    assert_eq!(same["diff"]["expected"]["width"], 375);
    let (said, code) = diff(&["before.html", "gone.html"]).unwrap();
    assert!(code == 2 && said.as_str().unwrap().contains("gone.html"), "{said}");
    let (said, code) = diff(&["before.html", "after.html", "--viewport", "wide"]).unwrap();
    assert!(code == 2 && said.as_str().unwrap().contains("WIDTHxHEIGHT"), "{said}");
}

#[test]
fn what_is_wrong_with_pages_in_a_configuration_is_said_with_its_place() {
    let page = Page::bare();
    let config = page.read("trueup.toml");
    for (from, to, said) in [
        ("\"dark\"]", "\"sepia\"]", "\"sepia\" is no theme"),
        ("\"375x667\"]", "\"375\"]", "375"),
        ("\"index.html\"", "\"gone.html\"", "\"gone.html\" is not there"),
        ("\"index.html\"", "\"../index.html\"", "leads out of the configuration's folder"),
        ("kind = \"chromium\"", "kind = \"svg\"", "only a browser shows a page at several viewports"),
        ("kind = \"chromium\"", "kind = \"chromium\"\nclock = \"noon\"", "\"noon\" is no moment"),
        ("kind = \"chromium\"", "kind = \"chromium\"\npages = 0", "0 does not fit"),
        ("themes =", "area = \"all\"\nthemes =", "\"all\" is not known"),
        (
            "themes =",
            "element = \"h1\"\nclip = [0, 0, 9, 9]\nthemes =",
            "at most one of area, element and clip",
        ),
        ("themes =", "route = [{ press = \"Any\" }]\nthemes =", "\"Any\" is no key"),
        ("themes =", "route = [{ tap = \"h1\" }]\nthemes =", "one of click, type"),
        ("themes =", "masks = [\"h1\"]\nthemes =", "mask"),
    ] {
        assert!(config.contains(from));
        fs::write(page.path("trueup.toml"), config.replacen(from, to, 1)).unwrap();
        let output = page.command("capture").arg("-o").arg(page.path("out")).output().unwrap();
        assert_eq!(code(&output), 2, "{to}");
        assert!(stderr(&output).contains(said), "{to}: {}", stderr(&output));
    }
    let missing =
        config.replacen("kind = \"chromium\"", "kind = \"chromium\"\nbrowser = \"/no/such/browser\"", 1);
    fs::write(page.path("trueup.toml"), missing).unwrap();
    let output = page.command("doctor").output().unwrap();
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("Debian: apt install chromium"), "{}", stdout(&output));
    fs::create_dir(page.path("reference")).unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/page/reference");
    for file in fs::read_dir(example).unwrap().map(|entry| entry.unwrap()) {
        fs::copy(file.path(), page.path("reference").join(file.file_name())).unwrap();
    }
    let output = page.command("run").output().unwrap();
    assert_eq!(code(&output), 3, "{}", stdout(&output));
    assert!(stdout(&output).contains("undetermined:capturer-unavailable"), "{}", stdout(&output));
}
