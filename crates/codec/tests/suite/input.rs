//! Files that are read as they are decoded.

use std::fs::{self, File};
use std::io::{self, Write};

use trueup_codec::{CodecErrorKind, FileFormat, Input, Limits, decode, open, same_file};
use trueup_frame::Size;

use crate::support::{Color, Png, all_formats, exif, on_disk};

/// What becomes of some bytes, in memory and as a file.
fn check(bytes: &[u8], name: &str) {
    let limits = Limits::default().with_max_pixels(1 << 20).with_max_bytes(1 << 24);
    let told = |decoded: Result<trueup_codec::Decoded, trueup_codec::CodecError>| {
        decoded
            .map(|decoded| (decoded.frame, decoded.header))
            .map_err(|error| (error.kind().clone(), error.to_string()))
    };
    let file = on_disk(bytes);
    assert_eq!(told(decode(&file, &limits)), told(decode(bytes, &limits)), "{name}");
    let copy = on_disk(bytes);
    assert_eq!(same_file(&file, &copy, &limits), same_file(bytes, bytes, &limits), "{name}");
    assert_eq!(same_file(&file, bytes, &limits), same_file(bytes, bytes, &limits), "{name}, one in memory");
}

fn rich() -> Png {
    Png::new(7, 5, Color::Palette, 2, false)
        .with(b"iCCP", b"Display P3\0\0not a profile")
        .with(b"PLTE", &[9, 8, 7, 200, 100, 0, 1, 2, 3, 0, 0, 255])
        .with(b"tRNS", &[0, 99])
        .with_after(b"eXIf", &exif(3))
}

#[test]
fn a_file_is_read_as_its_bytes_are() {
    for (name, bytes) in all_formats(13, 10) {
        check(&bytes, name);
        for n in 0..bytes.len() {
            check(&bytes[..n], name);
        }
    }
    check(&rich().bytes(), "rich");
    check(&Png::new(9, 9, Color::Rgba, 16, true).bytes(), "interlaced");
    for text in [&b""[..], b"text", b"BM", b"\x89PNG\r\n\x1a\n", b"\0\0\0\x1cftypavif"] {
        check(text, "no image");
    }
}

#[test]
fn a_damaged_file_is_refused_as_its_bytes_are() {
    let bytes = rich().bytes();
    for bit in 0..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        check(&damaged, &format!("bit {bit}"));
    }
}

/// Chunks that are shorter and longer than what is read at a time, and what is skipped lies across its ends.
#[test]
fn chunks_of_any_length_are_walked() {
    for piece in [1, 100, 4_000, 4_096, 5_000, 70_000, 1 << 20] {
        let mut png = Png::new(200, 190, Color::Rgb, 8, false).with(b"tEXt", &vec![b'x'; piece]);
        png.piece = piece;
        check(&png.with_after(b"eXIf", &exif(6)).bytes(), &format!("pieces of {piece}"));
    }
}

#[test]
fn one_file_can_be_both_images() {
    let file = on_disk(&Png::new(30, 200, Color::Rgb, 8, false).bytes());
    assert!(same_file(&file, &file, &Limits::default()).is_some());
    let mut both = trueup_codec::Lockstep::open(&file, &file, &Limits::default()).unwrap();
    let mut rows = 0;
    while let Some(pair) = both.next_pair(7).unwrap() {
        assert!(pair.first().rows().eq(pair.second().rows()));
        rows += pair.first().size().height;
    }
    assert_eq!(rows, 200);
}

#[test]
fn files_that_differ_anywhere_are_not_the_same() {
    let bytes = Png::new(400, 300, Color::Rgb, 8, false).bytes();
    assert!(bytes.len() > 1 << 18, "more than is compared at a time");
    let file = on_disk(&bytes);
    for at in [0, 8, 1 << 17, (1 << 17) - 1, (1 << 17) + 1, bytes.len() - 1] {
        let mut other = bytes.clone();
        other[at] ^= 1;
        assert_eq!(same_file(&file, &on_disk(&other), &Limits::default()), None, "{at}");
    }
    // Behind the picture, where no checksum looks.
    let longer = |last: u8| on_disk(&[&bytes[..], &[0, last]].concat());
    assert_eq!(same_file(&longer(1), &longer(2), &Limits::default()), None);
    assert!(same_file(&longer(1), &longer(1), &Limits::default()).is_some());
}

#[test]
fn a_file_that_shrinks_while_it_is_read_is_cut_off() {
    let bytes = Png::new(400, 300, Color::Rgb, 8, false).bytes();
    let file = on_disk(&bytes);
    let mut rows = open(&file, &Limits::default()).unwrap();
    rows.next_band(1).unwrap();
    file.set_len(1 << 17).unwrap();
    let error = loop {
        match rows.next_band(16) {
            Ok(band) => assert!(band.is_some(), "it never ends well"),
            Err(error) => break error,
        }
    };
    let len = bytes.len() as u64;
    assert_eq!(error.kind(), &CodecErrorKind::Truncated { file: FileFormat::Png, len });
}

#[cfg(unix)]
#[test]
fn what_the_system_says_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let error = open(&File::open(folder.path()).unwrap(), &Limits::default()).unwrap_err();
    assert_eq!(error.kind(), &CodecErrorKind::Read { error: io::ErrorKind::IsADirectory });
    assert!(error.to_string().contains("directory"), "{error}");
    assert!(std::error::Error::source(&error).is_some());

    // Opened for writing alone.
    let path = folder.path().join("written.png");
    let mut file = File::create(&path).unwrap();
    file.write_all(&rich().bytes()).unwrap();
    assert!(matches!(decode(&file, &Limits::default()).unwrap_err().kind(), CodecErrorKind::Read { .. }));
    assert!(fs::metadata(&path).unwrap().len() > 0);
}

#[test]
fn the_size_of_a_png_is_in_its_first_bytes() {
    let bytes = Png::new(300, 7, Color::Gray, 8, false).bytes();
    assert_eq!(Input::from(&bytes).png_size(), Some(Size::new(300, 7)));
    assert_eq!(Input::from(&on_disk(&bytes)).png_size(), Some(Size::new(300, 7)));
    assert_eq!(Input::from(&bytes[..24]).png_size(), Some(Size::new(300, 7)));
    assert_eq!(Input::from(&bytes[..23]).png_size(), None);
    for (name, bytes) in all_formats(9, 6).iter().filter(|(name, _)| !name.contains("png")) {
        assert_eq!(Input::from(bytes).png_size(), None, "{name}");
    }
}
