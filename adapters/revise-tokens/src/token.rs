//! Design tokens, as they are declared.

use std::ops::Range;

use trueup_score::Points;

use crate::error::{TokenError, TokenErrorKind};
use crate::place::Place;
use crate::value::{Scalar, Value};

/// What a token's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TokenKind {
    /// A CSS colour.
    Color,
    /// A number with a unit, such as `12px`.
    Length,
    /// A plain number.
    Number,
}

/// Where a length or a number is searched: from `min` to `max`, in whole steps from its present value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    min: Points,
    max: Points,
    step: Points,
}

impl Bounds {
    /// The farthest that a search goes: beyond any length or number of a design.
    const FARTHEST: Points = Points::from_whole(1_000_000_000);

    /// The values from `min` to `max`, `step` apart.
    ///
    /// # Errors
    /// When `min` is not below `max`, or the step is not above 0.
    pub fn new(min: Points, max: Points, step: Points) -> Result<Self, TokenErrorKind> {
        if min >= max {
            return Err(TokenErrorKind::BadBounds { why: format!("min {min} must be below max {max}") });
        }
        if min < -Self::FARTHEST || max > Self::FARTHEST {
            let farthest = Self::FARTHEST;
            return Err(TokenErrorKind::BadBounds {
                why: format!("min {min} and max {max} must lie within ±{farthest}"),
            });
        }
        if step <= Points::ZERO {
            return Err(TokenErrorKind::BadBounds { why: format!("step {step} must be above 0") });
        }
        Ok(Self { min, max, step })
    }

    /// The bounds of a token for which none are declared.
    ///
    /// A length is searched from 0 to 64 or four times its value in steps of 1, because design scales are whole; a number
    /// from 0 to 2 or four times its value in steps of 0.05, because most are opacities and line heights.
    #[must_use]
    pub fn default_for(kind: TokenKind, value: Points) -> Self {
        let four = Points::from_micros(value.micros().saturating_mul(4));
        let (room, step) = match kind {
            TokenKind::Number => (Points::from_whole(2), Points::from_micros(50_000)),
            _ => (Points::from_whole(64), Points::ONE),
        };
        Self { min: Points::ZERO, max: room.max(four).min(Self::FARTHEST), step }
    }

    /// Smallest value.
    #[must_use]
    pub const fn min(self) -> Points {
        self.min
    }

    /// Largest value.
    #[must_use]
    pub const fn max(self) -> Points {
        self.max
    }

    /// Distance between values.
    #[must_use]
    pub const fn step(self) -> Points {
        self.step
    }
}

/// A value of a design that has a name and a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    name: String,
    file: String,
    place: Place,
    kind: TokenKind,
    bounds: Option<Bounds>,
}

impl Token {
    /// The token `name` of this kind, at `place` in `file`, which is a part of the artifact.
    #[must_use]
    pub fn new(name: impl Into<String>, file: impl Into<String>, place: Place, kind: TokenKind) -> Self {
        Self { name: name.into(), file: file.into(), place, kind, bounds: None }
    }

    /// The token searched within these bounds.
    #[must_use]
    pub fn with_bounds(self, bounds: Bounds) -> Self {
        Self { bounds: Some(bounds), ..self }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file that it is in.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// What its value is.
    #[must_use]
    pub const fn kind(&self) -> TokenKind {
        self.kind
    }

    pub(crate) fn bounds_around(&self, value: Points) -> Bounds {
        self.bounds.unwrap_or_else(|| Bounds::default_for(self.kind, value))
    }

    /// Checks that the token can be found in `text` and has a value of its kind.
    ///
    /// # Errors
    /// When the place is not there or not unique, or its value is of another type.
    pub fn check(&self, text: &str) -> Result<(), TokenError> {
        self.read(text).map(drop)
    }

    /// The token's value in the text of its file, and where it stands.
    pub(crate) fn read(&self, text: &str) -> Result<(Value, Vec<Range<usize>>), TokenError> {
        let fail = |kind| TokenError::new(&self.name, kind);
        let spans = self.place.find(&self.file, text).map_err(fail)?;
        let written = |span: &Range<usize>| text.get(span.clone()).unwrap_or_default().trim();
        let place = || self.place.to_string();
        let Some(first) = spans.first().map(written) else {
            return Err(fail(TokenErrorKind::NotFound { file: self.file.clone(), place: place() }));
        };
        if spans.iter().any(|span| written(span) != first) {
            let found = spans.len();
            return Err(fail(TokenErrorKind::Ambiguous { file: self.file.clone(), place: place(), found }));
        }
        let wrong = |expected| fail(TokenErrorKind::WrongType { value: first.to_owned(), expected });
        let value = match self.kind {
            TokenKind::Color => {
                Value::Color(crate::value::color(first).ok_or_else(|| wrong("a CSS colour such as #2563eb"))?)
            }
            TokenKind::Length => {
                let scalar = Scalar::read(first).filter(|scalar| scalar.has_unit() || scalar.is_zero());
                // Attributes of SVG are lengths without a unit.
                let scalar =
                    scalar.or_else(|| Scalar::read(first).filter(|_| self.place.allows_bare_lengths()));
                Value::Scalar(scalar.ok_or_else(|| wrong("a length such as 12px"))?)
            }
            TokenKind::Number => {
                let scalar = Scalar::read(first).filter(|scalar| !scalar.has_unit());
                Value::Scalar(scalar.ok_or_else(|| wrong("a number such as 1.5"))?)
            }
        };
        Ok((value, spans))
    }

    /// The text with the token set to `value`.
    pub(crate) fn write(&self, text: &str, value: &Value) -> Result<String, TokenError> {
        let (_, mut spans) = self.read(text)?;
        spans.sort_by_key(|span| std::cmp::Reverse(span.start));
        let mut text = text.to_owned();
        for span in spans {
            // Blanks around the value belong to whoever wrote them.
            let old = &text[span.clone()];
            let start = span.start + (old.len() - old.trim_start().len());
            let end = start + old.trim().len();
            text.replace_range(start..end, &value.to_string());
        }
        Ok(text)
    }
}
