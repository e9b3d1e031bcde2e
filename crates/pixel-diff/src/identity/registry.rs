//! Names for regions that stay over comparisons.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use trueup_frame::Rect;

use super::grid::Grid;
use crate::{Region, RegionKind};

/// Names regions over comparisons with one reference, so that what is the same thing keeps its name.
///
/// A thing is known by where in the reference it is, by what it is and by its kind. It is the same one when its box overlaps
/// the box where it was seen last, or first, by three tenths of what they cover together; or when its centre lies within
/// half a cell and its sides have grown or shrunk by less than a quarter. What the reference has no place for is also known by
/// its looks: something added that stands elsewhere now is the same thing. What moved is never the same as what changed.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Thing {
    first: Rect,
    last: Sighting,
}

/// What is seen of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Sighting {
    /// Its box: in the reference where it has a place there, which never moves; else in the other image.
    pub area: Rect,
    /// Its kind.
    pub kind: RegionKind,
    /// What it looks like, as [`Region::look`] says; `None` when that is not known.
    pub look: Option<u64>,
}

/// The name of a region, and what it has to do with others.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Named {
    /// The number that is its name.
    pub id: u64,
    /// Things that have no region of their own now, and half of which or more lie in this one: they merged into it.
    pub holds: Vec<u64>,
    /// The thing that it was half or more a part of, when it is new and that thing is still seen: it split off.
    pub part_of: Option<u64>,
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
        Self { area, kind, look: None }
    }

    /// What is seen of a region.
    #[must_use]
    pub fn of(region: &Region) -> Self {
        let area = region.expected_rect().unwrap_or_else(|| region.rect());
        Self { area, kind: region.kind(), look: region.look() }
    }

    /// The sighting with its looks.
    #[must_use]
    pub const fn with_look(self, look: Option<u64>) -> Self {
        Self { look, ..self }
    }

    /// The larger one, then the upper one, then the left one.
    fn order(&self) -> impl Ord + use<> {
        let Rect { x, y, width, height } = self.area;
        (Reverse(self.area.area()), y, x, width, height, self.kind.name(), self.look)
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
    pub fn things(&self) -> impl ExactSizeIterator<Item = (u64, Rect, Sighting)> + '_ {
        self.things.iter().map(|(&id, thing)| (id, thing.first, thing.last))
    }

    /// Names all regions of one comparison, in their order, and remembers them.
    pub fn name(&mut self, seen: &[Sighting]) -> Vec<Named> {
        let known: Vec<(u64, Thing)> = self.things.iter().map(|(&id, &thing)| (id, thing)).collect();
        let mut ids: Vec<Option<u64>> = vec![None; seen.len()];
        let mut taken = vec![false; known.len()];
        let mut pairs = self.near(seen, &known);
        pairs.sort_unstable_by_key(|&(fit, at, candidate)| (fit, candidate, seen[at].order(), at));
        give(&pairs, &known, &mut ids, &mut taken);
        let mut pairs = alike(seen, &known, &ids, &taken);
        pairs.sort_unstable_by_key(|&(fit, at, candidate)| (fit, candidate, seen[at].order(), at));
        give(&pairs, &known, &mut ids, &mut taken);

        let mut fresh: Vec<usize> = (0..seen.len()).filter(|&at| ids[at].is_none()).collect();
        fresh.sort_by_key(|&at| (seen[at].order(), at));
        let new: BTreeSet<usize> = fresh.iter().copied().collect();
        let mut next = self.things.last_key_value().map_or(1, |(id, _)| id.saturating_add(1));
        for &at in &fresh {
            ids[at] = Some(next);
            next = next.saturating_add(1);
        }
        let grid = Grid::new(known.iter().map(|(_, thing)| thing.last.area), 0);
        let named = ids
            .iter()
            .enumerate()
            .map(|(at, id)| {
                let near = grid.near(seen[at].area);
                let related = near.iter().filter(|&&of| seen[at].is_moved() == known[of].1.last.is_moved());
                let mut named = Named { id: id.unwrap_or_default(), holds: Vec::new(), part_of: None };
                let mut whole: Option<(u64, u64)> = None;
                for &of in related {
                    let (id, area) = (known[of].0, known[of].1.last.area);
                    let shared = area.intersection(seen[at].area).map_or(0, Rect::area);
                    if !taken[of] && shared > 0 && 2 * shared >= area.area() {
                        named.holds.push(id);
                    }
                    if taken[of] && new.contains(&at) && shared > 0 && 2 * shared >= seen[at].area.area() {
                        let of = (area.area(), id);
                        whole = Some(whole.map_or(of, |known| known.min(of)));
                    }
                }
                named.part_of = whole.map(|(_, id)| id);
                named
            })
            .collect();
        for (sighting, id) in seen.iter().zip(ids) {
            let thing = Thing { first: sighting.area, last: *sighting };
            self.things.entry(id.unwrap_or_default()).or_insert(thing).last = *sighting;
        }
        named
    }

    /// What may be the same by its place.
    fn near(&self, seen: &[Sighting], known: &[(u64, Thing)]) -> Vec<(Fit, usize, usize)> {
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
                let Thing { first, last } = known[candidate].1;
                if sighting.is_moved() != last.is_moved() {
                    continue;
                }
                // Where it was last counts for more than where it was first, which only bounds how far it drifts.
                let fits = [(0, last.area), (1, first)].into_iter().filter_map(|(tier, area)| {
                    let (overlap, apart) = self.same(sighting.area, area)?;
                    let look = sighting.look.zip(last.look).map_or(0, |(a, b)| (a ^ b).count_ones());
                    Some((tier, Reverse(overlap), apart, sighting.kind != last.kind, look))
                });
                pairs.extend(fits.min().map(|fit| (fit, at, candidate)));
            }
        }
        pairs
    }

    /// How much two boxes overlap, in millionths of what they cover together, and twice the distance of their centres, when
    /// they are the same thing.
    fn same(&self, a: Rect, b: Rect) -> Option<(u64, u64)> {
        let (shared, covered) = a.overlap(b);
        let overlap = u128::from(shared) * 1_000_000 / u128::from(covered.max(1));
        let overlap = u64::try_from(overlap).unwrap_or(u64::MAX);
        // Twice the distance, so that it stays a whole number.
        let apart = |a: u32, width: u32, b: u32, other: u32| {
            (2 * u64::from(a) + u64::from(width)).abs_diff(2 * u64::from(b) + u64::from(other))
        };
        let (dx, dy) = (apart(a.x, a.width, b.x, b.width), apart(a.y, a.height, b.y, b.height));
        let is_jitter = dx.max(dy) < self.cell_px.into() && has_size_of(a, b);
        (overlap >= 300_000 || is_jitter).then_some((overlap, dx + dy))
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

/// Gives names, the best fit first.
fn give(pairs: &[(Fit, usize, usize)], known: &[(u64, Thing)], ids: &mut [Option<u64>], taken: &mut [bool]) {
    for &(_, at, candidate) in pairs {
        if ids[at].is_none() && !taken[candidate] {
            taken[candidate] = true;
            ids[at] = Some(known[candidate].0);
        }
    }
}

/// What may be the same by its looks: of what was added, whose place is nowhere in the reference.
fn alike(
    seen: &[Sighting],
    known: &[(u64, Thing)],
    ids: &[Option<u64>],
    taken: &[bool],
) -> Vec<(Fit, usize, usize)> {
    let looks = |sighting: &Sighting| sighting.look.filter(|_| sighting.kind == RegionKind::Added);
    let left: Vec<(usize, u64)> = (0..seen.len())
        .filter(|&at| ids[at].is_none())
        .filter_map(|at| Some((at, looks(&seen[at])?)))
        .collect();
    let mut before: Vec<(u64, usize)> = (0..known.len())
        .filter(|&of| !taken[of])
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
