//! The journal: append-only lines with chained checksums.
//!
//! A line is one JSON object, `{"v":2,"seq":N,"entry":…,"sum":"…"}`. The checksum covers the bytes of the entry and its
//! number, after the checksum of the line before: a line that was changed, moved, left out or taken from another journal
//! does not fit.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use trueup_contract::{Digest, Limits, StateId};
use trueup_loop_core::Record;
use trueup_ports::{Cx, Fault, JournalStore, Put, Snapshot};

use crate::call::guarded;

/// The version of the format that this crate writes and reads.
const VERSION: u32 = 2;

/// What a journal is about: its first entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Header {
    /// The run's id.
    pub run_id: String,
    /// The hash of the rules of the run's contract.
    pub contract: String,
    /// The hash of the run's plan.
    pub plan: String,
    /// The hash of what else the measurements depend on.
    pub settings: String,
    /// What the run may spend.
    pub limits: Limits,
}

impl Header {
    /// The header of a run.
    #[must_use]
    pub const fn new(
        run_id: String,
        contract: String,
        plan: String,
        settings: String,
        limits: Limits,
    ) -> Self {
        Self { run_id, contract, plan, settings, limits }
    }
}

/// One entry of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::exhaustive_enums, reason = "whoever folds a journal must know every entry")]
pub enum Entry {
    /// What the journal is about.
    Header(Header),
    /// The content of a state, before anything refers to it.
    State {
        /// Its parts by name.
        parts: BTreeMap<String, Content>,
    },
    /// What the engine did.
    Record(Record),
}

/// The content of one part: text where it is text, bytes in hexadecimal where it is not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::exhaustive_enums, reason = "bytes are text or they are not")]
pub enum Content {
    /// UTF-8 text.
    Text(String),
    /// Any other bytes, two hexadecimal digits each.
    Bytes(String),
}

impl Content {
    fn of(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Bytes(bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
        }
    }

    fn bytes(&self) -> Option<Arc<[u8]>> {
        match self {
            Self::Text(text) => Some(Arc::from(text.as_bytes())),
            Self::Bytes(hex) => {
                let digits: Option<Vec<u32>> = hex.chars().map(|digit| digit.to_digit(16)).collect();
                let digits = digits.filter(|digits| digits.len().is_multiple_of(2))?;
                digits.chunks_exact(2).map(|pair| u8::try_from(pair[0] * 16 + pair[1]).ok()).collect()
            }
        }
    }
}

impl Entry {
    pub(crate) fn state(snapshot: &Snapshot) -> Self {
        let parts = snapshot.parts().map(|(name, content)| (name.to_owned(), Content::of(content))).collect();
        Self::State { parts }
    }

    /// The snapshot that a state entry holds, for instance of an edit that a run found and kept; `None` for other entries
    /// and for bytes that cannot be read.
    #[must_use]
    pub fn snapshot(&self) -> Option<Snapshot> {
        let Self::State { parts } = self else { return None };
        let parts: Option<Vec<_>> =
            parts.iter().map(|(name, part)| Some((name.clone(), part.bytes()?))).collect();
        parts.map(Snapshot::new)
    }
}

#[derive(Serialize, Deserialize)]
struct Line<'a> {
    v: u32,
    seq: u64,
    #[serde(borrow)]
    entry: &'a RawValue,
    sum: String,
}

fn checksum(before: Digest, seq: u64, entry: &str) -> Digest {
    before.chain(format!("{seq}:{entry}").as_bytes())
}

/// A journal that is open for adding.
#[derive(Debug)]
pub struct Journal {
    store: Arc<dyn JournalStore>,
    next: u64,
    last: Digest,
}

impl Journal {
    /// Opens a journal and gives everything that stands in it.
    ///
    /// A torn end is dropped, and said so by the third value. Nothing is written: the next entry replaces it.
    ///
    /// # Errors
    /// When the store fails, or anything but the end is damaged. The store is left as it was.
    pub async fn open(
        store: Arc<dyn JournalStore>,
        cx: &Cx,
    ) -> Result<(Self, Vec<Entry>, bool), JournalError> {
        let lines = guarded(cx, store.read(cx))
            .await
            .map_err(|fault| JournalError::new(JournalErrorKind::Store(fault)))?;
        let mut last = Digest::ZERO;
        let mut entries = Vec::with_capacity(lines.whole.len());
        for (place, line) in (0u64..).zip(&lines.whole) {
            let damaged = |what| JournalError::new(JournalErrorKind::Damaged { line: place + 1, what });
            let text = std::str::from_utf8(line).map_err(|_| damaged("it is not UTF-8"))?;
            let line: Line<'_> =
                serde_json::from_str(text).map_err(|_| damaged("it is not a journal line"))?;
            if line.v != VERSION {
                return Err(JournalError::new(JournalErrorKind::Version { line: place + 1, found: line.v }));
            }
            let sum = checksum(last, place, line.entry.get());
            if line.seq != place || line.sum != sum.to_string() {
                return Err(damaged("its checksum does not fit"));
            }
            last = sum;
            entries.push(
                serde_json::from_str(line.entry.get()).map_err(|_| damaged("its entry cannot be read"))?,
            );
        }
        let next = lines.whole.len() as u64;
        if lines.torn.as_deref().is_some_and(|torn| is_whole_but_for_its_end(torn, last, next)) {
            // A write that was cut short ends early. This one is all there, and what follows it is no line end.
            let what = "its line end was changed";
            return Err(JournalError::new(JournalErrorKind::Damaged { line: next + 1, what }));
        }
        Ok((Self { store, next, last }, entries, lines.torn.is_some()))
    }

    /// Adds an entry; when this returns, it is written.
    ///
    /// # Errors
    /// When the store fails, or somebody else has added to the journal in the meantime.
    pub async fn append(&mut self, entry: &Entry, cx: &Cx) -> Result<(), JournalError> {
        let unwritable =
            |error: serde_json::Error| JournalError::new(JournalErrorKind::Unwritable(error.into()));
        let raw = serde_json::value::to_raw_value(entry).map_err(unwritable)?;
        let sum = checksum(self.last, self.next, raw.get());
        let line = Line { v: VERSION, seq: self.next, entry: &raw, sum: sum.to_string() };
        let line = serde_json::to_vec(&line).map_err(unwritable)?;
        match guarded(cx, self.store.put(self.next, line, cx)).await {
            Ok(Put::Written) => {
                self.next += 1;
                self.last = sum;
                Ok(())
            }
            Ok(Put::Occupied) => Err(JournalError::new(JournalErrorKind::Occupied { line: self.next + 1 })),
            Err(fault) => Err(JournalError::new(JournalErrorKind::Store(fault))),
        }
    }
}

/// Whether a torn end is a whole line with another byte where its line end should be.
fn is_whole_but_for_its_end(torn: &[u8], before: Digest, place: u64) -> bool {
    let Some((_, line)) = torn.split_last() else { return false };
    let Ok(text) = std::str::from_utf8(line) else { return false };
    let Ok(line) = serde_json::from_str::<Line<'_>>(text) else { return false };
    line.sum == checksum(before, place, line.entry.get()).to_string()
}

/// The states of a run by their id, as its journal holds them.
pub(crate) fn states(entries: &[Entry]) -> BTreeMap<StateId, Snapshot> {
    entries.iter().filter_map(Entry::snapshot).map(|snapshot| (snapshot.state().clone(), snapshot)).collect()
}

/// A journal cannot be read or added to.
#[derive(Debug)]
pub struct JournalError {
    kind: JournalErrorKind,
}

/// Why a journal cannot be read or added to.
#[derive(Debug)]
#[non_exhaustive]
pub enum JournalErrorKind {
    /// The store failed.
    Store(Fault),
    /// A line is damaged; it is not the last one, or it was not simply cut short.
    Damaged {
        /// The line, counted from 1.
        line: u64,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A line is of another version of the format.
    Version {
        /// The line, counted from 1.
        line: u64,
        /// The version that was found.
        found: u32,
    },
    /// Somebody else has added a line.
    Occupied {
        /// The line, counted from 1.
        line: u64,
    },
    /// An entry has no JSON form.
    Unwritable(Box<dyn std::error::Error + Send + Sync>),
}

impl JournalError {
    const fn new(kind: JournalErrorKind) -> Self {
        Self { kind }
    }

    /// Why it cannot be read or added to.
    #[must_use]
    pub const fn kind(&self) -> &JournalErrorKind {
        &self.kind
    }

    /// Whether what stands in the journal cannot be trusted.
    #[must_use]
    pub const fn is_damage(&self) -> bool {
        matches!(self.kind, JournalErrorKind::Damaged { .. } | JournalErrorKind::Version { .. })
    }
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            JournalErrorKind::Store(_) => f.write_str("the journal cannot be read or written"),
            JournalErrorKind::Damaged { line, what } => {
                write!(f, "line {line} of the journal is damaged: {what}")
            }
            JournalErrorKind::Version { line, found } => {
                write!(
                    f,
                    "line {line} of the journal is of version {found}, and this program reads version {VERSION}"
                )
            }
            JournalErrorKind::Occupied { line } => {
                write!(f, "line {line} of the journal was written by somebody else in the meantime")
            }
            JournalErrorKind::Unwritable(_) => f.write_str("an entry cannot be written as JSON"),
        }
    }
}

impl std::error::Error for JournalError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            JournalErrorKind::Store(fault) => Some(fault),
            JournalErrorKind::Unwritable(error) => Some(error.as_ref()),
            _ => None,
        }
    }
}
