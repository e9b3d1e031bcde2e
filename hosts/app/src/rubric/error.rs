//! What is wrong with a rubric's file, and where.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::Position;

/// A rubric's file cannot be used.
#[derive(Debug)]
pub struct RubricFileError(Box<Details>);

#[derive(Debug)]
struct Details {
    file: PathBuf,
    position: Option<Position>,
    path: String,
    why: String,
}

impl RubricFileError {
    pub(crate) fn new(file: &Path, position: Option<Position>, path: &str, why: impl Into<String>) -> Self {
        Self(Box::new(Details { file: file.to_owned(), position, path: path.to_owned(), why: why.into() }))
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.0.file
    }

    /// Where in the file, where that is known.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// The path to the mistake: `axis[1].floor`. Empty for the whole file.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// What is wrong, and what was expected.
    #[must_use]
    pub fn why(&self) -> &str {
        &self.0.why
    }
}

impl fmt::Display for RubricFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.file.display())?;
        if let Some(Position { line, column }) = self.0.position {
            write!(f, ":{line}:{column}")?;
        }
        f.write_str(": ")?;
        if !self.0.path.is_empty() {
            write!(f, "{}: ", self.0.path)?;
        }
        f.write_str(&self.0.why)
    }
}

impl std::error::Error for RubricFileError {}
