//! What is asked of the relation of two images, and what is told about it.

use std::fmt;

use crate::{Mask, Tolerance};

/// How two images that differ are related, and what of it is excused. `Relating::default()` excuses nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Relating {
    /// Whether it is looked for what moved, came and went. Default: yes.
    pub aligns: bool,
    /// What is tolerated where no rule says otherwise. Default: [`MatchLevel::Color`].
    pub level: MatchLevel,
    /// How far something may have moved, in device pixels along each axis, and be excused; for a tolerance in CSS pixels,
    /// times the device pixel ratio. It excuses a displacement and nothing else: what moved *and* changed is open. Rows or
    /// columns that only repeat what is beside them are distance, too, up to as many. Default: 0.
    pub placement_px: u32,
    /// Areas with a level of their own; where they overlap, the last one counts. Default: none.
    pub rules: Vec<Rule>,
    /// Steps of work at most, of which an ordinary comparison takes one or two a pixel of both images. When they do not
    /// suffice, less is found and [`Relation::is_cut`] says so; the verdict is a fail all the same. Default: 2³⁰, which no
    /// screen comes near and which ends within seconds.
    pub work_steps: u64,
}

/// An area with a level of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// Where, in pixels of the image that is held against the reference.
    pub area: Mask,
    /// What is tolerated there.
    pub level: MatchLevel,
    /// Another tolerance of colour than the page's.
    pub tolerance: Option<Tolerance>,
    /// How far things may have moved there, in device pixels along each axis: a floating region. `None` is any distance for
    /// [`MatchLevel::Placement`] and [`MatchLevel::Layout`], and the page's for the others.
    pub placement_px: Option<u32>,
}

/// What is tolerated, each level all that the one before it tolerates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum MatchLevel {
    /// Nothing: every pixel that differs is open.
    Strict,
    /// Differences of colour within tolerance.
    #[default]
    Color,
    /// That, and a displacement.
    Placement,
    /// That, and any other colour or content. What was added or removed is open.
    Layout,
    /// Everything: the area is not compared.
    Ignore,
}

impl MatchLevel {
    /// All levels, from the strictest.
    pub const ALL: [Self; 5] = [Self::Strict, Self::Color, Self::Placement, Self::Layout, Self::Ignore];

    /// The stable lower-case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Color => "color",
            Self::Placement => "placement",
            Self::Layout => "layout",
            Self::Ignore => "ignore",
        }
    }

    /// The level of this name; `colour` is `color`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = if name == "colour" { "color" } else { name };
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}

impl fmt::Display for MatchLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Rule {
    /// A level for an area.
    #[must_use]
    pub fn new(area: impl Into<Mask>, level: MatchLevel) -> Self {
        Self { area: area.into(), level, tolerance: None, placement_px: None }
    }

    /// The rule with a tolerance of colour of its own.
    #[must_use]
    pub fn with_tolerance(self, tolerance: Tolerance) -> Self {
        Self { tolerance: Some(tolerance), ..self }
    }

    /// The rule with a distance, in device pixels, that things may have moved.
    #[must_use]
    pub fn with_placement_px(self, placement_px: u32) -> Self {
        Self { placement_px: Some(placement_px), ..self }
    }
}

impl Relating {
    /// The same with a distance, in device pixels, that things may have moved.
    #[must_use]
    pub fn with_placement_px(self, placement_px: u32) -> Self {
        Self { placement_px, ..self }
    }

    /// The same with another level where no rule says otherwise.
    #[must_use]
    pub fn with_level(self, level: MatchLevel) -> Self {
        Self { level, ..self }
    }

    /// The same with one more rule.
    #[must_use]
    pub fn with_rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// The same with or without looking for what moved.
    #[must_use]
    pub fn with_aligns(self, aligns: bool) -> Self {
        Self { aligns, ..self }
    }

    /// The same with another bound of work.
    #[must_use]
    pub fn with_work_steps(self, work_steps: u64) -> Self {
        Self { work_steps, ..self }
    }
}

impl Default for Relating {
    fn default() -> Self {
        Self {
            aligns: true,
            level: MatchLevel::default(),
            placement_px: 0,
            rules: Vec::new(),
            work_steps: 1 << 30,
        }
    }
}

/// How two images were related.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Relation {
    /// Steps of work that were taken.
    pub work_steps: u64,
    /// Whether something was not looked for because it would have taken more: what is reported as content, added or removed
    /// may have moved.
    pub is_cut: bool,
    /// Whether regions are told in the places of both images. When not, each pixel was held against the one in its place.
    pub is_aligned: bool,
}
