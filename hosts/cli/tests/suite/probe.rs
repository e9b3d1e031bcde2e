//! `trueup probe`, on pages that were collected before.

use std::fs;

use serde_json::Value;
use trueup_probes::{Action, Bounds, Element, Extent, Outcome, Page};

use crate::rubric::{json_of, with_input};
use crate::{code, stderr, stdout, trueup};

/// A page with a heading and a text of this colour on white paper.
pub(crate) fn page(width: f64, color: &str) -> Page {
    let text = |parent, tag: &str, y: f64, text: &str| {
        Element::new(Some(parent), tag, format!("body > {tag}"))
            .with_text(text)
            .with_bounds(Bounds::new(16.0, y, 300.0, 24.0))
            .with_style("font-size", "16px")
            .with_style("font-weight", "400")
            .with_style("color", color)
    };
    let body = Element::new(None, "body", "body")
        .with_bounds(Bounds::new(0.0, 0.0, width, 720.0))
        .with_style("background-color", "rgb(250, 249, 246)");
    Page::new(
        Extent::new(width, 720.0),
        vec![body, text(0, "h1", 16.0, "Boats at dawn"), text(0, "p", 64.0, "We leave at seven.")],
    )
}

fn probe(page: &Page, args: &[&str]) -> std::process::Output {
    let mut all = vec!["probe", "-"];
    all.extend(args);
    with_input(&all, &page.to_json().unwrap())
}

pub(crate) fn documents() -> Vec<Value> {
    let fails = page(1280.0, "rgb(200, 200, 200)");
    let passes = page(375.0, "rgb(30, 30, 40)");
    vec![json_of(&probe(&fails, &["--format", "json"])), json_of(&probe(&passes, &["--format", "json"]))]
}

#[test]
fn a_page_passes_and_fails_with_what_was_measured() {
    let good = probe(&page(1280.0, "rgb(30, 30, 40)"), &[]);
    assert_eq!(code(&good), 0, "{}{}", stdout(&good), stderr(&good));
    assert!(stdout(&good).contains("- at 1280×720: pass"), "{}", stdout(&good));
    // Nothing that was not seen counts as passed.
    assert!(stdout(&good).contains("unverified: copy-integrity, mobile-375, links"), "{}", stdout(&good));
    let pale = probe(&page(1280.0, "rgb(200, 200, 200)"), &[]);
    assert_eq!(code(&pale), 1);
    let text = stdout(&pale);
    assert!(text.contains("fail       contrast: 2 texts measured, the least contrast is 1.58"), "{text}");
    assert!(
        text.contains("body > p: 1.58 to 1: #C8C8C8 on #FAF9F6; expected a contrast of at least 4.5 to 1"),
        "{text}"
    );
    assert!(text.contains("fix: "), "{text}");
}

#[test]
fn texts_are_held_against_those_that_were_agreed_on() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.json");
    let file = copy.to_str().unwrap().to_owned();
    let with = |text: &str| {
        fs::write(&copy, text).unwrap();
        probe(&page(1280.0, "rgb(30, 30, 40)"), &["--copy", &file])
    };
    assert_eq!(code(&with(r#"{"hero": {"title": "Boats at dawn", "lines": ["We leave at seven."]}}"#)), 0);
    let other = with(r#"{"hero": {"title": "Boats at dusk"}}"#);
    assert_eq!(code(&other), 1);
    assert!(stdout(&other).contains("hero.title"), "{}", stdout(&other));
    for (text, said) in [
        ("{", "it is no JSON"),
        ("{}", "it holds nothing: expected an object of names, each with a text"),
        (r#"{"hero": {"title": 7}}"#, r#"at "hero.title": expected a text"#),
    ] {
        let bad = with(text);
        assert_eq!(code(&bad), 2, "{text}");
        assert!(stderr(&bad).contains(said), "{text}: {}", stderr(&bad));
    }
}

#[test]
fn what_is_no_page_is_refused_with_the_place() {
    for (text, said) in [
        ("<html>", "this is not a page as the collecting script gives it: expected value"),
        (r#"{"elements": [{"parent": 4}]}"#, "elements[0]"),
        (r#"{"viewport": {"width": "wide", "height": 1}}"#, "at viewport.width"),
        (r#"{"colour": 1}"#, "unknown field `colour`"),
    ] {
        let output = with_input(&["probe", "-"], text);
        assert_eq!(code(&output), 2, "{text}");
        assert!(stderr(&output).contains(said), "{text}: {}", stderr(&output));
    }
    let missing = trueup().args(["probe", "no-such-page.json"]).output().unwrap();
    assert_eq!(code(&missing), 2);
    assert!(stderr(&missing).contains("no-such-page.json cannot be read"), "{}", stderr(&missing));
    // A page of nothing shows nothing.
    assert_ne!(code(&with_input(&["probe", "-"], "{}")), 0);
}

#[test]
fn the_script_is_an_expression_that_needs_nothing() {
    let script = stdout(&trueup().args(["probe", "--script"]).output().unwrap());
    assert!(script.starts_with("JSON.stringify(("), "{script}");
    assert!(!script.contains("import ") && !script.contains("fetch("));
}

#[test]
fn findings_of_probes_go_where_findings_go() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("probes.json");
    fs::write(&file, stdout(&probe(&page(1280.0, "rgb(200, 200, 200)"), &["--format", "json"]))).unwrap();
    let sarif = trueup().args(["findings", "emit", "--format", "sarif"]).arg(&file).output().unwrap();
    assert_eq!(code(&sarif), 0, "{}", stderr(&sarif));
    assert_eq!(json_of(&sarif)["runs"][0]["results"].as_array().unwrap().len(), 2);
}

/// A judge that calls every condition passed is not believed where a probe saw the contrary, and needs no proof of its own
/// where a probe saw it hold.
#[test]
fn what_probes_saw_is_not_talked_away() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("probes.json");
    let link = |outcome| Action::new("body > p", "Book now", outcome);
    let read = |outcome| {
        let page = page(1280.0, "rgb(30, 30, 40)").with_actions(vec![link(outcome)]);
        fs::write(&file, stdout(&probe(&page, &["--format", "json"]))).unwrap();
        let claims = r#"{"rubric": {}, "conditions": {"links-work": {"result": "pass"}}}"#;
        let args = [
            "rubric",
            "read",
            "-",
            "--rubric",
            "moai",
            "--format",
            "json",
            "--probes",
            file.to_str().unwrap(),
        ];
        let document = json_of(&with_input(&args, claims));
        let conditions = document["conditions"].as_array().unwrap().clone();
        conditions.into_iter().find(|condition| condition["id"] == "links-work").unwrap()["status"].clone()
    };
    assert_eq!(read(Outcome::Worked), "pass");
    assert_eq!(read(Outcome::Status { status: 404 }), "fail");
}
