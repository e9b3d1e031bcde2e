//! What the comparer measures, names and reports.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use trueup_compare_pixel::{Area, ImagePair, PixelComparer, Settings};
use trueup_contract::{Channel, DeltaId, Label, LabelName, LabelReading, OpenRegion, Plan};
use trueup_frame::{Frame, PixelFormat, Rect, Size};
use trueup_pixel_diff::{MatchLevel, Options, Tolerance};
use trueup_ports::{
    CancelToken, Capture, CompareRequest, Comparer, Comparison, Cx, Element, KnownRegion, PictureKind,
    Pixels, PrepareRequest,
};
use trueup_score::{Points, Truth};
use trueup_testkit::{SimulatedTime, block_on};

const SIZE: Size = Size::new(60, 40);

/// A white picture with filled boxes.
fn picture(size: Size, boxes: &[(Rect, [u8; 3])]) -> Frame {
    let mut bytes = vec![255; size.width as usize * size.height as usize * 3];
    for (rect, color) in boxes {
        for y in rect.y..rect.y + rect.height {
            for x in rect.x..rect.x + rect.width {
                let at = (y as usize * size.width as usize + x as usize) * 3;
                bytes[at..at + 3].copy_from_slice(color);
            }
        }
    }
    Frame::new(bytes, size, PixelFormat::Rgb8).unwrap()
}

fn png(frame: &Frame) -> Vec<u8> {
    trueup_codec::encode_png(&frame.view()).unwrap()
}

fn cx() -> Cx {
    Cx::new(Arc::new(SimulatedTime::new()), CancelToken::new())
}

fn plan(references: &[&str]) -> Arc<Plan> {
    let label = |name: &&str| {
        Label::new(LabelName::new(*name).unwrap(), "a.svg", "60x40".parse().unwrap(), format!("{name}.png"))
    };
    Arc::new(Plan::new(references.iter().map(label)).unwrap())
}

fn capture(name: &str, frame: Frame) -> Capture {
    Capture::new(LabelName::new(name).unwrap(), Pixels::Frame(Arc::new(frame)))
}

fn compare(folder: &Path, settings: Settings, capture: Capture, known: &[KnownRegion]) -> Comparison {
    let comparer = PixelComparer::new(folder, settings);
    let request = CompareRequest::new(plan(&[capture.label.as_str()]), Arc::new([capture]));
    block_on(comparer.compare(request.with_known(known.into()).with_pictures(), &cx())).unwrap()
}

const BUTTON: Rect = Rect::new(10, 10, 20, 8);

#[test]
fn an_equal_capture_passes_and_says_by_what() {
    let folder = tempfile::tempdir().unwrap();
    let design = picture(SIZE, &[(BUTTON, [37, 99, 235])]);
    fs::write(folder.path().join("card.png"), png(&design)).unwrap();
    let comparison = compare(folder.path(), Settings::default(), capture("card", design), &[]);
    assert_eq!(
        (comparison.measurement.truth(), comparison.measurement.score()),
        (Truth::Pass, Some(Points::ZERO))
    );
    assert_eq!(comparison.measurement.channels().into_iter().collect::<Vec<_>>(), [Channel::Visual]);
}

#[test]
fn a_recoloured_button_is_one_region_that_shows_both_colours() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("card.png"), png(&picture(SIZE, &[(BUTTON, [37, 99, 235])]))).unwrap();
    let drifted = picture(SIZE, &[(BUTTON, [29, 78, 216])]);
    let elements = vec![
        Element::new("#card", Rect::of_size(SIZE)),
        Element::new("#button", BUTTON),
        Element::new("#label", Rect::new(12, 12, 4, 4)),
    ];
    let comparison =
        compare(folder.path(), Settings::default(), capture("card", drifted).with_elements(elements), &[]);
    let open: Vec<_> = comparison.measurement.open_regions().collect();
    assert_eq!(open.len(), 1);
    assert_eq!((open[0].area, open[0].kind.as_str(), open[0].pixels), (BUTTON, "color", 160));
    assert_eq!(
        (open[0].swatches[0].expected.to_string(), open[0].swatches[0].actual.to_string()),
        ("#2563eb".into(), "#1d4ed8".into())
    );
    assert!(open[0].score > Points::ZERO && open[0].mean_delta_e > Points::ONE);

    let report: serde_json::Value = serde_json::from_str(&comparison.reports[0].1).unwrap();
    assert_eq!((report["schema"].as_str(), report["status"].as_str()), (Some("trueup.diff/1"), Some("fail")));
    assert_eq!(
        (report["regions"][0]["id"].as_str(), report["regions"][0]["element"].as_str()),
        (Some("card/r1"), Some("#button"))
    );
    let kinds: Vec<PictureKind> = comparison.pictures.iter().map(|picture| picture.kind).collect();
    assert_eq!(kinds, [PictureKind::Reference, PictureKind::Render, PictureKind::Diff, PictureKind::Heatmap]);
    // Where nothing differs there is no heat to show.
    let same = capture("card", picture(SIZE, &[(BUTTON, [37, 99, 235])]));
    let same = compare(folder.path(), Settings::default(), same, &[]);
    assert_eq!(same.pictures.len(), 3);
}

#[test]
fn a_region_keeps_its_id_over_a_run() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("card.png"), png(&picture(SIZE, &[]))).unwrap();
    let at = |x| picture(SIZE, &[(Rect::new(x, 10, 20, 8), [200, 0, 0])]);
    let first = compare(folder.path(), Settings::default(), capture("card", at(10)), &[]);
    let known: Vec<KnownRegion> =
        first.measurement.open_regions().map(|open| KnownRegion::new(open.id.clone(), open.area)).collect();
    let second = compare(folder.path(), Settings::default(), capture("card", at(14)), &known);
    assert_eq!(second.measurement.delta_ids(), first.measurement.delta_ids());
    let elsewhere = compare(folder.path(), Settings::default(), capture("card", at(38)), &known);
    assert!(elsewhere.measurement.delta_ids().contains(&DeltaId::new("card/r2").unwrap()));
}

#[test]
fn what_is_mended_within_a_frame_that_is_not_is_open_no_longer() {
    let folder = tempfile::tempdir().unwrap();
    let size = Size::new(200, 160);
    let (frame, hollow, card) =
        (Rect::new(10, 10, 160, 130), Rect::new(14, 14, 152, 122), Rect::new(60, 50, 40, 40));
    let drawn = |line, fill| picture(size, &[(frame, line), (hollow, [255; 3]), (card, fill)]);
    fs::write(folder.path().join("card.png"), png(&drawn([37, 99, 235], [22, 163, 74]))).unwrap();
    let both = capture("card", drawn([220, 38, 38], [124, 58, 237]));
    let first = compare(folder.path(), Settings::default(), both, &[]);
    assert_eq!(first.measurement.delta_ids().len(), 2);
    let known: Vec<KnownRegion> =
        first.measurement.open_regions().map(|open| KnownRegion::of(open, None)).collect();
    // Only the frame is wrong now. The card lies within its box, and is no part of it.
    let frame_only = || capture("card", drawn([220, 38, 38], [22, 163, 74]));
    let second = compare(folder.path(), Settings::default(), frame_only(), &known);
    assert_eq!(second.measurement.open_regions().map(|open| open.area).collect::<Vec<_>>(), [frame]);
    assert_eq!(second.measurement.delta_ids().len(), 1);
    assert!(first.measurement.delta_ids().is_superset(&second.measurement.delta_ids()));
}

#[test]
fn what_only_one_image_has_is_open_and_counts_on_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("card.png"), png(&picture(SIZE, &[]))).unwrap();
    let other = picture(Size::new(50, 44), &[]);
    let comparison = compare(folder.path(), Settings::default(), capture("card", other), &[]);
    let open: Vec<_> = comparison.measurement.open_regions().collect();
    let told = |open: &&OpenRegion| (open.kind.clone(), open.area, open.pixels);
    assert_eq!(
        open.iter().map(told).collect::<Vec<_>>(),
        [
            ("removed".to_owned(), Rect::new(50, 0, 10, 40), 400),
            ("added".to_owned(), Rect::new(0, 40, 50, 4), 200),
        ]
    );
    // 100 ΔE for each pixel that one image lacks, in hundreds.
    assert_eq!(comparison.measurement.score(), Some(Points::from_whole(600)));
}

#[test]
fn masks_and_tolerances_are_honoured() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("card.png"), png(&picture(SIZE, &[(BUTTON, [100, 100, 100])]))).unwrap();
    let drifted = || capture("card", picture(SIZE, &[(BUTTON, [104, 104, 104])]));
    let passes = |settings| compare(folder.path(), settings, drifted(), &[]).measurement.truth();
    assert_eq!(passes(Settings::default()), Truth::Fail);
    assert_eq!(passes(Settings::new(Tolerance::new(6.0).unwrap())), Truth::Pass);
    let masked = Settings::default().with_ignored(LabelName::new("card").unwrap(), BUTTON);
    assert_eq!(passes(masked), Truth::Pass);
}

#[test]
fn a_reference_that_cannot_be_used_is_an_answer_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let good = png(&picture(SIZE, &[]));
    fs::write(folder.path().join("good.png"), &good).unwrap();
    fs::write(folder.path().join("empty.png"), []).unwrap();
    fs::write(folder.path().join("truncated.png"), &good[..good.len() / 2]).unwrap();
    fs::write(folder.path().join("text.png"), "this is no picture").unwrap();
    fs::create_dir(folder.path().join("folder.png")).unwrap();
    let mut bomb = good;
    // A header that claims 60000 × 60000, with its checksum made right again by an encoder.
    bomb[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    let crc = crc32(&bomb[12..29]);
    bomb[29..33].copy_from_slice(&crc.to_be_bytes());
    fs::write(folder.path().join("bomb.png"), bomb).unwrap();

    let names = ["good", "empty", "truncated", "text", "folder", "bomb", "missing"];
    let comparer = PixelComparer::new(folder.path(), Settings::default());
    let answers = block_on(comparer.prepare(PrepareRequest::new(plan(&names)), &cx())).unwrap();
    for (name, answer) in names.iter().zip(&answers) {
        match answer.problem() {
            None => assert_eq!(*name, "good"),
            Some(problem) => assert!(problem.contains(&format!("{name}.png")), "{problem}"),
        }
    }
    assert!(answers[5].problem().unwrap().contains("60000"), "{:?}", answers[5]);
    // And in a comparison they are not comparable, while the others are compared.
    let request = CompareRequest::new(plan(&names), Arc::new([capture("good", picture(SIZE, &[]))]));
    let measured = block_on(comparer.compare(request, &cx())).unwrap().measurement;
    assert!(matches!(measured.labels()[0].reading, LabelReading::Compared { .. }));
    assert_eq!(measured.not_comparable().count(), 6);
    assert_eq!(measured.truth(), Truth::Undetermined);
}

/// CRC-32 as PNG has it, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(
            crc ^ u32::from(*byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 },
        )
    };
    !bytes.iter().fold(!0, step)
}

#[test]
fn an_encoded_capture_and_a_frame_measure_the_same() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("card.png"), png(&picture(SIZE, &[(BUTTON, [37, 99, 235])]))).unwrap();
    let drifted = picture(SIZE, &[(Rect::new(12, 10, 20, 9), [30, 90, 230])]);
    let encoded = Capture::new(LabelName::new("card").unwrap(), Pixels::Encoded(png(&drifted).into()));
    let a = compare(folder.path(), Settings::default(), capture("card", drifted), &[]);
    let b = compare(folder.path(), Settings::default(), encoded, &[]);
    assert_eq!(a.measurement, b.measurement);
}

#[test]
fn a_difference_can_be_looked_at() {
    let expected = png(&picture(SIZE, &[(BUTTON, [37, 99, 235])]));
    let actual = png(&picture(Size::new(64, 40), &[(BUTTON, [235, 99, 37])]));
    let pair = ImagePair::new(&expected, &actual);
    let diff = pair.compare(&Options::default()).unwrap();
    let picture = pair.picture(&diff).unwrap();
    let alone = pair.with_threads(NonZeroUsize::MIN);
    assert_eq!(alone.picture(&alone.compare(&Options::default()).unwrap()).unwrap(), picture);
    let decoded = trueup_codec::decode(&picture, &trueup_codec::Limits::default()).unwrap();
    assert_eq!(decoded.frame.size(), Size::new(64, 40));
    let pixel = |x: usize, y: u32| decoded.frame.view().row(y)[3 * x..3 * x + 3].to_vec();
    assert_eq!(pixel(15, 12), [225, 29, 72], "what differs is red");
    assert_eq!(pixel(62, 20), [253, 230, 138], "what only one image has is yellow");
    assert_eq!(pixel(7, 7), [190, 18, 60], "an open region has a line around it");
    assert_eq!(pixel(50, 30), [255, 255, 255]);
}

/// Rows of unlike greys, so that each is known again.
fn striped(size: Size) -> Frame {
    let mut bytes = Vec::new();
    for y in 0..size.height {
        for x in 0..size.width {
            let grey = (y * 37 + x * (y % 7) * 11) % 200;
            bytes.extend([u8::try_from(grey).unwrap(); 3]);
        }
    }
    Frame::new(bytes, size, PixelFormat::Rgb8).unwrap()
}

/// The frame with rows of one colour before row `y`.
fn with_rows(frame: &Frame, y: usize, rows: u32, color: [u8; 3]) -> Frame {
    let (size, mut bytes) = (frame.view().size(), frame.bytes().to_vec());
    let at = y * size.width as usize * 3;
    bytes.splice(at..at, color.repeat((size.width * rows) as usize));
    Frame::new(bytes, Size::new(size.width, size.height + rows), PixelFormat::Rgb8).unwrap()
}

fn painted(frame: &Frame, area: Rect, color: [u8; 3]) -> Frame {
    let (size, mut bytes) = (frame.view().size(), frame.bytes().to_vec());
    for y in area.y..area.y + area.height {
        for x in area.x..area.x + area.width {
            let at = (y as usize * size.width as usize + x as usize) * 3;
            bytes[at..at + 3].copy_from_slice(&color);
        }
    }
    Frame::new(bytes, size, PixelFormat::Rgb8).unwrap()
}

#[test]
fn a_screen_that_gains_one_row_an_iteration_keeps_its_regions() {
    let folder = tempfile::tempdir().unwrap();
    let design = painted(&striped(Size::new(120, 90)), Rect::new(20, 50, 40, 20), [37, 99, 235]);
    fs::write(folder.path().join("card.png"), png(&design)).unwrap();
    let drifted = painted(&design, Rect::new(20, 50, 40, 20), [22, 163, 74]);
    let mut known: Vec<KnownRegion> = Vec::new();
    let mut first = None;
    for rows in 1..=12 {
        let now = with_rows(&drifted, 10, rows, [255, 0, 128]);
        let comparison = compare(folder.path(), Settings::default(), capture("card", now), &known);
        let open: Vec<&OpenRegion> = comparison.measurement.open_regions().collect();
        assert_eq!(open.len(), 2, "{open:#?}");
        let color = open.iter().find(|region| region.kind == "color").unwrap();
        assert_eq!(
            (color.area, color.anchor()),
            (Rect::new(20, 50 + rows, 40, 20), Rect::new(20, 50, 40, 20))
        );
        assert_eq!(color.vector(), [0, i64::from(rows)]);
        assert_eq!(color.swatches[0].expected.to_string(), "#2563eb");
        let ids = comparison.measurement.delta_ids();
        assert_eq!(first.get_or_insert_with(|| ids.clone()), &ids);
        known = open.iter().map(|region| KnownRegion::of(region, None)).collect();
    }
}

#[test]
fn areas_and_distances_are_excused_and_the_report_says_by_what() {
    let folder = tempfile::tempdir().unwrap();
    let design = painted(&striped(Size::new(120, 90)), Rect::new(20, 50, 40, 20), [37, 99, 235]);
    fs::write(folder.path().join("card.png"), png(&design)).unwrap();
    let drifted = painted(&design, Rect::new(20, 50, 40, 20), [22, 163, 74]);
    let button = || vec![Element::new("#button", Rect::new(20, 50, 40, 20))];
    let seen = |settings: Settings| {
        let now = capture("card", drifted.clone()).with_elements(button());
        compare(folder.path(), settings, now, &[])
    };
    let name = || LabelName::new("card").unwrap();
    let shape = Area::of_shape(Rect::new(10, 40, 60, 40), MatchLevel::Layout);
    let element = Area::of_element("#button", MatchLevel::Layout);
    let other = Area::of_element("#header", MatchLevel::Layout);
    for (area, truth) in [(shape, Truth::Pass), (element, Truth::Pass), (other, Truth::Fail)] {
        let comparison = seen(Settings::default().with_area(name(), area));
        assert_eq!(comparison.measurement.truth(), truth);
        let report: serde_json::Value = serde_json::from_str(&comparison.reports[0].1).unwrap();
        let excuse = report["regions"][0]["excuse"].as_str();
        assert_eq!(excuse, (truth == Truth::Pass).then_some("area 1"));
    }
    let layout = seen(Settings::default().with_level(MatchLevel::Layout));
    assert_eq!(layout.measurement.truth(), Truth::Pass);
    // Two rows more are excused as distance only where they repeat what is beside them.
    let white = picture(Size::new(120, 90), &[(Rect::new(20, 50, 40, 20), [37, 99, 235])]);
    fs::write(folder.path().join("card.png"), png(&white)).unwrap();
    let taller = || capture("card", with_rows(&white, 10, 2, [255; 3]));
    let truth = |px| {
        let settings = Settings::default().with_placement_css_px(px);
        compare(folder.path(), settings, taller(), &[]).measurement.truth()
    };
    assert_eq!([truth(0), truth(1), truth(2)], [Truth::Fail, Truth::Fail, Truth::Pass]);
}

#[test]
fn files_and_frames_are_related_alike() {
    // Held whole, and read in bands by one thread, by those that decode, and by some that judge besides.
    for (size, threads) in [(Size::new(120, 90), 1..3), (Size::new(1200, 900), 1..6)] {
        let design = painted(&striped(size), Rect::new(20, 50, 40, 20), [37, 99, 235]);
        let other =
            with_rows(&painted(&design, Rect::new(20, 50, 40, 20), [22, 163, 74]), 10, 3, [255, 0, 128]);
        let options = Options::default();
        let plain = trueup_pixel_diff::diff(&design.view(), &other.view(), &options).unwrap();
        let relating = trueup_pixel_diff::Relating::default();
        let related =
            trueup_pixel_diff::relate(plain, &design.view(), &other.view(), &options, &relating).unwrap();
        let (design, other) = (png(&design), png(&other));
        for threads in threads {
            let pair = ImagePair::new(&design, &other).with_threads(NonZeroUsize::new(threads).unwrap());
            assert_eq!(pair.relate(&options, &relating).unwrap(), related);
        }
    }
}
