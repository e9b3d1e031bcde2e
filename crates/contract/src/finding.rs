//! Names of findings.

use std::fmt;

/// What a finding is recognised by from round to round: its fingerprint, or whatever else stays the same while the finding
/// is the same. At most 200 characters without control characters, not empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
pub struct FindingKey(String);

/// A text cannot be the key of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingKeyError {
    text: String,
}

impl fmt::Display for FindingKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} cannot be the key of a finding: expected 1 to 200 characters without control characters",
            self.text
        )
    }
}

impl std::error::Error for FindingKeyError {}

impl FindingKey {
    /// Checks that a text can be a key.
    ///
    /// # Errors
    /// When it is empty, has more than 200 characters, or a control character.
    pub fn new(text: impl Into<String>) -> Result<Self, FindingKeyError> {
        let text = text.into();
        if (1..=200).contains(&text.chars().count()) && !text.contains(char::is_control) {
            Ok(Self(text))
        } else {
            Err(FindingKeyError { text })
        }
    }

    /// The key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FindingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl TryFrom<String> for FindingKey {
    type Error = FindingKeyError;

    fn try_from(text: String) -> Result<Self, FindingKeyError> {
        Self::new(text)
    }
}

impl From<FindingKey> for String {
    fn from(key: FindingKey) -> Self {
        key.0
    }
}
