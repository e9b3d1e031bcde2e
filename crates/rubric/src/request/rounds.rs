//! How often an artifact is evaluated.

use std::fmt;

/// What kind of artifact it is, and so how many rounds it gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ArtifactKind {
    /// Code that is being made.
    Implementation,
    /// A change that is reviewed.
    PullRequest,
    /// The context of a product.
    ProductContext,
    /// Design documents.
    Design,
    /// A document of another kind.
    #[default]
    Document,
}

/// How roles take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReviewMode {
    /// All roles once, side by side; findings are presented before anything is fixed, and nothing is looped.
    SinglePass,
    /// Evaluated, fixed, evaluated again.
    MultiRound,
}

impl ArtifactKind {
    /// Every kind.
    pub const ALL: &'static [Self] =
        &[Self::Implementation, Self::PullRequest, Self::ProductContext, Self::Design, Self::Document];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Implementation => "implementation",
            Self::PullRequest => "pull-request",
            Self::ProductContext => "product-context",
            Self::Design => "design",
            Self::Document => "document",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }

    /// Rounds at most.
    #[must_use]
    pub const fn max_rounds(self) -> u32 {
        match self {
            Self::Implementation => 5,
            Self::Design => 2,
            Self::PullRequest | Self::ProductContext | Self::Document => 1,
        }
    }

    /// Rounds that it usually takes, from and to.
    #[must_use]
    pub const fn typical_rounds(self) -> (u32, u32) {
        match self {
            Self::Implementation => (2, 3),
            _ => (1, 1),
        }
    }

    /// How roles take turns on it.
    #[must_use]
    pub const fn mode(self) -> ReviewMode {
        match self {
            Self::Implementation => ReviewMode::MultiRound,
            _ => ReviewMode::SinglePass,
        }
    }
}

impl fmt::Display for ArtifactKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
