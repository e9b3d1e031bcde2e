//! A differ that has compared takes no more memory than its next result is.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use trueup_frame::{ImageView, PixelFormat, Size};
use trueup_pixel_diff::{Antialiasing, Differ, MetricKind, Options};

struct Counting;

static TAKEN: AtomicU64 = AtomicU64::new(0);

#[expect(unsafe_code, reason = "an allocator has to be one")]
// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TAKEN.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        TAKEN.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SIZE: Size = Size::new(320, 240);

/// A page of white with squares of a colour.
fn page(squares: &[(usize, usize, usize)], color: [u8; 4]) -> Vec<u8> {
    let mut bytes = vec![255; 320 * 240 * 4];
    for &(x, y, side) in squares {
        for row in y..y + side {
            for column in x..x + side {
                bytes[(row * 320 + column) * 4..][..4].copy_from_slice(&color);
            }
        }
    }
    bytes
}

#[test]
fn a_differ_takes_no_more_memory_than_its_results() {
    let squares: Vec<(usize, usize, usize)> = (0..12).map(|i| (10 + 24 * i, 15 + 16 * i, 3 + i)).collect();
    let white = page(&[], [0; 4]);
    let one = page(&squares[..1], [200, 30, 30, 255]);
    let many = page(&squares, [30, 90, 200, 255]);
    let clear = page(&squares[2..5], [30, 90, 200, 100]);
    let view = |bytes| ImageView::packed(bytes, SIZE, PixelFormat::Rgba8).unwrap();
    for metric in MetricKind::ALL {
        for antialiasing in Antialiasing::ALL {
            let mut differ =
                Differ::new(Options::default().with_metric(metric).with_antialiasing(antialiasing)).unwrap();
            for (name, actual) in [("equal", &white), ("one", &one), ("many", &many), ("translucent", &clear)]
            {
                // Twice, so that every buffer has its size.
                differ.diff(&view(&white), &view(actual)).unwrap();
                let first = differ.diff(&view(&white), &view(actual)).unwrap().clone();
                let regions = first.regions().len() as u64;
                let before = TAKEN.load(Ordering::Relaxed);
                let again = differ.diff(&view(&white), &view(actual)).unwrap();
                let taken = TAKEN.load(Ordering::Relaxed) - before;
                assert_eq!(*again, first);
                assert!(
                    taken <= 9 * regions,
                    "{taken} for {regions} regions: {name} by {metric} with {antialiasing:?}"
                );
            }
        }
    }
}
