//! Areas that are not compared.

use trueup_frame::{Rect, Size};

use crate::{BitMask, Mask};

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
    /// Masks that are not rectangles.
    bits: Vec<BitMask>,
    /// What is masked of the current row, where some mask is not a rectangle.
    row: Vec<u64>,
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
    pub(crate) fn set(&mut self, masks: &[Mask], sizes: [Size; 2], width: u32) -> Vec<usize> {
        self.by_top.clear();
        self.active.clear();
        self.open.clear();
        self.bits.clear();
        (self.next, self.open_until, self.width) = (0, 0, width);
        let mut unmatched = Vec::new();
        for (index, mask) in masks.iter().enumerate() {
            // A mask in the corner that the union of two sizes has but neither image does covers nothing.
            let is_matched = match mask {
                Mask::Rect(rect) => sizes.iter().any(|&size| rect.clipped_to(size).is_some()),
                Mask::Bits(bits) => sizes.iter().any(|&size| bits.touches(size)),
            };
            match mask {
                _ if !is_matched => unmatched.push(index),
                Mask::Rect(rect) => self.by_top.extend(rect.clipped_to(sizes[0].union(sizes[1]))),
                Mask::Bits(bits) => self.bits.push(bits.clone()),
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
            self.open.clear();
            if self.bits.is_empty() {
                self.open_between_rects();
            } else {
                // Shapes may change with every row.
                self.open_until = u64::from(y) + 1;
                self.open_between_bits(y);
            }
        }
        &self.open
    }

    fn open_between_rects(&mut self) {
        self.active.sort_unstable_by_key(|mask| mask.x);
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

    fn open_between_bits(&mut self, y: u32) {
        let (active, bits) = (std::mem::take(&mut self.active), std::mem::take(&mut self.bits));
        set_bits(&mut self.row, Rect::new(0, y, self.width, 1), &active, &bits);
        (self.active, self.bits) = (active, bits);
        let mut at = 0;
        while at < self.width {
            let start = at + run(&self.row, at, self.width, true);
            let end = start + run(&self.row, start, self.width, false);
            if start < end {
                self.open.push(Span { start, end });
            }
            at = end;
        }
    }

    /// Pixels of `area` that some mask covers; overlaps count once.
    pub(crate) fn covered(&self, area: Rect) -> u64 {
        let mut clipped: Vec<Rect> = self.by_top.iter().filter_map(|mask| mask.intersection(area)).collect();
        if !self.bits.is_empty() {
            return self.covered_bit_by_bit(area, &clipped);
        }
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

    fn covered_bit_by_bit(&self, area: Rect, rects: &[Rect]) -> u64 {
        let mut row = Vec::new();
        // The area lies inside an image, so its last row fits in 32 bits.
        let rows = area.y..(area.bottom() as u32);
        rows.map(|y| {
            set_bits(&mut row, Rect::new(area.x, y, area.width, 1), rects, &self.bits);
            row.iter().map(|word| u64::from(word.count_ones())).sum::<u64>()
        })
        .sum()
    }
}

/// Sets the bits of a row to what the masks cover of it: the first bit is that of its first column.
fn set_bits(out: &mut Vec<u64>, row: Rect, rects: &[Rect], shapes: &[BitMask]) {
    out.clear();
    out.resize(row.width.div_ceil(64) as usize, 0);
    for rect in rects.iter().filter_map(|rect| rect.intersection(row)) {
        for x in rect.x - row.x..rect.x - row.x + rect.width {
            out[x as usize / 64] |= 1 << (x % 64);
        }
    }
    for shape in shapes {
        let words = shape.row(row.y);
        let (skip, shift) = (row.x as usize / 64, row.x % 64);
        for (index, out) in out.iter_mut().enumerate() {
            let word = |index: usize| words.get(skip + index).copied().unwrap_or(0);
            let after = if shift == 0 { 0 } else { word(index + 1) << (64 - shift) };
            *out |= word(index) >> shift | after;
        }
    }
    if let Some(last) = out.last_mut().filter(|_| !row.width.is_multiple_of(64)) {
        *last &= (1 << (row.width % 64)) - 1;
    }
}

/// How many bits from one on are set, or not, before `end`.
fn run(bits: &[u64], from: u32, end: u32, set: bool) -> u32 {
    let mut at = from;
    while at < end {
        let word = bits[at as usize / 64] >> (at % 64);
        let same = if set { word.trailing_ones() } else { word.trailing_zeros() };
        let room = 64 - at % 64;
        if same < room {
            return (at + same).min(end) - from;
        }
        at += room;
    }
    end.max(from) - from
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
        fn spans_and_areas_agree_with_asking_every_pixel(
            rects in rects(),
            shape in prop::option::of((1..160_u32, 1..14_u32, any::<u64>())),
            w in 1..160_u32,
            h in 1..12_u32,
        ) {
            let size = Size::new(w, h);
            let shape = shape.map(|(width, height, seed)| {
                // Runs of all lengths.
                BitMask::from_fn(Size::new(width, height), |x, y| seed.rotate_left(x / 5 + y * 7) & 3 == 0)
            });
            let all: Vec<Mask> = rects.iter().map(|&rect| rect.into()).chain(shape.clone().map(Mask::from)).collect();
            let mut masks = Masks::default();
            let unmatched = masks.set(&all, [size, size], w);
            let covers = |x, y| {
                rects.iter().any(|rect| rect.contains(x, y)) || shape.as_ref().is_some_and(|shape| shape.contains(x, y))
            };
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
            let part = Rect::new(w / 3, h / 3, w - w / 3, h - h / 3);
            let inside = (part.y..h).flat_map(|y| (part.x..w).map(move |x| (x, y)));
            let want = inside.filter(|&(x, y)| covers(x, y)).count() as u64;
            prop_assert_eq!(masks.covered(part), want);
            for (index, rect) in rects.iter().enumerate() {
                prop_assert_eq!(unmatched.contains(&index), rect.clipped_to(size).is_none());
            }
            if let Some(shape) = &shape {
                let any = (0..h).any(|y| (0..w).any(|x| shape.contains(x, y)));
                prop_assert_eq!(unmatched.contains(&rects.len()), !any);
            }
        }
    }

    #[test]
    fn a_mask_in_the_corner_of_neither_image_is_unmatched() {
        let mut masks = Masks::default();
        let sizes = [Size::new(10, 2), Size::new(2, 10)];
        let rects = [Rect::new(5, 5, 3, 3), Rect::new(0, 5, 1, 1)].map(Mask::from);
        assert_eq!(masks.set(&rects, sizes, 2), [0]);
    }
}
