//! What comes after an iteration: another one, a question, or the end.

use trueup_contract::{
    Answer, Exhaust, History, LoopContract, Measurement, Question, StateId, Stop, StopClass, Usage, Value,
};
use trueup_score::Truth;

use crate::command::{Attempt, Command, JudgeWhy, Rung};
use crate::decide::{self, Decision, Facts};
use crate::phase::{Aside, Phase, Purpose};
use crate::{Best, Budget, Engine, Node, Note, Outcome};

impl Engine {
    pub(crate) fn decide(&mut self, notes: &mut Vec<Note>) {
        let facts = Facts {
            contract: &self.contract,
            history: &self.history,
            budget: &self.budget,
            usage: &self.usage,
            seen: self.seen,
            blocked: &self.blocked,
            slice_landed: self.slicing && self.split.as_ref().is_some_and(|split| split.stands),
            unjudged: self.unjudged,
            round: self.iteration,
            may_grant: self.grants_left > 0,
        };
        let decision = decide::decide(facts);
        let truth = self.seen.map_or(Truth::Undetermined, |seen| seen.truth);
        self.note(notes, Node::Converged, Some(truth), String::new());
        let stops = match &decision {
            Decision::Stop(stops) => stops.as_slice(),
            _ => &[],
        };
        let listed: Vec<&str> = stops.iter().map(|stop| stop.as_str()).collect();
        self.note(notes, Node::Guard, Some(Truth::from(stops.is_empty())), listed.join(", "));
        self.note(notes, Node::Record, None, String::new());
        match decision {
            Decision::Revise => self.begin_iteration(notes),
            Decision::ReviseGranted => {
                self.grants_left -= 1;
                self.granted += 1;
                self.budget.iterations.limit += 1;
                self.begin_iteration(notes);
                self.note(notes, Node::Guard, None, "granted beyond the cap, to decompose".to_owned());
            }
            Decision::Confirm => {
                self.begin_iteration(notes);
                // The state that passed is the one that is there: nothing is revised, and nothing restored.
                self.phase = Phase::Capture;
                self.note(notes, Node::Converged, None, "evaluated again, with nothing revised".to_owned());
            }
            Decision::Stop(stops) => self.stop_or_ask(stops, notes),
        }
    }

    pub(crate) fn begin_iteration(&mut self, notes: &mut Vec<Note>) {
        self.pending = true;
        self.forgone = false;
        self.keep_the_best();
        self.measured = None;
        self.judgements.clear();
        self.why = JudgeWhy::Score;
        self.purpose = Purpose::Iterate;
        self.rung = Rung::Reload;
        self.lost = false;
        self.slicing = false;
        self.blocked.clear();
        self.approach =
            self.contract.ladder().map_or_else(Default::default, |ladder| ladder.answer_to(self.iteration));
        let at_home = self.home() == self.current.as_ref();
        self.phase = if at_home { Phase::Revise } else { Phase::Restore };
        if let Some(best) = &self.best {
            let open = best.measurement.as_ref().map(Measurement::delta_ids).unwrap_or_default();
            let mut ids: Vec<String> = open.into_iter().map(String::from).collect();
            ids.extend(best.held.iter().flat_map(|held| held.failing.iter().cloned()));
            self.note(notes, Node::JudgeRegions, Some(Truth::from(!ids.is_empty())), ids.join(", "));
        }
        if self.contract.ladder().is_some() {
            self.note(notes, Node::Write, None, format!("approach: {}", self.approach));
        }
    }

    fn stop_or_ask(&mut self, mut stops: Vec<Stop>, notes: &mut Vec<Note>) {
        let asks = stops.first().is_some_and(|primary| self.contract.exhaust(*primary) == Exhaust::Ask);
        if !asks || self.budget.answers.left() == 0 {
            self.finish(stops);
            return;
        }
        let skips =
            stops.iter().any(|stop| stop.class() == StopClass::NeedsHuman && *stop != Stop::Escalation);
        if !stops.iter().any(|stop| stop.class() == StopClass::NeedsHuman) {
            stops.push(Stop::Escalation);
            stops.sort_unstable();
        }
        let why = if skips {
            "no revision can decide this; the ladder was skipped".to_owned()
        } else {
            format!("{} iterations did not come to a pass", self.iteration)
        };
        let mut question = Question::new(self.iteration, stops.clone(), why);
        if let Some(ladder) = self.contract.ladder().filter(|_| !skips) {
            question = question.with_ladder(ladder.history(self.iteration));
        }
        self.note(notes, Node::Ask, Some(Truth::Undetermined), question.why.clone());
        self.stops = stops;
        self.question = Some(question);
        self.phase = Phase::Ask;
    }

    pub(crate) fn nobody_to_ask(&mut self, notes: &mut Vec<Note>) {
        self.note(notes, Node::Ask, None, "nobody is there to ask; the run waits".to_owned());
        let stops = std::mem::take(&mut self.stops);
        self.finish(stops);
    }

    /// `allow` has seen that the answer is one.
    pub(crate) fn answered(&mut self, answer: Answer, notes: &mut Vec<Note>) {
        self.out = None;
        self.note(notes, Node::Ask, None, answer.to_string());
        let _left = self.budget.answers.take();
        let question = self.question.take();
        let most = self.contract.limits().iterations.value().max(1);
        let needed = u32::from(self.budget.iterations.left() == 0);
        let granted = answer.more_iterations().clamp(needed, most);
        match answer {
            Answer::Continue { focus, .. } => {
                self.budget.iterations.limit = self.budget.iterations.limit.saturating_add(granted);
                self.focus = focus;
                self.go_on();
                self.begin_iteration(notes);
            }
            Answer::Adjust { contract, .. } => {
                let Some(contract) = self.others.get(&contract).cloned() else { return };
                self.budget.iterations.limit = self.budget.iterations.limit.saturating_add(granted);
                self.go_on();
                self.adjust(contract);
            }
            Answer::AcceptAsIs { by } => {
                self.accepted_by = Some(by);
                self.finish(vec![Stop::AcceptedUnconverged]);
            }
            Answer::Abort => {
                // Escalation was the question itself, where nothing else asked for it.
                let _asked = question;
                self.finish(Vec::new());
            }
        }
    }

    fn go_on(&mut self) {
        self.stops.clear();
        self.blocked.clear();
        self.unjudged = false;
        self.fault = None;
        self.history.note_answer();
    }

    /// A new epoch: what is the best state is measured again under the new contract (R20).
    fn adjust(&mut self, contract: LoopContract) {
        let limits = self.contract.limits().clone();
        self.contract = contract.with_limits(limits);
        self.history.begin_epoch();
        self.judge = None;
        self.judgements.clear();
        self.measured = None;
        self.rung = Rung::Reload;
        self.purpose = Purpose::Rebaseline;
        self.stale = self.best.take();
        let there = self.destination() == self.current.as_ref();
        self.phase = if there { Phase::Capture } else { Phase::Restore };
    }

    /// Ends the run, or has it wait, by way of the best state.
    pub(crate) fn finish(&mut self, mut stops: Vec<Stop>) {
        stops.extend(self.stops.iter().copied());
        stops.sort_unstable();
        stops.dedup();
        let lost = stops.contains(&Stop::StateLost);
        self.stops = stops;
        self.forgone |= std::mem::take(&mut self.pending);
        self.keep_the_best();
        let at_home = self.home() == self.current.as_ref();
        self.phase = if at_home || lost { self.at_rest() } else { Phase::RestoreAtEnd };
    }

    /// What was best before a new epoch is still the best that is known, where the epoch has none of its own.
    fn keep_the_best(&mut self) {
        let stale = self.stale.take();
        self.best = self.best.take().or(stale);
    }

    /// Where a run rests that does nothing more by itself.
    pub(crate) fn at_rest(&self) -> Phase {
        if self.question.is_some() { Phase::Awaiting } else { Phase::Done }
    }

    pub(crate) fn cancel(&mut self, notes: &mut Vec<Note>) {
        if matches!(self.out, Some((_, Command::Restore { .. } | Command::Revise { .. }))) {
            // What was cut short may have left anything behind.
            self.current = None;
        }
        self.out = None;
        self.aside = None;
        self.question = None;
        self.stops.clear();
        self.note(notes, Node::Record, None, "cancelled".to_owned());
        self.finish(vec![Stop::Cancelled]);
    }

    /// How the run ended, or how it would end if it ended now.
    pub(crate) fn outcome(&self) -> Outcome {
        let overall =
            |iteration: &trueup_contract::Iteration| Some(iteration.judged.as_ref()?.overall?.shown());
        Outcome {
            stops: self.stops.clone(),
            best: self.best(),
            score_history: self.history.scores().collect(),
            overall_history: self.history.iterations().iter().map(overall).collect(),
            budget: self.budget,
            usage: self.usage,
            literal_patches_reverted: self.literal_reverted,
            fault: self.fault.clone(),
            question: self.question.clone(),
            accepted_by: self.accepted_by.clone(),
            split: self.split.clone(),
            approach: self.approach,
            granted: self.granted,
        }
    }

    /// How the run ends when whoever drives it cannot go on, for the reason that `stop` names.
    #[must_use]
    pub fn interrupted(&self, stop: Stop) -> Outcome {
        let mut outcome = self.outcome();
        outcome.stops.push(stop);
        outcome.stops.sort_unstable();
        outcome.stops.dedup();
        outcome
    }

    /// The best state seen so far; valid at any moment.
    #[must_use]
    pub fn best(&self) -> Option<Best> {
        let best = self.best.as_ref().or(self.stale.as_ref())?;
        let measured = best.measurement.as_ref();
        let (residual, channels) =
            measured.map(|measured| (measured.delta_ids(), measured.channels())).unwrap_or_default();
        let not_comparable = measured.into_iter().flat_map(|measured| measured.not_comparable());
        let excused = measured.into_iter().flat_map(|measured| measured.excused_regions());
        Some(Best {
            state: best.state.clone(),
            iteration: best.iteration,
            score: measured.and_then(Measurement::score),
            overall: best.held.as_ref().and_then(|held| held.judged.overall).map(Value::shown),
            residual,
            failing: best.held.as_ref().map(|held| held.failing.clone()).unwrap_or_default(),
            channels,
            not_comparable: not_comparable.map(|(label, why)| (label.to_string(), why.to_owned())).collect(),
            excused: excused
                .map(|one| format!("{} is {}: {}, says {}", one.region.id, one.class, one.reason, one.by))
                .collect(),
        })
    }

    /// What was measured of the best state; what a revision works from. `None` where a judge alone measures.
    #[must_use]
    pub fn best_measurement(&self) -> Option<&Measurement> {
        self.best.as_ref().and_then(|best| best.measurement.as_ref())
    }

    /// The command that is out, to be carried out again after a resume.
    #[must_use]
    pub fn outstanding(&self) -> Option<(Attempt, &Command)> {
        self.out.as_ref().map(|(attempt, command)| (*attempt, command))
    }

    /// The trial that is out.
    #[must_use]
    pub fn outstanding_trial(&self) -> Option<(Attempt, &StateId)> {
        match &self.aside {
            Some((attempt, Aside::Trial(state))) => Some((*attempt, state)),
            _ => None,
        }
    }

    /// Bringing back what renders, when that is out beside a reviser at work.
    #[must_use]
    pub fn outstanding_recovery(&self) -> Option<(Attempt, Rung)> {
        match &self.aside {
            Some((attempt, Aside::Recovery)) => Some((*attempt, self.rung)),
            _ => None,
        }
    }

    /// The attempt that was charged last; what a cancellation and a late answer of a person name.
    #[must_use]
    pub const fn last_attempt(&self) -> Attempt {
        Attempt(self.attempts)
    }

    /// Revisions that were taken back because they write a literal where a token belongs.
    #[must_use]
    pub const fn literal_patches_reverted(&self) -> u32 {
        self.literal_reverted
    }

    /// The contract that the run is under.
    #[must_use]
    pub const fn contract(&self) -> &LoopContract {
        &self.contract
    }

    /// What each iteration came to so far.
    #[must_use]
    pub const fn history(&self) -> &History {
        &self.history
    }

    /// What was spent so far.
    #[must_use]
    pub const fn budget(&self) -> &Budget {
        &self.budget
    }

    /// What was consumed so far.
    #[must_use]
    pub const fn usage(&self) -> &Usage {
        &self.usage
    }

    /// The newest iteration that was charged; 0 is the baseline.
    #[must_use]
    pub const fn iteration(&self) -> u32 {
        self.iteration
    }

    /// What a person has to decide, while the run asks or waits.
    #[must_use]
    pub const fn question(&self) -> Option<&Question> {
        self.question.as_ref()
    }

    /// How the work was split, when it was.
    #[must_use]
    pub const fn split(&self) -> Option<&crate::Split> {
        self.split.as_ref()
    }

    /// How the newest revision goes about it.
    #[must_use]
    pub const fn approach(&self) -> trueup_contract::Approach {
        self.approach
    }

    /// The state that the artifact is in, once it was read.
    #[must_use]
    pub const fn current(&self) -> Option<&StateId> {
        self.current.as_ref()
    }

    /// The iteration that is under way, or that was decided on.
    pub(crate) const fn number(&self) -> u32 {
        self.iteration + self.pending as u32
    }

    /// The state that the run returns to: the best one seen, or the one that it began with.
    fn home(&self) -> Option<&StateId> {
        self.best.as_ref().map(|best| &best.state).or(self.initial.as_ref())
    }

    /// The state that is wanted next: the one to measure again, or the one to return to.
    pub(crate) fn destination(&self) -> Option<&StateId> {
        let again = self.stale.as_ref().filter(|_| self.purpose != Purpose::Iterate);
        again.map(|stale| &stale.state).or_else(|| self.home())
    }
}
