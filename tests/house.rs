//! The rules of the house, held against the manifests and the files themselves.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The packages of a wing, by folder name.
fn wing(name: &str) -> BTreeMap<String, PathBuf> {
    let entries = fs::read_dir(root().join(name)).unwrap().map(|entry| entry.unwrap().path());
    let packages = entries.filter(|path| path.join("Cargo.toml").is_file());
    packages.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), path)).collect()
}

/// The packages of ours that a manifest depends on outside tests, without the prefix, and everybody else's.
fn dependencies(package: &Path) -> (BTreeSet<String>, BTreeSet<String>) {
    let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap();
    let section =
        manifest.split("\n[").find(|section| section.starts_with("dependencies]")).unwrap_or_default();
    let lines = section.lines().skip(1).filter(|line| !line.starts_with('#') && line.contains(['=', '.']));
    let names = lines.map(|line| line.split(['.', ' ', '=']).next().unwrap().to_owned());
    let (ours, theirs): (BTreeSet<String>, BTreeSet<String>) =
        names.partition(|name| name.starts_with("trueup-"));
    (ours.iter().map(|name| name.trim_start_matches("trueup-").to_owned()).collect(), theirs)
}

/// Every Rust file below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            if entry.file_name().is_none_or(|name| name != "target") {
                sources(&entry, found);
            }
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry);
        }
    }
}

#[test]
fn arrows_only_run_down() {
    // From the bottom up; a package may only know packages before it.
    let order = [
        "score",
        "frame",
        "codec",
        "pixel-diff",
        "findings",
        "probes",
        "rubric",
        "contract",
        "loop-core",
        "ports",
        "driver",
        "testkit",
    ];
    for (name, path) in wing("crates") {
        let height = order.iter().position(|other| *other == name);
        let height = height.unwrap_or_else(|| panic!("{name} needs a place in the order"));
        for dependency in dependencies(&path).0 {
            let below = order.iter().position(|other| *other == dependency);
            assert!(below.is_some_and(|below| below < height), "{name} may not know {dependency}");
        }
    }
}

#[test]
fn the_core_knows_neither_ports_nor_anything_asynchronous() {
    let crates = wing("crates");
    for name in ["score", "frame", "findings", "probes", "rubric", "contract", "loop-core", "pixel-diff"] {
        let (ours, theirs) = dependencies(&crates[name]);
        assert!(!ours.contains("ports") && !ours.contains("driver"), "{name}");
        let mut allowed: BTreeSet<String> = ["proptest", "serde", "sha2"].map(str::to_owned).into();
        if ["findings", "probes"].contains(&name) {
            // Only behind their feature `json`, and in no public signature.
            allowed.extend(["serde_json", "serde_path_to_error"].map(str::to_owned));
        }
        if name == "pixel-diff" {
            // Only behind the feature of this name, on the pool of whoever calls.
            allowed.insert("rayon".to_owned());
        }
        if name == "probes" {
            // The notations of CSS, in no public signature.
            allowed.insert("csscolorparser".to_owned());
        }
        assert!(theirs.is_subset(&allowed), "{name} depends on {theirs:?}");
    }
    assert_eq!(
        dependencies(&crates["pixel-diff"]).0,
        ["frame".to_owned()].into(),
        "pixel-diff knows nothing of loops"
    );
    assert_eq!(dependencies(&crates["frame"]).0, BTreeSet::new());
}

#[test]
fn no_adapter_knows_another_and_only_app_knows_them_all() {
    let adapters: BTreeSet<String> = wing("adapters").into_keys().collect();
    for (name, path) in wing("adapters") {
        let known: Vec<String> = dependencies(&path).0.intersection(&adapters).cloned().collect();
        assert!(known.is_empty(), "{name} knows {known:?}");
    }
    for (name, path) in wing("crates") {
        let known: Vec<String> = dependencies(&path).0.intersection(&adapters).cloned().collect();
        assert!(known.is_empty(), "{name} knows {known:?}");
    }
    for (name, path) in wing("hosts") {
        let known = dependencies(&path).0.intersection(&adapters).count();
        assert_eq!(
            known,
            if name == "app" { adapters.len() } else { 0 },
            "only app names adapters, and all of them: {name}"
        );
    }
}

#[test]
fn no_file_is_too_long_and_no_lib_or_mod_has_logic() {
    let mut files = Vec::new();
    for folder in ["src", "crates", "adapters", "hosts", "tests", "examples", "testdata"] {
        sources(&root().join(folder), &mut files);
    }
    assert!(files.len() > 50, "the files were found");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.lines().count() <= 800, "{} is too long", file.display());
        let in_tests =
            file.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "testdata");
        let name = file.file_name().unwrap().to_str().unwrap();
        if (name == "lib.rs" || name == "mod.rs") && !in_tests {
            let code = text.lines().find(|line| {
                let line = line.trim_start();
                ["fn ", "pub fn ", "impl ", "pub(crate) fn ", "macro_rules!"]
                    .iter()
                    .any(|word| line.starts_with(word))
            });
            assert_eq!(code, None, "{} has logic", file.display());
        }
    }
}

#[test]
fn default_features_of_the_library_are_empty() {
    for (name, path) in wing("crates") {
        let manifest = fs::read_to_string(path.join("Cargo.toml")).unwrap();
        let default = manifest.lines().find(|line| line.starts_with("default =")).unwrap_or("default = []");
        assert_eq!(default, "default = []", "{name}");
    }
}
