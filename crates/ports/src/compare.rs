//! Holding captures against references.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use trueup_contract::{DeltaId, LabelName, LabelReadiness, Measurement, OpenRegion, Plan};
use trueup_frame::Rect;

use crate::{Capture, Cx, Fault};

/// Look at the references of a plan.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PrepareRequest {
    /// The plan.
    pub plan: Arc<Plan>,
}

impl PrepareRequest {
    /// Look at the references of `plan`.
    #[must_use]
    pub const fn new(plan: Arc<Plan>) -> Self {
        Self { plan }
    }
}

/// A region that was open before, so that it keeps its name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KnownRegion {
    /// Its name.
    pub id: DeltaId,
    /// Where it was seen last, in device pixels of the reference.
    pub area: Rect,
    /// Where it was seen first.
    pub first_area: Rect,
    /// What kind of difference it was last, as the comparer named it.
    pub kind: String,
    /// What it looked like last, where the comparer said so.
    pub look: Option<u64>,
    /// What it covered of its box last, where the comparer said so; `None` is all of it.
    pub sketch: Option<String>,
}

impl KnownRegion {
    /// The region `id`, seen at `area`, of the kind `content`.
    #[must_use]
    pub fn new(id: DeltaId, area: Rect) -> Self {
        Self { id, area, first_area: area, kind: "content".to_owned(), look: None, sketch: None }
    }

    /// What is known of an open region, which was seen first at `first_area`, or now.
    #[must_use]
    pub fn of(region: &OpenRegion, first_area: Option<Rect>) -> Self {
        let area = region.anchor();
        let first_area = first_area.unwrap_or(area);
        Self {
            id: region.id.clone(),
            area,
            first_area,
            kind: region.kind.clone(),
            look: region.look,
            sketch: region.sketch.clone(),
        }
    }
}

/// Hold captures against the references.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CompareRequest {
    /// The plan that was prepared.
    pub plan: Arc<Plan>,
    /// One capture for each label that can be compared.
    pub captures: Arc<[Capture]>,
    /// Every region that was open so far, so that ids stay stable.
    pub known: Arc<[KnownRegion]>,
    /// Whether pictures are wanted for people; a trial wants none.
    pub pictures: bool,
}

impl CompareRequest {
    /// Hold `captures` against the references of `plan`; no region is known, and no picture is wanted.
    #[must_use]
    pub fn new(plan: Arc<Plan>, captures: Arc<[Capture]>) -> Self {
        Self { plan, captures, known: Arc::new([]), pictures: false }
    }

    /// The request with the regions that were open so far.
    #[must_use]
    pub fn with_known(self, known: Arc<[KnownRegion]>) -> Self {
        Self { known, ..self }
    }

    /// The request for a comparison with pictures.
    #[must_use]
    pub fn with_pictures(self) -> Self {
        Self { pictures: true, ..self }
    }
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum PictureKind {
    /// The reference.
    Reference,
    /// What was captured.
    Render,
    /// Where they differ.
    Diff,
    /// How much each pixel differs.
    Heatmap,
}

/// A picture for people, as an encoded PNG.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Picture {
    /// The label that it is of.
    pub label: LabelName,
    /// What it shows.
    pub kind: PictureKind,
    /// The PNG.
    pub png: Arc<[u8]>,
}

impl Picture {
    /// A picture of `label`.
    #[must_use]
    pub const fn new(label: LabelName, kind: PictureKind, png: Arc<[u8]>) -> Self {
        Self { label, kind, png }
    }
}

/// What came of a comparison.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Comparison {
    /// What was seen.
    pub measurement: Measurement,
    /// Pictures, when they were wanted.
    pub pictures: Vec<Picture>,
    /// A report for each label that was compared, as one JSON document each, for the run folder.
    pub reports: Vec<(LabelName, String)>,
}

impl Comparison {
    /// A comparison without pictures or reports.
    #[must_use]
    pub const fn new(measurement: Measurement) -> Self {
        Self { measurement, pictures: Vec::new(), reports: Vec::new() }
    }

    /// The comparison with pictures for people.
    #[must_use]
    pub fn with_pictures(self, pictures: Vec<Picture>) -> Self {
        Self { pictures, ..self }
    }

    /// The comparison with a report for each label.
    #[must_use]
    pub fn with_reports(self, reports: Vec<(LabelName, String)>) -> Self {
        Self { reports, ..self }
    }
}

/// Holds captures against references.
///
/// # Contract
/// - `prepare` answers for every label of the plan. A reference that cannot be used is an answer, not a fault.
/// - `compare` gives one reading for every label of the plan, in its order: those that `prepare` could not use are not
///   comparable. It is a function of its request: the same captures and known regions give the same measurement.
/// - A region that is still the same thing as a known one keeps its id.
#[async_trait]
pub trait Comparer: fmt::Debug + Send + Sync + 'static {
    /// Says of every label whether its reference can be used.
    async fn prepare(&self, request: PrepareRequest, cx: &Cx) -> Result<Vec<LabelReadiness>, Fault>;

    /// Measures every label.
    async fn compare(&self, request: CompareRequest, cx: &Cx) -> Result<Comparison, Fault>;
}
