//! Which of two measured states is better (R12).

use trueup_contract::{Acceptance, Held, Iteration, Measurement, Merit, Progress, StateId};
use trueup_score::Points;

/// A measured state with everything that ranks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) iteration: u32,
    pub(crate) state: StateId,
    pub(crate) measurement: Option<Measurement>,
    pub(crate) held: Option<Held>,
    pub(crate) merit: Merit,
}

impl Standing {
    /// A standing, where the merit is known.
    pub(crate) fn of(
        entry: &Iteration,
        measurement: Option<Measurement>,
        held: Option<Held>,
        progress: &dyn Progress,
    ) -> Option<Self> {
        let merit = progress.merit(entry)?;
        Some(Self { iteration: entry.index, state: entry.state.clone(), measurement, held, merit })
    }

    /// Whether it takes the place of `other`: better by more than chance. Equal is not better, so the earlier stays.
    pub(crate) fn beats(
        &self,
        other: &Self,
        acceptance: &Acceptance,
        standard_error: Option<Points>,
    ) -> bool {
        self.merit.beats_by(&other.merit, acceptance.bar(standard_error))
    }
}
