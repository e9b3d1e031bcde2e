//! Every format, held against what it demands.

use serde_json::Value;
use trueup_findings::{Finding, Findings, Location, Severity, emit};

use crate::support::sample;

fn many() -> Vec<Finding> {
    let of = |number: u32| {
        let severity = Severity::ALL[number as usize % 3];
        Finding::new(format!("F{number}"), format!("issue {number}"), severity)
            .with_fix("mend it")
            .found_also_by("evaluator")
    };
    Findings::of((1..=12).map(of)).list()
}

#[test]
fn markdown_lists_few_and_tabulates_many() {
    insta::assert_snapshot!("markdown_list", emit::markdown(&sample()));
    insta::assert_snapshot!("markdown_table", emit::markdown(&many()));
    insta::assert_snapshot!("markdown_none", emit::markdown(&[]));
    let table = |count| emit::markdown(&many()[..count]).contains("| # |");
    assert!(!table(9) && table(10), "from ten on");
    // No title breaks out of its line or its cell.
    let text = emit::markdown(&sample());
    assert!(
        !text.contains("<b>") && !text.contains('\u{1b}') && text.contains("\\| \\`of\\` \\<b\\>"),
        "{text}"
    );
}

#[test]
fn json_and_github_and_terminal_are_stable() {
    insta::assert_snapshot!("json", emit::json(&sample()));
    insta::assert_snapshot!("github", emit::github(&sample()));
    let source = |file: &str| {
        (file == "src/api router.rs").then(|| {
            "fn delete() {\n    let request = read();\n    let owner = request.creator_id;\n}\n".to_owned()
        })
    };
    insta::assert_snapshot!("terminal", emit::terminal(&sample(), source));
    // A file that is shorter now is not quoted from elsewhere.
    assert!(emit::terminal(&sample(), |_| Some("one\n".to_owned())).contains("no line 3 any more"));
    assert!(!emit::terminal(&sample(), |_| None).contains("\u{1b}"));
}

#[test]
fn github_says_what_it_does_not_show() {
    let list: Vec<Finding> = (0..11)
        .map(|n| Finding::new("F", format!("t{n}"), Severity::Blocking).at(Location::file("a,b:c", Some(1))))
        .collect();
    let text = emit::github(&list);
    assert_eq!(text.lines().filter(|line| line.starts_with("::error file=a%2Cb%3Ac,line=1,")).count(), 11);
    assert!(text.contains("::notice::11 blocking findings"), "{text}");
    assert!(emit::github(&sample()).lines().all(|line| line.starts_with("::")), "one command a line");
}

#[test]
fn junit_is_xml_whatever_the_text() {
    let text = emit::junit(&sample());
    let document = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let suite = document.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
    let count = |name| suite.descendants().filter(|node| node.has_tag_name(name)).count();
    for (attribute, tag) in [("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")] {
        assert_eq!(suite.attribute(attribute), Some(count(tag).to_string().as_str()), "{text}");
    }
    let names: std::collections::BTreeSet<&str> =
        suite.children().filter_map(|node| node.attribute("name")).collect();
    assert_eq!(names.len(), count("testcase"), "names differ");
    // Every character that there is, controls and all.
    let all: String = (0..=0xffffu32).filter_map(char::from_u32).collect();
    let list = [Finding::new(all.clone(), all.clone(), Severity::Minor).with_impact(all)];
    roxmltree::Document::parse(&emit::junit(&list)).unwrap();
    insta::assert_snapshot!("junit", text);
}

#[test]
fn rdjson_comments_only_on_files() {
    let document: Value = serde_json::from_str(&emit::rdjson(&sample())).unwrap();
    insta::assert_snapshot!("rdjson", emit::rdjson(&sample()));
    assert_eq!(document["diagnostics"].as_array().unwrap().len(), 1);
    assert_eq!(document["diagnostics"][0]["severity"], "ERROR");
}

/// What the schema of SARIF 2.1.0 demands of the parts that are written here, said again in our own words: its text is not
/// ours to copy.
fn check_sarif(log: &Value) {
    let only = |value: &Value, required: &[&str], optional: &[&str]| {
        let object = value.as_object().unwrap_or_else(|| panic!("{value} is an object"));
        for key in required {
            assert!(object.contains_key(*key), "{key} is in {value}");
        }
        for key in object.keys() {
            assert!(required.contains(&key.as_str()) || optional.contains(&key.as_str()), "{key} in {value}");
        }
    };
    let text =
        |value: &Value| assert!(value.as_str().is_some_and(|text| !text.is_empty()), "{value} is a text");
    let from_one =
        |value: &Value| assert!(value.as_i64().is_some_and(|number| number >= 1), "{value} counts from 1");
    only(log, &["version", "runs"], &["$schema"]);
    assert_eq!(log["version"], "2.1.0");
    for run in log["runs"].as_array().unwrap() {
        only(run, &["tool", "results"], &["columnKind"]);
        assert!(["utf16CodeUnits", "unicodeCodePoints"].contains(&run["columnKind"].as_str().unwrap()));
        only(&run["tool"], &["driver"], &[]);
        let driver = &run["tool"]["driver"];
        only(driver, &["name"], &["semanticVersion", "rules"]);
        text(&driver["name"]);
        let rules = driver["rules"].as_array().unwrap();
        let ids: std::collections::BTreeSet<&str> =
            rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
        assert_eq!(ids.len(), rules.len(), "rules are unique");
        for rule in rules {
            only(rule, &["id"], &["shortDescription"]);
            text(&rule["shortDescription"]["text"]);
        }
        for result in run["results"].as_array().unwrap() {
            only(
                result,
                &["message"],
                &["ruleId", "ruleIndex", "kind", "level", "locations", "partialFingerprints", "properties"],
            );
            text(&result["message"]["text"]);
            let (kind, level) = (result["kind"].as_str().unwrap(), result["level"].as_str().unwrap());
            assert!(["notApplicable", "pass", "fail", "review", "open", "informational"].contains(&kind));
            assert!(["none", "note", "warning", "error"].contains(&level));
            assert_eq!(kind == "fail", level != "none", "a level only for what fails");
            let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
            assert_eq!(rule["id"], result["ruleId"]);
            for fingerprint in result["partialFingerprints"].as_object().unwrap().values() {
                text(fingerprint);
            }
            for location in result.get("locations").and_then(Value::as_array).into_iter().flatten() {
                only(location, &[], &["physicalLocation", "logicalLocations"]);
                if let Some(physical) = location.get("physicalLocation") {
                    only(physical, &["artifactLocation"], &["region"]);
                    let uri = physical["artifactLocation"]["uri"].as_str().unwrap();
                    assert!(
                        uri.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~/%".contains(&b)),
                        "{uri}"
                    );
                    if let Some(region) = physical.get("region") {
                        only(region, &["startLine"], &["startColumn"]);
                        from_one(&region["startLine"]);
                        region.get("startColumn").iter().for_each(|column| from_one(column));
                    }
                }
                for logical in
                    location.get("logicalLocations").and_then(Value::as_array).into_iter().flatten()
                {
                    only(logical, &[], &["name", "fullyQualifiedName"]);
                    text(&logical["name"]);
                }
            }
        }
    }
}

#[test]
fn sarif_is_what_its_schema_demands() {
    for list in [sample(), many(), Vec::new()] {
        check_sarif(&serde_json::from_str(&emit::sarif(&list)).unwrap());
    }
    insta::assert_snapshot!("sarif", emit::sarif(&sample()).replace(env!("CARGO_PKG_VERSION"), "[version]"));
}

#[test]
fn the_check_of_sarif_can_fail() {
    let good: Value = serde_json::from_str(&emit::sarif(&sample())).unwrap();
    for (pointer, value) in [
        ("/version", "2.0.0".into()),
        ("/runs/0/results/0/level", "fatal".into()),
        ("/runs/0/results/0/kind", "pass".into()),
        ("/runs/0/results/0/ruleIndex", 0.into()),
        ("/runs/0/results/0/locations/0/physicalLocation/region/startLine", 0.into()),
        ("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", "a b".into()),
        ("/runs/0/results/0/message", Value::Null),
    ] {
        let mut log = good.clone();
        *log.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is there")) = value;
        assert!(std::panic::catch_unwind(|| check_sarif(&log)).is_err(), "{pointer}");
    }
}
