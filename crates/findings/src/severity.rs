//! How bad it is, and whether it is so.

use std::fmt;

/// How bad a finding is for whoever uses the artifact, from the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "a fourth step would have no rule of what to do about it")]
pub enum Severity {
    /// Cosmetic or optional: it may wait.
    Minor,
    /// Friction or rework, with a way around: fix it if possible.
    Important,
    /// The consumer cannot go on: fix it first.
    Blocking,
}

impl Severity {
    /// Every severity, the worst first.
    pub const ALL: [Self; 3] = [Self::Blocking, Self::Important, Self::Minor];

    /// Its name in documents.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Blocking => "blocking",
            Self::Important => "important",
            Self::Minor => "minor",
        }
    }

    /// Its name in headings.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Blocking => "Blocking",
            Self::Important => "Important",
            Self::Minor => "Minor",
        }
    }

    /// The severity of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.as_str() == name)
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a check came to. What was not seen is not passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "a check has three outcomes")]
pub enum Status {
    /// It was checked and is as it should be.
    Pass,
    /// It could not be checked.
    Unverified,
    /// It was checked and is not as it should be.
    #[default]
    Fail,
}

impl Status {
    /// Its name in documents.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Unverified => "unverified",
            Self::Fail => "fail",
        }
    }

    /// The status of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Pass, Self::Unverified, Self::Fail].into_iter().find(|status| status.as_str() == name)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
