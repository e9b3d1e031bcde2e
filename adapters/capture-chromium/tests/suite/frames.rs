//! Frames: the same page gives the same bytes, in the state that was asked for.

use std::time::Instant;
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

#[test]
fn twenty_captures_of_a_static_page_are_the_same_bytes() {
    let Some(site) = site(&[("page.html", STATIC)]) else { return };
    let capturer = site.capturer();
    let labels = [label("wide", "page.html", "1280x720"), label("narrow", "page.html", "375x667@2")];
    let t = Instant::now();
    let first = capture(&capturer, &labels);
    println!("first {:?}", t.elapsed());
    assert_eq!(picture(&first[0]).0, 1280);
    assert_eq!((picture(&first[1]).0, picture(&first[1]).1), (750, 1334));
    for round in 1..20 {
    let t = Instant::now();
        let again = capture(&capturer, &labels);
    println!("again {:?}", t.elapsed());
        for (one, other) in first.iter().zip(&again) {
            assert!(png(one) == png(other), "{} differs in round {round}", one.label);
            assert_eq!(one.elements, other.elements);
        }
    }
}
