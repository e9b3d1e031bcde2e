//! The rows of a PNG as it stores them: inflated and checked, with their filters.

use std::io::{self, BufRead, Read};

use simd_adler32::Adler32;

use super::chunks::{Chunk, head};
use super::filters::FILTERS;
use crate::error::CodecError;
use crate::header::FileFormat;
use crate::inflate::{Inflater, ROOM_BYTES, WINDOW_BYTES};
use crate::input::{Stream, unreadable};
use crate::limits;
use crate::sniff::PNG_SIGNATURE;

/// Bytes of rows that are inflated before they are given out: some rows, which still are in the cache.
const GATHERED_BYTES: usize = 1 << 15;

/// Bytes that were given out after which those that are still needed are moved to the front.
const SHIFT_BYTES: usize = 1 << 18;

/// Stored rows, one after the other, of a file whose framing is whole and whose chunks before the pixels were read.
pub(super) struct Scanlines<'a> {
    /// Bytes of the file, for messages.
    len: u64,
    pixels: Pixels<'a>,
    inflater: Inflater,
    /// Of all that was inflated.
    checksum: Adler32,
    /// What was inflated and may still be referred to, or given out.
    buffer: Vec<u8>,
    /// Bytes of it that are inflated.
    filled: usize,
    /// Where the next row begins in it.
    next: usize,
    /// Bytes of a row, the type of its filter included.
    line_bytes: usize,
    /// What went wrong behind rows that are still to be given out.
    failed: Option<CodecError>,
}

/// The data of the chunks of pixels.
struct Pixels<'a> {
    stream: Stream<'a>,
    /// Bytes of the chunk that are still to come.
    left: usize,
    /// Of what has come of it.
    checksum: crc32fast::Hasher,
    /// The length and the name of the chunk behind them, once it is reached.
    behind: Option<(u32, [u8; 4])>,
}

impl<'a> Scanlines<'a> {
    /// Goes to the first row.
    pub(super) fn open(stream: Stream<'a>, len: u64, row_bytes: usize) -> Result<Self, CodecError> {
        Ok(Self {
            len,
            pixels: Pixels::open(stream).map_err(|error| unread(error, len))?,
            inflater: Inflater::new(),
            checksum: Adler32::new(),
            buffer: Vec::new(),
            filled: 0,
            next: 0,
            line_bytes: row_bytes + 1,
            failed: None,
        })
    }

    /// The next rows as they are stored, at least one and at most so many: the type of a filter, of which it is seen that there is
    /// one, and the differences.
    pub(super) fn next(&mut self, most: usize) -> Result<&[u8], CodecError> {
        let wanted = most.min(GATHERED_BYTES / self.line_bytes).max(1);
        while self.failed.is_none() && self.filled < self.next + wanted * self.line_bytes {
            self.failed = self.inflate().unwrap_or_else(Some);
        }
        // Of what went wrong, what stands first in the file is said.
        let whole = &self.buffer[self.next..self.filled];
        let lines = whole.chunks_exact(self.line_bytes).take(wanted);
        let good = lines.take_while(|line| line.first().is_some_and(|&filter| filter < FILTERS)).count();
        if good == 0 {
            return Err(match whole.first() {
                Some(&filter) if filter >= FILTERS && whole.len() >= self.line_bytes => {
                    let detail = format!("a row names filter type {filter}, expected 0 to 4");
                    CodecError::damaged(FileFormat::Png, detail)
                }
                _ => self.failed.take().unwrap_or_else(missing),
            });
        }
        let first = self.next;
        self.next += good * self.line_bytes;
        Ok(&self.buffer[first..self.next])
    }

    /// Reads to the end of the file, for the checksums: that of what was inflated, and of the chunks that the rows did not need.
    pub(super) fn finish(&mut self) -> Result<(), CodecError> {
        // More than the picture takes is passed over, and not inflated for its checksum: there is no end of it. So is what is
        // wrong, or missing, behind the last row.
        while self.failed.is_none() && self.filled == self.next && !self.inflater.is_done() {
            self.failed = self.inflate()?;
        }
        if self.filled == self.next
            && self.inflater.checksum().is_some_and(|sum| sum != self.checksum.finish())
        {
            let detail = "the checksum of its compressed pixels does not match";
            return Err(CodecError::damaged(FileFormat::Png, detail));
        }
        while let Some(data) = self.pixels.data(self.len)? {
            let len = data.len();
            self.pixels.take(len);
        }
        self.pixels.check_behind(self.len)
    }

    /// One step, with as much of the compressed data as is in memory, and what is wrong with the data behind what was inflated.
    ///
    /// # Errors
    /// What is wrong with the file.
    fn inflate(&mut self) -> Result<Option<CodecError>, CodecError> {
        // What lies before both is neither to be given out nor referred to any more.
        let done = self.next.min(self.filled.saturating_sub(WINDOW_BYTES));
        if done >= SHIFT_BYTES {
            self.buffer.copy_within(done..self.filled, 0);
            self.next -= done;
            self.filled -= done;
        }
        let needed = self.filled + ROOM_BYTES;
        if self.buffer.len() < needed {
            limits::resize(&mut self.buffer, needed as u64)?;
        }
        // Where there is no more data, there may be bits of it that were taken before there was room.
        let data = self.pixels.data(self.len)?;
        let (is_last, was_done) = (data.is_none(), self.inflater.is_done());
        let progress = self.inflater.inflate(data.unwrap_or_default(), &mut self.buffer, self.filled);
        let is_stuck = progress.filled == self.filled && (was_done || is_last && !self.inflater.is_done());
        self.checksum.write(&self.buffer[self.filled..progress.filled]);
        self.filled = progress.filled;
        self.pixels.take(progress.taken);
        Ok(match progress.failed {
            Some(error) => Some(CodecError::damaged(FileFormat::Png, error.to_string()).because(error)),
            None => is_stuck.then(missing),
        })
    }
}

impl<'a> Pixels<'a> {
    /// Goes to the first chunk of pixels.
    fn open(mut stream: Stream<'a>) -> io::Result<Self> {
        stream.skip(PNG_SIGNATURE.len() as u32)?;
        loop {
            let (len, name) = head(&mut stream)?;
            if name == *b"IDAT" {
                return Ok(Self { stream, left: len as usize, checksum: of_pixels(), behind: None });
            }
            stream.skip(len)?;
            stream.skip(CHECKSUM_BYTES)?;
        }
    }

    /// What is in memory of the data, at least a byte; `None` behind the last of it. The checksum of a chunk is checked before
    /// the next one is begun.
    fn data(&mut self, len: u64) -> Result<Option<&[u8]>, CodecError> {
        while self.left == 0 {
            if self.behind.is_some() {
                return Ok(None);
            }
            self.next_chunk(len)?;
        }
        let data = self.stream.fill_buf().map_err(|error| unread(error, len))?;
        if data.is_empty() {
            return Err(CodecError::truncated(FileFormat::Png, len));
        }
        Ok(Some(&data[..data.len().min(self.left)]))
    }

    /// Bytes of the data that are done with.
    fn take(&mut self, bytes: usize) {
        // The data was in memory when it was given out, and is.
        let data = self.stream.fill_buf().unwrap_or_default();
        self.checksum.update(&data[..bytes.min(data.len())]);
        self.stream.consume(bytes);
        self.left -= bytes;
    }

    /// Holds what has come of a chunk against its checksum, and goes to the next one.
    fn next_chunk(&mut self, len: u64) -> Result<(), CodecError> {
        let mut expected = [0; CHECKSUM_BYTES as usize];
        self.stream.read_exact(&mut expected).map_err(|error| unread(error, len))?;
        if std::mem::replace(&mut self.checksum, of_pixels()).finalize() != u32::from_be_bytes(expected) {
            return Err(CodecError::damaged(
                FileFormat::Png,
                "the checksum of a chunk of pixels does not match",
            ));
        }
        let (next_len, name) = head(&mut self.stream).map_err(|error| unread(error, len))?;
        if name == *b"IDAT" {
            self.left = next_len as usize;
        } else {
            self.behind = Some((next_len, name));
        }
        Ok(())
    }

    /// Checks what stands behind the pixels, of which nothing changes them.
    fn check_behind(&mut self, len: u64) -> Result<(), CodecError> {
        let Some((next_len, name)) = self.behind else { return Ok(()) };
        let failed = |error| unread(error, len);
        let mut chunk = Chunk::behind(next_len, name, &mut self.stream).map_err(failed)?;
        loop {
            let name = String::from_utf8_lossy(&chunk.name).into_owned();
            if !chunk.checksum_holds {
                let detail = format!("the checksum of the chunk {name} does not match");
                return Err(CodecError::damaged(FileFormat::Png, detail));
            }
            if chunk.name == *b"IEND" {
                return Ok(());
            }
            // A large first letter says that a picture cannot be shown without the chunk.
            if chunk.name[0].is_ascii_uppercase() {
                let detail = format!("the chunk {name} stands behind the pixels");
                return Err(CodecError::damaged(FileFormat::Png, detail));
            }
            chunk = Chunk::read(&mut self.stream).map_err(failed)?;
        }
    }
}

/// Bytes of the checksum of a chunk.
const CHECKSUM_BYTES: u32 = 4;

/// A checksum over nothing but the name of a chunk of pixels.
fn of_pixels() -> crc32fast::Hasher {
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(b"IDAT");
    checksum
}

fn missing() -> CodecError {
    CodecError::damaged(FileFormat::Png, "rows are missing")
}

/// The framing was whole when the file was opened, so this is about one that was cut since, or that the system does not give any
/// more.
fn unread(error: io::Error, len: u64) -> CodecError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => CodecError::truncated(FileFormat::Png, len).because(error),
        _ => unreadable(error),
    }
}
