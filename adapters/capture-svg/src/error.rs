//! Why a document cannot be rendered.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use trueup_frame::Size;

/// A place in the document as it was given. Both count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(clippy::exhaustive_structs, reason = "two numbers, closed by nature")]
pub struct Position {
    /// Line.
    pub line: u32,
    /// Character in the line.
    pub column: u32,
}

impl Position {
    /// The place of a byte of a text.
    pub(crate) fn of(text: &str, byte: usize) -> Self {
        let mut end = byte.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let start_of_line = before.rfind('\n').map_or(0, |at| at + 1);
        let count = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
        Self {
            line: count(before.matches('\n').count()),
            column: count(before[start_of_line..].chars().count()),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A document could not be rendered.
///
/// The display form is a fragment that says where, what is wrong and what to do; put the name of the document in front.
#[derive(Clone, Debug)]
pub struct RenderError {
    // Boxed, so that a `Result` stays small.
    inner: Box<Inner>,
}

#[derive(Clone, Debug)]
struct Inner {
    kind: RenderErrorKind,
    position: Option<Position>,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

/// What exactly is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenderErrorKind {
    /// There are no bytes at all.
    Empty,
    /// The document is compressed (SVGZ).
    Compressed,
    /// The bytes are not UTF-8.
    NotUtf8,
    /// The document is not well-formed XML.
    Malformed {
        /// What the parser found.
        detail: String,
    },
    /// The root element is not `svg`.
    NotSvg {
        /// Name of the root element.
        root: String,
    },
    /// A custom property is used that nothing declares, and there is no fallback.
    UndefinedProperty {
        /// Name, with its two dashes.
        name: String,
        /// The declared name that looks most alike.
        nearest: Option<String>,
    },
    /// Custom properties refer to each other in a circle.
    PropertyCycle {
        /// The names along the circle; the first is also the last.
        names: Vec<String>,
    },
    /// A custom property that is used is declared for something other than the root.
    ScopedProperty {
        /// Name, with its two dashes.
        name: String,
        /// What it is declared for: a selector or an element.
        scope: String,
    },
    /// A `var()` is not of the form `var(--name)` or `var(--name, fallback)`.
    MalformedVar {
        /// What was found.
        found: String,
    },
    /// Custom properties expand to more text than is allowed.
    ExpandsTooFar {
        /// Bytes that are allowed.
        limit: usize,
    },
    /// The document uses something that cannot be rendered.
    Unsupported {
        /// What it is.
        what: String,
    },
    /// A picture or a shape is referred to that lies outside of the document.
    ExternalReference {
        /// Name of the element that refers to it.
        element: String,
        /// The reference.
        href: String,
    },
    /// The width or height of the document is zero, negative or no length.
    InvalidSize,
    /// The document has more elements than are allowed (one million), or they are nested too deeply.
    TooManyElements,
    /// The viewport has no pixels.
    EmptyViewport {
        /// Size that was asked for, in CSS pixels.
        viewport: Size,
    },
    /// The frame would have more pixels than are allowed.
    TooManyPixels {
        /// Size that was asked for, in device pixels.
        size: Size,
        /// Pixels that are allowed.
        limit: u64,
    },
    /// The machine does not give the memory that the frame needs.
    OutOfMemory {
        /// Size of the frame in device pixels.
        size: Size,
    },
    /// A font file holds no font that can be read.
    BadFont {
        /// Which of the given font files, counted from 0.
        index: usize,
    },
    /// The default font family is neither given nor bundled.
    UnknownFamily {
        /// Name of the family.
        family: String,
        /// The families that there are.
        known: Vec<String>,
    },
}

impl RenderError {
    /// What exactly is wrong.
    #[must_use]
    pub fn kind(&self) -> &RenderErrorKind {
        &self.inner.kind
    }

    /// Where in the document it is, when it is about one place.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.inner.position
    }

    pub(crate) fn at(mut self, position: Position) -> Self {
        self.inner.position = Some(position);
        self
    }

    pub(crate) fn because(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.inner.source = Some(Arc::new(source));
        self
    }
}

impl From<RenderErrorKind> for RenderError {
    fn from(kind: RenderErrorKind) -> Self {
        Self { inner: Box::new(Inner { kind, position: None, source: None }) }
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = self.inner.position {
            write!(f, "{position}: ")?;
        }
        write!(f, "{}", self.inner.kind)
    }
}

impl fmt::Display for RenderErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the document is empty, expected SVG"),
            Self::Compressed => f.write_str("the document is gzip-compressed (SVGZ); decompress it first"),
            Self::NotUtf8 => f.write_str("the document is not UTF-8 here; save it as UTF-8"),
            Self::Malformed { detail } => write!(f, "the document is not well-formed XML: {detail}"),
            Self::NotSvg { root } => write!(f, "the root element is <{root}>, expected <svg>"),
            Self::UndefinedProperty { name, nearest } => {
                write!(f, "the custom property {name} is used but not declared")?;
                match nearest {
                    Some(nearest) => write!(f, "; did you mean {nearest}?"),
                    None => write!(f, "; declare it in `:root {{ {name}: … }}` or give a fallback"),
                }
            }
            Self::PropertyCycle { names } => {
                write!(f, "custom properties refer to each other in a circle: {}", names.join(" → "))
            }
            Self::ScopedProperty { name, scope } => write!(
                f,
                "the custom property {name} is declared for {scope}, but only declarations for `:root` and `svg` \
                 can be resolved; declare a property of its own name there"
            ),
            Self::MalformedVar { found } => {
                write!(f, "{found:?} is not of the form var(--name) or var(--name, fallback)")
            }
            Self::ExpandsTooFar { limit } => {
                write!(f, "custom properties expand to more than the allowed {limit} bytes or nest too deeply")
            }
            Self::Unsupported { what } => write!(f, "{what} is not supported"),
            Self::ExternalReference { element, href } => write!(
                f,
                "<{element}> refers to {href:?}, but nothing outside of the document is ever loaded; embed it as a \
                 data: URL"
            ),
            Self::InvalidSize => f.write_str(
                "the width or height of the document is zero, negative or no length, expected positive lengths",
            ),
            Self::TooManyElements => {
                f.write_str("the document has more than a million elements, or they are nested too deeply")
            }
            Self::EmptyViewport { viewport } => {
                write!(f, "the viewport of {viewport} CSS pixels holds no pixel, expected at least 1×1")
            }
            Self::TooManyPixels { size, limit } => write!(
                f,
                "the frame of {size} = {} device pixels is larger than the allowed {limit}; use a smaller viewport \
                 or pixel ratio, or raise the limit",
                size.area()
            ),
            Self::OutOfMemory { size } => {
                write!(f, "there is no memory for a frame of {size} device pixels; use a smaller viewport")
            }
            Self::BadFont { index } => {
                write!(f, "font file {index} (counted from 0) holds no font; expected TrueType or OpenType")
            }
            Self::UnknownFamily { family, known } => {
                write!(f, "there is no font family {family:?}, only {}", known.join(", "))
            }
        }
    }
}

impl Error for RenderError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.inner.source.as_ref().map(|source| &**source as &(dyn Error + 'static))
    }
}
