//! The recovery ladder: another approach for each round that fails (R14).

use std::fmt;
use std::str::FromStr;

/// How a revision goes about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Approach {
    /// Mend what is wrong.
    #[default]
    SameFix,
    /// Read the brief, the design and the contract again first: the work may have drifted from them.
    Reground,
    /// Somebody new on the same artifact, who knows what persists and is told to take another path.
    FreshGenerator,
    /// Split the work and land one slice of it.
    Decompose,
}

impl Approach {
    /// Every approach, in the order of the ladder.
    pub const ALL: &'static [Self] = &[Self::SameFix, Self::Reground, Self::FreshGenerator, Self::Decompose];

    /// Its name in `signals/status.json`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SameFix => "same_fix",
            Self::Reground => "reground",
            Self::FreshGenerator => "fresh_generator",
            Self::Decompose => "decompose",
        }
    }
}

impl fmt::Display for Approach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A text is no approach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseApproachError {
    text: String,
}

impl fmt::Display for ParseApproachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no approach: expected same_fix, reground, fresh_generator or decompose", self.text)
    }
}

impl std::error::Error for ParseApproachError {}

impl FromStr for Approach {
    type Err = ParseApproachError;

    fn from_str(text: &str) -> Result<Self, ParseApproachError> {
        let found = Self::ALL.iter().find(|approach| approach.as_str() == text);
        found.copied().ok_or_else(|| ParseApproachError { text: text.to_owned() })
    }
}

/// Which approach answers the fail of which round.
///
/// A rung is the response to round N's fail, where round N is iteration N. The baseline is no round; what follows it is the
/// first attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ladder {
    /// The first round that each approach answers, rising.
    steps: Vec<(u32, Approach)>,
}

impl Ladder {
    /// AEP's: rounds 1 and 2 the same fix, 3 re-ground, 4 a fresh generator, 5 decompose.
    #[must_use]
    pub fn aep() -> Self {
        Self {
            steps: vec![
                (1, Approach::SameFix),
                (3, Approach::Reground),
                (4, Approach::FreshGenerator),
                (5, Approach::Decompose),
            ],
        }
    }

    /// A ladder whose approaches answer the fails from these rounds on; they are put in rising order.
    #[must_use]
    pub fn new(steps: impl IntoIterator<Item = (u32, Approach)>) -> Self {
        let mut steps: Vec<(u32, Approach)> = steps.into_iter().collect();
        steps.sort_unstable();
        Self { steps }
    }

    /// The approach that answers the fail of round `round`.
    #[must_use]
    pub fn answer_to(&self, round: u32) -> Approach {
        let step = self.steps.iter().rev().find(|(first, _)| *first <= round);
        step.map_or(Approach::SameFix, |(_, approach)| *approach)
    }

    /// Whether round `round` failed after the last approach was tried.
    #[must_use]
    pub fn is_spent(&self, round: u32) -> bool {
        round > self.steps.last().map_or(0, |(last, _)| *last)
    }

    /// Whether its last approach is to decompose, which is granted an evaluation of its own.
    #[must_use]
    pub fn ends_in_decompose(&self) -> bool {
        self.steps.last().is_some_and(|(_, approach)| *approach == Approach::Decompose)
    }

    /// The approaches that were tried when round `round` has failed, with the round that each answered.
    #[must_use]
    pub fn history(&self, round: u32) -> Vec<(u32, Approach)> {
        (1..round).map(|round| (round, self.answer_to(round))).collect()
    }
}

impl fmt::Display for Ladder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps: Vec<String> =
            self.steps.iter().map(|(round, approach)| format!("{approach} from round {round}")).collect();
        f.write_str(&steps.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r14_a_rung_is_the_response_to_a_rounds_fail() {
        let ladder = Ladder::aep();
        let answers: Vec<&str> = (0..=6).map(|round| ladder.answer_to(round).as_str()).collect();
        let same = "same_fix";
        assert_eq!(answers, [same, same, same, "reground", "fresh_generator", "decompose", "decompose"]);
        assert!(!ladder.is_spent(5) && ladder.is_spent(6));
        assert!(ladder.ends_in_decompose());
        assert_eq!(
            ladder.history(4),
            [(1, Approach::SameFix), (2, Approach::SameFix), (3, Approach::Reground)]
        );
    }

    #[test]
    fn approaches_read_back() {
        for approach in Approach::ALL {
            assert_eq!(approach.to_string().parse(), Ok(*approach));
        }
        assert!("same-fix".parse::<Approach>().is_err());
    }
}
