//! One pass of all roles.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use trueup_findings::{Counts, Finding, Findings, emit, read};
use trueup_rubric::request::{ArtifactKind, Role, RolePrompt};
use trueup_score::Truth;

use super::program::ask;
use super::protocol::{Protocol, check};
use crate::error::{AppError, AppErrorKind};
use crate::findings::FindingsFileError;
use crate::rubric::read_text;

/// An artifact, and who looks at it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReviewRequest {
    /// The artifact.
    pub file: PathBuf,
    /// The roles, each once.
    pub roles: Vec<Role>,
    /// What kind of artifact it is.
    pub kind: ArtifactKind,
    /// Replies that are there already, by role.
    pub replies: BTreeMap<Role, PathBuf>,
    /// Programs that play a role: they get the prompt and write the reply.
    pub programs: BTreeMap<Role, String>,
    /// What the consumer needs; the protocol checker needs no program then.
    pub protocol: Option<PathBuf>,
    /// The original specification, for the evaluator.
    pub specification: Option<PathBuf>,
    /// Who consumes the artifact, for the generator.
    pub consumer: Option<String>,
    /// How long a program may take, in seconds.
    pub timeout_seconds: u64,
}

/// What the roles found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReviewOutcome {
    /// The document.
    pub document: ReviewDocument,
    /// The findings, the worst first.
    pub list: Vec<Finding>,
    /// The exit code: 0 nothing blocks, 1 something does, 3 a role did not answer.
    pub exit_code: u8,
}

/// What the roles found, as a JSON document.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReviewDocument {
    /// `trueup.review/1`.
    pub schema: &'static str,
    /// The artifact.
    pub artifact: String,
    /// What kind of artifact it is.
    pub kind: &'static str,
    /// Rounds of evaluation that this kind gets at most; this was one.
    pub max_rounds: u32,
    /// `pass` when nothing blocks, `fail` when something does, `undetermined` when a role did not answer and nothing blocks.
    pub status: String,
    /// Each role, and whether it answered.
    pub roles: Vec<RoleDocument>,
    /// Findings that block.
    pub blocking: usize,
    /// Findings that matter.
    pub important: usize,
    /// Findings that may wait.
    pub minor: usize,
    /// As in `trueup.findings/1`, the worst first.
    pub findings: Value,
}

/// One role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RoleDocument {
    /// The role.
    pub role: &'static str,
    /// `answered`, `unanswered` or `fault`.
    pub status: &'static str,
    /// Why there is no answer.
    pub why: Option<String>,
    /// Findings that it reports.
    pub findings: usize,
}

/// What a role came to.
enum Answer {
    Found(Vec<Finding>),
    Unanswered(String),
    Fault(String),
}

/// What a role is told about the artifact.
///
/// # Errors
/// When a file cannot be read.
pub fn role_prompt(request: &ReviewRequest, role: Role) -> Result<String, AppError> {
    let name = request.file.display().to_string();
    let mut prompt = RolePrompt::new(role, name, read_text(&request.file)?);
    match role {
        Role::Generator => {
            if let Some(consumer) = &request.consumer {
                prompt = prompt.with_context("Who consumes it", consumer.clone());
            }
        }
        Role::Evaluator => {
            if let Some(path) = &request.specification {
                prompt = prompt.with_context("The original specification", read_text(path)?);
            }
        }
        _ => {
            if let Some(path) = &request.protocol {
                prompt = prompt.with_context("What the consumer needs", read_text(path)?);
            }
        }
    }
    Ok(prompt.to_string())
}

/// Lets all roles look at an artifact, side by side, each without what the others say, and makes one list of what they find.
///
/// Nothing is changed and nothing is looped: findings are for a person to look at first.
///
/// # Errors
/// When a file cannot be read, or the protocol cannot be used. A role without an answer is no error: the document says so.
pub fn review_file(request: &ReviewRequest) -> Result<ReviewOutcome, AppError> {
    let prompts: Vec<(Role, String)> = request
        .roles
        .iter()
        .map(|role| Ok((*role, role_prompt(request, *role)?)))
        .collect::<Result<_, AppError>>()?;
    let mut answers: Vec<(Role, Result<Answer, AppError>)> = Vec::new();
    thread::scope(|scope| {
        let running: Vec<_> = prompts
            .iter()
            .map(|(role, prompt)| (*role, scope.spawn(move || answer(request, *role, prompt))))
            .collect();
        for (role, handle) in running {
            let answer = handle.join().unwrap_or_else(|_| Ok(Answer::Fault("the role broke off".to_owned())));
            answers.push((role, answer));
        }
    });
    let mut merged = Findings::default();
    let mut roles = Vec::new();
    for (role, answer) in answers {
        let (status, why, findings) = match answer? {
            Answer::Found(list) => {
                let count = list.len();
                let named = list.into_iter().map(|finding| finding.found_also_by(role.as_str()));
                merged = merged.merge(Findings::of(named));
                ("answered", None, count)
            }
            Answer::Unanswered(why) => ("unanswered", Some(why), 0),
            Answer::Fault(why) => ("fault", Some(why), 0),
        };
        roles.push(RoleDocument { role: role.as_str(), status, why, findings });
    }
    let list = merged.list();
    let counts = Counts::of(&list);
    let answered = Truth::all(roles.iter().map(|role| match role.status {
        "answered" => Truth::Pass,
        _ => Truth::Undetermined,
    }));
    let truth = Truth::from(counts.blocking == 0).and(answered);
    let findings: Value = serde_json::from_str(&emit::json(&list)).unwrap_or_default();
    let document = ReviewDocument {
        schema: "trueup.review/1",
        artifact: request.file.display().to_string(),
        kind: request.kind.as_str(),
        max_rounds: request.kind.max_rounds(),
        status: truth.to_string(),
        roles,
        blocking: counts.blocking,
        important: counts.important,
        minor: counts.minor,
        findings: findings.get("findings").cloned().unwrap_or_default(),
    };
    let exit_code = match truth {
        Truth::Pass => 0,
        Truth::Fail => 1,
        Truth::Undetermined => 3,
    };
    Ok(ReviewOutcome { document, list, exit_code })
}

fn answer(request: &ReviewRequest, role: Role, prompt: &str) -> Result<Answer, AppError> {
    if let Some(path) = request.replies.get(&role) {
        return Ok(findings(&read_text(path)?));
    }
    if let Some(command) = request.programs.get(&role) {
        let timeout = Duration::from_secs(request.timeout_seconds.max(1));
        return Ok(match ask(command, prompt, timeout) {
            Ok(text) => findings(&text),
            Err(why) => Answer::Fault(why),
        });
    }
    match (&request.protocol, role) {
        (Some(path), Role::ProtocolChecker) => {
            let protocol: Protocol = toml::from_str(&read_text(path)?).map_err(|error| {
                let message = error.to_string();
                let message = message.lines().next_back().unwrap_or_default().to_owned();
                AppError::from(FindingsFileError::new(path, format!("it is no protocol: {message}")))
            })?;
            Ok(Answer::Found(check(&structured(&request.file)?, &protocol)))
        }
        _ => Ok(Answer::Unanswered(
            "nobody plays it: give --reply ROLE=FILE or --command ROLE=PROGRAM, or --protocol FILE for the protocol checker"
                .to_owned(),
        )),
    }
}

/// The findings in a reply, with one fence read over.
fn findings(text: &str) -> Answer {
    let trimmed = text.trim();
    let inner = trimmed.strip_prefix("```").and_then(|rest| {
        let rest = rest.split_once('\n')?.1;
        Some(rest.trim_end().strip_suffix("```").unwrap_or(rest))
    });
    match read(inner.unwrap_or(trimmed)) {
        Ok(list) => Answer::Found(list),
        Err(error) => Answer::Fault(format!("the reply is no list of findings: {error}")),
    }
}

/// The artifact as data: TOML where its name ends so, else JSON.
fn structured(path: &Path) -> Result<Value, AppError> {
    let text = read_text(path)?;
    let fail = |format: &str, error: String| {
        let error = error.lines().next_back().unwrap_or_default().to_owned();
        let why = format!("the protocol checker needs {format}, and it is none: {error}");
        AppError::new(AppErrorKind::Findings(FindingsFileError::new(path, why)))
    };
    if path.extension().is_some_and(|extension| extension == "toml") {
        return toml::from_str(&text).map_err(|error| fail("TOML", error.to_string()));
    }
    serde_json::from_str(&text).map_err(|error| fail("TOML or JSON", error.to_string()))
}
