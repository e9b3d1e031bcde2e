//! Relating a finished comparison.

use trueup_frame::{ImageView, Rect, Size};

use super::field::Field;
use super::flow::{Band, Flow, Piece, Shift};
use super::moves::{self, Move};
use super::plane::Plane;
use super::relating::{MatchLevel, Relating, Relation, Rule};
use super::work::Work;
use super::{lines, rescan, structure};
use crate::boxes::Tightest;
use crate::error::DiffErrorKind;
use crate::identity::look;
use crate::mask::Masks;
use crate::{
    Antialiasing, Diff, DiffError, Excuse, Mask, Options, Region, RegionKind, Side, Sketch, Tolerance,
};

/// Times that it is looked for what moved; each time what was found is judged, and what is left may have moved, too.
const ROUNDS: usize = 2;

/// Relates two images of which a comparison under `options` is known: tells what moved, what came and went, and excuses what
/// `relating` excuses.
///
/// Rows and columns that are common to both are aligned; what stands elsewhere is looked up; then the reference is held
/// against the other image again as it would be if everything stood where it stands now, by the same scan and the same rule.
/// So a region of a part that moved has its own ΔE, and nothing is called moved that does not show the same. The counts of
/// [`Diff`] stay those of the plain comparison; its regions, its score and its verdict are those of the relation.
///
/// A comparison without open regions comes back as it is, unless there are rules and a pixel differs: relating costs nothing
/// where there is nothing to relate. What differs and is not excused stays open in one form or another.
///
/// Both images are needed whole. Images that were streamed are decoded again: the result is the same.
///
/// # Errors
/// When the images are not of the sizes that were compared, or as [`diff`](crate::diff()).
///
/// ```
/// use trueup_frame::{ImageView, PixelFormat, Size};
/// use trueup_pixel_diff::{Options, RegionKind, Relating, diff, relate};
///
/// // Eight rows of unlike greys, and the same with a white row in between.
/// let rows = |greys: &[u8]| greys.iter().flat_map(|&grey| [grey; 8]).collect::<Vec<u8>>();
/// let (before, after) = (rows(&[0, 20, 40, 60, 80, 100]), rows(&[0, 20, 255, 40, 60, 80, 100]));
/// let expected = ImageView::packed(&before, Size::new(8, 6), PixelFormat::Gray8)?;
/// let actual = ImageView::packed(&after, Size::new(8, 7), PixelFormat::Gray8)?;
///
/// let options = Options::default();
/// let found = relate(diff(&expected, &actual, &options)?, &expected, &actual, &options, &Relating::default())?;
/// let open: Vec<_> = found.open_regions().map(|region| (region.kind(), region.rect().height)).collect();
/// assert_eq!(open, [(RegionKind::Added, 1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn relate(
    diff: Diff,
    expected: &ImageView<'_>,
    actual: &ImageView<'_>,
    options: &Options,
    relating: &Relating,
) -> Result<Diff, DiffError> {
    for (view, size, side) in
        [(expected, diff.expected_size(), Side::Expected), (actual, diff.actual_size(), Side::Actual)]
    {
        if view.size() != size {
            return Err(DiffError::new(DiffErrorKind::LayoutMismatch { side, what: "size" }));
        }
    }
    if !diff.is_worth_relating(relating) {
        return Ok(diff);
    }
    let mut stage = Stage {
        images: [expected, actual],
        options,
        relating,
        work: Work::new(relating.work_steps),
        masks: Masks::default(),
    };
    let sizes = [expected.size(), actual.size()];
    stage.masks.set(&options.ignored, sizes, sizes[0].intersection(sizes[1]).width);
    stage.run(diff)
}

impl Diff {
    /// Whether [`relate`] would look at the pixels again: something is open, or rules may open something that differs. Where
    /// nothing may move and there are no rules, less than a hundredth of a large image (more than 4 MP) is not worth it: regions
    /// keep the kinds of the plain comparison then. What only has another colour counts for nothing there: it stands where it
    /// stood.
    /// Whoever streamed two images needs to decode them again only then.
    #[must_use]
    pub fn is_worth_relating(&self, relating: &Relating) -> bool {
        let judges = !relating.rules.is_empty() || relating.level != MatchLevel::Color;
        let aligns = relating.aligns && (relating.placement_px > 0 || !self.is_little_of_much());
        (aligns || judges) && !self.is_match() || judges && !self.is_identical()
    }

    /// Whether little is open in a large image. To tell what moved there, both images would have to be looked at whole, which
    /// takes many times as long as the comparison, and could change what a few regions are called and never the verdict.
    fn is_little_of_much(&self) -> bool {
        let may_move = |region: &&Region| region.kind() != RegionKind::Color;
        let open: u64 = self.open_regions().filter(may_move).map(|region| region.rect().area()).sum();
        self.expected_size() == self.actual_size()
            && self.compared_pixels() > LARGE_PIXELS
            && open.saturating_mul(LITTLE_SHARE) < self.compared_pixels()
    }

    /// Whether relating would only find that the images are too large for the steps that it may take: then, and where nothing
    /// else is asked of it, [`without_relation`](Self::without_relation) says so without the pixels.
    #[must_use]
    pub fn is_too_large_for(&self, relating: &Relating) -> bool {
        relating.judges_as_page() && !affords(relating, self.expected_size(), self.actual_size())
    }

    /// The same result, which says that it was not looked for what moved.
    #[must_use]
    pub fn without_relation(self) -> Self {
        let relation = Relation { is_cut: true, ..Relation::default() };
        Self { relation: Some(relation), ..self }
    }
}

impl Relating {
    /// Whether every pixel is judged as the page is where nothing is related.
    fn judges_as_page(&self) -> bool {
        self.rules.is_empty() && self.level != MatchLevel::Strict
    }
}

/// Pixels beyond which an image is large: those of a screen of 2560×1600.
const LARGE_PIXELS: u64 = 4_096_000;

/// Open boxes are little where so many of them would not fill the image: one in a hundred is a card on a long page.
const LITTLE_SHARE: u64 = 100;

/// Steps that a pixel of both images takes at least.
const STEPS_PER_PIXEL: u64 = 2;

/// Whether images of these sizes can be looked at at all.
fn affords(relating: &Relating, expected: Size, actual: Size) -> bool {
    let pixels = expected.area().saturating_add(actual.area());
    pixels.saturating_mul(STEPS_PER_PIXEL) <= relating.work_steps
}

struct Stage<'a> {
    images: [&'a ImageView<'a>; 2],
    options: &'a Options,
    relating: &'a Relating,
    work: Work,
    masks: Masks,
}

/// How one image became the other, as far as it is known.
#[derive(Default)]
struct Found {
    field: Field,
    bands: Vec<Band>,
    shifts: Vec<Shift>,
    moves: Vec<Move>,
}

impl Found {
    fn is_in_place(&self) -> bool {
        self.bands.is_empty() && self.shifts.is_empty() && self.moves.is_empty()
    }
}

impl Stage<'_> {
    fn run(&mut self, raw: Diff) -> Result<Diff, DiffError> {
        let [expected, actual] = self.images;
        let is_affordable = affords(self.relating, expected.size(), actual.size());
        if !is_affordable {
            self.work.cut();
        }
        let can_align = self.relating.aligns
            && is_affordable
            && !raw.is_match()
            && expected.color() == actual.color()
            && !expected.size().is_empty()
            && !actual.size().is_empty();
        let mut found = Found::default();
        let mut regions = None;
        let mut structure = Vec::new();
        let mut both = None;
        if can_align {
            let [e, a] = Plane::both(expected, actual)?;
            let planes = [&e, &a];
            let flow = Flow::find(planes, &mut self.work);
            if !flow.is_in_place() {
                found = Found {
                    field: Field::of(&flow.pieces, actual.size()),
                    bands: flow.bands,
                    shifts: flow.shifts,
                    moves: Vec::new(),
                };
                regions = Some(self.judge(&found)?);
            } else {
                let shared = Rect::of_size(expected.size());
                let piece = Piece { to: shared, from: [0, 0] };
                found.field = Field::of(&[piece], actual.size());
            }
            for _ in 0..ROUNDS {
                let now = regions.as_deref().unwrap_or(&raw.regions);
                let open: Vec<Rect> =
                    now.iter().filter(|region| region.is_open()).map(Region::rect).collect();
                let mut moves = moves::find(planes, &found.field, &open, &mut self.work);
                if moves.is_empty() {
                    break;
                }
                moves.iter().for_each(|found_one| found.field.add(found_one));
                found.moves.append(&mut moves);
                regions = Some(self.judge(&found)?);
            }
            structure = self.structure(&found, &raw, planes)?;
            both = Some([e, a]);
        }
        let is_aligned = !found.is_in_place();
        let mut judged = match regions {
            Some(regions) => regions,
            None if self.relating.judges_as_page() => raw.regions.clone(),
            None => self.judge_in_place()?,
        };
        let tightest = Tightest::new(&self.options.boxes);
        judged.iter_mut().for_each(|region| region.attribute(&tightest));
        let mut regions = lines::join(judged);
        for region in &mut regions {
            let place = if is_aligned { found.field.source_of(region.rect()) } else { None };
            region.set_source(place);
        }
        regions.append(&mut structure);
        self.excuse(&mut regions);
        if let Some(planes) = &both {
            self.look_at(&mut regions, planes, &found.field);
        }
        let relation = Relation { work_steps: self.work.spent(), is_cut: self.work.is_cut(), is_aligned };
        let is_open = regions.iter().any(Region::is_open);
        let is_excused = regions.iter().any(|region| {
            matches!(region.excuse(), Some(Excuse::Placement | Excuse::Level | Excuse::Rule(_)))
        });
        // Nothing that differs is ever lost: where the relation has no place for it, it is told as it was found.
        if is_aligned && !is_open && !is_excused && !raw.is_match() {
            let mut regions =
                if self.relating.judges_as_page() { raw.regions.clone() } else { self.judge_in_place()? };
            self.excuse(&mut regions);
            if let Some(planes) = &both {
                let shared = Rect::of_size(expected.size().intersection(actual.size()));
                let in_place = Field::of(&[Piece { to: shared, from: [0, 0] }], actual.size());
                self.look_at(&mut regions, planes, &in_place);
            }
            let (work_steps, is_cut) = (self.work.spent(), self.work.is_cut());
            return Ok(self.finished(raw, regions, Relation { work_steps, is_cut, is_aligned: false }));
        }
        Ok(self.finished(raw, regions, relation))
    }

    /// Notes what open regions look like, and what they cover of their boxes, which may lie in each other many times.
    fn look_at(&mut self, regions: &mut [Region], planes: &[Plane<'_>; 2], field: &Field) {
        let [e, a] = planes;
        for region in regions.iter_mut().filter(|region| region.is_open()) {
            region.set_look(look(if region.is_of_reference() { e } else { a }, region.rect()));
            if self.work.spend(region.rect().area() / 8 + 1) {
                region.set_sketch(sketch(region, [e, a], field));
            }
        }
    }

    fn finished(&self, raw: Diff, mut regions: Vec<Region>, relation: Relation) -> Diff {
        let tightest = Tightest::new(&self.options.boxes);
        regions.iter_mut().for_each(|region| region.attribute(&tightest));
        regions.sort_by_key(Region::rank);
        let passes_at = if self.relating.judges_as_page() { raw.would_pass_at() } else { None };
        // Bands account for everything that only one image has.
        let extra_is_told = relation.is_aligned;
        Diff { regions, relation: Some(relation), passes_at: Some(passes_at), extra_is_told, ..raw }
    }

    /// What moved, came and went.
    fn structure(
        &mut self,
        found: &Found,
        raw: &Diff,
        planes: [&Plane<'_>; 2],
    ) -> Result<Vec<Region>, DiffError> {
        let mut regions: Vec<Region> =
            found.bands.iter().filter_map(|band| structure::of_band(band, &self.masks)).collect();
        // What follows from something that masks cover follows from nothing that is told.
        let is_told = regions.iter().any(Region::is_open) || found.shifts.iter().any(|shift| shift.is_cause);
        let is_cause = |shift: &Shift| shift.is_cause || !is_told;
        for of_causes in [true, false] {
            let shifts = found.shifts.iter().filter(|shift| is_cause(shift) == of_causes);
            let moves = found.moves.iter().filter(|_| of_causes);
            let pieces = shifts.map(|shift| shift.piece).chain(moves.map(|moved| moved.piece)).collect();
            for piece in moves::joined(planes, pieces, &mut self.work) {
                let shift = Shift { piece, is_cause: of_causes };
                regions.extend(structure::of_shift(&shift, raw, planes, self.images, self.options)?);
            }
        }
        let sources: Vec<Rect> = found.moves.iter().map(|moved| moved.piece.source()).collect();
        for moved in &found.moves {
            regions.extend(structure::covered(moved, &sources, self.images[0], self.options)?);
        }
        Ok(regions)
    }

    /// Holds the reference, as it would be if everything stood where it stands now, against the other image.
    fn judge(&self, found: &Found) -> Result<Vec<Region>, DiffError> {
        let [expected, actual] = self.images;
        let moved = found.field.draw(expected, actual.size())?;
        let mut options = self.options.clone();
        let pieces = found.field.pieces().iter().chain(found.moves.iter().map(|found| &found.piece));
        let pieces: Vec<Piece> = pieces.filter(|piece| !piece.is_in_place()).copied().collect();
        follow(&mut options.ignored, &self.options.ignored, &pieces, actual.size());
        let added = found.bands.iter().filter(|band| band.side == Side::Actual);
        options.ignored.extend(added.map(|band| Mask::Rect(band.rect)));
        self.judge_views([&moved.view(), actual], &options)
    }

    fn judge_in_place(&self) -> Result<Vec<Region>, DiffError> {
        let [expected, actual] = self.images;
        let shared = Rect::of_size(expected.size().intersection(actual.size()));
        self.judge_views([&expected.crop(shared)?, &actual.crop(shared)?], self.options)
    }

    /// Judges the page, and each area that has a rule by that.
    fn judge_views(&self, images: [&ImageView<'_>; 2], page: &Options) -> Result<Vec<Region>, DiffError> {
        let size = images[1].size();
        let rules = &self.relating.rules;
        let mut regions = Vec::new();
        let mut options = at_level(page, self.relating.level, None);
        options.ignored.extend(rules.iter().map(|rule| rule.area.clone()));
        regions.append(&mut rescan::area(images, Rect::of_size(size), &options)?.regions);
        for (index, rule) in rules.iter().enumerate() {
            let bounds = rescan::bounds(&rule.area, size);
            let Some(bounds) = bounds.filter(|_| rule.level != MatchLevel::Ignore) else { continue };
            let mut options = at_level(page, rule.level, rule.tolerance);
            options.ignored.extend(rules[index + 1..].iter().map(|later| later.area.clone()));
            options.ignored.extend(rescan::outside(&rule.area, size));
            let found = rescan::area(images, bounds, &options)?;
            regions.extend(found.regions.into_iter().map(|region| region.under_rule(index)));
        }
        Ok(regions)
    }

    /// Excuses what levels, rules and placement excuse.
    fn excuse(&self, regions: &mut [Region]) {
        for region in regions.iter_mut().filter(|region| region.is_open()) {
            let rule = region.rule().or_else(|| self.rule_of(region));
            let (level, limit) = match rule.map(|index| &self.relating.rules[index]) {
                None => {
                    (self.relating.level, limit_of(self.relating.level, None, self.relating.placement_px))
                }
                Some(rule) => {
                    (rule.level, limit_of(rule.level, rule.placement_px, self.relating.placement_px))
                }
            };
            let is_near =
                |limit: Option<u32>, distance: u64| limit.is_none_or(|limit| distance <= limit.into());
            let by_placement = match region.kind() {
                RegionKind::Moved => {
                    region.vector().is_some_and(|by| by.iter().all(|by| is_near(limit, by.unsigned_abs())))
                }
                RegionKind::Added | RegionKind::Removed => {
                    let rect = region.rect();
                    region.is_spacing() && is_near(limit, rect.width.min(rect.height).into())
                }
                _ => false,
            };
            let by_level = match level {
                MatchLevel::Ignore => true,
                MatchLevel::Layout => !matches!(region.kind(), RegionKind::Added | RegionKind::Removed),
                _ => false,
            };
            if by_placement || by_level {
                region.set_excuse(match rule {
                    Some(index) => Excuse::Rule(index),
                    None if by_level => Excuse::Level,
                    None => Excuse::Placement,
                });
            }
        }
    }

    /// The last rule whose area holds all of what moved, came or went.
    fn rule_of(&self, region: &Region) -> Option<usize> {
        let rects = [Some(region.rect()), region.expected_rect()];
        let holds = |rule: &Rule| rects.iter().flatten().any(|&rect| rescan::covers(&rule.area, rect));
        self.relating.rules.iter().rposition(holds)
    }
}

/// How far something may have moved; `None` is any distance.
fn limit_of(level: MatchLevel, own: Option<u32>, page: u32) -> Option<u32> {
    match (level, own) {
        (MatchLevel::Strict, _) => Some(own.unwrap_or(0)),
        (_, Some(own)) => Some(own),
        (MatchLevel::Color, None) => Some(page),
        (MatchLevel::Placement | MatchLevel::Layout | MatchLevel::Ignore, None) => None,
    }
}

fn at_level(page: &Options, level: MatchLevel, tolerance: Option<Tolerance>) -> Options {
    let mut options = page.clone();
    options.tolerance = tolerance.unwrap_or(options.tolerance);
    if level == MatchLevel::Strict {
        options.tolerance = options.tolerance.with_strict(true);
        options.antialiasing = Antialiasing::Off;
    }
    options
}

/// What a region covers of its box: the pixels of it that are not those of the reference where they come from. What moved, came
/// or went is all of its box.
fn sketch(region: &Region, [e, a]: [&Plane<'_>; 2], field: &Field) -> Option<Sketch> {
    let rect = region.rect();
    let place = region.expected_rect().filter(|_| !region.is_of_reference())?;
    // What has all pixels of its box fills it.
    if region.kind() == RegionKind::Moved || region.pixels() == rect.area() {
        return None;
    }
    Sketch::of_rows(place, |x, y, width| {
        let (mut x, y) = (rect.x + (x - place.x), rect.y + (y - place.y));
        let (end, mut differing) = (x + width, 0);
        while x < end {
            let (source, run) = field.run(x, y, end - x);
            differing += match source {
                Some(from) => run - a.alike([x, y], e, from, run),
                None => run,
            };
            x += run;
        }
        differing
    })
}

/// Lets masks follow what they cover in the reference.
fn follow(out: &mut Vec<Mask>, masks: &[Mask], pieces: &[Piece], size: Size) {
    for mask in masks {
        match mask {
            Mask::Rect(rect) => out.extend(pieces.iter().filter_map(|piece| {
                let part = rect.intersection(piece.source())?;
                let to = |at: u32, from: u32, to: u32| to + (at - from);
                let x = to(part.x, piece.from[0], piece.to.x);
                Some(Mask::Rect(Rect::new(x, to(part.y, piece.from[1], piece.to.y), part.width, part.height)))
            })),
            Mask::Bits(bits) => {
                let moved = pieces.iter().map(|piece| (piece.to, piece.from));
                out.extend(bits.moved(size, moved).map(Mask::Bits));
            }
        }
    }
}
