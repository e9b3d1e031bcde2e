//! One call: a request in, a reply out.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use trueup_contract::FaultKind;
use trueup_ports::{Cx, Fault};

use crate::program::Program;
use crate::redact::redact;
use crate::scratch::Scratch;

/// What every reply is, if it says so.
const REPLY: &str = "trueup.reply/1";

/// What a child that ended well has left.
pub(crate) struct Finished {
    /// What it printed.
    pub(crate) reply: Vec<u8>,
    /// What it saw of the environment.
    pub(crate) environment: Vec<(OsString, OsString)>,
}

/// Starts the program once, in a folder of its own: `ask` fills that folder and writes the request, `read` makes the result
/// of the reply.
pub(crate) async fn call<T: Send + 'static>(
    program: &Arc<Program>,
    cx: &Cx,
    ask: impl FnOnce(&Scratch) -> Result<Vec<u8>, Fault> + Send + 'static,
    read: impl FnOnce(&Scratch, &Finished) -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    let (program, inner) = (Arc::clone(program), cx.clone());
    cx.run_blocking(move || {
        let scratch = Scratch::new()?;
        let request = ask(&scratch)?;
        let finished = run(&program, &scratch, &request, &inner)?;
        read(&scratch, &finished)
    })
    .await
}

#[cfg(unix)]
fn run(program: &Program, scratch: &Scratch, request: &[u8], cx: &Cx) -> Result<Finished, Fault> {
    crate::unix::run(program, &scratch.work(), request, cx)
}

#[cfg(not(unix))]
fn run(_: &Program, _: &Scratch, _: &[u8], _: &Cx) -> Result<Finished, Fault> {
    let why =
        "programs as ports need a Unix system, because only there everything that they start can be ended";
    Err(Fault::new(FaultKind::Unavailable, why))
}

impl Finished {
    /// What it printed, as text.
    pub(crate) fn text(&self) -> Result<&str, Fault> {
        let text = std::str::from_utf8(&self.reply)
            .map_err(|_| Fault::new(FaultKind::Rejected, "the reply is not text in UTF-8"))?;
        if text.trim().is_empty() {
            return Err(Fault::new(
                FaultKind::Rejected,
                "the program ended well and printed nothing: expected a reply",
            ));
        }
        Ok(text)
    }

    /// What it printed, as a JSON document of this kind. A fault that the program names itself is one.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        let text = self.text()?;
        if let Some(fault) = own_fault(text) {
            return Err(self.redacted(fault));
        }
        let unread = |error: serde_json::Error| {
            let beginning: String = text.trim_start().chars().take(80).collect();
            let beginning = redact(&beginning, &self.environment);
            let why = format!("the reply cannot be read: {error}; it begins with {beginning:?}");
            Fault::new(FaultKind::Rejected, why)
        };
        let mut reply: Value = serde_json::from_str(text).map_err(unread)?;
        if let Some(schema) = reply.as_object_mut().and_then(|reply| reply.remove("schema"))
            && schema != REPLY
        {
            let why = format!("the reply has the schema {schema}, expected \"{REPLY}\"");
            return Err(Fault::new(FaultKind::Rejected, why));
        }
        serde_json::from_value(reply).map_err(unread)
    }

    /// The fault, with no secret in its message.
    pub(crate) fn redacted(&self, fault: OwnFault) -> Fault {
        let message = redact(&fault.message, &self.environment);
        let kind = match fault.kind.as_str() {
            "transient" => FaultKind::Transient,
            "unavailable" => FaultKind::Unavailable,
            "lost" => FaultKind::Lost,
            // Whatever else it calls it, it works and refuses.
            _ => FaultKind::Rejected,
        };
        let said = Fault::new(kind, message);
        match fault.retry_after_ms {
            Some(millis) => said.with_retry_after(Duration::from_millis(millis)),
            None => said,
        }
    }
}

/// A fault that a program names itself.
pub(crate) fn own_fault(text: &str) -> Option<OwnFault> {
    #[derive(Deserialize)]
    struct Reply {
        fault: OwnFault,
    }
    serde_json::from_str::<Reply>(text).ok().map(|reply| reply.fault)
}

#[derive(Deserialize)]
pub(crate) struct OwnFault {
    #[serde(default)]
    kind: String,
    message: String,
    #[serde(default)]
    retry_after_ms: Option<u64>,
}
