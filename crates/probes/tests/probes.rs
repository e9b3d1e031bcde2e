//! The probes, without a browser: thresholds at their edges, and laws that hold for any page.

use std::collections::BTreeSet;

use proptest::prelude::*;
use trueup_findings::{Severity, Status};
use trueup_probes::{
    Action, Bounds, Copy, Declaration, Element, Expectations, Extent, Genre, Outcome, Page, Probe, Reading,
    Report, Scan, Token, Violation,
};

const SCREEN: Extent = Extent::new(1280.0, 720.0);

fn read(probe: &str, page: &Page) -> Reading {
    read_with(probe, page, &Expectations::new())
}

fn read_with(probe: &str, page: &Page, expectations: &Expectations) -> Reading {
    Probe::find(probe).expect(probe).read(page, expectations, "page")
}

fn text(color: &str, background: &str, size: &str, weight: &str) -> Page {
    let element = Element::new(None, "p", "p")
        .with_text("Boats")
        .with_bounds(Bounds::new(0.0, 0.0, 100.0, 24.0))
        .with_style("color", color)
        .with_style("background-color", background)
        .with_style("font-size", size)
        .with_style("font-weight", weight);
    Page::new(SCREEN, vec![element])
}

#[test]
fn contrast_has_its_edges_where_wcag_has_them() {
    let status =
        |color, background, size, weight| read("contrast", &text(color, background, size, weight)).status;
    // #767676 on white has 4.54, #777777 has 4.48 and reads as 4.47: never rounded up to what it missed.
    assert_eq!(status("#767676", "#fff", "16px", "400"), Status::Pass);
    let reading = read("contrast", &text("#777777", "#fff", "16px", "400"));
    assert_eq!(reading.status, Status::Fail);
    assert!(reading.findings[0].actual().starts_with("4.47 to 1"), "{}", reading.findings[0].actual());
    // Large is 18 pt or 14 pt bold, which is 24 px and 18.67 px.
    assert_eq!(status("#777777", "#fff", "24px", "400"), Status::Pass);
    assert_eq!(status("#777777", "#fff", "23.9px", "400"), Status::Fail);
    assert_eq!(status("#777777", "#fff", "18.7px", "700"), Status::Pass);
    assert_eq!(status("#777777", "#fff", "18px", "700"), Status::Fail);
    // What is behind is painted over what is behind that: black at 50 % over white is #808080.
    assert_eq!(status("#fff", "rgba(0, 0, 0, 0.5)", "16px", "400"), Status::Fail);
    assert_eq!(status("#fff", "rgba(0, 0, 0, 0.6)", "16px", "400"), Status::Pass);
}

#[test]
fn what_cannot_be_measured_is_unverified_and_never_passes() {
    let mut on_gradient = text("#000", "#fff", "16px", "400");
    on_gradient.elements[0].style.set("background-image", "linear-gradient(red, blue)");
    let reading = read("contrast", &on_gradient);
    assert_eq!(reading.status, Status::Unverified);
    assert!(reading.measured.contains("it stands on a gradient"), "{}", reading.measured);

    let page = text("#000", "#fff", "16px", "400");
    for probe in [
        "copy-integrity",
        "contracted-copy",
        "mobile-375",
        "links",
        "accessibility",
        "literals",
        "unused-tokens",
    ] {
        assert_eq!(read(probe, &page).status, Status::Unverified, "{probe}");
    }
    let mut secret = page.with_declarations(vec![Declaration::new(":root", "--brand", "#123456")]);
    secret.unread_sheets.push("https://example.com/a.css".to_owned());
    assert_eq!(
        read("literals", &secret).status,
        Status::Unverified,
        "half of the style sheets is not all of them"
    );
}

#[test]
fn links_fail_by_what_came_of_them() {
    let with = |outcome| Page::new(SCREEN, Vec::new()).with_actions(vec![Action::new("a", "Home", outcome)]);
    let cases = [
        (Outcome::Worked, Status::Pass),
        (Outcome::Status { status: 404 }, Status::Fail),
        (Outcome::Unreachable { why: "no such file".to_owned() }, Status::Fail),
        (Outcome::Nothing, Status::Fail),
        (Outcome::ScriptError { message: "x is not defined".to_owned() }, Status::Fail),
        (Outcome::Untried { why: "it leads outside".to_owned() }, Status::Unverified),
    ];
    for (outcome, status) in cases {
        let reading = read("links", &with(outcome.clone()));
        assert_eq!(reading.status, status, "{outcome:?}");
        assert!(reading.findings.iter().all(|finding| finding.severity() == Severity::Blocking));
    }
    let page = Page::new(SCREEN, Vec::new());
    assert_eq!(read("links", &page.with_actions(Vec::new())).status, Status::Pass, "nothing to try");
}

#[test]
fn a_scan_is_never_called_conformance() {
    let clean = Page::new(SCREEN, Vec::new()).with_scan(Scan::new("axe-core", "4.10.2"));
    let reading = read("accessibility", &clean);
    assert_eq!(reading.status, Status::Pass);
    assert!(
        reading.measured.contains("axe-core 4.10.2")
            && reading.measured.contains("does not show conformance")
    );
    let violation = Violation::new("label", "Form elements must have labels", vec!["input".to_owned()]);
    let broken = Page::new(SCREEN, Vec::new())
        .with_scan(Scan::new("axe-core", "4.10.2").with_violations(vec![violation]));
    assert_eq!(read("accessibility", &broken).status, Status::Fail);
}

#[test]
fn copy_is_read_across_inline_elements_and_differs_by_a_word() {
    let page = Page::new(
        SCREEN,
        vec![
            Element::new(None, "h1", "h1").with_text("Boats at").with_bounds(Bounds::new(0.0, 0.0, 9.0, 9.0)),
            Element::new(Some(0), "em", "em").with_text("dawn").with_bounds(Bounds::new(0.0, 0.0, 9.0, 9.0)),
        ],
    );
    let agreed = |text: &str| Expectations::new().with_copy(vec![Copy::new("hero.title", text)]);
    assert_eq!(read_with("copy-integrity", &page, &agreed("Boats  at dawn")).status, Status::Pass);
    let reading = read_with("copy-integrity", &page, &agreed("Boats at dusk"));
    assert_eq!(reading.status, Status::Fail);
    assert_eq!(reading.findings[0].actual(), "\"Boats at dawn\"", "the nearest text is shown");
}

#[test]
fn spacing_is_on_the_projects_scale_where_it_has_one() {
    let boxed = |padding: &str| {
        let element = Element::new(None, "div", "div")
            .with_bounds(Bounds::new(0.0, 0.0, 50.0, 50.0))
            .with_style("padding-top", padding);
        Page::new(SCREEN, vec![element])
    };
    let project =
        Expectations::new().with_tokens(vec![Token::new("--space-1", "5px"), Token::new("--radius", "7px")]);
    assert_eq!(read("spacing", &boxed("12px")).status, Status::Pass);
    assert_eq!(read("spacing", &boxed("5px")).status, Status::Fail);
    assert_eq!(read_with("spacing", &boxed("5px"), &project).status, Status::Pass);
    let off = read_with("spacing", &boxed("7px"), &project);
    assert_eq!((off.status, off.findings[0].fix()), (Status::Fail, "use 5px"), "a radius is no space");
}

#[test]
fn a_genre_relaxes_its_tells_and_says_so() {
    let page = text("#6366F1", "#FAFAF0", "16px", "400");
    let plain = Report::of(&page, &Expectations::new(), "page");
    assert_eq!(plain.reading("accent-hue").map(|reading| reading.status), Some(Status::Fail));
    assert_eq!(plain.would_relax, [(Genre::Material, "accent-hue")]);
    let material = Report::of(&page, &Expectations::new().with_genre(Genre::Material), "page");
    assert_eq!(material.reading("accent-hue").map(|reading| reading.status), Some(Status::Pass));
    assert_eq!(material.relaxed, ["accent-hue"]);
    assert!(material.findings().all(|finding| finding.cause() != "accent-hue"));
}

#[test]
fn conditions_are_those_that_rubrics_ask_for() {
    let rubric = trueup_rubric::preset::moai(trueup_rubric::Aggregation::Min).expect("a named rubric");
    let asked: BTreeSet<&str> = rubric.conditions().iter().map(trueup_rubric::Condition::id).collect();
    let answered: BTreeSet<&str> = Probe::ALL.iter().filter_map(|probe| probe.condition()).collect();
    assert_eq!(answered, asked);
    let ids: BTreeSet<&str> = Probe::ALL.iter().map(|probe| probe.id()).collect();
    assert_eq!(ids.len(), Probe::ALL.len(), "every probe has a name of its own");
}

fn element() -> impl Strategy<Value = Element> {
    let tags = prop::sample::select(vec![
        "div", "p", "h1", "h4", "img", "section", "input", "table", "svg", "a", "span",
    ]);
    let values = prop::sample::select(vec![
        "0px",
        "13px",
        "1e9px",
        "NaNpx",
        "rgb(1, 2, 3)",
        "#fff",
        "linear-gradient(#8B5CF6, é)",
        "none",
        "",
        "flex",
        "hidden",
        "rgba(0,0,0,0.5) 0px 0px 40px 0px",
        "700",
        "absolute",
    ]);
    let properties = prop::sample::select(trueup_probes::Style::PROPERTIES);
    let number = prop::sample::select(vec![-1.0, 0.0, 0.5, 12.0, 375.0, 1e12, f64::NAN, f64::INFINITY]);
    (
        prop::option::of(0_usize..12),
        tags,
        "[a-zé%★0-9 —]{0,12}",
        [number.clone(), number.clone(), number.clone(), number],
        prop::collection::vec((properties, values), 0..6),
    )
        .prop_map(|(parent, tag, text, [x, y, width, height], styles)| {
            let element = Element::new(parent, tag, format!("{tag}.{text}"))
                .with_text(text)
                .with_bounds(Bounds::new(x, y, width, height));
            styles.into_iter().fold(element, |element, (property, value)| element.with_style(property, value))
        })
}

proptest! {
    #[test]
    fn any_page_is_read_the_same_twice_and_every_finding_has_a_fix(
        elements in prop::collection::vec(element(), 0..12),
        width in prop::sample::select(vec![0.0, 375.0, 1280.0, f64::NAN]),
    ) {
        let page = Page::new(Extent::new(width, 720.0), elements)
            .with_declarations(vec![Declaration::new(":root", "--space-1", "8px"), Declaration::new("p", "color", "rgb(1, 2, 3)")]);
        let report = Report::of(&page, &Expectations::new(), "page");
        prop_assert_eq!(&report, &Report::of(&page, &Expectations::new(), "page"));
        prop_assert_eq!(report.readings.len(), Probe::ALL.len());
        for finding in report.findings() {
            prop_assert!(finding.gaps().is_empty(), "{:?}", finding);
            prop_assert!(!finding.expected().is_empty() && !finding.actual().is_empty() && !finding.impact().is_empty(), "{:?}", finding);
        }
    }
}

#[test]
fn no_page_of_nothing_passes_what_it_does_not_hold() {
    let nothing = [
        Page::default(),
        Page::new(Extent::new(375.0, 812.0), Vec::new()),
        // It is there, and nobody sees it.
        Page::new(Extent::new(375.0, 812.0), vec![Element::new(None, "main", "main")]),
    ];
    for page in &nothing {
        for probe in Probe::ALL {
            let reading = probe.read(page, &Expectations::new(), "page");
            let works = ["broken-pictures", "script-errors"].contains(&reading.probe);
            assert!(reading.status != Status::Pass || works, "{}: {}", reading.probe, reading.measured);
        }
    }
}

#[test]
fn a_phone_is_as_wide_as_a_phone() {
    let at = |width: f64| {
        let mut page = text("#000", "#fff", "16px", "400");
        page.viewport = Extent::new(width, 812.0);
        page.content = page.viewport;
        read("mobile-375", &page).status
    };
    assert_eq!([375.0, 374.5, 376.0].map(at), [Status::Pass; 3]);
    assert_eq!([0.0, 200.0, 373.9, 376.1, 1280.0].map(at), [Status::Unverified; 5]);
}

/// A hero of a screen's size and three white cards below it.
fn generated(gradient: &str) -> Page {
    let hero = Element::new(None, "section", "section")
        .with_bounds(Bounds::new(0.0, 0.0, 1280.0, 500.0))
        .with_style("background-image", gradient);
    let grid = Element::new(None, "main", "main").with_bounds(Bounds::new(0.0, 500.0, 1280.0, 300.0));
    let cards = (0..3).map(|at| {
        Element::new(Some(1), "article", format!("article:nth-of-type({})", at + 1))
            .with_bounds(Bounds::new(400.0 * f64::from(at), 520.0, 380.0, 200.0))
            .with_style("background-color", "#fff")
            .with_style("border-top-left-radius", "16px")
    });
    Page::new(SCREEN, [hero, grid].into_iter().chain(cards).collect())
}

#[test]
fn violet_is_violet_in_every_notation() {
    let probes = ["violet-with-cards", "gradient-hero"];
    for violet in [
        "rgb(139, 92, 246)",
        "#8b5cf6",
        "hsl(258.3 89.5% 66.3%)",
        "oklch(0.606 0.219 292.7)",
        "lab(50.69 45.85 -71.8)",
        "color(srgb 0.545 0.361 0.965)",
        "color(display-p3 0.53 0.37 0.93)",
    ] {
        let page = generated(&format!("linear-gradient(135deg, {violet} 0%, rgb(76, 29, 149) 100%)"));
        for probe in probes {
            assert_eq!(read(probe, &page).status, Status::Fail, "{probe} of {violet}");
        }
    }
    for probe in probes {
        let green = generated("linear-gradient(rgb(20, 110, 60), rgb(60, 160, 90))");
        assert_eq!(read(probe, &green).status, Status::Pass);
        // What cannot be read may be violet.
        let unread = generated("linear-gradient(color(rec2020 0.4 0.3 0.9), rgb(60, 160, 90))");
        let reading = read(probe, &unread);
        assert_eq!(reading.status, Status::Unverified);
        assert!(reading.measured.contains("1 colour could not be read"), "{}", reading.measured);
    }
}

#[test]
fn a_glow_is_seen_in_any_layer_of_a_shadow() {
    let of = |shadow: &str| {
        let card = Element::new(None, "div", "div")
            .with_bounds(Bounds::new(0.0, 0.0, 300.0, 200.0))
            .with_style("box-shadow", shadow);
        read("gradient-glow", &Page::new(SCREEN, vec![card])).status
    };
    assert_eq!(of("rgba(0, 0, 0, 0.1) 0px 1px 2px 0px"), Status::Pass);
    assert_eq!(of("rgba(139, 92, 246, 0.5) 0px 0px 40px 0px"), Status::Fail);
    assert_eq!(
        of("rgba(0, 0, 0, 0.1) 0px 1px 2px 0px, oklch(0.6 0.22 293 / 0.5) 0px 0px 40px 0px"),
        Status::Fail
    );
    assert_eq!(of("color(rec2020 0.4 0.3 0.9) 0px 0px 40px 0px"), Status::Unverified);
}

#[test]
fn a_heading_by_role_counts_with_the_level_that_it_has() {
    let heading = |at: usize, tag: &str, level: Option<&str>| {
        let element = Element::new(None, tag, format!("{tag}:nth-of-type({at})"))
            .with_text("Boats")
            .with_bounds(Bounds::new(0.0, 40.0 * at as f64, 200.0, 32.0))
            .with_attribute("role", "heading");
        level.map_or(element.clone(), |level| element.with_attribute("aria-level", level))
    };
    let of = |headings: Vec<Element>| read("headings", &Page::new(SCREEN, headings));
    assert_eq!(of(vec![heading(1, "h1", None), heading(2, "div", None)]).status, Status::Pass);
    assert_eq!(of(vec![heading(1, "div", Some("1")), heading(2, "h3", None)]).status, Status::Fail);
    assert_eq!(of(vec![heading(1, "h1", Some("nonsense"))]).status, Status::Pass);
    assert_eq!(of(vec![heading(1, "div", None)]).status, Status::Fail, "none is of the first level");
}
