//! Regions of a comparison as findings: where, how far in ΔE, in which direction, and what is probably to blame.

use serde::Deserialize;
use trueup_findings::{Evidence, EvidenceKind, Finding, Location, Severity};

/// What is read of a `trueup.diff/1`.
#[derive(Debug, Deserialize)]
pub(super) struct Comparison {
    #[serde(default)]
    expected: Size,
    #[serde(default)]
    actual: Size,
    size_mismatch: Option<SizeMismatch>,
    #[serde(default)]
    regions: Vec<Region>,
}

#[derive(Debug, Default, Deserialize)]
struct Size {
    width: u32,
    height: u32,
}

#[derive(Debug, Deserialize)]
struct SizeMismatch {
    expected_extra_pixels: u64,
    actual_extra_pixels: u64,
}

#[derive(Debug, Deserialize)]
struct Region {
    id: String,
    kind: String,
    open: bool,
    x: u32,
    y: u32,
    width: u32,
    height: u32,
    pixels: u64,
    mean_delta_e: f64,
    max_delta_e: f64,
    #[serde(default)]
    delta_l: f64,
    #[serde(default)]
    delta_c: f64,
    #[serde(default)]
    delta_h: f64,
    #[serde(default)]
    element: Option<String>,
}

/// What a kind of region usually comes from: a word for it, what to look for, and what to do.
struct Cause {
    name: &'static str,
    what: &'static str,
    fix: &'static str,
    severity: Severity,
}

/// The first three are what a person has to guess least: one colour that became another is a token, something that moved is
/// spacing, something that is not there is missing.
fn cause(kind: &str) -> Cause {
    let (name, what, fix, severity) = match kind {
        "color" => (
            "token",
            "one colour became another: a colour token differs",
            "set the colour to the reference's",
            Severity::Important,
        ),
        "moved" => (
            "spacing",
            "it is there and stands elsewhere: spacing or alignment differs",
            "move it to where the reference has it",
            Severity::Important,
        ),
        "removed" => (
            "missing",
            "the reference has something here and the rendering has not",
            "render what the reference has here",
            Severity::Blocking,
        ),
        "added" => (
            "added",
            "the rendering has something here and the reference has not",
            "take away what the reference does not have here",
            Severity::Blocking,
        ),
        "content" => (
            "text",
            "what is shown differs: text, font or picture",
            "show the text or picture that the reference has here",
            Severity::Important,
        ),
        _ => {
            ("unknown", "it differs without a pattern", "render it as the reference has it", Severity::Minor)
        }
    };
    Cause { name, what, fix, severity }
}

impl Comparison {
    /// One finding for each open region, and one where the sizes differ. `label` names the comparison.
    pub(super) fn findings(&self, label: &str) -> Vec<Finding> {
        let mut list: Vec<Finding> =
            self.regions.iter().filter(|region| region.open).map(|region| region.finding(label)).collect();
        if let Some(sizes) = &self.size_mismatch {
            let (e, a) = (&self.expected, &self.actual);
            list.push(
                Finding::new("size", "the sizes differ", Severity::Blocking)
                    .at(Location::visual(label, None, Some("whole picture".to_owned())))
                    .caused_by("size")
                    .with_difference(format!("{}×{}", e.width, e.height), format!("{}×{}", a.width, a.height))
                    .with_impact(format!(
                        "{} pixels are only in the reference and {} only in the rendering: they were not compared",
                        sizes.expected_extra_pixels, sizes.actual_extra_pixels
                    ))
                    .with_fix("render at the size of the reference")
                    .found_also_by("trueup diff"),
            );
        }
        list
    }
}

impl Region {
    fn finding(&self, label: &str) -> Finding {
        let cause = cause(&self.kind);
        let place = self.element.as_deref().unwrap_or(&self.id);
        let title = format!(
            "{place}: {} (ΔE mean {:.1}, max {:.1})",
            self.direction(),
            self.mean_delta_e,
            self.max_delta_e
        );
        let area = format!("{}×{} at ({}, {})", self.width, self.height, self.x, self.y);
        Finding::new(self.id.clone(), title, cause.severity)
            .at(Location::visual(label, Some(self.id.clone()), self.element.clone()))
            .caused_by(cause.name)
            .with_difference(
                format!("{area} as the reference has it"),
                format!("{} pixels differ in {area}: {}", self.pixels, cause.what),
            )
            .with_impact("a person sees it: it is outside the tolerance")
            .with_fix(format!("{}: {place}", cause.fix))
            .with_evidence(Evidence::new(EvidenceKind::Note, format!("{label}/{} {area}", self.id)))
            .found_also_by("trueup diff")
    }

    /// Which way it went, in words. What ΔE steps of half a unit leave open is not said.
    fn direction(&self) -> String {
        match self.kind.as_str() {
            "removed" => return "missing".to_owned(),
            "added" => return "added".to_owned(),
            "moved" => return "moved".to_owned(),
            _ => {}
        }
        let mut said = Vec::new();
        for (delta, more, less) in
            [(self.delta_l, "lighter", "darker"), (self.delta_c, "more saturated", "less saturated")]
        {
            if delta.abs() >= 0.5 {
                said.push(format!("{} by {:.1}", if delta > 0.0 { more } else { less }, delta.abs()));
            }
        }
        if self.delta_h.abs() >= 0.5 {
            said.push(format!("of another hue, by {:.1}", self.delta_h.abs()));
        }
        if said.is_empty() { "different in content".to_owned() } else { said.join(", ") }
    }
}
