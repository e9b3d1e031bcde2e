//! A walk over the chunks of a PNG, before anything is decoded.
//!
//! The file is in memory, so that its framing can be checked whole at the price of a few reads per chunk: a file that
//! is cut off is refused before its first row is given out, and an orientation that stands behind the pixels is found
//! in time. Checksums are not looked at here; the decoder does that.

use crate::error::{CodecError, CodecErrorKind};
use crate::header::FileFormat;
use crate::sniff::PNG_SIGNATURE;

/// What the chunks say that the decoder does not.
#[derive(Debug, Default)]
pub(super) struct Chunks<'a> {
    /// Bytes of compressed pixels of the still picture.
    pub(super) compressed: u64,
    /// The first EXIF block, wherever it stands.
    pub(super) exif: Option<&'a [u8]>,
    /// Name that an ICC profile goes by in the file.
    pub(super) profile_name: Option<String>,
    /// Frames, when it is an animation.
    pub(super) frames: Option<u64>,
}

pub(super) fn walk(bytes: &[u8]) -> Result<Chunks<'_>, CodecError> {
    let truncated = || CodecError::truncated(FileFormat::Png, bytes);
    let mut found = Chunks::default();
    let mut rest = bytes.get(PNG_SIGNATURE.len()..).ok_or_else(truncated)?;
    let mut first = true;
    loop {
        let (head, after) = rest.split_first_chunk::<8>().ok_or_else(truncated)?;
        let [l0, l1, l2, l3, name @ ..] = *head;
        let len = u32::from_be_bytes([l0, l1, l2, l3]);
        if first && &name == b"CgBI" {
            let what = "a PNG in the CgBI variant that Xcode writes into app bundles".to_owned();
            return Err(CodecErrorKind::Unsupported { what }.into());
        }
        if first && (&name != b"IHDR" || len != 13) {
            let detail = "it does not begin with the header chunk IHDR";
            return Err(CodecError::damaged(FileFormat::Png, detail));
        }
        first = false;
        if len > i32::MAX as u32 {
            let detail = format!("a chunk claims {len} bytes, more than the format allows");
            return Err(CodecError::damaged(FileFormat::Png, detail));
        }
        let len = len as usize;
        let data = after.get(..len).ok_or_else(truncated)?;
        // Behind the data stand four bytes of checksum.
        rest = after.get(len + 4..).ok_or_else(truncated)?;
        match &name {
            // The decoder trusts this.
            b"PLTE" if len == 0 || !len.is_multiple_of(3) || len > 3 * 256 => {
                let detail = format!("its palette has {len} bytes, expected 3 for each of 1 to 256 colours");
                return Err(CodecError::damaged(FileFormat::Png, detail));
            }
            b"IDAT" => found.compressed += len as u64,
            b"eXIf" => found.exif = found.exif.or(Some(data)),
            b"acTL" => found.frames = data.first_chunk().map(|n| u64::from(u32::from_be_bytes(*n))),
            b"iCCP" => {
                let name = data.split(|&b| b == 0).next().unwrap_or_default();
                // Latin-1, and its bytes are the first characters of Unicode.
                found.profile_name = Some(name.iter().map(|&b| char::from(b)).collect());
            }
            b"IEND" => return Ok(found),
            _ => {}
        }
    }
}
