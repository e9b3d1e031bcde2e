//! Evidence looked up on disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use trueup_findings::{Evidence, EvidenceKind, Fingerprint};
use trueup_rubric::{LookUp, Lookup, look_up_in};

/// Looks files and pictures up below a folder, and outputs of tools among those that were attached.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
    tools: BTreeMap<String, String>,
    images: Vec<String>,
}

impl Folder {
    /// Files below `root`; nothing outside it is opened.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), tools: BTreeMap::new(), images: Vec::new() }
    }

    /// With the output of a tool.
    #[must_use]
    pub fn with_tool(mut self, name: impl Into<String>, output: impl Into<String>) -> Self {
        self.tools.insert(name.into(), output.into());
        self
    }

    /// With a picture that the judge was shown, by its content.
    #[must_use]
    pub fn with_image(mut self, bytes: &[u8]) -> Self {
        self.images.push(hash(bytes));
        self
    }

    /// The path below the root, where it stays there.
    fn inside(&self, path: &str) -> Option<PathBuf> {
        let path = Path::new(path);
        let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let full = self.root.join(path);
        // A link may still lead out; where it does, nothing is looked up there.
        let inside = match (full.canonicalize(), self.root.canonicalize()) {
            (Ok(full), Ok(root)) => full.starts_with(root),
            _ => true,
        };
        (plain && inside).then_some(full)
    }
}

/// The SHA-256 of a picture's bytes, as locators write it.
fn hash(bytes: &[u8]) -> String {
    format!("sha256:{}", Fingerprint::of_bytes(bytes))
}

impl LookUp for Folder {
    fn look_up(&self, evidence: &Evidence) -> Lookup {
        let locator = evidence.locator();
        match evidence.kind() {
            EvidenceKind::File => {
                let (path, line) = evidence.place().unwrap_or((locator, None));
                let Some(full) = self.inside(path) else {
                    return Lookup::Unknown { why: format!("{path} leads out of {}", self.root.display()) };
                };
                match fs::read(&full) {
                    Ok(bytes) => look_up_in(&String::from_utf8_lossy(&bytes), line, evidence),
                    Err(error) => Lookup::NotFound { why: format!("{path}: {error}") },
                }
            }
            EvidenceKind::Image if locator.starts_with("sha256:") => {
                if self.images.iter().any(|known| known == locator) {
                    Lookup::Found
                } else {
                    Lookup::NotFound { why: format!("no picture with the hash {locator} was shown") }
                }
            }
            EvidenceKind::Image => match self.inside(locator) {
                Some(full) if full.is_file() => Lookup::Found,
                Some(_) => Lookup::NotFound { why: format!("there is no picture {locator}") },
                None => Lookup::Unknown { why: format!("{locator} leads out of {}", self.root.display()) },
            },
            EvidenceKind::Tool => match self.tools.get(locator) {
                Some(output) => look_up_in(output, None, evidence),
                None => Lookup::NotFound { why: format!("no output of {locator:?} is attached") },
            },
            kind => Lookup::Unknown { why: format!("a {kind} cannot be looked up") },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_below_the_root_is_looked_up() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::write(folder.path().join("src/a.css"), "a { gap: 12px }\n").unwrap();
        fs::write(folder.path().join("secret"), "gap").unwrap();
        let look = Folder::new(folder.path().join("src")).with_tool("axe", "0 violations").with_image(b"png");
        let of = |kind, locator: &str| look.look_up(&Evidence::new(kind, locator));
        assert_eq!(of(EvidenceKind::File, "a.css:1"), Lookup::Found);
        assert_eq!(of(EvidenceKind::File, "./a.css"), Lookup::Found);
        assert!(matches!(of(EvidenceKind::File, "a.css:2"), Lookup::NotFound { .. }));
        assert!(matches!(of(EvidenceKind::File, "b.css"), Lookup::NotFound { .. }));
        assert!(matches!(of(EvidenceKind::File, "../secret"), Lookup::Unknown { .. }));
        assert!(matches!(of(EvidenceKind::File, "/etc/passwd"), Lookup::Unknown { .. }));
        assert_eq!(of(EvidenceKind::Tool, "axe"), Lookup::Found);
        assert!(matches!(of(EvidenceKind::Tool, "lighthouse"), Lookup::NotFound { .. }));
        assert_eq!(of(EvidenceKind::Image, &hash(b"png")), Lookup::Found);
        assert!(matches!(of(EvidenceKind::Image, &hash(b"other")), Lookup::NotFound { .. }));
        assert_eq!(of(EvidenceKind::Image, "a.css"), Lookup::Found);
    }
}
