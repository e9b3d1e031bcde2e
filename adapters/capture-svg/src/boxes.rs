//! Where the elements of a document are in the frame.

use resvg::usvg::{Group, Node};
use trueup_frame::{PixelRatio, Rect, Size};

/// The box of an element that has an `id`, in device pixels from the upper left corner of the frame.
///
/// It covers fill and stroke, after all transforms; of text, the glyphs themselves. Clipping, masks and filters do
/// not change it, and it may reach outside of the frame. Elements that draw nothing have no box.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ElementBox {
    /// The `id` of the element.
    pub id: String,
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width, not negative.
    pub width: f64,
    /// Height, not negative.
    pub height: f64,
}

impl ElementBox {
    /// A box from its edges, in device pixels.
    #[must_use]
    pub fn new(id: impl Into<String>, x: f64, y: f64, width: f64, height: f64) -> Self {
        Self { id: id.into(), x, y, width, height }
    }

    /// The pixels of a frame of this size that the box touches, or `None` when it touches none.
    #[must_use]
    pub fn pixels(&self, frame: Size) -> Option<Rect> {
        let (x, right) = span(self.x, self.x + self.width, frame.width)?;
        let (y, bottom) = span(self.y, self.y + self.height, frame.height)?;
        Some(Rect::new(x, y, right - x, bottom - y))
    }
}

/// The whole pixels from `start` to `end` that lie in `0..limit`.
#[expect(clippy::cast_sign_loss, reason = "both are clamped to 0..=limit, and not a number is turned away")]
fn span(start: f64, end: f64, limit: u32) -> Option<(u32, u32)> {
    let limit = f64::from(limit);
    let (start, end) = (start.floor().clamp(0.0, limit), end.ceil().clamp(0.0, limit));
    if start < end { Some((start as u32, end as u32)) } else { None }
}

/// The boxes of all elements with an `id`, in the order in which they are drawn, groups before their content.
pub(crate) fn collect(root: &Group, ratio: PixelRatio) -> Vec<ElementBox> {
    let mut boxes = Vec::new();
    let scale = f64::from(ratio.thousandths()) / 1000.0;
    walk(root, scale, &mut boxes);
    boxes
}

fn walk(group: &Group, scale: f64, boxes: &mut Vec<ElementBox>) {
    for node in group.children() {
        let edges = match node {
            Node::Group(group) => group.abs_stroke_bounding_box(),
            Node::Path(path) => path.abs_stroke_bounding_box(),
            Node::Image(image) => image.abs_bounding_box(),
            Node::Text(text) => text.abs_stroke_bounding_box(),
        };
        if !node.id().is_empty() {
            let scaled = |edge: f32| f64::from(edge) * scale;
            boxes.push(ElementBox {
                id: node.id().to_owned(),
                x: scaled(edges.x()),
                y: scaled(edges.y()),
                width: scaled(edges.width()),
                height: scaled(edges.height()),
            });
        }
        if let Node::Group(group) = node {
            walk(group, scale, boxes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touched_pixels_are_whole_and_inside() {
        let frame = Size::new(10, 10);
        assert_eq!(ElementBox::new("a", 1.2, 2.0, 2.0, 3.0).pixels(frame), Some(Rect::new(1, 2, 3, 3)));
        assert_eq!(ElementBox::new("a", -5.0, 8.5, 6.5, 99.0).pixels(frame), Some(Rect::new(0, 8, 2, 2)));
        assert_eq!(ElementBox::new("a", 10.0, 0.0, 5.0, 5.0).pixels(frame), None);
        assert_eq!(ElementBox::new("a", f64::NAN, 0.0, 5.0, 5.0).pixels(frame), None);
        assert_eq!(ElementBox::new("a", 3.0, 3.0, 0.0, 5.0).pixels(frame), None);
    }
}
