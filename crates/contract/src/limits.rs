//! What a run may spend.

use std::fmt;

use crate::{Limit, LimitRange, Preset};

/// What a run may spend. Every number is bounded, so every run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Limits {
    /// Revisions; 0 measures only.
    pub iterations: Limit,
    /// Restarts of the renderer over the whole run.
    pub restarts: Limit,
    /// Repeats of a command after a fault that may pass, over the whole run.
    pub retries: Limit,
    /// Trial measurements that a reviser may ask for, over the whole run.
    pub trials: Limit,
    /// Judgements beyond the first of an iteration, over the whole run.
    #[cfg_attr(feature = "serde", serde(default = "judge_calls"))]
    pub judge_calls: Limit,
    /// Answers that a person may give, over the whole run.
    #[cfg_attr(feature = "serde", serde(default = "answers"))]
    pub answers: Limit,
    /// Wall time of the whole run, in seconds.
    #[cfg_attr(feature = "serde", serde(default = "wall_seconds"))]
    pub wall_seconds: Limit,
    /// Tokens of models over the whole run.
    #[cfg_attr(feature = "serde", serde(default = "tokens"))]
    pub tokens: Limit,
    /// Money over the whole run, in hundredths of whatever currency ports report.
    #[cfg_attr(feature = "serde", serde(default = "cost_cents"))]
    pub cost_cents: Limit,
}

impl Limits {
    /// Which numbers of restarts are allowed, and how many there are by default.
    pub const RESTARTS: LimitRange = LimitRange::new(0, 100, 2);
    /// Which numbers of retries are allowed, and how many there are by default.
    pub const RETRIES: LimitRange = LimitRange::new(0, 100, 2);
    /// Which numbers of trials are allowed, and how many there are by default: enough for six iterations that each
    /// search half a dozen numeric tokens by bisection.
    pub const TRIALS: LimitRange = LimitRange::new(0, 100_000, 600);
    /// Which numbers of further judgements are allowed, and how many there are by default: two for each of six iterations.
    pub const JUDGE_CALLS: LimitRange = LimitRange::new(0, 1_000, 12);
    /// Which numbers of answers are allowed, and how many there are by default.
    pub const ANSWERS: LimitRange = LimitRange::new(0, 100, 10);
    /// Which wall times are allowed, and the default of a day: a fuse, not a plan.
    pub const WALL_SECONDS: LimitRange = LimitRange::new(1, 2_592_000, 86_400);
    /// Which numbers of tokens are allowed, and the default of twenty million: a fuse, not a plan.
    pub const TOKENS: LimitRange = LimitRange::new(0, 4_000_000_000, 20_000_000);
    /// Which costs are allowed, and the default of 100.00: a fuse, not a plan.
    pub const COST_CENTS: LimitRange = LimitRange::new(0, 100_000_000, 10_000);

    /// The limits of a preset.
    #[must_use]
    pub const fn of(preset: Preset) -> Self {
        Self {
            iterations: preset.iteration_range().preset(),
            restarts: Self::RESTARTS.unset(),
            retries: Self::RETRIES.unset(),
            trials: Self::TRIALS.unset(),
            judge_calls: Self::JUDGE_CALLS.unset(),
            answers: Self::ANSWERS.unset(),
            wall_seconds: Self::WALL_SECONDS.unset(),
            tokens: Self::TOKENS.unset(),
            cost_cents: Self::COST_CENTS.unset(),
        }
    }

    /// Every limit with its name, in the order in which people are told.
    #[must_use]
    pub const fn named(&self) -> [(&'static str, &Limit); 9] {
        [
            ("iterations", &self.iterations),
            ("restarts", &self.restarts),
            ("retries", &self.retries),
            ("trials", &self.trials),
            ("further judgements", &self.judge_calls),
            ("answers", &self.answers),
            ("seconds", &self.wall_seconds),
            ("tokens", &self.tokens),
            ("hundredths of cost", &self.cost_cents),
        ]
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named: Vec<String> = self.named().iter().map(|(name, limit)| format!("{limit} {name}")).collect();
        f.write_str(&named.join(", "))
    }
}

// What a journal that was written before these limits existed is read with.
#[cfg(feature = "serde")]
const fn judge_calls() -> Limit {
    Limits::JUDGE_CALLS.unset()
}

#[cfg(feature = "serde")]
const fn answers() -> Limit {
    Limits::ANSWERS.unset()
}

#[cfg(feature = "serde")]
const fn wall_seconds() -> Limit {
    Limits::WALL_SECONDS.unset()
}

#[cfg(feature = "serde")]
const fn tokens() -> Limit {
    Limits::TOKENS.unset()
}

#[cfg(feature = "serde")]
const fn cost_cents() -> Limit {
    Limits::COST_CENTS.unset()
}
