//! From two rows of bytes to the stretches of pixels that differ.

use std::ops::Range;

use trueup_frame::ImageView;

use crate::antialias::{Around, Pixelmatch, is_coverage};
use crate::arch::Supported;
use crate::judge::Judge;
use crate::kernel::{Packed, bits_of};
use crate::mask::{Masks, Span};
use crate::pixel::Reader;
use crate::stretch::{End, Stretch};
use crate::unchanged::Unchanged;
use crate::values::{Class, Values};
use crate::{Antialiasing, Backdrop, DiffError, Layout, Options};

/// Stretches after which the scan should settle them.
pub(crate) const ENOUGH_STRETCHES: usize = 1 << 15;

/// Pixels that are packed and compared at a time.
pub(crate) const BLOCK: usize = 64;

/// Unlike pixels of a block that are worth taking at once.
const DENSE: u32 = 16;

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

    /// Adds a row whose stretches are known.
    #[cfg(feature = "rayon")]
    pub(crate) fn add_row(&mut self, y: u32, stretches: &[Stretch]) {
        self.stretches.extend_from_slice(stretches);
        self.rows.push((y, self.stretches.len()));
    }

    fn push(&mut self, stretch: Stretch, row_start: usize) {
        match self.stretches[row_start..].last_mut() {
            Some(last)
                if last.end() == stretch.x
                    && last.varied == stretch.varied
                    && stretch.value == last.value + if last.varied { last.width } else { 0 } =>
            {
                last.width += stretch.width;
                last.ends[1] = stretch.ends[1];
            }
            _ => self.stretches.push(stretch),
        }
    }
}

/// The last rows of both images that were pushed: those that are not judged yet, and as many above them.
#[derive(Debug, Default)]
pub(crate) struct Context {
    first: u32,
    /// Of these, the first `len` hold rows; the others are memory to use again.
    rows: Vec<[Vec<u8>; 2]>,
    len: usize,
}

impl Context {
    pub(crate) fn clear(&mut self) {
        (self.first, self.len) = (0, 0);
    }

    /// Takes a copy of the rows from `reach` above `judged` to before `end`.
    pub(crate) fn fill(&mut self, strip: &Strip<'_>, judged: u32, end: u32, reach: u32) {
        self.first = judged.saturating_sub(reach);
        self.len = 0;
        for (expected, actual) in (self.first..end).filter_map(|y| strip.row(y)) {
            if self.len == self.rows.len() {
                self.rows.push(Default::default());
            }
            let kept = &mut self.rows[self.len];
            for (kept, row) in kept.iter_mut().zip([expected, actual]) {
                kept.clear();
                kept.extend_from_slice(row);
            }
            self.len += 1;
        }
    }

    fn row(&self, y: u32) -> Option<(&[u8], &[u8])> {
        let row = self.rows[..self.len].get(y.checked_sub(self.first)? as usize)?;
        Some((&row[0], &row[1]))
    }
}

/// Rows at hand: some kept, some in the window that is being pushed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strip<'a> {
    pub(crate) context: &'a Context,
    /// Both views, and the image row of their first one.
    pub(crate) window: Option<(ImageView<'a>, ImageView<'a>, u32)>,
}

impl Strip<'_> {
    /// The bytes of an image row of both.
    pub(crate) fn row(&self, y: u32) -> Option<(&[u8], &[u8])> {
        if let Some((expected, actual, first)) = &self.window
            && let Some(row) = y.checked_sub(*first).filter(|&row| row < expected.size().height)
        {
            return Some((expected.row(row), actual.row(row)));
        }
        self.context.row(y)
    }
}

/// One row of both images, and the columns of it that no mask interrupts.
#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    expected: &'a [u8],
    actual: &'a [u8],
    span: Span,
    y: u32,
}

/// Where differing pixels go.
struct Sink<'a> {
    judge: &'a mut Judge,
    pending: &'a mut Pending,
    row_start: usize,
}

/// A row without the pixels that are antialiasing.
#[derive(Debug, Default)]
pub(crate) struct Sifted {
    /// What is left of the stretches.
    pub(crate) kept: Vec<Stretch>,
    /// Pixels that were taken out and would take part in pieces.
    pub(crate) excused: Vec<Class>,
    /// The columns of those among them that are above the tolerance.
    pub(crate) visible: Vec<u32>,
    pub(crate) unchanged: Unchanged,
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
    /// Neither has pixels that are not opaque.
    opaque: bool,
    level: Supported,
    backdrop: Backdrop,
    antialiasing: Antialiasing,
}

impl Rows {
    pub(crate) fn new(
        expected: &Layout,
        actual: &Layout,
        width: u32,
        options: &Options,
    ) -> Result<Self, DiffError> {
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
            opaque: alphas == (Opaque, Opaque),
            level: options.supported_level()?,
            backdrop: options.backdrop,
            antialiasing: options.antialiasing,
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
        let mut sink = Sink { judge, pending, row_start };
        for span in masks.open_spans(y) {
            let Span { start, end } = *span;
            let line = Line { expected, actual, span: *span, y };
            let mut x = start as usize;
            while x < end as usize {
                let next = (x + BLOCK).min(end as usize);
                let (e, a) = (&expected[x * e_size..next * e_size], &actual[x * a_size..next * a_size]);
                if !(self.same_encoding && e == a) {
                    if self.narrow {
                        self.narrow_block(&line, x..next, &mut sink);
                    } else {
                        self.wide_block(&line, x..next, &mut sink);
                    }
                }
                x = next;
            }
        }
        if pending.stretches.len() > row_start {
            pending.rows.push((y, pending.stretches.len()));
        }
    }

    /// Copies the stretches of row `y`, without the significant pixels that are antialiasing.
    pub(crate) fn without_antialiasing(
        &self,
        strip: &Strip<'_>,
        y: u32,
        stretches: &[Stretch],
        values: &Values,
        sifted: &mut Sifted,
    ) {
        let Sifted { kept, excused, visible, unchanged } = sifted;
        kept.clear();
        visible.clear();
        excused.clear();
        // One of many values is taken to be significant somewhere, and asked pixel by pixel.
        let significant = |stretch: &&Stretch| stretch.varied || values.class(stretch.value).is_significant();
        let (Some(first), Some(last)) =
            (stretches.iter().find(significant), stretches.iter().rev().find(significant))
        else {
            return;
        };
        let around = [-2, -1, 0, 1, 2].map(|by| y.checked_add_signed(by).and_then(|y| strip.row(y)));
        let expected = Around { reader: self.expected, rows: around.map(|rows| rows.map(|(e, _)| e)) };
        let actual = Around { reader: self.actual, rows: around.map(|rows| rows.map(|(_, a)| a)) };
        let width = self.width as u32;
        let pixelmatch = match self.antialiasing {
            Antialiasing::Off => return,
            Antialiasing::Coverage => None,
            Antialiasing::Pixelmatch7 => Some(Pixelmatch::Seven),
            Antialiasing::Pixelmatch8 => Some(Pixelmatch::Eight),
        };
        let near = match pixelmatch {
            None => unchanged.near(self, strip, y, first.x as usize..last.end() as usize),
            Some(_) => &[],
        };
        for &stretch in stretches.iter().filter(significant) {
            let mut start = stretch.x;
            let end = stretch.end();
            let mut x = stretch.x;
            while x < end {
                if pixelmatch.is_none() {
                    // Inside a changed area there is nothing that two images share; that is most of a large change.
                    let near = near[x as usize / BLOCK] >> (x as usize % BLOCK);
                    if near == 0 {
                        x = (x / BLOCK as u32 + 1).saturating_mul(BLOCK as u32);
                        continue;
                    }
                    x += near.trailing_zeros();
                }
                if x < end {
                    let class = values.class(stretch.value_at(x));
                    let is_excused = class.is_significant()
                        && match pixelmatch {
                            None => is_coverage(&expected, &actual, x, width),
                            Some(version) => version.finds(&expected, &actual, x, width, self.index(x, y)),
                        };
                    if is_excused {
                        excused.push(class);
                        if class.is_visible() {
                            visible.push(x);
                        }
                        if start < x {
                            kept.push(stretch.part(start, x, values));
                        }
                        start = x + 1;
                    }
                }
                x += 1;
            }
            if start < end {
                kept.push(stretch.part(start, end, values));
            }
        }
    }

    /// Place of a pixel in reading order.
    fn index(&self, x: u32, y: u32) -> u64 {
        u64::from(y) * self.width as u64 + u64::from(x)
    }

    /// Blocks of a row.
    pub(crate) fn blocks(&self) -> usize {
        self.width.div_ceil(BLOCK)
    }

    /// One bit for each column of a block of two rows in which the pixel is the same; none beyond the last column.
    pub(crate) fn unchanged(&self, expected: &[u8], actual: &[u8], block: usize) -> u64 {
        let columns = block * BLOCK..((block + 1) * BLOCK).min(self.width);
        let count = columns.len();
        let all = u64::MAX >> (BLOCK - count);
        let bytes = |size: usize| columns.start * size..columns.end * size;
        let e_bytes = &expected[bytes(self.expected.bytes_per_pixel())];
        let a_bytes = &actual[bytes(self.actual.bytes_per_pixel())];
        if self.same_encoding && e_bytes == a_bytes {
            all
        } else if self.narrow && self.same_meaning {
            let packed = Packed::new(self.level, (self.expected, e_bytes), (self.actual, a_bytes));
            // Colour under alpha 0 is nothing, so equal pixels may still have unlike bytes.
            let clear = if self.opaque { 0 } else { packed.clear() };
            (!packed.differing | clear) & all
        } else {
            bits_of(|i| {
                let x = columns.start + i;
                i < count && self.expected.read(expected, x) == self.actual.read(actual, x)
            })
        }
    }

    fn narrow_block(&self, line: &Line<'_>, columns: Range<usize>, sink: &mut Sink<'_>) {
        let Line { expected, actual, span, y } = *line;
        let bytes = |size: usize| columns.start * size..columns.end * size;
        let e_bytes = &expected[bytes(self.expected.bytes_per_pixel())];
        let a_bytes = &actual[bytes(self.actual.bytes_per_pixel())];
        let packed = Packed::new(self.level, (self.expected, e_bytes), (self.actual, a_bytes));
        let (e, a) = (&packed.expected, &packed.actual);
        let count = columns.len();
        let mut mask = if self.same_meaning { packed.differing } else { u64::MAX };
        if count < BLOCK {
            mask &= (1 << count) - 1;
        }
        // The pixels on both sides of the block, for what is seen at the ends of stretches; not those under a mask.
        let beside = |x: Option<usize>| {
            let x = x.filter(|&x| x >= span.start as usize && x < span.end as usize)?;
            Some((self.expected.pack_one(expected, x), self.actual.pack_one(actual, x)))
        };
        let before = if mask & 1 == 0 { None } else { beside(columns.start.checked_sub(1)) };
        let after = if mask >> (count - 1) == 0 { None } else { beside(Some(columns.end)) };
        let at = |i: usize| (e[i], a[i]);
        let x = |i: usize| (columns.start + i) as u32;
        let ends = |first: usize, end: usize| {
            let left = if first > 0 { Some(at(first - 1)) } else { before };
            let right = if end < count { Some(at(end)) } else { after };
            [seen(at(first), left, same_packed), seen(at(end - 1), right, same_packed)]
        };
        // Pixels that differ just as the one before them go with it.
        let mut repeats = packed.repeating & mask & mask << 1;
        if self.backdrop.depends_on_place() {
            repeats &= packed.opaque();
        }
        let mut heads = mask & !repeats;
        if heads.count_ones() >= DENSE
            && 4 * repeats.count_ones() <= heads.count_ones()
            && sink.judge.is_paused(heads.count_ones())
            && (self.opaque || !packed.opaque() & mask == 0)
        {
            while mask != 0 {
                let first = mask.trailing_zeros() as usize;
                let width = (mask >> first).trailing_ones() as usize;
                let end = first + width;
                mask &= !(u64::MAX >> (BLOCK - width) << first);
                let value = sink.judge.row_of_opaque8(&e[first..end], &a[first..end]);
                let (x, width, ends) = (x(first), width as u32, ends(first, end));
                sink.pending.push(Stretch { x, width, value, varied: true, ends }, sink.row_start);
            }
            return;
        }
        while heads != 0 {
            let first = heads.trailing_zeros() as usize;
            heads &= heads - 1;
            let (p, q) = at(first);
            let opaque = p >> 24 == 255 && q >> 24 == 255;
            let value = if opaque {
                sink.judge.opaque8(p, q)
            } else {
                let place = self.index(x(first), y);
                let [p, q] = [self.expected.unpack(p), self.actual.unpack(q)];
                sink.judge.pair(self.backdrop.under(p, place), self.backdrop.under(q, place))
            };
            let width = 1 + (repeats >> first >> 1).trailing_ones() as usize;
            let (x, varied, ends) = (x(first), opaque && width == 1, ends(first, first + width));
            sink.pending.push(Stretch { x, width: width as u32, value, varied, ends }, sink.row_start);
        }
    }

    fn wide_block(&self, line: &Line<'_>, columns: Range<usize>, sink: &mut Sink<'_>) {
        let Line { expected, actual, span, y } = *line;
        let at = |x: usize| (self.expected.read(expected, x), self.actual.read(actual, x));
        let mut left = columns.start.checked_sub(1).filter(|&x| x >= span.start as usize).map(at);
        let mut pair = at(columns.start);
        let mut previous = None;
        for x in columns {
            let right = (x + 1 < span.end as usize).then(|| at(x + 1));
            if !(self.same_meaning && pair.0 == pair.1) {
                let place = self.index(x as u32, y);
                let value = match previous {
                    Some((known, value)) if known == pair && !self.backdrop.depends_on_place() => value,
                    _ => sink
                        .judge
                        .pair(self.backdrop.under(pair.0, place), self.backdrop.under(pair.1, place)),
                };
                previous = Some((pair, value));
                let ends = [left, right].map(|beside| seen(pair, beside, |a, b| a == b));
                sink.pending
                    .push(Stretch { x: x as u32, width: 1, value, varied: false, ends }, sink.row_start);
            }
            left = Some(pair);
            pair = right.unwrap_or(pair);
        }
    }
}

/// What is seen at an end: the outermost pixel in both images against its neighbour.
fn seen<P: Copy>(pixel: (P, P), beside: Option<(P, P)>, same: impl Fn(P, P) -> bool) -> End {
    beside.map_or(End::default(), |beside| End::new([!same(pixel.0, beside.0), !same(pixel.1, beside.1)]))
}

/// Whether two packed pixels of one layout are the same; colour under alpha 0 is nothing.
fn same_packed(a: u32, b: u32) -> bool {
    a == b || (a | b) >> 24 == 0
}
