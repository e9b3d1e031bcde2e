//! Asking a person: what is asked, what may be answered, and what an answer does (R14, R15, R16, R20).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod world;

use trueup_contract::{
    Answer, AnswerKind, Approach, Detector, Exhaust, FindingKey, Ladder, LoopContract, Preset, SkipClass,
    Stop,
};
use trueup_loop_core::{Command, Engine, Event, JudgeWhy, ProtocolErrorKind, Step};
use world::judge::{Judged, capped, plain, rubric, said};
use world::state;

fn asking(cap: u32) -> LoopContract {
    plain(cap).with_exhaust(Stop::CapExhausted, Exhaust::Ask)
}

#[test]
fn r15_with_nobody_to_ask_the_run_waits_and_can_be_resumed() {
    let mut run = Judged::new(asking(2));
    let outcome = run.play(&[said("0.5"), said("0.4"), said("0.3")], &[]);
    assert_eq!(outcome.stops, [Stop::CapExhausted, Stop::Escalation]);
    assert_eq!((outcome.status(), outcome.status().exit_code()), (Stop::Escalation, 4));
    let question = outcome.question.unwrap();
    assert_eq!(question.options, AnswerKind::ALL);
    assert_eq!(run.engine.current(), Some(&state(0)), "it waits in the best state");

    // Nothing but an answer moves it, and it is the fold of its records like any other.
    let (attempt, before) = (run.engine.last_attempt(), format!("{:?}", run.engine));
    for event in [Event::Restored, Event::Cancelled, Event::NobodyToAsk] {
        assert!(run.engine.apply(attempt, event).is_err());
    }
    assert_eq!(format!("{:?}", run.engine), before);
    let mut again = Judged::of(Engine::restore(asking(2), &run.records).unwrap());
    again.answer(Answer::go_on(2));
    let outcome = again.play(&[said("0.6"), said("0.9")], &[]);
    assert_eq!(outcome.status(), Stop::Converged);
    assert_eq!((outcome.budget.iterations.spent, outcome.budget.iterations.limit), (4, 4));
    assert_eq!(outcome.budget.answers.spent, 1);
    let records: Vec<_> = run.records.iter().chain(&again.records).cloned().collect();
    assert_eq!(Engine::restore(asking(2), &records).unwrap().step(), Step::Done(outcome));
}

#[test]
fn r15_escalation_fires_again_only_after_as_many_iterations_again() {
    let contract = capped(LoopContract::moai(rubric("0.75")), 9);
    let mut run = Judged::new(contract);
    let words: Vec<_> = ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"].map(said).to_vec();
    let outcome = run.play(&words, &[Answer::go_on(0)]);
    assert_eq!(outcome.stops, [Stop::Escalation]);
    assert_eq!(outcome.budget.iterations.spent, 6, "three, an answer, and three more");
}

#[test]
fn r16_accept_as_is_is_its_own_outcome_and_never_converged() {
    let mut run = Judged::new(asking(1));
    let answer = Answer::AcceptAsIs { by: "ada".to_owned() };
    let outcome = run.play(&[said("0.5"), said("0.6")], &[answer]);
    assert_eq!(outcome.status(), Stop::AcceptedUnconverged);
    assert_eq!(outcome.stops, [Stop::AcceptedUnconverged, Stop::CapExhausted, Stop::Escalation]);
    assert_eq!((outcome.status().exit_code(), outcome.accepted_by.as_deref()), (1, Some("ada")));
    assert_eq!(outcome.best.unwrap().state, state(1), "what is accepted is the best state");
}

#[test]
fn an_abort_ends_with_what_held() {
    let mut run = Judged::new(asking(0));
    let outcome = run.play(&[said("0.5")], &[Answer::Abort]);
    assert_eq!((outcome.status(), outcome.question), (Stop::CapExhausted, None));
    assert!(run.engine.apply(run.engine.last_attempt(), Event::Answered { answer: Answer::Abort }).is_err());
}

#[test]
fn a_person_may_name_another_focus() {
    let mut run = Judged::new(asking(1));
    let focus = Answer::Continue { focus: Some("restraint".to_owned()), more_iterations: 1 };
    run.play(&[said("0.5"), said("0.4"), said("0.9")], &[focus]);
    let focuses: Vec<_> = run
        .commands
        .iter()
        .filter_map(|command| match command {
            Command::Revise { focus, .. } => Some(focus.as_deref()),
            _ => None,
        })
        .collect();
    assert_eq!(focuses, [None, Some("restraint")]);
}

#[test]
fn answers_are_bounded_and_grant_at_most_what_the_run_began_with() {
    let mut run = Judged::new(asking(1));
    let greedy = Answer::go_on(u32::MAX);
    let outcome = run.play(&[said("0.1"), said("0.2"), said("0.3")], &[greedy]);
    assert_eq!(outcome.budget.iterations.limit, 2, "one more, as the cap is one");
    // Continuing where nothing is left grants one: an answer that could do nothing would only be asked for again.
    run.answer(Answer::go_on(0));
    assert_eq!(run.play(&[said("0.9")], &[]).status(), Stop::Converged);

    let mut limits = asking(1).limits().clone();
    limits.answers =
        trueup_contract::Limits::ANSWERS.resolve([(trueup_contract::LimitSource::Config, Some("1"))]);
    let mut run = Judged::new(asking(1).with_limits(limits));
    let outcome = run.play(&[said("0.1"), said("0.2"), said("0.3")], &[Answer::go_on(1)]);
    assert_eq!(
        (outcome.status(), outcome.question),
        (Stop::CapExhausted, None),
        "with no answer left it simply ends"
    );
}

#[test]
fn r20_a_contract_change_starts_a_new_epoch_and_the_best_state_is_judged_again() {
    let (old, new) = (asking(2), asking(2).with_rubric(rubric("0.55")));
    let adjust = |contract: &LoopContract| Answer::Adjust {
        contract: contract.digest().to_string(),
        more_iterations: 1,
    };
    let mut run = Judged::of(Engine::new(old.clone()).with_contract(new.clone()));
    // The best of the old epoch scores less when it is judged again, and only that counts.
    let words = [said("0.5"), said("0.6"), said("0.4"), said("0.5"), said("0.52")];
    let outcome = run.play(&words, &[adjust(&new)]);
    assert_eq!(run.whys[3], JudgeWhy::Rebaseline);
    assert!(matches!(&run.commands[run.commands.len() - 9..], [Command::Restore { to }, ..] if *to == state(1)) || run
        .commands
        .iter()
        .any(|command| matches!(command, Command::Judge { why: JudgeWhy::Rebaseline, state: judged, .. } if *judged == state(1))));
    assert_eq!(run.engine.history().epoch(), 1);
    let best = outcome.best.unwrap();
    assert_eq!(
        (best.iteration, best.overall),
        (3, Some("0.52".parse().unwrap())),
        "0.6 was of another epoch"
    );
    // Such a run is resumed with both contracts, and with one it is refused by name.
    let known = Engine::new(old.clone()).with_contract(new.clone());
    assert_eq!(known.replay(&run.records).unwrap().history(), run.engine.history());
    let error = Engine::restore(old.clone(), &run.records).unwrap_err();
    assert!(std::error::Error::source(&error).unwrap().to_string().contains("does not know"), "{error}");

    // A contract that nobody gave the engine is no answer, and changes nothing.
    let mut run = Judged::new(old);
    run.play(&[said("0.5"), said("0.6"), said("0.4")], &[]);
    let before = format!("{:?}", run.engine);
    let error =
        run.engine.apply(run.engine.last_attempt(), Event::Answered { answer: adjust(&new) }).unwrap_err();
    assert!(matches!(error.kind(), ProtocolErrorKind::UnknownContract { .. }));
    assert_eq!(format!("{:?}", run.engine), before);
}

#[test]
fn r20_a_pass_under_the_adjusted_contract_converges() {
    let (old, new) = (asking(1), asking(1).with_rubric(rubric("0.55")));
    let adjust = Answer::Adjust { contract: new.digest().to_string(), more_iterations: 0 };
    let mut run = Judged::of(Engine::new(old).with_contract(new));
    let outcome = run.play(&[said("0.5"), said("0.6"), said("0.6")], &[adjust]);
    assert_eq!(outcome.status(), Stop::Converged);
    assert_eq!(outcome.budget.iterations.spent, 1, "the new baseline is never charged");
}

#[test]
fn r01_what_only_a_person_can_decide_is_asked_at_once_under_every_contract() {
    for (class, stop) in [
        (SkipClass::Security, Stop::Security),
        (SkipClass::SpecContradiction, Stop::SpecContradiction),
        (SkipClass::MissingAccess, Stop::MissingAccess),
    ] {
        let mut run = Judged::new(plain(5));
        let outcome = run.play(&[said("0.5").with_blocked(class)], &[]);
        assert_eq!((outcome.status(), outcome.stops.len()), (stop, 1));
        let question = outcome.question.unwrap();
        assert!(question.why.contains("skipped") && question.ladder.is_empty());
        // A pass outranks it: there is nothing to decide about what passes.
        let mut run = Judged::new(plain(5));
        let outcome = run.play(&[said("0.9").with_blocked(class)], &[]);
        assert_eq!(outcome.stops, [Stop::Converged, stop]);
    }
}

#[test]
fn r14_the_count_of_same_findings_runs_across_rungs_and_escalates_after_the_last() {
    let finding = || [FindingKey::new("f1").unwrap()];
    let words: Vec<_> = (0..7).map(|_| said("0.5").with_findings(finding())).collect();
    let mut run = Judged::new(LoopContract::of(Preset::Aep).with_rubric(rubric("0.75")));
    let outcome = run.play(&words, &[]);
    assert_eq!(outcome.stops, [Stop::LadderExhausted, Stop::CapExhausted, Stop::Escalation]);
    let ladder = outcome.question.unwrap().ladder;
    let tried: Vec<Approach> = ladder.iter().map(|(_, approach)| *approach).collect();
    assert_eq!(
        tried,
        [
            Approach::SameFix,
            Approach::SameFix,
            Approach::Reground,
            Approach::FreshGenerator,
            Approach::Decompose
        ]
    );
    assert_eq!(
        (outcome.granted, outcome.budget.iterations.spent),
        (1, 6),
        "granted beyond the cap, and said so"
    );
    // Without a ladder, three rounds of the same findings are enough.
    let bare = plain(9).with_detectors([Detector::SameFindings { rounds: 3 }]);
    let outcome = Judged::new(bare).play(&words[..3], &[]);
    assert_eq!((outcome.stops, outcome.budget.iterations.spent), (vec![Stop::Escalation], 2));
}

#[test]
fn r14_nothing_but_decompose_is_granted_an_evaluation_beyond_the_cap() {
    let aep = |cap| capped(LoopContract::of(Preset::Aep).with_rubric(rubric("0.75")), cap);
    let words: Vec<_> = (0..8).map(|_| said("0.5")).collect();
    for (cap, spent, granted) in [(3, 3, 0), (4, 4, 0), (5, 6, 1), (6, 6, 0)] {
        let outcome = Judged::new(aep(cap)).play(&words[..=spent as usize], &[]);
        assert_eq!((outcome.budget.iterations.spent, outcome.granted), (spent, granted), "cap {cap}");
        assert!(outcome.stops.contains(&Stop::CapExhausted) || cap == 6, "cap {cap}: {:?}", outcome.stops);
    }
    let short = Ladder::new([(1, Approach::SameFix), (2, Approach::Reground)]);
    let outcome = Judged::new(aep(2).with_ladder(short)).play(&words[..3], &[]);
    assert_eq!(
        (outcome.budget.iterations.spent, outcome.granted),
        (2, 0),
        "re-ground has its turn within the cap"
    );
}

#[test]
fn r14_a_fresh_generator_is_given_only_what_persists() {
    let keys = |names: &[&str]| names.iter().map(|name| FindingKey::new(*name).unwrap()).collect::<Vec<_>>();
    let words: Vec<_> = [&["a"][..], &["a", "b"], &["a", "b"], &["b", "c"], &["b", "d"], &["b"], &["b"]]
        .into_iter()
        .map(|names| said("0.5").with_findings(keys(names)))
        .collect();
    let mut run = Judged::new(LoopContract::of(Preset::Aep).with_rubric(rubric("0.75")));
    run.play(&words, &[]);
    let fresh = run.commands.iter().find_map(|command| match command {
        Command::Revise { approach: Approach::FreshGenerator, findings, .. } => Some(findings.clone()),
        _ => None,
    });
    assert_eq!(fresh.unwrap().into_iter().collect::<Vec<_>>(), keys(&["b"]));
}
