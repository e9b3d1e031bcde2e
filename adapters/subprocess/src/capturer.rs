//! A capturer that is a program.

use std::sync::Arc;

use async_trait::async_trait;
use trueup_contract::{FaultKind, Label};
use trueup_ports::{Capture, CaptureRequest, Capturer, Cx, Fault, Pixels, Reads};

use crate::exchange::{Finished, call};
use crate::program::Program;
use crate::scratch::Scratch;
use crate::wire::{CaptureBody, CaptureReply, Request};

/// Bytes that one picture may have.
const MAX_PICTURE_BYTES: u64 = 256 << 20;

/// A program that renders labels. It is started for each call, so there is nothing to recover.
#[derive(Clone, Debug)]
pub struct CommandCapturer {
    program: Arc<Program>,
}

impl CommandCapturer {
    /// The capturer that `program` is.
    #[must_use]
    pub fn new(program: Program) -> Self {
        Self { program: Arc::new(program) }
    }
}

#[async_trait]
impl Capturer for CommandCapturer {
    fn reads(&self) -> Reads {
        Reads::Snapshot
    }

    async fn capture(&self, request: CaptureRequest, cx: &Cx) -> Result<Vec<Capture>, Fault> {
        let labels = Arc::clone(&request.labels);
        let ask = move |scratch: &Scratch| {
            scratch.put_parts(&request.snapshot)?;
            let [folder, out] = [scratch.work(), scratch.out()].map(|path| path.display().to_string());
            let state = request.snapshot.state().to_string();
            let body = CaptureBody::new(state, folder, out, &request.labels);
            Ok(Request::new("capturer", "capture", body).to_bytes())
        };
        call(&self.program, cx, ask, move |scratch, finished| read(&labels, scratch, finished)).await
    }

    async fn recover(&self, _restarts: u32, _cx: &Cx) -> Result<(), Fault> {
        Ok(())
    }
}

fn read(labels: &[Label], scratch: &Scratch, finished: &Finished) -> Result<Vec<Capture>, Fault> {
    let mut reply: CaptureReply = finished.json()?;
    let mut captures = Vec::new();
    for label in labels {
        let name = label.name();
        let at = reply.captures.iter().position(|capture| capture.label == name.as_str());
        let found = at.map(|at| reply.captures.swap_remove(at));
        let found = found
            .ok_or_else(|| Fault::new(FaultKind::Rejected, format!("the reply has no capture of {name}")))?;
        let picture = Scratch::take(&scratch.out(), &found.file, MAX_PICTURE_BYTES)?;
        let elements = found.elements.into_iter().map(|element| element.element()).collect();
        let pixels = Pixels::Encoded(picture.into());
        captures.push(Capture::new(name.clone(), pixels).with_elements(elements));
    }
    match reply.captures.first() {
        None => Ok(captures),
        Some(other) => {
            let why = format!("the reply has {:?}, which was not asked for, or twice", other.label);
            Err(Fault::new(FaultKind::Rejected, why))
        }
    }
}
