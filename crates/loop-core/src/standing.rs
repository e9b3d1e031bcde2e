//! Which of two measured states is better (R12).

use std::cmp::Ordering;

use trueup_contract::{Iteration, Measurement, StateId};
use trueup_rubric::Verdict;
use trueup_score::{Better, Points};

/// A measured state with everything that ranks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) iteration: u32,
    pub(crate) state: StateId,
    pub(crate) measurement: Measurement,
    pub(crate) passing: bool,
    pub(crate) verdict: Option<Verdict>,
}

impl Standing {
    /// A standing, where the score is known.
    pub(crate) fn of(entry: &Iteration, measurement: Measurement, verdict: Option<Verdict>) -> Option<Self> {
        entry.score?;
        let passing = entry.truth.is_pass();
        Some(Self { iteration: entry.index, state: entry.state.clone(), measurement, passing, verdict })
    }

    /// Passing, then fewer hard fails, then smaller shortfall, then the score; equal is not better, so the earlier stays.
    pub(crate) fn beats(&self, other: &Self, better: Better) -> bool {
        let rank = |standing: &Self| {
            let (hard, short) = match &standing.verdict {
                Some(verdict) => (verdict.hard_fails(), verdict.shortfall()),
                None => (0, Points::ZERO),
            };
            (!standing.passing, hard, short)
        };
        match rank(self).cmp(&rank(other)) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => match (self.measurement.score(), other.measurement.score()) {
                (Some(new), Some(old)) => better.improves(new, old),
                (new, old) => new.is_some() && old.is_none(),
            },
        }
    }
}
