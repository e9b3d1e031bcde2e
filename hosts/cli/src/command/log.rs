//! `trueup log`.

use std::path::PathBuf;

use trueup_app::read_log;

use crate::args::Format;
use crate::error::CliError;
use crate::{output, style};

/// List the verdicts of judges that were kept, across runs.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  trueup log --rubric framesmith --last 10")]
pub(crate) struct Args {
    /// The log; trueup-log.jsonl by default, else that of the runs in runs.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Only verdicts by this rubric.
    #[arg(long, value_name = "NAME")]
    rubric: Option<String>,

    /// Only the last so many.
    #[arg(long, value_name = "N")]
    last: Option<usize>,

    /// How the result is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn execute(args: &Args) -> Result<u8, CliError> {
    let file = args.file.clone().unwrap_or_else(|| {
        let [here, runs] = ["trueup-log.jsonl", "runs/trueup-log.jsonl"].map(PathBuf::from);
        if !here.exists() && runs.exists() { runs } else { here }
    });
    let mut document = read_log(&file)?;
    if let Some(rubric) = &args.rubric {
        document.entries.retain(|entry| entry.rubric.as_ref() == Some(rubric));
    }
    if let Some(last) = args.last {
        let skipped = document.entries.len().saturating_sub(last);
        document.entries.drain(..skipped);
    }
    for line in &document.damaged_lines {
        output::error_line(&format!(
            "warning: line {line} of {} is no entry and is left out; the file is as it was",
            file.display()
        ));
    }
    if args.format == Format::Json {
        output::json(&document)?;
        return Ok(0);
    }
    for entry in &document.entries {
        let overall = entry.overall.map(|overall| format!(" {overall}")).unwrap_or_default();
        let failing = if entry.failing_axes.is_empty() {
            String::new()
        } else {
            format!(" below: {}", entry.failing_axes.join(", "))
        };
        let by: Vec<&str> = [&entry.judge, &entry.model].into_iter().flatten().map(String::as_str).collect();
        let by = if by.is_empty() { String::new() } else { format!(" by {}", by.join(", ")) };
        output::line(&format!(
            "{} {} {}{overall}{failing}{by} · {}",
            entry.at,
            style::status(&format!("{:<12}", entry.status)),
            entry.rubric.as_deref().unwrap_or("no rubric"),
            entry.report
        ))?;
    }
    Ok(0)
}
