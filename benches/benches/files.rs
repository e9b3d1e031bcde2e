//! Two PNG files in, an answer out, in process: decoding and comparing together.

use std::error::Error;
use std::hint::black_box;
use std::thread;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use trueup_benches::{Change, Effort, Pair, Picture, encode};
use trueup_codec::{Header, Limits, Lockstep};
use trueup_compare_pixel::ImagePair;
use trueup_frame::Rect;
use trueup_pixel_diff::{Diff, Layout, Options, Region, Scan, Window};

/// Rows of a band, as the comparer reads them.
const BAND: u32 = 64;

fn files(c: &mut Criterion) {
    for picture in Picture::ALL {
        for change in Change::ALL {
            let pair = picture.pair(change);
            let first = encode(&pair.expected, Effort::Usual).expect("it can be written");
            // Equal pixels in a file that is not equal: equal files are another case.
            let effort = if change == Change::Identical { Effort::Quick } else { Effort::Usual };
            let second = encode(&pair.actual, effort).expect("it can be written");
            let mut group = c.benchmark_group(format!("files/{}-{}", picture.name(), change.name()));
            group.sample_size(10).warm_up_time(Duration::from_millis(500));
            group.measurement_time(Duration::from_secs(3));
            group.throughput(Throughput::Elements(pair.expected.size().area()));

            let options = Options::default();
            check(
                &ImagePair::new(&first, &second).compare(&options).expect("they can be read"),
                &pair,
                change,
            );
            group.bench_function("trueup", |b| {
                b.iter(|| {
                    black_box(ImagePair::new(&first, &second).compare(&options)).map(|found| found.score())
                });
            });
            check(&on_threads(&first, &second, &options).expect("they can be read"), &pair, change);
            group.bench_function("trueup, decoded on two threads", |b| {
                b.iter(|| black_box(on_threads(&first, &second, &options)).map(|found| found.score()));
            });

            #[cfg(feature = "peers")]
            peers::bench(&mut group, &pair, &first, &second);
            group.finish();
        }
    }
}

fn check(found: &Diff, pair: &Pair, change: Change) {
    assert_eq!(found.differing_pixels(), pair.differing);
    if change != Change::All {
        let regions: Vec<Rect> = found.open_regions().map(Region::rect).collect();
        pair.assert_regions(&regions);
    }
}

/// The codec and the core put together by hand.
fn on_threads(first: &[u8], second: &[u8], options: &Options) -> Result<Diff, Box<dyn Error>> {
    thread::scope(|scope| {
        let mut both = Lockstep::threaded(scope, first, second, &Limits::default(), BAND, 2)?;
        let mut scan = Scan::new(layout(both.first()), layout(both.second()), options)?;
        while let Some(pair) = both.next_pair(BAND)? {
            scan.push(Window::new(pair.first(), pair.second(), pair.first_row()))?;
        }
        Ok(scan.finish()?)
    })
}

fn layout(header: &Header) -> Layout {
    Layout::new(header.size, header.format).with_color(header.color)
}

#[cfg(feature = "peers")]
mod peers {
    use std::fs;
    use std::hint::black_box;

    use blazediff::DiffOptions;
    use criterion::BenchmarkGroup;
    use criterion::measurement::WallTime;
    use dify::diff::RunParams;
    use trueup_benches::{Pair, yiq_pixels};

    pub(super) fn bench(group: &mut BenchmarkGroup<'_, WallTime>, pair: &Pair, first: &[u8], second: &[u8]) {
        let visible = yiq_pixels(&pair.expected, &pair.actual, 0.1);
        // As its command has it: antialiased pixels count.
        let options = DiffOptions { include_aa: true, ..DiffOptions::default() };
        let run = || {
            let (a, b) = blazediff::decode_image_pair(first, second).expect("they can be read");
            blazediff::diff(&a, &b, None, &options).expect("the sizes are equal").diff_count
        };
        assert_eq!(u64::from(run()), visible, "blazediff's count");
        group.bench_function("blazediff", |b| b.iter(|| black_box(run())));

        // It reads files, and writes its picture when something differs: there is no way to leave that out.
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let paths = ["first.png", "second.png", "diff.png"].map(|name| folder.path().join(name));
        fs::write(&paths[0], first).expect("it can be written");
        fs::write(&paths[1], second).expect("it can be written");
        let [left, right, output] = paths.each_ref().map(|path| path.to_str().expect("the path is UTF-8"));
        let params = RunParams {
            left,
            right,
            output,
            threshold: 0.1,
            output_image_base: None,
            do_not_check_dimensions: false,
            detect_anti_aliased_pixels: false,
            blend_factor_of_unchanged_pixels: None,
            block_out_areas: None,
        };
        let run = || dify::diff::run(&params).expect("they can be read").unwrap_or(0);
        let found = u64::from(run().unsigned_abs());
        assert!(found.abs_diff(visible) <= visible / 10_000, "dify counts {found}, not {visible}");
        group.bench_function("dify (writes its picture)", |b| b.iter(|| black_box(run())));
    }
}

criterion_group!(benches, files);
criterion_main!(benches);
