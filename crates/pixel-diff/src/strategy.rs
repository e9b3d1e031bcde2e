//! Strategies for property tests of code that compares images (feature `proptest`).
//!
//! Images are small, up to 40 pixels a side, and structured like screens: flat ground, blocks, gradients, strokes and
//! noise, in any format and alpha, with a second image that is the first one with a few edits. So most pairs share most
//! pixels, and differences range from one step to everything.
//!
//! ```
//! use proptest::prelude::*;
//! use trueup_pixel_diff::{diff, strategy};
//!
//! proptest!(|(pair in strategy::image_pair(), options in strategy::options())| {
//!     let found = diff(&pair.expected.view(), &pair.expected.view(), &options).unwrap();
//!     prop_assert!(found.is_identical());
//! });
//! ```

use proptest::prelude::*;
use proptest::sample::select;
use trueup_frame::{Alpha, ColorSpace, Frame, PixelFormat, Rect, Size};

use crate::{Antialiasing, Backdrop, BitMask, Mask, MetricKind, Options, Tolerance};

/// Two images to compare.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ImagePair {
    /// The reference.
    pub expected: Frame,
    /// The image that is held against it.
    pub actual: Frame,
}

impl ImagePair {
    /// The options, with CIEDE2000 in place of a formula of samples where the images have two colour spaces.
    #[must_use]
    pub fn fit(&self, options: Options) -> Options {
        if options.metric.is_of_samples() && self.expected.color() != self.actual.color() {
            options.with_metric(MetricKind::Ciede2000)
        } else {
            options
        }
    }
}

/// Sides of generated images: 1 to 40 pixels.
const MAX_SIDE: u32 = 40;

/// Two images of one size and one format, the second one an edited copy of the first.
pub fn image_pair() -> impl Strategy<Value = ImagePair> {
    (sizes(), formats()).prop_flat_map(|(size, form)| {
        (painting(size), edits(size), any::<u64>()).prop_map(move |(painting, edits, seed)| ImagePair {
            expected: painting.render(size, form, &[], seed),
            actual: painting.render(size, form, &edits, seed),
        })
    })
}

/// Two images as [`image_pair`] has them, but each of its own size, format and colour space.
pub fn unlike_image_pair() -> impl Strategy<Value = ImagePair> {
    (sizes(), sizes(), formats(), formats()).prop_flat_map(|(expected, actual, form, other)| {
        let canvas = expected.union(actual);
        (painting(canvas), edits(canvas), any::<u64>()).prop_map(move |(painting, edits, seed)| ImagePair {
            expected: painting.render(expected, form, &[], seed),
            actual: painting.render(actual, other, &edits, seed),
        })
    })
}

/// Options over their whole range, with masks around and beyond images of [`image_pair`].
///
/// A formula of samples does not fit images of two colour spaces: see [`ImagePair::fit`].
pub fn options() -> impl Strategy<Value = Options> {
    let around = || prop::collection::vec(rects(Size::new(MAX_SIDE + 5, MAX_SIDE + 5)), 0..4);
    let metric = select(&MetricKind::ALL[..]);
    let antialiasing = select(
        &[Antialiasing::Off, Antialiasing::Coverage, Antialiasing::Pixelmatch7, Antialiasing::Pixelmatch8][..],
    );
    let backdrop = select(
        &[
            Backdrop::Any,
            Backdrop::Any,
            Backdrop::White,
            Backdrop::Black,
            Backdrop::Pixelmatch7,
            Backdrop::Pixelmatch8,
        ][..],
    );
    (
        tolerance(),
        around(),
        prop::option::weighted(0.2, shape()),
        around(),
        0..12_u32,
        metric,
        antialiasing,
        backdrop,
    )
        .prop_map(
            |(tolerance, ignored, shape, boxes, merge_distance_px, metric, antialiasing, backdrop)| Options {
                metric,
                tolerance,
                antialiasing,
                backdrop,
                ignored: ignored.into_iter().map(Mask::from).chain(shape.map(Mask::from)).collect(),
                boxes,
                merge_distance_px,
                level: None,
            },
        )
}

/// Masks of scattered runs.
fn shape() -> impl Strategy<Value = BitMask> {
    (1..MAX_SIDE + 5, 1..MAX_SIDE + 5, any::<u64>()).prop_map(|(width, height, seed)| {
        BitMask::from_fn(Size::new(width, height), |x, y| seed.rotate_left(x / 3 + y / 2 * 11) & 7 == 0)
    })
}

/// Tolerances: strict or not, `color_delta_e` from 0 to 20, often the default.
pub fn tolerance() -> impl Strategy<Value = Tolerance> {
    let value = prop_oneof![Just(2.0), Just(0.0), 0.0..4.0, 0.0..20.0];
    (value, prop::bool::weighted(0.2)).prop_map(|(value, strict)| {
        Tolerance::new(value)
            .unwrap_or_else(|error| unreachable!("0 to 20 is in range: {error}"))
            .with_strict(strict)
    })
}

/// Rectangles of which at least a corner lies inside an image of this size; some are empty.
pub fn rects(size: Size) -> impl Strategy<Value = Rect> {
    (0..size.width.max(1), 0..size.height.max(1), 0..=size.width, 0..=size.height)
        .prop_map(|(x, y, width, height)| Rect::new(x, y, width, height))
}

fn sizes() -> impl Strategy<Value = Size> {
    (1..=MAX_SIDE, 1..=MAX_SIDE).prop_map(|(width, height)| Size::new(width, height))
}

#[derive(Clone, Copy, Debug)]
struct Form {
    format: PixelFormat,
    alpha: Alpha,
    color: ColorSpace,
}

fn formats() -> impl Strategy<Value = Form> {
    const ALL: [PixelFormat; 8] = [
        PixelFormat::Gray8,
        PixelFormat::GrayAlpha8,
        PixelFormat::Rgb8,
        PixelFormat::Rgba8,
        PixelFormat::Gray16,
        PixelFormat::GrayAlpha16,
        PixelFormat::Rgb16,
        PixelFormat::Rgba16,
    ];
    // Half of all images are what screens mostly are.
    let format = prop_oneof![Just(PixelFormat::Rgb8), Just(PixelFormat::Rgba8), select(&ALL[..])];
    let alpha = select(&[Alpha::Straight, Alpha::Premultiplied, Alpha::Opaque][..]);
    let color = prop_oneof![3 => Just(ColorSpace::Srgb), 1 => Just(ColorSpace::DisplayP3)];
    (format, alpha, color).prop_map(|(format, alpha, color)| Form {
        format,
        alpha: if format.has_alpha() { alpha } else { Alpha::Opaque },
        color,
    })
}

/// A colour with alpha, at 8 bits.
type Rgba = [u8; 4];

#[derive(Clone, Debug)]
enum Shape {
    Flat,
    Gradient,
    /// Every second column or so, like text.
    Strokes(u32),
    Noise(u8),
    /// Flat, with an edge of one pixel that mixes it with the ground by so many 255ths.
    Soft(u8),
}

#[derive(Clone, Debug)]
struct Patch {
    rect: Rect,
    color: Rgba,
    shape: Shape,
}

#[derive(Clone, Debug)]
struct Painting {
    ground: Rgba,
    patches: Vec<Patch>,
}

#[derive(Clone, Debug)]
enum Edit {
    Paint(Patch),
    /// Adds to every sample of an area, within its range.
    Shift(Rect, i8),
    /// One step of noise over an area.
    Jitter(Rect, u64),
    /// Other shares at all soft edges, as by another rasteriser.
    Soften(u8),
}

fn colors() -> impl Strategy<Value = Rgba> {
    let alpha = prop_oneof![4 => Just(255), 1 => Just(0), 2 => any::<u8>()];
    (any::<[u8; 3]>(), alpha).prop_map(|([r, g, b], a)| [r, g, b, a])
}

fn patches(size: Size) -> impl Strategy<Value = Patch> {
    let shape = prop_oneof![
        3 => Just(Shape::Flat),
        1 => Just(Shape::Gradient),
        2 => (2..5_u32).prop_map(Shape::Strokes),
        1 => any::<u8>().prop_map(Shape::Noise),
        2 => any::<u8>().prop_map(Shape::Soft),
    ];
    (rects(size), colors(), shape).prop_map(|(rect, color, shape)| Patch { rect, color, shape })
}

fn painting(size: Size) -> impl Strategy<Value = Painting> {
    (colors(), prop::collection::vec(patches(size), 0..5))
        .prop_map(|(ground, patches)| Painting { ground, patches })
}

fn edits(size: Size) -> impl Strategy<Value = Vec<Edit>> {
    let edit = prop_oneof![
        2 => patches(size).prop_map(Edit::Paint),
        2 => (rects(size), -6..=6_i8).prop_map(|(rect, by)| Edit::Shift(rect, by)),
        1 => (rects(size), any::<u64>()).prop_map(|(rect, seed)| Edit::Jitter(rect, seed)),
        1 => any::<u8>().prop_map(Edit::Soften),
    ];
    prop::collection::vec(edit, 0..4)
}

fn hash(seed: u64, x: u32, y: u32) -> u64 {
    let mut h = seed ^ (u64::from(x) << 32 | u64::from(y));
    for _ in 0..2 {
        h = (h ^ h >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    h ^ h >> 29
}

impl Patch {
    fn paint(&self, pixel: &mut Rgba, x: u32, y: u32, seed: u64, soften: u8) {
        if !self.rect.contains(x, y) {
            return;
        }
        match self.shape {
            Shape::Flat => *pixel = self.color,
            Shape::Gradient => *pixel = self.color.map(|c| c.saturating_add((x * 2 + y) as u8)),
            Shape::Strokes(period) => {
                if (x + y / 3).is_multiple_of(period) {
                    *pixel = self.color;
                }
            }
            Shape::Soft(share) => {
                let Rect { x: left, y: top, .. } = self.rect;
                let (right, bottom) = (self.rect.right() - 1, self.rect.bottom() - 1);
                let inside = x > left && y > top && u64::from(x) < right && u64::from(y) < bottom;
                let share = if inside { 255 } else { u16::from(share.wrapping_add(soften)) };
                let mix =
                    |from, to| ((u16::from(from) * (255 - share) + u16::from(to) * share + 127) / 255) as u8;
                *pixel = std::array::from_fn(|c| mix(pixel[c], self.color[c]));
            }
            Shape::Noise(amount) => {
                let bytes = hash(seed, x, y).to_le_bytes();
                for (sample, noise) in pixel.iter_mut().zip(bytes) {
                    *sample ^= noise & amount;
                }
            }
        }
    }
}

impl Edit {
    fn apply(&self, pixel: &mut Rgba, x: u32, y: u32, seed: u64) {
        match *self {
            Self::Paint(ref patch) => patch.paint(pixel, x, y, seed, 0),
            Self::Shift(rect, by) if rect.contains(x, y) => {
                *pixel = pixel.map(|sample| sample.saturating_add_signed(by));
            }
            Self::Jitter(rect, jitter) if rect.contains(x, y) => {
                let bytes = hash(jitter, x, y).to_le_bytes();
                for (sample, noise) in pixel.iter_mut().zip(bytes) {
                    *sample = sample.saturating_add_signed([-1, 0, 1, 0][usize::from(noise & 3)]);
                }
            }
            Self::Shift(..) | Self::Jitter(..) | Self::Soften(_) => {}
        }
    }
}

impl Painting {
    fn render(&self, size: Size, form: Form, edits: &[Edit], seed: u64) -> Frame {
        let mut bytes = Vec::new();
        let shares = edits.iter().map(|edit| if let Edit::Soften(share) = edit { *share } else { 0 });
        let soften = shares.fold(0, u8::wrapping_add);
        for y in 0..size.height {
            for x in 0..size.width {
                let mut pixel = self.ground;
                self.patches.iter().for_each(|patch| patch.paint(&mut pixel, x, y, seed, soften));
                edits.iter().for_each(|edit| edit.apply(&mut pixel, x, y, seed));
                encode(pixel, form, hash(seed, y, x), &mut bytes);
            }
        }
        Frame::new(bytes, size, form.format)
            .and_then(|frame| frame.with_alpha(form.alpha))
            .unwrap_or_else(|error| unreachable!("one pixel was written per pixel: {error}"))
            .with_color(form.color)
    }
}

fn encode([r, g, b, a]: Rgba, form: Form, noise: u64, bytes: &mut Vec<u8>) {
    let times_alpha = |c: u8| match form.alpha {
        Alpha::Premultiplied => ((u16::from(c) * u16::from(a) + 127) / 255) as u8,
        Alpha::Straight | Alpha::Opaque => c,
    };
    let color =
        if form.format.channels() < 3 { vec![times_alpha(g)] } else { [r, g, b].map(times_alpha).to_vec() };
    let alpha = form.format.has_alpha().then_some(a);
    for sample in color.into_iter().chain(alpha) {
        if form.format.bits() == 16 {
            // Now and then a low byte that 8 bits cannot carry, the same in both images.
            let low = if noise.is_multiple_of(8) { noise.to_le_bytes()[1] } else { sample };
            bytes.extend_from_slice(&(u16::from(sample) << 8 | u16::from(low)).to_ne_bytes());
        } else {
            bytes.push(sample);
        }
    }
}
