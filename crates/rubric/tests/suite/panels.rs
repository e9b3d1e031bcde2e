//! Several judges.

use proptest::prelude::*;
use trueup_rubric::panel::{
    Acceptance, Calibration, Gain, Panel, PanelRule, Tie, cohens_kappa, fleiss_kappa, is_reevaluation_due,
    krippendorffs_alpha, standard_error,
};
use trueup_rubric::{Condition, Reading, Scorecard};
use trueup_score::{Points, Truth};

use crate::support::{card, points, scored, two};

fn axis_a(panel: Panel, scores: &[i64]) -> Reading {
    let cards: Vec<Scorecard> = scores.iter().map(|score| card(*score, 4)).collect();
    panel.combine(&two(), &cards).card.reading("a").clone()
}

#[test]
fn rules_and_ties_are_stated() {
    let combined = |text: &str| Reading::Combined(points(text));
    let of = |rule, scores: &[i64]| axis_a(Panel::new(rule, 1), scores);
    assert_eq!(of(PanelRule::Median, &[5, 1, 4]), combined("4"));
    assert_eq!(of(PanelRule::Median, &[5, 1, 4, 2]), combined("2"), "of two in the middle the worse");
    assert_eq!(of(PanelRule::Mean, &[5, 4, 4]), combined("4.333333"), "cut towards the worse");
    assert_eq!(of(PanelRule::Worst, &[5, 4, 2]), combined("2"));
    assert_eq!(of(PanelRule::Majority, &[4, 4, 2]), combined("4"));
    assert!(
        matches!(of(PanelRule::Majority, &[4, 4, 2, 2]), Reading::Invalid { .. }),
        "a tie decides nothing"
    );
    let worse = Panel::new(PanelRule::Majority, 1).with_tie(Tie::Worse);
    assert_eq!(axis_a(worse, &[4, 4, 2, 2, 5]), combined("2"));
    assert!(matches!(of(PanelRule::Median, &[]), Reading::Invalid { .. }));
}

#[test]
fn unscored_is_not_low_and_below_the_quorum_nothing_is_decided() {
    let silent = Scorecard::new().with("b", scored(4));
    let panel = Panel::new(PanelRule::Median, 2);
    let cards = [card(5, 4), silent.clone(), card(5, 4)];
    let combined = panel.combine(&two(), &cards);
    assert_eq!(combined.card.reading("a"), &Reading::Combined(points("5")));
    assert_eq!(combined.votes, [("a".to_owned(), 2), ("b".to_owned(), 3)]);
    assert_eq!(two().hold(&combined.card).truth(), Truth::Pass);
    let combined = panel.combine(&two(), &[card(5, 4), silent]);
    assert_eq!(two().hold(&combined.card).truth(), Truth::Undetermined);
    assert_eq!(two().hold(&panel.combine(&two(), &[]).card).truth(), Truth::Undetermined);
}

#[test]
fn one_judge_that_saw_a_condition_fail_is_enough() {
    let rubric = two().with_conditions([Condition::must_pass("links", "links work")]).unwrap();
    let saw = |truth| card(4, 4).with_condition("links", truth);
    let hold = |truths: &[Truth]| {
        let cards: Vec<Scorecard> = truths.iter().map(|truth| saw(*truth)).collect();
        rubric.hold(&Panel::new(PanelRule::Median, 2).combine(&rubric, &cards).card).truth()
    };
    assert_eq!(hold(&[Truth::Pass, Truth::Pass, Truth::Fail]), Truth::Fail);
    assert_eq!(hold(&[Truth::Pass, Truth::Pass, Truth::Undetermined]), Truth::Pass);
    assert_eq!(hold(&[Truth::Pass, Truth::Undetermined]), Truth::Undetermined);
}

#[test]
fn what_is_not_shown_to_be_deserved_is_not_made_so_by_numbers() {
    let doubted = |score: i64| {
        Scorecard::new().with("b", scored(4)).with(
            "a",
            Reading::Unverified { score: Points::from_whole(score), why: "no evidence".to_owned() },
        )
    };
    let hold = |score| {
        two()
            .hold(&Panel::new(PanelRule::Median, 2).combine(&two(), &[doubted(score), doubted(score)]).card)
            .truth()
    };
    assert_eq!(hold(5), Truth::Undetermined);
    assert_eq!(hold(1), Truth::Fail);
}

#[test]
fn everybody_saying_the_same_is_full_agreement() {
    // Elsewhere it is 0, or no number at all.
    let kappa = cohens_kappa(&[("C", "C"), ("C", "C")]).unwrap();
    assert!(kappa.no_variation && kappa.coefficient == 1.0);
    let kappa = fleiss_kappa(&[vec![1, 1, 1], vec![1, 1, 1]]).unwrap();
    assert!(kappa.no_variation && kappa.coefficient == 1.0);
    let alpha =
        krippendorffs_alpha(&[vec![points("4"), points("4")], vec![points("4"), points("4")]]).unwrap();
    assert!(alpha.no_variation && alpha.coefficient == 1.0);
    // Two judges who each have one label, and not the same one, do not agree.
    let kappa = cohens_kappa(&[("C", "I"), ("C", "I")]).unwrap();
    assert!(!kappa.no_variation && kappa.coefficient == 0.0);
    assert_eq!(cohens_kappa::<&str>(&[]), None);
    assert_eq!(fleiss_kappa::<&str>(&[]), None);
    assert_eq!(fleiss_kappa(&[vec!["C"]]), None);
    assert_eq!(fleiss_kappa(&[vec!["C", "C"], vec!["C"]]), None);
    assert_eq!(krippendorffs_alpha(&[vec![points("4")], vec![]]), None);
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-3
}

#[test]
fn coefficients_are_those_of_worked_examples() {
    // Two judges, 50 items: 20 both yes, 5 yes/no, 10 no/yes, 15 both no; observed 0.7, by chance 0.5.
    let mut pairs = vec![("y", "y"); 20];
    pairs.extend(vec![("y", "n"); 5]);
    pairs.extend(vec![("n", "y"); 10]);
    pairs.extend(vec![("n", "n"); 15]);
    assert!(near(cohens_kappa(&pairs).unwrap().coefficient, 0.4));
    // Ten items, fourteen judges, five labels: the example of the encyclopedias, 0.210.
    let counts = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ];
    let items: Vec<Vec<usize>> = counts
        .iter()
        .map(|row| row.iter().enumerate().flat_map(|(label, count)| vec![label; *count]).collect())
        .collect();
    assert!(near(fleiss_kappa(&items).unwrap().coefficient, 0.210));
    // Twelve units, four observers, with gaps: 0.849 on the interval scale (Krippendorff 2011).
    let gap = 0;
    let observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, gap, gap, gap],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, gap, 3],
        [gap, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, gap],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, gap],
    ];
    let units: Vec<Vec<Points>> = (0..12)
        .map(|unit| {
            observers
                .iter()
                .map(|row| row[unit])
                .filter(|score| *score != gap)
                .map(Points::from_whole)
                .collect()
        })
        .collect();
    assert!(near(krippendorffs_alpha(&units).unwrap().coefficient, 0.849));
}

#[test]
fn the_standard_error_is_exact_and_rounds_up() {
    assert_eq!(standard_error(&[points("4")]), None);
    assert_eq!(standard_error(&[points("4"), points("4")]), Some(Points::ZERO));
    // Deviation √2 over √2 judges.
    assert_eq!(standard_error(&[points("1"), points("3")]), Some(points("1")));
    // √(2.5 / 5) = 0.70710678…
    let five: Vec<Points> = (1..=5).map(Points::from_whole).collect();
    assert_eq!(standard_error(&five), Some(points("0.707107")));
}

#[test]
fn a_gain_within_noise_is_not_accepted() {
    let rule = Acceptance::new(points("0.05"), 2);
    let of = |gain: &str, error: Option<&str>| rule.judge(points(gain), error.map(points));
    assert_eq!(of("0.04", Some("0")), Gain::TooSmall);
    assert_eq!(of("0", None), Gain::TooSmall);
    assert_eq!(of("0.05", Some("0.025")), Gain::Accepted, "exactly at both is enough");
    assert_eq!(of("0.05", Some("0.03")), Gain::WithinNoise);
    assert_eq!(of("0.05", None), Gain::AcceptedBlind);
    assert!(rule.noise_dominates(&[points("0.7"), points("0.8")]));
    assert!(!rule.noise_dominates(&[points("0.7"), points("0.79")]));
}

#[test]
fn every_nth_run_is_scored_twice_and_a_tenth_is_the_limit() {
    let due: Vec<u64> = (0..=12).filter(|run| is_reevaluation_due(*run, 5)).collect();
    assert_eq!(due, [5, 10]);
    assert!(!is_reevaluation_due(5, 0));
    let rubric = trueup_rubric::Rubric::new(
        ["a", "b"].map(|name| trueup_rubric::Axis::new(name, crate::support::scale("0", "1"))),
    )
    .unwrap();
    let card = |a: &str, b: &str| {
        Scorecard::new().with("a", Reading::Scored(points(a))).with("b", Reading::Scored(points(b)))
    };
    assert!(
        !Calibration::of(&rubric, &card("0.7", "0.5"), &card("0.8", "0.5")).warns(),
        "0.10 is not above 0.10"
    );
    let unsteady = Calibration::of(&rubric, &card("0.7", "0.5"), &card("0.800001", "0.5"));
    assert!(unsteady.warns() && unsteady.axes[0].warns && !unsteady.axes[1].warns);
    let half = Scorecard::new().with("a", Reading::Scored(points("0.7")));
    assert_eq!(Calibration::of(&rubric, &half, &card("0.7", "0.5")).one_sided, ["b"]);
    // On 1 to 5 a whole point is a quarter of the span.
    assert!(Calibration::of(&two(), &crate::support::card(4, 4), &crate::support::card(3, 4)).warns());
}

proptest! {
    #[test]
    fn the_order_of_judges_makes_no_difference(
        scores in prop::collection::vec(prop::option::of(1i64..=5), 1..7), at in any::<prop::sample::Index>(),
        rule in prop::sample::select(vec![PanelRule::Median, PanelRule::Mean, PanelRule::Worst, PanelRule::Majority]),
        quorum in 1usize..4, worse: bool,
    ) {
        let panel = Panel::new(rule, quorum).with_tie(if worse { Tie::Worse } else { Tie::Undetermined });
        let cards: Vec<Scorecard> = scores
            .iter()
            .map(|score| score.map_or(Scorecard::new(), |score| Scorecard::new().with("a", scored(score))))
            .collect();
        let mut turned = cards.clone();
        turned.rotate_left(at.index(cards.len()));
        turned.reverse();
        prop_assert_eq!(panel.combine(&two(), &cards), panel.combine(&two(), &turned));
        // One judge more who says nothing changes nothing.
        let mut more = cards.clone();
        more.push(Scorecard::new());
        prop_assert_eq!(panel.combine(&two(), &more), panel.combine(&two(), &cards));
        // The result lies between the lowest and the highest.
        if let Some(score) = panel.combine(&two(), &cards).card.reading("a").score() {
            let known: Vec<i64> = scores.iter().flatten().copied().collect();
            prop_assert!(score >= Points::from_whole(*known.iter().min().unwrap()));
            prop_assert!(score <= Points::from_whole(*known.iter().max().unwrap()));
        }
    }

    #[test]
    fn coefficients_are_at_most_one(labels in prop::collection::vec((0u8..3, 0u8..3), 1..20)) {
        let kappa = cohens_kappa(&labels).unwrap();
        prop_assert!(kappa.coefficient <= 1.0 && kappa.coefficient >= -1.0);
        let items: Vec<Vec<u8>> = labels.iter().map(|(a, b)| vec![*a, *b]).collect();
        prop_assert!(fleiss_kappa(&items).unwrap().coefficient <= 1.0);
        let scores: Vec<Vec<Points>> = items.iter().map(|item| item.iter().map(|s| Points::from_whole(i64::from(*s))).collect()).collect();
        prop_assert!(krippendorffs_alpha(&scores).unwrap().coefficient <= 1.0 + 1e-9);
    }
}
