//! Telling `tracing` what happens (feature `tracing`).

use trueup_loop_core::{Note, Record};
use trueup_score::Truth;

use crate::Observer;

/// An observer that makes an event of every step and every record: steps at the level of information, those that did not pass
/// as warnings, records for debugging. Whoever embeds the driver brings the subscriber.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "it has nothing to set")]
pub struct Tracing;

impl Observer for Tracing {
    fn note(&self, note: &Note) {
        let (iteration, node, text) = (note.iteration, note.node.as_str(), note.text.as_str());
        match note.truth {
            None => tracing::info!(iteration, node, "{text}"),
            Some(Truth::Pass) => tracing::info!(iteration, node, truth = "pass", "{text}"),
            Some(truth) => tracing::warn!(iteration, node, %truth, "{text}"),
        }
    }

    fn record(&self, record: &Record) {
        match record {
            Record::Charged { attempt, command } => {
                tracing::debug!(attempt = attempt.number(), ?command, "charged");
            }
            Record::Happened { attempt, event, used } => {
                tracing::debug!(attempt = attempt.number(), ?event, millis = used.millis, "happened");
            }
        }
    }
}
