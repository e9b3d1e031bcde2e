//! What survives: kills at every record, full disks, damaged journals.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod world;

use std::sync::Arc;

use async_trait::async_trait;
use trueup_contract::{FaultKind, LimitSource, LoopContract, Preset, Stop};
use trueup_driver::{DriveErrorKind, JournalErrorKind, Report};
use trueup_loop_core::Outcome;
use trueup_ports::{Cx, Fault, JournalStore, Lines, Put};
use trueup_testkit::MemoryJournal;
use world::World;

/// Drives a run from `number` to its end and gives its journal.
fn finished(number: i64) -> Vec<Vec<u8>> {
    let world = World::at(number);
    let journal = world.journal.clone();
    world.drive().unwrap();
    journal.lines()
}

/// What a run came to, but for the time that it took: a kill costs time, and nothing else.
fn came_to(report: Report) -> Outcome {
    report.outcome.without_usage()
}

fn resumed(number: i64, journal: MemoryJournal) -> World {
    let mut world = World::at(number);
    world.journal = journal;
    world
}

#[test]
fn a_run_that_is_killed_after_any_record_comes_to_the_same_end_with_the_same_charges() {
    let world = World::at(3);
    let end = world.artifact.clone();
    let whole = world.drive().unwrap();
    let lines = finished(3);
    assert!(lines.len() > 40, "the run is long enough to be worth killing");
    for cut in 0..=lines.len() {
        // The artifact may be in any state at all: half-written, or in that of a trial.
        for left in [3, 39, 77] {
            let world = resumed(left, MemoryJournal::with_lines(lines[..cut].to_vec()));
            let artifact = world.artifact.clone();
            if cut <= 3 {
                // The artifact was not read yet, so what is there now is what the run begins with.
                artifact.overwrite("n", "3");
            }
            let report = world.drive().unwrap();
            assert_eq!(
                came_to(report),
                came_to(whole.clone()),
                "killed after record {cut}, artifact left at {left}"
            );
            if cut < lines.len() {
                assert_eq!(
                    artifact.text("n"),
                    end.text("n"),
                    "killed after record {cut}, artifact left at {left}"
                );
            }
        }
    }
}

#[test]
fn a_kill_while_a_line_is_written_loses_only_that_line() {
    let whole = World::at(3).drive().unwrap();
    let lines = finished(3);
    for cut in [1, 5, 20, lines.len() - 1] {
        let torn = lines[cut][..lines[cut].len() / 2].to_vec();
        let journal = MemoryJournal::with_lines(lines[..cut].to_vec()).with_torn(torn);
        let report = resumed(3, journal).drive().unwrap();
        assert!(report.status.notes.iter().any(|note| note.contains("cut short")), "it is said so");
        assert_eq!(came_to(report), came_to(whole.clone()));
    }
}

#[test]
fn what_was_in_the_artifact_on_resume_is_kept_in_the_journal() {
    let lines = finished(3);
    let journal = MemoryJournal::with_lines(lines[..20].to_vec());
    let world = resumed(3, journal.clone());
    world.artifact.overwrite("n", "an hour of handiwork");
    let report = world.drive().unwrap();
    assert!(report.status.notes.iter().any(|note| note.contains("kept in the journal")));
    let kept =
        journal.lines().iter().any(|line| String::from_utf8_lossy(line).contains("an hour of handiwork"));
    assert!(kept);
}

#[test]
fn a_full_disk_stops_the_run_and_a_free_one_lets_it_go_on() {
    let whole = World::at(3).drive().unwrap();
    let total = finished(3).len();
    for room in 0..total {
        let journal = MemoryJournal::new().with_room(room);
        let error = resumed(3, journal.clone()).drive().unwrap_err();
        assert!(matches!(error.kind(), DriveErrorKind::Journal(_)), "{error}");
        assert_eq!(journal.lines().len(), room, "nothing is done that was not written");
        let left = resumed(3, MemoryJournal::with_lines(journal.lines()));
        assert_eq!(came_to(left.drive().unwrap()), came_to(whole.clone()), "full after {room} lines");
    }
}

/// A journal that can be read, and never written.
#[derive(Debug)]
struct ReadOnly(MemoryJournal);

#[async_trait]
impl JournalStore for ReadOnly {
    async fn read(&self, cx: &Cx) -> Result<Lines, Fault> {
        self.0.read(cx).await
    }

    async fn put(&self, _place: u64, _line: Vec<u8>, _cx: &Cx) -> Result<Put, Fault> {
        Err(Fault::new(FaultKind::Unavailable, "the file system is read-only"))
    }
}

#[test]
fn a_read_only_store_stops_the_run_before_anything_is_done() {
    for cut in [0, 1, 9, 20] {
        let lines = finished(3)[..cut].to_vec();
        let mut world = World::at(3);
        world.reviser = Arc::new(trueup_testkit::FakeReviser::new(|_| panic!("nobody may revise")));
        let (mut driver, cancel) = world.driver();
        driver = driver.with_journal(Arc::new(ReadOnly(MemoryJournal::with_lines(lines))));
        let error = trueup_testkit::block_on(driver.drive(cancel)).unwrap_err();
        assert!(error.to_string().contains("cannot be read or written"), "{error}");
    }
    // A run that is over is told all the same: there is nothing to write.
    let (driver, cancel) = World::at(3).driver();
    let driver = driver.with_journal(Arc::new(ReadOnly(MemoryJournal::with_lines(finished(3)))));
    assert_eq!(trueup_testkit::block_on(driver.drive(cancel)).unwrap().outcome.stops, [Stop::CapExhausted]);
}

#[test]
fn trial_33_a_flipped_byte_anywhere_is_refused_and_nothing_is_written() {
    let lines = finished(35);
    for place in 0..lines.len() {
        for at in [0, lines[place].len() / 3, lines[place].len() / 2, lines[place].len() - 3] {
            let mut damaged = lines.clone();
            damaged[place][at] ^= 1;
            let journal = MemoryJournal::with_lines(damaged.clone());
            let error = resumed(35, journal.clone()).drive().unwrap_err();
            assert!(error.is_journal_corrupt(), "line {place}, byte {at}: {error}");
            assert_eq!(journal.lines(), damaged);
        }
    }
}

#[test]
fn lines_that_are_missing_doubled_swapped_or_from_elsewhere_are_refused() {
    let (lines, others) = (finished(35), finished(20));
    let mut missing = lines.clone();
    missing.remove(4);
    let mut doubled = lines.clone();
    doubled.insert(4, lines[4].clone());
    let mut swapped = lines.clone();
    swapped.swap(4, 5);
    let mut mixed = lines.clone();
    mixed.truncate(6);
    mixed.extend(others.iter().skip(6).cloned());
    for journal in [missing, doubled, swapped, mixed] {
        assert!(resumed(35, MemoryJournal::with_lines(journal)).drive().unwrap_err().is_journal_corrupt());
    }
}

#[test]
fn a_journal_of_another_run_contract_or_version_is_refused_by_name() {
    let lines = finished(35);
    let mut world = resumed(35, MemoryJournal::with_lines(lines.clone()));
    world.contract = LoopContract::pixel_loop();
    let error = world.drive().unwrap_err();
    assert!(matches!(error.kind(), DriveErrorKind::ForeignJournal { what: "contract", .. }), "{error}");

    let text = String::from_utf8(lines[0].clone()).unwrap().replacen("\"v\":2", "\"v\":3", 1);
    let mut newer = lines.clone();
    newer[0] = text.into_bytes();
    let error = resumed(35, MemoryJournal::with_lines(newer)).drive().unwrap_err();
    let DriveErrorKind::Journal(journal) = error.kind() else { panic!("{error}") };
    assert!(matches!(journal.kind(), JournalErrorKind::Version { line: 1, found: 3 }));

    let error = resumed(35, MemoryJournal::with_lines(lines[1..].to_vec())).drive().unwrap_err();
    assert!(error.is_journal_corrupt(), "a journal without its header is a damaged one: {error}");
}

#[test]
fn a_resumed_run_keeps_the_limits_that_it_began_with() {
    let mut limits = LoopContract::trueup().limits().clone();
    limits.iterations = Preset::Trueup.iteration_range().resolve([(LimitSource::Flag, Some("2"))]);
    let mut world = World::at(3);
    world.contract = LoopContract::trueup().with_limits(limits);
    let journal = world.journal.clone();
    let report = world.drive().unwrap();
    assert_eq!(report.outcome.stops, [Stop::CapExhausted]);

    let cut = journal.lines()[..12].to_vec();
    let again = resumed(3, MemoryJournal::with_lines(cut)).drive().unwrap();
    assert!(again.resumed);
    assert_eq!(came_to(again), came_to(report), "six iterations were not handed out anew");
}

#[test]
fn the_same_run_writes_the_same_journal_and_the_same_status_byte_for_byte() {
    assert_eq!(finished(11), finished(11));
    let block = || World::at(11).drive().unwrap().status.to_string();
    assert_eq!(block(), block());
}

#[test]
fn a_finished_run_is_told_again_and_touches_nothing() {
    let lines = finished(35);
    let world = resumed(35, MemoryJournal::with_lines(lines.clone()));
    let (artifact, journal) = (world.artifact.clone(), world.journal.clone());
    artifact.overwrite("n", "99");
    assert_eq!(world.drive().unwrap().outcome.status(), Stop::Converged);
    assert_eq!(artifact.text("n"), "99", "what people did after the run is theirs");
    assert_eq!(journal.lines(), lines);
}
