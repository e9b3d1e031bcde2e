//! Pieces and regions against flood fill and against another library.

use imageproc::image::{GrayImage, Luma};
use imageproc::region_labelling::{Connectivity, connected_components};
use proptest::prelude::*;
use trueup_frame::{ImageView, PixelFormat, Rect, Size};
use trueup_pixel_diff::{Options, Region, diff};

use crate::reference::flood;

/// Bits as an image: black where set, on white.
fn image(bits: &[bool]) -> Vec<u8> {
    bits.iter().map(|&bit| if bit { 0 } else { 255 }).collect()
}

fn regions(bits: &[bool], width: u32, merge_distance_px: u32) -> Vec<Region> {
    let size = Size::new(width, bits.len() as u32 / width);
    let (white, black) = (vec![255; bits.len()], image(bits));
    let view = |bytes| ImageView::packed(bytes, size, PixelFormat::Gray8).unwrap();
    let options = Options::default().with_merge_distance_px(merge_distance_px);
    diff(&view(&white), &view(&black), &options).unwrap().regions().to_vec()
}

fn masks() -> impl Strategy<Value = (Vec<bool>, u32)> {
    (1..70_u32, 1..40_u32, 0.02..0.98_f64).prop_flat_map(|(width, height, density)| {
        let bits = prop::collection::vec(prop::bool::weighted(density), (width * height) as usize);
        (bits, Just(width))
    })
}

proptest! {
    #[test]
    fn without_merging_regions_are_the_connected_components((bits, width) in masks()) {
        let mut got: Vec<(Rect, u64)> = regions(&bits, width, 0).iter().map(|r| (r.rect(), r.pixels())).collect();
        got.sort_unstable();

        let mut grid: Vec<_> = bits.iter().map(|&bit| bit.then_some((1, 0))).collect();
        let pieces = flood(&mut grid, width);
        let mut by_flood: Vec<(Rect, u64)> = pieces.iter().map(|p| (p.rect(), p.sum())).collect();
        by_flood.sort_unstable();
        prop_assert_eq!(&got, &by_flood);

        let height = bits.len() as u32 / width;
        // With a border, because the other library cannot label a single pixel.
        let mut picture = GrayImage::from_pixel(width + 2, height + 2, Luma([255]));
        for (i, &bit) in bits.iter().enumerate() {
            let (x, y) = (i as u32 % width, i as u32 / width);
            picture.put_pixel(x + 1, y + 1, Luma([if bit { 0 } else { 255 }]));
        }
        let labels = connected_components(&picture, Connectivity::Eight, Luma([255]));
        let mut by_label = std::collections::BTreeMap::new();
        for (x, y, &Luma([label])) in labels.enumerate_pixels().filter(|(_, _, label)| label.0[0] > 0) {
            let entry = by_label.entry(label).or_insert((Rect::default(), 0));
            *entry = (entry.0.union(Rect::new(x - 1, y - 1, 1, 1)), entry.1 + 1);
        }
        let mut by_label: Vec<(Rect, u64)> = by_label.into_values().collect();
        by_label.sort_unstable();
        prop_assert_eq!(&got, &by_label);
    }

    #[test]
    fn merging_only_groups((bits, width) in masks(), distance in 1..10_u32) {
        let (pieces, merged) = (regions(&bits, width, 0), regions(&bits, width, distance));
        let sums = |regions: &[Region]| {
            let sum = |of: fn(&Region) -> u64| regions.iter().map(of).sum::<u64>();
            (sum(Region::pixels), sum(Region::pieces), sum(Region::delta_e_sum), sum(Region::open_pixels))
        };
        prop_assert_eq!(sums(&pieces), sums(&merged));
        // Every piece lies in a region's box.
        for piece in &pieces {
            prop_assert!(merged.iter().any(|region| region.rect().union(piece.rect()) == region.rect()));
        }
        for region in &merged {
            prop_assert_eq!(region.histogram().pixels(), region.pixels());
        }
        // Heaviest first, then from the top, then from the left.
        let key = |r: &Region| (std::cmp::Reverse(r.delta_e_sum()), r.rect().y, r.rect().x);
        prop_assert!(merged.is_sorted_by_key(key));
    }

    #[test]
    fn two_pieces_merge_exactly_up_to_the_distance(gap_x in 0..12_u32, gap_y in 0..12_u32, distance in 0..9_u32) {
        // Two pixels with so many equal columns and rows between them.
        let (width, height) = (gap_x + 4, gap_y + 4);
        let mut bits = vec![false; (width * height) as usize];
        bits[(width + 1) as usize] = true;
        bits[((gap_y + 2) * width + gap_x + 2) as usize] = true;
        let near = gap_x.max(gap_y) <= distance;
        // Far apart on the diagonal the common box may be too empty at the larger distances only; side by side never.
        let merged = regions(&bits, width, distance).len() == 1;
        prop_assert!(near || !merged);
        if near && gap_x.min(gap_y) == 0 || gap_x.max(gap_y) == 0 {
            prop_assert!(merged);
        }
    }
}

#[test]
fn a_word_is_one_region_and_two_lines_are_two() {
    let (width, height) = (120, 60);
    let mut bits = vec![false; width * height];
    for (line, y0) in [(0, 10), (1, 29)] {
        for letter in 0..12 {
            for y in 0..10 {
                for x in 0..4 {
                    // A hollow letter, 4×10, then 2 pixels of space; line two has a word space of 5.
                    let space = if line == 1 && letter > 5 { 3 } else { 0 };
                    let edge = x == 0 || x == 3 || y == 0 || y == 9;
                    bits[(y0 + y) * width + 8 + letter * 6 + x + space] = edge;
                }
            }
        }
    }
    let found = regions(&bits, width as u32, 6);
    assert_eq!(found.len(), 2, "{:?}", found.iter().map(Region::rect).collect::<Vec<_>>());
    assert_eq!(found.iter().map(Region::pieces).collect::<Vec<_>>(), [12, 12]);
}

#[test]
fn marks_along_the_edges_do_not_swallow_the_page() {
    let side = 300;
    let mut bits = vec![false; side * side];
    for i in (0..side - 2).step_by(6) {
        for d in 0..2 {
            bits[i + d] = true;
            bits[(i + d) * side] = true;
        }
    }
    let found = regions(&bits, side as u32, 6);
    let largest = found.iter().map(|region| region.rect().area()).max();
    assert!(largest < Some(300 * 30), "{largest:?}");
}
