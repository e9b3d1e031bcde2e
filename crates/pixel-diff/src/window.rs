//! What is pushed through a scan.

use std::ops::Range;

use trueup_frame::{Alpha, ColorSpace, ImageView, PixelFormat, Size};

use crate::color::Primaries;
use crate::error::{DiffError, DiffErrorKind, Side};
use crate::pixel::Reader;

/// Everything about an image but its pixels: known before row 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    size: Size,
    format: PixelFormat,
    alpha: Alpha,
    color: ColorSpace,
}

impl Layout {
    /// An image of this size and format in sRGB; alpha is straight where the format has it.
    #[must_use]
    pub const fn new(size: Size, format: PixelFormat) -> Self {
        let alpha = if format.has_alpha() { Alpha::Straight } else { Alpha::Opaque };
        Self { size, format, alpha, color: ColorSpace::Srgb }
    }

    /// The layout of a whole image.
    #[must_use]
    pub const fn of(view: &ImageView<'_>) -> Self {
        Self { size: view.size(), format: view.format(), alpha: view.alpha(), color: view.color() }
    }

    /// The same layout with another meaning of alpha.
    ///
    /// # Errors
    /// [`DiffErrorKind::View`] when the format has no alpha sample and the meaning needs one.
    pub fn with_alpha(self, alpha: Alpha) -> Result<Self, DiffError> {
        // An empty view of the same format applies the vocabulary's own rule.
        ImageView::packed(&[], Size::default(), self.format)?.with_alpha(alpha)?;
        Ok(Self { alpha, ..self })
    }

    /// The same layout in another colour space.
    #[must_use]
    pub const fn with_color(self, color: ColorSpace) -> Self {
        Self { color, ..self }
    }

    /// Width and height of the whole image in pixels.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Layout of one pixel.
    #[must_use]
    pub const fn format(&self) -> PixelFormat {
        self.format
    }

    /// Meaning of the alpha sample.
    #[must_use]
    pub const fn alpha(&self) -> Alpha {
        self.alpha
    }

    /// Colour space of the samples.
    #[must_use]
    pub const fn color(&self) -> ColorSpace {
        self.color
    }

    /// Whether equal bytes mean equal pixels in both.
    pub(crate) fn same_encoding(&self, other: &Self) -> bool {
        (self.format, self.alpha, self.color) == (other.format, other.alpha, other.color)
    }

    pub(crate) fn reader(&self) -> Result<Reader, DiffError> {
        Reader::new(self.format, self.alpha)
    }

    pub(crate) fn primaries(&self) -> Result<Primaries, DiffError> {
        Primaries::of(self.color)
    }

    pub(crate) fn check(&self, view: &ImageView<'_>, side: Side) -> Result<(), DiffError> {
        let what = if view.size().width != self.size.width {
            "width"
        } else if view.format() != self.format {
            "format"
        } else if view.alpha() != self.alpha {
            "alpha"
        } else if view.color() != self.color {
            "color"
        } else {
            return Ok(());
        };
        Err(DiffError::new(DiffErrorKind::LayoutMismatch { side, what }))
    }
}

/// A band of rows of both images.
///
/// Each view spans the whole width of its image; both have the same height and show the same rows. Rows of halo lend
/// context to the rows that count and are not judged themselves; [`Scan::halo_rows`](crate::Scan::halo_rows) says how
/// many are needed.
#[derive(Clone, Copy, Debug)]
pub struct Window<'a> {
    expected: ImageView<'a>,
    actual: ImageView<'a>,
    first_row: u32,
    halo_above: u32,
    halo_below: u32,
}

impl<'a> Window<'a> {
    /// A window whose rows all count; `first_row` is the image row that its first row shows.
    #[must_use]
    pub const fn new(expected: ImageView<'a>, actual: ImageView<'a>, first_row: u32) -> Self {
        Self { expected, actual, first_row, halo_above: 0, halo_below: 0 }
    }

    /// The same window, of which the first `above` and the last `below` rows are halo. `first_row` becomes the image
    /// row of the first row that counts.
    #[must_use]
    pub const fn with_halo(self, above: u32, below: u32) -> Self {
        let first_row = self.first_row - self.halo_above;
        Self { first_row: first_row.saturating_add(above), halo_above: above, halo_below: below, ..self }
    }

    /// The image row of the first row that counts.
    #[must_use]
    pub const fn first_row(&self) -> u32 {
        self.first_row
    }

    /// The view of the reference, with halo.
    #[must_use]
    pub const fn expected(&self) -> ImageView<'a> {
        self.expected
    }

    /// The view of the other image, with halo.
    #[must_use]
    pub const fn actual(&self) -> ImageView<'a> {
        self.actual
    }

    /// View rows that count, checked against the layouts of both images and against the row that comes next of so many.
    pub(crate) fn next_rows(
        &self,
        [expected, actual]: [&Layout; 2],
        next_row: u32,
        height: u32,
    ) -> Result<Range<u32>, DiffError> {
        expected.check(&self.expected, Side::Expected)?;
        actual.check(&self.actual, Side::Actual)?;
        let rows = self.counting_rows()?;
        if self.first_row != next_row {
            let (needed, found) = (next_row, self.first_row);
            return Err(DiffError::new(DiffErrorKind::RowOrder { needed, found }));
        }
        let end = u64::from(next_row) + u64::from(rows.end - rows.start);
        if end > u64::from(height) {
            return Err(DiffError::new(DiffErrorKind::TooManyRows { height, end }));
        }
        Ok(rows)
    }

    /// View rows that count, checked against the two views.
    fn counting_rows(&self) -> Result<Range<u32>, DiffError> {
        let (expected, actual) = (self.expected.size().height, self.actual.size().height);
        if expected != actual {
            return Err(DiffError::new(DiffErrorKind::WindowHeights { expected, actual }));
        }
        let halo = u64::from(self.halo_above) + u64::from(self.halo_below);
        if halo > u64::from(expected) {
            return Err(DiffError::new(DiffErrorKind::HaloTooLarge { halo, rows: expected }));
        }
        Ok(self.halo_above..expected - self.halo_below)
    }
}
