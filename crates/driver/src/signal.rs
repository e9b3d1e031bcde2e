//! Where a run stands, for whoever watches it: `signals/status.json`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use trueup_contract::{Approach, Stop};
use trueup_loop_core::Outcome;
use trueup_score::Truth;

/// The document `trueup.status/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Signal {
    schema: String,
    /// 0 baseline, 1 iterate, 2 done.
    pub phase: u32,
    /// The phase by name.
    pub phase_name: String,
    /// The iteration.
    pub eval_round: u32,
    /// `pass`, `fail` or `undetermined`.
    pub eval_result: String,
    /// The approach that is tried, under a contract with a ladder.
    pub recovery_rung: Option<Approach>,
    /// `human` while a person has to answer.
    pub blocked_on: Option<String>,
    /// How much of the cap was spent, 0 to 100.
    pub completion_pct: u32,
    /// How the run ended; `None` while it goes on.
    pub status: Option<Stop>,
    /// When this was written, RFC 3339.
    pub updated_at: String,
    /// How the run ended, whole; `None` while it goes on.
    #[serde(default)]
    pub outcome: Option<Outcome>,
}

const SCHEMA: &str = "trueup.status/1";

impl Signal {
    /// A run that goes on after iteration `round`.
    #[must_use]
    pub fn going_on(round: u32, result: Truth, cap: u32, rung: Option<Approach>, updated_at: String) -> Self {
        let percent = if cap == 0 { 100 } else { (u64::from(round) * 100 / u64::from(cap)).min(100) };
        let (phase, name) = if round == 0 { (0, "baseline") } else { (1, "iterate") };
        Self {
            schema: SCHEMA.to_owned(),
            phase,
            phase_name: name.to_owned(),
            eval_round: round,
            eval_result: result.to_string(),
            recovery_rung: rung,
            blocked_on: None,
            completion_pct: u32::try_from(percent).unwrap_or(100),
            status: None,
            updated_at,
            outcome: None,
        }
    }

    /// A run that waits for a person after iteration `round`.
    #[must_use]
    pub fn asking(self) -> Self {
        Self { blocked_on: Some("human".to_owned()), ..self }
    }

    /// A run that ended.
    #[must_use]
    pub fn ended(
        round: u32,
        result: Truth,
        rung: Option<Approach>,
        outcome: &Outcome,
        updated_at: String,
    ) -> Self {
        Self {
            phase: 2,
            phase_name: "done".to_owned(),
            completion_pct: 100,
            blocked_on: outcome.question.as_ref().map(|_| "human".to_owned()),
            status: Some(outcome.status()),
            outcome: Some(outcome.clone()),
            ..Self::going_on(round, result, 0, rung, updated_at)
        }
    }
}

impl fmt::Display for Signal {
    /// The JSON document, indented.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string_pretty(self).map_err(|_| fmt::Error)?;
        writeln!(f, "{text}")
    }
}

/// A text is no status document. Whoever reads one must take this as undetermined, which fails.
#[derive(Debug)]
pub struct ParseSignalError {
    source: Option<serde_json::Error>,
    schema: String,
}

impl fmt::Display for ParseSignalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Some(_) => f.write_str("not a status document"),
            None => write!(f, "the schema is {:?}: expected {SCHEMA:?}", self.schema),
        }
    }
}

impl std::error::Error for ParseSignalError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

impl FromStr for Signal {
    type Err = ParseSignalError;

    fn from_str(text: &str) -> Result<Self, ParseSignalError> {
        let signal: Self = serde_json::from_str(text)
            .map_err(|error| ParseSignalError { source: Some(error), schema: String::new() })?;
        if signal.schema == SCHEMA {
            Ok(signal)
        } else {
            Err(ParseSignalError { source: None, schema: signal.schema })
        }
    }
}
