//! Ports that misbehave on purpose, on a schedule.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use trueup_contract::{FaultKind, Judgement, LabelReadiness, Measurement};
use trueup_ports::{
    Capture, CaptureRequest, Capturer, CompareRequest, Comparer, Comparison, Cx, Fault, Judge, JudgeRequest,
    PrepareRequest, Reads, ReviseRequest, Reviser, Revision, Trials,
};
use trueup_rubric::{Reading, Scorecard};
use trueup_score::Points;

/// How a port behaves in one call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mood {
    /// As it should.
    Well,
    /// It panics.
    Panics,
    /// It never answers, and does not hear that it should stop.
    Hangs,
    /// It answers as it should, after this time.
    Late(Duration),
    /// It fails.
    Fails(FaultKind),
    /// It answers with nonsense of the right type: scores that are no numbers, labels that nobody asked for, empty files.
    Garbage,
    /// It answers the opposite of what it should, where there is an opposite: what is open is said to be closed.
    Contradicts,
}

/// A port with moods: call after call it follows a schedule, from the beginning again when that ends.
#[derive(Debug)]
pub struct Hostile<P> {
    inner: P,
    schedule: Vec<Mood>,
    calls: AtomicUsize,
}

impl<P> Hostile<P> {
    /// `inner` in these moods, one a call; it behaves well where the schedule is empty.
    #[must_use]
    pub fn new(inner: P, schedule: impl IntoIterator<Item = Mood>) -> Self {
        Self { inner, schedule: schedule.into_iter().collect(), calls: AtomicUsize::new(0) }
    }

    /// Calls that were made so far.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// The mood of this call, but for what only the port itself can act out.
    async fn mood(&self, cx: &Cx) -> Result<Mood, Fault> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst);
        let mood = match self.schedule.as_slice() {
            [] => Mood::Well,
            schedule => schedule[call % schedule.len()].clone(),
        };
        match mood {
            Mood::Panics => panic!("in a bad mood"),
            Mood::Hangs => std::future::pending().await,
            Mood::Fails(kind) => Err(Fault::new(kind, "in a bad mood")),
            Mood::Late(time) => {
                cx.runtime().sleep(time).await;
                Ok(Mood::Well)
            }
            mood => Ok(mood),
        }
    }
}

#[async_trait]
impl<P: Judge> Judge for Hostile<P> {
    async fn judge(&self, request: JudgeRequest, cx: &Cx) -> Result<Judgement, Fault> {
        let mood = self.mood(cx).await?;
        let axes: Vec<_> = request.rubric.axes().to_vec();
        let judgement = self.inner.judge(request, cx).await?;
        let every = |reading: &dyn Fn(&trueup_rubric::Axis) -> Reading| {
            axes.iter().fold(Scorecard::new(), |card, axis| card.with(axis.name(), reading(axis)))
        };
        Ok(match mood {
            Mood::Garbage => judgement.with_card(every(&|_| Reading::Invalid { why: "NaN".to_owned() })),
            Mood::Contradicts => judgement.with_card(every(&|axis| Reading::Scored(axis.best()))),
            _ => judgement,
        })
    }
}

#[async_trait]
impl<P: Capturer> Capturer for Hostile<P> {
    fn reads(&self) -> Reads {
        self.inner.reads()
    }

    async fn capture(&self, request: CaptureRequest, cx: &Cx) -> Result<Vec<Capture>, Fault> {
        let mood = self.mood(cx).await?;
        let mut captures = self.inner.capture(request, cx).await?;
        if matches!(mood, Mood::Garbage | Mood::Contradicts) {
            captures.pop();
        }
        Ok(captures)
    }

    async fn recover(&self, restarts: u32, cx: &Cx) -> Result<(), Fault> {
        self.inner.recover(restarts, cx).await
    }
}

#[async_trait]
impl<P: Comparer> Comparer for Hostile<P> {
    async fn prepare(&self, request: PrepareRequest, cx: &Cx) -> Result<Vec<LabelReadiness>, Fault> {
        self.inner.prepare(request, cx).await
    }

    async fn compare(&self, request: CompareRequest, cx: &Cx) -> Result<Comparison, Fault> {
        let mood = self.mood(cx).await?;
        let comparison = self.inner.compare(request, cx).await?;
        let labels = comparison.measurement.labels();
        Ok(match mood {
            Mood::Garbage => Comparison::new(Measurement::new(Vec::new())),
            Mood::Contradicts => {
                let closed = labels
                    .iter()
                    .map(|one| trueup_contract::LabelMeasurement::compared(one.label.clone(), vec![]));
                Comparison::new(Measurement::new(closed.collect()))
            }
            _ => comparison,
        })
    }
}

#[async_trait]
impl<P: Reviser> Reviser for Hostile<P> {
    async fn revise(&self, request: ReviseRequest, trials: Trials, cx: &Cx) -> Result<Revision, Fault> {
        let mood = self.mood(cx).await?;
        let emptied =
            || request.base.parts().map(|(name, _)| (name.to_owned(), Arc::from(&b""[..]))).collect();
        match mood {
            Mood::Garbage => Ok(Revision::Parts { parts: emptied(), note: "all empty".to_owned() }),
            Mood::Contradicts => Ok(Revision::Dispute { note: "it is perfect".to_owned() }),
            _ => self.inner.revise(request, trials, cx).await,
        }
    }
}

/// A judge whose scores are off by chance: by at most `spread`, from a seed, so that every run has the same luck. It says
/// how far it may be off.
#[derive(Debug)]
pub struct Noisy<J> {
    inner: J,
    spread: Points,
    state: std::sync::Mutex<u64>,
}

impl<J> Noisy<J> {
    /// `inner` with noise of at most `spread` on either side of each score.
    #[must_use]
    pub fn new(inner: J, spread: Points, seed: u64) -> Self {
        Self { inner, spread, state: std::sync::Mutex::new(seed) }
    }

    fn luck(&self) -> Points {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // SplitMix64 (Steele, Lea and Flood, 2014).
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = *state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let spread = u64::try_from(self.spread.micros()).unwrap_or(0);
        let offset = i64::try_from(mixed % (2 * spread + 1)).unwrap_or(0);
        Points::from_micros(offset).saturating_sub(self.spread)
    }
}

#[async_trait]
impl<J: Judge> Judge for Noisy<J> {
    async fn judge(&self, request: JudgeRequest, cx: &Cx) -> Result<Judgement, Fault> {
        let axes: Vec<_> = request.rubric.axes().to_vec();
        let judgement = self.inner.judge(request, cx).await?;
        let card = axes.iter().fold(Scorecard::new(), |card, axis| {
            match judgement.card.reading(axis.name()).score() {
                Some(score) => {
                    let noisy = score.saturating_add(self.luck());
                    let kept = noisy.clamp(axis.scale().min(), axis.scale().max());
                    card.with(axis.name(), Reading::Scored(kept))
                }
                None => card,
            }
        });
        // The standard deviation of an even spread is its half width over the square root of three.
        let error = Points::from_micros(self.spread.micros() * 577_350 / 1_000_000);
        Ok(judgement.with_card(card).with_standard_error(error))
    }
}
