//! `trueup mcp`.

use std::net::SocketAddr;
use std::path::PathBuf;

use trueup_mcp::{Options, serve, serve_http};

use crate::error::CliError;
use crate::output;

/// Serve the Model Context Protocol on standard input and output, or over HTTP: the referee that any agent can call.
///
/// An agent revises files with its own tools and calls loop_next, which measures them and says what is open. It cannot set a
/// verdict, skip a gate, raise a cap, answer for a person, or reach a file outside the roots.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  trueup mcp --root .\n  trueup mcp --root . --http 127.0.0.1:7777")]
pub(crate) struct Args {
    /// A folder that the agent may reach; may be given several times. The current one by default.
    #[arg(long, value_name = "FOLDER")]
    root: Vec<PathBuf>,

    /// Serve over HTTP at this address of this machine instead, at /mcp; port 0 finds a free one.
    #[arg(long, value_name = "ADDRESS:PORT")]
    http: Option<SocketAddr>,

    /// Let configurations run programs and ask models. An agent that can write a configuration can then run anything.
    #[arg(long)]
    allow_programs: bool,
}

pub(crate) fn execute(args: &Args) -> Result<u8, CliError> {
    let mut options = Options::default();
    options.roots.clone_from(&args.root);
    options.allow_programs = args.allow_programs;
    match args.http {
        None => serve(&options),
        Some(address) => serve_http(&options, address, |found| {
            output::error_line(&format!("serving at http://{found}/mcp"));
        }),
    }
    .map_err(CliError::Serve)?;
    Ok(0)
}
