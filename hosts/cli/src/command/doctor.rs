//! `trueup doctor`.

use std::path::PathBuf;

use trueup_app::doctor;

use crate::args::Format;
use crate::error::CliError;
use crate::{output, style};

/// Say what is usable here, and what to do about the rest.
///
/// Exit codes: 0 when nothing that the configuration needs is missing, 1 when something is.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  trueup doctor trueup.toml")]
pub(crate) struct Args {
    /// A configuration whose programs are looked for as well.
    #[arg(value_name = "TRUEUP.TOML")]
    config: Option<PathBuf>,

    /// How the result is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn execute(args: &Args) -> Result<u8, CliError> {
    let document = doctor(args.config.as_deref())?;
    match args.format {
        Format::Json => output::json(&document)?,
        Format::Text => {
            for check in &document.checks {
                let status = style::status(&format!("{:<8}", check.status));
                output::line(&format!("{status} {}: {}", check.name, check.detail))?;
            }
        }
    }
    Ok(u8::from(document.status != "pass"))
}
