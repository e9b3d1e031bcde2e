//! The folder of one call.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;
use trueup_codec::Limits;
use trueup_contract::{DeltaId, FaultKind, LabelReading, Measurement};
use trueup_ports::{Capture, Fault, Pixels, Snapshot};

use crate::wire::CapturedLabel;

/// Pictures of regions in one request: the heaviest say what is wrong.
const CROPS: usize = 12;
/// Pixels around a region that are shown with it.
const AROUND: u32 = 16;

/// A folder of its own for one call: `work` with a copy of the artifact, `captures` with pictures, `out` for what the child
/// makes. It is gone when the call ends.
#[derive(Debug)]
pub(crate) struct Scratch {
    folder: TempDir,
}

impl Scratch {
    pub(crate) fn new() -> Result<Self, Fault> {
        let folder =
            TempDir::with_prefix("trueup-").map_err(|error| unwritable("a folder for the call", error))?;
        for name in ["work", "captures", "out"] {
            fs::create_dir(folder.path().join(name)).map_err(|error| unwritable(name, error))?;
        }
        Ok(Self { folder })
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    pub(crate) fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    /// Writes a copy of the artifact.
    pub(crate) fn put_parts(&self, snapshot: &Snapshot) -> Result<(), Fault> {
        for (name, content) in snapshot.parts() {
            let relative = inside(name).ok_or_else(|| {
                Fault::new(FaultKind::Rejected, format!("the part {name:?} is no path inside the artifact"))
            })?;
            let path = self.work().join(relative);
            let parent = path.parent().unwrap_or(Path::new("."));
            fs::create_dir_all(parent)
                .and_then(|()| fs::write(&path, content))
                .map_err(|error| unwritable(name, error))?;
        }
        Ok(())
    }

    /// Writes captures as picture files.
    pub(crate) fn put_captures(&self, captures: &[Capture]) -> Result<Vec<CapturedLabel>, Fault> {
        let mut written = Vec::new();
        for (index, capture) in captures.iter().enumerate() {
            let encoded;
            let bytes: &[u8] = match &capture.pixels {
                Pixels::Encoded(bytes) => bytes,
                Pixels::Frame(frame) => {
                    encoded = trueup_codec::encode_png(&frame.view()).map_err(|error| {
                        Fault::new(FaultKind::Rejected, format!("{}: {error}", capture.label))
                    })?;
                    &encoded
                }
                _ => {
                    let why = format!("{} was captured in an unknown form", capture.label);
                    return Err(Fault::new(FaultKind::Rejected, why));
                }
            };
            let path = self.folder.path().join("captures").join(format!("{index:03}.png"));
            fs::write(&path, bytes).map_err(|error| unwritable("a capture", error))?;
            written.push(CapturedLabel::new(capture, &path));
        }
        Ok(written)
    }

    /// Writes pictures of the heaviest open regions, each with what is around it.
    pub(crate) fn put_crops(
        &self,
        captures: &[Capture],
        measured: &Measurement,
    ) -> Result<BTreeMap<DeltaId, String>, Fault> {
        let mut crops = BTreeMap::new();
        for label in measured.labels() {
            let LabelReading::Compared { open, .. } = &label.reading else { continue };
            let capture = captures.iter().find(|capture| capture.label == label.label);
            let Some(capture) = capture.filter(|_| !open.is_empty()) else { continue };
            let decoded;
            let view = match &capture.pixels {
                Pixels::Frame(frame) => frame.view(),
                Pixels::Encoded(bytes) => {
                    decoded = trueup_codec::decode(bytes, &Limits::default()).map_err(|error| {
                        Fault::new(FaultKind::Rejected, format!("{}: {error}", label.label))
                    })?;
                    decoded.frame.view()
                }
                _ => continue,
            };
            for region in open.iter().take(CROPS - crops.len().min(CROPS)) {
                let Some(area) = region.area.grown(AROUND).clipped_to(view.size()) else { continue };
                let picture = view.crop(area).map_err(|error| error.to_string());
                let picture = picture
                    .and_then(|crop| trueup_codec::encode_png(&crop).map_err(|error| error.to_string()));
                let picture = picture
                    .map_err(|error| Fault::new(FaultKind::Rejected, format!("{}: {error}", region.id)))?;
                let path = self.folder.path().join("captures").join(format!("crop-{:02}.png", crops.len()));
                fs::write(&path, picture).map_err(|error| unwritable("a picture of a region", error))?;
                crops.insert(region.id.clone(), path.display().to_string());
            }
        }
        Ok(crops)
    }

    /// The content of a file that the child was to leave at `relative` in `folder`: a plain file that is not reached
    /// through a link, of at most `at_most` bytes.
    pub(crate) fn take(folder: &Path, relative: &str, at_most: u64) -> Result<Vec<u8>, Fault> {
        let refuse = |why: String| Fault::new(FaultKind::Rejected, format!("{relative:?} {why}"));
        let path =
            inside(relative).ok_or_else(|| refuse("leads out of the folder of the call".to_owned()))?;
        let mut at = folder.to_owned();
        for component in path.components() {
            at.push(component);
            let meta = fs::symlink_metadata(&at).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => refuse("is not there any more".to_owned()),
                _ => refuse(format!("cannot be read: {error}")),
            })?;
            if meta.file_type().is_symlink() {
                return Err(refuse("is a link, or lies behind one".to_owned()));
            }
        }
        let meta = fs::symlink_metadata(&at).map_err(|error| refuse(format!("cannot be read: {error}")))?;
        if !meta.is_file() {
            return Err(refuse("is no file".to_owned()));
        }
        if meta.len() > at_most {
            return Err(refuse(format!("has {} bytes, more than {at_most}", meta.len())));
        }
        fs::read(&at).map_err(|error| refuse(format!("cannot be read: {error}")))
    }
}

/// A relative path that stays where it begins.
fn inside(path: &str) -> Option<&Path> {
    let path = Path::new(path);
    let is_plain = path.components().all(|component| matches!(component, Component::Normal(_)));
    (is_plain && path.components().next().is_some()).then_some(path)
}

fn unwritable(what: &str, error: io::Error) -> Fault {
    // A full disk may be emptied, and another call may have ended by then.
    Fault::new(FaultKind::Transient, format!("{what} cannot be written")).with_source(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_paths_stay_inside() {
        for good in ["a.svg", "a/b.css", "a b/ü.txt"] {
            assert!(inside(good).is_some(), "{good:?}");
        }
        for bad in ["", ".", "..", "../a", "a/../b", "/etc/passwd", "./a"] {
            assert!(inside(bad).is_none(), "{bad:?}");
        }
    }
}
