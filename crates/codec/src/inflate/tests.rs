//! Against the inflaters below `png`, which are others' work.

use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, TDEFLStatus, compress, create_comp_flags_from_zip_params,
};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_IGNORE_ADLER32, TINFL_FLAG_PARSE_ZLIB_HEADER, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use proptest::prelude::*;

use super::inflater::InflateError;
use super::{Inflater, ROOM_BYTES, WINDOW_BYTES};

/// Everything that a stream inflates to, and what is wrong behind it. Input and output come in pieces; what is no longer needed
/// of the output is given up, as it is for rows.
fn inflated(stream: &[u8], piece: usize) -> (Vec<u8>, Result<(), Option<InflateError>>) {
    let mut inflater = Inflater::new();
    let (mut all, mut buffer, mut filled, mut at) = (Vec::new(), vec![0xEE; ROOM_BYTES], 0, 0);
    loop {
        let input = &stream[at..stream.len().min(at + piece)];
        let progress = inflater.inflate(input, &mut buffer, filled);
        all.extend_from_slice(&buffer[filled..progress.filled]);
        at += progress.taken;
        let is_stuck = input.is_empty() && progress.filled == filled;
        filled = progress.filled;
        if let Some(error) = progress.failed {
            return (all, Err(Some(error)));
        }
        if inflater.is_done() {
            return (all, Ok(()));
        }
        if is_stuck {
            return (all, Err(None));
        }
        if filled > WINDOW_BYTES {
            buffer.copy_within(filled - WINDOW_BYTES..filled, 0);
            filled = WINDOW_BYTES;
        }
        buffer.resize(filled + ROOM_BYTES, 0xEE);
    }
}

/// The same by `fdeflate`, all at once; `None` when it refuses the stream.
fn by_fdeflate(stream: &[u8]) -> Option<Vec<u8>> {
    let mut inflater = fdeflate::Decompressor::new();
    inflater.ignore_adler32();
    let (mut out, mut filled, mut at) = (vec![0; 1 << 16], 0, 0);
    while !inflater.is_done() {
        out.resize(filled + (1 << 16), 0);
        let (taken, made) = inflater.read(&stream[at..], &mut out, filled, true).ok()?;
        (at, filled) = (at + taken, filled + made);
    }
    out.truncate(filled);
    Some(out)
}

/// Whether `miniz_oxide` meets something that is wrong. It is asked about symbols without a meaning, which `fdeflate` passes over.
fn is_refused_by_miniz(stream: &[u8]) -> bool {
    let flags =
        TINFL_FLAG_PARSE_ZLIB_HEADER | TINFL_FLAG_IGNORE_ADLER32 | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let mut out = vec![0; 1 << 24];
    let (status, _, _) = decompress(&mut DecompressorOxide::new(), stream, &mut out, 0, flags);
    status == TINFLStatus::Failed
}

/// Bytes as pixels are: noise of few bits, flat ground, and what was there before.
fn pixels() -> impl Strategy<Value = Vec<u8>> {
    // Now and then more than is inflated at a time.
    let length = prop_oneof![8 => 1..9_000_usize, 1 => 1..300_000_usize];
    let piece = (0..4_u8, 1..9_u32, any::<u64>(), length, 1..40_000_usize);
    prop::collection::vec(piece, 0..9).prop_map(|pieces| {
        let mut bytes = Vec::new();
        for (kind, bits, seed, length, distance) in pieces {
            let mut state = seed | 1;
            let mut noise = move || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 40) as u8
            };
            let ground = noise();
            for _ in 0..length {
                let from = bytes.len().checked_sub(distance);
                let byte = match (kind, from) {
                    (0, _) => noise() & ((1_u32 << bits) - 1) as u8,
                    (1, _) => ground,
                    // Mostly as before.
                    (2, Some(from)) if noise() > 16 => bytes[from],
                    (3, Some(from)) => bytes[from],
                    _ => ground ^ (noise() & 1),
                };
                bytes.push(byte);
            }
        }
        bytes
    })
}

/// A stream of some level from 0, which stores, and strategy: as zlib makes it, filtered, by codes alone, of runs, by fixed codes.
fn deflated(bytes: &[u8], level: i32, strategy: i32) -> Vec<u8> {
    let mut compressor = CompressorOxide::new(create_comp_flags_from_zip_params(level, 15, strategy));
    let mut stream = vec![0; bytes.len() * 2 + 4096];
    let (status, _, made) = compress(&mut compressor, bytes, &mut stream, TDEFLFlush::Finish);
    assert_eq!(status, TDEFLStatus::Done);
    stream.truncate(made);
    stream
}

fn streams() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    (pixels(), -1..=9, 0..=4).prop_map(|(bytes, level, strategy)| {
        let stream =
            if level < 0 { fdeflate::compress_to_vec(&bytes) } else { deflated(&bytes, level, strategy) };
        (bytes, stream)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_deflated_comes_back((bytes, stream) in streams(), piece in 1..70_000_usize) {
        prop_assert!(by_fdeflate(&stream).is_some_and(|other| other == bytes));
        for piece in [piece, piece % 40 + 1, stream.len()] {
            let (out, end) = inflated(&stream, piece);
            prop_assert_eq!(end, Ok(()));
            prop_assert!(out == bytes, "{} bytes came back, expected {}", out.len(), bytes.len());
        }
    }

    #[test]
    fn what_is_damaged_is_refused_as_others_do(
        (_, stream) in streams(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        cut in prop::option::of(any::<prop::sample::Index>()),
        piece in 1..5_000_usize,
    ) {
        let mut stream = stream;
        // Near its beginning most of all, where codes are said.
        for (at, byte) in edits {
            let among = if byte % 2 == 0 { stream.len() } else { stream.len().min(80) };
            let at = at.index(among);
            stream[at] = byte;
        }
        if let Some(cut) = cut {
            stream.truncate(cut.index(stream.len()));
        }
        let (out, end) = inflated(&stream, piece);
        match by_fdeflate(&stream) {
            Some(_) if end == Err(Some(InflateError::Symbol)) => prop_assert!(is_refused_by_miniz(&stream)),
            Some(expected) => {
                prop_assert_eq!(end, Ok(()));
                prop_assert!(out == expected);
            }
            None => prop_assert!(end != Ok(())),
        }
        let (all_at_once, whole_end) = inflated(&stream, usize::MAX / 2);
        prop_assert_eq!(whole_end, end);
        let (bytewise, bytewise_end) = inflated(&stream, 1);
        prop_assert_eq!(bytewise_end, end);
        prop_assert!(bytewise == all_at_once);
    }

    #[test]
    fn noise_is_no_stream_that_does_harm(noise in prop::collection::vec(any::<u8>(), 0..600)) {
        let stream = [&[0x78, 0x01][..], &noise].concat();
        prop_assert_eq!(inflated(&stream, 7), inflated(&stream, 600));
    }
}

/// Bits of a stream, the first one first, behind a header.
fn of_bits(fields: &[(u32, u32)]) -> Vec<u8> {
    let mut bits: Vec<bool> = Vec::new();
    for &(value, count) in fields {
        bits.extend((0..count).map(|bit| value >> bit & 1 == 1));
    }
    let bytes = bits
        .chunks(8)
        .map(|byte| byte.iter().enumerate().fold(0, |byte, (place, &bit)| byte | u8::from(bit) << place));
    [0x78, 0x01].into_iter().chain(bytes).collect()
}

#[test]
fn each_fault_is_told() {
    let last = (1, 1);
    let (stored, fixed, dynamic) = ((0, 2), (1, 2), (2, 2));
    // Codes as they stand in a stream of fixed ones: those of 7 and 8 bits, the highest bit first.
    let code = |code: u32, bits: u32| (code.reverse_bits() >> (32 - bits), bits);
    let (end, literal, length_3) = (code(0, 7), code(0x30, 8), code(1, 7));
    let cases = [
        (vec![0x79, 0x01, 0, 0], InflateError::Header),
        (vec![0x78, 0x02, 0, 0], InflateError::Header),
        // A preset dictionary.
        (vec![0x78, 0x20, 0, 0], InflateError::Header),
        (of_bits(&[last, (3, 2)]), InflateError::BlockType),
        (of_bits(&[last, stored, (0, 5), (1, 16), (1, 16)]), InflateError::StoredLength),
        (of_bits(&[last, dynamic, (30, 5), (0, 5), (0, 4)]), InflateError::CodeCount),
        (of_bits(&[last, dynamic, (0, 5), (30, 5), (0, 4)]), InflateError::CodeCount),
        // Four codes of one bit, and one of three bits alone.
        (
            of_bits(&[last, dynamic, (0, 5), (0, 5), (0, 4), (1, 3), (1, 3), (1, 3), (1, 3)]),
            InflateError::CodeLengths,
        ),
        (
            of_bits(&[last, dynamic, (0, 5), (0, 5), (0, 4), (3, 3), (0, 3), (0, 3), (0, 3)]),
            InflateError::CodeLengths,
        ),
        // A repeat of nothing.
        (
            of_bits(&[last, dynamic, (0, 5), (0, 5), (0, 4), (1, 3), (1, 3), (0, 3), (0, 3), (0, 3)]),
            InflateError::CodeLengths,
        ),
        // Symbols 286 and distances 30 have codes and no meaning.
        (of_bits(&[last, fixed, literal, code(0b1100_0110, 8), end]), InflateError::Symbol),
        (of_bits(&[last, fixed, literal, length_3, code(30, 5), end]), InflateError::Distance),
        (of_bits(&[last, fixed, literal, length_3, code(1, 5), end]), InflateError::TooFarBack),
    ];
    for (stream, error) in cases {
        // Behind it comes what keeps it from being too short.
        let stream = [&stream[..], &[0; 16]].concat();
        assert_eq!(inflated(&stream, 1).1, Err(Some(error)), "{stream:x?}");
        assert_eq!(inflated(&stream, 1000).1, Err(Some(error)), "{stream:x?}");
        assert!(is_refused_by_miniz(&stream), "{stream:x?}");
        assert!(!error.to_string().is_empty());
    }
    let good = [&of_bits(&[last, fixed, literal, length_3, code(0, 5), end])[..], &[1, 2, 3, 4]].concat();
    assert_eq!(inflated(&good, 1), (vec![0; 4], Ok(())));
    // What is there of a stream that is cut off comes all the same.
    for missing in 1..=5 {
        assert_eq!(inflated(&good[..good.len() - missing], 1), (vec![0; 4], Err(None)));
    }
}
