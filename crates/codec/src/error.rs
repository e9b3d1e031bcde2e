//! Why bytes are not a picture, or a picture not bytes.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;

use trueup_frame::Size;

use crate::header::FileFormat;

/// An image could not be read or written.
///
/// The display form is a fragment that says what is wrong and what to do; put the name of the file in front of it.
#[derive(Clone, Debug)]
pub struct CodecError {
    // Boxed, because a `Result` of every row would otherwise carry its size.
    inner: Box<Inner>,
}

#[derive(Clone, Debug)]
struct Inner {
    kind: CodecErrorKind,
    side: Option<Side>,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

/// One of two images that are read together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "there are two")]
pub enum Side {
    /// The image that was named first.
    First,
    /// The image that was named second.
    Second,
}

/// What exactly is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CodecErrorKind {
    /// There are no bytes at all.
    Empty,
    /// The bytes are a Git LFS pointer in place of the image.
    LfsPointer {
        /// Size in bytes of the image that it points to, where it says so.
        size: Option<u64>,
    },
    /// The bytes are text.
    Text {
        /// What it looks like, such as "an SVG document".
        looks_like: &'static str,
    },
    /// The bytes are in no format that is known.
    Unrecognized {
        /// The first bytes, at most eight.
        start: Vec<u8>,
    },
    /// The format is known but cannot be read, or uses a feature that cannot.
    Unsupported {
        /// The format or the feature.
        what: String,
    },
    /// The file ends before the picture does.
    Truncated {
        /// Format of the file.
        file: FileFormat,
        /// Bytes that are there.
        len: u64,
    },
    /// The file contradicts itself or fails its checksum.
    Damaged {
        /// Format of the file.
        file: FileFormat,
        /// What was found.
        detail: String,
    },
    /// The header claims more pixels than [`Limits::max_pixels`](crate::Limits::max_pixels) allows.
    TooManyPixels {
        /// Size that the header claims.
        size: Size,
        /// Pixels that are allowed.
        limit: u64,
    },
    /// The system did not give the bytes of a file.
    Read {
        /// What it said.
        error: io::ErrorKind,
    },
    /// Decoding needs more memory than [`Limits::max_bytes`](crate::Limits::max_bytes) allows.
    TooManyBytes {
        /// Bytes that are needed, at least.
        needed: u64,
        /// Bytes that are allowed.
        limit: u64,
    },
    /// The machine does not give the memory that the picture needs.
    OutOfMemory {
        /// Bytes that were asked for.
        bytes: u64,
    },
    /// A picture without pixels cannot be written.
    NoPixels {
        /// Size of the picture.
        size: Size,
    },
    /// The encoder refused a picture.
    Encode {
        /// What it said.
        detail: String,
    },
}

impl CodecError {
    /// What exactly is wrong.
    #[must_use]
    pub fn kind(&self) -> &CodecErrorKind {
        &self.inner.kind
    }

    /// Which of two images it is about, when they were read together.
    #[must_use]
    pub fn side(&self) -> Option<Side> {
        self.inner.side
    }

    pub(crate) fn on(mut self, side: Side) -> Self {
        self.inner.side = Some(side);
        self
    }

    pub(crate) fn damaged(file: FileFormat, detail: impl Into<String>) -> Self {
        CodecErrorKind::Damaged { file, detail: detail.into() }.into()
    }

    pub(crate) fn truncated(file: FileFormat, len: u64) -> Self {
        CodecErrorKind::Truncated { file, len }.into()
    }

    /// What a decoder of a file of `len` bytes said, sorted by what can be done about it.
    pub(crate) fn from_decoder(
        file: FileFormat,
        len: u64,
        source: impl Error + Send + Sync + 'static,
    ) -> Self {
        let kind = if ran_out(&source) {
            CodecErrorKind::Truncated { file, len }
        } else {
            CodecErrorKind::Damaged { file, detail: source.to_string() }
        };
        Self::from(kind).because(source)
    }

    pub(crate) fn because(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.inner.source = Some(Arc::new(source));
        self
    }
}

/// Whether the innermost reason is that the input ended.
fn ran_out(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::UnexpectedEof) {
            return true;
        }
        next = error.source();
    }
    false
}

impl From<CodecErrorKind> for CodecError {
    fn from(kind: CodecErrorKind) -> Self {
        Self { inner: Box::new(Inner { kind, side: None, source: None }) }
    }
}

/// The formats that can be read, for messages.
struct Readable;

impl fmt::Display for Readable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, format) in FileFormat::ALL.iter().enumerate() {
            let before = match i {
                0 => "",
                _ if i + 1 == FileFormat::ALL.len() => " or ",
                _ => ", ",
            };
            write!(f, "{before}{format}")?;
        }
        Ok(())
    }
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.inner.side {
            Some(Side::First) => write!(f, "first image: {}", self.inner.kind),
            Some(Side::Second) => write!(f, "second image: {}", self.inner.kind),
            None => write!(f, "{}", self.inner.kind),
        }
    }
}

impl fmt::Display for CodecErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the file is empty, expected {Readable}; write it again"),
            Self::LfsPointer { size } => {
                f.write_str("this is a Git LFS pointer, not the image")?;
                if let Some(size) = size {
                    write!(f, " of {size} bytes")?;
                }
                f.write_str(" that it stands for; run `git lfs pull`")
            }
            Self::Text { looks_like } => {
                write!(f, "this is {looks_like}, not an image; expected {Readable}")
            }
            Self::Unrecognized { start } => {
                f.write_str("the format is unknown (the file begins with")?;
                for byte in start {
                    write!(f, " {byte:02x}")?;
                }
                write!(f, "); convert it to {Readable}")
            }
            Self::Unsupported { what } => {
                write!(f, "{what} cannot be read; convert the image to {Readable}")
            }
            Self::Truncated { file, len } => {
                write!(f, "the {file} is cut off: it ends after {len} bytes, before its picture does; ")?;
                f.write_str("write or fetch it again")
            }
            Self::Damaged { file, detail } => {
                write!(f, "the {file} is damaged ({detail}); write or fetch it again")
            }
            Self::Read { error } => {
                write!(f, "reading it failed ({error}); see that the file can be read, and try again")
            }
            Self::TooManyPixels { size, limit } => write!(
                f,
                "the header claims {size} = {} pixels, but at most {limit} are allowed; if the image is real, raise \
                 the limit",
                size.area()
            ),
            Self::TooManyBytes { needed, limit } => write!(
                f,
                "decoding needs at least {needed} bytes of memory, but {limit} are allowed; if the image is real, \
                 raise the limit"
            ),
            Self::OutOfMemory { bytes } => {
                write!(
                    f,
                    "there is no memory for the {bytes} bytes that the pixels need; use a smaller image"
                )
            }
            Self::NoPixels { size } => {
                write!(f, "an image of {size} has no pixels, and PNG cannot hold that; give at least 1×1")
            }
            Self::Encode { detail } => write!(f, "the image cannot be written as PNG: {detail}"),
        }
    }
}

impl Error for CodecError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.inner.source.as_ref().map(|source| &**source as &(dyn Error + 'static))
    }
}
