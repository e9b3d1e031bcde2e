//! Which cells of a picture something covers.

use std::fmt;
use std::str::FromStr;

use trueup_frame::Rect;

use crate::DiffError;
use crate::error::DiffErrorKind;

/// Cells that a sketch has at most, so that it stays small whatever it is of.
const CELLS: u64 = 64;

/// Side of the smallest cells in pixels: half a cell of the registry, so that a thin line covers the same ones when it shakes.
const SIDE_PX: u32 = 8;

/// How many pixels of something lie in each cell of a raster: what it covers of its box, in a few numbers.
///
/// The raster begins at the upper left corner of the picture. Its cells are squares of 8 pixels, or of the next power of
/// two of which the box touches no more than 64; so cells of two sketches are the same ones, or one holds several of the
/// other. Something that fills its box needs no sketch: the box says as much.
///
/// Its text is `SIDE/X,Y/COLUMNS:COUNTS`: the side of the cells in pixels, the column and the row of the first one, how many
/// there are in a row, and the pixels in each, row by row.
///
/// ```
/// use trueup_frame::Rect;
/// use trueup_pixel_diff::Sketch;
///
/// // The left half of a box, and one of its right columns.
/// let sketch = Sketch::from_fn(Rect::new(0, 0, 16, 8), |x, _| x < 8 || x == 12);
/// let sketch = sketch.ok_or("it fills its box")?;
/// assert_eq!(sketch.to_string(), "8/0,0/2:64,8");
/// assert_eq!(sketch.to_string().parse(), Ok(sketch));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "String", try_from = "String"))]
pub struct Sketch {
    side_px: u32,
    /// Column and row of the first cell.
    first: [u32; 2],
    columns: u32,
    /// Pixels in each cell, row by row.
    counts: Vec<u32>,
}

impl Sketch {
    /// What something covers of its box, asked by column and row; `None` when it covers all or nothing of it.
    #[must_use]
    pub fn from_fn(area: Rect, mut covers: impl FnMut(u32, u32) -> bool) -> Option<Self> {
        Self::of_rows(area, |x, y, width| (x..x + width).map(|x| u32::from(covers(x, y))).sum())
    }

    /// The same, asked how many pixels are covered of some that stand side by side, by the first one and their number.
    pub(crate) fn of_rows(area: Rect, mut covered: impl FnMut(u32, u32, u32) -> u32) -> Option<Self> {
        if area.is_empty() {
            return None;
        }
        let mut sketch = Self::empty(area);
        let (side, columns) = (sketch.side_px, sketch.columns as usize);
        // Sides of an image end below what a number of 32 bits holds.
        let (right, bottom) = (u32::try_from(area.right()).ok()?, u32::try_from(area.bottom()).ok()?);
        let mut all = 0_u64;
        for y in area.y..bottom {
            let row = (y / side - sketch.first[1]) as usize * columns;
            let mut x = area.x;
            for count in &mut sketch.counts[row..row + columns] {
                let width = (side - x % side).min(right - x);
                let covered = covered(x, y, width);
                (*count, all, x) = (count.saturating_add(covered), all + u64::from(covered), x + width);
            }
        }
        (1..area.area()).contains(&all).then_some(sketch)
    }

    /// The raster of a box, with nothing in it.
    fn empty(area: Rect) -> Self {
        let mut side_px = SIDE_PX;
        let cells = |at: u32, len: u32, side: u32| {
            (u64::from(at) + u64::from(len) - 1) / u64::from(side) - u64::from(at / side) + 1
        };
        let size = |side: u32| [cells(area.x, area.width, side), cells(area.y, area.height, side)];
        while size(side_px).iter().product::<u64>() > CELLS {
            side_px *= 2;
        }
        let [columns, rows] = size(side_px);
        Self {
            side_px,
            first: [area.x / side_px, area.y / side_px],
            columns: columns as u32,
            counts: vec![0; (columns * rows) as usize],
        }
    }

    fn index(&self, x: u32, y: u32) -> Option<usize> {
        let column = (x / self.side_px).checked_sub(self.first[0]).filter(|&column| column < self.columns)?;
        let row = (y / self.side_px).checked_sub(self.first[1])?;
        Some(row as usize * self.columns as usize + column as usize)
    }

    /// The pixels in the cell that a pixel lies in.
    fn count(&self, x: u32, y: u32) -> u32 {
        self.index(x, y).and_then(|index| self.counts.get(index)).copied().unwrap_or(0)
    }

    /// The cell that a pixel lies in.
    fn cell(&self, x: u32, y: u32) -> Rect {
        let start = |at: u32| at / self.side_px * self.side_px;
        Rect::new(start(x), start(y), self.side_px, self.side_px)
    }

    fn pixels(&self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).sum()
    }
}

/// A box, and what something covers of it: all of it where there is no sketch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cover<'a> {
    pub(crate) area: Rect,
    pub(crate) sketch: Option<&'a Sketch>,
}

impl Cover<'_> {
    pub(crate) fn pixels(self) -> u64 {
        self.sketch.map_or(self.area.area(), Sketch::pixels)
    }

    /// The pixels of each of two things that lie in cells where the other has some, too. Of a cell that only a part of lies in
    /// both boxes, as many as that part has if they lie evenly in the cell, or as many as the other has there, if that is more:
    /// so of the parts of a thing, none shares less with it than all that it is.
    pub(crate) fn shared(self, other: Cover<'_>) -> [u64; 2] {
        let Some(both) = self.area.intersection(other.area) else { return [0; 2] };
        let sides = [self.sketch, other.sketch].map(|sketch| sketch.map(|sketch| sketch.side_px));
        let Some(side) = sides.into_iter().flatten().min() else { return [both.area(); 2] };
        let mut shared = [0_u64; 2];
        let cells = |at: u32, len: u32| at / side..=(at + (len - 1)) / side;
        for row in cells(both.y, both.height) {
            for column in cells(both.x, both.width) {
                let cell = Rect::new(column * side, row * side, side, side);
                let Some(part) = cell.intersection(both) else { continue };
                let ([own, all], [its, whole]) = (self.within(part), other.within(part));
                if own > 0 && its > 0 {
                    let [first, second] = shared;
                    shared = [
                        first.saturating_add(own.max(its.min(all))),
                        second.saturating_add(its.max(own.min(whole))),
                    ];
                }
            }
        }
        [(shared[0] / PARTS).min(self.pixels()), (shared[1] / PARTS).min(other.pixels())]
    }

    /// Its pixels in a part of one of its cells, if they lie evenly in it, and in all of the cell, in parts of a pixel; more than
    /// none where the cell has any.
    fn within(self, part: Rect) -> [u64; 2] {
        let Some(sketch) = self.sketch else { return [part.area().saturating_mul(PARTS); 2] };
        let count = u64::from(sketch.count(part.x, part.y));
        let room = sketch.cell(part.x, part.y).intersection(self.area).map_or(0, Rect::area);
        let pixels =
            u128::from(count) * u128::from(part.area()) * u128::from(PARTS) / u128::from(room.max(1));
        let pixels = u64::try_from(pixels).unwrap_or(u64::MAX).max(u64::from(count > 0));
        [pixels, count.saturating_mul(PARTS).max(pixels)]
    }
}

/// Parts of a pixel that are counted.
const PARTS: u64 = 1 << 10;

impl fmt::Display for Sketch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([x, y], columns) = (self.first, self.columns);
        write!(f, "{}/{x},{y}/{columns}:", self.side_px)?;
        let mut counts = self.counts.iter();
        counts.next().map_or(Ok(()), |count| write!(f, "{count}"))?;
        counts.try_for_each(|count| write!(f, ",{count}"))
    }
}

impl FromStr for Sketch {
    type Err = DiffError;

    fn from_str(text: &str) -> Result<Self, DiffError> {
        read(text).ok_or_else(|| {
            DiffError::new(DiffErrorKind::InvalidSketch { text: text.chars().take(80).collect() })
        })
    }
}

fn read(text: &str) -> Option<Sketch> {
    let (side, rest) = text.split_once('/')?;
    let (first, rest) = rest.split_once('/')?;
    let (x, y) = first.split_once(',')?;
    let (columns, counts) = rest.split_once(':')?;
    let side_px: u32 = side.parse().ok().filter(|side: &u32| *side >= SIDE_PX && side.is_power_of_two())?;
    let first = [x.parse().ok()?, y.parse().ok()?];
    let columns: u32 = columns.parse().ok().filter(|&columns| columns > 0)?;
    let counts: Vec<u32> =
        counts.split(',').map(|count| count.parse().ok()).take(CELLS as usize + 1).collect::<Option<_>>()?;
    let is_whole = counts.len().is_multiple_of(columns as usize);
    // The last cell begins within what a pixel can be called.
    let rows = counts.len() as u64 / u64::from(columns);
    let is_inside =
        |first: u32, cells: u64| (u64::from(first) + cells - 1) * u64::from(side_px) <= u32::MAX.into();
    let fits = is_whole
        && counts.len() as u64 <= CELLS
        && rows > 0
        && is_inside(first[0], columns.into())
        && is_inside(first[1], rows);
    let room = u64::from(side_px) * u64::from(side_px);
    (fits && counts.iter().all(|&count| u64::from(count) <= room)).then_some(Sketch {
        side_px,
        first,
        columns,
        counts,
    })
}

impl From<Sketch> for String {
    fn from(sketch: Sketch) -> Self {
        sketch.to_string()
    }
}

impl TryFrom<String> for Sketch {
    type Error = DiffError;

    fn try_from(text: String) -> Result<Self, DiffError> {
        text.parse()
    }
}
