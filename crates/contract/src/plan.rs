//! What is compared with what.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use trueup_frame::PixelRatio;

use crate::{Digest, LabelName};

/// The visible area that a label is rendered into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Viewport {
    width: u32,
    height: u32,
    ratio: PixelRatio,
}

impl Viewport {
    /// An area of `width` × `height` CSS pixels.
    ///
    /// # Errors
    /// When a side is 0 or over 100 000.
    pub fn new(width: u32, height: u32, ratio: PixelRatio) -> Result<Self, PlanError> {
        let sides = 1..=100_000;
        if !sides.contains(&width) || !sides.contains(&height) {
            return Err(PlanError { kind: PlanErrorKind::BadViewport { text: format!("{width}x{height}") } });
        }
        Ok(Self { width, height, ratio })
    }

    /// Width in CSS pixels.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Height in CSS pixels.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Device pixels per CSS pixel.
    #[must_use]
    pub const fn ratio(&self) -> PixelRatio {
        self.ratio
    }
}

impl fmt::Display for Viewport {
    /// `360x240`, or `360x240@2` at another device pixel ratio than 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)?;
        if self.ratio == PixelRatio::ONE { Ok(()) } else { write!(f, "@{}", self.ratio) }
    }
}

impl FromStr for Viewport {
    type Err = PlanError;

    /// Reads `WIDTHxHEIGHT` or `WIDTHxHEIGHT@RATIO`.
    fn from_str(text: &str) -> Result<Self, PlanError> {
        let bad = || PlanError { kind: PlanErrorKind::BadViewport { text: text.to_owned() } };
        let (size, ratio) = text.split_once('@').unwrap_or((text, "1"));
        let (width, height) = size.split_once('x').ok_or_else(bad)?;
        let ratio = ratio.parse::<trueup_score::Points>().map_err(|_| bad())?;
        let thousandths = u32::try_from(ratio.micros() / 1_000).map_err(|_| bad())?;
        let ratio = PixelRatio::from_thousandths(thousandths).ok_or_else(bad)?;
        Self::new(width.parse().map_err(|_| bad())?, height.parse().map_err(|_| bad())?, ratio)
            .map_err(|_| bad())
    }
}

/// One comparison: a screen in a theme at a viewport, and the reference that it must match.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Label {
    name: LabelName,
    source: String,
    theme: Option<String>,
    viewport: Viewport,
    reference: String,
}

impl Label {
    /// A label that renders `source` into `viewport` and compares it with `reference`.
    ///
    /// `source` and `reference` mean whatever the capturer and the comparer take them for: paths, routes, node ids.
    #[must_use]
    pub fn new(
        name: LabelName,
        source: impl Into<String>,
        viewport: Viewport,
        reference: impl Into<String>,
    ) -> Self {
        Self { name, source: source.into(), theme: None, viewport, reference: reference.into() }
    }

    /// The label in a named theme.
    #[must_use]
    pub fn with_theme(self, theme: impl Into<String>) -> Self {
        Self { theme: Some(theme.into()), ..self }
    }

    /// Its name, unique in the plan.
    #[must_use]
    pub const fn name(&self) -> &LabelName {
        &self.name
    }

    /// What the capturer renders.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The theme that it is rendered in, where there is one.
    #[must_use]
    pub fn theme(&self) -> Option<&str> {
        self.theme.as_deref()
    }

    /// What it is rendered into.
    #[must_use]
    pub const fn viewport(&self) -> Viewport {
        self.viewport
    }

    /// What the comparer holds it against.
    #[must_use]
    pub fn reference(&self) -> &str {
        &self.reference
    }
}

/// The labels of a run, each name once, in the order given.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Plan {
    labels: Vec<Label>,
}

impl Plan {
    /// A plan of these labels.
    ///
    /// A plan may be empty: whether that is a mistake or a design with nothing to compare is for the caller to say. A
    /// run with an empty plan ends as `undetermined:no-comparable-channel`, never as converged.
    ///
    /// # Errors
    /// When two labels have one name.
    pub fn new(labels: impl IntoIterator<Item = Label>) -> Result<Self, PlanError> {
        let labels: Vec<Label> = labels.into_iter().collect();
        let mut names = BTreeSet::new();
        if let Some(twice) = labels.iter().find(|label| !names.insert(label.name())) {
            return Err(PlanError { kind: PlanErrorKind::DuplicateLabel { label: twice.name.clone() } });
        }
        Ok(Self { labels })
    }

    /// The hash of everything that it says: a journal of another plan is refused by it.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let lines: Vec<String> = self
            .labels
            .iter()
            .map(|label| {
                let Label { name, source, theme, viewport, reference } = label;
                format!("{name}\0{source}\0{}\0{viewport}\0{reference}", theme.as_deref().unwrap_or_default())
            })
            .collect();
        Digest::of_parts(lines.iter().map(|line| ("label", line.as_bytes())))
    }

    /// The labels in order.
    #[must_use]
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }
}

/// Whether the reference of a label can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LabelReadiness {
    label: LabelName,
    problem: Option<String>,
}

impl LabelReadiness {
    /// The reference can be used.
    #[must_use]
    pub const fn ready(label: LabelName) -> Self {
        Self { label, problem: None }
    }

    /// The reference cannot be used, and why.
    #[must_use]
    pub fn unusable(label: LabelName, problem: impl Into<String>) -> Self {
        Self { label, problem: Some(problem.into()) }
    }

    /// The label.
    #[must_use]
    pub const fn label(&self) -> &LabelName {
        &self.label
    }

    /// Why the reference cannot be used; `None` when it can.
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }
}

/// A plan contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError {
    kind: PlanErrorKind,
}

/// What contradicts itself in a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanErrorKind {
    /// Two labels have one name.
    DuplicateLabel {
        /// The name.
        label: LabelName,
    },
    /// A viewport is not `WIDTHxHEIGHT` or `WIDTHxHEIGHT@RATIO` with sides from 1 to 100 000.
    BadViewport {
        /// The viewport as given.
        text: String,
    },
}

impl PlanError {
    /// What contradicts itself.
    #[must_use]
    pub const fn kind(&self) -> &PlanErrorKind {
        &self.kind
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            PlanErrorKind::DuplicateLabel { label } => {
                write!(f, "the label {label} is there twice: every label needs a name of its own")
            }
            PlanErrorKind::BadViewport { text } => {
                write!(
                    f,
                    "{text:?} is not a viewport: expected WIDTHxHEIGHT such as 1280x720, or 1280x720@2, with sides from 1 to 100000"
                )
            }
        }
    }
}

impl std::error::Error for PlanError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viewports_read_and_print() {
        for text in ["360x240", "375x667@2", "10x10@1.5"] {
            assert_eq!(text.parse::<Viewport>().unwrap().to_string(), text);
        }
        for text in ["", "360", "0x10", "10x0", "100001x1", "10x10@0", "10x10@17", "ax1", "1x1@x", "-1x1"] {
            assert!(text.parse::<Viewport>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_name_is_used_once() {
        let label =
            |name: &str| Label::new(LabelName::new(name).unwrap(), "a.svg", "1x1".parse().unwrap(), "a.png");
        assert!(Plan::new([label("a"), label("b")]).is_ok());
        let error = Plan::new([label("a"), label("b"), label("a")]).unwrap_err();
        assert!(matches!(error.kind(), PlanErrorKind::DuplicateLabel { label } if label.as_str() == "a"));
    }
}
