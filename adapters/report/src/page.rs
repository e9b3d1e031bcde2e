//! The page.

use std::collections::BTreeMap;

use askama::Template;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use crate::chart;
use crate::index::mood_of;
use crate::model::{Image, Report};

#[derive(Template)]
#[template(path = "report.html", escape = "html")]
struct Page<'r> {
    report: &'r Report,
    /// `good`, `bad` or `open`, for the colour of the status.
    mood: &'static str,
    chart: String,
    style: &'static str,
    script: &'static str,
    data: String,
}

/// What the script shows: iterations with their labels, and every picture once.
#[derive(Serialize)]
struct Data<'r> {
    iterations: Vec<IterationData<'r>>,
    /// Sources of `img` elements.
    images: Vec<String>,
}

#[derive(Serialize)]
struct IterationData<'r> {
    number: u32,
    kind: &'r str,
    truth: &'r str,
    score: Option<String>,
    state: &'r str,
    labels: Vec<LabelData<'r>>,
}

#[derive(Serialize)]
struct LabelData<'r> {
    name: &'r str,
    status: &'r str,
    /// Places in `images`: reference, actual, difference, heat map.
    pictures: [Option<usize>; 4],
    size: [u32; 2],
    regions: Vec<RegionData<'r>>,
}

#[derive(Serialize)]
struct RegionData<'r> {
    id: &'r str,
    kind: &'r str,
    open: bool,
    area: [u32; 4],
    pixels: u64,
    delta_e: [String; 3],
    signed: [String; 3],
    element: Option<&'r str>,
}

/// The page of a report.
#[must_use]
pub fn render(report: &Report) -> String {
    let scores: Vec<(u32, Option<f64>)> =
        report.iterations.iter().map(|iteration| (iteration.number, iteration.score)).collect();
    let page = Page {
        report,
        mood: mood_of(&report.status),
        chart: chart::svg(&scores),
        style: include_str!("../assets/report.css"),
        script: include_str!("../assets/report.js"),
        data: data(report),
    };
    page.render().unwrap_or_else(|error| unreachable!("a template of plain fields always renders: {error}"))
}

fn data(report: &Report) -> String {
    let mut images = Images::default();
    let iterations = report
        .iterations
        .iter()
        .map(|iteration| IterationData {
            number: iteration.number,
            kind: &iteration.kind,
            truth: &iteration.truth,
            score: iteration.score.map(chart::short),
            state: &iteration.state,
            labels: iteration
                .labels
                .iter()
                .map(|label| LabelData {
                    name: &label.name,
                    status: &label.status,
                    pictures: [&label.reference, &label.render, &label.diff, &label.heatmap]
                        .map(|image| image.as_ref().map(|image| images.place(image))),
                    size: label.size,
                    regions: label
                        .regions
                        .iter()
                        .map(|region| RegionData {
                            id: &region.id,
                            kind: &region.kind,
                            open: region.open,
                            area: region.area,
                            pixels: region.pixels,
                            delta_e: region.delta_e.map(|value| format!("{value:.2}")),
                            signed: region.signed.map(|value| format!("{value:+.1}")),
                            element: region.element.as_deref(),
                        })
                        .collect(),
                })
                .collect(),
        })
        .collect();
    let data = Data { iterations, images: images.sources };
    let json = serde_json::to_string(&data)
        .unwrap_or_else(|error| unreachable!("a document of plain fields is always JSON: {error}"));
    // Nothing in it can end the element that it stands in.
    json.replace('<', "\\u003c")
}

/// Every picture once, however often it is shown.
#[derive(Default)]
struct Images {
    sources: Vec<String>,
    known: BTreeMap<String, usize>,
}

impl Images {
    fn place(&mut self, image: &Image) -> usize {
        let source = match image {
            Image::Inside(png) => format!("data:image/png;base64,{}", STANDARD.encode(png)),
            Image::Beside(path) => path.split('/').map(escaped).collect::<Vec<_>>().join("/"),
        };
        if let Some(&place) = self.known.get(&source) {
            return place;
        }
        let place = self.sources.len();
        self.known.insert(source.clone(), place);
        self.sources.push(source);
        place
    }
}

/// A part of a path as a URL has it.
pub(crate) fn escaped(part: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    part.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Fact, Iteration, LabelView, RegionView};

    fn report() -> Report {
        let region =
            RegionView { id: "card/r1".into(), kind: "color".into(), open: true, ..RegionView::default() };
        let label = |status: &str| LabelView {
            reference: Some(Image::Inside(Arc::from(&b"one"[..]))),
            render: Some(Image::Inside(Arc::from(&b"two"[..]))),
            diff: Some(Image::Beside("diff/00/a b.png".into())),
            regions: vec![region.clone()],
            ..LabelView::new("card </script><b>", status)
        };
        let mut report = Report::new("<run>", "not-converged:stalled")
            .with_iteration(Iteration::new(0, "measured").with_score(Some(9.5)).with_label(label("fail")))
            .with_iteration(Iteration::new(1, "measured").with_score(None).with_label(label("pass")));
        report.facts.push(Fact::new("source", "svg & more"));
        report
    }

    use std::sync::Arc;

    #[test]
    fn nothing_that_is_shown_can_become_markup() {
        let page = render(&report());
        assert!(!page.contains("<run>") && !page.contains("</script><b>"), "{page}");
        assert!(page.contains("&#60;run&#62;") && page.contains("svg &#38; more"), "{page}");
        // One script of ours, and the data.
        assert_eq!(page.matches("</script>").count(), 2);
    }

    #[test]
    fn every_picture_is_there_once_and_nothing_comes_from_elsewhere() {
        let page = render(&report());
        assert_eq!(page.matches("data:image/png;base64,").count(), 2);
        assert!(page.contains("diff/00/a%20b.png"));
        for outside in ["http://", "https://", "//cdn", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}
