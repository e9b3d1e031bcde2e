//! Every JSON document fits its published schema, and every schema has its document.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Card, stdout, trueup};

/// The published schema of a document, by its `schema` field.
fn check(document: &Value, seen: &mut BTreeSet<String>) {
    let name = document["schema"].as_str().unwrap_or_else(|| panic!("no schema in {document}"));
    let file = format!("{}.schema.json", name.replace('/', "-"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
    let schema: Value = serde_json::from_str(&fs::read_to_string(folder.join(&file)).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}\n{document:#}");
    seen.insert(file);
}

#[test]
fn every_document_fits_its_schema() {
    let mut seen = BTreeSet::new();
    let read = |text: String| serde_json::from_str::<Value>(&text).unwrap();
    let card = Card::drifted();
    check(&read(stdout(&card.run(&["--format", "json"]))), &mut seen);
    for file in [
        "plan.json",
        "contract/loop.json",
        "signals/status.json",
        "judgement.json",
        "diff/00/card.report.json",
        "diff/02/card.report.json",
    ] {
        check(&read(fs::read_to_string(card.path("runs/r").join(file)).unwrap()), &mut seen);
    }
    for document in crate::next::documents() {
        check(&document, &mut seen);
    }
    // A run that failed, and comparisons that pass, fail and differ in size.
    let unreachable = Card::drifted();
    unreachable.configure("reference/card.png", "unreachable.png");
    check(&read(stdout(&unreachable.run(&["--format", "json", "--iteration-cap", "x"]))), &mut seen);
    for (a, b) in [("reference/card.png", "unreachable.png"), ("unreachable.png", "unreachable.png")] {
        let output = trueup()
            .arg("diff")
            .arg(card.path(a))
            .arg(card.path(b))
            .args(["--format", "json"])
            .output()
            .unwrap();
        check(&read(stdout(&output)), &mut seen);
    }
    let folder = card.path("reference");
    let folders = trueup().arg("diff").arg(&folder).arg(&folder).args(["--format", "json"]).output().unwrap();
    check(&read(stdout(&folders)), &mut seen);
    let judged =
        trueup().arg("judge").arg(card.path("trueup.toml")).args(["--format", "json"]).output().unwrap();
    check(&read(stdout(&judged)), &mut seen);
    let doctor = trueup().args(["doctor", "--format", "json"]).output().unwrap();
    check(&read(stdout(&doctor)), &mut seen);
    let colours = trueup().args(["delta-e", "red", "#00f", "--format", "json"]).output().unwrap();
    check(&read(stdout(&colours)), &mut seen);
    for document in crate::rubric::documents()
        .into_iter()
        .chain(crate::findings::documents())
        .chain(crate::evaluation::documents())
        .chain(crate::review::documents())
        .chain(crate::probe::documents())
        .chain(crate::batch::documents())
    {
        check(&document, &mut seen);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
    let published: BTreeSet<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    // What programs are asked and reply is held against its schemas beside them.
    for name in ["trueup.request-1.schema.json", "trueup.reply-1.schema.json"] {
        seen.insert(name.to_owned());
    }
    assert_eq!(seen, published, "every published schema was checked");
}
