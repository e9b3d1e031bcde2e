//! Writing to the terminal.

use std::io::{self, Write};

use serde::Serialize;
use trueup_score::Points;

use crate::style;

/// Writes a line to standard output.
pub(crate) fn line(text: &str) -> io::Result<()> {
    // Where there is no colour the text goes out as it is, whatever is in it.
    if style::on_output() {
        write_line(anstream::stdout().lock(), text)
    } else {
        write_line(io::stdout().lock(), text)
    }
}

/// Writes a line to standard error. There is nobody left to tell when that fails.
pub(crate) fn error_line(text: &str) {
    let _told = if style::on_error() {
        write_line(anstream::stderr().lock(), &style::message(text))
    } else {
        write_line(io::stderr().lock(), text)
    };
}

fn write_line(mut out: impl Write, text: &str) -> io::Result<()> {
    writeln!(out, "{text}")?;
    out.flush()
}

/// A number of things, in words: `1 label`, `5 labels`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A number of a document as people read it, to tenths; it never looks better than it is.
pub(crate) fn tenths(number: &str) -> String {
    number.parse::<Points>().map_or_else(|_| number.to_owned(), |points| points.tenths().to_string())
}

/// Writes a JSON document to standard output.
pub(crate) fn json(document: &impl Serialize) -> io::Result<()> {
    line(&serde_json::to_string_pretty(document).map_err(io::Error::other)?)
}
