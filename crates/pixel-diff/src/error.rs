//! What can be wrong with a request.

use std::fmt;

use trueup_frame::{ColorSpace, PixelFormat, Size, ViewError};

use crate::{Level, MetricKind};

/// A comparison that cannot be carried out as asked.
///
/// Images of different size are not an error: that is a result.
#[derive(Clone, Debug, PartialEq)]
pub struct DiffError {
    kind: DiffErrorKind,
}

/// Which of the two images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[expect(clippy::exhaustive_enums, reason = "a comparison has two sides")]
pub enum Side {
    /// The reference.
    Expected,
    /// The image that is held against the reference.
    Actual,
}

/// What exactly cannot be done; every variant carries what was asked and what would do.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DiffErrorKind {
    /// A tolerance that is negative, not a number, or beyond any colour difference.
    InvalidTolerance {
        /// The tolerance's key.
        name: &'static str,
        /// The value that was given.
        value: f64,
        /// The largest value allowed.
        max: f64,
    },
    /// A merge distance beyond what the scan keeps rows for.
    MergeDistanceTooLarge {
        /// The distance that was given, in pixels.
        pixels: u32,
        /// The largest distance allowed, in pixels.
        max: u32,
    },
    /// Instructions that this processor does not have.
    UnsupportedLevel {
        /// The instructions that were asked for.
        level: Level,
    },
    /// A pixel format that this version does not read.
    UnsupportedFormat {
        /// The format.
        format: PixelFormat,
    },
    /// A colour space that this version does not know.
    UnsupportedColorSpace {
        /// The colour space.
        space: ColorSpace,
    },
    /// A formula of samples, between images whose samples do not mean the same colours.
    UnlikeColorSpaces {
        /// The formula.
        metric: MetricKind,
        /// The colour spaces of the reference and the other image.
        spaces: [ColorSpace; 2],
    },
    /// A layout or a crop that the pixel vocabulary refuses.
    View(ViewError),
    /// A window's format, alpha, colour space or width is not the one that the scan was made for.
    LayoutMismatch {
        /// The image that the view belongs to.
        side: Side,
        /// What differs: `"width"`, `"format"`, `"alpha"` or `"color"`.
        what: &'static str,
    },
    /// The two views of a window have different heights.
    WindowHeights {
        /// Rows in the view of the reference.
        expected: u32,
        /// Rows in the other view.
        actual: u32,
    },
    /// A window whose halo takes more rows than it has.
    HaloTooLarge {
        /// Rows of halo, above and below.
        halo: u64,
        /// Rows in the window.
        rows: u32,
    },
    /// Rows came out of order: they are pushed from the top without gap or overlap.
    RowOrder {
        /// The next row that the scan needs.
        needed: u32,
        /// The first row of the window.
        found: u32,
    },
    /// A window that reaches below the rows that both images have.
    TooManyRows {
        /// Rows that both images have.
        height: u32,
        /// One past the last row of the window.
        end: u64,
    },
    /// The scan was finished before all rows that both images have were pushed.
    MissingRows {
        /// Rows that were pushed.
        pushed: u32,
        /// Rows that both images have.
        height: u32,
    },
    /// A text that is not that of a [`Sketch`](crate::Sketch).
    InvalidSketch {
        /// Its beginning.
        text: String,
    },
    /// More regions than can be numbered, from images far beyond any screen.
    TooManyRegions {
        /// The size that both images share.
        size: Size,
    },
}

impl DiffError {
    pub(crate) const fn new(kind: DiffErrorKind) -> Self {
        Self { kind }
    }

    /// What exactly cannot be done.
    #[must_use]
    pub const fn kind(&self) -> &DiffErrorKind {
        &self.kind
    }
}

impl From<ViewError> for DiffError {
    fn from(error: ViewError) -> Self {
        Self::new(DiffErrorKind::View(error))
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Expected => "expected",
            Self::Actual => "actual",
        })
    }
}

impl fmt::Display for DiffError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            DiffErrorKind::InvalidTolerance { name, value, max } => {
                write!(f, "the tolerance {name} must be a number from 0 to {max}, not {value}")
            }
            DiffErrorKind::MergeDistanceTooLarge { pixels, max } => {
                write!(f, "a merge distance of {pixels} pixels is more than the {max} allowed")
            }
            DiffErrorKind::UnsupportedLevel { level } => {
                write!(f, "this processor has no {level:?} instructions")
            }
            DiffErrorKind::UnsupportedFormat { format } => {
                write!(f, "pixels of the format {format:?} cannot be compared yet")
            }
            DiffErrorKind::UnlikeColorSpaces { metric, spaces: [expected, actual] } => write!(
                f,
                "{metric} compares samples, and the reference is in {expected:?} but the other image in {actual:?}: use \
                 ciede2000, or convert one of them"
            ),
            DiffErrorKind::UnsupportedColorSpace { space } => {
                write!(f, "colours of the space {space:?} cannot be compared yet")
            }
            DiffErrorKind::View(error) => error.fmt(f),
            DiffErrorKind::LayoutMismatch { side, what } => {
                write!(f, "the {what} of the {side} view is not the one the scan was made for")
            }
            DiffErrorKind::WindowHeights { expected, actual } => {
                write!(f, "a window needs views of one height, not {expected} and {actual} rows")
            }
            DiffErrorKind::HaloTooLarge { halo, rows } => {
                write!(f, "a halo of {halo} rows does not fit in a window of {rows}")
            }
            DiffErrorKind::RowOrder { needed, found } => {
                write!(f, "row {needed} is the next one, but the window starts at row {found}")
            }
            DiffErrorKind::TooManyRows { height, end } => {
                write!(f, "the images share {height} rows, but the window ends at row {end}")
            }
            DiffErrorKind::MissingRows { pushed, height } => {
                write!(f, "only {pushed} of the {height} rows that the images share were pushed")
            }
            DiffErrorKind::InvalidSketch { text } => write!(
                f,
                "{text:?} is no sketch: expected SIDE/X,Y/COLUMNS:COUNTS with whole numbers, a side that is a power of two from 8 \
                 on, and 1 to 64 counts in full rows, such as 8/0,0/2:64,8"
            ),
            DiffErrorKind::TooManyRegions { size } => {
                write!(f, "the differences of two images of {size} are in more pieces than can be numbered")
            }
        }
    }
}

impl std::error::Error for DiffError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            DiffErrorKind::View(error) => Some(error),
            _ => None,
        }
    }
}
