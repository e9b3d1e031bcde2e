//! The difference of every pixel.

use std::fmt;

use trueup_frame::Size;

use crate::error::DiffError;
use crate::exact::Exact;
use crate::judge::{ENOUGH_VALUES, Judge};
use crate::mask::Masks;
use crate::rows::{Pending, Rows};
use crate::stretch::Piece;
use crate::{DeltaE, Layout, Options, Window};

/// ΔE of every pixel of two images, row by row: the very values that [`Scan`](crate::Scan) judges by and sums up.
///
/// Windows are pushed as to a scan. No image and no map is ever held, only a row of it.
///
/// ```
/// use trueup_frame::{ImageView, PixelFormat, Size};
/// use trueup_pixel_diff::{DeltaE, DeltaMap, Layout, Options, Window};
///
/// let size = Size::new(2, 1);
/// let expected = ImageView::packed(&[255, 10], size, PixelFormat::Gray8)?;
/// let actual = ImageView::packed(&[255, 90], size, PixelFormat::Gray8)?;
/// let mut map = DeltaMap::new(Layout::of(&expected), Layout::of(&actual), &Options::default())?;
/// map.push(Window::new(expected, actual, 0), |_, row| {
///     assert_eq!(row[0], DeltaE::ZERO);
///     assert!(row[1].to_f64() > 20.0);
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DeltaMap {
    expected: Layout,
    actual: Layout,
    shared: Size,
    rows: Rows,
    judge: Judge,
    masks: Masks,
    pending: Pending,
    next_row: u32,
    row: Vec<DeltaE>,
}

impl DeltaMap {
    /// Begins the map of two images of these layouts. Of the options, the metric, its tolerance (values are rounded so that
    /// they stay on their side of it), the backdrop, the masks and the level count.
    ///
    /// # Errors
    /// As [`Scan::new`](crate::Scan::new).
    pub fn new(expected: Layout, actual: Layout, options: &Options) -> Result<Self, DiffError> {
        options.check()?;
        let shared = expected.size().intersection(actual.size());
        let rows = Rows::new(&expected, &actual, shared.width, options)?;
        let judge = Judge::new(Exact::of(&expected, &actual, options)?, options.supported_level()?);
        let mut masks = Masks::default();
        masks.set(&options.ignored, [expected.size(), actual.size()], shared.width);
        let row = vec![DeltaE::ZERO; shared.width as usize];
        let pending = Pending::default();
        Ok(Self { expected, actual, shared, rows, judge, masks, pending, next_row: 0, row })
    }

    /// Calls `each` for the rows of a window, in order, with the row of the image and the ΔE of the columns that both images
    /// have; 0 where the two are equal or a mask covers them.
    ///
    /// # Errors
    /// When the window is not the next one or does not fit the layouts; the map is then unchanged.
    pub fn push(
        &mut self,
        window: Window<'_>,
        mut each: impl FnMut(u32, &[DeltaE]),
    ) -> Result<(), DiffError> {
        let (expected, actual) = (window.expected(), window.actual());
        for row in window.next_rows([&self.expected, &self.actual], self.next_row, self.shared.height)? {
            let y = self.next_row;
            self.next_row += 1;
            self.row.fill(DeltaE::ZERO);
            // A view without columns need not have rows of bytes.
            if self.shared.width > 0 {
                let rows = (expected.row(row), actual.row(row));
                self.rows.collect(rows.0, rows.1, y, &mut self.masks, &mut self.judge, &mut self.pending);
                self.fill();
            }
            each(y, &self.row);
        }
        Ok(())
    }

    /// Writes the values of the row that waits.
    fn fill(&mut self) {
        self.judge.settle();
        let values = self.judge.values();
        for stretch in self.pending.rows().flat_map(|(_, stretches)| stretches) {
            let mut at = stretch.x as usize;
            stretch.for_each(stretch.x, stretch.end(), values, |piece| match piece {
                Piece::Same(value, pixels) => {
                    self.row[at..at + pixels as usize].fill(value.delta);
                    at += pixels as usize;
                }
                Piece::Lanes(lanes) => {
                    for &raw in lanes.deltas() {
                        self.row[at] = DeltaE::from_raw(raw);
                        at += 1;
                    }
                }
            });
        }
        self.pending.clear();
        // What is known of pairs serves the rows that follow, up to a point.
        if values.len() >= ENOUGH_VALUES {
            self.judge.forget();
        }
    }
}

impl fmt::Debug for DeltaMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeltaMap")
            .field("expected", &self.expected)
            .field("actual", &self.actual)
            .field("next_row", &self.next_row)
            .finish_non_exhaustive()
    }
}
