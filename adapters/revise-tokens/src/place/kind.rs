//! The three kinds of places.

use std::fmt;
use std::ops::Range;

use super::{custom_property, json, selector};
use crate::error::TokenErrorKind;

/// Where a token stands in its file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// The declaration of a CSS custom property, in a stylesheet or in any file with styles in it.
    CustomProperty(String),
    /// An attribute of the elements that a CSS selector finds, in an XML document such as SVG.
    Attribute {
        /// The selector.
        selector: String,
        /// The attribute's name.
        attribute: String,
    },
    /// A value in a JSON document, by JSON pointer (RFC 6901).
    Pointer(String),
}

impl Place {
    /// Every position at which the value stands, as byte ranges of `text`.
    pub(crate) fn find(&self, file: &str, text: &str) -> Result<Vec<Range<usize>>, TokenErrorKind> {
        let unreadable = |why| TokenErrorKind::Unreadable { file: file.to_owned(), why };
        match self {
            Self::CustomProperty(name) => Ok(custom_property::find(text, name)),
            Self::Attribute { selector, attribute } => {
                selector::find(text, selector, attribute).map_err(unreadable)
            }
            Self::Pointer(pointer) => json::find(text, pointer).map_err(unreadable),
        }
    }

    /// Whether a length may stand there without a unit.
    pub(crate) const fn allows_bare_lengths(&self) -> bool {
        matches!(self, Self::Attribute { .. } | Self::Pointer(_))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CustomProperty(name) => write!(f, "the declaration of {name}"),
            Self::Attribute { selector, attribute } => write!(f, "the attribute {attribute} of {selector}"),
            Self::Pointer(pointer) => write!(f, "the JSON value {pointer}"),
        }
    }
}
