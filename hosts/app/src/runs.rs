//! The index over runs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use trueup_report::{Index, IndexRow, write_index};

use crate::error::{AppError, AppErrorKind};
use crate::report::of_summary;

/// Writes `index.html` over the runs in the folders below `folder`, the newest first; gives its place.
pub(crate) fn index(folder: &Path, output: Option<&Path>) -> Result<PathBuf, AppError> {
    let mut rows = rows(folder);
    if rows.is_empty() {
        return Err(AppError::new(AppErrorKind::NoRun { folder: folder.to_owned() }));
    }
    // Ids begin with the time, where nobody chose another one.
    rows.sort_by(|one, other| other.name.cmp(&one.name));
    let converged = rows.iter().filter(|row| row.status == "converged").count();
    let left = rows.len() - converged;
    let mut index = Index::new("runs", if left == 0 { "converged" } else { "not-converged" });
    index.summary = format!("{} runs: {converged} converged, {left} did not", rows.len());
    let path = folder.join("index.html");
    if let Some(path) = output.filter(|output| **output != path) {
        // Its links are relative, so that the folder can be moved.
        let why = "an index over runs stands in their folder: leave --output out";
        let source = io::Error::new(io::ErrorKind::InvalidInput, why);
        return Err(AppError::new(AppErrorKind::File { what: "written", path: path.to_owned(), source }));
    }
    let count = rows.len();
    let written = || {
        let mut file = io::BufWriter::new(fs::File::create(&path)?);
        write_index(&index, count, rows.into_iter().map(Ok), &mut file)?;
        io::Write::flush(&mut file)
    };
    match written() {
        Ok(()) => Ok(path),
        Err(source) => Err(AppError::new(AppErrorKind::File { what: "written", path, source })),
    }
}

/// A row for each folder that holds a run that has ended.
fn rows(folder: &Path) -> Vec<IndexRow> {
    let run = |entry: fs::DirEntry| {
        let place = entry.path();
        let report = of_summary(&fs::read_to_string(place.join("summary.md")).ok()?);
        let name = entry.file_name().to_string_lossy().into_owned();
        let mut row = IndexRow::new(name.clone(), report.status);
        row.detail = report.reason;
        let fact =
            |name: &str| report.facts.iter().find(|fact| fact.name == name).map(|fact| fact.value.as_str());
        if let (Some(spent), Some(cap)) = (fact("iterations"), fact("iteration cap")) {
            row.figures = format!("{spent} of {cap} iterations");
        }
        let file = if place.join("report.html").is_file() { "report.html" } else { "summary.md" };
        row.place = Some(format!("{name}/{file}"));
        Some(row)
    };
    fs::read_dir(folder).into_iter().flatten().flatten().filter_map(run).collect()
}
