//! Serving.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use rmcp::ServiceExt;

use crate::roots::{RootError, Roots};
use crate::server::Server;

/// How the server is set up.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// The folders that the agent may reach; the one that the process is in, where there are none.
    pub roots: Vec<PathBuf>,
    /// Whether configurations may run programs and ask models. Off by default: an agent that can write a configuration could
    /// otherwise run anything.
    pub allow_programs: bool,
}

/// The server could not be started, or broke.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// A folder cannot be a root.
    Root(RootError),
    /// There is no runtime.
    Runtime(std::io::Error),
    /// The client does not speak the protocol, or went away before it began.
    Protocol {
        /// What happened.
        why: String,
    },
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(error) => error.fmt(f),
            Self::Runtime(error) => write!(f, "no runtime could be started: {error}"),
            Self::Protocol { why } => write!(f, "the client does not speak the protocol: {why}"),
        }
    }
}

impl std::error::Error for ServeError {}

/// Serves on standard input and output until the client goes away.
///
/// # Errors
/// When a root is not there, or the client does not speak the protocol.
pub fn serve(options: &Options) -> Result<(), ServeError> {
    let roots = Arc::new(Roots::new(&options.roots).map_err(ServeError::Root)?);
    let server = Server { roots, allow_programs: options.allow_programs };
    let runtime = tokio::runtime::Runtime::new().map_err(ServeError::Runtime)?;
    let protocol = |why: String| ServeError::Protocol { why };
    let served = runtime.block_on(async {
        let service =
            server.serve(rmcp::transport::stdio()).await.map_err(|error| protocol(error.to_string()))?;
        service.waiting().await.map_err(|error| protocol(error.to_string()))?;
        Ok(())
    });
    // A read of standard input cannot be called off, and nobody is left to wait for it.
    runtime.shutdown_background();
    served
}
