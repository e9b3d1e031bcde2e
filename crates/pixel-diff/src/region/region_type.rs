//! What is reported about one region.

use std::cmp::Reverse;
use std::fmt;

use trueup_frame::Rect;

use super::{Bins, Compact, Histogram, Tally};
use crate::boxes::Tightest;
use crate::delta::mean;
use crate::{DeltaE, Sketch};

/// An area of differing pixels that belong together.
///
/// An open region consists of one or more open pieces (see [`Options::tolerance`](crate::Options::tolerance)) no farther
/// apart than the merge distance, and of the tolerated pixels in its box that touch them. The other tolerated pixels above
/// T/2 form regions of connected ones, which are not open. Colour components are CIELAB, actual minus expected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    rect: Rect,
    kind: RegionKind,
    pieces: u64,
    pixels: u64,
    delta_e_sum: u64,
    open_pixels: u64,
    open_delta_e_sum: u64,
    closes_at: DeltaE,
    max: DeltaE,
    lightness: i64,
    chroma_hue: [i64; 2],
    histogram: Histogram,
    box_index: Option<usize>,
    told: Told,
}

/// What relating tells of a region. Most have nothing of it, and there may be very many, so it is kept apart.
#[derive(Clone, Default)]
struct Told(Option<Box<Related>>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Related {
    place: Place,
    excuse: Option<Excuse>,
    rule: Option<usize>,
    is_spacing: bool,
    look: Option<u64>,
    sketch: Option<Sketch>,
}

const NOTHING: &Related =
    &Related { place: Place::Same, excuse: None, rule: None, is_spacing: false, look: None, sketch: None };

impl Told {
    const fn get(&self) -> &Related {
        match &self.0 {
            Some(related) => related,
            None => NOTHING,
        }
    }

    fn get_mut(&mut self) -> &mut Related {
        self.0.get_or_insert_default()
    }
}

impl PartialEq for Told {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for Told {}

impl fmt::Debug for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// Where a region is in the reference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Place {
    /// Where it is in the other image.
    #[default]
    Same,
    /// With its upper left corner here.
    From([u32; 2]),
    /// Only there: its box is one of the reference.
    Reference,
    /// Nowhere.
    New,
}

/// Why a region that differs is not held against the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Excuse {
    /// It follows from another region: it made way for what was added, or closed up on what was removed.
    Consequence,
    /// It moved no farther than [`Relating::placement_px`](crate::Relating::placement_px).
    Placement,
    /// [`Relating::level`](crate::Relating::level) tolerates it.
    Level,
    /// The rule at this index of [`Relating::rules`](crate::Relating::rules) tolerates it.
    Rule(usize),
}

impl fmt::Display for Excuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Consequence => f.write_str("consequence"),
            Self::Placement => f.write_str("placement"),
            Self::Level => f.write_str("level"),
            Self::Rule(index) => write!(f, "area {}", index + 1),
        }
    }
}

/// What kind of change a region is, as far as its pixels and their neighbours show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum RegionKind {
    /// Something stands where the reference has flat ground: at nine of ten ends of its rows of pixels, or more, the other
    /// image has an edge, and at one of ten, or fewer, the reference has one.
    Added,
    /// Flat ground where the reference has something: the same the other way round.
    Removed,
    /// All pixels changed in the same way: the vector sum of their (ΔL\*, Δa\*, Δb\*) keeps at least 90 % (in the
    /// square) of what it could have. A recoloured or lightened area.
    Color,
    /// Pixels changed in different ways: the picture itself is another.
    #[default]
    Content,
    /// The same as in the reference, but elsewhere: by [`Region::vector`]. Only [`relate`](crate::relate()) tells it.
    Moved,
    /// No sample differs by more than two steps of 8 bits, and the differences cancel out rather than add up (less than
    /// half in the same measure): dither, compression, rasteriser noise.
    Noise,
}

impl RegionKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Added, Self::Removed, Self::Color, Self::Content, Self::Moved, Self::Noise];

    /// The kind of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The stable lower-case name, as written in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Color => "color",
            Self::Content => "content",
            Self::Moved => "moved",
            Self::Noise => "noise",
        }
    }

    fn of(tally: &Tally) -> Self {
        // |Σd|² against n·Σ|d|², equal by Cauchy–Schwarz when all d are equal; both in 1/65 536.
        let together: u128 =
            tally.lab.iter().map(|&sum| u128::from(sum.unsigned_abs() >> 8)).map(|sum| sum * sum).sum();
        let possible = u128::from(tally.pixels) * u128::from(tally.squares);
        let (ends, expected, actual) = (tally.ends, 10 * tally.expected_edges, 10 * tally.actual_edges);
        if tally.max_step <= 2 * 257 && 2 * together < possible {
            Self::Noise
        } else if expected <= ends && actual >= 9 * ends && ends > 0 {
            Self::Added
        } else if actual <= ends && expected >= 9 * ends && ends > 0 {
            Self::Removed
        } else if 10 * together >= 9 * possible {
            Self::Color
        } else {
            Self::Content
        }
    }
}

impl fmt::Display for RegionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Region {
    /// The smallest box that holds all its pixels, in image pixels: of the image that is held against the reference, unless
    /// it is something that only the reference has.
    #[must_use]
    pub const fn rect(&self) -> Rect {
        self.rect
    }

    /// The same box in the reference; `None` when [`relate`](crate::relate()) found that the reference has no such place.
    #[must_use]
    pub const fn expected_rect(&self) -> Option<Rect> {
        let Rect { width, height, .. } = self.rect;
        match self.told.get().place {
            Place::Same | Place::Reference => Some(self.rect),
            Place::From([x, y]) => Some(Rect::new(x, y, width, height)),
            Place::New => None,
        }
    }

    /// Columns and rows that its place moved, right and down, in device pixels; `None` where only one image has it.
    #[must_use]
    pub fn vector(&self) -> Option<[i64; 2]> {
        match self.told.get().place {
            Place::Same => Some([0, 0]),
            Place::From([x, y]) => {
                Some([i64::from(self.rect.x) - i64::from(x), i64::from(self.rect.y) - i64::from(y)])
            }
            Place::Reference | Place::New => None,
        }
    }

    /// Why it is not held against the image although it differs beyond tolerance; `None` where that is not so.
    #[must_use]
    pub const fn excuse(&self) -> Option<Excuse> {
        self.told.get().excuse
    }

    /// What it looks like, in 64 bits that say little to people: what shows the same has the same, what shows almost the same
    /// has almost the same. Of open regions that [`relate`](crate::relate()) looked at; of a removed one, in the reference.
    #[must_use]
    pub const fn look(&self) -> Option<u64> {
        self.told.get().look
    }

    /// What it covers of its box, in the places of the reference as far as it has one there; `None` when that is all of it, or not
    /// known because [`relate`](crate::relate()) did not look at it.
    #[must_use]
    pub const fn sketch(&self) -> Option<&Sketch> {
        self.told.get().sketch.as_ref()
    }

    /// Index of the rule of [`Relating::rules`](crate::Relating::rules) that it was judged by.
    #[must_use]
    pub const fn rule(&self) -> Option<usize> {
        self.told.get().rule
    }

    /// Index of the smallest of [`Options::boxes`](crate::Options::boxes) that contains its whole box.
    #[must_use]
    pub const fn box_index(&self) -> Option<usize> {
        self.box_index
    }

    /// What kind of change it is.
    #[must_use]
    pub const fn kind(&self) -> RegionKind {
        self.kind
    }

    /// Whether it is outside tolerance: whether any of its pieces is.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.open_pixels > 0
    }

    /// Open pieces in it; 0 when it is not open.
    #[must_use]
    pub const fn pieces(&self) -> u64 {
        self.pieces
    }

    /// Pixels in it; the pixels of its box that do not differ by more than T/2 are not among them.
    #[must_use]
    pub const fn pixels(&self) -> u64 {
        self.pixels
    }

    /// Pixels of its open pieces.
    #[must_use]
    pub const fn open_pixels(&self) -> u64 {
        self.open_pixels
    }

    /// Sum of ΔE over its pixels in 1/65 536: its weight.
    #[must_use]
    pub const fn delta_e_sum(&self) -> u64 {
        self.delta_e_sum
    }

    /// Sum of ΔE over the pixels of its open pieces in 1/65 536: what it adds to the score.
    #[must_use]
    pub const fn open_delta_e_sum(&self) -> u64 {
        self.open_delta_e_sum
    }

    /// Mean ΔE of its pixels; [`delta_e_sum`](Self::delta_e_sum) and [`pixels`](Self::pixels) are the exact form.
    #[must_use]
    pub fn mean_delta_e(&self) -> f64 {
        mean(self.delta_e_sum.into(), self.pixels)
    }

    /// The ΔE that 95 % of its pixels do not exceed: see [`Histogram::percentile`].
    #[must_use]
    pub fn p95_delta_e(&self) -> DeltaE {
        self.histogram.percentile(95).unwrap_or(DeltaE::ZERO)
    }

    /// Largest ΔE of its pixels.
    #[must_use]
    pub const fn max_delta_e(&self) -> DeltaE {
        self.max
    }

    /// Mean ΔL\*: positive is lighter than expected.
    #[must_use]
    pub fn mean_delta_l(&self) -> f64 {
        mean(self.lightness.into(), self.pixels)
    }

    /// Mean ΔC\*ab: positive is more saturated than expected.
    #[must_use]
    pub fn mean_delta_c(&self) -> f64 {
        mean(self.chroma_hue[0].into(), self.pixels)
    }

    /// Mean ΔH\*ab = 2·√(C1·C2)·sin(Δh/2): positive is turned from red towards yellow, green, blue.
    #[must_use]
    pub fn mean_delta_h(&self) -> f64 {
        mean(self.chroma_hue[1].into(), self.pixels)
    }

    /// Sums of ΔL\*, ΔC\*ab and ΔH\*ab over its pixels in 1/65 536: the exact form of the three means.
    #[must_use]
    pub const fn signed_sums(&self) -> [i64; 3] {
        [self.lightness, self.chroma_hue[0], self.chroma_hue[1]]
    }

    /// Distribution of the ΔE of its pixels.
    #[must_use]
    pub const fn histogram(&self) -> &Histogram {
        &self.histogram
    }

    /// A `color_delta_e` under which it would not be open; 0 when it is not open now. Under a larger tolerance a region
    /// may also fall apart into pieces that close earlier, so a smaller value may do as well.
    #[must_use]
    pub const fn closes_at(&self) -> DeltaE {
        self.closes_at
    }

    /// A region of so many pixels of a mean and a largest ΔE, all of them open.
    pub(crate) fn structural(
        kind: RegionKind,
        rect: Rect,
        place: Place,
        pixels: u64,
        [mean, max]: [DeltaE; 2],
    ) -> Self {
        let sum = u64::from(mean.raw()).saturating_mul(pixels);
        let mut bins = Bins::default();
        bins.add(mean, pixels);
        let (histogram, pieces) = (bins.to_histogram(), 1);
        let (delta_e_sum, open_delta_e_sum) = (sum, sum);
        Self {
            rect,
            kind,
            pixels,
            pieces,
            open_pixels: pixels,
            delta_e_sum,
            open_delta_e_sum,
            max,
            histogram,
            ..Self::default()
        }
        .with_kind(kind, place)
    }

    /// Heaviest first, then from the top: the order of reports.
    pub(crate) const fn rank(&self) -> (Reverse<u64>, u32, u32, u32, u32, Reverse<u64>) {
        let Rect { x, y, width, height } = self.rect;
        (Reverse(self.delta_e_sum), y, x, height, width, Reverse(self.pixels))
    }

    /// Takes in another region of the same kind, place and rule.
    pub(crate) fn absorb(&mut self, other: &Self) {
        self.rect = self.rect.union(other.rect);
        self.pieces += other.pieces;
        self.pixels += other.pixels;
        self.open_pixels += other.open_pixels;
        self.delta_e_sum = self.delta_e_sum.saturating_add(other.delta_e_sum);
        self.open_delta_e_sum = self.open_delta_e_sum.saturating_add(other.open_delta_e_sum);
        (self.closes_at, self.max) = (self.closes_at.max(other.closes_at), self.max.max(other.max));
        self.lightness += other.lightness;
        (self.chroma_hue[0], self.chroma_hue[1]) =
            (self.chroma_hue[0] + other.chroma_hue[0], self.chroma_hue[1] + other.chroma_hue[1]);
        self.histogram.absorb(&other.histogram);
    }

    pub(crate) fn with_delta_e_sum(self, sum: u64) -> Self {
        Self { delta_e_sum: sum, open_delta_e_sum: sum, ..self }
    }

    pub(crate) fn with_kind(self, kind: RegionKind, place: Place) -> Self {
        let mut region = Self { kind, ..self };
        if place != region.told.get().place {
            region.told.get_mut().place = place;
        }
        region
    }

    pub(crate) fn with_spacing(mut self, is_spacing: bool) -> Self {
        if is_spacing != self.is_spacing() {
            self.told.get_mut().is_spacing = is_spacing;
        }
        self
    }

    pub(crate) fn with_excuse(mut self, excuse: Option<Excuse>) -> Self {
        if let Some(excuse) = excuse {
            self.set_excuse(excuse);
        }
        self
    }

    pub(crate) fn under_rule(mut self, rule: usize) -> Self {
        self.told.get_mut().rule = Some(rule);
        self
    }

    pub(crate) fn set_look(&mut self, look: u64) {
        self.told.get_mut().look = Some(look);
    }

    pub(crate) fn set_sketch(&mut self, sketch: Option<Sketch>) {
        if sketch.as_ref() != self.sketch() {
            self.told.get_mut().sketch = sketch;
        }
    }

    /// Whether only the reference has it, and its box is one of the reference.
    pub(crate) const fn is_of_reference(&self) -> bool {
        matches!(self.told.get().place, Place::Reference)
    }

    /// Whether it only repeats what is beside it.
    pub(crate) const fn is_spacing(&self) -> bool {
        self.told.get().is_spacing
    }

    /// Closes it.
    pub(crate) fn set_excuse(&mut self, excuse: Excuse) {
        self.told.get_mut().excuse = Some(excuse);
        (self.pieces, self.open_pixels, self.open_delta_e_sum) = (0, 0, 0);
        self.closes_at = DeltaE::ZERO;
    }

    /// Notes where in the reference it is.
    pub(crate) fn set_source(&mut self, source: Option<Rect>) {
        if let Some(Rect { x, y, .. }) = source.filter(|source| *source != self.rect) {
            self.told.get_mut().place = Place::From([x, y]);
        }
    }

    pub(crate) fn shift(&mut self, x: u32, y: u32) {
        self.rect.x += x;
        self.rect.y += y;
    }

    pub(crate) fn attribute(&mut self, boxes: &Tightest<'_>) {
        self.box_index = boxes.around(self.rect);
    }

    pub(super) fn add_open(&mut self, piece: &Compact) {
        self.pieces += 1;
        self.open_pixels += piece.pixels();
        self.open_delta_e_sum += piece.delta_sum();
        self.closes_at = self.closes_at.max(piece.closes_at());
    }

    /// Fills in everything that the sum over all pixels tells.
    pub(super) fn finished(mut self, whole: &Tally, bins: &mut Bins) -> Self {
        self.rect = whole.rect();
        self.kind = RegionKind::of(whole);
        self.pixels = whole.pixels;
        self.delta_e_sum = whole.delta_sum;
        self.max = whole.max;
        self.lightness = whole.lab[0];
        self.chroma_hue = whole.chroma_hue;
        self.histogram = whole.histogram(bins);
        self
    }
}
