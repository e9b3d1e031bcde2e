//! What a label's source means: a file beside the configuration, or an address.

use std::path::{Path, PathBuf};

/// The address of a source: itself where it is one, else that of the file in `folder`, whose query and fragment are kept.
pub(crate) fn of(source: &str, folder: &Path) -> String {
    if source.contains("://") {
        return source.to_owned();
    }
    let is_file = |path: &str| folder.join(path).is_file();
    let at = if is_file(source) { None } else { source.find(['?', '#']) };
    let (path, rest) = source.split_at(at.unwrap_or(source.len()));
    let file = absolute(folder).join(path);
    let mut address = String::from("file://");
    for byte in file.to_string_lossy().bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                address.push(char::from(byte));
            }
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address + rest
}

/// Where a page is, without what another machine calls otherwise: the folder that files lie in.
pub(crate) fn place_in(place: &str, source: &str, folder: &Path) -> String {
    let own = of("", folder);
    let own = own.trim_start_matches("file://");
    match place.strip_prefix(own) {
        Some(rest) if !source.contains("://") => rest.trim_start_matches('/').to_owned(),
        _ => place.to_owned(),
    }
}

/// The folder as the browser calls it: absolute, without links.
fn absolute(folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().or_else(|_| std::path::absolute(folder)).unwrap_or_else(|_| folder.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_become_addresses_and_addresses_stay() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        std::fs::write(folder.join("a b#.html"), "").unwrap();
        std::fs::write(folder.join("page.html"), "").unwrap();
        let base = of("", folder);
        assert_eq!(of("page.html", folder), format!("{base}page.html"));
        assert_eq!(of("page.html?x=1#end", folder), format!("{base}page.html?x=1#end"));
        assert_eq!(of("a b#.html", folder), format!("{base}a%20b%23.html"));
        assert_eq!(of("http://localhost:3000/x y", folder), "http://localhost:3000/x y");
    }

    #[test]
    fn a_place_says_nothing_of_the_machine() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let address = of("sub/page.html#end", folder);
        let place = address.trim_start_matches("file://");
        assert_eq!(place_in(place, "page.html", folder), "sub/page.html#end");
        assert_eq!(place_in("/sub/page#end", "http://localhost/", folder), "/sub/page#end");
    }
}
