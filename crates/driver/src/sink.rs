//! What is written for people and tools, and who listens in.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io;

use trueup_contract::{
    Answer, Approach, Iteration, Judgement, LabelName, LoopContract, Measurement, Plan, Question, StateId,
};
use trueup_loop_core::{Node, Note, Outcome, Record, Split};
use trueup_ports::Comparison;

use crate::StatusBlock;

/// Something to write for people and tools. The journal is the truth; pictures and reports stand beside it.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a sink that ignored a projection would leave a hole in the record"
)]
pub enum Projection<'a> {
    /// What is compared, before anything is read.
    Plan {
        /// The labels.
        plan: &'a Plan,
        /// What else the measurements depend on, by name.
        settings: &'a BTreeMap<String, String>,
    },
    /// The rules of the run.
    Contract(&'a LoopContract),
    /// What a comparison saw in an iteration, with its pictures.
    Compared {
        /// The iteration.
        iteration: u32,
        /// What was seen.
        comparison: &'a Comparison,
    },
    /// A state was judged. Written again when the run goes on, under the same number.
    Judged {
        /// The number of the judgement in the run, from 1.
        number: u32,
        /// The iteration.
        iteration: u32,
        /// What was judged.
        state: &'a StateId,
        /// What the judge said.
        judgement: &'a Judgement,
        /// What it is held against.
        contract: &'a LoopContract,
    },
    /// What an iteration came to. It has not ended before this is written.
    Iteration {
        /// What it came to.
        entry: &'a Iteration,
        /// What was measured of its state, in this iteration or an earlier one.
        measured: Option<&'a Measurement>,
        /// How the newest revision goes about it.
        approach: Approach,
    },
    /// A person is asked something; the run may wait for the answer.
    Asked {
        /// What.
        question: &'a Question,
        /// The rules of the run.
        contract: &'a LoopContract,
        /// How the work was split, when it was.
        split: Option<&'a Split>,
    },
    /// A person has answered.
    Answered {
        /// What was asked.
        question: &'a Question,
        /// What was answered.
        answer: &'a Answer,
    },
    /// How the run ended; written on every exit, before the driver returns.
    Ended {
        /// The block that the summary begins with.
        status: &'a StatusBlock,
        /// How it ended.
        outcome: &'a Outcome,
        /// What was measured of the state that it began with.
        baseline: Option<&'a Measurement>,
        /// What was measured of the best state.
        best: Option<&'a Measurement>,
    },
}

/// Where projections are written.
pub trait Sink: Debug + Send + Sync + 'static {
    /// Writes one, whole.
    ///
    /// # Errors
    /// When it cannot be written; the run stops then.
    fn write(&self, projection: Projection<'_>) -> io::Result<()>;
}

/// Listens to the steps of a run. It can never affect the run: what it returns does not exist, and what it panics with is
/// dropped.
pub trait Observer: Debug + Send + Sync + 'static {
    /// A step of the chain was taken.
    fn note(&self, note: &Note);

    /// A record was written: a charge before its command is carried out, or what came of it. The records of a run are its
    /// events, whole and typed.
    fn record(&self, _record: &Record) {}

    /// A label of a step is done, where the port says so while it works.
    fn label(&self, _done: &LabelDone<'_>) {}
}

/// One label of a step is done.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LabelDone<'a> {
    /// The step: [`Node::Capture`] or [`Node::Compare`].
    pub node: Node,
    /// The label.
    pub label: &'a LabelName,
    /// Labels of this step that are done, this one included.
    pub done: usize,
    /// Labels of this step.
    pub total: usize,
}
