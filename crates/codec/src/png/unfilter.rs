//! From stored rows to samples.
//!
//! The decoder below inflates and checks. Filters are undone here, so that rows go straight to where they are wanted, and so that
//! another thread can do it than the one that inflates.

use super::filters::{PAETH, undo, undo_two_paeth};
use crate::orient;

/// Makes samples of stored rows, from the top.
///
/// Of two that are equal the same stored rows make the same samples.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unfilter {
    /// The last row as the file has it; zeros above the first one.
    previous: Vec<u8>,
    pixel_bytes: usize,
    /// Samples of 16 bits, which PNG stores with the high byte first.
    is_wide: bool,
    is_mirrored: bool,
}

impl Unfilter {
    /// For an image whose rows take so many bytes; `None` where there is no memory for one of them.
    pub(super) fn new(
        row_bytes: usize,
        pixel_bytes: usize,
        is_wide: bool,
        is_mirrored: bool,
    ) -> Option<Self> {
        let mut previous = Vec::new();
        previous.try_reserve_exact(row_bytes).ok()?;
        previous.resize(row_bytes, 0);
        Some(Self { previous, pixel_bytes, is_wide, is_mirrored })
    }

    /// Bytes of a row of samples; a stored row has the type of its filter before it.
    pub(crate) const fn row_bytes(&self) -> usize {
        self.previous.len()
    }

    /// Goes on from where another one is, of an image with rows of the same kind.
    pub(crate) fn follow(&mut self, other: &Self) {
        self.previous.clone_from(&other.previous);
    }

    /// The samples of some stored rows, which follow those of the last call.
    pub(crate) fn rows(&mut self, stored: &[u8], samples: &mut [u8]) {
        match self.pixel_bytes {
            1 => self.rows_of::<1>(stored, samples),
            2 => self.rows_of::<2>(stored, samples),
            3 => self.rows_of::<3>(stored, samples),
            4 => self.rows_of::<4>(stored, samples),
            6 => self.rows_of::<6>(stored, samples),
            _ => self.rows_of::<8>(stored, samples),
        }
    }

    fn rows_of<const N: usize>(&mut self, stored: &[u8], samples: &mut [u8]) {
        if self.is_wide || self.is_mirrored {
            self.turned_rows::<N>(stored, samples);
        } else {
            self.plain_rows::<N>(stored, samples);
        }
    }

    fn plain_rows<const N: usize>(&mut self, stored: &[u8], samples: &mut [u8]) {
        let row_bytes = self.row_bytes();
        let mut lines = lines(stored, row_bytes).peekable();
        let (mut above, mut rest) = (&*self.previous, &mut *samples);
        while let Some((filter, line)) = lines.next() {
            let is_paeth = matches!(N, 3 | 4) && filter == PAETH;
            let next = if is_paeth { lines.next_if(|&(filter, _)| filter == PAETH) } else { None };
            let bytes = if next.is_some() { 2 * row_bytes } else { row_bytes };
            let Some((rows, below)) = std::mem::take(&mut rest).split_at_mut_checked(bytes) else { break };
            let (row, lower) = rows.split_at_mut(row_bytes);
            match next {
                Some((_, next)) => {
                    undo_two_paeth::<N>(above, [line, next], [row, lower]);
                    above = lower;
                }
                None => {
                    undo::<N>(filter, above, line, row);
                    above = row;
                }
            }
            rest = below;
        }
        if let Some(last) = samples.rchunks_exact(row_bytes.max(1)).next() {
            self.previous.copy_from_slice(last);
        }
    }

    /// What comes next is predicted from what the file has, not from what is given out.
    fn turned_rows<const N: usize>(&mut self, stored: &[u8], samples: &mut [u8]) {
        let row_bytes = self.row_bytes();
        for ((filter, line), row) in lines(stored, row_bytes).zip(samples.chunks_exact_mut(row_bytes.max(1)))
        {
            undo::<N>(filter, &self.previous, line, row);
            self.previous.copy_from_slice(row);
            if self.is_wide {
                to_machine_order(row);
            }
            if self.is_mirrored {
                orient::mirror_row(row, N);
            }
        }
    }
}

/// The type of its filter and the differences of each stored row.
fn lines(stored: &[u8], row_bytes: usize) -> impl Iterator<Item = (u8, &[u8])> {
    stored
        .chunks_exact(row_bytes + 1)
        .filter_map(|line| line.split_first().map(|(&filter, line)| (filter, line)))
}

/// PNG stores samples of 16 bits with the high byte first; a frame has them as the machine does.
pub(super) fn to_machine_order(samples: &mut [u8]) {
    for sample in samples.as_chunks_mut::<2>().0 {
        *sample = u16::from_be_bytes(*sample).to_ne_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Filters as the standard defines them, sample by sample.
    fn filtered(filter: u8, above: &[u8], row: &[u8], pixel_bytes: usize) -> Vec<u8> {
        let before = |samples: &[u8], i: usize| i.checked_sub(pixel_bytes).map_or(0, |i| samples[i]);
        let predicted = |i: usize| {
            let (left, up, corner) = (before(row, i), above[i], before(above, i));
            let far = |one: &u8| {
                let estimate = i32::from(left) + i32::from(up) - i32::from(corner);
                (estimate - i32::from(*one)).abs()
            };
            match filter {
                0 => 0,
                1 => left,
                2 => up,
                3 => ((u16::from(left) + u16::from(up)) / 2) as u8,
                // Of equally near ones the first.
                _ => [left, up, corner].into_iter().min_by_key(far).unwrap(),
            }
        };
        let differences = (0..row.len()).map(|i| row[i].wrapping_sub(predicted(i)));
        std::iter::once(filter).chain(differences).collect()
    }

    #[test]
    fn every_filter_is_undone_for_every_size_of_pixel_however_rows_are_cut() {
        // By turns, and each by itself in many rows.
        let orders: [fn(usize) -> u8; 7] =
            [|y| (y * 3 % 5) as u8, |_| 0, |_| 1, |_| 2, |_| 3, |_| 4, |y| [4, 4, 1, 4, 4, 4][y % 6]];
        for (width, pixel_bytes) in (1..12).flat_map(|width| [1, 2, 3, 4, 6, 8].map(|bytes| (width, bytes))) {
            let (row_bytes, rows) = (width * pixel_bytes, 11);
            for order in orders {
                let sample = |i: usize| (i * i * 31 + i / 5 * 77) as u8;
                let samples: Vec<u8> = (0..rows * row_bytes).map(sample).collect();
                let mut above = vec![0; row_bytes];
                let mut stored = Vec::new();
                for (y, row) in samples.chunks(row_bytes).enumerate() {
                    stored.extend(filtered(order(y), &above, row, pixel_bytes));
                    above = row.to_vec();
                }
                for cut in [1, 2, 5, rows] {
                    let mut unfilter = Unfilter::new(row_bytes, pixel_bytes, false, false).unwrap();
                    let mut out = Vec::new();
                    for band in stored.chunks(cut * (row_bytes + 1)) {
                        let mut part = vec![0xEE; band.len() / (row_bytes + 1) * row_bytes];
                        unfilter.rows(band, &mut part);
                        out.extend(part);
                    }
                    assert_eq!(out, samples, "{width} pixels of {pixel_bytes} bytes, {cut} rows at a time");
                }
            }
        }
    }
}
