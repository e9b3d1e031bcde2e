//! JUnit XML: one test case a finding.

use super::escape::xml;
use crate::{Finding, Status};

/// One test case for each finding: what fails is a failure, what could not be verified is skipped.
#[must_use]
pub fn junit(list: &[Finding]) -> String {
    let count = |status: Status| list.iter().filter(|finding| finding.status() == status).count();
    let (failures, skipped) = (count(Status::Fail), count(Status::Unverified));
    let tests = list.len();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">\n  <testsuite name=\"trueup findings\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">\n"
    );
    for (number, finding) in list.iter().enumerate() {
        // Several findings may have one title; names of test cases must differ.
        let name = format!("{} {}", number + 1, finding.title());
        let class = finding.dimension().unwrap_or("findings");
        text.push_str(&format!("    <testcase classname=\"{}\" name=\"{}\"", xml(class), xml(&name)));
        match finding.status() {
            Status::Pass => text.push_str("/>\n"),
            Status::Unverified => {
                text.push_str(">\n      <skipped message=\"unverified\"/>\n    </testcase>\n");
            }
            Status::Fail => text.push_str(&format!(
                ">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
                finding.severity(),
                xml(finding.title()),
                xml(&details(finding)),
            )),
        }
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

fn details(finding: &Finding) -> String {
    let steps = finding.steps().join(" → ");
    let location = finding.location().to_string();
    let lines = [
        ("where", location.as_str()),
        ("steps", steps.as_str()),
        ("expected", finding.expected()),
        ("actual", finding.actual()),
        ("impact", finding.impact()),
        ("fix", finding.fix()),
    ];
    let said = lines.iter().filter(|(_, value)| !value.trim().is_empty());
    said.map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>().join("\n")
}
