//! Areas with a level of their own.

use trueup_pixel_diff::{Mask, MatchLevel, Rule};
use trueup_ports::Element;

/// An area of a label with a level of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Area {
    /// Where it is.
    pub place: Place,
    /// What is tolerated there.
    pub level: MatchLevel,
    /// How far things may have moved there, in device pixels along each axis; by default as the level and the page say.
    pub placement_px: Option<u32>,
}

/// Where an area is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a shape, or a thing that has one")]
pub enum Place {
    /// A rectangle, a polygon or any other shape, in device pixels of the capture.
    Shape(Mask),
    /// The boxes of the elements that the capture lists under this selector.
    Element(String),
}

impl Area {
    /// A level for a shape.
    #[must_use]
    pub fn of_shape(shape: impl Into<Mask>, level: MatchLevel) -> Self {
        Self { place: Place::Shape(shape.into()), level, placement_px: None }
    }

    /// A level for the elements of a selector.
    #[must_use]
    pub fn of_element(selector: impl Into<String>, level: MatchLevel) -> Self {
        Self { place: Place::Element(selector.into()), level, placement_px: None }
    }

    /// The area with a distance, in device pixels, that things in it may have moved.
    #[must_use]
    pub fn with_placement_px(self, placement_px: Option<u32>) -> Self {
        Self { placement_px, ..self }
    }

    /// The rules that it comes to where a capture has these elements.
    pub(crate) fn rules<'a>(&'a self, elements: &'a [Element]) -> impl Iterator<Item = Rule> + 'a {
        let shape = match &self.place {
            Place::Shape(mask) => Some(mask.clone()),
            Place::Element(_) => None,
        };
        let boxes = elements.iter().filter_map(|element| match &self.place {
            Place::Element(selector) if element.selector == *selector => Some(Mask::Rect(element.area)),
            _ => None,
        });
        shape.into_iter().chain(boxes).map(|area| {
            let rule = Rule::new(area, self.level);
            self.placement_px.map_or(rule.clone(), |px| rule.with_placement_px(px))
        })
    }
}
