//! What a judge may not see: earlier judgements, and what the reviser says of its own work (R19).

use std::fmt;

/// What leaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeakKind {
    /// An earlier score: `Score:`.
    Score,
    /// An earlier feedback: `Feedback:`.
    Feedback,
    /// An earlier verdict: `Verdict:` or `Result: PASS`.
    Verdict,
    /// The number of an iteration or a round: `Iteration 3`.
    Iteration,
    /// Another evaluator: `previous evaluator`, `prior evaluation`.
    Evaluator,
    /// What the reviser thinks of its own work: `Known issues`, `self-assessment`.
    SelfAssessment,
    /// How the contract was negotiated: `negotiation_history`.
    Negotiation,
}

/// A place that leaks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Leak {
    /// What leaks.
    pub kind: LeakKind,
    /// The byte at which it begins.
    pub at: usize,
    /// The words.
    pub words: String,
}

impl fmt::Display for Leak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            LeakKind::Score => "an earlier score",
            LeakKind::Feedback => "an earlier feedback",
            LeakKind::Verdict => "an earlier verdict",
            LeakKind::Iteration => "the number of an iteration",
            LeakKind::Evaluator => "another evaluation",
            LeakKind::SelfAssessment => "what the reviser says of its own work",
            LeakKind::Negotiation => "how the contract was negotiated",
        };
        write!(f, "{:?} at byte {} shows the judge {what}", self.words, self.at)
    }
}

/// Words that leak as they are written.
const EXACT: &[(&str, LeakKind)] = &[
    ("Score:", LeakKind::Score),
    ("Feedback:", LeakKind::Feedback),
    ("Verdict:", LeakKind::Verdict),
    ("Result: PASS", LeakKind::Verdict),
    ("Result: FAIL", LeakKind::Verdict),
    ("negotiation_history", LeakKind::Negotiation),
];

/// Words that leak in any case.
const ANY_CASE: &[(&str, LeakKind)] = &[
    ("previous evaluat", LeakKind::Evaluator),
    ("prior evaluat", LeakKind::Evaluator),
    ("earlier evaluat", LeakKind::Evaluator),
    ("known issues", LeakKind::SelfAssessment),
    ("self-assessment", LeakKind::SelfAssessment),
    ("self assessment", LeakKind::SelfAssessment),
];

/// Every place of a text that would show a judge what it may not see, in order.
#[must_use]
pub fn leaks(text: &str) -> Vec<Leak> {
    let lower = text.to_ascii_lowercase();
    let mut found = Vec::new();
    for (haystack, words) in [(text, EXACT), (lower.as_str(), ANY_CASE)] {
        for (pattern, kind) in words {
            for (at, _) in haystack.match_indices(pattern) {
                found.push(Leak { kind: *kind, at, words: text[at..at + pattern.len()].to_owned() });
            }
        }
    }
    for word in ["iteration ", "round "] {
        for (at, _) in lower.match_indices(word) {
            let digits = text[at + word.len()..].bytes().take_while(u8::is_ascii_digit).count();
            // A word that only ends so is another word.
            let begins = !text[..at].ends_with(|c: char| c.is_alphanumeric());
            if digits > 0 && begins {
                let words = text[at..at + word.len() + digits].to_owned();
                found.push(Leak { kind: LeakKind::Iteration, at, words });
            }
        }
    }
    found.sort_by_key(|leak| leak.at);
    found
}
