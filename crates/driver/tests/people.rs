//! Questions, answers, ladders and somebody new: what a driver makes of them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod world;

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use trueup_contract::{
    Answer, Approach, Exhaust, FaultKind, FindingKey, Judgement, LoopContract, Preset, SkipClass, Stop,
};
use trueup_driver::{Driver, RunFolder, Signal, StatusBlock};
use trueup_ports::{Brief, CancelToken, Cx, Fault, JudgeRequest, ReviseRequest, Reviser, Revision, Trials};
use trueup_rubric::{Axis, Reading, Rubric, Scorecard};
use trueup_score::{Better, Points, Scale};
use trueup_testkit::{FakeHuman, FakeJudge, MemoryArtifact, MemoryJournal, block_on};
use world::World;

fn rubric() -> Rubric {
    let scale = Scale::new(Points::ONE, Points::from_whole(5), Better::Higher).unwrap();
    Rubric::new([Axis::new("beauty", scale).with_floor(Points::from_whole(3)).unwrap()]).unwrap()
}

fn aep() -> LoopContract {
    LoopContract::aep(rubric())
}

/// What a reviser was asked for.
type Asked = Arc<Mutex<Vec<(String, Approach, Option<Arc<str>>, usize, bool)>>>;

/// Counts up, and notes what it was asked for; its name tells it from somebody new.
#[derive(Debug)]
struct Counting {
    name: &'static str,
    asked: Asked,
    alive: bool,
}

#[async_trait]
impl Reviser for Counting {
    async fn revise(&self, request: ReviseRequest, _trials: Trials, _cx: &Cx) -> Result<Revision, Fault> {
        let brief = request.ground.as_ref().and_then(|ground| ground.brief.clone());
        let grounded = request.ground.as_ref().is_some_and(|ground| ground.contract.contains("preset:"));
        let note = (self.name.to_owned(), request.approach, brief, request.findings.len(), grounded);
        self.asked.lock().unwrap().push(note);
        let parts = vec![("n".to_owned(), Arc::from(request.iteration.to_string().as_bytes()))];
        let note = "one more".to_owned();
        if request.approach == Approach::Decompose {
            let split = vec!["header".to_owned(), "footer".to_owned()];
            return Ok(Revision::Slice { parts, note, split, landed: "header".to_owned() });
        }
        Ok(Revision::Parts { parts, note })
    }

    fn fresh(&self) -> Option<Arc<dyn Reviser>> {
        Some(Arc::new(Self { name: "somebody new", asked: Arc::clone(&self.asked), alive: self.alive }))
    }

    async fn probe(&self, _cx: &Cx) -> Result<(), Fault> {
        if self.alive { Ok(()) } else { Err(Fault::new(FaultKind::Unavailable, "it never answered")) }
    }
}

#[derive(Debug)]
struct ABrief(AtomicUsize);

#[async_trait]
impl Brief for ABrief {
    async fn read(&self, _cx: &Cx) -> Result<Option<Arc<str>>, Fault> {
        let reading = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        Ok(Some(format!("calm, reading {reading}").into()))
    }
}

fn judge(scores: &'static [i64]) -> Arc<FakeJudge> {
    let calls = AtomicUsize::new(0);
    Arc::new(FakeJudge::new(move |_: JudgeRequest| {
        let call = calls.fetch_add(1, Ordering::SeqCst);
        let score = Points::from_whole(*scores.get(call).unwrap_or_else(|| scores.last().unwrap()));
        let card = Scorecard::new().with("beauty", Reading::Scored(score));
        Ok(Judgement::new(card).with_findings([FindingKey::new("f1").unwrap()]))
    }))
}

struct Climb {
    driver: Driver,
    asked: Asked,
    folder: tempfile::TempDir,
}

fn climb(scores: &'static [i64], alive: bool) -> Climb {
    let asked = Asked::default();
    let mut world = World::at(0);
    world.contract = aep();
    world.reviser = Arc::new(Counting { name: "the first", asked: Arc::clone(&asked), alive });
    let folder = tempfile::tempdir().unwrap();
    let sink = RunFolder::new(folder.path().to_owned(), || "2026-01-01T00:00:00Z".to_owned());
    let (driver, _) = world.driver();
    let driver = driver.with_judge(judge(scores)).with_brief(Arc::new(ABrief(AtomicUsize::new(0))));
    Climb { driver: driver.with_sink(Arc::new(sink)), asked, folder }
}

#[test]
fn r14_every_rung_has_content_and_the_ladder_ends_with_a_person() {
    let Climb { driver, asked, folder } = climb(&[2], true);
    let report = block_on(driver.drive(CancelToken::new())).unwrap();
    let asked: Vec<_> = asked.lock().unwrap().clone();
    let who: Vec<&str> = asked.iter().map(|(who, ..)| who.as_str()).collect();
    let first = "the first";
    assert_eq!(who, [first, first, first, first, "somebody new", "somebody new"]);
    let approaches: Vec<Approach> = asked.iter().map(|(_, approach, ..)| *approach).collect();
    assert_eq!(approaches[3..], [Approach::Reground, Approach::FreshGenerator, Approach::Decompose]);
    // Re-ground reads the brief, the design and the contract again; nobody else is bothered with them.
    let ground: Vec<_> =
        asked.iter().map(|(_, _, brief, _, grounded)| (brief.as_deref(), *grounded)).collect();
    assert_eq!(ground[3], (Some("calm, reading 1"), true));
    assert!(ground.iter().enumerate().all(|(at, ground)| at == 3 || *ground == (None, false)));
    assert!(asked.iter().all(|(_, _, _, findings, _)| *findings == 1));

    assert_eq!(report.outcome.status(), Stop::Escalation);
    assert_eq!(report.outcome.granted, 1);
    let split = report.outcome.split.clone().unwrap();
    assert_eq!((split.landed.as_str(), split.stands), ("header", false));
    let human = fs::read_to_string(folder.path().join("needs-human.md")).unwrap();
    for line in [
        "## 2026-01-01T00:00:00Z — iteration 6",
        "- round 3 failed: answered with reground",
        "- round 5 failed: answered with decompose",
        "- split into header, footer; made header, and it does not stand",
    ] {
        assert!(human.contains(line), "{line}\n{human}");
    }
    assert!(
        human.contains("eval_not_converging")
            && human.contains("Options: continue, adjust, accept-as-is, abort")
    );
    let signal: Signal =
        fs::read_to_string(folder.path().join("signals/status.json")).unwrap().parse().unwrap();
    assert_eq!(
        (signal.blocked_on.as_deref(), signal.recovery_rung),
        (Some("human"), Some(Approach::Decompose))
    );
    assert_eq!(signal.outcome.as_ref(), Some(&report.outcome), "the outcome reads back whole");
    let block: StatusBlock = fs::read_to_string(folder.path().join("summary.md")).unwrap().parse().unwrap();
    assert_eq!((block.status, block.stops, block.iterations), (Stop::Escalation, report.outcome.stops, 6));

    // An answer that is given later clears it, and the run goes on where it was.
    let driver = driver.with_judge(judge(&[4])).with_answer(Answer::go_on(1));
    let report = block_on(driver.drive(CancelToken::new())).unwrap();
    assert_eq!(report.outcome.status(), Stop::Converged);
    let human = fs::read_to_string(folder.path().join("needs-human.md")).unwrap();
    assert!(
        human.contains("resolved: 2026-01-01T00:00:00Z — continue, 1 more iterations (iteration 6)"),
        "{human}"
    );
    let signal: Signal =
        fs::read_to_string(folder.path().join("signals/status.json")).unwrap().parse().unwrap();
    assert_eq!((signal.blocked_on, signal.status), (None, Some(Stop::Converged)));
}

#[test]
fn somebody_new_who_gives_no_sign_of_life_is_not_waited_for() {
    let Climb { driver, .. } = climb(&[2], false);
    let report = block_on(driver.drive(CancelToken::new())).unwrap();
    assert_eq!(report.outcome.status(), Stop::ReviserUnavailable);
    assert!(report.outcome.fault.unwrap().contains("it never answered"));
}

#[test]
fn somebody_who_is_there_is_asked_and_answers() {
    let mut world = World::at(0);
    world.contract =
        LoopContract::of(Preset::Trueup).with_rubric(rubric()).with_exhaust(Stop::NoOps, Exhaust::Ask);
    world.reviser =
        Arc::new(trueup_testkit::FakeReviser::new(|_| Ok(Revision::Nothing { note: "idle".to_owned() })));
    let (driver, cancel) = world.driver();
    let human = FakeHuman::new(|question| {
        assert_eq!(question.stops, [Stop::NoOps, Stop::Escalation]);
        Ok(Some(Answer::AcceptAsIs { by: "ada".to_owned() }))
    });
    let report = block_on(driver.with_judge(judge(&[2])).with_human(Arc::new(human)).drive(cancel)).unwrap();
    assert_eq!(report.outcome.status(), Stop::AcceptedUnconverged);
    assert_eq!(report.outcome.accepted_by.as_deref(), Some("ada"));
}

#[test]
fn a_person_who_does_not_answer_is_nobody() {
    for human in [
        FakeHuman::new(|_| Ok(None)),
        FakeHuman::new(|_| Err(Fault::new(FaultKind::Unavailable, "gone home"))),
        FakeHuman::new(|_| panic!("fell off the chair")),
        FakeHuman::new(|_| {
            Ok(Some(Answer::Adjust { contract: "unheard of".to_owned(), more_iterations: 0 }))
        }),
    ] {
        let mut world = World::at(0);
        world.reviser = Arc::new(trueup_testkit::FakeReviser::new(|_| {
            Ok(Revision::Blocked { class: SkipClass::MissingAccess, note: "no key".to_owned() })
        }));
        let (driver, cancel) = world.driver();
        let report = block_on(driver.with_human(Arc::new(human)).drive(cancel)).unwrap();
        assert_eq!((report.outcome.status(), report.outcome.question.is_some()), (Stop::MissingAccess, true));
    }
}

#[test]
fn a_reviser_that_disputes_the_verdict_is_heard_by_a_person() {
    let mut world = World::at(0);
    world.reviser = Arc::new(trueup_testkit::FakeReviser::new(|_| {
        Ok(Revision::Dispute { note: "it is what was asked for".to_owned() })
    }));
    assert_eq!(world.drive().unwrap().outcome.status(), Stop::Disagreement);
}

#[test]
fn an_answer_to_nothing_is_said_so_and_changes_nothing() {
    let (driver, cancel) = World::at(40).driver();
    let report = block_on(driver.with_answer(Answer::Abort).drive(cancel)).unwrap();
    assert_eq!(report.outcome.status(), Stop::Converged);
    assert!(
        report.status.notes.iter().any(|note| note.contains("nothing was asked")),
        "{:?}",
        report.status.notes
    );
}

#[test]
fn a_contract_that_can_never_be_met_is_refused_before_anything_is_written() {
    let mut world = World::at(0);
    world.contract = LoopContract::of(Preset::Moai);
    let journal = world.journal.clone();
    let error = world.drive().unwrap_err();
    assert!(error.to_string().contains("no rubric"), "{error}");
    assert_eq!(journal.lines(), Vec::<Vec<u8>>::new());
}

#[test]
fn usage_that_ports_report_is_in_the_journal_and_ends_the_run_at_its_limit() {
    #[derive(Debug)]
    struct Costly;
    #[async_trait]
    impl trueup_ports::Judge for Costly {
        async fn judge(&self, _request: JudgeRequest, cx: &Cx) -> Result<Judgement, Fault> {
            cx.report_usage(15_000_000, 250_000);
            Ok(Scorecard::new().with("beauty", Reading::Scored(Points::from_whole(2))).into())
        }
    }
    let mut world = World::at(0);
    world.contract = LoopContract::trueup().with_rubric(rubric());
    let (driver, cancel) = world.driver();
    let report = block_on(driver.with_judge(Arc::new(Costly)).drive(cancel)).unwrap();
    assert_eq!(report.outcome.stops, [Stop::BudgetExhausted]);
    assert_eq!((report.outcome.usage.tokens, report.outcome.usage.cost_micros), (30_000_000, 500_000));
}

#[test]
fn an_edit_during_a_trial_is_kept_and_what_was_measured_of_it_is_not_believed() {
    // A capturer that reads the artifact, and somebody who saves a file while a trial is captured.
    let mut world = World::at(30);
    let artifact: MemoryArtifact = world.artifact.clone();
    let captures = AtomicUsize::new(0);
    let editor = artifact.clone();
    world.capturer = trueup_testkit::FakeCapturer::new(move |request| {
        let captures = captures.fetch_add(1, Ordering::SeqCst);
        if captures == 1 {
            editor.overwrite("n", "an hour of handiwork");
        }
        world::render(&request)
    })
    .reading_the_artifact();
    let journal: MemoryJournal = world.journal.clone();
    let report = world.drive().unwrap();
    let kept =
        journal.lines().iter().any(|line| String::from_utf8_lossy(line).contains("an hour of handiwork"));
    assert!(kept, "what somebody wrote is never lost");
    assert!(report.status.notes.iter().any(|note| note.contains("kept in the journal")));
    assert_ne!(artifact.text("n"), "an hour of handiwork", "the run goes on from what it knows");
    let abandoned = journal.lines().iter().any(|line| String::from_utf8_lossy(line).contains("abandoned"));
    assert!(abandoned, "the trial saw something else");
}

#[test]
fn a_renderer_that_a_trial_loses_is_started_again_and_the_trial_repeated() {
    #[derive(Debug)]
    struct Dies {
        captures: AtomicUsize,
        started: AtomicUsize,
    }
    #[async_trait]
    impl trueup_ports::Capturer for Dies {
        fn reads(&self) -> trueup_ports::Reads {
            trueup_ports::Reads::Snapshot
        }
        async fn capture(
            &self,
            request: trueup_ports::CaptureRequest,
            _cx: &Cx,
        ) -> Result<Vec<trueup_ports::Capture>, Fault> {
            if self.captures.fetch_add(1, Ordering::SeqCst) == 1 {
                return Err(Fault::new(FaultKind::Lost, "the process is gone"));
            }
            world::render(&request)
        }
        async fn recover(&self, restarts: u32, _cx: &Cx) -> Result<(), Fault> {
            self.started.fetch_add(usize::from(restarts > 0), Ordering::SeqCst);
            Ok(())
        }
    }
    let capturer = Arc::new(Dies { captures: AtomicUsize::new(0), started: AtomicUsize::new(0) });
    let world = World::at(30);
    let (driver, cancel) = world.driver();
    let report = block_on(driver.with_capturer(Arc::clone(&capturer) as _).drive(cancel)).unwrap();
    assert_eq!(report.outcome.status(), Stop::Converged);
    assert_eq!((report.outcome.budget.restarts.spent, capturer.started.load(Ordering::SeqCst)), (1, 1));
}

#[test]
fn a_port_that_hangs_is_cut_off_where_the_time_of_the_run_ends() {
    let mut limits = LoopContract::trueup().limits().clone();
    limits.wall_seconds =
        trueup_contract::Limits::WALL_SECONDS.resolve([(trueup_contract::LimitSource::Config, Some("2"))]);
    let mut world = World::at(10);
    world.contract = LoopContract::trueup().with_limits(limits);
    let artifact = world.artifact.clone();
    world.reviser = Arc::new(trueup_testkit::Hostile::new(
        trueup_testkit::FakeReviser::new(|_| Ok(Revision::Nothing { note: "idle".to_owned() })),
        [trueup_testkit::Mood::Hangs],
    ));
    let report = world.drive().unwrap();
    assert_eq!(report.outcome.stops, [Stop::BudgetExhausted]);
    let millis = report.outcome.usage.millis;
    assert!((2_000..4_000).contains(&millis), "and not after the twenty minutes of a reviser: {millis}");
    assert_eq!(artifact.text("n"), "10");
}
