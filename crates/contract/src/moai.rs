//! MoAI's own settings, read with the guards that its loader lacks.

use std::fmt;

use trueup_rubric::{Aggregation, Overall, Rubric, RubricError};
use trueup_score::Points;

use crate::{Detector, Exhaust, HarnessLevel, LimitSource, Limits, LoopContract, Preset, Stop};

/// The settings under `design.gan_loop`, as far as somebody wrote them. What is missing takes its default, each by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[expect(clippy::exhaustive_structs, reason = "whoever reads the file fills it in")]
pub struct MoaiSettings {
    /// Iterations at most; 5.
    pub max_iterations: Option<u32>,
    /// The overall that must be reached; 0.75, and never under 0.60.
    pub pass_threshold: Option<Points>,
    /// Iterations without a pass after which a person is asked; 3.
    pub escalation_after: Option<u32>,
    /// A gain below this is small; 0.05.
    pub improvement_threshold: Option<Points>,
    /// Whether a pass needs two rounds; no.
    pub strict_mode: Option<bool>,
    /// What a judge remembers of earlier rounds: nothing, which is called `per_iteration`. Anything else is refused.
    pub memory_scope: Option<String>,
    /// Where contracts and reports are kept; `.moai/sprints`.
    pub artifact_dir: Option<String>,
    /// Rounds of negotiation; 2.
    pub max_negotiation_rounds: Option<u32>,
    /// The level from which on a contract is required; `thorough`.
    pub required_harness_level: Option<HarnessLevel>,
}

/// Settings that are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoaiError {
    kind: MoaiErrorKind,
}

/// Why settings are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoaiErrorKind {
    /// A threshold that everything passes, or that is under the frozen floor.
    ThresholdTooLow {
        /// The threshold.
        threshold: Points,
    },
    /// A judge that remembers.
    MemoryFrozen {
        /// The scope that was asked for.
        scope: String,
    },
    /// A number that makes no sense.
    OutOfRange {
        /// The setting.
        setting: &'static str,
        /// What is expected.
        expected: &'static str,
    },
    /// The rubric cannot be used with these settings.
    Rubric(RubricError),
}

impl MoaiError {
    const fn new(kind: MoaiErrorKind) -> Self {
        Self { kind }
    }

    /// Why they are refused.
    #[must_use]
    pub const fn kind(&self) -> &MoaiErrorKind {
        &self.kind
    }
}

impl fmt::Display for MoaiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            MoaiErrorKind::ThresholdTooLow { threshold } => {
                write!(f, "pass_threshold is {threshold}: expected 0.60 to 1; 0 would pass everything")
            }
            MoaiErrorKind::MemoryFrozen { scope } => write!(
                f,
                "memory_scope is {scope:?}: only per_iteration is allowed (HRN_EVAL_MEMORY_FROZEN), for a judge that remembers \
                 agrees with itself"
            ),
            MoaiErrorKind::OutOfRange { setting, expected } => write!(f, "{setting}: expected {expected}"),
            MoaiErrorKind::Rubric(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MoaiError {}

/// The frozen floor of the threshold.
const LOWEST: Points = Points::from_micros(600_000);

impl MoaiSettings {
    /// Where contracts and reports are kept.
    #[must_use]
    pub fn artifact_dir(&self) -> &str {
        self.artifact_dir.as_deref().unwrap_or(".moai/sprints")
    }

    /// Rounds of negotiation.
    #[must_use]
    pub fn max_negotiation_rounds(&self) -> u32 {
        self.max_negotiation_rounds.unwrap_or(2)
    }

    /// Whether a contract is required at `level`.
    #[must_use]
    pub fn requires_contract(&self, level: HarnessLevel) -> bool {
        level >= self.required_harness_level.unwrap_or(HarnessLevel::Thorough)
    }

    /// The loop contract that they ask for. The rubric's axes are taken, its overall is formed as `aggregation` says and held
    /// against the threshold of the settings.
    ///
    /// # Errors
    /// When the threshold is 0 or under 0.60 or over 1, the judge is to remember, or a number is out of range.
    pub fn contract(&self, rubric: Rubric, aggregation: Aggregation) -> Result<LoopContract, MoaiError> {
        let scope = self.memory_scope.as_deref().unwrap_or("per_iteration");
        if scope != "per_iteration" {
            return Err(MoaiError::new(MoaiErrorKind::MemoryFrozen { scope: scope.to_owned() }));
        }
        let threshold = self.pass_threshold.unwrap_or(Points::from_micros(750_000));
        if threshold < LOWEST || threshold > Points::ONE {
            return Err(MoaiError::new(MoaiErrorKind::ThresholdTooLow { threshold }));
        }
        let below = self.improvement_threshold.unwrap_or(Points::from_micros(50_000));
        let out_of_range =
            |setting, expected| MoaiError::new(MoaiErrorKind::OutOfRange { setting, expected });
        if below < Points::ZERO || below > Points::ONE {
            return Err(out_of_range("improvement_threshold", "0 to 1"));
        }
        let rounds = self.escalation_after.unwrap_or(3);
        if rounds == 0 {
            return Err(out_of_range("escalation_after", "1 or more"));
        }
        let overall = Overall::new(aggregation).with_threshold(threshold);
        let rubric =
            rubric.with_overall(overall).map_err(|error| MoaiError::new(MoaiErrorKind::Rubric(error)))?;
        let mut limits = Limits::of(Preset::Moai);
        if let Some(cap) = self.max_iterations {
            let text = cap.to_string();
            limits.iterations =
                Preset::Moai.iteration_range().resolve([(LimitSource::Config, Some(text.as_str()))]);
        }
        let contract = LoopContract::moai(rubric)
            .with_limits(limits)
            .with_detectors([Detector::SmallDeltas { below, times: 2 }, Detector::UnpassedSince { rounds }])
            .with_exhaust(Stop::Escalation, Exhaust::Ask);
        Ok(if self.strict_mode == Some(true) { contract.strict() } else { contract })
    }
}

#[cfg(test)]
mod tests {
    use trueup_rubric::Axis;
    use trueup_score::{Better, Scale};

    use super::*;

    fn contract(settings: &MoaiSettings) -> Result<LoopContract, MoaiError> {
        let scale = Scale::new(Points::ZERO, Points::ONE, Better::Higher).unwrap();
        settings.contract(Rubric::new([Axis::new("a", scale)]).unwrap(), Aggregation::Min)
    }

    #[test]
    fn a_threshold_of_nothing_or_under_the_floor_is_an_error() {
        for threshold in ["0", "0.59", "0.599999", "-1", "1.01", "90"] {
            let settings =
                MoaiSettings { pass_threshold: Some(threshold.parse().unwrap()), ..Default::default() };
            let error = contract(&settings).unwrap_err();
            assert!(matches!(error.kind(), MoaiErrorKind::ThresholdTooLow { .. }), "{threshold}");
        }
        for threshold in ["0.6", "0.75", "1"] {
            let settings =
                MoaiSettings { pass_threshold: Some(threshold.parse().unwrap()), ..Default::default() };
            assert!(contract(&settings).is_ok(), "{threshold}");
        }
    }

    #[test]
    fn missing_keys_take_their_defaults_each_by_itself() {
        let defaults = contract(&MoaiSettings::default()).unwrap();
        assert_eq!(defaults.limits().iterations.value(), 5);
        assert_eq!(
            defaults.digest(),
            contract(&MoaiSettings { escalation_after: Some(3), ..Default::default() }).unwrap().digest()
        );
        let strict = MoaiSettings { strict_mode: Some(true), max_iterations: Some(4), ..Default::default() };
        let strict = contract(&strict).unwrap();
        assert_eq!((strict.min_rounds(), strict.limits().iterations.value()), (2, 4));
        let threshold = strict.rubric().and_then(Rubric::overall).and_then(Overall::threshold);
        assert_eq!(threshold, Some("0.75".parse().unwrap()), "the threshold is merged, and not zero");
        assert_eq!(MoaiSettings::default().artifact_dir(), ".moai/sprints");
        let elsewhere = MoaiSettings { artifact_dir: Some("kept/here".to_owned()), ..Default::default() };
        assert_eq!(elsewhere.artifact_dir(), "kept/here");
    }

    #[test]
    fn a_judge_that_remembers_is_refused_by_name() {
        let settings = MoaiSettings { memory_scope: Some("per_project".to_owned()), ..Default::default() };
        assert!(contract(&settings).unwrap_err().to_string().contains("HRN_EVAL_MEMORY_FROZEN"));
        let settings = MoaiSettings { memory_scope: Some("per_iteration".to_owned()), ..Default::default() };
        assert!(contract(&settings).is_ok());
    }

    #[test]
    fn numbers_out_of_range_are_refused_by_name() {
        for settings in [
            MoaiSettings { escalation_after: Some(0), ..Default::default() },
            MoaiSettings { improvement_threshold: Some("-0.1".parse().unwrap()), ..Default::default() },
            MoaiSettings { improvement_threshold: Some("5".parse().unwrap()), ..Default::default() },
        ] {
            let error = contract(&settings).unwrap_err();
            assert!(matches!(error.kind(), MoaiErrorKind::OutOfRange { .. }), "{error}");
        }
        let strict = MoaiSettings { strict_mode: Some(true), max_iterations: Some(1), ..Default::default() };
        assert!(contract(&strict).unwrap().check().is_err(), "strict needs two rounds");
    }

    #[test]
    fn a_contract_is_required_from_a_level_on() {
        let settings = MoaiSettings::default();
        assert!(
            !settings.requires_contract(HarnessLevel::Standard)
                && settings.requires_contract(HarnessLevel::Thorough)
        );
        let eager =
            MoaiSettings { required_harness_level: Some(HarnessLevel::Standard), ..Default::default() };
        assert!(
            eager.requires_contract(HarnessLevel::Standard)
                && !eager.requires_contract(HarnessLevel::Minimal)
        );
    }
}
