//! Sizes, families, weights, lines.

use std::collections::{BTreeMap, BTreeSet};

use trueup_findings::Severity;

use super::found::{Look, count, px, short};
use crate::{Element, Reading};

const SIZES: usize = 6;
const FAMILIES: usize = 3;
/// With more texts than these, one weight makes no hierarchy.
const TEXTS_OF_ONE_WEIGHT: usize = 3;
const STEP_LEAST: f64 = 1.1;
const STEP_MOST: f64 = 2.0;
const LINE_LONG: f64 = 75.0;
const LINE_TOO_LONG: f64 = 90.0;

/// Sizes form a scale, and there are few sizes and families, and more than one weight.
pub(super) fn type_scale(look: Look<'_>) -> Reading {
    let texts: Vec<&Element> = look.texts().collect();
    let mut sizes: BTreeMap<u64, (f64, &str)> = BTreeMap::new();
    let (mut families, mut weights) = (BTreeSet::new(), BTreeSet::new());
    for element in &texts {
        if let Some(size) = element.style.px("font-size").filter(|size| *size > 0.0) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "hundredths of a positive size"
            )]
            sizes.entry((size * 100.0).round() as u64).or_insert((size, &element.selector));
        }
        let family = element.style.get("font-family").and_then(|families| families.split(',').next());
        families.extend(family.map(|family| family.trim().trim_matches(['"', '\'']).to_lowercase()));
        weights.extend(element.style.get("font-weight"));
    }
    if sizes.is_empty() {
        return look.unverified("the page shows no text");
    }
    let tokens = look.tokens();
    let of_a_token =
        |size: f64| tokens.iter().filter_map(crate::Token::px).any(|token| (token - size).abs() < 0.01);
    let mut findings = Vec::new();
    let ladder: Vec<(f64, &str)> = sizes.values().copied().collect();
    for pair in ladder.windows(2) {
        let ((small, _), (large, selector)) = (pair[0], pair[1]);
        let ratio = large / small;
        // What a project declares as its steps is a scale by declaration.
        if (STEP_LEAST..=STEP_MOST).contains(&ratio) || (of_a_token(small) && of_a_token(large)) {
            continue;
        }
        let (what, fix) = if ratio < STEP_LEAST {
            ("nearly the same", format!("use {} for both", px(small)))
        } else {
            ("far apart", format!("put a step between them, such as {}", px((small * large).sqrt().round())))
        };
        findings.push(
            look.finding(
                Severity::Important,
                selector,
                format!("{} and {} are {what}", px(small), px(large)),
            )
            .expected(format!("steps of {STEP_LEAST} to {STEP_MOST}"), format!("a step of {ratio:.2}"))
            .matters("sizes tell what matters only when they differ by a step that can be seen")
            .fix(fix),
        );
    }
    let list = || ladder.iter().map(|(size, _)| px(*size)).collect::<Vec<_>>().join(", ");
    if sizes.len() > SIZES {
        findings.push(
            look.finding(Severity::Important, "", format!("{} sizes of text", sizes.len()))
                .expected(format!("at most {SIZES}"), list())
                .matters("with so many sizes none means anything")
                .fix("merge neighbours until the scale has six steps"),
        );
    }
    if families.len() > FAMILIES {
        findings.push(
            look.finding(Severity::Important, "", format!("{} families of type", families.len()))
                .expected(
                    format!("at most {FAMILIES}"),
                    families.iter().cloned().collect::<Vec<_>>().join(", "),
                )
                .matters("the page looks put together from several")
                .fix("keep one family for text and one for what stands out"),
        );
    }
    if weights.len() == 1 && texts.len() > TEXTS_OF_ONE_WEIGHT {
        findings.push(
            look.finding(Severity::Important, "", "every text has the same weight")
                .expected(
                    "a second weight for what matters",
                    format!("{} texts of weight {}", texts.len(), weights.iter().next().unwrap_or(&"?")),
                )
                .matters("nothing stands out")
                .fix("give headings or labels another weight"),
        );
    }
    let measured = format!(
        "{}: {}; {}, {}",
        count(sizes.len(), "size", "sizes"),
        list(),
        count(families.len(), "family", "families"),
        count(weights.len(), "weight", "weights")
    );
    look.reading(measured, findings)
}

/// Lines are short enough to find the next one.
pub(super) fn line_length(look: Look<'_>) -> Reading {
    let whole = look.whole_texts();
    let (mut longest, mut findings, mut looked) = (0.0_f64, Vec::new(), 0);
    for (element, text) in look.page.elements.iter().zip(&whole) {
        let is_prose = element.shown
            && matches!(element.tag.as_str(), "p" | "li" | "blockquote" | "dd" | "figcaption" | "td");
        let size = element.style.px("font-size").unwrap_or(16.0);
        let line = element.style.px("line-height").unwrap_or(size * 1.2);
        if !is_prose || line <= 0.0 {
            continue;
        }
        let paddings: f64 =
            ["padding-top", "padding-bottom"].iter().filter_map(|property| element.style.px(property)).sum();
        let lines = ((element.bounds.height - paddings) / line).round();
        // The last line is rarely full: on one or two lines there is nothing to measure.
        if lines < 2.0 {
            continue;
        }
        looked += 1;
        #[expect(clippy::cast_precision_loss, reason = "characters of a paragraph")]
        let characters = text.chars().count() as f64 / (lines - 0.5);
        longest = longest.max(characters);
        if characters > LINE_LONG {
            let severity = if characters > LINE_TOO_LONG { Severity::Important } else { Severity::Minor };
            findings.push(
                look.finding(
                    severity,
                    &element.selector,
                    format!("\"{}\" has lines of {characters:.0} characters", short(text)),
                )
                .expected(
                    format!("at most {LINE_LONG} characters"),
                    format!("{characters:.0} in {lines} lines"),
                )
                .matters("the eye does not find the beginning of the next line")
                .fix("limit its width: max-width: 65ch"),
            );
        }
    }
    if looked == 0 {
        return look.unverified("no paragraph has more than a line");
    }
    look.reading(
        format!(
            "{}, the longest line has about {longest:.0} characters",
            count(looked, "paragraph", "paragraphs")
        ),
        findings,
    )
}
