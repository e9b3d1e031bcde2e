//! Whether a gain is more than noise.

use trueup_score::Points;

/// The standard error of the mean of repeated scores of one state, in micro-points, rounded up: the sample's standard
/// deviation over the root of its size. `None` for fewer than two scores: nothing is known of the noise then.
#[must_use]
pub fn standard_error(scores: &[Points]) -> Option<Points> {
    if scores.len() < 2 {
        return None;
    }
    let count = i128::try_from(scores.len()).ok()?;
    let sum: i128 = scores.iter().map(|score| i128::from(score.micros())).sum();
    // n·Σ(x − x̄)² in whole numbers: Σ over (n·x − Σx)² ÷ n.
    let mut squares = 0u128;
    for score in scores {
        let off = count.checked_mul(i128::from(score.micros()))?.checked_sub(sum)?.unsigned_abs();
        squares = squares.checked_add(off.checked_mul(off)?)?;
    }
    let count = count.unsigned_abs();
    // s² ÷ n = Σ(n·x − Σx)² ÷ (n² · (n − 1) · n).
    let divisor = count.checked_pow(3)?.checked_mul(count - 1)?;
    let root = squares.div_ceil(divisor).isqrt();
    let root = if root * root * divisor < squares { root + 1 } else { root };
    i64::try_from(root).ok().map(Points::from_micros)
}

/// When a gain counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acceptance {
    min_gain: Points,
    standard_errors: u32,
}

/// What a gain is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Gain {
    /// It is at least the smallest that counts, and more than noise.
    Accepted,
    /// It is at least the smallest that counts; how large the noise is is not known.
    AcceptedBlind,
    /// It is too small to count.
    TooSmall,
    /// It could be noise.
    WithinNoise,
}

impl Gain {
    /// Whether the new state is taken.
    #[must_use]
    pub const fn is_accepted(self) -> bool {
        matches!(self, Self::Accepted | Self::AcceptedBlind)
    }
}

impl Acceptance {
    /// A gain counts from `min_gain` on, and from that many standard errors on.
    #[must_use]
    pub const fn new(min_gain: Points, standard_errors: u32) -> Self {
        Self { min_gain, standard_errors }
    }

    /// Judges a gain; positive is better. Without a standard error only the smallest gain decides, and the answer says so.
    #[must_use]
    pub fn judge(&self, gain: Points, error: Option<Points>) -> Gain {
        if gain <= Points::ZERO || gain < self.min_gain {
            return Gain::TooSmall;
        }
        match error {
            None => Gain::AcceptedBlind,
            Some(error) => {
                let noise = error.micros().saturating_mul(i64::from(self.standard_errors));
                if gain.micros() >= noise { Gain::Accepted } else { Gain::WithinNoise }
            }
        }
    }

    /// Whether repeated scores of one state spread so far that the smallest gain means nothing: at least twice as far.
    #[must_use]
    pub fn noise_dominates(&self, scores: &[Points]) -> bool {
        match (scores.iter().min(), scores.iter().max()) {
            (Some(low), Some(high)) if scores.len() >= 2 && self.min_gain > Points::ZERO => {
                high.saturating_sub(*low) >= self.min_gain.saturating_add(self.min_gain)
            }
            _ => false,
        }
    }
}
