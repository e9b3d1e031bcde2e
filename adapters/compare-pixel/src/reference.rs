//! References from files.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use trueup_codec::Limits;

use crate::source::Kept;

/// Decoded bytes up to which a reference is kept decoded: 64 MiB, a 4K screen twice over. Larger ones are decoded again
/// for each comparison, band by band.
const KEEP_DECODED_BYTES: usize = 64 << 20;

/// Reads a reference and checks all of it; the error says what is wrong and what to do.
pub(crate) fn load(path: &Path) -> Result<Kept, String> {
    let bytes = read(path)?;
    let decoded = trueup_codec::decode(&bytes, &Limits::default());
    let decoded = decoded.map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(if decoded.frame.bytes().len() <= KEEP_DECODED_BYTES {
        Kept::Frame(Arc::new(decoded.frame))
    } else {
        Kept::Encoded(bytes.into())
    })
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    if path.is_dir() {
        return Err(format!("{} is a folder: expected an image file", path.display()));
    }
    fs::read(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("{} does not exist", path.display()),
        _ => format!("{} cannot be read: {error}", path.display()),
    })
}
