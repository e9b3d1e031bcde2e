//! `trueup batch`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use trueup_app::{BatchDocument, BatchRequest, BatchSource, batch};

use crate::args::{Aa, Format, Metric};
use crate::error::CliError;
use crate::progress::{Bar, Mode};
use crate::{interrupt, output, style};

/// What does not pass that is listed for people; all of it is in the files.
const LISTED: usize = 20;

/// Do many comparisons and runs at once, from a manifest or two patterns.
///
/// Everything is kept in one folder: index.html to look at, results.jsonl with a line for each job, junit.xml, summary.json, and
/// a picture of each pair that fails. A batch that was interrupted goes on where it stopped; what has changed since is done
/// again.
///
/// Exit codes: 0 everything passes, 1 something fails, 2 the manifest cannot be used, 3 something is undetermined or left over,
/// 4 something needs a human.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  trueup batch screens.toml -o out\n  trueup batch --expected 'design/**/*.png' --actual 'shots/**/*.png'"
)]
pub(crate) struct Args {
    /// A TOML file with [[pair]], [[folders]] (each with expected and actual) and [[run]] (with config); paths are relative to it.
    #[arg(value_name = "MANIFEST", required_unless_present = "expected")]
    manifest: Option<PathBuf>,

    /// A pattern of references; they are paired by what follows the part without wildcards.
    #[arg(long, value_name = "GLOB", requires = "actual", conflicts_with = "manifest")]
    expected: Option<String>,

    /// The pattern of the images that are held against them.
    #[arg(long, value_name = "GLOB", requires = "expected")]
    actual: Option<String>,

    /// Tolerances of pairs whose manifest says none, as for diff.
    #[arg(long, value_name = "KEY=VALUE,…")]
    tolerance: Option<String>,

    /// The formula of colour difference.
    #[arg(long, value_enum, default_value_t)]
    metric: Metric,

    /// Which differences count as antialiasing.
    #[arg(long, value_enum, default_value_t)]
    aa: Aa,

    /// The folder that everything is kept in.
    #[arg(short, long, value_name = "FOLDER", default_value = "batch")]
    output: PathBuf,

    /// Jobs at the same time; by default as many as the machine has threads.
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Do everything again, whatever earlier calls did.
    #[arg(long)]
    afresh: bool,

    /// How progress is shown, on standard error.
    #[arg(long, value_enum, default_value_t)]
    progress: Mode,

    /// How the result is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn execute(args: &Args) -> Result<u8, CliError> {
    let source = match (&args.manifest, &args.expected, &args.actual) {
        (None, Some(expected), Some(actual)) => {
            BatchSource::Patterns { expected: expected.clone(), actual: actual.clone() }
        }
        (manifest, ..) => BatchSource::Manifest(manifest.clone().unwrap_or_default()),
    };
    let mut request = BatchRequest::new(source, args.output.clone());
    request.tolerance = args.tolerance.clone();
    request.metric = args.metric.kind();
    request.antialiasing = args.aa.kind(args.metric);
    request.jobs = args.jobs;
    request.afresh = args.afresh;
    let bar = Bar::new(args.progress);
    let outcome = batch(&request, &interrupt::token()?, &bar.told());
    bar.clear();
    let document = outcome?.document;
    match args.format {
        Format::Json => output::json(&document)?,
        Format::Text => output::line(text(&document).trim_end())?,
    }
    Ok(document.exit_code)
}

fn text(document: &BatchDocument) -> String {
    let mut text = String::new();
    for entry in document.worst.iter().take(LISTED) {
        let status = style::status(&format!("{:<12}", entry.status));
        text.push_str(&format!("{status} {}: {}\n", entry.name, entry.detail));
    }
    let bad = document.fail + document.undetermined + document.needs_human;
    if bad > LISTED {
        text.push_str(&format!("… and {} more\n", bad - LISTED));
    }
    text.push_str(&format!(
        "{}: {}, {} pass, {} fail, {} undetermined",
        style::status(document.status),
        output::count(document.total, "job", "jobs"),
        document.pass,
        document.fail,
        document.undetermined
    ));
    for (count, what) in [
        (document.needs_human, "need a human"),
        (document.resumed, "done before"),
        (document.left, "left: call again to go on"),
    ] {
        if count > 0 {
            text.push_str(&format!(", {count} {what}"));
        }
    }
    text.push_str(&format!(" · {}/index.html\n", document.folder.trim_end_matches('/')));
    text
}
