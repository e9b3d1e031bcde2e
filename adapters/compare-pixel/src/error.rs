//! Why two images could not be compared.

use std::fmt;

use trueup_codec::CodecError;
use trueup_pixel_diff::DiffError;

/// Two images could not be compared.
#[derive(Debug)]
pub struct CompareError {
    kind: CompareErrorKind,
}

/// Why two images could not be compared.
#[derive(Debug)]
#[non_exhaustive]
pub enum CompareErrorKind {
    /// The reference cannot be read.
    Expected(CodecError),
    /// The other image cannot be read.
    Actual(CodecError),
    /// The comparison itself was refused.
    Diff(DiffError),
    /// The picture of the difference cannot be written.
    Picture(CodecError),
}

impl CompareError {
    pub(crate) const fn new(kind: CompareErrorKind) -> Self {
        Self { kind }
    }

    /// Why they could not be compared.
    #[must_use]
    pub const fn kind(&self) -> &CompareErrorKind {
        &self.kind
    }
}

impl From<DiffError> for CompareError {
    fn from(error: DiffError) -> Self {
        Self::new(CompareErrorKind::Diff(error))
    }
}

impl fmt::Display for CompareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            CompareErrorKind::Expected(error) => write!(f, "the reference cannot be read: {error}"),
            CompareErrorKind::Actual(error) => write!(f, "the capture cannot be read: {error}"),
            CompareErrorKind::Diff(error) => write!(f, "the images cannot be compared: {error}"),
            CompareErrorKind::Picture(error) => {
                write!(f, "the picture of the difference cannot be made: {error}")
            }
        }
    }
}

impl std::error::Error for CompareError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The text of the cause is part of the message already; what is underneath it is not.
        match &self.kind {
            CompareErrorKind::Expected(error)
            | CompareErrorKind::Actual(error)
            | CompareErrorKind::Picture(error) => error.source(),
            CompareErrorKind::Diff(error) => error.source(),
        }
    }
}
