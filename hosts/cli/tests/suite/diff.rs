//! `trueup diff`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use trueup_frame::{ImageView, PixelFormat, Size};

use crate::{code, stderr, stdout, trueup};

/// A folder of pictures.
struct Pictures(tempfile::TempDir);

impl Pictures {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Writes a grey picture with a square of another grey in it.
    fn write(&self, name: &str, size: Size, square: u8) -> PathBuf {
        let inside = |x: u32, y: u32| (10..30).contains(&x) && (10..30).contains(&y);
        let pixels: Vec<u8> = (0..size.height)
            .flat_map(|y| (0..size.width).map(move |x| if inside(x, y) { square } else { 240 }))
            .collect();
        let view = ImageView::packed(&pixels, size, PixelFormat::Gray8).unwrap();
        self.bytes(name, &trueup_codec::encode_png(&view).unwrap())
    }

    fn bytes(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

const SIZE: Size = Size::new(60, 40);

fn diff(a: &Path, b: &Path, args: &[&str]) -> Output {
    trueup().arg("diff").arg(a).arg(b).args(args).output().unwrap()
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_str(&stdout(output)).unwrap_or_else(|error| panic!("{error}: {}", stdout(output)))
}

#[test]
fn equal_pictures_pass_and_different_ones_fail() {
    let pictures = Pictures::new();
    let (a, b) = (pictures.write("a.png", SIZE, 100), pictures.write("b.png", SIZE, 140));
    let same = diff(&a, &a, &[]);
    assert_eq!(code(&same), 0);
    assert!(stdout(&same).starts_with("pass: the images are identical\n"), "{}", stdout(&same));
    let other = diff(&a, &b, &[]);
    assert_eq!(code(&other), 1);
    let text = stdout(&other);
    assert!(text.contains("20×20   at (10, 10) · 400 px") && text.contains("lighter by"), "{text}");
    assert!(text.contains("it would pass at color_delta_e="), "{text}");
}

/// What a shell gives for `<(…)` has no places to read at, and no length.
#[cfg(unix)]
#[test]
fn pipes_are_compared_as_files_are() {
    let pictures = Pictures::new();
    let (a, b) = (pictures.write("a.png", SIZE, 100), pictures.write("b.png", SIZE, 140));
    for (other, expected) in [(&a, 0), (&b, 1)] {
        let fifo = pictures.0.path().join(format!("fifo-{expected}"));
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let (bytes, end) = (fs::read(other).unwrap(), fifo.clone());
        let writer = std::thread::spawn(move || fs::write(end, bytes));
        let piped = diff(&a, &fifo, &[]);
        assert_eq!(code(&piped), expected, "{}", stderr(&piped));
        writer.join().unwrap().unwrap();
    }
}

#[test]
fn the_json_document_has_every_field() {
    let pictures = Pictures::new();
    let (a, b) = (pictures.write("a.png", SIZE, 100), pictures.write("b.png", SIZE, 140));
    let document = json(&diff(&a, &b, &["--format", "json"]));
    for field in [
        "schema",
        "status",
        "reason",
        "metric",
        "tolerance",
        "expected",
        "actual",
        "compared_pixels",
        "masked_pixels",
        "differing_pixels",
        "visible_pixels",
        "open_pixels",
        "max_delta_e",
        "mean_delta_e",
        "score",
        "would_pass_at",
        "size_mismatch",
        "regions",
    ] {
        assert!(document.get(field).is_some(), "{field}");
    }
    let region = &document["regions"][0];
    assert_eq!(
        (region["x"].as_u64(), region["width"].as_u64(), region["open"].as_bool()),
        (Some(10), Some(20), Some(true))
    );
    assert_eq!(
        (document["schema"].as_str(), document["status"].as_str()),
        (Some("trueup.diff/1"), Some("fail"))
    );
    // The tolerance that it names is one under which it passes.
    let pass = document["would_pass_at"].as_f64().unwrap();
    let again = diff(&a, &b, &["--tolerance", &format!("color_delta_e={}", (pass * 100.0).ceil() / 100.0)]);
    assert_eq!(code(&again), 0, "{}", stdout(&again));
}

#[test]
fn strict_masks_and_pictures() {
    let pictures = Pictures::new();
    let (a, b) = (pictures.write("a.png", SIZE, 100), pictures.write("b.png", SIZE, 101));
    assert_eq!(code(&diff(&a, &b, &[])), 0, "one step of grey is not seen");
    assert_eq!(code(&diff(&a, &b, &["--strict"])), 1);
    assert_eq!(code(&diff(&a, &b, &["--strict", "--mask", "10,10,20,20"])), 0);
    let elsewhere = diff(&a, &b, &["--mask", "500,500,9,9"]);
    assert!(stdout(&elsewhere).contains("mask 1 covers no pixel"), "{}", stdout(&elsewhere));
    let all = diff(&a, &b, &["--mask", "0,0,60,40", "--format", "json"]);
    assert_eq!(
        (code(&all), json(&all)["status"].as_str()),
        (3, Some("undetermined")),
        "nothing was compared"
    );
    let picture = pictures.0.path().join("diff.png");
    diff(&a, &b, &["--strict", "-o", picture.to_str().unwrap()]);
    let decoded =
        trueup_codec::decode(&fs::read(picture).unwrap(), &trueup_codec::Limits::default()).unwrap();
    assert_eq!(decoded.frame.size(), SIZE);
}

#[test]
fn a_size_mismatch_counts_both_sides_either_way_round() {
    let pictures = Pictures::new();
    let (a, b) = (pictures.write("a.png", SIZE, 100), pictures.write("b.png", Size::new(70, 35), 100));
    let forth = json(&diff(&a, &b, &["--format", "json"]))["size_mismatch"].clone();
    assert_eq!(
        (forth["expected_extra_pixels"].as_u64(), forth["actual_extra_pixels"].as_u64()),
        (Some(300), Some(350))
    );
    let back = json(&diff(&b, &a, &["--format", "json"]))["size_mismatch"].clone();
    assert_eq!(
        (back["expected_extra_pixels"].as_u64(), back["actual_extra_pixels"].as_u64()),
        (Some(350), Some(300))
    );
    assert!(stdout(&diff(&a, &b, &[])).contains("sizes differ: 60×40 and 70×35"));
}

#[test]
fn exactly_256_differing_pixels_do_not_exit_0() {
    let pictures = Pictures::new();
    let at = |name, level: u8| {
        let mut pixels = vec![255; 64 * 64];
        for pixel in pixels.chunks_exact_mut(16).take(256) {
            pixel[0] = level;
        }
        let view = ImageView::packed(&pixels, Size::new(64, 64), PixelFormat::Gray8).unwrap();
        pictures.bytes(name, &trueup_codec::encode_png(&view).unwrap())
    };
    let (a, b) = (at("a.png", 255), at("b.png", 0));
    let output = diff(&a, &b, &["--format", "json"]);
    assert_eq!((code(&output), json(&output)["differing_pixels"].as_u64()), (1, Some(256)));
}

#[test]
fn a_picture_never_takes_the_place_of_an_image() {
    let pictures = Pictures::new();
    let (a, b) = (pictures.write("a.png", SIZE, 100), pictures.write("b.png", SIZE, 90));
    let folder = pictures.0.path();
    let before = [fs::read(&a).unwrap(), fs::read(&b).unwrap()];
    let by_detour = folder.join(".").join("b.png");
    for out in [&a, &b, &by_detour] {
        let output = diff(&a, &b, &["-o", out.to_str().unwrap()]);
        let error = stderr(&output);
        assert_eq!(code(&output), 2, "{error}");
        assert!(
            error.contains("one of the images that are compared") && error.lines().count() == 1,
            "{error}"
        );
    }
    // Two folders, and pictures that would go into one of them.
    let output = diff(folder, folder, &["-o", folder.to_str().unwrap()]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert_eq!([fs::read(&a).unwrap(), fs::read(&b).unwrap()], before);
    // A name of its own is no name of theirs.
    let out = folder.join("diff.png");
    assert_eq!(code(&diff(&a, &b, &["-o", out.to_str().unwrap()])), 1);
    assert!(out.exists());
}

#[test]
fn what_is_no_picture_is_one_clear_error() {
    let pictures = Pictures::new();
    let good = pictures.write("good.png", SIZE, 100);
    let bytes = fs::read(&good).unwrap();
    let mut huge = bytes.clone();
    huge[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    let crc = !huge[12..29].iter().fold(!0u32, |crc, byte| {
        (0..8).fold(
            crc ^ u32::from(*byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 },
        )
    });
    huge[29..33].copy_from_slice(&crc.to_be_bytes());
    let mut flipped = bytes.clone();
    let last = flipped.len() - 20;
    flipped[last] ^= 1;
    for (bad, part) in [
        (pictures.0.path().join("missing.png"), "cannot be read"),
        (pictures.bytes("empty.png", b""), "empty"),
        (pictures.bytes("truncated.png", &bytes[..bytes.len() / 2]), "truncated.png"),
        (pictures.bytes("huge.png", &huge), "60000"),
        (pictures.bytes("flipped.png", &flipped), "flipped.png"),
        (pictures.bytes("notes.txt", b"not a picture at all"), "notes.txt"),
        (pictures.0.path().to_owned(), "is a folder"),
    ] {
        for (a, b) in [(&good, &bad), (&bad, &good)] {
            let output = diff(a, b, &[]);
            let error = stderr(&output);
            assert_eq!(code(&output), 2, "{error}{}", stdout(&output));
            assert!(
                error.contains(part) && error.lines().count() == 1 && error.starts_with("error: "),
                "{error}"
            );
        }
    }
}

#[test]
fn two_colours_are_compared_to_four_decimals() {
    let run = |args: &[&str]| trueup().arg("delta-e").args(args).output().unwrap();
    assert_eq!(stdout(&run(&["#ff0000", "#0000ff"])), "52.8782\n");
    assert_eq!(stdout(&run(&["lab(50 -1 2)", "lab(50 0 0)"])), "2.3669\n");
    let document = json(&run(&["red", "red", "--format", "json"]));
    assert_eq!(
        (document["schema"].as_str(), document["delta_e"].as_f64()),
        (Some("trueup.delta-e/1"), Some(0.0))
    );
    let wrong = run(&["rde", "red"]);
    assert_eq!(code(&wrong), 2);
    assert!(
        stderr(&wrong).starts_with("error: \"rde\" cannot be compared: expected a CSS colour"),
        "{}",
        stderr(&wrong)
    );
}

#[test]
fn regions_belong_to_the_tightest_named_box() {
    // A bar of 90×20 changes its fill; four boxes hold it, and the bar itself is the tightest.
    let pictures = Pictures::new();
    let at = |name: &str, level: u8| {
        let bar = |x: u32, y: u32| (106..196).contains(&x) && (16..36).contains(&y);
        let pixels: Vec<u8> =
            (0..360).flat_map(|y| (0..640).map(move |x| if bar(x, y) { level } else { 250 })).collect();
        let view = ImageView::packed(&pixels, Size::new(640, 360), PixelFormat::Gray8).unwrap();
        pictures.bytes(name, &trueup_codec::encode_png(&view).unwrap())
    };
    let (a, b) = (at("a.png", 120), at("b.png", 90));
    let boxes = r#"[{"name": "root", "x": 0, "y": 0, "width": 640, "height": 360},
        {"name": "row", "x": 100, "y": 10, "width": 300, "height": 40},
        {"name": "bar", "x": 106, "y": 16, "width": 90, "height": 20},
        {"name": "other", "x": 300, "y": 200, "width": 50, "height": 50}]"#;
    let path = pictures.bytes("boxes.json", boxes.as_bytes());
    let document = json(&diff(&a, &b, &["--regions", path.to_str().unwrap(), "--format", "json"]));
    let region = &document["regions"][0];
    assert_eq!(region["element"], "bar");
    assert_eq!(
        (region["x"].as_u64(), region["y"].as_u64(), region["width"].as_u64(), region["height"].as_u64()),
        (Some(106), Some(16), Some(90), Some(20))
    );
    let differing: Vec<u64> =
        (0..4).map(|at| document["boxes"][at]["differing_pixels"].as_u64().unwrap()).collect();
    assert_eq!(differing, [1800, 1800, 1800, 0]);
    let bad = pictures.bytes("bad.json", b"[{\"name\": \"a\", \"x\": -1}]");
    let output = diff(&a, &b, &["--regions", bad.to_str().unwrap()]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("bad.json: expected a list of"), "{}", stderr(&output));
}

#[test]
fn folders_pair_by_name() {
    let pictures = Pictures::new();
    let root = pictures.0.path();
    for folder in ["a/sub", "b/sub"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    for (name, square) in
        [("a/same.png", 9), ("b/same.png", 9), ("a/sub/other.png", 9), ("b/sub/other.png", 200)]
    {
        pictures.write(name, SIZE, square);
    }
    let run = |args: &[&str]| diff(&root.join("a"), &root.join("b"), args);
    let output = run(&["-o", root.join("out").to_str().unwrap()]);
    assert_eq!(code(&output), 1);
    assert!(
        stdout(&output).ends_with("fail: 2 pairs, 1 fail, 0 undetermined, 0 missing, 0 extra\n"),
        "{}",
        stdout(&output)
    );
    assert!(root.join("out/sub/other.png").is_file());
    // One of another kind and the same name is another pair, with a picture of its own.
    for folder in ["a", "b"] {
        fs::copy(root.join(folder).join("sub/other.png"), root.join(folder).join("sub/other.bmp")).unwrap();
    }
    assert_eq!(code(&run(&["-o", root.join("both").to_str().unwrap()])), 1);
    assert!(root.join("both/sub/other.png").is_file() && root.join("both/sub/other.bmp.png").is_file());
    for folder in ["a", "b"] {
        fs::remove_file(root.join(folder).join("sub/other.bmp")).unwrap();
    }

    pictures.write("b/sub/other.png", SIZE, 9);
    assert_eq!(code(&run(&[])), 0);
    pictures.bytes("b/same.png", b"broken");
    let document = json(&run(&["--format", "json"]));
    assert_eq!(
        (document["status"].as_str(), document["pairs"][0]["status"].as_str()),
        (Some("undetermined"), Some("undetermined"))
    );
    assert_eq!(code(&run(&[])), 3, "what could not be compared does not pass");
    pictures.write("a/gone.png", SIZE, 9);
    let document = json(&run(&["--format", "json"]));
    assert_eq!(
        (document["status"].as_str(), document["missing"][0].as_str()),
        (Some("fail"), Some("gone.png"))
    );
    // A folder against a file is a mistake.
    assert_eq!(code(&diff(&root.join("a"), &root.join("a/same.png"), &[])), 2);
}

#[test]
fn a_picture_can_be_a_mask() {
    let pictures = Pictures::new();
    let (a, b) = (pictures.write("a.png", SIZE, 100), pictures.write("b.png", SIZE, 160));
    let draw = |name: &str, size: Size| {
        let inside = |x: u32, y: u32| (10..30).contains(&x) && (10..30).contains(&y);
        let pixels: Vec<u8> = (0..size.height)
            .flat_map(|y| (0..size.width).map(move |x| if inside(x, y) { 255 } else { 0 }))
            .collect();
        let view = ImageView::packed(&pixels, size, PixelFormat::Gray8).unwrap();
        pictures.bytes(name, &trueup_codec::encode_png(&view).unwrap())
    };
    let mask = draw("mask.png", SIZE);
    let masked = diff(&a, &b, &["--strict", "--mask", mask.to_str().unwrap(), "--format", "json"]);
    assert_eq!(code(&masked), 0, "{}", stdout(&masked));
    let document = json(&masked);
    assert_eq!(
        (document["masked_pixels"].as_u64(), document["compared_pixels"].as_u64()),
        (Some(400), Some(2000))
    );
    // One that was made for another picture is not guessed at.
    let other = draw("other.png", Size::new(61, 40));
    let refused = diff(&a, &b, &["--mask", other.to_str().unwrap()]);
    assert_eq!(code(&refused), 2);
    let text = stderr(&refused);
    assert!(text.contains("other.png") && text.contains("61×40") && text.contains("60×40"), "{text}");
    let missing = diff(&a, &b, &["--mask", "nowhere.png"]);
    assert_eq!(code(&missing), 2);
    assert!(stderr(&missing).contains("nowhere.png"), "{}", stderr(&missing));
    let broken = pictures.bytes("broken.png", b"\x89PNG\r\n\x1a\n");
    let broken = diff(&a, &b, &["--mask", broken.to_str().unwrap()]);
    assert_eq!(code(&broken), 2);
    assert!(stderr(&broken).contains("broken.png"), "{}", stderr(&broken));
}

#[test]
fn every_metric_has_a_threshold_of_its_own_name() {
    let pictures = Pictures::new();
    let (a, b) = (pictures.write("a.png", SIZE, 100), pictures.write("b.png", SIZE, 140));
    for (metric, key) in [
        ("ciede2000", "color_delta_e"),
        ("cie94", "color_delta_e"),
        ("cie76", "color_delta_e"),
        ("oklab-hyab", "oklab_hyab"),
        ("yiq", "yiq"),
        ("channel", "channel"),
    ] {
        let document = json(&diff(&a, &b, &["--metric", metric, "--format", "json"]));
        assert_eq!((document["status"].as_str(), document["metric"].as_str()), (Some("fail"), Some(metric)));
        assert!(document["tolerance"][key].is_number(), "{metric}: {document}");
        let pass = document["would_pass_at"].as_f64().unwrap();
        let tolerance = format!("{key}={}", (pass * 100.0).ceil() / 100.0);
        assert_eq!(code(&diff(&a, &b, &["--metric", metric, "--tolerance", &tolerance])), 0, "{tolerance}");
    }
    let wrong = diff(&a, &b, &["--metric", "yiq", "--tolerance", "color_delta_e=2"]);
    assert_eq!(code(&wrong), 2);
    assert!(stderr(&wrong).contains("yiq"), "{}", stderr(&wrong));
    let document = json(&diff(&a, &b, &["--metric", "channel", "--format", "json"]));
    assert_eq!(document["max_delta_e"].as_f64(), Some(40.0));
}

#[test]
fn threads_change_nothing_but_time() {
    let pictures = Pictures::new();
    let (a, b) = (pictures.write("a.png", SIZE, 100), pictures.write("b.png", SIZE, 140));
    let one = diff(&a, &b, &["--threads", "1", "--format", "json"]);
    for threads in ["2", "7"] {
        assert_eq!(stdout(&diff(&a, &b, &["--threads", threads, "--format", "json"])), stdout(&one));
    }
    assert_eq!(code(&diff(&a, &b, &["--threads", "0"])), 2);
}

/// A picture of unlike rows, with rows of white put in, and a square of a grey.
fn screen(pictures: &Pictures, name: &str, white_rows: u32, square: u8) -> PathBuf {
    let size = Size::new(80, 60 + white_rows);
    let pixel = |x: u32, y: u32| -> u8 {
        let y = match y {
            0..20 => y,
            y if y < 20 + white_rows => return 255,
            y => y - white_rows,
        };
        if (30..50).contains(&x) && (30..50).contains(&y) {
            square
        } else {
            ((y * 7 + x * (y % 5)) % 90) as u8
        }
    };
    let pixels: Vec<u8> = (0..size.height).flat_map(|y| (0..size.width).map(move |x| pixel(x, y))).collect();
    let view = ImageView::packed(&pixels, size, PixelFormat::Gray8).unwrap();
    pictures.bytes(name, &trueup_codec::encode_png(&view).unwrap())
}

#[test]
fn what_was_added_and_what_changed_are_told_apart() {
    let pictures = Pictures::new();
    let (a, b) = (screen(&pictures, "a.png", 0, 200), screen(&pictures, "b.png", 5, 230));
    let output = diff(&a, &b, &[]);
    let text = stdout(&output);
    assert_eq!(code(&output), 1);
    assert!(text.contains("added") && text.contains("80×5    at (0, 20)"), "{text}");
    assert!(text.contains("20×20   at (30, 35)") && text.contains(" · 5 px down"), "{text}");
    assert!(text.contains("made way for the others"), "{text}");
    let document = json(&diff(&a, &b, &["--format", "json"]));
    let open: Vec<&serde_json::Value> =
        document["regions"].as_array().unwrap().iter().filter(|region| region["open"] == true).collect();
    assert_eq!(open.len(), 2);
    let of = |kind| open.iter().find(|region| region["kind"] == kind).unwrap();
    assert_eq!((of("added")["vector"].is_null(), &of("color")["vector"][1]), (true, &5.into()));
    assert_eq!(document["relation"], serde_json::json!({ "aligned": true, "cut": false }));
    // Areas of a level of their own, and what cannot be one.
    let layout =
        diff(&a, &b, &["--area", "layout:20,25,40,40", "--area", "ignore:polygon(0,0 90,0 90,26 0,26)"]);
    assert_eq!(code(&layout), 0, "{}", stdout(&layout));
    assert!(stdout(&layout).contains("is excused by area 1"), "{}", stdout(&layout));
    assert_eq!(code(&diff(&a, &b, &["--level", "layout"])), 1, "what was added is open");
    for (area, part) in [("lax:1,2,3,4", "is no level"), ("color:element(#a)", "have no elements")] {
        let refused = diff(&a, &b, &["--area", area]);
        assert_eq!(code(&refused), 2);
        assert!(stderr(&refused).contains(part), "{}", stderr(&refused));
    }
}

#[test]
fn a_displacement_is_excused_up_to_the_tolerance_pixel() {
    let pictures = Pictures::new();
    let at = |name: &str, left: u32| {
        let inside = |x: u32, y: u32| (left..left + 20).contains(&x) && (10..30).contains(&y);
        let pixels: Vec<u8> =
            (0..40).flat_map(|y| (0..60).map(move |x| if inside(x, y) { 100 } else { 240 })).collect();
        let view = ImageView::packed(&pixels, SIZE, PixelFormat::Gray8).unwrap();
        pictures.bytes(name, &trueup_codec::encode_png(&view).unwrap())
    };
    let (a, b) = (at("a.png", 10), at("b.png", 12));
    let text = stdout(&diff(&a, &b, &[]));
    assert!(text.contains("moved") && text.contains(" · 2 px right"), "{text}");
    assert_eq!(code(&diff(&a, &b, &["--tolerance", "pixel=1"])), 1);
    let near = diff(&a, &b, &["--tolerance", "pixel=2"]);
    assert_eq!(code(&near), 0);
    assert!(stdout(&near).contains("moved within the tolerance pixel"), "{}", stdout(&near));
    let document = json(&diff(&a, &b, &["--tolerance", "pixel=2", "--format", "json"]));
    assert_eq!(
        (&document["tolerance"]["pixel"], document["reason"].as_str()),
        (&2.into(), Some("what differs is excused"))
    );
}

#[test]
fn the_same_change_on_several_screens_is_one_group() {
    let pictures = Pictures::new();
    for folder in ["a", "b"] {
        fs::create_dir(pictures.0.path().join(folder)).unwrap();
    }
    for name in ["one.png", "two.png", "three.png"] {
        screen(&pictures, &format!("a/{name}"), 0, 200);
        screen(&pictures, &format!("b/{name}"), 0, 230);
    }
    let (a, b) = (pictures.0.path().join("a"), pictures.0.path().join("b"));
    let text = stdout(&diff(&a, &b, &[]));
    assert!(text.contains("the same change of kind color in 3 places, first one.png r1"), "{text}");
    let document = json(&diff(&a, &b, &["--format", "json"]));
    assert_eq!(
        (&document["groups"][0]["count"], document["groups"].as_array().unwrap().len()),
        (&3.into(), 1)
    );
}
