//! The product card in `examples/card`: its reference is what its design values render to.

use std::fs;
use std::path::Path;

use trueup_capture_svg::{Options, Renderer};
use trueup_codec::{Limits, decode};
use trueup_frame::{Frame, PixelRatio, Size};

/// Each token with its drifted value and that of the design.
const TOKENS: [(&str, &str, &str); 5] = [
    ("--brand", "#3f6fd9", "#4338ca"),
    ("--text", "#3d4154", "#171a33"),
    ("--space", "9px", "12px"),
    ("--radius", "8px", "16px"),
    ("--title-size", "19px", "23px"),
];

fn file(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/card").join(name)).unwrap()
}

fn picture(name: &str) -> Frame {
    decode(&file(name), &Limits::default()).unwrap().frame
}

fn rendered(document: &str) -> Frame {
    let renderer = Renderer::new(Options::default()).unwrap();
    let rendered = renderer.render(document.as_bytes(), Size::new(360, 240), PixelRatio::ONE).unwrap();
    assert!(rendered.notes.is_empty(), "{:?}", rendered.notes);
    rendered.frame
}

/// The document with one token set to the value of the design, by editing its declaration.
fn fixed(document: &str, (name, drifted, design): (&str, &str, &str)) -> String {
    let (from, to) = (format!("{name}: {drifted};"), format!("{name}: {design};"));
    assert_eq!(document.matches(&from).count(), 1, "{from}");
    document.replace(&from, &to)
}

/// How many samples differ. Elsewhere than where the pictures were made, floating-point edges may be off by a level or two.
fn differing(a: &Frame, b: &Frame) -> usize {
    let same_machine = cfg!(all(target_arch = "x86_64", target_os = "linux"));
    let allowed = if same_machine { 0 } else { 2 };
    assert_eq!((a.size(), a.format()), (b.size(), b.format()));
    a.bytes().iter().zip(b.bytes()).filter(|(a, b)| a.abs_diff(**b) > allowed).count()
}

#[test]
fn the_design_values_give_the_reference() {
    let drifted = String::from_utf8(file("card.svg")).unwrap();
    let design = TOKENS.into_iter().fold(drifted, |document, token| fixed(&document, token));
    assert_eq!(differing(&rendered(&design), &picture("reference/card.png")), 0);
}

#[test]
fn every_token_has_a_part_in_the_drift() {
    let drifted = String::from_utf8(file("card.svg")).unwrap();
    let reference = picture("reference/card.png");
    for left_out in TOKENS {
        let others = TOKENS.into_iter().filter(|token| *token != left_out);
        let document = others.fold(drifted.clone(), |document, token| fixed(&document, token));
        let count = differing(&rendered(&document), &reference);
        assert!(count > 100, "{} changes only {count} samples", left_out.0);
    }
}

#[test]
fn the_unreachable_picture_is_the_reference_with_another_label_and_a_badge() {
    let drifted = String::from_utf8(file("card.svg")).unwrap();
    let design = TOKENS.into_iter().fold(drifted, |document, token| fixed(&document, token));
    let badge = r##"<g id="badge"><rect x="96" y="26" width="42" height="20" rx="10" fill="#171a33"/><text class="label" x="117" y="40">−20%</text></g>"##;
    let edited = design
        .replace("Add to bag", "Notify me")
        .replace(r#"<g id="wish">"#, &format!("{badge}<g id=\"wish\">"));
    let unreachable = picture("unreachable.png");
    assert_eq!(differing(&rendered(&edited), &unreachable), 0);
    assert!(differing(&rendered(&design), &unreachable) > 1000);
}
