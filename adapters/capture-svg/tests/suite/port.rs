//! The renderer as a port.

use std::sync::Arc;

use trueup_capture_svg::{Options, Renderer, SvgCapturer};
use trueup_contract::{FaultKind, Label, LabelName};
use trueup_frame::{Rect, Size};
use trueup_ports::{CancelToken, CaptureRequest, Capturer, Cx, Fault, Pixels, Reads, Snapshot};
use trueup_testkit::{SimulatedTime, block_on};

use super::svg;

fn label(name: &str, source: &str, viewport: &str) -> Label {
    Label::new(LabelName::new(name).unwrap(), source, viewport.parse().unwrap(), "unused")
}

fn capture(labels: &[Label], cancel: &CancelToken) -> Result<Vec<trueup_ports::Capture>, Fault> {
    let drawing = svg(r##"<rect id="box" x="5" y="2" width="10" height="6" fill="#f00"/>"##);
    let parts = [("a.svg", drawing.as_str()), ("broken.svg", "<svg"), ("text.svg", "no picture")];
    let parts = parts.map(|(name, text)| (name.to_owned(), Arc::from(text.as_bytes())));
    let capturer = SvgCapturer::new(Renderer::new(Options::default()).unwrap());
    assert_eq!(capturer.reads(), Reads::Snapshot);
    let cx = Cx::new(Arc::new(SimulatedTime::new()), cancel.clone());
    block_on(capturer.capture(CaptureRequest::new(Snapshot::new(parts), labels.into()), &cx))
}

#[test]
fn every_label_is_captured_at_its_viewport_with_its_elements() {
    let labels =
        [label("one", "a.svg", "20x10"), label("two", "a.svg", "20x10@2"), label("same", "a.svg", "20x10")];
    let captures = capture(&labels, &CancelToken::new()).unwrap();
    let names: Vec<&str> = captures.iter().map(|capture| capture.label.as_str()).collect();
    assert_eq!(names, ["one", "two", "same"]);
    let frames: Vec<_> = captures
        .iter()
        .map(|capture| match &capture.pixels {
            Pixels::Frame(frame) => Arc::clone(frame),
            other => panic!("expected a frame, found {other:?}"),
        })
        .collect();
    assert_eq!((frames[0].size(), frames[1].size()), (Size::new(20, 10), Size::new(40, 20)));
    assert_eq!(frames[0], frames[2]);
    let boxes = |at: usize| captures[at].elements.iter().find(|e| e.selector == "#box").map(|e| e.area);
    assert_eq!((boxes(0), boxes(1)), (Some(Rect::new(5, 2, 10, 6)), Some(Rect::new(10, 4, 20, 12))));
}

#[test]
fn what_cannot_be_rendered_is_the_artifacts_fault_and_says_where() {
    for (source, part) in [("broken.svg", "broken.svg"), ("text.svg", "text.svg"), ("gone.svg", "not one of")]
    {
        let fault = capture(&[label("card", source, "20x10")], &CancelToken::new()).unwrap_err();
        assert_eq!(fault.kind(), FaultKind::Rejected);
        assert!(fault.message().starts_with("card: ") && fault.message().contains(part), "{fault}");
    }
}

#[test]
fn a_capture_that_is_called_off_stops() {
    let cancel = CancelToken::new();
    cancel.cancel();
    let fault = capture(&[label("card", "a.svg", "20x10")], &cancel).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::Cancelled);
}
