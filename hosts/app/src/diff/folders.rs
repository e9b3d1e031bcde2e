//! Comparing folders of images, file by file.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use trueup_compare_pixel::DiffDocument;

use super::files::{DiffRequest, diff_files};
use crate::error::{AppError, AppErrorKind};

/// Files that are taken for images, by their extension.
const EXTENSIONS: [&str; 9] = ["png", "jpg", "jpeg", "webp", "bmp", "gif", "tif", "tiff", "qoi"];

/// What a comparison of two folders came to, as a JSON document: `trueup.diff-set/1`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DiffSetDocument {
    /// `trueup.diff-set/1`.
    pub schema: &'static str,
    /// `pass` when every pair passes and neither side has a file that the other lacks; `undetermined` when a pair could not
    /// be compared and nothing fails.
    pub status: &'static str,
    /// Files on both sides, by name.
    pub pairs: Vec<PairDocument>,
    /// Files that only the first folder has.
    pub missing: Vec<String>,
    /// Files that only the second folder has.
    pub extra: Vec<String>,
}

/// One pair of files.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PairDocument {
    /// The path below both folders.
    pub name: String,
    /// `pass`, `fail` or `undetermined`.
    pub status: &'static str,
    /// What was found; null when the pair could not be compared.
    pub diff: Option<DiffDocument>,
    /// Why the pair could not be compared; null when it was.
    pub error: Option<String>,
}

/// What a comparison of two folders came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DiffSetOutcome {
    /// The document.
    pub document: DiffSetDocument,
    /// The exit code: 0 pass, 1 fail, 3 undetermined.
    pub exit_code: u8,
}

/// Compares the images of two folders that have the same path below them. Pictures of the differences go below
/// `request.picture`, where it is given.
///
/// # Errors
/// When a folder cannot be read. A pair that cannot be compared is part of the result.
pub fn diff_folders(request: &DiffRequest) -> Result<DiffSetOutcome, AppError> {
    let (first, second) = (images(&request.expected)?, images(&request.actual)?);
    let mut pairs = Vec::new();
    for name in first.intersection(&second) {
        pairs.push(pair(request, name)?);
    }
    let named = |names: Vec<&String>| names.into_iter().cloned().collect::<Vec<_>>();
    let (missing, extra) =
        (named(first.difference(&second).collect()), named(second.difference(&first).collect()));
    let any = |status| pairs.iter().any(|pair| pair.status == status);
    let (status, exit_code) = if any("fail") || !missing.is_empty() || !extra.is_empty() {
        ("fail", 1)
    } else if any("undetermined") || pairs.is_empty() {
        ("undetermined", 3)
    } else {
        ("pass", 0)
    };
    let document = DiffSetDocument { schema: "trueup.diff-set/1", status, pairs, missing, extra };
    Ok(DiffSetOutcome { document, exit_code })
}

fn pair(request: &DiffRequest, name: &str) -> Result<PairDocument, AppError> {
    let mut one = request.clone();
    one.expected = request.expected.join(name);
    one.actual = request.actual.join(name);
    if let Some(folder) = &request.picture {
        let path = folder.join(name).with_extension("png");
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|source| file_error("written", parent, source))?;
        }
        one.picture = Some(path);
    }
    Ok(match diff_files(&one) {
        Ok(outcome) => PairDocument {
            name: name.to_owned(),
            status: outcome.document.status,
            diff: Some(outcome.document),
            error: None,
        },
        Err(error) if matches!(error.kind(), AppErrorKind::Compare { .. }) => PairDocument {
            name: name.to_owned(),
            status: "undetermined",
            diff: None,
            error: Some(error.to_string()),
        },
        Err(error) => return Err(error),
    })
}

/// Paths of the images below a folder, relative to it, with `/` between names.
pub(crate) fn images(folder: &Path) -> Result<BTreeSet<String>, AppError> {
    let mut found = BTreeSet::new();
    let mut open = vec![PathBuf::new()];
    while let Some(below) = open.pop() {
        let path = folder.join(&below);
        let failed = |source| file_error("read", &path, source);
        for entry in fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = below.join(entry.file_name());
            // A symbolic link to a folder is not followed: it may lead in a circle.
            let kind = entry.file_type().map_err(failed)?;
            let extension = name.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            if kind.is_dir() {
                open.push(name);
            } else if EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str()) {
                let parts: Vec<String> =
                    name.iter().map(|part| part.to_string_lossy().into_owned()).collect();
                found.insert(parts.join("/"));
            }
        }
    }
    Ok(found)
}

fn file_error(what: &'static str, path: &Path, source: io::Error) -> AppError {
    AppError::new(AppErrorKind::File { what, path: path.to_owned(), source })
}
