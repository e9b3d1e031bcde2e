//! What was done differently from what the document asks for.

use std::fmt;

use crate::error::Position;

/// Something that a browser with the right fonts and a network might show differently. The display form is a fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// Text asks for font families that are neither bundled nor given.
    FontSubstituted {
        /// The families in their order, as the document names them.
        asked: String,
        /// The family that was used.
        used: String,
    },
    /// An at-rule such as `@import`, `@font-face` or `@media` was passed over.
    AtRuleIgnored {
        /// Name of the rule, without `@`.
        name: String,
        /// Where it stands.
        position: Position,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FontSubstituted { asked, used } => {
                write!(f, "there is no font {asked}; text is set in {used}")
            }
            Self::AtRuleIgnored { name, position } => write!(f, "{position}: @{name} is ignored"),
        }
    }
}
