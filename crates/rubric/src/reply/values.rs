//! What a reply says.

use std::fmt;

use trueup_findings::Evidence;
use trueup_score::{Points, Truth};

use crate::Reading;

/// What was noticed in reading a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Flag {
    /// The answer stood in a fence.
    Fenced,
    /// There was text around the answer.
    Prose,
    /// A comma before a closing bracket was read over.
    TrailingComma,
    /// A comment was read over.
    Comment,
    /// A raw line break or tab in a string was read.
    RawLineBreak,
    /// The same answer stood there more than once.
    Repeated,
    /// The judge declares a result of its own. It decides nothing.
    ClaimIgnored,
    /// The judge reports an overall of its own, and the rubric does not take it.
    OverallIgnored,
    /// The judge's own result contradicts its scores.
    ContradictsScores,
    /// The score lay just outside the scale and counts as its end.
    Clamped,
    /// The score was written as a text.
    TextScore,
    /// The score stood there without an object around it.
    BareScore,
    /// The judge says that the axis does not apply: it is not scored.
    NotApplicable,
    /// The axis was written in another case, or with blanks.
    Renamed,
    /// The score comes without a reason.
    NoRationale,
    /// The axis is not scored; where the rubric has a neutral number, that may be displayed.
    Defaulted,
}

impl Flag {
    /// Its name in documents.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fenced => "fenced",
            Self::Prose => "prose",
            Self::TrailingComma => "repaired:trailing-comma",
            Self::Comment => "repaired:comment",
            Self::RawLineBreak => "repaired:raw-line-break",
            Self::Repeated => "repeated",
            Self::ClaimIgnored => "claim-ignored",
            Self::OverallIgnored => "overall-ignored",
            Self::ContradictsScores => "claim-contradicts-scores",
            Self::Clamped => "clamped",
            Self::TextScore => "text-score",
            Self::BareScore => "bare-score",
            Self::NotApplicable => "not-applicable",
            Self::Renamed => "renamed",
            Self::NoRationale => "no-rationale",
            Self::Defaulted => "defaulted",
        }
    }
}

impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a reply says of one axis.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AxisReply {
    /// The axis, by the rubric's name.
    pub axis: String,
    /// What was read.
    pub reading: Reading,
    /// The score, letter for letter as it stands in the reply; `None` when none is accepted.
    pub written: Option<String>,
    /// The anchor that it names.
    pub anchor: Option<Points>,
    /// Why, in the judge's words; empty when it does not say.
    pub rationale: String,
    /// What it points to.
    pub evidence: Vec<Evidence>,
    /// What was noticed.
    pub flags: Vec<Flag>,
}

/// What a reply says of one condition.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConditionReply {
    /// The condition.
    pub id: String,
    /// Whether it holds, as the judge says.
    pub truth: Truth,
    /// What it points to.
    pub evidence: Vec<Evidence>,
}

/// What a judge wrote, read by a rubric.
///
/// It is neither a card nor a verdict: [`Rubric::settle`](crate::Rubric::settle) holds it against its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub(super) axes: Vec<AxisReply>,
    pub(super) conditions: Vec<ConditionReply>,
    pub(super) overall: Option<Points>,
    pub(super) claim: Option<bool>,
    pub(super) summary: String,
    pub(super) suggestions: Vec<String>,
    pub(super) flags: Vec<Flag>,
}

impl Reply {
    /// One entry per axis of the rubric, in its order; what was not scored is [`Reading::Missing`].
    #[must_use]
    pub fn axes(&self) -> &[AxisReply] {
        &self.axes
    }

    /// What it says of one axis.
    #[must_use]
    pub fn axis(&self, name: &str) -> Option<&AxisReply> {
        self.axes.iter().find(|axis| axis.axis == name)
    }

    /// What it says of conditions, in the rubric's order.
    #[must_use]
    pub fn conditions(&self) -> &[ConditionReply] {
        &self.conditions
    }

    /// What it says of one condition.
    #[must_use]
    pub fn condition(&self, id: &str) -> Option<&ConditionReply> {
        self.conditions.iter().find(|condition| condition.id == id)
    }

    /// The overall that it reports of itself.
    #[must_use]
    pub const fn overall(&self) -> Option<Points> {
        self.overall
    }

    /// Whether the judge itself calls it a pass. It never decides.
    #[must_use]
    pub const fn claim(&self) -> Option<bool> {
        self.claim
    }

    /// Whether the judge's own result contradicts what its scores come to.
    #[must_use]
    pub fn contradicts(&self, truth: Truth) -> bool {
        self.claim.is_some_and(|claim| claim != truth.is_pass())
    }

    /// The summary; empty when there is none.
    #[must_use]
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// Suggestions, in order.
    #[must_use]
    pub fn suggestions(&self) -> &[String] {
        &self.suggestions
    }

    /// What was noticed in reading it, in a fixed order, each once.
    #[must_use]
    pub fn flags(&self) -> &[Flag] {
        &self.flags
    }
}

/// Something that a reply says where nobody asked for it by a rubric: it is printed, and decides nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Observation {
    /// What it is about.
    pub axis: String,
    /// The score, letter for letter; `None` when there is none.
    pub written: Option<String>,
    /// Why, in the judge's words.
    pub rationale: String,
}
