//! Colour tags.

use trueup_codec::{Header, Limits, Note, open};
use trueup_frame::ColorSpace;

use crate::support::{Color, Png, zlib};

fn header(png: Png) -> Header {
    open(&png.bytes(), &Limits::default()).unwrap().header().clone()
}

fn picture() -> Png {
    Png::new(3, 3, Color::Rgb, 8, false)
}

fn ignored(header: &Header) -> Option<&str> {
    match &header.notes[..] {
        [] => None,
        [Note::ProfileIgnored { profile }] => Some(profile),
        other => panic!("unexpected notes: {other:?}"),
    }
}

#[test]
fn untagged_and_srgb_are_srgb() {
    let srgb_primaries = [31_270u32, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];
    let primaries: Vec<u8> = srgb_primaries.iter().flat_map(|v| v.to_be_bytes()).collect();
    for png in [
        picture(),
        picture().with(b"sRGB", &[0]),
        picture().with(b"cICP", &[1, 13, 0, 1]),
        picture().with(b"gAMA", &45_455u32.to_be_bytes()),
        picture().with(b"gAMA", &45_455u32.to_be_bytes()).with(b"cHRM", &primaries),
        // By PNG 3, sRGB comes before gAMA.
        picture().with(b"sRGB", &[0]).with(b"gAMA", &100_000u32.to_be_bytes()),
    ] {
        let header = header(png);
        assert_eq!(header.color, ColorSpace::Srgb);
        assert_eq!(ignored(&header), None);
    }
}

#[test]
fn display_p3_comes_by_cicp() {
    let header = header(picture().with(b"cICP", &[12, 13, 0, 1]).with(b"sRGB", &[0]));
    assert_eq!(header.color, ColorSpace::DisplayP3);
    assert_eq!(ignored(&header), None);
}

#[test]
fn other_tags_are_ignored_and_named() {
    let case = |png, name: &str| {
        let header = header(png);
        assert_eq!(header.color, ColorSpace::Srgb);
        assert_eq!(ignored(&header), Some(name));
    };
    case(picture().with(b"cICP", &[9, 16, 0, 1]), "cICP 9/16/0/1");
    case(picture().with(b"cICP", &[12, 13, 0, 0]), "cICP 12/13/0/0");
    case(picture().with(b"gAMA", &100_000u32.to_be_bytes()), "gamma 1 (gAMA)");
    let primaries: Vec<u8> = [31_270u32, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000]
        .iter()
        .flat_map(|v| v.to_be_bytes())
        .collect();
    case(picture().with(b"cHRM", &primaries), "of other primaries (cHRM)");
    let mut profile = b"Adobe RGB (1998)\0\0".to_vec();
    profile.extend(zlib(b"no profile at all"));
    case(picture().with(b"iCCP", &profile), "\"Adobe RGB (1998)\"");
}

#[test]
fn the_note_is_a_sentence() {
    let header = header(picture().with(b"gAMA", &100_000u32.to_be_bytes()));
    assert_eq!(
        header.notes[0].to_string(),
        "the colour profile gamma 1 (gAMA) is ignored: colours are read as sRGB"
    );
}
