//! How a port says that it failed.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use trueup_contract::FaultKind;

/// A port failed.
///
/// The kind decides what happens next; the message is for people; the source keeps what was underneath.
#[derive(Debug)]
pub struct Fault {
    kind: FaultKind,
    message: String,
    retry_after: Option<Duration>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl Fault {
    /// A failure of this kind. The message is a fragment that reads after "the capturer failed: ".
    #[must_use]
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), retry_after: None, source: None }
    }

    /// The fault with what was underneath it.
    #[must_use]
    pub fn with_source(self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { source: Some(source.into()), ..self }
    }

    /// The fault with the time after which trying again makes sense.
    #[must_use]
    pub fn with_retry_after(self, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..self }
    }

    /// A fault for work that was told to stop.
    #[must_use]
    pub fn cancelled() -> Self {
        Self::new(FaultKind::Cancelled, "told to stop")
    }

    /// What kind of failure it is.
    #[must_use]
    pub const fn kind(&self) -> FaultKind {
        self.kind
    }

    /// What happened, for people.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// After which time trying again makes sense, where the port knows.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }
}

impl fmt::Display for Fault {
    /// The message and everything underneath it, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        let mut source = self.source();
        while let Some(error) = source {
            write!(f, ": {error}")?;
            source = error.source();
        }
        Ok(())
    }
}

impl Error for Fault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
