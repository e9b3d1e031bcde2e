//! The JSON form of a comparison, `trueup.diff/1`: a frozen structure of its own.

use serde::Serialize;
use trueup_frame::Size;
use trueup_pixel_diff::{DeltaE, Diff, MetricKind, Region, Tolerance};

/// What a comparison found, as a JSON document.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DiffDocument {
    /// `trueup.diff/1`.
    pub schema: &'static str,
    /// `pass`, `fail`, or `undetermined` when there was no pixel to compare.
    pub status: &'static str,
    /// Why, in one sentence.
    pub reason: String,
    /// The formula of ΔE.
    pub metric: &'static str,
    /// How much difference was allowed.
    pub tolerance: ToleranceDocument,
    /// The reference.
    pub expected: SideDocument,
    /// The other image.
    pub actual: SideDocument,
    /// Pixels that both images have and no mask covers.
    pub compared_pixels: u64,
    /// Pixels that both images have and a mask covers.
    pub masked_pixels: u64,
    /// Compared pixels whose value differs at all.
    pub differing_pixels: u64,
    /// Compared pixels with ΔE above the tolerance.
    pub visible_pixels: u64,
    /// Compared pixels that differ only by antialiasing, and are not held against the image.
    pub antialiased_pixels: u64,
    /// Pixels of all that is open.
    pub open_pixels: u64,
    /// Largest ΔE.
    pub max_delta_e: f64,
    /// Mean ΔE over all compared pixels.
    pub mean_delta_e: f64,
    /// The open score: ΔE summed over what is open, in hundreds of ΔE·px.
    pub score: f64,
    /// The tolerance at which nothing would be open; null when none would do.
    pub would_pass_at: Option<f64>,
    /// What only one image has; null when both have one size.
    pub size_mismatch: Option<SizeMismatchDocument>,
    /// How it was looked for what moved; null when it was not, because nothing is open.
    pub relation: Option<RelationDocument>,
    /// Masks, by position, that cover no pixel of either image.
    pub unmatched_masks: Vec<usize>,
    /// What differs, heaviest first.
    pub regions: Vec<RegionDocument>,
    /// The caller's boxes, in their order.
    pub boxes: Vec<BoxDocument>,
}

/// One of the caller's boxes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BoxDocument {
    /// Its name.
    pub name: String,
    /// First column.
    pub x: u32,
    /// First row.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Pixels in it that were compared.
    pub compared_pixels: u64,
    /// Of these, those whose value differs at all.
    pub differing_pixels: u64,
    /// Of these, those with ΔE above the tolerance.
    pub visible_pixels: u64,
    /// Mean ΔE over its compared pixels.
    pub mean_delta_e: f64,
    /// Largest ΔE in it.
    pub max_delta_e: f64,
}

/// How much difference was allowed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ToleranceDocument {
    /// ΔE of a formula over CIELAB; absent for the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color_delta_e: Option<f64>,
    /// In the unit of `oklab-hyab`: its own, times 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oklab_hyab: Option<f64>,
    /// In the unit of `yiq`: its own, times 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yiq: Option<f64>,
    /// In levels of 8 bits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<f64>,
    /// How far things may have moved, in pixels along each axis; absent when they may not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixel: Option<u32>,
    /// Whether every differing pixel is open.
    pub strict: bool,
}

impl ToleranceDocument {
    fn new(metric: MetricKind, tolerance: Tolerance) -> Self {
        let value = tolerance.color_delta_e().to_f64();
        let of = |key| (metric.tolerance_key() == key).then_some(value);
        Self {
            color_delta_e: of("color_delta_e"),
            oklab_hyab: of("oklab_hyab"),
            yiq: of("yiq"),
            channel: of("channel"),
            pixel: None,
            strict: tolerance.is_strict(),
        }
    }

    /// The key of the number that is there, and the number.
    #[must_use]
    pub fn threshold(&self) -> (&'static str, f64) {
        let all = [
            ("color_delta_e", self.color_delta_e),
            ("oklab_hyab", self.oklab_hyab),
            ("yiq", self.yiq),
            ("channel", self.channel),
        ];
        let found = all.into_iter().find_map(|(key, value)| value.map(|value| (key, value)));
        // One of them is always there.
        found.unwrap_or(("color_delta_e", 0.0))
    }
}

/// One of the two images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SideDocument {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
}

/// Pixels that only one image has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SizeMismatchDocument {
    /// Pixels that only the reference has and no mask covers.
    pub expected_extra_pixels: u64,
    /// Pixels that only the other image has and no mask covers.
    pub actual_extra_pixels: u64,
}

/// How it was looked for what moved, came and went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RelationDocument {
    /// Whether anything stands elsewhere: then regions are told in the places of both images.
    pub aligned: bool,
    /// Whether something was not looked for because it would have taken too long.
    pub cut: bool,
}

/// One region.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RegionDocument {
    /// Its name in this document or run.
    pub id: String,
    /// `color`, `content`, `moved`, `added`, `removed`, `noise`.
    pub kind: String,
    /// Whether it is outside tolerance.
    pub open: bool,
    /// Why it is not open although it differs: `consequence` of another region, `placement`, `level`, or `area` and the
    /// position of the area that excuses it; null otherwise.
    pub excuse: Option<String>,
    /// Columns and rows from its place in the reference to where it is, right and down; null when one image has no such place.
    pub vector: Option<[i64; 2]>,
    /// First column, in the second image; in the first for what only that has.
    pub x: u32,
    /// First row.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Pixels in it that differ.
    pub pixels: u64,
    /// Mean ΔE.
    pub mean_delta_e: f64,
    /// The ΔE that 95 % of its pixels do not exceed.
    pub p95_delta_e: f64,
    /// Largest ΔE.
    pub max_delta_e: f64,
    /// Mean ΔL*, actual minus expected: positive is lighter.
    pub delta_l: f64,
    /// Mean ΔC*: positive is more saturated.
    pub delta_c: f64,
    /// Mean ΔH*.
    pub delta_h: f64,
    /// The element that it belongs to, where the capture knows elements.
    pub element: Option<String>,
}

impl DiffDocument {
    /// The document, which says how far things were allowed to move, in pixels.
    #[must_use]
    pub const fn with_pixel(mut self, placement_px: u32) -> Self {
        self.tolerance.pixel = if placement_px > 0 { Some(placement_px) } else { None };
        self
    }

    /// The document of a comparison whose regions are named by their rank: `r1` is the heaviest.
    #[must_use]
    pub fn of(diff: &Diff) -> Self {
        Self::named(diff, |rank, _| (format!("r{}", rank + 1), None))
    }

    /// The document of a comparison with caller's boxes of these names, in the order of the options.
    #[must_use]
    pub fn with_boxes(diff: &Diff, names: &[&str]) -> Self {
        let name = |index: usize| names.get(index).map(|name| (*name).to_owned());
        let boxes = diff.boxes().iter().enumerate().map(|(index, found)| {
            let rect = found.rect();
            BoxDocument {
                name: name(index).unwrap_or_default(),
                x: rect.x,
                y: rect.y,
                width: rect.width,
                height: rect.height,
                compared_pixels: found.compared_pixels(),
                differing_pixels: found.differing_pixels(),
                visible_pixels: found.visible_pixels(),
                mean_delta_e: found.mean_delta_e(),
                max_delta_e: found.max_delta_e().to_f64(),
            }
        });
        let named =
            Self::named(diff, |rank, region| (format!("r{}", rank + 1), region.box_index().and_then(name)));
        Self { boxes: boxes.collect(), ..named }
    }

    /// The document of a comparison; `name` gives the id and the element of each region.
    pub(crate) fn named(diff: &Diff, name: impl Fn(usize, &Region) -> (String, Option<String>)) -> Self {
        let side = |size: Size| SideDocument { width: size.width, height: size.height };
        let tolerance = diff.tolerance();
        Self {
            schema: "trueup.diff/1",
            status: match (diff.is_match(), diff.compared_pixels()) {
                (false, _) => "fail",
                (true, 0) => "undetermined",
                (true, _) => "pass",
            },
            reason: reason(diff),
            metric: diff.metric().name(),
            tolerance: ToleranceDocument::new(diff.metric(), tolerance),
            expected: side(diff.expected_size()),
            actual: side(diff.actual_size()),
            compared_pixels: diff.compared_pixels(),
            masked_pixels: diff.masked_pixels(),
            differing_pixels: diff.differing_pixels(),
            visible_pixels: diff.visible_pixels(),
            antialiased_pixels: diff.antialiased_pixels(),
            open_pixels: diff.open_pixels(),
            max_delta_e: diff.max_delta_e().to_f64(),
            mean_delta_e: diff.mean_delta_e(),
            score: score(diff.score()),
            would_pass_at: diff.would_pass_at().map(DeltaE::to_f64),
            size_mismatch: diff.size_mismatch().map(|sizes| SizeMismatchDocument {
                expected_extra_pixels: sizes.expected_extra_pixels,
                actual_extra_pixels: sizes.actual_extra_pixels,
            }),
            relation: diff
                .relation()
                .map(|relation| RelationDocument { aligned: relation.is_aligned, cut: relation.is_cut }),
            unmatched_masks: diff.unmatched_masks().to_vec(),
            regions: diff
                .regions()
                .iter()
                .enumerate()
                .map(|(rank, region)| of_region(region, name(rank, region)))
                .collect(),
            boxes: Vec::new(),
        }
    }
}

fn of_region(region: &Region, (id, element): (String, Option<String>)) -> RegionDocument {
    let rect = region.rect();
    RegionDocument {
        id,
        kind: region.kind().name().to_owned(),
        open: region.is_open(),
        excuse: region.excuse().map(|excuse| excuse.to_string()),
        vector: region.vector(),
        x: rect.x,
        y: rect.y,
        width: rect.width,
        height: rect.height,
        pixels: region.pixels(),
        mean_delta_e: region.mean_delta_e(),
        p95_delta_e: region.p95_delta_e().to_f64(),
        max_delta_e: region.max_delta_e().to_f64(),
        delta_l: region.mean_delta_l(),
        delta_c: region.mean_delta_c(),
        delta_h: region.mean_delta_h(),
        element,
    }
}

#[expect(clippy::cast_precision_loss, reason = "a number for people; decisions use the exact one")]
fn score(raw: u128) -> f64 {
    raw as f64 / f64::from(DeltaE::SCALE) / 100.0
}

fn reason(diff: &Diff) -> String {
    let open = diff.open_regions().count();
    let sizes = diff.size_mismatch().filter(|_| diff.has_open_extra());
    let excused = diff.regions().iter().filter(|region| region.excuse().is_some()).count();
    match (open, sizes) {
        (0, None) if diff.compared_pixels() == 0 => "there is no pixel to compare".to_owned(),
        (0, None) if diff.is_identical() => "the images are identical".to_owned(),
        (0, None) if excused > 0 => "what differs is excused".to_owned(),
        (0, None) => "no region is outside tolerance".to_owned(),
        (open, sizes) => {
            let mut parts = Vec::new();
            if open > 0 {
                let regions = if open == 1 { "region is" } else { "regions are" };
                parts.push(format!("{open} {regions} outside tolerance"));
            }
            if sizes.is_some() {
                parts.push(format!("the sizes differ: {} and {}", diff.expected_size(), diff.actual_size()));
            }
            parts.join("; ")
        }
    }
}
