//! The sprint contract: what one round of work is agreed to be, before it is done (seed 000).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use trueup_score::{Points, Truth};

use crate::Digest;

/// How a criterion of the checklist stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum CriterionStatus {
    /// Nobody has verified it yet.
    #[default]
    Pending,
    /// It was verified, with evidence.
    Passed,
    /// It was looked at and is not met.
    Failed,
    /// It failed and was put more precisely for the next sprint.
    Refined,
    /// It was added because a gap came to light.
    New,
}

/// One criterion of the checklist.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Criterion {
    /// Its id, such as `AC-01`.
    pub id: String,
    /// What must be so.
    pub criterion: String,
    /// How it is verified.
    pub verification: String,
    /// How it stands.
    pub status: CriterionStatus,
}

impl Criterion {
    /// A criterion that nobody has verified yet.
    #[must_use]
    pub fn new(id: impl Into<String>, criterion: impl Into<String>, verification: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            criterion: criterion.into(),
            verification: verification.into(),
            status: CriterionStatus::Pending,
        }
    }
}

/// A way in which the work is tried out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct TestScenario {
    /// Its id, such as `TS-01`.
    pub id: String,
    /// What is tried.
    pub description: String,
    /// With what.
    pub tool: String,
    /// By which command.
    pub command: String,
}

impl TestScenario {
    /// A scenario.
    #[must_use]
    pub fn new(
        id: impl Into<String>,
        description: impl Into<String>,
        tool: impl Into<String>,
        command: impl Into<String>,
    ) -> Self {
        Self { id: id.into(), description: description.into(), tool: tool.into(), command: command.into() }
    }
}

/// One round of negotiation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct NegotiationRound {
    /// The round, from 1.
    pub round: u32,
    /// What the generator asked to have changed.
    pub request: String,
    /// What the evaluator answered.
    pub answer: String,
    /// Whether the request was taken up.
    pub accepted: bool,
    /// Whether the brief decided, because the rounds were spent.
    #[cfg_attr(feature = "serde", serde(default))]
    pub by_brief: bool,
}

/// What one round of work is agreed to be: the content of `contract/sprint-N.json`, field by field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct SprintContract {
    /// `sprint-N`.
    pub sprint_id: String,
    /// The iteration that it is for.
    pub iteration: u32,
    /// The dimension that matters most.
    pub priority_dimension: String,
    /// What must be so.
    pub acceptance_checklist: Vec<Criterion>,
    /// How it is tried out.
    pub test_scenarios: Vec<TestScenario>,
    /// Lowest score of each dimension.
    #[cfg_attr(feature = "serde", serde(with = "conditions"))]
    pub pass_conditions: BTreeMap<String, Points>,
    /// How it came about.
    pub negotiation_history: Vec<NegotiationRound>,
    /// When it was drafted, ISO 8601; given by the caller, for nothing here reads a clock.
    pub created_at: String,
}

/// A sprint contract contradicts itself, or a change of it is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SprintError {
    kind: SprintErrorKind,
}

/// What is wrong with a sprint contract.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SprintErrorKind {
    /// There is nothing to verify.
    NoCriteria,
    /// Two criteria or scenarios have one id.
    DuplicateId {
        /// The id.
        id: String,
    },
    /// The priority is no dimension that has a pass condition.
    UnknownDimension {
        /// The dimension.
        dimension: String,
    },
    /// A verdict names a criterion that the contract does not have.
    UnknownCriterion {
        /// The id.
        id: String,
    },
    /// The rounds of negotiation are spent: the brief decides.
    RoundsSpent {
        /// Rounds that were allowed.
        allowed: u32,
    },
    /// A criterion that had passed is left out of the next contract.
    DroppedCriterion {
        /// The id.
        id: String,
    },
}

impl SprintError {
    const fn new(kind: SprintErrorKind) -> Self {
        Self { kind }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &SprintErrorKind {
        &self.kind
    }
}

impl fmt::Display for SprintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            SprintErrorKind::NoCriteria => {
                f.write_str("the acceptance checklist is empty: there is nothing to verify")
            }
            SprintErrorKind::DuplicateId { id } => {
                write!(f, "the id {id} is there twice: each needs one of its own")
            }
            SprintErrorKind::UnknownDimension { dimension } => {
                write!(f, "the priority dimension {dimension:?} has no pass condition")
            }
            SprintErrorKind::UnknownCriterion { id } => {
                write!(f, "the criterion {id} is not in the contract: nothing outside it is scored")
            }
            SprintErrorKind::RoundsSpent { allowed } => {
                write!(f, "the {allowed} rounds of negotiation are spent: the brief decides")
            }
            SprintErrorKind::DroppedCriterion { id } => {
                write!(f, "the criterion {id} has passed and must be carried forward and verified again")
            }
        }
    }
}

impl std::error::Error for SprintError {}

impl SprintContract {
    /// A draft of the evaluator side, with an empty checklist.
    #[must_use]
    pub fn draft(number: u32, priority_dimension: impl Into<String>, created_at: impl Into<String>) -> Self {
        Self {
            sprint_id: format!("sprint-{number}"),
            iteration: number,
            priority_dimension: priority_dimension.into(),
            acceptance_checklist: Vec::new(),
            test_scenarios: Vec::new(),
            pass_conditions: BTreeMap::new(),
            negotiation_history: Vec::new(),
            created_at: created_at.into(),
        }
    }

    /// The draft with one more criterion.
    #[must_use]
    pub fn with_criterion(mut self, criterion: Criterion) -> Self {
        self.acceptance_checklist.push(criterion);
        self
    }

    /// The draft with one more scenario.
    #[must_use]
    pub fn with_scenario(mut self, scenario: TestScenario) -> Self {
        self.test_scenarios.push(scenario);
        self
    }

    /// The draft with the lowest score of a dimension.
    #[must_use]
    pub fn with_pass_condition(mut self, dimension: impl Into<String>, least: Points) -> Self {
        self.pass_conditions.insert(dimension.into(), least);
        self
    }

    /// Checks that it can be worked under.
    ///
    /// # Errors
    /// When the checklist is empty, an id is there twice, or the priority has no pass condition.
    pub fn check(&self) -> Result<(), SprintError> {
        if self.acceptance_checklist.is_empty() {
            return Err(SprintError::new(SprintErrorKind::NoCriteria));
        }
        let mut ids = BTreeSet::new();
        let criteria = self.acceptance_checklist.iter().map(|criterion| &criterion.id);
        let all = criteria.chain(self.test_scenarios.iter().map(|scenario| &scenario.id));
        if let Some(twice) = all.into_iter().find(|id| !ids.insert(id.as_str())) {
            return Err(SprintError::new(SprintErrorKind::DuplicateId { id: twice.clone() }));
        }
        if !self.pass_conditions.contains_key(&self.priority_dimension) {
            let dimension = self.priority_dimension.clone();
            return Err(SprintError::new(SprintErrorKind::UnknownDimension { dimension }));
        }
        Ok(())
    }

    /// The ids of its criteria, for [`LoopContract::with_criteria`](crate::LoopContract::with_criteria).
    #[must_use]
    pub fn criteria(&self) -> BTreeSet<String> {
        self.acceptance_checklist.iter().map(|criterion| criterion.id.clone()).collect()
    }

    /// The hash of what was agreed, which every verdict must name (R20). How criteria stand, and how the agreement came
    /// about, are not part of it: the same contract has one hash before and after it was scored.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut parts = vec![
            ("sprint", self.sprint_id.clone()),
            ("iteration", self.iteration.to_string()),
            ("priority", self.priority_dimension.clone()),
        ];
        for Criterion { id, criterion, verification, status: _ } in &self.acceptance_checklist {
            parts.extend([
                ("id", id.clone()),
                ("criterion", criterion.clone()),
                ("verification", verification.clone()),
            ]);
        }
        for TestScenario { id, description, tool, command } in &self.test_scenarios {
            parts.extend([("id", id.clone()), ("description", description.clone())]);
            parts.extend([("tool", tool.clone()), ("command", command.clone())]);
        }
        for (dimension, least) in &self.pass_conditions {
            parts.extend([("dimension", dimension.clone()), ("least", least.to_string())]);
        }
        Digest::of_parts(parts.iter().map(|(name, text)| (*name, text.as_bytes())))
    }

    /// Takes what an evaluator found for each criterion. What it does not name stays as it is.
    ///
    /// # Errors
    /// When it names a criterion that the contract does not have. Nothing is changed then.
    pub fn record(&mut self, found: &BTreeMap<String, Truth>) -> Result<(), SprintError> {
        let known = self.criteria();
        if let Some(outside) = found.keys().find(|id| !known.contains(*id)) {
            return Err(SprintError::new(SprintErrorKind::UnknownCriterion { id: outside.clone() }));
        }
        for criterion in &mut self.acceptance_checklist {
            match found.get(&criterion.id) {
                Some(Truth::Pass) => criterion.status = CriterionStatus::Passed,
                Some(Truth::Fail) => criterion.status = CriterionStatus::Failed,
                // What was not verified has neither passed nor failed.
                Some(Truth::Undetermined) => criterion.status = CriterionStatus::Pending,
                None => {}
            }
        }
        Ok(())
    }

    /// Criteria that had passed in `before` and fail now: regressions.
    #[must_use]
    pub fn regressions<'a>(&'a self, before: &Self) -> Vec<&'a Criterion> {
        let passed = |id: &str| {
            before
                .acceptance_checklist
                .iter()
                .any(|one| one.id == id && one.status == CriterionStatus::Passed)
        };
        let failed = self.acceptance_checklist.iter().filter(|one| one.status == CriterionStatus::Failed);
        failed.filter(|criterion| passed(&criterion.id)).collect()
    }

    /// The draft of the next sprint: what has passed is carried forward and verified again, what has failed is refined where
    /// `refined` has a new text for it by its id, and `added` is new.
    ///
    /// # Errors
    /// When a refined text is for a criterion that the contract does not have, or an id is there twice.
    pub fn next(
        &self,
        refined: &BTreeMap<String, String>,
        added: impl IntoIterator<Item = Criterion>,
        created_at: impl Into<String>,
    ) -> Result<Self, SprintError> {
        let known = self.criteria();
        if let Some(outside) = refined.keys().find(|id| !known.contains(*id)) {
            return Err(SprintError::new(SprintErrorKind::UnknownCriterion { id: outside.clone() }));
        }
        let number = self.iteration + 1;
        let mut next = Self {
            pass_conditions: self.pass_conditions.clone(),
            ..Self::draft(number, self.priority_dimension.clone(), created_at)
        };
        next.test_scenarios.clone_from(&self.test_scenarios);
        for criterion in &self.acceptance_checklist {
            let mut carried = criterion.clone();
            match refined.get(&criterion.id) {
                Some(text) => {
                    carried.criterion.clone_from(text);
                    carried.status = CriterionStatus::Refined;
                }
                // Passed stays passed until it is verified again, so that losing it is seen.
                None if criterion.status == CriterionStatus::Passed => {}
                None => carried.status = CriterionStatus::Pending,
            }
            next.acceptance_checklist.push(carried);
        }
        next.acceptance_checklist
            .extend(added.into_iter().map(|one| Criterion { status: CriterionStatus::New, ..one }));
        next.check()?;
        Ok(next)
    }

    /// Checks that nothing which has passed in `before` was left out.
    ///
    /// # Errors
    /// When something was.
    pub fn carries_forward(&self, before: &Self) -> Result<(), SprintError> {
        let known = self.criteria();
        let mut passed =
            before.acceptance_checklist.iter().filter(|one| one.status == CriterionStatus::Passed);
        match passed.find(|criterion| !known.contains(&criterion.id)) {
            Some(dropped) => {
                Err(SprintError::new(SprintErrorKind::DroppedCriterion { id: dropped.id.clone() }))
            }
            None => Ok(()),
        }
    }
}

/// A negotiation of a draft between an evaluator side and a generator side.
///
/// The evaluator drafts. The generator asks for changes, one a round; the evaluator takes them up or not. When the rounds are
/// spent, the brief decides what is still open, and the contract is frozen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Negotiation {
    draft: SprintContract,
    allowed: u32,
}

impl Negotiation {
    /// A negotiation of `draft` in at most `max_negotiation_rounds` rounds.
    #[must_use]
    pub const fn new(draft: SprintContract, max_negotiation_rounds: u32) -> Self {
        Self { draft, allowed: max_negotiation_rounds }
    }

    /// Rounds that are left.
    #[must_use]
    pub fn rounds_left(&self) -> u32 {
        let spent = self.draft.negotiation_history.iter().filter(|round| !round.by_brief).count();
        self.allowed.saturating_sub(u32::try_from(spent).unwrap_or(u32::MAX))
    }

    /// The draft as it stands.
    #[must_use]
    pub const fn draft(&self) -> &SprintContract {
        &self.draft
    }

    /// One round: the generator asks, and the evaluator takes it up with a new draft or declines.
    ///
    /// # Errors
    /// When the rounds are spent, or the new draft contradicts itself. Nothing is changed then.
    pub fn round(
        &mut self,
        request: impl Into<String>,
        answer: impl Into<String>,
        taken_up: Option<SprintContract>,
    ) -> Result<(), SprintError> {
        if self.rounds_left() == 0 {
            return Err(SprintError::new(SprintErrorKind::RoundsSpent { allowed: self.allowed }));
        }
        self.note(request.into(), answer.into(), taken_up, false)
    }

    /// What the brief says of a request that is still open when the rounds are spent: the tie-break.
    ///
    /// # Errors
    /// When the new draft contradicts itself.
    pub fn decide_by_brief(
        &mut self,
        request: impl Into<String>,
        brief: impl Into<String>,
        taken_up: Option<SprintContract>,
    ) -> Result<(), SprintError> {
        self.note(request.into(), brief.into(), taken_up, true)
    }

    fn note(
        &mut self,
        request: String,
        answer: String,
        taken_up: Option<SprintContract>,
        by_brief: bool,
    ) -> Result<(), SprintError> {
        let accepted = taken_up.is_some();
        let mut history = std::mem::take(&mut self.draft.negotiation_history);
        if let Some(draft) = taken_up {
            if let Err(error) = draft.check() {
                self.draft.negotiation_history = history;
                return Err(error);
            }
            self.draft = draft;
        }
        let round = u32::try_from(history.len() + 1).unwrap_or(u32::MAX);
        history.push(NegotiationRound { round, request, answer, accepted, by_brief });
        self.draft.negotiation_history = history;
        Ok(())
    }

    /// The contract that was agreed, frozen.
    ///
    /// # Errors
    /// When it contradicts itself.
    pub fn freeze(self) -> Result<SprintContract, SprintError> {
        self.draft.check()?;
        Ok(self.draft)
    }
}

/// How much ceremony a piece of work gets. It can only be raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[expect(clippy::exhaustive_enums, reason = "the source closes the set: anything else is an error")]
pub enum HarnessLevel {
    /// No contract.
    Minimal,
    /// A contract where somebody asks for one.
    Standard,
    /// A contract always.
    Thorough,
}

/// Whether a sprint contract is negotiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "one for each level")]
pub enum ContractNeed {
    /// Always.
    Required,
    /// When somebody asks for it.
    Optional,
    /// Never.
    Skipped,
}

impl HarnessLevel {
    /// Whether a contract is negotiated at this level.
    #[must_use]
    pub const fn contract(self) -> ContractNeed {
        match self {
            Self::Minimal => ContractNeed::Skipped,
            Self::Standard => ContractNeed::Optional,
            Self::Thorough => ContractNeed::Required,
        }
    }

    /// The level that holds when `asked` is asked for: the higher of the two.
    #[must_use]
    pub fn raised_to(self, asked: Self) -> Self {
        self.max(asked)
    }

    /// The level of that name; there are no others.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Minimal, Self::Standard, Self::Thorough].into_iter().find(|level| level.to_string() == name)
    }
}

impl fmt::Display for HarnessLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Minimal => "minimal",
            Self::Standard => "standard",
            Self::Thorough => "thorough",
        })
    }
}

/// Pass conditions are plain numbers in the file, and exact points here.
#[cfg(feature = "serde")]
mod conditions {
    use std::collections::BTreeMap;
    use std::fmt;

    use serde::de::{Deserializer, Error, MapAccess, Visitor};
    use serde::ser::{Serialize, SerializeMap, Serializer};
    use trueup_score::Points;

    /// A number that prints as the decimal it is: six places of a double are exact enough to come back as the same points.
    struct Plain(Points);

    impl Serialize for Plain {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let micros = self.0.micros();
            if micros % 1_000_000 == 0 {
                return serializer.serialize_i64(micros / 1_000_000);
            }
            match self.0.to_string().parse::<f64>() {
                Ok(number) => serializer.serialize_f64(number),
                Err(error) => Err(serde::ser::Error::custom(error)),
            }
        }
    }

    pub(super) fn serialize<S: Serializer>(
        conditions: &BTreeMap<String, Points>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(conditions.len()))?;
        for (dimension, least) in conditions {
            map.serialize_entry(dimension, &Plain(*least))?;
        }
        map.end()
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<String, Points>, D::Error> {
        struct Conditions;

        impl<'de> Visitor<'de> for Conditions {
            type Value = BTreeMap<String, Points>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of numbers by dimension")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut conditions = BTreeMap::new();
                while let Some((dimension, number)) = map.next_entry::<String, f64>()? {
                    if !number.is_finite() || number.abs() > 1e9 {
                        return Err(A::Error::custom(format!(
                            "the pass condition of {dimension:?} is {number}"
                        )));
                    }
                    // The shortest decimal that reads back as this double is what stood in the file.
                    let least = format!("{number}").parse().map_err(|_| {
                        A::Error::custom(format!(
                            "the pass condition {number} of {dimension:?} has more than six places"
                        ))
                    })?;
                    if conditions.insert(dimension.clone(), least).is_some() {
                        return Err(A::Error::custom(format!("the dimension {dimension:?} is there twice")));
                    }
                }
                Ok(conditions)
            }
        }

        deserializer.deserialize_map(Conditions)
    }
}
