//! Frames: the same page gives the same bytes, and what moves by itself is stopped or named.

use std::fs;
use std::time::Duration;

use trueup_capture_chromium::{ChromiumOptions, Screen};
use trueup_codec::{Limits, decode, encode_png};
use trueup_contract::FaultKind;
use trueup_frame::{ImageView, PixelFormat, Rect, Size};

use crate::support::*;

const STATIC: &str = r#"<!doctype html><title>Static</title>
<style>
  :root { --brand: #4338ca }
  body { margin: 0; font: 16px/1.5 sans-serif; background: linear-gradient(#fff, #eef) }
  header { background: var(--brand); color: #fff; padding: 24px }
  .card { margin: 24px; padding: 16px; border-radius: 12px; box-shadow: 0 2px 8px #0003; background: #fff }
</style>
<header id="top">A page</header>
<main><div class="card"><h2>One</h2><p>Some text that wraps at the narrow viewport and not at the wide one.</p></div></main>"#;

const TICKING: &str = r#"<!doctype html><title>Ticking</title>
<body style="margin: 0"><p>Still</p><div><p id="clock">0</p></div>
<script>let n = 0; setInterval(() => { document.querySelector(`#clock`).textContent = ++n; }, 5);</script>"#;

#[test]
fn twenty_captures_of_a_static_page_are_the_same_bytes() {
    let Some(site) = site(&[("page.html", STATIC)]) else { return };
    let capturer = site.capturer();
    let labels = [label("wide", "page.html", "1280x720"), label("narrow", "page.html", "375x667@2")];
    let first = capture(&capturer, &labels);
    assert_eq!(picture(&first[0]).0, 1280);
    assert_eq!((picture(&first[1]).0, picture(&first[1]).1), (750, 1334));
    for round in 1..20 {
        let again = capture(&capturer, &labels);
        for (one, other) in first.iter().zip(&again) {
            assert!(png(one) == png(other), "{} differs in round {round}", one.label);
            assert_eq!(one.elements, other.elements);
        }
    }
    let other_browser = capture(&site.capturer(), &labels);
    for (one, other) in first.iter().zip(&other_browser) {
        assert!(png(one) == png(other), "{} differs in another browser", one.label);
    }
}

#[test]
fn boxes_of_elements_come_in_device_pixels_of_the_capture() {
    let Some(site) = site(&[("page.html", STATIC)]) else { return };
    let labels = [label("wide", "page.html", "1280x720"), label("narrow", "page.html", "375x667@2")];
    let captures = capture(&site.capturer(), &labels);
    assert_eq!(element(&captures[0], "#top").area, Rect::new(0, 0, 1280, 72));
    assert_eq!(element(&captures[1], "#top").area, Rect::new(0, 0, 750, 144));
    let (.., pixels) = picture(&captures[0]);
    assert_eq!(pixels[1000], [0x43, 0x38, 0xca], "the header's own colour");
    let styled = capture(&site.capturer_with(options().with_styles()), &labels[..1]);
    let header = element(&styled[0], "#top");
    let color = header.styles.iter().find(|(property, _)| property == "background-color");
    assert_eq!(color.map(|(_, value)| value.as_str()), Some("rgb(67, 56, 202)"));
    assert_eq!(header.text.as_deref(), Some("A page"));
}

#[test]
fn motion_and_time_stand_still() {
    let moving = r#"<!doctype html><style>
        @keyframes turn { to { transform: rotate(360deg) } }
        @keyframes come { from { opacity: 0 } to { opacity: 1 } }
        #spinner { animation: turn 1s linear infinite; width: 50px; height: 9px; background: red }
        #late { animation: come 20s; width: 50px; height: 50px; background: rgb(0, 128, 0) }
        input { font-size: 30px }
    </style><body style="margin: 0"><div id="late"></div><div id="spinner"></div><input autofocus>
    <p id="now"></p><p id="zone"></p><p id="tongue"></p>
    <script>
      document.querySelector(`#now`).textContent = new Date().toISOString().slice(0, 10);
      document.querySelector(`#zone`).textContent = Intl.DateTimeFormat().resolvedOptions().timeZone;
      document.querySelector(`#tongue`).textContent = navigator.language + " " + (1234.5).toLocaleString();
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) document.body.append("calm");
    </script>"#;
    let Some(site) = site(&[("page.html", moving)]) else { return };
    let labels = [label("page", "page.html", "400x300")];
    let capturer = site.capturer_with(options().with_styles());
    let first = capture(&capturer, &labels).remove(0);
    let (width, _, pixels) = picture(&first);
    assert_eq!(
        pixels[usize::try_from(width).unwrap() * 20 + 20],
        [0, 128, 0],
        "what ends is shown at its end"
    );
    let said = |capture: &trueup_ports::Capture, selector| element(capture, selector).text.clone().unwrap();
    assert_eq!(said(&first, "#now"), "2026-06-15");
    assert_eq!(said(&first, "#zone"), "UTC");
    assert_eq!(said(&first, "#tongue"), "en-US 1,234.5");
    assert_eq!(said(&first, "body"), "calm");
    for _ in 0..5 {
        assert!(png(&capture(&capturer, &labels)[0]) == png(&first));
    }
    let elsewhere = options().with_styles().with_time_zone("Europe/Berlin").with_locale("de-DE");
    let there = capture(&site.capturer_with(elsewhere), &labels).remove(0);
    assert_eq!(said(&there, "#zone"), "Europe/Berlin");
    assert_eq!(said(&there, "#tongue"), "de-DE 1.234,5");
}

#[test]
fn themes_are_what_the_page_is_asked_for() {
    let themed = r#"<!doctype html><style>body { background: #fff } @media (prefers-color-scheme: dark) { body { background: #111 } }</style>"#;
    let Some(site) = site(&[("page.html", themed)]) else { return };
    let (light, dark) = (label("light", "page.html", "100x100"), label("dark", "page.html", "100x100"));
    let captures = capture(&site.capturer(), &[light.with_theme("light"), dark.with_theme("dark")]);
    assert_eq!(picture(&captures[0]).2[0], [0xff; 3]);
    assert_eq!(picture(&captures[1]).2[0], [0x11; 3]);
}

#[test]
fn a_page_that_never_settles_names_what_moved() {
    let Some(site) = site(&[("page.html", TICKING)]) else { return };
    let options = options().with_settle_limit(Duration::from_millis(400));
    let labels = [label("page", "page.html", "400x300")];
    let capturer = site.capturer_with(options.clone());
    let fault = try_capture(&capturer, &labels).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::Rejected);
    let said = fault.to_string();
    assert!(said.starts_with("page: the page does not settle within "), "{said}");
    assert!(said.contains(" s: #clock goes on changing"), "{said}");

    let masked = site.capturer_with(options).with_screen(name("page"), Screen::default().with_mask("#clock"));
    let capture = capture(&masked, &labels).remove(0);
    assert_eq!(capture.masked, [element(&capture, "#clock").area], "the mask comes with the capture");
}

#[test]
fn a_page_that_settles_late_is_waited_for() {
    let late = r#"<!doctype html><body style="margin: 0; background: #fff">
      <script>let n = 0; const t = setInterval(() => {
        document.body.style.background = ++n < 30 ? `rgb(${n}, 0, 0)` : (clearInterval(t), "rgb(0, 0, 255)"); }, 20);</script>"#;
    let Some(site) = site(&[("page.html", late)]) else { return };
    let shot = capture(&site.capturer(), &[label("page", "page.html", "100x100")]).remove(0);
    assert_eq!(picture(&shot).2[0], [0, 0, 255]);
}

#[test]
fn a_page_that_is_not_there_is_an_error_that_names_it() {
    let Some(site) = site(&[]) else { return };
    let capturer = site.capturer();
    let fault = try_capture(&capturer, &[label("page", "gone.html", "100x100")]).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::Rejected);
    assert!(fault.to_string().contains("gone.html"), "{fault}");
    let fault = try_capture(&capturer, &[label("page", "http://127.0.0.1:9/", "100x100")]).unwrap_err();
    assert!(fault.to_string().contains("http://127.0.0.1:9/"), "{fault}");
}

#[test]
fn without_a_browser_it_is_said_how_one_is_installed() {
    let folder = tempfile::tempdir().unwrap();
    let options = ChromiumOptions::default().with_browser("/no/such/chromium");
    let capturer = trueup_capture_chromium::ChromiumCapturer::new(folder.path(), options);
    let fault = try_capture(&capturer, &[label("page", "page.html", "100x100")]).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::Unavailable);
    let said = fault.to_string();
    for part in
        ["/no/such/chromium", "Debian: apt install chromium", "Fedora: dnf", "macOS: brew", "Windows: winget"]
    {
        assert!(said.contains(part), "{said}");
    }
}

/// A PNG of one row of 8-bit RGB, with chunks before the pixels.
fn tagged_png(pixels: &[[u8; 3]], chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let size = Size::new(pixels.len() as u32, 1);
    let view = ImageView::packed(pixels.as_flattened(), size, PixelFormat::Rgb8).unwrap();
    let mut file = encode_png(&view).unwrap();
    // In the place of what the writer says of colours: behind the signature and the header chunk.
    let header = 8 + 12 + 13;
    let pixels = file.windows(4).position(|name| name == b"IDAT").unwrap() - 4;
    let others: Vec<u8> = chunks
        .iter()
        .flat_map(|(name, data)| {
            let named = [&name[..], data].concat();
            let sum = crc32fast::hash(&named).to_be_bytes();
            [&(data.len() as u32).to_be_bytes()[..], &named, &sum].concat()
        })
        .collect();
    file.splice(header..pixels, others);
    file
}

#[test]
fn pictures_with_a_gamma_are_decoded_to_what_is_shown() {
    let greys = [0, 1, 5, 10, 30, 55, 80, 128, 200, 250, 255].map(|grey| [grey; 3]);
    let colors = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [200, 100, 50], [50, 100, 200], [60, 200, 120]];
    let pixels = [&greys[..], &colors].concat();
    let gamma = |gamma: u32| (b"gAMA", gamma.to_be_bytes().to_vec());
    let primaries = |coordinates: [u32; 8]| (b"cHRM", coordinates.map(u32::to_be_bytes).concat());
    let srgb = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];
    let adobe = [31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000];
    let wide = [34_567, 35_850, 73_470, 26_530, 15_960, 84_040, 3_660, 10];
    let line = [31_270, 32_900, 10_000, 10_000, 20_000, 20_000, 30_000, 30_000];
    let tags = [
        vec![],
        vec![gamma(100_000)],
        vec![gamma(45_455)],
        vec![gamma(43_181)],
        vec![gamma(43_182)],
        vec![gamma(47_727)],
        vec![gamma(47_728)],
        vec![gamma(45_455), primaries(srgb)],
        vec![gamma(45_455), primaries(adobe)],
        vec![gamma(55_556), primaries(wide)],
        vec![primaries(adobe)],
        vec![gamma(0), primaries(adobe)],
        vec![gamma(100_000), primaries(line)],
        vec![gamma(u32::MAX)],
        vec![gamma(1)],
    ];
    let images: String = (0..tags.len()).map(|i| format!("<img src='{i}.png'>")).collect();
    let style = "body { margin: 0; background: #fff } img { display: block; image-rendering: pixelated }";
    let page = format!("<!doctype html><style>{style}</style>{images}");
    let Some(site) = site(&[("page.html", &page)]) else { return };
    let files = tags.map(|chunks| tagged_png(&pixels, &chunks));
    for (i, file) in files.iter().enumerate() {
        fs::write(site.path().join(format!("{i}.png")), file).unwrap();
    }
    let captures = capture(&site.capturer(), &[label("page", "page.html", "100x100")]);
    let (width, _, shown) = picture(&captures[0]);
    for (i, file) in files.iter().enumerate() {
        let decoded = decode(file, &Limits::default()).unwrap().frame;
        let samples: Vec<f64> = match decoded.format() {
            PixelFormat::Rgb8 => decoded.bytes().iter().map(|&v| f64::from(v)).collect(),
            _ => {
                let samples = decoded.bytes().as_chunks::<2>().0.iter();
                samples.map(|&v| f64::from(u16::from_ne_bytes(v)) / 257.0).collect()
            }
        };
        for (x, ours) in samples.as_chunks::<3>().0.iter().enumerate() {
            let shown = shown[i * width as usize + x];
            let is_near = ours.iter().zip(shown).all(|(ours, shown)| (ours - f64::from(shown)).abs() <= 1.0);
            assert!(is_near, "picture {i}, {:?}: {shown:?} is shown, decoded is {ours:?}", pixels[x]);
        }
    }
}
