//! Writing a file so that it is never half there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes `content` beside `path` and moves it there, so that a reader sees the old content or the new one.
///
/// The file's permissions are kept where it exists already.
pub(crate) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name =
        path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it has no file name"))?;
    let mut temporary = name.to_os_string();
    // Always the same name: one writer holds the lock of a run, and what a killed one left behind is simply replaced.
    temporary.push(".trueup-tmp");
    let temporary = folder.join(temporary);
    let written = (|| {
        let mut file = File::create(&temporary)?;
        file.write_all(content)?;
        file.sync_all()?;
        if let Ok(before) = fs::metadata(path) {
            fs::set_permissions(&temporary, before.permissions())?;
        }
        fs::rename(&temporary, path)?;
        sync(folder)
    })();
    if written.is_err() {
        // The first error is the one that says what happened.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Makes the names in a folder survive the death of the machine, where the system can.
pub(crate) fn sync(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
