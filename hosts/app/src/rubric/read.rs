//! Reading a judge's reply, and holding it against a rubric.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use trueup_findings::Evidence;
use trueup_rubric::{
    AxisReply, Circumstances, Fault, Flag, ReadOptions, Reading, Reply, Rubric, Settled, Verdict, observe,
    read_reply,
};
use trueup_score::{Points, Truth};

use super::error::RubricFileError;
use super::find::find_rubric;
use super::look_up::Folder;
use crate::error::{AppError, AppErrorKind};
use crate::number::Number;

/// A reply, and what it is read by.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReadRequest {
    /// The file with what the judge wrote; `-` is standard input.
    pub reply: PathBuf,
    /// A named rubric or a file; without one the reply is a list of observations.
    pub rubric: Option<String>,
    /// A floor for every axis, as it was given.
    pub floor: Option<String>,
    /// The floor of the environment, as it stands there.
    pub environment_floor: Option<String>,
    /// Where files that evidence names are looked up.
    pub root: Option<PathBuf>,
    /// Outputs of tools that evidence may name, each with its file.
    pub tools: Vec<(String, PathBuf)>,
    /// Pictures that the judge was shown.
    pub images: Vec<PathBuf>,
    /// What `trueup probe` wrote as JSON: conditions that it saw are not talked away by the reply.
    pub probes: Option<PathBuf>,
    /// Whether a decimal in quotes is a score.
    pub text_scores: bool,
    /// What the member `"echo"` of the answer must say.
    pub echo: Option<String>,
}

/// What a reply came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReadOutcome {
    /// The document.
    pub document: ScorecardDocument,
    /// The exit code: 0 pass, 1 fail, 3 undetermined or a fault.
    pub exit_code: u8,
}

/// What a reply came to, as a JSON document.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ScorecardDocument {
    /// `trueup.scorecard/1`.
    pub schema: &'static str,
    /// The rubric's name; null without one.
    pub rubric: Option<String>,
    /// Names the rubric by its content; null without one.
    pub rubric_fingerprint: Option<String>,
    /// `pass`, `fail` or `undetermined`.
    pub status: String,
    /// Why, in one sentence.
    pub reason: String,
    /// The overall as it may be displayed; null where there is none.
    pub overall: Option<Number>,
    /// One entry per axis, in the rubric's order; in the reply's order without a rubric.
    pub axes: Vec<AxisReadingDocument>,
    /// One entry per condition, in the rubric's order.
    pub conditions: Vec<ConditionReadingDocument>,
    /// Axes that fail, in the rubric's order.
    pub failing_axes: Vec<String>,
    /// Must-pass axes and conditions, and hard floors, that were missed.
    pub hard_fails: u32,
    /// What was noticed in reading the reply.
    pub flags: Vec<String>,
    /// What was decided in favour of a default, and why.
    pub notes: Vec<String>,
    /// Why the reply is no answer; null when it is one.
    pub fault: Option<FaultDocument>,
    /// The judge's summary.
    pub summary: String,
    /// The judge's suggestions.
    pub suggestions: Vec<String>,
}

/// What was read for one axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AxisReadingDocument {
    /// The axis.
    pub axis: String,
    /// `scored`, `clamped`, `regressed`, `unverified`, `missing`, `invalid`; `observed` without a rubric.
    pub reading: &'static str,
    /// What it counts for; null when there is no score that counts.
    pub score: Option<Number>,
    /// Why, in the judge's words.
    pub rationale: String,
    /// What it points to.
    pub evidence: Vec<EvidenceDocument>,
    /// What was noticed.
    pub flags: Vec<String>,
    /// Why the score does not count, where there is one that does not.
    pub why: Option<String>,
}

/// What was seen of one condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ConditionReadingDocument {
    /// The condition.
    pub id: String,
    /// `pass`, `fail` or `undetermined`.
    pub status: String,
    /// Why what the judge calls passed is not.
    pub why: Option<String>,
}

/// Something that a judge points to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EvidenceDocument {
    /// `file`, `image`, `tool`, `url` or `note`.
    pub kind: &'static str,
    /// Where it is.
    pub locator: String,
    /// Words that are claimed to stand there.
    pub quote: Option<String>,
}

/// Why a reply is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FaultDocument {
    /// A stable name of the kind.
    pub kind: &'static str,
    /// What is wrong.
    pub detail: String,
}

/// Reads a reply's file by a rubric.
///
/// # Errors
/// When a file cannot be read, or the rubric or the floor cannot be used. A reply that is no answer is no error: the
/// document says so.
pub fn read_reply_file(request: &ReadRequest) -> Result<ReadOutcome, AppError> {
    let text = read_text(&request.reply)?;
    let mut options = ReadOptions::default();
    options.text_scores = request.text_scores;
    options.echo.clone_from(&request.echo);
    let mut notes = Vec::new();
    let Some(asked) = &request.rubric else {
        return Ok(observed(&text, &options));
    };
    let rubric = find_rubric(asked).map_err(AppError::from)?.rubric;
    let rubric = floored(rubric, request, &mut notes)?;
    let reply = match read_reply(&text, &rubric, &options) {
        Ok(reply) => reply,
        Err(fault) => return Ok(no_answer(Some(&rubric), &fault, notes)),
    };
    let mut folder = Folder::new(request.root.as_deref().unwrap_or(Path::new(".")));
    for (name, path) in &request.tools {
        folder = folder.with_tool(name, read_text(path)?);
    }
    for path in &request.images {
        let bytes = fs::read(path).map_err(|source| unreadable(path, source))?;
        folder = folder.with_image(&bytes);
    }
    let seen = match &request.probes {
        Some(path) => crate::probe::read_conditions(path, &read_text(path)?)?,
        None => BTreeMap::new(),
    };
    let settled = rubric.settle(&reply, &Circumstances::new().with_look_up(&folder).with_seen(&seen));
    let verdict = rubric.hold(&settled.card);
    Ok(judged(&rubric, &reply, &settled, &verdict, notes))
}

fn unreadable(path: &Path, source: io::Error) -> AppError {
    AppError::new(AppErrorKind::File { what: "read", path: path.to_owned(), source })
}

/// The text of a file, or of standard input; what is not UTF-8 is replaced, because a judge's bytes are its own.
pub(crate) fn read_text(path: &Path) -> Result<String, AppError> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else if path.is_dir() {
        Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"))
    } else {
        fs::read(path).map(|read| bytes = read)
    };
    read.map_err(|source| unreadable(path, source))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The rubric with its floors from the argument, then the environment, then itself.
fn floored(rubric: Rubric, request: &ReadRequest, notes: &mut Vec<String>) -> Result<Rubric, AppError> {
    let with = |text: &str| -> Result<Rubric, String> {
        let floor: Points = text.trim().parse().map_err(|error| format!("{error}"))?;
        rubric.clone().with_floors(floor).map_err(|error| error.to_string())
    };
    if let Some(text) = &request.floor {
        let floored = with(text).map_err(|why| {
            AppError::from(RubricFileError::new(Path::new("--floor"), None, "", format!("{text:?}: {why}")))
        })?;
        if rubric.floors_only_rise() {
            notes
                .push(format!("floors of {} may only rise: the stricter of each pair counts", rubric.name()));
        }
        return Ok(floored);
    }
    match request.environment_floor.as_deref().filter(|text| !text.trim().is_empty()) {
        None => Ok(rubric),
        Some(text) => match with(text) {
            Ok(floored) => {
                notes.push(format!("floor {} from TRUEUP_FLOOR", text.trim()));
                Ok(floored)
            }
            Err(why) => {
                notes.push(format!("TRUEUP_FLOOR {text:?} is not used: {why}; the rubric's floors count"));
                Ok(rubric)
            }
        },
    }
}

pub(super) fn blank(rubric: Option<&Rubric>, notes: Vec<String>) -> ScorecardDocument {
    ScorecardDocument {
        schema: "trueup.scorecard/1",
        rubric: rubric.map(|rubric| rubric.name().to_owned()),
        rubric_fingerprint: rubric.map(|rubric| rubric.fingerprint().to_string()),
        status: Truth::Undetermined.to_string(),
        reason: String::new(),
        overall: None,
        axes: Vec::new(),
        conditions: Vec::new(),
        failing_axes: Vec::new(),
        hard_fails: 0,
        flags: Vec::new(),
        notes,
        fault: None,
        summary: String::new(),
        suggestions: Vec::new(),
    }
}

fn no_answer(rubric: Option<&Rubric>, fault: &Fault, notes: Vec<String>) -> ReadOutcome {
    let mut document = blank(rubric, notes);
    document.reason = format!("the reply is no answer: {fault}");
    document.fault = Some(FaultDocument { kind: fault.code(), detail: fault.to_string() });
    ReadOutcome { document, exit_code: 3 }
}

fn observed(text: &str, options: &ReadOptions) -> ReadOutcome {
    let seen = match observe(text, options) {
        Ok(seen) => seen,
        Err(fault) => return no_answer(None, &fault, Vec::new()),
    };
    let mut document = blank(None, Vec::new());
    document.reason = "observations: without a rubric there is nothing to hold them against".to_owned();
    document.axes = seen
        .into_iter()
        .map(|seen| AxisReadingDocument {
            score: seen.written.as_deref().and_then(|text| text.parse().ok()).map(Number),
            axis: seen.axis,
            reading: "observed",
            rationale: seen.rationale,
            evidence: Vec::new(),
            flags: Vec::new(),
            why: None,
        })
        .collect();
    ReadOutcome { document, exit_code: 3 }
}

fn judged(
    rubric: &Rubric,
    reply: &Reply,
    settled: &Settled,
    verdict: &Verdict,
    notes: Vec<String>,
) -> ReadOutcome {
    let mut document = blank(Some(rubric), notes);
    let truth = verdict.truth();
    document.status = truth.to_string();
    document.reason = reason(rubric, verdict);
    document.overall = verdict.displayed_overall().map(Number);
    document.axes = reply.axes().iter().map(|said| axis(rubric, said, settled, verdict)).collect();
    document.conditions = rubric
        .conditions()
        .iter()
        .map(|condition| ConditionReadingDocument {
            id: condition.id().to_owned(),
            status: settled.card.condition(condition.id()).to_string(),
            why: settled.demoted.iter().find(|(id, _)| id == condition.id()).map(|(_, why)| why.clone()),
        })
        .collect();
    document.failing_axes = verdict.failing().to_vec();
    document.hard_fails = verdict.hard_fails();
    document.flags = reply.flags().iter().map(ToString::to_string).collect();
    if reply.contradicts(truth) {
        document.flags.push(Flag::ContradictsScores.to_string());
    }
    document.summary = reply.summary().to_owned();
    document.suggestions = reply.suggestions().to_vec();
    let exit_code = match truth {
        Truth::Pass => 0,
        Truth::Fail => 1,
        Truth::Undetermined => 3,
    };
    ReadOutcome { document, exit_code }
}

fn axis(rubric: &Rubric, said: &AxisReply, settled: &Settled, verdict: &Verdict) -> AxisReadingDocument {
    let reading = settled.card.reading(&said.axis);
    let held = verdict.axes().iter().find(|axis| axis.axis == said.axis);
    let mut flags: Vec<String> = said.flags.iter().map(ToString::to_string).collect();
    if held.is_some_and(|held| held.capped) {
        flags.push("capped".to_owned());
    }
    if rubric.neutral().is_some() && *reading == Reading::Missing {
        flags.push(Flag::Defaulted.to_string());
    }
    AxisReadingDocument {
        axis: said.axis.clone(),
        reading: reading.as_str(),
        score: held.and_then(|held| held.score).map(Number),
        rationale: said.rationale.clone(),
        evidence: said.evidence.iter().map(evidence).collect(),
        flags,
        why: why(reading),
    }
}

/// Why a score does not count as it was given.
pub(super) fn why(reading: &Reading) -> Option<String> {
    match reading {
        Reading::Invalid { why } => Some(why.clone()),
        Reading::Unverified { score, why } => Some(format!("{score} is not shown to be deserved: {why}")),
        Reading::Clamped { raw, to } => Some(format!("{raw} lies just outside the scale and counts as {to}")),
        Reading::Regressed { raw, to } => {
            Some(format!("{raw} counts for {to}: a criterion that once passed was lost"))
        }
        _ => None,
    }
}

pub(super) fn evidence(evidence: &Evidence) -> EvidenceDocument {
    EvidenceDocument {
        kind: evidence.kind().as_str(),
        locator: evidence.locator().to_owned(),
        quote: evidence.quote().map(str::to_owned),
    }
}

/// Why, in one sentence.
pub(super) fn reason(rubric: &Rubric, verdict: &Verdict) -> String {
    let list = |names: &[String]| names.join(", ");
    let overall =
        || match (verdict.displayed_overall(), rubric.overall().and_then(|overall| overall.threshold())) {
            (Some(overall), Some(threshold)) => match verdict.overall_truth() {
                Some(Truth::Undetermined) => {
                    format!("the overall {overall} reaches {threshold} only if what was not seen holds")
                }
                _ => format!("the overall {overall} misses {threshold}"),
            },
            (_, Some(threshold)) => format!("there is no overall to hold against {threshold}"),
            _ => String::new(),
        };
    let mut parts = Vec::new();
    match verdict.truth() {
        Truth::Pass => return "every floor is met and every must-pass condition holds".to_owned(),
        Truth::Fail => {
            if !verdict.broken().is_empty() {
                parts.push(format!("must-pass conditions do not hold: {}", list(verdict.broken())));
            }
            if !verdict.failing().is_empty() {
                parts.push(format!("below their floor: {}", list(verdict.failing())));
            }
            if verdict.overall_truth() == Some(Truth::Fail) {
                parts.push(overall());
            }
        }
        Truth::Undetermined => {
            if !verdict.unscored().is_empty() {
                parts.push(format!("no score that counts: {}", list(verdict.unscored())));
            }
            if !verdict.unseen().is_empty() {
                parts.push(format!("not seen: {}", list(verdict.unseen())));
            }
            if verdict.overall_truth() == Some(Truth::Undetermined) && verdict.unscored().is_empty() {
                parts.push(overall());
            }
            if !rubric.can_fail() {
                parts.push("the rubric has nothing to hold scores against".to_owned());
            }
        }
    }
    parts.join("; ")
}
