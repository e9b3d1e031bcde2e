//! Whole runs: what ports do wrong is part of the outcome, and the artifact is always in a known state.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod world;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use trueup_contract::{FaultKind, LabelMeasurement, LoopContract, Measurement, Stop};
use trueup_driver::{LabelDone, Observer, Projection, Sink, StatusBlock};
use trueup_loop_core::Note;
use trueup_ports::{
    CancelToken, Capture, CaptureRequest, Capturer, Comparison, Cx, Fault, Reads, ReviseRequest, Reviser,
    Revision, Trials,
};
use trueup_rubric::{Axis, Reading, Rubric, Scorecard};
use trueup_score::{Better, Points, Scale};
use trueup_testkit::{FakeCapturer, FakeComparer, FakeJudge, FakeReviser, MemoryArtifact, block_on};
use world::{World, comparer, render};

#[test]
fn a_run_converges_with_a_strictly_falling_score() {
    let world = World::at(10);
    let artifact = world.artifact.clone();
    let report = world.drive().unwrap();
    assert_eq!(report.outcome.status(), Stop::Converged);
    assert_eq!(artifact.text("n"), "40");
    let scores: Vec<Points> = report.outcome.score_history.iter().map(|score| score.unwrap()).collect();
    assert!(scores.windows(2).all(|pair| pair[1] < pair[0]), "{scores:?}");
    assert!(report.outcome.budget.trials.spent > 0);
    assert!(!report.resumed);
}

#[test]
fn trials_never_touch_the_artifact_of_a_capturer_that_reads_snapshots() {
    #[derive(Debug)]
    struct Watching(MemoryArtifact);
    #[async_trait]
    impl Reviser for Watching {
        async fn revise(&self, request: ReviseRequest, trials: Trials, cx: &Cx) -> Result<Revision, Fault> {
            let revision = world::Searching.revise(request.clone(), trials, cx).await;
            assert_eq!(self.0.content(), request.base);
            revision
        }
    }
    let mut world = World::at(10);
    world.reviser = Arc::new(Watching(world.artifact.clone()));
    assert_eq!(world.drive().unwrap().outcome.status(), Stop::Converged);
}

#[test]
fn a_capturer_that_reads_the_artifact_comes_to_the_same_end() {
    let plain = World::at(10).drive().unwrap();
    let mut world = World::at(10);
    let artifact = world.artifact.clone();
    world.capturer = FakeCapturer::new({
        let artifact = artifact.clone();
        move |request| {
            assert_eq!(artifact.content(), request.snapshot, "the artifact is what was asked for");
            render(&request)
        }
    })
    .reading_the_artifact();
    let report = world.drive().unwrap();
    assert_eq!(report.outcome, plain.outcome);
    assert_eq!(artifact.text("n"), "40");
}

#[test]
fn a_trial_that_was_measured_before_costs_nothing() {
    #[derive(Debug)]
    struct Asking(AtomicUsize);
    #[async_trait]
    impl Reviser for Asking {
        async fn revise(&self, request: ReviseRequest, trials: Trials, _cx: &Cx) -> Result<Revision, Fault> {
            let left = trials.left();
            for _ in 0..5 {
                let same = request.base.with_parts([("n".to_owned(), Arc::from(&b"39"[..]))]);
                assert_eq!(trials.measure(same).await.unwrap(), Some(Points::ONE));
                assert_eq!(trials.measure(request.base.clone()).await.unwrap(), request.measured.score());
            }
            self.0.fetch_add((left - trials.left()) as usize, Ordering::SeqCst);
            Ok(Revision::Nothing { note: "done".to_owned() })
        }
    }
    let mut world = World::at(10);
    let asking = Arc::new(Asking(AtomicUsize::new(0)));
    world.reviser = asking.clone();
    let report = world.drive().unwrap();
    assert_eq!((report.outcome.status(), report.outcome.budget.trials.spent), (Stop::NoOps, 1));
    assert_eq!(asking.0.load(Ordering::SeqCst), 1);
}

/// A capturer that misbehaves at the N-th capture.
#[derive(Debug)]
struct Misbehaving {
    how: &'static str,
    captures: AtomicUsize,
    from: usize,
}

#[async_trait]
impl Capturer for Misbehaving {
    fn reads(&self) -> Reads {
        Reads::Snapshot
    }

    async fn capture(&self, request: CaptureRequest, _cx: &Cx) -> Result<Vec<Capture>, Fault> {
        if self.captures.fetch_add(1, Ordering::SeqCst) < self.from {
            return render(&request);
        }
        match self.how {
            "panics" => panic!("out of memory"),
            "hangs" => std::future::pending().await,
            "leaves one out" => Ok(Vec::new()),
            other => Err(Fault::new(FaultKind::Unavailable, other)),
        }
    }

    async fn recover(&self, _restarts: u32, _cx: &Cx) -> Result<(), Fault> {
        Ok(())
    }
}

#[test]
fn a_port_that_panics_hangs_or_fails_is_an_undetermined_ending_in_the_best_state() {
    for (how, retries) in [("panics", 2), ("hangs", 2), ("no display", 0)] {
        for from in [0, 3] {
            let world = World::at(10);
            let artifact = world.artifact.clone();
            let (mut ports, cancel) = (world, CancelToken::new());
            // No trials, so that the N-th capture is that of iteration N.
            ports.reviser = Arc::new(FakeReviser::new(|request: ReviseRequest| {
                let n = 10 + i64::from(request.iteration);
                let parts = vec![("n".to_owned(), Arc::from(n.to_string().as_bytes()))];
                Ok(Revision::Parts { parts, note: "one up".to_owned() })
            }));
            let spec = trueup_driver::RunSpec::new("run-1", "number", world::plan(), LoopContract::trueup());
            let capturer = Misbehaving { how, captures: AtomicUsize::new(0), from };
            let ports = trueup_driver::Ports::new(
                Arc::new(ports.artifact),
                Arc::new(capturer),
                Arc::new(comparer()),
                ports.reviser,
                Arc::new(ports.journal),
                Arc::new(trueup_testkit::SimulatedTime::new()),
            );
            let report = block_on(trueup_driver::Driver::new(spec, ports).drive(cancel)).unwrap();
            assert_eq!(report.status.status, Stop::CapturerUnavailable, "{how}");
            assert_eq!(report.outcome.budget.retries.spent, retries, "{how}");
            // The best state that was measured is the one before the capture that failed.
            let best = if from == 0 { 10 } else { 9 + from };
            assert_eq!(artifact.text("n"), best.to_string(), "{how} from {from}");
            assert!(report.status.notes.iter().any(|note| note.contains(match how {
                "panics" => "out of memory",
                "hangs" => "time limit",
                other => other,
            })));
        }
    }
}

#[test]
fn a_capture_that_leaves_a_label_out_is_not_a_capture() {
    let mut world = World::at(10);
    world.capturer = FakeCapturer::new(|_| Ok(Vec::new()));
    let report = world.drive().unwrap();
    assert_eq!(report.outcome.status(), Stop::CapturerUnavailable);
    assert_eq!(report.outcome.score_history, []);
}

#[test]
fn a_comparer_that_answers_for_other_labels_is_not_believed() {
    let mut world = World::at(10);
    world.comparer = FakeComparer::new(|_| Ok(Comparison::new(Measurement::new(vec![]))));
    assert_eq!(world.drive().unwrap().outcome.status(), Stop::ComparerUnavailable);
}

#[test]
fn a_reference_that_cannot_be_read_ends_the_run_before_anything_is_revised() {
    let mut world = World::at(10);
    let artifact = world.artifact.clone();
    world.comparer = comparer().with_unusable_references("no such file");
    world.reviser = Arc::new(FakeReviser::new(|_| panic!("nothing may be revised")));
    let report = world.drive().unwrap();
    assert_eq!(report.outcome.status(), Stop::ReferenceUnreadable);
    assert_eq!(artifact.text("n"), "10");
    assert!(
        report.status.notes.iter().any(|note| note.contains("card: no such file")),
        "{:?}",
        report.status.notes
    );
}

#[test]
fn what_a_failing_reviser_leaves_behind_is_taken_back() {
    #[derive(Debug)]
    struct Vandal(MemoryArtifact);
    #[async_trait]
    impl Reviser for Vandal {
        async fn revise(&self, request: ReviseRequest, _trials: Trials, _cx: &Cx) -> Result<Revision, Fault> {
            self.0.overwrite("n", "ruined");
            match request.iteration {
                1 => Err(Fault::new(FaultKind::Rejected, "I give up")),
                2 => Ok(Revision::Nothing { note: "changed nothing, I swear".to_owned() }),
                _ => panic!("a run ends when there is nothing to revise"),
            }
        }
    }
    let mut world = World::at(10);
    let artifact = world.artifact.clone();
    world.reviser = Arc::new(Vandal(artifact.clone()));
    let report = world.drive().unwrap();
    assert_eq!(report.outcome.status(), Stop::NoOps);
    assert_eq!(artifact.text("n"), "10");
}

#[test]
fn a_revision_in_place_that_makes_it_worse_is_brought_back() {
    #[derive(Debug)]
    struct Worse(MemoryArtifact);
    #[async_trait]
    impl Reviser for Worse {
        async fn revise(&self, request: ReviseRequest, _trials: Trials, _cx: &Cx) -> Result<Revision, Fault> {
            assert_eq!(self.0.content(), request.base, "every revision starts from the best state");
            self.0.overwrite("n", &(30 - request.iteration * 2).to_string());
            Ok(Revision::InPlace { note: "worse".to_owned() })
        }
    }
    let mut world = World::at(30);
    let artifact = world.artifact.clone();
    world.reviser = Arc::new(Worse(artifact.clone()));
    let report = world.drive().unwrap();
    assert_eq!(report.outcome.best.unwrap().iteration, 0);
    assert_eq!(artifact.text("n"), "30");
    assert_eq!(report.outcome.stops[0], Stop::Stalled);
}

#[test]
fn an_artifact_that_cannot_be_brought_back_is_said_to_be_lost() {
    #[derive(Debug)]
    struct Breaks(MemoryArtifact);
    #[async_trait]
    impl Reviser for Breaks {
        async fn revise(
            &self,
            _request: ReviseRequest,
            _trials: Trials,
            _cx: &Cx,
        ) -> Result<Revision, Fault> {
            self.0.overwrite("n", "5");
            self.0.break_restore(true);
            Err(Fault::new(FaultKind::Unavailable, "gone"))
        }
    }
    let mut world = World::at(10);
    world.reviser = Arc::new(Breaks(world.artifact.clone()));
    let report = world.drive().unwrap();
    assert_eq!(report.outcome.status(), Stop::StateLost);
    assert!(report.outcome.best.is_some());
}

#[test]
fn a_run_that_is_called_off_while_a_reviser_works_ends_in_the_best_state() {
    #[derive(Debug)]
    struct Slow(MemoryArtifact, CancelToken);
    #[async_trait]
    impl Reviser for Slow {
        async fn revise(&self, request: ReviseRequest, _trials: Trials, _cx: &Cx) -> Result<Revision, Fault> {
            if request.iteration == 1 {
                let parts = vec![("n".to_owned(), Arc::from(&b"20"[..]))];
                return Ok(Revision::Parts { parts, note: "better".to_owned() });
            }
            self.0.overwrite("n", "half-writ");
            self.1.cancel();
            std::future::pending().await
        }
    }
    let mut world = World::at(10);
    let artifact = world.artifact.clone();
    world.reviser = Arc::new(Slow(artifact.clone(), world.cancel.clone()));
    let report = world.drive().unwrap();
    assert_eq!(report.outcome.stops, [Stop::Cancelled]);
    assert_eq!(artifact.text("n"), "20");
}

#[test]
fn a_transient_fault_is_tried_again_and_charged() {
    let mut world = World::at(10);
    let calls = Arc::new(AtomicUsize::new(0));
    world.capturer = FakeCapturer::new({
        let calls = calls.clone();
        move |request| {
            if calls.fetch_add(1, Ordering::SeqCst) == 0 {
                return Err(Fault::new(FaultKind::Transient, "busy"));
            }
            render(&request)
        }
    });
    let report = world.drive().unwrap();
    assert_eq!(report.outcome.status(), Stop::Converged);
    assert_eq!(report.outcome.budget.retries.spent, 1);
}

#[test]
fn who_asks_to_be_called_later_is_called_later() {
    for (asked, at_least, at_most) in [(None, 0, 2), (Some(90), 90, 95), (Some(1_000_000), 600, 605)] {
        let mut world = World::at(40);
        let calls = Arc::new(AtomicUsize::new(0));
        let times = Arc::new(Mutex::new(Vec::new()));
        world.capturer = FakeCapturer::new({
            let (calls, times, clock) = (calls.clone(), times.clone(), world.clock.clone());
            move |request| {
                times.lock().unwrap().push(trueup_ports::Runtime::now(&clock).as_secs());
                if calls.fetch_add(1, Ordering::SeqCst) == 0 {
                    let busy = Fault::new(FaultKind::Transient, "busy");
                    let wait = asked.map(std::time::Duration::from_secs);
                    return Err(wait.map_or_else(
                        || Fault::new(FaultKind::Transient, "busy"),
                        |wait| busy.with_retry_after(wait),
                    ));
                }
                render(&request)
            }
        });
        assert_eq!(world.drive().unwrap().outcome.status(), Stop::Converged);
        let times = times.lock().unwrap();
        let waited = times[1] - times[0];
        assert!((at_least..=at_most).contains(&waited), "{asked:?}: {waited}");
    }
}

#[test]
fn a_judge_that_praises_everything_does_not_pass_what_the_comparer_refuses() {
    let scale = Scale::new(Points::ONE, Points::from_whole(5), Better::Higher).unwrap();
    let rubric =
        Rubric::new([Axis::new("beauty", scale).with_floor(Points::from_whole(3)).unwrap()]).unwrap();
    let judged = |card: fn() -> Scorecard, contract: LoopContract| {
        let mut world = World::at(10);
        world.contract = contract;
        world.reviser = Arc::new(FakeReviser::new(|_| Ok(Revision::Nothing { note: "idle".to_owned() })));
        let (driver, cancel) = world.driver();
        (driver, cancel, Arc::new(FakeJudge::new(move |_| Ok(card()))))
    };
    let praise = || Scorecard::new().with("beauty", Reading::Scored(Points::from_whole(5)));
    let (driver, cancel, judge) = judged(praise, LoopContract::trueup().with_rubric(rubric.clone()));
    let report = block_on(driver.clone().with_judge(judge).drive(cancel)).unwrap();
    assert_eq!(report.outcome.status(), Stop::NoOps);
    // And a contract with a rubric that nobody judges by is undetermined, not passed.
    let report = block_on(driver.drive(CancelToken::new()));
    assert_eq!(report.unwrap().outcome.status(), Stop::NoOps, "the journal holds the finished run");
    let mut world = World::at(40);
    world.contract = LoopContract::trueup().with_rubric(rubric);
    assert_eq!(world.drive().unwrap().outcome.status(), Stop::JudgeUnavailable);
}

#[test]
fn an_observer_hears_every_step_and_can_harm_nothing() {
    #[derive(Debug, Default)]
    struct Listening(Mutex<Vec<String>>);
    impl Observer for Listening {
        fn note(&self, note: &Note) {
            let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            heard.push(format!("{} {}", note.iteration, note.node));
            panic!("and it does not matter");
        }

        fn label(&self, done: &LabelDone<'_>) {
            let LabelDone { node, label, done, total, .. } = *done;
            self.0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(format!("{node} {label} {done}/{total}"));
            panic!("and neither does this");
        }
    }
    let listening = Arc::new(Listening::default());
    let (driver, cancel) = World::at(39).driver();
    let report = block_on(driver.with_observer(listening.clone()).drive(cancel)).unwrap();
    assert_eq!(report.outcome.status(), Stop::Converged);
    let heard = match listening.0.lock() {
        Ok(heard) => heard.clone(),
        Err(poisoned) => poisoned.into_inner().clone(),
    };
    assert_eq!(heard.first().map(String::as_str), Some("0 read"));
    // A step is named when it begins or is over; its labels are told while it lasts.
    let labels: Vec<&str> = heard.iter().map(String::as_str).filter(|line| line.contains('/')).collect();
    assert_eq!(labels, ["capture card 1/1", "compare card 1/1", "capture card 1/1", "compare card 1/1"]);
}

#[test]
fn the_chain_is_named_step_by_step() {
    #[derive(Debug, Default)]
    struct Listening(Mutex<Vec<String>>);
    impl Observer for Listening {
        fn note(&self, note: &Note) {
            self.0.lock().unwrap().push(note.node.to_string());
        }
    }
    let listening = Arc::new(Listening::default());
    let (driver, cancel) = World::at(39).driver();
    block_on(driver.with_observer(listening.clone()).drive(cancel)).unwrap();
    let chain = [
        "read",
        "read-gate",
        "capture",
        "capture-gate",
        "compare",
        "converged",
        "guard",
        "record",
        "judge-regions",
        "write",
        "write-gate",
        "reload",
        "capture",
        "capture-gate",
        "compare",
        "converged",
        "guard",
        "record",
    ];
    assert_eq!(*listening.0.lock().unwrap(), chain);
}

#[test]
fn the_status_block_reads_back_and_is_written_on_every_exit() {
    #[derive(Debug, Default)]
    struct Keeping(Mutex<Vec<StatusBlock>>);
    impl Sink for Keeping {
        fn write(&self, projection: Projection<'_>) -> std::io::Result<()> {
            if let Projection::Ended { status, .. } = projection {
                self.0.lock().unwrap().push(status.clone());
            }
            Ok(())
        }
    }
    let broken = |world: &mut World| world.capturer = FakeCapturer::new(|_| panic!("broken"));
    let idle = |world: &mut World| {
        world.reviser = Arc::new(FakeReviser::new(|_| Ok(Revision::Nothing { note: "idle".to_owned() })));
    };
    let nothing: fn(&mut World) = |_| {};
    for (change, status) in [
        (nothing, Stop::Converged),
        (broken, Stop::CapturerUnavailable),
        (idle, Stop::NoOps),
        (|world: &mut World| world.cancel.cancel(), Stop::Cancelled),
    ] {
        let mut world = World::at(10);
        change(&mut world);
        let keeping = Arc::new(Keeping::default());
        let (driver, cancel) = world.driver();
        let report = block_on(driver.with_sink(keeping.clone()).drive(cancel)).unwrap();
        let written = keeping.0.lock().unwrap();
        assert_eq!(written.len(), 1);
        assert_eq!(written[0].status, status);
        let mut read: StatusBlock = written[0].to_string().parse().unwrap();
        read.notes = report.status.notes.clone();
        assert_eq!(read, report.status);
    }
}

#[test]
fn a_sink_that_cannot_write_stops_the_run() {
    #[derive(Debug)]
    struct Full;
    impl Sink for Full {
        fn write(&self, projection: Projection<'_>) -> std::io::Result<()> {
            match projection {
                Projection::Compared { iteration: 1, .. } => Err(std::io::Error::other("no space left")),
                _ => Ok(()),
            }
        }
    }
    let world = World::at(10);
    let journal = world.journal.clone();
    let (driver, cancel) = world.driver();
    let error = block_on(driver.with_sink(Arc::new(Full)).drive(cancel)).unwrap_err();
    assert!(error.to_string().contains("run folder"), "{error}");
    // The journal is the truth: with room again, the run goes on from it.
    let mut again = World::at(10);
    again.journal = journal;
    assert_eq!(again.drive().unwrap().outcome, World::at(10).drive().unwrap().outcome);
}

#[test]
fn labels_that_cannot_be_compared_are_waited_for_by_nobody() {
    let mut world = World::at(39);
    world.comparer = FakeComparer::new(|request| {
        let labels = request.plan.labels().iter();
        let readings = labels.map(|label| LabelMeasurement::not_comparable(label.name().clone(), "empty"));
        Ok(Comparison::new(Measurement::new(readings.collect())))
    });
    assert_eq!(world.drive().unwrap().outcome.status(), Stop::NoComparableChannel);
}

#[test]
fn an_edit_from_elsewhere_is_kept_and_what_is_reported_is_what_is_there() {
    #[derive(Debug)]
    struct Meddling(MemoryArtifact);
    #[async_trait]
    impl Reviser for Meddling {
        async fn revise(&self, request: ReviseRequest, trials: Trials, cx: &Cx) -> Result<Revision, Fault> {
            let revision = world::Searching.revise(request, trials, cx).await;
            self.0.overwrite("n", "somebody's work");
            revision
        }
    }
    let mut world = World::at(10);
    let (artifact, journal) = (world.artifact.clone(), world.journal.clone());
    world.reviser = Arc::new(Meddling(artifact.clone()));
    let report = world.drive().unwrap();
    assert_eq!((report.outcome.status(), artifact.text("n").as_str()), (Stop::Converged, "40"));
    assert!(
        report.status.notes.iter().any(|note| note.contains("kept in the journal")),
        "{:?}",
        report.status.notes
    );
    let kept = journal.lines().iter().any(|line| String::from_utf8_lossy(line).contains("somebody's work"));
    assert!(kept);
}

#[test]
fn a_run_never_reports_a_state_that_the_artifact_is_not_in() {
    // Somebody writes to the artifact while the last state is compared, and it cannot be brought back.
    let mut world = World::at(40);
    let artifact = world.artifact.clone();
    let inner = comparer();
    world.comparer = FakeComparer::new({
        let artifact = artifact.clone();
        move |request| {
            artifact.overwrite("n", "7");
            artifact.break_restore(true);
            let cx = Cx::new(Arc::new(trueup_testkit::SimulatedTime::new()), CancelToken::new());
            block_on(trueup_ports::Comparer::compare(&inner, request, &cx))
        }
    });
    let report = world.drive().unwrap();
    assert_eq!(report.status.status, Stop::StateLost, "{:?}", report.outcome.stops);
}

#[test]
fn a_comparer_cannot_pass_a_label_that_was_not_captured() {
    let mut world = World::at(40);
    world.comparer = FakeComparer::new(|request| {
        let passing =
            |label: &trueup_contract::Label| LabelMeasurement::compared(label.name().clone(), vec![]);
        Ok(Comparison::new(Measurement::new(request.plan.labels().iter().map(passing).collect())))
    });
    let comparer = world.comparer;
    #[derive(Debug)]
    struct HalfReady(FakeComparer);
    #[async_trait]
    impl trueup_ports::Comparer for HalfReady {
        async fn prepare(
            &self,
            request: trueup_ports::PrepareRequest,
            _cx: &Cx,
        ) -> Result<Vec<trueup_contract::LabelReadiness>, Fault> {
            let ready = |(index, label): (usize, &trueup_contract::Label)| match index {
                0 => trueup_contract::LabelReadiness::ready(label.name().clone()),
                _ => trueup_contract::LabelReadiness::unusable(label.name().clone(), "gone"),
            };
            Ok(request.plan.labels().iter().enumerate().map(ready).collect())
        }
        async fn compare(&self, request: trueup_ports::CompareRequest, cx: &Cx) -> Result<Comparison, Fault> {
            self.0.compare(request, cx).await
        }
    }
    let label = |name: &str| {
        let name = trueup_contract::LabelName::new(name).unwrap();
        trueup_contract::Label::new(name, "n", "1x1".parse().unwrap(), "reference")
    };
    let plan = Arc::new(trueup_contract::Plan::new([label("a"), label("b")]).unwrap());
    let ports = trueup_driver::Ports::new(
        Arc::new(world.artifact),
        Arc::new(world.capturer),
        Arc::new(HalfReady(comparer)),
        world.reviser,
        Arc::new(world.journal),
        Arc::new(trueup_testkit::SimulatedTime::new()),
    );
    let spec = trueup_driver::RunSpec::new("run-1", "number", plan, LoopContract::trueup());
    let report = block_on(trueup_driver::Driver::new(spec, ports).drive(CancelToken::new())).unwrap();
    assert_eq!(report.outcome.status(), Stop::ComparerUnavailable);
}

#[test]
fn a_journal_that_hangs_or_panics_ends_the_run_with_an_error() {
    #[derive(Debug)]
    struct Broken(bool);
    #[async_trait]
    impl trueup_ports::JournalStore for Broken {
        async fn read(&self, _cx: &Cx) -> Result<trueup_ports::Lines, Fault> {
            if self.0 { std::future::pending().await } else { panic!("the disk is on fire") }
        }
        async fn put(&self, _place: u64, _line: Vec<u8>, _cx: &Cx) -> Result<trueup_ports::Put, Fault> {
            Ok(trueup_ports::Put::Written)
        }
    }
    for hangs in [true, false] {
        let world = World::at(10);
        let ports = trueup_driver::Ports::new(
            Arc::new(world.artifact),
            Arc::new(world.capturer),
            Arc::new(world.comparer),
            world.reviser,
            Arc::new(Broken(hangs)),
            Arc::new(trueup_testkit::SimulatedTime::new()),
        );
        let spec = trueup_driver::RunSpec::new("run-1", "number", world::plan(), LoopContract::trueup());
        let error = block_on(trueup_driver::Driver::new(spec, ports).drive(CancelToken::new())).unwrap_err();
        assert!(error.to_string().contains("journal cannot be read"), "{error}");
    }
}

#[test]
fn a_source_with_line_ends_cannot_forge_a_status() {
    let (_, cancel) = World::at(10).driver();
    let world = World::at(10);
    let ports = trueup_driver::Ports::new(
        Arc::new(world.artifact),
        Arc::new(world.capturer),
        Arc::new(world.comparer),
        Arc::new(FakeReviser::new(|_| Ok(Revision::Nothing { note: "idle".to_owned() }))),
        Arc::new(world.journal),
        Arc::new(trueup_testkit::SimulatedTime::new()),
    );
    let spec =
        trueup_driver::RunSpec::new("r", "x\nstatus: converged", world::plan(), LoopContract::trueup());
    let report = block_on(trueup_driver::Driver::new(spec, ports).drive(cancel)).unwrap();
    let read: StatusBlock = report.status.to_string().parse().unwrap();
    assert_eq!(read.status, Stop::NoOps);
    assert!("status: converged\nstatus: cancelled\n".parse::<StatusBlock>().is_err());
}

#[test]
fn a_picture_of_something_else_is_never_measured_as_the_state() {
    // While the artifact itself is captured for the first time, somebody puts the design in its place.
    let mut world = World::at(10);
    let artifact = world.artifact.clone();
    let captures = AtomicUsize::new(0);
    world.capturer = FakeCapturer::new({
        let artifact = artifact.clone();
        move |mut request| {
            if captures.fetch_add(1, Ordering::SeqCst) == 0 {
                artifact.overwrite("n", "40");
            }
            request.snapshot = artifact.content();
            render(&request)
        }
    })
    .reading_the_artifact();
    let report = world.drive().unwrap();
    let baseline = report.outcome.score_history[0];
    assert_eq!(baseline, Some(Points::from_whole(30)), "the baseline is what the run began with");
    assert_eq!((report.outcome.status(), report.outcome.budget.retries.spent), (Stop::Converged, 1));
    assert_eq!(artifact.text("n"), "40");
}
