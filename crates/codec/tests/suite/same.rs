//! Equal files that are answered without decoding.

use proptest::prelude::*;
use trueup_codec::{Limits, decode, same_file};

use crate::support::{Color, Png, all_formats, exif};

fn rich() -> Png {
    Png::new(7, 5, Color::Palette, 2, false)
        .with(b"gAMA", &45_455u32.to_be_bytes())
        .with(b"PLTE", &[9, 8, 7, 200, 100, 0, 1, 2, 3, 0, 0, 255])
        .with(b"tRNS", &[0, 99])
        .with_after(b"tEXt", b"Comment\0hello")
}

#[test]
fn equal_files_are_the_same_in_every_format() {
    let mut files = all_formats(9, 6);
    files.push(("rich", rich().bytes()));
    files.push(("interlaced", Png::new(5, 5, Color::Gray, 16, true).bytes()));
    files.push(("turned", rich().with_after(b"eXIf", &exif(6)).bytes()));
    for (name, file) in files {
        let header = same_file(&file, &file, &Limits::default());
        assert_eq!(header, Some(decode(&file, &Limits::default()).unwrap().header), "{name}");
    }
}

#[test]
fn other_bytes_are_not_known_to_be_the_same() {
    let (a, mut b) = (Png::new(7, 5, Color::Rgb, 8, false), Png::new(7, 5, Color::Rgb, 8, false));
    b.piece = 20;
    assert_ne!(a.bytes(), b.bytes());
    assert_eq!(same_file(&a.bytes(), &b.bytes(), &Limits::default()), None);
}

#[test]
fn a_file_that_cannot_be_read_is_not_the_same_as_itself() {
    let file = rich().bytes();
    for n in 0..file.len() {
        assert_eq!(same_file(&file[..n], &file[..n], &Limits::default()), None, "cut at {n}");
    }
    for bit in 0..file.len() * 8 {
        let mut damaged = file.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(same_file(&damaged, &damaged, &Limits::default()), None, "bit {bit}");
    }
    assert_eq!(same_file(b"text", b"text", &Limits::default()), None);
    assert_eq!(same_file(b"", b"", &Limits::default()), None);
}

#[test]
fn limits_hold_for_equal_files() {
    let file = rich().bytes();
    assert_eq!(same_file(&file, &file, &Limits::default().with_max_pixels(34)), None);
    assert!(same_file(&file, &file, &Limits::default().with_max_pixels(35)).is_some());
}

#[test]
fn chunks_that_the_decoder_would_look_into_are_left_to_it() {
    for name in [b"fdAT", b"fcTL", b"PLTE", b"gAMA", b"IDAT", b"IHDR", b"abCd", b"ABCD"] {
        // Pixels that go on behind another chunk are such a case, too.
        let file = rich().with_after(name, &[0; 13]).bytes();
        assert_eq!(same_file(&file, &file, &Limits::default()), None, "{name:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_the_same_can_be_decoded(
        which in 0..8usize,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        name in prop::sample::select(vec![*b"tEXt", *b"zTXt", *b"iTXt", *b"tIME", *b"eXIf", *b"iCCP"]),
        data in prop::collection::vec(any::<u8>(), 0..20),
    ) {
        let mut files: Vec<_> = all_formats(9, 6).into_iter().map(|(_, file)| file).collect();
        // Any content behind a good checksum, where content is not looked at.
        files.push(rich().with_after(&name, &data).bytes());
        files.push(rich().with(&name, &data).bytes());
        let whole = files.swap_remove(which);
        let mut damaged = whole.clone();
        for (at, value) in edits {
            let at = at.index(damaged.len());
            damaged[at] = value;
        }
        let limits = Limits::default().with_max_pixels(1 << 18).with_max_bytes(1 << 22);
        for file in [whole, damaged] {
            if let Some(header) = same_file(&file, &file, &limits) {
                prop_assert_eq!(decode(&file, &limits).map(|decoded| decoded.header).ok(), Some(header));
            }
        }
    }
}
