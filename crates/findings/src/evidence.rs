//! What shows that a claim holds.

use std::fmt;

/// What an evidence is, and so how its locator is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum EvidenceKind {
    /// A place in a file: `path` or `path:line`.
    File,
    /// A picture: `sha256:` and its hash, or its path.
    Image,
    /// The output of a tool that is attached: the name of the attachment.
    Tool,
    /// A page or a document elsewhere.
    Url,
    /// Something that was seen and written down; nothing can verify it.
    Note,
}

impl EvidenceKind {
    /// Every kind.
    pub const ALL: &'static [Self] = &[Self::File, Self::Image, Self::Tool, Self::Url, Self::Note];

    /// Its name in documents.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Image => "image",
            Self::Tool => "tool",
            Self::Url => "url",
            Self::Note => "note",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }
}

impl fmt::Display for EvidenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Something that shows that a claim holds, named so that it can be looked up.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Evidence {
    kind: EvidenceKind,
    locator: String,
    quote: Option<String>,
}

impl Evidence {
    /// Evidence of a kind, found at the locator.
    #[must_use]
    pub fn new(kind: EvidenceKind, locator: impl Into<String>) -> Self {
        Self { kind, locator: locator.into(), quote: None }
    }

    /// The evidence with words that are claimed to stand there.
    #[must_use]
    pub fn with_quote(self, quote: impl Into<String>) -> Self {
        Self { quote: Some(quote.into()), ..self }
    }

    /// What it is.
    #[must_use]
    pub const fn kind(&self) -> EvidenceKind {
        self.kind
    }

    /// Where it is; see [`EvidenceKind`].
    #[must_use]
    pub fn locator(&self) -> &str {
        &self.locator
    }

    /// Words that are claimed to stand there.
    #[must_use]
    pub fn quote(&self) -> Option<&str> {
        self.quote.as_deref()
    }

    /// The file and, where one is given, the line (from 1) of a [`EvidenceKind::File`] locator.
    #[must_use]
    pub fn place(&self) -> Option<(&str, Option<u32>)> {
        if self.kind != EvidenceKind::File {
            return None;
        }
        // Windows drives and other colons stay in the path: only digits after the last colon are a line.
        let line =
            self.locator.rsplit_once(':').and_then(|(path, line)| Some((path, line.parse::<u32>().ok()?)));
        Some(match line {
            Some((path, line)) => (path, Some(line)),
            None => (&self.locator, None),
        })
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.locator)?;
        self.quote.as_ref().map_or(Ok(()), |quote| write!(f, " {quote:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_locator_may_have_a_line() {
        let place =
            |locator| Evidence::new(EvidenceKind::File, locator).place().map(|(p, l)| (p.to_owned(), l));
        assert_eq!(place("src/a.rs:12"), Some(("src/a.rs".to_owned(), Some(12))));
        assert_eq!(place("C:\\a.rs"), Some(("C:\\a.rs".to_owned(), None)));
        assert_eq!(place("a"), Some(("a".to_owned(), None)));
        assert_eq!(Evidence::new(EvidenceKind::Url, "x:1").place(), None);
        for kind in EvidenceKind::ALL {
            assert_eq!(EvidenceKind::from_name(kind.as_str()), Some(*kind));
        }
    }
}
