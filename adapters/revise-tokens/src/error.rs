//! Why a token cannot be found, read or written.

use std::fmt;

/// A token cannot be found, read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenError {
    token: String,
    kind: TokenErrorKind,
}

/// Why a token cannot be found, read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenErrorKind {
    /// The artifact has no such file.
    NoFile {
        /// The file.
        file: String,
    },
    /// The file cannot be read as what the place needs.
    Unreadable {
        /// The file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// The place is not there.
    NotFound {
        /// The file.
        file: String,
        /// What was looked for.
        place: String,
    },
    /// The place is there more than once, with different values.
    Ambiguous {
        /// The file.
        file: String,
        /// What was looked for.
        place: String,
        /// How often it was found.
        found: usize,
    },
    /// The value is not of the token's type.
    WrongType {
        /// The value.
        value: String,
        /// What was expected.
        expected: &'static str,
    },
    /// The bounds leave no room.
    BadBounds {
        /// What is wrong with them.
        why: String,
    },
}

impl TokenError {
    pub(crate) fn new(token: &str, kind: TokenErrorKind) -> Self {
        Self { token: token.to_owned(), kind }
    }

    /// The token's name.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Why it cannot be found, read or written.
    #[must_use]
    pub const fn kind(&self) -> &TokenErrorKind {
        &self.kind
    }
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "token {}: ", self.token)?;
        match &self.kind {
            TokenErrorKind::NoFile { file } => write!(f, "{file} is not one of the artifact's files"),
            TokenErrorKind::Unreadable { file, why } => write!(f, "{file} cannot be read: {why}"),
            TokenErrorKind::NotFound { file, place } => write!(f, "{place} is not in {file}"),
            TokenErrorKind::Ambiguous { file, place, found } => {
                write!(
                    f,
                    "{place} is in {file} {found} times with different values: one token needs one value"
                )
            }
            TokenErrorKind::WrongType { value, expected } => write!(f, "{value:?} is not {expected}"),
            TokenErrorKind::BadBounds { why } => f.write_str(why),
        }
    }
}

impl std::error::Error for TokenError {}
