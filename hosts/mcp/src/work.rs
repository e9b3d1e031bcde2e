//! Carrying out the use cases away from the messages: they block.

use std::sync::Arc;

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};
use tokio::runtime::Handle;
use trueup_driver::Observer;
use trueup_loop_core::Note;
use trueup_ports::CancelToken;

use crate::fault::Refusal;

/// Runs what blocks on a thread of its own. When the client calls the request off, or goes away, the work is called off.
pub(crate) async fn blocking<T: Send + 'static>(
    context: &RequestContext<RoleServer>,
    work: impl FnOnce(CancelToken) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let cancel = CancelToken::new();
    let raised = cancel.clone();
    let mut task = tokio::task::spawn_blocking(move || work(raised));
    let finished = tokio::select! {
        finished = &mut task => finished,
        () = context.ct.cancelled() => {
            cancel.cancel();
            // What has begun ends as it ends when somebody stops it, and keeps what it has.
            task.await
        }
    };
    let done = finished.map_err(|error| Refusal::Lost { why: error.to_string() })?;
    if cancel.is_cancelled() { done.and(Err(Refusal::Cancelled)) } else { done }
}

/// Tells the client what is being done, where it wants to know.
#[derive(Debug)]
pub(crate) struct Telling {
    told: Option<(Peer<RoleServer>, ProgressToken)>,
    runtime: Handle,
    steps: std::sync::atomic::AtomicU32,
}

impl Telling {
    pub(crate) fn new(context: &RequestContext<RoleServer>) -> Arc<Self> {
        let told = context.meta.get_progress_token().map(|token| (context.peer.clone(), token));
        Arc::new(Self { told, runtime: Handle::current(), steps: std::sync::atomic::AtomicU32::new(0) })
    }
}

impl Observer for Telling {
    fn note(&self, note: &Note) {
        let Some((peer, token)) = &self.told else { return };
        let step = self.steps.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        let text = format!("[{}/{}] {} {}", note.iteration, note.iteration_cap, note.node, note.text);
        let progress =
            ProgressNotificationParam::new(token.clone(), f64::from(step)).with_message(text.trim_end());
        let peer = peer.clone();
        // Whoever does not listen holds nothing up.
        drop(self.runtime.spawn(async move { peer.notify_progress(progress).await }));
    }
}
