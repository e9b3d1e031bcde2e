//! What can be read: rubrics, and the folders of runs.

use std::fs;
use std::path::{Component, Path, PathBuf};

use rmcp::model::{ReadResourceResponse, ReadResourceResult, Resource, ResourceContents};
use trueup_app::{list_rubrics, show_rubric};

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
    let mut found = Vec::new();
    let mut open = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = open.pop() {
        if folder.join("journal.jsonl").is_file() {
            found.push(folder);
            continue;
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let hidden = matches!(Path::new(&entry.file_name()).components().next(),
                Some(Component::Normal(name)) if name.to_string_lossy().starts_with('.') || name == "target" || name == "node_modules");
            if is_folder && !hidden && depth < DEPTH {
                open.push((entry.path(), depth + 1));
            }
        }
    }
    found.sort();
    found
}
