//! From round to round.

use std::collections::BTreeSet;

use crate::{Finding, Findings, Fingerprint, Status};

/// What became of findings from the round before to this one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RoundDiff {
    /// Never seen before.
    pub new: Vec<Finding>,
    /// There before, and still there, or not shown to be gone.
    pub persisting: Vec<Finding>,
    /// There before, and gone.
    pub fixed: Vec<Finding>,
    /// Gone before, and back.
    pub regressed: Vec<Finding>,
}

/// The rounds so far.
#[derive(Clone, Debug, Default)]
pub struct Rounds {
    previous: Vec<Finding>,
    /// Everything that ever failed.
    ever: BTreeSet<(Fingerprint, u32)>,
}

fn name(finding: &Finding) -> (Fingerprint, u32) {
    (finding.fingerprint(), finding.occurrence())
}

impl Rounds {
    /// No round yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a round, and says what became of the findings.
    ///
    /// What fails is there, what passes or is not mentioned is not. What failed and could not be verified this time is not
    /// shown to be gone, so it persists.
    pub fn push(&mut self, round: &Findings) -> RoundDiff {
        let list = round.list();
        let before: BTreeSet<_> = self.previous.iter().map(name).collect();
        let mut diff = RoundDiff::default();
        let mut now = BTreeSet::new();
        let mut next = Vec::new();
        for finding in list {
            let name = name(&finding);
            let there = match finding.status() {
                Status::Fail => true,
                Status::Unverified => before.contains(&name),
                Status::Pass => false,
            };
            if !there {
                continue;
            }
            next.push(finding.clone());
            // Two fixes for one cause are one finding here.
            if !now.insert(name) {
                continue;
            }
            let kind = if before.contains(&name) {
                &mut diff.persisting
            } else if self.ever.contains(&name) {
                &mut diff.regressed
            } else {
                &mut diff.new
            };
            kind.push(finding);
        }
        let mut gone = BTreeSet::new();
        diff.fixed = std::mem::take(&mut self.previous)
            .into_iter()
            .filter(|finding| !now.contains(&name(finding)) && gone.insert(name(finding)))
            .collect();
        self.ever.extend(now);
        self.previous = next;
        diff
    }
}
