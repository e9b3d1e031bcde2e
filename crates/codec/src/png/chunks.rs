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

/// Whether these bytes begin like a PNG that is not interlaced, so that opening it decodes nothing.
pub(crate) fn has_rows_in_order(bytes: &[u8]) -> bool {
    /// Behind the signature, the frame of the header chunk, two sides, depth, colour, compression and filter.
    const INTERLACE: usize = 28;
    bytes.starts_with(PNG_SIGNATURE) && bytes.get(INTERLACE) == Some(&0)
}

/// Whether a PNG whose header could be read is as its writer left it, as far as can be told without inflating it: the
/// framing is whole, every checksum of a chunk holds, the compressed pixels are in one run and begin like a zlib stream,
/// and nothing stands behind them that the decoder would have to look into.
pub(crate) fn is_intact(bytes: &[u8]) -> bool {
    let Some(mut rest) = bytes.strip_prefix(PNG_SIGNATURE) else { return false };
    let mut place = Place::BeforePixels;
    while let Some(chunk) = Chunk::split_from(&mut rest) {
        if !chunk.checksum_holds() {
            return false;
        }
        place = match (place, chunk.name()) {
            (Place::BeforePixels, b"IDAT") if begins_zlib(chunk.data()) => Place::Pixels,
            (Place::Pixels, b"IDAT") => Place::Pixels,
            // The decoder has read these already.
            (Place::BeforePixels, name) if name != b"IDAT" && name != b"IEND" => Place::BeforePixels,
            (Place::Pixels | Place::Behind, b"tEXt" | b"zTXt" | b"iTXt" | b"tIME" | b"eXIf") => Place::Behind,
            (Place::Pixels | Place::Behind, b"IEND") => return chunk.data().is_empty(),
            _ => return false,
        };
    }
    false
}

#[derive(Clone, Copy)]
enum Place {
    BeforePixels,
    Pixels,
    Behind,
}

/// A chunk without its length.
struct Chunk<'a> {
    named: &'a [u8],
    checksum: u32,
}

impl<'a> Chunk<'a> {
    /// The next chunk; `None` when it is not all there.
    fn split_from(rest: &mut &'a [u8]) -> Option<Self> {
        const NAME: usize = 4;
        let (len, after) = rest.split_first_chunk()?;
        let (named, after) =
            after.split_at_checked((u32::from_be_bytes(*len) as usize).checked_add(NAME)?)?;
        let (checksum, after) = after.split_first_chunk()?;
        *rest = after;
        Some(Self { named, checksum: u32::from_be_bytes(*checksum) })
    }

    fn name(&self) -> &'a [u8; 4] {
        self.named.first_chunk().unwrap_or(b"\0\0\0\0")
    }

    fn data(&self) -> &'a [u8] {
        self.named.get(4..).unwrap_or_default()
    }

    fn checksum_holds(&self) -> bool {
        crc32fast::hash(self.named) == self.checksum
    }
}

/// Deflate, a window of at most 32 KiB, no preset dictionary, and the check bits of the two bytes.
fn begins_zlib(data: &[u8]) -> bool {
    let Some(head) = data.first_chunk::<2>() else { return false };
    let [method, flags] = *head;
    method & 15 == 8 && method >> 4 <= 7 && flags & 32 == 0 && u16::from_be_bytes(*head).is_multiple_of(31)
}
