//! One number over all axes, where somebody asked for one (R9).

use std::collections::BTreeMap;

use trueup_score::{Better, Points, Ratio, Scale};

use crate::Axis;
use crate::error::{RubricError, RubricErrorKind};

/// How the scores of all axes become one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Aggregation {
    /// The worst of them.
    Min,
    /// Their mean.
    Mean,
    /// Their mean, weighted by whole numbers; every axis has a weight.
    Weighted(BTreeMap<String, u32>),
    /// What the judge itself reports as the overall.
    Reported,
}

/// On which scale the overall is stated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stated {
    /// On the axes' own scale.
    #[default]
    AsScored,
    /// As a percentage of the scale's maximum: 1–5 becomes 20–100.
    PercentOfMaximum,
    /// As a share of the scale's span, 0 at its lower end and 1 at its upper: 1–5 becomes 0–1.
    ShareOfSpan,
}

/// An overall: how it is formed and stated, and what it must reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overall {
    aggregation: Aggregation,
    stated: Stated,
    threshold: Option<Points>,
}

impl Overall {
    /// An overall on the axes' own scale that nothing is held against.
    #[must_use]
    pub const fn new(aggregation: Aggregation) -> Self {
        Self { aggregation, stated: Stated::AsScored, threshold: None }
    }

    /// The overall on another scale.
    #[must_use]
    pub fn stated(self, stated: Stated) -> Self {
        Self { stated, ..self }
    }

    /// The overall with what it must reach, on the scale that it is stated on.
    #[must_use]
    pub fn with_threshold(self, threshold: Points) -> Self {
        Self { threshold: Some(threshold), ..self }
    }

    /// How it is formed.
    #[must_use]
    pub const fn aggregation(&self) -> &Aggregation {
        &self.aggregation
    }

    /// On which scale it is stated.
    #[must_use]
    pub const fn scale(&self) -> Stated {
        self.stated
    }

    /// What it must reach.
    #[must_use]
    pub const fn threshold(&self) -> Option<Points> {
        self.threshold
    }

    /// Checks it against the axes.
    pub(crate) fn check(&self, axes: &[Axis]) -> Result<(), RubricError> {
        let Some(first) = axes.first() else { return Ok(()) };
        if axes.iter().any(|axis| axis.scale().better() != first.scale().better()) {
            return Err(RubricError::new(RubricErrorKind::MixedDirections));
        }
        let ends = |axis: &Axis| (axis.scale().min(), axis.scale().max());
        if let Some(other) = axes.iter().find(|axis| ends(axis) != ends(first)) {
            let kind = RubricErrorKind::MixedScales {
                first: first.name().to_owned(),
                second: other.name().to_owned(),
            };
            return Err(RubricError::new(kind));
        }
        if let Aggregation::Weighted(weights) = &self.aggregation {
            let known = || axes.iter().map(|axis| axis.name().to_owned()).collect();
            if let Some(unknown) = weights.keys().find(|name| axes.iter().all(|axis| axis.name() != *name)) {
                return Err(RubricError::new(RubricErrorKind::UnknownAxis {
                    what: "a weight".to_owned(),
                    axis: unknown.clone(),
                    known: known(),
                }));
            }
            if let Some(bare) = axes.iter().find(|axis| !weights.contains_key(axis.name())) {
                return Err(RubricError::new(RubricErrorKind::MissingWeight {
                    axis: bare.name().to_owned(),
                }));
            }
            if weights.values().all(|weight| *weight == 0) {
                return Err(RubricError::new(RubricErrorKind::ZeroWeights));
            }
        }
        let Some(threshold) = self.threshold else { return Ok(()) };
        let worst = self.of(first.worst(), first.scale());
        let best = axes.iter().map(Axis::best).reduce(|a, b| first.worse(a, b));
        let best = best.and_then(|best| self.of(best, first.scale()));
        let off = |end: Option<Ratio>, beyond: std::cmp::Ordering| {
            end.is_none_or(|end| Ratio::from(threshold).cmp(&end) == beyond)
        };
        let (low, high) = (std::cmp::Ordering::Less, std::cmp::Ordering::Greater);
        let (past_worst, past_best) =
            if first.scale().better() == Better::Higher { (low, high) } else { (high, low) };
        if off(worst, past_worst) || off(best, past_best) {
            let show = |end: Option<Ratio>| end.map_or("none".to_owned(), |end| end.to_string());
            return Err(RubricError::new(RubricErrorKind::ThresholdOffScale {
                threshold,
                worst: show(worst),
                best: show(best),
            }));
        }
        Ok(())
    }

    /// The overall of these scores, one per axis; `None` when one is missing or nothing was reported.
    pub(crate) fn over(
        &self,
        axes: &[Axis],
        scores: &[Option<Points>],
        reported: Option<Points>,
    ) -> Option<Ratio> {
        let scale = axes.first()?.scale();
        let scores: Vec<Points> = scores.iter().copied().collect::<Option<_>>()?;
        let formed = match &self.aggregation {
            Aggregation::Min => {
                let worst = scores.into_iter().reduce(|a, b| if scale.meets(a, b) { b } else { a })?;
                Ratio::from(worst)
            }
            Aggregation::Mean => Ratio::mean(scores)?,
            Aggregation::Weighted(weights) => {
                let weights = axes.iter().map(|axis| weights.get(axis.name()).copied().unwrap_or(0));
                Ratio::weighted_mean(scores.into_iter().zip(weights))?
            }
            Aggregation::Reported => return self.reported(reported?, scale),
        };
        self.state(formed, scale)
    }

    /// What the judge reported, where it lies on the scale that the overall is stated on.
    fn reported(&self, reported: Points, scale: Scale) -> Option<Ratio> {
        let (low, high) = (self.of(scale.min(), scale)?, self.of(scale.max(), scale)?);
        Some(Ratio::from(reported)).filter(|value| (low..=high).contains(value))
    }

    fn of(&self, score: Points, scale: Scale) -> Option<Ratio> {
        self.state(Ratio::from(score), scale)
    }

    fn state(&self, formed: Ratio, scale: Scale) -> Option<Ratio> {
        // A micro-point over micro-points is a plain share, so one point's worth of them has to come back in.
        const MICROS: u64 = 1_000_000;
        match self.stated {
            Stated::AsScored => Some(formed),
            Stated::PercentOfMaximum => {
                let maximum = u64::try_from(scale.max().micros()).ok().filter(|maximum| *maximum > 0)?;
                formed.checked_scale(100 * MICROS, maximum)
            }
            Stated::ShareOfSpan => {
                let span = scale.max().saturating_sub(scale.min()).micros();
                formed.checked_sub(scale.min())?.checked_scale(MICROS, u64::try_from(span).ok()?)
            }
        }
    }
}
