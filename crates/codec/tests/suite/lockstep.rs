//! Several threads give what one gives.

use std::thread;

use proptest::prelude::*;
use trueup_codec::{CodecError, CodecErrorKind, Limits, Lockstep, Side, decode};

use crate::support::{Color, Png, all_formats, exif, on_disk};

/// What a reader sees: headers, the rows of both images in order, and how it ends.
#[derive(Debug, PartialEq)]
struct Seen {
    headers: String,
    rows: [Vec<u8>; 2],
    given: u32,
    end: Result<(), (CodecErrorKind, Option<Side>, String)>,
}

fn read(opened: Result<Lockstep<'_>, CodecError>, max_rows: &[u32]) -> Seen {
    let told = |error: CodecError| (error.kind().clone(), error.side(), error.to_string());
    let mut seen = Seen { headers: String::new(), rows: [Vec::new(), Vec::new()], given: 0, end: Ok(()) };
    let mut both = match opened {
        Ok(both) => both,
        Err(error) => return Seen { end: Err(told(error)), ..seen },
    };
    seen.headers = format!("{:?} {:?}", both.first(), both.second());
    for &rows in max_rows.iter().cycle() {
        match both.next_pair(rows) {
            Ok(Some(pair)) => {
                assert_eq!(pair.first_row(), seen.given);
                assert!(pair.first().size().height <= rows.max(1));
                assert_eq!(pair.first().size().height, pair.second().size().height);
                seen.given += pair.first().size().height;
                for (out, view) in seen.rows.iter_mut().zip([pair.first(), pair.second()]) {
                    out.extend(view.rows().flatten());
                }
            }
            Ok(None) => {
                assert!(both.next_pair(rows).unwrap().is_none(), "the end stays the end");
                break;
            }
            Err(error) => {
                let error = told(error);
                for _ in 0..2 {
                    assert_eq!(told(both.next_pair(rows).unwrap_err()), error, "the same error again");
                }
                seen.end = Err(error);
                break;
            }
        }
    }
    seen
}

/// All ways, held against each other; `max_rows` is what the reader of the threads asks for.
fn check(first: &[u8], second: &[u8], limits: &Limits, band_rows: u32, max_rows: &[u32]) -> Seen {
    let serial = read(Lockstep::open(first, second, limits), &[band_rows]);
    for threads in [0, 1, 2, 3] {
        let threaded = thread::scope(|scope| {
            read(Lockstep::threaded(scope, first, second, limits, band_rows, threads), max_rows)
        });
        assert_eq!(threaded, serial, "{threads} threads");
    }
    let (left, right) = (on_disk(first), on_disk(second));
    assert_eq!(read(Lockstep::open(&left, &right, limits), &[band_rows]), serial, "out of files");
    let threaded =
        thread::scope(|scope| read(Lockstep::threaded(scope, &left, &right, limits, band_rows, 3), max_rows));
    assert_eq!(threaded, serial, "out of files, three threads");
    serial
}

fn any_png() -> impl Strategy<Value = Vec<u8>> {
    let colors = vec![Color::Gray, Color::Rgb, Color::GrayAlpha, Color::Rgba];
    (
        1..12u32,
        1..80u32,
        prop::sample::select(colors),
        any::<bool>(),
        prop::bool::weighted(0.2),
        prop::option::weighted(0.2, 1..9u16),
        prop::bool::weighted(0.1),
    )
        .prop_map(|(width, height, color, wide, interlaced, turned, late)| {
            let mut png = Png::new(width, height, color, if wide { 16 } else { 8 }, interlaced);
            if let Some(orientation) = turned {
                png = png.with(b"eXIf", &exif(orientation));
            }
            if late {
                png = png.with_after(b"tEXt", b"Comment\0behind the pixels");
            }
            png.bytes()
        })
}

#[test]
fn another_gamma_is_converted_whoever_decodes() {
    // Pixels are stored as they are, so that a thread would leave undoing their filters to the reader.
    let plain = Png::new(40, 31, Color::Rgb, 8, false);
    let gamma = |gamma: u32| plain.clone().with(b"gAMA", &gamma.to_be_bytes()).bytes();
    let (first, second) = (gamma(100_000), gamma(45_455));
    let seen = check(&first, &second, &Limits::default(), 7, &[3, 1]);
    assert_eq!((seen.given, seen.end), (31, Ok(())));
    for (rows, file) in seen.rows.iter().zip([first, second]) {
        assert!(rows == decode(&file, &Limits::default()).unwrap().frame.bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn threads_see_what_one_sees(
        first in any_png(),
        second in any_png(),
        band_rows in 0..90u32,
        max_rows in prop::collection::vec(0..90u32, 1..4),
    ) {
        let seen = check(&first, &second, &Limits::default(), band_rows, &max_rows);
        prop_assert!(seen.end.is_ok());
    }

    #[test]
    fn threads_refuse_what_one_refuses(
        files in [any_png(), any_png()],
        damage in prop::collection::vec((0..2usize, any::<prop::sample::Index>(), 0..8u8), 1..4),
        band_rows in 1..40u32,
        max_rows in prop::collection::vec(1..40u32, 1..4),
    ) {
        let mut files = files;
        for (which, at, bit) in damage {
            let at = at.index(files[which].len());
            files[which][at] ^= 1 << bit;
        }
        check(&files[0], &files[1], &Limits::default().with_max_pixels(1 << 16), band_rows, &max_rows);
    }

    #[test]
    fn threads_keep_the_limits_that_one_keeps(
        files in [any_png(), any_png()],
        max_bytes in 16..6000u64,
        band_rows in 1..40u32,
    ) {
        let limits = Limits::default().with_max_bytes(max_bytes);
        check(&files[0], &files[1], &limits, band_rows, &[band_rows]);
    }
}

#[test]
fn every_pair_of_formats_is_read_on_threads() {
    let files = all_formats(13, 70);
    for (_, first) in &files {
        for (_, second) in &files {
            assert!(check(first, second, &Limits::default(), 16, &[16]).end.is_ok());
        }
    }
}

#[test]
fn of_two_damaged_images_the_first_is_named() {
    let damaged = |height| {
        let mut file = Png::new(4, height, Color::Rgb, 8, false).bytes();
        let at = file.len() - 40;
        file[at] ^= 1;
        file
    };
    for (first, second) in [(90, 90), (90, 70), (70, 90)] {
        let seen = check(&damaged(first), &damaged(second), &Limits::default(), 8, &[8, 3]);
        let (kind, side, _) = seen.end.unwrap_err();
        // The shorter image's damage is in its last band, the taller one's below what both have.
        assert_eq!(side, Some(if first <= second { Side::First } else { Side::Second }));
        assert!(matches!(kind, CodecErrorKind::Damaged { .. }));
    }
}

#[test]
fn a_reader_may_leave_early() {
    let tall = Png::new(64, 3000, Color::Rgba, 8, false).bytes();
    let short = Png::new(64, 5, Color::Rgba, 8, false).bytes();
    for (first, second) in [(&tall, &tall), (&tall, &short)] {
        for reads in [0, 1, 2] {
            for threads in [2, 3] {
                thread::scope(|scope| {
                    let limits = Limits::default();
                    let mut both = Lockstep::threaded(scope, first, second, &limits, 4, threads).unwrap();
                    for _ in 0..reads {
                        both.next_pair(4).unwrap();
                    }
                });
            }
        }
    }
}
