//! Rows and columns that came, went and made way.
//!
//! Rows of both images are aligned by what they show; between those that are common, columns are; between those again rows.
//! What is left is held against each other in place.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use trueup_frame::Rect;

use super::plane::Plane;
use super::sequence::{Run, Sequences};
use super::work::Work;
use crate::Side;

/// Lines are only taken for displaced where at least so many pixels of each agree, or the whole picture's: the columns of
/// one line of text say little about what moved.
const MIN_ACROSS_PX: u32 = 32;

/// Rows, columns, rows, columns.
const DEPTH: u32 = 4;

/// Lines from which a block of them may have changed its place.
const MIN_BLOCK_LINES: u32 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    Rows,
    Columns,
}

/// A part of the other image, and the part of the reference that it is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) to: Rect,
    /// Upper left corner in the reference.
    pub(crate) from: [u32; 2],
}

impl Piece {
    pub(crate) const fn source(&self) -> Rect {
        Rect::new(self.from[0], self.from[1], self.to.width, self.to.height)
    }

    /// Columns and rows from the reference to the other image.
    pub(crate) fn vector(&self) -> [i64; 2] {
        [i64::from(self.to.x) - i64::from(self.from[0]), i64::from(self.to.y) - i64::from(self.from[1])]
    }

    pub(crate) fn is_in_place(&self) -> bool {
        self.from == [self.to.x, self.to.y]
    }
}

/// Rows or columns that only one image has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Band {
    /// The image that has them.
    pub(crate) side: Side,
    pub(crate) rect: Rect,
    pub(crate) axis: Axis,
    /// It only repeats the line beside it: distance, not content.
    pub(crate) is_spacing: bool,
    pub(crate) fate: Fate,
}

/// Whether a band is reported for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is what happened.
    Open,
    /// It is the distance that something moved.
    Margin,
    /// It was pushed out of the picture by something else.
    Left,
}

/// Something that stands elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shift {
    pub(crate) piece: Piece,
    /// Whether nothing else explains it.
    pub(crate) is_cause: bool,
}

/// How one image became the other.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    /// Disjoint, and all of the other image but what was added.
    pub(crate) pieces: Vec<Piece>,
    pub(crate) bands: Vec<Band>,
    pub(crate) shifts: Vec<Shift>,
}

impl Flow {
    /// Whether everything is where it was.
    pub(crate) fn is_in_place(&self) -> bool {
        self.bands.is_empty() && self.pieces.iter().all(Piece::is_in_place)
    }

    pub(crate) fn find(planes: [&Plane<'_>; 2], work: &mut Work) -> Self {
        let [e, a] = planes.map(Plane::size);
        let mut finder = Finder { planes, work, flow: Self::default(), barren: None };
        let axis = if e.width != a.width && e.height == a.height { Axis::Columns } else { Axis::Rows };
        finder.level(Rect::of_size(e), Rect::of_size(a), axis, DEPTH);
        finder.flow
    }
}

struct Finder<'a> {
    planes: [&'a Plane<'a>; 2],
    work: &'a mut Work,
    flow: Flow,
    /// Areas that had no line in common along one axis, last.
    barren: Option<[Rect; 2]>,
}

/// Lines of both, common or not.
#[derive(Clone, Debug)]
struct Step {
    expected: Range<u32>,
    actual: Range<u32>,
    is_common: bool,
}

/// Two areas that are aligned along an axis.
struct Level {
    rects: [Rect; 2],
    axis: Axis,
    /// Hashes of the lines of both.
    lines: [Vec<u64>; 2],
    /// The most frequent line of the reference, which is its ground; of several, the first one.
    free: Option<u64>,
    /// Pixels of a line that are held against each other.
    across: u32,
    is_whole: bool,
    /// Lines are alike where their pixels change at the same places, whatever their colours.
    is_of_shapes: bool,
}

impl Axis {
    const fn other(self) -> Self {
        match self {
            Self::Rows => Self::Columns,
            Self::Columns => Self::Rows,
        }
    }

    const fn along(self, rect: Rect) -> u32 {
        match self {
            Self::Rows => rect.height,
            Self::Columns => rect.width,
        }
    }

    const fn start(self, rect: Rect) -> u32 {
        match self {
            Self::Rows => rect.y,
            Self::Columns => rect.x,
        }
    }

    const fn across(self, rect: Rect) -> u32 {
        self.other().along(rect)
    }

    /// Some lines of an area, counted from its first one, and of these some pixels.
    const fn part(self, rect: Rect, first: u32, lines: u32, skip: u32, pixels: u32) -> Rect {
        match self {
            Self::Rows => Rect::new(rect.x + skip, rect.y + first, pixels, lines),
            Self::Columns => Rect::new(rect.x + first, rect.y + skip, lines, pixels),
        }
    }

    fn hashes(self, plane: &Plane<'_>, rect: Rect, across: u32) -> Vec<u64> {
        let part = self.part(rect, 0, self.along(rect), 0, across);
        match self {
            Self::Rows => plane.row_hashes(part),
            Self::Columns => plane.column_hashes(part),
        }
    }

    fn shapes(self, plane: &Plane<'_>, rect: Rect, across: u32) -> Vec<u64> {
        let part = self.part(rect, 0, self.along(rect), 0, across);
        match self {
            Self::Rows => plane.row_shapes(part),
            Self::Columns => plane.column_shapes(part),
        }
    }
}

impl Level {
    fn part(&self, side: Side, lines: &Range<u32>) -> Rect {
        let rect = self.rects[side_index(side)];
        self.axis.part(rect, lines.start, lines.end - lines.start, 0, self.axis.across(rect))
    }

    fn lines(&self, side: Side) -> &[u64] {
        &self.lines[side_index(side)]
    }

    /// Whether some lines only repeat the one beside them or the ground, and whether each of them does, or is one colour at the edge.
    fn spacing(&self, planes: [&Plane<'_>; 2], side: Side, range: &Range<u32>) -> [bool; 2] {
        let lines = self.lines(side);
        let (start, end) = (range.start as usize, range.end as usize);
        let first = lines[start];
        if lines[start..end].iter().any(|&line| line != first) {
            return [false; 2];
        }
        let beside = [start.checked_sub(1).map(|before| lines[before]), lines.get(end).copied()];
        let repeats = beside.contains(&Some(first)) || self.free == Some(first);
        let at_edge = beside.contains(&None);
        let line = self.axis.part(self.rects[side_index(side)], range.start, 1, 0, self.across);
        [repeats, repeats || at_edge && planes[side_index(side)].is_one_color(line)]
    }
}

const fn side_index(side: Side) -> usize {
    match side {
        Side::Expected => 0,
        Side::Actual => 1,
    }
}

fn most_frequent(lines: &[u64]) -> Option<u64> {
    // How often each occurs, and where first: hashes say nothing about an order.
    let mut counts: HashMap<u64, (u32, Reverse<usize>)> = HashMap::new();
    for (at, &line) in lines.iter().enumerate() {
        counts.entry(line).or_insert((0, Reverse(at))).0 += 1;
    }
    counts.into_iter().max_by_key(|&(_, count)| count).map(|(line, _)| line)
}

fn displacement(run: &Run) -> i64 {
    i64::from(run.actual) - i64::from(run.expected)
}

impl Finder<'_> {
    /// Aligns two areas that correspond.
    fn level(&mut self, e: Rect, a: Rect, axis: Axis, depth: u32) {
        let across = axis.across(e).min(axis.across(a));
        let cost = u64::from(across) * u64::from(axis.along(e) + axis.along(a));
        // One line has as many pixels as it is long: too few across for any of them to be displaced.
        let is_line =
            (e.width, e.height) == (a.width, a.height) && e.width.min(e.height) == 1 && depth < DEPTH;
        if depth == 0 || across == 0 || is_line || !self.work.spend(cost / 4 + 1) {
            return self.leaf(e, a);
        }
        let lines = [axis.hashes(self.planes[0], e, across), axis.hashes(self.planes[1], a, across)];
        let is_whole = [e, a] == self.planes.map(|plane| Rect::of_size(plane.size()));
        let free = most_frequent(&lines[0]);
        let level = Level { rects: [e, a], axis, lines, free, across, is_whole, is_of_shapes: false };
        let planes = self.planes;
        let same = |i: u32, j: u32| same_line(planes, axis, [e, a], [i, j], across);
        let sequences = Sequences { expected: &level.lines[0], actual: &level.lines[1], same: &same };
        let mut runs = sequences.common(self.work);
        if !is_whole && across < MIN_ACROSS_PX {
            let end = i64::from(axis.along(a)) - i64::from(axis.along(e));
            runs.retain(|run| {
                let is_tail = run.expected + run.len == axis.along(e);
                displacement(run) == 0 || is_tail && displacement(run) == end
            });
        }
        drop_chance(&level, &mut runs);
        slide(&level, &mut runs);
        let segments = segments(&level, runs);
        if segments.iter().all(|segment| segment.steps.iter().all(|step| !step.is_common)) {
            let progress = axis.along(e) > 0 && axis.along(a) > 0;
            // The same areas may still have columns in common; when they have not, nothing is left to look for.
            let is_barren = self.barren == Some([e, a]);
            self.barren = Some([e, a]);
            return match (progress && !is_barren, axis.along(e) == axis.along(a)) {
                (false, _) => self.leaf(e, a),
                (true, true) => self.level(e, a, axis.other(), depth - 1),
                (true, false) => self.shapes(e, a, axis, depth - 1),
            };
        }
        for segment in segments {
            self.segment(&level, &segment, depth);
        }
        self.beyond(&level);
    }

    /// Aligns two areas that have no line in common by where their lines change colour: what was recoloured keeps its shape.
    fn shapes(&mut self, e: Rect, a: Rect, axis: Axis, depth: u32) {
        let across = axis.across(e).min(axis.across(a));
        let cost = u64::from(across) * u64::from(axis.along(e) + axis.along(a));
        if depth == 0 || across < MIN_ACROSS_PX || !self.work.spend(cost / 4 + 1) {
            return self.level(e, a, axis.other(), depth);
        }
        let lines = [axis.shapes(self.planes[0], e, across), axis.shapes(self.planes[1], a, across)];
        let sequences = Sequences { expected: &lines[0], actual: &lines[1], same: &|_, _| true };
        let mut runs = sequences.common(self.work);
        let free = most_frequent(&lines[0]);
        let level = Level { rects: [e, a], axis, lines, free, across, is_whole: false, is_of_shapes: true };
        drop_chance(&level, &mut runs);
        slide(&level, &mut runs);
        if runs.is_empty() {
            return self.level(e, a, axis.other(), depth);
        }
        for segment in segments(&level, runs) {
            self.segment(&level, &segment, depth);
        }
    }

    /// What lies beside the pixels that lines of both have.
    fn beyond(&mut self, level: &Level) {
        for (side, rect) in [Side::Expected, Side::Actual].into_iter().zip(level.rects) {
            let extra = level.axis.across(rect) - level.across;
            if extra > 0 && level.axis.along(rect) > 0 {
                let rect = level.axis.part(rect, 0, level.axis.along(rect), level.across, extra);
                let axis = level.axis.other();
                let is_spacing = self.planes[side_index(side)].is_one_color(rect);
                self.flow.bands.push(Band { side, rect, axis, is_spacing, fate: Fate::Open });
            }
        }
    }

    fn segment(&mut self, level: &Level, segment: &Segment, depth: u32) {
        let axis = level.axis;
        let mut found: Vec<Found> = Vec::new();
        let mut is_uneven = false;
        for step in &segment.steps {
            let parts = [(Side::Expected, &step.expected), (Side::Actual, &step.actual)];
            let [e, a] = parts.map(|(side, lines)| common_part(level, side, lines));
            if step.is_common && !level.is_of_shapes {
                self.flow.pieces.push(Piece { to: a, from: [e.x, e.y] });
            } else if !step.expected.is_empty() && !step.actual.is_empty() {
                let is_odd = step.expected.len() != step.actual.len();
                is_uneven |= is_odd;
                if is_odd && !level.is_of_shapes {
                    self.shapes(e, a, axis, depth - 1);
                } else {
                    self.level(e, a, axis.other(), depth - 1);
                }
            } else {
                let (side, lines) = if step.actual.is_empty() { parts[0] } else { parts[1] };
                let [is_spacing, is_margin] = level.spacing(self.planes, side, lines);
                let rect = if side == Side::Expected { e } else { a };
                let band = Band { side, rect, axis, is_spacing, fate: Fate::Open };
                found.push(Found { band, is_margin, at: axis.start(a) });
            }
        }
        let mut shifts = shifts(level, segment);
        let is_exchanged = self.exchange(level, &mut found, &mut shifts);
        found.sort_by_key(|found| found.at);
        settle(level, segment, [is_uneven, is_exchanged], &mut found, &mut shifts);
        self.flow.bands.extend(found.into_iter().map(|found| found.band));
        self.flow.shifts.extend(shifts);
    }

    /// Blocks of lines that went at one place and came at another.
    fn exchange(&mut self, level: &Level, found: &mut Vec<Found>, shifts: &mut Vec<Shift>) -> bool {
        let axis = level.axis;
        let mut is_exchanged = false;
        let mut gone = 0;
        // Bands that were held against each other already, and are no block.
        let mut unlike: HashSet<[Rect; 2]> = HashSet::new();
        while gone < found.len() {
            let is_content = |side, band: &Band| {
                band.side == side && !band.is_spacing && axis.along(band.rect) >= MIN_BLOCK_LINES
            };
            let from = found[gone].band;
            let came = is_content(Side::Expected, &from).then(|| {
                (0..found.len()).filter(|&at| is_content(Side::Actual, &found[at].band)).find_map(|at| {
                    let to = found[at].band.rect;
                    let run =
                        unlike.insert([from.rect, to]).then(|| self.longest(level, from.rect, to))??;
                    Some((at, run))
                })
            });
            let Some((came, run)) = came.flatten() else {
                gone += 1;
                continue;
            };
            let part =
                |rect: Rect, first: u32, lines: u32| axis.part(rect, first, lines, 0, axis.across(rect));
            let source = part(from.rect, run.expected, run.len);
            let target = part(found[came].band.rect, run.actual, run.len);
            let piece = Piece { to: target, from: [source.x, source.y] };
            self.flow.pieces.push(piece);
            shifts.push(Shift { piece, is_cause: true });
            is_exchanged = true;
            let mut rest = Vec::new();
            for (whole, first) in [(found[gone], run.expected), (found[came], run.actual)] {
                let len = axis.along(whole.band.rect);
                for (first, lines) in [(0, first), (first + run.len, len - first - run.len)] {
                    if lines > 0 {
                        let rect = part(whole.band.rect, first, lines);
                        let side = whole.band.side;
                        let start = axis.start(rect) - axis.start(level.rects[side_index(side)]);
                        let [is_spacing, is_margin] =
                            level.spacing(self.planes, side, &(start..start + lines));
                        rest.push(Found {
                            band: Band { rect, is_spacing, ..whole.band },
                            is_margin,
                            ..whole
                        });
                    }
                }
            }
            found.remove(gone.max(came));
            found.remove(gone.min(came));
            found.extend(rest);
            gone = 0;
        }
        is_exchanged
    }

    /// The longest run of common lines of two bands, if it is most of both.
    fn longest(&mut self, level: &Level, from: Rect, to: Rect) -> Option<Run> {
        let axis = level.axis;
        let most = axis.along(from).max(axis.along(to));
        if 2 * axis.along(from).min(axis.along(to)) < most || !self.work.spend(2 * u64::from(most)) {
            return None;
        }
        let offset = |rect: Rect, whole: Rect| axis.start(rect) - axis.start(whole);
        let (e, a) = (offset(from, level.rects[0]), offset(to, level.rects[1]));
        let (planes, rects, across) = (self.planes, level.rects, level.across);
        let same = |i: u32, j: u32| same_line(planes, axis, rects, [e + i, a + j], across);
        let slice = |lines: &[u64], first: u32, len: u32| -> Vec<u64> {
            lines[first as usize..(first + len) as usize].to_vec()
        };
        let expected = slice(&level.lines[0], e, axis.along(from));
        let actual = slice(&level.lines[1], a, axis.along(to));
        let sequences = Sequences { expected: &expected, actual: &actual, same: &same };
        let runs = sequences.common(self.work);
        // Together with lines in between that changed: from the first to the last with one displacement.
        let best = runs.iter().max_by_key(|run| run.len)?;
        let alike: Vec<&Run> = runs.iter().filter(|run| displacement(run) == displacement(best)).collect();
        let (first, last) = (alike.first()?, alike.last()?);
        let len = last.expected + last.len - first.expected;
        let common: u32 = alike.iter().map(|run| run.len).sum();
        let is_block = len >= MIN_BLOCK_LINES && 2 * common >= most;
        is_block.then_some(Run { expected: first.expected, actual: first.actual, len })
    }

    /// Two areas that have no line in common: held against each other from the corner that fits better.
    fn leaf(&mut self, e: Rect, a: Rect) {
        let (width, height) = (e.width.min(a.width), e.height.min(a.height));
        let mut corner = [[0, 0], [0, 0]];
        if width > 0 && height > 0 {
            let far = [[e.width - width, e.height - height], [a.width - width, a.height - height]];
            if far != corner && self.work.spend(2 * u64::from(width) * u64::from(height) / 8 + 1) {
                let alike = |corner: [[u32; 2]; 2]| -> u64 {
                    (0..height)
                        .map(|dy| {
                            let [[ex, ey], [ax, ay]] = corner;
                            let e_at = [e.x + ex, e.y + ey + dy];
                            let a_at = [a.x + ax, a.y + ay + dy];
                            u64::from(self.planes[0].alike(e_at, self.planes[1], a_at, width))
                        })
                        .sum()
                };
                if alike(far) > alike(corner) {
                    corner = far;
                }
            }
            let [[ex, ey], [ax, ay]] = corner;
            let to = Rect::new(a.x + ax, a.y + ay, width, height);
            self.flow.pieces.push(Piece { to, from: [e.x + ex, e.y + ey] });
        }
        for (side, rect, [x, y]) in [(Side::Expected, e, corner[0]), (Side::Actual, a, corner[1])] {
            let mut band = |rect: Rect, axis| {
                if !rect.is_empty() {
                    let is_spacing = self.planes[side_index(side)].is_one_color(rect);
                    self.flow.bands.push(Band { side, rect, axis, is_spacing, fate: Fate::Open });
                }
            };
            // Above or below at full width, then left or right of what is common.
            let rows = rect.height - height;
            let first = if y == 0 { rect.y + height } else { rect.y };
            band(Rect::new(rect.x, first, rect.width, rows), Axis::Rows);
            let columns = rect.width - width;
            let first = if x == 0 { rect.x + width } else { rect.x };
            band(Rect::new(first, rect.y + y, columns, height), Axis::Columns);
        }
    }
}

/// A band that was found in a segment.
#[derive(Clone, Copy, Debug)]
struct Found {
    band: Band,
    /// It repeats what is beside it, or is one colour at the edge.
    is_margin: bool,
    /// Where it is in the other image, along the axis.
    at: u32,
}

/// Decides which bands are what happened, and which are only the distance that something moved.
fn settle(
    level: &Level,
    segment: &Segment,
    [is_uneven, is_exchanged]: [bool; 2],
    found: &mut [Found],
    shifts: &mut [Shift],
) {
    let axis = level.axis;
    let is_balanced = segment.net == 0;
    let has_grown = found.iter().any(|found| found.band.side == Side::Actual);
    if is_balanced && level.is_whole && has_grown {
        // What was pushed out at the end of a picture that kept its size says nothing about itself.
        let is_last = |band: &Band| {
            let end = axis.start(band.rect) - axis.start(level.rects[0]) + axis.along(band.rect);
            let below = &level.lines[0][end as usize..];
            band.side == Side::Expected && below.iter().all(|&line| Some(line) == level.free)
        };
        found.iter_mut().filter(|found| is_last(&found.band)).for_each(|found| found.band.fate = Fate::Left);
    }
    // A distance that opened on one side and closed on the other.
    let open: Vec<usize> = (0..found.len()).filter(|&at| found[at].band.fate == Fate::Open).collect();
    let mut at = 0;
    while at + 1 < open.len() {
        let [first, second] = [open[at], open[at + 1]];
        let (a, b) = (found[first], found[second]);
        let is_distance = a.is_margin
            && b.is_margin
            && a.band.side != b.band.side
            && axis.along(a.band.rect) == axis.along(b.band.rect);
        if is_distance {
            found[first].band.fate = Fate::Margin;
            found[second].band.fate = Fate::Margin;
            // What passed something by moved; the other only made way.
            let between =
                |shift: &&mut Shift| !is_exchanged && (a.at..b.at).contains(&axis.start(shift.piece.to));
            shifts.iter_mut().filter(between).for_each(|shift| shift.is_cause = true);
            at += 1;
        }
        at += 1;
    }
    if is_balanced {
        let explains = |found: &Found| found.band.fate == Fate::Open && !found.is_margin;
        if !is_uneven && !is_exchanged && !found.iter().any(explains) {
            shifts.iter_mut().for_each(|shift| shift.is_cause = true);
        }
        let margins = |found: &&mut Found| found.band.fate == Fate::Open && found.is_margin;
        found.iter_mut().filter(margins).for_each(|found| found.band.fate = Fate::Margin);
    }
}

/// Some lines of an area, as far across as both have them.
fn common_part(level: &Level, side: Side, lines: &Range<u32>) -> Rect {
    let part = level.part(side, lines);
    level.axis.part(part, 0, lines.end - lines.start, 0, level.across)
}

fn same_line(planes: [&Plane<'_>; 2], axis: Axis, [e, a]: [Rect; 2], [i, j]: [u32; 2], across: u32) -> bool {
    match axis {
        Axis::Rows => planes[0].is_same([e.x, e.y + i], planes[1], [a.x, a.y + j], across),
        Axis::Columns => {
            (0..across).all(|k| planes[0].at(e.x + i, e.y + k) == planes[1].at(a.x + j, a.y + k))
        }
    }
}

/// Lines between two places where both agree in place.
#[derive(Debug)]
struct Segment {
    steps: Vec<Step>,
    /// Lines that the other image has more at its end.
    net: i64,
}

/// How often runs are looked through for those that are common by chance.
const PASSES: usize = 8;

/// Lines unlike each other and the ground that runs by chance have at most: a border, and what it is filled with.
const CHANCE_LINES: usize = 2;

/// Drops runs that are common by chance: a border or some lines of one colour between lines that came or went, of which there
/// are more on either side.
fn drop_chance(level: &Level, runs: &mut Vec<Run>) {
    let ends = [level.lines[0].len() as u32, level.lines[1].len() as u32];
    for _ in 0..PASSES {
        let mut kept: Vec<Run> = Vec::with_capacity(runs.len());
        for (at, run) in runs.iter().enumerate() {
            let from = kept.last().map_or([0, 0], |last| [last.expected + last.len, last.actual + last.len]);
            let to = runs.get(at + 1).map_or(ends, |next| [next.expected, next.actual]);
            let before = [run.expected - from[0], run.actual - from[1]];
            let after = [to[0] - run.expected - run.len, to[1] - run.actual - run.len];
            let least = before.into_iter().max().unwrap_or(0).min(after.into_iter().max().unwrap_or(0));
            let is_even = before[0] == before[1] && after[0] == after[1];
            if is_even || run.len > least || unlike(level, run) > CHANCE_LINES {
                kept.push(*run);
            }
        }
        let is_done = kept.len() == runs.len();
        *runs = kept;
        if is_done {
            break;
        }
    }
}

/// How many lines of a run are unlike each other and the ground, counted up to one more than is asked for.
fn unlike(level: &Level, run: &Run) -> usize {
    let lines = &level.lines[1][run.actual as usize..(run.actual + run.len) as usize];
    let mut known: Vec<u64> = Vec::new();
    for &line in lines.iter().filter(|&&line| Some(line) != level.free) {
        if !known.contains(&line) {
            known.push(line);
        }
        if known.len() > CHANCE_LINES {
            break;
        }
    }
    known.len()
}

/// Moves bands of lines that could as well begin some lines earlier or later to where a gap begins, as people would say it.
///
/// A band that begins with the same lines as what follows it, or ends with the same as what precedes it, may be taken for any
/// of several; of these, one that begins with free lines after something else is a thing and the space above it.
fn slide(level: &Level, runs: &mut [Run]) {
    let [e_lines, a_lines] = [&level.lines[0], &level.lines[1]];
    let free = level.free;
    for at in 1..runs.len() {
        let (before, after) = runs.split_at_mut(at);
        let (last, next) = (&mut before[at - 1], &mut after[0]);
        let (e_gap, a_gap) = (last.expected + last.len..next.expected, last.actual + last.len..next.actual);
        let (lines, gap) = match (e_gap.is_empty(), a_gap.is_empty()) {
            (true, false) => (a_lines, a_gap),
            (false, true) => (e_lines, e_gap),
            _ => continue,
        };
        let line = |at: u32| lines[at as usize];
        // One line of either run always stays.
        let back =
            (1..last.len).take_while(|by| line(gap.start - by) == line(gap.end - by)).last().unwrap_or(0);
        let on = (1..next.len)
            .take_while(|by| line(gap.start + by - 1) == line(gap.end + by - 1))
            .last()
            .unwrap_or(0);
        // First a thing and the space above it, then a thing and the space below it.
        let begins = |start: u32, with_space: bool| {
            let is_free = |at: u32| Some(line(at)) == free;
            start > 0 && is_free(start) == with_space && is_free(start - 1) != with_space
        };
        let at = |with_space| {
            let earlier = (0..=back).map(|by| gap.start - by);
            let later = (1..=on).map(|by| gap.start + by);
            earlier.chain(later).find(|&start| begins(start, with_space))
        };
        let Some(start) = at(true).or_else(|| at(false)) else { continue };
        if start <= gap.start {
            let by = gap.start - start;
            last.len -= by;
            (next.expected, next.actual, next.len) = (next.expected - by, next.actual - by, next.len + by);
        } else {
            let by = start - gap.start;
            last.len += by;
            (next.expected, next.actual, next.len) = (next.expected + by, next.actual + by, next.len - by);
        }
    }
}

/// Cuts what two areas have in common where it is in place, and drops from each part a displacement that explains less
/// than it costs.
fn segments(level: &Level, runs: Vec<Run>) -> Vec<Segment> {
    let ends = [level.lines[0].len() as u32, level.lines[1].len() as u32];
    let mut segments = Vec::new();
    let mut from = [0, 0];
    let mut displaced: Vec<Run> = Vec::new();
    for run in runs {
        if displacement(&run) != 0 {
            displaced.push(run);
            continue;
        }
        let to = [run.expected, run.actual];
        segments.push(Segment::new(level, from, to, std::mem::take(&mut displaced)));
        let common = Step {
            expected: run.expected..run.expected + run.len,
            actual: run.actual..run.actual + run.len,
            is_common: true,
        };
        segments.push(Segment { steps: vec![common], net: 0 });
        from = [run.expected + run.len, run.actual + run.len];
    }
    segments.push(Segment::new(level, from, ends, displaced));
    segments.retain(|segment| !segment.steps.is_empty());
    segments
}

impl Segment {
    fn new(level: &Level, from: [u32; 2], to: [u32; 2], runs: Vec<Run>) -> Self {
        let net = (i64::from(to[1]) - i64::from(from[1])) - (i64::from(to[0]) - i64::from(from[0]));
        let steps = steps(from, to, &runs);
        // Lines that would differ in place and agree where they stand now.
        let explained = |run: &Run| {
            let lines = run.actual as usize..(run.actual + run.len) as usize;
            lines.filter(|&at| level.lines[0].get(at) != Some(&level.lines[1][at])).count() as u64
        };
        let gain: u64 = runs.iter().map(explained).sum();
        let excess: u64 =
            steps.iter().map(|step| step.expected.len().abs_diff(step.actual.len()) as u64).sum();
        // What has to be more or less anyway, and what is pushed out of a picture that kept its size, costs nothing.
        let is_last = to == [level.lines[0].len() as u32, level.lines[1].len() as u32];
        let pushed_out =
            steps.last().filter(|last| last.actual.is_empty() && level.is_whole && is_last && net == 0);
        let forced = net.unsigned_abs() + pushed_out.map_or(0, |last| last.expected.len() as u64);
        // A block that went here and came there is neither more nor less.
        let needless = excess - forced.max(exchanged(level, &steps)).min(excess);
        let pays = if net == 0 { 2 * gain > needless } else { 2 * gain >= needless };
        if pays { Self { steps, net } } else { Self { steps: self::steps(from, to, &[]), net } }
    }
}

/// Lines that only one side has at a place, and the other side at another: those of both sides together.
fn exchanged(level: &Level, steps: &[Step]) -> u64 {
    let lone = |side: usize| {
        let mut counts: HashMap<u64, u32> = HashMap::new();
        for step in steps.iter().filter(|step| step.expected.is_empty() != step.actual.is_empty()) {
            let lines = if side == 0 { &step.expected } else { &step.actual };
            let lines = &level.lines[side][lines.start as usize..lines.end as usize];
            lines.iter().for_each(|&line| *counts.entry(line).or_default() += 1);
        }
        counts
    };
    let (gone, came) = (lone(0), lone(1));
    let both = gone.iter().map(|(line, count)| u64::from(*count.min(came.get(line).unwrap_or(&0))));
    2 * both.sum::<u64>()
}

fn steps(from: [u32; 2], to: [u32; 2], runs: &[Run]) -> Vec<Step> {
    let mut steps = Vec::new();
    let [mut e, mut a] = from;
    let mut gap = |e: Range<u32>, a: Range<u32>, is_common| {
        if !e.is_empty() || !a.is_empty() {
            steps.push(Step { expected: e, actual: a, is_common });
        }
    };
    for run in runs {
        gap(e..run.expected, a..run.actual, false);
        gap(run.expected..run.expected + run.len, run.actual..run.actual + run.len, true);
        (e, a) = (run.expected + run.len, run.actual + run.len);
    }
    gap(e..to[0], a..to[1], false);
    steps
}

/// What stands elsewhere in a segment: neighbours that moved alike are one.
fn shifts(level: &Level, segment: &Segment) -> Vec<Shift> {
    let mut shifts: Vec<(i64, Range<u32>, Range<u32>)> = Vec::new();
    for step in segment.steps.iter().filter(|step| step.is_common) {
        let by = i64::from(step.actual.start) - i64::from(step.expected.start);
        if by == 0 {
            continue;
        }
        match shifts.last_mut() {
            Some((last, e, a)) if *last == by => (e.end, a.end) = (step.expected.end, step.actual.end),
            _ => shifts.push((by, step.expected.clone(), step.actual.clone())),
        }
    }
    shifts
        .into_iter()
        .map(|(_, e, a)| {
            let source = common_part(level, Side::Expected, &e);
            let piece = Piece { to: common_part(level, Side::Actual, &a), from: [source.x, source.y] };
            Shift { piece, is_cause: false }
        })
        .collect()
}
