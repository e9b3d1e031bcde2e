//! The folders that an agent may reach.

use std::fmt;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::fault::Refusal;

/// The folders that an agent may read and write below.
#[derive(Clone, Debug)]
pub struct Roots(Vec<PathBuf>);

/// A folder cannot be a root.
#[derive(Debug)]
pub struct RootError {
    folder: PathBuf,
    source: io::Error,
}

impl fmt::Display for RootError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be a root: {}", self.folder.display(), self.source)
    }
}

impl std::error::Error for RootError {}

impl Roots {
    /// These folders, or the one that the process is in where there are none.
    ///
    /// # Errors
    /// When one of them is not there.
    pub fn new(folders: &[PathBuf]) -> Result<Self, RootError> {
        let here = [PathBuf::from(".")];
        let folders = if folders.is_empty() { &here } else { folders };
        let real = |folder: &PathBuf| {
            let real = folder.canonicalize().and_then(|real| {
                let is_folder = real.is_dir();
                is_folder
                    .then_some(real)
                    .ok_or_else(|| io::Error::new(io::ErrorKind::NotADirectory, "it is no folder"))
            });
            real.map_err(|source| RootError { folder: folder.clone(), source })
        };
        folders.iter().map(real).collect::<Result<_, _>>().map(Self)
    }

    /// The folders, every link in their paths resolved.
    #[must_use]
    pub fn folders(&self) -> &[PathBuf] {
        &self.0
    }

    /// The place that a path means, which is below a root even where links lead elsewhere. Relative paths are below the first
    /// root. What does not exist yet is below a root where the nearest folder that exists is.
    pub(crate) fn resolve(&self, path: &str) -> Result<PathBuf, Refusal> {
        let outside = || Refusal::Outside { path: path.to_owned(), roots: self.0.clone() };
        let first = self.0.first().ok_or_else(outside)?;
        let asked = first.join(path);
        // What is not there cannot be resolved, so nothing in it may lead back out.
        let mut there = asked.as_path();
        let mut rest = Vec::new();
        let real = loop {
            match there.canonicalize() {
                Ok(real) => break real,
                Err(_) => {
                    // A link that leads nowhere could lead anywhere once somebody makes its end.
                    if there.symlink_metadata().is_ok_and(|meta| meta.file_type().is_symlink()) {
                        return Err(outside());
                    }
                    match there.components().next_back() {
                        Some(Component::Normal(name)) => rest.push(name.to_owned()),
                        _ => return Err(outside()),
                    }
                    there = there.parent().ok_or_else(outside)?;
                }
            }
        };
        let place = rest.into_iter().rev().fold(real, |place, name| place.join(name));
        if self.0.iter().any(|root| place.starts_with(root)) { Ok(place) } else { Err(outside()) }
    }

    /// A path as an agent should see it: relative to the first root, where it is below it.
    pub(crate) fn shown(&self, path: &Path) -> String {
        let below = self.0.first().and_then(|root| path.strip_prefix(root).ok());
        below.unwrap_or(path).display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn nothing_leads_out_of_a_root() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, outside) = (folder.path().join("in"), folder.path().join("out"));
        fs::create_dir_all(inside.join("deep")).unwrap();
        fs::create_dir_all(&outside).unwrap();
        fs::write(outside.join("secret"), "x").unwrap();
        let roots = Roots::new(std::slice::from_ref(&inside)).unwrap();
        let real = inside.canonicalize().unwrap();
        assert_eq!(roots.resolve("deep").unwrap(), real.join("deep"));
        assert_eq!(roots.resolve("new/folder/a.png").unwrap(), real.join("new/folder/a.png"));
        assert_eq!(roots.resolve("deep/../deep").unwrap(), real.join("deep"));
        assert_eq!(roots.resolve(real.join("deep").to_str().unwrap()).unwrap(), real.join("deep"));
        for path in
            ["..", "../out/secret", "deep/../../out/secret", "/etc/passwd", "new/../../out/secret", "/"]
        {
            assert!(roots.resolve(path).is_err(), "{path}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&outside, inside.join("link")).unwrap();
            std::os::unix::fs::symlink(outside.join("later"), inside.join("dangling")).unwrap();
            for path in ["link/secret", "link/new", "link", "dangling", "dangling/x"] {
                assert!(roots.resolve(path).is_err(), "{path}");
            }
        }
        assert!(Roots::new(&[inside.join("nowhere")]).is_err());
        assert!(Roots::new(&[outside.join("secret")]).is_err());
    }
}
