//! Serving.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use rmcp::ServiceExt;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

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
    /// The server would listen beyond this machine, where anybody could call it.
    NotLoopback {
        /// The address that was asked for.
        address: SocketAddr,
    },
    /// The address cannot be listened on.
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        source: std::io::Error,
    },
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
            Self::NotLoopback { address } => write!(
                f,
                "{address} is not an address of this machine alone: expected 127.0.0.1 or [::1], because nobody who calls is asked who they are"
            ),
            Self::Listen { address, source } => write!(f, "{address} cannot be listened on: {source}"),
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

/// Serves over HTTP at `http://ADDRESS/mcp`, to any number of clients on this machine, until the process ends. `told` hears the
/// address, whose port is the one that was found where 0 was asked for.
///
/// Requests that name another host, or that a page of another origin makes, are refused: a site that somebody visits cannot
/// call the server.
///
/// # Errors
/// When a root is not there, or the address is not one of this machine alone or cannot be listened on.
pub fn serve_http(
    options: &Options,
    address: SocketAddr,
    told: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    if !address.ip().is_loopback() {
        return Err(ServeError::NotLoopback { address });
    }
    let roots = Arc::new(Roots::new(&options.roots).map_err(ServeError::Root)?);
    let server = Server { roots, allow_programs: options.allow_programs };
    let runtime = tokio::runtime::Runtime::new().map_err(ServeError::Runtime)?;
    let failed = |source| ServeError::Listen { address, source };
    runtime.block_on(async {
        let mut config = StreamableHttpServerConfig::default();
        config.allowed_origins = ["http://localhost:*", "http://127.0.0.1:*"].map(str::to_owned).to_vec();
        let sessions = Arc::new(LocalSessionManager::default());
        let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
        let router = axum::Router::new().nest_service("/mcp", service);
        let listener = tokio::net::TcpListener::bind(address).await.map_err(failed)?;
        told(listener.local_addr().map_err(failed)?);
        axum::serve(listener, router).await.map_err(failed)
    })
}
