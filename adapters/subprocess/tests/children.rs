//! Children of every kind, well-behaved and not.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use trueup_contract::{FaultKind, Label, LabelName, Measurement, Plan, StateId};
use trueup_frame::{Frame, PixelFormat, Size};
use trueup_ports::{
    CancelToken, Capture, CaptureRequest, Capturer, CompareRequest, Comparer, Cx, Fault, Judge, JudgeRequest,
    Pixels, PrepareRequest, ReviseRequest, Reviser, Revision, Snapshot, TrialBench, TrialError,
    TrialErrorKind, Trials,
};
use trueup_rubric::{Axis, Rubric};
use trueup_score::{Better, Points, Scale, Truth};
use trueup_subprocess::{CommandCapturer, CommandComparer, CommandJudge, CommandReviser, Edits, Program};
use trueup_testkit::{SimulatedTime, block_on};

fn cx() -> Cx {
    Cx::new(Arc::new(SimulatedTime::new()), CancelToken::new())
}

fn shell(script: &str) -> Program {
    Program::new("sh", ["-c", script]).with_time_limit(Duration::from_secs(20))
}

fn snapshot() -> Snapshot {
    let part = |name: &str, text: &str| (name.to_owned(), Arc::from(text.as_bytes()));
    Snapshot::new([part("card.svg", "<svg>old</svg>"), part("css/tokens.css", "a{}")])
}

#[derive(Debug)]
struct NoTrials;

#[async_trait::async_trait]
impl TrialBench for NoTrials {
    async fn measure(&self, _: Snapshot) -> Result<Option<Points>, TrialError> {
        Err(TrialError::new(TrialErrorKind::Exhausted))
    }

    fn left(&self) -> u32 {
        0
    }
}

fn revise(program: Program, edits: Edits) -> Result<Revision, Fault> {
    let request = ReviseRequest::new(1, snapshot(), Measurement::new(Vec::new()));
    block_on(CommandReviser::new(program, edits).revise(request, Trials::new(Arc::new(NoTrials)), &cx()))
}

fn rubric() -> Arc<Rubric> {
    let scale =
        Scale::new(Points::from_micros(1_000_000), Points::from_micros(5_000_000), Better::Higher).unwrap();
    Arc::new(Rubric::new([Axis::new("clarity", scale)]).unwrap())
}

fn picture() -> Frame {
    Frame::new(vec![200; 12], Size::new(2, 2), PixelFormat::Rgb8).unwrap()
}

fn judge_request() -> JudgeRequest {
    let capture = Capture::new(LabelName::new("card").unwrap(), Pixels::Frame(Arc::new(picture())));
    let state = StateId::of_parts([("card.svg", &b"old"[..])]);
    JudgeRequest::new(state, rubric(), Arc::new([capture]))
}

fn judge(program: Program) -> Result<trueup_contract::Judgement, Fault> {
    block_on(CommandJudge::new(program).judge(judge_request(), &cx()))
}

const GOOD: &str = r#"{"rubric": {"clarity": {"score": 4, "rationale": "plain"}}}"#;

#[track_caller]
fn assert_fault<T: std::fmt::Debug>(result: Result<T, Fault>, kind: FaultKind, part: &str) {
    let fault = result.unwrap_err();
    assert_eq!(fault.kind(), kind, "{fault}");
    assert!(fault.to_string().contains(part), "{fault}");
}

#[test]
fn a_judge_reads_the_request_and_is_read() {
    // It answers only when the request is what the protocol says, with a picture that is there.
    let script = format!(
        r#"read request
        case "$request" in *'"schema":"trueup.request/1"'*'"port":"judge"'*'"name":"clarity"'*) ;; *) exit 3;; esac
        file=$(printf '%s' "$request" | sed 's/.*"file":"\([^"]*\)".*/\1/')
        head -c 4 "$file" | grep -q PNG || exit 4
        echo 'Here is my answer:'; echo '```json'; echo '{GOOD}'; echo '```'"#
    );
    let judgement = judge(shell(&script)).unwrap();
    let reading = judgement.card.reading("clarity");
    assert_eq!(*reading, trueup_rubric::Reading::Scored(Points::from_micros(4_000_000)));
    assert!(judgement.judge.unwrap().starts_with("sh -c"));
}

#[test]
fn what_a_judge_says_beside_its_scores_is_held_against_what_was_asked() {
    let request = judge_request().with_contract(Arc::new(["links-work".to_owned()]), Some("abc".into()));
    let ask = |reply: &str| {
        let program = shell(&format!("cat >/dev/null; echo '{reply}'"));
        block_on(CommandJudge::new(program).named("panel-1").judge(request.clone(), &cx()))
    };
    let scores = r#""rubric": {"clarity": {"score": 4}}"#;
    let good =
        ask(&format!(r#"{{{scores}, "criteria": {{"links-work": "pass"}}, "contract": "abc"}}"#)).unwrap();
    assert_eq!(good.criteria["links-work"], Truth::Pass);
    assert_eq!((good.judge.as_deref(), good.contract.as_deref()), (Some("panel-1"), Some("abc")));
    for (extra, part) in [
        (r#""state": "0000""#, "answers for the state 0000"),
        (r#""contract": "xyz""#, "by the contract xyz"),
        (r#""criteria": {"other": "pass"}"#, "\"other\""),
    ] {
        assert_fault(ask(&format!("{{{scores}, {extra}}}")), FaultKind::Rejected, part);
    }
}

#[test]
fn a_fault_that_a_program_names_is_that_fault() {
    let transient =
        judge(shell(r#"echo '{"fault": {"kind": "transient", "message": "busy", "retry_after_ms": 1500}}'"#))
            .unwrap_err();
    assert_eq!(
        (transient.kind(), transient.retry_after()),
        (FaultKind::Transient, Some(Duration::from_millis(1500)))
    );
    let rejected = r#"echo '{"fault": {"kind": "never heard of", "message": "no"}}'"#;
    assert_fault(revise(shell(rejected), Edits::Reply), FaultKind::Rejected, "no");
    assert_fault(judge(shell("echo nearly >&2; exit 75")), FaultKind::Transient, "nearly");
    assert_fault(judge(shell("exit 69")), FaultKind::Unavailable, "cannot work here");
    assert_fault(judge(shell("kill -9 $$")), FaultKind::Transient, "signal 9");
}

#[test]
fn replies_that_cannot_be_used_are_faults() {
    for (script, part) in [
        ("exit 0", "printed nothing"),
        ("printf '\\377\\376\\000'", "UTF-8"),
        ("echo 'I think it is quite good.'", "reply"),
        (r#"echo '{"rubric": {"clarity": {"score": 90}}}'"#, "reply"),
        ("exit 3", "exited with 3"),
    ] {
        assert_fault(judge(shell(script)), FaultKind::Rejected, part);
    }
    assert_fault(
        judge(Program::new("trueup-no-such-program", [""; 0])),
        FaultKind::Unavailable,
        "install it",
    );
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("judge.py"), "print(1)").unwrap();
    let script = Program::new("./judge.py", [""; 0]).in_folder(folder.path());
    assert_fault(judge(script), FaultKind::Unavailable, "make it executable");
    assert_fault(
        revise(shell("echo '{\"result\": \"done\"}'"), Edits::Reply),
        FaultKind::Rejected,
        "cannot be read",
    );
}

#[test]
fn a_child_that_hangs_is_ended_with_everything_that_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let alive = folder.path().join("alive");
    // The grandchild would write for ever.
    let script = format!("(while :; do date >> '{}'; sleep 0.05; done) & sleep 60", alive.display());
    let began = Instant::now();
    let program = shell(&script).with_time_limit(Duration::from_millis(400));
    assert_fault(judge(program), FaultKind::TimedOut, "did not answer in time");
    assert!(began.elapsed() < Duration::from_secs(10));
    let size = || fs::metadata(&alive).map_or(0, |file| file.len());
    std::thread::sleep(Duration::from_millis(200));
    let then = size();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(size(), then, "the grandchild is gone as well");
}

#[test]
fn a_child_that_leaves_others_behind_is_not_waited_for() {
    let began = Instant::now();
    // The pipes stay open in the grandchild.
    let judgement = judge(shell(&format!("sleep 60 & cat > /dev/null; echo '{GOOD}'"))).unwrap();
    assert!(judgement.card.reading("clarity").score().is_some());
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_child_that_floods_is_ended() {
    let began = Instant::now();
    let program = shell("cat /dev/zero").with_max_reply_bytes(1 << 20);
    assert_fault(judge(program), FaultKind::Rejected, "more than 1048576 bytes");
    // And one that floods standard error is heard, but not kept.
    let program = shell(&format!("head -c 200000000 /dev/zero >&2; cat >/dev/null; echo '{GOOD}'"));
    assert!(judge(program).is_ok());
    assert!(began.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_call_that_is_called_off_ends_soon() {
    let cancel = CancelToken::new();
    let cx = Cx::new(Arc::new(SimulatedTime::new()), cancel.clone());
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        cancel.cancel();
    });
    let began = Instant::now();
    let result = block_on(CommandJudge::new(shell("sleep 60")).judge(judge_request(), &cx));
    canceller.join().unwrap();
    assert_fault(result, FaultKind::Cancelled, "told to stop");
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_child_that_never_reads_its_request_can_still_answer() {
    // More than a pipe holds.
    let brief = "calm ".repeat(100_000);
    let request = judge_request().with_brief(Some(brief.into()));
    let program = shell(&format!("echo '{GOOD}'"));
    assert!(block_on(CommandJudge::new(program).judge(request, &cx())).is_ok());
}

#[test]
fn a_reviser_says_what_it_changes() {
    let parts = r#"{"result": "changed", "parts": [{"name": "card.svg", "text": "<svg>new</svg>"}], "note": "brighter"}"#;
    let revision = revise(shell(&format!("cat > /dev/null; echo '{parts}'")), Edits::Reply).unwrap();
    let Revision::Parts { parts, note } = revision else { panic!("{revision:?}") };
    assert_eq!(
        (parts.len(), parts[0].0.as_str(), &*parts[0].1, note.as_str()),
        (1, "card.svg", &b"<svg>new</svg>"[..], "brighter")
    );

    let same = r#"{"result": "changed", "parts": [{"name": "card.svg", "text": "<svg>old</svg>"}]}"#;
    assert!(matches!(revise(shell(&format!("echo '{same}'")), Edits::Reply), Ok(Revision::Nothing { .. })));
    let blocked = r#"{"result": "blocked", "class": "missing-access", "note": "no font licence"}"#;
    assert!(matches!(
        revise(shell(&format!("echo '{blocked}'")), Edits::Reply),
        Ok(Revision::Blocked { .. })
    ));
    for (name, part) in [
        ("../card.svg", "../card.svg"),
        ("/etc/passwd", "/etc/passwd"),
        ("new.svg", "expected one of card.svg"),
    ] {
        let reply = format!(r#"{{"result": "changed", "parts": [{{"name": "{name}", "text": "x"}}]}}"#);
        assert_fault(revise(shell(&format!("echo '{reply}'")), Edits::Reply), FaultKind::NotApplied, part);
    }
}

#[test]
fn a_reviser_may_edit_a_copy_of_the_files() {
    let script = "sed -i.bak s/old/new/ card.svg; echo notes > notes.txt; echo thinking; echo 'made it new'";
    let revision = revise(shell(script), Edits::Files).unwrap();
    let Revision::Parts { parts, note } = revision else { panic!("{revision:?}") };
    assert_eq!((parts.len(), parts[0].0.as_str(), &*parts[0].1), (1, "card.svg", &b"<svg>new</svg>"[..]));
    assert_eq!(note, "made it new");
    assert!(matches!(revise(shell("true"), Edits::Files), Ok(Revision::Nothing { .. })));
}

#[test]
fn nothing_comes_back_through_a_link_or_from_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    fs::write(&secret, "not yours").unwrap();
    let path = secret.display();
    for (script, part) in [
        (format!("ln -sf '{path}' card.svg"), "is a link"),
        (
            format!(
                "rm -r css; mkdir '{0}/css'; cp '{path}' '{0}/css/tokens.css'; ln -s '{0}/css' css",
                folder.path().display()
            ),
            "behind one",
        ),
        ("rm card.svg".to_owned(), "not there any more"),
        ("rm card.svg; mkdir card.svg".to_owned(), "is no file"),
    ] {
        assert_fault(revise(shell(&script), Edits::Files), FaultKind::NotApplied, part);
        let _ = fs::remove_dir_all(folder.path().join("css"));
    }
}

#[test]
fn a_child_sees_only_what_it_is_given_and_its_secrets_are_not_repeated() {
    // Cargo sets this one for tests; no child needs it.
    let program = shell("env >&2; exit 1");
    let fault = judge(program).unwrap_err().to_string();
    assert!(!fault.contains("CARGO_MANIFEST_DIR"), "{fault}");
    let shown = judge(
        shell("echo \"$CARGO_PKG_AUTHORS.\" >&2; echo $CARGO_PKG_NAME >&2; exit 1")
            .with_variables(["CARGO_PKG_NAME"]),
    );
    assert_fault(shown, FaultKind::Rejected, "trueup-subprocess");
}

#[test]
fn the_working_folder_is_gone_afterwards() {
    let revision = revise(shell("pwd"), Edits::Files).unwrap();
    let Revision::Nothing { note } = revision else { panic!("{revision:?}") };
    assert!(note.starts_with('/') && !Path::new(&note).exists(), "{note}");
}

fn plan() -> Arc<Plan> {
    let label = |name: &str| {
        Label::new(LabelName::new(name).unwrap(), "card.svg", "2x2".parse().unwrap(), format!("{name}.png"))
    };
    Arc::new(Plan::new([label("card"), label("menu")]).unwrap())
}

#[test]
fn a_capturer_leaves_pictures_in_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let png = folder.path().join("made.png");
    fs::write(&png, trueup_codec::encode_png(&picture().view()).unwrap()).unwrap();
    let capture = |replies: &str| {
        let script = format!(
            r#"read request; out=$(printf '%s' "$request" | sed 's/.*"out":"\([^"]*\)".*/\1/')
            test -f card.svg || exit 4
            cp '{0}' "$out/a.png"; cp '{0}' "$out/../b.png"; ln -s '{0}' "$out/link.png"
            echo '{{"captures": [{replies}]}}'"#,
            png.display()
        );
        let request = CaptureRequest::new(snapshot(), plan().labels().into());
        block_on(CommandCapturer::new(shell(&script)).capture(request, &cx()))
    };
    let element = r##""elements": [{"selector": "#title", "x": 0, "y": 0, "width": 2, "height": 1}]"##;
    let (card, menu) = (r#"{"label": "card", "file": "a.png""#, r#"{"label": "menu", "file": "a.png""#);
    let captures = capture(&format!("{menu}}}, {card}, {element}}}")).unwrap();
    assert_eq!(captures.iter().map(|c| c.label.as_str()).collect::<Vec<_>>(), ["card", "menu"]);
    assert_eq!(captures[0].elements[0].selector, "#title");
    for (replies, part) in [
        (format!("{card}}}"), "no capture of menu"),
        (format!("{card}}}, {menu}}}, {menu}}}"), "or twice"),
        (format!(r#"{card}}}, {{"label": "menu", "file": "../b.png"}}"#), "out of the folder"),
        (format!(r#"{card}}}, {{"label": "menu", "file": "link.png"}}"#), "is a link"),
        (format!(r#"{card}}}, {{"label": "menu", "file": "c.png"}}"#), "not there"),
    ] {
        assert_fault(capture(&replies), FaultKind::Rejected, part);
    }
}

#[test]
fn a_comparer_answers_for_every_label() {
    let captures: Arc<[Capture]> = ["card", "menu"]
        .map(|name| Capture::new(LabelName::new(name).unwrap(), Pixels::Frame(Arc::new(picture()))))
        .into();
    let compare = |reply: &str| {
        let comparer = CommandComparer::new(shell(&format!("cat >/dev/null; echo '{reply}'")));
        block_on(comparer.compare(CompareRequest::new(plan(), Arc::clone(&captures)), &cx()))
    };
    let region = r#"{"name": "r1", "kind": "color", "x": 1, "y": 0, "width": 1, "height": 1, "score": 2.5}"#;
    let measured = compare(&format!(
        r#"{{"labels": [{{"label": "card", "regions": [{region}]}}, {{"label": "menu", "not_comparable": "no reference"}}]}}"#
    ))
    .unwrap()
    .measurement;
    assert_eq!(measured.score(), Some("2.5".parse().unwrap()));
    assert_eq!(measured.truth(), Truth::Fail);
    let menu = r#"{"label": "menu", "regions": []}"#;
    for (reply, part) in [
        (format!(r#"{{"labels": [{menu}]}}"#), "say of card once"),
        (
            format!(r#"{{"labels": [{menu}, {menu}, {{"label": "card", "regions": []}}]}}"#),
            "say of menu once",
        ),
        (format!(r#"{{"labels": [{menu}, {{"label": "card"}}]}}"#), "regions of card"),
        (format!(r#"{{"labels": [{menu}, {{"label": "other", "regions": []}}]}}"#), "\"other\""),
        (
            format!(
                r#"{{"labels": [{menu}, {{"label": "card", "regions": [{}]}}]}}"#,
                region.replace("2.5", "0")
            ),
            "above 0",
        ),
        (
            format!(
                r#"{{"labels": [{menu}, {{"label": "card", "regions": [{}]}}]}}"#,
                region.replace("2.5", "1e300")
            ),
            "1e+300",
        ),
    ] {
        assert_fault(compare(&reply), FaultKind::Rejected, part);
    }
    let prepare = |reply: &str| {
        let comparer = CommandComparer::new(shell(&format!("cat >/dev/null; echo '{reply}'")));
        block_on(comparer.prepare(PrepareRequest::new(plan()), &cx()))
    };
    let ready = prepare(r#"{"unusable": [{"label": "menu", "problem": "torn"}]}"#).unwrap();
    assert_eq!((ready[0].problem(), ready[1].problem()), (None, Some("torn")));
    assert_fault(
        prepare(r#"{"unusable": [{"label": "x", "problem": "torn"}]}"#),
        FaultKind::Rejected,
        "\"x\"",
    );
}

/// A schema of the documentation.
fn schema(name: &str) -> jsonschema::Validator {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/schemas/trueup.{name}-1.schema.json"));
    let schema = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

#[test]
fn requests_and_replies_are_what_the_schemas_say() {
    let folder = tempfile::tempdir().unwrap();
    let (request_schema, reply_schema) = (schema("request"), schema("reply"));
    let ask = |reply: &str| {
        let value: serde_json::Value = serde_json::from_str(reply).unwrap();
        assert!(reply_schema.is_valid(&value), "{reply}");
        shell(&format!("cat > \"$TRUEUP_HOME/request.json\"; echo '{reply}'")).in_folder(folder.path())
    };
    let asked = |port: &str, method: &str| {
        let text = fs::read_to_string(folder.path().join("request.json")).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let errors: Vec<String> = request_schema.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{text}: {errors:?}");
        assert_eq!((value["port"].as_str(), value["method"].as_str()), (Some(port), Some(method)));
    };
    judge(ask(GOOD)).unwrap();
    asked("judge", "judge");
    revise(ask(r#"{"result": "nothing", "note": "done"}"#), Edits::Reply).unwrap();
    asked("reviser", "revise");
    let capturer = CommandCapturer::new(ask(r#"{"captures": []}"#));
    let request = CaptureRequest::new(snapshot(), plan().labels().into());
    assert!(block_on(capturer.capture(request, &cx())).is_err());
    asked("capturer", "capture");
    let comparer = CommandComparer::new(ask(r#"{"unusable": []}"#));
    block_on(comparer.prepare(PrepareRequest::new(plan()), &cx())).unwrap();
    asked("comparer", "prepare");
    let comparer = CommandComparer::new(ask(r#"{"labels": []}"#));
    let capture = Capture::new(LabelName::new("card").unwrap(), Pixels::Frame(Arc::new(picture())));
    assert!(block_on(comparer.compare(CompareRequest::new(plan(), Arc::new([capture])), &cx())).is_err());
    asked("comparer", "compare");
}
