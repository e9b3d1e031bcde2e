//! What a run may spend, and what it has spent.

use crate::Limits;

/// One counter against its limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Spent {
    /// What was spent; never more than the limit unless a resumed run was given a lower one.
    pub spent: u32,
    /// What may be spent.
    pub limit: u32,
}

impl Spent {
    /// Nothing spent of `limit`.
    #[must_use]
    pub const fn of(limit: u32) -> Self {
        Self { spent: 0, limit }
    }

    /// What is left.
    #[must_use]
    pub const fn left(self) -> u32 {
        self.limit.saturating_sub(self.spent)
    }

    /// Spends one where one is left, and says whether it did.
    pub fn take(&mut self) -> bool {
        let ok = self.left() > 0;
        self.spent += u32::from(ok);
        ok
    }
}

/// The counters of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Budget {
    /// Revisions, and rounds that judge the same state again.
    pub iterations: Spent,
    /// Restarts of the renderer.
    pub restarts: Spent,
    /// Repeats after a fault.
    pub retries: Spent,
    /// Trial measurements.
    pub trials: Spent,
    /// Judgements beyond the first of an iteration: confirmations, and the best state judged again.
    pub judge_calls: Spent,
    /// Answers of a person.
    pub answers: Spent,
}

impl Budget {
    /// Nothing spent of these limits.
    #[must_use]
    pub const fn of(limits: &Limits) -> Self {
        Self {
            iterations: Spent::of(limits.iterations.value()),
            restarts: Spent::of(limits.restarts.value()),
            retries: Spent::of(limits.retries.value()),
            trials: Spent::of(limits.trials.value()),
            judge_calls: Spent::of(limits.judge_calls.value()),
            answers: Spent::of(limits.answers.value()),
        }
    }
}

/// What calls have consumed: time, tokens, money.
///
/// Time is kept as what was consumed, never as an instant, so that neither a resumed run nor a clock that is set back makes
/// it wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[expect(clippy::exhaustive_structs, reason = "ports fill it in")]
pub struct Usage {
    /// Wall time in milliseconds.
    #[cfg_attr(feature = "serde", serde(default))]
    pub millis: u64,
    /// Tokens of models, in and out.
    #[cfg_attr(feature = "serde", serde(default))]
    pub tokens: u64,
    /// Money in millionths of the currency that the limits are meant in.
    #[cfg_attr(feature = "serde", serde(default))]
    pub cost_micros: u64,
}

impl Usage {
    /// Nothing consumed.
    pub const NONE: Self = Self { millis: 0, tokens: 0, cost_micros: 0 };

    /// Both together; a sum that does not fit stays at the largest number.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            millis: self.millis.saturating_add(other.millis),
            tokens: self.tokens.saturating_add(other.tokens),
            cost_micros: self.cost_micros.saturating_add(other.cost_micros),
        }
    }

    /// Whether nothing was consumed.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.millis == 0 && self.tokens == 0 && self.cost_micros == 0
    }

    /// Whether any of it reaches its limit.
    #[must_use]
    pub fn reaches(&self, limits: &Limits) -> bool {
        self.millis >= u64::from(limits.wall_seconds.value()) * 1_000
            || self.tokens >= u64::from(limits.tokens.value())
            || self.cost_micros >= u64::from(limits.cost_cents.value()) * 10_000
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;

    #[test]
    fn a_counter_never_goes_beyond_its_limit() {
        let mut spent = Spent::of(2);
        assert_eq!([spent.take(), spent.take(), spent.take()], [true, true, false]);
        assert_eq!((spent.spent, spent.left()), (2, 0));
    }

    #[test]
    fn every_kind_of_usage_has_a_limit_of_its_own() {
        let limits = Limits::of(Preset::Trueup);
        assert!(!Usage::NONE.reaches(&limits));
        let at = |millis, tokens, cost_micros| Usage { millis, tokens, cost_micros }.reaches(&limits);
        let seconds = u64::from(limits.wall_seconds.value());
        assert!(at(seconds * 1_000, 0, 0) && !at(seconds * 1_000 - 1, 0, 0));
        let tokens = u64::from(limits.tokens.value());
        assert!(at(0, tokens, 0) && !at(0, tokens - 1, 0));
        let cents = u64::from(limits.cost_cents.value());
        assert!(at(0, 0, cents * 10_000) && !at(0, 0, cents * 10_000 - 1));
        let most = Usage { millis: u64::MAX, tokens: 1, cost_micros: 0 };
        assert_eq!(most.plus(most).millis, u64::MAX);
    }
}
