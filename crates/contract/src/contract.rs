//! The loop contract: what a run keeps, reaches and stops at.

use std::fmt;

use trueup_rubric::Rubric;
use trueup_score::Better;

use crate::{Detector, Digest, Limit, LimitRange};

/// A named set of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Preset {
    /// Ours: six iterations, stalled after two without improvement, oscillating when regions come back without
    /// improvement.
    #[default]
    Trueup,
    /// pixel-loop's: the same numbers, but regions that come back are oscillation even when the score falls.
    PixelLoop,
}

impl Preset {
    /// Every preset.
    pub const ALL: &'static [Self] = &[Self::Trueup, Self::PixelLoop];

    /// The name that configuration uses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Trueup => "trueup",
            Self::PixelLoop => "pixel-loop",
        }
    }

    /// The preset of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|preset| preset.as_str() == name)
    }

    /// Which iteration caps it allows, and its own.
    #[must_use]
    pub const fn iteration_range(self) -> LimitRange {
        LimitRange::new(0, 100, 6)
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a run may spend. Every number is bounded, so every run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Limits {
    /// Revisions; 0 measures only.
    pub iterations: Limit,
    /// Restarts of the renderer over the whole run.
    pub restarts: Limit,
    /// Repeats of a command after a fault that may pass, over the whole run.
    pub retries: Limit,
    /// Trial measurements that a reviser may ask for, over the whole run.
    pub trials: Limit,
}

impl Limits {
    /// Which numbers of restarts are allowed, and how many there are by default.
    pub const RESTARTS: LimitRange = LimitRange::new(0, 100, 2);
    /// Which numbers of retries are allowed, and how many there are by default.
    pub const RETRIES: LimitRange = LimitRange::new(0, 100, 2);
    /// Which numbers of trials are allowed, and how many there are by default: enough for six iterations that each
    /// search half a dozen numeric tokens by bisection.
    pub const TRIALS: LimitRange = LimitRange::new(0, 100_000, 600);

    /// The limits of a preset.
    #[must_use]
    pub const fn of(preset: Preset) -> Self {
        Self {
            iterations: preset.iteration_range().preset(),
            restarts: Self::RESTARTS.unset(),
            retries: Self::RETRIES.unset(),
            trials: Self::TRIALS.unset(),
        }
    }
}

/// What a run keeps, reaches and stops at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopContract {
    preset: Preset,
    limits: Limits,
    detectors: Vec<Detector>,
    rubric: Option<Rubric>,
}

impl LoopContract {
    /// The contract of a preset with its own limits.
    #[must_use]
    pub fn of(preset: Preset) -> Self {
        let unless_improved = match preset {
            Preset::Trueup => true,
            Preset::PixelLoop => false,
        };
        let detectors =
            vec![Detector::RepeatedIds { window: 3, unless_improved }, Detector::NonDecreasing { span: 3 }];
        Self { preset, limits: Limits::of(preset), detectors, rubric: None }
    }

    /// Ours; see [`Preset::Trueup`].
    #[must_use]
    pub fn trueup() -> Self {
        Self::of(Preset::Trueup)
    }

    /// pixel-loop's; see [`Preset::PixelLoop`].
    #[must_use]
    pub fn pixel_loop() -> Self {
        Self::of(Preset::PixelLoop)
    }

    /// The contract with other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The contract with other rules that see no progress.
    #[must_use]
    pub fn with_detectors(self, detectors: impl IntoIterator<Item = Detector>) -> Self {
        Self { detectors: detectors.into_iter().collect(), ..self }
    }

    /// The contract with a rubric: from now on a pass needs a judge's scorecard that meets it.
    #[must_use]
    pub fn with_rubric(self, rubric: Rubric) -> Self {
        Self { rubric: Some(rubric), ..self }
    }

    /// The preset that it came from.
    #[must_use]
    pub const fn preset(&self) -> Preset {
        self.preset
    }

    /// What a run may spend.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The rules that see no progress.
    #[must_use]
    pub fn detectors(&self) -> &[Detector] {
        &self.detectors
    }

    /// What a judge must score, where a judge takes part.
    #[must_use]
    pub const fn rubric(&self) -> Option<&Rubric> {
        self.rubric.as_ref()
    }

    /// The direction of the open score.
    #[must_use]
    pub const fn better(&self) -> Better {
        Better::Lower
    }

    /// The hash of everything that decides: a journal of another contract is refused by it.
    ///
    /// The numbers of the limits are left out: a resumed run keeps those that it began with.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let rules: Vec<String> = self.detectors.iter().map(ToString::to_string).collect();
        let rubric = self.rubric.as_ref().map(|rubric| format!("{rubric:?}")).unwrap_or_default();
        Digest::of_parts([
            ("preset", self.preset.as_str().as_bytes()),
            ("detectors", rules.join("\n").as_bytes()),
            ("rubric", rubric.as_bytes()),
        ])
    }
}

impl fmt::Display for LoopContract {
    /// The table of the contract, one field a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limits { iterations, restarts, retries, trials } = &self.limits;
        writeln!(f, "preset:  {}", self.preset)?;
        writeln!(
            f,
            "inv:     the best state seen can be brought back; every charge is written before its action"
        )?;
        writeln!(f, "prog:    the open score falls")?;
        for detector in &self.detectors {
            writeln!(f, "no-prog: {detector}")?;
        }
        writeln!(
            f,
            "term:    all labels pass, or a stop holds; the first in the order of decision is the status"
        )?;
        writeln!(
            f,
            "budget:  {iterations} iterations, {restarts} restarts, {retries} retries, {trials} trials"
        )?;
        writeln!(f, "exhaust: stop, keep the best state, and name the residual regions; never ask")?;
        writeln!(f, "resume:  the journal, with all that was spent")?;
        write!(f, "log:     [N/CAP] step  score A → B · K open regions (channels=…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_covers_the_rules_and_not_the_numbers() {
        let trueup = LoopContract::trueup();
        assert_ne!(trueup.digest(), LoopContract::pixel_loop().digest());
        let mut limits = trueup.limits().clone();
        limits.iterations = Preset::Trueup.iteration_range().resolve([(crate::LimitSource::Flag, Some("3"))]);
        assert_eq!(trueup.digest(), trueup.clone().with_limits(limits).digest());
    }

    #[test]
    fn the_table_states_every_budget() {
        let table = LoopContract::pixel_loop().to_string();
        assert!(table.contains("6 (preset) iterations, 2 (default) restarts"), "{table}");
    }
}
