//! What is judged and revised.

use std::sync::Arc;
use std::time::Duration;

use trueup_contract::{
    DeltaId, FaultKind, Judgement, LabelMeasurement, LabelName, Measurement, OpenRegion, StateId, Usage,
};
use trueup_frame::{Frame, PixelFormat, Rect, Size};
use trueup_llm::{Model, ModelJudge, ModelReviser};
use trueup_ports::{
    CancelToken, Capture, Cx, Fault, Judge, JudgeRequest, Pixels, ReviseRequest, Reviser, Revision, Snapshot,
    TrialBench, TrialError, TrialErrorKind, Trials,
};
use trueup_rubric::{Axis, Rubric};
use trueup_score::{Better, Points, Scale};
use trueup_testkit::{SimulatedTime, block_on};

/// A key that must appear in nothing.
pub(crate) const KEY: &str = "sk-planted-0123456789-secret";

/// An answer that can be read.
pub(crate) const GOOD: &str = r#"{"rubric": {"clarity": {"score": 4, "anchor": null, "rationale": "plain", "evidence": []}}, "summary": "calm", "suggestions": []}"#;

pub(crate) fn cx() -> Cx {
    Cx::new(Arc::new(SimulatedTime::new()), CancelToken::new())
}

pub(crate) fn rubric() -> Arc<Rubric> {
    let scale =
        Scale::new(Points::from_micros(1_000_000), Points::from_micros(5_000_000), Better::Higher).unwrap();
    Arc::new(Rubric::new([Axis::new("clarity", scale)]).unwrap())
}

pub(crate) fn judge_request() -> JudgeRequest {
    let picture = Frame::new(vec![200; 12], Size::new(2, 2), PixelFormat::Rgb8).unwrap();
    let capture = Capture::new(LabelName::new("card").unwrap(), Pixels::Frame(Arc::new(picture)));
    let state = StateId::of_parts([("card.svg", &b"old"[..])]);
    JudgeRequest::new(state, rubric(), Arc::new([capture])).with_brief(Some("A calm card.".into()))
}

/// What came of a call, and what it used.
pub(crate) fn judge(judge: &ModelJudge, request: JudgeRequest) -> (Result<Judgement, Fault>, Usage) {
    let cx = cx();
    let result = block_on(judge.judge(request, &cx));
    (result, cx.take_usage())
}

/// A judge that does not wait long.
pub(crate) fn quick(model: Model) -> ModelJudge {
    ModelJudge::new(model.with_time_limit(Duration::from_secs(15)))
}

pub(crate) fn snapshot() -> Snapshot {
    let part = |name: &str, text: &str| (name.to_owned(), Arc::from(text.as_bytes()));
    Snapshot::new([part("card.svg", "<svg fill=\"#3457b0\">\n```\n</svg>"), part("css/tokens.css", "a{}\n")])
}

pub(crate) fn revise_request() -> ReviseRequest {
    let label = LabelName::new("card").unwrap();
    let id = DeltaId::of(&label, "3k1q").unwrap();
    let score = Points::from_micros(12_500_000);
    let mut region = OpenRegion::new(id, Rect::new(16, 24, 208, 88), score);
    region.kind = "color".to_owned();
    region.pixels = 15_724;
    ReviseRequest::new(1, snapshot(), Measurement::new(vec![LabelMeasurement::compared(label, vec![region])]))
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

pub(crate) fn revise(reviser: &ModelReviser, request: ReviseRequest) -> (Result<Revision, Fault>, Usage) {
    let cx = cx();
    let result = block_on(reviser.revise(request, Trials::new(Arc::new(NoTrials)), &cx));
    (result, cx.take_usage())
}

#[track_caller]
pub(crate) fn assert_fault<T: std::fmt::Debug>(
    result: Result<T, Fault>,
    kind: FaultKind,
    part: &str,
) -> Fault {
    let fault = result.unwrap_err();
    assert_eq!(fault.kind(), kind, "{fault}");
    assert!(fault.to_string().contains(part), "{fault}");
    assert!(!format!("{fault} {fault:?}").contains("planted-0123456789"), "{fault:?}");
    fault
}
