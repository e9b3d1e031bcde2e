//! Many lists of findings as one.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::finding::plain;
use crate::{Finding, Fingerprint, Location, Severity, Status};

/// What duplicates share: the item and cause, the occurrence, and the change that would mend it.
type Key = (Fingerprint, u32, String);

/// Findings without duplicates.
///
/// Two findings are one when they are about the same item, have the same root cause, and the same change would mend them.
/// Merging is a join: idempotent, commutative and associative, whatever the order of lists and of findings in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Boxed, because a map moves its values about, and findings are large.
    merged: BTreeMap<Key, Box<Finding>>,
}

/// Two findings that may be one, for a person to decide.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NearDuplicate {
    /// The position of one in [`Findings::list`].
    pub first: usize,
    /// The position of the other, after it.
    pub second: usize,
    /// What they share.
    pub why: String,
}

impl Findings {
    /// The findings of one list: one tool, one judge, one round.
    ///
    /// What shares a fingerprint and stands on different lines is numbered by where it stands, so that it stays apart.
    #[must_use]
    pub fn of(list: impl IntoIterator<Item = Finding>) -> Self {
        let mut list: Vec<(Fingerprint, Box<Finding>)> =
            list.into_iter().map(|finding| (finding.fingerprint(), Box::new(finding))).collect();
        // Where they stand decides, and not the order in which they were listed.
        list.sort_by_key(|(fingerprint, finding)| (*fingerprint, finding.location.spot()));
        let mut findings = Self::default();
        let mut previous: Option<(Fingerprint, _, u32)> = None;
        for (fingerprint, mut finding) in list {
            // What was numbered before keeps its number: lines have moved since.
            if finding.occurrence.is_none() {
                let spot = finding.location.spot();
                let number = match previous {
                    Some((known, before, number)) if known == fingerprint => {
                        number + u32::from(before != spot)
                    }
                    _ => 0,
                };
                previous = Some((fingerprint, spot, number));
                finding.occurrence = Some(number);
            }
            findings.insert(fingerprint, finding);
        }
        findings
    }

    /// The findings of both.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        if self.merged.len() < other.merged.len() {
            return other.merge(self);
        }
        for ((fingerprint, ..), finding) in other.merged {
            self.insert(fingerprint, finding);
        }
        self
    }

    fn insert(&mut self, fingerprint: Fingerprint, finding: Box<Finding>) {
        match self.merged.entry((fingerprint, finding.occurrence(), plain(&finding.fix))) {
            Entry::Vacant(place) => {
                place.insert(finding);
            }
            Entry::Occupied(mut place) => {
                let joined = join(place.get(), &finding);
                **place.get_mut() = joined;
            }
        }
    }

    /// Every finding, the worst first, in an order that hangs on nothing but the findings.
    ///
    /// Here a finding that names no fix joins the one that is about the same item and cause and names the only fix. Where
    /// there are several fixes, nothing is decided: all stay, and [`near_duplicates`](Self::near_duplicates) names them.
    #[must_use]
    pub fn list(&self) -> Vec<Finding> {
        let mut list: Vec<Cow<'_, Finding>> = Vec::with_capacity(self.merged.len());
        let mut group: Vec<&Finding> = Vec::new();
        let mut of: Option<(Fingerprint, u32)> = None;
        for ((fingerprint, occurrence, _), finding) in &self.merged {
            if of != Some((*fingerprint, *occurrence)) {
                close(&mut group, &mut list);
                of = Some((*fingerprint, *occurrence));
            }
            group.push(finding);
        }
        close(&mut group, &mut list);
        // Sorted by where they are, and moved once: findings are large.
        let mut places: Vec<(Rank, usize)> =
            list.iter().enumerate().map(|(place, finding)| (rank(finding), place)).collect();
        // Most pairs are told apart by the rank, which needs no look at the findings themselves.
        places.sort_by(|(a, first), (b, second)| a.cmp(b).then_with(|| order(&list[*first], &list[*second])));
        places.into_iter().map(|(_, place)| list[place].clone().into_owned()).collect()
    }

    /// Number of findings as [`list`](Self::list) has them.
    #[must_use]
    pub fn len(&self) -> usize {
        let mut groups: BTreeMap<(Fingerprint, u32), (usize, usize)> = BTreeMap::new();
        for (fingerprint, occurrence, fix) in self.merged.keys() {
            let group = groups.entry((*fingerprint, *occurrence)).or_default();
            group.0 += 1;
            group.1 += usize::from(!fix.is_empty());
        }
        groups.values().map(|(all, fixes)| if *fixes == 1 { 1 } else { *all }).sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.merged.is_empty()
    }

    /// Pairs that may be one: about the same item, and of similar wording or mended by the same change, or of one cause and
    /// with different fixes. They are proposed, and never merged.
    ///
    /// In an item with many findings each is held against its 32 neighbours in order, so the time stays in proportion.
    #[must_use]
    pub fn near_duplicates(&self) -> Vec<NearDuplicate> {
        const NEIGHBOURS: usize = 32;
        let list = self.list();
        let mut by_place: BTreeMap<Vec<(&str, &str)>, Vec<usize>> = BTreeMap::new();
        for (index, finding) in list.iter().enumerate() {
            if finding.location != Location::Unknown {
                by_place.entry(finding.location.place()).or_default().push(index);
            }
        }
        let mut near = Vec::new();
        for indices in by_place.into_values() {
            for (position, first) in indices.iter().enumerate() {
                for second in indices.iter().skip(position + 1).take(NEIGHBOURS) {
                    if let Some(why) = similar(&list[*first], &list[*second]) {
                        near.push(NearDuplicate { first: *first, second: *second, why });
                    }
                }
            }
        }
        near.sort_by_key(|pair| (pair.first, pair.second));
        near
    }
}

impl Extend<Finding> for Findings {
    fn extend<I: IntoIterator<Item = Finding>>(&mut self, list: I) {
        *self = std::mem::take(self).merge(Self::of(list));
    }
}

/// Adds a group of one item and cause to the list.
fn close<'f>(group: &mut Vec<&'f Finding>, list: &mut Vec<Cow<'f, Finding>>) {
    // At most one of them names no fix, because fixes tell them apart.
    let fixes = group.iter().filter(|finding| !plain(&finding.fix).is_empty()).count();
    match group.as_slice() {
        [a, b] if fixes == 1 => list.push(Cow::Owned(join(a, b))),
        _ => list.extend(group.iter().map(|finding| Cow::Borrowed(*finding))),
    }
    group.clear();
}

/// The beginning of the order: status, severity, the kind of the location, and the first sixteen bytes of its name.
type Rank = (Reverse<Status>, Reverse<Severity>, u8, u128);

fn rank(finding: &Finding) -> Rank {
    // In the order of the location's own kinds.
    let (kind, name) = match &finding.location {
        Location::Unknown => (0, ""),
        Location::Visual { label, .. } => (1, label.as_str()),
        Location::Span { file, .. } => (2, file.as_str()),
        Location::Item(item) => (3, item.as_str()),
    };
    let mut bytes = [0; 16];
    for (byte, of) in bytes.iter_mut().zip(name.bytes()) {
        *byte = of;
    }
    (Reverse(finding.status), Reverse(finding.severity), kind, u128::from_be_bytes(bytes))
}

/// The worst first; then by where and what.
fn order(a: &Finding, b: &Finding) -> Ordering {
    let rank = |finding: &Finding| (Reverse(finding.status), Reverse(finding.severity));
    rank(a).cmp(&rank(b)).then_with(|| a.location.cmp(&b.location)).then_with(|| {
        (&a.title, &a.cause, &a.fix, a.occurrence, &a.id).cmp(&(
            &b.title,
            &b.cause,
            &b.fix,
            b.occurrence,
            &b.id,
        ))
    })
}

/// One finding out of two that are one: the higher severity, both evidences, both finders, the fullest words.
fn join(a: &Finding, b: &Finding) -> Finding {
    // The title of the graver one says what matters most.
    let title = if (a.severity, fullness(&a.title)) >= (b.severity, fullness(&b.title)) { a } else { b };
    // Dimension and score belong together.
    let scored = [(&a.dimension, a.score), (&b.dimension, b.score)];
    let scored = scored.into_iter().filter(|(name, _)| name.is_some()).min();
    let (dimension, score) = scored.map_or((None, None), |(name, score)| (name.clone(), score));
    Finding {
        id: (&a.id).min(&b.id).clone(),
        title: title.title.clone(),
        severity: a.severity.max(b.severity),
        status: a.status.max(b.status),
        confidence: a.confidence.max(b.confidence),
        dimension,
        score,
        location: fuller_location(&a.location, &b.location),
        cause: fuller(&a.cause, &b.cause),
        steps: if steps(&a.steps) >= steps(&b.steps) { a.steps.clone() } else { b.steps.clone() },
        expected: fuller(&a.expected, &b.expected),
        actual: fuller(&a.actual, &b.actual),
        impact: fuller(&a.impact, &b.impact),
        fix: fuller(&a.fix, &b.fix),
        evidence: a.evidence.union(&b.evidence).cloned().collect(),
        found_by: a.found_by.union(&b.found_by).cloned().collect(),
        class: a.class.max(b.class),
        occurrence: a.occurrence.max(b.occurrence),
    }
}

/// How much a text says, and an order among texts that say as much.
fn fullness(text: &str) -> (usize, &str) {
    (text.chars().count(), text)
}

fn fuller(a: &str, b: &str) -> String {
    if fullness(a) >= fullness(b) { a.to_owned() } else { b.to_owned() }
}

/// The location that says more; of two that say as much, the first in order.
fn fuller_location(a: &Location, b: &Location) -> Location {
    let said = |location: &Location| match location {
        Location::Visual { region, element, .. } => {
            usize::from(region.is_some()) + usize::from(element.is_some())
        }
        Location::Span { line, column, .. } => usize::from(line.is_some()) + usize::from(column.is_some()),
        _ => 0,
    };
    if (Reverse(said(a)), a) <= (Reverse(said(b)), b) { a.clone() } else { b.clone() }
}

fn steps(steps: &[String]) -> (usize, &[String]) {
    (steps.len(), steps)
}

/// What two findings of one item share, where they share something.
fn similar(a: &Finding, b: &Finding) -> Option<String> {
    if a.fingerprint() == b.fingerprint() {
        return (a.occurrence() == b.occurrence()).then(|| "the same cause, with different fixes".to_owned());
    }
    let fix = plain(&a.fix);
    if !fix.is_empty() && fix == plain(&b.fix) {
        return Some("the same fix".to_owned());
    }
    let words = |finding: &Finding| -> std::collections::BTreeSet<String> {
        let text = plain(&format!("{} {}", finding.title, finding.cause));
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2).map(str::to_owned).collect()
    };
    let (a, b) = (words(a), words(b));
    let (shared, all) = (a.intersection(&b).count(), a.union(&b).count());
    (all > 0 && shared * 2 >= all).then(|| format!("{shared} of {all} words"))
}

/// How many findings there are of each severity that fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Blocking ones.
    pub blocking: usize,
    /// Important ones.
    pub important: usize,
    /// Minor ones.
    pub minor: usize,
}

impl Counts {
    /// Counts what fails.
    #[must_use]
    pub fn of(list: &[Finding]) -> Self {
        let count = |severity| {
            let fails = |finding: &&Finding| finding.status == Status::Fail && finding.severity == severity;
            list.iter().filter(fails).count()
        };
        Self {
            blocking: count(Severity::Blocking),
            important: count(Severity::Important),
            minor: count(Severity::Minor),
        }
    }

    /// The count of one severity.
    #[must_use]
    pub const fn severity(&self, severity: Severity) -> usize {
        match severity {
            Severity::Blocking => self.blocking,
            Severity::Important => self.important,
            Severity::Minor => self.minor,
        }
    }

    /// All of them.
    #[must_use]
    pub const fn total(&self) -> usize {
        self.blocking + self.important + self.minor
    }
}
