//! Where a run is.

use trueup_contract::StateId;

use crate::Rung;

/// Which command comes next, or is out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Read,
    Restore,
    Revise,
    Reload(Rung),
    Capture,
    Compare,
    Judge,
    Ask,
    RestoreAtEnd,
    /// Over, until a person answers.
    Awaiting,
    Done,
}

impl Phase {
    /// Steps to the end of the iteration: falls along the chain.
    pub(crate) const fn steps_left(self) -> u8 {
        match self {
            Self::Read => 13,
            Self::Restore => 12,
            Self::Revise => 11,
            Self::Reload(Rung::Reload) => 10,
            Self::Reload(Rung::Restart) => 9,
            Self::Reload(Rung::Relaunch) => 8,
            Self::Capture => 7,
            Self::Compare => 6,
            Self::Judge => 5,
            Self::Ask => 4,
            Self::RestoreAtEnd => 2,
            Self::Awaiting => 1,
            Self::Done => 0,
        }
    }
}

/// What the present chain of commands is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// An iteration, or the baseline.
    Iterate,
    /// The best state is measured again under another contract: the baseline of a new epoch.
    Rebaseline,
    /// The best state is judged again by another judge, in the middle of an iteration.
    Rejudge,
}

/// What may be out beside a reviser at work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Aside {
    Trial(StateId),
    Recovery,
}
