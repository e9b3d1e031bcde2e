//! A journal in a file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use trueup_contract::FaultKind;
use trueup_ports::{Cx, Fault, JournalStore, Lines, Put};

/// A journal in one file, a line a line.
///
/// Each line is written with one call and then synchronised to the disk, before `put` returns. Writes block the thread
/// for as long as the disk takes, which is short beside anything that a port does.
#[derive(Debug)]
pub struct FileJournal {
    path: PathBuf,
    open: Mutex<Option<Open>>,
}

/// Where the next line goes.
#[derive(Debug)]
struct Open {
    file: File,
    lines: u64,
    end: u64,
}

impl FileJournal {
    /// The journal at `path`, which need not exist yet. Nothing is opened before it is read or written.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), open: Mutex::new(None) }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn load(&self) -> io::Result<Lines> {
        let mut bytes = Vec::new();
        match File::open(&self.path) {
            Ok(mut file) => file.read_to_end(&mut bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Lines::default()),
            Err(error) => return Err(error),
        };
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |position| position + 1);
        let torn = Some(bytes[end..].to_vec()).filter(|torn| !torn.is_empty());
        let whole =
            bytes[..end].split_inclusive(|byte| *byte == b'\n').map(|line| line[..line.len() - 1].to_vec());
        Ok(Lines::new(whole.collect()).with_torn(torn))
    }

    fn add(&self, place: u64, mut line: Vec<u8>) -> io::Result<Put> {
        let mut guard = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let open = match &mut *guard {
            Some(open) => open,
            empty => {
                let lines = self.load()?;
                let end: u64 = lines.whole.iter().map(|line| line.len() as u64 + 1).sum();
                let file = OpenOptions::new()
                    .read(true)
                    .write(true)
                    .create(true)
                    .truncate(false)
                    .open(&self.path)?;
                if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                    super::atomic::sync(folder)?;
                }
                empty.insert(Open { file, lines: lines.whole.len() as u64, end })
            }
        };
        if open.file.metadata()?.len() > open.end {
            // Either a torn end of our own, or somebody else's line: only a line end tells them apart.
            let mut rest = Vec::new();
            open.file.seek(SeekFrom::Start(open.end))?;
            open.file.read_to_end(&mut rest)?;
            if rest.contains(&b'\n') {
                return Ok(Put::Occupied);
            }
            open.file.set_len(open.end)?;
        }
        if place != open.lines {
            return Ok(Put::Occupied);
        }
        line.push(b'\n');
        open.file.seek(SeekFrom::Start(open.end))?;
        open.file.write_all(&line)?;
        open.file.sync_data()?;
        open.lines += 1;
        open.end += line.len() as u64;
        Ok(Put::Written)
    }

    fn fault(&self, what: &str, error: io::Error) -> Fault {
        Fault::new(FaultKind::Unavailable, format!("{} cannot be {what}", self.path.display()))
            .with_source(error)
    }
}

#[async_trait]
impl JournalStore for FileJournal {
    async fn read(&self, _cx: &Cx) -> Result<Lines, Fault> {
        self.load().map_err(|error| self.fault("read", error))
    }

    async fn put(&self, place: u64, line: Vec<u8>, _cx: &Cx) -> Result<Put, Fault> {
        self.add(place, line).map_err(|error| self.fault("written", error))
    }
}
