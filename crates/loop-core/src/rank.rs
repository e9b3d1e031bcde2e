//! Why the loop ends.

/// A measure of what a run can still do, which strictly falls with every charge and every event that is accepted.
///
/// It is a tuple of whole numbers compared from the left, so it cannot fall for ever: this is the proof that the loop
/// ends, and neither the judge nor the score enters it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rank {
    /// Answers that a person may still give. An answer may grant iterations, so it stands before them.
    pub(crate) answers_left: u32,
    /// Evaluations that may still be granted beyond the cap.
    pub(crate) grants_left: u32,
    /// Iterations that were neither begun nor decided on.
    pub(crate) iterations_left: u32,
    /// Restarts that were not spent.
    pub(crate) restarts_left: u32,
    /// Retries that were not spent.
    pub(crate) retries_left: u32,
    /// Further judgements that were not spent.
    pub(crate) judge_calls_left: u32,
    /// Twice the steps that are left in the iteration, and one more while the next one was not charged.
    pub(crate) steps_left: u8,
    /// Trials that were not spent.
    pub(crate) trials_left: u32,
    /// Whether a trial is being measured, or the renderer brought back for one.
    pub(crate) aside_out: bool,
}
