//! Two decoded pictures, RGBA, on one thread, and ours on two.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use trueup_benches::{Change, Pair, Picture};
use trueup_frame::{ImageView, PixelFormat, Rect};
use trueup_pixel_diff::{Differ, Options, Region, diff_parallel};

fn in_memory(c: &mut Criterion) {
    for picture in Picture::ALL {
        for change in Change::ALL {
            let pair = picture.pair(change);
            let (expected, actual) = (pair.expected.rgba(), pair.actual.rgba());
            let mut group = c.benchmark_group(format!("in_memory/{}-{}", picture.name(), change.name()));
            group.sample_size(10).warm_up_time(Duration::from_millis(500));
            group.measurement_time(Duration::from_secs(2));
            group.throughput(Throughput::Elements(pair.expected.size().area()));

            // What any comparison of memory costs at least.
            assert_eq!(expected == actual, change == Change::Identical);
            group.bench_function("equality scan", |b| {
                b.iter(|| differing_rows(black_box(&expected), black_box(&actual), &pair));
            });

            let size = pair.expected.size();
            let a = ImageView::packed(&expected, size, PixelFormat::Rgba8).expect("the pixels fit");
            let b = ImageView::packed(&actual, size, PixelFormat::Rgba8).expect("the pixels fit");
            let mut differ = Differ::new(Options::default()).expect("the defaults are in range");
            let found = differ.diff(&a, &b).expect("the format is supported");
            assert_eq!(found.differing_pixels(), pair.differing);
            assert_eq!(found.is_match(), change == Change::Identical);
            if change != Change::All {
                let regions: Vec<Rect> = found.open_regions().map(Region::rect).collect();
                pair.assert_regions(&regions);
            }
            group.bench_function("trueup CIEDE2000 + regions", |bencher| {
                bencher
                    .iter(|| differ.diff(black_box(&a), black_box(&b)).map(|found| found.differing_pixels()));
            });

            let options = Options::default();
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads are to be had");
            let by_two = || pool.install(|| diff_parallel(black_box(&a), black_box(&b), &options));
            let found = by_two().expect("the format is supported");
            assert_eq!(Ok(&found), differ.diff(&a, &b));
            group.bench_function("trueup CIEDE2000 + regions, two threads", |bencher| {
                bencher.iter(|| by_two().map(|found| found.differing_pixels()));
            });

            #[cfg(feature = "peers")]
            peers::bench(&mut group, &pair, &expected, &actual);
            group.finish();
        }
    }
}

/// Rows that are not equal: memory compared at the library's speed, and something to check.
fn differing_rows(expected: &[u8], actual: &[u8], pair: &Pair) -> usize {
    let row = pair.expected.size().width as usize * 4;
    expected.chunks_exact(row).zip(actual.chunks_exact(row)).filter(|(a, b)| a != b).count()
}

#[cfg(feature = "peers")]
mod peers {
    use std::hint::black_box;

    use blazediff::{DiffOptions, Image};
    use criterion::measurement::WallTime;
    use criterion::{BatchSize, BenchmarkGroup};
    use image::{RgbImage, RgbaImage};
    use trueup_benches::{Pair, yiq_pixels};

    /// The threshold that blazediff and pixelmatch have by default.
    const THRESHOLD: f64 = 0.1;

    pub(super) fn bench(
        group: &mut BenchmarkGroup<'_, WallTime>,
        pair: &Pair,
        expected: &[u8],
        actual: &[u8],
    ) {
        let visible = yiq_pixels(&pair.expected, &pair.actual, THRESHOLD);
        blazediff(group, pair, expected, actual, visible);
        dify(group, pair, expected, actual, visible);
        image_compare(group, pair);
    }

    fn blazediff(
        group: &mut BenchmarkGroup<'_, WallTime>,
        pair: &Pair,
        expected: &[u8],
        actual: &[u8],
        visible: u64,
    ) {
        let size = pair.expected.size();
        let image = |data: &[u8]| Image { data: data.to_vec(), width: size.width, height: size.height };
        let (a, b) = (image(expected), image(actual));
        for (name, include_aa) in [("blazediff YIQ", true), ("blazediff YIQ + AA", false)] {
            let options = DiffOptions { threshold: THRESHOLD, include_aa, ..DiffOptions::default() };
            let run = || blazediff::diff(&a, &b, None, &options).expect("the sizes are equal").diff_count;
            let found = u64::from(run());
            if include_aa {
                assert_eq!(found, visible, "blazediff's count");
            } else {
                assert!(
                    found <= visible,
                    "blazediff counts {found} with antialiasing left out, {visible} without"
                );
            }
            group.bench_function(name, |bencher| bencher.iter(|| black_box(run())));
        }
    }

    fn dify(
        group: &mut BenchmarkGroup<'_, WallTime>,
        pair: &Pair,
        expected: &[u8],
        actual: &[u8],
        visible: u64,
    ) {
        let size = pair.expected.size();
        let image = |data: &[u8]| {
            RgbaImage::from_raw(size.width, size.height, data.to_vec()).expect("the pixels fit")
        };
        let limit = (35_215.0 * THRESHOLD * THRESHOLD) as f32;
        let run = |(a, b)| {
            let found = dify::diff::get_results(a, b, limit, false, None, &None, &None);
            found.map_or(0, |(count, _)| count)
        };
        let found = run((image(expected), image(actual)));
        // It computes in single precision: a pixel right at the threshold may fall on the other side.
        let slack = visible / 10_000;
        assert!(
            u64::from(found.unsigned_abs()).abs_diff(visible) <= slack,
            "dify counts {found}, not {visible}"
        );
        // It consumes its pictures; copying them is not measured.
        group.bench_function("dify YIQ", |bencher| {
            bencher.iter_batched(|| (image(expected), image(actual)), run, BatchSize::LargeInput);
        });
    }

    fn image_compare(group: &mut BenchmarkGroup<'_, WallTime>, pair: &Pair) {
        let size = pair.expected.size();
        let image =
            |data: &[u8]| RgbImage::from_raw(size.width, size.height, data.to_vec()).expect("the pixels fit");
        let (a, b) = (image(pair.expected.rgb()), image(pair.actual.rgb()));
        let run = || image_compare::rgb_hybrid_compare(&a, &b).expect("the sizes are equal").score;
        assert_eq!(run() == 1.0, pair.differing == 0, "image-compare's score");
        // Only where the picture is small: it is the slowest by far, and the run is long enough.
        if size.area() < 1 << 20 {
            group.bench_function("image-compare hybrid", |bencher| bencher.iter(|| black_box(run())));
        }
    }
}

criterion_group!(benches, in_memory);
criterion_main!(benches);
