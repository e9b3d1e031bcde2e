//! Where the browser is.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::error::{BrowserError, BrowserErrorKind};

/// Names that Chromium and its relatives go by on the path, the freest first.
const NAMES: [&str; 7] = [
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "chromium-headless-shell",
    "chrome-headless-shell",
];

/// Where they are on systems that do not put programs on the path.
const PLACES: [&str; 5] = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/snap/bin/chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
];

/// The file of the browser: the one that is named, else the first that is found on the path or in the usual places.
///
/// A bare name is looked up on the path.
///
/// # Errors
/// When the named file is no program, or none is found; the text says how one is installed.
pub fn find_browser(named: Option<&Path>) -> Result<PathBuf, BrowserError> {
    let found = match named {
        Some(named) if named.components().count() > 1 => is_program(named).then(|| named.to_owned()),
        Some(named) => on_path(named.as_os_str()),
        None => NAMES
            .iter()
            .find_map(|name| on_path(OsStr::new(name)))
            .or_else(|| places().into_iter().find(|place| is_program(place))),
    };
    found.ok_or_else(|| BrowserError::new(BrowserErrorKind::NotFound { named: named.map(Path::to_owned) }))
}

fn places() -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = PLACES.iter().map(PathBuf::from).collect();
    if let Some(home) = env::var_os("HOME") {
        let applications = Path::new(&home).join("Applications");
        places.push(applications.join("Chromium.app/Contents/MacOS/Chromium"));
        places.push(applications.join("Google Chrome.app/Contents/MacOS/Google Chrome"));
    }
    if let Some(local) = env::var_os("LOCALAPPDATA") {
        let local = Path::new(&local);
        places.push(local.join(r"Chromium\Application\chrome.exe"));
        places.push(local.join(r"Google\Chrome\Application\chrome.exe"));
    }
    places
}

fn on_path(name: &OsStr) -> Option<PathBuf> {
    let mut file_name = name.to_owned();
    file_name.push(env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?)
        .flat_map(|folder| [folder.join(name), folder.join(&file_name)])
        .find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_said_with_how_to_install_it() {
        let error = find_browser(Some(Path::new("/no/such/browser"))).unwrap_err();
        assert!(matches!(error.kind(), BrowserErrorKind::NotFound { named: Some(_) }));
        let said = error.to_string();
        for part in ["/no/such/browser", "Debian", "Fedora", "macOS", "Windows"] {
            assert!(said.contains(part), "{said}");
        }
        let error = find_browser(Some(Path::new("no-such-browser"))).unwrap_err();
        assert!(error.to_string().contains("no-such-browser"), "a bare name is looked up: {error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_name_is_looked_up_and_a_folder_is_no_program() {
        assert!(find_browser(Some(Path::new("sh"))).unwrap().ends_with("sh"));
        assert!(find_browser(Some(Path::new("/usr/bin"))).is_err());
    }
}
