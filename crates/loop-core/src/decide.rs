//! The decision after each iteration (R1), as a pure function.

use trueup_contract::{History, IterationKind, LoopContract, Measurement, Stop};
use trueup_score::Truth;

use crate::Budget;

/// Everything that the decision may look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) contract: &'a LoopContract,
    pub(crate) history: &'a History,
    pub(crate) budget: &'a Budget,
    /// The measurement of the newest iteration, when it was measured.
    pub(crate) measured: Option<&'a Measurement>,
    /// What the judge's scorecard came to; a pass when no judge takes part.
    pub(crate) judged: Truth,
}

impl View<'_> {
    /// Whether the newest iteration is a verified pass of the state that it measured.
    pub(crate) fn truth(&self) -> Truth {
        match self.measured {
            Some(measured) => measured.truth().and(self.judged),
            None => Truth::Undetermined,
        }
    }
}

/// Every stop that holds now, in the order of decision; empty when the loop goes on.
pub(crate) fn stops(view: View<'_>) -> Vec<Stop> {
    let mut stops = Vec::new();
    if view.truth().is_pass() {
        stops.push(Stop::Converged);
    }
    if let Some(measured) = view.measured {
        if measured.channels().is_empty() {
            stops.push(Stop::NoComparableChannel);
        } else if measured.not_comparable().next().is_some()
            && measured.comparable_truth().and(view.judged).is_pass()
        {
            stops.push(Stop::DesignSide);
        }
    }
    let better = view.contract.better();
    let detected = view.contract.detectors().iter().filter(|detector| detector.holds(view.history, better));
    stops.extend(detected.map(|detector| detector.stop()));
    if matches!(view.history.last().map(|last| &last.kind), Some(IterationKind::NoChange { .. })) {
        // A reviser that could not try anything has not said that there is nothing to try.
        let spent = view.budget.trials.left() == 0;
        stops.push(if spent { Stop::BudgetExhausted } else { Stop::NoOps });
    }
    if view.budget.iterations.left() == 0 {
        stops.push(Stop::CapExhausted);
    }
    stops.sort_unstable();
    stops.dedup();
    stops
}
