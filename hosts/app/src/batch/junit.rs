//! A batch as JUnit XML, a test case for each job.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};

use super::jobs::Jobs;
use super::kept::{Kept, Rows, Status};

/// Writes the report, case by case: it may be long. What was not decided is an error there, which is what JUnit calls a test
/// that could not be carried out.
pub(super) fn write(jobs: &Jobs, rows: &Rows, kept: &mut Kept, to: impl io::Write) -> io::Result<()> {
    let mut writer = Writer::new_with_indent(to, b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let counts = [
        ("tests", jobs.len()),
        ("failures", rows.count(Some(Status::Fail))),
        ("errors", rows.count(Some(Status::Undetermined)) + rows.count(Some(Status::NeedsHuman))),
        ("skipped", rows.count(None)),
    ]
    .map(|(name, count)| (name, count.to_string()));
    let counts = || counts.iter().map(|(name, count)| (*name, count.as_str()));
    let suites = writer
        .create_element("testsuites")
        .with_attribute(("name", "trueup batch"))
        .with_attributes(counts());
    suites.write_inner_content(|writer| {
        let suite =
            writer.create_element("testsuite").with_attribute(("name", "batch")).with_attributes(counts());
        suite.write_inner_content(|writer| {
            (0..jobs.len()).try_for_each(|place| case(writer, jobs, rows, kept, place))
        })?;
        Ok(())
    })?;
    let mut to = writer.into_inner();
    to.write_all(b"\n")?;
    to.flush()
}

fn case<W: io::Write>(
    writer: &mut Writer<W>,
    jobs: &Jobs,
    rows: &Rows,
    kept: &mut Kept,
    place: usize,
) -> io::Result<()> {
    let name = legal(&jobs.name(place));
    let case = writer
        .create_element("testcase")
        .with_attribute(("name", name.as_str()))
        .with_attribute(("classname", "trueup.batch"));
    let element = match rows.status(place) {
        Some(Status::Pass) => return case.write_empty().map(drop),
        Some(Status::Fail) => "failure",
        Some(Status::Undetermined | Status::NeedsHuman) => "error",
        None => "skipped",
    };
    let line = rows.line(place, kept)?;
    let detail =
        line.map_or_else(|| "the batch was called off before".to_owned(), |line| legal(&line.detail));
    case.write_inner_content(|writer| {
        let element = writer.create_element(element).with_attribute(("message", detail.as_str()));
        match rows.status(place) {
            Some(status) => element.with_attribute(("type", status.as_str())).write_empty(),
            None => element.write_empty(),
        }
        .map(drop)
    })
    .map(drop)
}

/// A text without what XML cannot hold, escaped or not.
fn legal(text: &str) -> String {
    let illegal = |character: char| character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}');
    text.replace(illegal, "\u{fffd}")
}
