//! Runs in folders, for programs that have a filesystem.

mod artifact;
mod atomic;
mod folder;
mod journal;
mod lock;

pub use artifact::{FileArtifact, FileArtifactError};
pub use folder::RunFolder;
pub use journal::FileJournal;
pub use lock::{RunLock, RunLockError};
