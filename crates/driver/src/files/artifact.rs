//! An artifact that is a fixed set of files.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use trueup_contract::FaultKind;
use trueup_ports::{Artifact, Cx, Fault, Snapshot};

use super::atomic;

/// An artifact that is a fixed set of files below one folder.
///
/// A snapshot has one part for each file that exists, named by its path relative to the folder with `/` between names.
/// A restore writes only what differs, each file whole, and removes a file that the snapshot does not have. No other file
/// is ever touched: a snapshot with a part of another name is refused.
#[derive(Debug)]
pub struct FileArtifact {
    folder: PathBuf,
    files: BTreeSet<String>,
}

/// The files of an artifact cannot be what was said.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileArtifactError {
    /// There is no file at all.
    NoFiles,
    /// A path leads out of the folder, or is not a plain relative path.
    Outside {
        /// The path as given.
        path: String,
    },
}

impl fmt::Display for FileArtifactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFiles => f.write_str("an artifact needs at least one file"),
            Self::Outside { path } => {
                write!(
                    f,
                    "{path:?} is not a path inside the artifact's folder: expected a relative path without .."
                )
            }
        }
    }
}

impl std::error::Error for FileArtifactError {}

impl FileArtifact {
    /// The artifact of `files`, relative to `folder`.
    ///
    /// # Errors
    /// When there is no file, or one leads out of the folder.
    pub fn new(
        folder: impl Into<PathBuf>,
        files: impl IntoIterator<Item = String>,
    ) -> Result<Self, FileArtifactError> {
        let files: BTreeSet<String> = files.into_iter().collect();
        if files.is_empty() {
            return Err(FileArtifactError::NoFiles);
        }
        let plain = |path: &&String| {
            let parts = Path::new(path.as_str()).components();
            !path.is_empty() && parts.into_iter().all(|part| matches!(part, Component::Normal(_)))
        };
        match files.iter().find(|path| !plain(path)) {
            Some(path) => Err(FileArtifactError::Outside { path: path.clone() }),
            None => Ok(Self { folder: folder.into(), files }),
        }
    }

    /// The path of a file, which may not lead through a symbolic link out of the folder.
    fn path(&self, name: &str) -> Result<PathBuf, Fault> {
        let path = self.folder.join(name);
        let outside = || {
            let message = format!("{} leads out of {}", path.display(), self.folder.display());
            Fault::new(FaultKind::Rejected, message)
        };
        let root = self.folder.canonicalize().map_err(|error| unreadable(&self.folder, error))?;
        // The file itself need not exist; what does exist of its path must lie below the folder.
        let existing = path.ancestors().find_map(|part| part.canonicalize().ok()).ok_or_else(outside)?;
        if !existing.starts_with(&root) {
            return Err(outside());
        }
        // A link inside the folder stays a link: what it leads to is the file.
        Ok(path.canonicalize().unwrap_or(path))
    }

    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, Fault> {
        let path = self.path(name)?;
        match fs::read(&path) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreadable(&path, error)),
        }
    }

    fn read_all(&self) -> Result<Snapshot, Fault> {
        let mut parts: Vec<(String, Arc<[u8]>)> = Vec::with_capacity(self.files.len());
        for name in &self.files {
            if let Some(content) = self.load(name)? {
                parts.push((name.clone(), content.into()));
            }
        }
        if parts.is_empty() {
            let names: Vec<&str> = self.files.iter().map(String::as_str).collect();
            let message = format!("none of {} exists in {}", names.join(", "), self.folder.display());
            return Err(Fault::new(FaultKind::Unavailable, message));
        }
        Ok(Snapshot::new(parts))
    }

    fn write_all(&self, snapshot: &Snapshot) -> Result<(), Fault> {
        if let Some((name, _)) = snapshot.parts().find(|(name, _)| !self.files.contains(*name)) {
            let message = format!("{name} is not one of the artifact's files, and was not written");
            return Err(Fault::new(FaultKind::Rejected, message));
        }
        for name in &self.files {
            let (path, found) = (self.path(name)?, self.load(name)?);
            let failed = |error| {
                Fault::new(FaultKind::Unavailable, format!("{} cannot be written", path.display()))
                    .with_source(error)
            };
            match (snapshot.part(name), found) {
                (Some(content), Some(found)) if content.as_ref() == found => {}
                (Some(content), _) => {
                    if let Some(folder) = path.parent() {
                        fs::create_dir_all(folder).map_err(failed)?;
                    }
                    atomic::write(&path, content).map_err(failed)?;
                }
                (None, Some(_)) => fs::remove_file(&path).map_err(failed)?,
                (None, None) => {}
            }
        }
        Ok(())
    }
}

fn unreadable(path: &Path, error: io::Error) -> Fault {
    Fault::new(FaultKind::Unavailable, format!("{} cannot be read", path.display())).with_source(error)
}

#[async_trait]
impl Artifact for FileArtifact {
    async fn snapshot(&self, _cx: &Cx) -> Result<Snapshot, Fault> {
        self.read_all()
    }

    async fn restore(&self, snapshot: Snapshot, _cx: &Cx) -> Result<(), Fault> {
        self.write_all(&snapshot)
    }
}
