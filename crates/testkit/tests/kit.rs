//! The whole kit on the ports in memory, and on ports that are broken on purpose.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use trueup_contract::{
    DeltaId, FaultKind, Label, LabelMeasurement, LabelName, LoopContract, Measurement, OpenRegion, Plan,
    StateId, Stop,
};
use trueup_driver::{Driver, Ports, Report, RunSpec};
use trueup_frame::{Frame, PixelFormat, Rect, Size};
use trueup_ports::{
    Artifact, CancelToken, Capture, CaptureRequest, CompareRequest, Comparison, Cx, Fault, JournalStore,
    JudgeRequest, Lines, Pixels, Put, ReviseRequest, Revision, Runtime, Snapshot, TrialBench, TrialError,
    Trials,
};
use trueup_rubric::{Axis, Reading, Rubric, Scorecard};
use trueup_score::{Better, Points, Scale};
use trueup_testkit::conformance::{self, Violation};
use trueup_testkit::{
    FakeCapturer, FakeComparer, FakeJudge, FakeReviser, Hostile, MemoryArtifact, MemoryJournal, Mood, Noisy,
    SimulatedTime, block_on, survives_every_kill,
};

fn cx() -> Cx {
    conformance::context(Arc::new(SimulatedTime::new()))
}

fn plan() -> Arc<Plan> {
    let label = Label::new(LabelName::new("card").unwrap(), "n", "1x1".parse().unwrap(), "reference");
    Arc::new(Plan::new([label]).unwrap())
}

fn number(snapshot: &Snapshot) -> Result<u8, Fault> {
    let text = snapshot.part("n").map(|part| String::from_utf8_lossy(part).into_owned()).unwrap_or_default();
    text.parse().map_err(|_| Fault::new(FaultKind::Rejected, format!("{text:?} is no number")))
}

fn capturer() -> FakeCapturer {
    FakeCapturer::new(|request: CaptureRequest| {
        let frame =
            Frame::new(vec![number(&request.snapshot)?], Size::new(1, 1), PixelFormat::Gray8).unwrap();
        let frame = Arc::new(frame);
        let capture = |label: &Label| Capture::new(label.name().clone(), Pixels::Frame(Arc::clone(&frame)));
        Ok(request.labels.iter().map(capture).collect())
    })
}

const DESIGN: i64 = 40;

fn comparer() -> FakeComparer {
    FakeComparer::new(|request: CompareRequest| {
        let labels = request.captures.iter().map(|capture| {
            let Pixels::Frame(frame) = &capture.pixels else { panic!("only frames are captured here") };
            let off = (i64::from(frame.bytes()[0]) - DESIGN).abs();
            let id = DeltaId::of(&capture.label, &format!("off{off}")).unwrap();
            let region = OpenRegion::new(id, Rect::new(0, 0, 1, 1), Points::from_whole(off));
            LabelMeasurement::compared(capture.label.clone(), if off == 0 { vec![] } else { vec![region] })
        });
        Ok(Comparison::new(Measurement::new(labels.collect())))
    })
}

fn halving() -> FakeReviser {
    FakeReviser::new(|request: ReviseRequest| {
        let now = i64::from(number(&request.base)?);
        let step = (DESIGN - now) / 2 + (DESIGN - now) % 2;
        let parts = vec![("n".to_owned(), Arc::from((now + step).to_string().as_bytes()))];
        Ok(Revision::Parts { parts, note: format!("from {now}") })
    })
}

fn rubric() -> Rubric {
    let scale = Scale::new(Points::ONE, Points::from_whole(5), Better::Higher).unwrap();
    Rubric::new([Axis::new("beauty", scale).with_floor(Points::from_whole(3)).unwrap()]).unwrap()
}

fn content() -> FakeJudge {
    FakeJudge::new(|_| Ok(Scorecard::new().with("beauty", Reading::Scored(Points::from_whole(4)))))
}

fn judging() -> JudgeRequest {
    JudgeRequest::new(StateId::of_parts([]), Arc::new(rubric()), Arc::new([]))
}

fn capturing() -> CaptureRequest {
    let snapshot = MemoryArtifact::new("n", "7").content();
    CaptureRequest::new(snapshot, plan().labels().to_vec().into())
}

fn comparing() -> CompareRequest {
    let captures = block_on(trueup_ports::Capturer::capture(&capturer(), capturing(), &cx())).unwrap();
    CompareRequest::new(plan(), captures.into())
}

#[derive(Debug)]
struct NoTrials;

#[async_trait]
impl TrialBench for NoTrials {
    async fn measure(&self, _state: Snapshot) -> Result<Option<Points>, TrialError> {
        Err(TrialError::new(trueup_ports::TrialErrorKind::Exhausted))
    }

    fn left(&self) -> u32 {
        0
    }
}

fn revising() -> ReviseRequest {
    ReviseRequest::new(1, MemoryArtifact::new("n", "7").content(), Measurement::new(vec![]))
}

fn samples() -> Vec<Snapshot> {
    let part = |name: &str, content: &[u8]| (name.to_owned(), Arc::from(content));
    vec![
        Snapshot::new([part("n", b"1")]),
        Snapshot::new([part("n", b"")]),
        Snapshot::new([part("n", &[0, 255, 10, 13]), part("folder/other", b"more")]),
    ]
}

#[test]
fn the_ports_in_memory_conform() {
    let cx = cx();
    block_on(conformance::artifact(&MemoryArtifact::new("n", "7"), &samples(), &cx)).unwrap();
    block_on(conformance::journal(&MemoryJournal::new(), &cx)).unwrap();
    block_on(conformance::capturer(&capturer(), &capturing(), &cx)).unwrap();
    block_on(conformance::comparer(&comparer(), &comparing(), &cx)).unwrap();
    block_on(conformance::judge(&content(), &judging(), &cx)).unwrap();
    block_on(conformance::reviser(&halving(), &revising(), Trials::new(Arc::new(NoTrials)), &cx)).unwrap();
    block_on(conformance::runtime(&SimulatedTime::new())).unwrap();
}

fn rule(violation: Result<(), Violation>) -> &'static str {
    violation.unwrap_err().rule()
}

#[test]
fn ports_in_a_bad_mood_do_not() {
    let cx = cx();
    let judge = |mood| rule(block_on(conformance::judge(&Hostile::new(content(), [mood]), &judging(), &cx)));
    assert_eq!(judge(Mood::Panics), "it does not panic");
    assert_eq!(judge(Mood::Fails(FaultKind::Unavailable)), "it works");
    let capturer =
        |mood| rule(block_on(conformance::capturer(&Hostile::new(capturer(), [mood]), &capturing(), &cx)));
    assert_eq!(capturer(Mood::Garbage), "one capture a label, in order");
    let comparer = |moods: Vec<Mood>| {
        rule(block_on(conformance::comparer(&Hostile::new(comparer(), moods), &comparing(), &cx)))
    };
    assert_eq!(comparer(vec![Mood::Garbage]), "one reading a label, in the plan's order");
    assert_eq!(comparer(vec![Mood::Well, Mood::Contradicts]), "the same captures give the same measurement");
    let outside = FakeJudge::new(|_| Ok(Scorecard::new().with("charm", Reading::Scored(Points::ONE))));
    let verdict = block_on(conformance::judge(&outside, &judging(), &cx));
    assert_eq!(rule(verdict), "only what was asked for is scored");
    let tried = revising().with_tried(vec![MemoryArtifact::new("n", "24").content().state().clone()]);
    let again = block_on(conformance::reviser(&halving(), &tried, Trials::new(Arc::new(NoTrials)), &cx));
    assert_eq!(rule(again), "nothing is proposed twice");
}

/// Forgets what is not the first part, gives away places twice, and has a clock that stands.
#[derive(Debug, Default)]
struct Broken(MemoryJournal);

#[async_trait]
impl Artifact for Broken {
    async fn snapshot(&self, _cx: &Cx) -> Result<Snapshot, Fault> {
        Ok(Snapshot::new([("n".to_owned(), Arc::from(&b"1"[..]))]))
    }

    async fn restore(&self, _snapshot: Snapshot, _cx: &Cx) -> Result<(), Fault> {
        Ok(())
    }
}

#[async_trait]
impl JournalStore for Broken {
    async fn read(&self, cx: &Cx) -> Result<Lines, Fault> {
        self.0.read(cx).await
    }

    async fn put(&self, _place: u64, line: Vec<u8>, cx: &Cx) -> Result<Put, Fault> {
        self.0.put(self.0.lines().len() as u64, line, cx).await
    }
}

#[async_trait]
impl Runtime for Broken {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    async fn sleep(&self, _time: Duration) {}

    async fn run_blocking(&self, _job: Box<dyn FnOnce() + Send>) {}
}

#[test]
fn storage_and_time_that_are_broken_are_told() {
    let cx = cx();
    assert_eq!(
        rule(block_on(conformance::artifact(&Broken::default(), &samples(), &cx))),
        "what was restored is what is there"
    );
    assert_eq!(rule(block_on(conformance::journal(&Broken::default(), &cx))), "no place is left empty");
    assert_eq!(rule(block_on(conformance::runtime(&Broken::default()))), "a sleep takes its time");
    let full = MemoryJournal::new().with_room(1);
    assert_eq!(rule(block_on(conformance::journal(&full, &cx))), "it works");
}

fn ports(artifact: &MemoryArtifact, journal: Arc<dyn JournalStore>) -> Ports {
    Ports::new(
        Arc::new(artifact.clone()),
        Arc::new(capturer()),
        Arc::new(comparer()),
        Arc::new(halving()),
        journal,
        Arc::new(SimulatedTime::new()),
    )
}

fn drive(ports: Ports, contract: LoopContract) -> Report {
    let driver = Driver::new(RunSpec::new("run-1", "number", plan(), contract), ports);
    block_on(driver.drive(CancelToken::new())).unwrap()
}

#[test]
fn a_run_survives_every_kill_on_the_journal_in_memory() {
    let kills = block_on(survives_every_kill(
        || Arc::new(MemoryJournal::new()),
        |journal| async {
            let artifact = MemoryArtifact::new("n", "10");
            let report = drive(ports(&artifact, journal), LoopContract::trueup());
            report.outcome.without_usage()
        },
        &cx(),
    ));
    assert!(kills.unwrap() > 20);
}

#[test]
fn a_run_that_tells_something_else_after_a_kill_is_found() {
    let runs = std::sync::atomic::AtomicUsize::new(0);
    let killed = block_on(survives_every_kill(
        || Arc::new(MemoryJournal::new()),
        |journal| {
            let run = runs.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            async move {
                block_on(journal.put(0, b"line".to_vec(), &cx())).unwrap();
                run
            }
        },
        &cx(),
    ));
    assert_eq!(killed.unwrap_err().rule(), "a kill changes nothing");
}

#[test]
fn hostile_ports_never_corrupt_a_run() {
    let moods = [
        Mood::Panics,
        Mood::Hangs,
        Mood::Late(Duration::from_secs(3_600)),
        Mood::Fails(FaultKind::Lost),
        Mood::Fails(FaultKind::Unavailable),
        Mood::Garbage,
        Mood::Contradicts,
    ];
    for mood in &moods {
        for schedule in
            [vec![mood.clone()], vec![Mood::Well, mood.clone()], vec![Mood::Well, Mood::Well, mood.clone()]]
        {
            for port in ["capturer", "comparer", "reviser", "judge"] {
                let artifact = MemoryArtifact::new("n", "10");
                let mut ports =
                    ports(&artifact, Arc::new(MemoryJournal::new())).with_judge(Arc::new(content()));
                match port {
                    "capturer" => ports.capturer = Arc::new(Hostile::new(capturer(), schedule.clone())),
                    "comparer" => ports.comparer = Arc::new(Hostile::new(comparer(), schedule.clone())),
                    "reviser" => ports.reviser = Arc::new(Hostile::new(halving(), schedule.clone())),
                    _ => ports = ports.with_judge(Arc::new(Hostile::new(content(), schedule.clone()))),
                }
                let report = drive(ports, LoopContract::trueup().with_rubric(rubric()));
                let told = format!("{port} with {schedule:?}: {:?}", report.outcome);
                let best = report.outcome.best.as_ref();
                if let Some(best) = best {
                    assert_eq!(
                        artifact.content().state(),
                        &best.state,
                        "the last good state is there: {told}"
                    );
                }
                // A comparer that says the opposite is believed, for nobody is there to know better; nobody else makes a pass.
                let honest = !(port == "comparer" && *mood == Mood::Contradicts);
                if honest && report.outcome.status() == Stop::Converged {
                    assert_eq!(artifact.text("n"), DESIGN.to_string(), "{told}");
                }
            }
        }
    }
}

#[test]
fn noise_has_a_seed_and_says_how_far_it_goes() {
    let scores = |seed| -> Vec<Points> {
        let judge = Noisy::new(content(), "0.5".parse().unwrap(), seed);
        (0..50)
            .map(|_| {
                let judgement = block_on(trueup_ports::Judge::judge(&judge, judging(), &cx())).unwrap();
                assert!(judgement.standard_error.unwrap() > Points::ZERO);
                judgement.card.reading("beauty").score().unwrap()
            })
            .collect()
    };
    assert_eq!(scores(1), scores(1));
    assert_ne!(scores(1), scores(2));
    let (low, high) = ("3.5".parse().unwrap(), "4.5".parse().unwrap());
    assert!(scores(3).iter().all(|score| (low..=high).contains(score)));
    assert!(scores(3).iter().collect::<std::collections::BTreeSet<_>>().len() > 40);
}
