//! What must hold beside the scores.

use trueup_score::Points;

/// Something that must hold, or else.
///
/// It is phrased as what should be so ("every link leads somewhere"). A judge or a probe says of each whether it passes,
/// fails, or was not seen. What was not seen lowers nothing, and what only passes if it holds is undetermined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    id: String,
    text: String,
    effect: Effect,
}

/// What it means that a condition does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// Everything fails, whatever the scores; and what was not seen is not passed.
    MustPass,
    /// The axis counts for `at` at best.
    Caps {
        /// The axis.
        axis: String,
        /// The best that it may count for.
        at: Points,
    },
    /// The axis fails, whatever its score.
    Fails {
        /// The axis.
        axis: String,
    },
}

impl Condition {
    /// A condition whose failure fails everything.
    #[must_use]
    pub fn must_pass(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self { id: id.into(), text: text.into(), effect: Effect::MustPass }
    }

    /// A condition whose failure caps an axis.
    #[must_use]
    pub fn caps(id: impl Into<String>, text: impl Into<String>, axis: impl Into<String>, at: Points) -> Self {
        Self { id: id.into(), text: text.into(), effect: Effect::Caps { axis: axis.into(), at } }
    }

    /// A condition whose failure fails an axis.
    #[must_use]
    pub fn fails(id: impl Into<String>, text: impl Into<String>, axis: impl Into<String>) -> Self {
        Self { id: id.into(), text: text.into(), effect: Effect::Fails { axis: axis.into() } }
    }

    /// Its name in replies.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What should be so.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it means that it does not hold.
    #[must_use]
    pub const fn effect(&self) -> &Effect {
        &self.effect
    }

    /// The axis that it bears on, where it is one.
    #[must_use]
    pub fn axis(&self) -> Option<&str> {
        match &self.effect {
            Effect::MustPass => None,
            Effect::Caps { axis, .. } | Effect::Fails { axis } => Some(axis),
        }
    }
}

/// What a score needs before it can pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Requirements {
    /// The reply names the anchor that the score rests on, and says why; without it a score is no score.
    pub citation: bool,
    /// The reply names evidence, and nothing that it names is refuted; without it a score can fail, but not pass.
    pub evidence: bool,
    /// Evidence counts only where it was looked up and found.
    pub verified: bool,
}

impl Requirements {
    /// Nothing is asked for beside the score.
    pub const NONE: Self = Self { citation: false, evidence: false, verified: false };
    /// A cited anchor, and evidence that was looked up.
    pub const FULL: Self = Self { citation: true, evidence: true, verified: true };
}
