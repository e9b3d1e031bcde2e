//! The entry that an artifact's changelog gets after an evaluation.

use std::fmt;

use super::text::quoted;
use crate::{Counts, Finding};

/// What was evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// The context of a product.
    ProductContext,
    /// Design documents.
    Design,
    /// Code.
    CodeReview,
    /// A document of another kind.
    Document,
    /// Something else, by its name.
    Custom(String),
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::ProductContext => "product-context",
            Self::Design => "design",
            Self::CodeReview => "code-review",
            Self::Document => "document",
            Self::Custom(name) => name,
        })
    }
}

/// An entry of a changelog, as a YAML list item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangelogEntry<'f> {
    date: &'f str,
    author: &'f str,
    mode: Mode,
    found: &'f [Finding],
    fixed: &'f [&'f str],
}

impl<'f> ChangelogEntry<'f> {
    /// What was found on a date (ISO 8601), by whom, and which fixes were applied.
    #[must_use]
    pub const fn new(
        date: &'f str,
        author: &'f str,
        mode: Mode,
        found: &'f [Finding],
        fixed: &'f [&'f str],
    ) -> Self {
        Self { date, author, mode, found, fixed }
    }
}

impl fmt::Display for ChangelogEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { blocking, important, minor } = Counts::of(self.found);
        let fixed = if self.fixed.is_empty() { "nothing yet".to_owned() } else { self.fixed.join("; ") };
        let summary = format!(
            "Generator/evaluator validation ({}). Found {blocking} blocking, {important} important, {minor} minor issues. Fixed: {fixed}.",
            self.mode
        );
        writeln!(f, "- date: {}", self.date)?;
        writeln!(f, "  author: {}", quoted(self.author))?;
        writeln!(f, "  summary: {}", quoted(&summary))
    }
}
