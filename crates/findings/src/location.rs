//! Where it is.

use std::fmt;
use std::num::NonZeroU32;

/// Where a finding is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Location {
    /// Nobody said.
    #[default]
    Unknown,
    /// In a picture: the comparison, and the region or the element in it.
    Visual {
        /// The comparison: screen, theme and viewport.
        label: String,
        /// The region's id.
        region: Option<String>,
        /// The element that it belongs to.
        element: Option<String>,
    },
    /// In a file.
    Span {
        /// The file, relative to the project.
        file: String,
        /// The line, from 1.
        line: Option<NonZeroU32>,
        /// The column, from 1; only with a line.
        column: Option<NonZeroU32>,
    },
    /// In something that has names: a story, a field, an endpoint.
    Item(String),
}

impl Location {
    /// A place in a file.
    #[must_use]
    pub fn file(file: impl Into<String>, line: Option<u32>) -> Self {
        Self::Span { file: file.into(), line: line.and_then(NonZeroU32::new), column: None }
    }

    /// A named item.
    #[must_use]
    pub fn item(item: impl Into<String>) -> Self {
        Self::Item(item.into())
    }

    /// A place in a picture.
    #[must_use]
    pub fn visual(label: impl Into<String>, region: Option<String>, element: Option<String>) -> Self {
        Self::Visual { label: label.into(), region, element }
    }

    /// The item that it is about, whatever line or region that has today: what duplicates share.
    pub(crate) fn place(&self) -> Vec<(&'static str, &str)> {
        match self {
            Self::Unknown => vec![("nowhere", "")],
            Self::Span { file, .. } => vec![("file", file)],
            Self::Item(item) => vec![("item", item)],
            Self::Visual { label, region, element } => match (element, region) {
                (Some(element), _) => vec![("label", label), ("element", element)],
                (None, Some(region)) => vec![("label", label), ("region", region)],
                (None, None) => vec![("label", label)],
            },
        }
    }

    /// Line and column, where it has them: what tells two occurrences in one place apart.
    pub(crate) const fn spot(&self) -> (Option<NonZeroU32>, Option<NonZeroU32>) {
        match self {
            Self::Span { line, column, .. } => (*line, *column),
            _ => (None, None),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("somewhere"),
            Self::Item(item) => f.write_str(item),
            Self::Span { file, line, column } => {
                f.write_str(file)?;
                line.map_or(Ok(()), |line| write!(f, ":{line}"))?;
                column.filter(|_| line.is_some()).map_or(Ok(()), |column| write!(f, ":{column}"))
            }
            Self::Visual { label, region, element } => {
                f.write_str(label)?;
                element.as_ref().or(region.as_ref()).map_or(Ok(()), |part| write!(f, "/{part}"))
            }
        }
    }
}
