//! `trueup capture`.

use std::path::PathBuf;

use trueup_app::capture;

use crate::error::CliError;
use crate::progress::{Bar, Mode};
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

    /// How progress is shown, on standard error.
    #[arg(long, value_enum, default_value_t)]
    progress: Mode,
}

pub(crate) fn execute(args: &Args) -> Result<u8, CliError> {
    let bar = Bar::new(args.progress);
    let files = capture(&args.config, &args.output, interrupt::token()?, &bar.told());
    bar.clear();
    for file in files? {
        output::line(&file.display().to_string())?;
    }
    Ok(0)
}
