//! Screenshots of the report against baselines, compared by `trueup diff` itself.
//!
//! What another machine has no say in: text is set in a font that is part of the page, captures have one pixel a CSS pixel, without
//! hinting and without colour fringes, and a run of the card is the same everywhere. What is left are versions of Chromium, which draw
//! form controls and the edges of glyphs a little differently: antialiasing is told apart by the comparison, things may stand a pixel
//! elsewhere, and `color_delta_e=5` is where a colour would be called another one. A change of the report's layout, colours or words is
//! beyond each of these by far.
//!
//! `just baselines` records them again; look at what changed before it is committed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use trueup_frame::PixelFormat;

use crate::browser::has_browser;
use crate::{Card, code, stderr, stdout, trueup};

const TOLERANCE: &str = "color_delta_e=5,pixel=1";

/// The report at a desk and in a hand, in both themes: whole in light, where the words are, and its first screen in dark, where only
/// colours are others; and the view of the heat map. Pictures are shown at half their size: all three fit, and baselines stay small.
const CONFIG: &str = r##"
[artifact]
files = ["report.html"]

[capturer]
kind = "chromium"

[[screen]]
name = "whole"
source = "report.html"
viewports = ["1280x900", "375x800"]
themes = ["light"]
area = "full-page"
route = [{ click = "#smaller" }]
reference = "baselines"

[[screen]]
name = "first"
source = "report.html"
viewports = ["1280x900", "375x800"]
themes = ["dark"]
route = [{ click = "#smaller" }]
reference = "baselines"

[[screen]]
name = "heatmap"
source = "report.html"
viewports = ["1280x900"]
element = ".stage"
route = [{ click = "[data-mode=heatmap]" }]
reference = "baselines"

[reviser]
kind = "command"
command = ["true"]
"##;

fn baselines() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/baselines/report")
}

/// A report as it is, but for its fonts: Noto Sans is part of it, and what Noto Sans has no glyph for is left out.
fn in_one_font(page: &str) -> String {
    let face = |weight: u32, font: &[u8]| {
        let data = STANDARD.encode(font);
        format!(
            "@font-face {{ font-family: Page; font-weight: {weight}; src: url(data:font/ttf;base64,{data}) }}"
        )
    };
    let style = format!(
        "<style>{}{}* {{ font-family: Page !important; }} #theme, nav button::before {{ font-size: 0 !important; }}</style></head>",
        face(400, notosans::REGULAR_TTF),
        face(700, notosans::BOLD_TTF),
    );
    let policy = "default-src 'none';";
    assert!(page.contains(policy) && page.contains("</head>"));
    page.replacen(policy, "default-src 'none'; font-src data:;", 1).replacen("</head>", &style, 1)
}

/// The same picture in fewer bytes: flat areas and repeated glyphs take least without a filter.
fn small(picture: &[u8]) -> Vec<u8> {
    let frame = trueup_codec::decode(picture, &trueup_codec::Limits::default()).unwrap().frame;
    let view = frame.view();
    assert_eq!(view.format(), PixelFormat::Rgb8, "pages are opaque");
    let samples: Vec<u8> = (0..view.size().height).flat_map(|y| view.row(y).to_vec()).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, view.size().width, view.size().height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    encoder.write_header().unwrap().write_image_data(&samples).unwrap();
    bytes
}

/// Captures a page as the configuration says.
fn captured(page: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("trueup.toml"), CONFIG).unwrap();
    fs::write(folder.path().join("report.html"), in_one_font(page)).unwrap();
    let mut command = trueup();
    command.arg("capture").arg("trueup.toml").current_dir(folder.path());
    let output = command.output().unwrap();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    folder
}

/// Holds captures against the baselines; pictures of the differences go to a folder below `target`.
fn compared(captures: &tempfile::TempDir, name: &str) -> (Output, PathBuf) {
    let pictures = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&pictures);
    let mut command = trueup();
    command.arg("diff").arg(baselines()).arg(captures.path().join("captures")).arg("-o").arg(&pictures);
    (command.args(["--tolerance", TOLERANCE]).output().unwrap(), pictures)
}

fn report() -> String {
    let card = Card::drifted();
    assert_eq!(code(&card.run(&["--iteration-cap", "1"])), 1);
    fs::read_to_string(card.path("runs/r/report.html")).unwrap()
}

#[test]
fn the_report_looks_as_it_did() {
    if !has_browser() {
        return;
    }
    let captures = captured(&report());
    if std::env::var_os("TRUEUP_BASELINES").is_some_and(|value| value == "record") {
        let _ = fs::remove_dir_all(baselines());
        fs::create_dir_all(baselines()).unwrap();
        for file in fs::read_dir(captures.path().join("captures")).unwrap() {
            let file = file.unwrap();
            let name = file.file_name();
            fs::write(baselines().join(name), small(&fs::read(file.path()).unwrap())).unwrap();
        }
    }
    let (output, pictures) = compared(&captures, "report-baselines");
    assert_eq!(
        code(&output),
        0,
        "the report looks otherwise than {}; where it differs is in {}. `just baselines` records what is right.\n{}{}",
        baselines().display(),
        pictures.display(),
        stdout(&output),
        stderr(&output)
    );
    assert!(stdout(&output).contains("5 pairs"), "{}", stdout(&output));
}

#[test]
fn a_report_that_looks_otherwise_is_found_out_and_shown() {
    if !has_browser() {
        return;
    }
    let report = report();
    // A word, and a colour that is told apart only by looking closely.
    for (from, to) in [(">Side by side<", ">Sides<"), ("--ground: #f3f4f6", "--ground: #dfe6f5")] {
        assert!(report.contains(from), "{from}");
        let (output, pictures) = compared(&captured(&report.replacen(from, to, 1)), "report-changed");
        assert_eq!(code(&output), 1, "{from}: {}{}", stdout(&output), stderr(&output));
        assert!(pictures.join("whole-1280x900-light.png").is_file(), "{from}");
    }
}
