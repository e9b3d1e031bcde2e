//! Computed styles of an element.

use std::collections::BTreeMap;

use crate::{Color, Paint};

/// Computed styles by property, as a browser serialises them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Style {
    values: BTreeMap<String, String>,
}

impl Style {
    /// The properties that probes read; a browser's script collects these.
    pub const PROPERTIES: &'static [&'static str] = &[
        "align-items",
        "animation-name",
        "background-color",
        "background-image",
        "border-bottom-left-radius",
        "border-bottom-right-radius",
        "border-top-left-radius",
        "border-top-right-radius",
        "box-shadow",
        "clip-path",
        "color",
        "column-gap",
        "display",
        "flex-direction",
        "font-family",
        "font-size",
        "font-variant-numeric",
        "font-weight",
        "height",
        "letter-spacing",
        "line-height",
        "margin-bottom",
        "margin-left",
        "margin-right",
        "margin-top",
        "mix-blend-mode",
        "opacity",
        "overflow-x",
        "overflow-y",
        "padding-bottom",
        "padding-left",
        "padding-right",
        "padding-top",
        "position",
        "row-gap",
        "text-align",
        "text-overflow",
        "text-shadow",
        "visibility",
        "white-space",
    ];

    /// Sets a property.
    pub fn set(&mut self, property: impl Into<String>, value: impl Into<String>) {
        self.values.insert(property.into(), value.into());
    }

    /// A property's value, as written.
    #[must_use]
    pub fn get(&self, property: &str) -> Option<&str> {
        self.values.get(property).map(String::as_str)
    }

    /// Whether a property has one of these values.
    #[must_use]
    pub fn is(&self, property: &str, values: &[&str]) -> bool {
        self.get(property).is_some_and(|value| values.contains(&value))
    }

    /// A length in CSS pixels; `None` for what is not one, such as `normal` or `auto`.
    #[must_use]
    pub fn px(&self, property: &str) -> Option<f64> {
        self.get(property)?.strip_suffix("px")?.parse().ok().filter(|px: &f64| px.is_finite())
    }

    /// A number.
    #[must_use]
    pub fn number(&self, property: &str) -> Option<f64> {
        self.get(property)?.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// A colour; `None` for what is not one that can be read.
    #[must_use]
    pub fn color(&self, property: &str) -> Option<Color> {
        Color::parse(self.get(property)?)
    }

    /// What a background image paints.
    #[must_use]
    pub fn background(&self) -> Paint {
        self.get("background-image").map_or(Paint::Nothing, Paint::parse)
    }

    /// Font weight, 1 to 1000.
    #[must_use]
    pub fn weight(&self) -> Option<f64> {
        match self.get("font-weight")? {
            "normal" => Some(400.0),
            "bold" => Some(700.0),
            _ => self.number("font-weight"),
        }
    }
}
