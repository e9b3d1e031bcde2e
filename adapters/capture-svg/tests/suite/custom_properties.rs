//! `var()` in documents.

use trueup_capture_svg::{Note, Position, RenderErrorKind};

use crate::{color_at, render, svg};

/// A document with this style sheet and a shape that covers it.
fn styled(css: &str, shape: &str) -> String {
    svg(&format!("<style>{css}</style>{shape}"))
}

const FILL_A: &str = r#"<rect width="20" height="10" fill="var(--a)"/>"#;

fn fill(css: &str) -> [u8; 3] {
    color_at(&styled(css, FILL_A), 5, 5)
}

fn error(document: &str) -> (RenderErrorKind, Option<(u32, u32)>) {
    let error = render(document).unwrap_err();
    (error.kind().clone(), error.position().map(|p| (p.line, p.column)))
}

#[test]
fn declarations_of_the_root_reach_attributes() {
    assert_eq!(fill(":root { --a: #010203 }"), [1, 2, 3]);
    assert_eq!(fill("svg{--a:#010203}"), [1, 2, 3]);
    assert_eq!(fill("g, :root { --a: #010203; }".replace("g, ", "svg, ").as_str()), [1, 2, 3]);
    assert_eq!(fill("<![CDATA[ :root { --a: rgb(1, 2, 3) } ]]>"), [1, 2, 3]);
    assert_eq!(fill("/* :root { --a: red } */ :root { /* --a: red; */ --a: /* blue */ #010203 }"), [1, 2, 3]);
    assert_eq!(fill(":root { --a: var(--b); --b: var(--c, red); --c: #010203 }"), [1, 2, 3]);
    let attribute = svg(FILL_A).replace("<svg ", r##"<svg style="--a: #010203; color: red" "##);
    assert_eq!(color_at(&attribute, 5, 5), [1, 2, 3]);
}

#[test]
fn the_cascade_holds_across_style_elements() {
    assert_eq!(fill(":root { --a: #010203 } svg { --a: red }"), [1, 2, 3]);
    assert_eq!(fill(":root { --a: red } </style><style> :root { --a: #010203 }"), [1, 2, 3]);
    assert_eq!(fill(":root { --a: #010203 !important } :root { --a: red }"), [1, 2, 3]);
    assert_eq!(fill("@media print { :root { --a: red } } :root { --a: #010203 }"), [1, 2, 3]);
}

#[test]
fn style_rules_and_style_attributes_are_resolved() {
    let shape = r#"<rect class="a" width="20" height="10" fill="red"/>"#;
    assert_eq!(color_at(&styled(":root { --a: #010203 } .a { fill: var(--a) }", shape), 5, 5), [1, 2, 3]);
    let shape = r#"<rect width="20" height="10" style="stroke: none; fill: var(--a) !important"/>"#;
    assert_eq!(color_at(&styled(":root { --a: #010203 } rect { fill: red }", shape), 5, 5), [1, 2, 3]);
    // Ordinary declarations of the root are inherited, and :root is a selector for them.
    let shape = r#"<rect width="20" height="10"/>"#;
    assert_eq!(color_at(&styled(":root { --a: #010203; fill: var(--a) }", shape), 5, 5), [1, 2, 3]);
    assert_eq!(color_at(&styled(":root > rect { fill: #010203 }", shape), 5, 5), [1, 2, 3]);
}

#[test]
fn lengths_serve_as_coordinates() {
    let left_half = |document: &str| {
        assert_eq!(color_at(document, 9, 5), [255, 255, 255], "{document}");
        assert_eq!(color_at(document, 10, 5), [0, 0, 0], "{document}");
    };
    let css = ":root { --x: 10px; --turn: 0deg }";
    left_half(&styled(css, r#"<rect transform="translate(var(--x) 0)" width="10" height="10"/>"#));
    left_half(&styled(
        css,
        r#"<rect style="transform: translate(var(--x), 0px) rotate(var(--turn))" width="10" height="10"/>"#,
    ));
    left_half(&styled(css, r#"<rect style="transform: translate(10px, 0)" width="10" height="10"/>"#));
    left_half(&styled(css, r#"<rect x="var(--x)" width="10" height="10"/>"#));
    left_half(&styled(css, r#"<path d="M var(--x) 0 H 20 V 10 H var(--x) Z"/>"#));
    left_half(&styled(css, r#"<polygon points="var(--x),0 20,0 20,10 var(--x),10"/>"#));
    let nested = r#"<g transform="translate(var(--half))"><rect transform="translate(var(--half))" width="10" height="10"/></g>"#;
    left_half(&styled(":root { --half: 5 }", nested));
}

#[test]
fn fallbacks_are_taken_where_nothing_is_declared() {
    let shape = r#"<rect width="20" height="10" fill="var(--a, rgb(1, 2, 3))"/>"#;
    assert_eq!(color_at(&svg(shape), 5, 5), [1, 2, 3]);
    assert_eq!(color_at(&styled(":root { --a: #040506 }", shape), 5, 5), [4, 5, 6]);
    let nested = r##"<rect width="20" height="10" fill="var(--a, var(--b, #010203))"/>"##;
    assert_eq!(color_at(&svg(nested), 5, 5), [1, 2, 3]);
}

#[test]
fn quotes_entities_and_odd_spacing_survive() {
    let shape = "<rect width='20' height='10' fill \n = \n 'var(\t--a )'/>";
    assert_eq!(color_at(&styled(":root { --a: #010203 }", shape), 5, 5), [1, 2, 3]);
    let shape = r#"<text y="8" style="font-family: &quot;Noto Sans&quot;; fill: var(--a)">&lt;&amp;</text>"#;
    let rendered = render(&styled(":root { --a: #010203; --q: 'a&lt;b' }", shape)).unwrap();
    assert!(rendered.notes.is_empty(), "{:?}", rendered.notes);
}

#[test]
fn texts_and_names_are_left_alone() {
    let content = r#"<title>var(--x)</title><rect id="var(--x)" class="var(--x)" aria-label="var(--x)" data-x="var(--x)"
        width="20" height="10"/><a href="var(--x)"><text>var(--x)</text></a>"#;
    let rendered = render(&svg(content)).unwrap();
    assert_eq!(rendered.boxes[0].id, "var(--x)");
}

#[test]
fn an_undefined_property_is_an_error_with_its_place() {
    let document = "<svg xmlns=\"http://www.w3.org/2000/svg\">\n  <style>\n    :root { --brand: red }\n  </style>\n  \
                    <rect fill=\"var(--brnd)\"/>\n</svg>";
    let name = "--brnd".to_owned();
    let nearest = Some("--brand".to_owned());
    assert_eq!(error(document), (RenderErrorKind::UndefinedProperty { name, nearest }, Some((5, 15))));
    assert_eq!(
        render(document).unwrap_err().to_string(),
        "line 5, column 15: the custom property --brnd is used but not declared; did you mean --brand?"
    );
    let in_css = "<svg xmlns=\"http://www.w3.org/2000/svg\">\n<style>\n.a { fill: var(--b) }</style></svg>";
    assert_eq!(error(in_css).1, Some((3, 12)));
    let in_style =
        "<svg xmlns=\"http://www.w3.org/2000/svg\">\n<rect style=\"fill: red; stroke: var(--b)\"/></svg>";
    assert_eq!(error(in_style).1, Some((2, 33)));
    let in_value = styled("\n:root { --a: var(--none) }", FILL_A);
    assert_eq!(error(&in_value).1, Some((2, 9)));
}

#[test]
fn a_cycle_is_an_error_with_its_names() {
    let (kind, _) = error(&styled(":root { --a: var(--b); --b: var(--a) }", FILL_A));
    let names = ["--a", "--b", "--a"].map(str::to_owned).to_vec();
    assert_eq!(kind, RenderErrorKind::PropertyCycle { names });
    let unused = ":root { --b: var(--b); --a: #010203 }";
    assert_eq!(fill(unused), [1, 2, 3], "a circle that nothing uses does no harm");
}

#[test]
fn scoped_properties_are_refused_where_they_are_used() {
    let (kind, _) = error(&styled(":root { --a: red } .dark { --a: blue }", FILL_A));
    assert!(matches!(kind, RenderErrorKind::ScopedProperty { scope, .. } if scope == "`.dark`"));
    let (kind, _) = error(&svg(&format!(r#"<g style="--a: red">{FILL_A}</g>"#)));
    assert!(matches!(kind, RenderErrorKind::ScopedProperty { scope, .. } if scope == "one <g> element"));
    assert_eq!(fill(":root { --a: #010203 } .dark { --b: blue }"), [1, 2, 3]);
}

#[test]
fn what_would_be_ignored_silently_is_refused() {
    let unsupported = |document: &str| {
        let (kind, position) = error(document);
        assert!(position.is_some());
        match kind {
            RenderErrorKind::Unsupported { what } => what,
            other => panic!("{other:?}"),
        }
    };
    let calc = styled(":root { --a: 1px }", r#"<rect style="stroke-width: calc(var(--a) * 2)"/>"#);
    assert_eq!(unsupported(&calc), "calc() in the value of `stroke-width`");
    let calc = styled(":root { --a: 1px }", r#"<rect x="calc(var(--a) * 2)"/>"#);
    assert_eq!(unsupported(&calc), "calc() in the attribute `x`");
    assert_eq!(
        unsupported(&styled("rect { rx: 4px }", "<rect/>")),
        "the property `rx` in CSS (the attribute is)"
    );
    assert!(render(&styled("svg { width: 100%; height: auto }", "")).is_ok());
}

#[test]
fn at_rules_are_noted() {
    let rendered = render(&styled(
        "\n@import url(https://example.com/a.css);\n@media print { rect { fill: var(--x) } }",
        "",
    ));
    let note = |name: &str, line| Note::AtRuleIgnored {
        name: name.to_owned(),
        position: Position { line, column: 1 },
    };
    assert_eq!(rendered.unwrap().notes, [note("import", 2), note("media", 3)]);
}
