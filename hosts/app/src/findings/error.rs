//! Why a file of findings cannot be used.

use std::fmt;
use std::path::{Path, PathBuf};

/// A file of findings cannot be used.
#[derive(Debug)]
pub struct FindingsFileError {
    path: PathBuf,
    why: String,
}

impl FindingsFileError {
    pub(crate) fn new(path: &Path, why: impl Into<String>) -> Self {
        Self { path: path.to_owned(), why: why.into() }
    }
}

impl fmt::Display for FindingsFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.why)
    }
}

impl std::error::Error for FindingsFileError {}
