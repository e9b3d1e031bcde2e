//! Storage in memory.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use trueup_contract::FaultKind;
use trueup_ports::{Artifact, Cx, Fault, JournalStore, Lines, Put, Snapshot};

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panicking port is one of the things that are tested.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An artifact in memory. Clones share their content.
#[derive(Clone)]
pub struct MemoryArtifact {
    content: Arc<Mutex<Snapshot>>,
    broken: Arc<Mutex<bool>>,
}

impl MemoryArtifact {
    /// An artifact of one part.
    #[must_use]
    pub fn new(name: &str, content: &str) -> Self {
        let snapshot = Snapshot::new([(name.to_owned(), Arc::from(content.as_bytes()))]);
        Self { content: Arc::new(Mutex::new(snapshot)), broken: Arc::default() }
    }

    /// What it holds now.
    #[must_use]
    pub fn content(&self) -> Snapshot {
        lock(&self.content).clone()
    }

    /// The text of a part, empty where there is none.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        let content = self.content();
        content.part(name).map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
    }

    /// Writes a part behind the loop's back.
    pub fn overwrite(&self, name: &str, content: &str) {
        let mut now = lock(&self.content);
        *now = now.with_parts([(name.to_owned(), Arc::from(content.as_bytes()))]);
    }

    /// From now on, or no longer, nothing can be restored.
    pub fn break_restore(&self, broken: bool) {
        *lock(&self.broken) = broken;
    }
}

impl fmt::Debug for MemoryArtifact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MemoryArtifact").field(&self.content()).finish()
    }
}

#[async_trait]
impl Artifact for MemoryArtifact {
    async fn snapshot(&self, _cx: &Cx) -> Result<Snapshot, Fault> {
        Ok(self.content())
    }

    async fn restore(&self, snapshot: Snapshot, _cx: &Cx) -> Result<(), Fault> {
        if *lock(&self.broken) {
            return Err(Fault::new(FaultKind::Unavailable, "the artifact was told to refuse"));
        }
        *lock(&self.content) = snapshot;
        Ok(())
    }
}

/// A journal in memory. Clones share their lines.
#[derive(Clone, Debug, Default)]
pub struct MemoryJournal {
    lines: Arc<Mutex<Vec<Vec<u8>>>>,
    torn: Arc<Mutex<Option<Vec<u8>>>>,
    room: Arc<Mutex<Option<usize>>>,
}

impl MemoryJournal {
    /// An empty journal.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A journal that holds these lines.
    #[must_use]
    pub fn with_lines(lines: Vec<Vec<u8>>) -> Self {
        Self { lines: Arc::new(Mutex::new(lines)), ..Self::default() }
    }

    /// A journal whose last line was cut short.
    #[must_use]
    pub fn with_torn(self, torn: Vec<u8>) -> Self {
        *lock(&self.torn) = Some(torn);
        self
    }

    /// A journal that takes this many more lines, and then is full, as a disk is.
    #[must_use]
    pub fn with_room(self, lines: usize) -> Self {
        *lock(&self.room) = Some(lines);
        self
    }

    /// Every line.
    #[must_use]
    pub fn lines(&self) -> Vec<Vec<u8>> {
        lock(&self.lines).clone()
    }
}

#[async_trait]
impl JournalStore for MemoryJournal {
    async fn read(&self, _cx: &Cx) -> Result<Lines, Fault> {
        Ok(Lines::new(self.lines()).with_torn(lock(&self.torn).clone()))
    }

    async fn put(&self, place: u64, line: Vec<u8>, _cx: &Cx) -> Result<Put, Fault> {
        let mut lines = lock(&self.lines);
        if place != lines.len() as u64 {
            return Ok(Put::Occupied);
        }
        if let Some(room) = lock(&self.room).as_mut() {
            *room = room
                .checked_sub(1)
                .ok_or_else(|| Fault::new(FaultKind::Unavailable, "no space left for another line"))?;
        }
        *lock(&self.torn) = None;
        lines.push(line);
        Ok(Put::Written)
    }
}
