//! Writing to the terminal.

use std::io::{self, Write};

use serde::Serialize;

/// Writes a line to standard output.
pub(crate) fn line(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Writes a line to standard error. There is nobody left to tell when that fails.
pub(crate) fn error_line(text: &str) {
    let _told = writeln!(io::stderr().lock(), "{text}");
}

/// Writes a JSON document to standard output.
pub(crate) fn json(document: &impl Serialize) -> io::Result<()> {
    line(&serde_json::to_string_pretty(document).map_err(io::Error::other)?)
}
