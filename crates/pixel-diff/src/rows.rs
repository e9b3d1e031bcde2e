//! From two rows of bytes to the stretches of pixels that differ.

use crate::judge::Judge;
use crate::mask::{Masks, Span};
use crate::pixel::Reader;
use crate::region::Stretch;
use crate::{DiffError, Layout};

/// Stretches after which the scan should settle them.
pub(crate) const ENOUGH_STRETCHES: usize = 1 << 15;

/// Pixels that are packed and compared at a time.
const BLOCK: usize = 64;

/// Differing pixels of some rows, not yet counted.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    /// Row and the end of its stretches.
    rows: Vec<(u32, usize)>,
    stretches: Vec<Stretch>,
}

impl Pending {
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.stretches.clear();
    }

    pub(crate) fn stretches(&self) -> usize {
        self.stretches.len()
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = (u32, &[Stretch])> {
        let mut start = 0;
        self.rows.iter().map(move |&(y, end)| {
            let row = &self.stretches[start..end];
            start = end;
            (y, row)
        })
    }

    fn push(&mut self, x: u32, width: u32, value: u32, row_start: usize) {
        match self.stretches[row_start..].last_mut() {
            Some(last) if last.value == value && last.x + last.width == x => last.width += width,
            _ => self.stretches.push(Stretch { x, width, value }),
        }
    }
}

/// Reads rows of two layouts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    expected: Reader,
    actual: Reader,
    width: usize,
    /// Equal bytes are equal pixels.
    same_encoding: bool,
    /// Both have 8-bit samples.
    narrow: bool,
    /// Equal packed pixels are equal pixels.
    same_meaning: bool,
}

impl Rows {
    pub(crate) fn new(expected: &Layout, actual: &Layout, width: u32) -> Result<Self, DiffError> {
        use trueup_frame::Alpha::Opaque;
        let (e, a) = (expected.reader()?, actual.reader()?);
        let alphas = (expected.alpha(), actual.alpha());
        Ok(Self {
            expected: e,
            actual: a,
            width: width as usize,
            same_encoding: expected.same_encoding(actual),
            narrow: e.is_narrow() && a.is_narrow(),
            // An opaque pixel packs as alpha 255, under which all meanings of alpha agree.
            same_meaning: expected.color() == actual.color()
                && (alphas.0 == alphas.1 || alphas.0 == Opaque || alphas.1 == Opaque),
        })
    }

    /// Adds the stretches of one row that differ, or may differ, to `pending`.
    pub(crate) fn collect(
        &self,
        expected: &[u8],
        actual: &[u8],
        y: u32,
        masks: &mut Masks,
        judge: &mut Judge,
        pending: &mut Pending,
    ) {
        let (e_size, a_size) = (self.expected.bytes_per_pixel(), self.actual.bytes_per_pixel());
        let (expected, actual) = (&expected[..self.width * e_size], &actual[..self.width * a_size]);
        if self.same_encoding && expected == actual {
            return;
        }
        let row_start = pending.stretches.len();
        for &Span { start, end } in masks.open_spans(y) {
            let mut x = start as usize;
            while x < end as usize {
                let next = (x + BLOCK).min(end as usize);
                let (e, a) = (&expected[x * e_size..next * e_size], &actual[x * a_size..next * a_size]);
                if !(self.same_encoding && e == a) {
                    if self.narrow {
                        self.narrow_block(e, a, x as u32, judge, pending, row_start);
                    } else {
                        self.wide_block(e, a, x as u32, judge, pending, row_start);
                    }
                }
                x = next;
            }
        }
        if pending.stretches.len() > row_start {
            pending.rows.push((y, pending.stretches.len()));
        }
    }

    fn narrow_block(
        &self,
        expected: &[u8],
        actual: &[u8],
        x: u32,
        judge: &mut Judge,
        pending: &mut Pending,
        row_start: usize,
    ) {
        let (mut e, mut a) = ([0; BLOCK], [0; BLOCK]);
        let count = self.expected.pack(expected, &mut e);
        self.actual.pack(actual, &mut a);
        let mut mask = if self.same_meaning { differing(&e, &a) } else { u64::MAX };
        if count < BLOCK {
            mask &= (1 << count) - 1;
        }
        // Pixels that differ just as the one before them go with it.
        let repeats = repeating(&e, &a) & mask & mask << 1;
        let mut heads = mask & !repeats;
        while heads != 0 {
            let i = heads.trailing_zeros();
            heads &= heads - 1;
            let (p, q) = (e[i as usize], a[i as usize]);
            let value = if p >> 24 == 255 && q >> 24 == 255 {
                judge.opaque8(p, q)
            } else {
                judge.pair(self.expected.unpack(p), self.actual.unpack(q))
            };
            let width = 1 + (repeats >> i >> 1).trailing_ones();
            pending.push(x + i, width, value, row_start);
        }
    }

    fn wide_block(
        &self,
        expected: &[u8],
        actual: &[u8],
        x: u32,
        judge: &mut Judge,
        pending: &mut Pending,
        row_start: usize,
    ) {
        let count = expected.len() / self.expected.bytes_per_pixel();
        let mut previous = None;
        for i in 0..count {
            let pair = (self.expected.read(expected, i), self.actual.read(actual, i));
            if self.same_meaning && pair.0 == pair.1 {
                continue;
            }
            let value = match previous {
                Some((known, value)) if known == pair => value,
                _ => judge.pair(pair.0, pair.1),
            };
            previous = Some((pair, value));
            pending.push(x + i as u32, 1, value, row_start);
        }
    }
}

/// One bit for each pixel that differs.
fn differing(e: &[u32; BLOCK], a: &[u32; BLOCK]) -> u64 {
    let mut mask = 0;
    for (i, (e, a)) in e.iter().zip(a).enumerate() {
        mask |= u64::from(e != a) << i;
    }
    mask
}

/// One bit for each pair that is the same as the one before it; the first one never is.
fn repeating(e: &[u32; BLOCK], a: &[u32; BLOCK]) -> u64 {
    let mut mask = 0;
    for i in 1..BLOCK {
        mask |= u64::from((e[i] == e[i - 1]) & (a[i] == a[i - 1])) << i;
    }
    mask
}
