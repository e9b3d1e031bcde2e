//! Laws that hold for all images and options.

use proptest::prelude::*;
use trueup_frame::{Frame, ImageView, PixelFormat, Rect, Size};
use trueup_pixel_diff::strategy::{image_pair, options, rects, unlike_image_pair};
use trueup_pixel_diff::{
    Antialiasing, Backdrop, BitMask, Diff, Mask, Options, Region, RegionKind, Tolerance, diff,
};

use crate::reference::compare;

fn run(e: &Frame, a: &Frame, options: &Options) -> Diff {
    diff(&e.view(), &a.view(), options).unwrap()
}

fn masked_by(mut options: Options, masks: &[Rect]) -> Options {
    options.ignored = masks.iter().copied().map(Mask::from).collect();
    options
}

/// Pixels of open pieces, as boxes and sums, for comparing two results.
fn weights(found: &Diff) -> Vec<(Rect, u64, u64, u64)> {
    let key = |r: &Region| (r.rect(), r.pixels(), r.delta_e_sum(), r.open_pixels());
    let mut all: Vec<_> = found.regions().iter().map(key).collect();
    all.sort_unstable();
    all
}

proptest! {
    #[test]
    fn agrees_with_the_plain_implementation(pair in unlike_image_pair(), options in options()) {
        let options = pair.fit(options);
        let (e, a) = (pair.expected.view(), pair.actual.view());
        let found = diff(&e, &a, &options).unwrap();
        let want = compare(&e, &a, &options);
        prop_assert_eq!(
            (found.compared_pixels(), found.masked_pixels(), found.differing_pixels(), found.visible_pixels()),
            (want.compared, want.masked, want.differing, want.visible)
        );
        prop_assert_eq!(found.antialiased_pixels(), want.antialiased);
        // Every decision is exact; values are within 5e-4, 33 steps, of the reference.
        prop_assert!(found.delta_e_sum().abs_diff(want.sum) <= 33 * want.differing);
        prop_assert!(found.max_delta_e().raw().abs_diff(want.max.raw()) <= 33);
        prop_assert_eq!(found.histogram().pixels(), want.differing);
        let open: Vec<_> = want.pieces.iter().filter(|piece| piece.is_open(&options)).collect();
        let open_pixels = open.iter().map(|piece| piece.pixels.len() as u64).sum::<u64>();
        prop_assert_eq!(found.open_pixels(), open_pixels);
        let extra = found.size_mismatch().map_or(0, |sizes| sizes.extra_pixels()) * 6_553_600;
        let sum: u128 = open.iter().map(|piece| u128::from(piece.sum())).sum();
        prop_assert!(found.score().abs_diff(sum + extra) <= u128::from(33 * open_pixels));
        prop_assert_eq!(found.regions().iter().map(Region::pieces).sum::<u64>(), open.len() as u64);
        let all = want.pieces.iter().map(|piece| piece.pixels.len() as u64).sum::<u64>();
        prop_assert_eq!(found.regions().iter().map(Region::pixels).sum::<u64>(), all);
        prop_assert_eq!(found.is_match(), open.is_empty() && extra == 0);
    }

    #[test]
    fn equal_images_are_identical(pair in image_pair(), options in options()) {
        let found = run(&pair.actual, &pair.actual, &options);
        prop_assert!(found.is_identical() && found.is_match());
        prop_assert_eq!((found.differing_pixels(), found.delta_e_sum(), found.score()), (0, 0, 0));
        prop_assert!(found.regions().is_empty());
        prop_assert_eq!(found.would_pass_at(), Some(options.tolerance.color_delta_e()));
    }

    #[test]
    fn swapping_keeps_counts_and_turns_signs(pair in unlike_image_pair(), options in options()) {
        let options = pair.fit(options);
        let (forward, back) = (run(&pair.expected, &pair.actual, &options), run(&pair.actual, &pair.expected, &options));
        prop_assert_eq!(weights(&forward), weights(&back));
        prop_assert_eq!(forward.histogram(), back.histogram());
        prop_assert_eq!(forward.differing_pixels(), back.differing_pixels());
        prop_assert_eq!(forward.score(), back.score());
        prop_assert_eq!(forward.would_pass_at(), back.would_pass_at());
        for (x, y) in forward.regions().iter().zip(back.regions()) {
            prop_assert_eq!(x.signed_sums(), y.signed_sums().map(|sum| -sum));
            let turned = match y.kind() {
                RegionKind::Added => RegionKind::Removed,
                RegionKind::Removed => RegionKind::Added,
                same => same,
            };
            prop_assert_eq!(x.kind(), turned);
        }
    }

    #[test]
    fn lowering_the_tolerance_never_lowers_a_count(
        pair in image_pair(),
        options in options(),
        low in 0.0..6.0_f64,
        more in 0.0..6.0_f64,
    ) {
        let at = |tolerance| {
            run(&pair.expected, &pair.actual, &options.clone().with_tolerance(Tolerance::new(tolerance).unwrap()))
        };
        let (strict, low, high) = (
            run(&pair.expected, &pair.actual, &options.clone().with_tolerance(Tolerance::strict())),
            at(low),
            at(low + more),
        );
        prop_assert!(low.visible_pixels() >= high.visible_pixels());
        prop_assert!(strict.open_pixels() >= low.open_pixels() && low.open_pixels() >= high.open_pixels());
        // Near a decision a value comes from the reference, elsewhere from the kernel, up to 33 steps away.
        let slack = u128::from(33 * strict.differing_pixels());
        prop_assert!(strict.score() + slack >= low.score() && low.score() + slack >= high.score());
        prop_assert_eq!(strict.differing_pixels(), high.differing_pixels());
        prop_assert_eq!(strict.open_pixels(), strict.differing_pixels());
        // No open region of the higher tolerance is outside all of the lower one.
        for region in high.open_regions() {
            let pixels_below: u64 = low
                .open_regions()
                .filter(|other| other.rect().intersection(region.rect()).is_some())
                .map(Region::open_pixels)
                .sum();
            prop_assert!(pixels_below >= region.open_pixels());
        }
    }

    #[test]
    fn a_box_around_everything_has_what_the_whole_has(pair in image_pair(), options in options()) {
        let everything = Rect::of_size(pair.expected.size());
        let found = run(&pair.expected, &pair.actual, &options.with_boxes(vec![everything]));
        let inside = &found.boxes()[0];
        prop_assert_eq!(inside.compared_pixels(), found.compared_pixels());
        prop_assert_eq!(inside.differing_pixels(), found.differing_pixels());
        prop_assert_eq!(inside.visible_pixels(), found.visible_pixels());
        prop_assert_eq!((inside.delta_e_sum(), inside.max_delta_e()), (found.delta_e_sum(), found.max_delta_e()));
    }

    #[test]
    fn the_named_tolerance_passes(pair in image_pair(), options in options()) {
        let found = run(&pair.expected, &pair.actual, &options);
        match found.would_pass_at() {
            Some(tolerance) => {
                let looser = options.clone().with_tolerance(Tolerance::new(tolerance.to_f64()).unwrap());
                prop_assert!(run(&pair.expected, &pair.actual, &looser).is_match() || options.tolerance.is_strict());
                prop_assert!(tolerance >= options.tolerance.color_delta_e());
            }
            None => prop_assert!(options.tolerance.is_strict() && !found.is_match()),
        }
    }

    #[test]
    fn cropping_keeps_what_lies_inside(pair in image_pair(), options in options()) {
        // Patterns behind translucent pixels depend on the place.
        let options = masked_by(options, &[]).with_boxes(Vec::new()).with_backdrop(Backdrop::Any);
        // What is antialiasing depends on neighbours, which a crop may lack.
        let options = options.with_antialiasing(Antialiasing::Off);
        let whole = run(&pair.expected, &pair.actual, &options);
        // All regions are inside the crop, with a margin of one pixel for what is seen at their edges.
        let all = whole.regions().iter().fold(Rect::default(), |all, region| all.union(region.rect()));
        let (x, y) = (all.x.saturating_sub(1), all.y.saturating_sub(1));
        let margin = Rect::new(x, y, all.right() as u32 + 1 - x, all.bottom() as u32 + 1 - y);
        let all = if all.is_empty() { all } else { margin.clipped_to(pair.expected.size()).unwrap() };
        let crop = |view: ImageView<'_>| Frame::from_view(view.crop(all).unwrap());
        let part = run(&crop(pair.expected.view()), &crop(pair.actual.view()), &options);
        let moved: Vec<_> = whole
            .regions()
            .iter()
            .map(|r| (r.rect().x - all.x, r.rect().y - all.y, r.pixels(), r.is_open(), r.kind(), r.max_delta_e()))
            .collect();
        let inside: Vec<_> = part
            .regions()
            .iter()
            .map(|r| (r.rect().x, r.rect().y, r.pixels(), r.is_open(), r.kind(), r.max_delta_e()))
            .collect();
        prop_assert_eq!(moved, inside);
        prop_assert_eq!(whole.score(), part.score());
    }

    #[test]
    fn a_box_has_what_its_crop_has(pair in image_pair(), options in options()) {
        // Neighbours and patterns behind translucent pixels are not the same in a crop.
        let options = options.with_antialiasing(Antialiasing::Off).with_backdrop(Backdrop::Any);
        let found = run(&pair.expected, &pair.actual, &options);
        for (rect, inside) in options.boxes.iter().zip(found.boxes()) {
            prop_assert_eq!(inside.rect(), *rect);
            let clipped = rect.clipped_to(pair.expected.size()).unwrap_or_default();
            let crop = |view: ImageView<'_>| Frame::from_view(view.crop(clipped).unwrap());
            // The masks as the crop sees them.
            let masks = options.ignored.iter().map(|mask| match mask {
                Mask::Rect(rect) => {
                    let inside = rect.intersection(clipped).unwrap_or_default();
                    let (x, y) = (inside.x.saturating_sub(clipped.x), inside.y.saturating_sub(clipped.y));
                    Mask::Rect(Rect::new(x, y, inside.width, inside.height))
                }
                Mask::Bits(bits) => BitMask::from_fn(Size::new(clipped.width, clipped.height), |x, y| {
                    bits.contains(x + clipped.x, y + clipped.y)
                })
                .into(),
            });
            let mut cut = options.clone().with_boxes(Vec::new());
            cut.ignored = masks.collect();
            let part = run(
                &crop(pair.expected.view()),
                &crop(pair.actual.view()),
                &cut,
            );
            prop_assert_eq!(inside.compared_pixels(), part.compared_pixels());
            prop_assert_eq!(inside.differing_pixels(), part.differing_pixels());
            prop_assert_eq!(inside.visible_pixels(), part.visible_pixels());
            prop_assert_eq!((inside.delta_e_sum(), inside.max_delta_e()), (part.delta_e_sum(), part.max_delta_e()));
        }
        for region in found.regions() {
            let around = options.boxes.iter().filter(|rect| !rect.is_empty() && rect.union(region.rect()) == **rect);
            let smallest = around.map(|rect| rect.area()).min();
            prop_assert_eq!(region.box_index().map(|index| options.boxes[index].area()), smallest);
        }
    }

    #[test]
    fn masking_is_as_if_the_pixels_were_equal(pair in image_pair(), mask in rects(Size::new(40, 40)), options in options()) {
        // Antialiasing looks at neighbours, also under a mask.
        let options = masked_by(options, &[mask]).with_antialiasing(Antialiasing::Off);
        let masked = run(&pair.expected, &pair.actual, &options);
        // The same image, with the reference's own pixels under the mask.
        let (width, bpp) = (pair.actual.size().width, pair.actual.format().bytes_per_pixel());
        let mut bytes = pair.actual.bytes().to_vec();
        for (i, (ours, theirs)) in bytes.chunks_mut(bpp).zip(pair.expected.bytes().chunks(bpp)).enumerate() {
            if mask.contains(i as u32 % width, i as u32 / width) {
                ours.copy_from_slice(theirs);
            }
        }
        let patched = Frame::new(bytes, pair.actual.size(), pair.actual.format())
            .and_then(|frame| frame.with_alpha(pair.actual.alpha()))
            .unwrap()
            .with_color(pair.actual.color());
        let plain = run(&pair.expected, &patched, &masked_by(options, &[]));
        // All but the kind, for which a mask shows nothing and an equal pixel does.
        prop_assert_eq!(weights(&masked), weights(&plain));
        prop_assert_eq!(masked.histogram(), plain.histogram());
        prop_assert_eq!(masked.compared_pixels() + masked.masked_pixels(), plain.compared_pixels());
    }

    #[test]
    fn eight_bits_equal_sixteen(pair in image_pair(), options in options()) {
        if pair.expected.format().bits() != 8 {
            return Ok(());
        }
        let widen = |frame: &Frame| {
            let format = match frame.format() {
                PixelFormat::Gray8 => PixelFormat::Gray16,
                PixelFormat::GrayAlpha8 => PixelFormat::GrayAlpha16,
                PixelFormat::Rgb8 => PixelFormat::Rgb16,
                _ => PixelFormat::Rgba16,
            };
            let bytes = frame.bytes().iter().flat_map(|&b| [b, b]).collect();
            let wide = Frame::new(bytes, frame.size(), format).and_then(|wide| wide.with_alpha(frame.alpha()));
            wide.unwrap().with_color(frame.color())
        };
        let narrow = run(&pair.expected, &pair.actual, &options);
        prop_assert_eq!(&narrow, &run(&widen(&pair.expected), &widen(&pair.actual), &options));
        prop_assert_eq!(&narrow, &run(&pair.expected, &widen(&pair.actual), &options));
        prop_assert!(run(&pair.actual, &widen(&pair.actual), &options).is_identical());
    }
}
