//! `trueup run`.

use std::io;
use std::path::Path;
use std::sync::Arc;

use trueup_app::{Mode, ReportOptions, RunDocument, RunOptions, RunOutcome, report};
use trueup_score::Points;

use crate::args::{self, Format, Run};
use crate::error::CliError;
use crate::interrupt;
use crate::output;
use crate::progress::{Bar, Progress};
use crate::style;

pub(crate) fn execute(args: &Run) -> Result<u8, CliError> {
    let mut options = RunOptions::default();
    options.iteration_cap = args.iteration_cap.clone();
    options.tolerance = args.tolerance.clone();
    options.run_id = args.run_id.clone();
    options.out = args.out.clone();
    options.answer = args.answer.given();
    options.mode = match args.mode {
        args::Mode::Create => Mode::Create,
        args::Mode::Repair => Mode::Repair,
    };
    let json = args.format == Format::Json;
    let bar = Bar::new(args.progress);
    let observer = Arc::new(Progress::new(args.verbose, json, bar.clone()));
    let outcome = trueup_app::run(&args.config, &options, observer, interrupt::token()?);
    bar.clear();
    let outcome = outcome?;
    // The run has ended as it has, whether or not a page can be made of it.
    if let Err(error) = report(&outcome.folder, &ReportOptions::default()) {
        output::error_line(&format!("warning: there is no report: {error}"));
    }
    if json {
        output::json(&RunDocument::of(&outcome))?;
    } else {
        for note in &outcome.report.status.notes {
            output::line(&format!("note: {note}"))?;
        }
        output::line(&terminal_line(&outcome))?;
        tell_question(&outcome, "run", &args.config)?;
    }
    Ok(outcome.exit_code())
}

/// What a run asks that waits for a person, and how to answer it.
pub(super) fn tell_question(outcome: &RunOutcome, command: &str, config: &Path) -> io::Result<()> {
    let Some(question) = &outcome.report.outcome.question else { return Ok(()) };
    output::line(&format!("a person has to decide: {}", question.why))?;
    output::line(&format!(
        "  answer: trueup {command} {} --run-id {} --answer continue [--focus TEXT] [--more-iterations N]\n  \
         or: --answer accept-as-is --by NAME, --answer abort",
        config.display(),
        outcome.report.status.run_id
    ))
}

/// `converged after 2 of 6 iterations · score 0.0 · runs/20260101-0900/summary.md`
pub(super) fn terminal_line(outcome: &RunOutcome) -> String {
    let status = &outcome.report.status;
    let score = outcome.report.outcome.best.as_ref().and_then(|best| best.score);
    let score = score.map_or("unknown".to_owned(), |score: Points| score.tenths().to_string());
    let mut line = format!(
        "{} after {} of {} iterations · score {score}",
        style::status(status.status.as_str()),
        status.iterations,
        status.iteration_cap
    );
    let residual = &status.residual_delta_ids;
    if !residual.is_empty() {
        let shown: Vec<&str> = residual.iter().take(5).map(String::as_str).collect();
        let more = if residual.len() > 5 { ", …" } else { "" };
        line.push_str(&format!(" · {} open: {}{more}", residual.len(), shown.join(", ")));
    }
    line.push_str(&format!(" · {}", outcome.folder.join("summary.md").display()));
    line
}
