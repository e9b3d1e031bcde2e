//! What a caller hears while work on many things goes on.

use std::sync::{Arc, Mutex, PoisonError};

use trueup_contract::LabelName;
use trueup_ports::Cx;

/// One of many things is done.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Finished<'a> {
    /// What they are: `job`, `pair`, `page`, `label` or `iteration`.
    pub unit: &'static str,
    /// How many are done so far.
    pub done: usize,
    /// How many there are.
    pub total: usize,
    /// Its name.
    pub name: &'a str,
    /// What came of it: `pass`, `fail`, `undetermined` or `needs-human`; `captured` or `compared` where that is all that was done.
    pub status: &'static str,
}

impl<'a> Finished<'a> {
    /// One of `total` things, the `done`th that ended.
    #[must_use]
    pub const fn new(
        unit: &'static str,
        [done, total]: [usize; 2],
        name: &'a str,
        status: &'static str,
    ) -> Self {
        Self { unit, done, total, name, status }
    }
}

/// Hears of everything that is done, from any thread.
pub type Told = Arc<dyn Fn(Finished<'_>) + Send + Sync>;

/// The context in which `told` hears of every one of `total` labels that is captured.
pub(crate) fn heard(cx: &Cx, unit: &'static str, total: usize, told: &Told) -> Cx {
    let (told, count) = (Arc::clone(told), Mutex::new(0));
    cx.with_listener(Arc::new(move |label: &LabelName| {
        // Held while it is told, so that the numbers come in their order.
        let mut done = count.lock().unwrap_or_else(PoisonError::into_inner);
        *done += 1;
        told(Finished::new(unit, [*done, total], label.as_str(), "captured"));
    }))
}

/// For callers who show no progress.
#[must_use]
pub fn nobody() -> Told {
    Arc::new(|_| {})
}
