//! Why a loop may not go on.

use std::fmt;
use std::str::FromStr;

/// What kind of ending a stop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "exit codes are built on these six")]
pub enum StopClass {
    /// It measures true.
    Converged,
    /// It does not, and the loop knows why it stopped trying.
    NotConverged,
    /// It could not be seen whether it does.
    Undetermined,
    /// Only a person can go on.
    NeedsHuman,
    /// A person took it as it is, although it does not measure true.
    AcceptedUnconverged,
    /// Somebody called it off.
    Cancelled,
}

macro_rules! stops {
    ($($(#[$doc:meta])* $name:ident = $text:literal / $class:ident,)+) => {
        /// A reason why the loop may not go on.
        ///
        /// The order is the order of decision (R1): of all stops that hold, the smallest is the primary one and becomes
        /// the status of the run.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Stop { $($(#[$doc])* $name,)+ }

        impl Stop {
            /// Every stop, in the order of decision.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The stable text form, for instance `not-converged:stalled`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// What kind of ending it is.
            #[must_use]
            pub const fn class(self) -> StopClass {
                match self { $(Self::$name => StopClass::$class,)+ }
            }
        }
    };
}

stops! {
    /// Somebody called it off.
    Cancelled = "cancelled" / Cancelled,
    /// Something that must hold at the end of every iteration does not.
    InvariantBreach = "undetermined:invariant-breach" / Undetermined,
    /// The artifact can no longer be brought back to the state that the run relies on.
    StateLost = "undetermined:state-lost" / Undetermined,
    /// The journal cannot be trusted.
    JournalCorrupt = "undetermined:journal-corrupt" / Undetermined,
    /// A verified pass, with the minimum of rounds.
    Converged = "converged" / Converged,
    /// A person took it as it is.
    AcceptedUnconverged = "accepted-unconverged" / AcceptedUnconverged,
    /// No reference could be read.
    ReferenceUnreadable = "undetermined:reference-unreadable" / Undetermined,
    /// Nothing could be compared.
    NoComparableChannel = "undetermined:no-comparable-channel" / Undetermined,
    /// All that can be compared passes; what is left is wrong on the design's side.
    DesignSide = "undetermined:design-side" / Undetermined,
    /// The judge does not answer usefully.
    JudgeUnavailable = "undetermined:judge-unavailable" / Undetermined,
    /// The comparer does not answer usefully.
    ComparerUnavailable = "undetermined:comparer-unavailable" / Undetermined,
    /// The capturer does not answer usefully.
    CapturerUnavailable = "undetermined:capturer-unavailable" / Undetermined,
    /// The reviser does not answer usefully.
    ReviserUnavailable = "undetermined:reviser-unavailable" / Undetermined,
    /// A security finding that only a person may weigh.
    Security = "needs-human:security" / NeedsHuman,
    /// The specification contradicts itself.
    SpecContradiction = "needs-human:spec-contradiction" / NeedsHuman,
    /// Something is missing that only a person can give.
    MissingAccess = "needs-human:missing-access" / NeedsHuman,
    /// The side that revises and the side that judges disagree on whether it passes.
    Disagreement = "needs-human:disagreement" / NeedsHuman,
    /// The same open regions came back.
    Oscillating = "not-converged:oscillating" / NotConverged,
    /// The score does not fall any more.
    Stalled = "not-converged:stalled" / NotConverged,
    /// A revision did not improve on the best state.
    NoImprovement = "not-converged:no-improvement" / NotConverged,
    /// The reviser has nothing more to propose.
    NoOps = "not-converged:no-ops" / NotConverged,
    /// A revision could not be applied.
    ApplyError = "not-converged:apply-error" / NotConverged,
    /// Every way of bringing the renderer back was spent.
    ReloadExhausted = "not-converged:reload-exhausted" / NotConverged,
    /// The work was split, and one slice of it landed.
    SliceLanded = "not-converged:slice-landed" / NotConverged,
    /// Every approach of the ladder was spent.
    LadderExhausted = "not-converged:ladder-exhausted" / NotConverged,
    /// The iteration cap was reached.
    CapExhausted = "not-converged:cap-exhausted" / NotConverged,
    /// Another budget was spent.
    BudgetExhausted = "not-converged:budget-exhausted" / NotConverged,
    /// Too many iterations without a pass since a person last answered.
    Escalation = "needs-human:escalation" / NeedsHuman,
}

impl Stop {
    /// The exit code of a command that ends with it: 0 converged, 1 not converged or accepted unconverged, 2 cancelled,
    /// 3 undetermined, 4 needs a human.
    #[must_use]
    pub const fn exit_code(self) -> u8 {
        match self.class() {
            StopClass::Converged => 0,
            StopClass::NotConverged | StopClass::AcceptedUnconverged => 1,
            StopClass::Cancelled => 2,
            StopClass::Undetermined => 3,
            StopClass::NeedsHuman => 4,
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A text is no status. Whoever reads a status must take this as undetermined, which fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseStopError {
    text: String,
}

impl fmt::Display for ParseStopError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a status: expected one such as converged or not-converged:stalled", self.text)
    }
}

impl std::error::Error for ParseStopError {}

impl FromStr for Stop {
    type Err = ParseStopError;

    fn from_str(text: &str) -> Result<Self, ParseStopError> {
        let found = Self::ALL.iter().find(|stop| stop.as_str() == text);
        found.copied().ok_or_else(|| ParseStopError { text: text.to_owned() })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Stop {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Stop {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r01_the_order_of_decision() {
        let order = [
            Stop::Cancelled,
            Stop::InvariantBreach,
            Stop::Converged,
            Stop::DesignSide,
            Stop::JudgeUnavailable,
            Stop::Security,
            Stop::Disagreement,
            Stop::Oscillating,
            Stop::Stalled,
            Stop::LadderExhausted,
            Stop::CapExhausted,
            Stop::Escalation,
        ];
        assert!(order.is_sorted());
        assert!(Stop::ALL.is_sorted());
    }

    #[test]
    fn every_status_reads_back() {
        for stop in Stop::ALL {
            assert_eq!(stop.to_string().parse(), Ok(*stop));
            let class = match stop.as_str().split_once(':').map_or(stop.as_str(), |(class, _)| class) {
                "converged" => StopClass::Converged,
                "not-converged" => StopClass::NotConverged,
                "undetermined" => StopClass::Undetermined,
                "needs-human" => StopClass::NeedsHuman,
                "accepted-unconverged" => StopClass::AcceptedUnconverged,
                "cancelled" => StopClass::Cancelled,
                other => panic!("{other} is no class of status"),
            };
            assert_eq!(stop.class(), class, "{stop}");
        }
        assert!("not-converged".parse::<Stop>().is_err());
    }

    #[test]
    fn only_converged_exits_zero() {
        for stop in Stop::ALL {
            assert_eq!(stop.exit_code() == 0, *stop == Stop::Converged, "{stop}");
        }
        assert_eq!(Stop::StateLost.exit_code(), 3);
        assert_eq!(Stop::Escalation.exit_code(), 4);
    }
}
