//! Text and fonts.

use trueup_capture_svg::{Note, Options, RenderErrorKind, Renderer};
use trueup_frame::{PixelRatio, Size};

use crate::{render, svg};

fn ink(attributes: &str) -> Vec<u8> {
    let document = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg"><text x="2" y="30" font-size="30" {attributes}>Rag 12</text></svg>"#
    );
    let renderer = Renderer::new(Options::default()).unwrap();
    renderer.render(document.as_bytes(), Size::new(120, 40), PixelRatio::ONE).unwrap().frame.into_bytes()
}

fn darkness(pixels: &[u8]) -> u64 {
    pixels.iter().map(|&v| u64::from(255 - v)).sum()
}

#[test]
fn text_is_set_in_the_bundled_fonts() {
    let regular = ink("");
    // More than a few specks: six glyphs of 30 pixels cover some hundred pixels.
    assert!(darkness(&regular) > 400 * 255, "{}", darkness(&regular));
    let bold = ink(r#"font-weight="700""#);
    let italic = ink(r#"font-style="italic""#);
    let both = ink(r#"font-style="italic" font-weight="bold""#);
    assert!(darkness(&bold) * 10 > darkness(&regular) * 11, "bold is darker");
    assert!(italic != regular && both != bold && both != italic);
    // By weight 600 and up the bold face is nearest.
    assert_eq!(ink(r#"font-weight="600""#), bold);
    assert_eq!(ink(r#"font-weight="500""#), regular);
}

#[test]
fn generic_families_are_the_default_family() {
    let regular = ink("");
    for family in ["sans-serif", "serif", "monospace", "Noto Sans", "Noto Sans, Arial"] {
        assert_eq!(ink(&format!(r#"font-family="{family}""#)), regular, "{family}");
    }
}

#[test]
fn a_family_that_is_not_there_is_noted_once() {
    let content =
        r#"<g font-family="Helvetica Neue, 'Gill Sans'"><text y="9">a</text><text y="9">b</text></g>"#;
    let rendered = render(&svg(content)).unwrap();
    let asked = "\"Helvetica Neue\", \"Gill Sans\"".to_owned();
    assert_eq!(rendered.notes, [Note::FontSubstituted { asked, used: "Noto Sans".to_owned() }]);
    assert_eq!(
        rendered.notes[0].to_string(),
        "there is no font \"Helvetica Neue\", \"Gill Sans\"; text is set in Noto Sans"
    );
    // A generic family at the end is what the document itself falls back to.
    let generic = render(&svg(r#"<text y="9" font-family="Helvetica, sans-serif">a</text>"#)).unwrap();
    assert!(generic.notes.is_empty());
}

#[test]
fn given_fonts_are_read_and_bad_ones_refused() {
    let given = Options::default().with_font(notosans::BOLD_TTF.to_vec()).with_default_family("Noto Sans");
    assert!(Renderer::new(given).is_ok());
    let bad = Options::default().with_font(notosans::BOLD_TTF.to_vec()).with_font(b"no font".to_vec());
    assert_eq!(Renderer::new(bad).unwrap_err().kind(), &RenderErrorKind::BadFont { index: 1 });
    let error = Renderer::new(Options::default().with_default_family("Nota Sans")).unwrap_err();
    assert_eq!(error.to_string(), "there is no font family \"Nota Sans\", only Noto Sans");
}
