//! The worked histories of `testdata/loop`, each played through the engine. The files say everything that decides, so that
//! any other implementation can run them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod world;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use trueup_contract::{
    FaultKind, FindingKey, Judgement, LimitSource, Limits, LoopContract, Preset, SkipClass,
};
use trueup_loop_core::{Command, Engine, Event, Rejection, Step};
use trueup_rubric::{Aggregation, Axis, Overall, Reading, Rubric, Scorecard};
use trueup_score::{Better, Points, Scale};
use world::{answer, failed, state, turn};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    history: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    why: String,
    preset: String,
    cap: Option<u32>,
    #[serde(default)]
    strict: bool,
    rounds: Vec<Round>,
    approaches: Option<Vec<String>>,
    stops: Vec<String>,
    status: String,
    label: Option<String>,
    iterations: u32,
    #[serde(default)]
    granted: u32,
    #[serde(default)]
    literal: u32,
    best: Option<u32>,
}

/// What iteration N comes to.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Round {
    score: Option<String>,
    ids: Vec<String>,
    scores: Option<BTreeMap<String, String>>,
    findings: Option<Vec<String>>,
    blocked: Option<String>,
    rejected: Option<String>,
    slice: Option<String>,
    capture_failed: bool,
    no_change: bool,
    disputed: bool,
    /// The state before is evaluated again, and nothing is revised.
    confirms: bool,
}

fn contract(case: &Case) -> LoopContract {
    let preset = Preset::from_name(&case.preset).unwrap_or_else(|| panic!("{}: no such preset", case.preset));
    let axes = |min: i64, max: i64, names: &[&str]| {
        let scale = Scale::new(Points::from_whole(min), Points::from_whole(max), Better::Higher).unwrap();
        Rubric::new(names.iter().map(|name| Axis::new(*name, scale))).unwrap()
    };
    let three = Points::from_whole(3);
    let contract = match preset {
        Preset::Moai => {
            let overall = Overall::new(Aggregation::Mean).with_threshold("0.75".parse().unwrap());
            LoopContract::moai(axes(0, 1, &["a"]).with_overall(overall).unwrap())
        }
        Preset::Framesmith => {
            let rubric = axes(1, 5, &["a", "b"]).with_floors(three).unwrap();
            LoopContract::framesmith(rubric.with_overall(Overall::new(Aggregation::Mean)).unwrap())
        }
        Preset::Aep => LoopContract::aep(axes(1, 5, &["a"]).with_floors(three).unwrap()),
        preset => LoopContract::of(preset),
    };
    let mut limits = Limits::of(preset);
    if let Some(cap) = case.cap {
        let text = cap.to_string();
        limits.iterations = preset.iteration_range().resolve([(LimitSource::Flag, Some(text.as_str()))]);
        assert_eq!(limits.iterations.value(), cap, "{}: the preset allows no such cap", case.name);
    }
    let contract = contract.with_limits(limits);
    if case.strict { contract.strict() } else { contract }
}

fn class(name: &str) -> SkipClass {
    match name {
        "security" => SkipClass::Security,
        "spec-contradiction" => SkipClass::SpecContradiction,
        "missing-access" => SkipClass::MissingAccess,
        other => panic!("{other} is no class"),
    }
}

fn judgement(round: &Round) -> Judgement {
    let scores = round.scores.as_ref().unwrap_or_else(|| panic!("nothing is scored in this round"));
    let card = scores.iter().fold(Scorecard::new(), |card, (axis, score)| {
        card.with(axis.clone(), Reading::Scored(score.parse().unwrap()))
    });
    let mut judgement = Judgement::new(card);
    if let Some(findings) = &round.findings {
        judgement = judgement.with_findings(findings.iter().map(|key| FindingKey::new(key.clone()).unwrap()));
    }
    match &round.blocked {
        Some(blocked) => judgement.with_blocked(class(blocked)),
        None => judgement,
    }
}

fn revision(iteration: u32, round: &Round) -> Event {
    let note = String::new();
    if let Some(why) = &round.rejected {
        let why = match why.as_str() {
            "literal" => Rejection::Literal,
            "malformed" => Rejection::Malformed,
            "destructive" => Rejection::Destructive,
            other => panic!("{other} is no rejection"),
        };
        return Event::Rejected { why, note };
    }
    match (&round.blocked, &round.slice) {
        (Some(blocked), _) if round.scores.is_none() => Event::Blocked { class: class(blocked), note },
        (_, Some(landed)) => Event::SliceRevised {
            state: state(iteration),
            note,
            split: vec![landed.clone(), "the rest".to_owned()],
            landed: landed.clone(),
        },
        _ if round.no_change => Event::NothingToRevise { note },
        _ if round.disputed => Event::Disputed { note },
        _ => Event::Revised { state: state(iteration), note },
    }
}

fn event(command: &Command, rounds: &[Round]) -> Event {
    let round = |iteration: u32| {
        rounds.get(iteration as usize).unwrap_or_else(|| panic!("the history has no round {iteration}"))
    };
    match command {
        Command::Revise { iteration, .. } => {
            assert!(!round(*iteration).confirms, "round {iteration} was to be evaluated again, not revised");
            revision(*iteration, round(*iteration))
        }
        Command::Capture { iteration, .. } if round(*iteration).capture_failed => failed(FaultKind::Rejected),
        Command::Capture { .. } => Event::Captured,
        Command::Compare { iteration, .. } => {
            let round = round(*iteration);
            let ids = if round.ids.is_empty() { "-".to_owned() } else { round.ids.concat() };
            answer(command, &vec![turn(round.score.as_ref().unwrap(), &ids); *iteration as usize + 1])
        }
        Command::Judge { iteration, .. } => Event::Judged { judgement: judgement(round(*iteration)) },
        Command::Ask { .. } => Event::NobodyToAsk,
        command => answer(command, &[]),
    }
}

fn play(case: &Case) {
    let contract = contract(case);
    let (name, preset) = (format!("{} ({})", case.name, case.why), contract.preset());
    let mut engine = Engine::new(contract);
    let mut approaches = Vec::new();
    let outcome = loop {
        match engine.step() {
            Step::Persist(charge) => {
                let attempt = charge.attempt();
                let command = engine.commit(charge).unwrap();
                if let Command::Revise { approach, .. } = &command {
                    approaches.push(approach.to_string());
                }
                engine.apply(attempt, event(&command, &case.rounds)).unwrap();
            }
            Step::Wait => panic!("every command was answered"),
            Step::Done(outcome) => break outcome,
        }
    };
    let stops: Vec<&str> = outcome.stops.iter().map(|stop| stop.as_str()).collect();
    assert_eq!(stops, case.stops, "{name}");
    assert_eq!(outcome.status().as_str(), case.status, "{name}");
    assert_eq!(outcome.budget.iterations.spent, case.iterations, "{name}");
    assert_eq!(outcome.granted, case.granted, "{name}");
    assert_eq!(outcome.literal_patches_reverted, case.literal, "{name}");
    assert_eq!(outcome.best.map(|best| best.iteration), case.best, "{name}");
    if case.best.is_some() {
        assert_eq!(engine.history().iterations().len(), case.rounds.len(), "{name}: every round was played");
    }
    if let Some(label) = &case.label {
        assert_eq!(preset.label(outcome.stops[0]), label, "{name}");
    }
    if let Some(expected) = &case.approaches {
        assert_eq!(&approaches, expected, "{name}");
    }
}

#[test]
fn worked_histories_come_to_what_their_documents_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/loop");
    let mut played = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let file: File = toml::from_str(&fs::read_to_string(&path).unwrap())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for case in &file.history {
            play(case);
            *played.entry(case.preset.clone()).or_insert(0) += 1;
        }
    }
    for preset in Preset::ALL {
        assert!(
            played.get(preset.as_str()).is_some_and(|count| *count >= 3),
            "{preset} needs its own: {played:?}"
        );
    }
}
