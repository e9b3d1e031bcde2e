//! Formats other than PNG.

use image::ImageEncoder;
use trueup_codec::{FileFormat, Limits, Note, Orientation, decode, open};
use trueup_frame::{Alpha, PixelFormat, Size};

use crate::support::{all_formats, exif, rgb};

fn only(name: &str, width: u32, height: u32) -> Vec<u8> {
    all_formats(width, height).into_iter().find(|(n, _)| *n == name).unwrap().1
}

#[test]
fn every_format_is_known_by_its_content() {
    let pixels = rgb(17, 9);
    let expected = [
        ("jpeg", FileFormat::Jpeg),
        ("webp", FileFormat::WebP),
        ("bmp", FileFormat::Bmp),
        ("gif", FileFormat::Gif),
        ("tiff", FileFormat::Tiff),
        ("qoi", FileFormat::Qoi),
        ("png", FileFormat::Png),
    ];
    for ((name, file), (same_name, format)) in all_formats(17, 9).into_iter().zip(expected) {
        assert_eq!(name, same_name);
        let decoded = decode(&file, &Limits::default()).expect(name);
        assert_eq!(decoded.header.file, format);
        assert_eq!(decoded.header.size, Size::new(17, 9));
        assert!(decoded.header.notes.is_empty(), "{name}: {:?}", decoded.header.notes);
        match format {
            FileFormat::Gif => {
                assert_eq!(decoded.frame.format(), PixelFormat::Rgba8);
                let opaque: Vec<u8> =
                    pixels.as_chunks::<3>().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect();
                assert_eq!(decoded.frame.bytes(), opaque);
            }
            FileFormat::Jpeg => {
                assert_eq!(decoded.frame.format(), PixelFormat::Rgb8);
                let off: u64 =
                    decoded.frame.bytes().iter().zip(&pixels).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
                assert!(off / (pixels.len() as u64) < 40, "the picture is not there: {off}");
            }
            _ => {
                assert_eq!(decoded.frame.format(), PixelFormat::Rgb8, "{name}");
                assert_eq!(decoded.frame.bytes(), pixels, "{name}");
            }
        }
    }
}

#[test]
fn an_orientation_in_a_jpeg_is_applied() {
    let plain = only("jpeg", 16, 8);
    let upright = decode(&plain, &Limits::default()).unwrap().frame;
    let mut segment = vec![0xff, 0xe1];
    let body = [b"Exif\0\0".to_vec(), exif(6)].concat();
    segment.extend((body.len() as u16 + 2).to_be_bytes());
    segment.extend(body);
    let turned = [&plain[..2], &segment, &plain[2..]].concat();
    let decoded = decode(&turned, &Limits::default()).unwrap();
    assert_eq!(decoded.header.orientation, Orientation::Rotate90);
    assert_eq!(decoded.frame.size(), Size::new(8, 16));
    // The lower left corner is the new upper left.
    assert_eq!(decoded.frame.view().row(0)[..3], upright.view().row(7)[..3]);
    assert_eq!(decoded.frame.view().row(15)[..3], upright.view().row(7)[45..48]);
}

/// An uncompressed TIFF with two pixels of RGBA, and the tags that matter here.
fn tiff(orientation: u16, extra_samples: u16, next_page: u32) -> Vec<u8> {
    let entries: [(u16, u16, u32, u32); 11] = [
        (256, 3, 1, 2),
        (257, 3, 1, 1),
        (258, 3, 4, 146),
        (259, 3, 1, 1),
        (262, 3, 1, 2),
        (273, 4, 1, 154),
        (274, 3, 1, orientation.into()),
        (277, 3, 1, 4),
        (278, 3, 1, 1),
        (279, 4, 1, 8),
        (338, 3, 1, extra_samples.into()),
    ];
    let mut out = b"II*\0\x08\0\0\0".to_vec();
    out.extend((entries.len() as u16).to_le_bytes());
    for (tag, kind, count, value) in entries {
        out.extend(tag.to_le_bytes());
        out.extend(kind.to_le_bytes());
        out.extend(count.to_le_bytes());
        out.extend(value.to_le_bytes());
    }
    out.extend(next_page.to_le_bytes());
    assert_eq!(out.len(), 146);
    for _ in 0..4 {
        out.extend(8u16.to_le_bytes());
    }
    out.extend([1, 2, 3, 4, 5, 6, 7, 8]);
    out
}

#[test]
fn tags_of_a_tiff_count() {
    let straight = decode(&tiff(1, 2, 0), &Limits::default()).unwrap();
    assert_eq!(straight.frame.bytes(), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(straight.frame.alpha(), Alpha::Straight);
    assert!(straight.header.notes.is_empty());

    let associated = decode(&tiff(1, 1, 0), &Limits::default()).unwrap();
    assert_eq!(associated.frame.alpha(), Alpha::Premultiplied);
    assert_eq!(associated.header.alpha, Alpha::Premultiplied);

    let turned = decode(&tiff(8, 2, 0), &Limits::default()).unwrap();
    assert_eq!(turned.frame.size(), Size::new(1, 2));
    assert_eq!(turned.frame.bytes(), [5, 6, 7, 8, 1, 2, 3, 4]);

    // Another directory behind the pixels, with nothing in it.
    let two = [tiff(1, 2, 162), vec![0; 6]].concat();
    let pages = decode(&two, &Limits::default()).unwrap();
    assert_eq!(pages.header.notes, [Note::FirstFrameOnly { frames: None }]);
}

#[test]
fn of_a_moving_gif_the_first_frame_is_read_and_said_so() {
    let mut file = Vec::new();
    {
        let mut encoder = image::codecs::gif::GifEncoder::new(&mut file);
        for value in [10, 200, 250] {
            let frame = image::RgbaImage::from_pixel(4, 4, image::Rgba([value, value, value, 255]));
            encoder.encode_frame(image::Frame::new(frame)).unwrap();
        }
    }
    let decoded = decode(&file, &Limits::default()).unwrap();
    assert_eq!(decoded.header.notes, [Note::FirstFrameOnly { frames: Some(3) }]);
    assert_eq!(decoded.frame.bytes()[..4], [10, 10, 10, 255]);
}

#[test]
fn sixteen_bits_of_a_tiff_are_kept() {
    let samples: Vec<u8> = [1u16, 257, 65_535, 300, 4, 5].iter().flat_map(|v| v.to_ne_bytes()).collect();
    let mut cursor = std::io::Cursor::new(Vec::new());
    image::codecs::tiff::TiffEncoder::new(&mut cursor)
        .write_image(&samples, 2, 1, image::ExtendedColorType::Rgb16)
        .unwrap();
    let decoded = decode(&cursor.into_inner(), &Limits::default()).unwrap();
    assert_eq!(decoded.frame.format(), PixelFormat::Rgb16);
    assert_eq!(decoded.frame.bytes(), samples);
}

#[test]
fn a_linear_qoi_is_noted() {
    let mut file = only("qoi", 3, 3);
    file[13] = 1;
    let header = open(&file, &Limits::default()).unwrap().header().clone();
    assert!(matches!(&header.notes[..], [Note::ProfileIgnored { .. }]));
}
