//! The renderer as a port.

use std::sync::Arc;

use async_trait::async_trait;
use trueup_contract::{FaultKind, Label, Viewport};
use trueup_frame::Size;
use trueup_ports::{Capture, CaptureRequest, Capturer, Cx, Element, Fault, Pixels, Reads};

use crate::Renderer;

/// Renders labels whose source is an SVG document among the parts of the artifact.
///
/// It reads snapshots, so a trial never touches the artifact's files. Equal documents at equal viewports are rendered once
/// a request.
#[derive(Clone, Debug)]
pub struct SvgCapturer {
    renderer: Arc<Renderer>,
}

impl SvgCapturer {
    /// A capturer that renders with `renderer`.
    #[must_use]
    pub fn new(renderer: Renderer) -> Self {
        Self { renderer: Arc::new(renderer) }
    }
}

#[async_trait]
impl Capturer for SvgCapturer {
    fn reads(&self) -> Reads {
        Reads::Snapshot
    }

    async fn capture(&self, request: CaptureRequest, cx: &Cx) -> Result<Vec<Capture>, Fault> {
        let (renderer, stop) = (Arc::clone(&self.renderer), cx.clone());
        cx.run_blocking(move || {
            let mut captures: Vec<Capture> = Vec::with_capacity(request.labels.len());
            for (at, label) in request.labels.iter().enumerate() {
                if stop.is_cancelled() {
                    return Err(Fault::cancelled());
                }
                let same =
                    |other: &Label| other.source() == label.source() && other.viewport() == label.viewport();
                let earlier = request.labels[..at].iter().position(same);
                captures.push(match earlier.map(|earlier| captures[earlier].clone()) {
                    Some(capture) => {
                        Capture::new(label.name().clone(), capture.pixels).with_elements(capture.elements)
                    }
                    None => render(&renderer, &request, label)?,
                });
                stop.report_done(label.name());
            }
            Ok(captures)
        })
        .await
    }

    async fn recover(&self, _restarts: u32, _cx: &Cx) -> Result<(), Fault> {
        // There is no process and no connection: the next capture reads the snapshot that it is given.
        Ok(())
    }
}

fn render(renderer: &Renderer, request: &CaptureRequest, label: &Label) -> Result<Capture, Fault> {
    let missing = || {
        let message = format!("{}: {} is not one of the artifact's files", label.name(), label.source());
        Fault::new(FaultKind::Rejected, message)
    };
    let svg = request.snapshot.part(label.source()).ok_or_else(missing)?;
    let rendered = renderer.render(svg, size(label.viewport()), label.viewport().ratio());
    let rendered = rendered.map_err(|error| {
        Fault::new(FaultKind::Rejected, format!("{}: {}: {error}", label.name(), label.source()))
    })?;
    let frame = rendered.frame;
    let elements = rendered
        .boxes
        .iter()
        .filter_map(|found| Some(Element::new(format!("#{}", found.id), found.pixels(frame.size())?)));
    let elements = elements.collect();
    Ok(Capture::new(label.name().clone(), Pixels::Frame(Arc::new(frame))).with_elements(elements))
}

const fn size(viewport: Viewport) -> Size {
    Size::new(viewport.width(), viewport.height())
}
