//! `trueup init`.

use std::path::PathBuf;

use trueup_app::init;

use crate::error::CliError;
use crate::output;

/// Write a commented trueup.toml from what is in a folder: drawings, references of the same name, and design tokens.
///
/// It asks nothing, and replaces nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  trueup init && trueup run trueup.toml")]
pub(crate) struct Args {
    /// The folder.
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
}

pub(crate) fn execute(args: &Args) -> Result<u8, CliError> {
    let outcome = init(&args.folder)?;
    for drawing in &outcome.without_reference {
        output::error_line(&format!("note: {drawing} has no reference of its name, and is left out"));
    }
    output::line(&format!(
        "{}: {}, {}",
        outcome.config.display(),
        output::count(outcome.labels, "label", "labels"),
        output::count(outcome.tokens, "token", "tokens"),
    ))?;
    Ok(0)
}
