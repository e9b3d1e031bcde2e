//! A world in which the artifact is a number, and the design is another one.

#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::sync::Arc;

use async_trait::async_trait;
use trueup_contract::{
    DeltaId, FaultKind, Label, LabelMeasurement, LabelName, LoopContract, Measurement, OpenRegion, Plan,
};
use trueup_driver::{DriveError, Driver, Ports, Report, RunSpec};
use trueup_frame::{Frame, PixelFormat, Rect, Size};
use trueup_ports::{
    CancelToken, Capture, CaptureRequest, Comparison, Cx, Fault, Pixels, ReviseRequest, Reviser, Revision,
    Trials,
};
use trueup_score::Points;
use trueup_testkit::{FakeCapturer, FakeComparer, MemoryArtifact, MemoryJournal, SimulatedTime, block_on};

pub(crate) const DESIGN: i64 = 40;

pub(crate) fn plan() -> Arc<Plan> {
    let label = Label::new(LabelName::new("card").unwrap(), "n", "1x1".parse().unwrap(), "reference");
    Arc::new(Plan::new([label]).unwrap())
}

pub(crate) fn artifact(number: i64) -> MemoryArtifact {
    MemoryArtifact::new("n", &number.to_string())
}

/// The capture of a number is a pixel of that grey; a part that is no number cannot be rendered.
pub(crate) fn render(request: &CaptureRequest) -> Result<Vec<Capture>, Fault> {
    let text =
        request.snapshot.part("n").map(|part| String::from_utf8_lossy(part).into_owned()).unwrap_or_default();
    let number: u8 =
        text.parse().map_err(|_| Fault::new(FaultKind::Rejected, format!("{text:?} is no number")))?;
    let frame = Frame::new(vec![number], Size::new(1, 1), PixelFormat::Gray8).unwrap();
    let capture = |label: &Label| Capture::new(label.name().clone(), Pixels::Frame(Arc::new(frame.clone())));
    Ok(request.labels.iter().map(capture).collect())
}

pub(crate) fn capturer() -> FakeCapturer {
    FakeCapturer::new(|request| render(&request))
}

/// The distance to the design, as one region that stands where the number is.
pub(crate) fn comparer() -> FakeComparer {
    FakeComparer::new(|request| {
        let mut labels = Vec::new();
        for capture in request.captures.iter() {
            let Pixels::Frame(frame) = &capture.pixels else { panic!("only frames are captured here") };
            let off = (i64::from(frame.bytes()[0]) - DESIGN).abs();
            let id = DeltaId::of(&capture.label, &format!("off{off}")).unwrap();
            let region = OpenRegion::new(id, Rect::new(0, 0, 1, 1), Points::from_whole(off));
            labels.push(LabelMeasurement::compared(
                capture.label.clone(),
                (off > 0).then_some(region).into_iter().collect(),
            ));
        }
        Ok(Comparison::new(Measurement::new(labels)))
    })
}

/// Tries both neighbours at a distance that depends on what is open, and takes the better one.
#[derive(Debug)]
pub(crate) struct Searching;

#[async_trait]
impl Reviser for Searching {
    async fn revise(&self, request: ReviseRequest, trials: Trials, _cx: &Cx) -> Result<Revision, Fault> {
        let part = request.base.part("n").unwrap();
        let now: i64 = std::str::from_utf8(part).unwrap().parse().unwrap();
        let step = (request.measured.score().unwrap().micros() / 2_000_000).max(1);
        let mut best = None;
        for number in [now - step, now + step] {
            let parts = [("n".to_owned(), Arc::from(number.to_string().as_bytes()))];
            let Ok(Some(score)) = trials.measure(request.base.with_parts(parts.clone())).await else {
                continue;
            };
            if best.as_ref().is_none_or(|(before, _)| score < *before) {
                best = Some((score, parts));
            }
        }
        Ok(match best {
            Some((_, parts)) => Revision::Parts { parts: parts.into(), note: format!("from {now}") },
            None => Revision::Nothing { note: "no neighbour can be measured".to_owned() },
        })
    }
}

/// A run that is ready to be driven, and everything that it works on.
pub(crate) struct World {
    pub(crate) artifact: MemoryArtifact,
    pub(crate) journal: MemoryJournal,
    pub(crate) contract: LoopContract,
    pub(crate) capturer: FakeCapturer,
    pub(crate) comparer: FakeComparer,
    pub(crate) reviser: Arc<dyn Reviser>,
    pub(crate) clock: SimulatedTime,
    pub(crate) cancel: CancelToken,
}

impl World {
    pub(crate) fn at(number: i64) -> Self {
        Self {
            artifact: artifact(number),
            journal: MemoryJournal::new(),
            contract: LoopContract::trueup(),
            capturer: capturer(),
            comparer: comparer(),
            reviser: Arc::new(Searching),
            clock: SimulatedTime::new(),
            cancel: CancelToken::new(),
        }
    }

    pub(crate) fn driver(self) -> (Driver, CancelToken) {
        let ports = Ports::new(
            Arc::new(self.artifact),
            Arc::new(self.capturer),
            Arc::new(self.comparer),
            self.reviser,
            Arc::new(self.journal),
            Arc::new(self.clock.clone()),
        );
        (Driver::new(RunSpec::new("run-1", "number", plan(), self.contract), ports), self.cancel)
    }

    pub(crate) fn drive(self) -> Result<Report, DriveError> {
        let (driver, cancel) = self.driver();
        block_on(driver.drive(cancel))
    }
}
