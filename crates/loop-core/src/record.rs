//! What is written down.

use trueup_contract::Usage;

use crate::{Attempt, Command, Event};

/// One thing that was written down: a charge before its action, or what came of it.
///
/// The records of a run, in order, are the run: [`Engine::restore`](crate::Engine::restore) folds them back.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[expect(clippy::exhaustive_enums, reason = "whoever folds a journal must know every record")]
pub enum Record {
    /// A command was about to be carried out.
    Charged {
        /// The attempt that was charged.
        attempt: Attempt,
        /// The command.
        command: Command,
    },
    /// Something came of a command.
    Happened {
        /// The attempt that it came of.
        attempt: Attempt,
        /// What came of it.
        event: Event,
        /// What was consumed since the record before.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Usage::is_none"))]
        used: Usage,
    },
}
