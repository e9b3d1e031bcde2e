//! Sizes and rectangles in whole device pixels.

use std::fmt;

/// Width and height in device pixels. Either may be 0: an empty image is a value, not an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[expect(clippy::exhaustive_structs, reason = "two numbers, closed by nature")]
pub struct Size {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl Size {
    /// A size of `width` × `height` device pixels.
    #[must_use]
    pub const fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }

    /// Number of pixels; cannot overflow.
    #[must_use]
    pub const fn area(self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// Whether it holds no pixel at all.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// The part that both sizes have: the smaller width and the smaller height.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self::new(self.width.min(other.width), self.height.min(other.height))
    }

    /// The smallest size that contains both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self::new(self.width.max(other.width), self.height.max(other.height))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.width, self.height)
    }
}

/// A half-open rectangle: it covers the columns `x..x + width` and the rows `y..y + height`.
///
/// Edges are computed in 64 bits, so a rectangle near `u32::MAX` neither wraps nor panics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[expect(clippy::exhaustive_structs, reason = "four numbers, closed by nature")]
pub struct Rect {
    /// First column.
    pub x: u32,
    /// First row.
    pub y: u32,
    /// Columns covered.
    pub width: u32,
    /// Rows covered.
    pub height: u32,
}

impl Rect {
    /// The rectangle with its upper left corner at (`x`, `y`).
    #[must_use]
    pub const fn new(x: u32, y: u32, width: u32, height: u32) -> Self {
        Self { x, y, width, height }
    }

    /// The whole of an image of this size.
    #[must_use]
    pub const fn of_size(size: Size) -> Self {
        Self::new(0, 0, size.width, size.height)
    }

    /// First column to the right of it.
    #[must_use]
    pub const fn right(self) -> u64 {
        self.x as u64 + self.width as u64
    }

    /// First row below it.
    #[must_use]
    pub const fn bottom(self) -> u64 {
        self.y as u64 + self.height as u64
    }

    /// Number of pixels; cannot overflow.
    #[must_use]
    pub const fn area(self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// Whether it covers no pixel.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// Whether the pixel at (`x`, `y`) lies inside.
    #[must_use]
    pub const fn contains(self, x: u32, y: u32) -> bool {
        x >= self.x && (x as u64) < self.right() && y >= self.y && (y as u64) < self.bottom()
    }

    /// The part inside both, or `None` when they share no pixel.
    #[must_use]
    pub fn intersection(self, other: Self) -> Option<Self> {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let width = self.right().min(other.right()).checked_sub(u64::from(x))?;
        let height = self.bottom().min(other.bottom()).checked_sub(u64::from(y))?;
        if width == 0 || height == 0 {
            return None;
        }
        // Each is at most the smaller of two u32 sides, so the conversions cannot fail.
        Some(Self::new(x, y, u32::try_from(width).ok()?, u32::try_from(height).ok()?))
    }

    /// The part inside an image of this size, or `None` when it lies wholly outside.
    #[must_use]
    pub fn clipped_to(self, size: Size) -> Option<Self> {
        self.intersection(Self::of_size(size))
    }

    /// The rectangle with `by` pixels more on every side, as far as coordinates go: it starts at 0 at least, and its sides
    /// saturate at `u32::MAX`.
    #[must_use]
    pub const fn grown(self, by: u32) -> Self {
        let (x, y) = (self.x.saturating_sub(by), self.y.saturating_sub(by));
        let width = self.width.saturating_add(self.x - x).saturating_add(by);
        let height = self.height.saturating_add(self.y - y).saturating_add(by);
        Self::new(x, y, width, height)
    }

    /// The smallest rectangle that contains both; an empty one adds nothing. Sides saturate at `u32::MAX`.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let side = |end: u64, start: u32| u32::try_from(end - u64::from(start)).unwrap_or(u32::MAX);
        Self::new(x, y, side(self.right().max(other.right()), x), side(self.bottom().max(other.bottom()), y))
    }

    /// Intersection over union, as the exact pair (shared pixels, covered pixels).
    ///
    /// Compare two of them by cross-multiplication; (0, 0) when both are empty.
    #[must_use]
    pub fn overlap(self, other: Self) -> (u64, u64) {
        let shared = self.intersection(other).map_or(0, Self::area);
        (shared, self.area().saturating_add(other.area()) - shared)
    }
}

impl fmt::Display for Rect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{} at ({}, {})", self.width, self.height, self.x, self.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_near_the_limit_do_not_wrap() {
        let r = Rect::new(u32::MAX, 1, u32::MAX, 2);
        assert_eq!(r.right(), 2 * u64::from(u32::MAX));
        assert_eq!(r.clipped_to(Size::new(10, 10)), None);
        assert_eq!(r.union(Rect::new(0, 0, 1, 1)).width, u32::MAX);
    }

    #[test]
    fn a_box_grows_on_every_side_as_far_as_there_is_room() {
        assert_eq!(Rect::new(10, 1, 4, 5).grown(3), Rect::new(7, 0, 10, 9));
        assert_eq!(Rect::new(0, 0, u32::MAX, 1).grown(2), Rect::new(0, 0, u32::MAX, 3));
        assert_eq!(Rect::new(5, 5, 2, 2).grown(0), Rect::new(5, 5, 2, 2));
    }

    #[test]
    fn intersection_is_half_open() {
        let a = Rect::new(0, 0, 4, 4);
        assert_eq!(a.intersection(Rect::new(4, 0, 4, 4)), None);
        assert_eq!(a.intersection(Rect::new(3, 3, 4, 4)), Some(Rect::new(3, 3, 1, 1)));
        assert!(a.contains(3, 3) && !a.contains(4, 3));
    }

    #[test]
    fn overlap_of_equal_and_disjoint_boxes() {
        let a = Rect::new(2, 2, 3, 3);
        assert_eq!(a.overlap(a), (9, 9));
        assert_eq!(a.overlap(Rect::new(9, 9, 1, 1)), (0, 10));
        assert_eq!(Rect::default().overlap(Rect::default()), (0, 0));
    }
}
