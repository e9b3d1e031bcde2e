//! Decoding alone: one picture against the decoder below, and two in lockstep.

use std::hint::black_box;
use std::io::Cursor;
use std::thread;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use trueup_benches::{Change, Effort, Pair, Picture, encode};
use trueup_codec::{CodecError, Limits, Lockstep, encode_png, open, same_file};
use trueup_frame::{ImageView, PixelFormat};

/// Rows of a band, as the comparer reads them.
const BAND: u32 = 64;

fn decode(c: &mut Criterion) {
    for picture in Picture::ALL {
        let pair = picture.pair(Change::Few);
        let first = encode(&pair.expected, Effort::Usual).expect("it can be written");
        let second = encode(&pair.actual, Effort::Usual).expect("it can be written");
        let size = pair.expected.size();
        let mut group = c.benchmark_group(format!("decode/{}", picture.name()));
        group.sample_size(15).warm_up_time(Duration::from_millis(500));
        group.measurement_time(Duration::from_secs(3));

        group.throughput(Throughput::Elements(size.area()));
        // Not `assert_eq`, which would print megabytes.
        assert!(whole(&first) == pair.expected.rgb(), "png's pixels");
        group.bench_function("png, whole", |b| b.iter(|| black_box(whole(&first))));
        assert_eq!(rows_with_png(&first, pair.expected.rgb()), 0);
        group.bench_function("png, row by row", |b| {
            b.iter(|| black_box(rows_with_png(&first, pair.expected.rgb())));
        });
        group.bench_function("trueup, bands", |b| b.iter(|| black_box(bands(&first))));

        group.throughput(Throughput::Elements(2 * size.area()));
        let differing = differing_rows(&pair);
        let both = serial(&first, &second).expect("they can be read");
        assert_eq!(both, differing);
        group.bench_function("trueup, two in lockstep", |b| b.iter(|| black_box(serial(&first, &second))));
        assert_eq!(threaded(&first, &second).expect("they can be read"), differing);
        group.bench_function("trueup, two in lockstep, threads", |b| {
            b.iter(|| black_box(threaded(&first, &second)));
        });

        let copy = first.clone();
        assert!(same_file(&first, &copy, &Limits::default()).is_some());
        assert!(same_file(&first, &second, &Limits::default()).is_none());
        group.bench_function("trueup, equal files", |b| {
            b.iter(|| black_box(same_file(&first, &copy, &Limits::default())));
        });

        group.throughput(Throughput::Elements(size.area()));
        let dimmed = dimmed(&pair);
        let view = ImageView::packed(&dimmed, size, PixelFormat::Rgb8).expect("the pixels fit");
        let written = encode_png(&view).expect("it can be written");
        assert!(whole(&written) == dimmed, "the written picture");
        group.bench_function("trueup, write a dimmed picture", |b| b.iter(|| black_box(encode_png(&view))));
        group.finish();
    }
}

fn whole(file: &[u8]) -> Vec<u8> {
    let mut decoder = png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().expect("it can be read");
    let mut pixels = vec![0; reader.output_buffer_size().expect("it fits")];
    reader.next_frame(&mut pixels).expect("it can be read");
    pixels
}

/// The least that reading rows takes: each into the same memory. Says how many are not as expected.
fn rows_with_png(file: &[u8], expected: &[u8]) -> usize {
    let mut reader = png::Decoder::new(Cursor::new(file)).read_info().expect("it can be read");
    let mut row = vec![0; reader.output_line_size(reader.info().width).expect("it fits")];
    let mut wrong = 0;
    for expected in expected.chunks_exact(row.len()) {
        reader.read_row(&mut row).expect("it can be read");
        wrong += usize::from(row != expected);
    }
    wrong
}

fn bands(file: &[u8]) -> Result<u32, CodecError> {
    let mut rows = open(file, &Limits::default())?;
    let mut read = 0;
    while let Some(band) = rows.next_band(BAND)? {
        read += band.view().size().height;
    }
    Ok(read)
}

fn serial(first: &[u8], second: &[u8]) -> Result<usize, CodecError> {
    count(Lockstep::open(first, second, &Limits::default())?)
}

fn threaded(first: &[u8], second: &[u8]) -> Result<usize, CodecError> {
    thread::scope(|scope| count(Lockstep::threaded(scope, first, second, &Limits::default(), BAND, 2)?))
}

fn count(mut both: Lockstep<'_>) -> Result<usize, CodecError> {
    let mut differing = 0;
    while let Some(band) = both.next_pair(BAND)? {
        differing += band.first().rows().zip(band.second().rows()).filter(|(a, b)| a != b).count();
    }
    Ok(differing)
}

fn differing_rows(pair: &Pair) -> usize {
    let row = pair.expected.size().width as usize * 3;
    let rows = pair.expected.rgb().chunks_exact(row).zip(pair.actual.rgb().chunks_exact(row));
    rows.filter(|(a, b)| a != b).count()
}

/// The picture of a difference as the comparer draws it: pale grey, and red where something differs.
fn dimmed(pair: &Pair) -> Vec<u8> {
    let pixels = pair.expected.rgb().as_chunks::<3>().0.iter().zip(pair.actual.rgb().as_chunks::<3>().0);
    pixels
        .flat_map(|(expected, actual)| {
            if expected != actual {
                return [225, 29, 72];
            }
            let [red, green, blue] = expected.map(u32::from);
            let luma = (red * 77 + green * 150 + blue * 29) >> 8;
            [(255 - (255 - luma) * 2 / 5) as u8; 3]
        })
        .collect()
}

criterion_group!(benches, decode);
criterion_main!(benches);
