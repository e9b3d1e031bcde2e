//! What a page is held against besides the probes' own thresholds.

use std::fmt;

use crate::Color;

/// A design token, as probes compare it with what is written out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Token {
    /// Its name, such as `--brand`.
    pub name: String,
    /// Its value, such as `#0F766E` or `8px`.
    pub value: String,
}

impl Token {
    /// A token of a value.
    #[must_use]
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into() }
    }

    /// The token's length in CSS pixels, where it is one.
    #[must_use]
    pub fn px(&self) -> Option<f64> {
        self.value.trim().strip_suffix("px")?.parse().ok().filter(|px: &f64| px.is_finite())
    }

    /// The token's colour, where it is one.
    #[must_use]
    pub fn color(&self) -> Option<Color> {
        Color::parse(&self.value)
    }
}

/// A text that the contract asks for, word for word.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Copy {
    /// Where the contract names it, such as `hero.title`.
    pub place: String,
    /// The text.
    pub text: String,
}

impl Copy {
    /// The text of a place.
    #[must_use]
    pub fn new(place: impl Into<String>, text: impl Into<String>) -> Self {
        Self { place: place.into(), text: text.into() }
    }
}

/// A kind of design in which some tells are not tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Genre {
    /// Material design: its accents are violet, and its black and white are pure.
    Material,
    /// A dashboard: it is full of figures.
    Dashboard,
}

impl Genre {
    /// Every genre.
    pub const ALL: &'static [Self] = &[Self::Material, Self::Dashboard];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Dashboard => "dashboard",
        }
    }

    /// The genre of that name; `data` is another name of `dashboard`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "data" {
            return Some(Self::Dashboard);
        }
        Self::ALL.iter().copied().find(|genre| genre.as_str() == name)
    }

    /// The probes that it relaxes.
    #[must_use]
    pub const fn relaxes(self) -> &'static [&'static str] {
        match self {
            Self::Material => &["accent-hue", "pure-black-white"],
            Self::Dashboard => &["honest-content"],
        }
    }
}

impl fmt::Display for Genre {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a page is held against. The default asks nothing that only a project can know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expectations {
    /// The project's tokens, beside those that the page declares at its root. Lengths whose name speaks of space are the
    /// spacing scale.
    pub tokens: Vec<Token>,
    /// The agreed texts. Empty: texts cannot be verified.
    pub copy: Vec<Copy>,
    /// The kind of design.
    pub genre: Option<Genre>,
}

impl Expectations {
    /// The spacing scale, CSS px, where a project has none.
    pub const SPACING_PX: [f64; 12] = [0.0, 2.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 32.0, 40.0, 48.0, 64.0];

    /// Nothing but the probes' own thresholds.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With the project's tokens.
    #[must_use]
    pub fn with_tokens(self, tokens: Vec<Token>) -> Self {
        Self { tokens, ..self }
    }

    /// With the agreed texts.
    #[must_use]
    pub fn with_copy(self, copy: Vec<Copy>) -> Self {
        Self { copy, ..self }
    }

    /// With the kind of design.
    #[must_use]
    pub fn with_genre(self, genre: Genre) -> Self {
        Self { genre: Some(genre), ..self }
    }
}
