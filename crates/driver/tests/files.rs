//! Runs in folders: journals, locks, artifacts and what people read.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod world;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use trueup_contract::{FaultKind, Stop};
use trueup_driver::{FileArtifact, FileJournal, RunFolder, RunLock, RunLockError, StatusBlock};
use trueup_ports::{Artifact, CancelToken, Cx, JournalStore, Put, Snapshot};
use trueup_testkit::{SimulatedTime, block_on};
use world::World;

fn cx() -> Cx {
    Cx::new(Arc::new(SimulatedTime::new()), CancelToken::new())
}

fn parts(parts: &[(&str, &str)]) -> Snapshot {
    Snapshot::new(parts.iter().map(|(name, text)| ((*name).to_owned(), Arc::from(text.as_bytes()))))
}

#[test]
fn a_file_journal_gives_each_place_away_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let (one, two) = (FileJournal::new(&path), FileJournal::new(&path));
    let put =
        |journal: &FileJournal, place, line: &str| block_on(journal.put(place, line.into(), &cx())).unwrap();
    assert_eq!(put(&one, 0, "a"), Put::Written);
    assert_eq!(put(&two, 0, "x"), Put::Occupied);
    assert_eq!(put(&two, 1, "b"), Put::Written);
    assert_eq!(put(&one, 1, "y"), Put::Occupied, "somebody else wrote in the meantime");
    assert_eq!(fs::read_to_string(&path).unwrap(), "a\nb\n");
}

#[test]
fn a_torn_end_is_given_apart_and_replaced_by_the_next_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    fs::write(&path, "a\nhal").unwrap();
    let journal = FileJournal::new(&path);
    let lines = block_on(journal.read(&cx())).unwrap();
    assert_eq!((lines.whole, lines.torn), (vec![b"a".to_vec()], Some(b"hal".to_vec())));
    assert_eq!(fs::read_to_string(&path).unwrap(), "a\nhal", "reading mends nothing");
    block_on(journal.put(1, b"b".to_vec(), &cx())).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "a\nb\n");
}

#[test]
fn one_process_drives_a_run_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let first = RunLock::acquire(folder.path()).unwrap();
    assert!(matches!(RunLock::acquire(folder.path()), Err(RunLockError::Held { .. })));
    drop(first);
    RunLock::acquire(folder.path()).unwrap();
}

#[test]
fn a_file_artifact_comes_back_exactly() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.svg"), "one").unwrap();
    fs::write(folder.path().join("other"), "untouched").unwrap();
    let artifact = FileArtifact::new(folder.path(), ["a.svg".to_owned(), "css/b.css".to_owned()]).unwrap();
    let before = block_on(artifact.snapshot(&cx())).unwrap();
    assert_eq!(before, parts(&[("a.svg", "one")]));

    let after = parts(&[("a.svg", "two"), ("css/b.css", "new")]);
    block_on(artifact.restore(after.clone(), &cx())).unwrap();
    assert_eq!(block_on(artifact.snapshot(&cx())).unwrap(), after);

    block_on(artifact.restore(before.clone(), &cx())).unwrap();
    assert_eq!(block_on(artifact.snapshot(&cx())).unwrap(), before);
    assert!(!folder.path().join("css/b.css").exists());
    assert_eq!(fs::read_to_string(folder.path().join("other")).unwrap(), "untouched");
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "no temporary file stays behind: {left:?}");
}

#[test]
fn nothing_outside_the_declared_files_is_written() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["../a", "/etc/passwd", "", "a/../b", "./a"] {
        assert!(FileArtifact::new(folder.path(), [path.to_owned()]).is_err(), "{path:?}");
    }
    assert!(FileArtifact::new(folder.path(), []).is_err());
    fs::write(folder.path().join("a"), "one").unwrap();
    let artifact = FileArtifact::new(folder.path(), ["a".to_owned()]).unwrap();
    let fault = block_on(artifact.restore(parts(&[("a", "two"), ("b", "sneaked in")]), &cx())).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::Rejected);
    assert_eq!(fs::read_to_string(folder.path().join("a")).unwrap(), "one", "all or nothing");
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_does_not_lead_out() {
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(outside.path().join("secret"), "secret").unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret"), folder.path().join("file")).unwrap();
    for name in ["link/secret", "file", "link/new"] {
        let artifact = FileArtifact::new(folder.path(), [name.to_owned()]).unwrap();
        let fault = block_on(artifact.restore(parts(&[(name, "overwritten")]), &cx())).unwrap_err();
        assert_eq!(fault.kind(), FaultKind::Rejected, "{name}");
    }
    assert_eq!(fs::read_to_string(outside.path().join("secret")).unwrap(), "secret");
    assert!(!outside.path().join("new").exists());
}

fn status(folder: &Path) -> StatusBlock {
    fs::read_to_string(folder.join("summary.md")).unwrap().parse().unwrap()
}

#[test]
fn a_run_folder_tells_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let (driver, cancel) = World::at(10).driver();
    let sink = RunFolder::new(folder.path().to_owned(), || "2026-01-01T00:00:00Z".to_owned())
        .with_before_and_after();
    let report = block_on(driver.with_sink(Arc::new(sink)).drive(cancel)).unwrap();
    assert_eq!(status(folder.path()).status, Stop::Converged);
    let summary = fs::read_to_string(folder.path().join("summary.md")).unwrap();
    assert!(summary.starts_with("---\nstatus: converged\nrun_id: run-1\n"), "{summary}");
    assert!(summary.contains("| before | 30.0 | 1 |\n| after | 0.0 | 0 |"), "{summary}");
    for iteration in 0..report.outcome.score_history.len() {
        assert!(folder.path().join(format!("diff/{iteration:02}.yaml")).is_file());
    }
    let last = fs::read_to_string(folder.path().join("diff/00.yaml")).unwrap();
    assert!(last.contains("score: 30\ndelta_ids: [card/off30]\nchannels: [visual]\n"), "{last}");
    for file in ["plan.json", "contract/loop.json", "signals/status.json"] {
        let text = fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(serde_json::from_str::<serde_json::Value>(&text).unwrap()["schema"].is_string(), "{file}");
    }
}

#[test]
fn residual_regions_stand_in_the_last_diff_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = World::at(10);
    world.reviser = Arc::new(trueup_testkit::FakeReviser::new(|_| {
        Ok(trueup_ports::Revision::Nothing { note: "out of \"ideas\"".to_owned() })
    }));
    let (driver, cancel) = world.driver();
    let sink = RunFolder::new(folder.path().to_owned(), String::new);
    block_on(driver.with_sink(Arc::new(sink)).drive(cancel)).unwrap();
    let status = status(folder.path());
    assert_eq!(
        (status.status, status.residual_delta_ids.as_slice()),
        (Stop::NoOps, &["card/off30".to_owned()][..])
    );
    let last = fs::read_to_string(folder.path().join("diff/01.yaml")).unwrap();
    assert!(last.contains("kind: no-change\nwhy: \"out of \\\"ideas\\\"\"\n"), "{last}");
    assert!(last.contains("delta_ids: [card/off30]"), "{last}");
}

#[test]
fn excused_regions_are_listed_with_who_excused_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = World::at(10);
    // What is open in the beginning: one region, thirty away from the design.
    let region = trueup_contract::OpenRegion::new(
        trueup_contract::DeltaId::new("card/off30").unwrap(),
        trueup_frame::Rect::new(0, 0, 1, 1),
        trueup_score::Points::from_whole(30),
    );
    let judgement =
        trueup_contract::RegionJudgement::new(&region, trueup_contract::RegionClass::Known, "agreed", "ada");
    world.contract =
        world.contract.with_excuses(trueup_contract::Excuses::new().with(region.id.clone(), judgement));
    let (driver, cancel) = world.driver();
    let sink = RunFolder::new(folder.path().to_owned(), String::new);
    let report = block_on(driver.with_sink(Arc::new(sink)).drive(cancel)).unwrap();
    assert_eq!(report.outcome.status(), Stop::Converged, "nothing else is open");
    let summary = fs::read_to_string(folder.path().join("summary.md")).unwrap();
    assert!(summary.contains("- card/off30 is known: agreed, says ada"), "{summary}");
    let judged = fs::read_to_string(folder.path().join("judgement.json")).unwrap();
    let judged: serde_json::Value = serde_json::from_str(&judged).unwrap();
    assert_eq!(
        (&judged["regions"][0]["class"], &judged["regions"][0]["by"]),
        (&"known".into(), &"ada".into())
    );
}
