//! What a judge is asked.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;
use trueup_findings::{Evidence, EvidenceKind};
use trueup_rubric::request::{Prompt, reply_schema};

use crate::error::{AppError, AppErrorKind};
use crate::rubric::{find_rubric, read_text};

/// What a request is made from.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PromptRequest {
    /// A named rubric or a file.
    pub rubric: String,
    /// A file with the brief.
    pub brief: Option<PathBuf>,
    /// Parts of the artifact: kind and locator.
    pub artifact: Vec<(EvidenceKind, String)>,
    /// What the answer must say under `"echo"`.
    pub echo: Option<String>,
    /// Whether two evaluations to compare are added.
    pub few_shot: bool,
}

/// A request to a judge, as a JSON document.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct JudgeRequestDocument {
    /// `trueup.judge-request/1`.
    pub schema: &'static str,
    /// The rubric.
    pub rubric: String,
    /// Names the rubric by its content.
    pub rubric_fingerprint: String,
    /// What the judge is told.
    pub prompt: String,
    /// The JSON Schema of its reply.
    pub reply_schema: Value,
}

/// Makes the request to a judge.
///
/// # Errors
/// When the rubric or the brief cannot be used, or the request would show the judge what it may not see.
pub fn judge_request(request: &PromptRequest) -> Result<JudgeRequestDocument, AppError> {
    let rubric = find_rubric(&request.rubric).map_err(AppError::from)?.rubric;
    let mut prompt = Prompt::new(&rubric);
    if let Some(path) = &request.brief {
        prompt = prompt.with_brief(read_text(path)?);
    }
    for (kind, locator) in &request.artifact {
        prompt = prompt.with_artifact(Evidence::new(*kind, locator.clone()));
    }
    if let Some(echo) = &request.echo {
        prompt = prompt.with_echo(echo.clone());
    }
    if request.few_shot {
        prompt = prompt.with_few_shot();
    }
    let text = prompt.text().map_err(|error| AppError::new(AppErrorKind::Prompt(error)))?;
    Ok(JudgeRequestDocument {
        schema: "trueup.judge-request/1",
        rubric: rubric.name().to_owned(),
        rubric_fingerprint: rubric.fingerprint().to_string(),
        prompt: text,
        reply_schema: serde_json::from_str(&reply_schema(&rubric)).unwrap_or_default(),
    })
}
