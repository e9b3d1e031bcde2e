//! Why a batch cannot be begun.

use std::fmt;
use std::path::{Path, PathBuf};

/// A manifest or a pattern cannot be used.
#[derive(Debug)]
pub struct BatchError {
    place: PathBuf,
    why: String,
}

impl BatchError {
    pub(super) fn new(place: &Path, why: impl Into<String>) -> Self {
        Self { place: place.to_owned(), why: why.into() }
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place.display(), self.why)
    }
}

impl std::error::Error for BatchError {}
