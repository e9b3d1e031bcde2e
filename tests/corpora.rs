//! The corpora of the fuzz targets, replayed on stable.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop where it is"
)]

#[path = "../fuzz/targets/bodies.rs"]
mod bodies;

use std::fs;
use std::path::Path;

fn replay(target: &str, body: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 8, "the corpus of {target} was found");
    for file in files {
        let bytes = fs::read(&file).unwrap();
        // Every prefix is an input of its own right.
        for end in [bytes.len(), bytes.len() / 2, bytes.len().saturating_sub(1)] {
            body(&bytes[..end]);
        }
    }
}

#[test]
fn decoding_in_bands_is_decoding_whole_or_the_same_refusal() {
    replay("decode", bodies::decode);
}

#[test]
fn comparing_keeps_its_laws() {
    replay("diff", bodies::compare);
}

#[test]
fn reading_replies_makes_nothing_up() {
    replay("reply", bodies::reply);
}

#[test]
fn reading_findings_keeps_its_laws() {
    replay("findings", bodies::findings);
}
