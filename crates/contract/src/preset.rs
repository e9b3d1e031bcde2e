//! Named sets of rules, each with its own numbers, order and labels.

use std::fmt;

use crate::{LimitRange, Stop};

/// A named set of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Preset {
    /// Ours: six iterations, stalled after two without improvement, oscillating when regions come back without
    /// improvement.
    #[default]
    Trueup,
    /// pixel-loop's: the same numbers, but regions that come back are oscillation even when the score falls. It never asks.
    PixelLoop,
    /// MoAI's builder and evaluator: five iterations to an overall of 0.75, stalled after two gains below 0.05, a person
    /// asked after three iterations without a pass. Judged alone.
    Moai,
    /// framesmith's judge and reviser: one pass by default and three at most; a pass that is no better ends it. Judged
    /// alone.
    Framesmith,
    /// AEP's generator and evaluator: five rounds up a ladder of approaches, then a person. Judged alone.
    Aep,
}

impl Preset {
    /// Every preset.
    pub const ALL: &'static [Self] =
        &[Self::Trueup, Self::PixelLoop, Self::Moai, Self::Framesmith, Self::Aep];

    /// The name that configuration uses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Trueup => "trueup",
            Self::PixelLoop => "pixel-loop",
            Self::Moai => "moai",
            Self::Framesmith => "framesmith",
            Self::Aep => "aep",
        }
    }

    /// The preset of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|preset| preset.as_str() == name)
    }

    /// Whether a judge alone measures, with nothing to compare with.
    #[must_use]
    pub const fn is_judged_alone(self) -> bool {
        matches!(self, Self::Moai | Self::Framesmith | Self::Aep)
    }

    /// Which iteration caps it allows, and its own.
    #[must_use]
    pub const fn iteration_range(self) -> LimitRange {
        match self {
            Self::Trueup | Self::PixelLoop => LimitRange::new(0, 100, 6),
            Self::Moai | Self::Aep => LimitRange::new(0, 100, 5),
            Self::Framesmith => LimitRange::new(1, 3, 1),
        }
    }

    /// The label that the preset's own documents use for a stop (R2). What they have no word for keeps ours.
    #[must_use]
    pub fn label(self, stop: Stop) -> &'static str {
        let own = LABELS.iter().find(|(name, _)| *name == stop).and_then(|(_, labels)| match self {
            Self::Trueup => None,
            Self::PixelLoop => labels[0],
            Self::Moai => labels[1],
            Self::Framesmith => labels[2],
            Self::Aep => labels[3],
        });
        own.unwrap_or_else(|| stop.as_str())
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

type Labels = [Option<&'static str>; 4];

/// Our names and each seed's own: pixel-loop, MoAI, framesmith, AEP.
#[rustfmt::skip]
const LABELS: &[(Stop, Labels)] = &[
    (Stop::Converged,           [None, Some("PASS"), Some("passed"), Some("PASS")]),
    (Stop::ReferenceUnreadable, [Some("undetermined:figma-unreadable"), None, None, None]),
    (Stop::Stalled,             [None, Some("stagnation"), None, None]),
    (Stop::NoImprovement,       [None, None, Some("no-improvement"), None]),
    (Stop::NoOps,               [None, None, Some("no-ops"), None]),
    (Stop::ApplyError,          [None, None, Some("apply-error"), None]),
    (Stop::ReviserUnavailable,  [None, None, Some("reviser-error"), None]),
    (Stop::CapExhausted,        [None, Some("max_iterations"), Some("max-iterations"), Some("max_rounds")]),
    (Stop::LadderExhausted,     [None, None, None, Some("eval_not_converging")]),
    (Stop::Escalation,          [None, Some("escalation_after"), None, Some("eval_not_converging")]),
    (Stop::AcceptedUnconverged, [None, Some("accepted as-is"), None, None]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_every_preset_has_one() {
        for preset in Preset::ALL {
            assert_eq!(Preset::from_name(&preset.to_string()), Some(*preset));
        }
        assert_eq!(Preset::from_name("pixel_loop"), None);
    }

    #[test]
    fn r02_one_table_maps_our_names_to_each_seeds_own() {
        let label = |preset: Preset, stop: Stop| preset.label(stop);
        assert_eq!(label(Preset::PixelLoop, Stop::ReferenceUnreadable), "undetermined:figma-unreadable");
        assert_eq!(label(Preset::PixelLoop, Stop::Stalled), "not-converged:stalled");
        assert_eq!(label(Preset::Aep, Stop::Escalation), "eval_not_converging");
        assert_eq!(label(Preset::Framesmith, Stop::CapExhausted), "max-iterations");
        assert_eq!(label(Preset::Framesmith, Stop::Converged), "passed");
        assert_eq!(label(Preset::Moai, Stop::Stalled), "stagnation");
        for stop in Stop::ALL {
            assert_eq!(label(Preset::Trueup, *stop), stop.as_str(), "ours are our own");
        }
        let mut stops: Vec<Stop> = LABELS.iter().map(|(stop, _)| *stop).collect();
        stops.sort_unstable();
        stops.dedup();
        assert_eq!(stops.len(), LABELS.len(), "one row a stop");
    }

    #[test]
    fn r17_a_preset_may_narrow_the_range() {
        let cap = |text: &str| {
            Preset::Framesmith.iteration_range().resolve([(crate::LimitSource::Flag, Some(text))])
        };
        assert_eq!(cap("3").value(), 3);
        assert_eq!([cap("0").value(), cap("4").value()], [1, 1]);
        assert!(cap("4").note().is_some_and(|note| note.contains("1 to 3")));
    }
}
