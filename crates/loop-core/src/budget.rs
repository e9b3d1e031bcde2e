//! What a run may spend, and what it has spent.

use trueup_contract::Limits;

/// One counter against its limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spent {
    /// What was spent; never more than the limit unless a resumed run was given a lower one.
    pub spent: u32,
    /// What may be spent.
    pub limit: u32,
}

impl Spent {
    const fn of(limit: u32) -> Self {
        Self { spent: 0, limit }
    }

    /// What is left.
    #[must_use]
    pub const fn left(self) -> u32 {
        self.limit.saturating_sub(self.spent)
    }

    /// Spends one where one is left.
    pub(crate) fn take(&mut self) -> bool {
        let ok = self.left() > 0;
        self.spent += u32::from(ok);
        ok
    }
}

/// The counters of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Budget {
    /// Revisions.
    pub iterations: Spent,
    /// Restarts of the renderer.
    pub restarts: Spent,
    /// Repeats after a fault.
    pub retries: Spent,
    /// Trial measurements.
    pub trials: Spent,
}

impl Budget {
    pub(crate) fn of(limits: &Limits) -> Self {
        Self {
            iterations: Spent::of(limits.iterations.value()),
            restarts: Spent::of(limits.restarts.value()),
            retries: Spent::of(limits.retries.value()),
            trials: Spent::of(limits.trials.value()),
        }
    }
}
