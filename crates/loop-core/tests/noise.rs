//! Judges are noisy, and change: what becomes the best state all the same (R12, R20).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod world;

use trueup_contract::{Acceptance, LimitSource, Limits, Stop};
use trueup_loop_core::{Engine, JudgeWhy, Step};
use trueup_score::Points;
use world::judge::{Judged, plain, said};

fn points(text: &str) -> Points {
    text.parse().unwrap()
}

fn best(words: &[&str], acceptance: Acceptance) -> u32 {
    let words: Vec<_> = words.iter().map(|word| said(word)).collect();
    let cap = u32::try_from(words.len() - 1).unwrap();
    Judged::new(plain(cap).with_acceptance(acceptance)).play(&words, &[]).best.unwrap().iteration
}

#[test]
fn a_gain_must_beat_the_minimum_effect() {
    let acceptance = Acceptance { min_effect: points("0.05"), ..Acceptance::default() };
    assert_eq!(best(&["0.5", "0.54"], acceptance), 0);
    assert_eq!(best(&["0.5", "0.55"], acceptance), 1);
    assert_eq!(best(&["0.5", "0.54", "0.56"], acceptance), 2, "0.56 is held against 0.5");
    assert_eq!(best(&["0.5", "0.54"], Acceptance::default()), 1);
}

#[test]
fn a_gain_must_beat_k_standard_errors_where_they_are_known() {
    let acceptance =
        Acceptance { min_effect: points("0.01"), standard_errors_tenths: 20, ..Acceptance::default() };
    let best = |error: Option<&str>, after: &str| {
        let noisy = |word: &str| match error {
            Some(error) => said(word).with_standard_error(points(error)),
            None => said(word),
        };
        let mut run = Judged::new(plain(1).with_acceptance(acceptance));
        run.play(&[noisy("0.5"), noisy(after)], &[]).best.unwrap().iteration
    };
    assert_eq!(best(Some("0.03"), "0.55"), 0);
    assert_eq!(best(Some("0.03"), "0.56"), 1);
    assert_eq!(best(None, "0.51"), 1, "without a standard error the minimum effect decides");
}

#[test]
fn a_verdict_near_the_threshold_is_judged_again_and_must_pass_again() {
    let acceptance = Acceptance { near: points("0.02"), confirmations: 1, ..Acceptance::default() };
    let mut lucky = Judged::new(plain(0).with_acceptance(acceptance));
    let outcome = lucky.play(&[said("0.76"), said("0.74")], &[]);
    assert_eq!(outcome.status(), Stop::CapExhausted, "luck has to come twice");
    assert_eq!(lucky.whys, [JudgeWhy::Score, JudgeWhy::ConfirmNear]);
    assert_eq!(outcome.budget.judge_calls.spent, 1);
    let outcome = Judged::new(plain(0).with_acceptance(acceptance)).play(&[said("0.76"), said("0.75")], &[]);
    assert_eq!(outcome.status(), Stop::Converged);
    let outcome = Judged::new(plain(0).with_acceptance(acceptance)).play(&[said("0.9")], &[]);
    assert_eq!(outcome.status(), Stop::Converged, "far from it, once is enough");
}

#[test]
fn a_new_best_is_judged_again_before_others_must_beat_it() {
    let acceptance = Acceptance { rejudge_best: true, ..Acceptance::default() };
    let mut run = Judged::new(plain(2).with_acceptance(acceptance));
    // A lucky 0.7 that is 0.55 when it is judged again; 0.6 beats that.
    let words = ["0.5", "0.5", "0.7", "0.55", "0.6", "0.6"].map(said);
    let outcome = run.play(&words, &[]);
    let best = outcome.best.unwrap();
    assert_eq!((best.iteration, best.overall), (2, Some(points("0.6"))));
    assert!(run.whys.contains(&JudgeWhy::ConfirmBest));
}

/// Numbers that look random and are the same on every machine.
struct Lcg(u64);

impl Lcg {
    /// A score of 0.5 with noise of up to 0.1 on either side.
    fn noisy(&mut self) -> String {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let noise = i64::try_from((self.0 >> 33) % 200_001).unwrap() - 100_000;
        Points::from_micros(500_000 + noise).to_string()
    }
}

#[test]
fn constant_quality_under_noise_is_no_steady_improvement() {
    // Two hundred rounds in which nothing gets better, and only luck can look like it. One standard error is about 0.058.
    let accepted = |acceptance: Acceptance| {
        let (mut total, mut luck) = (0, Lcg(7));
        for _ in 0..2 {
            let mut limits = Limits::of(trueup_contract::Preset::Moai);
            limits.judge_calls = Limits::JUDGE_CALLS.resolve([(LimitSource::Config, Some("1000"))]);
            limits.iterations =
                trueup_contract::Preset::Moai.iteration_range().resolve([(LimitSource::Config, Some("100"))]);
            let mut engine = Engine::new(plain(100).with_acceptance(acceptance).with_limits(limits));
            let mut state = None;
            while let Step::Persist(charge) = engine.step() {
                let attempt = charge.attempt();
                let event = match engine.commit(charge).unwrap() {
                    trueup_loop_core::Command::Judge { .. } => trueup_loop_core::Event::Judged {
                        judgement: said(&luck.noisy()).with_standard_error(points("0.058")),
                    },
                    trueup_loop_core::Command::Revise { iteration, .. } => trueup_loop_core::Event::Revised {
                        state: world::state(iteration),
                        note: String::new(),
                    },
                    trueup_loop_core::Command::Capture { .. } => trueup_loop_core::Event::Captured,
                    command => world::answer(&command, &[]),
                };
                engine.apply(attempt, event).unwrap();
                let now = engine.best().map(|best| best.state);
                total += u32::from(now.is_some() && state.is_some() && now != state);
                state = now;
            }
            assert_eq!(engine.history().iterations().len(), 101);
        }
        total
    };
    let naive = accepted(Acceptance::default());
    let aware =
        accepted(Acceptance { standard_errors_tenths: 20, rejudge_best: true, ..Acceptance::default() });
    assert!(naive >= 5, "without it, luck climbs: {naive} times");
    assert!(aware <= 2, "at most one lucky step a hundred rounds: {aware}");
}

#[test]
fn r20_another_judge_begins_a_new_epoch_and_judges_the_best_state_again() {
    let mut run = Judged::new(plain(2));
    // The first judge is generous. The second gives the same state 0.3, and 0.4 to the next.
    let words = [
        said("0.5").by("generous"),
        said("0.7").by("generous"),
        said("0.4").by("strict"),
        said("0.3").by("strict"),
    ];
    let outcome = run.play(&words, &[]);
    assert_eq!(run.whys.last(), Some(&JudgeWhy::Rebaseline));
    let best = outcome.best.unwrap();
    assert_eq!((best.iteration, best.overall), (2, Some(points("0.4"))), "0.7 is not compared with 0.4");
    assert_eq!((run.engine.history().epoch(), outcome.budget.judge_calls.spent), (1, 1));

    // Where the old best holds up before the new judge, it stays.
    let words = [said("0.5").by("a"), said("0.7").by("a"), said("0.4").by("b"), said("0.6").by("b")];
    let best = Judged::new(plain(2)).play(&words, &[]).best.unwrap();
    assert_eq!((best.iteration, best.overall), (1, Some(points("0.6"))));
}

#[test]
fn r20_where_the_best_state_cannot_be_judged_again_the_run_says_so() {
    let mut limits = plain(3).limits().clone();
    limits.judge_calls = Limits::JUDGE_CALLS.resolve([(LimitSource::Config, Some("0"))]);
    let mut run = Judged::new(plain(3).with_limits(limits));
    let outcome = run.play(&[said("0.5").by("a"), said("0.6").by("b")], &[]);
    assert_eq!(outcome.stops, [Stop::BudgetExhausted]);
}
