//! Pixels as 8-bit sRGB with straight alpha, for swatches and pictures. Never for decisions.

use trueup_contract::Color;
use trueup_frame::{Alpha, ImageView, PixelFormat};

/// The colours of one row, rounded to 8 bits. Colour spaces are not converted: a swatch names what the file says.
pub(crate) fn row(view: &ImageView<'_>, y: u32, colors: &mut Vec<Color>) {
    let format = view.format();
    let (channels, wide) = (format.channels(), format.bits() == 16);
    colors.clear();
    let pixels = view.row(y).chunks_exact(format.bytes_per_pixel());
    colors.extend(pixels.map(|pixel| {
        let sample = |index: usize| {
            if wide {
                let value = u16::from_ne_bytes([pixel[2 * index], pixel[2 * index + 1]]);
                // 65535 / 257 = 255, so every replicated 8-bit sample comes back exactly.
                u8::try_from((u32::from(value) + 128) / 257).unwrap_or(u8::MAX)
            } else {
                pixel[index]
            }
        };
        let [red, green, blue] =
            if channels < 3 { [sample(0); 3] } else { [sample(0), sample(1), sample(2)] };
        let alpha =
            if format.has_alpha() && view.alpha() != Alpha::Opaque { sample(channels - 1) } else { 255 };
        let straight = |value: u8| match (view.alpha(), alpha) {
            (Alpha::Premultiplied, 0) => 0,
            (Alpha::Premultiplied, alpha) => {
                let value = (u32::from(value) * 255 + u32::from(alpha) / 2) / u32::from(alpha);
                u8::try_from(value).unwrap_or(u8::MAX)
            }
            _ => value,
        };
        Color { red: straight(red), green: straight(green), blue: straight(blue), alpha }
    }));
}

/// The luma of the first `columns` pixels of a row, over white.
pub(crate) fn luma_row(
    view: &ImageView<'_>,
    y: u32,
    columns: usize,
    colors: &mut Vec<Color>,
    each: impl FnMut(u8),
) {
    match (view.format(), view.alpha()) {
        (PixelFormat::Rgb8, _) => {
            let pixels = view.row(y).as_chunks::<3>().0;
            pixels[..columns].iter().map(|&pixel| luma(pixel)).for_each(each);
        }
        (PixelFormat::Rgba8, Alpha::Opaque) => {
            let pixels = view.row(y).as_chunks::<4>().0;
            pixels[..columns].iter().map(|&[red, green, blue, _]| luma([red, green, blue])).for_each(each);
        }
        _ => {
            row(view, y, colors);
            colors[..columns].iter().map(|&color| luma(over_white(color))).for_each(each);
        }
    }
}

fn luma([red, green, blue]: [u8; 3]) -> u8 {
    // The weights sum to 256.
    ((u32::from(red) * 77 + u32::from(green) * 150 + u32::from(blue) * 29) >> 8) as u8
}

/// The colour over white, as three samples.
pub(crate) fn over_white(color: Color) -> [u8; 3] {
    let alpha = u32::from(color.alpha);
    [color.red, color.green, color.blue].map(|sample| {
        let blended = (u32::from(sample) * alpha + 255 * (255 - alpha) + 127) / 255;
        u8::try_from(blended).unwrap_or(u8::MAX)
    })
}

#[cfg(test)]
mod tests {
    use trueup_frame::Size;

    use super::*;

    #[test]
    fn every_layout_gives_the_same_colour() {
        let one = |bytes: &[u8], format| {
            let mut colors = Vec::new();
            row(&ImageView::packed(bytes, Size::new(1, 1), format).unwrap(), 0, &mut colors);
            colors[0]
        };
        let grey = Color { red: 90, green: 90, blue: 90, alpha: 255 };
        assert_eq!(one(&[90], PixelFormat::Gray8), grey);
        assert_eq!(one(&[90, 90, 90], PixelFormat::Rgb8), grey);
        assert_eq!(one(&[90, 255], PixelFormat::GrayAlpha8), grey);
        assert_eq!(one(&[90; 8], PixelFormat::Rgba16), Color { alpha: 90, ..grey });
        let half = ImageView::packed(&[64, 64, 64, 128], Size::new(1, 1), PixelFormat::Rgba8).unwrap();
        let mut colors = Vec::new();
        row(&half.with_alpha(Alpha::Premultiplied).unwrap(), 0, &mut colors);
        assert_eq!(colors[0], Color { red: 128, green: 128, blue: 128, alpha: 128 });
    }
}
