//! From pieces to regions: what belongs together.

use trueup_frame::Rect;

use super::label::{Labeler, find, union};
use super::{Bins, OpenRule, Region, Tally};

/// The distances at which pieces are grouped for a merge distance of that many equal pixels, ascending: the whole
/// distance, half of it, and so on. Two neighbouring pixels have the distance 1.
pub(crate) fn distances(merge_distance_px: u32) -> Vec<u32> {
    let mut gaps = Vec::new();
    let mut gap = merge_distance_px;
    while gap > 0 {
        gaps.push(gap + 1);
        gap /= 2;
    }
    gaps.reverse();
    gaps
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

/// Groups the pieces of a finished labelling and sums each group up. Linear in the number of labels.
///
/// Clusters of growing distance are nested. A region is the largest cluster that is one thing, or else a single piece.
/// The order of the regions is by weight, descending, then from the top, then from the left.
pub(crate) fn group(labeler: &mut Labeler, rule: OpenRule) -> Vec<Region> {
    let distances = labeler.distances().to_vec();
    let labels = labeler.parent.len() as u32;

    // Pieces are numbered in the order of their oldest label.
    let mut piece_of = vec![0_u32; labels as usize];
    let mut slots = Vec::new();
    for label in 0..labels {
        let root = find(&mut labeler.parent, label);
        if root == label {
            piece_of[label as usize] = slots.len() as u32;
            slots.push(labeler.slot[label as usize] as usize);
        } else {
            // The representative is the oldest label, so it has been numbered.
            piece_of[label as usize] = piece_of[root as usize];
        }
    }

    let mut region_of: Vec<u32> = (0..slots.len() as u32).collect();
    let mut cluster_of = region_of.clone();
    let mut clusters = vec![Cluster::default(); slots.len()];
    for (near, distance) in labeler.near.iter().zip(distances) {
        for (label, &other) in near.iter().enumerate() {
            union(&mut cluster_of, piece_of[label], piece_of[other as usize]);
        }
        clusters.fill(Cluster::default());
        for (piece, &slot) in slots.iter().enumerate() {
            let rect = labeler.tallies[slot].rect;
            let cluster = &mut clusters[find(&mut cluster_of, piece as u32) as usize];
            cluster.rect = cluster.rect.union(rect);
            cluster.covered += grown(rect, distance);
        }
        for piece in 0..slots.len() as u32 {
            let root = find(&mut cluster_of, piece);
            if clusters[root as usize].is_one_thing(distance) {
                region_of[piece as usize] = root;
            }
        }
    }

    let mut regions: Vec<Region> = Vec::new();
    let mut by_region: Vec<(u32, u32)> =
        region_of.iter().zip(0..).map(|(&region, piece)| (region, piece)).collect();
    by_region.sort_unstable();
    let mut bins = Bins::default();
    for pieces in by_region.chunk_by(|a, b| a.0 == b.0) {
        let mut whole = Tally::default();
        let mut summary = Region::default();
        for &(_, piece) in pieces {
            let tally = &mut labeler.tallies[slots[piece as usize]];
            summary.add_piece(tally, rule);
            whole.absorb(tally, rule);
        }
        bins.clear();
        whole.add_to(&mut bins);
        summary.finish(&whole, bins.to_histogram());
        regions.push(summary);
    }
    regions.sort_by(|a, b| {
        let key = |region: &Region| (region.rect().y, region.rect().x);
        b.delta_e_sum().cmp(&a.delta_e_sum()).then_with(|| key(a).cmp(&key(b)))
    });
    regions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_halve() {
        assert_eq!(distances(6), [2, 4, 7]);
        assert_eq!(distances(1), [2]);
        assert!(distances(0).is_empty());
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
