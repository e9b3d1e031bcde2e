//! `trueup capture`.

use std::path::PathBuf;

use trueup_app::capture;

use crate::error::CliError;
use crate::{interrupt, output};

/// Render every label of a configuration to a PNG: a screen at one size, in one theme.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  trueup capture trueup.toml -o reference  # what is there is the reference now"
)]
pub(crate) struct Args {
    /// The configuration.
    #[arg(value_name = "TRUEUP.TOML")]
    config: PathBuf,

    /// The folder that the pictures go into, one for each label, by its name.
    #[arg(short, long, value_name = "FOLDER", default_value = "captures")]
    output: PathBuf,
}

pub(crate) fn execute(args: &Args) -> Result<u8, CliError> {
    for file in capture(&args.config, &args.output, interrupt::token()?)? {
        output::line(&file.display().to_string())?;
    }
    Ok(0)
}
