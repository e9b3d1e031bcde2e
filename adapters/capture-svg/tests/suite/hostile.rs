//! Documents that are no SVG, or mean harm.

use proptest::prelude::*;
use trueup_capture_svg::{Options, RenderErrorKind, Renderer};
use trueup_frame::{PixelRatio, Size};

use crate::{render, svg};

fn bytes_error(bytes: &[u8]) -> (RenderErrorKind, Option<(u32, u32)>) {
    let renderer = Renderer::new(Options::default()).unwrap();
    let error = renderer.render(bytes, Size::new(20, 10), PixelRatio::ONE).unwrap_err();
    (error.kind().clone(), error.position().map(|p| (p.line, p.column)))
}

#[test]
fn what_is_not_svg_is_named() {
    assert_eq!(bytes_error(b"").0, RenderErrorKind::Empty);
    assert_eq!(bytes_error(b" \n").0, RenderErrorKind::Empty);
    assert_eq!(bytes_error(b"\x1f\x8b\x08").0, RenderErrorKind::Compressed);
    assert_eq!(bytes_error(b"<svg>\n  \xff"), (RenderErrorKind::NotUtf8, Some((2, 3))));
    let html = b"<!-- c -->\n<html xmlns='http://www.w3.org/1999/xhtml'/>";
    assert_eq!(bytes_error(html), (RenderErrorKind::NotSvg { root: "html".to_owned() }, Some((2, 1))));
    assert_eq!(
        bytes_error(b"<svg xmlns='http://www.w3.org/2000/svg' width='0'/>").0,
        RenderErrorKind::InvalidSize
    );
}

#[test]
fn a_malformed_document_is_refused_with_line_and_column() {
    let cases: [(&str, (u32, u32)); 4] = [
        ("<svg xmlns=\"http://www.w3.org/2000/svg\">\n  <g>\n  </svg>", (3, 3)),
        ("<svg xmlns=\"http://www.w3.org/2000/svg\">\n <rect width=\"1\" width=\"2\"/></svg>", (2, 18)),
        ("<svg xmlns=\"http://www.w3.org/2000/svg\">\n\n &nope; </svg>", (3, 2)),
        ("plain text", (1, 1)),
    ];
    for (document, position) in cases {
        let error = render(document).unwrap_err();
        assert!(matches!(error.kind(), RenderErrorKind::Malformed { .. }), "{error}");
        let found = error.position().unwrap();
        assert_eq!((found.line, found.column), position, "{error}");
        let message = error.to_string();
        assert!(message.starts_with(&format!("line {}, column {}: ", position.0, position.1)), "{message}");
        assert_eq!(
            message.matches(&format!("{}:{}", position.0, position.1)).count(),
            0,
            "said twice: {message}"
        );
        assert!(std::error::Error::source(&error).is_some());
    }
}

#[test]
fn nothing_outside_of_the_document_is_loaded() {
    for (element, href) in [
        ("image", "https://example.com/a.png"),
        ("image", "/etc/hostname"),
        ("image", "Cargo.toml"),
        ("image", "file:///etc/hostname"),
        ("use", "other.svg#shape"),
    ] {
        for attribute in ["href", "xlink:href"] {
            let document = svg(&format!(
                r#"<{element} xmlns:xlink="http://www.w3.org/1999/xlink" {attribute}="{href}" width="20" height="10"/>"#
            ));
            let error = render(&document).unwrap_err();
            let expected =
                RenderErrorKind::ExternalReference { element: element.to_owned(), href: href.to_owned() };
            assert_eq!(error.kind(), &expected);
            assert!(error.position().is_some());
        }
    }
    assert!(
        render(&svg(
            r##"<rect id="a" width="1" height="1"/><use href="#a"/><a href="https://example.com"/>"##
        ))
        .is_ok()
    );
}

#[test]
fn an_embedded_picture_is_drawn() {
    // One red pixel, as PNG.
    let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";
    let content = format!(r#"<image href="data:image/png;base64,{png}" width="20" height="10"/>"#);
    assert_eq!(crate::color_at(&svg(&content), 10, 5), [255, 0, 0]);
}

#[test]
fn entities_and_nesting_have_an_end() {
    let mut laughs = String::from("<!DOCTYPE svg [<!ENTITY a0 \"ha\">");
    for i in 1..30 {
        laughs.push_str(&format!("<!ENTITY a{i} \"&a{0};&a{0};\">", i - 1));
    }
    laughs.push_str("]><svg xmlns=\"http://www.w3.org/2000/svg\"><text>&a29;</text></svg>");
    assert!(render(&laughs).is_err());
    let deep = svg(&format!("{}{}", "<g>".repeat(5_000), "</g>".repeat(5_000)));
    assert_eq!(render(&deep).unwrap_err().kind(), &RenderErrorKind::TooManyElements);
}

/// Pieces that documents are made of, so that random ones reach further than the first angle bracket.
const PIECES: [&str; 40] = [
    "<g>",
    "</g>",
    "<rect",
    "/>",
    ">",
    "<style>",
    "</style>",
    "<text>",
    "</text>",
    " fill=\"",
    "\"",
    "'",
    "var(--a)",
    "var(--a, ",
    "var(",
    ")",
    ":root",
    " { ",
    " } ",
    "--a: ",
    ";",
    "svg",
    ",",
    "/*",
    "*/",
    "#f00",
    " style=\"",
    " transform=\"translate(",
    "10px",
    " width=\"5\" height=\"5\"",
    "<![CDATA[",
    "]]>",
    "&amp;",
    "&",
    "@media",
    "\\",
    "!important",
    " > ",
    "é",
    "\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let renderer = Renderer::new(Options::default()).unwrap();
        let _ = renderer.render(&bytes, Size::new(4, 4), PixelRatio::ONE);
    }

    #[test]
    fn pieces_of_documents_are_rendered_or_refused(which in prop::collection::vec(0..PIECES.len(), 0..30)) {
        let content: String = which.iter().map(|&i| PIECES[i]).collect();
        for document in [
            svg(&content),
            svg(&format!("<style>:root {{ --a: 1 }} {}</style>", content.replace('<', "("))),
            svg(&format!("<rect style=\"{}\"/>", content.replace(['<', '"', '&'], "-"))),
        ] {
            // Rendered the same twice, or refused with a reason.
            match (render(&document), render(&document)) {
                (Ok(one), Ok(other)) => {
                    prop_assert_eq!(one.frame, other.frame);
                    prop_assert_eq!(one.boxes, other.boxes);
                }
                (Err(one), Err(other)) => {
                    prop_assert!(!one.to_string().trim().is_empty());
                    prop_assert_eq!(one.to_string(), other.to_string());
                }
                _ => return Err(TestCaseError::fail("rendered once and refused once")),
            }
        }
    }
}
