//! Which of two states is better, exactly (R7, R10, R12).

use std::cmp::Ordering;

use trueup_score::{Better, Points, Ratio};

/// An exact quantity that knows which direction is better. A greater value is a better one.
///
/// Nothing that compares two values has to know a direction (R7), and they compare exactly (R10). Values of two directions
/// are not measured by the same thing; the one of which more is better counts as greater.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    ratio: Ratio,
    better: Better,
}

impl Value {
    /// A quantity of which more or less is better.
    #[must_use]
    pub fn new(ratio: impl Into<Ratio>, better: Better) -> Self {
        Self { ratio: ratio.into(), better }
    }

    /// A score of which more is better.
    #[must_use]
    pub fn of(score: Points) -> Self {
        Self::new(score, Better::Higher)
    }

    /// A score of which less is better.
    #[must_use]
    pub fn of_lower(score: Points) -> Self {
        Self::new(score, Better::Lower)
    }

    /// Whether it is better than `other` by at least `gain`.
    #[must_use]
    pub fn gains(self, other: Self, gain: Points) -> bool {
        let (more, less) = match self.better {
            Better::Higher => (self.ratio, other.ratio),
            Better::Lower => (other.ratio, self.ratio),
        };
        more.checked_sub(gain).is_some_and(|rest| rest >= less)
    }

    /// Whether it lies less than `margin` from `threshold`, on either side.
    #[must_use]
    pub fn is_near(self, threshold: Points, margin: Points) -> bool {
        let (low, high) = (threshold.saturating_sub(margin), threshold.saturating_add(margin));
        self.ratio > Ratio::from(low) && self.ratio < Ratio::from(high)
    }

    /// What may be shown: it never shows a threshold that was missed (R10).
    #[must_use]
    pub fn shown(self) -> Points {
        match self.better {
            Better::Higher => self.ratio.floor(),
            Better::Lower => self.ratio.ceiling(),
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.better, other.better) {
            (Better::Higher, Better::Higher) => self.ratio.cmp(&other.ratio),
            (Better::Lower, Better::Lower) => other.ratio.cmp(&self.ratio),
            (Better::Higher, Better::Lower) => Ordering::Greater,
            (Better::Lower, Better::Higher) => Ordering::Less,
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Value {}

/// How good a measured state is. Greater is better; equal is not better, so that the earlier state stays (R12).
///
/// The order is: passing, then fewer hard fails, then a smaller shortfall below the floors, then the value. So every axis at
/// its floor outranks an overall that fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Merit {
    /// Whether the state passes everything.
    pub passing: bool,
    /// Must-pass axes and criteria that fail.
    pub hard_fails: u32,
    /// Points that are missing to the floors.
    pub shortfall: Points,
    /// What the contract follows: the open score or the overall; `None` where there is none.
    pub value: Option<Value>,
}

impl Merit {
    /// A merit without a judge: only passing and the value count.
    #[must_use]
    pub const fn new(passing: bool, value: Option<Value>) -> Self {
        Self { passing, hard_fails: 0, shortfall: Points::ZERO, value }
    }

    /// The merit with what a judge found below the floors.
    #[must_use]
    pub const fn with_fails(self, hard_fails: u32, shortfall: Points) -> Self {
        Self { hard_fails, shortfall, ..self }
    }

    /// Whether it is better than `other` by more than chance: by its class, or by at least `gain` points of shortfall or
    /// value where the class is the same. A gain of 0 asks for any improvement.
    #[must_use]
    pub fn beats_by(&self, other: &Self, gain: Points) -> bool {
        let class = |merit: &Self| (merit.passing, std::cmp::Reverse(merit.hard_fails));
        match class(self).cmp(&class(other)) {
            Ordering::Greater => return true,
            Ordering::Less => return false,
            Ordering::Equal => {}
        }
        match other.shortfall.cmp(&self.shortfall) {
            Ordering::Greater => other.shortfall.saturating_sub(self.shortfall) >= gain,
            Ordering::Less => false,
            Ordering::Equal => match (self.value, other.value) {
                (Some(new), Some(old)) => new > old && new.gains(old, gain),
                (new, old) => new.is_some() && old.is_none(),
            },
        }
    }
}

impl Ord for Merit {
    fn cmp(&self, other: &Self) -> Ordering {
        self.passing
            .cmp(&other.passing)
            .then(other.hard_fails.cmp(&self.hard_fails))
            .then(other.shortfall.cmp(&self.shortfall))
            .then(self.value.cmp(&other.value))
    }
}

impl PartialOrd for Merit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn points(text: &str) -> Points {
        text.parse().unwrap()
    }

    fn mean(scores: &[&str]) -> Value {
        Value::new(Ratio::mean(scores.iter().map(|score| points(score))).unwrap(), Better::Higher)
    }

    #[test]
    fn r10_what_is_shown_never_shows_a_threshold_that_was_missed() {
        let just_under = mean(&["0.75", "0.75", "0.749999"]);
        assert!(just_under < Value::of(points("0.75")) && just_under.shown() < points("0.75"));
        let just_over = Value { better: Better::Lower, ..mean(&["0.75", "0.75", "0.750001"]) };
        assert!(just_over.shown() > points("0.75"), "where less is better, it is never rounded down");
    }

    #[test]
    fn r10_every_step_of_exactly_five_hundredths_is_one() {
        // Fifty of these ninety-five pairs subtract to less than 0.05 in binary floating point.
        for hundredths in 0..95 {
            let low = Value::of(Points::from_micros(hundredths * 10_000));
            let high = Value::of(Points::from_micros((hundredths + 5) * 10_000));
            assert!(high.gains(low, points("0.05")), "{hundredths}");
            assert!(!high.gains(low, points("0.050001")), "{hundredths}");
        }
    }

    #[test]
    fn r07_a_score_of_which_less_is_better_enters_with_its_sign_turned() {
        assert!(Value::of_lower(points("96")) > Value::of_lower(points("341.5")));
        assert!(Value::of(points("96")) < Value::of(points("341.5")));
        assert!(Value::of_lower(points("95.9")).gains(Value::of_lower(points("96")), points("0.1")));
        assert!(!Value::of_lower(points("96.1")).gains(Value::of_lower(points("96")), Points::ZERO));
    }

    #[test]
    fn r12_the_order_of_merit() {
        let merit = |passing, hard, short: &str, value: &str| {
            Merit::new(passing, Some(Value::of(points(value)))).with_fails(hard, points(short))
        };
        let order = [
            merit(false, 2, "0", "9"),
            merit(false, 1, "3", "9"),
            merit(false, 1, "1", "1"),
            merit(false, 1, "1", "2"),
            merit(false, 0, "5", "0"),
            merit(true, 0, "0", "0"),
        ];
        for (place, merit) in order.iter().enumerate() {
            for (other, than) in order.iter().enumerate() {
                assert_eq!(merit.cmp(than), place.cmp(&other));
                assert_eq!(merit.beats_by(than, Points::ZERO), place > other, "{merit:?} {than:?}");
            }
        }
    }

    #[test]
    fn a_gain_that_chance_could_give_beats_nothing() {
        let merit = |value: &str| Merit::new(false, Some(Value::of(points(value))));
        assert!(merit("0.80").beats_by(&merit("0.75"), points("0.05")));
        assert!(!merit("0.79").beats_by(&merit("0.75"), points("0.05")));
        // A class of its own needs no gain.
        let passing = Merit::new(true, Some(Value::of(points("0.75"))));
        assert!(passing.beats_by(&merit("0.75"), points("0.05")));
        let short = |short: &str| merit("0.5").with_fails(0, points(short));
        assert!(
            short("1").beats_by(&short("2"), points("1")) && !short("1.5").beats_by(&short("2"), points("1"))
        );
    }

    proptest! {
        #[test]
        fn a_value_is_near_exactly_within_its_margin(sum in -2_000i64..2_000, threshold in -50i64..50, margin in 0i64..50) {
            let ratio = Ratio::new(Points::from_micros(sum), 7).unwrap();
            let value = Value::new(ratio, Better::Higher);
            let expected = (sum - threshold * 7).abs() < margin * 7;
            prop_assert_eq!(value.is_near(Points::from_micros(threshold), Points::from_micros(margin)), expected);
        }

        #[test]
        fn beating_by_nothing_is_the_order(a in -9i64..9, b in -9i64..9, short_a in 0i64..3, short_b in 0i64..3) {
            let merit = |value, short| {
                Merit::new(false, Some(Value::of(Points::from_whole(value)))).with_fails(0, Points::from_whole(short))
            };
            let (one, two) = (merit(a, short_a), merit(b, short_b));
            prop_assert_eq!(one.beats_by(&two, Points::ZERO), one > two);
        }
    }
}
