//! Every port, in memory: the artifact is a grey level, the design another one.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use trueup::contract::{
    DeltaId, FaultKind, Judgement, Label, LabelMeasurement, LabelName, LabelReadiness, LoopContract, Measurement, OpenRegion, Plan,
};
use trueup::driver::{DriveError, Driver, Ports, Report, RunSpec};
use trueup::frame::{Frame, PixelFormat, Rect, Size};
use trueup::ports::{
    Artifact, CancelToken, Capture, CaptureRequest, Capturer, CompareRequest, Comparer, Comparison, Cx, Fault,
    JournalStore, Judge, JudgeRequest, Lines, Pixels, PrepareRequest, Put, Reads, ReviseRequest, Reviser, Revision,
    Runtime, Snapshot, Trials,
};
use trueup::rubric::{Axis, Reading, Rubric, Scorecard};
use trueup::score::{Better, Points, Scale};

/// The grey level of the design.
pub const DESIGN: u8 = 200;

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn snapshot(level: u8) -> Snapshot {
    Snapshot::new([("level".to_owned(), Arc::from(&[level][..]))])
}

fn level(snapshot: &Snapshot) -> Result<u8, Fault> {
    let part = snapshot.part("level").and_then(|part| part.first().copied());
    part.ok_or_else(|| Fault::new(FaultKind::Rejected, "the snapshot has no level"))
}

/// The artifact: one grey level.
#[derive(Debug)]
pub struct Grey(pub Mutex<u8>);

#[async_trait]
impl Artifact for Grey {
    async fn snapshot(&self, _cx: &Cx) -> Result<Snapshot, Fault> {
        Ok(snapshot(*lock(&self.0)))
    }

    async fn restore(&self, snapshot: Snapshot, _cx: &Cx) -> Result<(), Fault> {
        *lock(&self.0) = level(&snapshot)?;
        Ok(())
    }
}

/// Renders a level as one pixel.
#[derive(Debug)]
pub struct OnePixel;

#[async_trait]
impl Capturer for OnePixel {
    fn reads(&self) -> Reads {
        Reads::Snapshot
    }

    async fn capture(&self, request: CaptureRequest, cx: &Cx) -> Result<Vec<Capture>, Fault> {
        let bytes = vec![level(&request.snapshot)?];
        cx.run_blocking(move || {
            let frame = Frame::new(bytes, Size::new(1, 1), PixelFormat::Gray8);
            let frame = Arc::new(frame.map_err(|error| Fault::new(FaultKind::Rejected, "no frame").with_source(error))?);
            let capture = |label: &Label| Capture::new(label.name().clone(), Pixels::Frame(Arc::clone(&frame)));
            Ok(request.labels.iter().map(capture).collect())
        })
        .await
    }

    async fn recover(&self, _restarts: u32, _cx: &Cx) -> Result<(), Fault> {
        Ok(())
    }
}

/// Measures how far a pixel is from the design.
#[derive(Debug)]
pub struct Distance;

#[async_trait]
impl Comparer for Distance {
    async fn prepare(&self, request: PrepareRequest, _cx: &Cx) -> Result<Vec<LabelReadiness>, Fault> {
        Ok(request.plan.labels().iter().map(|label| LabelReadiness::ready(label.name().clone())).collect())
    }

    async fn compare(&self, request: CompareRequest, _cx: &Cx) -> Result<Comparison, Fault> {
        let mut labels = Vec::new();
        for capture in request.captures.iter() {
            let Pixels::Frame(frame) = &capture.pixels else {
                return Err(Fault::new(FaultKind::Rejected, "only frames are compared here"));
            };
            let off = i64::from(frame.bytes()[0].abs_diff(DESIGN));
            let id = DeltaId::of(&capture.label, "level").map_err(|error| Fault::new(FaultKind::Rejected, error.to_string()))?;
            let region = OpenRegion::new(id, Rect::new(0, 0, 1, 1), Points::from_whole(off));
            labels.push(LabelMeasurement::compared(capture.label.clone(), (off > 0).then_some(region).into_iter().collect()));
        }
        Ok(Comparison::new(Measurement::new(labels)))
    }
}

/// Tries the level half-way up or down, and takes what measures best.
#[derive(Debug)]
pub struct Bisecting;

#[async_trait]
impl Reviser for Bisecting {
    async fn revise(&self, request: ReviseRequest, trials: Trials, _cx: &Cx) -> Result<Revision, Fault> {
        let now = level(&request.base)?;
        let mut best = (request.measured.score(), now);
        for step in [64, 32, 16, 8, 4, 2, 1] {
            for candidate in [best.1.saturating_sub(step), best.1.saturating_add(step)] {
                match trials.measure(snapshot(candidate)).await {
                    Ok(Some(score)) if best.0.is_none_or(|before| score < before) => best = (Some(score), candidate),
                    Ok(_) => {}
                    Err(error) => return Err(Fault::new(FaultKind::Transient, error.to_string())),
                }
            }
        }
        Ok(Revision::Parts { parts: vec![("level".to_owned(), Arc::from(&[best.1][..]))], note: format!("{now} → {}", best.1) })
    }
}

/// Likes what is bright.
#[derive(Debug)]
pub struct Taste;

#[async_trait]
impl Judge for Taste {
    async fn judge(&self, request: JudgeRequest, _cx: &Cx) -> Result<Judgement, Fault> {
        let bright = request.captures.iter().all(|capture| match &capture.pixels {
            Pixels::Frame(frame) => frame.bytes()[0] > 128,
            _ => false,
        });
        let score = Points::from_whole(if bright { 5 } else { 2 });
        Ok(Scorecard::new().with("brightness", Reading::Scored(score)).into())
    }
}

/// A journal in a vector.
#[derive(Debug, Default)]
pub struct InMemory(pub Mutex<Vec<Vec<u8>>>);

#[async_trait]
impl JournalStore for InMemory {
    async fn read(&self, _cx: &Cx) -> Result<Lines, Fault> {
        Ok(Lines::new(lock(&self.0).clone()))
    }

    async fn put(&self, place: u64, line: Vec<u8>, _cx: &Cx) -> Result<Put, Fault> {
        let mut lines = lock(&self.0);
        if lines.len() as u64 != place {
            return Ok(Put::Occupied);
        }
        lines.push(line);
        Ok(Put::Written)
    }
}

/// The thread that calls, and its clock.
#[derive(Debug)]
pub struct ThisThread(pub std::time::Instant);

#[async_trait]
impl Runtime for ThisThread {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    async fn sleep(&self, time: Duration) {
        // Whoever races against this sleep is polled again at once, and again until the time has passed.
        let until = self.0.elapsed() + time;
        std::future::poll_fn(|cx| {
            if self.0.elapsed() >= until {
                return std::task::Poll::Ready(());
            }
            cx.waker().wake_by_ref();
            std::task::Poll::Pending
        })
        .await;
    }

    async fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) {
        job();
    }
}

/// Drives a future to its end, by asking again and again.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let mut future = std::pin::pin!(future);
    loop {
        if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        std::thread::yield_now();
    }
}

/// Drives a grey level to the design.
pub fn drive(artifact: Arc<Grey>, journal: Arc<InMemory>) -> Result<Report, DriveError> {
    let label = LabelName::new("pixel").and_then(|name| {
        let viewport = "1x1".parse().unwrap_or_else(|_| unreachable!("a viewport of one pixel"));
        Ok(Label::new(name, "level", viewport, "design"))
    });
    let plan = Plan::new(label.into_iter()).unwrap_or_else(|_| unreachable!("one label has one name"));
    let scale = Scale::new(Points::ONE, Points::from_whole(5), Better::Higher);
    let axis = scale.map(|scale| Axis::new("brightness", scale).with_floor(Points::from_whole(3)));
    let rubric = Rubric::new(axis.into_iter().flatten()).unwrap_or_else(|_| unreachable!("one axis has one name"));
    let ports = Ports::new(
        artifact,
        Arc::new(OnePixel),
        Arc::new(Distance),
        Arc::new(Bisecting),
        journal,
        Arc::new(ThisThread(std::time::Instant::now())),
    )
    .with_judge(Arc::new(Taste));
    let contract = LoopContract::trueup().with_rubric(rubric);
    let driver = Driver::new(RunSpec::new("mine", "one pixel", Arc::new(plan), contract), ports);
    block_on(driver.drive(CancelToken::new()))
}

#[cfg(test)]
mod tests {
    use trueup::contract::Stop;

    use super::*;

    #[test]
    fn ports_of_ones_own_converge_and_resume() {
        let (artifact, journal) = (Arc::new(Grey(Mutex::new(3))), Arc::new(InMemory::default()));
        let report = drive(Arc::clone(&artifact), Arc::clone(&journal)).unwrap();
        assert_eq!((report.outcome.status(), *lock(&artifact.0)), (Stop::Converged, DESIGN));
        lock(&journal.0).truncate(12);
        let again = drive(artifact, journal).unwrap();
        assert!(again.resumed);
        assert_eq!(again.outcome.without_usage(), report.outcome.without_usage());
    }
}
