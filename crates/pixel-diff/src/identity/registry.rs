//! Names for regions that stay over comparisons.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use trueup_frame::Rect;

use super::grid::Grid;
use super::sketch::{Cover, Sketch};
use crate::{Region, RegionKind};

/// Names regions over comparisons with one reference, so that what is the same thing keeps its name.
///
/// A thing is known by where in the reference it is, by what it is and by its kind. It is the same one when it overlaps what
/// was seen of it last, or its first box, by three tenths of what both cover together; or when its centre lies within half a
/// cell and its sides have grown or shrunk by less than a quarter. What the reference has no place for is also known by its
/// looks: something added that stands elsewhere now is the same thing. What moved is never the same as what changed.
///
/// What things cover is what their pixels do, where a [`Sketch`] tells: what stands in the hollow of something is no part of it.
/// A thing that is not found like that has split when what lies in it by half makes up half of it: the largest part without a
/// name keeps that of the whole. Something new that is made up of known things by half has merged from them, and has the name of
/// the largest.
///
/// Names are numbers from 1 in the order of first sight; of regions that are first seen together the larger one, then the
/// upper one comes first. They do not depend on the order in which regions are given, on the machine or on the process: whoever
/// sees the same regions gives the same names.
///
/// ```
/// use trueup_frame::Rect;
/// use trueup_pixel_diff::{RegionKind, Registry, Sighting};
///
/// let mut registry = Registry::default();
/// let seen = |x| Sighting::new(Rect::new(x, 10, 40, 20), RegionKind::Color);
/// let first = registry.name(&[seen(10), seen(200)]);
/// let second = registry.name(&[seen(205), seen(12)]);
/// assert_eq!((first[0].id, first[1].id), (second[1].id, second[0].id));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Registry {
    /// A centre may move by less than half of it.
    cell_px: u32,
    things: BTreeMap<u64, Thing>,
}

/// A thing that was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Thing {
    first: Rect,
    last: Sighting,
}

/// What is seen of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Sighting {
    /// Its box: in the reference where it has a place there, which never moves; else in the other image.
    pub area: Rect,
    /// Its kind.
    pub kind: RegionKind,
    /// What it looks like, as [`Region::look`] says; `None` when that is not known.
    pub look: Option<u64>,
    /// What it covers of its box; `None` when that is all of it, or not known.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub sketch: Option<Sketch>,
}

/// The name of a region, and what it has to do with others.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Named {
    /// The number that is its name.
    pub id: u64,
    /// Things that have no region of their own now, and half of which or more lie in this one: they merged into it.
    pub holds: Vec<u64>,
}

/// How far apart two looks of the same thing are at most, in bits of 64.
const LOOK_BITS: u32 = 6;

/// Pairs of what is left over that are compared by their looks, one by one; beyond, looks must be equal, and of things that look
/// the same some are tried.
const LOOKED_AT: usize = 1 << 16;
const TRIED: usize = 64;

impl Sighting {
    /// A region of a kind, of unknown looks.
    #[must_use]
    pub const fn new(area: Rect, kind: RegionKind) -> Self {
        Self { area, kind, look: None, sketch: None }
    }

    /// What is seen of a region.
    #[must_use]
    pub fn of(region: &Region) -> Self {
        let area = region.expected_rect().unwrap_or_else(|| region.rect());
        Self { area, kind: region.kind(), look: region.look(), sketch: region.sketch().cloned() }
    }

    /// The sighting with its looks.
    #[must_use]
    pub fn with_look(self, look: Option<u64>) -> Self {
        Self { look, ..self }
    }

    /// The sighting with what it covers of its box.
    #[must_use]
    pub fn with_sketch(self, sketch: Option<Sketch>) -> Self {
        Self { sketch, ..self }
    }

    /// The larger one, then the upper one, then the left one.
    fn order(&self) -> impl Ord + '_ {
        let Rect { x, y, width, height } = self.area;
        (Reverse(self.area.area()), y, x, width, height, self.kind.name(), self.look, &self.sketch)
    }

    fn cover(&self) -> Cover<'_> {
        Cover { area: self.area, sketch: self.sketch.as_ref() }
    }

    /// What moved is another thing than what changed in the same place.
    const fn is_moved(&self) -> bool {
        matches!(self.kind, RegionKind::Moved)
    }
}

/// How well a sighting fits a thing: the smallest is the best.
type Fit = (u32, Reverse<u64>, u64, bool, u32);

impl Registry {
    /// Side of a cell by default: 16 pixels, so that centres may move by less than 8.
    pub const CELL_PX: u32 = 16;

    /// A registry that knows nothing, with cells of this many device pixels: 16 times the device pixel ratio.
    #[must_use]
    pub fn new(cell_px: u32) -> Self {
        Self { cell_px, things: BTreeMap::new() }
    }

    /// Tells it of a thing that was named before: where it was seen first, and what was seen of it last.
    pub fn learn(&mut self, id: u64, first: Rect, last: Sighting) {
        self.things.insert(id, Thing { first, last });
    }

    /// What it knows: name, the box where it was first seen, and what was seen last.
    pub fn things(&self) -> impl ExactSizeIterator<Item = (u64, Rect, &Sighting)> + '_ {
        self.things.iter().map(|(&id, thing)| (id, thing.first, &thing.last))
    }

    /// Names all regions of one comparison, in their order, and remembers them.
    pub fn name(&mut self, seen: &[Sighting]) -> Vec<Named> {
        let known: Vec<(u64, &Thing)> = self.things.iter().map(|(&id, thing)| (id, thing)).collect();
        let mut naming =
            Naming { seen, known: &known, ids: vec![None; seen.len()], taken: vec![false; known.len()] };
        naming.give(self.near(seen, &known));
        naming.give(naming.alike());
        let grid = Grid::new(known.iter().map(|(_, thing)| thing.last.area), 0);
        naming.give(naming.split_and_merged(&grid));

        let mut fresh: Vec<usize> = (0..seen.len()).filter(|&at| naming.ids[at].is_none()).collect();
        fresh.sort_by_cached_key(|&at| (seen[at].order(), at));
        let mut next = self.things.last_key_value().map_or(1, |(id, _)| id.saturating_add(1));
        for &at in &fresh {
            naming.ids[at] = Some(next);
            next = next.saturating_add(1);
        }
        let named: Vec<Named> = (0..seen.len()).map(|at| naming.named(at, &grid)).collect();
        for (sighting, named) in seen.iter().zip(&named) {
            let thing = || Thing { first: sighting.area, last: sighting.clone() };
            self.things
                .entry(named.id)
                .and_modify(|known| known.last = sighting.clone())
                .or_insert_with(thing);
        }
        named
    }

    /// What may be the same by its place.
    fn near(&self, seen: &[Sighting], known: &[(u64, &Thing)]) -> Vec<Pair> {
        let grids = [
            Grid::new(known.iter().map(|(_, thing)| thing.last.area), self.cell_px),
            Grid::new(known.iter().map(|(_, thing)| thing.first), self.cell_px),
        ];
        let mut pairs = Vec::new();
        for (at, sighting) in seen.iter().enumerate() {
            let mut near: Vec<usize> = grids.iter().flat_map(|grid| grid.near(sighting.area)).collect();
            near.sort_unstable();
            near.dedup();
            for candidate in near {
                let Thing { first, last } = &known[candidate].1;
                if sighting.is_moved() != last.is_moved() {
                    continue;
                }
                // Where it was last counts for more than where it was first, which only bounds how far it drifts.
                let first = Cover { area: *first, sketch: None };
                // Nor is it known what of that box it covered, where that is not all.
                let is_filled = sighting.sketch.is_none() && last.sketch.is_none();
                let fits = [(0, last.cover(), true), (1, first, is_filled)];
                let fits = fits.into_iter().filter_map(|(tier, cover, by_overlap)| {
                    let (overlap, apart) = self.same(sighting.cover(), cover, by_overlap)?;
                    let look = sighting.look.zip(last.look).map_or(0, |(a, b)| (a ^ b).count_ones());
                    Some((tier, Reverse(overlap), apart, sighting.kind != last.kind, look))
                });
                pairs.extend(fits.min().map(|fit| (fit, at, candidate)));
            }
        }
        pairs
    }

    /// How much two things overlap, in millionths of what they cover together, and twice the distance of the centres of their
    /// boxes, when they are the same thing: by how they overlap, if that says anything, or by where and how large they are.
    fn same(&self, a: Cover<'_>, b: Cover<'_>, by_overlap: bool) -> Option<(u64, u64)> {
        // Of two filled boxes, this is the common part over the union: 2s / (2(a + b) − 2s).
        let shared: u128 = a.shared(b).into_iter().map(u128::from).sum();
        let whole =
            2 * (u128::from(a.pixels()) + u128::from(b.pixels())) - shared.min(u128::from(u64::MAX) * 2);
        let overlap = u64::try_from(shared * 1_000_000 / whole.max(1)).unwrap_or(u64::MAX);
        let (a, b) = (a.area, b.area);
        // Twice the distance, so that it stays a whole number.
        let apart = |a: u32, width: u32, b: u32, other: u32| {
            (2 * u64::from(a) + u64::from(width)).abs_diff(2 * u64::from(b) + u64::from(other))
        };
        let (dx, dy) = (apart(a.x, a.width, b.x, b.width), apart(a.y, a.height, b.y, b.height));
        let is_jitter = dx.max(dy) < self.cell_px.into() && has_size_of(a, b);
        (by_overlap && overlap >= 300_000 || is_jitter).then_some((overlap, dx + dy))
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::new(Self::CELL_PX)
    }
}

/// Whether both sides have grown or shrunk by less than a quarter.
fn has_size_of(a: Rect, b: Rect) -> bool {
    let alike = |a: u32, b: u32| u64::from(a.max(b)) * 4 < u64::from(a.min(b)) * 5;
    alike(a.width, b.width) && alike(a.height, b.height)
}

/// Something seen that may be a known thing, by their places in both lists.
type Pair = (Fit, usize, usize);

/// Regions of one comparison that are being named.
struct Naming<'a> {
    seen: &'a [Sighting],
    known: &'a [(u64, &'a Thing)],
    ids: Vec<Option<u64>>,
    /// Whether a known thing was found again.
    taken: Vec<bool>,
}

impl Naming<'_> {
    /// Gives names, the best fit first.
    fn give(&mut self, mut pairs: Vec<Pair>) {
        pairs.sort_by(|&(a, at, of), &(b, other, known)| {
            let order = |at: usize| (self.seen[at].order(), at);
            (a, of).cmp(&(b, known)).then_with(|| order(at).cmp(&order(other)))
        });
        for (_, at, candidate) in pairs {
            if self.ids[at].is_none() && !self.taken[candidate] {
                self.taken[candidate] = true;
                self.ids[at] = Some(self.known[candidate].0);
            }
        }
    }

    /// Known things that may have to do with a region by place and kind.
    fn related(&self, at: usize, grid: &Grid) -> Vec<usize> {
        let mut near = grid.near(self.seen[at].area);
        near.retain(|&of| self.seen[at].is_moved() == self.known[of].1.last.is_moved());
        near
    }

    /// The pixels that a region shares with a known thing, of each.
    fn shared(&self, at: usize, of: usize) -> [u64; 2] {
        self.seen[at].cover().shared(self.known[of].1.last.cover())
    }

    /// The name of a region, and the things that merged into it.
    fn named(&self, at: usize, grid: &Grid) -> Named {
        let merged = self.related(at, grid).into_iter().filter(|&of| {
            let [_, its] = if self.taken[of] { [0; 2] } else { self.shared(at, of) };
            is_half(its, self.known[of].1.last.cover().pixels())
        });
        Named { id: self.ids[at].unwrap_or_default(), holds: merged.map(|of| self.known[of].0).collect() }
    }

    /// What may be a part of a thing that fell apart, or is made up of known things: none of them was found again.
    fn split_and_merged(&self, grid: &Grid) -> Vec<Pair> {
        // For each known thing and each region: what is half or more in it, and how many of its pixels that is.
        let mut parts: Vec<Vec<(usize, u64)>> = vec![Vec::new(); self.known.len()];
        let mut held: Vec<Vec<(usize, u64)>> = vec![Vec::new(); self.seen.len()];
        for (at, held) in held.iter_mut().enumerate() {
            for of in self.related(at, grid).into_iter().filter(|&of| !self.taken[of]) {
                let [own, its] = self.shared(at, of);
                if is_half(own, self.seen[at].cover().pixels()) {
                    parts[of].push((at, its));
                }
                if self.ids[at].is_none() && is_half(its, self.known[of].1.last.cover().pixels()) {
                    held.push((of, own));
                }
            }
        }
        let is_whole = |parts: &[(usize, u64)], pixels: u64| {
            is_half(parts.iter().fold(0, |sum, &(_, part)| sum.saturating_add(part)), pixels)
        };
        let fit = |part: u64| (3, Reverse(part), 0, false, 0);
        let mut pairs: Vec<Pair> = Vec::new();
        for (of, parts) in parts.iter().enumerate() {
            // Parts that have a name of their own from before count, and keep it.
            if is_whole(parts, self.known[of].1.last.cover().pixels()) {
                let unnamed = parts.iter().filter(|(at, _)| self.ids[*at].is_none());
                pairs.extend(unnamed.map(|&(at, part)| (fit(part), at, of)));
            }
        }
        for (at, held) in held.iter().enumerate() {
            if is_whole(held, self.seen[at].cover().pixels()) {
                pairs.extend(held.iter().map(|&(of, part)| (fit(part), at, of)));
            }
        }
        pairs
    }

    /// What may be the same by its looks: of what was added, whose place is nowhere in the reference.
    fn alike(&self) -> Vec<Pair> {
        let Self { seen, known, .. } = self;
        let looks = |sighting: &Sighting| sighting.look.filter(|_| sighting.kind == RegionKind::Added);
        let left: Vec<(usize, u64)> = (0..seen.len())
            .filter(|&at| self.ids[at].is_none())
            .filter_map(|at| Some((at, looks(&seen[at])?)))
            .collect();
        let mut before: Vec<(u64, usize)> = (0..known.len())
            .filter(|&of| !self.taken[of])
            .filter_map(|of| Some((looks(&known[of].1.last)?, of)))
            .collect();
        before.sort_unstable();
        let is_few = left.len().saturating_mul(before.len()) <= LOOKED_AT;
        let mut pairs = Vec::new();
        for &(at, look) in &left {
            let first = if is_few { 0 } else { before.partition_point(|&(other, _)| other < look) };
            let most = if is_few { before.len() } else { TRIED };
            let near = before[first..].iter().take_while(|&&(other, _)| is_few || other == look).take(most);
            for &(other, of) in near {
                let bits = (look ^ other).count_ones();
                if bits <= LOOK_BITS && has_size_of(seen[at].area, known[of].1.last.area) {
                    let apart = |a: u32, b: u32| u64::from(a.abs_diff(b));
                    let (here, there) = (seen[at].area, known[of].1.last.area);
                    let distance = apart(here.x, there.x) + apart(here.y, there.y);
                    pairs.push(((2, Reverse(0), distance, false, bits), at, of));
                }
            }
        }
        pairs
    }
}

/// Whether a part is half of a whole, or more; nothing is not.
fn is_half(part: u64, whole: u64) -> bool {
    part > 0 && part.saturating_mul(2) >= whole
}
