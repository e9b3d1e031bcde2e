//! What an error means for the loop.

use std::error::Error as _;
use std::time::Duration;

use genai::webc;
use serde_json::Value;
use trueup_contract::FaultKind;
use trueup_ports::Fault;

use crate::model::Model;
use crate::secret::{Secret, redact};

/// Characters of what a provider says that are shown.
const SHOWN: usize = 300;

/// The fault that an error is. Nothing of the error itself is kept with it: it may hold the whole question.
pub(crate) fn of_error(error: &genai::Error, model: &Model, secret: Option<&Secret>) -> Fault {
    let whom = model.whom();
    if let Some(status) = error.status() {
        let said = said(body(error).unwrap_or_default(), secret);
        return of_status(status.as_u16(), model, &said, wait(error));
    }
    let shown = |text: &str| shown(text, secret);
    match error {
        genai::Error::WebModelCall { webc_error, .. } | genai::Error::WebAdapterCall { webc_error, .. } => {
            match webc_error {
                webc::Error::Reqwest(error) => of_connection(error, &whom, secret),
                webc::Error::ResponseFailedNotJson { content_type, .. } => {
                    let content_type = if content_type.is_empty() { "no type" } else { content_type };
                    let why = format!(
                        "{whom} answers with {} and not with JSON: correct the endpoint to the base of a model server",
                        shown(content_type)
                    );
                    Fault::new(FaultKind::Unavailable, why)
                }
                webc::Error::ResponseFailedInvalidJson { cause, .. } => {
                    // What came through whole would be JSON.
                    Fault::new(
                        FaultKind::Transient,
                        format!("the answer of {whom} broke off: {}", shown(cause)),
                    )
                }
                other => Fault::new(FaultKind::Rejected, format!("{whom}: {}", shown(&other.to_string()))),
            }
        }
        // Its own text repeats the whole question.
        genai::Error::ChatResponseGeneration { cause, .. } => Fault::new(
            FaultKind::Rejected,
            format!("the answer of {whom} has another form than expected: {}", shown(cause)),
        ),
        other => Fault::new(FaultKind::Rejected, format!("{whom}: {}", shown(&other.to_string()))),
    }
}

/// Whether a server refuses a question because it does not know of schemas.
pub(crate) fn names_the_schema(error: &genai::Error) -> bool {
    const WORDS: [&str; 6] =
        ["response_format", "json_schema", "output_config", "output_format", "responseschema", "schema"];
    let is_refused = error.status().is_some_and(|status| matches!(status.as_u16(), 400 | 422));
    let body = body(error).unwrap_or_default().to_ascii_lowercase();
    is_refused && WORDS.iter().any(|word| body.contains(word))
}

fn of_status(status: u16, model: &Model, said: &str, wait: Option<Duration>) -> Fault {
    let whom = model.whom();
    let unavailable = |why: String| Fault::new(FaultKind::Unavailable, why);
    let key = model.key_variable();
    let fault = match status {
        401 | 403 => unavailable(match key {
            Some(variable) => {
                format!(
                    "{whom} refuses the key ({status}): set {variable} to a key that may use {}{said}",
                    model.bare_name()
                )
            }
            None => format!(
                "{whom} asks for a key ({status}): name its variable, as in key_variable = \"MY_API_KEY\"{said}"
            ),
        }),
        402 => unavailable(format!("the account at {whom} has nothing left to spend ({status}){said}")),
        404 => unavailable(format!(
            "{whom} does not know {} ({status}): correct the model's name or the endpoint{said}",
            model.bare_name()
        )),
        300..=399 => unavailable(format!(
            "{whom} points to another address ({status}), which is not followed: correct the endpoint{said}"
        )),
        429 if said.contains("insufficient_quota") || said.contains("exceeded your current quota") => {
            unavailable(format!("the account at {whom} has nothing left to spend ({status}){said}"))
        }
        408 | 409 | 425 | 429 | 500..=599 => {
            let why = if status == 429 { "asks to be asked later" } else { "cannot answer now" };
            Fault::new(FaultKind::Transient, format!("{whom} {why} ({status}){said}"))
        }
        413 => {
            Fault::new(FaultKind::Rejected, format!("the question is too large for {whom} ({status}){said}"))
        }
        _ => Fault::new(FaultKind::Rejected, format!("{whom} refuses the question ({status}){said}")),
    };
    match wait {
        Some(wait) if fault.kind() == FaultKind::Transient => fault.with_retry_after(wait),
        _ => fault,
    }
}

fn of_connection(error: &reqwest::Error, whom: &str, secret: Option<&Secret>) -> Fault {
    // What is underneath says what happened; the outermost only repeats the address.
    let mut causes = Vec::new();
    let mut cause = error.source();
    while let Some(error) = cause {
        causes.push(error.to_string());
        cause = error.source();
    }
    let why = shown(&causes.join(": "), secret);
    let why = if why.is_empty() { String::new() } else { format!(": {why}") };
    if error.is_timeout() {
        Fault::new(FaultKind::TimedOut, format!("{whom} did not answer in time{why}"))
    } else if error.is_connect() {
        Fault::new(FaultKind::Transient, format!("{whom} cannot be reached{why}"))
    } else if error.is_builder() {
        Fault::new(FaultKind::Rejected, format!("no question can be made for {whom}{why}"))
    } else {
        Fault::new(FaultKind::Transient, format!("the connection to {whom} broke{why}"))
    }
}

/// What came with a refusal.
fn body(error: &genai::Error) -> Option<&str> {
    match error {
        genai::Error::HttpError { body, .. }
        | genai::Error::WebModelCall { webc_error: webc::Error::ResponseFailedStatus { body, .. }, .. }
        | genai::Error::WebAdapterCall {
            webc_error: webc::Error::ResponseFailedStatus { body, .. }, ..
        } => Some(body),
        _ => None,
    }
}

/// After which time the provider wants to be asked again. A date is not read: it would need a clock that agrees.
fn wait(error: &genai::Error) -> Option<Duration> {
    let headers = error.headers()?;
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let millis = number("retry-after-ms").map(|millis| millis / 1e3);
    let seconds = millis.or_else(|| number("retry-after"))?;
    // Nothing else than a time of some length is one.
    Duration::try_from_secs_f64(seconds).ok()
}

/// What a provider says, as the end of a sentence.
fn said(body: &str, secret: Option<&Secret>) -> String {
    let read: Option<Value> = serde_json::from_str(body).ok();
    let error = read.as_ref().map(|body| body.pointer("/0/error").or(body.get("error")).unwrap_or(body));
    let text = error.and_then(|error| {
        let message = error.get("message").and_then(Value::as_str).or(error.as_str())?;
        let kind = error.get("code").and_then(Value::as_str).or(error.get("type").and_then(Value::as_str));
        Some(kind.map_or_else(|| message.to_owned(), |kind| format!("{message} [{kind}]")))
    });
    let text = shown(text.as_deref().unwrap_or(body), secret);
    if text.is_empty() { text } else { format!("; it says: {text}") }
}

/// A text from elsewhere on one line, without a key and not too long.
pub(crate) fn shown(text: &str, secret: Option<&Secret>) -> String {
    let text = redact(text, secret);
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    let mut line = words.join(" ");
    if let Some((at, _)) = line.char_indices().nth(SHOWN) {
        line.truncate(at);
        line.push('…');
    }
    line
}
