//! Where two images are the same, row by row.

use std::ops::Range;

use crate::rows::{BLOCK, Rows, Strip};

/// Bits of the columns in which a pixel is the same in both images, of the rows that were asked about last: a row is
/// looked at once, not by each of its neighbours.
#[derive(Debug, Default)]
pub(crate) struct Unchanged {
    /// Row `y` is at `y` % 3, so that three neighbouring rows are never in each other's way.
    rows: [Row; 3],
    near: Vec<u64>,
}

#[derive(Debug, Default)]
struct Row {
    y: Option<u32>,
    /// Blocks whose bits are known.
    known: Range<usize>,
    bits: Vec<u64>,
}

impl Unchanged {
    /// Readies it for another pair of images.
    pub(crate) fn clear(&mut self) {
        self.rows.iter_mut().for_each(|row| row.y = None);
    }

    /// Words with the bit of each of the given columns set for which some pixel in row `y`, the row above or the row
    /// below, at most one column away, or one in row `y` at most two columns away, is the same in both images; other bits are
    /// arbitrary.
    pub(crate) fn near(&mut self, rows: &Rows, strip: &Strip<'_>, y: u32, columns: Range<usize>) -> &[u64] {
        let blocks = rows.blocks();
        let wanted = columns.start.saturating_sub(2) / BLOCK..((columns.end + 1) / BLOCK + 1).min(blocks);
        self.near.clear();
        self.near.resize(blocks, 0);
        for y in y.saturating_sub(1)..=y.saturating_add(1) {
            let Some((expected, actual)) = strip.row(y) else { continue };
            let row = &mut self.rows[y as usize % 3];
            row.learn(y, &wanted, blocks, |block| rows.unchanged(expected, actual, block));
            for (near, bits) in self.near[wanted.clone()].iter_mut().zip(&row.bits[wanted.clone()]) {
                *near |= bits;
            }
        }
        let own = &self.rows[y as usize % 3].bits;
        let (mut before, mut own_before) = (0, 0);
        for block in wanted.clone() {
            let here = self.near[block];
            let after = self.near.get(block + 1).copied().unwrap_or(0);
            let own_after = if block + 1 < wanted.end { own[block + 1] } else { 0 };
            self.near[block] = here | here << 1 | here >> 1 | before >> (BLOCK - 1) | after << (BLOCK - 1);
            self.near[block] |= own[block] << 2 | own[block] >> 2;
            self.near[block] |= own_before >> (BLOCK - 2) | own_after << (BLOCK - 2);
            (before, own_before) = (here, own[block]);
        }
        &self.near
    }
}

impl Row {
    /// Sees to it that the bits of the wanted blocks of row `y` are known.
    fn learn(&mut self, y: u32, wanted: &Range<usize>, blocks: usize, look: impl Fn(usize) -> u64) {
        if self.y != Some(y) {
            self.y = Some(y);
            self.known = wanted.start..wanted.start;
            self.bits.resize(blocks, 0);
        }
        // Known blocks stay side by side, so those in between are looked at too.
        let all = self.known.start.min(wanted.start)..self.known.end.max(wanted.end);
        for block in (all.start..self.known.start).chain(self.known.end..all.end) {
            self.bits[block] = look(block);
        }
        self.known = all;
    }
}
