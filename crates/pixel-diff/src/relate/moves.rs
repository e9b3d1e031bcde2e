//! Things that stand elsewhere, found by what they look like.
//!
//! Small squares of pixels that are not flat are looked up in the reference, wherever something differs; each that is found
//! votes for the distance that it moved. A distance is taken when most of a region's squares agree on it.

use trueup_frame::{Rect, Size};

use super::field::Field;
use super::flow::Piece;
use super::plane::{Plane, spread};
use super::work::Work;
use crate::identity::Grid;

/// Side of the squares in pixels: small enough to lie within a letter.
const SIDE: u32 = 4;

/// Places of one square after which it says nothing about where something came from.
const COMMON: usize = 8;

/// Squares of one image that are looked up at most.
const MAX_SQUARES: usize = 1 << 19;

/// Distances of one region that are tried.
const TRIED: usize = 4;

/// Votes that a distance needs.
const MIN_VOTES: usize = 6;

/// Something that stands elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub(crate) piece: Piece,
    /// Pixels that show the ground now that it left: rows of a few, and a pixel of the reference with that colour.
    pub(crate) ground: Vec<(Rect, [u32; 2])>,
    /// What it covers in the reference, and the ground around that; `None` where that is of several colours.
    pub(crate) covers: Option<(Rect, [u32; 2])>,
}

/// A square of pixels in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Square {
    hash: u64,
    region: u32,
    y: u32,
    x: u32,
    /// Whether the reference has few like it: what is all over the place says nothing about where it came from.
    is_rare: bool,
}

/// A distance that squares of a region agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Vote {
    region: u32,
    by: [i64; 2],
    squares: usize,
}

/// Looks for the content of regions of the other image in the regions of the reference.
pub(crate) fn find(planes: [&Plane; 2], field: &Field, regions: &[Rect], work: &mut Work) -> Vec<Move> {
    let sources: Vec<Option<Rect>> = regions
        .iter()
        .map(|&region| field.source_of(region).and_then(|at| at.clipped_to(planes[0].size())))
        .collect();
    let mut expected = Vec::new();
    let mut actual = Vec::new();
    for (index, (&region, source)) in (0..).zip(regions.iter().zip(&sources)) {
        let area = region.area() + source.map_or(0, Rect::area);
        if !work.spend(4 * area) {
            break;
        }
        let before = [expected.len(), actual.len()];
        let is_whole = squares(planes[1], grown(region, planes[1].size()), index, &mut actual)
            && source
                .is_none_or(|source| squares(planes[0], grown(source, planes[0].size()), 0, &mut expected));
        if !is_whole {
            // Half of a region says nothing about where it came from.
            expected.truncate(before[0]);
            actual.truncate(before[1]);
            work.cut();
        }
    }
    expected.sort_unstable();
    expected.dedup();
    actual.sort_unstable();
    mark_rare(&expected, &mut actual);
    let votes = votes(&expected, &actual, field);
    if votes.is_empty() {
        return Vec::new();
    }
    drop(expected);
    // From here on by region, and within it from the top.
    actual.sort_unstable_by_key(|square| (square.region, square.y, square.x));
    let mut moves: Vec<Piece> = Vec::new();
    let (mut at, mut rest) = (0, actual.as_slice());
    while at < votes.len() {
        let region = votes[at].region;
        let end = at + votes[at..].partition_point(|vote| vote.region == region);
        rest = &rest[rest.partition_point(|square| square.region < region)..];
        let (own, after) = rest.split_at(rest.partition_point(|square| square.region == region));
        rest = after;
        if !work.spend(16 * own.len() as u64) {
            break;
        }
        let mut squares: Vec<Square> =
            own.iter().filter(|square| !is_in_place(planes, field, square)).copied().collect();
        let rare = |squares: &[Square]| squares.iter().filter(|square| square.is_rare).count();
        let all = rare(&squares);
        let first = moves.len();
        for vote in votes[at..end].iter().take(TRIED) {
            // The squares, and the pixels of the box around those that agree, which lies within the region.
            if !work.spend(
                16 * squares.len() as u64 + grown(regions[region as usize], planes[1].size()).area() / 8,
            ) {
                break;
            }
            if let Some(piece) = block(planes, field, &squares, all, vote.by) {
                squares.retain(|square| !piece.to.contains(square.x, square.y));
                moves.push(piece);
            }
        }
        // Where less than half is explained, the picture is another one, and what agrees does so by chance.
        if 2 * rare(&squares) > all {
            moves.truncate(first);
        }
        at = end;
    }
    let mut moves: Vec<Move> = joined(planes, moves, work)
        .into_iter()
        .map(|piece| Move { piece, ground: Vec::new(), covers: None })
        .collect();
    let pieces: Vec<Piece> = moves.iter().map(|found| found.piece).collect();
    let sources = Sources { grid: Grid::new(pieces.iter().map(Piece::source), 0), pieces: &pieces };
    for found in &mut moves {
        // What is around it in both places, and what is in them.
        let around = |rect: Rect| u64::from(rect.width) + u64::from(rect.height) + 2 * u64::from(SIDE);
        let cost = found.piece.to.area() + 4 * u64::from(SIDE) * around(found.piece.to);
        if !work.spend(cost / 4 + 1) {
            break;
        }
        found.ground = revealed(planes, field, found.piece.source());
        found.covers = field
            .source_of(found.piece.to)
            .and_then(|under| under.clipped_to(planes[0].size()))
            .and_then(|under| Some((under, ground(planes[0], under, Some(&sources))?)));
    }
    moves
}

/// Where in the reference things stood that moved.
struct Sources<'a> {
    grid: Grid,
    pieces: &'a [Piece],
}

/// An area and what is around it, within an image.
fn grown(rect: Rect, size: Size) -> Rect {
    rect.grown(SIDE - 1).clipped_to(size).unwrap_or_default()
}

/// Adds every square of an area that is not flat, unless they become too many: then not all are added, and it says so.
fn squares(plane: &Plane, area: Rect, region: u32, out: &mut Vec<Square>) -> bool {
    if area.width < SIDE || area.height < SIDE {
        return true;
    }
    let places = (area.width - SIDE + 1) as usize;
    // For each of the last rows and each place: a hash of its pixels, and whether they are one colour.
    let mut rows: Vec<Vec<(u64, bool)>> = vec![vec![(0, true); places]; SIDE as usize];
    for dy in 0..area.height {
        let keys = plane.row(area.x, area.y + dy, area.width);
        let row = &mut rows[(dy % SIDE) as usize];
        for (place, four) in row.iter_mut().zip(keys.windows(SIDE as usize)) {
            let pair = |a: u32, b: u32| u64::from(a) << 32 | u64::from(b);
            let hash = spread(pair(four[0], four[1])) ^ spread(pair(four[2], four[3]).rotate_left(17));
            *place = (hash, four.iter().all(|&key| key == four[0]));
        }
        if dy + 1 < SIDE {
            continue;
        }
        if out.len() > MAX_SQUARES {
            return false;
        }
        let top = dy + 1 - SIDE;
        let order: [usize; SIDE as usize] = std::array::from_fn(|i| ((top + i as u32) % SIDE) as usize);
        for (dx, place) in (0..).zip(0..places) {
            let of = order.map(|row| rows[row][place]);
            if of.iter().all(|&(hash, flat)| flat && hash == of[0].0) {
                continue;
            }
            let hash = of.iter().fold(0, |all: u64, &(hash, _)| spread(all.rotate_left(7) ^ hash));
            out.push(Square { hash, region, x: area.x + dx, y: area.y + top, is_rare: false });
        }
    }
    true
}

/// Marks the squares that the reference has few or none of.
fn mark_rare(expected: &[Square], actual: &mut [Square]) {
    let mut e = 0;
    for same in actual.chunk_by_mut(|a, b| a.hash == b.hash) {
        let hash = same[0].hash;
        e += expected[e..].partition_point(|square| square.hash < hash);
        let known = expected[e..].iter().take(COMMON + 1).take_while(|square| square.hash == hash).count();
        let is_rare = known <= COMMON;
        same.iter_mut().for_each(|square| square.is_rare = is_rare);
    }
}

/// Counts, for each region, the distances that its squares came over; the most frequent first.
fn votes(expected: &[Square], actual: &[Square], field: &Field) -> Vec<Vote> {
    let mut votes: Vec<(u32, [i64; 2])> = Vec::new();
    let (mut e, mut a) = (0, 0);
    while e < expected.len() && a < actual.len() {
        let hash = actual[a].hash;
        e += expected[e..].partition_point(|square| square.hash < hash);
        let known = expected[e..].iter().take(COMMON + 1).take_while(|square| square.hash == hash).count();
        let end = a + actual[a..].iter().take_while(|square| square.hash == hash).count();
        if (1..=COMMON).contains(&known) && end - a <= 4 * COMMON {
            for to in &actual[a..end] {
                let here = field.source(to.x, to.y);
                for from in &expected[e..e + known] {
                    if here != Some([from.x, from.y]) {
                        let by = |to: u32, from: u32| i64::from(to) - i64::from(from);
                        votes.push((to.region, [by(to.x, from.x), by(to.y, from.y)]));
                    }
                }
            }
        }
        a = end;
    }
    votes.sort_unstable();
    let mut counted: Vec<Vote> = votes
        .chunk_by(|a, b| a == b)
        .map(|same| Vote { region: same[0].0, by: same[0].1, squares: same.len() })
        .filter(|vote| vote.squares >= MIN_VOTES)
        .collect();
    counted.sort_unstable_by_key(|vote| {
        let [dx, dy] = vote.by.map(i64::abs);
        (vote.region, std::cmp::Reverse(vote.squares), dx + dy, vote.by)
    });
    counted
}

/// The block of squares that came over a distance, if it is a good part of all squares of the region.
///
/// A third of them, or else it is chance: two texts have letters in common, too.
fn block(planes: [&Plane; 2], field: &Field, squares: &[Square], all: usize, by: [i64; 2]) -> Option<Piece> {
    let came: Vec<bool> = squares.iter().map(|square| is_from(planes, square, by)).collect();
    let agreeing = squares.iter().zip(&came).filter(|(_, came)| **came).map(|(square, _)| square);
    if 3 * agreeing.clone().filter(|square| square.is_rare).count() < all.max(3 * MIN_VOTES) {
        return None;
    }
    let rects = agreeing.map(|square| Rect::new(square.x, square.y, SIDE, SIDE));
    let whole = rects.reduce(Rect::union)?;
    is_moved(planes, field, squares, &came, whole, by).then(|| piece(whole, by)).flatten()
}

/// Pieces that a piece is held against, the last ones of those that moved alike: what is one stands close together.
const JOINED: usize = 64;

/// Makes one of pieces that moved alike, where what lies between them moved, too.
pub(crate) fn joined(planes: [&Plane; 2], mut pieces: Vec<Piece>, work: &mut Work) -> Vec<Piece> {
    pieces.sort_unstable_by_key(|piece| (piece.vector(), piece.to.y, piece.to.x));
    let mut all: Vec<Piece> = Vec::new();
    for alike in pieces.chunk_by(|a, b| a.vector() == b.vector()) {
        let first = all.len();
        for &(mut next) in alike {
            let mut at = first.max(all.len().saturating_sub(JOINED));
            while at < all.len() {
                let whole = all[at].to.union(next.to);
                let one = piece(whole, next.vector())
                    .filter(|_| work.spend(whole.area() / 8 + 1))
                    .filter(|piece| agrees(planes, piece));
                match one {
                    Some(one) => {
                        all.swap_remove(at);
                        next = one;
                        at = first.max(all.len().saturating_sub(JOINED));
                    }
                    None => at += 1,
                }
            }
            all.push(next);
        }
    }
    all
}

/// Whether nine of ten pixels of a piece are the same in both places.
fn agrees(planes: [&Plane; 2], piece: &Piece) -> bool {
    let (to, source) = (piece.to, piece.source());
    if source.clipped_to(planes[0].size()) != Some(source) || to.clipped_to(planes[1].size()) != Some(to) {
        return false;
    }
    let alike: u64 = (0..to.height)
        .map(|dy| {
            let e = planes[0].row(source.x, source.y + dy, to.width);
            let a = planes[1].row(to.x, to.y + dy, to.width);
            e.iter().zip(a).map(|(e, a)| u64::from(e == a)).sum::<u64>()
        })
        .sum();
    10 * alike >= 9 * to.area()
}

fn piece(to: Rect, by: [i64; 2]) -> Option<Piece> {
    let from = |at: u32, by: i64| u32::try_from(i64::from(at) - by).ok();
    Some(Piece { to, from: [from(to.x, by[0])?, from(to.y, by[1])?] })
}

fn is_from(planes: [&Plane; 2], square: &Square, by: [i64; 2]) -> bool {
    let Some(piece) = piece(Rect::new(square.x, square.y, SIDE, SIDE), by) else { return false };
    let source = piece.source();
    Rect::of_size(planes[0].size()).union(source) == Rect::of_size(planes[0].size())
        && (0..SIDE).all(|dy| {
            planes[0].row(source.x, source.y + dy, SIDE) == planes[1].row(square.x, square.y + dy, SIDE)
        })
}

/// Whether an area moved: most of its squares agree, and most of its pixels that differ are explained by it.
fn is_moved(
    planes: [&Plane; 2],
    field: &Field,
    squares: &[Square],
    came: &[bool],
    area: Rect,
    by: [i64; 2],
) -> bool {
    let inside = squares.iter().zip(came).filter(|(square, _)| {
        let own = Rect::new(square.x, square.y, SIDE, SIDE);
        area.union(own) == area
    });
    let (mut all, mut agreeing) = (0_u64, 0_u64);
    for (square, &came) in inside {
        // What is where it was says nothing.
        if came || !is_in_place(planes, field, square) {
            all += 1;
            agreeing += u64::from(came);
        }
    }
    let Some(piece) = piece(area, by) else { return false };
    let source = piece.source();
    if source.clipped_to(planes[0].size()) != Some(source)
        || 2 * agreeing < all
        || agreeing < MIN_VOTES as u64
    {
        return false;
    }
    let (mut differing, mut explained) = (0_u64, 0_u64);
    for dy in 0..area.height {
        for dx in 0..area.width {
            let (x, y) = (area.x + dx, area.y + dy);
            let here = planes[1].at(x, y);
            if field.source(x, y).map(|[x, y]| planes[0].at(x, y)) != Some(here) {
                differing += 1;
                explained += u64::from(planes[0].at(source.x + dx, source.y + dy) == here);
            }
        }
    }
    differing > 0 && 2 * explained >= differing
}

fn is_in_place(planes: [&Plane; 2], field: &Field, square: &Square) -> bool {
    (0..SIDE).all(|dy| {
        (0..SIDE).all(|dx| {
            let (x, y) = (square.x + dx, square.y + dy);
            field.source(x, y).map(|[x, y]| planes[0].at(x, y)) == Some(planes[1].at(x, y))
        })
    })
}

/// The colour around an area of the reference, as a pixel that has it; `None` where no colour has three quarters of it.
///
/// Other things that moved are no ground.
fn ground(plane: &Plane, area: Rect, moved: Option<&Sources<'_>>) -> Option<[u32; 2]> {
    let mut ring: Vec<(u32, [u32; 2])> = Vec::new();
    let outer = grown(area, plane.size());
    let near = moved.map_or_else(Vec::new, |moved| {
        let near = moved.grid.near(outer).into_iter().map(|index| moved.pieces[index].source());
        near.filter(|source| source.intersection(outer).is_some()).collect()
    });
    let (right, bottom) = (outer.right() as u32, outer.bottom() as u32);
    for y in outer.y..bottom {
        let mut x = outer.x;
        while x < right {
            if area.contains(x, y) {
                x = area.right() as u32;
                continue;
            }
            if !near.iter().any(|source| source.contains(x, y)) {
                ring.push((plane.at(x, y), [x, y]));
            }
            x += 1;
        }
    }
    ring.sort_unstable();
    let most = ring.chunk_by(|a, b| a.0 == b.0).max_by_key(|same| same.len())?;
    (4 * most.len() >= 3 * ring.len()).then(|| most[0].1)
}

/// The pixels of the other image that show the ground where something of the reference was.
fn revealed(planes: [&Plane; 2], field: &Field, source: Rect) -> Vec<(Rect, [u32; 2])> {
    let Some(like) = ground(planes[0], source, None) else { return Vec::new() };
    let color = planes[0].at(like[0], like[1]);
    let mut spans = Vec::new();
    for piece in field.pieces() {
        let Some(part) = piece.source().intersection(source) else { continue };
        let to = |at: u32, from: u32, to: u32| to + (at - from);
        let (x, y) = (to(part.x, piece.from[0], piece.to.x), to(part.y, piece.from[1], piece.to.y));
        for row in y..y + part.height {
            let mut start = None;
            for column in x..=x + part.width {
                let is_ground = column < x + part.width && planes[1].at(column, row) == color;
                match (start, is_ground) {
                    (None, true) => start = Some(column),
                    (Some(first), false) => {
                        spans.push((Rect::new(first, row, column - first, 1), like));
                        start = None;
                    }
                    _ => {}
                }
            }
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use trueup_frame::{ImageView, PixelFormat};

    use super::*;

    /// Two planes of noise of which the second one is the first, `by` pixels farther down.
    fn planes(width: u32, height: u32, by: u32) -> [Plane; 2] {
        let plane = |by: u32| {
            let shade = |i: u32| spread(u64::from(i)) as u8;
            let bytes: Vec<u8> = (0..width * height).map(|i| shade(i.wrapping_sub(by * width))).collect();
            let view = ImageView::packed(&bytes, Size::new(width, height), PixelFormat::Gray8).unwrap();
            let [plane, _] = Plane::both(&view, &view).unwrap();
            plane
        };
        [plane(0), plane(by)]
    }

    /// Boxes of four by four pixels with four between them, all of which moved by four rows.
    fn scattered(width: u32, height: u32) -> Vec<Piece> {
        let places = (4..height - 8).step_by(8).flat_map(|y| (0..width - 8).step_by(8).map(move |x| (x, y)));
        places.map(|(x, y)| Piece { to: Rect::new(x, y, 4, 4), from: [x, y - 4] }).collect()
    }

    #[test]
    fn pieces_that_moved_with_what_is_between_them_are_one() {
        let [e, a] = planes(80, 80, 4);
        let mut work = Work::new(1 << 20);
        let pieces = scattered(80, 80);
        let whole = pieces.iter().map(|piece| piece.to).reduce(Rect::union).unwrap();
        let joined = joined([&e, &a], pieces, &mut work);
        assert_eq!(joined.iter().map(|piece| piece.to).collect::<Vec<_>>(), [whole]);
        assert!(!work.is_cut());
    }

    #[test]
    fn joining_keeps_within_its_steps_and_says_when_it_ends() {
        // Nothing of it moved, so that no two are one.
        let [e, a] = planes(800, 800, 0);
        let pieces = scattered(800, 800);
        let count = pieces.len();
        assert!(count > 9_000);
        let mut work = Work::new(100_000);
        assert_eq!(joined([&e, &a], pieces.clone(), &mut work).len(), count);
        assert!(work.is_cut() && work.spent() <= 100_000);
        // However many there are, each is held against some of the others only.
        let mut work = Work::new(u64::MAX);
        joined([&e, &a], pieces, &mut work);
        assert!(!work.is_cut() && work.spent() < (count * JOINED * 800) as u64, "{}", work.spent());
    }

    #[test]
    fn other_things_that_moved_are_no_ground() {
        let size = Size::new(40, 40);
        let bytes: Vec<u8> = (0..1_600_u32).map(|i| if i % 40 < 19 { 9 } else { 200 }).collect();
        let view = ImageView::packed(&bytes, size, PixelFormat::Gray8).unwrap();
        let [plane, _] = Plane::both(&view, &view).unwrap();
        let area = Rect::new(20, 10, 10, 10);
        let like = ground(&plane, area, None).unwrap();
        assert_eq!(plane.at(like[0], like[1]), plane.at(39, 39));
        // A thing stood to the right of it, and what is left of the ring is of both colours.
        let pieces = [Piece { to: Rect::new(0, 0, 21, 40), from: [19, 0] }];
        let sources = Sources { grid: Grid::new(pieces.iter().map(Piece::source), 0), pieces: &pieces };
        let like = ground(&plane, area, Some(&sources)).unwrap();
        assert_eq!(plane.at(like[0], like[1]), plane.at(0, 0));
    }
}
