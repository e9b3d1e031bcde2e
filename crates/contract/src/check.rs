//! Contracts that can never be met, told before anything is spent.

use std::fmt;

use trueup_rubric::{Aggregation, Axis};
use trueup_score::Points;

use crate::{Detector, LoopContract, Preset};

/// A contract can never be met, or means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractError {
    kind: ContractErrorKind,
}

/// Why a contract can never be met.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContractErrorKind {
    /// A judge alone measures, and there is no rubric.
    NothingToJudgeBy {
        /// The preset.
        preset: Preset,
    },
    /// An overall is followed, and there is no way to make one.
    NoOverall {
        /// The preset.
        preset: Preset,
    },
    /// Strict mode needs two rounds, and the cap does not allow them.
    StrictNeedsTwoRounds {
        /// The cap.
        cap: u32,
    },
    /// Criteria or a frozen contract, and no judge to hold them against.
    CriteriaWithoutRubric,
    /// A negative number where one makes no sense.
    Negative {
        /// What is negative.
        what: &'static str,
    },
}

impl ContractError {
    /// Why it can never be met.
    #[must_use]
    pub const fn kind(&self) -> &ContractErrorKind {
        &self.kind
    }
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ContractErrorKind::NothingToJudgeBy { preset } => {
                write!(f, "under {preset} a judge alone measures, and there is no rubric: give it one")
            }
            ContractErrorKind::NoOverall { preset } => write!(
                f,
                "{preset} follows an overall, and the rubric does not say how one is formed: choose min, mean, weights or the judge's own"
            ),
            ContractErrorKind::StrictNeedsTwoRounds { cap } => write!(
                f,
                "strict mode needs two rounds and the iteration cap is {cap}: raise the cap to at least 2, or leave strict mode"
            ),
            ContractErrorKind::CriteriaWithoutRubric => {
                f.write_str("there are criteria that a judge must verify, and no rubric to judge by")
            }
            ContractErrorKind::Negative { what } => write!(f, "{what} is negative: expected 0 or more"),
        }
    }
}

impl std::error::Error for ContractError {}

impl LoopContract {
    /// Checks that the contract can be met at all.
    ///
    /// # Errors
    /// When it can never be met, or a number in it means nothing.
    pub fn check(&self) -> Result<(), ContractError> {
        let refuse = |kind| Err(ContractError { kind });
        let cap = self.limits().iterations.value();
        if self.min_rounds() > 1 && cap < self.min_rounds() {
            return refuse(ContractErrorKind::StrictNeedsTwoRounds { cap });
        }
        let acceptance = self.acceptance();
        for (what, points) in
            [("the minimum effect", acceptance.min_effect), ("the margin for judging again", acceptance.near)]
        {
            if points < Points::ZERO {
                return refuse(ContractErrorKind::Negative { what });
            }
        }
        match self.rubric() {
            None if self.is_judged_alone() => {
                refuse(ContractErrorKind::NothingToJudgeBy { preset: self.preset() })
            }
            None if !self.criteria().is_empty() || self.sprint().is_some() => {
                refuse(ContractErrorKind::CriteriaWithoutRubric)
            }
            Some(rubric)
                if rubric.overall().is_none()
                    && matches!(self.preset(), Preset::Moai | Preset::Framesmith) =>
            {
                refuse(ContractErrorKind::NoOverall { preset: self.preset() })
            }
            _ => Ok(()),
        }
    }

    /// What people should know of the contract before it is used: not mistakes, but numbers that do not mean what they seem
    /// to.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let Some(rubric) = self.rubric() else { return Vec::new() };
        let mut warnings = rubric.advice();
        let mean = rubric.overall().is_some_and(|overall| *overall.aggregation() == Aggregation::Mean);
        let step = rubric.axes().iter().filter_map(smallest_step).min();
        let parts = i64::try_from(rubric.axes().len()).unwrap_or(i64::MAX);
        for detector in self.detectors() {
            let (Detector::SmallDeltas { below, .. }, Some(step), true) = (detector, step, mean) else {
                continue;
            };
            if step.micros() < below.micros().saturating_mul(parts) {
                warnings.push(format!(
                    "one step of {step} on one of {parts} axes moves the mean by less than {below}: real progress reads as \
                     stagnation"
                ));
            }
        }
        warnings
    }
}

/// The smallest difference between two scores of an axis, where its scores are not continuous.
fn smallest_step(axis: &Axis) -> Option<Points> {
    let mut anchors: Vec<Points> = axis.anchors().iter().map(|anchor| anchor.score()).collect();
    anchors.sort_unstable();
    let gaps = anchors.windows(2).map(|pair| pair[1].saturating_sub(pair[0]));
    gaps.min().filter(|_| axis.is_only_anchors()).or(axis.scale().step())
}

#[cfg(test)]
mod tests {
    use trueup_rubric::{Overall, Rubric, preset};
    use trueup_score::{Better, Scale};

    use super::*;
    use crate::{LimitSource, Limits};

    fn points(text: &str) -> Points {
        text.parse().unwrap()
    }

    fn rubric(axes: usize) -> Rubric {
        let scale =
            Scale::new(Points::ZERO, Points::ONE, Better::Higher).unwrap().with_step(points("0.25")).unwrap();
        Rubric::new((0..axes).map(|axis| Axis::new(format!("axis {axis}"), scale)))
            .unwrap()
            .with_overall(Overall::new(Aggregation::Mean).with_threshold(points("0.75")))
            .unwrap()
    }

    fn capped(contract: LoopContract, cap: &str) -> LoopContract {
        let mut limits = Limits::of(contract.preset());
        limits.iterations = contract.preset().iteration_range().resolve([(LimitSource::Flag, Some(cap))]);
        contract.with_limits(limits)
    }

    fn refused(contract: &LoopContract) -> ContractErrorKind {
        contract.check().unwrap_err().kind().clone()
    }

    #[test]
    fn r16_strict_with_a_cap_under_two_is_a_configuration_error() {
        let strict = LoopContract::moai(rubric(4)).strict();
        assert_eq!(strict.check(), Ok(()));
        for cap in [0, 1] {
            let kind = refused(&capped(strict.clone(), &cap.to_string()));
            assert_eq!(kind, ContractErrorKind::StrictNeedsTwoRounds { cap });
        }
        assert_eq!(capped(strict, "2").check(), Ok(()));
    }

    #[test]
    fn r09_nothing_is_invented_where_a_contract_says_too_little() {
        for preset in [Preset::Moai, Preset::Framesmith, Preset::Aep] {
            let kind = refused(&LoopContract::of(preset));
            assert_eq!(kind, ContractErrorKind::NothingToJudgeBy { preset });
        }
        let kind = refused(&LoopContract::of(Preset::Moai).with_rubric(preset::code()));
        assert_eq!(kind, ContractErrorKind::NoOverall { preset: Preset::Moai });
        assert_eq!(LoopContract::moai(preset::moai(Aggregation::Min).unwrap()).check(), Ok(()));
        assert_eq!(LoopContract::aep(preset::code()).check(), Ok(()));
        assert_eq!(LoopContract::framesmith(preset::framesmith()).check(), Ok(()));
        let bare = LoopContract::trueup().with_criteria(["AC-01".to_owned()]);
        assert_eq!(refused(&bare), ContractErrorKind::CriteriaWithoutRubric);
    }

    #[test]
    fn negative_demands_are_refused() {
        for acceptance in [
            crate::Acceptance { min_effect: points("-1"), ..Default::default() },
            crate::Acceptance { near: points("-0.1"), ..Default::default() },
        ] {
            let kind = refused(&LoopContract::trueup().with_acceptance(acceptance));
            assert!(matches!(kind, ContractErrorKind::Negative { .. }));
        }
    }

    #[test]
    fn numbers_that_mean_something_else_are_said_so() {
        let stagnation = |axes| {
            let warnings = LoopContract::moai(rubric(axes)).warnings();
            warnings.iter().any(|warning| warning.contains("stagnation"))
        };
        assert!(!stagnation(5) && stagnation(6), "0.25 over six axes is less than 0.05");
    }
}
