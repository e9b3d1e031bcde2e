//! What can be read: rubrics, and the folders of runs.

use std::fs;
use std::path::{Path, PathBuf};

use rmcp::model::{ReadResourceResponse, ReadResourceResult, Resource, ResourceContents};
use trueup_app::{list_rubrics, show_rubric};
use walkdir::{DirEntry, WalkDir};

use crate::roots::Roots;

/// Files of a run folder that say something by themselves.
const FILES: [(&str, &str); 4] = [
    ("summary.md", "how the run ended"),
    ("contract/loop.json", "the rules of the run"),
    ("needs-human.md", "what a person was asked"),
    ("signals/status.json", "how the run stands"),
];

/// Folders are looked through down to here for runs.
const DEPTH: usize = 6;

/// Everything that can be read.
pub(crate) fn list(roots: &Roots) -> Vec<Resource> {
    let mut list = Vec::new();
    for rubric in list_rubrics().rubrics {
        let uri = format!("trueup://rubric/{}", rubric.name);
        list.push(
            Resource::new(uri, rubric.name)
                .with_description("a named rubric")
                .with_mime_type("application/json"),
        );
    }
    for root in roots.folders() {
        for run in runs(root) {
            for (file, what) in FILES {
                let path = run.join(file);
                if path.is_file() {
                    let uri = format!("trueup://run/{}", roots.shown(&path));
                    list.push(Resource::new(uri, roots.shown(&path)).with_description(what));
                }
            }
        }
    }
    list
}

/// What is at a resource; none where it is none of them.
pub(crate) fn read(roots: &Roots, uri: &str) -> Option<ReadResourceResponse> {
    let text = match uri.strip_prefix("trueup://")?.split_once('/')? {
        ("rubric", name) => serde_json::to_string_pretty(&show_rubric(name).ok()?).ok()?,
        ("run", path) => {
            let known = FILES.iter().any(|(file, _)| Path::new(path).ends_with(file));
            fs::read_to_string(roots.resolve(path).ok().filter(|_| known)?).ok()?
        }
        _ => return None,
    };
    Some(ReadResourceResult::new(vec![ResourceContents::text(text, uri)]).into())
}

/// Folders below a root that hold a run.
fn runs(root: &Path) -> Vec<PathBuf> {
    let is_left_out = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() > 0 && (name.starts_with('.') || name == "target" || name == "node_modules")
    };
    WalkDir::new(root)
        .max_depth(DEPTH)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| entry.file_type().is_dir() && !is_left_out(entry))
        // A folder that nobody may read holds no run that could be shown.
        .filter_map(Result::ok)
        .map(DirEntry::into_path)
        .filter(|folder| folder.join("journal.jsonl").is_file())
        .collect()
}
