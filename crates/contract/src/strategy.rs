//! Strategies for property tests (feature `proptest`). Ids are only ever drawn from what is given, so that what is drawn fits
//! together.

use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use trueup_frame::Rect;
use trueup_rubric::{Rubric, Scorecard};
use trueup_score::{Points, Truth};

use crate::{
    Answer, Color, DeltaId, Detector, FaultKind, FindingKey, History, Iteration, IterationKind, Judged,
    Judgement, LabelMeasurement, LabelName, LabelReadiness, Limit, LimitRange, LimitSource, Limits,
    Measurement, OpenRegion, Plan, Preset, SkipClass, StateId, Stop, Swatch, Value,
};

impl LabelName {
    /// Names of labels.
    pub fn strategy() -> impl Strategy<Value = Self> {
        "[a-zA-Z0-9_:-][a-zA-Z0-9_.:-]{0,20}".prop_filter_map("a label name", |text| Self::new(text).ok())
    }
}

impl StateId {
    /// Ids of states that nobody has seen.
    pub fn strategy() -> impl Strategy<Value = Self> {
        any::<u64>().prop_map(|number| Self::of_parts([("number", &number.to_le_bytes()[..])]))
    }
}

impl DeltaId {
    /// Ids of one of nine regions on `label`, few enough to come again.
    pub fn strategy(label: LabelName) -> impl Strategy<Value = Self> {
        (1..10u8).prop_filter_map("a region key", move |number| Self::of(&label, &format!("r{number}")).ok())
    }
}

impl Color {
    /// Any colour.
    pub fn strategy() -> impl Strategy<Value = Self> {
        any::<[u8; 4]>().prop_map(|[red, green, blue, alpha]| Self { red, green, blue, alpha })
    }
}

impl OpenRegion {
    /// Open regions on `label`.
    pub fn strategy(label: LabelName) -> impl Strategy<Value = Self> {
        let swatch = (Color::strategy(), Color::strategy(), 1..10_000u64);
        let swatches =
            vec(swatch.prop_map(|(expected, actual, pixels)| Swatch::new(expected, actual, pixels)), 0..3);
        let area = (0..500u32, 0..500u32, 1..200u32, 1..200u32);
        (DeltaId::strategy(label), area, 1..1_000_000_000i64, swatches).prop_map(
            |(id, (x, y, width, height), micros, swatches)| {
                let mut region = Self::new(id, Rect::new(x, y, width, height), Points::from_micros(micros));
                region.pixels = u64::from(width) * u64::from(height);
                region.swatches = swatches;
                region
            },
        )
    }
}

impl LabelMeasurement {
    /// What may be seen of `label`: passing, open, or not comparable. No region is there twice.
    pub fn strategy(label: LabelName) -> impl Strategy<Value = Self> {
        let broken = label.clone();
        let regions = vec(OpenRegion::strategy(label.clone()), 0..4).prop_map(|mut regions| {
            regions.sort_by(|a, b| a.id.cmp(&b.id));
            regions.dedup_by(|a, b| a.id == b.id);
            regions
        });
        prop_oneof![
            8 => regions.prop_map(move |open| Self::compared(label.clone(), open)),
            1 => Just(Self::not_comparable(broken, "drawn as unusable")),
        ]
    }
}

impl Measurement {
    /// What may be seen of a plan, a reading for each of its labels.
    pub fn strategy(plan: &Plan) -> BoxedStrategy<Self> {
        let labels: Vec<_> = plan
            .labels()
            .iter()
            .map(|label| LabelMeasurement::strategy(label.name().clone()).boxed())
            .collect();
        labels.prop_map(Self::new).boxed()
    }
}

impl FindingKey {
    /// One of nine keys, few enough to come again.
    pub fn strategy() -> impl Strategy<Value = Self> {
        (1..10u8).prop_filter_map("a key", |number| Self::new(format!("f{number}")).ok())
    }
}

impl Judgement {
    /// What a judge may say by `rubric`: each axis scored on its scale, missing or unreadable.
    pub fn strategy(rubric: &Rubric) -> BoxedStrategy<Self> {
        let findings = option::of(btree_set(FindingKey::strategy(), 0..4));
        (Scorecard::strategy(rubric), findings)
            .prop_map(|(card, findings)| {
                let judgement = Self::new(card);
                match findings {
                    Some(findings) => judgement.with_findings(findings),
                    None => judgement,
                }
            })
            .boxed()
    }
}

impl SkipClass {
    /// Any class.
    pub fn strategy() -> impl Strategy<Value = Self> {
        select(vec![Self::Security, Self::SpecContradiction, Self::MissingAccess])
    }
}

impl LabelReadiness {
    /// For each label of `plan`, nearly always ready.
    pub fn strategy(plan: &Plan) -> BoxedStrategy<Vec<Self>> {
        let one = |label: LabelName| {
            prop::bool::weighted(0.9).prop_map(move |ready| match ready {
                true => Self::ready(label.clone()),
                false => Self::unusable(label.clone(), "drawn as unusable"),
            })
        };
        let labels: Vec<_> = plan.labels().iter().map(|label| one(label.name().clone()).boxed()).collect();
        labels.boxed()
    }
}

impl Answer {
    /// Answers that need no further contract.
    pub fn strategy() -> impl Strategy<Value = Self> {
        let focus = option::of("[a-z]{1,8}");
        prop_oneof![
            (focus, 0..5u32).prop_map(|(focus, more_iterations)| Self::Continue { focus, more_iterations }),
            Just(Self::AcceptAsIs { by: "ana".to_owned() }),
            Just(Self::Abort),
        ]
    }
}

impl Stop {
    /// Any stop.
    pub fn strategy() -> impl Strategy<Value = Self> {
        select(Self::ALL)
    }
}

impl FaultKind {
    /// Any kind of fault.
    pub fn strategy() -> impl Strategy<Value = Self> {
        select(vec![
            Self::Transient,
            Self::TimedOut,
            Self::Panicked,
            Self::Rejected,
            Self::Lost,
            Self::Unavailable,
            Self::NotApplied,
            Self::StateLost,
            Self::Cancelled,
        ])
    }
}

impl Detector {
    /// Any detector, with small numbers.
    pub fn strategy() -> impl Strategy<Value = Self> {
        prop_oneof![
            (2..5u32).prop_map(|span| Self::NonDecreasing { span }),
            (1..5u32, any::<bool>())
                .prop_map(|(window, unless_improved)| Self::RepeatedIds { window, unless_improved }),
            (0..1_000_000i64, 1..4u32)
                .prop_map(|(micros, times)| Self::SmallDeltas { below: Points::from_micros(micros), times }),
            Just(Self::NoImprovement),
            (2..5u32).prop_map(|rounds| Self::SameFindings { rounds }),
            (1..5u32).prop_map(|rounds| Self::UnpassedSince { rounds }),
            (1..5u32, 0..3u32).prop_map(|(rounds, cooldown)| Self::Patience { rounds, cooldown }),
        ]
    }
}

impl Limit {
    /// Limits within `range`, from any source.
    pub fn strategy(range: LimitRange) -> impl Strategy<Value = Self> {
        let sources =
            [LimitSource::Flag, LimitSource::ToleranceAlias, LimitSource::Config, LimitSource::Preset];
        (range.min()..=range.max(), select(sources.to_vec()))
            .prop_map(move |(value, source)| Self::fixed(value, range, source))
    }
}

impl Limits {
    /// Limits of a preset with other small numbers of iterations, restarts, retries and trials.
    pub fn strategy(preset: Preset) -> impl Strategy<Value = Self> {
        let range = preset.iteration_range();
        let iterations = range.min()..=range.max().min(8);
        (iterations, 0..4u32, 0..4u32, 0..20u32).prop_map(move |(iterations, restarts, retries, trials)| {
            let mut limits = Self::of(preset);
            limits.iterations = Limit::fixed(iterations, range, LimitSource::Config);
            limits.restarts = Limit::fixed(restarts, Self::RESTARTS, LimitSource::Config);
            limits.retries = Limit::fixed(retries, Self::RETRIES, LimitSource::Config);
            limits.trials = Limit::fixed(trials, Self::TRIALS, LimitSource::Config);
            limits
        })
    }
}

impl History {
    /// Histories of up to `most` iterations after the baseline, measured on `label` or not at all.
    pub fn strategy(label: LabelName, most: usize) -> impl Strategy<Value = Self> {
        let kind = prop_oneof![
            6 => Just(None),
            1 => Just(Some(IterationKind::Reverted { why: "drawn".to_owned() })),
            1 => Just(Some(IterationKind::CaptureFailed { why: "drawn".to_owned() })),
            1 => Just(Some(IterationKind::NoChange { why: "drawn".to_owned() })),
        ];
        let ids = btree_set(DeltaId::strategy(label), 0..3);
        let judged = option::of((0..100i64, btree_set(FindingKey::strategy(), 0..3)));
        let entry = (kind, 0..20i64, ids, judged, any::<Index>());
        vec(entry, 1..=most + 1).prop_map(|entries| {
            let mut history = Self::new();
            for (number, (kind, score, ids, judged, state)) in (0u32..).zip(entries) {
                let state = StateId::of_parts([("state", &state.index(5).to_le_bytes()[..])]);
                let mut entry =
                    Iteration::unknown(number, state, kind.clone().unwrap_or(IterationKind::Measured));
                if kind.is_none() {
                    entry.truth = Truth::from(ids.is_empty());
                    entry.score = Some(Points::from_whole(if ids.is_empty() { 0 } else { score + 1 }));
                    entry.delta_ids = Some(ids);
                    entry.judged = judged.map(|(overall, findings)| {
                        Judged::new(entry.truth)
                            .with_overall(Some(Value::of(Points::from_whole(overall))))
                            .with_findings(Some(findings))
                    });
                }
                history.push(entry);
            }
            history
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Measure, View};

    proptest! {
        #[test]
        fn what_is_drawn_fits_together(
            history in LabelName::strategy().prop_flat_map(|label| History::strategy(label, 8)),
            detector in Detector::strategy(),
            limits in Limits::strategy(Preset::Framesmith),
        ) {
            let numbers: Vec<u32> = history.iterations().iter().map(|one| one.index).collect();
            prop_assert!(numbers.iter().copied().eq(0..numbers.len() as u32));
            prop_assert!((1..=3).contains(&limits.iterations.value()));
            // A detector is a pure function, and never holds at the baseline.
            let budget = Budget::of(&limits);
            let holds = |history: &History| detector.holds(&View::new(history, &budget, &Measure::OpenScore));
            prop_assert_eq!(holds(&history), holds(&history.clone()));
            prop_assert!(!holds(&history.prefix(1)) && !holds(&history.prefix(0)));
        }

        #[test]
        fn r04_taking_a_reading_away_never_makes_progress(
            history in LabelName::strategy().prop_flat_map(|label| History::strategy(label, 8)),
            at in any::<Index>(),
        ) {
            // An iteration that becomes unknown did not improve; those before it are as they were.
            let position = at.index(history.iterations().len());
            let mut blinded = History::new();
            for (place, iteration) in history.iterations().iter().enumerate() {
                let mut iteration = iteration.clone();
                if place == position {
                    (iteration.score, iteration.delta_ids, iteration.judged) = (None, None, None);
                }
                blinded.push(iteration);
            }
            prop_assert!(!blinded.improved(position, &Measure::OpenScore));
            for before in 0..position {
                prop_assert_eq!(
                    blinded.improved(before, &Measure::OpenScore),
                    history.improved(before, &Measure::OpenScore)
                );
            }
        }
    }
}
