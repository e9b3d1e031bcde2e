//! Names that stay the same over a run.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::Digest;

/// A text cannot be a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdError {
    what: &'static str,
    text: String,
    expected: &'static str,
}

impl fmt::Display for IdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} cannot be a {}: expected {}", self.text, self.what, self.expected)
    }
}

impl std::error::Error for IdError {}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $what:literal, $expected:literal, $valid:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
        // Shared: histories and records hold the same few names many times over.
        pub struct $name(Arc<str>);

        impl $name {
            #[doc = concat!("Checks that a text can be a ", $what, ": ", $expected, ".")]
            ///
            /// # Errors
            /// When it cannot.
            pub fn new(text: impl Into<String>) -> Result<Self, IdError> {
                let text = text.into();
                let valid: fn(&str) -> bool = $valid;
                if valid(&text) {
                    Ok(Self(text.into()))
                } else {
                    Err(IdError { what: $what, text, expected: $expected })
                }
            }

            /// The name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                Self::new(text)
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, IdError> {
                Self::new(text)
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.as_str().to_owned()
            }
        }
    };
}

fn is_word(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':');
    // A name becomes a file name, so it may not be one that means another folder.
    (1..=120).contains(&text.len()) && text.bytes().all(plain) && !text.starts_with('.')
}

id! {
    /// The name of one label; it becomes part of file names in the run folder.
    LabelName, "label name", "1 to 120 ASCII letters, digits, '-', '_', ':' or '.', not starting with '.'", is_word
}

id! {
    /// A version of the artifact, named by the hash of its content.
    StateId, "state id", "64 lower-case hexadecimal digits",
    |text| text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

impl StateId {
    /// The id of a state whose content is these named parts.
    #[must_use]
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        Self(Digest::of_parts(parts).to_string().into())
    }

    /// The first eight digits: enough to tell states of one run apart when people read.
    #[must_use]
    pub fn short(&self) -> &str {
        &self.0[..8]
    }
}

id! {
    /// One open region: `<label>/<region>`, the same while the region stays the same thing.
    DeltaId, "delta id", "a label name, '/', and a region key of the same characters",
    |text| text.split_once('/').is_some_and(|(label, region)| is_word(label) && is_word(region))
}

impl DeltaId {
    /// The id of `region` on `label`.
    ///
    /// # Errors
    /// When `region` is not 1 to 120 ASCII letters, digits, '-', '_', ':' or '.'.
    pub fn of(label: &LabelName, region: &str) -> Result<Self, IdError> {
        Self::new(format!("{label}/{region}"))
    }

    /// The label that the region is on.
    #[must_use]
    pub fn label(&self) -> &str {
        self.0.split_once('/').map_or(self.as_str(), |(label, _)| label)
    }

    /// The key of the region on its label.
    #[must_use]
    pub fn region(&self) -> &str {
        self.0.split_once('/').map_or("", |(_, region)| region)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_leave_the_run_folder_are_refused() {
        for text in ["", "..", ".hidden", "a/b", "a b", "ä", &"x".repeat(121)] {
            assert!(LabelName::new(text).is_err(), "{text:?}");
        }
        assert!(LabelName::new("12-345__dark").is_ok());
    }

    #[test]
    fn a_delta_id_is_a_label_and_a_region() {
        let id = DeltaId::new("12-345__dark/node:12:357").unwrap();
        assert_eq!((id.label(), id.region()), ("12-345__dark", "node:12:357"));
        assert!(DeltaId::new("card").is_err() && DeltaId::new("a/b/c").is_err());
    }

    #[test]
    fn a_state_is_named_by_its_content() {
        let id = StateId::of_parts([("card.svg", &b"<svg/>"[..])]);
        assert_eq!(StateId::new(id.as_str()), Ok(id.clone()));
        assert_ne!(id, StateId::of_parts([("card.svg", &b"<svg />"[..])]));
        assert!(StateId::new("abc").is_err());
    }
}
