//! Every kind of PNG against samples that the test works out itself.

use trueup_codec::{Limits, Note, Orientation, decode};
use trueup_frame::{Alpha, PixelFormat, Size};

use crate::support::{Color, Png, exif};

const COLORS: [Color; 5] = [Color::Gray, Color::Rgb, Color::Palette, Color::GrayAlpha, Color::Rgba];

fn palette(entries: u32) -> Vec<u8> {
    (0..entries).flat_map(|i| [(i * 7) as u8, 255u8.wrapping_sub((i * 3) as u8), (i * i) as u8]).collect()
}

/// What the pixels should decode to: channels, and samples of 8 or 16 bits.
fn expected(png: &Png, palette: &[u8], trns: Option<&[u8]>) -> (usize, Vec<u16>) {
    let full = if png.depth == 16 { 65_535 } else { 255 };
    let widen = |v: u16| if png.depth < 8 { v * 255 / ((1 << png.depth) - 1) } else { v };
    let key = |channels: usize| -> Option<Vec<u16>> {
        trns.map(|t| (0..channels).map(|i| u16::from_be_bytes([t[2 * i], t[2 * i + 1]])).collect::<Vec<_>>())
    };
    let pixels = png.samples.chunks_exact(png.color.channels());
    match png.color {
        Color::Palette => {
            let out = pixels.flat_map(|p| {
                let i = p[0] as usize;
                let mut rgba: Vec<u16> = palette[3 * i..3 * i + 3].iter().map(|&v| v.into()).collect();
                rgba.extend(trns.map(|t| u16::from(*t.get(i).unwrap_or(&255))));
                rgba
            });
            (3 + usize::from(trns.is_some()), out.collect())
        }
        color => {
            let n = color.channels();
            let key = key(n);
            let out = pixels.flat_map(|p| {
                let mut out: Vec<u16> = p.iter().map(|&v| widen(v)).collect();
                out.extend(key.as_ref().map(|key| if p == &key[..] { 0 } else { full }));
                out
            });
            (n + usize::from(key.is_some()), out.collect())
        }
    }
}

fn samples(frame: &trueup_frame::Frame) -> Vec<u16> {
    if frame.format().bits() == 8 {
        frame.bytes().iter().map(|&b| b.into()).collect()
    } else {
        frame.bytes().as_chunks::<2>().0.iter().map(|&b| u16::from_ne_bytes(b)).collect()
    }
}

#[test]
fn every_color_type_depth_and_interlacing() {
    let mut cases = 0;
    // 1×1 and 3×2 leave passes of an interlaced picture empty; 13 columns end inside a byte at every depth.
    for (width, height) in [(1, 1), (3, 2), (13, 11)] {
        for color in COLORS {
            for &depth in color.depths() {
                for interlaced in [false, true] {
                    for transparent in [false, true] {
                        let mut png = Png::new(width, height, color, depth, interlaced);
                        let palette = palette(1 << depth.min(8));
                        if color == Color::Palette {
                            png = png.with(b"PLTE", &palette);
                        }
                        let trns = match color {
                            _ if !transparent => None,
                            Color::Palette => Some(vec![0, 128]),
                            Color::Gray | Color::Rgb => {
                                // The colour of the last pixel is the transparent one.
                                let key = png.pixel(width - 1, height - 1).iter();
                                Some(key.flat_map(|v| v.to_be_bytes()).collect())
                            }
                            // Has alpha of its own.
                            _ => continue,
                        };
                        if let Some(trns) = &trns {
                            png = png.with(b"tRNS", trns);
                        }
                        let context =
                            format!("{width}×{height} {color:?} {depth} {interlaced} {transparent}");
                        let decoded = decode(&png.bytes(), &Limits::default()).expect(&context);
                        let (channels, pixels) = expected(&png, &palette, trns.as_deref());
                        assert_eq!(decoded.frame.size(), Size::new(width, height), "{context}");
                        assert_eq!(decoded.frame.format().channels(), channels, "{context}");
                        assert_eq!(
                            decoded.frame.format().bits(),
                            if depth == 16 { 16 } else { 8 },
                            "{context}"
                        );
                        assert_eq!(samples(&decoded.frame), pixels, "{context}");
                        let has_alpha = channels % 2 == 0;
                        let alpha = if has_alpha { Alpha::Straight } else { Alpha::Opaque };
                        assert_eq!(decoded.header.alpha, alpha, "{context}");
                        assert_eq!(decoded.frame.alpha(), alpha, "{context}");
                        assert!(decoded.header.notes.is_empty(), "{context}");
                        cases += 1;
                    }
                }
            }
        }
    }
    assert_eq!(cases, 3 * 2 * (15 + 11), "a kind of picture was left out");
}

#[test]
fn filters_that_an_encoder_chooses_decode() {
    let pixels = crate::support::rgb(61, 40);
    for filter in [
        png::Filter::NoFilter,
        png::Filter::Sub,
        png::Filter::Up,
        png::Filter::Avg,
        png::Filter::Paeth,
        png::Filter::Adaptive,
    ] {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 61, 40);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_filter(filter);
        encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
        let decoded = decode(&file, &Limits::default()).unwrap();
        assert_eq!(decoded.frame.format(), PixelFormat::Rgb8);
        assert_eq!(decoded.frame.bytes(), pixels, "{filter:?}");
    }
}

#[test]
fn one_picture_in_different_encodings_decodes_equal() {
    let mut plain = Png::new(9, 7, Color::Rgb, 8, false);
    let colors = palette(4);
    let indices: Vec<u16> = (0..63).map(|i| i * i % 4).collect();
    plain.samples =
        indices.iter().flat_map(|&i| colors[3 * i as usize..][..3].iter().map(|&v| v.into())).collect();
    let reference = decode(&plain.bytes(), &Limits::default()).unwrap().frame;

    for interlaced in [false, true] {
        let mut rgb = plain.clone();
        rgb.interlaced = interlaced;
        assert_eq!(decode(&rgb.bytes(), &Limits::default()).unwrap().frame, reference);
        rgb.piece = 1;
        assert_eq!(decode(&rgb.bytes(), &Limits::default()).unwrap().frame, reference);
        for depth in [2, 4, 8] {
            let mut indexed = Png::new(9, 7, Color::Palette, depth, interlaced);
            indexed.samples.clone_from(&indices);
            let file = indexed.with(b"PLTE", &colors).bytes();
            assert_eq!(decode(&file, &Limits::default()).unwrap().frame, reference, "{depth} {interlaced}");
        }
    }
}

#[test]
fn an_index_outside_the_palette_is_black_as_in_browsers() {
    let mut png = Png::new(2, 1, Color::Palette, 8, false);
    png.samples = vec![0, 9];
    let file = png.with(b"PLTE", &[10, 20, 30]).bytes();
    assert_eq!(decode(&file, &Limits::default()).unwrap().frame.bytes(), [10, 20, 30, 0, 0, 0]);
}

#[test]
fn low_bytes_of_16_bit_samples_are_kept() {
    let mut png = Png::new(2, 1, Color::Gray, 16, false);
    png.samples = vec![0x00c0, 0x12ff];
    let decoded = decode(&png.bytes(), &Limits::default()).unwrap();
    assert_eq!(decoded.frame.format(), PixelFormat::Gray16);
    assert_eq!(samples(&decoded.frame), [0x00c0, 0x12ff]);
}

#[test]
fn an_orientation_is_applied_wherever_it_stands() {
    let orientations = [
        Orientation::Upright,
        Orientation::FlipHorizontal,
        Orientation::Rotate180,
        Orientation::FlipVertical,
        Orientation::Transpose,
        Orientation::Rotate90,
        Orientation::Transverse,
        Orientation::Rotate270,
    ];
    for (value, orientation) in (1..).zip(orientations) {
        for interlaced in [false, true] {
            for (color, depth) in [(Color::Gray, 8), (Color::Rgb, 8), (Color::Rgba, 16)] {
                let png = Png::new(5, 3, color, depth, interlaced);
                let before = decode(&png.clone().with(b"eXIf", &exif(value)).bytes(), &Limits::default());
                let after =
                    decode(&png.clone().with_after(b"eXIf", &exif(value)).bytes(), &Limits::default());
                let (before, after) = (before.unwrap(), after.unwrap());
                assert_eq!(before.frame, after.frame);
                assert_eq!(before.header.orientation, orientation);
                assert_eq!(before.header.size, orientation.applied_to(Size::new(5, 3)));

                // Where each pixel went, stated as where the stored corner and its neighbours must be found.
                let size = before.frame.size();
                let (right, bottom) = (size.width - 1, size.height - 1);
                let (corner, along_row) = match orientation {
                    Orientation::Upright => ((0, 0), (1, 0)),
                    Orientation::FlipHorizontal => ((right, 0), (right - 1, 0)),
                    Orientation::Rotate180 => ((right, bottom), (right - 1, bottom)),
                    Orientation::FlipVertical => ((0, bottom), (1, bottom)),
                    Orientation::Transpose => ((0, 0), (0, 1)),
                    Orientation::Rotate90 => ((right, 0), (right, 1)),
                    Orientation::Transverse => ((right, bottom), (right, bottom - 1)),
                    Orientation::Rotate270 => ((0, bottom), (0, bottom - 1)),
                };
                let n = color.channels();
                let all = samples(&before.frame);
                let at = |(x, y): (u32, u32)| &all[(y * size.width + x) as usize * n..][..n];
                assert_eq!(at(corner), png.pixel(0, 0), "{orientation:?}");
                assert_eq!(at(along_row), png.pixel(1, 0), "{orientation:?}");
            }
        }
    }
}

#[test]
fn of_an_animation_the_first_frame_is_read_and_said_so() {
    let control = [2u32.to_be_bytes(), 0u32.to_be_bytes()].concat();
    let frame = |sequence: u32, width: u32| {
        let mut data: Vec<u8> = [sequence, width, 3, 0, 0].iter().flat_map(|v| v.to_be_bytes()).collect();
        data.extend([0, 1, 0, 10, 0, 0]);
        data
    };
    let still = Png::new(4, 3, Color::Rgb, 8, false);
    let mut second = 2u32.to_be_bytes().to_vec();
    second.extend(crate::support::zlib(&[0; 3 * 13]));
    let animated = still.clone().with(b"acTL", &control).with(b"fcTL", &frame(0, 4));
    let animated = animated.with_after(b"fcTL", &frame(1, 4)).with_after(b"fdAT", &second);
    let decoded = decode(&animated.bytes(), &Limits::default()).unwrap();
    assert_eq!(decoded.frame, decode(&still.bytes(), &Limits::default()).unwrap().frame);
    assert_eq!(decoded.header.notes, [Note::FirstFrameOnly { frames: Some(2) }]);

    let short = still.with(b"acTL", &control).with(b"fcTL", &frame(0, 2));
    assert!(decode(&short.bytes(), &Limits::default()).is_err(), "a first frame smaller than the picture");
}
