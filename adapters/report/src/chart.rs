//! The chart of scores, as SVG.

use std::fmt::Write as _;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 140.0;
const MARGIN: f64 = 18.0;
/// What a digit takes at the size of the labels, in the widest of the fonts that systems set pages in.
const DIGIT: f64 = 8.0;
/// Between a label and its line.
const GAP: f64 = 8.0;

/// A line of the scores that are known, from the baseline on; empty when none is.
pub(crate) fn svg(scores: &[(u32, Option<f64>)]) -> String {
    let known: Vec<(u32, f64)> =
        scores.iter().filter_map(|&(number, score)| Some((number, score?))).collect();
    let Some(most) = known.iter().map(|&(_, score)| score).reduce(f64::max) else { return String::new() };
    let last = scores.iter().map(|&(number, _)| number).max().unwrap_or(0).max(1);
    let top = if most > 0.0 { most } else { 1.0 };
    let left = MARGIN.max(GAP + DIGIT * short(top).len() as f64);
    let x = |number: u32| left + (WIDTH - left - MARGIN) * f64::from(number) / f64::from(last);
    let y = |score: f64| MARGIN + (HEIGHT - 2.0 * MARGIN) * (1.0 - score / top);
    let mut out = format!(
        r#"<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{}" class="chart">"#,
        label(&known)
    );
    for (at, text) in [(top, short(top)), (0.0, "0".to_owned())] {
        let _ = write!(
            out,
            r#"<line class="grid" x1="{left}" x2="{}" y1="{1:.1}" y2="{1:.1}"/><text x="{2}" y="{3:.1}" text-anchor="end">{text}</text>"#,
            WIDTH - MARGIN,
            y(at),
            left - GAP,
            y(at) + 4.0
        );
    }
    let points: Vec<String> =
        known.iter().map(|&(number, score)| format!("{:.1},{:.1}", x(number), y(score))).collect();
    let _ = write!(out, r#"<polyline class="line" points="{}"/>"#, points.join(" "));
    for &(number, score) in &known {
        let _ = write!(
            out,
            r#"<circle class="dot" cx="{:.1}" cy="{:.1}" r="4"><title>iteration {number}: {}</title></circle><text x="{0:.1}" y="{3}" text-anchor="middle">{number}</text>"#,
            x(number),
            y(score),
            short(score),
            HEIGHT - 2.0
        );
    }
    out.push_str("</svg>");
    out
}

fn label(known: &[(u32, f64)]) -> String {
    let said: Vec<String> =
        known.iter().map(|&(number, score)| format!("iteration {number} {}", short(score))).collect();
    format!("Open score by iteration: {}", said.join(", "))
}

/// A score with as many digits as people read.
pub(crate) fn short(score: f64) -> String {
    if score == 0.0 {
        "0".to_owned()
    } else if score < 10.0 {
        format!("{score:.2}")
    } else {
        format!("{score:.1}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_scores_leave_a_gap_and_none_leaves_nothing() {
        assert_eq!(svg(&[(0, None)]), "");
        let chart = svg(&[(0, Some(120.0)), (1, None), (2, Some(0.0))]);
        assert_eq!(chart.matches("<circle").count(), 2);
        assert!(chart.contains("iteration 0 120.0, iteration 2 0"), "{chart}");
        // The longer the label, the more room it has.
        assert!(chart.contains(r#"x="40" y="22.0" text-anchor="end">120.0<"#), "{chart}");
        assert!(svg(&[(0, Some(123_456.7))]).contains(r#"x="64" y="22.0" text-anchor="end">123456.7<"#));
        // A flat line at 0 divides by nothing.
        assert!(!svg(&[(0, Some(0.0)), (1, Some(0.0))]).contains("NaN"));
    }
}
