//! What a person gets when a loop does not converge.

use std::fmt;

use super::text::line;

/// One round of evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundRecord {
    round: u32,
    failing: Vec<(String, String)>,
    findings: usize,
    fixed: usize,
    new: usize,
}

impl RoundRecord {
    /// A round that did not pass: its failing dimensions with their scores, how many findings it had, and how many of the
    /// round before were fixed and how many are new.
    #[must_use]
    pub fn new(
        round: u32,
        failing: impl IntoIterator<Item = (String, String)>,
        findings: usize,
        fixed: usize,
        new: usize,
    ) -> Self {
        Self { round, failing: failing.into_iter().collect(), findings, fixed, new }
    }
}

/// A change of strategy that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rung {
    name: String,
    why_it_failed: String,
}

impl Rung {
    /// A rung, and why it did not help.
    #[must_use]
    pub fn new(name: impl Into<String>, why_it_failed: impl Into<String>) -> Self {
        Self { name: name.into(), why_it_failed: why_it_failed.into() }
    }
}

/// The document of an escalation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Escalation {
    rounds: Vec<RoundRecord>,
    ladder: Vec<Rung>,
    skipped: Option<String>,
    persistent: Vec<(String, String)>,
    recommendation: String,
}

impl Escalation {
    /// With a recommendation of what a person should decide or do.
    #[must_use]
    pub fn new(recommendation: impl Into<String>) -> Self {
        Self { recommendation: recommendation.into(), ..Self::default() }
    }

    /// With a round, in order.
    #[must_use]
    pub fn with_round(mut self, round: RoundRecord) -> Self {
        self.rounds.push(round);
        self
    }

    /// With a change of strategy that was tried, in order.
    #[must_use]
    pub fn with_rung(mut self, rung: Rung) -> Self {
        self.ladder.push(rung);
        self
    }

    /// With why no change of strategy was tried: it is nothing that trying again could mend.
    #[must_use]
    pub fn skipping_the_ladder(self, why: impl Into<String>) -> Self {
        Self { skipped: Some(why.into()), ..self }
    }

    /// With an issue that stays, and why it cannot be mended here.
    #[must_use]
    pub fn with_persistent(mut self, issue: impl Into<String>, why: impl Into<String>) -> Self {
        self.persistent.push((issue.into(), why.into()));
        self
    }
}

impl fmt::Display for Escalation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# Escalation — Eval Loop Not Converging\n\n## Round history\n")?;
        for round in &self.rounds {
            let failing: Vec<String> =
                round.failing.iter().map(|(dimension, score)| format!("{dimension} {score}")).collect();
            write!(
                f,
                "- Round {}: FAIL ({}) — {} findings",
                round.round,
                failing.join(", "),
                round.findings
            )?;
            if round.round > 1 {
                write!(f, " ({} fixed, {} new)", round.fixed, round.new)?;
            }
            writeln!(f)?;
        }
        writeln!(f, "\n## Ladder history\n")?;
        if let Some(why) = &self.skipped {
            writeln!(f, "The ladder was skipped on purpose: {}", line(why))?;
        } else if self.ladder.is_empty() {
            writeln!(f, "No change of strategy was tried.")?;
        }
        for (number, rung) in self.ladder.iter().enumerate() {
            writeln!(f, "{}. {}: {}", number + 1, line(&rung.name), line(&rung.why_it_failed))?;
        }
        writeln!(f, "\n## Persistent issues\n")?;
        for (number, (issue, why)) in self.persistent.iter().enumerate() {
            writeln!(f, "{}. {} — {}", number + 1, line(issue), line(why))?;
        }
        writeln!(f, "\n## Recommendation\n\n{}", self.recommendation)
    }
}
