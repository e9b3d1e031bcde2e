//! Files that are cut, damaged, or lie.

use proptest::prelude::*;
use trueup_codec::{CodecErrorKind, FileFormat, Limits, decode, open};
use trueup_frame::Size;

use crate::support::{Color, Png, all_formats, chunk, exif, zlib};

fn rich_png(interlaced: bool) -> Vec<u8> {
    Png::new(7, 5, Color::Palette, 2, interlaced)
        .with(b"gAMA", &45_455u32.to_be_bytes())
        .with(b"PLTE", &[9, 8, 7, 200, 100, 0, 1, 2, 3, 0, 0, 255])
        .with(b"tRNS", &[0, 99])
        .with(b"eXIf", &exif(3))
        .with_after(b"tEXt", b"Comment\0hello")
        .bytes()
}

#[test]
fn a_png_cut_anywhere_is_cut_off() {
    for interlaced in [false, true] {
        let file = rich_png(interlaced);
        assert!(decode(&file, &Limits::default()).is_ok());
        for n in 1..file.len() {
            let error = decode(&file[..n], &Limits::default()).unwrap_err();
            assert_eq!(error.kind(), &CodecErrorKind::Truncated { file: FileFormat::Png, len: n as u64 });
        }
    }
}

#[test]
fn a_png_with_any_bit_turned_is_refused() {
    for interlaced in [false, true] {
        let file = rich_png(interlaced);
        for bit in 0..file.len() * 8 {
            let mut damaged = file.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(&damaged, &Limits::default()).is_err(), "bit {bit} of {}", file.len() * 8);
        }
    }
}

#[test]
fn rows_that_are_missing_behind_good_checksums_are_damage() {
    let mut png = Png::new(5, 9, Color::Rgb, 8, false);
    png.samples.truncate(5 * 8 * 3);
    png.height = 8;
    let mut file = png.bytes();
    // The header says nine rows, with a checksum of its own.
    let mut header = Vec::new();
    chunk(&mut header, b"IHDR", &[0, 0, 0, 5, 0, 0, 0, 9, 8, 2, 0, 0, 0]);
    file[8..8 + header.len()].copy_from_slice(&header);
    let error = decode(&file, &Limits::default()).unwrap_err();
    let detail = "rows are missing".to_owned();
    assert_eq!(error.kind(), &CodecErrorKind::Damaged { file: FileFormat::Png, detail });
}

#[test]
fn other_formats_cut_anywhere_never_give_another_picture() {
    for (name, file) in all_formats(13, 10) {
        let whole = decode(&file, &Limits::default()).unwrap().frame;
        let mut refused = 0;
        for n in 0..file.len() {
            match decode(&file[..n], &Limits::default()) {
                Ok(decoded) => assert_eq!(decoded.frame, whole, "{name} cut at {n} of {}", file.len()),
                Err(_) => refused += 1,
            }
        }
        assert!(refused * 10 > file.len() * 9, "{name}: only {refused} of {} cuts are refused", file.len());
    }
}

#[test]
fn half_a_file_is_cut_off_in_every_format() {
    for (name, file) in all_formats(40, 30) {
        let error = decode(&file[..file.len() / 2], &Limits::default()).unwrap_err();
        assert!(matches!(error.kind(), CodecErrorKind::Truncated { .. }), "{name}: {error}");
    }
}

/// A complete PNG with good checksums that claims this size and holds next to nothing.
fn bomb(width: u32, height: u32) -> Vec<u8> {
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([8, 6, 0, 0, 0]);
    chunk(&mut out, b"IHDR", &header);
    chunk(&mut out, b"IDAT", &zlib(&[0; 64]));
    chunk(&mut out, b"IEND", &[]);
    out
}

#[test]
fn a_header_that_claims_too_much_is_refused_with_both_numbers() {
    let error = open(&bomb(60_000, 60_000), &Limits::default()).unwrap_err();
    let (size, limit) = (Size::new(60_000, 60_000), Limits::default().max_pixels);
    assert_eq!(error.kind(), &CodecErrorKind::TooManyPixels { size, limit });
    let message = error.to_string();
    assert!(message.contains("60000×60000 = 3600000000 pixels"), "{message}");
    assert!(message.contains(&limit.to_string()), "{message}");
}

#[test]
fn a_header_within_limits_that_its_data_cannot_hold_is_damage() {
    let error = decode(&bomb(20_000, 20_000), &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("cannot be in"), "{error}");
    assert!(matches!(error.kind(), CodecErrorKind::Damaged { .. }));
}

#[test]
fn four_hundred_megapixels_are_within_the_default_limits() {
    let limits = Limits::default();
    assert!(limits.max_pixels >= 400_000_000);
    assert!(limits.max_bytes >= 400_000_000 * 8, "not even at 16 bits and four channels");
    // And through the reader: the pixels fit, only the data are not there.
    let error = open(&bomb(20_000, 20_000), &limits).unwrap_err();
    assert!(!matches!(
        error.kind(),
        CodecErrorKind::TooManyPixels { .. } | CodecErrorKind::TooManyBytes { .. }
    ));
}

#[test]
fn limits_hold_for_every_format() {
    for (name, file) in all_formats(13, 10) {
        let limits = Limits::default();
        let error = decode(&file, &limits.with_max_pixels(129)).unwrap_err();
        assert_eq!(
            error.kind(),
            &CodecErrorKind::TooManyPixels { size: Size::new(13, 10), limit: 129 },
            "{name}"
        );
        let error = decode(&file, &limits.with_max_bytes(389)).unwrap_err();
        assert!(matches!(error.kind(), CodecErrorKind::TooManyBytes { limit: 389, .. }), "{name}: {error}");
        assert!(decode(&file, &limits.with_max_pixels(130)).is_ok(), "{name}");
    }
}

#[test]
fn xcode_pngs_are_named() {
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut out, b"CgBI", &[0x50, 0, 0x20, 2]);
    out.extend(&Png::new(1, 1, Color::Rgb, 8, false).bytes()[8..]);
    let error = decode(&out, &Limits::default()).unwrap_err();
    assert!(matches!(error.kind(), CodecErrorKind::Unsupported { what } if what.contains("CgBI")));
}

/// Small, so that a lying header costs no time.
fn small() -> Limits {
    Limits::default().with_max_pixels(1 << 18).with_max_bytes(1 << 22)
}

/// Whatever a file is, it is read the same twice, within limits and with as many bytes as its size says, or refused with a reason.
fn is_read_or_refused(file: &[u8]) -> Result<(), TestCaseError> {
    let limits = small();
    match (decode(file, &limits), decode(file, &limits)) {
        (Ok(one), Ok(other)) => {
            prop_assert!(one.frame.size().area() <= limits.max_pixels);
            prop_assert!(!one.frame.size().is_empty());
            prop_assert_eq!(open(file, &limits).unwrap().header().size, one.frame.size());
            prop_assert_eq!(one.frame, other.frame);
        }
        (Err(one), Err(other)) => {
            prop_assert!(!one.to_string().trim().is_empty());
            prop_assert_eq!(one.to_string(), other.to_string());
        }
        _ => return Err(TestCaseError::fail("read once and refused once")),
    }
    Ok(())
}

const SIGNATURES: [&[u8]; 9] = [
    b"",
    b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR",
    b"\xff\xd8\xff",
    b"GIF89a",
    b"RIFF\x40\0\0\0WEBPVP8 ",
    b"RIFF\x40\0\0\0WEBPVP8L",
    b"II*\0\x08\0\0\0",
    b"MM\0*\0\0\0\x08",
    b"qoif\0\0\0\x09\0\0\0\x09",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_are_read_or_refused(which in 0..SIGNATURES.len(), tail in prop::collection::vec(any::<u8>(), 0..200)) {
        let bytes = [SIGNATURES[which], &tail].concat();
        is_read_or_refused(&bytes)?;
    }

    #[test]
    fn damaged_files_are_read_or_refused(
        which in 0..7usize,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut file = all_formats(9, 6).swap_remove(which).1;
        for (at, value) in edits {
            let at = at.index(file.len());
            file[at] = value;
        }
        is_read_or_refused(&file)?;
    }

    #[test]
    fn a_damaged_chunk_with_a_good_checksum_is_read_or_refused(
        data in prop::collection::vec(any::<u8>(), 0..40),
        name in prop::sample::select(vec![*b"PLTE", *b"tRNS", *b"cICP", *b"iCCP", *b"gAMA", *b"cHRM", *b"eXIf", *b"acTL", *b"fcTL", *b"IDAT", *b"sBIT"]),
        color in prop::sample::select(vec![Color::Gray, Color::Rgb, Color::Palette, Color::Rgba]),
        interlaced in any::<bool>(),
    ) {
        let file = Png::new(4, 4, color, 8, interlaced).with(&name, &data).bytes();
        is_read_or_refused(&file)?;
    }
}
