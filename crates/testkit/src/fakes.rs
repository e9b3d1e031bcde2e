//! Ports that answer with whatever a closure says.

use std::fmt;

use async_trait::async_trait;
use trueup_contract::{Answer, Judgement, Label, LabelReadiness, Question};
use trueup_ports::{
    Capture, CaptureRequest, Capturer, CompareRequest, Comparer, Comparison, Cx, Fault, Human, Judge,
    JudgeRequest, PrepareRequest, Reads, ReviseRequest, Reviser, Revision, Trials,
};

type Reply<I, O> = Box<dyn Fn(I) -> Result<O, Fault> + Send + Sync>;

/// A capturer that answers with what a closure says. It reads snapshots and recovers always.
pub struct FakeCapturer {
    answer: Reply<CaptureRequest, Vec<Capture>>,
    reads: Reads,
}

impl FakeCapturer {
    /// A capturer that answers with `answer`.
    #[must_use]
    pub fn new(
        answer: impl Fn(CaptureRequest) -> Result<Vec<Capture>, Fault> + Send + Sync + 'static,
    ) -> Self {
        Self { answer: Box::new(answer), reads: Reads::Snapshot }
    }

    /// The capturer as one that reads the artifact itself.
    #[must_use]
    pub fn reading_the_artifact(self) -> Self {
        Self { reads: Reads::Artifact, ..self }
    }
}

#[async_trait]
impl Capturer for FakeCapturer {
    fn reads(&self) -> Reads {
        self.reads
    }

    async fn capture(&self, request: CaptureRequest, cx: &Cx) -> Result<Vec<Capture>, Fault> {
        let captures = (self.answer)(request)?;
        captures.iter().for_each(|capture| cx.report_done(&capture.label));
        Ok(captures)
    }

    async fn recover(&self, _restarts: u32, _cx: &Cx) -> Result<(), Fault> {
        Ok(())
    }
}

/// A comparer that answers with what a closure says, and for which every reference can be used unless told otherwise.
pub struct FakeComparer {
    answer: Reply<CompareRequest, Comparison>,
    problem: Option<String>,
}

impl FakeComparer {
    /// A comparer that answers with `answer`.
    #[must_use]
    pub fn new(answer: impl Fn(CompareRequest) -> Result<Comparison, Fault> + Send + Sync + 'static) -> Self {
        Self { answer: Box::new(answer), problem: None }
    }

    /// The comparer as one that can use no reference.
    #[must_use]
    pub fn with_unusable_references(self, problem: &str) -> Self {
        Self { problem: Some(problem.to_owned()), ..self }
    }
}

#[async_trait]
impl Comparer for FakeComparer {
    async fn prepare(&self, request: PrepareRequest, _cx: &Cx) -> Result<Vec<LabelReadiness>, Fault> {
        let ready = |label: &Label| match &self.problem {
            None => LabelReadiness::ready(label.name().clone()),
            Some(problem) => LabelReadiness::unusable(label.name().clone(), problem.clone()),
        };
        Ok(request.plan.labels().iter().map(ready).collect())
    }

    async fn compare(&self, request: CompareRequest, cx: &Cx) -> Result<Comparison, Fault> {
        let comparison = (self.answer)(request)?;
        comparison.measurement.labels().iter().for_each(|measured| cx.report_done(&measured.label));
        Ok(comparison)
    }
}

/// A judge that answers with what a closure says.
pub struct FakeJudge(Reply<JudgeRequest, Judgement>);

impl FakeJudge {
    /// A judge that answers with `answer`.
    #[must_use]
    pub fn new<J: Into<Judgement>>(
        answer: impl Fn(JudgeRequest) -> Result<J, Fault> + Send + Sync + 'static,
    ) -> Self {
        Self(Box::new(move |request| answer(request).map(Into::into)))
    }
}

#[async_trait]
impl Judge for FakeJudge {
    async fn judge(&self, request: JudgeRequest, _cx: &Cx) -> Result<Judgement, Fault> {
        (self.0)(request)
    }
}

/// A reviser that answers with what a closure says, and makes no trial.
pub struct FakeReviser(Reply<ReviseRequest, Revision>);

impl FakeReviser {
    /// A reviser that answers with `answer`.
    #[must_use]
    pub fn new(answer: impl Fn(ReviseRequest) -> Result<Revision, Fault> + Send + Sync + 'static) -> Self {
        Self(Box::new(answer))
    }
}

#[async_trait]
impl Reviser for FakeReviser {
    async fn revise(&self, request: ReviseRequest, _trials: Trials, _cx: &Cx) -> Result<Revision, Fault> {
        (self.0)(request)
    }
}

/// A person who answers with what a closure says; `None` when nobody is there.
pub struct FakeHuman(Reply<Question, Option<Answer>>);

impl FakeHuman {
    /// A person who answers with `answer`.
    #[must_use]
    pub fn new(answer: impl Fn(Question) -> Result<Option<Answer>, Fault> + Send + Sync + 'static) -> Self {
        Self(Box::new(answer))
    }
}

#[async_trait]
impl Human for FakeHuman {
    async fn ask(&self, question: Question, _cx: &Cx) -> Result<Option<Answer>, Fault> {
        (self.0)(question)
    }
}

macro_rules! opaque {
    ($($name:ident)+) => {$(
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )+};
}

opaque!(FakeCapturer FakeComparer FakeHuman FakeJudge FakeReviser);
