//! `trueup mcp`.

use std::path::PathBuf;

use trueup_mcp::{Options, serve};

use crate::error::CliError;

/// Serve the Model Context Protocol on standard input and output: the referee that any agent can call.
///
/// An agent revises files with its own tools and calls loop_next, which measures them and says what is open. It cannot set a
/// verdict, skip a gate, raise a cap, answer for a person, or reach a file outside the roots.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  trueup mcp --root .")]
pub(crate) struct Args {
    /// A folder that the agent may reach; may be given several times. The current one by default.
    #[arg(long, value_name = "FOLDER")]
    root: Vec<PathBuf>,

    /// Let configurations run programs and ask models. An agent that can write a configuration can then run anything.
    #[arg(long)]
    allow_programs: bool,
}

pub(crate) fn execute(args: &Args) -> Result<u8, CliError> {
    let mut options = Options::default();
    options.roots.clone_from(&args.root);
    options.allow_programs = args.allow_programs;
    serve(&options).map_err(CliError::Serve)?;
    Ok(0)
}
