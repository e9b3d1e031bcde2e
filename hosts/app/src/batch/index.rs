//! A batch as an HTML page.

use std::io;

use trueup_report::{Index, IndexRow, write_index};

use super::document::BatchDocument;
use super::jobs::Jobs;
use super::kept::{Rows, Status};

/// Writes the page, row by row: what does not pass first, and everything in the order of the jobs.
pub(super) fn write(
    document: &BatchDocument,
    jobs: &Jobs,
    rows: &Rows,
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
        let status = rows.status(place).map_or("left", Status::as_str);
        let mut entry = IndexRow::new(jobs.name(place), status);
        if let Some(row) = rows.row(place) {
            entry.detail = row.detail.to_string();
            entry.place = row.place.as_deref().map(str::to_owned);
            if row.open_regions > 0 {
                entry.figures = format!("{} open, ΔE up to {:.1}", row.open_regions, row.max_delta_e);
            }
        }
        entry
    };
    let passes = |place: &usize| rows.status(*place) == Some(Status::Pass);
    let bad = (0..jobs.len()).filter(|place| !passes(place)).map(entry);
    let good = (0..jobs.len()).filter(passes).map(entry);
    write_index(&index, jobs.len(), bad.chain(good), to)
}
