//! Time and threads by tokio.

use std::io;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use trueup_ports::Runtime;

/// A [`Runtime`] on tokio: futures on the thread that calls [`block_on`](Self::block_on), blocking work on a pool.
#[derive(Debug)]
pub struct TokioRuntime {
    began: Instant,
}

impl TokioRuntime {
    /// A runtime whose clock begins now.
    #[must_use]
    pub fn new() -> Self {
        Self { began: Instant::now() }
    }

    /// Drives a future, and everything that it spawns, to its end.
    ///
    /// # Errors
    /// When the operating system refuses what a runtime needs.
    pub fn block_on<T>(future: impl Future<Output = T>) -> io::Result<T> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
        let value = runtime.block_on(future);
        // Work that was given up may still be running; nobody waits for it.
        runtime.shutdown_background();
        Ok(value)
    }
}

impl Default for TokioRuntime {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Runtime for TokioRuntime {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    async fn sleep(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }

    async fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) {
        // A panic in the job was caught by whoever made it; what is left is a runtime that shuts down.
        let _joined = tokio::task::spawn_blocking(job).await;
    }
}
