//! `trueup report`.

use std::path::PathBuf;

use trueup_app::{ReportOptions, report};

use crate::error::CliError;
use crate::output;

/// Make the HTML report of a run, one file that opens anywhere, or the index of a folder of runs.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  trueup report examples/card/runs/20260101-0900\n  trueup report examples/card/runs     # an index over all of them"
)]
pub(crate) struct Args {
    /// The folder of a run, or of runs.
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// Where it is written; report.html in the run folder by default.
    #[arg(short, long, value_name = "FILE", conflicts_with = "beside")]
    output: Option<PathBuf>,

    /// Leave the pictures as files beside the page.
    #[arg(long)]
    beside: bool,
}

pub(crate) fn execute(args: &Args) -> Result<u8, CliError> {
    let mut options = ReportOptions::default();
    options.output.clone_from(&args.output);
    options.beside = args.beside;
    let place = report(&args.run, &options)?;
    output::line(&place.display().to_string())?;
    Ok(0)
}
