//! The index over many: pairs of a batch, or runs.

use std::io;

use askama::Template;

/// What an index shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Index {
    /// What it is an index of.
    pub title: String,
    /// The worst status of any entry.
    pub status: String,
    /// How many of which, in one sentence.
    pub summary: String,
}

/// One entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexRow {
    /// Its name.
    pub name: String,
    /// Its status, such as `pass` or `converged`.
    pub status: String,
    /// What was measured, in a few words.
    pub figures: String,
    /// Why.
    pub detail: String,
    /// A page or a PNG, relative to the index, with `/`.
    pub place: Option<String>,
}

impl Index {
    /// An index without entries.
    #[must_use]
    pub fn new(title: impl Into<String>, status: impl Into<String>) -> Self {
        Self { title: title.into(), status: status.into(), ..Self::default() }
    }
}

impl IndexRow {
    /// An entry.
    #[must_use]
    pub fn new(name: impl Into<String>, status: impl Into<String>) -> Self {
        Self { name: name.into(), status: status.into(), ..Self::default() }
    }
}

#[derive(Template)]
#[template(path = "index.html", escape = "html")]
struct Page<'i> {
    index: &'i Index,
    count: usize,
    mood: &'static str,
    style: &'static str,
    script: &'static str,
}

#[derive(Template)]
#[template(path = "index_row.html", escape = "html")]
struct Row<'i> {
    row: &'i IndexRow,
    mood: &'static str,
    /// The place as a URL, and whether it is a picture.
    place: Option<(String, bool)>,
}

/// Stands in the page where the rows go; no text that is escaped can be it.
const ROWS: &str = "<!--rows-->";

/// Writes the page of an index of `count` rows, row by row, so that it may be as long as it likes.
///
/// # Errors
/// When it cannot be written, or a row is an error.
pub fn write_index(
    index: &Index,
    count: usize,
    rows: impl Iterator<Item = io::Result<IndexRow>>,
    to: &mut dyn io::Write,
) -> io::Result<()> {
    let page = Page {
        index,
        count,
        mood: mood_of(&index.status),
        style: include_str!("../assets/report.css"),
        script: include_str!("../assets/index.js"),
    };
    let page = page.render().map_err(io::Error::other)?;
    let (head, tail) = page.split_once(ROWS).unwrap_or((&page, ""));
    to.write_all(head.as_bytes())?;
    for row in rows {
        let row = row?;
        let place = row.place.as_deref().map(|place| (href(place), place.ends_with(".png")));
        Row { row: &row, mood: mood_of(&row.status), place }.write_into(to)?;
    }
    to.write_all(tail.as_bytes())
}

/// `good`, `bad` or `open`, for the colour of a status.
pub(crate) fn mood_of(status: &str) -> &'static str {
    match status.split(':').next() {
        Some("converged" | "pass") => "good",
        Some("undetermined" | "needs-human" | "accepted-unconverged" | "left") => "open",
        _ => "bad",
    }
}

/// A relative path as a URL has it.
fn href(path: &str) -> String {
    path.split('/').map(crate::page::escaped).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out_of_a_page() {
        let mut bad = IndexRow::new("<b>&\"x<!--rows-->", "fail");
        bad.place = Some("pictures/a b%.png".to_owned());
        let mut page = Vec::new();
        let rows = [bad, IndexRow::new("fine", "pass")];
        write_index(&Index::new("batch <!--rows-->", "fail"), 2, rows.into_iter().map(Ok), &mut page)
            .unwrap();
        let page = String::from_utf8(page).unwrap();
        assert!(page.contains("&#60;b&#62;") && page.contains("fine"), "{page}");
        assert!(page.contains("src=\"pictures/a%20b%25.png\""), "{page}");
        assert!(!page.contains("<b>&") && !page.contains(ROWS), "{page}");
        assert!(page.trim_end().ends_with("</html>"));
    }
}
