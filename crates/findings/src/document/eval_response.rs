//! What an evaluator answers.

use std::fmt;

use trueup_score::{Points, Truth};

use super::text::line;
use crate::{Finding, Status};

/// The score of one dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DimensionScore {
    dimension: String,
    score: Option<Points>,
    justification: String,
}

impl DimensionScore {
    /// A dimension, its score where it was scored, and why, by the definition of its scale.
    #[must_use]
    pub fn new(
        dimension: impl Into<String>,
        score: Option<Points>,
        justification: impl Into<String>,
    ) -> Self {
        Self { dimension: dimension.into(), score, justification: justification.into() }
    }
}

/// The answer of one round. There is one file a round, and none is ever written over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalResponse<'f> {
    round: u32,
    findings: &'f [Finding],
    scores: &'f [DimensionScore],
    result: Truth,
    violated: &'f [String],
    updates: &'f [String],
}

impl<'f> EvalResponse<'f> {
    /// The answer of a round, from 1.
    #[must_use]
    pub const fn new(
        round: u32,
        findings: &'f [Finding],
        scores: &'f [DimensionScore],
        result: Truth,
    ) -> Self {
        Self { round, findings, scores, result, violated: &[], updates: &[] }
    }

    /// With the thresholds that were missed.
    #[must_use]
    pub const fn with_violated(self, violated: &'f [String]) -> Self {
        Self { violated, ..self }
    }

    /// With the items of the feature verification that were updated.
    #[must_use]
    pub const fn with_updates(self, updates: &'f [String]) -> Self {
        Self { updates, ..self }
    }
}

impl fmt::Display for EvalResponse<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# Evaluation Round {}\n\n## Findings", self.round)?;
        if self.findings.is_empty() {
            writeln!(f, "\nNone.")?;
        }
        for finding in self.findings {
            finding_section(f, finding)?;
        }
        writeln!(f, "\n## Scores\n")?;
        for score in self.scores {
            let number = score.score.map_or("not scored".to_owned(), |score| score.to_string());
            writeln!(f, "- {}: {number} — {}", line(&score.dimension), line(&score.justification))?;
        }
        writeln!(f, "\n## Result: {}\n", self.result.to_string().to_uppercase())?;
        for violated in self.violated {
            writeln!(f, "- {}", line(violated))?;
        }
        writeln!(f, "\n## Verification Updates\n")?;
        if self.updates.is_empty() {
            writeln!(f, "None.")?;
        }
        self.updates.iter().try_for_each(|update| writeln!(f, "- {}", line(update)))
    }
}

fn finding_section(f: &mut fmt::Formatter<'_>, finding: &Finding) -> fmt::Result {
    let status = match finding.status() {
        Status::Pass => "PASS",
        Status::Fail => "FAIL",
        Status::Unverified => "UNVERIFIED",
    };
    write!(f, "\n### {status}: {}", line(finding.title()))?;
    if let Some(dimension) = finding.dimension() {
        write!(f, " ({}", line(dimension))?;
        finding.score().map_or(Ok(()), |score| write!(f, ": {score}"))?;
        write!(f, ")")?;
    }
    writeln!(f)?;
    let steps = finding.steps().join(" → ");
    let said = [
        ("Steps to reproduce", steps.as_str()),
        ("Expected", finding.expected()),
        ("Actual", finding.actual()),
        ("Impact", finding.impact()),
        ("Fix", finding.fix()),
    ];
    let mut said = said.iter().filter(|(_, value)| !value.trim().is_empty()).peekable();
    if said.peek().is_some() {
        writeln!(f)?;
    }
    for (name, value) in said {
        writeln!(f, "- {name}: {}", line(value))?;
    }
    Ok(())
}
