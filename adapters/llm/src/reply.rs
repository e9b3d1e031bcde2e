//! What a reviser's answer says.

use serde::Deserialize;
use serde::de::Error as _;

/// New content of one part.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartReply {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// What a reviser did.
#[derive(Debug)]
pub(crate) enum ReviseReply {
    Changed { parts: Vec<PartReply>, note: String },
    Nothing { note: String },
    Slice { parts: Vec<PartReply>, note: String, split: Vec<String>, landed: String },
    Dispute { note: String },
    Blocked { class: String, note: String },
}

/// The answer as it stands, where everything may be there and null.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    result: String,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    parts: Option<Vec<PartReply>>,
    #[serde(default)]
    split: Option<Vec<String>>,
    #[serde(default)]
    landed: Option<String>,
    #[serde(default)]
    class: Option<String>,
}

/// Reads the only JSON object in a text, with a fence and prose around it or without.
///
/// # Errors
/// With what is wrong, for whoever wrote it.
pub(crate) fn read(text: &str) -> Result<ReviseReply, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("it is empty".to_owned());
    }
    // What is JSON from its beginning to its end needs no search.
    let document = match serde_json::from_str::<Document>(without_fence(text)) {
        Ok(document) => document,
        Err(whole) => found(text, &whole)?,
    };
    reply(document).map_err(|error| error.to_string())
}

/// The object of an answer that has prose around it.
fn found(text: &str, whole: &serde_json::Error) -> Result<Document, String> {
    let mut read = None;
    let mut at = 0;
    while let Some(begin) = text[at..].find('{').map(|found| at + found) {
        let mut stream = serde_json::Deserializer::from_str(&text[begin..]).into_iter::<Document>();
        match stream.next() {
            Some(Ok(document)) => {
                if read.replace(document).is_some() {
                    return Err("it has two answers: expected one".to_owned());
                }
                at = begin + stream.byte_offset();
            }
            // A brace of the prose, or an object of the answer's own code.
            _ => at = begin + 1,
        }
    }
    read.ok_or_else(|| {
        if whole.is_eof() {
            format!("it breaks off: {whole}")
        } else {
            format!("it is no JSON object of the form that was asked for: {whole}")
        }
    })
}

fn reply(document: Document) -> Result<ReviseReply, serde_json::Error> {
    let Document { result, note, parts, split, landed, class } = document;
    let missing = |what: &str| serde_json::Error::custom(format!("the result {result:?} needs {what}"));
    let said = note.clone().unwrap_or_default();
    let reason =
        || note.clone().filter(|note| !note.trim().is_empty()).ok_or_else(|| missing("a note that says why"));
    Ok(match result.as_str() {
        "changed" => ReviseReply::Changed { parts: parts.ok_or_else(|| missing("parts"))?, note: said },
        "nothing" => ReviseReply::Nothing { note: said },
        "slice" => ReviseReply::Slice {
            parts: parts.ok_or_else(|| missing("parts"))?,
            note: said,
            split: split.filter(|split| !split.is_empty()).ok_or_else(|| missing("split, the slices"))?,
            landed: landed.ok_or_else(|| missing("landed, the slice that is made"))?,
        },
        "dispute" => ReviseReply::Dispute { note: reason()? },
        "blocked" => ReviseReply::Blocked { class: class.ok_or_else(|| missing("class"))?, note: reason()? },
        other => {
            let why = format!("{other:?} is no result: expected changed, nothing, slice, dispute or blocked");
            return Err(serde_json::Error::custom(why));
        }
    })
}

/// The inside of the one fence that a text is, or the text.
pub(crate) fn without_fence(text: &str) -> &str {
    let text = text.trim();
    let Some(opened) = text.strip_prefix("```") else { return text };
    let Some((info, inside)) = opened.split_once('\n') else { return text };
    match inside.trim_end().strip_suffix("```") {
        Some(inside) if !info.contains('`') => inside,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"result": "changed", "note": "a {note}", "parts": [{"name": "a.svg", "text": "{\"x\": 1}"}], "split": null, "landed": null, "class": null}"#;

    #[test]
    fn an_answer_is_read_with_a_fence_and_prose_or_without() {
        for text in [
            GOOD.to_owned(),
            format!("```json\n{GOOD}\n```"),
            format!("I changed {{one}} thing.\n```json\n{GOOD}\n```\nDone {{really}}."),
            format!("{GOOD} That is all."),
        ] {
            let ReviseReply::Changed { parts, note } = read(&text).unwrap() else { panic!("{text}") };
            assert_eq!((parts.len(), parts[0].text.as_str(), note.as_str()), (1, "{\"x\": 1}", "a {note}"));
        }
    }

    #[test]
    fn what_is_no_answer_says_what_is_wrong() {
        for (text, why) in [
            ("", "it is empty"),
            (&GOOD[..GOOD.len() - 3], "it breaks off"),
            (&format!("{GOOD}\n{GOOD}"), "it has two answers"),
            (r#"{"result": "changed"}"#, "needs parts"),
            (r#"{"result": "changed", "parts": [], "extra": 1}"#, "unknown field `extra`"),
            (r#"{"result": "done"}"#, "\"done\" is no result"),
            (r#"{"result": "dispute", "note": " "}"#, "needs a note"),
            (r#"{"result": "slice", "parts": [], "split": [], "landed": "a"}"#, "needs split"),
            (r#"{"result": "blocked", "note": "a"}"#, "needs class"),
            ("I cannot do that.", "no JSON object"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
