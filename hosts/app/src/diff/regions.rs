//! Named boxes from a file, for statistics of their own.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use trueup_frame::Rect;

/// A box of the reference that has a name: an element, a component, a section.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct NamedBox {
    /// Its name.
    pub name: String,
    /// First column, in device pixels.
    pub x: u32,
    /// First row.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl NamedBox {
    /// Where it is.
    #[must_use]
    pub const fn rect(&self) -> Rect {
        Rect::new(self.x, self.y, self.width, self.height)
    }
}

/// A file of boxes cannot be used.
#[derive(Debug)]
pub struct RegionsError {
    path: PathBuf,
    why: String,
}

impl fmt::Display for RegionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.why)
    }
}

impl std::error::Error for RegionsError {}

/// Reads a JSON list of boxes: `[{"name": "header", "x": 0, "y": 0, "width": 360, "height": 48}, …]`.
///
/// # Errors
/// When the file cannot be read, is not such a list, or a name is there twice.
pub fn read_regions(path: &Path) -> Result<Vec<NamedBox>, RegionsError> {
    let fail = |why: String| RegionsError { path: path.to_owned(), why };
    let text = fs::read_to_string(path).map_err(|error| fail(format!("it cannot be read: {error}")))?;
    let boxes: Vec<NamedBox> = serde_json::from_str(&text).map_err(|error| {
        fail(format!(
            "expected a list of {{\"name\", \"x\", \"y\", \"width\", \"height\"}} in whole pixels: {error}"
        ))
    })?;
    let mut names: Vec<&str> = boxes.iter().map(|named| named.name.as_str()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(fail(format!("the name {:?} is there twice", pair[0]))),
        None => Ok(boxes),
    }
}
