//! Verdicts, and which state is the best.

use trueup_contract::{FaultKind, Held, Iteration, IterationKind, Judgement, Measurement, StateId};
use trueup_score::{Points, Truth};

use crate::command::{Command, JudgeWhy, Rung};
use crate::decide::Seen;
use crate::event::PortFault;
use crate::phase::{Phase, Purpose};
use crate::standing::Standing;
use crate::{Engine, Node, Note};

/// `below: calm; not seen: order`; nothing where nothing is wrong.
fn told(held: &Held) -> String {
    let mut parts = Vec::new();
    for (what, names) in [("below", &held.failing), ("not seen", &held.unseen)] {
        if !names.is_empty() {
            parts.push(format!("{what}: {}", names.join(", ")));
        }
    }
    parts.join("; ")
}

impl Engine {
    pub(crate) fn begin_judging(&mut self) {
        self.judgements.clear();
        self.why = match self.purpose {
            Purpose::Iterate => JudgeWhy::Score,
            Purpose::Rebaseline | Purpose::Rejudge => JudgeWhy::Rebaseline,
        };
        self.phase = Phase::Judge;
    }

    pub(crate) fn judged(&mut self, command: &Command, judgement: Judgement, notes: &mut Vec<Note>) {
        let held = self.contract.hold(&judgement);
        let text = told(&held);
        self.note(notes, Node::Judge, Some(held.judged.truth), text.clone());
        if held.judged.truth == Truth::Undetermined {
            // What was not scored cannot be decided on, and asking again may help.
            self.unscored(command, text, notes);
            return;
        }
        self.judgements.push(judgement);
        let Some((held, standard_error)) = self.worst() else { return };
        if let Some(why) = self.judge_again(&held, standard_error) {
            self.why = why;
            return;
        }
        self.blocked.extend(self.judgements.iter().flat_map(|one| &one.blocked).map(|class| class.stop()));
        self.conclude_measured(Some(held), standard_error, notes);
    }

    fn unscored(&mut self, command: &Command, text: String, notes: &mut Vec<Note>) {
        let fault = PortFault::new(FaultKind::Transient, text);
        self.carried_out(command.clone(), crate::Event::Failed { fault }, notes);
    }

    /// The worst of what was said of the state: chance has to be lucky each time to make a pass.
    fn worst(&self) -> Option<(Held, Option<Points>)> {
        let held =
            self.judgements.iter().map(|judgement| (self.contract.hold(judgement), judgement.standard_error));
        held.min_by_key(|(held, _)| {
            let entry = self.entry(held);
            // What cannot be ranked is worse than anything that can.
            self.contract.progress().merit(&entry)
        })
    }

    /// What the iteration would come to with this verdict.
    fn entry(&self, held: &Held) -> Iteration {
        let state = self.current.clone().unwrap_or_else(|| StateId::of_parts([]));
        let mut entry = Iteration::unknown(self.iteration, state, IterationKind::Measured);
        let compared = self.measured.as_ref().map_or(Truth::Pass, Measurement::truth);
        entry.truth = compared.and(held.judged.truth);
        entry.score = self.measured.as_ref().and_then(Measurement::score);
        entry.judged = Some(held.judged.clone());
        entry
    }

    /// Whether the state is to be judged again, and why; spends a further judgement.
    fn judge_again(&mut self, held: &Held, standard_error: Option<Points>) -> Option<JudgeWhy> {
        let acceptance = *self.contract.acceptance();
        let said = self.judgements.len();
        let near = self.judgements.first().is_some_and(|first| self.contract.is_near(first));
        if near && said <= acceptance.confirmations as usize && self.budget.judge_calls.take() {
            return Some(JudgeWhy::ConfirmNear);
        }
        if !acceptance.rejudge_best || said > 1 || self.purpose != Purpose::Iterate {
            return None;
        }
        let entry = self.entry(held);
        let standing = Standing::of(&entry, None, None, self.contract.progress())?;
        let best = self.best.as_ref().is_none_or(|best| standing.beats(best, &acceptance, standard_error));
        (best && self.budget.judge_calls.take()).then_some(JudgeWhy::ConfirmBest)
    }

    /// The end of a chain that has seen its state.
    pub(crate) fn conclude_measured(
        &mut self,
        held: Option<Held>,
        standard_error: Option<Points>,
        notes: &mut Vec<Note>,
    ) {
        let Some(state) = self.current.clone() else { return };
        let measurement = self.measured.take();
        let judged = held.as_ref().map_or(Truth::Pass, |held| held.judged.truth);
        let compared = match &measurement {
            Some(measurement) => measurement.truth(),
            None if self.contract.is_judged_alone() => Truth::Pass,
            None => Truth::Undetermined,
        };
        let kind = if self.purpose == Purpose::Iterate {
            IterationKind::Measured
        } else {
            IterationKind::Rebaselined
        };
        let mut entry = Iteration::unknown(self.iteration, state, kind);
        entry.truth = compared.and(judged);
        entry.score = measurement.as_ref().and_then(Measurement::score);
        entry.delta_ids = measurement.as_ref().filter(|_| entry.score.is_some()).map(Measurement::delta_ids);
        entry.judged = held.as_ref().map(|held| held.judged.clone());
        let seen = Seen {
            truth: entry.truth,
            nothing_compared: measurement.as_ref().is_some_and(|measured| measured.channels().is_empty()),
            design_side: measurement.as_ref().is_some_and(|measured| {
                measured.not_comparable().next().is_some()
                    && measured.comparable_truth().and(judged).is_pass()
            }),
        };
        let mut standing = Standing::of(&entry, measurement, held, self.contract.progress());
        if let (Some(standing), Some(stale)) = (&mut standing, &self.stale) {
            // It was reached when it was reached, however often it is measured.
            standing.iteration = stale.iteration;
        }
        if self.purpose == Purpose::Rejudge {
            // The iteration that this interrupted is decided on as it was seen.
            self.stale = None;
            self.contend(standing, standard_error);
            self.purpose = Purpose::Iterate;
            self.decide(notes);
            return;
        }
        self.seen = Some(seen);
        let another_judge = self.recognise_judge();
        self.history.push(entry);
        if another_judge {
            self.history.begin_epoch_with_last();
            self.stale = self.best.take();
            self.note(
                notes,
                Node::Judge,
                None,
                "another judge: scores before it are not compared".to_owned(),
            );
        }
        self.purpose = Purpose::Iterate;
        let first = self.best.is_none();
        let stands = self.contend(standing, standard_error);
        if let Some(split) = self.split.as_mut().filter(|_| self.slicing) {
            split.stands = stands && !first;
        }
        if another_judge && self.rejudge_stale() {
            return;
        }
        self.decide(notes);
    }

    /// Takes a standing as the best one where it is.
    fn contend(&mut self, standing: Option<Standing>, standard_error: Option<Points>) -> bool {
        let Some(standing) = standing else { return false };
        let acceptance = self.contract.acceptance();
        let best = self.best.as_ref().is_none_or(|best| standing.beats(best, acceptance, standard_error));
        if best {
            self.best = Some(standing);
        }
        best
    }

    /// Whether somebody else judged than before (R20). Who does not say who judges is taken for the same.
    fn recognise_judge(&mut self) -> bool {
        let Some(judge) = self.judgements.last().and_then(|judgement| judgement.judge.clone()) else {
            return false;
        };
        let before = self.judge.replace(judge);
        before.is_some() && before != self.judge
    }

    /// Has the state that was best under another judge judged again, where that can be done.
    fn rejudge_stale(&mut self) -> bool {
        let Some(stale) = self.stale.take() else { return false };
        if self.best.as_ref().is_some_and(|best| best.state == stale.state) {
            return false;
        }
        if !self.budget.judge_calls.take() {
            self.unjudged = true;
            return false;
        }
        self.purpose = Purpose::Rejudge;
        self.rung = Rung::Reload;
        self.stale = Some(stale);
        let there = self.destination() == self.current.as_ref();
        self.phase = if there { Phase::Capture } else { Phase::Restore };
        true
    }
}
