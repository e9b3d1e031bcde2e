//! Time and threads, as the embedding program has them.

use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;

/// What the loop needs of the program that embeds it: a clock, a way to wait, a place for blocking work.
///
/// No runtime is chosen here: tokio, smol, a thread pool or a simulated clock can all be behind it.
#[async_trait]
pub trait Runtime: Debug + Send + Sync + 'static {
    /// Time since some fixed point, never going back.
    fn now(&self) -> Duration;

    /// Returns when `time` has passed.
    async fn sleep(&self, time: Duration);

    /// Runs `job` to its end, away from the threads that drive futures, and returns then.
    async fn run_blocking(&self, job: Box<dyn FnOnce() + Send>);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Artifact, CancelToken, Capturer, Comparer, Cx, Fault, JournalStore, Judge, Reviser, Trials};

    /// Every port can be shared as a trait object, and everything that crosses threads may.
    #[test]
    fn ports_are_dyn_compatible_and_shared() {
        fn shared<T: Send + Sync + ?Sized>() {}
        shared::<Arc<dyn Artifact>>();
        shared::<Arc<dyn Capturer>>();
        shared::<Arc<dyn Comparer>>();
        shared::<Arc<dyn JournalStore>>();
        shared::<Arc<dyn Judge>>();
        shared::<Arc<dyn Reviser>>();
        shared::<Arc<dyn Runtime>>();
        shared::<(Cx, Fault, Trials, CancelToken)>();
    }

    #[derive(Debug)]
    struct Inline;

    #[async_trait]
    impl Runtime for Inline {
        fn now(&self) -> Duration {
            Duration::from_secs(5)
        }

        async fn sleep(&self, _time: Duration) {}

        async fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) {
            job();
        }
    }

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match std::pin::pin!(future).poll(&mut context) {
            std::task::Poll::Ready(value) => value,
            std::task::Poll::Pending => panic!("nothing here waits"),
        }
    }

    #[test]
    fn a_panic_in_blocking_work_is_a_fault() {
        let cx = Cx::new(Arc::new(Inline), CancelToken::new());
        let fault =
            block_on(cx.run_blocking(|| -> Result<(), Fault> { panic!("no such thing") })).unwrap_err();
        assert_eq!(fault.kind(), trueup_contract::FaultKind::Panicked);
        assert_eq!(fault.message(), "it panicked: no such thing");
        assert_eq!(block_on(cx.run_blocking(|| Ok(3))).unwrap(), 3);
    }

    #[test]
    fn a_deadline_and_a_token_both_stop_the_work() {
        let cancel = CancelToken::new();
        let cx = Cx::new(Arc::new(Inline), cancel.clone());
        assert!(!cx.is_cancelled());
        assert!(cx.with_limit(Duration::ZERO).is_cancelled());
        let limited = cx.with_limit(Duration::from_secs(1)).with_limit(Duration::from_secs(9));
        assert_eq!(limited.time_left(), Some(Duration::from_secs(1)), "a limit is only ever tightened");
        cancel.cancel();
        assert!(cx.is_cancelled());
    }
}
