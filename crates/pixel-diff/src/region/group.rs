//! From pieces to regions: what belongs together.

use std::cmp::Reverse;

use trueup_frame::Rect;

use super::label::{Labeler, find, union};
use super::{Bins, OpenRule, Region, Tally};

/// The distances at which pieces are grouped for a merge distance of that many equal pixels, ascending: touching, …,
/// half the distance, the whole distance. Two neighbouring pixels have the distance 1.
pub(crate) fn distances(merge_distance_px: u32) -> Vec<u32> {
    let mut distances = Vec::new();
    let mut gap = merge_distance_px;
    while gap > 0 {
        distances.push(gap + 1);
        gap /= 2;
    }
    distances.push(1);
    distances.reverse();
    distances
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

/// Open regions of one neighbourhood that closed groups are held against; a bound, so that the work stays linear.
const HOSTS: usize = 16;

/// Groups the pieces of a finished labelling and sums each group up. Linear in the number of labels, but for sorting.
///
/// Clusters of growing distance are nested. A group is the largest cluster that is one thing, or else a single piece;
/// open and closed pieces form separate groups, so that what is tolerated never widens the box of what is not. A closed
/// group within the box of an open one of its neighbourhood is added to it.
///
/// The order of the regions is by weight, descending, then from the top, then from the left.
pub(crate) fn group(labeler: &mut Labeler, rule: OpenRule) -> Vec<Region> {
    let distances = labeler.distances().to_vec();
    let labels = labeler.parent.len() as u32;

    // Pieces are numbered in the order of their oldest label.
    let mut piece_of = vec![0_u32; labels as usize];
    let mut pieces = Vec::new();
    for label in 0..labels {
        let root = find(&mut labeler.parent, label);
        if root == label {
            piece_of[label as usize] = pieces.len() as u32;
            let slot = labeler.slot[label as usize] as usize;
            pieces.push((slot, labeler.tallies[slot].is_open(rule)));
        } else {
            // The representative is the oldest label, so it has been numbered.
            piece_of[label as usize] = piece_of[root as usize];
        }
    }

    let mut cluster_of: Vec<u32> = (0..pieces.len() as u32).collect();
    let mut region_of = cluster_of.clone();
    // Open and closed pieces of a cluster are held apart.
    let mut clusters = vec![[Cluster::default(); 2]; pieces.len()];
    for (near, distance) in labeler.near.iter().zip(distances) {
        for (label, &other) in near.iter().enumerate() {
            union(&mut cluster_of, piece_of[label], piece_of[other as usize]);
        }
        clusters.fill([Cluster::default(); 2]);
        for (piece, &(slot, open)) in pieces.iter().enumerate() {
            let rect = labeler.tallies[slot].rect;
            let cluster = &mut clusters[find(&mut cluster_of, piece as u32) as usize][usize::from(open)];
            cluster.rect = cluster.rect.union(rect);
            cluster.covered += grown(rect, distance);
        }
        for (piece, &(_, open)) in pieces.iter().enumerate() {
            let root = find(&mut cluster_of, piece as u32);
            if clusters[root as usize][usize::from(open)].is_one_thing(distance) {
                region_of[piece] = root;
            }
        }
    }

    // By neighbourhood, open before closed, then by group.
    let mut order: Vec<(u32, bool, u32, u32)> = (0..pieces.len())
        .map(|piece| {
            let cluster = find(&mut cluster_of, piece as u32);
            (cluster, !pieces[piece].1, region_of[piece], piece as u32)
        })
        .collect();
    order.sort_unstable();
    let mut regions: Vec<Region> = Vec::new();
    let mut bins = Bins::default();
    for neighbourhood in order.chunk_by(|a, b| a.0 == b.0) {
        let mut open: Vec<(Region, Tally)> = Vec::new();
        let mut rest = neighbourhood.chunk_by(|a, b| (a.1, a.2) == (b.1, b.2)).peekable();
        let mut sum_up = |members: &[(u32, bool, u32, u32)]| {
            let (mut region, mut whole) = (Region::default(), Tally::default());
            for &(_, _, _, piece) in members {
                let tally = &mut labeler.tallies[pieces[piece as usize].0];
                region.add_piece(tally, rule);
                whole.absorb(tally, rule);
            }
            (region, whole)
        };
        while let Some(members) = rest.next_if(|members| !members[0].1) {
            open.push(sum_up(members));
        }
        open.sort_by_key(|(_, whole)| (Reverse(whole.delta_sum), whole.rect.y, whole.rect.x));
        for members in rest {
            let (closed, mut whole) = sum_up(members);
            let mut hosts = open.iter_mut().take(HOSTS);
            if let Some((host, sums)) = hosts.find(|(_, sums)| sums.rect.union(whole.rect) == sums.rect) {
                host.add_closed(&closed);
                sums.absorb(&mut whole, rule);
            } else {
                regions.push(closed.finished(&whole, &mut bins));
            }
        }
        regions.extend(open.into_iter().map(|(region, whole)| region.finished(&whole, &mut bins)));
    }
    regions.sort_by_key(|region| (Reverse(region.delta_e_sum()), region.rect().y, region.rect().x));
    regions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_halve() {
        assert_eq!(distances(6), [1, 2, 4, 7]);
        assert_eq!(distances(1), [1, 2]);
        assert_eq!(distances(0), [1]);
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
