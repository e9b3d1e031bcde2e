//! Why a view or a frame cannot be made from the given bytes.

use std::fmt;

use crate::{Alpha, PixelFormat, Rect, Size};

/// The bytes do not hold the image that was described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewError {
    kind: ViewErrorKind,
}

/// What exactly does not fit; every variant carries what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ViewErrorKind {
    /// Fewer bytes than the rows need.
    TooShort {
        /// Bytes that the described image needs.
        expected: usize,
        /// Bytes that were given.
        found: usize,
    },
    /// A frame was given more or fewer bytes than its pixels take.
    LengthMismatch {
        /// Bytes that the pixels take.
        expected: usize,
        /// Bytes that were given.
        found: usize,
    },
    /// A row is longer than the distance between rows.
    StrideTooSmall {
        /// Bytes in one row.
        row: usize,
        /// Bytes from one row to the next, as given.
        stride: usize,
    },
    /// The image needs more bytes than the address space has.
    TooLarge {
        /// The size that was described.
        size: Size,
    },
    /// An alpha meaning was given for a format without alpha.
    AlphaWithoutChannel {
        /// The format without an alpha sample.
        format: PixelFormat,
        /// The meaning that was asked for.
        alpha: Alpha,
    },
    /// A device pixel ratio is 0 or over 16.
    RatioOutOfRange {
        /// The ratio in thousandths, as given.
        thousandths: u32,
    },
    /// A crop reaches outside the image.
    OutOfBounds {
        /// The crop that was asked for.
        rect: Rect,
        /// The image that it was asked of.
        size: Size,
    },
}

impl ViewError {
    pub(crate) const fn new(kind: ViewErrorKind) -> Self {
        Self { kind }
    }

    /// What exactly does not fit.
    #[must_use]
    pub const fn kind(&self) -> &ViewErrorKind {
        &self.kind
    }
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ViewErrorKind::TooShort { expected, found } => {
                write!(f, "the pixels need {expected} bytes, but {found} were given")
            }
            ViewErrorKind::LengthMismatch { expected, found } => {
                write!(f, "the pixels take exactly {expected} bytes, but {found} were given")
            }
            ViewErrorKind::StrideTooSmall { row, stride } => {
                write!(f, "a row takes {row} bytes, more than the stride of {stride}")
            }
            ViewErrorKind::TooLarge { size } => {
                write!(f, "an image of {size} pixels does not fit in memory")
            }
            ViewErrorKind::AlphaWithoutChannel { format, alpha } => {
                write!(f, "{format:?} has no alpha sample, so {alpha:?} alpha makes no sense")
            }
            ViewErrorKind::RatioOutOfRange { thousandths } => {
                write!(f, "a device pixel ratio of {thousandths}/1000 is outside 0.001 to 16")
            }
            ViewErrorKind::OutOfBounds { rect, size } => {
                write!(f, "the crop {rect} reaches outside the image of {size}")
            }
        }
    }
}

impl std::error::Error for ViewError {}
