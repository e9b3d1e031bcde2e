//! What a batch came to, as a JSON document.

use serde::Serialize;

/// What a batch came to: `trueup.batch/1`. Every job is in `results.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BatchDocument {
    /// `trueup.batch/1`.
    pub schema: &'static str,
    /// The worst status of any job; `undetermined` when jobs are left.
    pub status: &'static str,
    /// The exit code.
    pub exit_code: u8,
    /// Jobs.
    pub total: usize,
    /// Jobs that pass.
    pub pass: usize,
    /// Jobs that fail.
    pub fail: usize,
    /// Jobs that could not be decided.
    pub undetermined: usize,
    /// Jobs that wait for a person.
    pub needs_human: usize,
    /// Jobs that are not done yet, because the batch was called off.
    pub left: usize,
    /// Jobs that an earlier call had done, among those above.
    pub resumed: usize,
    /// The folder of the batch.
    pub folder: String,
    /// What does not pass, the worst first; at most a hundred, and all of it in `results.jsonl`.
    pub worst: Vec<BatchEntry>,
}

/// One job.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BatchEntry {
    /// Its name.
    pub name: String,
    /// `fail`, `undetermined` or `needs-human`.
    pub status: &'static str,
    /// Why, in a sentence.
    pub detail: String,
    /// Open regions, of a pair.
    pub open_regions: u32,
    /// Its picture or its run, relative to the folder of the batch.
    pub place: Option<String>,
}
