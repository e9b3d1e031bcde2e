//! A world in which a judge alone measures, and what it says is scripted by call.

use trueup_contract::{Answer, Judgement, LabelReadiness, Limits, LoopContract, Preset};
use trueup_loop_core::{Command, Engine, Event, JudgeWhy, Outcome, Record, Step};
use trueup_rubric::{Aggregation, Axis, Overall, Reading, Rubric, Scorecard};
use trueup_score::{Better, Points, Scale};

use super::{label, state};

/// One axis from 0 to 1 that must reach `threshold` overall.
pub(crate) fn rubric(threshold: &str) -> Rubric {
    let scale = Scale::new(Points::ZERO, Points::ONE, Better::Higher).unwrap();
    let overall = Overall::new(Aggregation::Mean).with_threshold(threshold.parse().unwrap());
    Rubric::new([Axis::new("a", scale)]).unwrap().with_overall(overall).unwrap()
}

/// A judge's word on the one axis.
pub(crate) fn said(score: &str) -> Judgement {
    Judgement::new(Scorecard::new().with("a", Reading::Scored(score.parse().unwrap())))
}

pub(crate) fn capped(contract: LoopContract, cap: u32) -> LoopContract {
    let preset = contract.preset();
    let mut limits = Limits::of(preset);
    let text = cap.to_string();
    limits.iterations =
        preset.iteration_range().resolve([(trueup_contract::LimitSource::Flag, Some(text.as_str()))]);
    contract.with_limits(limits)
}

/// MoAI's numbers and a cap, but nobody is asked and nothing but the cap stops it.
pub(crate) fn plain(cap: u32) -> LoopContract {
    capped(LoopContract::of(Preset::Moai).with_rubric(rubric("0.75")).with_detectors([]), cap)
        .with_exhaust(trueup_contract::Stop::CapExhausted, trueup_contract::Exhaust::Stop)
}

/// A run under way whose judge is scripted.
pub(crate) struct Judged {
    pub(crate) engine: Engine,
    pub(crate) records: Vec<Record>,
    pub(crate) commands: Vec<Command>,
    pub(crate) whys: Vec<JudgeWhy>,
}

impl Judged {
    pub(crate) fn new(contract: LoopContract) -> Self {
        Self::of(Engine::new(contract))
    }

    pub(crate) fn of(engine: Engine) -> Self {
        Self { engine, records: Vec::new(), commands: Vec::new(), whys: Vec::new() }
    }

    /// Plays on until the run is over or waits; each judgement takes the next word, each question the next answer.
    pub(crate) fn play(&mut self, words: &[Judgement], answers: &[Answer]) -> Outcome {
        let (mut words, mut answers) = (words.iter(), answers.iter());
        loop {
            let before = self.engine.rank();
            match self.engine.step() {
                Step::Persist(charge) => {
                    self.records.push(charge.record());
                    let attempt = charge.attempt();
                    let command = self.engine.commit(charge).unwrap();
                    assert!(self.engine.rank() < before, "a charge must cost something: {command:?}");
                    self.commands.push(command.clone());
                    let event = match &command {
                        Command::Read { .. } => {
                            Event::Read { state: state(0), labels: vec![LabelReadiness::ready(label())] }
                        }
                        Command::Restore { .. } => Event::Restored,
                        Command::Reload { .. } => Event::Reloaded,
                        Command::Capture { .. } => Event::Captured,
                        Command::Revise { iteration, .. } => {
                            Event::Revised { state: state(*iteration), note: String::new() }
                        }
                        Command::Judge { why, .. } => {
                            self.whys.push(*why);
                            Event::Judged {
                                judgement: words.next().expect("the judge has no more to say").clone(),
                            }
                        }
                        Command::Ask { .. } => match answers.next() {
                            Some(answer) => Event::Answered { answer: answer.clone() },
                            None => Event::NobodyToAsk,
                        },
                        other => panic!("nobody asked for {other:?}"),
                    };
                    let before = self.engine.rank();
                    self.records.push(self.engine.apply(attempt, event).unwrap().record);
                    assert!(self.engine.rank() < before, "an event must cost something");
                }
                Step::Wait => panic!("every command was answered"),
                Step::Done(outcome) => {
                    assert_eq!(words.next(), None, "the judge was not asked as often as expected");
                    return outcome;
                }
            }
        }
    }

    /// Answers a run that waits.
    pub(crate) fn answer(&mut self, answer: Answer) {
        let (attempt, before) = (self.engine.last_attempt(), self.engine.rank());
        let applied = self.engine.apply(attempt, Event::Answered { answer }).unwrap();
        assert!(self.engine.rank() < before, "an answer must cost something");
        self.records.push(applied.record);
    }
}
