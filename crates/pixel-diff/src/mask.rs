//! Areas that are not compared.

use trueup_frame::{Rect, Size};

/// The masks of a scan, with the pieces of the current row that are compared.
#[derive(Debug, Default)]
pub(crate) struct Masks {
    /// Non-empty masks, clipped to the union of both images, by first row.
    by_top: Vec<Rect>,
    /// Masks with `top ≤ row`, not yet passed.
    active: Vec<Rect>,
    next: usize,
    /// Rows for which `open` holds: from the last change to just before the next.
    open_until: u64,
    open: Vec<Span>,
    width: u32,
}

/// Columns `start..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Masks {
    /// Takes the masks for images whose sizes unite to `canvas` and share `width` columns. Returns the indices of those
    /// that cover no pixel.
    pub(crate) fn set(&mut self, masks: &[Rect], sizes: [Size; 2], width: u32) -> Vec<usize> {
        self.by_top.clear();
        self.active.clear();
        self.open.clear();
        (self.next, self.open_until, self.width) = (0, 0, width);
        let mut unmatched = Vec::new();
        for (index, mask) in masks.iter().enumerate() {
            // A mask in the corner that the union of two sizes has but neither image does covers nothing.
            if sizes.iter().any(|&size| mask.clipped_to(size).is_some()) {
                self.by_top.extend(mask.clipped_to(sizes[0].union(sizes[1])));
            } else {
                unmatched.push(index);
            }
        }
        self.by_top.sort_unstable_by_key(|mask| mask.y);
        unmatched
    }

    /// The compared columns of row `y`, disjoint and ascending. Rows are asked for in ascending order.
    pub(crate) fn open_spans(&mut self, y: u32) -> &[Span] {
        if u64::from(y) >= self.open_until {
            while self.by_top.get(self.next).is_some_and(|mask| mask.y <= y) {
                self.active.push(self.by_top[self.next]);
                self.next += 1;
            }
            self.active.retain(|mask| mask.bottom() > u64::from(y));
            let next_top = self.by_top.get(self.next).map_or(u64::MAX, |mask| u64::from(mask.y));
            self.open_until = self.active.iter().map(|mask| mask.bottom()).fold(next_top, u64::min);
            self.active.sort_unstable_by_key(|mask| mask.x);
            self.open.clear();
            let mut from = 0;
            for mask in &self.active {
                if mask.x >= self.width {
                    break;
                }
                if mask.x > from {
                    self.open.push(Span { start: from, end: mask.x });
                }
                // Clipped to an image, so the right edge fits in 32 bits.
                from = from.max((mask.right() as u32).min(self.width));
            }
            if from < self.width {
                self.open.push(Span { start: from, end: self.width });
            }
        }
        &self.open
    }

    /// Pixels of `area` that some mask covers; overlaps count once.
    pub(crate) fn covered(&self, area: Rect) -> u64 {
        let mut clipped: Vec<Rect> = self.by_top.iter().filter_map(|mask| mask.intersection(area)).collect();
        clipped.sort_unstable_by_key(|mask| mask.x);
        let mut edges: Vec<u64> =
            clipped.iter().flat_map(|mask| [u64::from(mask.y), mask.bottom()]).collect();
        edges.sort_unstable();
        edges.dedup();
        let mut covered = 0;
        for pair in edges.windows(2) {
            let mut columns = 0;
            let mut from = 0;
            for mask in &clipped {
                if u64::from(mask.y) <= pair[0] && mask.bottom() >= pair[1] {
                    columns += mask.right().saturating_sub(from.max(u64::from(mask.x)));
                    from = from.max(mask.right());
                }
            }
            covered += columns * (pair[1] - pair[0]);
        }
        covered
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rects() -> impl Strategy<Value = Vec<Rect>> {
        let rect = (0..14_u32, 0..14_u32, 0..9_u32, 0..9_u32);
        prop::collection::vec(rect.prop_map(|(x, y, w, h)| Rect::new(x, y, w, h)), 0..8)
    }

    proptest! {
        #[test]
        fn spans_and_areas_agree_with_asking_every_pixel(rects in rects(), w in 1..12_u32, h in 1..12_u32) {
            let size = Size::new(w, h);
            let mut masks = Masks::default();
            let unmatched = masks.set(&rects, [size, size], w);
            let covers = |x, y| rects.iter().any(|rect| rect.contains(x, y));
            let mut covered = 0;
            for y in 0..h {
                let open: Vec<Span> = masks.open_spans(y).to_vec();
                for x in 0..w {
                    let is_open = open.iter().any(|span| (span.start..span.end).contains(&x));
                    prop_assert_eq!(is_open, !covers(x, y));
                    covered += u64::from(!is_open);
                }
                prop_assert!(open.windows(2).all(|pair| pair[0].end < pair[1].start));
            }
            prop_assert_eq!(masks.covered(Rect::of_size(size)), covered);
            for (index, rect) in rects.iter().enumerate() {
                prop_assert_eq!(unmatched.contains(&index), rect.clipped_to(size).is_none());
            }
        }
    }

    #[test]
    fn a_mask_in_the_corner_of_neither_image_is_unmatched() {
        let mut masks = Masks::default();
        let sizes = [Size::new(10, 2), Size::new(2, 10)];
        assert_eq!(masks.set(&[Rect::new(5, 5, 3, 3), Rect::new(0, 5, 1, 1)], sizes, 2), [0]);
    }
}
