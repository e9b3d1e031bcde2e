//! `trueup findings`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use trueup_app::{
    FindingsFormat, compare_findings, format_diff, format_findings, merge_findings, read_findings,
};

use crate::error::CliError;
use crate::output;

/// Merge findings, write them for other tools, and tell rounds apart.
///
/// A finding is one thing that is wrong: where it is, why, and what to do. A file of them is a trueup.findings/1 document, or
/// the JSON of trueup diff, whose open regions are findings, or of trueup probe.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  trueup findings merge one.json two.json --format md")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Merge the findings of several files: duplicates become one, near-duplicates are proposed.
    #[command(after_help = "Example:\n  trueup findings merge generator.json evaluator.json --format md")]
    Merge(Files),
    /// Write the findings of files in another format, as they are.
    #[command(after_help = "Example:\n  trueup findings emit findings.json --format sarif > findings.sarif")]
    Emit(Files),
    Diff(Rounds),
}

/// How findings are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people, with the lines that findings are about.
    #[default]
    Text,
    /// One trueup.findings/1 document.
    Json,
    /// Markdown: a list, or a table from ten findings on.
    Md,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit XML.
    Junit,
    /// Annotations of a GitHub workflow.
    Github,
    /// Reviewdog's diagnostics.
    Rdjson,
}

impl Format {
    const fn format(self) -> FindingsFormat {
        match self {
            Self::Text => FindingsFormat::Text,
            Self::Json => FindingsFormat::Json,
            Self::Md => FindingsFormat::Markdown,
            Self::Sarif => FindingsFormat::Sarif,
            Self::Junit => FindingsFormat::Junit,
            Self::Github => FindingsFormat::Github,
            Self::Rdjson => FindingsFormat::Rdjson,
        }
    }
}

#[derive(Debug, clap::Args)]
struct Files {
    /// Files of findings; - is standard input.
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,

    /// The folder in which files are looked up that findings name.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,

    /// How the result is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Say what is new, regressed, persisting and fixed from round to round.
///
/// Exit codes: 0 nothing is new or back, 1 something is, 2 a file cannot be used.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  trueup findings diff round-1.json round-2.json round-3.json")]
struct Rounds {
    /// One file a round, the oldest first.
    #[arg(required = true, num_args = 2.., value_name = "FILES")]
    files: Vec<PathBuf>,

    /// The folder in which files are looked up that findings name.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,

    /// How the result is printed; the formats of other tools have what is new or back.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn execute(args: &Args) -> Result<u8, CliError> {
    match &args.command {
        Command::Merge(files) => {
            let merged = merge_findings(&files.files)?;
            output::line(format_findings(&merged.list, files.format.format(), &files.root).trim_end())?;
            // Beside the document, so that it stays one.
            for near in &merged.near_duplicates {
                if let (Some(first), Some(second)) =
                    (merged.list.get(near.first), merged.list.get(near.second))
                {
                    output::error_line(&format!(
                        "note: {} and {} may be one ({}): {:?} and {:?}",
                        near.first + 1,
                        near.second + 1,
                        near.why,
                        first.title(),
                        second.title()
                    ));
                }
            }
            Ok(0)
        }
        Command::Emit(files) => {
            let mut list = Vec::new();
            for file in &files.files {
                list.extend(read_findings(file)?);
            }
            output::line(format_findings(&list, files.format.format(), &files.root).trim_end())?;
            Ok(0)
        }
        Command::Diff(rounds) => {
            let compared = compare_findings(&rounds.files)?;
            output::line(format_diff(&compared.diff, rounds.format.format(), &rounds.root).trim_end())?;
            Ok(u8::from(!compared.diff.new.is_empty() || !compared.diff.regressed.is_empty()))
        }
    }
}
