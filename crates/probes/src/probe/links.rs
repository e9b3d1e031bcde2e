//! Links and controls, and what scripts report.

use trueup_findings::Severity;

use super::found::{Look, count, short};
use crate::{Outcome, Reading};

/// Every link and control works: none leads to an error, and none makes a script fail.
pub(super) fn links(look: Look<'_>) -> Reading {
    let Some(actions) = &look.page.actions else {
        return look.unverified("nobody tried the page's links and controls");
    };
    let mut findings = Vec::new();
    let mut untried = Vec::new();
    for action in actions {
        let actual = match &action.outcome {
            Outcome::Worked => continue,
            Outcome::Untried { why } => {
                untried.push(format!("{} was not tried: {why}", action.selector));
                continue;
            }
            Outcome::Status { status } => format!("answers with status {status}"),
            Outcome::Unreachable { why } => format!("cannot be reached: {why}"),
            Outcome::ScriptError { message } => format!("a script fails: {message}"),
        };
        findings.push(
            look.finding(
                Severity::Blocking,
                &action.selector,
                format!("\"{}\" is broken", short(&action.target)),
            )
            .expected("it leads somewhere or does something", actual)
            .matters("whoever uses it is stuck")
            .fix("correct where it leads, or mend the script behind it, or take it away"),
        );
    }
    let measured = count(actions.len() - untried.len(), "link or control tried", "links and controls tried");
    look.reading_unless(measured, findings, untried.into_iter().next())
}

/// No script fails while the page loads.
pub(super) fn script_errors(look: Look<'_>) -> Reading {
    let findings = look.page.errors.iter().map(|error| {
        look.finding(Severity::Important, "", format!("a script fails: {}", short(error)))
            .expected("no error while the page loads", error.clone())
            .matters("whatever comes behind the error does not happen")
            .fix("mend the script at the place that the message names")
    });
    look.reading(count(look.page.errors.len(), "script error", "script errors"), findings.collect())
}
