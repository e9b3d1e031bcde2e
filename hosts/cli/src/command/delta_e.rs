//! `trueup delta-e`.

use trueup_app::{AppError, delta_e};

use crate::args::{DeltaE, Format};
use crate::error::CliError;
use crate::output;

pub(crate) fn execute(args: &DeltaE) -> Result<u8, CliError> {
    let document = delta_e(&args.first, &args.second, args.metric.kind()).map_err(AppError::from)?;
    match args.format {
        Format::Json => output::json(&document)?,
        Format::Text => output::line(&format!("{:.4}", document.delta_e))?,
    }
    Ok(0)
}
