//! The loop contract: what a run keeps, reaches and stops at.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use trueup_rubric::{Overall, Rubric};
use trueup_score::Points;

use crate::{
    Budget, Detector, Digest, EveryIterationIsRecorded, Excuses, History, Invariant, Ladder, Limits, Measure,
    NothingBeyondItsLimit, Preset, Progress, Stop, Terminate, View,
};

/// How much better a state must be to become the best one, where measuring has noise.
///
/// The default asks for any improvement, as is right where the same state always measures the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[expect(clippy::exhaustive_structs, reason = "set by name, with a default for the rest")]
pub struct Acceptance {
    /// Points that a gain must reach.
    pub min_effect: Points,
    /// Standard errors that a gain must reach, in tenths: 20 is two standard errors. Where the judge gives no standard error,
    /// the minimum effect alone decides.
    pub standard_errors_tenths: u32,
    /// A verdict this near a floor or the threshold is judged again, and passes only if it passes again.
    pub near: Points,
    /// How often a near verdict is judged again.
    pub confirmations: u32,
    /// Whether a new best is judged again before it becomes what others must beat, so that luck is no baseline.
    pub rejudge_best: bool,
}

impl Acceptance {
    /// The gain that is asked for with this standard error: the larger of the two demands, rounded up.
    #[must_use]
    pub fn bar(&self, standard_error: Option<Points>) -> Points {
        let micros = standard_error.map_or(0, |error| i128::from(error.micros().max(0)));
        let demanded = (micros * i128::from(self.standard_errors_tenths) + 9) / 10;
        let demanded = Points::from_micros(i64::try_from(demanded).unwrap_or(i64::MAX));
        self.min_effect.max(demanded)
    }
}

/// What happens when a rule says that the loop may not go on (R15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "it ends, or somebody is asked")]
pub enum Exhaust {
    /// The run ends.
    Stop,
    /// A person is asked; with nobody to ask, the run waits as `needs-human` and can be resumed.
    Ask,
}

/// What a run keeps, reaches and stops at.
///
/// Two contracts are equal when everything that decides is the same, and the numbers of their limits.
#[derive(Clone, Debug)]
pub struct LoopContract {
    preset: Preset,
    limits: Limits,
    detectors: Vec<Detector>,
    rules: Vec<Arc<dyn Terminate>>,
    invariants: Vec<Arc<dyn Invariant>>,
    progress: Arc<dyn Progress>,
    asks: BTreeSet<Stop>,
    rubric: Option<Rubric>,
    criteria: BTreeSet<String>,
    sprint: Option<String>,
    judged_alone: bool,
    min_rounds: u32,
    ladder: Option<Ladder>,
    acceptance: Acceptance,
    excuses: Excuses,
}

impl PartialEq for LoopContract {
    fn eq(&self, other: &Self) -> bool {
        self.digest() == other.digest() && self.limits == other.limits
    }
}

impl Eq for LoopContract {}

impl LoopContract {
    /// The contract of a preset with its own limits. Those that are judged alone still need a rubric:
    /// [`check`](Self::check) says so.
    #[must_use]
    pub fn of(preset: Preset) -> Self {
        let small = Points::from_micros(50_000);
        let (detectors, measure, asks): (Vec<Detector>, Measure, &[Stop]) = match preset {
            Preset::Trueup | Preset::PixelLoop => (
                vec![
                    Detector::RepeatedIds { window: 3, unless_improved: preset == Preset::Trueup },
                    Detector::NonDecreasing { span: 3 },
                ],
                Measure::OpenScore,
                &[],
            ),
            Preset::Moai => (
                vec![Detector::SmallDeltas { below: small, times: 2 }, Detector::UnpassedSince { rounds: 3 }],
                Measure::Overall,
                &[Stop::Stalled, Stop::CapExhausted, Stop::Escalation],
            ),
            Preset::Framesmith => (vec![Detector::NoImprovement], Measure::Overall, &[]),
            Preset::Aep => (
                vec![Detector::SameFindings { rounds: 3 }],
                Measure::Shortfall,
                &[Stop::CapExhausted, Stop::LadderExhausted, Stop::Escalation],
            ),
        };
        Self {
            preset,
            limits: Limits::of(preset),
            detectors,
            rules: Vec::new(),
            invariants: vec![Arc::new(EveryIterationIsRecorded), Arc::new(NothingBeyondItsLimit)],
            progress: Arc::new(measure),
            asks: asks.iter().copied().collect(),
            rubric: None,
            criteria: BTreeSet::new(),
            sprint: None,
            judged_alone: preset.is_judged_alone(),
            min_rounds: 1,
            ladder: (preset == Preset::Aep).then(Ladder::aep),
            acceptance: Acceptance::default(),
            excuses: Excuses::default(),
        }
    }

    /// Ours; see [`Preset::Trueup`].
    #[must_use]
    pub fn trueup() -> Self {
        Self::of(Preset::Trueup)
    }

    /// pixel-loop's; see [`Preset::PixelLoop`].
    #[must_use]
    pub fn pixel_loop() -> Self {
        Self::of(Preset::PixelLoop)
    }

    /// MoAI's; see [`Preset::Moai`]. The rubric says how the overall is formed and what it must reach (R9).
    #[must_use]
    pub fn moai(rubric: Rubric) -> Self {
        Self::of(Preset::Moai).with_rubric(rubric)
    }

    /// framesmith's; see [`Preset::Framesmith`].
    #[must_use]
    pub fn framesmith(rubric: Rubric) -> Self {
        Self::of(Preset::Framesmith).with_rubric(rubric)
    }

    /// AEP's; see [`Preset::Aep`]. There is no overall: floors decide.
    #[must_use]
    pub fn aep(rubric: Rubric) -> Self {
        Self::of(Preset::Aep).with_rubric(rubric)
    }

    /// The contract with other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The contract with other rules that see no progress.
    #[must_use]
    pub fn with_detectors(self, detectors: impl IntoIterator<Item = Detector>) -> Self {
        Self { detectors: detectors.into_iter().collect(), ..self }
    }

    /// The contract with a rule of the caller's own. It adds stops, and vetoes none.
    #[must_use]
    pub fn with_rule(mut self, rule: Arc<dyn Terminate>) -> Self {
        self.rules.push(rule);
        self
    }

    /// The contract with something more that must hold after every iteration.
    #[must_use]
    pub fn with_invariant(mut self, invariant: Arc<dyn Invariant>) -> Self {
        self.invariants.push(invariant);
        self
    }

    /// The contract with another idea of what is better.
    #[must_use]
    pub fn with_progress(self, progress: Arc<dyn Progress>) -> Self {
        Self { progress, ..self }
    }

    /// The contract with what happens when `stop` holds.
    #[must_use]
    pub fn with_exhaust(mut self, stop: Stop, exhaust: Exhaust) -> Self {
        match exhaust {
            Exhaust::Ask => self.asks.insert(stop),
            Exhaust::Stop => self.asks.remove(&stop),
        };
        self
    }

    /// The contract with a rubric: from now on a pass needs a judge's scorecard that meets it.
    #[must_use]
    pub fn with_rubric(self, rubric: Rubric) -> Self {
        Self { rubric: Some(rubric), ..self }
    }

    /// The contract with criteria, by their ids, each of which must be met by itself.
    #[must_use]
    pub fn with_criteria(self, ids: impl IntoIterator<Item = String>) -> Self {
        Self { criteria: ids.into_iter().collect(), ..self }
    }

    /// The contract with the hash of the frozen sprint contract: every judgement must name it.
    #[must_use]
    pub fn with_sprint(self, digest: impl Into<String>) -> Self {
        Self { sprint: Some(digest.into()), ..self }
    }

    /// The contract for a run in which a judge alone measures, and nothing is compared.
    #[must_use]
    pub fn judged_alone(self) -> Self {
        Self { judged_alone: true, ..self }
    }

    /// The contract with strict mode: a pass in the first round is judged again, on the same state (R16).
    #[must_use]
    pub fn strict(self) -> Self {
        Self { min_rounds: 2, ..self }
    }

    /// The contract with a ladder of approaches.
    #[must_use]
    pub fn with_ladder(self, ladder: Ladder) -> Self {
        Self { ladder: Some(ladder), ..self }
    }

    /// The contract with what a new best must have over the old one.
    #[must_use]
    pub fn with_acceptance(self, acceptance: Acceptance) -> Self {
        Self { acceptance, ..self }
    }

    /// The contract with open regions that are excused.
    #[must_use]
    pub fn with_excuses(self, excuses: Excuses) -> Self {
        Self { excuses, ..self }
    }

    /// The preset that it came from.
    #[must_use]
    pub const fn preset(&self) -> Preset {
        self.preset
    }

    /// What a run may spend.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The rules that see no progress.
    #[must_use]
    pub fn detectors(&self) -> &[Detector] {
        &self.detectors
    }

    /// The rules of the caller's own.
    #[must_use]
    pub fn rules(&self) -> &[Arc<dyn Terminate>] {
        &self.rules
    }

    /// What counts as better.
    #[must_use]
    pub fn progress(&self) -> &dyn Progress {
        self.progress.as_ref()
    }

    /// What happens when `stop` holds. What only a person can decide always asks.
    #[must_use]
    pub fn exhaust(&self, stop: Stop) -> Exhaust {
        let only_a_person = matches!(
            stop,
            Stop::Security | Stop::SpecContradiction | Stop::MissingAccess | Stop::Disagreement
        );
        if only_a_person || self.asks.contains(&stop) { Exhaust::Ask } else { Exhaust::Stop }
    }

    /// What a judge must score, where a judge takes part.
    #[must_use]
    pub const fn rubric(&self) -> Option<&Rubric> {
        self.rubric.as_ref()
    }

    /// Criteria that must be met, by their ids.
    #[must_use]
    pub const fn criteria(&self) -> &BTreeSet<String> {
        &self.criteria
    }

    /// The hash of the frozen sprint contract, where there is one.
    #[must_use]
    pub fn sprint(&self) -> Option<&str> {
        self.sprint.as_deref()
    }

    /// Whether a judge alone measures.
    #[must_use]
    pub const fn is_judged_alone(&self) -> bool {
        self.judged_alone
    }

    /// Evaluations that a pass needs, the baseline included.
    #[must_use]
    pub const fn min_rounds(&self) -> u32 {
        self.min_rounds
    }

    /// The ladder of approaches.
    #[must_use]
    pub const fn ladder(&self) -> Option<&Ladder> {
        self.ladder.as_ref()
    }

    /// What a new best must have over the old one.
    #[must_use]
    pub const fn acceptance(&self) -> &Acceptance {
        &self.acceptance
    }

    /// Open regions that are excused.
    #[must_use]
    pub const fn excuses(&self) -> &Excuses {
        &self.excuses
    }

    /// What does not hold that must; empty when all does.
    #[must_use]
    pub fn breaches(&self, history: &History, budget: &Budget) -> Vec<String> {
        let view = View::new(history, budget, self.progress());
        let broken = self.invariants.iter().filter_map(|invariant| {
            invariant.check(&view).err().map(|breach| format!("{}: {breach}", invariant.id()))
        });
        broken.collect()
    }

    /// Every stop that the detectors and the rules of the caller's own see.
    ///
    /// While `ladder_goes_on`, an approach is left that answers the same findings: they are no reason to stop (R14).
    #[must_use]
    pub fn guards(&self, history: &History, budget: &Budget, ladder_goes_on: bool) -> BTreeSet<Stop> {
        let view = View::new(history, budget, self.progress());
        let superseded =
            |detector: &&Detector| !(ladder_goes_on && matches!(detector, Detector::SameFindings { .. }));
        let detected = self.detectors.iter().filter(superseded).flat_map(|detector| detector.stops(&view));
        detected.chain(self.rules.iter().flat_map(|rule| rule.stops(&view))).collect()
    }

    /// The hash of everything that decides: a journal of another contract is refused by it.
    ///
    /// The numbers of the limits are left out: a resumed run keeps those that it began with.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let lines = |items: Vec<String>| items.join("\n");
        let parts = [
            ("preset", self.preset.as_str().to_owned()),
            ("detectors", lines(self.detectors.iter().map(ToString::to_string).collect())),
            ("rules", lines(self.rules.iter().map(|rule| rule.id()).collect())),
            ("invariants", lines(self.invariants.iter().map(|invariant| invariant.id()).collect())),
            ("progress", self.progress.id()),
            ("asks", lines(self.asks.iter().map(ToString::to_string).collect())),
            ("rubric", self.rubric.as_ref().map(|rubric| format!("{rubric:?}")).unwrap_or_default()),
            ("criteria", lines(self.criteria.iter().cloned().collect())),
            ("sprint", self.sprint.clone().unwrap_or_default()),
            ("judged alone", self.judged_alone.to_string()),
            ("min rounds", self.min_rounds.to_string()),
            ("ladder", self.ladder.as_ref().map(ToString::to_string).unwrap_or_default()),
            ("acceptance", format!("{:?}", self.acceptance)),
            ("excuses", self.excuses.to_string()),
        ];
        Digest::of_parts(parts.iter().map(|(name, text)| (*name, text.as_bytes())))
    }
}

impl fmt::Display for LoopContract {
    /// The table of the contract, one field a line, in the order and the columns of the documents that it comes from.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut field = |name: &str, lines: Vec<String>| -> fmt::Result {
            for (place, line) in lines.iter().enumerate() {
                let name = if place == 0 { format!("{name}:") } else { String::new() };
                writeln!(f, "{name:<9} {line}")?;
            }
            Ok(())
        };
        let mut inv: Vec<String> = self.invariants.iter().map(|invariant| invariant.id()).collect();
        inv.push(
            "the best state seen can be brought back; every charge is written before its action".to_owned(),
        );
        field("preset", vec![self.preset.to_string()])?;
        field("inv", inv)?;
        field("prog", vec![self.progress.id()])?;
        let mut no_prog: Vec<String> = self.detectors.iter().map(ToString::to_string).collect();
        no_prog.extend(self.rules.iter().map(|rule| rule.id()));
        no_prog.push("a patch is never applied again to the same open regions".to_owned());
        field("no-prog", no_prog)?;
        field("term", self.term())?;
        field("budget", vec![self.limits.to_string()])?;
        let asks: Vec<&str> = self.asks.iter().map(|stop| self.preset.label(*stop)).collect();
        let exhaust = if asks.is_empty() {
            "stop, keep the best state, and name the residual regions; never ask".to_owned()
        } else {
            format!("ask a person on {}; on all else stop and keep the best state", asks.join(", "))
        };
        field("exhaust", vec![exhaust])?;
        field("resume", vec!["the journal, with all that was spent".to_owned()])?;
        write!(f, "{:<9} [N/CAP] step  score A → B · K open regions (channels=…)", "log:")
    }
}

impl LoopContract {
    fn term(&self) -> Vec<String> {
        let pass = if self.judged_alone { "the judge's verdict passes" } else { "all labels pass" };
        let mut lines = vec![match (&self.rubric, self.judged_alone) {
            (Some(_), false) => format!("{pass}, and the judge's verdict passes"),
            _ => pass.to_owned(),
        }];
        if let Some(threshold) = self.rubric.as_ref().and_then(Rubric::overall).and_then(Overall::threshold) {
            lines.push(format!("and the overall is at least {threshold}"));
        }
        if !self.criteria.is_empty() {
            lines.push(format!("and each of {} criteria is met", self.criteria.len()));
        }
        if self.min_rounds > 1 {
            lines.push(format!("and it was evaluated {} times", self.min_rounds));
        }
        if let Some(ladder) = &self.ladder {
            lines.push(format!("or the ladder is spent: {ladder}"));
        }
        lines.push("or a stop holds; the first in the order of decision is the status".to_owned());
        lines
    }
}
