//! `trueup judge`.

use std::path::PathBuf;

use trueup_app::{JudgeDocument, judge};
use trueup_ports::CancelToken;

use crate::args::Format;
use crate::error::CliError;
use crate::{output, style};

/// Look at an artifact once: measure it, and have it judged. Nothing is revised, and nothing is kept.
///
/// Exit codes: 0 pass, 1 fail, 3 undetermined.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  trueup judge examples/programs/trueup.toml --format json")]
pub(crate) struct Args {
    /// The configuration.
    #[arg(value_name = "TRUEUP.TOML")]
    config: PathBuf,

    /// How the result is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn execute(args: &Args) -> Result<u8, CliError> {
    let outcome = judge(&args.config, CancelToken::new())?;
    match args.format {
        Format::Json => output::json(&outcome.document)?,
        Format::Text => output::line(text(&outcome.document).trim_end())?,
    }
    Ok(outcome.exit_code)
}

fn text(document: &JudgeDocument) -> String {
    let mut text = format!("{}\n", style::status(&document.status));
    for label in &document.labels {
        let said = match (&label.not_comparable, &label.score) {
            (Some(why), _) => format!("not comparable: {why}"),
            (None, Some(score)) => {
                let open = output::count(label.open_regions, "open region", "open regions");
                format!("{open} · score {}", output::tenths(score))
            }
            (None, None) => "no score".to_owned(),
        };
        let status = style::status(&format!("{:<12}", label.status));
        text.push_str(&format!("  {status} {}: {said}\n", label.label));
    }
    if let Some(judged) = &document.judged {
        let by = judged.judge.as_deref().unwrap_or("the judge");
        let status = style::status(&format!("{:<12}", judged.status));
        text.push_str(&format!("  {status} {} by {by}\n", judged.rubric));
        for axis in &judged.axes {
            let mark = if judged.failing.contains(&axis.axis) { " · fails" } else { "" };
            let score = axis.score.as_deref().unwrap_or("–");
            let why = axis.why.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
            text.push_str(&format!("    {}: {score}{why}{mark}\n", axis.axis));
        }
    }
    if let Some(note) = &document.note {
        text.push_str(&format!("  note: {note}\n"));
    }
    text
}
