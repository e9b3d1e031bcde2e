//! Colour tags.

use proptest::prelude::*;
use trueup_codec::{Header, Input, Limits, Note, decode, open, same_file};
use trueup_frame::{ColorSpace, PixelFormat};

use crate::support::{Color, Png, exif, on_disk, zlib};

fn header(png: Png) -> Header {
    open(&png.bytes(), &Limits::default()).unwrap().header().clone()
}

fn picture() -> Png {
    Png::new(3, 3, Color::Rgb, 8, false)
}

fn ignored(header: &Header) -> Option<&str> {
    match &header.notes[..] {
        [] => None,
        [Note::ProfileIgnored { profile }] => Some(profile),
        other => panic!("unexpected notes: {other:?}"),
    }
}

#[test]
fn untagged_and_srgb_are_srgb() {
    let srgb_primaries = [31_270u32, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];
    let primaries: Vec<u8> = srgb_primaries.iter().flat_map(|v| v.to_be_bytes()).collect();
    for png in [
        picture(),
        picture().with(b"sRGB", &[0]),
        picture().with(b"cICP", &[1, 13, 0, 1]),
        picture().with(b"gAMA", &45_455u32.to_be_bytes()),
        picture().with(b"cHRM", &primaries),
        // As far from it as a browser takes for sRGB.
        picture().with(b"gAMA", &43_182u32.to_be_bytes()),
        picture().with(b"gAMA", &47_727u32.to_be_bytes()),
        // By PNG 3, sRGB comes before gAMA.
        picture().with(b"sRGB", &[0]).with(b"gAMA", &100_000u32.to_be_bytes()),
    ] {
        let header = header(png);
        assert_eq!(header.color, ColorSpace::Srgb);
        assert_eq!(ignored(&header), None);
        assert_eq!(header.format, PixelFormat::Rgb8, "nothing is converted");
    }
}

#[test]
fn display_p3_comes_by_cicp() {
    let header = header(picture().with(b"cICP", &[12, 13, 0, 1]).with(b"sRGB", &[0]));
    assert_eq!(header.color, ColorSpace::DisplayP3);
    assert_eq!(ignored(&header), None);
}

#[test]
fn other_tags_are_ignored_and_named() {
    let case = |png, name: &str| {
        let header = header(png);
        assert_eq!(header.color, ColorSpace::Srgb);
        assert_eq!(ignored(&header), Some(name));
    };
    case(picture().with(b"cICP", &[9, 16, 0, 1]), "cICP 9/16/0/1");
    case(picture().with(b"cICP", &[12, 13, 0, 0]), "cICP 12/13/0/0");
    // Without a gamma there is no light that primaries could be about.
    case(tagged(picture(), None, Some(ADOBE_RGB)), "of other primaries without a gamma (cHRM)");
    case(tagged(picture(), Some(0), None), "of gamma 0 (gAMA)");
    case(tagged(picture(), Some(0), Some(ADOBE_RGB)), "of gamma 0 (gAMA)");
    let impossible: [[u32; 8]; 6] = [
        [0; 8],
        // Two primaries that are one, and three on a line.
        [31_270, 32_900, 64_000, 33_000, 64_000, 33_000, 15_000, 6_000],
        [31_270, 32_900, 10_000, 10_000, 20_000, 20_000, 30_000, 30_000],
        // White without luminance.
        [31_270, 0, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000],
        // Beyond all chromaticities; the second is below 0 where numbers have signs.
        [31_270, 32_900, 100_001, 0, 30_000, 60_000, 15_000, 6_000],
        [31_270, 32_900, 73_470, 26_530, u32::MAX - 99, 100_000, 15_000, 6_000],
    ];
    for primaries in impossible {
        let name = "of gamma 1 and impossible primaries (gAMA, cHRM)";
        case(tagged(picture(), Some(100_000), Some(primaries)), name);
    }
    let mut profile = b"Adobe RGB (1998)\0\0".to_vec();
    profile.extend(zlib(b"no profile at all"));
    case(picture().with(b"iCCP", &profile), "\"Adobe RGB (1998)\"");
}

#[test]
fn notes_are_sentences() {
    let note = |gamma, primaries| header(tagged(picture(), gamma, primaries)).notes[0].to_string();
    assert_eq!(note(Some(100_000), None), "the samples are converted from gamma 1 (gAMA)");
    assert_eq!(
        note(Some(45_455), Some(SRGB)),
        "the samples are converted from gamma 0.45455 (gAMA, with the cHRM of sRGB)"
    );
    assert_eq!(
        note(Some(45_455), Some(ADOBE_RGB)),
        "the samples are converted from gamma 0.45455 and other primaries (gAMA, cHRM)"
    );
    assert_eq!(
        note(None, Some(ADOBE_RGB)),
        "the colour profile of other primaries without a gamma (cHRM) is ignored: colours are read as sRGB"
    );
}

/// White, red, green and blue, as in the chunk.
const SRGB: [u32; 8] = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];
const ADOBE_RGB: [u32; 8] = [31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000];
const BT_2020: [u32; 8] = [31_270, 32_900, 70_800, 29_200, 17_000, 79_700, 13_100, 4_600];
/// White is D50.
const PRO_PHOTO: [u32; 8] = [34_567, 35_850, 73_470, 26_530, 15_960, 84_040, 3_660, 10];

fn tagged(mut png: Png, gamma: Option<u32>, primaries: Option<[u32; 8]>) -> Png {
    if let Some(gamma) = gamma {
        png = png.with(b"gAMA", &gamma.to_be_bytes());
    }
    if let Some(primaries) = primaries {
        png = png.with(b"cHRM", &primaries.map(u32::to_be_bytes).concat());
    }
    png
}

/// A row of 8-bit RGB.
fn row(pixels: &[[u8; 3]]) -> Png {
    let mut png = Png::new(pixels.len() as u32, 1, Color::Rgb, 8, false);
    png.samples = pixels.as_flattened().iter().map(|&sample| sample.into()).collect();
    png
}

fn samples(file: &[u8]) -> Vec<u16> {
    let frame = decode(file, &Limits::default()).unwrap().frame;
    assert_eq!(frame.format().bits(), 16, "a conversion has room");
    frame.bytes().as_chunks::<2>().0.iter().map(|&bytes| u16::from_ne_bytes(bytes)).collect()
}

#[test]
fn samples_are_what_chromium_shows() {
    const GREYS: [u8; 17] = [0, 1, 2, 5, 10, 20, 30, 55, 80, 100, 128, 160, 200, 230, 250, 254, 255];
    const COLORS: [[u8; 3]; 6] =
        [[255, 0, 0], [0, 255, 0], [0, 0, 255], [200, 100, 50], [50, 100, 200], [10, 200, 120]];
    // Chromium 148, from screenshots: greys, then the last three colours. The first three stay what they are.
    type Case = (u32, Option<[u32; 8]>, [u8; 17], [[u8; 3]; 3]);
    let cases: [Case; 9] = [
        (
            100_000,
            None,
            [0, 13, 22, 38, 56, 79, 96, 128, 152, 168, 188, 208, 229, 244, 253, 255, 255],
            [[229, 168, 122], [122, 168, 229], [56, 229, 183]],
        ),
        (
            100_000,
            Some(ADOBE_RGB),
            [0, 13, 22, 38, 56, 79, 96, 128, 152, 168, 188, 208, 229, 244, 253, 255, 255],
            [[248, 168, 120], [96, 168, 231], [0, 229, 180]],
        ),
        (
            45_455,
            Some(SRGB),
            [0, 0, 0, 1, 3, 12, 24, 52, 79, 100, 129, 161, 201, 231, 250, 254, 255],
            [[201, 100, 46], [46, 100, 201], [2, 201, 121]],
        ),
        (
            45_455,
            Some(ADOBE_RGB),
            [0, 0, 0, 1, 3, 12, 24, 52, 79, 100, 129, 161, 201, 231, 250, 254, 255],
            [[227, 100, 42], [0, 100, 204], [0, 201, 116]],
        ),
        (
            45_455,
            Some(BT_2020),
            [0, 0, 0, 1, 3, 12, 24, 52, 79, 100, 129, 161, 201, 231, 250, 254, 255],
            [[243, 75, 21], [0, 103, 210], [0, 213, 109]],
        ),
        (
            55_556,
            Some(PRO_PHOTO),
            [0, 0, 1, 3, 10, 26, 40, 71, 99, 119, 146, 176, 210, 235, 251, 254, 255],
            [[255, 80, 47], [0, 128, 221], [0, 230, 124]],
        ),
        (
            43_181,
            None,
            [0, 0, 0, 0, 2, 9, 20, 47, 74, 95, 124, 158, 199, 229, 250, 254, 255],
            [[199, 95, 42], [42, 95, 199], [2, 199, 116]],
        ),
        (
            47_728,
            None,
            [0, 0, 0, 1, 4, 15, 28, 56, 84, 105, 133, 165, 204, 232, 250, 254, 255],
            [[204, 105, 51], [51, 105, 204], [4, 204, 125]],
        ),
        // Absurd, and shown all the same.
        (500, None, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 37, 180, 255], [[0; 3]; 3]),
    ];
    let pixels: Vec<[u8; 3]> = GREYS.map(|grey| [grey; 3]).into_iter().chain(COLORS).collect();
    for (gamma, primaries, greys, colors) in cases {
        let expected: Vec<[u8; 3]> =
            greys.map(|grey| [grey; 3]).into_iter().chain(COLORS[..3].to_vec()).chain(colors).collect();
        let found = samples(&tagged(row(&pixels), Some(gamma), primaries).bytes());
        for ((found, expected), pixel) in found.as_chunks::<3>().0.iter().zip(expected).zip(&pixels) {
            for (&found, expected) in found.iter().zip(expected) {
                let off = (f64::from(found) / 257.0 - f64::from(expected)).abs();
                // A half by rounding, and the few digits of the browser's matrices, which tell where it is dark.
                assert!(off <= 0.7, "gamma {gamma}, {primaries:?}, {pixel:?}: {found} against {expected}");
            }
        }
        assert!(greys.len() + COLORS.len() == found.len() / 3);
    }
}

/// What samples of 0–1 are in sRGB, by another way than the product goes: through D50 and the platform's powers.
fn reference(gamma: u32, primaries: Option<[u32; 8]>, rgb: [f64; 3]) -> [f64; 3] {
    const BRADFORD: [[f64; 3]; 3] =
        [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]];
    /// By Cramer's rule.
    fn solve(m: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
        let determinant = |m: [[f64; 3]; 3]| {
            m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
                - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
        };
        [0, 1, 2].map(|column| {
            let mut with = m;
            for row in 0..3 {
                with[row][column] = v[row];
            }
            determinant(with) / determinant(m)
        })
    }
    fn apply(m: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
        m.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum())
    }
    /// Columns of XYZ of the primaries, as they are under D50.
    fn adapted(primaries: [u32; 8]) -> [[f64; 3]; 3] {
        let xyz = |at: usize| {
            let [x, y] = [primaries[at], primaries[at + 1]].map(|v| f64::from(v) / 1e5);
            [x / y, 1.0, (1.0 - x - y) / y]
        };
        let [white, red, green, blue] = [0, 2, 4, 6].map(xyz);
        let matrix = [0, 1, 2].map(|row| [red[row], green[row], blue[row]]);
        let share = solve(matrix, white);
        let cones = |v| apply(BRADFORD, v);
        let scale: Vec<f64> =
            cones([0.964_22, 1.0, 0.825_21]).iter().zip(cones(white)).map(|(a, b)| a / b).collect();
        let columns = [red, green, blue].map(|primary| {
            let cones = cones(primary);
            solve(BRADFORD, [0, 1, 2].map(|c| cones[c] * scale[c]))
        });
        [0, 1, 2].map(|row| [0, 1, 2].map(|c| columns[c][row] * share[c]))
    }
    let mut light = rgb.map(|sample| sample.powf(1e5 / f64::from(gamma)));
    if let Some(primaries) = primaries {
        light = solve(adapted(SRGB), apply(adapted(primaries), light));
    }
    light.map(|light| {
        let light = light.clamp(0.0, 1.0);
        if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
    })
}

/// Primaries with room between them, so that rounding is not blown up.
fn primaries() -> impl Strategy<Value = [u32; 8]> {
    let near = |at: u32, by: u32| at - by..at + by;
    (
        (near(32_000, 3_000), near(34_000, 3_000)),
        (near(66_000, 7_000), near(30_000, 4_000)),
        (near(24_000, 9_000), near(70_000, 14_000)),
        (near(14_000, 5_000), near(5_500, 5_000)),
    )
        .prop_map(|(w, r, g, b)| [w.0, w.1, r.0, r.1, g.0, g.1, b.0, b.1])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_kind_of_picture_is_converted_as_by_the_textbook(
        gamma in prop_oneof![Just(100_000_u32), Just(45_455), 20_000..300_000_u32],
        primaries in prop::option::of(primaries()),
        color in prop::sample::select(vec![Color::Gray, Color::Rgb, Color::Palette, Color::GrayAlpha, Color::Rgba]),
        depth in any::<prop::sample::Index>(),
        interlaced in any::<bool>(),
        transparent in any::<bool>(),
        orientation in 1..=8_u16,
        rows in 1..9_u32,
        seed in any::<u16>(),
    ) {
        let depth = *depth.get(color.depths());
        let mut png = Png::new(11, 7, color, depth, interlaced);
        for sample in &mut png.samples {
            *sample = sample.wrapping_mul(seed | 1) & (u16::MAX >> (16 - depth));
        }
        if color == Color::Palette {
            png = png.with(b"PLTE", &(0..3 << depth).map(|i: u32| (i * 41 + u32::from(seed)) as u8).collect::<Vec<_>>());
        }
        if transparent {
            png = match color {
                Color::Palette => png.with(b"tRNS", &[0, 128]),
                Color::Gray | Color::Rgb => {
                    let key: Vec<u8> = png.pixel(10, 6).iter().flat_map(|v| v.to_be_bytes()).collect();
                    png.with(b"tRNS", &key)
                }
                _ => png,
            };
        }
        png = png.with(b"eXIf", &exif(orientation));
        // The same file without a gamma tells what there is to convert.
        let plain = decode(&png.bytes(), &Limits::default()).unwrap();
        let file = tagged(png, Some(gamma), primaries).bytes();
        let decoded = decode(&file, &Limits::default()).unwrap();
        let is_converted = primaries.is_some() || !(43_182..=47_727).contains(&gamma);
        prop_assert_eq!(decoded.header.size, plain.header.size);
        prop_assert_eq!(decoded.header.orientation, plain.header.orientation);
        prop_assert_eq!(decoded.header.alpha, plain.header.alpha);
        prop_assert_eq!(decoded.header.color, ColorSpace::Srgb);
        prop_assert_eq!(decoded.frame.format(), decoded.header.format);
        if !is_converted {
            prop_assert_eq!(decoded.frame, plain.frame);
            return Ok(());
        }
        let is_noted = matches!(&decoded.header.notes[..], [Note::Converted { .. }]);
        prop_assert!(is_noted);

        let channels = plain.frame.format().channels();
        prop_assert_eq!((decoded.frame.format().channels(), decoded.frame.format().bits()), (channels, 16));
        let stored: Vec<f64> = match plain.frame.format().bits() {
            8 => plain.frame.bytes().iter().map(|&v| f64::from(v) / 255.0).collect(),
            _ => plain.frame.bytes().as_chunks::<2>().0.iter().map(|&v| f64::from(u16::from_ne_bytes(v)) / 65_535.0).collect(),
        };
        let found = decoded.frame.bytes().as_chunks::<2>().0.iter().map(|&v| f64::from(u16::from_ne_bytes(v)));
        let found: Vec<f64> = found.collect();
        for (stored, found) in stored.chunks(channels).zip(found.chunks(channels)) {
            let expected = match stored {
                [r, g, b, ..] => reference(gamma, primaries, [*r, *g, *b]).to_vec(),
                // Grey has no primaries.
                _ => vec![reference(gamma, None, [stored[0]; 3])[0]],
            };
            for (&found, expected) in found.iter().zip(&expected) {
                prop_assert!((found - 65_535.0 * expected).abs() <= 0.51, "{found} against {expected} of {stored:?}");
            }
            if channels % 2 == 0 {
                prop_assert_eq!(found[channels - 1], (65_535.0 * stored[channels - 1]).round());
            }
        }

        // In bands, from memory and from a file.
        let on_disk = on_disk(&file);
        for input in [Input::from(&file), Input::from(&on_disk)] {
            let mut opened = open(input, &Limits::default()).unwrap();
            prop_assert_eq!(opened.header(), &decoded.header);
            let mut bytes: Vec<u8> = Vec::new();
            while let Some(band) = opened.next_band(rows).unwrap() {
                bytes.extend(band.view().rows().flatten());
            }
            prop_assert!(bytes == decoded.frame.bytes());
        }
    }

    #[test]
    fn no_value_is_too_wild(
        gamma in prop_oneof![any::<u32>(), 0..10_u32, Just(u32::MAX), Just(1 << 31)],
        primaries in prop::array::uniform8(prop_oneof![any::<u32>(), 0..100_002_u32, Just(0), Just(1), Just(100_000)]),
        with_primaries in any::<bool>(),
        depth in prop::sample::select(vec![8_u8, 16]),
    ) {
        let primaries = with_primaries.then_some(primaries);
        let file = tagged(Png::new(5, 3, Color::Rgba, depth, false), Some(gamma), primaries).bytes();
        let decoded = decode(&file, &Limits::default()).unwrap();
        let is_neutral = !with_primaries && (43_182..=47_727).contains(&gamma);
        prop_assert_eq!(decoded.header.notes.len(), usize::from(!is_neutral));
        let is_converted = matches!(decoded.header.notes.first(), Some(Note::Converted { .. }));
        let format = if is_converted || depth == 16 { PixelFormat::Rgba16 } else { PixelFormat::Rgba8 };
        prop_assert_eq!(decoded.header.format, format);
        prop_assert!(gamma > 0 || !is_converted);
    }
}

#[test]
fn encodings_of_one_picture_of_a_gamma_are_one_picture() {
    let colors: [[u8; 3]; 4] = [[0; 3], [200, 100, 50], [55; 3], [10, 200, 120]];
    let indices: Vec<u16> = (0..63).map(|i| i * i % 4).collect();
    for primaries in [None, Some(ADOBE_RGB)] {
        let mut plain = Png::new(9, 7, Color::Rgb, 8, false);
        plain.samples = indices.iter().flat_map(|&i| colors[usize::from(i)].map(u16::from)).collect();
        let tagged = |png| tagged(png, Some(100_000), primaries).bytes();
        let reference = samples(&tagged(plain.clone()));
        let mut wide = Png { depth: 16, ..plain.clone() };
        for sample in &mut wide.samples {
            *sample *= 257;
        }
        let mut indexed = Png::new(9, 7, Color::Palette, 2, false).with(b"PLTE", colors.as_flattened());
        indexed.samples.clone_from(&indices);
        for png in [plain, wide, indexed] {
            let interlaced = Png { interlaced: true, ..png.clone() };
            assert_eq!(samples(&tagged(png)), reference);
            assert_eq!(samples(&tagged(interlaced)), reference);
        }
    }
}

#[test]
fn grey_stays_grey_under_any_primaries() {
    for primaries in [ADOBE_RGB, BT_2020, PRO_PHOTO] {
        let greys: Vec<[u8; 3]> = (0..=255).map(|grey| [grey; 3]).collect();
        let found = samples(&tagged(row(&greys), Some(60_000), Some(primaries)).bytes());
        assert!(found.as_chunks::<3>().0.iter().all(|[r, g, b]| r == g && g == b));
        let mut grey = Png::new(256, 1, Color::Gray, 8, false);
        grey.samples = (0..256).collect();
        let alone = samples(&tagged(grey, Some(60_000), Some(primaries)).bytes());
        assert!(alone.iter().eq(found.iter().step_by(3)), "and has the value that it has alone");
    }
}

#[test]
fn equal_pixels_of_another_gamma_are_another_picture() {
    let [a, b] = [100_000, 90_000].map(|gamma| tagged(picture(), Some(gamma), None).bytes());
    assert_eq!(same_file(&a, &b, &Limits::default()), None);
    assert_ne!(samples(&a), samples(&b));
    let header = same_file(&a, &a.clone(), &Limits::default());
    assert_eq!(header, Some(decode(&a, &Limits::default()).unwrap().header));
}

#[test]
fn limits_count_the_samples_that_are_given_out() {
    let file = tagged(Png::new(10, 10, Color::Rgb, 8, true), Some(100_000), None).bytes();
    assert!(decode(&file, &Limits::default().with_max_bytes(600)).is_ok());
    assert!(decode(&file, &Limits::default().with_max_bytes(599)).is_err());
}
