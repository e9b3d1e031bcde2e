//! `trueup next`.

use std::sync::Arc;

use trueup_app::{NextDocument, NextOutcome, OpenDocument, ReviseDocument, RunOptions};

use crate::args::{Format, Next};
use crate::error::CliError;
use crate::interrupt;
use crate::output;
use crate::progress::{Bar, Mode, Progress};

use super::run::{tell_question, terminal_line};

pub(crate) fn execute(args: &Next) -> Result<u8, CliError> {
    let mut options = RunOptions::default();
    options.iteration_cap = args.iteration_cap.clone();
    options.tolerance = args.tolerance.clone();
    options.run_id = Some(args.run_id.clone());
    options.out = args.out.clone();
    options.answer = args.answer.given();
    // Progress goes to standard error: what comes next is the output.
    let bar = Bar::new(Mode::Auto);
    let observer = Arc::new(Progress::new(args.verbose, true, bar.clone()));
    let cancel = interrupt::token()?;
    let outcome = trueup_app::next(&args.config, &options, args.give_up.clone(), observer, cancel);
    bar.clear();
    let outcome = outcome?;
    let document = NextDocument::of(&outcome);
    match (&outcome, &document.revise) {
        _ if args.format == Format::Json => output::json(&document)?,
        (NextOutcome::Done(outcome), _) => {
            for note in &outcome.report.status.notes {
                output::line(&format!("note: {note}"))?;
            }
            output::line(&terminal_line(outcome))?;
            tell_question(outcome, "next", &args.config)?;
        }
        (NextOutcome::Revise { .. }, Some(revise)) => output::line(&tell(revise))?,
        (NextOutcome::Revise { .. }, None) => {}
    }
    Ok(outcome.exit_code())
}

/// What to revise, for people.
fn tell(revise: &ReviseDocument) -> String {
    let score = revise.score.as_deref().map_or("unknown".to_owned(), output::tenths);
    let mut lines = Vec::new();
    if revise.restored {
        lines.push(format!(
            "the last revision was no better: the files are back in the state of iteration {}",
            revise.best_iteration
        ));
    }
    lines.extend(revise.notes.iter().map(|note| format!("note: {note}")));
    lines.push(format!(
        "revise and call again · iteration {} of {} · score {score} · {} open",
        revise.iteration,
        revise.iteration_cap,
        revise.open.len()
    ));
    lines.extend(revise.open.iter().map(region));
    if let Some(focus) = &revise.focus {
        lines.push(format!("look at this first: {focus}"));
    }
    lines.extend(revise.failing.iter().map(|failing| format!("failing: {failing}")));
    if !revise.tried.is_empty() {
        lines.push(format!(
            "{} states were tried for exactly this, and none of them may come again",
            revise.tried.len()
        ));
    }
    lines.join("\n")
}

/// `  card/r1 color at 10,20 86x34 · 2902 px · ΔE 12.3 (at most 30.1) · #3f6fd9 should be #4338ca`
fn region(open: &OpenDocument) -> String {
    let region = &open.region;
    let mut line = format!(
        "  {} {} at {},{} {}x{} · {} px · ΔE {} (at most {})",
        region.id,
        region.kind,
        region.x,
        region.y,
        region.width,
        region.height,
        region.pixels,
        output::tenths(&open.mean_delta_e),
        output::tenths(&open.max_delta_e)
    );
    if let Some(swatch) = open.swatches.first().filter(|swatch| swatch.expected != swatch.actual) {
        line.push_str(&format!(" · {} should be {}", swatch.actual, swatch.expected));
    }
    line
}
