//! Finding the boxes near a box.

use std::collections::HashMap;

use trueup_frame::Rect;

/// Side of a cell in pixels.
const CELL_PX: u32 = 32;

/// Cells from which a box is kept in a list of its own: such boxes are few.
const WIDE: u64 = 64;

/// Boxes by the cells that they touch.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    cells: HashMap<(u32, u32), Vec<usize>>,
    wide: Vec<usize>,
    count: usize,
}

impl Grid {
    /// Boxes by their places in the list, each wider by `around` on every side.
    pub(crate) fn new(boxes: impl Iterator<Item = Rect>, around: u32) -> Self {
        let mut grid = Self::default();
        for (index, rect) in boxes.enumerate() {
            grid.count += 1;
            let (cells, is_wide) = cells(rect, around);
            if is_wide {
                grid.wide.push(index);
                continue;
            }
            cells.for_each(|cell| grid.cells.entry(cell).or_default().push(index));
        }
        grid
    }

    /// The boxes that may be near one, ascending, each once.
    pub(crate) fn near(&self, rect: Rect) -> Vec<usize> {
        let (cells, is_wide) = cells(rect, 0);
        if is_wide {
            return (0..self.count).collect();
        }
        let mut near: Vec<usize> = self.wide.clone();
        near.extend(cells.filter_map(|cell| self.cells.get(&cell)).flatten());
        near.sort_unstable();
        near.dedup();
        near
    }
}

fn cells(rect: Rect, around: u32) -> (impl Iterator<Item = (u32, u32)>, bool) {
    let range = |at: u32, len: u32| {
        let end = at.saturating_add(len).saturating_add(around) / CELL_PX;
        (at.saturating_sub(around) / CELL_PX, end)
    };
    let ((left, right), (top, bottom)) = (range(rect.x, rect.width), range(rect.y, rect.height));
    let is_wide = u64::from(right - left + 1) * u64::from(bottom - top + 1) > WIDE;
    ((top..=bottom).flat_map(move |y| (left..=right).map(move |x| (x, y))), is_wide)
}
