//! What tokens cost.

use trueup_score::Points;

use crate::{ModelError, ModelErrorKind};

/// What a million tokens cost. There is no default: prices change, and none is made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prices {
    input: Points,
    output: Points,
}

impl Prices {
    /// What a million tokens of the question and of the answer cost, in the currency that the limits are meant in.
    ///
    /// # Errors
    /// When one is below 0.
    pub fn per_million(input: Points, output: Points) -> Result<Self, ModelError> {
        if input < Points::ZERO || output < Points::ZERO {
            return Err(ModelError::new(ModelErrorKind::NegativePrice));
        }
        Ok(Self { input, output })
    }

    /// What so many tokens cost, in millionths of the currency, rounded up: a budget is never spent unseen.
    pub(crate) fn cost_micros(&self, input: u64, output: u64) -> u64 {
        let micros = |price: Points, tokens: u64| {
            u128::from(tokens) * u128::from(u64::try_from(price.micros()).unwrap_or(0))
        };
        let cost = (micros(self.input, input) + micros(self.output, output)).div_ceil(1_000_000);
        u64::try_from(cost).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_is_exact_and_rounds_up() {
        let prices =
            Prices::per_million(Points::from_micros(3_000_000), Points::from_micros(15_000_000)).unwrap();
        assert_eq!(prices.cost_micros(1_000, 100), 3_000 + 1_500);
        let cheap = Prices::per_million(Points::from_micros(1), Points::ZERO).unwrap();
        assert_eq!((cheap.cost_micros(0, 9), cheap.cost_micros(1, 0)), (0, 1));
        assert_eq!(
            Prices::per_million(Points::from_micros(i64::MAX), Points::ZERO)
                .unwrap()
                .cost_micros(u64::MAX, 0),
            u64::MAX
        );
        let negative = Prices::per_million(Points::ZERO, Points::from_micros(-1)).unwrap_err();
        assert_eq!(*negative.kind(), ModelErrorKind::NegativePrice);
    }
}
