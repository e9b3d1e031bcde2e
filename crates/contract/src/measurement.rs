//! What a comparer saw.

use std::collections::BTreeSet;
use std::fmt;

use trueup_frame::Rect;
use trueup_score::{Points, Truth};

use crate::{DeltaId, Excuses, LabelName, RegionClass};

/// An sRGB colour with straight alpha, 8 bits a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[expect(clippy::exhaustive_structs, reason = "four channels, closed by nature")]
pub struct Color {
    /// Red, 0 to 255.
    pub red: u8,
    /// Green, 0 to 255.
    pub green: u8,
    /// Blue, 0 to 255.
    pub blue: u8,
    /// Alpha, 0 transparent to 255 opaque.
    pub alpha: u8,
}

impl fmt::Display for Color {
    /// `#rrggbb`, or `#rrggbbaa` when it is not opaque.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)?;
        if self.alpha == 255 { Ok(()) } else { write!(f, "{:02x}", self.alpha) }
    }
}

/// One pair of colours that stand at the same place in reference and capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Swatch {
    /// The colour in the reference.
    pub expected: Color,
    /// The colour in the capture.
    pub actual: Color,
    /// Number of pixels with exactly this pair.
    pub pixels: u64,
}

impl Swatch {
    /// `pixels` pixels that should be `expected` and are `actual`.
    #[must_use]
    pub const fn new(expected: Color, actual: Color, pixels: u64) -> Self {
        Self { expected, actual, pixels }
    }
}

/// A connected area that differs by more than the tolerance.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct OpenRegion {
    /// Its name while it stays the same thing.
    pub id: DeltaId,
    /// Where it is, in device pixels of the capture; for what only the reference has, of the reference.
    pub area: Rect,
    /// Where the same is in the reference, when that is elsewhere: it moved from there, or something before it came or went.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub expected_area: Option<Rect>,
    /// What it looks like, in bits that only comparing makes sense of, where the comparer says so.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub look: Option<u64>,
    /// What it covers of its box, in words that only comparing makes sense of, where the comparer says so; `None` is all of it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub sketch: Option<String>,
    /// Regions of other names that are a part of this one now: they count as open, too.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub holds: Vec<DeltaId>,
    /// Pixels in it that differ.
    pub pixels: u64,
    /// What it adds to the open score: ΔE summed over its pixels, in hundreds.
    pub score: Points,
    /// Mean ΔE of its pixels.
    pub mean_delta_e: Points,
    /// Largest ΔE in it.
    pub max_delta_e: Points,
    /// What kind of difference it is, as the comparer names it (`color`, `content`, …).
    pub kind: String,
    /// The most frequent colour pairs in it, most frequent first.
    pub swatches: Vec<Swatch>,
}

impl OpenRegion {
    /// A region that adds `score` to the open score; all else starts at zero and can be set.
    #[must_use]
    pub fn new(id: DeltaId, area: Rect, score: Points) -> Self {
        Self {
            id,
            area,
            expected_area: None,
            look: None,
            sketch: None,
            holds: Vec::new(),
            pixels: 0,
            score,
            mean_delta_e: Points::ZERO,
            max_delta_e: Points::ZERO,
            kind: "content".to_owned(),
            swatches: Vec::new(),
        }
    }

    /// Where it is in the reference, as far as the reference has it.
    #[must_use]
    pub fn anchor(&self) -> Rect {
        self.expected_area.unwrap_or(self.area)
    }

    /// Columns and rows from its place in the reference to where it is, right and down.
    #[must_use]
    pub fn vector(&self) -> [i64; 2] {
        let from = self.anchor();
        let by = |to: u32, from: u32| i64::from(to) - i64::from(from);
        [by(self.area.x, from.x), by(self.area.y, from.y)]
    }
}

/// A kind of evidence that was really compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Channel {
    /// Pixels.
    Visual,
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Visual => "visual",
        })
    }
}

/// What was seen for one label.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LabelMeasurement {
    /// The label.
    pub label: LabelName,
    /// What was seen.
    pub reading: LabelReading,
}

/// A region that is outside tolerance and excused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ExcusedRegion {
    /// The region.
    pub region: OpenRegion,
    /// Whose it is.
    pub class: RegionClass,
    /// Why, for people.
    pub reason: String,
    /// Who says so.
    pub by: String,
}

/// Whether a label could be compared, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum LabelReading {
    /// It was compared.
    Compared {
        /// By which evidence; never empty.
        channels: BTreeSet<Channel>,
        /// What is outside tolerance, heaviest first; empty when the label passes.
        open: Vec<OpenRegion>,
        /// What is outside tolerance and excused: listed with its reason, and held against nobody.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
        excused: Vec<ExcusedRegion>,
    },
    /// Its reference side cannot be used, whatever the artifact becomes. No gate waits for it.
    NotComparable {
        /// What is wrong with the reference.
        why: String,
    },
}

impl LabelMeasurement {
    /// A label that was compared by its pixels.
    #[must_use]
    pub fn compared(label: LabelName, open: Vec<OpenRegion>) -> Self {
        let channels = BTreeSet::from([Channel::Visual]);
        Self { label, reading: LabelReading::Compared { channels, open, excused: Vec::new() } }
    }

    /// A label whose reference cannot be used.
    #[must_use]
    pub fn not_comparable(label: LabelName, why: impl Into<String>) -> Self {
        Self { label, reading: LabelReading::NotComparable { why: why.into() } }
    }

    /// Whether the label passes: undetermined when it was not compared.
    #[must_use]
    pub fn truth(&self) -> Truth {
        match &self.reading {
            LabelReading::Compared { channels, .. } if channels.is_empty() => Truth::Undetermined,
            LabelReading::Compared { open, .. } => Truth::from(open.is_empty()),
            LabelReading::NotComparable { .. } => Truth::Undetermined,
        }
    }
}

/// What a comparer returns for all labels of one state.
///
/// The score, the truth and the ids are computed from the labels, so they cannot contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Measurement {
    labels: Vec<LabelMeasurement>,
}

impl Measurement {
    /// A measurement of these labels, in the plan's order.
    #[must_use]
    pub fn new(labels: Vec<LabelMeasurement>) -> Self {
        Self { labels }
    }

    /// What was seen for each label.
    #[must_use]
    pub fn labels(&self) -> &[LabelMeasurement] {
        &self.labels
    }

    /// Whether all labels pass; nothing at all is undetermined.
    #[must_use]
    pub fn truth(&self) -> Truth {
        Truth::all(self.labels.iter().map(LabelMeasurement::truth))
    }

    /// Whether every label that could be compared passes, and there is one.
    #[must_use]
    pub fn comparable_truth(&self) -> Truth {
        let comparable =
            self.labels.iter().map(LabelMeasurement::truth).filter(|truth| *truth != Truth::Undetermined);
        Truth::all(comparable)
    }

    /// Labels whose reference cannot be used.
    pub fn not_comparable(&self) -> impl Iterator<Item = (&LabelName, &str)> {
        self.labels.iter().filter_map(|label| match &label.reading {
            LabelReading::NotComparable { why } => Some((&label.label, why.as_str())),
            LabelReading::Compared { channels, .. } if channels.is_empty() => {
                Some((&label.label, "nothing was compared"))
            }
            LabelReading::Compared { .. } => None,
        })
    }

    /// The measurement with what is excused set apart: it counts as open no more.
    #[must_use]
    pub fn excusing(mut self, excuses: &Excuses) -> Self {
        if excuses.is_empty() {
            return self;
        }
        for label in &mut self.labels {
            let LabelReading::Compared { open, excused, .. } = &mut label.reading else { continue };
            let (apart, kept): (Vec<OpenRegion>, Vec<OpenRegion>) =
                std::mem::take(open).into_iter().partition(|region| excuses.excuse(region).is_some());
            *open = kept;
            excused.extend(apart.into_iter().filter_map(|region| {
                let judgement = excuses.excuse(&region)?.clone();
                Some(ExcusedRegion {
                    region,
                    class: judgement.class,
                    reason: judgement.reason,
                    by: judgement.by,
                })
            }));
        }
        self
    }

    /// All regions that are excused, label by label.
    pub fn excused_regions(&self) -> impl Iterator<Item = &ExcusedRegion> {
        self.labels.iter().flat_map(|label| match &label.reading {
            LabelReading::Compared { excused, .. } => excused.as_slice(),
            LabelReading::NotComparable { .. } => &[],
        })
    }

    /// All open regions, label by label.
    pub fn open_regions(&self) -> impl Iterator<Item = &OpenRegion> {
        self.labels.iter().flat_map(|label| match &label.reading {
            LabelReading::Compared { open, .. } => open.as_slice(),
            LabelReading::NotComparable { .. } => &[],
        })
    }

    /// The open score: what the open regions add up to, 0 when none is open. Lower is better.
    ///
    /// `None` when nothing was compared: nothing seen is not a score of 0.
    #[must_use]
    pub fn score(&self) -> Option<Points> {
        if self.channels().is_empty() {
            return None;
        }
        Some(self.open_regions().map(|region| region.score).fold(Points::ZERO, Points::saturating_add))
    }

    /// The ids of all open regions and of those that merged into them, in canonical order without duplicates (R5).
    #[must_use]
    pub fn delta_ids(&self) -> BTreeSet<DeltaId> {
        self.open_regions()
            .flat_map(|region| std::iter::once(&region.id).chain(&region.holds))
            .cloned()
            .collect()
    }

    /// The kinds of evidence that were really compared; empty when nothing was.
    #[must_use]
    pub fn channels(&self) -> BTreeSet<Channel> {
        let compared = self.labels.iter().filter_map(|label| match &label.reading {
            LabelReading::Compared { channels, .. } => Some(channels),
            LabelReading::NotComparable { .. } => None,
        });
        compared.flatten().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> LabelName {
        LabelName::new(text).unwrap()
    }

    fn region(id: &str, score: i64) -> OpenRegion {
        OpenRegion::new(DeltaId::new(id).unwrap(), Rect::new(0, 0, 1, 1), Points::from_whole(score))
    }

    #[test]
    fn a_label_that_cannot_be_compared_never_passes() {
        let bad = LabelMeasurement::not_comparable(name("b"), "empty file");
        let both = Measurement::new(vec![LabelMeasurement::compared(name("a"), vec![]), bad.clone()]);
        assert_eq!((both.truth(), both.comparable_truth()), (Truth::Undetermined, Truth::Pass));
        assert_eq!(both.score(), Some(Points::ZERO));

        let none = Measurement::new(vec![bad]);
        assert_eq!((none.comparable_truth(), none.score()), (Truth::Undetermined, None));
        assert_eq!(Measurement::new(vec![]).truth(), Truth::Undetermined);
    }

    #[test]
    fn r05_delta_ids_are_canonical() {
        let open = vec![region("a/r2", 3), region("a/r1", 5), region("a/r2", 1)];
        let measured = Measurement::new(vec![LabelMeasurement::compared(name("a"), open)]);
        let ids: Vec<_> = measured.delta_ids().into_iter().map(String::from).collect();
        assert_eq!(ids, ["a/r1", "a/r2"]);
        assert_eq!(measured.score(), Some(Points::from_whole(9)));
        assert_eq!(measured.truth(), Truth::Fail);
    }

    #[test]
    fn what_merged_into_a_region_is_open_with_it() {
        let mut merged = region("a/r1", 3);
        merged.holds = vec![DeltaId::new("a/r2").unwrap()];
        let of = |open| Measurement::new(vec![LabelMeasurement::compared(name("a"), open)]).delta_ids();
        assert_eq!(of(vec![merged]), of(vec![region("a/r1", 3), region("a/r2", 1)]));
    }

    #[test]
    fn what_is_excused_is_listed_and_held_against_nobody() {
        use crate::{RegionClass, RegionJudgement};
        let open = vec![region("a/r1", 5), region("a/r2", 3)];
        let judgement = RegionJudgement::new(&open[0], RegionClass::Version, "older parts", "ada");
        let excuses = Excuses::new().with(open[0].id.clone(), judgement);
        let measured = Measurement::new(vec![LabelMeasurement::compared(name("a"), open)]);
        let excused = measured.clone().excusing(&excuses);
        assert_eq!((excused.truth(), excused.score()), (Truth::Fail, Some(Points::from_whole(3))));
        let listed: Vec<_> =
            excused.excused_regions().map(|one| (one.region.id.region(), one.by.as_str())).collect();
        assert_eq!(listed, [("r1", "ada")]);
        // Once the other is mended, the label passes; when the excused one changes, it is open again.
        let only = |score| {
            Measurement::new(vec![LabelMeasurement::compared(name("a"), vec![region("a/r1", score)])])
        };
        assert_eq!(only(5).excusing(&excuses).truth(), Truth::Pass);
        assert_eq!(only(6).excusing(&excuses).truth(), Truth::Fail);
        assert_eq!(measured.clone().excusing(&Excuses::new()), measured);
    }
}
