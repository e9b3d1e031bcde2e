//! What is wrong with a command line, in the style of every other error.

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use crate::args::Args;
use crate::output;

/// The exit code of a command line that cannot be used.
const USAGE: u8 = 2;

/// Reads the command line. Help and the version are printed here, and so is what is wrong; then the exit code is given.
pub(crate) fn parse() -> Result<Args, ExitCode> {
    let read = Args::command().try_get_matches().and_then(|matches| Args::from_arg_matches(&matches));
    read.map_err(|error| {
        if error.use_stderr()
            && error.kind() != clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        {
            for line in lines(&error.render().to_string()) {
                output::error_line(&line);
            }
            return ExitCode::from(USAGE);
        }
        // Whoever reads our output has seen enough.
        let _told = error.print();
        ExitCode::from(u8::from(error.use_stderr()) * USAGE)
    })
}

/// One line that says what is wrong, then hints: what may have been meant, how the command is called, who says more.
fn lines(rendered: &str) -> Vec<String> {
    let mut parts = rendered.split("\n\n").map(str::trim).filter(|part| !part.is_empty());
    let mut said = vec![joined(parts.next().unwrap_or("error: the command line cannot be read"))];
    for part in parts {
        if let Some(usage) = part.strip_prefix("Usage: ") {
            said.push(format!("  hint: usage: {}", joined(usage)));
            let command: Vec<&str> = usage.split_whitespace().take_while(|word| is_name(word)).collect();
            said.push(format!("  hint: {} --help says more", command.join(" ")));
        } else if !part.starts_with("For more information") {
            said.extend(part.lines().map(|line| {
                let line = line.trim();
                format!("  hint: {}", line.strip_prefix("tip: ").unwrap_or(line))
            }));
        }
    }
    said
}

/// Lines as one: what is missing, or may be said, as a list.
fn joined(part: &str) -> String {
    let mut lines = part.lines().map(str::trim);
    let first = lines.next().unwrap_or_default();
    let rest: Vec<&str> = lines.collect();
    match rest.as_slice() {
        [] => first.to_owned(),
        rest if first.ends_with(':') => format!("{first} {}", rest.join(", ")),
        rest => format!("{first} {}", rest.join(" ")),
    }
}

/// Whether a word of a usage line is the name of the command or of one below it.
fn is_name(word: &str) -> bool {
    word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-') && !word.starts_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_wrong_is_one_error_and_hints() {
        let wrong = |words: &[&str]| match Args::command().try_get_matches_from(words) {
            Ok(_) => panic!("{words:?} is right"),
            Err(error) => lines(&error.render().to_string()),
        };
        for words in [
            &["trueup", "dif"][..],
            &["trueup", "diff"],
            &["trueup", "diff", "a", "b", "--toleranc", "x"],
            &["trueup", "diff", "a", "b", "--metric", "ciede"],
            &["trueup", "diff", "a", "b", "--threads", "0"],
            &["trueup", "run", "a", "--answer", "accept-as-is"],
            &["trueup", "rubric", "shoe"],
        ] {
            let said = wrong(words);
            assert!(said[0].starts_with("error: "), "{said:?}");
            assert!(said[1..].iter().all(|line| line.starts_with("  hint: ")), "{said:?}");
        }
        assert_eq!(
            wrong(&["trueup", "diff", "a"]),
            [
                "error: the following required arguments were not provided: <ACTUAL>",
                "  hint: usage: trueup diff <EXPECTED> <ACTUAL>",
                "  hint: trueup diff --help says more"
            ]
        );
    }
}
