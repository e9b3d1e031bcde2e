//! What every port must do, as functions that anybody can run on their own implementation.
//!
//! None of them panics, whatever the port does: what is wrong comes back as a [`Violation`].

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use trueup_contract::{LabelReading, Plan};
use trueup_ports::{
    Artifact, CancelToken, CaptureRequest, Capturer, CompareRequest, Comparer, Cx, Fault, JournalStore,
    Judge, JudgeRequest, Pixels, PrepareRequest, Put, ReviseRequest, Reviser, Revision, Runtime, Snapshot,
    Trials,
};

/// A port does not do what its contract says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    rule: &'static str,
    what: String,
}

impl Violation {
    fn new(rule: &'static str, what: impl Into<String>) -> Self {
        Self { rule, what: what.into() }
    }

    pub(crate) fn broken(rule: &'static str, what: String) -> Self {
        Self { rule, what }
    }

    /// The rule that is broken, in a few words.
    #[must_use]
    pub const fn rule(&self) -> &'static str {
        self.rule
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.what)
    }
}

impl std::error::Error for Violation {}

/// A call whose panic is a violation.
async fn call<T>(future: impl Future<Output = T>) -> Result<T, Violation> {
    AssertUnwindSafe(future).catch_unwind().await.map_err(|_| {
        Violation::new("it does not panic", "it panicked, which a driver takes for a fault at best")
    })
}

/// A call that must succeed.
async fn works<T>(what: &str, future: impl Future<Output = Result<T, Fault>>) -> Result<T, Violation> {
    call(future)
        .await?
        .map_err(|fault| Violation::new("it works", format!("{what}: {}: {fault}", fault.kind())))
}

fn require(holds: bool, rule: &'static str, what: impl FnOnce() -> String) -> Result<(), Violation> {
    if holds { Ok(()) } else { Err(Violation::new(rule, what())) }
}

/// An artifact gives back exactly what it was given, part by part, again and again. `samples` are contents that it must be
/// able to hold; it is left in the state that it was found in.
///
/// # Errors
/// With the first rule that it breaks.
pub async fn artifact(artifact: &dyn Artifact, samples: &[Snapshot], cx: &Cx) -> Result<(), Violation> {
    let before = works("taking a snapshot", artifact.snapshot(cx)).await?;
    let again = works("taking a snapshot", artifact.snapshot(cx)).await?;
    require(before == again, "looking changes nothing", || "two snapshots in a row differ".to_owned())?;
    for sample in samples.iter().chain(samples.iter().rev()) {
        works("restoring", artifact.restore(sample.clone(), cx)).await?;
        let found = works("taking a snapshot", artifact.snapshot(cx)).await?;
        require(found == *sample, "what was restored is what is there", || {
            format!("restored {sample:?}, found {found:?}")
        })?;
        works("restoring what is there", artifact.restore(sample.clone(), cx)).await?;
    }
    works("restoring", artifact.restore(before.clone(), cx)).await?;
    let found = works("taking a snapshot", artifact.snapshot(cx)).await?;
    require(found == before, "what was there can be brought back", || format!("found {found:?}"))
}

/// A journal gives each place away once, in order, and gives back what was written. It must be empty.
///
/// # Errors
/// With the first rule that it breaks.
pub async fn journal(journal: &dyn JournalStore, cx: &Cx) -> Result<(), Violation> {
    let found = works("reading", journal.read(cx)).await?;
    require(found.whole.is_empty() && found.torn.is_none(), "it begins empty", || format!("{found:?}"))?;
    let lines: [&[u8]; 3] = [b"{\"one\":1}", b"", "\u{2028} ü \u{0}".as_bytes()];
    for (place, line) in (0u64..).zip(lines) {
        for wrong in [place + 1, place + 7] {
            let put = works("writing", journal.put(wrong, line.to_vec(), cx)).await?;
            require(put == Put::Occupied, "no place is left empty", || {
                format!("place {wrong} after {place} lines")
            })?;
        }
        let put = works("writing", journal.put(place, line.to_vec(), cx)).await?;
        require(put == Put::Written, "a free place takes a line", || format!("place {place}"))?;
        for taken in 0..=place {
            let put = works("writing", journal.put(taken, b"another".to_vec(), cx)).await?;
            require(put == Put::Occupied, "a place is given away once", || format!("place {taken} twice"))?;
        }
        let found = works("reading", journal.read(cx)).await?;
        let expected: Vec<Vec<u8>> =
            lines[..=usize::try_from(place).unwrap_or(0)].iter().map(|line| line.to_vec()).collect();
        require(
            found.whole == expected && found.torn.is_none(),
            "what was read is what was written",
            || format!("{found:?}"),
        )?;
    }
    Ok(())
}

/// A capturer gives one capture for each label, in order, and the same pixels for the same content.
///
/// # Errors
/// With the first rule that it breaks.
pub async fn capturer(capturer: &dyn Capturer, request: &CaptureRequest, cx: &Cx) -> Result<(), Violation> {
    works("reading it again", capturer.recover(0, cx)).await?;
    let mut before: Option<Vec<Vec<u8>>> = None;
    for _ in 0..2 {
        let captures = works("capturing", capturer.capture(request.clone(), cx)).await?;
        let wanted: Vec<&str> = request.labels.iter().map(|label| label.name().as_str()).collect();
        let got: Vec<&str> = captures.iter().map(|capture| capture.label.as_str()).collect();
        require(wanted == got, "one capture a label, in order", || {
            format!("wanted {wanted:?}, got {got:?}")
        })?;
        let mut pixels = Vec::with_capacity(captures.len());
        for capture in &captures {
            pixels.push(match &capture.pixels {
                Pixels::Encoded(bytes) => bytes.to_vec(),
                Pixels::Frame(frame) => frame.bytes().to_vec(),
                other => return Err(Violation::new("pixels of a known kind", format!("{other:?}"))),
            });
        }
        require(pixels.iter().all(|pixels| !pixels.is_empty()), "a capture has pixels", || {
            "one is empty".to_owned()
        })?;
        if let Some(before) = &before {
            require(*before == pixels, "the same content gives the same pixels", || {
                "two captures differ".to_owned()
            })?;
        }
        before = Some(pixels);
    }
    Ok(())
}

/// A comparer answers for every label, in the plan's order, and says the same of the same.
///
/// # Errors
/// With the first rule that it breaks.
pub async fn comparer(comparer: &dyn Comparer, request: &CompareRequest, cx: &Cx) -> Result<(), Violation> {
    let plan: &Arc<Plan> = &request.plan;
    let wanted: Vec<&str> = plan.labels().iter().map(|label| label.name().as_str()).collect();
    let ready = works("preparing", comparer.prepare(PrepareRequest::new(Arc::clone(plan)), cx)).await?;
    for label in &wanted {
        require(
            ready.iter().any(|ready| ready.label().as_str() == *label),
            "it answers for every label",
            || format!("nothing was said of {label}"),
        )?;
    }
    let usable =
        |label: &str| ready.iter().any(|ready| ready.label().as_str() == label && ready.problem().is_none());
    let mut before = None;
    for _ in 0..2 {
        let measurement = works("comparing", comparer.compare(request.clone(), cx)).await?.measurement;
        let got: Vec<&str> = measurement.labels().iter().map(|one| one.label.as_str()).collect();
        require(wanted == got, "one reading a label, in the plan's order", || {
            format!("wanted {wanted:?}, got {got:?}")
        })?;
        for one in measurement.labels() {
            let compared =
                matches!(&one.reading, LabelReading::Compared { channels, .. } if !channels.is_empty());
            require(!compared || usable(one.label.as_str()), "what cannot be used is not compared", || {
                format!("{} was compared", one.label)
            })?;
        }
        for region in measurement.open_regions() {
            require(wanted.contains(&region.id.label()), "a region is on a label of the plan", || {
                region.id.to_string()
            })?;
            require(region.score >= trueup_score::Points::ZERO, "a region adds to the score", || {
                format!("{} adds {}", region.id, region.score)
            })?;
        }
        if let Some(before) = &before {
            require(*before == measurement, "the same captures give the same measurement", || {
                "they differ".to_owned()
            })?;
        }
        before = Some(measurement);
    }
    Ok(())
}

/// A judge scores only what it was asked for, and on the scale. A score that lies off it, or an axis that nobody asked for, is
/// a violation; an axis that it leaves out is not.
///
/// # Errors
/// With the first rule that it breaks.
pub async fn judge(judge: &dyn Judge, request: &JudgeRequest, cx: &Cx) -> Result<(), Violation> {
    let judgement = works("judging", judge.judge(request.clone(), cx)).await?;
    for (axis, reading) in judgement.card.iter() {
        let Some(known) = request.rubric.axes().iter().find(|one| one.name() == axis) else {
            return Err(Violation::new(
                "only what was asked for is scored",
                format!("{axis:?} is no axis of the rubric"),
            ));
        };
        if let Some(score) = reading.score() {
            let scale = known.scale();
            require((scale.min()..=scale.max()).contains(&score), "a score lies on its scale", || {
                format!("{axis} is {score}, and the scale goes from {} to {}", scale.min(), scale.max())
            })?;
        }
    }
    if let Some(outside) = judgement.criteria.keys().find(|id| !request.criteria.contains(id)) {
        return Err(Violation::new(
            "only what was asked for is scored",
            format!("{outside:?} is no criterion"),
        ));
    }
    require(
        judgement.contract.as_deref() == request.contract.as_deref(),
        "a judgement names its contract",
        || format!("asked under {:?}, judged under {:?}", request.contract, judgement.contract),
    )
}

/// A reviser proposes content, says that there is nothing, or says why it cannot go on; it proposes nothing that was tried
/// before, and revises no part into the same name twice.
///
/// # Errors
/// With the first rule that it breaks.
pub async fn reviser(
    reviser: &dyn Reviser,
    request: &ReviseRequest,
    trials: Trials,
    cx: &Cx,
) -> Result<(), Violation> {
    works("a sign of life", reviser.probe(cx)).await?;
    let revision = works("revising", reviser.revise(request.clone(), trials, cx)).await?;
    let (Revision::Parts { parts, .. } | Revision::Slice { parts, .. }) = revision else { return Ok(()) };
    let mut names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    require(names.len() == parts.len(), "a part is revised once", || "a name is there twice".to_owned())?;
    let revised = request.base.with_parts(parts);
    require(!request.tried.contains(revised.state()), "nothing is proposed twice", || {
        format!("{} was tried before", revised.state().short())
    })
}

/// A runtime's clock does not go back, a sleep takes its time, and blocking work is done when it returns.
///
/// # Errors
/// With the first rule that it breaks.
pub async fn runtime(runtime: &dyn Runtime) -> Result<(), Violation> {
    let before = runtime.now();
    call(runtime.sleep(Duration::from_millis(5))).await?;
    let after = runtime.now();
    require(after >= before + Duration::from_millis(5), "a sleep takes its time", || {
        format!("from {before:?} to {after:?}")
    })?;
    let done = Arc::new(AtomicBool::new(false));
    let job = Arc::clone(&done);
    call(runtime.run_blocking(Box::new(move || job.store(true, Ordering::SeqCst)))).await?;
    require(done.load(Ordering::SeqCst), "blocking work is done when it returns", || {
        "it was not done".to_owned()
    })
}

/// A context for trying ports out: on `runtime`, not called off, without a deadline.
#[must_use]
pub fn context(runtime: Arc<dyn Runtime>) -> Cx {
    Cx::new(runtime, CancelToken::new())
}
