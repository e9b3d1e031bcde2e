//! From pieces to regions: what belongs together.

use std::cmp::Reverse;

use trueup_frame::Rect;

use super::label::{Labeler, Labelled, OpenPiece, find, union};
use super::{Bins, Compact, OpenRule, Region, Tally};

/// The distances at which pieces are grouped for a merge distance of that many equal pixels, ascending: touching, …,
/// half the distance, the whole distance. Two neighbouring pixels have the distance 1.
pub(crate) fn distances(merge_distance_px: u32) -> impl Iterator<Item = u32> {
    let halvings = u32::BITS - merge_distance_px.leading_zeros();
    (0..=halvings).rev().map(move |halved| merge_distance_px.checked_shr(halved).unwrap_or(0) + 1)
}

/// Pieces that come within one distance of each other, as a set.
#[derive(Clone, Copy, Debug, Default)]
struct Cluster {
    rect: Rect,
    /// Sum of the areas of the pieces' own boxes, each grown by the distance.
    covered: u128,
}

impl Cluster {
    /// Whether the box is full enough to be one thing: the boxes of the pieces, each grown by the distance up to which
    /// they may lie apart, cover at least half of the common box, grown in the same way.
    ///
    /// Letters of a word do, and so do the lines of a dense block; marks along the edges of a page do not.
    fn is_one_thing(self, distance: u32) -> bool {
        2 * self.covered >= grown(self.rect, distance)
    }
}

fn grown(rect: Rect, distance: u32) -> u128 {
    (u128::from(rect.width) + u128::from(distance)) * (u128::from(rect.height) + u128::from(distance))
}

/// Open regions of one component that closed pieces are held against; a bound, so that the work stays linear.
const HOSTS: usize = 16;

/// Specks that are fetched at once: they lie all over memory, and fetching one after the other is waiting.
const AT_ONCE: usize = 32;

/// Memory that grouping works in. There may be very many pieces, and memory that is new each time is slow.
#[derive(Debug, Default)]
pub(crate) struct Grouping {
    /// Of every number, the piece that it belongs to.
    piece_of: Vec<u32>,
    cluster_of: Vec<u32>,
    region_of: Vec<u32>,
    clusters: Vec<Cluster>,
    sums: Vec<(Region, Tally)>,
    hosts: Vec<(u32, usize)>,
    bins: Bins,
    order: Vec<Place>,
    specks: Vec<Compact>,
}

/// Where a region comes in the order, and what it is made from.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// What of its rank almost always decides.
    rank: (Reverse<u64>, u32, u32),
    at: At,
}

#[derive(Clone, Copy, Debug)]
enum At {
    Region(u32),
    /// A piece of one pixel, all by itself.
    Piece(u32),
}

/// Groups the pieces of a finished labelling and sums each group up. Linear in the number of labels, but for sorting.
///
/// Clusters of growing distance are nested. A region is the largest cluster of open pieces that is one thing, or else a
/// single piece. The closed pieces of a component are one region, so that what is tolerated never widens the box of what
/// is not, unless they lie within the box of an open region that they touch: then they are part of that.
///
/// The order of the regions is by weight, descending, then from the top, then from the left.
pub(crate) fn group(labeler: &mut Labeler, rule: OpenRule, memory: &mut Grouping) -> Vec<Region> {
    let Labelled { open: pieces, mut closed, mut regions, same, near } = labeler.finish(rule);
    let Grouping { piece_of, cluster_of, region_of, clusters, sums, hosts, bins, order, specks } = memory;
    piece_of.clear();
    piece_of.resize(same.len(), 0);
    for (at, piece) in (0..).zip(pieces.iter()) {
        piece_of[piece.number as usize] = at;
    }
    for (number, &older) in same.iter().enumerate() {
        // A number that became a part of another one refers to a smaller one, which has its piece by now.
        piece_of[number] = if older as usize == number { piece_of[number] } else { piece_of[older as usize] };
    }
    for of in [&mut *cluster_of, &mut *region_of] {
        of.clear();
        of.extend(0..pieces.len() as u32);
    }
    clusters.resize(pieces.len(), Cluster::default());
    for (&distance, links) in near.0.iter().zip(near.1) {
        for (number, &other) in (0..).zip(links) {
            if other != number {
                union(cluster_of, piece_of[number as usize], piece_of[other as usize]);
            }
        }
        clusters.fill(Cluster::default());
        for (at, piece) in (0..).zip(pieces.iter()) {
            let root = find(cluster_of, at);
            // Straight to it from now on.
            cluster_of[at as usize] = root;
            let cluster = &mut clusters[root as usize];
            let rect = piece.tally.rect();
            cluster.rect = if cluster.covered == 0 { rect } else { cluster.rect.union(rect) };
            cluster.covered += grown(rect, distance);
        }
        for (region, &root) in region_of.iter_mut().zip(&*cluster_of) {
            if clusters[root as usize].is_one_thing(distance) {
                *region = root;
            }
        }
    }
    // Numbers are done with: from here on they say which region a piece belongs to.
    for (piece, &region) in pieces.iter_mut().zip(&*region_of) {
        piece.number = region;
    }
    pieces.sort_unstable_by_key(|piece| piece.number);
    // Regions that closed pieces may be added to, and which of them have pieces in which component.
    sums.clear();
    hosts.clear();
    closed.sort_unstable_by_key(|&(component, _)| component);
    let has_closed =
        |component: u32| closed.binary_search_by_key(&component, |&(component, _)| component).is_ok();
    order.clear();
    let mut next = 0;
    for pieces in pieces.chunk_by_mut(|a, b| a.number == b.number) {
        let first = next;
        next += pieces.len() as u32;
        let takes_closed = !closed.is_empty() && pieces.iter().any(|piece| has_closed(piece.component));
        if let [OpenPiece { tally: speck @ Compact::Speck { .. }, .. }] = pieces
            && !takes_closed
        {
            // There may be very many of these, so they become regions in their place in the end.
            let Rect { x, y, .. } = speck.rect();
            order.push(Place { rank: (Reverse(speck.delta_sum()), y, x), at: At::Piece(first) });
            continue;
        }
        let (mut region, mut whole) = (Region::default(), Tally::default());
        for piece in pieces {
            region.add_open(&piece.tally);
            if takes_closed && has_closed(piece.component) {
                hosts.push((piece.component, sums.len()));
            }
            std::mem::take(&mut piece.tally).add_to(&mut whole, rule);
        }
        if takes_closed {
            sums.push((region, whole));
        } else {
            regions.push(region.finished(&whole, bins));
        }
    }
    let rank = |&(component, region): &(u32, usize)| {
        let tally = &sums[region].1;
        (component, Reverse(tally.delta_sum), tally.rect().y, tally.rect().x, region)
    };
    hosts.sort_by_key(rank);
    hosts.dedup();

    for (component, mut tally) in closed {
        let first = hosts.partition_point(|&(other, _)| other < component);
        let touching = hosts[first..].iter().take_while(|host| host.0 == component).take(HOSTS);
        let host = touching.map(|&(_, region)| region).find(|&region| {
            let rect = sums[region].1.rect();
            rect.union(tally.rect()) == rect
        });
        match host {
            Some(region) => sums[region].1.absorb(&mut tally, rule),
            None => regions.push(Region::default().finished(&tally, bins)),
        }
    }
    regions.extend(sums.drain(..).map(|(region, whole)| region.finished(&whole, bins)));
    order.extend((0..).zip(&regions).map(|(at, region): (u32, _)| {
        let (weight, y, x, ..) = region.rank();
        Place { rank: (weight, y, x), at: At::Region(at) }
    }));
    let full_rank = |place: &Place| match place.at {
        At::Region(at) => regions[at as usize].rank(),
        At::Piece(_) => (place.rank.0, place.rank.1, place.rank.2, 1, 1, Reverse(1)),
    };
    order.sort_unstable_by(|a, b| a.rank.cmp(&b.rank).then_with(|| full_rank(a).cmp(&full_rank(b))));
    let mut in_order = Vec::with_capacity(order.len());
    for places in order.chunks(AT_ONCE) {
        specks.clear();
        specks.extend(places.iter().map(|place| match place.at {
            At::Region(_) => Compact::default(),
            At::Piece(at) => pieces[at as usize].tally.clone(),
        }));
        in_order.extend(places.iter().zip(specks.drain(..)).map(|(place, speck)| match place.at {
            At::Region(at) => std::mem::take(&mut regions[at as usize]),
            At::Piece(_) => {
                let (mut region, mut whole) = (Region::default(), Tally::default());
                region.add_open(&speck);
                speck.add_to(&mut whole, rule);
                region.finished(&whole, bins)
            }
        }));
    }
    pieces.clear();
    in_order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_halve() {
        let all = |gap| distances(gap).collect::<Vec<_>>();
        assert_eq!(all(6), [1, 2, 4, 7]);
        assert_eq!(all(1), [1, 2]);
        assert_eq!(all(0), [1]);
        assert_eq!(all(64), [1, 2, 3, 5, 9, 17, 33, 65]);
    }

    #[test]
    fn letters_are_one_thing_and_a_frame_of_marks_is_not() {
        let cluster = |rects: &[Rect]| Cluster {
            rect: rects.iter().fold(Rect::default(), |all, &rect| all.union(rect)),
            covered: rects.iter().map(|&rect| grown(rect, 7)).sum(),
        };
        let letters: Vec<Rect> = (0..12).map(|i| Rect::new(10 + 9 * i, 5, 6, 10)).collect();
        assert!(cluster(&letters).is_one_thing(7));
        let marks: Vec<Rect> =
            (0..100).flat_map(|i| [Rect::new(6 * i, 0, 2, 2), Rect::new(0, 6 * i, 2, 2)]).collect();
        assert!(!cluster(&marks).is_one_thing(7));
    }
}
