//! Telling a refusal from prose.

/// How replies begin that decline to answer. It only changes what the fault is called: no text without an answer is ever
/// taken for one.
const BEGINNINGS: &[&str] = &[
    "i'm sorry",
    "i am sorry",
    "sorry,",
    "i cannot",
    "i can't",
    "i can not",
    "i'm unable",
    "i am unable",
    "i won't",
    "i'm not able",
    "i am not able",
    "i must decline",
    "unfortunately, i",
    "as an ai",
];

/// Whether the text begins as refusals do.
pub(crate) fn is_refusal(text: &str) -> bool {
    let beginning: String = text.trim_start().chars().take(32).collect();
    let beginning = beginning.replace('\u{2019}', "'").to_lowercase();
    BEGINNINGS.iter().any(|known| beginning.starts_with(known))
}
