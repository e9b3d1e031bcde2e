//! Pages as JSON, for those who drive a browser.

use std::fmt::Write as _;

use crate::{Page, Style};

/// Why a page could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageError {
    /// Where in the document, such as `elements[3].bounds.width`; empty for the whole.
    pub path: String,
    /// What is wrong with it.
    pub why: String,
}

impl std::fmt::Display for PageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("this is not a page as the collecting script gives it")?;
        if !["", ".", "?"].contains(&self.path.as_str()) {
            write!(f, ", at {}", self.path)?;
        }
        write!(f, ": {}", self.why)
    }
}

impl std::error::Error for PageError {}

impl Page {
    /// An expression of JavaScript that collects the page in which it is evaluated, and gives it as text for
    /// [`from_json`](Self::from_json). It changes nothing in the page.
    ///
    /// What only a driver can know has to be added to the page: [`actions`](Self::actions), [`errors`](Self::errors) and
    /// [`scans`](Self::scans).
    #[must_use]
    pub fn script() -> String {
        let mut list = String::new();
        for property in Style::PROPERTIES {
            let _ = write!(list, "{property:?},");
        }
        format!("JSON.stringify(({})([{list}]))", include_str!("collect.js").trim_end())
    }

    /// Reads a page.
    ///
    /// # Errors
    /// When the text is not JSON, or not of a page; the error says where.
    pub fn from_json(text: &str) -> Result<Self, PageError> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let page: Self = serde_path_to_error::deserialize(&mut reader).map_err(|error| PageError {
            path: error.path().to_string(),
            why: error.into_inner().to_string(),
        })?;
        reader.end().map_err(|error| PageError { path: String::new(), why: error.to_string() })?;
        for (at, element) in page.elements.iter().enumerate() {
            if element.parent.is_some_and(|parent| parent >= at) {
                let why = "a parent has to come before its children".to_owned();
                return Err(PageError { path: format!("elements[{at}].parent"), why });
            }
        }
        Ok(page)
    }

    /// Writes the page.
    ///
    /// # Errors
    /// Never for a page whose numbers are finite.
    pub fn to_json(&self) -> Result<String, PageError> {
        serde_json::to_string(self).map_err(|error| PageError { path: String::new(), why: error.to_string() })
    }
}
