//! The decision after each iteration (R1), as a pure function.

use std::collections::BTreeSet;

use trueup_contract::{Budget, History, IterationKind, LoopContract, Stop, Usage};
use trueup_score::Truth;

/// What was seen of the state that the decision is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Whether it passes everything: the comparer's measure and the judge's verdict.
    pub(crate) truth: Truth,
    /// Nothing could be compared, though something should have been.
    pub(crate) nothing_compared: bool,
    /// All that could be compared passes, and the rest is wrong on the design's side.
    pub(crate) design_side: bool,
}

/// Everything that the decision may look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts<'a> {
    pub(crate) contract: &'a LoopContract,
    pub(crate) history: &'a History,
    pub(crate) budget: &'a Budget,
    pub(crate) usage: &'a Usage,
    /// What was seen; `None` when nothing was.
    pub(crate) seen: Option<Seen>,
    /// What only a person can decide.
    pub(crate) blocked: &'a BTreeSet<Stop>,
    /// Whether a slice of the work landed and stands.
    pub(crate) slice_landed: bool,
    /// Whether the best state should have been judged again, and could not be.
    pub(crate) unjudged: bool,
    /// The number of the iteration that has just ended.
    pub(crate) round: u32,
    /// Whether an evaluation may still be granted beyond the cap.
    pub(crate) may_grant: bool,
}

/// What follows from the facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Revise from the best state.
    Revise,
    /// Revise from the best state, in an iteration that is granted beyond the cap (R14).
    ReviseGranted,
    /// Evaluate the same state again, with nothing revised (R16).
    Confirm,
    /// The loop may not go on: these stops hold, in the order of decision.
    Stop(Vec<Stop>),
}

impl Facts<'_> {
    fn passes(&self) -> bool {
        self.seen.is_some_and(|seen| seen.truth.is_pass())
    }

    fn rounds(&self) -> usize {
        self.history.comparable().iter().filter(|iteration| iteration.is_measured()).count()
    }

    /// Whether the ladder has an approach left that answers this round's fail.
    fn ladder_goes_on(&self) -> bool {
        self.contract.ladder().is_some_and(|ladder| !ladder.is_spent(self.round))
    }
}

pub(crate) fn decide(facts: Facts<'_>) -> Decision {
    let confirmed = facts.rounds() >= facts.contract.min_rounds() as usize;
    let stops = stops(&facts, confirmed);
    let only_the_cap = stops.iter().all(|stop| *stop == Stop::CapExhausted);
    let decompose = facts.contract.ladder().is_some_and(|ladder| {
        ladder.ends_in_decompose() && !ladder.is_spent(facts.round) && ladder.is_spent(facts.round + 1)
    });
    match stops.is_empty() {
        true if facts.passes() => Decision::Confirm,
        true => Decision::Revise,
        false if only_the_cap && decompose && facts.may_grant => Decision::ReviseGranted,
        false => Decision::Stop(stops),
    }
}

/// Every stop that holds now, in the order of decision; empty when the loop goes on.
fn stops(facts: &Facts<'_>, confirmed: bool) -> Vec<Stop> {
    let Facts { contract, history, budget, usage, seen, blocked, round, .. } = *facts;
    let mut stops: BTreeSet<Stop> = blocked.clone();
    if !contract.breaches(history, budget).is_empty() {
        stops.insert(Stop::InvariantBreach);
    }
    if facts.passes() && confirmed {
        stops.insert(Stop::Converged);
    }
    if let Some(seen) = seen {
        if seen.nothing_compared {
            stops.insert(Stop::NoComparableChannel);
        }
        if seen.design_side {
            stops.insert(Stop::DesignSide);
        }
    }
    stops.extend(contract.guards(history, budget, facts.ladder_goes_on()));
    let no_change = matches!(history.last().map(|last| &last.kind), Some(IterationKind::NoChange { .. }));
    if no_change && blocked.is_empty() && !facts.ladder_goes_on() {
        // A reviser that could not try anything has not said that there is nothing to try.
        let spent = budget.trials.left() == 0;
        stops.insert(if spent { Stop::BudgetExhausted } else { Stop::NoOps });
    }
    if facts.slice_landed {
        stops.insert(Stop::SliceLanded);
    }
    if contract.ladder().is_some_and(|ladder| ladder.is_spent(round)) && !facts.passes() {
        stops.insert(Stop::LadderExhausted);
    }
    if budget.iterations.left() == 0 {
        stops.insert(Stop::CapExhausted);
    }
    if usage.reaches(contract.limits()) || facts.unjudged {
        stops.insert(Stop::BudgetExhausted);
    }
    stops.into_iter().collect()
}
