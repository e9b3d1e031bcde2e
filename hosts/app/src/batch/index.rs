//! A batch as an HTML page.

use std::io;

use trueup_report::{Index, IndexRow, write_index};

use super::document::BatchDocument;
use super::jobs::Jobs;
use super::kept::{Kept, Rows, Status};

/// Writes the page, row by row: what does not pass first, and everything in the order of the jobs.
pub(super) fn write(
    document: &BatchDocument,
    jobs: &Jobs,
    rows: &Rows,
    kept: &mut Kept,
    to: &mut dyn io::Write,
) -> io::Result<()> {
    let mut index = Index::new("batch", document.status);
    index.summary = format!(
        "{} jobs: {} pass, {} fail, {} undetermined, {} need a human, {} left",
        document.total,
        document.pass,
        document.fail,
        document.undetermined,
        document.needs_human,
        document.left
    );
    let entry = |place: usize| {
        let mut entry = IndexRow::new(jobs.name(place), rows.status(place).map_or("left", Status::as_str));
        if let Some(line) = rows.line(place, kept)? {
            entry.detail = line.detail.into();
            entry.place = line.place.map(String::from);
            if line.open_regions > 0 {
                entry.figures = format!("{} open, ΔE up to {:.1}", line.open_regions, line.max_delta_e);
            }
        }
        Ok(entry)
    };
    let passes = |place: &usize| rows.status(*place) == Some(Status::Pass);
    let bad = (0..jobs.len()).filter(|place| !passes(place));
    let order = bad.chain((0..jobs.len()).filter(passes));
    write_index(&index, jobs.len(), order.map(entry), to)
}
