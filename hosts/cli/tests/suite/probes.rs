//! Every probe on a page that has what it looks for, and on one that does not, in a real browser.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use trueup_probes::Probe;

use crate::browser::has_browser;
use crate::rubric::json_of;
use crate::{stderr, trueup};

fn folder(id: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/probes").join(id)
}

/// What the probe of each id says of its page that is caught and its page that is not.
fn read(ids: &[&str], pages: [&str; 2], args: &[String]) -> Vec<(String, [Value; 2])> {
    let mut command = trueup();
    command.arg("probe").args(args).args(["--format", "json"]);
    for id in ids {
        command.args(pages.map(|page| folder(id).join(page)));
    }
    let output = command.output().unwrap();
    let document = json_of(&output);
    let seen = document["pages"].as_array().unwrap_or_else(|| panic!("{}", stderr(&output)));
    assert_eq!(seen.len(), ids.len() * 2);
    let of = |page: &Value, id: &str| {
        page["probes"].as_array().unwrap().iter().find(|probe| probe["id"] == id).unwrap().clone()
    };
    ids.iter()
        .zip(seen.chunks(2))
        .map(|(id, pair)| ((*id).to_owned(), [of(&pair[0], id), of(&pair[1], id)]))
        .collect()
}

#[test]
fn every_probe_catches_a_page_that_has_it_and_is_silent_on_one_that_has_not() {
    if !has_browser() {
        return;
    }
    let all: Vec<&str> = Probe::ALL.iter().map(|probe| probe.id()).collect();
    let mut there: Vec<String> = fs::read_dir(folder(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    let mut sorted = all.clone();
    sorted.sort_unstable();
    assert_eq!(there, sorted, "every probe has its pages, and all pages have a probe");

    let pages = ["caught.html", "silent.html"];
    let with = |name: &str, value: String| vec![name.to_owned(), value];
    let path = |id: &str, file: &str| folder(id).join(file).display().to_string();
    let special = |id: &&str| {
        Probe::find(id).unwrap().width_px().is_some()
            || *id == "accessibility"
            || folder(id).join("copy.json").exists()
    };
    let plain: Vec<&str> = all.iter().copied().filter(|id| !special(id)).collect();
    let wide = with("--viewport", "1280x720".to_owned());
    let mut seen = read(&plain, pages, &wide);
    for id in all.iter().copied().filter(special) {
        let probe = Probe::find(id).unwrap();
        if probe.width_px().is_some() {
            seen.extend(read(&[id], pages, &with("--viewport", "375x667".to_owned())));
        } else if id == "accessibility" {
            // One tool that finds something, one that finds nothing.
            let mut sides = Vec::new();
            for page in ["caught", "silent"] {
                let axe = with("--axe", path(id, &format!("{page}.axe.js")));
                let html = format!("{page}.html");
                let args: Vec<String> = wide.iter().cloned().chain(axe).collect();
                sides.push(read(&[id], [&html, &html], &args).remove(0).1[0].clone());
            }
            let silent = sides.pop().unwrap();
            seen.push((id.to_owned(), [sides.pop().unwrap(), silent]));
        } else {
            let copy = with("--copy", path(id, "copy.json"));
            seen.extend(read(&[id], pages, &wide.iter().cloned().chain(copy).collect::<Vec<_>>()));
        }
    }
    let mut wrong = Vec::new();
    for (id, [caught, silent]) in &seen {
        let found = |reading: &Value| reading["findings"].as_array().unwrap().len();
        println!(
            "{id:<22} caught: {} ({})  silent: {}",
            caught["status"].as_str().unwrap(),
            found(caught),
            silent["status"].as_str().unwrap()
        );
        if found(caught) == 0 {
            wrong.push(format!("{id} does not catch its page: {}", caught["measured"]));
        }
        if found(silent) > 0 || silent["status"] != "pass" {
            wrong.push(format!("{id} is not silent: {silent:#}"));
        }
    }
    assert_eq!(seen.len(), all.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
