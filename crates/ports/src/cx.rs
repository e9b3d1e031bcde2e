//! What every call carries: whether to stop, until when, and where blocking work goes.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use trueup_contract::{FaultKind, LabelName, Usage};

use crate::{Fault, Runtime};

/// A flag that many hold and anybody can raise, once.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that is not raised.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises it for everybody who holds it.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether it was raised.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Hears of labels that are done, from any thread.
pub type Listener = dyn Fn(&LabelName) + Send + Sync;

/// The context of one call of a port. Cheap to clone.
#[derive(Clone)]
pub struct Cx {
    cancel: CancelToken,
    deadline: Option<Duration>,
    runtime: Arc<dyn Runtime>,
    used: Arc<Mutex<Usage>>,
    wait: Arc<Mutex<Option<Duration>>>,
    listener: Option<Arc<Listener>>,
}

impl Cx {
    /// A context without a deadline.
    #[must_use]
    pub fn new(runtime: Arc<dyn Runtime>, cancel: CancelToken) -> Self {
        let (used, wait) = (Arc::default(), Arc::default());
        Self { cancel, deadline: None, runtime, used, wait, listener: None }
    }

    /// The context with somebody who hears of every label that is done.
    #[must_use]
    pub fn with_listener(&self, listener: Arc<Listener>) -> Self {
        Self { listener: Some(listener), ..self.clone() }
    }

    /// Says that one of the labels of a call is done, for whoever shows progress; from any thread, in any order. Nothing else
    /// depends on it, and a port may leave it out.
    pub fn report_done(&self, label: &LabelName) {
        if let Some(listener) = &self.listener {
            // Whoever listens cannot harm the work, not even by panicking.
            let _dropped = catch_unwind(AssertUnwindSafe(|| listener(label)));
        }
    }

    /// The context with a deadline `limit` from now.
    #[must_use]
    pub fn with_limit(&self, limit: Duration) -> Self {
        let deadline = self.runtime.now().saturating_add(limit);
        Self { deadline: Some(self.deadline.map_or(deadline, |own| own.min(deadline))), ..self.clone() }
    }

    /// Whether the work should stop: it was called off, or its deadline has passed.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled() || self.time_left().is_some_and(|left| left.is_zero())
    }

    /// What is left until the deadline; `None` without one.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_sub(self.runtime.now()))
    }

    /// Reports what a call consumed besides time: tokens of a model, money. It counts whether the call succeeds or not, and
    /// may be called as often as something is known. Contexts that were made of each other share one account.
    pub fn report_usage(&self, tokens: u64, cost_micros: u64) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        *used = used.plus(Usage { millis: 0, tokens, cost_micros });
    }

    /// Takes what was reported since it was taken last. For whoever drives the loop.
    #[must_use]
    pub fn take_usage(&self) -> Usage {
        std::mem::take(&mut *self.used.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes for how long whoever failed asked not to be called again; of several, the longest counts. For whoever drives the
    /// loop: a port says so with its fault.
    pub fn note_wait(&self, wait: Duration) {
        let mut noted = self.wait.lock().unwrap_or_else(PoisonError::into_inner);
        *noted = Some(noted.map_or(wait, |noted| noted.max(wait)));
    }

    /// Takes what was noted since it was taken last. For whoever drives the loop.
    #[must_use]
    pub fn take_wait(&self) -> Option<Duration> {
        self.wait.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The runtime that the loop runs on.
    #[must_use]
    pub fn runtime(&self) -> &Arc<dyn Runtime> {
        &self.runtime
    }

    /// Runs CPU-bound or blocking work where it does not hold up the loop.
    ///
    /// # Errors
    /// With what the work returns; with a fault of kind `Panicked` when it panics.
    pub async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let slot = Arc::new(Mutex::new(None));
        let filled = Arc::clone(&slot);
        let job = Box::new(move || {
            let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
                Err(Fault::new(FaultKind::Panicked, panic_message(payload.as_ref())))
            });
            *filled.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        });
        self.runtime.run_blocking(job).await;
        let result = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
        result.unwrap_or_else(|| {
            Err(Fault::new(FaultKind::Unavailable, "the runtime dropped the work without running it"))
        })
    }
}

impl fmt::Debug for Cx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cx")
            .field("cancelled", &self.is_cancelled())
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

/// The text of a panic, as far as there is one.
pub(crate) fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text =
        payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    format!("it panicked: {}", text.unwrap_or("without a message"))
}
