//! Written files, read back.

use trueup_codec::{CodecErrorKind, Limits, PngWriter, decode, encode_png};
use trueup_frame::{Alpha, ColorSpace, Frame, ImageView, PixelFormat, Rect, Size};

const FORMATS: [PixelFormat; 8] = [
    PixelFormat::Gray8,
    PixelFormat::GrayAlpha8,
    PixelFormat::Rgb8,
    PixelFormat::Rgba8,
    PixelFormat::Gray16,
    PixelFormat::GrayAlpha16,
    PixelFormat::Rgb16,
    PixelFormat::Rgba16,
];

fn noise(len: usize) -> Vec<u8> {
    let mut state = 9u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..len).map(|_| next()).collect()
}

#[test]
fn every_format_comes_back_as_it_was() {
    let size = Size::new(19, 11);
    for format in FORMATS {
        for color in [ColorSpace::Srgb, ColorSpace::DisplayP3] {
            let pixels = noise(19 * 11 * format.bytes_per_pixel());
            let frame = Frame::new(pixels, size, format).unwrap().with_color(color);
            let file = encode_png(&frame.view()).unwrap();
            let back = decode(&file, &Limits::default()).unwrap();
            assert_eq!(back.frame, frame, "{format:?} {color:?}");
            assert!(back.header.notes.is_empty());
        }
    }
}

#[test]
fn a_crop_is_written_without_its_surroundings() {
    let pixels = noise(10 * 10 * 3);
    let view = ImageView::packed(&pixels, Size::new(10, 10), PixelFormat::Rgb8).unwrap();
    let crop = view.crop(Rect::new(3, 2, 4, 5)).unwrap();
    let back = decode(&encode_png(&crop).unwrap(), &Limits::default()).unwrap();
    assert_eq!(back.frame, Frame::from_view(crop));
}

#[test]
fn an_alpha_that_is_to_be_ignored_is_left_out() {
    let view = ImageView::packed(&[1, 2, 3, 0, 4, 5, 6, 9], Size::new(2, 1), PixelFormat::Rgba8).unwrap();
    let file = encode_png(&view.with_alpha(Alpha::Opaque).unwrap()).unwrap();
    let back = decode(&file, &Limits::default()).unwrap().frame;
    assert_eq!((back.format(), back.bytes()), (PixelFormat::Rgb8, &[1, 2, 3, 4, 5, 6][..]));
}

#[test]
fn premultiplied_pixels_are_divided() {
    let pixels = [0, 0, 0, 0, 64, 32, 0, 128, 255, 1, 0, 255, 200, 9, 0, 100];
    let view = ImageView::packed(&pixels, Size::new(4, 1), PixelFormat::Rgba8).unwrap();
    let file = encode_png(&view.with_alpha(Alpha::Premultiplied).unwrap()).unwrap();
    let back = decode(&file, &Limits::default()).unwrap().frame;
    assert_eq!(back.alpha(), Alpha::Straight);
    assert_eq!(back.bytes(), [0, 0, 0, 0, 128, 64, 0, 128, 255, 1, 0, 255, 255, 23, 0, 100]);

    let wide: Vec<u8> = [0u16, 0, 16_384, 32_768, 9, 65_535].iter().flat_map(|v| v.to_ne_bytes()).collect();
    let view = ImageView::packed(&wide, Size::new(3, 1), PixelFormat::GrayAlpha16).unwrap();
    let file = encode_png(&view.with_alpha(Alpha::Premultiplied).unwrap()).unwrap();
    let back = decode(&file, &Limits::default()).unwrap().frame;
    let samples: Vec<u16> = back.bytes().as_chunks::<2>().0.iter().map(|&b| u16::from_ne_bytes(b)).collect();
    assert_eq!(samples, [0, 0, 32_768, 32_768, 9, 65_535]);
}

#[test]
fn a_picture_without_pixels_is_refused() {
    let view = ImageView::packed(&[], Size::new(0, 7), PixelFormat::Rgb8).unwrap();
    let error = encode_png(&view).unwrap_err();
    assert_eq!(error.kind(), &CodecErrorKind::NoPixels { size: Size::new(0, 7) });
}

#[test]
fn rows_come_back_however_they_are_cut() {
    let size = Size::new(67, 41);
    for format in [PixelFormat::Gray8, PixelFormat::GrayAlpha8, PixelFormat::Rgb8, PixelFormat::Rgba8] {
        let bytes = 67 * 41 * format.bytes_per_pixel();
        let samples: Vec<u8> = (0..bytes).map(|i| (i * i / 7 % 251) as u8).collect();
        let write = |cut: usize| {
            let mut writer = PngWriter::new(size, format).unwrap();
            samples.chunks(cut).for_each(|part| writer.push(part).unwrap());
            writer.finish().unwrap()
        };
        let file = write(bytes);
        assert_eq!(decode(&file, &Limits::default()).unwrap().frame.bytes(), samples, "{format:?}");
        for cut in [1, 7, 67 * format.bytes_per_pixel(), 1000] {
            assert_eq!(write(cut), file, "{format:?} in parts of {cut}");
        }
    }
}

#[test]
fn a_writer_refuses_too_many_samples_and_too_few() {
    let mut writer = PngWriter::new(Size::new(2, 2), PixelFormat::Rgb8).unwrap();
    assert!(writer.push(&[0; 13]).unwrap_err().to_string().contains("13 bytes"));
    writer.push(&[0; 11]).unwrap();
    assert!(writer.finish().unwrap_err().to_string().contains("1 bytes of the picture are missing"));
    let error = PngWriter::new(Size::new(0, 2), PixelFormat::Rgb8).unwrap_err();
    assert!(matches!(error.kind(), CodecErrorKind::NoPixels { .. }));
    let error = PngWriter::new(Size::new(1, 1), PixelFormat::Rgb16).unwrap_err();
    assert!(matches!(error.kind(), CodecErrorKind::Encode { .. }));
}
