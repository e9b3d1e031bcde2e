//! The HTML report, as a browser shows it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use trueup_frame::{ImageView, PixelFormat, Size};

use crate::{Card, code, stderr, stdout, trueup};

/// Chromium, where it is; CI has to have it.
fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .flat_map(|folder| ["chromium", "chromium-browser", "google-chrome"].map(|name| folder.join(name)))
        .find(|file| file.is_file());
    assert!(found.is_some() || std::env::var_os("CI").is_none(), "CI has to open reports in Chromium");
    if found.is_none() {
        let _ = writeln!(
            std::io::stderr(),
            "not run: Chromium is not there, and opens reports in this test (Debian: apt-get install chromium)"
        );
    }
    found
}

/// What the page says of itself after `script` has worked on it, and what Chromium had to complain about.
fn after(chromium: &Path, report: &Path, width: u32, script: &str) -> (serde_json::Value, Vec<String>) {
    let page = fs::read_to_string(report).unwrap();
    let test = "<script>window.errors = []; addEventListener('error', (event) => errors.push(event.message));\n\
         addEventListener('securitypolicyviolation', (event) => errors.push('blocked ' + event.blockedURI));</script>";
    let tail = format!(
        "<script>addEventListener('load', async () => {{ let said; try {{ said = await (async () => {{ {script} }})(); }} \
         catch (error) {{ errors.push(String(error)); }} \
         document.body.replaceChildren(Object.assign(document.createElement('pre'), \
         {{ id: 'said', textContent: btoa(unescape(encodeURIComponent(JSON.stringify({{ said, errors }})))) }})); }});</script></body>"
    );
    let page = page.replacen("<body>", &format!("<body>{test}"), 1).replacen("</body>", &tail, 1);
    let copy = report.with_file_name("report-under-test.html");
    fs::write(&copy, page).unwrap();
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(chromium)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--virtual-time-budget=4000", "--enable-logging=stderr", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--window-size={width},900"))
        .arg(format!("file://{}", copy.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    let encoded = dom.split("id=\"said\">").nth(1).and_then(|rest| rest.split('<').next());
    let encoded = encoded.unwrap_or_else(|| panic!("the page said nothing: {log}\n{dom:.2000}"));
    let said: serde_json::Value = serde_json::from_slice(&base64(encoded)).unwrap();
    let mut complaints: Vec<String> =
        said["errors"].as_array().unwrap().iter().map(ToString::to_string).collect();
    complaints.extend(log.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned));
    (said["said"].clone(), complaints)
}

fn base64(text: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().filter(|&byte| byte != b'=').map(value).collect();
    let mut bytes = Vec::new();
    for four in digits.chunks(4) {
        let word =
            four.iter().fold(0_u32, |word, &digit| word << 6 | u32::from(digit)) << (6 * (4 - four.len()));
        bytes.extend_from_slice(&word.to_be_bytes()[1..four.len()]);
    }
    bytes
}

/// A run of the card that stops early, so that there is something to see.
fn card() -> (Card, PathBuf) {
    let card = Card::drifted();
    assert_eq!(code(&card.run(&["--iteration-cap", "1"])), 1);
    let report = card.path("runs/r/report.html");
    assert!(report.is_file(), "a run ends with its report");
    (card, report)
}

#[test]
fn a_report_is_made_again_or_says_why_not() {
    let (card, report) = card();
    let again = trueup().arg("report").arg(card.path("runs/r")).output().unwrap();
    assert_eq!(code(&again), 0, "{}", stderr(&again));
    assert_eq!(stdout(&again).trim(), report.display().to_string());
    // What is inside takes a third more than the pictures, and little else.
    let pictures: u64 = ["diff/00/card.render.png", "diff/00/card.diff.png", "diff/00/card.heatmap.png"]
        .iter()
        .chain(["diff/01/card.render.png", "diff/01/card.diff.png", "diff/01/card.heatmap.png"].iter())
        .chain(["reference/card.png"].iter())
        .map(|name| fs::metadata(card.path("runs/r").join(name)).unwrap().len())
        .sum();
    let page = fs::metadata(&report).unwrap().len();
    assert!(page < pictures * 14 / 10 + 40_000, "{page} bytes for pictures of {pictures}");
    let beside = trueup().arg("report").arg(card.path("runs/r")).arg("--beside").output().unwrap();
    assert_eq!(code(&beside), 0);
    assert!(fs::metadata(&report).unwrap().len() < 60_000);
    let nothing = trueup().arg("report").arg(card.path("reference")).output().unwrap();
    assert_eq!(code(&nothing), 2);
    assert!(stderr(&nothing).contains("holds no run"), "{}", stderr(&nothing));
}

#[test]
fn a_report_works_by_mouse_and_by_keyboard() {
    let Some(chromium) = chromium() else { return };
    let (_card, report) = card();
    let script = r#"
        const at = (id) => document.getElementById(id);
        const key = (key) => at('stage').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        const mode = (name) => document.querySelector(`[data-mode="${name}"]`);
        const said = { status: document.querySelector('.badge').textContent, side: document.querySelectorAll('.stage img').length };
        said.decoded = [...document.images].every((image) => image.complete && image.naturalWidth === 360);
        document.querySelector('#regions tbody button').click();
        said.spot = document.querySelectorAll('.spot').length;
        mode('slider').click();
        at('mix').value = 20; at('mix').dispatchEvent(new Event('input'));
        said.slider = document.querySelector('.over').style.clipPath;
        key('ArrowRight');
        said.byKey = at('mix').value;
        const pane = document.querySelector('.pane'), area = pane.getBoundingClientRect();
        pane.dispatchEvent(new PointerEvent('pointerdown', { clientX: area.left + area.width * 0.75, clientY: area.top + 5 }));
        said.byPointer = at('mix').value;
        key('3');
        said.onion = document.querySelector('.over').style.opacity;
        mode('heatmap').click();
        said.heatmap = document.querySelector('.stage img').alt + ' ' + document.querySelectorAll('.stage img').length;
        key('+');
        said.zoom = at('zoom').textContent;
        at('iteration').value = '0'; at('iteration').dispatchEvent(new Event('change'));
        said.before = at('summary').textContent;
        at('filter').value = 'zzz'; at('filter').dispatchEvent(new Event('input'));
        said.filtered = at('labels').children.length;
        at('filter').value = ''; at('filter').dispatchEvent(new Event('input'));
        const kind = at('kind'), rows = () => document.querySelectorAll('#regions tbody tr').length;
        const choose = (value) => { kind.value = value; kind.dispatchEvent(new Event('change')); return rows(); };
        said.regions = { all: rows(), kinds: [...kind.options].map((option) => option.value) };
        said.regions.parts = said.regions.kinds.slice(1).map(choose).reduce((sum, part) => sum + part, 0);
        choose('');
        const open = [...document.querySelectorAll('#regions tbody tr')].filter((row) => !row.className).length;
        at('failing').click();
        said.regions.open = rows() === open && open > 0;
        at('failing').click();
        const color = () => getComputedStyle(document.body).backgroundColor;
        const light = color(); at('theme').click();
        said.theme = light !== color();
        said.unnamed = [...document.querySelectorAll('button, input, select, img')]
            .filter((e) => !(e.textContent.trim() || e.getAttribute('aria-label') || e.alt || e.closest('label'))).length;
        said.levels = [...document.querySelectorAll('h1, h2, h3')].map((e) => e.tagName).join(' ');
        return said;"#;
    let (said, complaints) = after(&chromium, &report, 1280, script);
    assert!(complaints.is_empty(), "{complaints:?}");
    let text = |key: &str| said[key].as_str().unwrap_or_default().to_owned();
    assert_eq!(text("status"), "not-converged:cap-exhausted");
    assert_eq!((said["side"].as_u64(), said["decoded"].as_bool()), (Some(3), Some(true)), "{said}");
    assert_eq!(said["spot"].as_u64(), Some(3), "the region is shown in every picture: {said}");
    assert!(text("slider").contains("20%"), "{said}");
    assert_eq!((text("byKey"), text("byPointer")), ("25".to_owned(), "75".to_owned()), "{said}");
    assert_eq!(text("heatmap"), "card: how much each pixel differs 1", "{said}");
    assert_eq!((text("onion"), text("zoom")), ("0.75".to_owned(), "200 %".to_owned()), "{said}");
    assert!(text("before").starts_with("card: fail"), "{said}");
    assert_eq!((said["filtered"].as_u64(), said["theme"].as_bool()), (Some(0), Some(true)), "{said}");
    let regions = &said["regions"];
    assert!(regions["all"].as_u64() > Some(1) && regions["kinds"].as_array().unwrap().len() > 1, "{said}");
    assert_eq!((&regions["parts"], &regions["open"]), (&regions["all"], &true.into()), "{said}");
    assert_eq!(said["unnamed"].as_u64(), Some(0), "everything that can be used has a name: {said}");
    assert!(text("levels").starts_with("H1 H2"), "{said}");
}

#[test]
fn a_report_fits_a_narrow_screen() {
    let Some(chromium) = chromium() else { return };
    let (_card, report) = card();
    // A frame, because a window of a browser is never so narrow.
    let script = r#"
        const frame = document.createElement('iframe');
        frame.style.width = '375px'; frame.style.height = '800px';
        frame.srcdoc = document.documentElement.outerHTML.replace(/<script>(?!\s*"use strict")[\s\S]*?<\/script>/g, '');
        document.body.append(frame);
        await new Promise((done) => frame.onload = done);
        const root = frame.contentDocument.documentElement;
        return { width: root.clientWidth, content: root.scrollWidth };"#;
    let (said, complaints) = after(&chromium, &report, 1000, script);
    assert!(complaints.is_empty(), "{complaints:?}");
    assert!(said["content"].as_u64() <= said["width"].as_u64(), "nothing sticks out: {said}");
}

#[test]
fn two_hundred_labels_open_in_two_seconds() {
    let Some(chromium) = chromium() else { return };
    let (card, _) = card();
    let run = card.path("runs/r");
    let report = fs::read_to_string(run.join("diff/01/card.report.json")).unwrap();
    let mut pictures = 0;
    for index in 0..200_u8 {
        // Every label four pictures of its own.
        for (kind, name) in (0..).zip([
            "reference/#.png",
            "diff/01/#.render.png",
            "diff/01/#.diff.png",
            "diff/01/#.heatmap.png",
        ]) {
            let bytes: Vec<u8> =
                (0..320 * 200 * 3_u32).map(|i| ((i / 50 + kind * i / 700) % 251) as u8 ^ index).collect();
            let view = ImageView::packed(&bytes, Size::new(320, 200), PixelFormat::Rgb8).unwrap();
            let png = trueup_codec::encode_png(&view).unwrap();
            pictures += png.len();
            fs::write(run.join(name.replace('#', &format!("label{index:03}"))), png).unwrap();
        }
        fs::write(run.join(format!("diff/01/label{index:03}.report.json")), &report).unwrap();
    }
    let made = trueup().arg("report").arg(&run).output().unwrap();
    assert_eq!(code(&made), 0, "{}", stderr(&made));
    let page = usize::try_from(fs::metadata(run.join("report.html")).unwrap().len()).unwrap();
    assert!(page < pictures * 14 / 10, "{page} bytes for pictures of {pictures}");
    let script = r"return { labels: document.getElementById('labels').children.length,
        ready: performance.timing.domContentLoadedEventEnd - performance.timing.navigationStart };";
    let began = Instant::now();
    let (said, complaints) = after(&chromium, &run.join("report.html"), 1280, script);
    assert!(complaints.is_empty(), "{complaints:?}");
    assert_eq!(said["labels"].as_u64(), Some(201), "{said}");
    // The page's own time is what people wait for; the whole process only must not hang.
    assert!(said["ready"].as_u64().is_some_and(|ready| ready < 2000), "{said}");
    assert!(began.elapsed().as_secs() < 60);
}

/// The report is held against our own probes, at a desk and in a hand, in light and dark.
#[test]
#[cfg(all(unix, feature = "browser"))]
fn the_report_stands_up_to_our_own_probes() {
    if !crate::browser::has_browser() {
        return;
    }
    let card = Card::drifted();
    assert_eq!(code(&card.run(&[])), 0);
    let page = card.path("runs/r/report.html");
    for theme in ["light", "dark"] {
        // It is a page of figures, it is as still as a file, and it has no agreed texts.
        let output = trueup()
            .arg("probe")
            .arg(&page)
            .args(["--theme", theme, "--genre", "dashboard", "--max-actions", "0", "--format", "json"])
            .output()
            .unwrap();
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        for page in document["pages"].as_array().unwrap() {
            let failing: Vec<&str> = page["probes"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|probe| probe["status"] == "fail")
                .map(|probe| probe["id"].as_str().unwrap())
                .collect();
            // Nothing in it loads, is empty or fails while somebody looks at it.
            assert_eq!(failing, ["coverage"], "{theme} at {}: {document:#}", page["width"]);
        }
    }
}

/// What a report came from does not matter to whether it opens.
#[test]
#[cfg(all(unix, feature = "browser"))]
fn reports_of_every_end_open_without_a_complaint_and_without_a_request() {
    if !crate::browser::has_browser() {
        return;
    }
    let Some(chromium) = chromium() else { return };
    let (failed, _) = card();
    let converged = Card::drifted();
    assert_eq!(code(&converged.run(&[])), 0);
    let undetermined = Card::drifted();
    fs::write(undetermined.path("reference/card.png"), "no picture").unwrap();
    assert_eq!(code(&undetermined.run(&[])), 3);
    let page = crate::browser::Page::drifted();
    let measured = page.command("run").args(["--run-id", "r", "--iteration-cap", "0"]).output().unwrap();
    assert_eq!(code(&measured), 1, "{}", stderr(&measured));
    for (report, status, labels) in [
        (failed.path("runs/r/report.html"), "not-converged:cap-exhausted", 1),
        (converged.path("runs/r/report.html"), "converged", 1),
        (undetermined.path("runs/r/report.html"), "undetermined:reference-unreadable", 0),
        (page.path("runs/r/report.html"), "not-converged:cap-exhausted", 4),
    ] {
        let script = r#"
            const seen = { status: document.querySelector('.badge').textContent, labels: document.getElementById('labels').children.length };
            for (const button of document.querySelectorAll('[data-mode]')) button.click();
            seen.requests = performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => !name.startsWith('data:'));
            return seen;"#;
        let (said, complaints) = after(&chromium, &report, 1280, script);
        assert!(complaints.is_empty(), "{status}: {complaints:?}");
        assert_eq!(said, serde_json::json!({ "status": status, "labels": labels, "requests": [] }));
    }
}

#[test]
fn a_folder_of_runs_gets_an_index() {
    let card = Card::drifted();
    assert_eq!(code(&card.run(&["--iteration-cap", "0"])), 1);
    let again = trueup().arg("run").arg(card.path("trueup.toml")).args(["--run-id", "s"]).output().unwrap();
    assert_eq!(code(&again), 0, "{}", stderr(&again));
    let index = trueup().arg("report").arg(card.path("runs")).output().unwrap();
    assert_eq!(code(&index), 0, "{}", stderr(&index));
    let page = fs::read_to_string(card.path("runs/index.html")).unwrap();
    assert!(page.contains("2 runs: 1 converged, 1 did not"), "{page}");
    let [newer, older] = ["s/report.html", "r/report.html"].map(|link| page.find(link).unwrap());
    assert!(newer < older);
    let elsewhere =
        trueup().arg("report").arg(card.path("runs")).args(["-o", "/tmp/x.html"]).output().unwrap();
    assert_eq!(code(&elsewhere), 2);
    assert!(stderr(&elsewhere).contains("stands in their folder"), "{}", stderr(&elsewhere));
    let empty = tempfile::tempdir().unwrap();
    let none = trueup().arg("report").arg(empty.path()).output().unwrap();
    assert!(stderr(&none).contains("holds no run"), "{}", stderr(&none));
}
