//! A conversation: a question, and asking again while the answer cannot be read.

use genai::chat::{ChatMessage, ChatRequest, ContentPart, MessageContent};
use trueup_contract::FaultKind;
use trueup_ports::{Cx, Fault};

use crate::exchange::{End, Line};
use crate::model::Model;
use crate::schema::Schema;

/// Bytes of an unreadable answer that are shown again to who gave it.
const QUOTED_BYTES: usize = 16 << 10;

/// What is asked.
pub(crate) struct Question {
    /// What holds whatever is asked.
    pub(crate) system: String,
    /// The question, and pictures.
    pub(crate) parts: Vec<ContentPart>,
    pub(crate) schema: Schema,
}

/// Why an answer cannot be used.
pub(crate) enum Unread {
    /// Saying what is wrong with it may help.
    Again(String),
    /// It can be read, and is no answer.
    Final(Fault),
}

/// Asks until the answer can be read, but not more often than the model may be asked. Blocks the thread.
pub(crate) fn ask<T>(
    model: &Model,
    question: Question,
    cx: &Cx,
    read: impl Fn(&str) -> Result<T, Unread>,
) -> Result<(T, String), Fault> {
    let line = Line::open(model)?;
    let mut request = ChatRequest::from_system(question.system)
        .append_message(ChatMessage::user(MessageContent::from_parts(question.parts)));
    let mut left = model.reasks;
    loop {
        let answer = line.ask(&request, &question.schema, cx)?;
        let name = model.name();
        let refuse = |why: String| Err(Fault::new(FaultKind::Rejected, why));
        match answer.end {
            End::Whole => {}
            // Nothing is made up to close it, and asking the same again would cut it off again.
            End::CutOff => {
                return refuse(format!(
                    "the answer of {name} was cut off at its greatest length: raise max_tokens, or ask for less"
                ));
            }
            End::Declined(why) => {
                let why = crate::fault::shown(&why, None);
                return refuse(format!("{name} declines to answer: {why}"));
            }
            End::Other(reason) => {
                return refuse(format!("the answer of {name} ended for the reason {reason:?}"));
            }
        }
        let why = match read(&answer.text) {
            Ok(read) => return Ok((read, answer.text)),
            Err(Unread::Final(fault)) => return Err(fault),
            Err(Unread::Again(why)) => why,
        };
        if left == 0 {
            let asked = match model.reasks {
                0 => String::new(),
                1 => " after asking once more".to_owned(),
                times => format!(" after asking {times} times more"),
            };
            return refuse(format!("the answer of {name} cannot be used{asked}: {why}"));
        }
        left -= 1;
        request = again(request, &answer.text, &why);
    }
}

/// The conversation with an answer that cannot be read, and what is wrong with it.
fn again(request: ChatRequest, answer: &str, why: &str) -> ChatRequest {
    let mut end = answer.len().min(QUOTED_BYTES);
    while !answer.is_char_boundary(end) {
        end -= 1;
    }
    let answer = answer[..end].trim();
    // Some providers refuse a turn without words.
    let said = if answer.is_empty() { "(no words)" } else { answer };
    request.append_message(ChatMessage::assistant(said)).append_message(ChatMessage::user(format!(
        "That answer cannot be used: {why}. Answer the question again, whole, as one JSON object of the form that was asked for, and nothing else."
    )))
}
