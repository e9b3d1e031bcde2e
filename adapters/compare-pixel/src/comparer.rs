//! The comparer.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use trueup_contract::{
    DeltaId, FaultKind, Label, LabelMeasurement, LabelName, LabelReadiness, Measurement, OpenRegion,
};
use trueup_frame::Rect;
use trueup_pixel_diff::{DeltaE, Diff, Options, Region, Sighting, Sketch};
use trueup_ports::{
    Capture, CompareRequest, Comparer, Comparison, Cx, Element, Fault, KnownRegion, Picture, PictureKind,
    PrepareRequest,
};
use trueup_score::Points;

use crate::document::DiffDocument;
use crate::error::{CompareError, CompareErrorKind};
use crate::source::{Kept, Source};
use crate::{Settings, heatmap, identity, images, picture, reference, swatches};

/// Compares captures with reference files by their pixels.
///
/// A label's reference is a path relative to the folder that the comparer was given. References are read when the plan is
/// prepared, and not again: a run is held against what was there when it began.
#[derive(Clone, Debug)]
pub struct PixelComparer(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    folder: PathBuf,
    settings: Settings,
    references: Mutex<BTreeMap<LabelName, Result<Kept, String>>>,
}

impl PixelComparer {
    /// A comparer for references below `folder`.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>, settings: Settings) -> Self {
        Self(Arc::new(Shared { folder: folder.into(), settings, references: Mutex::default() }))
    }
}

#[async_trait]
impl Comparer for PixelComparer {
    async fn prepare(&self, request: PrepareRequest, cx: &Cx) -> Result<Vec<LabelReadiness>, Fault> {
        let (shared, stop) = (Arc::clone(&self.0), cx.clone());
        cx.run_blocking(move || {
            let mut answers = Vec::new();
            for label in request.plan.labels() {
                if stop.is_cancelled() {
                    return Err(Fault::cancelled());
                }
                let name = label.name().clone();
                answers.push(match shared.reference(label) {
                    Ok(_) => LabelReadiness::ready(name),
                    Err(problem) => LabelReadiness::unusable(name, problem),
                });
            }
            Ok(answers)
        })
        .await
    }

    async fn compare(&self, request: CompareRequest, cx: &Cx) -> Result<Comparison, Fault> {
        let (shared, stop) = (Arc::clone(&self.0), cx.clone());
        cx.run_blocking(move || {
            let mut out = Comparison::new(Measurement::new(Vec::new()));
            let mut labels = Vec::new();
            for label in request.plan.labels() {
                if stop.is_cancelled() {
                    return Err(Fault::cancelled());
                }
                labels.push(shared.compare(label, &request, &mut out)?);
                stop.report_done(label.name());
            }
            out.measurement = Measurement::new(labels);
            Ok(out)
        })
        .await
    }
}

impl Shared {
    fn reference(&self, label: &Label) -> Result<Kept, String> {
        let mut references = self.references.lock().unwrap_or_else(PoisonError::into_inner);
        let load = || reference::load(&self.folder.join(label.reference()));
        references.entry(label.name().clone()).or_insert_with(load).clone()
    }

    fn compare(
        &self,
        label: &Label,
        request: &CompareRequest,
        out: &mut Comparison,
    ) -> Result<LabelMeasurement, Fault> {
        let name = label.name();
        let expected = match self.reference(label) {
            Ok(expected) => expected,
            Err(problem) => return Ok(LabelMeasurement::not_comparable(name.clone(), problem)),
        };
        let capture = request.captures.iter().find(|capture| capture.label == *name);
        let capture =
            capture.ok_or_else(|| Fault::new(FaultKind::Rejected, format!("{name} was not captured")))?;
        let actual = Kept::of(&capture.pixels).ok_or_else(|| {
            Fault::new(FaultKind::Rejected, format!("{name} was captured in an unknown form"))
        })?;
        let about = |error: CompareError| fault(name, &error);
        let both = [expected.source(), actual.source()];
        let options = capture
            .masked
            .iter()
            .fold(self.settings.options(name), |options, area| options.with_ignored(*area));
        let relating = self.settings.relating(label, &capture.elements);
        let diff = images::compare_and_relate(both, None, &options, &relating).map_err(about)?;
        if diff.compared_pixels() == 0 && diff.is_match() {
            return Ok(LabelMeasurement::not_comparable(
                name.clone(),
                "there is no pixel to compare: masks cover all of it",
            ));
        }
        let mut open = open_regions(label, &diff, &request.known);
        if request.pictures {
            let boxes: Vec<[Rect; 2]> = open.iter().map(|region| [region.anchor(), region.area]).collect();
            let counted = swatches::count(both, &boxes).map_err(about)?;
            for (region, swatches) in open.iter_mut().zip(counted) {
                region.swatches = swatches;
            }
            out.pictures.extend(pictures(name, both, &diff, &options).map_err(about)?);
            let text = report(&diff, &open, capture, self.settings.placement_px(label));
            out.reports.push((name.clone(), text));
        }
        Ok(LabelMeasurement::compared(name.clone(), open))
    }
}

fn fault(label: &LabelName, error: &CompareError) -> Fault {
    // What was captured can be at fault; anything else is this comparer's own trouble.
    let kind = match error.kind() {
        CompareErrorKind::Actual(_) => FaultKind::Rejected,
        _ => FaultKind::Unavailable,
    };
    Fault::new(kind, format!("{label}: {error}"))
}

/// ΔE·px in fixed point as hundreds of ΔE·px, rounded up so that what is open never scores 0.
fn points(raw: u128) -> Points {
    let micros = (raw * 10_000).div_ceil(u128::from(DeltaE::SCALE));
    Points::from_micros(i64::try_from(micros).unwrap_or(i64::MAX))
}

/// A ΔE as points, rounded up.
fn delta_e_points(raw: u128) -> Points {
    let micros = (raw * 1_000_000).div_ceil(u128::from(DeltaE::SCALE));
    Points::from_micros(i64::try_from(micros).unwrap_or(i64::MAX))
}

/// What is outside tolerance, under ids that stay: open regions, and what only one of the images has.
fn open_regions(label: &Label, diff: &Diff, known: &[KnownRegion]) -> Vec<OpenRegion> {
    let (ratio, label) = (label.viewport().ratio(), label.name());
    let regions: Vec<&Region> = diff.open_regions().collect();
    let seen: Vec<Sighting> = regions.iter().map(|region| Sighting::of(region)).collect();
    let mut open: Vec<OpenRegion> = identity::name(label, ratio, &seen, known)
        .into_iter()
        .zip(regions)
        .map(|(name, region)| {
            let mut open = OpenRegion::new(name.id, region.rect(), points(region.open_delta_e_sum().into()));
            open.holds = name.holds;
            open.expected_area = region.expected_rect().filter(|expected| *expected != region.rect());
            open.look = region.look();
            open.sketch = region.sketch().map(Sketch::to_string);
            open.pixels = region.pixels();
            open.mean_delta_e =
                delta_e_points(u128::from(region.delta_e_sum()) / u128::from(region.pixels().max(1)));
            open.max_delta_e = delta_e_points(region.max_delta_e().raw().into());
            open.kind = region.kind().name().to_owned();
            open
        })
        .collect();
    if let Some(sizes) = diff.size_mismatch().filter(|_| diff.has_open_extra()) {
        let id = DeltaId::of(label, "size").unwrap_or_else(|error| unreachable!("a plain word: {error}"));
        let area = Rect::of_size(diff.expected_size().union(diff.actual_size()));
        let hundred = u128::from(100 * DeltaE::SCALE);
        let mut size = OpenRegion::new(id, area, points(sizes.extra_pixels() * hundred));
        size.pixels = u64::try_from(sizes.extra_pixels()).unwrap_or(u64::MAX);
        (size.mean_delta_e, size.max_delta_e) = (delta_e_points(hundred), delta_e_points(hundred));
        size.kind = "size".to_owned();
        open.push(size);
    }
    open
}

fn pictures(
    label: &LabelName,
    [expected, actual]: [Source<'_>; 2],
    diff: &Diff,
    options: &Options,
) -> Result<Vec<Picture>, CompareError> {
    let picture = |kind, png: Vec<u8>| Picture::new(label.clone(), kind, png.into());
    let mut pictures = vec![
        picture(PictureKind::Reference, picture::plain(expected)?),
        picture(PictureKind::Render, picture::plain(actual)?),
        picture(PictureKind::Diff, picture::draw([expected, actual], None, diff)?),
    ];
    // Of equal images it would show nothing but its legend.
    if diff.differing_pixels() > 0 {
        pictures.push(picture(PictureKind::Heatmap, heatmap::draw([expected, actual], None, diff, options)?));
    }
    Ok(pictures)
}

fn report(diff: &Diff, open: &[OpenRegion], capture: &Capture, placement_px: u32) -> String {
    let document = DiffDocument::named(diff, |rank, region| {
        // The others have no name in the run.
        let is_it = |open: &&OpenRegion| {
            open.area == region.rect() && open.kind == region.kind().name() && region.is_open()
        };
        let named = open.iter().find(is_it);
        let id = named.map_or_else(|| format!("closed{}", rank + 1), |open| open.id.to_string());
        (id, Element::tightest(&capture.elements, region.rect()).map(|element| element.selector.clone()))
    });
    let document = document.with_pixel(placement_px);
    let mut text = serde_json::to_string_pretty(&document)
        .unwrap_or_else(|error| unreachable!("a document of plain fields is always JSON: {error}"));
    text.push('\n');
    text
}
