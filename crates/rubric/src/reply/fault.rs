//! Why a reply is no answer.

use std::fmt;

/// A reply is no answer. It is a fault, never a low score: asking again may help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    kind: FaultKind,
}

/// Why a reply is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// There is nothing in it.
    Empty,
    /// It is longer than what is read.
    TooLong {
        /// Bytes that it has.
        bytes: usize,
        /// Bytes that are read.
        at_most: usize,
    },
    /// The judge declines.
    Refused {
        /// How it begins.
        beginning: String,
    },
    /// There is no object with the expected key.
    NoAnswer {
        /// The key.
        key: String,
        /// How the reply begins.
        beginning: String,
    },
    /// The answer breaks off. It is never closed: that would invent what was not said.
    Truncated {
        /// The byte at which the answer begins.
        at: usize,
    },
    /// The answer is not JSON, even with what is tolerated.
    Malformed {
        /// The line, from 1.
        line: usize,
        /// The column, from 1, in characters.
        column: usize,
        /// What was expected there.
        expected: String,
    },
    /// There are two answers, and they differ.
    Ambiguous,
    /// A key is there twice, with different values.
    DuplicateKey {
        /// The key.
        key: String,
    },
    /// It scores or judges what the rubric does not have.
    OutsideContract {
        /// `axis` or `condition`.
        what: &'static str,
        /// Its name.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A score is further outside the scale than a step: the judge scored on another scale.
    ScaleConfusion {
        /// The axis.
        axis: String,
        /// The score as the judge wrote it.
        score: String,
        /// The scale's lower end.
        min: String,
        /// The scale's upper end.
        max: String,
    },
    /// A part of the answer is not of the kind that it must be.
    Shape {
        /// Where: `rubric.hierarchy`.
        path: String,
        /// What was expected there.
        expected: &'static str,
    },
}

impl Fault {
    pub(crate) const fn new(kind: FaultKind) -> Self {
        Self { kind }
    }

    /// Why it is no answer.
    #[must_use]
    pub const fn kind(&self) -> &FaultKind {
        &self.kind
    }

    /// A stable name of the kind.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self.kind {
            FaultKind::Empty => "empty",
            FaultKind::TooLong { .. } => "too-long",
            FaultKind::Refused { .. } => "refused",
            FaultKind::NoAnswer { .. } => "no-answer",
            FaultKind::Truncated { .. } => "truncated",
            FaultKind::Malformed { .. } => "malformed",
            FaultKind::Ambiguous => "ambiguous",
            FaultKind::DuplicateKey { .. } => "duplicate-key",
            FaultKind::OutsideContract { .. } => "outside-contract",
            FaultKind::ScaleConfusion { .. } => "scale-confusion",
            FaultKind::Shape { .. } => "shape",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            FaultKind::Empty => f.write_str("the reply is empty"),
            FaultKind::TooLong { bytes, at_most } => {
                write!(f, "the reply has {bytes} bytes: at most {at_most} are read")
            }
            FaultKind::Refused { beginning } => write!(f, "the judge declines: {beginning:?}"),
            FaultKind::NoAnswer { key, beginning } => {
                write!(
                    f,
                    "there is no JSON object with the key {key:?} in the reply, which begins {beginning:?}"
                )
            }
            FaultKind::Truncated { at } => {
                write!(f, "the answer that begins at byte {at} breaks off: nothing is made up to close it")
            }
            FaultKind::Malformed { line, column, expected } => {
                write!(f, "line {line}, column {column} of the reply: expected {expected}")
            }
            FaultKind::Ambiguous => f.write_str("the reply has two answers that differ: expected one"),
            FaultKind::DuplicateKey { key } => {
                write!(f, "the key {key:?} is there twice, with different values")
            }
            FaultKind::OutsideContract { what, name, known } => write!(
                f,
                "it judges the {what} {name:?}, which the rubric does not have: expected {}",
                if known.is_empty() { "none".to_owned() } else { known.join(", ") }
            ),
            FaultKind::ScaleConfusion { axis, score, min, max } => {
                write!(f, "{score} on axis {axis:?} is a score on another scale: expected {min} to {max}")
            }
            FaultKind::Shape { path, expected } => write!(f, "{path}: expected {expected}"),
        }
    }
}

impl std::error::Error for Fault {}
