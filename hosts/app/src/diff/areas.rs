//! Areas with a level of their own, as they are named from outside.

use std::fmt;
use std::str::FromStr;

use trueup_compare_pixel::Area;
use trueup_frame::Size;
use trueup_pixel_diff::{BitMask, Mask, MatchLevel, Rule};

use super::masks::MaskSource;
use crate::error::AppError;

/// An area with a level of its own: `LEVEL:WHERE`, or `LEVEL=N:WHERE` where things may have moved by N pixels.
///
/// WHERE is a rectangle `X,Y,WIDTH,HEIGHT`, a polygon `polygon(X,Y X,Y X,Y …)`, the elements of a selector
/// `element(SELECTOR)`, or a picture whose bright pixels are the area.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AreaSource {
    /// What is tolerated there.
    pub level: MatchLevel,
    /// How far things may have moved there, in pixels along each axis.
    pub placement_px: Option<u32>,
    /// Where it is.
    pub place: AreaPlace,
}

/// Where an area is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a shape, or a thing that has one")]
pub enum AreaPlace {
    /// A rectangle, or a picture whose bright pixels it is.
    Mask(MaskSource),
    /// The corners of a polygon; a pixel is in it when its middle is, by the even-odd rule.
    Polygon(Vec<[u32; 2]>),
    /// The boxes of the elements of a selector.
    Element(String),
}

/// Corners that a polygon has at most, and the largest coordinate: as large as any image.
const MAX_CORNERS: usize = 1_000;
const MAX_COORDINATE: u32 = 65_535;

impl AreaSource {
    /// The rule for a comparison of files, which have no elements.
    pub(super) fn rule(&self) -> Result<Option<Rule>, AppError> {
        let Some(mask) = self.mask()? else { return Ok(None) };
        let rule = Rule::new(mask, self.level);
        Ok(Some(self.placement_px.map_or(rule.clone(), |px| rule.with_placement_px(px))))
    }

    /// The area for a comparison of captures.
    pub(crate) fn area(&self) -> Result<Area, AppError> {
        let area = match (&self.place, self.mask()?) {
            (AreaPlace::Element(selector), _) => Area::of_element(selector, self.level),
            (_, Some(mask)) => Area::of_shape(mask, self.level),
            (_, None) => Area::of_shape(Mask::Rect(Default::default()), self.level),
        };
        Ok(area.with_placement_px(self.placement_px))
    }

    fn mask(&self) -> Result<Option<Mask>, AppError> {
        match &self.place {
            AreaPlace::Mask(source) => Ok(Some(source.load()?)),
            AreaPlace::Polygon(corners) => Ok(Some(polygon(corners).into())),
            AreaPlace::Element(_) => Ok(None),
        }
    }
}

/// The pixels whose middles lie in a polygon, by the even-odd rule.
fn polygon(corners: &[[u32; 2]]) -> BitMask {
    let end = |axis: usize| corners.iter().map(|corner| corner[axis]).max().unwrap_or(0);
    BitMask::from_fn(Size::new(end(0), end(1)), |x, y| {
        // In half pixels, so that middles are whole numbers, and never on a corner's height.
        let (x, y) = (2 * i128::from(x) + 1, 2 * i128::from(y) + 1);
        let next = corners.iter().cycle().skip(1);
        let crossed = corners.iter().zip(next).filter(|(a, b)| {
            let [ax, ay, bx, by] = [a[0], a[1], b[0], b[1]].map(|at| 2 * i128::from(at));
            // Whether the edge passes the row, right of the pixel.
            (ay > y) != (by > y) && ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) * (by - ay) > 0
        });
        crossed.count() % 2 == 1
    })
}

impl FromStr for AreaSource {
    type Err = AreaTextError;

    fn from_str(text: &str) -> Result<Self, AreaTextError> {
        let wrong = |why: &str| AreaTextError { text: text.to_owned(), why: why.to_owned() };
        let expected = "expected LEVEL:WHERE, such as layout:0,0,200,40";
        let (level, place) = text.split_once(':').ok_or_else(|| wrong(expected))?;
        let (level, distance) = level.split_once('=').map_or((level, None), |(level, px)| (level, Some(px)));
        let level = MatchLevel::from_name(level.trim()).ok_or_else(|| {
            let names = MatchLevel::ALL.map(MatchLevel::name).join(", ");
            wrong(&format!("{:?} is no level: expected {names}", level.trim()))
        })?;
        let placement_px = distance
            .map(|px| px.trim().parse().map_err(|_| wrong("expected a whole number of pixels after =")))
            .transpose()?;
        let place = place.trim();
        let inside = |name: &str| place.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')');
        let place =
            if let Some(corners) = inside("polygon") {
                AreaPlace::Polygon(corners_of(corners).ok_or_else(|| {
                    wrong("expected three or more corners, such as polygon(10,10 80,10 40,60)")
                })?)
            } else if let Some(selector) = inside("element") {
                if selector.trim().is_empty() {
                    return Err(wrong("expected a selector, such as element(#badge)"));
                }
                AreaPlace::Element(selector.trim().to_owned())
            } else {
                AreaPlace::Mask(place.parse().map_err(|error| wrong(&format!("{error}")))?)
            };
        Ok(Self { level, placement_px, place })
    }
}

fn corners_of(text: &str) -> Option<Vec<[u32; 2]>> {
    let corner = |pair: &str| {
        let (x, y) = pair.split_once(',')?;
        let number = |text: &str| text.trim().parse::<u32>().ok().filter(|at| *at <= MAX_COORDINATE);
        Some([number(x)?, number(y)?])
    };
    let corners: Option<Vec<[u32; 2]>> = text.split_whitespace().map(corner).collect();
    corners.filter(|corners| (3..=MAX_CORNERS).contains(&corners.len()))
}

/// A text is no area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AreaTextError {
    text: String,
    why: String,
}

impl fmt::Display for AreaTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no area: {}", self.text, self.why)
    }
}

impl std::error::Error for AreaTextError {}

#[cfg(test)]
mod tests {
    use trueup_frame::Rect;

    use super::*;

    #[test]
    fn areas_are_a_level_and_a_place() {
        let read = |text: &str| text.parse::<AreaSource>().unwrap();
        let area = read("layout:1,2,3,4");
        assert_eq!((area.level, area.placement_px), (MatchLevel::Layout, None));
        assert_eq!(area.place, AreaPlace::Mask(MaskSource::Rect(Rect::new(1, 2, 3, 4))));
        assert_eq!(read("colour=4:mask.png").placement_px, Some(4));
        assert_eq!(read("ignore:element(#badge)").place, AreaPlace::Element("#badge".to_owned()));
        for (text, part) in [
            ("layout", "LEVEL:WHERE"),
            ("lax:1,2,3,4", "strict, color, placement, layout, ignore"),
            ("color=two:1,2,3,4", "whole number"),
            ("color:1,2,3", "X,Y,WIDTH,HEIGHT"),
            ("color:polygon(1,1 2,2)", "three or more corners"),
            ("color:polygon(1,1 2,2 x,3)", "three or more corners"),
            ("color:polygon(1,1 2,2 70000,3)", "three or more corners"),
            ("color:element()", "a selector"),
        ] {
            let error = text.parse::<AreaSource>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_polygon_holds_the_pixels_whose_middles_are_in_it() {
        let mask = polygon(&[[0, 0], [8, 0], [0, 8]]);
        let count = (0..8).flat_map(|y| (0..8).map(move |x| (x, y))).filter(|&(x, y)| mask.contains(x, y));
        // Half of 64; the middles on the long side are outside.
        assert_eq!(count.count(), 28);
        let square = polygon(&[[2, 1], [6, 1], [6, 4], [2, 4]]);
        let inside = |x: u32, y: u32| (2..6).contains(&x) && (1..4).contains(&y);
        assert!((0..8).all(|y| (0..8).all(|x| square.contains(x, y) == inside(x, y))));
    }
}
