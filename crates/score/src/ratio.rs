//! Exact quotients of points.

use std::cmp::Ordering;
use std::fmt;

use crate::Points;

/// An exact quotient of points, for means that must meet a threshold exactly or not at all.
///
/// Two ratios compare by cross-multiplication. Means of up to 2³² scores stay far inside 128 bits; a comparison that
/// would leave them goes on with the continued fraction of both, so the answer is exact for every value.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    numerator: i128,
    /// Always positive.
    denominator: u64,
}

impl Ratio {
    /// `points` divided by `parts`; `None` when `parts` is 0.
    #[must_use]
    pub fn new(points: Points, parts: u64) -> Option<Self> {
        (parts > 0).then_some(Self { numerator: i128::from(points.micros()), denominator: parts })
    }

    /// The plain mean; `None` for no scores at all, because nothing has no mean.
    #[must_use]
    pub fn mean(scores: impl IntoIterator<Item = Points>) -> Option<Self> {
        Self::weighted_mean(scores.into_iter().map(|score| (score, 1)))
    }

    /// The mean weighted by whole numbers; `None` when the weights sum to 0 (or beyond 64 bits).
    #[must_use]
    pub fn weighted_mean(scores: impl IntoIterator<Item = (Points, u32)>) -> Option<Self> {
        let (mut sum, mut weights) = (0i128, 0u64);
        for (score, weight) in scores {
            sum = sum.checked_add(i128::from(score.micros()) * i128::from(weight))?;
            weights = weights.checked_add(u64::from(weight))?;
        }
        (weights > 0).then_some(Self { numerator: sum, denominator: weights })
    }

    /// The quotient less `points`; `None` when it leaves 128 bits.
    #[must_use]
    pub fn checked_sub(self, points: Points) -> Option<Self> {
        let part = i128::from(points.micros()).checked_mul(i128::from(self.denominator))?;
        Some(Self { numerator: self.numerator.checked_sub(part)?, ..self })
    }

    /// The quotient times `times` and divided by `parts`, both exact; `None` when `parts` is 0 or the result, in its
    /// lowest terms, leaves the range.
    #[must_use]
    pub fn checked_scale(self, times: u64, parts: u64) -> Option<Self> {
        let numerator = self.numerator.checked_mul(i128::from(times))?;
        let denominator = u128::from(self.denominator).checked_mul(u128::from(parts)).filter(|d| *d > 0)?;
        let common = greatest_common_divisor(numerator.unsigned_abs(), denominator);
        let denominator = u64::try_from(denominator / common).ok()?;
        Some(Self { numerator: numerator / i128::try_from(common).ok()?, denominator })
    }

    /// The smallest score that is not below it; for scores of which less is better, what may be displayed without
    /// showing a threshold that was missed.
    #[must_use]
    pub fn ceiling(self) -> Points {
        let floor = self.floor();
        if Self::from(floor) == self { floor } else { floor.saturating_add(Points::from_micros(1)) }
    }

    /// The largest score that is not above it: what may be displayed without showing a threshold that was missed.
    #[must_use]
    pub fn floor(self) -> Points {
        let micros = self.numerator.div_euclid(i128::from(self.denominator));
        let clamped = micros.clamp(i128::from(i64::MIN), i128::from(i64::MAX));
        Points::from_micros(i64::try_from(clamped).unwrap_or(i64::MAX))
    }
}

/// By Euclid; 1 for nothing in common, and never 0.
const fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    if a == 0 { 1 } else { a }
}

impl From<Points> for Ratio {
    fn from(points: Points) -> Self {
        Self { numerator: i128::from(points.micros()), denominator: 1 }
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let (left, right) = (i128::from(self.denominator), i128::from(other.denominator));
        match (self.numerator.checked_mul(right), other.numerator.checked_mul(left)) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => compare_by_parts(*self, *other),
        }
    }
}

/// Compares whole parts, then the reciprocals of what is left, as Euclid does.
fn compare_by_parts(a: Ratio, b: Ratio) -> Ordering {
    let (mut an, mut ad) = (a.numerator, i128::from(a.denominator));
    let (mut bn, mut bd) = (b.numerator, i128::from(b.denominator));
    let mut swapped = false;
    loop {
        let order = an.div_euclid(ad).cmp(&bn.div_euclid(bd));
        let (ar, br) = (an.rem_euclid(ad), bn.rem_euclid(bd));
        let order = order.then_with(|| match (ar, br) {
            (0, 0) => Ordering::Equal,
            (0, _) => Ordering::Less,
            (_, 0) => Ordering::Greater,
            _ => Ordering::Equal,
        });
        if order != Ordering::Equal || (ar == 0 && br == 0) {
            return if swapped { order.reverse() } else { order };
        }
        // x/y < z/w exactly when y/x > w/z.
        (an, ad, bn, bd) = (ad, ar, bd, br);
        swapped = !swapped;
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ratio {}

impl fmt::Display for Ratio {
    /// The exact decimal of [`Ratio::floor`]: never rounds up to a threshold that it missed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.floor().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Points {
        text.parse().unwrap()
    }

    #[test]
    fn r10_a_weighted_mean_of_three_quarters_is_three_quarters() {
        // 0.15, 0.35, 0.20, 0.30 on four scores of 0.75 give 0.7499999999999999 in f64.
        let mean = Ratio::weighted_mean([15, 35, 20, 30].map(|weight| (points("0.75"), weight))).unwrap();
        assert_eq!(mean, Ratio::from(points("0.75")));
    }

    #[test]
    fn r10_a_displayed_number_never_rounds_up_to_a_missed_threshold() {
        let mean = Ratio::mean([points("0.799999"), points("0.8"), points("0.8")]).unwrap();
        assert!(mean < Ratio::from(points("0.8")));
        assert_eq!(mean.to_string(), "0.799999");
    }

    #[test]
    fn scaling_is_exact_and_never_wraps() {
        let mean = Ratio::mean([points("1"), points("1"), points("2")]).unwrap();
        // (4/3 − 1) ÷ 4 = 1/12: what 1–5 normalised by its span gives, and no float holds.
        let share = mean.checked_sub(Points::ONE).unwrap().checked_scale(1, 4).unwrap();
        assert_eq!(share, Ratio::new(Points::ONE, 12).unwrap());
        assert_eq!((share.floor(), share.ceiling()), (points("0.083333"), points("0.083334")));
        assert_eq!(Ratio::from(points("0.5")).ceiling(), points("0.5"));
        assert_eq!(mean.checked_scale(1, 0), None);
        assert_eq!(Ratio { numerator: i128::MAX, denominator: 1 }.checked_scale(2, 1), None);
        assert_eq!(Ratio { numerator: 1, denominator: u64::MAX }.checked_scale(1, 3), None);
    }

    #[test]
    fn nothing_has_no_mean() {
        assert_eq!(Ratio::mean([]), None);
        assert_eq!(Ratio::weighted_mean([(Points::ONE, 0)]), None);
    }

    #[test]
    fn comparison_beyond_128_bits_is_exact() {
        let big = Ratio { numerator: i128::MAX, denominator: u64::MAX };
        let bigger = Ratio { numerator: i128::MAX, denominator: u64::MAX - 1 };
        assert!(big < bigger);
        assert_eq!(big, big);
        let low = Ratio { numerator: i128::MIN + 1, denominator: u64::MAX };
        assert!(low < Ratio { numerator: i128::MIN + 2, denominator: u64::MAX });
    }

    proptest::proptest! {
        #[test]
        fn parts_and_cross_multiplication_agree(
            an in -1_000_000i64..1_000_000, ad in 1u64..5_000, bn in -1_000_000i64..1_000_000, bd in 1u64..5_000
        ) {
            let a = Ratio { numerator: an.into(), denominator: ad };
            let b = Ratio { numerator: bn.into(), denominator: bd };
            proptest::prop_assert_eq!(a.cmp(&b), compare_by_parts(a, b));
        }
    }
}
