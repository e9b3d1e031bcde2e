//! What is read of a page for the probes, and what they make of it.

use std::fs;
use std::path::{Path, PathBuf};

use trueup_capture_chromium::{ChromiumCapturer, ReadRequest, Screen, Step};
use trueup_contract::FaultKind;
use trueup_findings::Status;
use trueup_ports::Fault;
use trueup_probes::{Expectations, Outcome, Page, Probe, Reading};
use trueup_testkit::block_on;

use crate::server::Server;
use crate::support::*;

fn probes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/probes")
}

fn request(source: &str) -> ReadRequest {
    ReadRequest::new(source, "1280x720".parse().unwrap())
}

fn try_read(capturer: &ChromiumCapturer, request: ReadRequest) -> Result<Page, Fault> {
    block_on(capturer.read(request, &cx()))
}

fn read(capturer: &ChromiumCapturer, request: ReadRequest) -> Page {
    try_read(capturer, request).unwrap()
}

fn outcome<'p>(page: &'p Page, selector: &str) -> &'p Outcome {
    let actions = page.actions.as_ref().unwrap();
    let found = actions.iter().find(|action| action.selector == selector);
    &found.unwrap_or_else(|| panic!("{selector} is not among {actions:?}")).outcome
}

#[test]
fn pages_that_have_to_be_used_are_caught_and_silent() {
    let Some(_site) = site(&[]) else { return };
    let capturer = ChromiumCapturer::new(probes(), options());
    let reading = |probe: &str, page: &str| -> Reading {
        let mut request = request(&format!("{probe}/{page}.html"));
        if probe == "accessibility" {
            request = request.with_scanner(probes().join(probe).join(format!("{page}.axe.js")));
        }
        let page = read(&capturer, request);
        Probe::find(probe).unwrap().read(&page, &Expectations::new(), "page")
    };
    for probe in ["links", "script-errors", "accessibility"] {
        let (caught, silent) = (reading(probe, "caught"), reading(probe, "silent"));
        assert_eq!(caught.status, Status::Fail, "{probe}: {}", caught.measured);
        assert_eq!(silent.status, Status::Pass, "{probe}: {}", silent.measured);
    }
    let links = reading("links", "caught");
    let found: Vec<String> = links.findings.iter().map(|finding| finding.actual().to_owned()).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("net::ERR_FILE_NOT_FOUND"), "{found:?}");
    assert!(found[1].contains("missing is not defined"), "{found:?}");
    let scanned = reading("accessibility", "caught");
    assert!(scanned.measured.contains("axe-core 4.10.2"), "{}", scanned.measured);
}

#[test]
fn what_comes_of_links_and_controls_is_told_apart() {
    let page = r##"<!doctype html><title>Controls</title>
      <a id="skip" href="#end" style="position: absolute; left: -9999px">Skip</a>
      <a id="home" href="/">Home</a> <a id="gone" href="/gone">Gone</a> <a id="tab" href="/gone" target="_blank">Tab</a>
      <a id="stub" href="#">Stub</a> <a id="lost" href="#nowhere">Lost</a> <a id="jump" href="#end">Jump</a>
      <a id="outside" href="http://example.invalid/">Outside</a> <a id="mail" href="mailto:a@example.invalid">Mail</a>
      <a id="down" href="http://127.0.0.1:9/">Down</a>
      <button id="dead">Dead</button> <button id="quiet">Quiet</button> <button id="loud">Loud</button>
      <button id="reject">Reject</button> <button id="ask">Ask</button> <button id="send">Send</button>
      <button id="window">Window</button> <button id="off" disabled>Off</button>
      <details><summary id="more">More</summary>Text</details>
      <form><input required><button id="submit">Submit</button></form>
      <div style="position: relative"><button id="under">Under</button>
        <div id="over" style="position: absolute; inset: 0">Over</div></div>
      <p id="end">End</p>
      <script>
        const on = (id, act) => document.getElementById(id).addEventListener("click", act);
        on("quiet", () => {});
        on("loud", () => { document.body.append("!"); nothing(); });
        on("reject", () => Promise.reject(new Error("no")));
        on("ask", () => alert("Sure?"));
        on("send", () => fetch("/broken", { method: "POST" }));
        on("window", () => window.open("/gone"));
      </script>"##;
    let Some(site) = site(&[]) else { return };
    let server = Server::start(&[("/", 200, page), ("/broken", 500, "")]);
    let page = read(&site.capturer(), request(&server.address("/")));
    assert_eq!(page.errors, [""; 0], "an address for a picture of the tab is nobody's error");
    for worked in ["#skip", "#home", "#jump", "#mail", "#quiet", "#ask", "#more", "#submit"] {
        assert_eq!(outcome(&page, worked), &Outcome::Worked, "{worked}");
    }
    for gone in ["#gone", "#tab", "#window"] {
        assert_eq!(outcome(&page, gone), &Outcome::Status { status: 404 }, "{gone}");
    }
    assert_eq!(outcome(&page, "#send"), &Outcome::Status { status: 500 });
    for nothing in ["#stub", "#dead"] {
        assert_eq!(outcome(&page, nothing), &Outcome::Nothing, "{nothing}");
    }
    let said = |selector| format!("{:?}", outcome(&page, selector));
    assert_eq!(said("#lost"), r#"Unreachable { why: "nothing in the page has the id nowhere" }"#);
    assert_eq!(said("#outside"), r#"Untried { why: "it leads to another site" }"#);
    assert_eq!(said("#under"), r##"Untried { why: "it is covered by #over" }"##);
    assert!(said("#loud").contains("ScriptError") && said("#loud").contains("nothing is not defined"));
    assert!(said("#reject").contains("ScriptError") && said("#reject").contains("Error: no"));
    assert!(page.actions.iter().flatten().all(|action| action.selector != "#off"), "nobody can press it");
    assert_eq!(server.asked("POST /broken"), 1, "each is pressed once");

    let few = request(&server.address("/")).with_max_actions(1).with_outside();
    let few = read(&site.capturer(), few);
    assert_eq!(outcome(&few, "#skip"), &Outcome::Worked);
    assert!(matches!(outcome(&few, "#gone"), Outcome::Untried { why } if why.contains("first 1 ")));
    let outside = read(&site.capturer(), request(&server.address("/")).with_outside());
    assert!(matches!(outcome(&outside, "#down"), Outcome::Unreachable { why } if why.contains("net::ERR_")));
    assert_eq!(read(&site.capturer(), request(&server.address("/")).with_max_actions(0)).actions, None);
}

#[test]
fn what_goes_wrong_while_a_page_loads_is_told() {
    let page = r##"<!doctype html><link rel="stylesheet" href="/gone.css"><img src="http://127.0.0.1:9/a.png" alt="A">
      <script>console.error("Oh", 3); console.warn("Well"); setTimeout(() => { throw new TypeError("late"); }, 10);</script>"##;
    let Some(site) = site(&[]) else { return };
    let server = Server::start(&[("/", 200, page)]);
    let page = read(&site.capturer(), request(&server.address("/")));
    let has = |text: &str| page.errors.iter().filter(|error| error.contains(text)).count();
    for text in
        ["/gone.css answers 404", "Oh 3", "TypeError: late", "http://127.0.0.1:9/a.png cannot be loaded"]
    {
        assert_eq!(has(text), 1, "{text}: {:?}", page.errors);
    }
    assert_eq!(page.errors.len(), 4, "{:?}", page.errors);
}

#[test]
fn a_page_is_read_in_the_state_that_is_asked_for() {
    let page = r##"<!doctype html><meta name="viewport" content="width=device-width">
      <style>p { color: #111 } @media (prefers-color-scheme: dark) { p { color: #eee } }</style>
      <button id="open" onclick="document.querySelector(`p`).hidden = false">Open</button><p hidden>Text</p>"##;
    let Some(site) = site(&[("page.html", page)]) else { return };
    let capturer = site.capturer();
    let opened = Screen::default().with_route([Step::click("#open")]);
    let asked =
        ReadRequest::new("page.html", "375x667".parse().unwrap()).with_theme("dark").with_screen(opened);
    let page = read(&capturer, asked);
    assert_eq!((page.viewport.width, page.viewport.height), (375.0, 667.0));
    let text = page.elements.iter().find(|element| element.tag == "p").unwrap();
    assert!(text.shown);
    assert_eq!(text.style.get("color"), Some("rgb(238, 238, 238)"));
    let closed = read(&capturer, request("page.html"));
    assert!(!closed.elements.iter().find(|element| element.tag == "p").unwrap().shown);
}

#[test]
fn style_sheets_that_no_script_may_read_are_read() {
    let linked = r#"<!doctype html><link rel="stylesheet" href="page.css"><link rel="stylesheet" href="ELSEWHERE"><p>Text</p>"#;
    let Some(site) = site(&[("page.css", ":root { --brand: #0f766e } p { color: var(--brand) }")]) else {
        return;
    };
    let server = Server::start(&[("/other.css", 200, "p { margin: 3px }")]);
    fs::write(site.path().join("page.html"), linked.replace("ELSEWHERE", &server.address("/other.css")))
        .unwrap();
    let page = read(&site.capturer(), request("page.html"));
    assert_eq!(page.unread_sheets, [""; 0]);
    let has = |property: &str, value: &str| {
        page.declarations
            .iter()
            .any(|one| one.property == property && one.value == value && !one.sheet.is_empty())
    };
    assert!(has("--brand", "#0f766e") && has("margin-top", "3px"), "{:#?}", page.declarations);
}

#[test]
fn a_tool_that_is_none_is_an_error_that_names_its_file() {
    let Some(site) = site(&[("page.html", "<p>A")]) else { return };
    let capturer = site.capturer();
    for (text, why) in [("1 + 1", "it brings no axe.run"), ("nothing()", "nothing is not defined")] {
        let file = site.path().join("tool.js");
        fs::write(&file, text).unwrap();
        let fault = try_read(&capturer, request("page.html").with_scanner(&file)).unwrap_err();
        assert_eq!(fault.kind(), FaultKind::Rejected);
        assert!(fault.to_string().contains("tool.js") && fault.to_string().contains(why), "{fault}");
    }
    let fault = try_read(&capturer, request("page.html").with_scanner("/no/axe.js")).unwrap_err();
    assert!(fault.to_string().contains("/no/axe.js"), "{fault}");
}
