//! What kind of failure it is, and what that claim must prove.

use std::fmt;

use crate::{EvidenceKind, Finding};

/// What kind of failure a finding is. Only a product defect is for a generator to mend by trying again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FailureClass {
    /// The check itself wavers.
    HarnessFlake,
    /// The surroundings fail: a credential, a service, a machine.
    Environment,
    /// It is real, and not part of what was asked for.
    Scope,
    /// The artifact is wrong: what is assumed where nothing else is proven.
    ProductDefect,
    /// Something outside is missing: access, or a service that nobody has built yet.
    MissingAccess,
    /// The specification contradicts itself.
    SpecContradiction,
    /// A person has to judge a risk.
    Security,
}

impl FailureClass {
    /// Every class.
    pub const ALL: &'static [Self] = &[
        Self::ProductDefect,
        Self::Environment,
        Self::HarnessFlake,
        Self::Scope,
        Self::Security,
        Self::SpecContradiction,
        Self::MissingAccess,
    ];

    /// Its name in documents.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ProductDefect => "product-defect",
            Self::Environment => "environment",
            Self::HarnessFlake => "harness-flake",
            Self::Scope => "scope",
            Self::Security => "security",
            Self::SpecContradiction => "spec-contradiction",
            Self::MissingAccess => "missing-access",
        }
    }

    /// The class of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|class| class.as_str() == name)
    }

    /// What the claim must prove before it is believed.
    #[must_use]
    pub const fn must_prove(self) -> &'static str {
        match self {
            Self::ProductDefect => "nothing: it is what is assumed",
            Self::Environment => "the output of a check that names what refused",
            Self::HarnessFlake => {
                "a run of the same state that passes, or a listing in quarantine, seconded by another finder"
            }
            Self::Scope => "the acknowledgement of a person",
            Self::Security => "what is exposed, and to whom",
            Self::SpecContradiction => "the two places that contradict each other",
            Self::MissingAccess => "what is missing, and who can give it",
        }
    }

    /// Whether it goes to a person at once, without trying again.
    #[must_use]
    pub const fn skips_the_ladder(self) -> bool {
        matches!(self, Self::Security | Self::SpecContradiction | Self::MissingAccess)
    }

    /// Whether the finding proves the claim.
    #[must_use]
    pub fn is_proven_by(self, finding: &Finding) -> bool {
        let of = |kind: EvidenceKind| finding.evidence().filter(|evidence| evidence.kind() == kind).count();
        match self {
            Self::ProductDefect => true,
            Self::Environment => of(EvidenceKind::Tool) >= 1,
            Self::HarnessFlake => of(EvidenceKind::Tool) >= 1 && finding.found_by().count() >= 2,
            Self::Scope => finding.found_by().any(|finder| finder.eq_ignore_ascii_case("human")),
            Self::Security => !finding.impact().is_empty(),
            Self::SpecContradiction => of(EvidenceKind::File) >= 2,
            Self::MissingAccess => !finding.actual().is_empty() || of(EvidenceKind::Tool) >= 1,
        }
    }
}

impl fmt::Display for FailureClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
