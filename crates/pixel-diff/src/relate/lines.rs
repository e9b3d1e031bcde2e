//! Words that changed in one line of text.
//!
//! Where other words happen to have a letter in common with those before, the line falls into several regions, farther apart
//! than the merge distance. They are told as one.

use std::collections::BTreeSet;

use trueup_frame::Rect;

use crate::identity::Grid;
use crate::{Region, RegionKind};

/// Heights that a line of text may have, in pixels.
const LINE_PX: std::ops::RangeInclusive<u32> = 5..=64;

/// Joins open regions of content that stand beside each other in one line: as high as each other but for a third, no farther
/// apart than one and a half times their height, which is a letter and two spaces, and under one rule and one box.
pub(crate) fn join(regions: Vec<Region>) -> Vec<Region> {
    let is_word = |region: &Region| {
        region.is_open() && region.kind() == RegionKind::Content && LINE_PX.contains(&region.rect().height)
    };
    let (mut words, mut joined): (Vec<Region>, Vec<Region>) = regions.into_iter().partition(is_word);
    // From the left; a line begins with its first word.
    words.sort_by_key(|word| (word.rect().x, word.rect().y, word.rank()));
    let grid = Grid::new(words.iter().map(Region::rect), 0);
    let mut gone = vec![false; words.len()];
    for at in 0..words.len() {
        if std::mem::replace(&mut gone[at], true) {
            continue;
        }
        let mut line = std::mem::take(&mut words[at]);
        // What may be the next word: all that is near a word of the line.
        let mut near = after(&grid, line.rect());
        loop {
            near.retain(|&next| !gone[next]);
            let Some(&next) = near.iter().find(|&&next| follows(&line, &words[next])) else { break };
            gone[next] = true;
            let word = std::mem::take(&mut words[next]);
            near.extend(after(&grid, word.rect()));
            line.absorb(&word);
        }
        joined.push(line);
    }
    joined
}

/// The words that may follow one, by their places in the list.
fn after(grid: &Grid, word: Rect) -> BTreeSet<usize> {
    // The farthest that a word may follow one of the greatest height.
    let gap = LINE_PX.end() * 3 / 2;
    grid.near(Rect::new(word.x, word.y, word.width.saturating_add(gap), word.height)).into_iter().collect()
}

fn follows(line: &Region, word: &Region) -> bool {
    let (a, b) = (line.rect(), word.rect());
    let least = u64::from(a.height.min(b.height));
    let shared = a.bottom().min(b.bottom()).saturating_sub(a.y.max(b.y).into());
    let most = u64::from(a.height.max(b.height));
    let gap = u64::from(b.x).saturating_sub(a.right());
    line.rule() == word.rule()
        && line.box_index() == word.box_index()
        && b.x >= a.x
        && 3 * shared >= 2 * most
        && 2 * gap <= 3 * least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeltaE;
    use crate::region::Place;

    fn word(x: u32, y: u32, width: u32, height: u32) -> Region {
        let delta = DeltaE::from_raw(DeltaE::SCALE * 10);
        Region::structural(RegionKind::Content, Rect::new(x, y, width, height), Place::Same, 9, [delta; 2])
    }

    fn rects(words: Vec<Region>) -> Vec<Rect> {
        let mut rects: Vec<Rect> = join(words).iter().map(Region::rect).collect();
        rects.sort_by_key(|rect| (rect.y, rect.x));
        rects
    }

    #[test]
    fn words_of_a_line_are_one_region_and_lines_are_two() {
        let words = vec![word(50, 10, 20, 9), word(10, 10, 30, 10), word(80, 11, 5, 8), word(10, 26, 30, 9)];
        assert_eq!(rects(words), [Rect::new(10, 10, 75, 10), Rect::new(10, 26, 30, 9)]);
    }

    #[test]
    fn the_place_of_a_line_on_the_page_does_not_matter() {
        // Lower edges of 20 to 25, which lie on both sides of any raster of eight at some place.
        let at = |dx: u32, dy: u32| {
            let words = [
                (50, 10, 20, 11),
                (10, 12, 30, 12),
                (80, 9, 15, 13),
                (100, 11, 9, 14),
                (10, 40, 9, 9),
                (20, 45, 9, 9),
            ];
            words.map(|(x, y, width, height)| word(x + dx, y + dy, width, height)).to_vec()
        };
        let here = rects(at(0, 0));
        assert_eq!(here.len(), 3, "{here:?}");
        for (dx, dy) in (0..40).flat_map(|dy| [0, 1, 17].map(|dx| (dx, dy))) {
            let there: Vec<Rect> = rects(at(dx, dy));
            let back =
                there.into_iter().map(|rect| Rect::new(rect.x - dx, rect.y - dy, rect.width, rect.height));
            assert_eq!(back.collect::<Vec<_>>(), here, "{dx},{dy}");
        }
    }

    #[test]
    fn what_is_far_away_or_of_another_height_stays_apart() {
        let words = vec![word(10, 10, 30, 10), word(60, 10, 30, 10), word(95, 0, 30, 20)];
        assert_eq!(rects(words).len(), 3);
    }

    #[test]
    fn nothing_is_lost_by_joining() {
        let joined = join(vec![word(10, 10, 30, 10), word(45, 10, 30, 10)]);
        assert_eq!(joined.len(), 1);
        assert_eq!((joined[0].pixels(), joined[0].open_pixels(), joined[0].pieces()), (18, 18, 2));
        assert_eq!(joined[0].histogram().pixels(), 18);
        assert_eq!(joined[0].delta_e_sum(), u64::from(DeltaE::SCALE) * 180);
    }
}
