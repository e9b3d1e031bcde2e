//! What of a page is captured, and in which state.

use std::time::Duration;

use crate::route::Step;

/// The part of a page that a capture shows.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Area {
    /// What is in the viewport.
    #[default]
    Viewport,
    /// The whole page, scrolled through first so that what loads late is there.
    FullPage,
    /// The box of the first element that a selector finds.
    Element(String),
    /// A box in CSS pixels from the upper left corner of the page: x, y, width, height.
    Clip([f64; 4]),
}

/// What of a page is captured, and in which state.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Screen {
    /// The part that a capture shows: what is in the viewport, by default.
    pub area: Area,
    /// A selector that must find something before the page counts as loaded. None by default.
    pub wait: Option<String>,
    /// Selectors of elements that are not compared. The page is shown as it is; the areas come with the capture.
    pub masks: Vec<String>,
    /// What is done in the page before it is captured.
    pub route: Vec<Step>,
    /// How long the page is given after each step: 300 ms by default, the usual length of a transition.
    pub settle: Duration,
}

impl Default for Screen {
    fn default() -> Self {
        Self {
            area: Area::default(),
            wait: None,
            masks: Vec::new(),
            route: Vec::new(),
            settle: Duration::from_millis(300),
        }
    }
}

impl Screen {
    /// The screen with another area.
    #[must_use]
    pub fn with_area(self, area: Area) -> Self {
        Self { area, ..self }
    }

    /// The screen, which is there once a selector finds something.
    #[must_use]
    pub fn with_wait(self, selector: impl Into<String>) -> Self {
        Self { wait: Some(selector.into()), ..self }
    }

    /// The screen with elements that are not compared.
    #[must_use]
    pub fn with_mask(mut self, selector: impl Into<String>) -> Self {
        self.masks.push(selector.into());
        self
    }

    /// The screen that these steps lead to.
    #[must_use]
    pub fn with_route(self, route: impl IntoIterator<Item = Step>) -> Self {
        Self { route: route.into_iter().collect(), ..self }
    }

    /// The screen with another pause after each step.
    #[must_use]
    pub fn with_settle(self, settle: Duration) -> Self {
        Self { settle, ..self }
    }
}
