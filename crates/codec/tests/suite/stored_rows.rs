//! Rows whose filters are undone here, against the whole decoder of `png`.

use std::io::Cursor;
use std::thread;

use png::Transformations;
use proptest::prelude::*;
use trueup_codec::{CodecError, Limits, Lockstep, decode, open};

use crate::support::{chunk, zlib};

/// A picture as its rows are stored: each with the type of its filter.
#[derive(Clone, Debug)]
struct Stored {
    width: u32,
    height: u32,
    /// PNG's number for the colours, and the channels.
    color: (u8, usize),
    is_wide: bool,
    lines: Vec<u8>,
    compression: Compression,
    /// Bytes of a chunk of compressed pixels.
    piece: usize,
    damage: Damage,
}

#[derive(Clone, Copy, Debug)]
enum Compression {
    Stored,
    Deflated,
}

/// What is wrong with it, under checksums that hold.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Nothing,
    /// Bytes of rows too few or too many.
    Rows(i8),
    /// A byte of the compressed pixels is another one.
    Byte(prop::sample::Index, u8),
    /// Compressed pixels end early.
    Cut(prop::sample::Index),
    /// A row has another type of filter.
    Filter(prop::sample::Index, u8),
}

impl Stored {
    /// The stream of compressed pixels, and the file of it.
    fn file(&self) -> (Vec<u8>, Vec<u8>) {
        let mut lines = self.lines.clone();
        let line_bytes = lines.len() / self.height as usize;
        match self.damage {
            Damage::Rows(by) => lines.resize(lines.len().saturating_add_signed(by.into()), 1),
            Damage::Filter(row, filter) => lines[row.index(self.height as usize) * line_bytes] = filter,
            _ => {}
        }
        let mut pixels = match self.compression {
            Compression::Stored => zlib(&lines),
            Compression::Deflated => fdeflate::compress_to_vec(&lines),
        };
        match self.damage {
            Damage::Byte(at, byte) => {
                let at = at.index(pixels.len());
                pixels[at] = byte;
            }
            Damage::Cut(len) => pixels.truncate(len.index(pixels.len())),
            _ => {}
        }
        let mut header = [self.width.to_be_bytes(), self.height.to_be_bytes()].concat();
        header.extend([if self.is_wide { 16 } else { 8 }, self.color.0, 0, 0, 0]);
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        chunk(&mut file, b"IHDR", &header);
        for piece in pixels.chunks(self.piece) {
            chunk(&mut file, b"IDAT", piece);
        }
        chunk(&mut file, b"IEND", &[]);
        (pixels, file)
    }

    /// Whether a stream of just these rows says another checksum than theirs, which the decoder of `png` does not look at.
    fn has_wrong_checksum(&self, pixels: &[u8]) -> bool {
        let mut inflater = fdeflate::Decompressor::new();
        inflater.ignore_adler32();
        let mut out = vec![0; self.lines.len() + 1];
        let inflated = inflater.read(pixels, &mut out, 0, true).ok().map(|(_, inflated)| inflated);
        inflated == Some(self.lines.len())
            && fdeflate::decompress_to_vec(pixels) == Err(fdeflate::DecompressionError::WrongChecksum)
    }
}

fn stored() -> impl Strategy<Value = Stored> {
    let damage = prop_oneof![
        4 => Just(Damage::Nothing),
        1 => any::<i8>().prop_map(Damage::Rows),
        1 => (any::<prop::sample::Index>(), any::<u8>()).prop_map(|(at, byte)| Damage::Byte(at, byte)),
        1 => any::<prop::sample::Index>().prop_map(Damage::Cut),
        1 => (any::<prop::sample::Index>(), 0..9_u8).prop_map(|(row, filter)| Damage::Filter(row, filter)),
    ];
    let compression = prop::sample::select(vec![Compression::Stored, Compression::Deflated]);
    let color = prop::sample::select(vec![(0, 1), (2, 3), (4, 2), (6, 4)]);
    (
        1..200_u32,
        1..90_u32,
        color,
        any::<bool>(),
        any::<u64>(),
        any::<bool>(),
        compression,
        1..9000_usize,
        damage,
    )
        .prop_map(|(width, height, color, is_wide, seed, is_noisy, compression, piece, damage)| {
            let row_bytes = width as usize * color.1 * if is_wide { 2 } else { 1 };
            let mut state = seed | 1;
            let mut next = move || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 32) as u8
            };
            let lines = (0..height)
                .flat_map(|_| {
                    let filter = next() % 5;
                    let row: Vec<u8> =
                        (0..row_bytes).map(|_| if is_noisy { next() } else { next() / 250 }).collect();
                    std::iter::once(filter).chain(row)
                })
                .collect();
            Stored { width, height, color, is_wide, lines, compression, piece, damage }
        })
}

/// All samples as the decoder of `png` gives them, in the machine's order; `None` when it refuses the file.
fn by_png(file: &[u8], is_wide: bool) -> Option<Vec<u8>> {
    let mut decoder = png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().ok()?;
    let mut samples = Vec::new();
    for _ in 0..reader.info().height {
        samples.extend_from_slice(reader.next_row().ok()??.data());
    }
    reader.finish().ok()?;
    if is_wide {
        samples
            .as_chunks_mut::<2>()
            .0
            .iter_mut()
            .for_each(|two| *two = u16::from_be_bytes(*two).to_ne_bytes());
    }
    Some(samples)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_are_those_of_the_decoder_below(picture in stored(), band_rows in 1..40_u32) {
        let (pixels, file) = picture.file();
        let limits = Limits::default();
        let mut expected = by_png(&file, picture.is_wide).filter(|_| !picture.has_wrong_checksum(&pixels));
        let whole = decode(&file, &limits).map(|decoded| decoded.frame.bytes().to_vec());
        if matches!(picture.damage, Damage::Cut(_)) && expected.is_none() && whole.is_ok() {
            // Two literals at a time are looked up there, so that the last one before a cut may not be given out.
            let (_, uncut) = Stored { damage: Damage::Nothing, ..picture.clone() }.file();
            expected = by_png(&uncut, picture.is_wide);
        }
        prop_assert_eq!(&whole.as_ref().ok(), &expected.as_ref(), "{:?}", whole.as_ref().err());

        let in_bands = open(&file, &limits).and_then(|mut rows| {
            let mut samples = Vec::new();
            while let Some(band) = rows.next_band(band_rows)? {
                band.view().rows().for_each(|row| samples.extend_from_slice(row));
            }
            Ok(samples)
        });
        prop_assert_eq!(told(&in_bands), told(&whole));

        // By threads that inflate, and a reader that undoes the filters.
        let [first, second] = by_threads(&file, &file, band_rows);
        prop_assert_eq!(told(&first), told(&whole));
        prop_assert_eq!(told(&second), told(&whole));
    }

    #[test]
    fn bands_that_two_pictures_share_are_those_of_both(
        picture in stored(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..5),
        band_rows in 1..40_u32,
    ) {
        let picture = Stored { damage: Damage::Nothing, ..picture };
        let mut other = picture.clone();
        let line_bytes = other.lines.len() / other.height as usize;
        for (at, byte) in edits {
            let at = at.index(other.lines.len());
            // A filter stays one.
            other.lines[at] = if at % line_bytes == 0 { byte % 5 } else { byte };
        }
        let [(_, file), (_, other_file)] = [&picture, &other].map(Stored::file);
        let expected = [&file, &other_file].map(|file| by_png(file, picture.is_wide).unwrap());
        prop_assert!(by_threads(&file, &other_file, band_rows).map(Result::unwrap) == expected);
    }
}

/// The samples of two files that are inflated by threads, or what the error of both is.
fn by_threads(first: &[u8], second: &[u8], band_rows: u32) -> [Result<Vec<u8>, CodecError>; 2] {
    let both: Result<_, CodecError> = thread::scope(|scope| {
        let mut both = Lockstep::threaded(scope, first, second, &Limits::default(), band_rows, 3)?;
        let mut samples = [Vec::new(), Vec::new()];
        while let Some(band) = both.next_pair(band_rows)? {
            for (samples, view) in samples.iter_mut().zip([band.first(), band.second()]) {
                view.rows().for_each(|row| samples.extend_from_slice(row));
            }
        }
        Ok(samples)
    });
    match both {
        Ok(samples) => samples.map(Ok),
        Err(error) => [Err(error.clone()), Err(error)],
    }
}

/// Samples, or what the error is of.
fn told(read: &Result<Vec<u8>, CodecError>) -> Result<&[u8], String> {
    read.as_deref().map_err(|error| format!("{:?}", error.kind()))
}
