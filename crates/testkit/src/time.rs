//! Time that passes only when somebody waits for it.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

use async_trait::async_trait;
use trueup_ports::Runtime;

/// A runtime on a simulated clock: a sleep moves the clock and returns at the next poll; blocking work runs in place.
///
/// A future that never completes meets its timeout at once, in simulated time.
#[derive(Clone, Debug, Default)]
pub struct SimulatedTime {
    nanos: Arc<AtomicU64>,
}

impl SimulatedTime {
    /// A clock that stands at 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

#[async_trait]
impl Runtime for SimulatedTime {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.nanos.load(Ordering::Acquire))
    }

    async fn sleep(&self, time: Duration) {
        // Whoever races against this sleep is polled once more before the clock moves.
        let mut polled = false;
        poll_fn(|cx| {
            if polled {
                return Poll::Ready(());
            }
            polled = true;
            cx.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.nanos.fetch_add(nanos, Ordering::AcqRel);
    }

    async fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) {
        job();
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Drives a future to its end on this thread.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sleep_moves_the_clock_and_takes_no_time() {
        let time = SimulatedTime::new();
        block_on(time.sleep(Duration::from_secs(3600)));
        assert_eq!(time.now(), Duration::from_secs(3600));
    }
}
