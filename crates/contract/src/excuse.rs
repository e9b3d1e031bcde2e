//! Whose an open region is to mend (seed 002), and regions that are excused.

use std::collections::BTreeMap;
use std::fmt;

use trueup_frame::Rect;
use trueup_score::Points;

use crate::{DeltaId, OpenRegion};

/// Whose an open region is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum RegionClass {
    /// A known difference that nobody will mend here. Excused, never patched.
    Known,
    /// The design and the parts that it is built of have different versions. Excused, never patched.
    Version,
    /// A style that the artifact sets: mended by a token.
    StyleSlot,
    /// The artifact's own.
    App,
}

impl RegionClass {
    /// Whether a region of this class is excused, and never patched.
    #[must_use]
    pub const fn is_excused(self) -> bool {
        matches!(self, Self::Known | Self::Version)
    }

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Known => "known",
            Self::Version => "version",
            Self::StyleSlot => "style-slot",
            Self::App => "app",
        }
    }
}

impl fmt::Display for RegionClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a region looked like when it was judged. An excuse holds only while this stays the same.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RegionSeen {
    /// Where it was, in device pixels of the reference.
    pub area: Rect,
    /// Pixels in it that differed.
    pub pixels: u64,
    /// What it added to the open score.
    pub score: Points,
}

impl RegionSeen {
    /// What `region` looks like now.
    #[must_use]
    pub const fn of(region: &OpenRegion) -> Self {
        Self { area: region.area, pixels: region.pixels, score: region.score }
    }
}

/// How one open region was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RegionJudgement {
    /// Whose it is.
    pub class: RegionClass,
    /// Why, for people.
    pub reason: String,
    /// Who says so.
    pub by: String,
    /// What it looked like then.
    pub seen: RegionSeen,
}

impl RegionJudgement {
    /// `by` says that `region` is of `class`, for this reason.
    #[must_use]
    pub fn new(
        region: &OpenRegion,
        class: RegionClass,
        reason: impl Into<String>,
        by: impl Into<String>,
    ) -> Self {
        Self { class, reason: reason.into(), by: by.into(), seen: RegionSeen::of(region) }
    }
}

/// Open regions that were judged, by their id: the content of `judgement.json`.
///
/// A region that nobody judged is the artifact's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Excuses {
    regions: BTreeMap<DeltaId, RegionJudgement>,
}

impl Excuses {
    /// Nothing was judged.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With the judgement of one more region; a second judgement of a region replaces the first.
    #[must_use]
    pub fn with(mut self, id: DeltaId, judgement: RegionJudgement) -> Self {
        self.regions.insert(id, judgement);
        self
    }

    /// How an open region counts now. A judgement lapses when its region changes: it is the artifact's own again.
    #[must_use]
    pub fn class(&self, region: &OpenRegion) -> RegionClass {
        self.valid(region).map_or(RegionClass::App, |judgement| judgement.class)
    }

    /// The judgement that excuses a region now, where one does.
    #[must_use]
    pub fn excuse(&self, region: &OpenRegion) -> Option<&RegionJudgement> {
        self.valid(region).filter(|judgement| judgement.class.is_excused())
    }

    fn valid(&self, region: &OpenRegion) -> Option<&RegionJudgement> {
        self.regions.get(&region.id).filter(|judgement| judgement.seen == RegionSeen::of(region))
    }

    /// The judgement of a region that has changed since, where there is one.
    #[must_use]
    pub fn lapsed(&self, region: &OpenRegion) -> Option<&RegionJudgement> {
        self.regions.get(&region.id).filter(|judgement| judgement.seen != RegionSeen::of(region))
    }

    /// Every judgement by its region.
    pub fn iter(&self) -> impl Iterator<Item = (&DeltaId, &RegionJudgement)> {
        self.regions.iter()
    }

    /// Whether nothing was judged.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }
}

impl fmt::Display for Excuses {
    /// One judgement a line, everything that decides included.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, judgement) in &self.regions {
            let RegionJudgement { class, reason, by, seen } = judgement;
            let RegionSeen { area, pixels, score } = seen;
            writeln!(f, "{id} {class} at {area} ({pixels} pixels, {score}): {reason:?}, says {by:?}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(score: i64) -> OpenRegion {
        let id = DeltaId::new("card/r1").unwrap();
        OpenRegion::new(id, Rect::new(1, 2, 3, 4), Points::from_whole(score))
    }

    #[test]
    fn only_known_and_version_are_excused() {
        for (class, excused) in [
            (RegionClass::Known, true),
            (RegionClass::Version, true),
            (RegionClass::StyleSlot, false),
            (RegionClass::App, false),
        ] {
            let judgement = RegionJudgement::new(&region(5), class, "older parts", "ada");
            let excuses = Excuses::new().with(region(5).id, judgement);
            assert_eq!(excuses.excuse(&region(5)).is_some(), excused, "{class}");
            assert_eq!(excuses.class(&region(5)), class);
        }
        assert_eq!(
            Excuses::new().class(&region(5)),
            RegionClass::App,
            "what nobody judged is the artifact's own"
        );
    }

    #[test]
    fn an_excuse_lapses_when_its_region_changes() {
        let judgement = RegionJudgement::new(&region(5), RegionClass::Version, "older parts", "ada");
        let excuses = Excuses::new().with(region(5).id, judgement.clone());
        assert_eq!(excuses.excuse(&region(5)), Some(&judgement));
        assert_eq!(excuses.excuse(&region(6)), None);
        assert_eq!(excuses.lapsed(&region(6)), Some(&judgement));
        let mut moved = region(5);
        moved.area = Rect::new(9, 2, 3, 4);
        assert_eq!((excuses.excuse(&moved), excuses.class(&moved)), (None, RegionClass::App));
    }
}
