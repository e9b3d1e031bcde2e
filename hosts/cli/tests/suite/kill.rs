//! Killed in mid-run, a run goes on to the same end with the same charges.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use trueup_driver::RunLock;

use crate::{Card, code, stderr, stdout};

/// What must be the same: everything in the status block.
fn block(card: &Card) -> String {
    let summary = card.summary();
    summary.split("---").nth(1).unwrap().to_owned()
}

fn spent(card: &Card) -> String {
    let summary = card.summary();
    summary.lines().filter(|line| line.starts_with("| trials") || line.starts_with("| retries")).collect()
}

fn lines(card: &Card) -> usize {
    fs::read(card.path("runs/r/journal.jsonl"))
        .map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
}

#[test]
fn a_killed_run_resumes_to_the_same_outcome_and_charges() {
    let whole = Card::drifted();
    assert_eq!(code(&whole.run(&[])), 0);
    let total = lines(&whole);
    for part in [8, 3, 2] {
        let card = Card::drifted();
        let mut child =
            card.command(&["--run-id", "r"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let since = Instant::now();
        while lines(&card) < total / part {
            assert!(since.elapsed() < Duration::from_secs(60), "the run gets on");
            if child.try_wait().unwrap().is_some() {
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(lines(&card) < total, "it was killed before its end");
        assert!(!card.path("runs/r/summary.md").exists(), "a run that did not end has no status");

        let output = card.run(&[]);
        assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
        assert_eq!(block(&card), block(&whole), "killed after {} lines of {total}", total / part);
        assert_eq!(spent(&card), spent(&whole));
        assert_eq!(card.svg(), whole.svg());
    }
}

#[test]
fn two_drivers_never_share_a_run() {
    let card = Card::drifted();
    fs::create_dir_all(card.path("runs/r")).unwrap();
    let first = RunLock::acquire(&card.path("runs/r")).unwrap();
    let second = card.run(&[]);
    assert_eq!(code(&second), 2);
    assert!(stderr(&second).contains("another process is driving the run"), "{}", stderr(&second));
    assert!(!card.path("runs/r/journal.jsonl").exists(), "nothing was touched");
    drop(first);
    assert_eq!(code(&card.run(&[])), 0, "a lock that nobody holds stops nobody");
}
