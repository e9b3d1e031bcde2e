//! Where a journal is kept.

use std::fmt;

use async_trait::async_trait;

use crate::{Cx, Fault};

/// What a store holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lines {
    /// Every whole line in order, without line ends.
    pub whole: Vec<Vec<u8>>,
    /// What stands after the last whole line: a write that was cut short.
    pub torn: Option<Vec<u8>>,
}

impl Lines {
    /// These whole lines, and nothing torn.
    #[must_use]
    pub const fn new(whole: Vec<Vec<u8>>) -> Self {
        Self { whole, torn: None }
    }

    /// The lines with what was cut short after them.
    #[must_use]
    pub fn with_torn(self, torn: Option<Vec<u8>>) -> Self {
        Self { torn, ..self }
    }
}

/// Whether a line was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a line was written or it was not")]
pub enum Put {
    /// It was.
    Written,
    /// It was not: another line has its place. Somebody else writes to this journal.
    Occupied,
}

/// Keeps the lines of one journal.
///
/// # Contract
/// - Lines are only added, each at its place, counted from 0. A place is given away once.
/// - When `put` returns `Written`, the line survives the death of the process, and of the machine as far as the store
///   can see to it.
/// - A write that is cut short leaves something torn behind, never a whole line. The next `put` at that place replaces it.
/// - What was read is what was written: the store never mends anything.
#[async_trait]
pub trait JournalStore: fmt::Debug + Send + Sync + 'static {
    /// Everything that was written.
    async fn read(&self, cx: &Cx) -> Result<Lines, Fault>;

    /// Writes `line`, which holds no line end, at `place`, unless that place is taken.
    async fn put(&self, place: u64, line: Vec<u8>, cx: &Cx) -> Result<Put, Fault>;
}
