//! One live driver a run folder.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The lock on a run folder, held while this value lives.
///
/// The operating system holds it for the process, so a process that died holds nothing.
#[derive(Debug)]
pub struct RunLock {
    // Closing the file gives the lock back.
    _file: File,
}

/// A run folder cannot be locked.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunLockError {
    /// Another process drives this run.
    Held {
        /// The run folder.
        folder: PathBuf,
    },
    /// The lock file cannot be opened.
    Io {
        /// The lock file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl fmt::Display for RunLockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Held { folder } => write!(f, "another process is driving the run in {}", folder.display()),
            Self::Io { path, .. } => write!(f, "{} cannot be opened for locking", path.display()),
        }
    }
}

impl std::error::Error for RunLockError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Held { .. } => None,
            Self::Io { source, .. } => Some(source),
        }
    }
}

impl RunLock {
    /// Locks the run folder, or says who cannot have it.
    ///
    /// # Errors
    /// When another process holds the lock, or the lock file cannot be opened.
    pub fn acquire(folder: &Path) -> Result<Self, RunLockError> {
        let path = folder.join("run.lock");
        let io = |source| RunLockError::Io { path: path.clone(), source };
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(RunLockError::Held { folder: folder.to_owned() }),
            Err(TryLockError::Error(error)) => Err(io(error)),
        }
    }
}
