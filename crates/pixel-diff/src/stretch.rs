//! Differing pixels side by side.

use crate::values::{Lanes, PairDelta, Values};

/// Differing pixels side by side in one row: all of one value, or each of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    pub(crate) x: u32,
    pub(crate) width: u32,
    /// Index of the value, of the first pixel if they have their own.
    pub(crate) value: u32,
    /// Whether every pixel has its own value, by ascending index; then all are opaque 8-bit pairs.
    pub(crate) varied: bool,
    /// What the pixels beside its ends show.
    pub(crate) ends: [End; 2],
}

/// Whether there is an edge between the outermost pixel of a stretch and its neighbour in the same row.
///
/// Between two pixels that are the same in both images there is nothing to be seen, whatever made a cut there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct End {
    /// There is a neighbour, and an edge in at least one image.
    pub(crate) known: bool,
    /// It has another value in the reference.
    pub(crate) expected: bool,
    /// It has another value in the other image.
    pub(crate) actual: bool,
}

impl End {
    pub(crate) const fn new([expected, actual]: [bool; 2]) -> Self {
        Self { known: expected | actual, expected, actual }
    }
}

impl Stretch {
    /// One past the last column.
    pub(crate) const fn end(&self) -> u32 {
        self.x + self.width
    }

    /// Index of the value at column `x`.
    pub(crate) const fn value_at(&self, x: u32) -> u32 {
        if self.varied { self.value + (x - self.x) } else { self.value }
    }

    /// The columns `start..end` of it.
    pub(crate) fn part(self, start: u32, end: u32, values: &Values) -> Self {
        Self {
            x: start,
            width: end - start,
            value: self.value_at(start),
            varied: self.varied,
            ends: [self.left_of(start, values), self.right_of(end, values)],
        }
    }

    /// What is seen to the left of column `x`.
    pub(crate) fn left_of(&self, x: u32, values: &Values) -> End {
        if x == self.x { self.ends[0] } else { self.between(x - 1, x, values) }
    }

    /// What is seen to the right of the column before `end`.
    pub(crate) fn right_of(&self, end: u32, values: &Values) -> End {
        if end == self.end() { self.ends[1] } else { self.between(end - 1, end, values) }
    }

    fn between(&self, a: u32, b: u32, values: &Values) -> End {
        if self.varied { End::new(values.differ(self.value_at(a), self.value_at(b))) } else { End::default() }
    }

    /// Calls for the columns `start..end` of it with a value and the number of pixels that have it, or with lanes that
    /// have a pixel each.
    pub(crate) fn for_each<'v>(
        &self,
        start: u32,
        end: u32,
        values: &'v Values,
        mut f: impl FnMut(Piece<'v>),
    ) {
        if self.varied {
            values.lanes(self.value_at(start), end - start).for_each(|lanes| f(Piece::Lanes(lanes)));
        } else {
            f(Piece::Same(values.get(self.value), end - start));
        }
    }
}

/// Pixels of a stretch.
#[derive(Clone, Debug)]
pub(crate) enum Piece<'a> {
    /// So many pixels of one value.
    Same(PairDelta, u32),
    /// One pixel of each value.
    Lanes(Lanes<'a>),
}
