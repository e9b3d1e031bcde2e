//! Things that stand elsewhere, found by what they look like.
//!
//! Small squares of pixels that are not flat are looked up in the reference, wherever something differs; each that is found
//! votes for the distance that it moved. A distance is taken when most of a region's squares agree on it.
//!
//! Usually nothing moved. So a filter finds the few squares that both images may have, and only these are kept and sorted.

use trueup_frame::{Rect, Size};

use super::field::Field;
use super::flow::Piece;
use super::plane::Plane;
use super::squares::{SIDE, Seen, Squares};
use super::work::Work;
use crate::identity::Grid;

/// Places of one square after which it says nothing about where something came from.
const COMMON: usize = 8;

/// Squares of one image that are looked at at most.
const MAX_SQUARES: u64 = 1 << 19;

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
#[derive(Clone, Copy, Debug)]
struct Square {
    x: u32,
    y: u32,
    /// Whether the reference has few like it: what is all over the place says nothing about where it came from.
    is_rare: bool,
}

/// A square that the other image seems to have, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    hash: u64,
    region: u32,
    y: u32,
    x: u32,
}

/// Squares that both images have, in the order of their hashes.
struct Shared {
    expected: Vec<Hit>,
    actual: Vec<Hit>,
}

/// A region, and where it would be in the reference: both with what is around them.
struct Place {
    region: u32,
    from: Option<Rect>,
    to: Rect,
}

/// A distance that squares of a region agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Vote {
    region: u32,
    by: [i64; 2],
    squares: usize,
}

/// Looks for the content of regions of the other image in the regions of the reference.
pub(crate) fn find(planes: [&Plane<'_>; 2], field: &Field, regions: &[Rect], work: &mut Work) -> Vec<Move> {
    let mut squares = Squares::default();
    let shared = shared(planes, field, regions, &mut squares, work);
    let votes = votes(&shared, field);
    let mut moves: Vec<Piece> = Vec::new();
    for votes in votes.chunk_by(|a, b| a.region == b.region) {
        let region = votes[0].region;
        let area = grown(regions[region as usize], planes[1].size());
        // What is where it was did not come from elsewhere.
        let mut own = Vec::new();
        squares.for_each(planes[1], area, |[x, y], hash| {
            own.push(Square { x, y, is_rare: shared.is_rare(hash) });
        });
        if !work.spend(16 * own.len() as u64) {
            break;
        }
        own.retain(|square| !is_in_place(planes, field, square));
        let rare = |squares: &[Square]| squares.iter().filter(|square| square.is_rare).count();
        let all = rare(&own);
        let first = moves.len();
        for vote in votes.iter().take(TRIED) {
            // The squares, and the pixels of the box around those that agree, which lies within the region.
            if !work.spend(16 * own.len() as u64 + area.area() / 8) {
                break;
            }
            if let Some(piece) = block(planes, field, &own, all, vote.by) {
                own.retain(|square| !piece.to.contains(square.x, square.y));
                moves.push(piece);
            }
        }
        // Where less than half is explained, the picture is another one, and what agrees does so by chance.
        if 2 * rare(&own) > all {
            moves.truncate(first);
        }
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

/// Finds the squares of regions of the other image that the reference has where it differs.
fn shared(
    planes: [&Plane<'_>; 2],
    field: &Field,
    regions: &[Rect],
    squares: &mut Squares,
    work: &mut Work,
) -> Shared {
    let mut places: Vec<Place> = Vec::new();
    for (region, &rect) in (0..).zip(regions) {
        let source = field.source_of(rect).and_then(|at| at.clipped_to(planes[0].size()));
        if !work.spend(4 * (rect.area() + source.map_or(0, Rect::area))) {
            break;
        }
        let from = source.map(|source| grown(source, planes[0].size()));
        places.push(Place { region, from, to: grown(rect, planes[1].size()) });
    }
    // Half of a region says nothing about where it came from: where there are too many squares, it is left out.
    let most = places.iter().map(|place| place.to.area()).sum::<u64>().min(MAX_SQUARES);
    let [mut known, mut found] = [Seen::with_room_for(most), Seen::with_room_for(most)];
    let mut room = MAX_SQUARES;
    places.retain(|place| {
        let before = room;
        let is_whole =
            place.from.is_none_or(|from| squares.take(planes[0], from, &mut room, |_, hash| known.add(hash)));
        if !is_whole {
            room = before;
            work.cut();
        }
        is_whole
    });
    let mut actual = Vec::new();
    room = MAX_SQUARES;
    places.retain(|&Place { region, to, .. }| {
        let before = (room, actual.len());
        let is_whole = squares.take(planes[1], to, &mut room, |[x, y], hash| {
            if known.may_hold(hash) {
                found.add(hash);
                actual.push(Hit { hash, region, y, x });
            }
        });
        if !is_whole {
            room = before.0;
            actual.truncate(before.1);
            work.cut();
        }
        is_whole
    });
    let mut expected = Vec::new();
    if !actual.is_empty() {
        for from in places.iter().filter_map(|place| place.from) {
            squares.for_each(planes[0], from, |[x, y], hash| {
                if found.may_hold(hash) {
                    expected.push(Hit { hash, region: 0, y, x });
                }
            });
        }
    }
    expected.sort_unstable();
    expected.dedup();
    actual.sort_unstable();
    Shared { expected, actual }
}

impl Shared {
    /// Whether the reference has few squares of a hash, or none.
    fn is_rare(&self, hash: u64) -> bool {
        let first = self.expected.partition_point(|square| square.hash < hash);
        self.expected.get(first + COMMON).is_none_or(|square| square.hash != hash)
    }
}

/// Counts, for each region, the distances that its squares came over; the most frequent first.
fn votes(Shared { expected, actual }: &Shared, field: &Field) -> Vec<Vote> {
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
fn block(
    planes: [&Plane<'_>; 2],
    field: &Field,
    squares: &[Square],
    all: usize,
    by: [i64; 2],
) -> Option<Piece> {
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
pub(crate) fn joined(planes: [&Plane<'_>; 2], mut pieces: Vec<Piece>, work: &mut Work) -> Vec<Piece> {
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
fn agrees(planes: [&Plane<'_>; 2], piece: &Piece) -> bool {
    let (to, source) = (piece.to, piece.source());
    if source.clipped_to(planes[0].size()) != Some(source) || to.clipped_to(planes[1].size()) != Some(to) {
        return false;
    }
    let alike: u64 = (0..to.height)
        .map(|dy| {
            let (from, here) = ([source.x, source.y + dy], [to.x, to.y + dy]);
            u64::from(planes[0].alike(from, planes[1], here, to.width))
        })
        .sum();
    10 * alike >= 9 * to.area()
}

fn piece(to: Rect, by: [i64; 2]) -> Option<Piece> {
    let from = |at: u32, by: i64| u32::try_from(i64::from(at) - by).ok();
    Some(Piece { to, from: [from(to.x, by[0])?, from(to.y, by[1])?] })
}

fn is_from(planes: [&Plane<'_>; 2], square: &Square, by: [i64; 2]) -> bool {
    let Some(piece) = piece(Rect::new(square.x, square.y, SIDE, SIDE), by) else { return false };
    let source = piece.source();
    Rect::of_size(planes[0].size()).union(source) == Rect::of_size(planes[0].size())
        && (0..SIDE).all(|dy| {
            planes[0].is_same([source.x, source.y + dy], planes[1], [square.x, square.y + dy], SIDE)
        })
}

/// Whether an area moved: most of its squares agree, and most of its pixels that differ are explained by it.
fn is_moved(
    planes: [&Plane<'_>; 2],
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

fn is_in_place(planes: [&Plane<'_>; 2], field: &Field, square: &Square) -> bool {
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
fn ground(plane: &Plane<'_>, area: Rect, moved: Option<&Sources<'_>>) -> Option<[u32; 2]> {
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
fn revealed(planes: [&Plane<'_>; 2], field: &Field, source: Rect) -> Vec<(Rect, [u32; 2])> {
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
    use crate::relate::plane::spread;

    /// Two pictures of noise of which the second one is the first, `by` pixels farther down.
    fn noise(size: Size, by: u32) -> [Vec<u8>; 2] {
        [0, by].map(|by| {
            let shade = |i: u32| spread(u64::from(i)) as u8;
            (0..size.width * size.height).map(|i| shade(i.wrapping_sub(by * size.width))).collect()
        })
    }

    fn planes(size: Size, pictures: &[Vec<u8>; 2]) -> [Plane<'_>; 2] {
        let view = |bytes| ImageView::packed(bytes, size, PixelFormat::Gray8).unwrap();
        Plane::both(&view(&pictures[0]), &view(&pictures[1])).unwrap()
    }

    /// Boxes of four by four pixels with four between them, all of which moved by four rows.
    fn scattered(width: u32, height: u32) -> Vec<Piece> {
        let places = (4..height - 8).step_by(8).flat_map(|y| (0..width - 8).step_by(8).map(move |x| (x, y)));
        places.map(|(x, y)| Piece { to: Rect::new(x, y, 4, 4), from: [x, y - 4] }).collect()
    }

    #[test]
    fn pieces_that_moved_with_what_is_between_them_are_one() {
        let size = Size::new(80, 80);
        let pictures = noise(size, 4);
        let [e, a] = planes(size, &pictures);
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
        let size = Size::new(800, 800);
        let pictures = noise(size, 0);
        let [e, a] = planes(size, &pictures);
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
