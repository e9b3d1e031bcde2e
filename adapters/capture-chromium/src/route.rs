//! The way from a page to the screen that is captured: steps, and the recipe of them that is kept.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{BrowserError, BrowserErrorKind};

/// One thing that is done in a page. Elements are found by selectors, so that a step survives a change of layout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Step {
    /// Clicks the middle of an element.
    Click {
        /// The element.
        selector: String,
    },
    /// Puts text into a field in place of what is there.
    Type {
        /// The field.
        selector: String,
        /// The text.
        text: String,
    },
    /// Presses a key: `Enter`, `Escape`, `Tab`, `Space`, `Backspace`, `ArrowUp`, `ArrowDown`, `ArrowLeft` or `ArrowRight`.
    Press {
        /// The key.
        key: String,
    },
    /// Brings an element into view.
    Scroll {
        /// The element.
        selector: String,
    },
}

impl Step {
    /// Clicks the middle of an element.
    #[must_use]
    pub fn click(selector: impl Into<String>) -> Self {
        Self::Click { selector: selector.into() }
    }

    /// Puts text into a field.
    #[must_use]
    pub fn type_text(selector: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Type { selector: selector.into(), text: text.into() }
    }

    /// Presses a key.
    #[must_use]
    pub fn press(key: impl Into<String>) -> Self {
        Self::Press { key: key.into() }
    }

    /// Brings an element into view.
    #[must_use]
    pub fn scroll(selector: impl Into<String>) -> Self {
        Self::Scroll { selector: selector.into() }
    }
}

/// Keys that can be pressed, with the code and the text that they type.
const KEYS: [(&str, u32, &str); 9] = [
    ("Enter", 13, "\r"),
    ("Escape", 27, ""),
    ("Tab", 9, ""),
    ("Space", 32, " "),
    ("Backspace", 8, ""),
    ("ArrowUp", 38, ""),
    ("ArrowDown", 40, ""),
    ("ArrowLeft", 37, ""),
    ("ArrowRight", 39, ""),
];

/// The code of a key, and the text that it types.
#[must_use]
pub(crate) fn key(name: &str) -> Option<(u32, &'static str)> {
    KEYS.into_iter().find(|(known, ..)| *known == name).map(|(_, code, text)| (code, text))
}

/// The names of keys that can be pressed.
pub fn key_names() -> impl Iterator<Item = &'static str> {
    KEYS.into_iter().map(|(name, ..)| name)
}

/// A route as it was taken when it first led to a capture. No address of a server or a browser is kept: both may be others the
/// next time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recipe {
    pub(crate) schema: String,
    pub(crate) label: String,
    pub(crate) source: String,
    pub(crate) steps: Vec<Step>,
    pub(crate) settle_ms: u64,
    /// Where the steps led: path, query and fragment.
    pub(crate) arrives_at: String,
    /// The state of the artifact when it was recorded.
    pub(crate) recorded_at_state: String,
}

impl Recipe {
    pub(crate) const SCHEMA: &'static str = "trueup.route/1";

    /// Whether it is the recipe of this route.
    pub(crate) fn is_of(&self, source: &str, steps: &[Step], settle_ms: u64) -> bool {
        self.source == source && self.steps == steps && self.settle_ms == settle_ms
    }

    /// The recipe in a file, where there is one.
    pub(crate) fn load(path: &Path) -> Result<Option<Self>, BrowserError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(source) => {
                return Err(BrowserError::new(BrowserErrorKind::File { path: path.to_owned(), source }));
            }
        };
        let unread = |why: String| BrowserErrorKind::Recipe { path: path.to_owned(), why };
        let recipe: Self =
            serde_json::from_str(&text).map_err(|error| BrowserError::new(unread(error.to_string())))?;
        if recipe.schema != Self::SCHEMA {
            let why = format!("it is {:?}, expected {:?}", recipe.schema, Self::SCHEMA);
            return Err(BrowserError::new(unread(why)));
        }
        Ok(Some(recipe))
    }

    /// Writes it to a file, whole or not at all.
    pub(crate) fn save(&self, path: &Path) -> Result<(), BrowserError> {
        let failed = |source| BrowserError::new(BrowserErrorKind::File { path: path.to_owned(), source });
        let mut text = serde_json::to_string_pretty(self)
            .unwrap_or_else(|error| unreachable!("plain fields are always JSON: {error}"));
        text.push('\n');
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(failed)?;
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        std::io::Write::write_all(&mut file, text.as_bytes()).map_err(failed)?;
        file.persist(path).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe() -> Recipe {
        Recipe {
            schema: Recipe::SCHEMA.to_owned(),
            label: "menu".to_owned(),
            source: "index.html".to_owned(),
            steps: vec![
                Step::click("#menu"),
                Step::type_text("#find", "lamp"),
                Step::press("Enter"),
                Step::scroll("#end"),
            ],
            settle_ms: 300,
            arrives_at: "/#found".to_owned(),
            recorded_at_state: "0".repeat(64),
        }
    }

    #[test]
    fn a_recipe_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("routes/menu.json");
        assert_eq!(Recipe::load(&path).unwrap(), None);
        recipe().save(&path).unwrap();
        assert_eq!(Recipe::load(&path).unwrap(), Some(recipe()));
        for (was, is) in [("trueup.route/1", "trueup.route/2"), ("\"click\"", "\"tap\""), ("{", "")] {
            let text = serde_json::to_string_pretty(&recipe()).unwrap();
            fs::write(&path, text.replacen(was, is, 1)).unwrap();
            let error = Recipe::load(&path).unwrap_err();
            assert!(error.to_string().contains("recorded again"), "{error}");
        }
    }

    #[test]
    fn another_route_is_another_recipe() {
        let recipe = recipe();
        assert!(recipe.is_of("index.html", &recipe.steps, 300));
        assert!(!recipe.is_of("index.html", &recipe.steps[1..], 300));
        assert!(!recipe.is_of("other.html", &recipe.steps, 300));
        assert!(!recipe.is_of("index.html", &recipe.steps, 301));
    }
}
