//! Bands and lockstep.

use trueup_codec::{CodecErrorKind, Limits, Lockstep, Side, decode, open};
use trueup_frame::Size;

use crate::support::{Color, Png, all_formats, exif};

/// All bands of a height, put together, with a check of their positions.
fn concatenated(file: &[u8], rows: u32) -> Vec<u8> {
    let mut opened = open(file, &Limits::default()).unwrap();
    let height = opened.header().size.height;
    let header = opened.header().clone();
    let mut out = Vec::new();
    let mut next = 0;
    while let Some(band) = opened.next_band(rows).unwrap() {
        assert_eq!(band.first_row(), next);
        assert_eq!(band.view().size().width, header.size.width);
        assert_eq!(
            (band.view().format(), band.view().alpha(), band.view().color()),
            (header.format, header.alpha, header.color)
        );
        assert!(band.view().size().height <= rows.max(1));
        next += band.view().size().height;
        for row in band.view().rows() {
            out.extend_from_slice(row);
        }
    }
    assert_eq!(next, height);
    assert_eq!(opened.rows_left(), 0);
    assert!(opened.next_band(rows).unwrap().is_none(), "the end stays the end");
    out
}

#[test]
fn bands_of_any_height_make_the_whole() {
    let mut files: Vec<(String, Vec<u8>)> =
        all_formats(17, 23).into_iter().map(|(name, file)| (name.to_owned(), file)).collect();
    for interlaced in [false, true] {
        files.push((format!("png16 {interlaced}"), Png::new(17, 23, Color::Rgba, 16, interlaced).bytes()));
        for orientation in [2, 3, 6] {
            let png = Png::new(17, 23, Color::Rgb, 8, interlaced).with(b"eXIf", &exif(orientation));
            files.push((format!("png {interlaced} turned {orientation}"), png.bytes()));
        }
    }
    for (name, file) in &files {
        let whole = decode(file, &Limits::default()).unwrap();
        for rows in [0, 1, 2, 5, 16, 22, 23, 24, u32::MAX] {
            assert_eq!(concatenated(file, rows), whole.frame.bytes(), "{name} in bands of {rows}");
        }
    }
}

#[test]
fn a_band_takes_the_memory_of_a_band() {
    let file = Png::new(100, 1000, Color::Rgb, 8, false).bytes();
    let limits = Limits::default().with_max_bytes(100 * 3 * 10 + 1000);
    let mut rows = open(&file, &limits).unwrap();
    while let Some(band) = rows.next_band(10).unwrap() {
        assert_eq!(band.view().size(), Size::new(100, 10));
    }
    let whole = decode(&file, &limits).unwrap_err();
    assert_eq!(whole.kind(), &CodecErrorKind::TooManyBytes { needed: 300_000, limit: 4000 });
    let mut rows = open(&file, &limits).unwrap();
    assert!(rows.next_band(1000).is_err());
}

#[test]
fn a_picture_that_is_turned_is_counted_twice() {
    let limits = Limits::default().with_max_bytes(4 * 6 * 3 * 2 - 1);
    let upright = Png::new(4, 6, Color::Rgb, 8, true);
    assert!(open(&upright.bytes(), &limits).is_ok());
    let error = open(&upright.with(b"eXIf", &exif(6)).bytes(), &limits).unwrap_err();
    assert_eq!(error.kind(), &CodecErrorKind::TooManyBytes { needed: 144, limit: 143 });
}

#[test]
fn lockstep_covers_the_rows_of_both() {
    let a = Png::new(4, 9, Color::Rgb, 8, false);
    let b = Png::new(6, 5, Color::Gray, 16, true);
    let (file_a, file_b) = (a.bytes(), b.bytes());
    let whole = [&file_a, &file_b].map(|file| decode(file, &Limits::default()).unwrap().frame);
    for rows in [0, 1, 2, 3, 5, 100] {
        let mut both = Lockstep::open(&file_a, &file_b, &Limits::default()).unwrap();
        assert_eq!((both.first().size, both.second().size), (Size::new(4, 9), Size::new(6, 5)));
        let mut next = 0;
        while let Some(pair) = both.next_pair(rows).unwrap() {
            assert_eq!(pair.first_row(), next);
            assert_eq!(pair.first().size().height, pair.second().size().height);
            for y in 0..pair.first().size().height {
                assert_eq!(pair.first().row(y), whole[0].view().row(next + y));
                assert_eq!(pair.second().row(y), whole[1].view().row(next + y));
            }
            next += pair.first().size().height;
        }
        assert_eq!(next, 5);
    }
}

#[test]
fn lockstep_says_which_image_is_wrong() {
    let good = Png::new(4, 4, Color::Rgb, 8, false).bytes();
    let error = Lockstep::open(&good, b"text", &Limits::default()).unwrap_err();
    assert_eq!(error.side(), Some(Side::Second));
    assert!(error.to_string().starts_with("second image: this is text, not an image"), "{error}");
    let error = Lockstep::open(b"", b"", &Limits::default()).unwrap_err();
    assert_eq!(error.side(), Some(Side::First));
}

#[test]
fn damage_below_the_shared_rows_is_found() {
    let short = Png::new(4, 2, Color::Rgb, 8, false).bytes();
    let mut tall = Png::new(4, 400, Color::Rgb, 8, false).bytes();
    // The last compressed bytes: a checksum over rows that the short image does not have.
    let at = tall.len() - 40;
    tall[at] ^= 1;
    let mut both = Lockstep::open(&short, &tall, &Limits::default()).unwrap();
    assert!(both.next_pair(64).unwrap().is_some());
    let error = both.next_pair(64).unwrap_err();
    assert_eq!(error.side(), Some(Side::Second));
    assert!(matches!(error.kind(), CodecErrorKind::Damaged { .. }));
}

#[test]
fn an_error_is_said_again() {
    let mut file = Png::new(4, 4, Color::Rgb, 8, false).bytes();
    let at = file.len() - 30;
    file[at] ^= 1;
    let mut rows = open(&file, &Limits::default()).unwrap();
    let first = rows.next_band(4).unwrap_err();
    let again = rows.next_band(1).unwrap_err();
    assert_eq!(first.kind(), again.kind());
}
