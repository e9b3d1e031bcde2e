//! The command, as people and machines use it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod batch;
mod begin;
#[cfg(all(unix, feature = "browser"))]
mod book;
#[cfg(all(unix, feature = "browser"))]
mod browser;
mod diff;
mod drifts;
mod evaluation;
mod findings;
mod input;
mod kill;
#[cfg(all(unix, feature = "mcp"))]
mod mcp;
#[cfg(feature = "llm")]
mod models;
mod next;
#[cfg(unix)]
mod people;
mod preview;
mod probe;
#[cfg(all(unix, feature = "browser"))]
mod probes;
#[cfg(unix)]
mod programs;
mod progress;
mod report;
#[cfg(all(unix, feature = "browser"))]
mod report_baselines;
mod review;
mod rubric;
mod run;
mod schemas;
mod text;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The five tokens of the card at their design values.
pub(crate) const DESIGN: [(&str, &str); 5] = [
    ("--brand", "#4338ca"),
    ("--text", "#171a33"),
    ("--space", "12px"),
    ("--radius", "16px"),
    ("--title-size", "23px"),
];

/// A copy of the card's example in a folder of its own.
pub(crate) struct Card {
    folder: tempfile::TempDir,
}

impl Card {
    /// The card with its tokens set to these values.
    pub(crate) fn with(tokens: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/card");
        fs::create_dir(folder.path().join("reference")).unwrap();
        for file in ["trueup.toml", "card.svg", "unreachable.png", "reference/card.png"] {
            fs::copy(example.join(file), folder.path().join(file)).unwrap();
        }
        let card = Self { folder };
        let mut svg = card.svg();
        for (name, value) in tokens {
            svg = set(&svg, name, value);
        }
        fs::write(card.path("card.svg"), svg).unwrap();
        card
    }

    /// The card as it has drifted.
    pub(crate) fn drifted() -> Self {
        Self::with(&[
            ("--brand", "#3f6fd9"),
            ("--text", "#3d4154"),
            ("--space", "9px"),
            ("--radius", "8px"),
            ("--title-size", "19px"),
        ])
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn svg(&self) -> String {
        fs::read_to_string(self.path("card.svg")).unwrap()
    }

    /// Replaces a piece of the configuration, which must be there.
    pub(crate) fn configure(&self, from: &str, to: &str) {
        let config = fs::read_to_string(self.path("trueup.toml")).unwrap();
        assert!(config.contains(from), "{from:?} is in the configuration");
        fs::write(self.path("trueup.toml"), config.replacen(from, to, 1)).unwrap();
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = trueup();
        command.arg("run").arg(self.path("trueup.toml")).args(args);
        command
    }

    /// Runs the card under the id `r`.
    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(&["--run-id", "r"]).args(args).output().unwrap()
    }

    pub(crate) fn summary(&self) -> String {
        fs::read_to_string(self.path("runs/r/summary.md")).unwrap()
    }

    /// A field of the status block.
    pub(crate) fn status(&self, field: &str) -> String {
        let summary = self.summary();
        let line = summary.lines().find_map(|line| line.strip_prefix(&format!("{field}: ")));
        line.unwrap_or_else(|| panic!("{field} is in {summary}")).to_owned()
    }
}

/// The text with the custom property set.
pub(crate) fn set(svg: &str, name: &str, value: &str) -> String {
    let at = svg.find(&format!("{name}: ")).unwrap_or_else(|| panic!("{name} is declared")) + name.len() + 2;
    let end = at + svg[at..].find(';').unwrap();
    format!("{}{value}{}", &svg[..at], &svg[end..])
}

pub(crate) fn trueup() -> Command {
    Command::new(env!("CARGO_BIN_EXE_trueup"))
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}
