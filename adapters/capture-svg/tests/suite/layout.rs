//! How a document lies in the viewport, and its boxes.

use trueup_capture_svg::{Options, Renderer};
use trueup_frame::{PixelRatio, Rect, Size};

use crate::{render, svg};

/// The pixels that are black, as a rectangle, in a viewport of 40×20.
fn black(document: &str) -> Rect {
    let renderer = Renderer::new(Options::default()).unwrap();
    let frame = renderer.render(document.as_bytes(), Size::new(40, 20), PixelRatio::ONE).unwrap().frame;
    let mut found: Option<Rect> = None;
    for (y, row) in (0..).zip(frame.view().rows()) {
        for (x, pixel) in (0..).zip(row.as_chunks::<3>().0) {
            if pixel == &[0; 3] {
                let dot = Rect::new(x, y, 1, 1);
                found = Some(found.map_or(dot, |found| found.union(dot)));
            }
        }
    }
    found.expect("something is black")
}

fn natural(document: &str) -> Size {
    Renderer::new(Options::default()).unwrap().natural_size(document.as_bytes()).unwrap()
}

const FULL: &str = r#"<rect width="100%" height="100%"/>"#;

#[test]
fn a_document_with_its_own_size_keeps_it() {
    let document = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10">{FULL}</svg>"#);
    assert_eq!(black(&document), Rect::new(0, 0, 20, 10));
    assert_eq!(natural(&document), Size::new(20, 10));
    let inches =
        format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="0.25in" height="7.5pt">{FULL}</svg>"#);
    assert_eq!(black(&inches), Rect::new(0, 0, 24, 10));
    assert_eq!(natural(&inches), Size::new(24, 10));
}

#[test]
fn a_document_without_size_fills_the_viewport() {
    for size in ["", r#" width="100%""#, r#" width="auto" height="100%""#, r#" height = '100%'"#] {
        let document = format!(r#"<svg xmlns="http://www.w3.org/2000/svg"{size}>{FULL}</svg>"#);
        assert_eq!(black(&document), Rect::new(0, 0, 40, 20), "{size}");
    }
    let half = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="50%">{FULL}</svg>"#);
    assert_eq!(black(&half), Rect::new(0, 0, 20, 20));
    assert_eq!(natural(r#"<svg xmlns="http://www.w3.org/2000/svg"/>"#), Size::new(300, 150));
}

#[test]
fn a_view_box_is_fitted_into_the_viewport() {
    let document = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{FULL}</svg>"#);
    assert_eq!(black(&document), Rect::new(10, 0, 20, 20), "in the middle, as large as fits");
    assert_eq!(natural(&document), Size::new(10, 10));
    let left = document.replace("viewBox", r#"preserveAspectRatio="xMinYMin" viewBox"#);
    assert_eq!(black(&left), Rect::new(0, 0, 20, 20));
}

#[test]
fn a_prefix_of_the_root_element_does_not_matter() {
    let document = r#"<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:rect width="7" height="3"/></s:svg>"#;
    assert_eq!(black(document), Rect::new(0, 0, 7, 3));
}

#[test]
fn boxes_follow_transforms_and_strokes() {
    let content = r##"<g id="outer" transform="translate(2 1)"><rect id="fill" width="4" height="3"/>
        <g transform="scale(2)"><rect id="stroke" x="2" y="1" width="3" height="2" stroke="#000" stroke-width="1"/></g></g>
        <rect width="1" height="1"/><rect id="nothing" width="0" height="5"/>"##;
    let rendered = render(&svg(content)).unwrap();
    let ids: Vec<&str> = rendered.boxes.iter().map(|b| &b.id[..]).collect();
    assert_eq!(ids, ["outer", "fill", "stroke"]);
    let edges = |i: usize| {
        let b = &rendered.boxes[i];
        [b.x, b.y, b.width, b.height]
    };
    assert_eq!(edges(1), [2.0, 1.0, 4.0, 3.0]);
    assert_eq!(edges(2), [5.0, 2.0, 8.0, 6.0]);
    assert_eq!(edges(0), [2.0, 1.0, 11.0, 7.0], "a group covers its content");
    assert_eq!(rendered.boxes[2].pixels(rendered.frame.size()), Some(Rect::new(5, 2, 8, 6)));
}
