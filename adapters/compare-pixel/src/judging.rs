//! Judging bands, on several threads where that pays.

use rayon::{ThreadPool, ThreadPoolBuilder};
use trueup_pixel_diff::{DiffError, Scan, Window};

/// Threads that judge bands of which most differs. They are started when the first one comes: most comparisons have none.
pub(crate) struct Judges {
    threads: usize,
    pool: Option<ThreadPool>,
}

impl Judges {
    /// So many threads at most.
    pub(crate) const fn new(threads: usize) -> Self {
        Self { threads, pool: None }
    }

    /// Judges a band by all threads.
    pub(crate) fn push(&mut self, scan: &mut Scan, window: Window<'_>) -> Result<(), DiffError> {
        if self.pool.is_none() && self.threads > 1 {
            let pool =
                ThreadPoolBuilder::new().num_threads(self.threads).thread_name(|_| "trueup-judge".to_owned());
            // Tried once; where there are no threads to be had, it takes longer.
            self.pool = pool.build().ok();
            self.threads = 1;
        }
        match &self.pool {
            Some(pool) => pool.install(|| scan.push_parallel(window)),
            None => scan.push(window),
        }
    }
}
