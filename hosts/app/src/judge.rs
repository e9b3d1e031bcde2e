//! Looking at an artifact once: what measures and who judges, without revising anything.

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use trueup_contract::{Label, LabelReading, LoopContract, Measurement};
use trueup_driver::FileArtifact;
use trueup_ports::{
    Artifact, CancelToken, Capture, CaptureRequest, CompareRequest, Cx, Fault, JudgeRequest, PrepareRequest,
};
use trueup_rubric::{Reading, Scorecard};
use trueup_score::Truth;

use crate::config::{Filling, load};
use crate::error::{AppError, AppErrorKind};
use crate::runtime::TokioRuntime;

/// What was seen of an artifact, as a JSON document.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct JudgeDocument {
    /// `trueup.judge/1`.
    pub schema: &'static str,
    /// `pass`, `fail` or `undetermined`: what was measured and what was judged, together.
    pub status: String,
    /// The state that was looked at.
    pub state: String,
    /// Every label, as it was measured.
    pub labels: Vec<MeasuredLabelDocument>,
    /// What was judged; null without a judge.
    pub judged: Option<JudgedDocument>,
    /// Why nothing was judged, or why what was said cannot be used.
    pub note: Option<String>,
}

/// What was measured of one label.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct MeasuredLabelDocument {
    /// The label.
    pub label: String,
    /// `pass`, `fail` or `undetermined`.
    pub status: String,
    /// Regions outside tolerance.
    pub open_regions: usize,
    /// The open score, an exact decimal as text.
    pub score: Option<String>,
    /// Why it could not be compared.
    pub not_comparable: Option<String>,
}

/// What was judged.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct JudgedDocument {
    /// `pass`, `fail` or `undetermined`.
    pub status: String,
    /// Who judged.
    pub judge: Option<String>,
    /// The rubric.
    pub rubric: String,
    /// Every axis of the rubric, in its order.
    pub axes: Vec<JudgedAxisDocument>,
    /// Axes and conditions that fail.
    pub failing: Vec<String>,
    /// What was not scored or not verified.
    pub unseen: Vec<String>,
}

/// What was read for one axis.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct JudgedAxisDocument {
    /// The axis.
    pub axis: String,
    /// The score that counts, an exact decimal as text; null where there is none.
    pub score: Option<String>,
    /// Why there is none.
    pub why: Option<String>,
}

/// What was seen, and what to end with.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct JudgeOutcome {
    /// The document.
    pub document: JudgeDocument,
    /// The exit code: 0 pass, 1 fail, 3 undetermined.
    pub exit_code: u8,
}

/// Captures the artifact of the configuration at `path`, measures it, and has it judged once. Nothing is revised or kept.
///
/// # Errors
/// When the configuration cannot be used, or what renders or measures fails. A judge that fails is no error: the document
/// says so, with what was measured.
pub fn judge(path: &Path, cancel: CancelToken) -> Result<JudgeOutcome, AppError> {
    let config = load(path)?;
    let artifact = FileArtifact::new(&config.folder, config.files.iter().cloned())
        .map_err(|error| AppError::new(AppErrorKind::Artifact(error)))?;
    let contract = config.filled.judges.is_some().then(|| config.contract());
    let (plan, brief) = (Arc::clone(&config.plan), config.brief.clone());
    let ports = config.filled.into_ports(&config.folder, config.settings, config.tokens);
    let cx = Cx::new(Arc::new(TokioRuntime::new()), cancel);
    let looked = TokioRuntime::block_on(look(&artifact, &ports, &plan, contract.as_ref(), brief, &cx))
        .map_err(|error| AppError::new(AppErrorKind::Runtime(error)))?;
    let document = looked.map_err(|(port, fault)| AppError::new(AppErrorKind::Port { port, fault }))?;
    let exit_code = match document.status.as_str() {
        "pass" => 0,
        "fail" => 1,
        _ => 3,
    };
    Ok(JudgeOutcome { document, exit_code })
}

async fn look(
    artifact: &FileArtifact,
    ports: &Filling,
    plan: &Arc<trueup_contract::Plan>,
    contract: Option<&LoopContract>,
    brief: Option<Arc<str>>,
    cx: &Cx,
) -> Result<JudgeDocument, (&'static str, Fault)> {
    let at = |port: &'static str| move |fault: Fault| (port, fault);
    let snapshot = artifact.snapshot(cx).await.map_err(at("artifact"))?;
    let state = snapshot.state().clone();
    let ready =
        ports.comparer.prepare(PrepareRequest::new(Arc::clone(plan)), cx).await.map_err(at("comparer"))?;
    let usable =
        |label: &&Label| ready.iter().any(|ready| ready.label() == label.name() && ready.problem().is_none());
    let labels: Arc<[Label]> = plan.labels().iter().filter(usable).cloned().collect();
    let captures: Arc<[Capture]> = if labels.is_empty() {
        Arc::new([])
    } else {
        let request = CaptureRequest::new(snapshot, labels);
        ports.capturer.capture(request, cx).await.map_err(at("capturer"))?.into()
    };
    let request = CompareRequest::new(Arc::clone(plan), Arc::clone(&captures));
    let measured = ports.comparer.compare(request, cx).await.map_err(at("comparer"))?.measurement;
    let (judged, note) =
        match (&ports.judge, contract.and_then(|contract| contract.rubric().zip(Some(contract)))) {
            (Some(judge), Some((rubric, contract))) => {
                let criteria = contract.criteria().iter().cloned().collect();
                let request = JudgeRequest::new(state.clone(), Arc::new(rubric.clone()), captures)
                    .with_contract(criteria, contract.sprint().map(Arc::from))
                    .with_brief(brief);
                match judge.judge(request, cx).await {
                    Ok(judgement) => {
                        let held = contract.hold(&judgement);
                        let truth = held.judged.truth;
                        let document = JudgedDocument {
                            status: truth.to_string(),
                            judge: judgement.judge.clone(),
                            rubric: rubric.name().to_owned(),
                            axes: axes(rubric, &judgement.card),
                            failing: held.failing,
                            unseen: held.unseen,
                        };
                        (Some((truth, document)), None)
                    }
                    Err(fault) => (None, Some(format!("the judge failed ({}): {fault}", fault.kind()))),
                }
            }
            _ => (
                None,
                Some("there is no [judge] in the configuration: only what was measured is here".to_owned()),
            ),
        };
    // A judge that was asked and cannot be used leaves it open; one that nobody asked for takes nothing away.
    let truth = match (&judged, &ports.judge) {
        (Some((truth, _)), _) => Truth::all([measured.truth(), *truth]),
        (None, Some(_)) => Truth::all([measured.truth(), Truth::Undetermined]),
        (None, None) => measured.truth(),
    };
    Ok(JudgeDocument {
        schema: "trueup.judge/1",
        status: truth.to_string(),
        state: state.to_string(),
        labels: labels_of(&measured),
        judged: judged.map(|(_, document)| document),
        note,
    })
}

fn labels_of(measured: &Measurement) -> Vec<MeasuredLabelDocument> {
    let document = |label: &trueup_contract::LabelMeasurement| {
        let (open, why) = match &label.reading {
            LabelReading::Compared { open, .. } => (open.as_slice(), None),
            LabelReading::NotComparable { why } => (&[][..], Some(why.clone())),
            _ => (&[][..], Some("it was read in an unknown way".to_owned())),
        };
        let one = Measurement::new(vec![label.clone()]);
        MeasuredLabelDocument {
            label: label.label.to_string(),
            status: label.truth().to_string(),
            open_regions: open.len(),
            score: one.score().map(|score| score.to_string()),
            not_comparable: why,
        }
    };
    measured.labels().iter().map(document).collect()
}

fn axes(rubric: &trueup_rubric::Rubric, card: &Scorecard) -> Vec<JudgedAxisDocument> {
    let axis = |axis: &trueup_rubric::Axis| {
        let reading = card.reading(axis.name());
        let why = match reading {
            Reading::Missing => Some("not scored".to_owned()),
            Reading::Invalid { why } | Reading::Unverified { why, .. } => Some(why.clone()),
            _ => None,
        };
        JudgedAxisDocument {
            axis: axis.name().to_owned(),
            score: reading.score().map(|score| score.to_string()),
            why,
        }
    };
    rubric.axes().iter().map(axis).collect()
}
