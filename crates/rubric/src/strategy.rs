//! Strategies for property tests (feature `proptest`).

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use trueup_score::{Better, Points, Scale, Truth};

use crate::{Aggregation, Axis, Condition, Overall, Reading, Rubric, Scorecard};

impl Rubric {
    /// Rubrics of one to four axes on small scales, with floors, must-pass axes, conditions and overalls.
    pub fn strategy() -> impl Strategy<Value = Self> {
        let axis = (1i64..=9, prop::option::weighted(0.7, 0i64..=9), any::<bool>(), any::<bool>());
        let aggregation = prop::option::of(select(vec![Aggregation::Min, Aggregation::Mean]));
        (vec(axis, 1..5), 0usize..3, aggregation).prop_filter_map(
            "a rubric",
            |(axes, conditions, aggregation)| {
                let named: Result<Vec<Axis>, _> = ["a", "b", "c", "d"]
                    .into_iter()
                    .zip(&axes)
                    .map(|(name, (most, floor, must_pass, up))| {
                        let better = if *up { Better::Higher } else { Better::Lower };
                        let scale = Scale::new(Points::ZERO, Points::from_whole(*most), better).ok();
                        let axis = Axis::new(name, scale.ok_or(())?);
                        let axis = match floor {
                            Some(floor) => {
                                axis.with_floor(Points::from_whole(*floor.min(most))).map_err(drop)?
                            }
                            None => axis,
                        };
                        Ok::<_, ()>(if *must_pass && floor.is_some() { axis.must_pass() } else { axis })
                    })
                    .collect();
                let drawn = [Condition::must_pass("must", "drawn"), Condition::fails("rule", "drawn", "a")];
                let rubric =
                    Self::new(named.ok()?).ok()?.with_conditions(drawn.into_iter().take(conditions)).ok()?;
                match aggregation {
                    Some(aggregation) => rubric.with_overall(Overall::new(aggregation)).ok(),
                    None => Some(rubric),
                }
            },
        )
    }
}

impl Scorecard {
    /// What may be read from a judge by `rubric`: each axis scored on its scale, missing or unreadable; each condition seen or
    /// not.
    pub fn strategy(rubric: &Rubric) -> BoxedStrategy<Self> {
        let readings: Vec<_> = rubric
            .axes()
            .iter()
            .map(|axis| {
                let (min, max) = (axis.scale().min().micros(), axis.scale().max().micros());
                let name = axis.name().to_owned();
                let scored = (min..=max).prop_map(|micros| Reading::Scored(Points::from_micros(micros)));
                let reading = prop_oneof![
                    12 => scored,
                    1 => Just(Reading::Missing),
                    1 => Just(Reading::Invalid { why: "drawn as unreadable".to_owned() }),
                ];
                reading.prop_map(move |reading| (name.clone(), reading)).boxed()
            })
            .collect();
        let conditions: Vec<_> = rubric
            .conditions()
            .iter()
            .map(|condition| {
                let id = condition.id().to_owned();
                prop::option::weighted(0.9, Truth::strategy())
                    .prop_map(move |truth| (id.clone(), truth))
                    .boxed()
            })
            .collect();
        (readings, conditions)
            .prop_map(|(readings, conditions)| {
                let card =
                    readings.into_iter().fold(Self::new(), |card, (axis, reading)| card.with(axis, reading));
                conditions.into_iter().fold(card, |card, (id, truth)| match truth {
                    Some(truth) => card.with_condition(id, truth),
                    None => card,
                })
            })
            .boxed()
    }
}
