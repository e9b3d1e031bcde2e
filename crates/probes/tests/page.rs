//! Pages as a browser's script gives them.

use trueup_probes::{Element, Extent, Page, Probe};

#[test]
fn a_page_is_read_back_as_it_was_written() {
    let page = Page::new(
        Extent::new(375.0, 667.0),
        vec![Element::new(None, "html", "html"), Element::new(Some(0), "body", "body").with_text("Hello")],
    );
    let text = page.to_json().expect("finite numbers");
    assert_eq!(Page::from_json(&text).as_ref(), Ok(&page));
}

#[test]
fn what_is_no_page_is_refused_by_its_place() {
    for (text, place) in [
        ("", "not a page as the collecting script gives it: EOF"),
        (
            r#"{"elements": [{"parent": 0}]}"#,
            "at elements[0].parent: a parent has to come before its children",
        ),
        (r#"{"viewport": {"width": "wide", "height": 1}}"#, "at viewport.width: invalid type"),
        (r#"{"color": 1}"#, "unknown field `color`"),
        ("{} {}", "trailing characters"),
    ] {
        let error = Page::from_json(text).expect_err(text).to_string();
        assert!(error.contains(place), "{text}: {error}");
    }
}

#[test]
fn ancestors_end_for_any_parents() {
    let page = Page::new(
        Extent::default(),
        vec![
            Element::new(Some(1), "a", "a"),
            Element::new(Some(0), "b", "b"),
            Element::new(Some(9), "c", "c"),
        ],
    );
    for element in &page.elements {
        assert!(page.ancestors(element).count() <= 2);
    }
}

/// The page that people choose the crate by lists every probe as it is.
#[test]
fn the_readme_lists_every_probe() {
    let readme = include_str!("../README.md");
    assert!(readme.contains(&format!("There are\n{} probes", Probe::ALL.len())), "the number of probes");
    let rows: Vec<&str> = readme.lines().filter(|line| line.starts_with("| `")).collect();
    let written: Vec<String> = Probe::ALL
        .iter()
        .map(|probe| {
            let condition = probe.condition().map(|condition| format!("`{condition}`")).unwrap_or_default();
            format!("| `{}` | {} | {} | {condition} |", probe.id(), probe.category(), probe.asks())
        })
        .collect();
    assert_eq!(rows, written);
}
