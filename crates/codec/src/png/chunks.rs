//! A walk over the chunks of a PNG, before anything is decoded.
//!
//! The whole framing is checked at the price of a few reads per chunk: a file that is cut off is refused before its first
//! row is given out, and an orientation that stands behind the pixels is found in time. Checksums are not looked at here;
//! the decoder does that.

use std::io::{self, BufRead, Read};

use crate::error::{CodecError, CodecErrorKind};
use crate::header::FileFormat;
use crate::input::{Input, Stream, unreadable};
use crate::sniff::PNG_SIGNATURE;

/// Bytes of a file that are read at a time: chunks of pixels are usually longer, and skipped.
const WALK_BYTES: usize = 1 << 12;
/// Bytes of an EXIF block that are looked at: as many as a JPEG can have. The orientation is one of its first entries.
const EXIF_BYTES: usize = 1 << 16;
/// Bytes of an ICC profile that hold its name in the file, with the zero behind it.
const PROFILE_NAME_BYTES: usize = 80;

/// What the chunks say that the decoder does not.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    /// Bytes of compressed pixels of the still picture.
    pub(super) compressed: u64,
    /// The first EXIF block, wherever it stands.
    pub(super) exif: Option<Vec<u8>>,
    /// Name that an ICC profile goes by in the file.
    pub(super) profile_name: Option<String>,
    /// Whether a gamma of 0 stands before the pixels. The decoder passes over it.
    pub(super) has_gamma_of_zero: bool,
    /// Frames, when it is an animation.
    pub(super) frames: Option<u64>,
}

pub(super) fn walk(input: Input<'_>) -> Result<Chunks, CodecError> {
    let len = input.len()?;
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => CodecError::truncated(FileFormat::Png, len),
        _ => unreadable(error),
    };
    let mut stream = input.reader(WALK_BYTES);
    stream.skip(PNG_SIGNATURE.len() as u32).map_err(failed)?;
    let mut left = len.saturating_sub(PNG_SIGNATURE.len() as u64);
    let mut found = Chunks::default();
    let mut first = true;
    loop {
        let (len_of_data, name) = head(&mut stream).map_err(failed)?;
        if first && &name == b"CgBI" {
            let what = "a PNG in the CgBI variant that Xcode writes into app bundles".to_owned();
            return Err(CodecErrorKind::Unsupported { what }.into());
        }
        if first && (&name != b"IHDR" || len_of_data != 13) {
            let detail = "it does not begin with the header chunk IHDR";
            return Err(CodecError::damaged(FileFormat::Png, detail));
        }
        first = false;
        if len_of_data > i32::MAX as u32 {
            let detail = format!("a chunk claims {len_of_data} bytes, more than the format allows");
            return Err(CodecError::damaged(FileFormat::Png, detail));
        }
        // Behind the data stand four bytes of checksum.
        left = left
            .checked_sub(8 + u64::from(len_of_data) + 4)
            .ok_or_else(|| CodecError::truncated(FileFormat::Png, len))?;
        let mut data = Data { stream: &mut stream, left: len_of_data };
        match &name {
            // The decoder trusts this.
            b"PLTE" if len_of_data == 0 || !len_of_data.is_multiple_of(3) || len_of_data > 3 * 256 => {
                let detail =
                    format!("its palette has {len_of_data} bytes, expected 3 for each of 1 to 256 colours");
                return Err(CodecError::damaged(FileFormat::Png, detail));
            }
            b"IDAT" => found.compressed += u64::from(len_of_data),
            b"eXIf" if found.exif.is_none() => found.exif = Some(data.take(EXIF_BYTES).map_err(failed)?),
            b"acTL" => {
                let count = data.take(4).map_err(failed)?;
                found.frames = count.first_chunk().map(|n| u64::from(u32::from_be_bytes(*n)));
            }
            b"iCCP" => {
                let start = data.take(PROFILE_NAME_BYTES).map_err(failed)?;
                let name = start.split(|&b| b == 0).next().unwrap_or_default();
                // Latin-1, and its bytes are the first characters of Unicode.
                found.profile_name = Some(name.iter().map(|&b| char::from(b)).collect());
            }
            b"gAMA" if len_of_data == 4 && found.compressed == 0 => {
                found.has_gamma_of_zero |= data.take(4).map_err(failed)? == [0; 4];
            }
            b"IEND" => return Ok(found),
            _ => {}
        }
        let rest = data.left;
        stream.skip(rest + 4).map_err(failed)?;
    }
}

/// The data of a chunk.
struct Data<'s, 'a> {
    stream: &'s mut Stream<'a>,
    left: u32,
}

impl Data<'_, '_> {
    /// The first bytes of it, so many at most.
    fn take(&mut self, most: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; most.min(self.left as usize)];
        self.stream.read_exact(&mut bytes)?;
        self.left -= bytes.len() as u32;
        Ok(bytes)
    }
}

/// Whether this begins like a PNG that is not interlaced, so that opening it decodes nothing.
pub(crate) fn has_rows_in_order(input: Input<'_>) -> bool {
    /// Behind the signature, the frame of the header chunk, two sides, depth, colour, compression and filter.
    const INTERLACE: usize = 28;
    let mut head = [0; INTERLACE + 1];
    // Where it cannot be read, opening it says so.
    let filled = input.head(&mut head).unwrap_or_default();
    filled == head.len() && head.starts_with(PNG_SIGNATURE) && head[INTERLACE] == 0
}

/// Whether a PNG whose header could be read is as its writer left it, as far as can be told without inflating it: the
/// framing is whole, every checksum of a chunk holds, the compressed pixels are in one run and begin like a zlib stream,
/// and nothing stands behind them that the decoder would have to look into.
///
/// # Errors
/// Those of the reader, and when the file ends too early.
pub(crate) fn is_intact(file: &mut impl BufRead) -> io::Result<bool> {
    let mut signature = [0; PNG_SIGNATURE.len()];
    file.read_exact(&mut signature)?;
    if signature != *PNG_SIGNATURE {
        return Ok(false);
    }
    let mut place = Place::BeforePixels;
    loop {
        let chunk = Chunk::read(file)?;
        if !chunk.checksum_holds {
            return Ok(false);
        }
        place = match (place, &chunk.name) {
            (Place::BeforePixels, b"IDAT") if begins_zlib(chunk.begins) => Place::Pixels,
            (Place::Pixels, b"IDAT") => Place::Pixels,
            // The decoder has read these already.
            (Place::BeforePixels, name) if name != b"IDAT" && name != b"IEND" => Place::BeforePixels,
            (Place::Pixels | Place::Behind, b"tEXt" | b"zTXt" | b"iTXt" | b"tIME" | b"eXIf") => Place::Behind,
            (Place::Pixels | Place::Behind, b"IEND") => return Ok(chunk.len == 0),
            _ => return Ok(false),
        };
    }
}

#[derive(Clone, Copy)]
enum Place {
    BeforePixels,
    Pixels,
    Behind,
}

/// The length of the data of a chunk, and its name.
pub(super) fn head(file: &mut impl Read) -> io::Result<(u32, [u8; 4])> {
    let mut head = [0; 8];
    file.read_exact(&mut head)?;
    let [l0, l1, l2, l3, name @ ..] = head;
    Ok((u32::from_be_bytes([l0, l1, l2, l3]), name))
}

/// What is looked at of a chunk.
pub(super) struct Chunk {
    pub(super) name: [u8; 4],
    len: u32,
    /// The first two bytes of its data; zero where there are fewer.
    begins: [u8; 2],
    pub(super) checksum_holds: bool,
}

impl Chunk {
    pub(super) fn read(file: &mut impl BufRead) -> io::Result<Self> {
        let (len, name) = head(file)?;
        Self::behind(len, name, file)
    }

    /// The chunk of which the length and the name were read.
    pub(super) fn behind(len: u32, name: [u8; 4], file: &mut impl BufRead) -> io::Result<Self> {
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(&name);
        let mut begins = [0; 2];
        let mut left = len as usize;
        if let Some(begins) = begins.get_mut(..left.min(2)) {
            file.read_exact(begins)?;
            checksum.update(begins);
            left -= begins.len();
        }
        while left > 0 {
            let piece = file.fill_buf()?;
            let piece = &piece[..piece.len().min(left)];
            if piece.is_empty() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            checksum.update(piece);
            let read = piece.len();
            file.consume(read);
            left -= read;
        }
        let mut expected = [0; 4];
        file.read_exact(&mut expected)?;
        let checksum_holds = checksum.finalize() == u32::from_be_bytes(expected);
        Ok(Self { name, len, begins, checksum_holds })
    }
}

/// Deflate, a window of at most 32 KiB, no preset dictionary, and the check bits of the two bytes.
fn begins_zlib(begins: [u8; 2]) -> bool {
    let [method, flags] = begins;
    method & 15 == 8 && method >> 4 <= 7 && flags & 32 == 0 && u16::from_be_bytes(begins).is_multiple_of(31)
}
