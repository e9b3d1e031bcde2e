//! What each answer changes.

use std::collections::BTreeSet;

use trueup_contract::{
    Channel, DeltaId, Exit, FaultKind, Gate, Iteration, IterationKind, LabelReadiness, Measurement, Passage,
    StateId, Stop,
};
use trueup_score::{Points, Truth};

use crate::command::{Command, Rung};
use crate::event::{Event, PortFault, Rejection, TrialReading};
use crate::phase::{Aside, Phase, Purpose};
use crate::{Engine, Node, Note, Split};

impl Engine {
    /// An event that answers the command that was out.
    pub(crate) fn carried_out(&mut self, command: Command, event: Event, notes: &mut Vec<Note>) {
        match (&command, event) {
            (_, Event::Failed { fault }) => self.failed(&command, fault, notes),
            (_, Event::Read { state, labels }) => self.read(state, &labels, notes),
            (Command::Restore { to }, _) => self.restored(to.clone(), notes),
            (Command::Revise { targets, .. }, Event::Revised { state, note }) => {
                self.revised(targets.clone(), state, note, notes);
            }
            (Command::Revise { targets, .. }, Event::SliceRevised { state, note, split, landed }) => {
                self.sliced(targets.clone(), state, note, split, landed, notes);
            }
            (_, Event::Rejected { why, note }) => self.rejected(why, &note, notes),
            (_, Event::NothingToRevise { note }) => self.nothing_to_revise(note, notes),
            (_, Event::Disputed { note }) => {
                self.blocked.insert(Stop::Disagreement);
                self.nothing_to_revise(format!("it holds that the state passes: {note}"), notes);
            }
            (_, Event::Blocked { class, note }) => {
                self.blocked.insert(class.stop());
                self.nothing_to_revise(note, notes);
            }
            (Command::Reload { rung }, _) => {
                self.note(notes, Node::Reload, None, format!("{rung:?}").to_lowercase());
                self.phase = Phase::Capture;
            }
            (Command::Capture { .. }, _) => self.captured(notes),
            (_, Event::Compared { measurement }) => self.compared(measurement, notes),
            (_, Event::Judged { judgement }) => self.judged(&command, judgement, notes),
            (_, Event::NobodyToAsk) => self.nobody_to_ask(notes),
            // `allow` lets nothing else through.
            (_, _) => {}
        }
    }

    /// The end of a trial, or of bringing back what renders for one.
    pub(crate) fn aside_ended(&mut self, aside: &Aside, event: &Event) {
        self.lost = matches!(
            (aside, event),
            (Aside::Trial(_), Event::Tried { reading: TrialReading::Lost })
                | (Aside::Recovery, Event::Failed { .. })
        );
    }

    fn read(&mut self, state: StateId, labels: &[LabelReadiness], notes: &mut Vec<Note>) {
        let many = if labels.len() == 1 { "label" } else { "labels" };
        self.note(notes, Node::Read, None, format!("{} {many}, state {}", labels.len(), state.short()));
        self.initial = Some(state.clone());
        self.current = Some(state);
        if let Err(error) = self.contract.check() {
            self.fault = Some(error.to_string());
            self.finish(vec![Stop::InvariantBreach]);
            return;
        }
        let problems: Vec<String> = labels
            .iter()
            .filter_map(|label| Some(format!("{}: {}", label.label(), label.problem()?)))
            .collect();
        // Where a judge alone measures, there is no reference that must be readable.
        let readable = self.contract.is_judged_alone() || problems.len() < labels.len();
        let truth = if readable { Truth::Pass } else { Truth::Undetermined };
        let text =
            if problems.is_empty() { "every reference can be read".to_owned() } else { problems.join("; ") };
        self.note(notes, Node::ReadGate, Some(truth), text.clone());
        let stop = if labels.is_empty() { Stop::NoComparableChannel } else { Stop::ReferenceUnreadable };
        match Gate::new(Node::ReadGate.as_str(), Exit::Out(stop), Exit::Out(stop)).decide(Some(truth)) {
            Passage::Through => self.phase = Phase::Capture,
            Passage::Not(_) => {
                self.fault = Some(text);
                self.finish(vec![stop]);
            }
        }
    }

    fn restored(&mut self, to: StateId, notes: &mut Vec<Note>) {
        self.note(notes, Node::Restore, None, format!("state {}", to.short()));
        self.current = Some(to);
        self.phase = match (self.phase, self.purpose) {
            (Phase::RestoreAtEnd, _) => self.at_rest(),
            (_, Purpose::Iterate) => Phase::Revise,
            (_, Purpose::Rebaseline | Purpose::Rejudge) => Phase::Reload(Rung::Reload),
        };
    }

    fn revised(&mut self, targets: BTreeSet<DeltaId>, state: StateId, text: String, notes: &mut Vec<Note>) {
        if self.current.as_ref() == Some(&state) {
            self.nothing_to_revise(text, notes);
            return;
        }
        self.note(notes, Node::Write, None, text.clone());
        self.current = Some(state.clone());
        let tried = self.tried.entry(targets).or_default();
        if tried.contains(&state) {
            self.reverted(Rejection::Repeated, &text, notes);
            return;
        }
        tried.push(state);
        self.note(notes, Node::WriteGate, Some(Truth::Pass), String::new());
        self.phase = Phase::Reload(Rung::Reload);
    }

    fn sliced(
        &mut self,
        targets: BTreeSet<DeltaId>,
        state: StateId,
        text: String,
        slices: Vec<String>,
        landed: String,
        notes: &mut Vec<Note>,
    ) {
        self.note(notes, Node::Write, None, format!("split into {}; made {landed}", slices.join(", ")));
        self.split = Some(Split { slices, landed, stands: false });
        self.slicing = true;
        self.revised(targets, state, text, notes);
    }

    fn rejected(&mut self, why: Rejection, text: &str, notes: &mut Vec<Note>) {
        self.literal_reverted += u32::from(why == Rejection::Literal);
        self.note(notes, Node::Write, None, text.to_owned());
        self.reverted(why, text, notes);
    }

    /// A charged iteration whose revision does not stand (R6).
    fn reverted(&mut self, why: Rejection, text: &str, notes: &mut Vec<Note>) {
        self.note(notes, Node::WriteGate, Some(Truth::Fail), format!("taken back: {why}"));
        self.conclude_unmeasured(IterationKind::Reverted { why: format!("{why}: {text}") }, notes);
    }

    fn nothing_to_revise(&mut self, text: String, notes: &mut Vec<Note>) {
        self.note(notes, Node::Write, None, format!("no change: {text}"));
        self.conclude_unmeasured(IterationKind::NoChange { why: text }, notes);
    }

    fn captured(&mut self, notes: &mut Vec<Note>) {
        self.note(notes, Node::Capture, None, String::new());
        self.note(notes, Node::CaptureGate, Some(Truth::Pass), "every comparable label".to_owned());
        if self.contract.is_judged_alone() {
            self.begin_judging();
        } else {
            self.phase = Phase::Compare;
        }
    }

    fn compared(&mut self, measurement: Measurement, notes: &mut Vec<Note>) {
        let before = self.history.scores().flatten().last();
        let lapsed: Vec<String> = measurement
            .open_regions()
            .filter_map(|region| Some((region, self.contract.excuses().lapsed(region)?)))
            .map(|(region, judgement)| format!("{} was {} and has changed", region.id, judgement.class))
            .collect();
        let measurement = measurement.excusing(self.contract.excuses());
        self.note(notes, Node::Compare, None, describe(&measurement, before));
        let excused = measurement
            .excused_regions()
            .map(|one| format!("{} is {}: {}", one.region.id, one.class, one.reason));
        let judged: Vec<String> = excused.chain(lapsed).collect();
        if !judged.is_empty() {
            self.note(notes, Node::JudgeRegions, None, judged.join("; "));
        }
        self.measured = Some(measurement);
        if self.contract.rubric().is_some() {
            self.begin_judging();
        } else {
            self.conclude_measured(None, None, notes);
        }
    }

    /// The end of an iteration of which nothing was measured.
    fn conclude_unmeasured(&mut self, kind: IterationKind, notes: &mut Vec<Note>) {
        let Some(state) = self.current.clone() else { return };
        self.measured = None;
        self.seen = None;
        self.history.push(Iteration::unknown(self.iteration, state, kind));
        self.decide(notes);
    }

    fn failed(&mut self, command: &Command, fault: PortFault, notes: &mut Vec<Note>) {
        self.note(notes, node_of(command), Some(Truth::Undetermined), fault.to_string());
        let restoring = matches!(command, Command::Restore { .. });
        if self.usage.reaches(self.contract.limits()) && !restoring && fault.kind != FaultKind::StateLost {
            self.fault = Some(fault.to_string());
            self.finish(vec![Stop::BudgetExhausted]);
            return;
        }
        if fault.kind.is_worth_a_retry() && self.budget.retries.take() {
            return;
        }
        if fault.kind == FaultKind::StateLost || restoring {
            self.fault = Some(fault.to_string());
            self.finish(vec![Stop::StateLost]);
            return;
        }
        match (command, fault.kind) {
            // After a resume the captures of a comparison or a judgement are taken again, and may lose the renderer, too.
            (
                Command::Capture { .. }
                | Command::Reload { .. }
                | Command::Compare { .. }
                | Command::Judge { .. },
                FaultKind::Lost,
            ) => self.climb(&fault),
            (Command::Revise { .. }, FaultKind::NotApplied) => {
                self.fault = Some(fault.to_string());
                self.finish(vec![Stop::ApplyError]);
            }
            (Command::Capture { iteration, .. }, FaultKind::Rejected)
                if *iteration > 0 && self.purpose == Purpose::Iterate =>
            {
                self.note(notes, Node::CaptureGate, Some(Truth::Fail), fault.message.clone());
                self.conclude_unmeasured(IterationKind::CaptureFailed { why: fault.message }, notes);
            }
            (Command::Revise { .. }, FaultKind::Rejected) => {
                self.rejected(Rejection::NotApplicable, &fault.message, notes);
            }
            (Command::Ask { .. }, _) => self.nobody_to_ask(notes),
            _ => {
                self.fault = Some(fault.to_string());
                self.end_without_answer(command);
            }
        }
    }

    /// A port that does not answer usefully ends the run; what is known by then still counts.
    fn end_without_answer(&mut self, command: &Command) {
        let stop = match command {
            Command::Read { .. } | Command::Compare { .. } => Stop::ComparerUnavailable,
            Command::Capture { .. } | Command::Reload { .. } => Stop::CapturerUnavailable,
            Command::Judge { .. } => Stop::JudgeUnavailable,
            Command::Revise { .. } | Command::Trial { .. } | Command::Ask { .. } => Stop::ReviserUnavailable,
            Command::Restore { .. } => Stop::StateLost,
        };
        let mut stops = vec![stop];
        if self.budget.iterations.left() == 0 {
            stops.push(Stop::CapExhausted);
        }
        self.finish(stops);
    }

    /// The next rung of the restart ladder, where one is left; none is used twice in one iteration.
    fn climb(&mut self, fault: &PortFault) {
        match self.rung.next() {
            Some(rung) if self.budget.restarts.take() => {
                self.rung = rung;
                self.phase = Phase::Reload(rung);
            }
            _ => {
                self.fault = Some(fault.to_string());
                self.finish(vec![Stop::ReloadExhausted]);
            }
        }
    }

    pub(crate) fn note(&self, notes: &mut Vec<Note>, node: Node, truth: Option<Truth>, text: String) {
        notes.push(Note::new(self.number(), self.budget.iterations.limit, node, truth, text));
    }
}

/// The step of the chain that carries out a command.
fn node_of(command: &Command) -> Node {
    match command {
        Command::Read { .. } => Node::Read,
        Command::Restore { .. } => Node::Restore,
        Command::Revise { .. } | Command::Trial { .. } => Node::Write,
        Command::Reload { .. } => Node::Reload,
        Command::Capture { .. } => Node::Capture,
        Command::Compare { .. } => Node::Compare,
        Command::Judge { .. } => Node::Judge,
        Command::Ask { .. } => Node::Ask,
    }
}

/// `score 96.0 → 0.0 · 0 open regions (channels=visual)`.
fn describe(measurement: &Measurement, before: Option<Points>) -> String {
    let print =
        |score: Option<Points>| score.map_or("unknown".to_owned(), |score| score.tenths().to_string());
    let mut text = "score ".to_owned();
    if let Some(before) = before {
        text.push_str(&format!("{} → ", before.tenths()));
    }
    let open = measurement.delta_ids().len();
    let channels: Vec<String> = measurement.channels().iter().map(Channel::to_string).collect();
    let plural = if open == 1 { "region" } else { "regions" };
    text.push_str(&format!(
        "{} · {open} open {plural} (channels={})",
        print(measurement.score()),
        channels.join(",")
    ));
    text
}
