//! What a run is about, and what it reaches the world by.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use trueup_contract::{Digest, Literals, LoopContract, Plan};
use trueup_ports::{Artifact, Brief, Capturer, Comparer, Human, JournalStore, Judge, Reviser, Runtime};

/// What a run is about.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RunSpec {
    /// The run's id.
    pub id: String,
    /// What renders, for the status block.
    pub source: String,
    /// What is compared with what.
    pub plan: Arc<Plan>,
    /// The rules. A run that is resumed keeps the limits that it began with.
    pub contract: LoopContract,
    /// What the design is meant to be, for the judge.
    pub brief: Option<Arc<str>>,
    /// What else the measurements depend on, by name: tolerances, masks, references. A resumed run must say the same.
    pub settings: BTreeMap<String, String>,
    /// The gate against values that are written out where tokens belong; none lets every value through.
    pub literals: Option<Literals>,
    /// Contracts that a person's answer may change to.
    pub adjusted: Vec<LoopContract>,
}

impl RunSpec {
    /// The run `id` of `plan` under `contract`, rendered by `source`.
    #[must_use]
    pub fn new(
        id: impl Into<String>,
        source: impl Into<String>,
        plan: Arc<Plan>,
        contract: LoopContract,
    ) -> Self {
        Self {
            id: id.into(),
            source: source.into(),
            plan,
            contract,
            brief: None,
            settings: BTreeMap::new(),
            literals: None,
            adjusted: Vec::new(),
        }
    }

    /// The run with a contract that a person's answer may change to; a run that was adjusted needs it to be resumed.
    #[must_use]
    pub fn with_adjusted(mut self, contract: LoopContract) -> Self {
        self.adjusted.push(contract);
        self
    }

    /// The run with something else that its measurements depend on; a second value for a name replaces the first.
    #[must_use]
    pub fn with_setting(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.settings.insert(name.into(), value.into());
        self
    }

    pub(crate) fn settings_digest(&self) -> Digest {
        Digest::of_parts(self.settings.iter().map(|(name, value)| (name.as_str(), value.as_bytes())))
    }

    /// The run with a gate against values that are written out where tokens belong. A revision that it refuses is taken
    /// back, and its iteration is spent.
    #[must_use]
    pub fn with_literals(self, literals: Literals) -> Self {
        Self { literals: Some(literals), ..self }
    }

    /// The run with a brief for the judge.
    #[must_use]
    pub fn with_brief(self, brief: impl Into<Arc<str>>) -> Self {
        Self { brief: Some(brief.into()), ..self }
    }
}

/// What a run reaches the world by.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ports {
    /// What is revised.
    pub artifact: Arc<dyn Artifact>,
    /// What renders it.
    pub capturer: Arc<dyn Capturer>,
    /// What holds the renderings against the references.
    pub comparer: Arc<dyn Comparer>,
    /// What revises.
    pub reviser: Arc<dyn Reviser>,
    /// What scores, when the contract has a rubric.
    pub judge: Option<Arc<dyn Judge>>,
    /// Who is asked, when somebody is there.
    pub human: Option<Arc<dyn Human>>,
    /// Where the brief is read again; without it, it is as the run was given it.
    pub brief: Option<Arc<dyn Brief>>,
    /// Where the journal is kept.
    pub journal: Arc<dyn JournalStore>,
    /// Time and threads.
    pub runtime: Arc<dyn Runtime>,
}

impl Ports {
    /// Ports without a judge.
    #[must_use]
    pub fn new(
        artifact: Arc<dyn Artifact>,
        capturer: Arc<dyn Capturer>,
        comparer: Arc<dyn Comparer>,
        reviser: Arc<dyn Reviser>,
        journal: Arc<dyn JournalStore>,
        runtime: Arc<dyn Runtime>,
    ) -> Self {
        Self {
            artifact,
            capturer,
            comparer,
            reviser,
            judge: None,
            human: None,
            brief: None,
            journal,
            runtime,
        }
    }

    /// The ports with a judge.
    #[must_use]
    pub fn with_judge(self, judge: Arc<dyn Judge>) -> Self {
        Self { judge: Some(judge), ..self }
    }

    /// The ports with somebody who can be asked.
    #[must_use]
    pub fn with_human(self, human: Arc<dyn Human>) -> Self {
        Self { human: Some(human), ..self }
    }

    /// The ports with a brief that can be read again.
    #[must_use]
    pub fn with_brief(self, brief: Arc<dyn Brief>) -> Self {
        Self { brief: Some(brief), ..self }
    }
}

/// How long each port may take for one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timeouts {
    /// Rendering all labels; a minute is long for a browser and short for a hang.
    pub capture: Duration,
    /// Comparing all labels.
    pub compare: Duration,
    /// Scoring; models with vision take their time.
    pub judge: Duration,
    /// Revising, trials included; a coding agent works for minutes.
    pub revise: Duration,
    /// Waiting for a person. A run that is left waiting can be resumed.
    pub human: Duration,
    /// Reading or writing the artifact and the journal.
    pub storage: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let minutes = |minutes: u64| Duration::from_secs(minutes * 60);
        Self {
            capture: minutes(1),
            compare: minutes(2),
            judge: minutes(5),
            revise: minutes(20),
            human: minutes(60),
            storage: minutes(1),
        }
    }
}
