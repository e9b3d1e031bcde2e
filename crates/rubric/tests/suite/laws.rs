//! Laws of the algebra: what may only go one way.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use trueup_rubric::{
    Aggregation, Axis, Circumstances, Condition, Exhibits, Overall, Requirements, Rubric, Verdict,
};
use trueup_score::{Points, Truth};

use crate::support::{points, read, scale};

/// Three axes, one of them must-pass, a cap, a rule, a must-pass condition, and perhaps an overall.
fn rubric(overall: u8, requirements: Requirements) -> Rubric {
    let axis = |name| {
        Axis::new(name, scale("1", "5").with_step(Points::ONE).unwrap()).with_floor(points("3")).unwrap()
    };
    let rubric =
        Rubric::new([axis("a").must_pass(), axis("b").with_hard_floor(points("2")).unwrap(), axis("c")])
            .unwrap()
            .with_conditions([
                Condition::must_pass("must", "t"),
                Condition::caps("cap", "t", "a", points("2")),
                Condition::fails("rule", "t", "c"),
            ])
            .unwrap()
            .with_requirements(requirements)
            .with_regression_step(Points::ONE)
            .unwrap();
    let aggregation = match overall {
        0 => return rubric,
        1 => Aggregation::Min,
        2 => Aggregation::Mean,
        _ => Aggregation::Weighted(["a", "b", "c"].map(str::to_owned).into_iter().zip([1, 2, 3]).collect()),
    };
    rubric.with_overall(Overall::new(aggregation).with_threshold(points("3.5"))).unwrap()
}

/// A reply in pieces, so that one can be taken away or made worse.
#[derive(Clone, Debug)]
struct Pieces {
    scores: [Option<u8>; 3],
    evidence: [Option<bool>; 3],
    conditions: [Option<Truth>; 3],
    lost: [bool; 3],
}

const NAMES: [&str; 3] = ["a", "b", "c"];
const CONDITIONS: [&str; 3] = ["must", "cap", "rule"];

impl Pieces {
    fn strategy() -> impl Strategy<Value = Self> {
        (
            prop::array::uniform3(prop::option::weighted(0.9, 1u8..=5)),
            prop::array::uniform3(prop::option::weighted(0.8, prop::bool::weighted(0.9))),
            prop::array::uniform3(prop::option::weighted(0.8, Truth::strategy())),
            prop::array::uniform3(prop::bool::weighted(0.2)),
        )
            .prop_map(|(scores, evidence, conditions, lost)| Self {
                scores,
                evidence,
                conditions,
                lost,
            })
    }

    /// Nearly always a pass, so that the laws have something to break.
    fn good() -> impl Strategy<Value = Self> {
        (prop::array::uniform3(3u8..=5), prop::array::uniform3(prop::bool::weighted(0.1))).prop_map(
            |(scores, lost)| Self {
                scores: scores.map(Some),
                evidence: [Some(true); 3],
                conditions: [Some(Truth::Pass); 3],
                lost,
            },
        )
    }

    fn verdict(&self, rubric: &Rubric) -> Verdict {
        let evidence = |found: Option<bool>| match found {
            Some(true) => r#"[{"kind": "tool", "locator": "axe"}]"#,
            Some(false) => r#"[{"kind": "tool", "locator": "made up"}]"#,
            None => "[]",
        };
        let axes: Vec<String> = (0..3)
            .filter_map(|i| {
                let score = self.scores[i]?;
                let evidence = evidence(self.evidence[i]);
                Some(format!(
                    r#""{}": {{"score": {score}, "anchor": {score}, "rationale": "r", "evidence": {evidence}}}"#,
                    NAMES[i]
                ))
            })
            .collect();
        let conditions: Vec<String> = (0..3)
            .filter_map(|i| {
                let truth = self.conditions[i]?;
                let evidence = evidence(Some(true));
                Some(format!(r#""{}": {{"result": "{truth}", "evidence": {evidence}}}"#, CONDITIONS[i]))
            })
            .collect();
        let text =
            format!(r#"{{"rubric": {{{}}}, "conditions": {{{}}}}}"#, axes.join(", "), conditions.join(", "));
        let exhibits = Exhibits::new().with_tool("axe", "0 violations");
        let lost: BTreeSet<String> = (0..3).filter(|i| self.lost[*i]).map(|i| NAMES[i].to_owned()).collect();
        let circumstances = Circumstances::new().with_look_up(&exhibits).with_lost(&lost);
        rubric.hold(&rubric.settle(&read(&text, rubric).unwrap(), &circumstances).card)
    }

    /// The same with one thing taken away or made worse.
    fn worsened(&self, what: u8, which: usize) -> Self {
        let mut worse = self.clone();
        match what {
            0 => worse.scores[which] = None,
            1 => worse.scores[which] = self.scores[which].map(|score| (score - 1).max(1)),
            2 => worse.evidence[which] = None,
            3 => worse.evidence[which] = Some(false),
            4 => worse.conditions[which] = None,
            5 => worse.conditions[which] = Some(Truth::Fail),
            _ => worse.lost[which] = true,
        }
        worse
    }
}

fn requirements() -> impl Strategy<Value = Requirements> {
    prop::sample::select(&[Requirements::NONE, Requirements::FULL][..])
}

/// Pass over undetermined over fail.
const fn height(truth: Truth) -> u8 {
    match truth {
        Truth::Pass => 2,
        Truth::Undetermined => 1,
        Truth::Fail => 0,
    }
}

proptest! {
    // What these laws forbid takes several things at once, so that few cases would come upon it.
    #![proptest_config(ProptestConfig::with_cases(8_192))]

    #[test]
    fn making_anything_worse_never_makes_a_pass(
        pieces in prop_oneof![Pieces::strategy(), Pieces::good()],
        what in 0u8..7, which in 0usize..3, overall in 0u8..4, requirements in requirements(),
    ) {
        let rubric = rubric(overall, requirements);
        let (before, after) = (pieces.verdict(&rubric), pieces.worsened(what, which).verdict(&rubric));
        prop_assert!(!after.truth().is_pass() || before.truth().is_pass());
        prop_assert!(!(after.beats(&before) && before.truth().is_pass()));
        // What is worse, and not merely unknown, is not better in any respect that ranks.
        if matches!(what, 1 | 5 | 6) {
            prop_assert!(height(after.truth()) <= height(before.truth()));
            prop_assert!(after.hard_fails() >= before.hard_fails());
            prop_assert!(after.shortfall() >= before.shortfall());
            if let (Some(new), Some(old)) = (after.overall(), before.overall()) {
                prop_assert!(new <= old);
            }
        }
    }

    #[test]
    fn a_broken_must_pass_dominates(
        pieces in prop_oneof![Pieces::strategy(), Pieces::good()], overall in 0u8..4, requirements in requirements(),
    ) {
        let verdict = pieces.worsened(5, 0).verdict(&rubric(overall, requirements));
        prop_assert_eq!(verdict.truth(), Truth::Fail);
        prop_assert!(verdict.hard_fails() >= 1);
    }

    #[test]
    fn a_pass_has_every_axis_at_its_floor_and_nothing_unseen(
        pieces in Pieces::good(), overall in 0u8..4, requirements in requirements(),
    ) {
        let verdict = pieces.verdict(&rubric(overall, requirements));
        if verdict.truth().is_pass() {
            prop_assert!(verdict.axes().iter().all(|axis| axis.score >= Some(points("3"))));
            prop_assert!(verdict.unseen().is_empty() && verdict.unscored().is_empty());
            prop_assert_ne!(verdict.overall_truth(), Some(Truth::Undetermined));
        }
    }

    #[test]
    fn better_is_a_strict_order(
        a in Pieces::strategy(), b in Pieces::strategy(), c in Pieces::strategy(), overall in 0u8..4,
    ) {
        let rubric = rubric(overall, Requirements::NONE);
        let [a, b, c] = [a, b, c].map(|pieces| pieces.verdict(&rubric));
        prop_assert!(!a.beats(&a));
        prop_assert!(!(a.beats(&b) && b.beats(&a)));
        prop_assert!(!(a.beats(&b) && b.beats(&c)) || a.beats(&c));
    }

    #[test]
    fn a_probe_that_saw_a_failure_is_never_overruled(pieces in Pieces::good(), claim in Truth::strategy()) {
        let rubric = rubric(0, Requirements::NONE);
        let seen = BTreeMap::from([("must".to_owned(), Truth::Fail)]);
        let scores: Vec<String> =
            (0..3).map(|i| format!("\"{}\": {}", NAMES[i], pieces.scores[i].unwrap())).collect();
        let text = format!(r#"{{"rubric": {{{}}}, "conditions": {{"must": "{claim}"}}}}"#, scores.join(", "));
        let reply = read(&text, &rubric).unwrap();
        let card = rubric.settle(&reply, &Circumstances::new().with_seen(&seen)).card;
        prop_assert_eq!(rubric.hold(&card).truth(), Truth::Fail);
    }
}
