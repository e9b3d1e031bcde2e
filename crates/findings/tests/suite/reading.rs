//! Reading `trueup.findings/1`.

use trueup_findings::{Location, Severity, Status, read};

fn document(entry: &str) -> String {
    format!(
        "{{\"schema\": \"trueup.findings/1\", \"findings\": [{{\"id\": \"F0\", \"title\": \"t\", \"severity\": \"minor\"}}, {entry}]}}"
    )
}

#[test]
fn everything_but_id_title_and_severity_may_be_absent() {
    let list = read(&document(r#"{"id": "F1", "title": "t", "severity": "blocking"}"#)).unwrap();
    assert_eq!(
        (list[1].severity(), list[1].status(), list[1].location()),
        (Severity::Blocking, Status::Fail, &Location::Unknown)
    );
    let null = r#"{"id": "F1", "title": "t", "severity": "minor", "cause": null, "location": null, "score": null, "confidence": null, "dimension": null}"#;
    assert_eq!(read(&document(null)).unwrap().len(), 2);
    let full = r#"{"id": "F1", "title": "t", "status": "unverified", "severity": "important", "confidence": 0.35, "dimension": "Security",
        "score": 2, "location": {"file": "a.rs", "line": 3, "column": 4}, "cause": "c", "steps": ["s"], "expected": "e", "actual": "a",
        "impact": "i", "fix": "f", "evidence": [{"kind": "tool", "locator": "axe"}], "found_by": ["g"], "class": "environment",
        "fingerprint": "what it says counts for nothing", "occurrence": 2}"#;
    let list = read(&document(full)).unwrap();
    assert_eq!((list[1].confidence().unwrap().to_string(), list[1].occurrence()), ("0.35".to_owned(), 2));
    assert_eq!(list[1].location().to_string(), "a.rs:3:4");
}

#[test]
fn every_mistake_has_a_path() {
    for (entry, path, part) in [
        (
            r#"{"id": "F1", "title": "t", "severity": "high"}"#,
            "findings[1].severity",
            "blocking, important, minor",
        ),
        (r#"{"id": "F1", "title": "t"}"#, "findings[1]", "missing field `severity`"),
        (r#"{"id": "F1", "title": " ", "severity": "minor"}"#, "findings[1].title", "empty"),
        (
            r#"{"id": "F1", "title": "t", "severity": "minor", "sevrity": 1}"#,
            "findings[1].sevrity",
            "unknown field",
        ),
        (
            r#"{"id": "F1", "title": "t", "severity": "minor", "confidence": 2}"#,
            "findings[1].confidence",
            "0 to 1",
        ),
        (r#"{"id": "F1", "title": "t", "severity": "minor", "score": "4"}"#, "findings[1].score", "string"),
        (
            r#"{"id": "F1", "title": "t", "severity": "minor", "status": "passed"}"#,
            "findings[1].status",
            "fail, pass, unverified",
        ),
        (
            r#"{"id": "F1", "title": "t", "severity": "minor", "class": "bug"}"#,
            "findings[1].class",
            "product-defect",
        ),
        (
            r#"{"id": "F1", "title": "t", "severity": "minor", "location": {"file": "a", "line": 0}}"#,
            "findings[1].location.line",
            "count from 1",
        ),
        (
            r#"{"id": "F1", "title": "t", "severity": "minor", "location": {"line": 3}}"#,
            "findings[1].location.line",
            "needs its file",
        ),
        (
            r#"{"id": "F1", "title": "t", "severity": "minor", "location": {"file": "a", "item": "b"}}"#,
            "findings[1].location",
            "one of",
        ),
        (
            r#"{"id": "F1", "title": "t", "severity": "minor", "evidence": [{"kind": "hunch", "locator": "x"}]}"#,
            "findings[1].evidence[0].kind",
            "file, image",
        ),
        (r#"{"id": "F1", "id": "F2", "title": "t", "severity": "minor"}"#, "findings[1]", "duplicate field"),
    ] {
        let error = read(&document(entry)).unwrap_err();
        assert!(error.path().starts_with(path), "{entry}: {error}");
        assert!(error.to_string().contains(part), "{entry}: {error}");
    }
    for text in [
        "",
        "[]",
        "{\"schema\": \"trueup.findings/1\"}",
        "{\"schema\": \"trueup.findings/1\", \"findings\": []} x",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
    let error = read("{\"schema\": \"trueup.findings/2\", \"findings\": []}").unwrap_err();
    assert!(error.to_string().contains("expected \"trueup.findings/1\""), "{error}");
}
