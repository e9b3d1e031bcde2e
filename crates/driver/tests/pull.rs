//! Pull mode: whoever calls is the reviser, and may be another process each time.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod world;

use trueup_contract::{LimitSource, LoopContract, Preset, Stop};
use trueup_driver::{Assignment, Next, Report};
use trueup_ports::CancelToken;
use trueup_testkit::{MemoryArtifact, MemoryJournal, block_on};
use world::{World, artifact};

/// What stays between two calls, and nothing else does.
struct Between {
    artifact: MemoryArtifact,
    journal: MemoryJournal,
    contract: LoopContract,
}

impl Between {
    fn at(number: i64) -> Self {
        Self { artifact: artifact(number), journal: MemoryJournal::new(), contract: LoopContract::trueup() }
    }

    fn world(&self) -> World {
        let mut world = World::at(0);
        world.artifact = self.artifact.clone();
        world.journal = self.journal.clone();
        world.contract = self.contract.clone();
        world
    }

    fn next(&self) -> Next {
        let (driver, cancel) = self.world().driver();
        block_on(driver.next(cancel)).unwrap()
    }

    fn assignment(&self) -> Assignment {
        match self.next() {
            Next::Revise(assignment) => *assignment,
            Next::Done(report) => panic!("{:?}", report.outcome),
        }
    }

    fn report(&self) -> Report {
        match self.next() {
            Next::Done(report) => *report,
            Next::Revise(assignment) => panic!("{assignment:?}"),
        }
    }
}

#[test]
fn a_caller_that_revises_converges() {
    let run = Between::at(10);
    let first = run.assignment();
    assert_eq!((first.iteration, first.iteration_cap, first.restored), (1, 6, false));
    assert_eq!(first.measured.unwrap().delta_ids().first().unwrap().to_string(), "card/off30");
    run.artifact.overwrite("n", "25");
    let second = run.assignment();
    assert_eq!((second.iteration, second.best_iteration), (2, 1));
    run.artifact.overwrite("n", "40");
    let report = run.report();
    assert_eq!((report.outcome.status(), report.outcome.budget.iterations.spent), (Stop::Converged, 2));
    // A run that is over is told again, and touches nothing.
    run.artifact.overwrite("n", "99");
    assert_eq!(run.report().outcome, report.outcome);
    assert_eq!(run.artifact.text("n"), "99");
}

#[test]
fn a_call_without_a_revision_says_the_same_again_and_charges_nothing() {
    let run = Between::at(10);
    let first = run.assignment();
    let lines = run.journal.lines();
    for _ in 0..3 {
        let again = run.assignment();
        assert_eq!((again.iteration, &again.from), (first.iteration, &first.from));
        assert_eq!(run.journal.lines(), lines);
    }
}

#[test]
fn a_revision_that_is_no_better_is_taken_back_before_the_next_and_said_so() {
    let run = Between::at(10);
    run.assignment();
    run.artifact.overwrite("n", "3");
    let next = run.assignment();
    assert!(next.restored);
    assert_eq!((next.iteration, next.best_iteration, run.artifact.text("n")), (2, 0, "10".to_owned()));
    assert_eq!(next.tried.len(), 1, "the caller hears what it has tried");
    // The same revision again is charged and taken back without a look.
    run.artifact.overwrite("n", "3");
    let next = run.assignment();
    assert_eq!((next.iteration, next.restored, run.artifact.text("n")), (3, true, "10".to_owned()));
}

#[test]
fn a_revision_that_cannot_be_rendered_is_charged_and_taken_back() {
    let run = Between::at(10);
    run.assignment();
    run.artifact.overwrite("n", "no number at all");
    let next = run.assignment();
    assert_eq!((next.iteration, run.artifact.text("n").as_str()), (2, "10"));
    let kept =
        run.journal.lines().iter().any(|line| String::from_utf8_lossy(line).contains("no number at all"));
    assert!(kept, "what the caller wrote is in the journal");
}

#[test]
fn a_caller_may_give_up() {
    let run = Between::at(10);
    run.assignment();
    let (driver, cancel) = run.world().driver();
    let Next::Done(report) = block_on(driver.give_up(cancel, "out of ideas")).unwrap() else {
        panic!("it is over")
    };
    assert_eq!(report.outcome.stops, [Stop::NoOps]);
}

#[test]
fn a_call_that_is_called_off_ends_the_run_in_its_best_state() {
    let run = Between::at(10);
    run.assignment();
    run.artifact.overwrite("n", "half-writ");
    let (driver, _) = run.world().driver();
    let cancel = CancelToken::new();
    cancel.cancel();
    let Next::Done(report) = block_on(driver.next(cancel)).unwrap() else { panic!("it is over") };
    assert_eq!(report.outcome.stops, [Stop::Cancelled]);
    assert_eq!(run.artifact.text("n"), "10");
}

#[test]
fn the_cap_holds_for_callers_too() {
    let mut run = Between::at(10);
    let mut limits = run.contract.limits().clone();
    limits.iterations = Preset::Trueup.iteration_range().resolve([(LimitSource::Flag, Some("2"))]);
    run.contract = LoopContract::trueup().with_limits(limits);
    run.assignment();
    run.artifact.overwrite("n", "20");
    run.assignment();
    run.artifact.overwrite("n", "30");
    let report = run.report();
    assert_eq!(report.outcome.stops, [Stop::CapExhausted]);
    assert_eq!(run.artifact.text("n"), "30");
}

#[test]
fn a_process_that_dies_between_any_two_records_of_a_call_loses_nothing() {
    let whole = Between::at(10);
    whole.assignment();
    whole.artifact.overwrite("n", "25");
    whole.assignment();
    let lines = whole.journal.lines();
    let before = {
        let run = Between::at(10);
        run.assignment();
        run.journal.lines().len()
    };
    for cut in before..lines.len() {
        // Killed somewhere in the second call: the caller's revision is still there, or was written down.
        let mut run = Between::at(10);
        run.artifact.overwrite("n", "25");
        run.journal = MemoryJournal::with_lines(lines[..cut].to_vec());
        let next = run.assignment();
        assert_eq!((next.iteration, next.best_iteration), (2, 1), "killed after record {cut}");
        assert_eq!(run.artifact.text("n"), "25");
    }
}

/// What the caller writes when it is asked for iteration N: better, unreadable, right.
fn revised(iteration: u32) -> &'static str {
    ["", "25", "no number at all", "40"][iteration as usize]
}

/// Calls until the run is over. A call that dies is made again by a new process, which finds what is in the artifact and in the
/// journal, and nothing else; `dies_after` is the number of records that are written before the first death.
fn called_until_done(dies_after: usize) -> (Report, String, Vec<String>) {
    let mut run = Between::at(10);
    run.journal = MemoryJournal::new().with_room(dies_after);
    loop {
        let (driver, cancel) = run.world().driver();
        match block_on(driver.next(cancel)) {
            Ok(Next::Revise(assignment)) => run.artifact.overwrite("n", revised(assignment.iteration)),
            Ok(Next::Done(report)) => {
                let lines = run.journal.lines();
                let lines = lines.iter().map(|line| String::from_utf8_lossy(line).into_owned());
                return (*report, run.artifact.text("n"), lines.collect());
            }
            Err(_) => run.journal = MemoryJournal::with_lines(run.journal.lines()),
        }
    }
}

#[test]
fn a_call_that_dies_at_any_record_is_made_again_and_nothing_is_charged_twice() {
    let (whole, artifact, lines) = called_until_done(usize::MAX);
    assert_eq!((whole.outcome.status(), artifact.as_str()), (Stop::Converged, "40"));
    assert_eq!(whole.outcome.budget.iterations.spent, 3);
    assert!(lines.len() > 20, "{}", lines.len());
    for dies_after in 0..lines.len() {
        let (report, artifact, _) = called_until_done(dies_after);
        assert_eq!(report.outcome, whole.outcome, "after {dies_after} records");
        assert_eq!(artifact, "40", "after {dies_after} records");
    }
}
