//! What it costs to tell what moved, and to compare captures that follow each other.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use trueup_benches::{Change, Picture};
use trueup_frame::{ImageView, PixelFormat, Size};
use trueup_pixel_diff::{Diff, Differ, Options, RegionKind, Relating, Session, diff, relate};

/// An RGBA picture.
struct Screen {
    size: Size,
    rgba: Vec<u8>,
}

impl Screen {
    fn view(&self) -> ImageView<'_> {
        ImageView::packed(&self.rgba, self.size, PixelFormat::Rgba8).expect("the pixels fit")
    }

    /// A pixel for each place.
    fn new(size: Size, mut pixel: impl FnMut(u32, u32) -> [u8; 4]) -> Self {
        let rows = (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y)));
        Self { size, rgba: rows.flat_map(|(x, y)| pixel(x, y)).collect() }
    }

    /// What was there, so many rows farther down.
    fn down(&self, rows: u32) -> Self {
        let row = self.size.width as usize * 4;
        let mut rgba = vec![255; row * rows as usize];
        rgba.extend_from_slice(&self.rgba[..self.rgba.len() - row * rows as usize]);
        Self { size: self.size, rgba }
    }
}

fn group<'c>(c: &'c mut Criterion, name: &str) -> BenchmarkGroup<'c, WallTime> {
    let mut group = c.benchmark_group(format!("relating/{name}"));
    group.sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    group
}

/// The plain comparison, and the same with what follows it.
fn both(c: &mut Criterion, name: &str, before: &Screen, after: &Screen, check: impl Fn(&Diff)) {
    let (options, relating) = (Options::default(), Relating::default());
    let (expected, actual) = (before.view(), after.view());
    let mut differ = Differ::new(options.clone()).expect("the defaults are in range");
    let mut group = group(c, name);
    group.bench_function("diff", |b| {
        b.iter(|| {
            differ.diff(black_box(&expected), black_box(&actual)).map(|found| found.differing_pixels())
        });
    });
    let related = || {
        let plain = diff(black_box(&expected), black_box(&actual), &options)?;
        relate(plain, &expected, &actual, &options, &relating)
    };
    let found = related().expect("the format is supported");
    assert!(!found.is_match());
    check(&found);
    group.bench_function("diff and relate", |b| b.iter(|| related().map(|found| found.regions().len())));
    group.finish();
}

fn pages(c: &mut Criterion) {
    for change in [Change::Few, Change::All] {
        let pair = Picture::Landing.pair(change);
        let size = pair.expected.size();
        let [before, after] =
            [&pair.expected, &pair.actual].map(|picture| Screen { size, rgba: picture.rgba() });
        both(c, &format!("landing-{}", change.name()), &before, &after, |found| {
            assert_eq!(found.differing_pixels(), pair.differing);
        });
        if change == Change::Few {
            both(c, "landing-shifted", &before, &before.down(7), |found| {
                let open: Vec<_> = found.open_regions().collect();
                assert!(open.iter().all(|region| region.kind() != RegionKind::Content), "{open:#?}");
                assert!(open.iter().any(|region| region.vector() == Some([0, 7])), "{open:#?}");
            });
        }
    }
}

/// A capture after another in which one row in a hundred changed.
fn sessions(c: &mut Criterion) {
    let pair = Picture::Landing.pair(Change::Few);
    let size = pair.expected.size();
    let design = Screen { size, rgba: pair.expected.rgba() };
    let one = Screen { size, rgba: pair.actual.rgba() };
    let row = size.width as usize * 4;
    let two = {
        let mut rgba = one.rgba.clone();
        for y in 4_000..4_090 {
            rgba[y * row + 400..y * row + 800].fill(90);
        }
        Screen { size, rgba }
    };
    let mut session = Session::new(design.view(), Options::default()).expect("the defaults are in range");
    for screen in [&one, &two, &one, &two] {
        let found = session.compare(&screen.view()).expect("the format is supported");
        let fresh = diff(&design.view(), &screen.view(), &Options::default());
        assert_eq!(*found, fresh.expect("the format is supported"));
    }
    let mut group = group(c, "session");
    group.bench_function("equality scan", |b| {
        b.iter(|| {
            let rows = black_box(&one).rgba.chunks_exact(row).zip(black_box(&two).rgba.chunks_exact(row));
            rows.filter(|(a, b)| a != b).count()
        });
    });
    let mut turn = [one.view(), two.view()].into_iter().cycle();
    group.bench_function("session, 1 % changed", |b| {
        b.iter(|| {
            let next = turn.next().expect("there is always another one");
            session.compare(black_box(&next)).map(Diff::differing_pixels)
        });
    });
    group.finish();
}

/// Pictures that are made to be hard, at one size and at four times as many pixels.
fn hostile(c: &mut Criterion) {
    for side in [1_000_u32, 2_000] {
        let size = Size::new(side, side);
        let mix = |x: u32, y: u32, seed: u32| {
            let at =
                x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ seed.wrapping_mul(0xC2B2_AE3D);
            (at ^ at >> 15).wrapping_mul(0x2C1B_3C6D) >> 24
        };
        let noise = |seed| Screen::new(size, |x, y| [mix(x, y, seed) as u8, mix(y, x, seed) as u8, 7, 255]);
        both(c, &format!("noise-{side}"), &noise(1), &noise(2), |_| ());
        let stripes =
            |from| Screen::new(size, |x, y| if (x + y + from) % 8 < 4 { [0, 0, 0, 255] } else { [255; 4] });
        both(c, &format!("stripes-{side}"), &stripes(0), &stripes(3), |_| ());
        let white = Screen::new(size, |_, _| [255; 4]);
        // One speck in twelve pixels and more than the merge distance apart in neither direction: 300 000 at 2 000.
        let specks = Screen::new(size, |x, y| {
            if (x + 2 * (y / 3 % 2)) % 4 == 0 && y % 3 == 0 { [200, 0, 0, 255] } else { [255; 4] }
        });
        both(c, &format!("specks-{side}"), &white, &specks, |_| ());
        let moved = specks.down(1);
        both(c, &format!("moved specks-{side}"), &specks, &moved, |_| ());
    }
}

criterion_group!(benches, pages, sessions, hostile);
criterion_main!(benches);
