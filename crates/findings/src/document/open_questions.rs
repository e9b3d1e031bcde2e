//! Decisions that nobody but a person can make, with what is assumed until then.

use super::text::quoted;

/// A decision that is left to a person. The artifact stays usable by the assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenQuestion {
    id: String,
    question: String,
    default_assumption: String,
    revisit_trigger: String,
}

impl OpenQuestion {
    /// A question, what is assumed until it is answered, and what makes it worth asking again.
    #[must_use]
    pub fn new(
        id: impl Into<String>,
        question: impl Into<String>,
        default_assumption: impl Into<String>,
        revisit_trigger: impl Into<String>,
    ) -> Self {
        Self {
            id: id.into(),
            question: question.into(),
            default_assumption: default_assumption.into(),
            revisit_trigger: revisit_trigger.into(),
        }
    }
}

/// The questions as the YAML key `open_questions` of an artifact.
#[must_use]
pub fn open_questions(questions: &[OpenQuestion], raised_by: &str, date: &str) -> String {
    if questions.is_empty() {
        return "open_questions: []\n".to_owned();
    }
    let mut text = "open_questions:\n".to_owned();
    for question in questions {
        text.push_str(&format!(
            "  - id: {}\n    question: {}\n    default_assumption: {}\n    revisit_trigger: {}\n    raised_by: {}\n    date: {date}\n",
            quoted(&question.id),
            quoted(&question.question),
            quoted(&question.default_assumption),
            quoted(&question.revisit_trigger),
            quoted(raised_by),
        ));
    }
    text
}
