//! What is wrong with a configuration, and where.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A place in a file, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a line and a column, closed by nature")]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl Position {
    /// The place of a byte in a text.
    pub(crate) fn of(text: &str, byte: usize) -> Self {
        // A span ends at a character's boundary, so the whole text is only taken when the byte lies beyond it.
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
    }
}

/// A configuration cannot be used.
#[derive(Debug)]
pub struct ConfigError(Box<Details>);

#[derive(Debug)]
struct Details {
    file: PathBuf,
    position: Option<Position>,
    kind: ConfigErrorKind,
}

/// Why a configuration cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConfigErrorKind {
    /// The file cannot be read.
    Unreadable(io::Error),
    /// The path is a folder.
    Folder,
    /// The file is not UTF-8.
    NotUtf8 {
        /// The first byte that does not fit.
        byte: usize,
    },
    /// The file is not TOML.
    Syntax {
        /// What the parser says.
        message: String,
    },
    /// A key is not known.
    UnknownKey {
        /// The key.
        key: String,
        /// The section that it is in.
        section: String,
        /// The known key that is nearest to it.
        nearest: String,
        /// Every key that is known there.
        known: Vec<&'static str>,
    },
    /// A key is missing.
    MissingKey {
        /// The key.
        key: &'static str,
        /// The section that needs it.
        section: String,
        /// What it should say.
        expected: &'static str,
    },
    /// A value does not fit its key.
    BadValue {
        /// The key.
        key: String,
        /// What is wrong with the value and what was expected.
        why: String,
    },
}

impl ConfigError {
    pub(crate) fn new(file: &Path, position: Option<Position>, kind: ConfigErrorKind) -> Self {
        Self(Box::new(Details { file: file.to_owned(), position, kind }))
    }

    /// The configuration's path.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.0.file
    }

    /// Where in the file.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// Why it cannot be used.
    #[must_use]
    pub fn kind(&self) -> &ConfigErrorKind {
        &self.0.kind
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.file.display())?;
        if let Some(Position { line, column }) = self.0.position {
            write!(f, ":{line}:{column}")?;
        }
        f.write_str(": ")?;
        match &self.0.kind {
            ConfigErrorKind::Unreadable(error) if error.kind() == io::ErrorKind::NotFound => {
                f.write_str("there is no such file: expected a trueup.toml")
            }
            ConfigErrorKind::Unreadable(error) => write!(f, "it cannot be read: {error}"),
            ConfigErrorKind::Folder => f.write_str("it is a folder: name the trueup.toml in it"),
            ConfigErrorKind::NotUtf8 { byte } => {
                write!(f, "it is not UTF-8 text: byte {byte} does not fit; save it as UTF-8")
            }
            ConfigErrorKind::Syntax { message } => write!(f, "it is not TOML: {message}"),
            ConfigErrorKind::UnknownKey { key, section, nearest, known } => {
                write!(
                    f,
                    "unknown key {key:?} in {section}: did you mean {nearest:?}? known keys: {}",
                    known.join(", ")
                )
            }
            ConfigErrorKind::MissingKey { key, section, expected } => {
                write!(f, "{section} needs the key {key:?}: expected {expected}")
            }
            ConfigErrorKind::BadValue { key, why } => write!(f, "{key}: {why}"),
        }
    }
}

impl std::error::Error for ConfigError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            ConfigErrorKind::Unreadable(error) => Some(error),
            _ => None,
        }
    }
}
