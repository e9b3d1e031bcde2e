//! The contracts of the presets, as their documents print them.

use trueup_rubric::{Aggregation, Axis, Overall, Rubric};
use trueup_score::{Better, Points, Scale};

use crate::{Exhaust, LimitSource, LoopContract, Preset, Stop};

fn rubric() -> Rubric {
    let scale = Scale::new(Points::ZERO, Points::ONE, Better::Higher).unwrap();
    let overall = Overall::new(Aggregation::Mean).with_threshold(Points::from_micros(750_000));
    Rubric::new([Axis::new("a", scale)]).unwrap().with_overall(overall).unwrap()
}

#[test]
fn the_hash_covers_the_rules_and_not_the_numbers() {
    let trueup = LoopContract::trueup();
    assert_ne!(trueup.digest(), LoopContract::pixel_loop().digest());
    let mut limits = trueup.limits().clone();
    limits.iterations = Preset::Trueup.iteration_range().resolve([(LimitSource::Flag, Some("3"))]);
    assert_eq!(trueup.digest(), trueup.clone().with_limits(limits).digest());
    let rule: std::sync::Arc<dyn crate::Terminate> = std::sync::Arc::new(crate::Detector::NoImprovement);
    assert_ne!(trueup.digest(), trueup.clone().with_rule(rule).digest());
    assert_ne!(trueup.digest(), trueup.clone().strict().digest());
    assert_ne!(trueup.digest(), trueup.clone().with_exhaust(Stop::Stalled, Exhaust::Ask).digest());
}

#[test]
fn pixel_loops_contract_prints_as_its_table() {
    let expected = "\
preset:   pixel-loop
inv:      every iteration is recorded
          nothing is spent beyond its limit
          the best state seen can be brought back; every charge is written before its action
prog:     the open score falls
no-prog:  oscillating: from iteration 2 on, the open regions of one of the last 3 iterations again
          stalled: from iteration 3 on, 2 iterations in a row without improvement
          a patch is never applied again to the same open regions
term:     all labels pass
          or a stop holds; the first in the order of decision is the status
budget:   6 (preset) iterations, 2 (default) restarts, 2 (default) retries, 600 (default) trials, 12 (default) further \
judgements, 10 (default) answers, 86400 (default) seconds, 20000000 (default) tokens, 10000 (default) hundredths of cost
exhaust:  stop, keep the best state, and name the residual regions; never ask
resume:   the journal, with all that was spent
log:      [N/CAP] step  score A → B · K open regions (channels=…)";
    assert_eq!(LoopContract::pixel_loop().to_string(), expected);
}

#[test]
fn the_other_presets_state_their_own_numbers_and_whom_they_ask() {
    let moai = LoopContract::moai(rubric()).strict().to_string();
    for line in [
        "prog:     the overall rises",
        "no-prog:  stalled: 2 gains in a row below 0.05",
        "          escalation: 3 iterations without a pass since a person last answered",
        "          and the overall is at least 0.75",
        "          and it was evaluated 2 times",
        "exhaust:  ask a person on stagnation, max_iterations, escalation_after; on all else stop and keep the best state",
    ] {
        assert!(moai.lines().any(|own| own == line), "{line}\n{moai}");
    }
    assert!(moai.contains("budget:   5 (preset) iterations"));

    let aep = LoopContract::aep(rubric()).to_string();
    for line in [
        "prog:     what is missing to the floors falls",
        "no-prog:  escalation: the same findings in 3 iterations in a row",
        "          or the ladder is spent: same_fix from round 1, reground from round 3, fresh_generator from round 4, \
         decompose from round 5",
    ] {
        assert!(aep.lines().any(|own| own == line), "{line}\n{aep}");
    }
    let framesmith = LoopContract::framesmith(rubric()).to_string();
    assert!(framesmith.contains("budget:   1 (preset) iterations"));
    assert!(framesmith.contains("never ask"));
}

#[test]
fn r15_each_preset_says_what_ends_it_and_what_asks() {
    let asks = |contract: &LoopContract| -> Vec<Stop> {
        Stop::ALL.iter().copied().filter(|stop| contract.exhaust(*stop) == Exhaust::Ask).collect()
    };
    // What only a person can decide asks under every contract.
    let always = [Stop::Security, Stop::SpecContradiction, Stop::MissingAccess, Stop::Disagreement];
    assert_eq!(asks(&LoopContract::pixel_loop()), always);
    assert_eq!(asks(&LoopContract::trueup()), always);
    assert_eq!(asks(&LoopContract::framesmith(rubric())), always);
    let moai = asks(&LoopContract::moai(rubric()));
    assert_eq!(moai, [&always[..], &[Stop::Stalled, Stop::CapExhausted, Stop::Escalation]].concat());
    let aep = asks(&LoopContract::aep(rubric()));
    assert_eq!(aep, [&always[..], &[Stop::LadderExhausted, Stop::CapExhausted, Stop::Escalation]].concat());
}
