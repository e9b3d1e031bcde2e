//! Comparing folders of images, file by file.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use trueup_compare_pixel::DiffDocument;
use trueup_pixel_diff::{Region, group_alike};
use walkdir::WalkDir;

use super::files::{DiffRequest, diff_files};
use crate::error::{AppError, AppErrorKind};
use crate::progress::{Finished, Told};

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
    /// Changes that several pairs have in common, the most frequent first.
    pub groups: Vec<GroupDocument>,
    /// Files that only the first folder has.
    pub missing: Vec<String>,
    /// Files that only the second folder has.
    pub extra: Vec<String>,
}

/// A change that several pairs have in common: open regions of one kind and size that look the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GroupDocument {
    /// What kind of change.
    pub kind: &'static str,
    /// How many regions.
    pub count: usize,
    /// The regions.
    pub members: Vec<MemberDocument>,
}

/// A region of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MemberDocument {
    /// The name of the pair.
    pub name: String,
    /// The id of the region in the pair's document.
    pub id: String,
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
/// `request.picture`, where it is given. `told` hears of every pair that is done.
///
/// # Errors
/// When a folder cannot be read. A pair that cannot be compared is part of the result.
pub fn diff_folders(request: &DiffRequest, told: &Told) -> Result<DiffSetOutcome, AppError> {
    let (first, second) = (images(&request.expected)?, images(&request.actual)?);
    let mut pairs = Vec::new();
    let mut open: Vec<(MemberDocument, Region)> = Vec::new();
    let both: Vec<&String> = first.intersection(&second).collect();
    for (index, &name) in both.iter().enumerate() {
        let (pair, regions) = pair(request, name)?;
        told(Finished::new("pair", [index + 1, both.len()], name, pair.status));
        let ids = pair.diff.iter().flat_map(|diff| &diff.regions).filter(|region| region.open);
        let member = |id: &String| MemberDocument { name: name.clone(), id: id.clone() };
        open.extend(ids.map(|region| member(&region.id)).zip(regions));
        pairs.push(pair);
    }
    let groups = groups(open);
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
    let document = DiffSetDocument { schema: "trueup.diff-set/1", status, pairs, groups, missing, extra };
    Ok(DiffSetOutcome { document, exit_code })
}

/// Regions of several pairs that show the same.
fn groups(open: Vec<(MemberDocument, Region)>) -> Vec<GroupDocument> {
    let (members, regions): (Vec<MemberDocument>, Vec<Region>) = open.into_iter().unzip();
    let groups = group_alike(&regions).into_iter().map(|group| GroupDocument {
        kind: regions[group[0]].kind().name(),
        count: group.len(),
        members: group.into_iter().map(|at| members[at].clone()).collect(),
    });
    let is_shared =
        |group: &GroupDocument| group.members.iter().any(|member| member.name != group.members[0].name);
    groups.filter(is_shared).collect()
}

/// Compares one pair; gives its open regions, too.
fn pair(request: &DiffRequest, name: &str) -> Result<(PairDocument, Vec<Region>), AppError> {
    let mut one = request.clone();
    one.expected = request.expected.join(name);
    one.actual = request.actual.join(name);
    if let Some(folder) = &request.picture {
        let path = folder.join(picture_of(name));
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|source| file_error("written", parent, source))?;
        }
        one.picture = Some(path);
    }
    Ok(match diff_files(&one) {
        Ok(outcome) => {
            let (name, status) = (name.to_owned(), outcome.document.status);
            (PairDocument { name, status, diff: Some(outcome.document), error: None }, outcome.open)
        }
        Err(error) if matches!(error.kind(), AppErrorKind::Compare { .. } | AppErrorKind::Changed { .. }) => {
            let (name, error) = (name.to_owned(), Some(error.to_string()));
            (PairDocument { name, status: "undetermined", diff: None, error }, Vec::new())
        }
        Err(error) => return Err(error),
    })
}

/// Where the picture of a pair goes: `a.jpg` and `a.png` are two pairs, and have one each.
fn picture_of(name: &str) -> String {
    let is_png = Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    if is_png { name.to_owned() } else { format!("{name}.png") }
}

/// Paths of the images below a folder, relative to it, with `/` between names.
pub(crate) fn images(folder: &Path) -> Result<BTreeSet<String>, AppError> {
    let is_image = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str())
    };
    files_below(folder, usize::MAX)
        .filter(|file| file.as_ref().map_or(true, |file| is_image(file)))
        .map(|file| Ok(slashed(&file?)))
        .collect()
}

/// The files below a folder down to a depth, where 1 is the folder itself; relative to it, in any order. A symbolic link to a
/// folder is not followed: it may lead in a circle.
pub(crate) fn files_below(folder: &Path, depth: usize) -> impl Iterator<Item = Result<PathBuf, AppError>> {
    WalkDir::new(folder).max_depth(depth).into_iter().filter_map(move |entry| match entry {
        Ok(entry) if entry.file_type().is_dir() => None,
        Ok(entry) => Some(Ok(entry.path().strip_prefix(folder).unwrap_or(entry.path()).to_owned())),
        Err(error) => {
            let path = error.path().unwrap_or(folder).to_owned();
            Some(Err(file_error("read", &path, error.into())))
        }
    })
}

/// A relative path with `/` between names.
pub(crate) fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

fn file_error(what: &'static str, path: &Path, source: io::Error) -> AppError {
    AppError::new(AppErrorKind::File { what, path: path.to_owned(), source })
}
